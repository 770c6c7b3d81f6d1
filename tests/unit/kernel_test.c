/* kernel: the tree's walks, its text form, hostile texts, and each invariant broken once. */
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
#include "kernel/pack.h"
#include "tree/tree.h"

/* Messages go to a file while a test looks at them. */
struct capture {
	FILE *file;
	int saved;
};

static void capture_begin(struct capture *c)
{
	fflush(stderr);
	c->file = tmpfile();
	assert_non_null(c->file);
	c->saved = dup(STDERR_FILENO);
	assert_true(dup2(fileno(c->file), STDERR_FILENO) >= 0);
}

/* What was said since capture_begin, appended to said. */
static void capture_end(struct capture *c, struct sbuf *said)
{
	char chunk[4096];
	size_t n;

	fflush(stderr);
	assert_true(dup2(c->saved, STDERR_FILENO) >= 0);
	close(c->saved);
	rewind(c->file);
	while ((n = fread(chunk, 1, sizeof(chunk), c->file)) > 0) {
		sbuf_add(said, chunk, n);
	}
	fclose(c->file);
}

static void read_data(struct sbuf *text, const char *name)
{
	struct sbuf path = {0};
	const char *root = getenv("UNPHI_SOURCE_ROOT");

	sbuf_addf(&path, "%s/tests/unit/data/kernel/%s", root ? root : ".", name);
	assert_int_equal(file_read(text, sbuf_cstr(&path)), 0);
	sbuf_release(&path);
}

static struct kt_unit *must_read(struct arena *a, const char *text)
{
	struct kt_unit *u = NULL;

	assert_int_equal(kt_read(&u, a, str_of(text), "test"), 0);
	assert_non_null(u);
	return u;
}

/* The text of a unit with one function, k, around a body. Types: 1 int, 2 float, 3 float[4],
 * 4 reference to 3; symbols: 1 parameter n, 2 local acc. */
#define UNIT(body)                                                                                 \
	"(unit (file 1 path=\"k.hip\" main)"                                                       \
	"(type 1 int size=4 trivial name=\"int\" canon=\"int\")"                                   \
	"(type 2 float size=4 trivial name=\"float\" canon=\"float\")"                             \
	"(type 3 array size=16 count=4 elem=2 name=\"float[4]\" canon=\"float[4]\")"               \
	"(type 4 reference size=8 elem=3 name=\"float (&)[4]\" canon=\"float (&)[4]\")"            \
	"(sym 1 param type=1 fn=1 name=\"n\")(sym 2 local type=3 fn=1 name=\"acc\")"               \
	"(fn 1 kernel name=\"k\" base=\"k\" file=1 params=1 " body "))"

#define REF "(ref sym=1)"

/* Walks */

static void walk(struct sbuf *out, const struct kt_node *root, bool skip_loops)
{
	const struct kt_node *n = root;

	while (n) {
		sbuf_addf(out, "%s ", kt_kind_name(n->kind));
		n = skip_loops && kt_is_loop(n->kind) ? kt_skip(n, root) : kt_next(n, root);
	}
}

static void test_walk(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct sbuf out = {0};
	struct kt_unit *u =
		must_read(a, UNIT("(compound (if cond: " REF " else: (return) then: (empty))"
				  "(for body: (while cond: " REF " body: (continue)))"
				  "(call method text=\"f\" - (this))"
				  "(return (member text=\"x\")))"));
	struct kt_node *body = u->fn[1].body;

	walk(&out, body, false);
	assert_string_equal(sbuf_cstr(&out), "compound if ref empty return for while ref continue "
					     "call this return member ");
	sbuf_reset(&out);
	walk(&out, body, true);
	assert_string_equal(sbuf_cstr(&out), "compound if ref empty return for "
					     "call this return member ");
	/* A walk stays below its root, and a leaf is a walk of one. */
	sbuf_reset(&out);
	walk(&out, body->child[1], false);
	walk(&out, body->child[0]->child[KT_IF_ELSE], false);
	assert_string_equal(sbuf_cstr(&out), "for while ref continue return ");
	assert_null(kt_skip(body, body));
	sbuf_release(&out);
	arena_free(a);
}

static void test_names(void **state)
{
	(void)state;
	for (int k = 0; k < KT_KIND_COUNT; k++) {
		for (int other = 0; other < k; other++) {
			assert_string_not_equal(
				kt_kind_name((enum kt_kind)k), kt_kind_name((enum kt_kind)other));
		}
	}
	for (int op = 0; op < KT_OP_COUNT; op++) {
		assert_non_null(kt_op_name((enum kt_op)op));
	}
	assert_string_equal(kt_op_name(KT_OP_SHL), "<<");
	assert_string_equal(kt_op_name(KT_OP_NONE), "");
	assert_string_equal(kt_kind_name(KT_KIND_COUNT), "?");
	assert_string_equal(kt_op_name(KT_OP_COUNT), "?");
}

static void test_predicates(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct kt_unit *u = must_read(
		a, UNIT("(compound (for body: (empty)) (range-for var: (var sym=2) range: " REF
			" body: (empty)) (while cond: " REF " body: (empty))"
			"(do body: (empty) cond: " REF ") (if cond: " REF " then: (empty)))"));
	const struct kt_node *body = u->fn[1].body;

	for (size_t i = 0; i < 4; i++) {
		const struct kt_node *loop = body->child[i];

		assert_true(kt_is_loop(loop->kind) && kt_is_stmt(loop->kind));
		assert_int_equal(loop->n, kt_slots(loop->kind));
		assert_int_equal(kt_loop_body(loop)->kind, KT_EMPTY);
	}
	assert_null(kt_loop_body(body->child[4]));
	assert_false(kt_is_loop(KT_IF) || kt_is_stmt(KT_VAR) || kt_is_stmt(KT_ASSIGN));
	assert_int_equal(kt_slots(KT_COMPOUND), 0);

	assert_ptr_equal(kt_object_type(u, 4), &u->type[3]);
	assert_ptr_equal(kt_object_type(u, 2), &u->type[2]);
	assert_int_equal(kt_object_type(u, 0)->size, -1);
	assert_int_equal(kt_object_type(u, 99)->kind, KT_T_OTHER);
	assert_int_equal(kt_type_of(u, body)->size, -1);
	assert_ptr_equal(kt_type_of(u, &(struct kt_node){.type = 1}), &u->type[1]);
	arena_free(a);
}

static void test_source(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct kt_unit *u = must_read(a, "(unit (file 1 path=\"a\" \"int \" \"x;\\n\"))");

	assert_true(str_is(u->file[1].text, "int x;\n"));
	assert_true(str_is(kt_source(u, &(struct kt_node){.file = 1, .begin = 4, .end = 6}), "x;"));
	assert_true(
		str_is(kt_source(u, &(struct kt_node){.file = 1, .begin = 5, .end = 99}), ";\n"));
	assert_int_equal(kt_source(u, &(struct kt_node){.file = 2, .end = 3}).n, 0);
	assert_int_equal(kt_source(u, &(struct kt_node){0}).n, 0);
	arena_free(a);
}

/* The text form */

/* Every body in its place packed, and unpacked again. */
static void repack(struct kt_unit *u, struct arena *a)
{
	struct sbuf packed = {0};

	for (size_t f = 1; f < u->fns; f++) {
		if (u->fn[f].body) {
			sbuf_reset(&packed);
			kt_pack(&packed, u->fn[f].body);
			u->fn[f].body = kt_unpack(a, sbuf_str(&packed));
		}
	}
	sbuf_release(&packed);
	assert_null(kt_check(u));
}

static void test_golden(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct sbuf text = {0}, again = {0};
	bool seen[KT_KIND_COUNT] = {0};

	read_data(&text, "every.kt");
	struct kt_unit *u = must_read(a, sbuf_cstr(&text));
	kt_print(&again, u);
	assert_string_equal(sbuf_cstr(&again), sbuf_cstr(&text));
	for (size_t f = 1; f < u->fns; f++) {
		const struct kt_node *body = u->fn[f].body;

		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			seen[n->kind] = true;
			assert_ptr_equal(n->parent ? n->parent->child[n->slot] : n, n);
		}
	}
	for (int k = KT_NONE + 1; k < KT_KIND_COUNT; k++) {
		if (!seen[k]) {
			fail_msg("every.kt has no %s", kt_kind_name((enum kt_kind)k));
		}
	}
	repack(u, a);
	sbuf_reset(&again);
	kt_print(&again, u);
	assert_string_equal(sbuf_cstr(&again), sbuf_cstr(&text));
	assert_string_equal(u->file[2].path, "/usr/include/\"odd\"\n\xff");
	assert_string_equal(u->target, "gfx90a");
	sbuf_release(&text);
	sbuf_release(&again);
	arena_free(a);
}

/* A unit made in memory, with the extremes of every field, survives the text. */
static void test_extremes(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct sbuf text = {0}, again = {0};
	struct kt_file file[2] = {{0}, {.path = "a b\t\\", .text = {"\0\r\x80(\";", 6}}};
	struct kt_type type[2] = {{0}, {.kind = KT_T_VECTOR,
					       .size = INT64_MAX,
					       .align = INT64_MAX,
					       .count = INT64_MAX,
					       .name = "a\nb",
					       .canon = ""}};
	struct kt_sym sym[2] = {{0}, {.kind = KT_S_GLOBAL,
					     .owner = KT_OWNER_STATIC,
					     .space = KT_CONSTANT,
					     .name = ";)\"("}};
	struct kt_node literal = {.kind = KT_LITERAL,
		.flags = KT_F_VALUE | KT_F_MACRO | KT_F_VOLATILE,
		.type = 1,
		.value = INT64_MIN,
		.text = ""};
	struct kt_node *child[] = {&literal};
	struct kt_node body = {.kind = KT_COMPOUND,
		.flags = KT_F_MACRO,
		.file = 1,
		.end = 6,
		.n = 1,
		.child = child};
	struct kt_fn fn[2] = {{0}, {.name = "", .base = "", .file = 1, .end = 6, .body = &body}};
	struct kt_unit u = {.arena = a,
		.file = file,
		.files = 2,
		.type = type,
		.types = 2,
		.sym = sym,
		.syms = 2,
		.fn = fn,
		.fns = 2};

	type[1].elem = 1;
	assert_non_null(kt_check(&u));
	type[1].kind = KT_T_POINTER;
	type[1].count = 0;
	type[1].elem = 0;
	kt_link(&body);
	assert_null(kt_check(&u));
	kt_print(&text, &u);
	struct kt_unit *read = must_read(a, sbuf_cstr(&text));
	kt_print(&again, read);
	assert_string_equal(sbuf_cstr(&again), sbuf_cstr(&text));
	repack(read, a);
	const struct kt_node *back = read->fn[1].body->child[0];
	assert_true(back->value == INT64_MIN && back->flags == literal.flags);
	assert_int_equal(back->file, 0);
	assert_string_equal(back->text, "");
	assert_true(read->type[1].size == INT64_MAX);
	assert_string_equal(read->type[1].name, "a\nb");
	assert_true(str_eq(read->file[1].text, file[1].text));
	assert_null(read->target);
	assert_null(read->fn[1].symbol);
	sbuf_release(&text);
	sbuf_release(&again);
	arena_free(a);
}

/* A broken unit must be printable too, to see what is broken. */
static void test_print_broken(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct sbuf out = {0};
	struct kt_unit *u = must_read(a, UNIT("(compound (return " REF "))"));
	struct kt_node *ref = u->fn[1].body->child[0]->child[0];

	ref->sym = ref->type = ref->fn = UINT32_MAX;
	ref->kind = KT_KIND_COUNT;
	ref->op = KT_OP_COUNT;
	u->sym[1].type = 77;
	u->sym[1].name = NULL;
	u->sym[2].space = (enum kt_space)9;
	u->type[2].kind = (enum kt_type_kind)99;
	u->fn[1].body->child[0] = u->fn[1].body; /* a cycle */
	kt_print(&out, u);
	assert_true(str_find(sbuf_str(&out), "; too deep", 0) != SIZE_MAX);
	sbuf_release(&out);
	u = ARENA_NEW(a, struct kt_unit);
	kt_print(&out, u);
	assert_string_equal(sbuf_cstr(&out), "(unit)\n");
	u->arena = a;
	assert_null(kt_check(u));
	sbuf_release(&out);
	arena_free(a);
}

/* Hostile texts */

static void assert_refused(const char *text, const char *why)
{
	struct arena *a = arena_create();
	struct kt_unit *u = NULL;
	struct sbuf said = {0};
	struct capture c;

	capture_begin(&c);
	int rc = kt_read(&u, a, str_of(text), "t.kt");
	capture_end(&c, &said);
	if (rc != FAIL_INPUT || u || str_find(sbuf_str(&said), why, 0) == SIZE_MAX) {
		fail_msg("%s\ngave %d, not \"%s\": %s", text, rc, why, sbuf_cstr(&said));
	}
	sbuf_release(&said);
	arena_free(a);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *why;
	} bad[] = {
		{"", "t.kt:1:1: error: expected \"(\" before the end"},
		{"; only a comment", "1:17: error: expected \"(\" before the end"},
		{"unit", "1:1: error: expected \"(\""},
		{"(", "expected a word before the end"},
		{"(unit", "1:6: error: expected \")\" before the end"},
		{"(unit))", "1:7: error: there is more behind the unit"},
		{"(unit)\n(unit)", "2:1: error: there is more"},
		{"(tree)", "1:2: error: expected \"unit\""},
		{"(unit size=1)", "1:7: error: unknown attribute: size"},
		{"(unit target)", "1:13: error: expected \"=\""},
		{"(unit target=3)", "1:14: error: expected a string"},
		{"(unit target=\"a\nb\")", "1:14: error: this string does not end"},
		{"(unit target=\"a", "1:14: error: this string does not end"},
		{"(unit target=\"a\\", "1:16: error: no such escape"},
		{"(unit target=\"\\q\")", "1:15: error: no such escape"},
		{"(unit target=\"\\x4\")", "1:15: error: no such escape"},
		{"(unit target=\"\\x4G\")", "1:15: error: no such escape"},
		{"(unit target=\"a\\x00\")", "1:14: error: a name cannot hold a zero byte"},
		{"(unit \x01)", "1:7: error: unexpected byte 0x01"},
		{"(unit\n  (what 1))", "2:4: error: expected file, type, sym, fn or "
				       "pattern"},
		{"(unit (file 2 path=\"a\"))", "1:13: error: expected the number 1"},
		{"(unit (file 4294967297 path=\"a\"))", "1:13: error: expected the number 1"},
		{"(unit (file 99999999999999999999))", "1:13: error: expected the number 1"},
		{"(unit (file -1))", "1:13: error: expected the number 1"},
		{"(unit (file))", "1:12: error: expected the number 1"},
		{"(unit (file 1 \"a\" path=\"a\"))", "1:19: error: expected \")\""},
		{"(unit (file 1))", "1:1: error: not a sound tree: file 1: no path"},
		{"(unit (type 1 what))", "1:15: error: expected a kind of type"},
		{"(unit (type 1 int size=-2))", "1:24: error: expected a number from -1"},
		{"(unit (type 1 int size=9223372036854775808))", "1:24: error: expected a number"},
		{"(unit (type 1 pointer elem=2))", "1:28: error: there is no type 2"},
		{"(unit (type 1 pointer elem=4294967296))", "1:28: error: expected a number"},
		{"(unit (type 1 pointer elem=-1))", "1:28: error: expected a number"},
		{"(unit (type 1 int color))", "1:19: error: unknown attribute: color"},
		{"(unit (type 1 int const=1))", "1:24: error: expected \")\""},
		{"(unit (sym 1 local space=moon))", "1:26: error: expected an address space"},
		{"(unit (sym 1 global type=1))", "1:26: error: there is no type 1"},
		{"(unit (sym 1 global fn=9))", "1:24: error: there is no function 9"},
		{"(unit (sym 1 global file=1))", "1:26: error: there is no file 1"},
		{"(unit (sym 1 thing))", "1:14: error: expected a kind of symbol"},
		{"(unit (fn 1 shader))", "1:13: error: expected a kind of function"},
		{"(unit (fn 1 host params=))", "1:25: error: expected symbol ids"},
		{"(unit (fn 1 host params=1))", "1:25: error: there is no symbol 1"},
		{"(unit (fn 1 host params=0))", "1:25: error: expected symbol ids"},
		{"(unit (fn 1 host params=1,,2))", "1:25: error: expected symbol ids"},
		{"(unit (fn 1 host 1...2))", "1:18: error: unknown attribute: 1...2"},
		{"(unit (fn 1 host 1..4294967296))", "1:18: error: unknown attribute"},
		{"(unit (fn 1 host (none)))", "1:19: error: this is no kind of node"},
		{"(unit (fn 1 host (compound) (compound)))", "1:29: error: expected \")\""},
		{UNIT("(compound (ref sym=3))"), "error: there is no symbol 3"},
		{UNIT("(compound (ref fn=2))"), "error: there is no function 2"},
		{UNIT("(compound file=2)"), "error: there is no file 2"},
		{UNIT("(compound op=what)"), "error: expected an operator's word"},
		{UNIT("(compound (if then: (empty) then: (empty)))"), "error: this slot is taken"},
		{UNIT("(compound (if body: (empty)))"),
			"error: expected a slot of \"if\", such as"},
		{UNIT("(compound (if (empty)))"), "error: expected a slot of \"if\""},
		{UNIT("(compound (if then: then:))"), "error: expected \"(\""},
		{UNIT("(compound (if then: -))"), "error: expected \"(\""},
		{UNIT("(compound then: (empty))"), "error: a child of \"compound\" has no slot"},
		{UNIT("(compound -)"), "function 1: compound at 0..0: child 0 is absent"},
		{UNIT("(compound (break))"), "break at 0..0: outside of any loop"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_refused(bad[i].text, bad[i].why);
	}
}

static void nest(struct sbuf *text, size_t depth)
{
	sbuf_reset(text);
	sbuf_adds(text, "(unit (file 1 path=\"a\") (fn 1 host name=\"\" base=\"\" file=1 ");
	for (size_t i = 0; i < depth; i++) {
		sbuf_adds(text, "(compound");
	}
	for (size_t i = 0; i < depth + 2; i++) {
		sbuf_addc(text, ')');
	}
}

static void test_depth(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct sbuf text = {0}, out = {0};

	nest(&text, KT_DEPTH_MAX);
	struct kt_unit *u = must_read(a, sbuf_cstr(&text));
	kt_print(&out, u);
	assert_true(str_find(sbuf_str(&out), "too deep", 0) == SIZE_MAX);
	must_read(a, sbuf_cstr(&out));
	nest(&text, KT_DEPTH_MAX + 1);
	assert_refused(sbuf_cstr(&text), "error: nested deeper than 512");
	nest(&text, 200000);
	assert_refused(sbuf_cstr(&text), "error: nested deeper than 512");
	sbuf_release(&text);
	sbuf_release(&out);
	arena_free(a);
}

/* No prefix of a text is a text, and none crashes the reader. */
static void test_truncated(void **state)
{
	(void)state;
	struct sbuf text = {0}, said = {0};
	struct capture c;
	size_t accepted = 0;

	read_data(&text, "every.kt");
	size_t whole = str_trim(sbuf_str(&text)).n;
	/* Behind the last parenthesis only a comment follows. */
	while (whole > 0 && text.p[whole - 1] != ')') {
		whole--;
	}
	capture_begin(&c);
	for (size_t n = 0; n < whole; n += 1 + n / 256) {
		struct arena *a = arena_create();
		struct kt_unit *u;
		/* Exactly n bytes of heap, so that a sanitizer sees a read behind them. */
		char *exact = malloc(n > 0 ? n : 1);

		memcpy(exact, text.p, n);
		accepted += kt_read(&u, a, (struct str){exact, n}, "t.kt") == 0;
		free(exact);
		arena_free(a);
	}
	capture_end(&c, &said);
	assert_int_equal(accepted, 0);
	sbuf_release(&text);
	sbuf_release(&said);
}

/* Bytes replaced at random: refused, or sound and printed the same twice. */
static void test_mutated(void **state)
{
	(void)state;
	static const char bytes[] = "()=\";:-.,0123459 \n\\x,abc";
	struct sbuf text = {0}, said = {0};
	struct capture c;
	uint32_t seed = 1;
	size_t changed = 0;

	read_data(&text, "every.kt");
	capture_begin(&c);
	for (int round = 0; round < 1500; round++) {
		struct arena *a = arena_create();
		struct kt_unit *u = NULL, *v = NULL;
		struct sbuf once = {0}, twice = {0};
		char *mutant = arena_memdup(a, text.p, text.n);

		for (int i = 0; i < 1 + round % 3; i++) {
			seed = seed * 1664525 + 1013904223;
			mutant[(seed >> 8) % text.n] = bytes[(seed >> 3) % (sizeof(bytes) - 1)];
		}
		if (kt_read(&u, a, (struct str){mutant, text.n}, "t.kt") == 0) {
			kt_print(&once, u);
			if (kt_read(&v, a, sbuf_str(&once), "t.kt") == 0) {
				kt_print(&twice, v);
			}
			changed += !str_eq(sbuf_str(&once), sbuf_str(&twice));
		}
		sbuf_release(&once);
		sbuf_release(&twice);
		arena_free(a);
	}
	capture_end(&c, &said);
	assert_int_equal(changed, 0);
	sbuf_release(&text);
	sbuf_release(&said);
}

/* Invariants: each case takes a sound unit, breaks one, and names what kt_check says. */

struct broken {
	struct kt_unit *u;
	struct kt_fn *fn;
	struct kt_node *body;
	struct kt_node *decl; /* body's children */
	struct kt_node *branch;
	struct kt_node *loop;
	struct kt_node *call;
	struct kt_node *ref;	/* the call's argument */
	struct kt_node *binary; /* the branch's condition */
};

static struct kt_node *node_new(struct broken *b, enum kt_kind kind)
{
	struct kt_node *n = ARENA_NEW(b->u->arena, struct kt_node);

	n->kind = kind;
	n->file = 1;
	return n;
}

static void put(struct kt_node *parent, size_t slot, struct kt_node *child)
{
	parent->child[slot] = child;
	kt_link(parent);
}

static void break_zero_file(struct broken *b)
{
	b->u->file[0].path = "x";
}
static void break_zero_type(struct broken *b)
{
	b->u->type[0].size = -1;
}
static void break_zero_sym(struct broken *b)
{
	b->u->sym[0].fn = 1;
}
static void break_zero_fn(struct broken *b)
{
	b->u->fn[0].body = b->body;
}
static void break_path(struct broken *b)
{
	b->u->file[1].path = NULL;
}
static void break_type_kind(struct broken *b)
{
	b->u->type[1].kind = (enum kt_type_kind)42;
}
static void break_type_name(struct broken *b)
{
	b->u->type[1].canon = NULL;
}
static void break_type_size(struct broken *b)
{
	b->u->type[1].size = -2;
}
static void break_type_count(struct broken *b)
{
	b->u->type[1].count = 3;
}
static void break_type_no_elem(struct broken *b)
{
	b->u->type[3].elem = 0;
}
static void break_type_elem(struct broken *b)
{
	b->u->type[1].elem = 2;
}
static void break_type_id(struct broken *b)
{
	b->u->type[3].elem = 99;
}
static void break_type_cycle(struct broken *b)
{
	b->u->type[3].elem = 4;
}
static void break_sym_kind(struct broken *b)
{
	b->u->sym[1].kind = (enum kt_sym_kind)9;
}
static void break_sym_space(struct broken *b)
{
	b->u->sym[1].space = (enum kt_space)9;
}
static void break_sym_name(struct broken *b)
{
	b->u->sym[1].name = NULL;
}
static void break_sym_fn(struct broken *b)
{
	b->u->sym[2].fn = 0;
}
static void break_owner(struct broken *b)
{
	b->u->sym[1].owner = (enum kt_owner)9;
}
static void break_owner_kind(struct broken *b)
{
	b->u->sym[2].owner = KT_OWNER_OBJECT;
}
static void break_owner_unknown(struct broken *b)
{
	b->u->sym[2].owner = KT_OWNER_UNKNOWN;
}
static void break_of(struct broken *b)
{
	b->u->sym[2].of = 1;
}
static void break_around(struct broken *b)
{
	b->u->fn[1].is_lambda = true;
	b->u->fn[1].around = 1;
}
static void break_declaration(struct broken *b)
{
	b->decl->child[0]->sym = 1;
	b->ref->sym = 2;
}
static void break_sym_type(struct broken *b)
{
	b->u->sym[2].type = 99;
}
static void break_sym_place(struct broken *b)
{
	b->u->sym[2].file = 0;
	b->u->sym[2].at = 1;
}
static void break_sym_at(struct broken *b)
{
	b->u->sym[2].file = 1;
	b->u->sym[2].at = 999;
}
static void break_fn_kind(struct broken *b)
{
	b->fn->kind = (enum kt_fn_kind)3;
}
static void break_fn_name(struct broken *b)
{
	b->fn->base = NULL;
}
static void break_fn_ret(struct broken *b)
{
	b->fn->ret = 99;
}
static void break_fn_range(struct broken *b)
{
	b->fn->end = 999;
}
static void break_fn_order(struct broken *b)
{
	b->fn->begin = b->fn->end + 1;
}
static void break_fn_name_at(struct broken *b)
{
	b->fn->name_at = b->fn->end + 1;
}
static void break_param_id(struct broken *b)
{
	b->fn->param[0] = 99;
}
static void break_param_kind(struct broken *b)
{
	b->fn->param[0] = 2;
}
static void break_param_owner(struct broken *b)
{
	b->u->sym[1].fn = 2;
}
static void break_body_parent(struct broken *b)
{
	b->body->parent = b->body;
}
static void break_body_kind(struct broken *b)
{
	b->fn->body = b->ref;
	b->ref->parent = NULL;
}
static void break_kind(struct broken *b)
{
	b->ref->kind = KT_KIND_COUNT;
}
static void break_none(struct broken *b)
{
	b->ref->kind = KT_NONE;
}
static void break_slots(struct broken *b)
{
	b->branch->n = 4;
}
static void break_children(struct broken *b)
{
	b->binary->n = 1;
}
static void break_child_array(struct broken *b)
{
	b->body->child = NULL;
}
static void break_required(struct broken *b)
{
	b->branch->child[KT_IF_THEN] = NULL;
}
static void break_absent(struct broken *b)
{
	b->binary->child[1] = NULL;
}
static void break_condition(struct broken *b)
{
	b->branch->child[KT_IF_COND] = NULL;
}
static void break_parent(struct broken *b)
{
	b->ref->parent = b->body;
}
static void break_slot(struct broken *b)
{
	b->ref->slot = 5;
}
static void break_tree(struct broken *b)
{
	b->body->child[1] = b->decl;
}
static void break_loop(struct broken *b)
{
	b->call->child[0] = b->body;
}
static void break_text(struct broken *b)
{
	put(b->call, 0, node_new(b, KT_LITERAL));
}
static void break_flag(struct broken *b)
{
	b->ref->flags |= KT_F_ARGUMENT;
}
static void break_flag_kind(struct broken *b)
{
	b->loop->flags |= KT_F_CONSTEXPR;
}
static void break_op(struct broken *b)
{
	b->binary->op = KT_OP_NEG;
}
static void break_op_none(struct broken *b)
{
	b->binary->op = KT_OP_NONE;
}
static void break_op_kind(struct broken *b)
{
	b->ref->op = KT_OP_ADD;
}
static void break_op_call(struct broken *b)
{
	b->call->op = KT_OP_ADD;
}
static void break_method(struct broken *b)
{
	b->call->flags |= KT_F_METHOD;
	b->call->n = 0;
}
static void break_node_type(struct broken *b)
{
	b->ref->type = 99;
}
static void break_node_sym(struct broken *b)
{
	b->ref->sym = 99;
}
static void break_node_fn(struct broken *b)
{
	b->call->fn = 99;
}
static void break_node_file(struct broken *b)
{
	b->ref->file = 99;
}
static void break_ref(struct broken *b)
{
	b->ref->sym = 0;
}
static void break_ref_both(struct broken *b)
{
	b->ref->fn = 1;
}
static void break_var(struct broken *b)
{
	b->decl->child[0]->sym = 0;
}
static void break_var_place(struct broken *b)
{
	struct kt_node *var = node_new(b, KT_VAR);

	var->sym = 2;
	put(b->call, 0, var);
}
static void break_decl(struct broken *b)
{
	put(b->decl, 0, node_new(b, KT_THIS));
}
static void break_stmt_place(struct broken *b)
{
	put(b->call, 0, node_new(b, KT_EMPTY));
}
static void break_stmt_condition(struct broken *b)
{
	put(b->branch, KT_IF_COND, node_new(b, KT_EMPTY));
}
static void break_break(struct broken *b)
{
	b->body->child[3] = node_new(b, KT_BREAK);
	kt_link(b->body);
}
static void break_continue(struct broken *b)
{
	put(b->branch, KT_IF_THEN, node_new(b, KT_CONTINUE));
}
static void break_case(struct broken *b)
{
	struct kt_node *label = node_new(b, KT_DEFAULT);

	label->n = 1;
	label->child = ARENA_ARRAY(b->u->arena, struct kt_node *, 1);
	put(label, 0, node_new(b, KT_EMPTY));
	put(b->loop, KT_FOR_BODY, label);
}
static void break_range(struct broken *b)
{
	b->ref->begin = b->ref->end + 1;
}
static void break_range_file(struct broken *b)
{
	b->body->end = 999;
}
static void break_range_parent(struct broken *b)
{
	b->ref->end = b->call->end + 1;
}
static void break_range_no_file(struct broken *b)
{
	b->body->file = 0;
}
static void break_other_file(struct broken *b)
{
	b->ref->file = 2;
}
static void break_order(struct broken *b)
{
	b->branch->begin = b->decl->begin - 1;
}
static void break_depth(struct broken *b)
{
	struct kt_node *parent = b->loop;
	size_t slot = KT_FOR_BODY;

	/* The loop has depth 2. */
	for (int i = 2; i < KT_DEPTH_MAX + 1; i++) {
		struct kt_node *child = node_new(b, KT_COMPOUND);

		child->begin = b->loop->begin;
		child->end = b->loop->end;
		child->n = i < KT_DEPTH_MAX;
		child->child = ARENA_ARRAY(b->u->arena, struct kt_node *, 1);
		put(parent, slot, child);
		parent = child;
		slot = 0;
	}
}

static const char sound[] =
	"(unit (file 1 path=\"a.hip\" main \"0123456789012345678901234567890123456789\")"
	"(file 2 path=\"b.h\" \"0123456789012345678901234567890123456789\")"
	"(type 1 int size=4 trivial name=\"int\" canon=\"int\")"
	"(type 2 float size=4 trivial name=\"float\" canon=\"float\")"
	"(type 3 array size=16 count=4 elem=2 name=\"float[4]\" canon=\"float[4]\")"
	"(type 4 pointer size=8 elem=3 name=\"p\" canon=\"p\")"
	"(sym 1 param type=1 fn=1 file=1 at=4 name=\"n\")(sym 2 local type=3 fn=1 name=\"acc\")"
	"(fn 1 kernel name=\"k\" base=\"k\" file=1 0..39 name-at=2 params=1"
	" (compound 5..39"
	"  (decl 6..10 (var 6..9 sym=2))"
	"  (if 11..20 cond: (binary 12..15 op=lt (ref 12..13 sym=1) (ref 14..15 sym=1))"
	"   then: (empty 16..17))"
	"  (for 21..30 body: (continue 25..29))"
	"  (call 31..38 fn=2 text=\"f\" (ref 33..34 sym=1))))"
	"(fn 2 device name=\"f\" base=\"f\"))";

static void test_check(void **state)
{
	(void)state;
	static const struct {
		void (*damage)(struct broken *b);
		const char *why;
	} cases[] = {
		{break_zero_file, "file 0 is not zeroed"},
		{break_zero_type, "type 0 is not zeroed"},
		{break_zero_sym, "symbol 0 is not zeroed"},
		{break_zero_fn, "function 0 is not zeroed"},
		{break_path, "file 1: no path"},
		{break_type_kind, "type 1: no kind of type"},
		{break_type_name, "type 1: no name"},
		{break_type_size, "type 1: a negative size"},
		{break_type_count, "type 1: arrays and vectors have"},
		{break_type_no_elem, "type 3: arrays and vectors have"},
		{break_type_elem, "type 1: an element that"},
		{break_type_id, "type 3: there is no type 99"},
		{break_type_cycle, "is an element of itself"},
		{break_sym_kind, "symbol 1: no kind of symbol"},
		{break_sym_space, "symbol 1: no kind of symbol"},
		{break_sym_name, "symbol 1: no name"},
		{break_sym_fn, "symbol 2: a local without its function"},
		{break_owner, "symbol 1: no owner"},
		{break_owner_kind, "symbol 2: a local owned by object"},
		{break_owner_unknown, "symbol 2: a local owned by unknown"},
		{break_of, "symbol 2: not a copy of a variable"},
		{break_around, "function 1: it is no lambda in another function"},
		{break_declaration, "nothing declares"},
		{break_sym_type, "symbol 2: there is no type 99"},
		{break_sym_place, "symbol 2: a place without a file"},
		{break_sym_at, "symbol 2: 999 is past the end of the file"},
		{break_fn_kind, "function 1: no kind of function"},
		{break_fn_name, "function 1: no name"},
		{break_fn_ret, "function 1: there is no type 99"},
		{break_fn_range, "function 1: 999 is past the end"},
		{break_fn_order, "function 1: the range ends before"},
		{break_fn_name_at, "function 1: the name is outside"},
		{break_param_id, "function 1: 99 is not a parameter"},
		{break_param_kind, "function 1: 2 is not a parameter"},
		{break_param_owner, "function 1: 1 is not a parameter"},
		{break_body_parent, "compound at 5..39: a body with a parent"},
		{break_body_kind, "a body that is not a statement"},
		{break_kind, "? at 33..34: no kind of node"},
		{break_none, "none at 33..34: no kind of node"},
		{break_slots, "if at 11..20: 4 children"},
		{break_children, "binary at 12..15: 1 children"},
		{break_child_array, "compound at 5..39: 4 children"},
		{break_required, "if at 11..20: child 3 is absent"},
		{break_absent, "binary at 12..15: child 1 is absent"},
		{break_condition, "if at 11..20: no condition"},
		{break_parent, "call at 31..38: child 0 is not linked"},
		{break_slot, "call at 31..38: child 0 is not linked"},
		{break_tree, "compound at 5..39: child 1 is not linked"},
		{break_loop, "call at 31..38: child 0 is not linked"},
		{break_text, "no text"},
		{break_flag, "an argument, but of no macro"},
		{break_flag_kind, "for at 21..30: a flag that"},
		{break_op, "operator \"neg\""},
		{break_op_none, "operator \"none\""},
		{break_op_kind, "operator \"add\""},
		{break_op_call, "an operator, but not written as one"},
		{break_method, "without a place for its object"},
		{break_node_type, "there is no type 99"},
		{break_node_sym, "there is no symbol 99"},
		{break_node_fn, "there is no function 99"},
		{break_node_file, "there is no file 99"},
		{break_ref, "not one of symbol and function"},
		{break_ref_both, "not one of symbol and function"},
		{break_var, "var at 6..9: no symbol"},
		{break_var_place, "a variable outside of a declaration"},
		{break_decl, "not a variable, in a declaration"},
		{break_stmt_place, "empty at 0..0: a statement, in place"},
		{break_stmt_condition, "empty at 0..0: a statement, in place"},
		{break_break, "outside of any loop"},
		{break_continue, "outside of any loop"},
		{break_case, "outside of any switch"},
		{break_range, "the range ends before it begins"},
		{break_range_file, "999 is past the end of the file"},
		{break_range_parent, "ref at 33..39: outside of its parent"},
		{break_range_no_file, "a place without a file"},
		{break_other_file, "in another file than its parent"},
		{break_order, "before the sibling that precedes it"},
		{break_depth, "deeper than 512"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *a = arena_create();
		struct kt_unit *u = must_read(a, sound);
		struct kt_node *body = u->fn[1].body;
		struct broken b = {u, &u->fn[1], body, body->child[0], body->child[1],
			body->child[2], body->child[3], body->child[3]->child[0],
			body->child[1]->child[KT_IF_COND]};

		assert_null(kt_check(u));
		cases[i].damage(&b);
		const char *broken = kt_check(u);
		if (!broken || !strstr(broken, cases[i].why)) {
			fail_msg("case %zu: \"%s\", not \"%s\"", i, broken ? broken : "sound",
				cases[i].why);
		}
		arena_free(a);
	}
}

/* What kt_check must let pass. */
static void test_check_sound(void **state)
{
	(void)state;
	static const char *const good[] = {
		"(unit)",
		UNIT("(compound)"),
		UNIT("(compound (if var: (var sym=2) then: (empty)))"),
		UNIT("(compound (for body: (empty)))"),
		UNIT("(compound (call method text=\"f\" -))"),
		UNIT("(compound (member text=\"x\"))"),
		UNIT("(compound (cond cond: " REF " else: " REF "))"),
		UNIT("(compound (binary op=other " REF REF ") (assign op=shl " REF REF "))"),
		UNIT("(compound (call operator op=postinc " REF ") (decl))"),
		UNIT("(compound (stmt-unknown (break) (var sym=2)))"),
		UNIT("(compound (expr-unknown (compound)) (lambda " REF "))"),
		UNIT("(compound (switch cond: " REF " body: (while cond: " REF " body: (break))))"),
		/* Below a macro, ranges and files say nothing. */
		UNIT("(compound macro 3..4 (ref 7..9 sym=1) (ref file=0 sym=1 macro))"),
		/* A macro's part does not mark its parent, nor bound its siblings. */
		UNIT("(compound 1..9 (call 2..3 text=\"f\") (ref 20..30 sym=1 macro)"
		     "(ref 4..5 sym=1))"),
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct arena *a = arena_create();
		struct sbuf once = {0}, twice = {0};

		kt_print(&once, must_read(a, good[i]));
		kt_print(&twice, must_read(a, sbuf_cstr(&once)));
		assert_string_equal(sbuf_cstr(&once), sbuf_cstr(&twice));
		sbuf_release(&once);
		sbuf_release(&twice);
		arena_free(a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_predicates),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_print_broken),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_mutated),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_check_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
