/* config: YAML with places, and the embedded rules. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/embed.h"
#include "config/yaml.h"

/* What is written to stderr between capture_begin and capture_end. */
struct capture {
	char path[64];
	int saved;
};

static void capture_begin(struct capture *c)
{
	strcpy(c->path, "/tmp/unphi-config-test-XXXXXX");
	int fd = mkstemp(c->path);

	assert_true(fd >= 0);
	c->saved = dup(2);
	dup2(fd, 2);
	close(fd);
}

static void capture_end(struct capture *c, struct sbuf *text)
{
	dup2(c->saved, 2);
	close(c->saved);
	sbuf_reset(text);
	assert_int_equal(file_read(text, c->path), 0);
	unlink(c->path);
}

/* message: how it begins; what libyaml says changes with its versions, the place does not. */
static void expect_parse_error(struct str text, const char *message)
{
	struct arena *a = arena_create();
	struct yaml_node *n = NULL;
	struct capture c;
	struct sbuf said = {0};

	capture_begin(&c);
	int err = yaml_parse(&n, a, text, "f.yaml");
	capture_end(&c, &said);
	assert_int_equal(err, FAIL_USAGE);
	assert_null(n);
	if (!str_starts(sbuf_str(&said), message)) {
		fail_msg("\"%s\" instead of \"%s\"", sbuf_cstr(&said), message);
	}
	sbuf_release(&said);
	arena_free(a);
}

#define TREE                                                                                       \
	"# head\n"                                                                                 \
	"name: gfx90a\n"                                                                           \
	"vgprs: 0x200\n"                                                                           \
	"ratio: 2.5e-1\n"                                                                          \
	"on: true\n"                                                                               \
	"none:\n"                                                                                  \
	"empty: \"\"\n"                                                                            \
	"one: a\n"                                                                                 \
	"list: [a, 'b c', \"d\\n\"]\n"                                                             \
	"nested:\n"                                                                                \
	"  - x: 1\n"                                                                               \
	"    y: 2\n"                                                                               \
	"  - \303\244\303\266: [1, oops]\n"

static struct yaml_node *parse(struct arena *a, struct str text)
{
	struct yaml_node *n = NULL;

	assert_int_equal(yaml_parse(&n, a, text, "f.yaml"), 0);
	assert_non_null(n);
	return n;
}

static void test_tree(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const struct yaml_node *m = parse(a, STR(TREE)), *n;
	struct str s, *list;
	size_t count;
	int64_t i;
	double d;
	bool b = false;

	assert_int_equal(m->kind, YAML_MAP);
	assert_int_equal(m->n, 9);
	assert_true(str_is(m->key[0]->text, "name"));
	assert_int_equal(yaml_str(&s, yaml_get(m, "name")), 0);
	assert_true(str_is(s, "gfx90a"));
	assert_int_equal(yaml_i64(&i, yaml_get(m, "vgprs"), 0, 512), 0);
	assert_int_equal(i, 512);
	assert_int_equal(yaml_double(&d, yaml_get(m, "ratio")), 0);
	assert_true(d == 0.25);
	assert_int_equal(yaml_bool(&b, yaml_get(m, "on")), 0);
	assert_true(b);
	assert_int_equal(yaml_str(&s, yaml_get(m, "empty")), 0);
	assert_int_equal(s.n, 0);
	assert_int_equal(yaml_str_list(&list, &count, a, yaml_get(m, "list")), 0);
	assert_int_equal(count, 3);
	assert_true(str_is(list[1], "b c"));
	assert_true(str_is(list[2], "d\n"));
	assert_int_equal(yaml_str_list(&list, &count, a, yaml_get(m, "one")), 0);
	assert_int_equal(count, 1);
	assert_int_equal(yaml_str_list(&list, &count, a, yaml_get(m, "none")), 0);
	assert_int_equal(count, 0);
	assert_null(yaml_get(m, "absent"));
	assert_null(yaml_get(NULL, "absent"));
	assert_null(yaml_get(yaml_get(m, "one"), "absent"));

	n = yaml_get(m, "nested");
	assert_int_equal(n->kind, YAML_LIST);
	assert_int_equal(n->n, 2);
	assert_int_equal(n->item[0]->line, 11);
	assert_int_equal(n->item[0]->column, 5);
	n = n->item[1]->item[0];
	assert_int_equal(n->item[1]->line, 13);
	/* Bytes, not characters: the two umlauts before it take two each. */
	assert_int_equal(n->item[1]->column, 15);
	arena_free(a);
}

static void test_empty(void **state)
{
	(void)state;
	static const char *const text[] = {"", "# only a comment\n", "---\n", "---\n...\n", "{}"};

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		struct arena *a = arena_create();
		const struct yaml_node *m = parse(a, str_of(text[i]));

		assert_int_equal(m->kind, YAML_MAP);
		assert_int_equal(m->n, 0);
		assert_int_equal(yaml_only_keys(m, (const char *const[]){NULL}), 0);
		arena_free(a);
	}
	struct arena *a = arena_create();
	assert_int_equal(parse(a, (struct str){NULL, 0})->n, 0);
	arena_free(a);
}

static void test_parse_errors(void **state)
{
	(void)state;
	expect_parse_error(STR("a: 1\r\nb: 2\r\na: 3\r\n"),
		"f.yaml:3:1: error: duplicate key 'a' in this map\n");
	expect_parse_error(
		STR("\303\244: &x 1\n"), "f.yaml:1:5: error: anchors and tags are not supported\n");
	expect_parse_error(STR("a: 1\nb: !!str 2\n"),
		"f.yaml:2:4: error: anchors and tags are not supported\n");
	expect_parse_error(STR("a: *x\n"),
		"f.yaml:1:4: error: aliases are not supported; write the value out\n");
	expect_parse_error(
		STR("a: &x [1]\n"), "f.yaml:1:4: error: anchors and tags are not supported\n");
	expect_parse_error(STR("a: 1\n---\nb: 2\n"),
		"f.yaml:2:1: error: a second document; a file may have only one\n");
	expect_parse_error(STR("? [a]\n: 1\n"), "f.yaml:1:3: error: a key must be a plain word\n");
	expect_parse_error(STR("a: 1\n b: 2\n"), "f.yaml:2:3: error: ");
	expect_parse_error(STR("a: [1, 2\nb: 3\n"), "f.yaml:2:2: error: ");
	expect_parse_error(STR("a: 1\n\tb: 2\n"), "f.yaml:2:1: error: ");
	expect_parse_error(STR("a: 1\nb: \"x\xff\"\n"), "f.yaml:2:6: error: ");
	expect_parse_error(STR("a: \001\n"), "f.yaml:1:4: error: ");
}

static void test_depth(void **state)
{
	(void)state;
	char text[131] = "";
	struct arena *a = arena_create();
	struct yaml_node *n = NULL;

	memset(text, '[', 63);
	memset(text + 63, ']', 63);
	parse(a, str_of(text));
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	assert_int_equal(yaml_parse(&n, a, str_of(text), "f.yaml"), FAIL_USAGE);
	arena_free(a);
}

enum read_as {
	AS_I64,
	AS_DOUBLE,
	AS_BOOL,
	AS_STR,
	AS_LIST
};

static int read_as(enum read_as as, struct arena *a, const struct yaml_node *n)
{
	int64_t i;
	double d;
	bool b;
	struct str s, *list;
	size_t count;

	switch (as) {
	case AS_I64:
		return yaml_i64(&i, n, 1, 100);
	case AS_DOUBLE:
		return yaml_double(&d, n);
	case AS_BOOL:
		return yaml_bool(&b, n);
	case AS_STR:
		return yaml_str(&s, n);
	case AS_LIST:
		return yaml_str_list(&list, &count, a, n);
	}
	return 0;
}

static void test_typed_errors(void **state)
{
	(void)state;
	static const struct {
		enum read_as as;
		const char *text;
		const char *message;
	} cases[] = {
		{AS_I64, "k: 1x", "f.yaml:1:4: error: expected a whole number, found '1x'\n"},
		{AS_I64, "k: 101",
			"f.yaml:1:4: error: 101 is out of range: 1 to 100 are allowed\n"},
		{AS_I64, "k: 0", "f.yaml:1:4: error: 0 is out of range: 1 to 100 are allowed\n"},
		{AS_I64, "k: []", "f.yaml:1:4: error: expected a whole number, found a list\n"},
		{AS_I64, "k:", "f.yaml:1:3: error: expected a whole number, found nothing\n"},
		{AS_DOUBLE, "k: 1.5s", "f.yaml:1:4: error: expected a number, found '1.5s'\n"},
		{AS_DOUBLE, "k: nan", "f.yaml:1:4: error: expected a number, found 'nan'\n"},
		{AS_DOUBLE, "k: ' 1'", "f.yaml:1:4: error: expected a number, found ' 1'\n"},
		{AS_BOOL, "k: yes", "f.yaml:1:4: error: expected true or false, found 'yes'\n"},
		{AS_STR, "k: {a: b}", "f.yaml:1:4: error: expected a string, found a map\n"},
		{AS_STR, "k:", "f.yaml:1:3: error: expected a string, found nothing\n"},
		{AS_LIST, "k: {}", "f.yaml:1:4: error: expected a list of strings, found a map\n"},
		{AS_LIST, "k: [a, [b]]", "f.yaml:1:8: error: expected a string, found a list\n"},
		{AS_STR, "x: 1", "unphi: error: a key that needs a string is missing\n"},
	};
	struct sbuf said = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *a = arena_create();
		const struct yaml_node *m = parse(a, str_of(cases[i].text));
		struct capture c;

		capture_begin(&c);
		int err = read_as(cases[i].as, a, yaml_get(m, "k"));
		capture_end(&c, &said);
		assert_int_equal(err, FAIL_USAGE);
		assert_string_equal(sbuf_cstr(&said), cases[i].message);
		arena_free(a);
	}
	sbuf_release(&said);
}

static void test_keys(void **state)
{
	(void)state;
	static const char *const keys[] = {"targets", "checks", "min_gain", NULL};
	struct arena *a = arena_create();
	const struct yaml_node *m = parse(a, STR("targets: a\nchekcs: b\n"));
	struct sbuf said = {0};
	struct capture c;

	capture_begin(&c);
	int err = yaml_only_keys(m, keys);
	const struct yaml_node *missing = yaml_need(m, "min_gain");
	capture_end(&c, &said);
	assert_int_equal(err, FAIL_USAGE);
	assert_null(missing);
	assert_string_equal(sbuf_cstr(&said),
		"f.yaml:2:1: error: unknown key 'chekcs'; the nearest known one is 'checks'\n"
		"f.yaml:1:1: error: the key 'min_gain' is missing here\n");
	assert_ptr_equal(yaml_need(m, "targets"), yaml_get(m, "targets"));
	sbuf_release(&said);
	arena_free(a);
}

/* The embedded text is the file, byte for byte, and every one of them is readable. */
static void test_embed(void **state)
{
	(void)state;
	const char *root = getenv("UNPHI_SOURCE_ROOT");

	assert_true(embed_files_n >= 3);
	assert_int_equal(embed_get("no-such.yaml").n, 0);
	for (size_t i = 0; i < embed_files_n; i++) {
		struct arena *a = arena_create();
		const struct embed_file *f = &embed_files[i];
		struct sbuf path = {0}, text = {0};

		assert_true(str_eq(embed_get(f->name), f->text));
		parse(a, f->text);
		if (root) {
			sbuf_addf(&path, "%s/rules/%s", root, f->name);
			assert_int_equal(file_read(&text, sbuf_cstr(&path)), 0);
			assert_true(str_eq(sbuf_str(&text), f->text));
		}
		sbuf_release(&path);
		sbuf_release(&text);
		arena_free(a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_parse_errors),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_typed_errors),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_embed),
	};
	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
