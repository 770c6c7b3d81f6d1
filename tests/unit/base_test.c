/* base: containers, strings, files, child processes, and what is left when a signal ends us. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "base/process/proc.h"
#include "base/str.h"

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static bool alive(pid_t pid)
{
	return kill(pid, 0) == 0;
}

/* A killed orphan is reaped by init some time later; a zombie counts as dead. */
static bool dies_soon(pid_t pid)
{
	for (int i = 0; i < 100; i++) {
		char path[64], state = '?';

		if (!alive(pid)) {
			return true;
		}
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
		FILE *f = fopen(path, "r");
		if (f) {
			int got = fscanf(f, "%*d (%*[^)]) %c", &state);

			fclose(f);
			if (got == 1 && state == 'Z') {
				return true;
			}
		}
		wait_ms(20);
	}
	return false;
}

static struct proc_result run(const char *const *argv, double limit_s, size_t output_limit)
{
	struct proc_result r;
	const struct proc_job job = {
		.argv = argv, .time_limit_s = limit_s, .output_limit = output_limit};

	proc_run(&r, &job);
	return r;
}

#define SH(script) ((const char *const[]){"sh", "-c", script, NULL})

static size_t entries_in(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	for (struct dirent *e = readdir(d); e; e = readdir(d)) {
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	}
	closedir(d);
	return n;
}

static void expect_content(const char *path, const char *want)
{
	struct sbuf b = {0};

	assert_int_equal(file_read(&b, path), 0);
	assert_string_equal(sbuf_cstr(&b), want);
	sbuf_release(&b);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* dir/name; the caller frees it. */
static char *in(const char *dir, const char *name)
{
	char *p;

	assert_true(asprintf(&p, "%s/%s", dir, name) > 0);
	return p;
}

static void test_arena(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	char *last = NULL;

	assert_int_equal(arena_used(a), 0);
	char *x = arena_alloc(a, 0), *y = arena_alloc(a, 0);
	assert_ptr_not_equal(x, y);
	for (size_t size = 1; size < 3000000; size = size * 3 + 1) {
		unsigned char *p = arena_alloc(a, size);

		assert_int_equal((uintptr_t)p % _Alignof(void *), 0);
		/* a type that has to lie at more has such a size */
		p = arena_alloc(a, size % 1000 * _Alignof(max_align_t));
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		p = arena_alloc(a, size);
		for (size_t i = 0; i < size; i++) {
			assert_int_equal(p[i], 0);
		}
		memset(p, 0xff, size);
	}
	for (int i = 0; i < 10000; i++) {
		char *s = arena_printf(a, "item %d", i);

		assert_ptr_not_equal(s, last);
		last = s;
	}
	assert_string_equal(last, "item 9999");
	assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
	assert_string_equal(arena_strdup(a, ""), "");
	assert_non_null(arena_memdup(a, NULL, 0));
	assert_true(arena_used(a) > 3000000);
	arena_free(a);
	arena_free(NULL);
}

static void test_array(void **state)
{
	(void)state;
	ARRAY(int) xs = {0};
	struct pair {
		int a, b;
	};
	ARRAY(struct pair) ps = {0};
	long sum = 0;

	for (int i = 0; i < 1000; i++) {
		array_push(&xs, i);
	}
	array_push(&ps, (struct pair){3, 4});
	assert_int_equal(xs.n, 1000);
	array_each (&xs, int, it) {
		sum += *it;
	}
	assert_int_equal(sum, 499500);
	assert_int_equal(ps.v[0].b, 4);
	struct arena *a = arena_create();
	int *copy = array_to_arena(a, &xs);
	array_release(&xs);
	array_release(&ps);
	ARRAY(const char *) names = {0};
	size_t letters = 0;
	array_each (&names, const char *, name) {
		fail();
	}
	array_push(&names, "ab");
	array_push(&names, "c");
	array_each (&names, const char *, name) {
		letters += strlen(*name);
	}
	assert_int_equal(letters, 3);
	array_release(&names);
	assert_null(xs.v);
	assert_int_equal(copy[999], 999);
	arena_free(a);
}

static void expect_visible(const char *text, const char *keep, const char *want)
{
	struct sbuf b = {0};

	sbuf_add_visible(&b, str_of(text), keep);
	assert_string_equal(sbuf_cstr(&b), want);
	sbuf_release(&b);
}

static void test_visible(void **state)
{
	(void)state;
	expect_visible("a\033[1m\177\n\tb", "", "a\\x1b[1m\\x7f\\x0a\\x09b");
	expect_visible("a\n\tb\r", "\n\t", "a\n\tb\\x0d");
	/* C1, in UTF-8 and as bytes that are none */
	expect_visible("\302\2331m \2331m\205", "", "\\xc2\\x9b1m \\x9b1m\\x85");
	expect_visible(
		"\303\244\342\202\254\360\237\230\200", "", "\303\244\342\202\254\360\237\230\200");
	expect_visible("\342\200\256x\342\201\246y\342\200\250\330\234", "",
		"<U+202E>x<U+2066>y<U+2028><U+061C>");
	expect_visible("\342\200", "", "\342\\x80"); /* cut */

	struct sbuf b = {0};
	sbuf_addf_visible(&b, "%s:%u:\n%-s|%.*s|%5s|%-5s|%zu %lld %g %5.1f %c%%",
		"x\n::error::", 3u, "a\nb\033", 2, "uv\n", "\t", "w", (size_t)7, -8LL, 0.5, 1.25,
		'y');
	assert_string_equal(
		sbuf_cstr(&b), "x\\x0a::error:::3:\na\nb\\x1b|uv| \\x09|w    |7 -8 0.5   1.2 y%");
	sbuf_release(&b);
}

static void test_str(void **state)
{
	(void)state;
	struct str s = STR("  a,b,,c,  \t\n"), piece, rest;
	int64_t v = 7;

	assert_true(str_is(str_trim(s), "a,b,,c,"));
	assert_true(str_is(str_trim(STR(" \t ")), ""));
	assert_true(str_is(str_sub(s, 2, 3), "a"));
	assert_int_equal(str_sub(s, 90, 3).n, 0);
	assert_int_equal(str_sub(s, 1, 900).n, s.n - 1);
	assert_int_equal(str_of(NULL).n, 0);
	assert_true(str_eq((struct str){NULL, 0}, STR("")));
	assert_true(str_cmp(STR("a"), STR("ab")) < 0);
	assert_true(str_cmp(STR("\xff"), STR("a")) > 0);
	assert_int_equal(str_cmp(STR("ab"), STR("ab")), 0);
	assert_int_equal(text_cmp(NULL, NULL), 0);
	assert_int_equal(text_cmp("ab", "ab"), 0);
	assert_true(text_cmp(NULL, "") < 0 && text_cmp("", NULL) > 0 && text_cmp("a", "b") < 0);
	struct sbuf word = {0};
	sbuf_add_shell(&word, STR("it's $HOME"));
	assert_string_equal(sbuf_cstr(&word), "'it'\\''s $HOME'");
	sbuf_release(&word);
	assert_true(str_starts(STR("gfx90a"), "gfx"));
	assert_false(str_starts(STR("gf"), "gfx"));
	assert_true(str_ends(STR("x.hip"), ".hip"));
	assert_false(str_ends(STR("hip"), ".hip"));
	assert_int_equal(str_find(STR("abcabc"), "bc", 0), 1);
	assert_int_equal(str_find(STR("abcabc"), "bc", 2), 4);
	assert_true(str_find(STR("abcabc"), "bc", 5) == SIZE_MAX);
	assert_true(str_find(STR("abc"), "", 9) == SIZE_MAX);

	const char *want[] = {"a", "b", "", "c"};
	rest = str_trim(s);
	for (size_t i = 0; i < 4; i++) {
		assert_true(str_split(&rest, ',', &piece));
		assert_true(str_is(piece, want[i]));
	}
	assert_false(str_split(&rest, ',', &piece));

	rest = STR("one\r\n\ntwo");
	assert_true(str_line(&rest, &piece) && str_is(piece, "one"));
	assert_true(str_line(&rest, &piece) && str_is(piece, ""));
	assert_true(str_line(&rest, &piece) && str_is(piece, "two"));
	assert_false(str_line(&rest, &piece));

	assert_true(str_to_i64(STR("-9223372036854775808"), &v) && v == INT64_MIN);
	assert_true(str_to_i64(STR("0x7fFFffffffffffff"), &v) && v == INT64_MAX);
	assert_true(str_to_i64(STR("+12"), &v) && v == 12);
	static const char *const bad[] = {
		"", "-", "0x", "12 ", "1a", "9223372036854775808", "--1", "0xg", " 1"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(str_to_i64(str_of(bad[i]), &v));
	}
	assert_int_equal(v, 12);
	assert_int_equal(str_distance(STR("kitten"), STR("sitting")), 3);
	assert_int_equal(str_distance(STR(""), STR("abc")), 3);
	assert_int_equal(str_distance(STR("abc"), STR("")), 3);
	assert_int_equal(str_distance(STR("abc"), STR("abc")), 0);
	/* FNV-1a's published test vectors. */
	assert_true(str_hash(STR(""), 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(str_hash(STR("foobar"), 0) == UINT64_C(0x85944171f73967e8));
	assert_true(str_hash(STR("bar"), str_hash(STR("foo"), 0)) == str_hash(STR("foobar"), 0));
}

static void test_sbuf(void **state)
{
	(void)state;
	struct sbuf b = {0};

	assert_string_equal(sbuf_cstr(&b), "");
	sbuf_add(&b, NULL, 0);
	assert_string_equal(b.p, "");
	for (int i = 0; i < 1000; i++) {
		sbuf_addf(&b, "%d,", i);
	}
	assert_true(str_ends(sbuf_str(&b), ",998,999,"));
	assert_int_equal(strlen(sbuf_cstr(&b)), b.n);
	sbuf_reset(&b);
	sbuf_addc(&b, 'x');
	sbuf_adds(&b, "y");
	sbuf_addstr(&b, STR("z"));
	assert_string_equal(sbuf_cstr(&b), "xyz");
	sbuf_release(&b);
	assert_int_equal(b.n, 0);
}

static void test_map(void **state)
{
	(void)state;
	enum {
		KEYS = 100000
	};
	struct map m = {0};
	char key[32];

	assert_false(map_has(&m, STR("x")));
	assert_int_equal(map_get(&m, STR("x"), 42), 42);
	for (uintptr_t i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "key%zu", (size_t)i);
		assert_true(map_set(&m, str_of(key), i));
	}
	assert_int_equal(m.n, KEYS);
	for (uintptr_t i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "key%zu", (size_t)i);
		assert_int_equal(map_get(&m, str_of(key), 0), i);
		assert_true(str_is(m.entry[i].key, key));
	}
	assert_false(map_has(&m, STR("key100000")));
	assert_false(map_set(&m, STR("key7"), 1));
	assert_int_equal(map_get(&m, STR("key7"), 0), 1);
	assert_int_equal(m.n, KEYS);
	map_release(&m);
	assert_true(map_set(&m, (struct str){NULL, 0}, 5));
	assert_true(map_has(&m, STR("")));
	assert_true(map_set_u64(&m, 0, 6));
	assert_true(map_set_u64(&m, UINT64_MAX, 7));
	assert_int_equal(map_get_u64(&m, 0, 1), 6);
	assert_int_equal(map_get_u64(&m, UINT64_MAX, 1), 7);
	assert_int_equal(map_get_u64(&m, 3, 1), 1);
	map_release(&m);
}

static void test_ids(void **state)
{
	(void)state;
	enum {
		KEYS = 10000
	};
	struct ids m = {0};

	assert_int_equal(ids_get(&m, 7, 42), 42);
	for (uintptr_t i = 1; i <= KEYS; i++) {
		assert_true(ids_set(&m, i * 16, i));
	}
	assert_false(ids_set(&m, 16, 5));
	assert_true(ids_set(&m, UINTPTR_MAX, 6));
	assert_int_equal(m.n, KEYS + 1);
	for (uintptr_t i = 2; i <= KEYS; i++) {
		assert_int_equal(ids_get(&m, i * 16, 0), i);
	}
	assert_int_equal(ids_get(&m, 16, 0), 5);
	assert_int_equal(ids_get(&m, UINTPTR_MAX, 0), 6);
	assert_int_equal(ids_get(&m, 17, 9), 9);
	ids_release(&m);
	assert_int_equal(ids_get(&m, 16, 9), 9);
}

/* What comes out of an emptied arena is zeroed as what comes out of a new one. */
static void test_arena_clear(void **state)
{
	(void)state;
	struct arena *a = arena_create();

	arena_clear(a);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 1; i < 200; i++) {
			unsigned char *p = arena_alloc(a, i * 300);
			for (size_t k = 0; k < i * 300; k++) {
				assert_int_equal(p[k], 0);
				p[k] = 0xff;
			}
		}
		arena_clear(a);
		assert_int_equal(arena_used(a), 0);
	}
	arena_free(a);
}

static void test_exit_worse(void **state)
{
	(void)state;
	static const int order[] = {EXIT_CLEAN, EXIT_FINDINGS, EXIT_INPUT, EXIT_USAGE};

	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) {
			assert_int_equal(exit_worse(order[i], order[k]), order[i > k ? i : k]);
		}
	}
}

static void expect_path(struct str got, const char *want)
{
	if (!str_is(got, want)) {
		fail_msg("\"%.*s\" instead of \"%s\"", STR_ARG(got), want);
	}
}

static void test_paths(void **state)
{
	(void)state;
	struct sbuf b = {0};

	expect_path(path_base(STR("a/b.c")), "b.c");
	expect_path(path_base(STR("a/b/")), "b");
	expect_path(path_base(STR("/")), "/");
	expect_path(path_base(STR("b")), "b");
	expect_path(path_dir(STR("a/b.c")), "a");
	expect_path(path_dir(STR("a//b/")), "a");
	expect_path(path_dir(STR("/b")), "/");
	expect_path(path_dir(STR("b")), ".");
	path_join(&b, "a", "b");
	expect_path(sbuf_str(&b), "a/b");
	path_join(&b, sbuf_cstr(&b), "c");
	expect_path(sbuf_str(&b), "a/b/c");
	path_join(&b, "/", "c");
	expect_path(sbuf_str(&b), "/c");
	sbuf_release(&b);
}

static void test_file_read(void **state)
{
	(void)state;
	const char *dir = tmpdir_create();
	struct sbuf b = {0};

	sbuf_adds(&b, "kept");
	assert_int_equal(file_read(&b, dir), FAIL_USAGE);
	assert_int_equal(file_read(&b, "/nonexistent/file"), FAIL_USAGE);
	assert_string_equal(sbuf_cstr(&b), "kept");
	assert_int_equal(file_read(&b, "/dev/null"), 0);
	assert_string_equal(sbuf_cstr(&b), "kept");
	sbuf_release(&b);
	assert_int_equal(file_read(&b, "/dev/null"), 0);
	assert_non_null(b.p);
	sbuf_release(&b);
}

static void test_write_atomic(void **state)
{
	(void)state;
	const char *dir = tmpdir_create();
	char *file = in(dir, "f"), *link = in(dir, "link"), *link2 = in(dir, "link2");
	char *dangling = in(dir, "dangling"), *later = in(dir, "later"), *sub = in(dir, "no/f");
	struct stat st;

	mode_t mask = umask(027);
	assert_int_equal(file_write_atomic(file, STR("one\n")), 0);
	umask(mask);
	expect_content(file, "one\n");
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);

	assert_int_equal(chmod(file, 0751), 0);
	assert_int_equal(symlink("f", link), 0);
	assert_int_equal(symlink(link, link2), 0);
	assert_int_equal(file_write_atomic(link2, STR("two")), 0);
	expect_content(file, "two");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat(link2, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0751);

	assert_int_equal(symlink("later", dangling), 0);
	assert_int_equal(file_write_atomic(dangling, STR("three")), 0);
	expect_content(later, "three");

	assert_int_equal(file_write_atomic(sub, STR("x")), FAIL_USAGE);
	assert_int_equal(file_write_atomic(dir, STR("x")), FAIL_USAGE);
	assert_int_equal(file_write_atomic("/dev/full", STR("x")), FAIL_USAGE);
	assert_int_equal(file_write_atomic("/dev/null", STR("x")), 0);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(symlink("link", file), 0);
	assert_int_equal(file_write_atomic(link, STR("a loop")), FAIL_USAGE);
	/* f, link, link2, dangling, later: no temporary file is left. */
	assert_int_equal(entries_in(dir), 5);
	free(file);
	free(link);
	free(link2);
	free(dangling);
	free(later);
	free(sub);
}

/* Runs fn in a forked child and gives its exit status; 77 stands for "cannot be tested here". */
static int in_child(int (*fn)(const char *), const char *arg)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		_exit(fn(arg));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Runs without root's rights, as root is refused nothing. */
static int write_as_nobody(const char *file)
{
	if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
		return 77;
	}
	return file_write_atomic(file, STR("new")) == FAIL_USAGE ? 0 : 1;
}

static void test_write_denied(void **state)
{
	(void)state;
	char dir[] = "/tmp/unphi-base-test-XXXXXX";

	assert_non_null(mkdtemp(dir));
	char *file = in(dir, "f");
	put(file, "old");
	/* The directory refuses. */
	assert_int_equal(chmod(file, 0666), 0);
	assert_int_equal(chmod(dir, 0555), 0);
	int locked_dir = in_child(write_as_nobody, file);
	/* The directory would allow it, the file does not. */
	assert_int_equal(chmod(dir, 0777), 0);
	assert_int_equal(chmod(file, 0444), 0);
	int locked_file = in_child(write_as_nobody, file);
	expect_content(file, "old");
	assert_int_equal(entries_in(dir), 1);
	assert_int_equal(cleanup_remove_tree(dir), 0);
	free(file);
	if (locked_dir == 77) {
		print_message("cannot give up root's rights here\n");
		skip();
	}
	assert_int_equal(locked_dir, 0);
	assert_int_equal(locked_file, 0);
}

/* What takes the second file away in front of the renames. */
static char *in_the_way;

static void get_in_the_way(void)
{
	char *inner = in(in_the_way, "x");

	assert_int_equal(unlink(in_the_way), 0);
	assert_int_equal(mkdir(in_the_way, 0777), 0);
	put(inner, "");
	free(inner);
}

static int write_both_as_nobody(const char *dir)
{
	char *one = in(dir, "one"), *two = in(dir, "two");
	const struct file_text v[] = {{one, STR("1")}, {two, STR("2")}};

	if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
		return 77;
	}
	return file_write_together(v, 2, NULL) == FAIL_USAGE ? 0 : 1;
}

static void test_write_together(void **state)
{
	(void)state;
	char dir[] = "/tmp/unphi-base-test-XXXXXX";

	assert_non_null(mkdtemp(dir));
	char *one = in(dir, "one"), *two = in(dir, "two"), *link = in(dir, "link");
	char *gone = in(dir, "gone");
	struct stat before, after;
	const struct file_text both[] = {{link, STR("new one")}, {two, STR("new two")}};
	const struct file_text some[] = {{one, STR("x")}, {gone, STR("y")}};

	put(one, "one");
	put(two, "two");
	assert_int_equal(chmod(one, 0751), 0);
	assert_int_equal(symlink("one", link), 0);
	assert_int_equal(file_write_together(both, 2, NULL), 0);
	expect_content(one, "new one");
	expect_content(two, "new two");
	assert_int_equal(lstat(link, &after), 0);
	assert_true(S_ISLNK(after.st_mode));
	assert_int_equal(stat(one, &before), 0);
	assert_int_equal(before.st_mode & 07777, 0751);
	assert_int_equal(entries_in(dir), 3);

	/* The second is not there: the first is not touched. */
	assert_int_equal(file_write_together(some, 2, NULL), FAIL_USAGE);
	expect_content(one, "new one");
	assert_int_equal(entries_in(dir), 3);

	/* One that may not be written, though its directory would allow it. */
	assert_int_equal(chmod(dir, 0777), 0);
	assert_int_equal(chmod(two, 0444), 0);
	int denied = in_child(write_both_as_nobody, dir);
	assert_true(denied == 0 || denied == 77);
	expect_content(one, "new one");
	assert_int_equal(entries_in(dir), 3);
	assert_int_equal(chmod(two, 0644), 0);

	/* The second cannot be renamed: the first is what it was, the same file again. */
	in_the_way = two;
	assert_int_equal(file_write_together(both, 2, get_in_the_way), FAIL_USAGE);
	expect_content(one, "new one");
	assert_int_equal(stat(one, &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(entries_in(dir), 3);
	assert_int_equal(cleanup_remove_tree(dir), 0);
	free(one);
	free(two);
	free(link);
	free(gone);
}

/* A file size limit fails write() in the middle, as a full disk does. */
static int write_over_limit(const char *file)
{
	static char big[100000];
	const struct rlimit limit = {8192, 8192};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
		return 77;
	}
	memset(big, 'x', sizeof(big));
	return file_write_atomic(file, (struct str){big, sizeof(big)}) == FAIL_USAGE ? 0 : 1;
}

static void test_write_no_space(void **state)
{
	(void)state;
	const char *dir = tmpdir_create();
	char *file = in(dir, "f");

	put(file, "old");
	int r = in_child(write_over_limit, file);
	expect_content(file, "old");
	assert_int_equal(entries_in(dir), 1);
	free(file);
	if (r == 77) {
		print_message("cannot set a file size limit here\n");
		skip();
	}
	assert_int_equal(r, 0);
}

static void test_trees(void **state)
{
	(void)state;
	const char *dir = tmpdir_create();
	char *deep = in(dir, "a/b/c"), *top = in(dir, "a"), *outside = in(dir, "outside");
	char *link = in(dir, "a/b/link"), *below_file = in(dir, "outside/x");

	assert_int_equal(path_make_dirs(deep), 0);
	assert_int_equal(path_make_dirs(deep), 0);
	assert_true(file_is_dir(deep));
	put(outside, "stays");
	assert_int_equal(path_make_dirs(below_file), FAIL_USAGE);
	assert_int_equal(symlink("../../outside", link), 0);
	for (int i = 0; i < 500; i++) {
		char name[32];

		snprintf(name, sizeof(name), "a/b/c/%d", i);
		char *p = in(dir, name);
		put(p, "");
		free(p);
	}
	assert_int_equal(cleanup_remove_tree(top), 0);
	assert_false(file_is_dir(top));
	expect_content(outside, "stays");
	free(deep);
	free(top);
	free(outside);
	free(link);
	free(below_file);
}

static void test_proc(void **state)
{
	(void)state;
	struct proc_result r = run(SH("echo out; echo err >&2; cat; exit 3"), 0, 0);

	assert_true(r.started);
	assert_string_equal(sbuf_cstr(&r.out), "out\n");
	assert_string_equal(sbuf_cstr(&r.err), "err\n");
	assert_int_equal(r.exit_code, 3);
	assert_int_equal(r.signal, 0);
	assert_false(proc_ok(&r));
	proc_result_release(&r);

	r = run(SH("kill -SEGV $$"), 0, 0);
	assert_int_equal(r.signal, SIGSEGV);
	assert_false(proc_ok(&r));
	proc_result_release(&r);

	r = run((const char *const[]){"true", NULL}, 0, 0);
	assert_true(proc_ok(&r));
	proc_result_release(&r);
}

struct pool_seen {
	size_t n;
	struct sbuf text;
};

/* All of it, or nothing and a word: half of what a piece found is no result. */
static int too_much(struct sbuf *out)
{
	const struct rlimit limit = {8192, 8192};

	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < 10000; i++) {
		sbuf_addc(out, 'x');
	}
	return setrlimit(RLIMIT_FSIZE, &limit) != 0 ? 77 : 0;
}

static int pool_piece(void *user, size_t index, struct sbuf *out)
{
	(void)user;
	switch (index) {
	case 1:
		usleep(200000); /* what comes behind it is done earlier, and waits */
		break;
	case 2:
		raise(SIGKILL);
		break;
	case 3:
		for (;;) {
			pause();
		}
	case 4:
		fputs("said\n", stderr);
		puts("lost");
		break;
	case 5:
		for (size_t i = 0; i < 1000000; i++) {
			sbuf_addc(out, 'x');
		}
		return 3;
	case 6:
		return too_much(out);
	}
	sbuf_addf(out, "piece %zu", index);
	return 0;
}

static void pool_seen(void *user, const struct pool_result *r)
{
	struct pool_seen *s = user;

	assert_int_equal(r->index, s->n++);
	sbuf_addf(&s->text, "%zu %d %d %d %zu [%.*s]\n", r->index, r->signal ? 0 : r->exit_code,
		r->signal, r->timed_out, r->out.n, STR_ARG(r->err));
}

/* Uses an eighth of a second of CPU time; index 0 uses all that it can have. */
static int pool_spin(void *user, size_t index, struct sbuf *out)
{
	(void)user;
	(void)out;
	while (index == 0 || clock() < CLOCKS_PER_SEC / 8) {
	}
	return 0;
}

/* Of eight the odd ones have nothing to run. */
static int pool_early(void *user, size_t index)
{
	unsigned *asked = user;

	++*asked;
	if (index % 2 == 0) {
		return -1;
	}
	msg_error("%zu is missing", index);
	return EXIT_USAGE;
}

struct pool_forks {
	unsigned asked; /* pool_early's */
	struct sbuf text;
};

/* What a child counts, its parent does not see: what is counted here ran in ours. */
static int pool_forked(void *user, size_t index, struct sbuf *out)
{
	struct pool_forks *f = user;

	f->asked = 100;
	sbuf_addf(out, "ran %zu", index);
	return EXIT_CLEAN;
}

static void pool_forked_seen(void *user, const struct pool_result *r)
{
	struct pool_forks *f = user;

	sbuf_addf(&f->text, "%zu %d %.*s%.*s\n", r->index, r->exit_code, STR_ARG(r->out),
		STR_ARG(r->err));
}

static void test_pool_early(void **state)
{
	(void)state;
	for (unsigned parallel = 1; parallel <= 3; parallel++) {
		struct pool_forks f = {0};
		struct pool p = {.parallel = parallel,
			.user = &f,
			.run = pool_forked,
			.early = pool_early,
			.done = pool_forked_seen};

		assert_int_equal(pool_run(&p, 5), 0);
		assert_int_equal(f.asked, 5);
		assert_string_equal(sbuf_cstr(&f.text),
			"0 0 ran 0\n1 2 unphi: error: 1 is missing\n\n2 0 ran 2\n"
			"3 2 unphi: error: 3 is missing\n\n4 0 ran 4\n");
		sbuf_release(&f.text);
	}
}

/* Four on one processor: each has a quarter of the time that passes, or less where others run there
 * as well. The limit is one of CPU time up to ten times as much time that passes. A machine that
 * stands still for that long ends all four; then only the one that never ends says something.
 * SIGKILL follows SIGTERM after a second. */
static void test_pool_on_a_busy_machine(void **state)
{
	(void)state;
	const double limit_s = 0.4;
	struct pool_seen seen = {0};
	struct pool p = {.parallel = 4,
		.time_limit_s = limit_s,
		.user = &seen,
		.run = pool_spin,
		.done = pool_seen};
	cpu_set_t all, one;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	int cpu = 0;
	while (!CPU_ISSET(cpu, &all)) {
		cpu++;
	}
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	double start = now_s();
	assert_int_equal(pool_run(&p, 4), 0);
	double took_s = now_s() - start;
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_true(took_s > 0.7);
	const char *first = sbuf_cstr(&seen.text);
	assert_true(strncmp(first, "0 0 15 1 0 []\n", 14) == 0 ||
		    (took_s > 1.7 && strncmp(first, "0 0 9 1 0 []\n", 13) == 0));
	if (took_s < 10 * limit_s) {
		assert_string_equal(
			strchr(first, '\n'), "\n1 0 0 0 0 []\n2 0 0 0 0 []\n3 0 0 0 0 []\n");
	}
	sbuf_release(&seen.text);
}

static void test_pool(void **state)
{
	(void)state;
	for (unsigned parallel = 1; parallel <= 4; parallel += 3) {
		struct pool_seen seen = {0};
		struct pool p = {.parallel = parallel,
			.time_limit_s = 1,
			.user = &seen,
			.run = pool_piece,
			.done = pool_seen};

		assert_int_equal(pool_run(&p, 8), 0);
		assert_string_equal(sbuf_cstr(&seen.text),
			"0 0 0 0 7 []\n1 0 0 0 7 []\n2 0 9 0 0 []\n3 0 15 1 0 []\n"
			"4 0 0 0 7 [said\n]\n5 3 0 0 1000000 []\n"
			"6 2 0 0 0 [unphi: error: cannot hand over results: File too large; raise "
			"the limit on the size of files (ulimit -f)\n]\n7 0 0 0 7 []\n");
		sbuf_release(&seen.text);
		assert_int_equal(pool_run(&p, 0), 0);
	}
}

static void test_proc_missing(void **state)
{
	(void)state;
	struct proc_result r = run((const char *const[]){"unphi-no-such-tool", NULL}, 0, 0);

	assert_false(r.started);
	assert_int_equal(r.start_errno, ENOENT);
	assert_false(proc_ok(&r));
	proc_result_release(&r);

	struct arena *a = arena_create();
	assert_null(proc_find(a, "unphi-no-such-tool"));
	assert_null(proc_find(a, ""));
	assert_null(proc_find(a, "/tmp"));
	assert_int_equal(access(proc_find(a, "sh"), X_OK), 0);
	assert_string_equal(proc_find(a, "/bin/sh"), "/bin/sh");
	arena_free(a);
	assert_true(proc_cpus() >= 1);
}

static void test_proc_cwd(void **state)
{
	(void)state;
	struct proc_result r;
	struct proc_job job = {.argv = (const char *const[]){"pwd", NULL}, .cwd = "/"};

	proc_run(&r, &job);
	assert_string_equal(sbuf_cstr(&r.out), "/\n");
	proc_result_release(&r);
	job.cwd = "/nonexistent";
	proc_run(&r, &job);
	assert_false(r.started);
	assert_int_equal(r.start_errno, ENOENT);
	proc_result_release(&r);
}

static void test_proc_huge_pages(void **state)
{
	(void)state;
	struct proc_result r;
	struct proc_job job = {.argv = SH("echo $GLIBC_TUNABLES $HOME"), .huge_pages = true};

	setenv("HOME", "/home", 1);
	unsetenv("GLIBC_TUNABLES");
	proc_run(&r, &job);
	assert_string_equal(sbuf_cstr(&r.out), "glibc.malloc.hugetlb=1 /home\n");
	proc_result_release(&r);
	setenv("GLIBC_TUNABLES", "glibc.malloc.check=0", 1);
	proc_run(&r, &job);
	assert_string_equal(sbuf_cstr(&r.out), "glibc.malloc.check=0 /home\n");
	proc_result_release(&r);
	unsetenv("GLIBC_TUNABLES");
	job.huge_pages = false;
	proc_run(&r, &job);
	assert_string_equal(sbuf_cstr(&r.out), "/home\n");
	proc_result_release(&r);
}

static void test_proc_truncated(void **state)
{
	(void)state;
	struct proc_result r =
		run(SH("head -c 1000000 /dev/zero | tr '\\0' x; echo e >&2"), 0, 1000);

	assert_true(r.started);
	assert_true(r.truncated);
	assert_int_equal(r.exit_code, 0);
	assert_int_equal(r.out.n, 1000);
	assert_string_equal(sbuf_cstr(&r.err), "e\n");
	assert_false(proc_ok(&r));
	proc_result_release(&r);

	r = run(SH("head -c 1000 /dev/zero"), 0, 1000);
	assert_false(r.truncated);
	assert_int_equal(r.out.n, 1000);
	proc_result_release(&r);

	r = run(SH("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"), 0, 0);
	assert_int_equal(r.out.n, 3000000);
	assert_int_equal(r.err.n, 3000000);
	assert_true(proc_ok(&r));
	proc_result_release(&r);
}

/* The shell ignores SIGTERM and so does what it starts: only SIGKILL to the group ends both. */
static void test_proc_timeout(void **state)
{
	(void)state;
	double start = now_s();
	struct proc_result r =
		run(SH("trap '' TERM; sh -c 'echo $$; while :; do sleep 1; done' & wait; sleep 60"),
			0.3, 0);
	double took = now_s() - start;

	assert_true(r.started);
	assert_true(r.timed_out);
	assert_false(proc_ok(&r));
	assert_true(took >= 1.2 && took < 50); /* the machine may be busy */
	assert_true(r.wall_s >= 1.2 && r.wall_s < 50);
	pid_t grandchild = (pid_t)atol(sbuf_cstr(&r.out));
	assert_true(grandchild > 1);
	assert_true(dies_soon(grandchild));
	proc_result_release(&r);

	start = now_s();
	r = run((const char *const[]){"sleep", "60", NULL}, 0.2, 0);
	assert_true(r.timed_out);
	assert_true(now_s() - start < 50);
	proc_result_release(&r);

	r = run(SH("while :; do :; done"), 0.1, 0);
	assert_true(r.timed_out);
	proc_result_release(&r);
}

/* A job ends with its first process, even when that leaves something behind that holds the pipes.
 */
static void test_proc_leftover(void **state)
{
	(void)state;
	double start = now_s();
	struct proc_result r = run(SH("sleep 60 & echo $!"), 30, 0);

	assert_true(proc_ok(&r));
	assert_true(now_s() - start < 5);
	assert_true(dies_soon((pid_t)atol(sbuf_cstr(&r.out))));
	proc_result_release(&r);
}

static void test_proc_all(void **state)
{
	(void)state;
	enum {
		JOBS = 12
	};
	struct proc_job jobs[JOBS];
	struct proc_result r[JOBS];
	const char *argv[JOBS][4];
	char script[JOBS][64];
	double start = now_s();

	for (int i = 0; i < JOBS; i++) {
		snprintf(script[i], sizeof(script[i]), "sleep 0.3; echo %d; exit %d", i, i);
		argv[i][0] = i == 5 ? "unphi-no-such-tool" : "sh";
		argv[i][1] = "-c";
		argv[i][2] = script[i];
		argv[i][3] = NULL;
		jobs[i] = (struct proc_job){.argv = argv[i]};
	}
	proc_run_all(r, jobs, JOBS, 6);
	double took = now_s() - start;
	assert_true(took >= 0.6 && took < 3);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(r[i].started, i != 5);
		if (i != 5) {
			assert_int_equal(atoi(sbuf_cstr(&r[i].out)), i);
			assert_int_equal(r[i].exit_code, i);
		}
		proc_result_release(&r[i]);
	}
	proc_run_all(NULL, NULL, 0, 0);
}

/* Jobs that follow from others: each number asks for twice itself, as long as that is small. */
struct followed {
	int waiting[64];
	int n;
	int begun;
	int seen[64];
	char word[64][16];
	const char *argv[64][3];
};

static void follow(struct followed *f, int number)
{
	snprintf(f->word[f->n], sizeof(f->word[0]), "%d", number);
	f->waiting[f->n++] = number;
}

static bool followed_next(void *user, struct proc_job *job, size_t *number)
{
	struct followed *f = user;
	if (f->begun == f->n) {
		return false;
	}
	int i = f->begun++;
	f->argv[i][0] = "echo";
	f->argv[i][1] = f->word[i];
	*number = (size_t)i;
	*job = (struct proc_job){.argv = f->argv[i]};
	return true;
}

static void followed_ended(void *user, size_t number, struct proc_result *r)
{
	struct followed *f = user;
	int said = atoi(sbuf_cstr(&r->out));
	assert_int_equal(said, f->waiting[number]);
	f->seen[said]++;
	if (2 * said < 64) {
		follow(f, 2 * said);
	}
	proc_result_release(r);
}

static void test_proc_from(void **state)
{
	(void)state;
	for (unsigned parallel = 0; parallel < 3; parallel++) {
		struct followed f = {.n = 0};
		follow(&f, 1);
		follow(&f, 3);
		proc_run_from(&(struct proc_source){followed_next, followed_ended, &f}, parallel);
		for (int i = 1; i < 64; i++) {
			int odd = i;
			for (; odd % 2 == 0; odd /= 2) {
			}
			assert_int_equal(f.seen[i], odd == 1 || odd == 3);
		}
	}
}

/* One that is needed ends the others when it fails, and only then. */
static void test_proc_needed(void **state)
{
	(void)state;
	static const char *const quick[] = {"sh", "-c", "sleep 0.1; exit $0", NULL};
	static const char *const slow[] = {"sleep", "60", NULL};
	for (int fails = 0; fails < 2; fails++) {
		const char *argv[] = {quick[0], quick[1], quick[2], fails ? "3" : "0", NULL};
		const struct proc_job jobs[] = {{.argv = argv, .needed = true},
			{.argv = fails ? slow : quick}, {.argv = argv}};
		struct proc_result r[3];
		double start = now_s();
		proc_run_all(r, jobs, 3, 2);
		assert_true(now_s() - start < 30);
		assert_int_equal(r[0].exit_code, fails ? 3 : 0);
		assert_true(r[0].started && !r[0].timed_out);
		assert_int_equal(r[1].timed_out, fails);
		assert_int_equal(r[2].started, !fails);
		for (int i = 0; i < 3; i++) {
			proc_result_release(&r[i]);
		}
	}
}

/* With so few files left that not all jobs can run at once, they still all run. */
static int run_with_few_files(const char *arg)
{
	(void)arg;
	enum {
		JOBS = 10
	};
	static const char *const argv[] = {"sleep", "0.05", NULL};
	const struct rlimit limit = {16, 16};
	struct proc_job jobs[JOBS];
	struct proc_result r[JOBS];
	int ok = 0;

	if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return 77;
	}
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = (struct proc_job){.argv = argv};
	}
	proc_run_all(r, jobs, JOBS, JOBS);
	for (int i = 0; i < JOBS; i++) {
		ok += proc_ok(&r[i]);
		proc_result_release(&r[i]);
	}
	return ok == JOBS ? 0 : 1;
}

static void test_proc_shortage(void **state)
{
	(void)state;
	int r = in_child(run_with_few_files, NULL);

	if (r == 77) {
		print_message("cannot limit the number of files here\n");
		skip();
	}
	assert_int_equal(r, 0);
}

/* Some of stdin, stdout and stderr closed when we start (which: a bit for each): pipes get their
 * numbers. */
static int run_without_std(const char *which)
{
	for (int fd = 0; fd < 3; fd++) {
		if ((which[0] - '0') >> fd & 1) {
			close(fd);
		}
	}
	struct proc_result r = run(SH("echo out; echo err >&2"), 10, 0);
	bool ok = proc_ok(&r) && str_is(sbuf_str(&r.out), "out\n") &&
		  str_is(sbuf_str(&r.err), "err\n");

	proc_result_release(&r);
	return ok ? 0 : 1;
}

static void test_proc_closed_std(void **state)
{
	(void)state;
	for (char which = '0'; which < '8'; which++) {
		assert_int_equal(in_child(run_without_std, (char[]){which, '\0'}), 0);
	}
}

static void test_tmpdir(void **state)
{
	(void)state;
	const char *a = tmpdir_create(), *b = tmpdir_create();
	struct stat st;

	assert_non_null(a);
	assert_non_null(b);
	assert_string_not_equal(a, b);
	assert_int_equal(stat(a, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

/* What ends a process, and what must be gone then. base is a fresh directory that is its TMPDIR. */
enum ending {
	END_EXIT,
	END_DIE,
	END_SIGNAL
};

static void busy_process(const char *base, enum ending how, bool in_poll)
{
	static const char *const argv[] = {"sh", "-c",
		"trap '' TERM; echo $$ >\"$TMPDIR/../pid\"; sleep 60 & wait; sleep 60", NULL};
	struct proc_result r;

	/* Under nohup, or behind a shell's &, these come ignored, and then they stay so. */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	setenv("TMPDIR", base, 1);
	char *file = in(tmpdir_create(), "f");
	put(file, "x");
	free(file);
	if (how == END_EXIT) {
		exit(0);
	} else if (how == END_DIE) {
		die("as it should");
	} else if (in_poll) {
		proc_run(&r, &(struct proc_job){.argv = argv});
	}
	for (;;) {
		pause();
	}
}

/* sig 0: the process ends by itself. */
static void expect_clean_end(enum ending how, int sig, bool in_poll)
{
	char parent[] = "/tmp/unphi-base-test-XXXXXX";
	int status;

	assert_non_null(mkdtemp(parent));
	char *base = in(parent, "tmp"), *pid_file = in(parent, "pid");
	assert_int_equal(mkdir(base, 0700), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		busy_process(base, how, in_poll);
	}
	if (sig != 0) {
		for (int i = 0;
			i < 250 && (entries_in(base) == 0 || (in_poll && !file_exists(pid_file)));
			i++) {
			wait_ms(20);
		}
		wait_ms(50);
		kill(pid, sig);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(entries_in(base), 0);
	if (sig != 0) {
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), sig);
	} else {
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), how == END_DIE ? EXIT_USAGE : 0);
	}
	if (in_poll) {
		struct sbuf b = {0};

		assert_int_equal(file_read(&b, pid_file), 0);
		assert_true(dies_soon((pid_t)atol(sbuf_cstr(&b))));
		sbuf_release(&b);
	}
	assert_int_equal(cleanup_remove_tree(parent), 0);
	free(base);
	free(pid_file);
}

static void test_clean_end(void **state)
{
	(void)state;
	expect_clean_end(END_EXIT, 0, false);
	expect_clean_end(END_DIE, 0, false);
	expect_clean_end(END_SIGNAL, SIGINT, false);
	expect_clean_end(END_SIGNAL, SIGTERM, true);
	expect_clean_end(END_SIGNAL, SIGHUP, true);
	expect_clean_end(END_SIGNAL, SIGPIPE, true);
}

int main(void)
{
	/* First the endings: they need a process that has made no temporary directory yet. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean_end),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_visible),
		cmocka_unit_test(test_str),
		cmocka_unit_test(test_sbuf),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_arena_clear),
		cmocka_unit_test(test_exit_worse),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_file_read),
		cmocka_unit_test(test_write_atomic),
		cmocka_unit_test(test_write_denied),
		cmocka_unit_test(test_write_together),
		cmocka_unit_test(test_write_no_space),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_proc),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_pool_early),
		cmocka_unit_test(test_pool_on_a_busy_machine),
		cmocka_unit_test(test_proc_missing),
		cmocka_unit_test(test_proc_cwd),
		cmocka_unit_test(test_proc_huge_pages),
		cmocka_unit_test(test_proc_truncated),
		cmocka_unit_test(test_proc_timeout),
		cmocka_unit_test(test_proc_leftover),
		cmocka_unit_test(test_proc_all),
		cmocka_unit_test(test_proc_from),
		cmocka_unit_test(test_proc_needed),
		cmocka_unit_test(test_proc_shortage),
		cmocka_unit_test(test_proc_closed_std),
		cmocka_unit_test(test_tmpdir),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
