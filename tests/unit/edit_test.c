/* edit: edit lists, places for people, and diffs that patch and git apply accept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/process/proc.h"
#include "edit/edit.h"

struct fixture {
	struct arena *a;
	struct edit_list l;
	struct sbuf out;
};

static void add(struct fixture *f, size_t begin, size_t end, const char *text)
{
	edit_list_add(&f->l, f->a, begin, end, str_of(text));
}

static void fixture_release(struct fixture *f)
{
	edit_list_release(&f->l);
	sbuf_release(&f->out);
	arena_free(f->a);
}

static void test_apply(void **state)
{
	(void)state;
	struct fixture f = {.a = arena_create()};
	size_t clash[2];

	add(&f, 9, 10, "");
	add(&f, 4, 6, "XYZ");
	add(&f, 4, 4, "1");
	add(&f, 6, 6, "3");
	add(&f, 4, 4, "2");
	add(&f, 0, 0, "<");
	add(&f, 10, 10, ">");
	assert_true(edit_list_check(&f.l, 10, clash));
	assert_true(edit_list_check(&f.l, 10, clash));
	edit_list_apply(&f.out, STR("0123456789"), &f.l);
	assert_string_equal(sbuf_cstr(&f.out), "<012312XYZ3678>");
	static const size_t lands[] = {1, 2, 3, 4, 7, 7, 11, 12, 13, 14, 15};
	for (size_t i = 0; i < sizeof(lands) / sizeof(lands[0]); i++) {
		assert_int_equal(edit_list_map_offset(&f.l, i), lands[i]);
	}
	fixture_release(&f);

	f = (struct fixture){.a = arena_create()};
	assert_true(edit_list_check(&f.l, 0, clash));
	edit_list_apply(&f.out, STR("same"), &f.l);
	assert_string_equal(sbuf_cstr(&f.out), "same");
	assert_int_equal(edit_list_map_offset(&f.l, 3), 3);
	fixture_release(&f);
}

static void test_conflicts(void **state)
{
	(void)state;
	static const struct {
		size_t range[2][2];
		bool ok;
	} cases[] = {
		{{{2, 4}, {4, 6}}, true},
		{{{2, 4}, {3, 6}}, false},
		{{{2, 6}, {3, 4}}, false},
		{{{2, 4}, {2, 4}}, false},
		{{{2, 4}, {2, 2}}, true},
		{{{2, 4}, {4, 4}}, true},
		{{{2, 4}, {3, 3}}, false},
		{{{3, 3}, {3, 3}}, true},
		{{{0, 1}, {9, 11}}, false},
		{{{0, 1}, {8, 7}}, false},
		{{{0, 1}, {11, 11}}, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int swap = 0; swap < 2; swap++) {
			struct fixture f = {.a = arena_create()};
			size_t clash[2] = {99, 99};

			add(&f, cases[i].range[swap][0], cases[i].range[swap][1], "x");
			add(&f, cases[i].range[!swap][0], cases[i].range[!swap][1], "y");
			bool ok = edit_list_check(&f.l, 10, clash);
			if (ok != cases[i].ok) {
				fail_msg("case %zu: %d", i, ok);
			}
			if (!ok && i < 8) {
				assert_int_equal(clash[0], 0);
				assert_int_equal(clash[1], 1);
			} else if (!ok) {
				assert_int_equal(clash[0], 1);
				assert_int_equal(clash[1], 1);
			}
			fixture_release(&f);
		}
	}
}

static void test_meeting(void **state)
{
	(void)state;
	struct fixture f = {.a = arena_create()};
	struct edit_list other = {0};
	assert_false(edit_lists_meet(&f.l, &other));
	add(&f, 10, 20, "x");
	add(&f, 30, 30, "y");
	const struct {
		size_t begin, end;
		bool meets;
	} cases[] = {{0, 9, false}, {0, 10, true}, {12, 14, true}, {0, 40, true}, {20, 22, true},
		{21, 29, false}, {21, 30, true}, {30, 30, true}, {31, 40, false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		edit_list_add(&other, f.a, cases[i].begin, cases[i].end, str_of("z"));
		assert_int_equal(edit_lists_meet(&f.l, &other), cases[i].meets);
		assert_int_equal(edit_lists_meet(&other, &f.l), cases[i].meets);
		other.edits.n = 0;
	}
	edit_list_release(&other);
	fixture_release(&f);
}

static void test_places(void **state)
{
	(void)state;
	const struct str s = STR("ab\n\ncd\r\nef");
	static const struct {
		size_t offset;
		unsigned line, col;
		const char *text;
	} want[] = {{0, 1, 1, "ab"}, {2, 1, 3, "ab"}, {3, 2, 1, ""}, {4, 3, 1, "cd"},
		{6, 3, 3, "cd"}, {8, 4, 1, "ef"}, {10, 4, 3, "ef"}, {99, 4, 3, "ef"}};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct line_col at = line_col_of(s, want[i].offset);

		assert_int_equal(at.line, want[i].line);
		assert_int_equal(at.col, want[i].col);
		assert_true(str_is(line_around(s, want[i].offset), want[i].text));
	}
	assert_int_equal(line_col_of(STR("a\n"), 2).line, 2);
	assert_true(str_is(line_around(STR("a\n"), 2), ""));
	assert_int_equal(line_col_of((struct str){NULL, 0}, 0).line, 1);
	assert_int_equal(line_around((struct str){NULL, 0}, 0).n, 0);
}

/* The marked text says what counting from the start says. */
static void test_line_marks(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct sbuf b = {0};

	for (unsigned i = 0; b.n < 3000; i++) {
		sbuf_addf(&b, "%.*s\n", (int)(i * 7 % 90),
			"................................"
			"................................"
			"..........................");
	}
	const struct line_marks *m = line_marks_make(a, sbuf_str(&b));
	for (size_t at = 0; at < b.n + 3; at++) {
		struct line_col want = line_col_of(sbuf_str(&b), at), got = line_marks_at(m, at);
		assert_int_equal(got.line, want.line);
		assert_int_equal(got.col, want.col);
	}
	m = line_marks_make(a, (struct str){NULL, 0});
	assert_int_equal(line_marks_at(m, 5).line, 1);
	sbuf_release(&b);
	arena_free(a);
}

static void expect_diff(const char *before, const char *after, const char *want)
{
	struct sbuf out = {0};

	diff_unified(&out, str_of(before), str_of(after), "a/f", "b/f");
	assert_string_equal(sbuf_cstr(&out), want);
	sbuf_release(&out);
}

#define HEAD "--- a/f\n+++ b/f\n"

static void test_diff_text(void **state)
{
	(void)state;
	expect_diff("a\nb\n", "a\nb\n", "");
	expect_diff("", "", "");
	expect_diff("", "a\n", HEAD "@@ -0,0 +1 @@\n+a\n");
	expect_diff("a\nb\n", "", HEAD "@@ -1,2 +0,0 @@\n-a\n-b\n");
	expect_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
		HEAD "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n");
	expect_diff("a\nb", "a\nb\n",
		HEAD "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
	expect_diff(
		"a\nb", "c\nb", HEAD "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n");
	expect_diff("a\r\nb\r\n", "a\nb\r\n", HEAD "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n");
	/* Six lines between two changes: one hunk. Seven: two. */
	expect_diff("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
		HEAD "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
	expect_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
		HEAD "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
		     "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
	/* A run goes as far down as it can, whichever side it is on. */
	expect_diff("b\na\n", "c\nb\na\na\n", HEAD "@@ -1,2 +1,4 @@\n+c\n b\n a\n+a\n");
	expect_diff("c\nb\na\na\n", "b\na\n", HEAD "@@ -1,4 +1,2 @@\n-c\n b\n a\n-a\n");
	/* The new block ends with its own brace. */
	expect_diff("f {\n  x\n}\n", "f {\n  x\n}\ng {\n  x\n}\n",
		HEAD "@@ -1,3 +1,6 @@\n f {\n   x\n }\n+g {\n+  x\n+}\n");
}

static void test_diff_names(void **state)
{
	(void)state;
	struct sbuf out = {0};

	diff_unified(&out, STR("a\n"), STR("b\n"), "a/my file.hip", "b/t\tq\".hip");
	assert_true(
		str_starts(sbuf_str(&out), "--- a/my file.hip\t\n+++ \"b/t\\011q\\\".hip\"\n@@ "));
	sbuf_release(&out);
}

/* A small generator of our own: the same texts on every machine. */
static unsigned next_random(uint64_t *seed, unsigned below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*seed >> 33) % below;
}

/* Up to max lines out of few different ones, so that there is much to match. */
static void random_text(struct sbuf *b, uint64_t *seed, unsigned max, unsigned kinds)
{
	unsigned n = next_random(seed, max + 1);

	for (unsigned i = 0; i < n; i++) {
		sbuf_addf(b, "line %u%s", next_random(seed, kinds),
			next_random(seed, 9) == 0 ? "\r\n" : "\n");
	}
	if (next_random(seed, 4) == 0) {
		sbuf_adds(b, "last without a newline");
	}
}

/* Each line kept, dropped, replaced or doubled. */
static void random_change(struct sbuf *out, struct str text, uint64_t *seed)
{
	while (text.n > 0) {
		size_t end = str_find(text, "\n", 0);
		size_t n = end == SIZE_MAX ? text.n : end + 1;
		struct str line = str_sub(text, 0, n);

		text = str_sub(text, n, text.n);
		switch (next_random(seed, 12)) {
		case 0:
			break;
		case 1:
			sbuf_adds(out, "new\n");
			break;
		case 2:
			sbuf_addstr(out, line);
			if (end != SIZE_MAX) {
				sbuf_addstr(out, line);
			}
			break;
		default:
			sbuf_addstr(out, line);
		}
	}
}

struct counts {
	size_t removed, added;
};

/* Applies a diff in the strictest way: every line and every number has to be right. */
static struct counts apply_strictly(struct sbuf *out, struct str before, struct str diff)
{
	struct counts counts = {0};
	size_t line = 0, old_line = 0;
	struct str rest = before;

	for (struct str d = diff; d.n > 0; line++) {
		size_t n = str_find(d, "\n", 0) + 1;
		struct str text = str_sub(d, 1, n), piece;
		char kind = d.p[0];

		d = str_sub(d, n, d.n);
		if (str_starts(d, "\\ No newline")) {
			text.n--;
			d = str_sub(d, str_find(d, "\n", 0) + 1, d.n);
		}
		if (line < 2) {
			continue;
		}
		if (kind == '@') {
			size_t at = strtoul(text.p + 3, NULL, 10);
			bool empty = text.p[3 + strcspn(text.p + 3, ", ")] == ',' &&
				     strtoul(strchr(text.p + 3, ',') + 1, NULL, 10) == 0;

			for (at -= empty ? 0 : 1; old_line < at; old_line++) {
				assert_true(str_split(&rest, '\n', &piece));
				sbuf_addstr(out, piece);
				sbuf_addc(out, '\n');
			}
			continue;
		}
		if (kind == '+') {
			counts.added++;
		} else {
			assert_true(rest.n >= text.n);
			assert_true(str_eq(str_sub(rest, 0, text.n), text));
			rest = str_sub(rest, text.n, rest.n);
			old_line++;
		}
		if (kind == '-') {
			counts.removed++;
		} else {
			sbuf_addstr(out, text);
		}
	}
	sbuf_addstr(out, rest);
	return counts;
}

enum {
	MAX_LINES = 40
};

static size_t cut(struct str text, struct str lines[2 * MAX_LINES])
{
	size_t n = 0;

	while (text.n > 0) {
		size_t end = str_find(text, "\n", 0);

		lines[n] = str_sub(text, 0, end == SIZE_MAX ? text.n : end + 1);
		text = str_sub(text, lines[n++].n, text.n);
	}
	return n;
}

/* Length of the longest common subsequence of lines, the slow and plain way. */
static size_t common_lines(struct str a, struct str b)
{
	static size_t best[2 * MAX_LINES + 2][2 * MAX_LINES + 2];
	struct str x[2 * MAX_LINES + 2], y[2 * MAX_LINES + 2];
	size_t n = cut(a, x), m = cut(b, y);

	memset(best, 0, sizeof(best));
	for (size_t i = 1; i <= n; i++) {
		for (size_t k = 1; k <= m; k++) {
			size_t skip =
				best[i - 1][k] > best[i][k - 1] ? best[i - 1][k] : best[i][k - 1];

			best[i][k] = str_eq(x[i - 1], y[k - 1]) ? best[i - 1][k - 1] + 1 : skip;
		}
	}
	return best[n][m];
}

static size_t count_lines(struct str text)
{
	struct str lines[2 * MAX_LINES + 2];

	return cut(text, lines);
}

static void test_diff_random(void **state)
{
	(void)state;
	uint64_t seed = 1;

	for (int round = 0; round < 4000; round++) {
		struct sbuf before = {0}, after = {0}, diff = {0}, again = {0};

		random_text(&before, &seed, MAX_LINES - 1, 1 + next_random(&seed, 12));
		if (round % 2 == 0) {
			random_change(&after, sbuf_str(&before), &seed);
		} else {
			random_text(&after, &seed, MAX_LINES - 1, 1 + next_random(&seed, 12));
		}
		struct arena *a = arena_create();
		struct edit_list edits = {{0}};
		struct sbuf edited = {0};
		size_t clash[2];
		diff_edits(&edits, a, sbuf_str(&before), sbuf_str(&after));
		assert_true(edit_list_check(&edits, before.n, clash));
		edit_list_apply(&edited, sbuf_str(&before), &edits);
		assert_true(str_eq(sbuf_str(&edited), sbuf_str(&after)));
		edit_list_release(&edits);
		sbuf_release(&edited);
		arena_free(a);
		diff_unified(&diff, sbuf_str(&before), sbuf_str(&after), "f", "f");
		struct counts c = apply_strictly(&again, sbuf_str(&before), sbuf_str(&diff));
		assert_string_equal(sbuf_cstr(&again), sbuf_cstr(&after));
		size_t common = common_lines(sbuf_str(&before), sbuf_str(&after));
		assert_int_equal(c.removed, count_lines(sbuf_str(&before)) - common);
		assert_int_equal(c.added, count_lines(sbuf_str(&after)) - common);
		sbuf_release(&before);
		sbuf_release(&after);
		sbuf_release(&diff);
		sbuf_release(&again);
	}
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* 100000 lines: a few changes, all lines different, and the same few lines shuffled. */
static void test_diff_large(void **state)
{
	(void)state;
	enum {
		LINES = 100000
	};
	uint64_t seed = 7;

	for (int kind = 0; kind < 3; kind++) {
		struct sbuf before = {0}, after = {0}, diff = {0}, again = {0};

		for (unsigned i = 0; i < LINES; i++) {
			unsigned r = next_random(&seed, 1000), q = next_random(&seed, 1000);

			sbuf_addf(&before, "%u\n", kind == 2 ? r : i);
			sbuf_addf(&after, "%u\n",
				kind == 2	      ? q
				: kind == 1 || r == 0 ? i + LINES
						      : i);
		}
		double start = now_s();
		diff_unified(&diff, sbuf_str(&before), sbuf_str(&after), "f", "f");
		assert_true(now_s() - start < 20);
		struct counts c = apply_strictly(&again, sbuf_str(&before), sbuf_str(&diff));
		assert_true(str_eq(sbuf_str(&again), sbuf_str(&after)));
		assert_true(kind != 0 || c.added < LINES / 500);
		assert_true(kind != 2 || c.added < LINES);
		sbuf_release(&before);
		sbuf_release(&after);
		sbuf_release(&diff);
		sbuf_release(&again);
	}
}

/* Has tool apply diff to before in a fresh directory; the result is to be after. */
static void expect_applied(
	const char *const *argv, const char *dir, struct str before, struct str after)
{
	struct sbuf file = {0}, patch = {0}, diff = {0}, got = {0};
	const bool git = strcmp(argv[0], "git") == 0;
	struct proc_result r;

	path_join(&file, dir, "my file.hip");
	path_join(&patch, dir, "patch");
	diff_unified(&diff, before, after, git ? "a/my file.hip" : "my file.hip",
		git ? "b/my file.hip" : "my file.hip");
	assert_int_equal(file_write_atomic(sbuf_cstr(&file), before), 0);
	assert_int_equal(file_write_atomic(sbuf_cstr(&patch), sbuf_str(&diff)), 0);
	proc_run(&r, &(struct proc_job){.argv = argv, .cwd = dir});
	if (!proc_ok(&r)) {
		fail_msg("%s: %s%s\n%s", argv[0], sbuf_cstr(&r.out), sbuf_cstr(&r.err),
			sbuf_cstr(&diff));
	}
	/* Both remove a file that becomes empty. */
	if (after.n > 0 || file_exists(sbuf_cstr(&file))) {
		assert_int_equal(file_read(&got, sbuf_cstr(&file)), 0);
	}
	assert_true(str_eq(sbuf_str(&got), after));
	proc_result_release(&r);
	sbuf_release(&file);
	sbuf_release(&patch);
	sbuf_release(&diff);
	sbuf_release(&got);
}

static void round_trip(const char *const *argv)
{
	struct arena *a = arena_create();
	uint64_t seed = 3;
	bool here = proc_find(a, argv[0]);

	arena_free(a);
	if (!here) {
		print_message("%s is not installed\n", argv[0]);
		skip();
	}
	const char *dir = tmpdir_create();
	static const char *const pairs[][2] = {{"a\nb", "a\nb\n"}, {"a\nb\n", "a\nb"}, {"", "a\n"},
		{"a\r\nb\r\nc\r\n", "a\r\nX\r\nc\r\n"}, {"a\r\nb", "a\nb\r\n"}, {"a\n", ""},
		{"--- x\n+++ y\n", "--- y\n+++ x\n@@ -1 +1 @@\n"}, {"\n\n", "\n\n\n"}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		expect_applied(argv, dir, str_of(pairs[i][0]), str_of(pairs[i][1]));
	}
	for (int round = 0; round < 40; round++) {
		struct sbuf before = {0}, after = {0};

		random_text(&before, &seed, MAX_LINES, 8);
		random_change(&after, sbuf_str(&before), &seed);
		sbuf_adds(&after, "one more\n");
		expect_applied(argv, dir, sbuf_str(&before), sbuf_str(&after));
		sbuf_release(&before);
		sbuf_release(&after);
	}
}

static void test_patch(void **state)
{
	(void)state;
	round_trip((const char *const[]){"patch", "-s", "-p0", "--fuzz=0", "-i", "patch", NULL});
}

static void test_git_apply(void **state)
{
	(void)state;
	/* A directory above may be a repository, to which the paths would then belong. */
	setenv("GIT_CEILING_DIRECTORIES", "/", 1);
	setenv("GIT_DIR", "/nonexistent", 1);
	round_trip((const char *const[]){"git", "apply", "--whitespace=nowarn", "patch", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apply),
		cmocka_unit_test(test_conflicts),
		cmocka_unit_test(test_meeting),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_line_marks),
		cmocka_unit_test(test_diff_text),
		cmocka_unit_test(test_diff_names),
		cmocka_unit_test(test_diff_random),
		cmocka_unit_test(test_diff_large),
		cmocka_unit_test(test_patch),
		cmocka_unit_test(test_git_apply),
	};
	return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
