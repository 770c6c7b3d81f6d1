/* report: the JSON writer, tables, diagnostics as text and as JSON. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <jansson.h>

#include "report/finding/diag.h"
#include "report/form/json.h"
#include "report/form/table.h"
#include "report/finding/wire.h"

static void test_json(void **state)
{
	(void)state;
	struct sbuf out = {0};
	struct json j;

	jsonw_init(&j, &out);
	jsonw_object(&j);
	jsonw_key_str(&j, "text", STR("a\"\\\n\r\t\001\177\303\244"));
	jsonw_key_i64(&j, "min", INT64_MIN);
	jsonw_key_bool(&j, "yes", true);
	jsonw_key(&j, "empty");
	jsonw_array(&j);
	jsonw_end(&j);
	jsonw_key(&j, "list");
	jsonw_array(&j);
	jsonw_double(&j, 0.1);
	jsonw_double(&j, (double)NAN);
	jsonw_object(&j);
	jsonw_end(&j);
	jsonw_null(&j);
	jsonw_finish(&j); /* closes the list and the object */
	assert_string_equal(sbuf_cstr(&out),
		"{\n"
		"  \"text\": \"a\\\"\\\\\\n\\r\\t\\u0001\\u007f\303\244\",\n"
		"  \"min\": -9223372036854775808,\n"
		"  \"yes\": true,\n"
		"  \"empty\": [],\n"
		"  \"list\": [\n"
		"    0.1,\n"
		"    null,\n"
		"    {},\n"
		"    null\n"
		"  ]\n"
		"}\n");
	sbuf_release(&out);
}

/* Every double reads back as itself, through another library. */
static void test_json_double(void **state)
{
	(void)state;
	static const double values[] = {
		0, -0.0, 1, 0.1, 1.0 / 3, 1e300, DBL_MIN, DBL_MAX, 5e-324, 123456789012345678.0};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct sbuf out = {0};
		struct json j;

		jsonw_init(&j, &out);
		jsonw_array(&j);
		jsonw_double(&j, values[i]);
		jsonw_end(&j);
		jsonw_finish(&j);
		json_t *read = json_loads(sbuf_cstr(&out), JSON_DECODE_INT_AS_REAL, NULL);
		assert_non_null(read);
		assert_true(json_real_value(json_array_get(read, 0)) == values[i]);
		json_decref(read);
		sbuf_release(&out);
	}
}

/* Whatever the bytes, the string is valid UTF-8 for a strict reader. */
static void test_json_utf8(void **state)
{
	(void)state;
	static const struct {
		const char *in, *out;
	} cases[] = {
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{"a\xff"
		 "b",
			"a\xef\xbf\xbd"
			"b"},
		{"\xc3", "\xef\xbf\xbd"},
		{"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	};
	uint32_t seed = 1;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sbuf out = {0}, want = {0};
		struct json j;

		jsonw_init(&j, &out);
		jsonw_str(&j, str_of(cases[i].in));
		jsonw_finish(&j);
		sbuf_addf(&want, "\"%s\"\n", cases[i].out);
		assert_string_equal(sbuf_cstr(&out), sbuf_cstr(&want));
		sbuf_release(&out);
		sbuf_release(&want);
	}
	for (int round = 0; round < 2000; round++) {
		struct sbuf out = {0};
		struct json j;
		char bytes[24];

		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[i] = (char)(seed >> 24 | (seed >> 20 & 0x80));
		}
		jsonw_init(&j, &out);
		jsonw_array(&j);
		jsonw_str(&j, (struct str){bytes, sizeof(bytes)});
		jsonw_end(&j);
		jsonw_finish(&j);
		json_t *read = json_loadb(out.p, out.n, JSON_ALLOW_NUL, NULL);
		assert_non_null(read);
		json_decref(read);
		sbuf_release(&out);
	}
}

static void misuse_no_key(struct json *j)
{
	jsonw_object(j);
	jsonw_null(j);
}

static void misuse_key_in_array(struct json *j)
{
	jsonw_array(j);
	jsonw_key(j, "k");
}

static void misuse_two_keys(struct json *j)
{
	jsonw_object(j);
	jsonw_key(j, "k");
	jsonw_key(j, "k");
}

static void misuse_empty(struct json *j)
{
	jsonw_finish(j);
}

static void misuse_closed_twice(struct json *j)
{
	jsonw_object(j);
	jsonw_end(j);
	jsonw_end(j);
}

static void misuse_two_values(struct json *j)
{
	jsonw_null(j);
	jsonw_null(j);
}

static void misuse_depth(struct json *j)
{
	for (int i = 0; i < 100; i++) {
		jsonw_array(j);
	}
}

static void test_json_misuse(void **state)
{
	(void)state;
	static void (*const misuse[])(struct json *) = {misuse_no_key, misuse_key_in_array,
		misuse_two_keys, misuse_empty, misuse_closed_twice, misuse_two_values,
		misuse_depth};

	for (size_t i = 0; i < sizeof(misuse) / sizeof(misuse[0]); i++) {
		int status;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			struct sbuf out = {0};
			struct json j;

			/* The abort is wanted, its report and its core file are not. */
			setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
			signal(SIGABRT, SIG_DFL);
			close(2);
			jsonw_init(&j, &out);
			misuse[i](&j);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
	}
}

static void test_table(void **state)
{
	(void)state;
	struct sbuf out = {0};
	struct table t;

	table_init(&t, 3, (const char *const[]){"kernel", ">VGPRs", "why"});
	table_cell(&t, "%s", "mla_decode<4>");
	table_cell(&t, "%d", 512);
	table_cell(&t, "%s", "");
	table_cell(&t, "\303\244\303\266");
	table_cell(&t, "%s", "");
	table_cell(&t, "x");
	table_print(&out, &t);
	assert_string_equal(sbuf_cstr(&out), "kernel         VGPRs  why\n"
					     "mla_decode<4>    512  -\n"
					     "\303\244\303\266                 -  x\n");
	table_release(&t);
	sbuf_release(&out);
}

#define SOURCE "int x;\n\tif (t < m) {\n  \303\244 = \033[2J;\r\nlast"

static struct diag_place at(size_t begin, size_t end)
{
	return (struct diag_place){"k.hip", STR(SOURCE), begin, end, NULL};
}

static void expect_text(const struct diag *d, bool color, const char *want)
{
	struct sbuf out = {0};

	diag_text(&out, d, DIAG_TEXT_QUOTED, color);
	assert_string_equal(sbuf_cstr(&out), want);
	sbuf_release(&out);
}

static void test_diag_text(void **state)
{
	(void)state;
	struct diag_note notes[] = {{at(0, 3), STR("declared here"), 0}, {{0}, STR("no place"), 0}};
	struct diag d = {.level = DIAG_WARNING,
		.rule = "unphi-phi-explosion",
		.place = at(8, 10),
		.text = STR("128 VGPRs cross"),
		.note = notes,
		.notes = 2};

	expect_text(&d, false,
		"k.hip:2:2: warning: 128 VGPRs cross [unphi-phi-explosion]\n"
		"    2 | \tif (t < m) {\n"
		"      | \t^~\n"
		"k.hip:1:1: note: declared here\n"
		"    1 | int x;\n"
		"      | ^~~\n"
		"note: no place\n");
	d.notes = 0;
	d.rule = NULL;
	d.level = DIAG_ERROR;
	expect_text(&d, true,
		"\033[1mk.hip:2:2: \033[0;1;31merror: \033[0m\033[1m128 VGPRs cross\033[0m\n"
		"    2 | \tif (t < m) {\n"
		"      | \t\033[0;1;32m^~\033[0m\n");

	/* Over several lines: up to the line's end, a tab inside keeps its width. */
	d = (struct diag){
		.level = DIAG_NOTE, .place = {"f", STR("a\tb  \nc"), 0, 8, NULL}, .text = STR("m")};
	expect_text(&d, false, "f:1:1: note: m\n    1 | a\tb  \n      | ^\t~\n");
	/* Under a tab there is only the caret. */
	d.place = at(7, 40);
	expect_text(&d, false, "k.hip:2:1: note: m\n    2 | \tif (t < m) {\n      | ^\n");
	/* One mark a character as it is shown; control characters do not reach the terminal. */
	d.place = at(23, 33);
	expect_text(&d, false,
		"k.hip:3:3: note: m\n"
		"    3 |   \303\244 = \\x1b[2J;\n"
		"      |   ^~~~~~~~~~~~\n");
	/* The line's end and the file's end. */
	d.place = at(6, 6);
	expect_text(&d, false, "k.hip:1:7: note: m\n    1 | int x;\n      |       ^\n");
	d.place = at(sizeof(SOURCE) - 1, sizeof(SOURCE) - 1);
	expect_text(&d, false, "k.hip:4:5: note: m\n    4 | last\n      |     ^\n");
	d.place = (struct diag_place){.path = "k.hip"};
	expect_text(&d, false, "k.hip: note: m\n");
}

/* Characters before the first occurrence of what; none may be cut in two. */
static size_t characters_before(struct str line, const char *what)
{
	size_t end = str_find(line, what, 0), n = 0;

	assert_true(end != SIZE_MAX);
	for (size_t i = 0; i < end; i++) {
		n += ((unsigned char)line.p[i] & 0xc0) != 0x80;
	}
	return n;
}

/* The caret stands under the X wherever that is in a long line of characters of 1 and 3 bytes. */
static void test_diag_long_line(void **state)
{
	(void)state;
	for (size_t x = 0; x <= 300; x++) {
		struct diag d = {.level = DIAG_NOTE, .text = STR("m")};
		struct sbuf line = {0}, out = {0};
		struct str rest, quoted = STR(""), marks = STR("");

		for (size_t i = 0; i <= 300; i++) {
			sbuf_adds(&line, i == x ? "X" : i % 3 == 0 ? "a" : "\342\202\254");
		}
		size_t caret = str_find(sbuf_str(&line), "X", 0);
		d.place = (struct diag_place){"f", sbuf_str(&line), caret, caret + 400, NULL};
		diag_text(&out, &d, DIAG_TEXT_QUOTED, false);
		rest = sbuf_str(&out);
		str_line(&rest, &quoted);
		assert_true(str_line(&rest, &quoted) && str_line(&rest, &marks));
		assert_true(quoted.n < 180);
		assert_int_equal(characters_before(quoted, "X"), characters_before(marks, "^"));
		quoted = str_sub(quoted, 8, quoted.n);
		assert_int_equal(str_starts(quoted, "..."), caret > 60);
		assert_int_equal(str_ends(quoted, "..."), caret + 100 < line.n);
		quoted = str_sub(quoted, str_starts(quoted, "...") ? 3 : 0, quoted.n);
		assert_int_not_equal((unsigned char)quoted.p[0] & 0xc0, 0x80);
		quoted = str_sub(quoted, 0, quoted.n - (str_ends(quoted, "...") ? 3 : 0));
		assert_true(str_ends(quoted, "a") || str_ends(quoted, "X") ||
			    str_ends(quoted, "\342\202\254"));
		sbuf_release(&line);
		sbuf_release(&out);
	}
}

/* By default the note that says best why to care; with verbose all of them. */
static void test_diag_shown(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct diag_note notes[] = {{.text = STR("in k"), .says = SAYS_WHERE},
		{.text = STR("it spills"), .says = SAYS_COST}, {.text = STR("arm 1")}};
	struct diag d = {.level = DIAG_WARNING, .text = STR("m"), .note = notes, .notes = 3};

	struct diag brief = diag_shown(&d, a, false);
	expect_text(&brief, false, "warning: m\nnote: it spills\n");
	struct diag all = diag_shown(&d, a, true);
	expect_text(&all, false, "warning: m\nnote: in k\nnote: it spills\nnote: arm 1\n");
	notes[0].says = notes[1].says = SAYS_MORE;
	brief = diag_shown(&d, a, false);
	expect_text(&brief, false, "warning: m\n");
	arena_free(a);
}

static void test_diag_sort(void **state)
{
	(void)state;
	struct diag_list l = {0};
	struct diag_note note = {.text = STR("n")};
	const struct diag d[] = {
		{.level = DIAG_WARNING, .rule = "b", .place = at(9, 9), .text = STR("m")},
		{.level = DIAG_WARNING, .rule = "b", .place = at(2, 2), .text = STR("z")},
		{.level = DIAG_WARNING, .rule = "b", .place = at(2, 2), .text = STR("a")},
		{.level = DIAG_WARNING, .rule = "a", .place = at(2, 2), .text = STR("z")},
		{.level = DIAG_WARNING, .rule = "b", .place = at(2, 2), .text = STR("z")},
		{.level = DIAG_WARNING,
			.rule = "b",
			.place = at(2, 2),
			.text = STR("z"),
			.note = &note,
			.notes = 1},
		{.level = DIAG_WARNING, .rule = "z", .place = {.path = "a.hip"}, .text = STR("z")},
		{.level = DIAG_WARNING, .rule = "z", .text = STR("z")},
		/* from three units: the widest is shown */
		{.level = DIAG_WARNING,
			.rule = "c",
			.place = at(2, 2),
			.text = STR("64 VGPRs"),
			.weight = 64},
		{.level = DIAG_WARNING,
			.rule = "c",
			.place = at(2, 2),
			.text = STR("128 VGPRs"),
			.weight = 128},
		{.level = DIAG_WARNING,
			.rule = "c",
			.place = at(2, 2),
			.text = STR("32 VGPRs"),
			.weight = 32},
	};
	static const size_t want[] = {7, 6, 3, 2, 1, 5, 9, 0};

	diag_sort_unique(&l);
	for (size_t i = 0; i < sizeof(d) / sizeof(d[0]); i++) {
		array_push(&l.v, d[i]);
	}
	diag_sort_unique(&l);
	assert_int_equal(l.v.n, sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < l.v.n; i++) {
		const struct diag *got = &l.v.v[i], *w = &d[want[i]];

		assert_int_equal(got->place.begin, w->place.begin);
		assert_string_equal(got->rule, w->rule);
		assert_true(str_eq(got->text, w->text));
		assert_int_equal(got->notes, w->notes);
	}
	array_release(&l.v);
}

static void test_wire(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct diag_note note[] = {
		{.place = at(0, 3), .text = STR("here"), .says = SAYS_COST}, {.text = STR("")}};
	struct wire_unit sent = {0}, got;
	struct sbuf bytes = {0};

	assert_true(wire_unpack(&got, a, (struct str){0}));
	assert_int_equal(got.found.v.n, 0);
	array_push(&sent.files, "k.hip");
	array_push(&sent.read, "/k.h");
	array_push(&sent.found.v, (struct diag){.level = DIAG_WARNING,
					  .rule = "unphi-early-exit",
					  .place = at(8, 10),
					  .text = STR("a\0b"),
					  .note = note,
					  .notes = 2,
					  .weight = 77,
					  .function = "f",
					  .code = 1,
					  .next = "unphi x",
					  .kernels = "k\nl"});
	array_push(&sent.found.v, (struct diag){.level = DIAG_NOTE, .text = STR("")});
	wire_pack(&bytes, &sent);
	assert_true(wire_unpack(&got, a, sbuf_str(&bytes)));
	assert_int_equal(got.found.v.n, 2);
	assert_int_equal(got.found.v.v[0].level, DIAG_WARNING);
	assert_int_equal(got.found.v.v[0].weight, 77);
	assert_string_equal(got.found.v.v[0].rule, "unphi-early-exit");
	assert_string_equal(got.found.v.v[0].place.path, "k.hip");
	assert_int_equal(got.found.v.v[0].place.begin, 8);
	assert_int_equal(got.found.v.v[0].place.end, 10);
	assert_true(str_eq(got.found.v.v[0].text, STR("a\0b")));
	assert_int_equal(got.found.v.v[0].notes, 2);
	assert_true(str_is(got.found.v.v[0].note[0].text, "here"));
	assert_int_equal(got.found.v.v[0].note[0].says, SAYS_COST);
	assert_string_equal(got.found.v.v[0].next, "unphi x");
	assert_string_equal(got.found.v.v[0].kernels, "k\nl");
	assert_null(got.found.v.v[1].next);
	assert_null(got.found.v.v[0].note[1].place.path);
	assert_null(got.found.v.v[1].rule);
	assert_null(got.found.v.v[1].place.path);
	sbuf_release(&bytes);
	assert_int_equal(got.files.n, 1);
	assert_string_equal(got.files.v[0], "k.hip");
	assert_int_equal(got.read.n, 1);
	assert_string_equal(got.read.v[0], "/k.h");
	wire_release(&sent);
	wire_release(&got);
	arena_free(a);
}

static void test_diag_json(void **state)
{
	(void)state;
	struct diag_note note = {.place = at(0, 3), .text = STR("declared\nhere")};
	struct diag_list l = {0};
	struct sbuf out = {0};

	array_push(&l.v, (struct diag){.level = DIAG_WARNING,
				 .rule = "r",
				 .place = at(8, 10),
				 .text = STR("m \"q\""),
				 .note = &note,
				 .notes = 1});
	array_push(&l.v, (struct diag){.level = DIAG_NOTE, .text = STR("n")});
	diag_json(&out, &l);
	json_t *got = json_loadb(out.p, out.n, 0, NULL);
	json_t *want = json_loads(
		"{\"version\": 1, \"findings\": ["
		"{\"rule\": \"r\", \"level\": \"warning\", \"file\": \"k.hip\","
		" \"line\": 2, \"column\": 2, \"offset\": 8, \"length\": 2,"
		" \"message\": \"m \\\"q\\\"\", \"why\": null, \"notes\": [{\"file\": \"k.hip\","
		" \"line\": 1, \"column\": 1, \"message\": \"declared\\nhere\"}]},"
		"{\"rule\": null, \"level\": \"note\", \"file\": null,"
		" \"line\": null, \"column\": null, \"offset\": null,"
		" \"length\": null, \"message\": \"n\", \"why\": null, \"notes\": []}]}",
		0, NULL);
	assert_non_null(want);
	assert_non_null(got);
	assert_true(json_equal(got, want));
	json_decref(got);
	json_decref(want);
	sbuf_release(&out);
	array_release(&l.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_double),
		cmocka_unit_test(test_json_utf8),
		cmocka_unit_test(test_json_misuse),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_diag_text),
		cmocka_unit_test(test_diag_shown),
		cmocka_unit_test(test_diag_long_line),
		cmocka_unit_test(test_diag_sort),
		cmocka_unit_test(test_wire),
		cmocka_unit_test(test_diag_json),
	};
	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
