/*
 * match: how long the common ending is and where its holes are. A snippet's first if gives the
 * arms. What hoist makes of matches is tested in hoist_test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/arms/match.h"
#include "analysis/arms/overlay.h"
#include "analysis/merge/merge.h"
#include "frontend/frontend.h"

static const char prelude[] =
	"#define __global__ __attribute__((global))\n"
	"#define __device__ __attribute__((device))\n"
	"#define LEFT 1\n#define RIGHT 2\n"
	"typedef float f4 __attribute__((ext_vector_type(4)));\n"
	"struct pair { int x, y; }; struct big { int v[9]; };\n"
	"__device__ int use(int); __device__ void change(int &);\n"
	"__device__ float use(float); __device__ int take(pair, int);\n"
	"__global__ void k(int c, int a, int b, int *p, int *q, float f, f4 v,\n"
	"	pair s, pair t, big m, big n, float (*x)[4], float (*y)[4])\n{\n";

struct snippet {
	struct arena *a;
	struct intrinsic_db db;
	struct kt_unit *u;
	struct facts *f;
	struct match_arm *arm;
	size_t arms;
	struct match match;
};

static void snippet_parse(struct snippet *s, const char *text)
{
	const char *flags[] = {"-nogpuinc", "-std=c++17", "-w", NULL};
	*s = (struct snippet){.a = arena_create()};
	assert_int_equal(intrinsic_db_builtin(&s->db, s->a), 0);
	struct frontend_job job = {.path = "example.hip",
		.target = "gfx90a",
		.flags = flags,
		.text = str_of(arena_strdup(s->a, text)),
		.intrinsics = &s->db};
	assert_int_equal(frontend_parse(&s->u, s->a, &job, NULL), 0);
	s->f = facts_create(s->u, s->a, &s->db);
}

static void snippet_open(struct snippet *s, const char *code, size_t max)
{
	struct sbuf text = {0};
	sbuf_addf(&text, "%s%s\n}\n", prelude, code);
	snippet_parse(s, sbuf_cstr(&text));
	sbuf_release(&text);
	struct merge_list l;
	merges_find(&l, s->f, s->a);
	assert_true(l.n > 0);
	s->arms = l.v[0].arms;
	s->arm = ARENA_ARRAY(s->a, struct match_arm, s->arms);
	for (size_t i = 0; i < s->arms; i++) {
		const struct kt_node *body = l.v[0].arm[i].body;
		s->arm[i] = (struct match_arm){(const struct kt_node *const *)body->child, body->n};
	}
	match_tail(&s->match, s->f, s->a, s->arm, s->arms, max);
}

static void snippet_close(struct snippet *s)
{
	facts_release(s->f);
	intrinsic_db_release(&s->db);
	arena_free(s->a);
}

/* "2: a|b, p[0]|q" */
static const char *describe(struct snippet *s)
{
	struct sbuf out = {0};
	sbuf_addf(&out, "%zu:", s->match.tail);
	for (size_t h = 0; h < s->match.holes; h++) {
		sbuf_adds(&out, h ? ", " : " ");
		for (size_t i = 0; i < s->arms; i++) {
			struct str e = kt_source(s->u, s->match.hole[h].expr[i]);
			sbuf_addf(&out, "%s%.*s", i ? "|" : "", STR_ARG(e));
		}
		if (s->match.hole[h].same != h) {
			sbuf_addf(&out, "=%zu", s->match.hole[h].same);
		}
	}
	return sbuf_finish(&out, s->a).p;
}

static void expect(const char *code, const char *want)
{
	struct snippet s;
	snippet_open(&s, code, SIZE_MAX);
	const char *got = describe(&s);
	if (strcmp(got, want) != 0) {
		fail_msg("%s\ngot %s, not %s", code, got, want);
	}
	snippet_close(&s);
}

static void test_endings(void **state)
{
	(void)state;
	expect("if (c) { p[0] = 1; } else { p[0] = 1; }", "1:");
	expect("if (c) { p[0] = 1; p[1] = 2; } else { q[7] /= 9; p[1] = 2; }", "1:");
	expect("if (c) { p[1] = 2; p[0] += 1; } else { p[1] = 2; p[0] -= 1; }", "0:");
	expect("if (c) { p[1] = 2; } else { p[0] = 5; p[1] = 2; q[1] = 0; }", "1: p|q, 2|0");
	expect("if (c) { } else { p[0] = 1; }", "0:");
	expect("if (c) { if (a) { p[0] = 1; } } else { if (a) p[0] = 1; }", "0:");
	expect("if (c) { use(1); } else { use(1.0f); }", "0:");
}

static void test_holes(void **state)
{
	(void)state;
	expect("if (c) { p[0] = a; } else { p[0] = b; }", "1: a|b");
	expect("if (c) { p[0] = a + 1; } else { p[0] = use(b); }", "1: a + 1|use(b)");
	expect("if (c) { p[0] = *p; p[1] = *p; } else { p[0] = *q; p[1] = *q; }", "2: p|q, p|q=0");
	/* joined where that reads nothing more */
	expect("if (c) { p[a & 3] = 0; } else { p[b & 7] = 0; }", "1: a & 3|b & 7");
	expect("if (c) { p[(a + c) & 3] = 0; } else { p[(b + c) & 7] = 0; }", "1: a|b, 3|7");
	/* no hole: an object that is changed, bound or too large; another type */
	expect("if (c) { a = 1; } else { b = 1; }", "0:");
	expect("if (c) { ++a; } else { ++b; }", "0:");
	expect("if (c) { change(a); } else { change(b); }", "0:");
	expect("if (c) { p[0] = __builtin_amdgcn_readlane(a, 1); } else { p[0] = "
	       "__builtin_amdgcn_readlane(a, 2); }",
		"1: __builtin_amdgcn_readlane(a, 1)|__builtin_amdgcn_readlane(a, 2)");
	expect("if (c) { p = &a; } else { p = &b; }", "1: &a|&b");
	expect("if (c) { p[0] = m.v[0]; } else { p[0] = n.v[0]; }", "1: m.v[0]|n.v[0]");
	expect("if (c) { p[0] = s.x; } else { p[0] = t.x; }", "1: s|t");
	expect("if (c) { s.x = 1; } else { t.x = 1; }", "0:");
	expect("if (c) { p[0] = use(f); } else { p[0] = use(a); }", "0:");
	expect("if (c) { f4 w = {f, f, f, f}; v += w; } else { f4 w = {f, f, f, 1}; v += w; }",
		"1: w|w");
	expect("if (c) { p[0] = x[a][b]; } else { p[0] = y[a][b]; }", "1: x|y");
}

static void test_locals(void **state)
{
	(void)state;
	expect("if (c) { int i = a; p[i] = i; } else { int j = a; p[j] = j; }", "2:");
	expect("if (c) { int i = a; int j = b; p[i] = j; } else { int j = a; int i = b; p[i] = j; "
	       "}",
		"3: i|i, j|j");
	expect("if (c) { int i = use(1); p[i] = i; } else { int i = use(1); i++; p[i] = i; }",
		"1: i|i, i|i=0");
	expect("if (c) { int i = a; p[i] = a; } else { int a = b; p[a] = a; }", "2: a|b, a|a");
	expect("if (c) { for (int i = 0; i < 4; ++i) p[i] = i; } else { for (int j = 0; j < 4; "
	       "++j) "
	       "p[j] = j; }",
		"1:");
	expect("if (c) { static int i; p[0] = i++; } else { static int i; p[0] = i++; }",
		"1: i++|i++");
	expect("if (c) { static int i; i = 3; } else { static int i; i = 3; }", "0:");
	/* hidden from the tree */
	expect("if (c) { int i[2]; p[0] = sizeof(i); } else { int j[2]; p[0] = sizeof(j); }",
		"2: sizeof(i)|sizeof(j)");
	expect("if (c) { char i; p[1] = 2; p[0] = sizeof(i); } else { char i; p[1] = 2; p[0] = "
	       "sizeof(i); }",
		"3:");
	expect("if (c) { char i; p[0] = 2; p[1] = sizeof(i); } else { char i; p[0] = 3 - 1; p[1] = "
	       "sizeof(i); }",
		"3: 2|3 - 1");
}

static void test_text(void **state)
{
	(void)state;
	expect("if (c) { p[0] = LEFT; } else { p[0] = LEFT; }", "1:");
	expect("if (c) { p[0] = LEFT; } else { p[0] = RIGHT; }", "0:");
	expect("if (c) { p[0] = LEFT; } else { p[0] = 1; }", "0:");
	expect("if (c) { p[0] = (a + b) * c; } else { p[0] = f * c; }", "0:");
	expect("if (c) { p[0] = (a + b) * c; } else { p[0] = b * c; }", "1: a + b|b");
	expect("if (c) { p[0] = b /* x */; } else { p[0] = b; // y\n }", "1:");
	expect("if (c) {\n#pragma unroll 2\nfor (;a;) --a; } else { for (;a;) --a; }", "0:");
}

static void test_arms(void **state)
{
	(void)state;
	expect("if (c) { p[0] = a; } else if (a) { p[0] = b; } else { p[0] = 7; }", "1: a|b|7");
	/* the outermost of what any two arms need */
	expect("if (c) { p[0] = use(a); } else if (a) { p[0] = use(b); } else { p[0] = 7; }",
		"1: use(a)|use(b)|7");
	expect("if (c) { p[0] = use(a); } else if (a) { p[0] = 7; } else { p[0] = use(b); }",
		"1: use(a)|7|use(b)");
	expect("if (c) { int i = a; p[i] = i; } else if (a) { int j = a; p[j] = j; } else { int i "
	       "= "
	       "b; p[i] = i; }",
		"2: a|a|b");
}

static void test_limit(void **state)
{
	(void)state;
	struct snippet s;
	snippet_open(&s, "if (c) { int i = a; p[i] = i; } else { int i = b; p[i] = i; }", 1);
	assert_string_equal(describe(&s), "1: i|i, i|i=0");
	assert_true(pair_equal(s.f, s.arm[0].stmt[1], s.arm[0].stmt[1]));
	assert_false(pair_equal(s.f, s.arm[0].stmt[1], s.arm[1].stmt[1]));
	snippet_close(&s);
}

static size_t nodes_of(const struct match_arm *arm)
{
	size_t nodes = 0;
	for (size_t i = 0; i < arm->n; i++) {
		for (const struct kt_node *n = arm->stmt[i]; n; n = kt_next(n, arm->stmt[i])) {
			nodes++;
		}
	}
	return nodes;
}

/* Long arms, alike: each statement is looked at once. */
static void test_long(void **state)
{
	(void)state;
	enum {
		STATEMENTS = 3000
	};
	struct sbuf code = {0};
	for (int arm = 0; arm < 2; arm++) {
		sbuf_adds(&code, arm ? "else {" : "if (c) {");
		for (int i = 0; i < STATEMENTS; i++) {
			sbuf_addf(&code, "p[%d] = (a + b * %d) ^ q[c];\n", i, i);
		}
		sbuf_adds(&code, "}\n");
	}
	struct snippet s;
	snippet_open(&s, sbuf_cstr(&code), SIZE_MAX);
	assert_int_equal(s.match.tail, STATEMENTS);
	assert_int_equal(s.match.holes, 0);
	assert_true(s.match.compared <= nodes_of(&s.arm[0]));
	snippet_close(&s);
	sbuf_release(&code);
}

/* Statements that are equal as trees and differ in text, and after them some that match. */
static void test_unlike(void **state)
{
	(void)state;
	enum {
		UNLIKE = 640
	};
	struct snippet s;
	struct sbuf code = {0};
	for (int arm = 0; arm < 2; arm++) {
		sbuf_adds(&code, arm ? "else {" : "if (c) {");
		for (unsigned i = 0; i < UNLIKE; i++) {
			sbuf_addf(&code, "p[1] = %s;\n", arm ? "int(f)" : "(int)f");
		}
		sbuf_adds(&code, "p[2] = a; p[3] = b; }\n");
	}
	snippet_open(&s, sbuf_cstr(&code), SIZE_MAX);
	assert_int_equal(s.match.tail, 2);
	assert_true(s.match.compared <= nodes_of(&s.arm[0]));
	snippet_close(&s);
	sbuf_release(&code);
}

/* Lists in lists that are alike but for what is in the innermost. */
static void nest(struct sbuf *code, unsigned depth, const char *leaf)
{
	for (unsigned i = 0; i < 7; i++) {
		if (depth == 0) {
			sbuf_adds(code, leaf);
		} else {
			sbuf_adds(code, "if (a) {");
			nest(code, depth - 1, leaf);
			sbuf_adds(code, "}\n");
		}
	}
}

static void test_effort(void **state)
{
	(void)state;
	struct overlay o;
	struct snippet s;
	struct sbuf code = {0};
	sbuf_adds(&code, "int i = a; if (c) {");
	nest(&code, 3, "change(i);");
	sbuf_adds(&code, "} else {");
	nest(&code, 3, "use(i);");
	sbuf_adds(&code, "}\n");
	snippet_open(&s, sbuf_cstr(&code), SIZE_MAX);
	overlay_arms(&o, s.f, s.a, s.arm, s.arms, false);
	assert_int_equal(o.common, 0);
	size_t most = OVERLAY_EFFORT * (nodes_of(&s.arm[0]) + nodes_of(&s.arm[1]));
	assert_int_equal(o.compared, most);
	snippet_close(&s);
	sbuf_release(&code);
}

/* Merges by node, what is around each, and the widest carrier of a text's instances. */
static void test_merge_index(void **state)
{
	(void)state;
	struct snippet s;
	struct merge_list l;
	snippet_parse(&s,
		"template <int N> __attribute__((global)) void k(int a, int b, float *p)\n{\n"
		"	float acc[N] = {};\n"
		"	for (int i = 0; i < b; i++) {\n"
		"		if (a) {\n"
		"			if (i) { acc[0] += 1; } else { acc[0] += 2; }\n"
		"			acc[1] += i ? a : b;\n"
		"		} else { acc[0] += 3; }\n"
		"		if (i > 3) { acc[2] += 4; } else { acc[2] += 5; }\n"
		"	}\n"
		"	for (int i = 0; i < N; i++) { p[i] = acc[i]; }\n}\n"
		"template __attribute__((global)) void k<8>(int, int, float *);\n"
		"template __attribute__((global)) void k<40>(int, int, float *);\n");
	merges_find(&l, s.f, s.a);
	size_t inside = 0, widest = 0;
	for (size_t i = 0; i < l.n; i++) {
		const struct merge *m = &l.v[i], *outer = NULL;
		for (const struct kt_node *up = m->node->parent; up && !outer; up = up->parent) {
			outer = merge_at(&l, up);
		}
		assert_ptr_equal(merge_at(&l, m->node), m);
		assert_null(merge_at(&l, m->node->child[0]));
		const struct merge *below = NULL;
		for (size_t k = l.n; k-- > 0;) {
			bool in = k != i && kt_is_below(l.v[k].node, m->node);
			below = in ? &l.v[k] : below;
		}
		assert_ptr_equal(merge_below(&l, m->node), below);
		assert_ptr_equal(m->outer, outer);
		inside += outer != NULL;
		widest += m->widest == 40;
	}
	assert_int_equal(l.n, 8);
	assert_ptr_equal(merge_below(&l, s.u->fn[l.v[4].fn].body), &l.v[4]);
	assert_int_equal(inside, 4);
	assert_int_equal(widest, 6); /* all but what chooses a number */
	snippet_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_endings),
		cmocka_unit_test(test_holes), cmocka_unit_test(test_locals),
		cmocka_unit_test(test_text), cmocka_unit_test(test_arms),
		cmocka_unit_test(test_limit), cmocka_unit_test(test_long),
		cmocka_unit_test(test_unlike), cmocka_unit_test(test_effort),
		cmocka_unit_test(test_merge_index)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
