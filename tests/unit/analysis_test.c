/*
 * What crosses a merge, and what is known of effects. A case is a snippet and what analysis must
 * say of it, one line a merge: "ARMS name:width:chained|fresh:writers ..." with the widest carrier
 * first; or one line for each call of mark(), a list of the locations that the statement behind it
 * reads and writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "snippet.h"

struct crossing {
	const char *name;
	const char *code;
	const char *want;
};

#define LOOP "for (int i = 0; i < n; ++i) "
#define ACC KERNEL_HEAD "f32x4 a[32]; for (int j = 0; j < 32; ++j) a[j] = 0.f; "
#define KERNEL_HEAD "KERNEL k(float *o, const float *p, int n, int m) { "
#define OUT "for (int j = 0; j < 32; ++j) o[j] = a[j].x; }"
#define EACH(e) "for (int j = 0; j < 32; ++j) " e

static const struct crossing crossings[] = {
	{"chained in a loop",
		ACC LOOP
		"if (i < m) { " EACH("a[j] += p[j];") " } else { " EACH("a[j] -= p[j];") " } " OUT,
		"2 a:128:chained:2"},
	{"as many registers as there are",
		KERNEL_HEAD
		"float a[512]; if (n) { a[m] += p[0]; } else { a[m] -= p[1]; } o[0] = a[n]; }",
		"2 a:512:chained:2"},
	{"a struct of more than that",
		"struct S { int n; float v[512]; }; __device__ void f(S *s, int m) { "
		"if (m) { s->v[s->n++] += 1; } else { s->v[s->n--] -= 1; } } "
		"KERNEL k(float *o, int m) { S s = {}; f(&s, m); o[0] = s.v[m]; }",
		"2"},
	{"more than that: in memory",
		KERNEL_HEAD
		"float a[513]; if (n) { a[m] += p[0]; } else { a[m] -= p[1]; } o[0] = a[n]; }",
		"2"},
	{"zeroed in each arm by a loop",
		ACC LOOP "{ if (i < m) { " EACH("a[j] = 0.f;")
			EACH("a[j] += p[j];") " } else { " EACH(
				"a[j] = p[j];") " } o[i] = a[i & 31].x; } " OUT,
		"2 a:128:fresh:2"},
	{"zeroed in each arm through a call",
		"__device__ void zero(f32x4 (&v)[32]) { for (auto &x : v) x = 0.f; }" ACC LOOP
		"{ if (i < m) { zero(a); a[0] += p[i]; } else { zero(a); a[1] += p[i]; } o[i] = "
		"a[i & 31].x; } " OUT,
		"2 a:128:fresh:2"},
	{"two dimensions, overwritten",
		KERNEL_HEAD
		"float a[8][8]; float s = 0; " LOOP "{ if (i < m) { for (int x = 0; x < 8; ++x) "
		"for (int y = 0; y < 8; ++y) a[x][y] = p[x]; } "
		"else { for (int x = 0; x < 8; ++x) for (int y = 0; y < 8; ++y) { a[x][y] = 0; "
		"for (int z = 0; z < 4; ++z) a[x][y] += p[z]; } } for (int x = 0; x < 8; ++x) s += "
		"a[x][x]; } "
		"o[0] = s; }",
		"2 a:64:fresh:2"},
	{"overwritten but for one element",
		ACC LOOP "{ if (i < m) { for (int j = 0; j < 31; ++j) a[j] = 0.f; a[0] += a[31]; } "
			 "else { " EACH("a[j] = p[j];") " } o[i] = a[i & 31].x; } " OUT,
		"2 a:128:chained:2"},
	{"overwritten under a condition",
		ACC LOOP
		"{ if (i < m) { if (p[i] > 0) " EACH("a[j] = 0.f;") " a[0] += p[i]; } else { " EACH(
			"a[j] = p[j];") " } o[i] = a[i & 31].x; } " OUT,
		"2 a:128:chained:2"},
	{"dead after the merge",
		ACC "if (m) { " EACH("a[j] += p[j];") " o[0] = a[1].x; } else { " EACH(
			"a[j] -= p[j];") " o[0] = a[2].x; } }",
		"2"},
	{"overwritten after the merge",
		ACC "if (m) { " EACH("a[j] += p[j];") " } else { " EACH("a[j] -= p[j];") " } " EACH(
			"a[j] = p[j];") OUT,
		"2"},
	{"one-armed", ACC LOOP "if (i < m) { " EACH("a[j] += p[j];") " } " OUT, "1"},
	{"written in one arm only",
		ACC LOOP "if (i < m) { " EACH("a[j] += p[j];") " } else { o[1] = 2; } " OUT, "2"},
	{"else-if chain without else",
		ACC LOOP "if (i < m) { " EACH("a[j] += p[j];") " } else if (i == n) { " EACH(
			"a[j] -= p[j];") " } " OUT,
		"2 a:128:chained:2"},
	{"an arm that leaves",
		ACC LOOP "if (i < m) { " EACH("a[j] += p[j];") " } else { " EACH(
			"a[j] -= p[j];") " return; } " OUT,
		"2"},
	{"constant condition",
		"template <bool B> __global__ void k(float *o, const float *p) { f32x4 "
		"a[32]; " EACH("a[j] = p[j];") " if (B) { " EACH("a[j] += p[j];") " } else { " EACH(
			"a[j] -= p[j];") " } " OUT " template __global__ void k<true>(float *, "
					 "const float *);",
		""},
	{"if constexpr",
		"template <bool B> __global__ void k(float *o, const float *p) { f32x4 "
		"a[32]; " EACH("a[j] = p[j];") " if constexpr (B) { " EACH(
			"a[j] += p[j];") " } else { " EACH("a[j] -= p[j];") " } " OUT
									    " template __global__ "
									    "void k<true>(float *, "
									    "const float *);",
		""},
	{"LDS",
		"KERNEL k(float *o, int m) { __shared__ float a[64]; a[m] = 0; if (m) { a[1] += 1; "
		"} else { "
		"a[1] -= 2; } o[0] = a[1]; }",
		"2"},
	{"LDS through a parameter",
		"__device__ void f(float (&a)[64], int m) { if (m) { a[1] += 1; } else { "
		"a[1] -= 2; } } KERNEL k(float *o, int m) { __shared__ float l[64]; f(l, m); o[0] "
		"= l[1]; }",
		"2"},
	{"a reference to the caller's variable",
		"__device__ void f(float (&a)[64], int m) { if (m) { "
		"a[1] += 1; } else { a[1] -= 2; } } KERNEL k(float *o, int m) { float l[64] = {}; "
		"f(l, m); "
		"o[0] = l[1]; }",
		"2 a:64:chained:2"},
	{"a pointer to the caller's variable",
		"__device__ void f(float *a, int m) { if (m) { a[1] += 1; } "
		"else { a[1] -= 2; } } KERNEL k(float *o, int m) { float l[64] = {}; f(l, m); o[0] "
		"= l[1]; }",
		"2 *a:2:chained:2"},
	{"a pointer to variables of two callers",
		"__device__ void f(float *a, int i, int m) { if (m) { a[i] += 1; } "
		"else { a[i] -= 2; } } KERNEL k(float *o, int m) { float l[64] = {}; f(l, m, m); "
		"o[0] = l[1]; } KERNEL h(float *o, int m) { float l[80] = {}; f(l, m, m); o[0] = "
		"l[1]; }",
		"2 *a:80:chained:2"},
	{"a pointer to shared memory, too",
		"__device__ void f(float *a, int i, int m) { if (m) { a[i] += 1; } "
		"else { a[i] -= 2; } } KERNEL k(float *o, int m) { float l[64] = {}; f(l, m, m); "
		"__shared__ float t[64]; f(t, m, m); o[0] = l[1] + t[0]; }",
		"2"},
	{"what a view by value leads to",
		"struct V { float *at; __device__ float &operator[](int i) { return at[i]; } }; "
		"__device__ void f(V v, int m) { if (m) { v[m] += 1; } else { v[m] -= 2; } } "
		"KERNEL k(float *o, int m) { float l[64] = {}; f(V{l}, m); o[0] = l[1]; }",
		"2 *v:64:chained:2"},
	{"what a view by reference leads to",
		"struct V { float *at; __device__ float &operator[](int i) const { return at[i]; } "
		"}; "
		"__device__ void f(const V &v, int m) { if (m) { v[m] += 1; } else { v[m] -= 2; } "
		"} "
		"KERNEL k(float *o, int m) { float l[64] = {}; V v{l}; f(v, m); o[0] = l[1]; }",
		"2 *v:64:chained:2"},
	{"an accumulator beside pointers to memory",
		"struct S { float acc[64]; const float *from; }; __device__ void f(S &s, int m) { "
		"if (m) { s.acc[m] += s.from[0]; } else { s.acc[m] -= s.from[1]; } } "
		"KERNEL k(float *o, int m) { S s = {{}, o}; f(s, m); o[0] = s.acc[1]; }",
		"2 s:66:chained:2"},
	{"a lambda's capture",
		KERNEL_HEAD "float a[64] = {}; auto add = [&](float s) { a[1] += s; }; " LOOP
			    "if (i < m) add(1); else add(2); o[0] = a[1]; }",
		"2 a:64:chained:2"},
	{"a member through this",
		"struct T { f32x4 v[16]; __device__ void f(int m) { if (m) { v[1] += 1; } "
		"else { v[1] -= 1; } } }; KERNEL k(float *o, int m) { T t = {}; t.f(m); o[0] = "
		"t.v[1].x; }",
		"2 *this:64:chained:2"},
	{"a member of an object in LDS",
		"struct T { f32x4 v[16]; __device__ void f(int m) { if (m) { "
		"v[1] += 1; } else { v[1] -= 1; } } }; KERNEL k(float *o, int m) { __shared__ T t; "
		"t.f(m); "
		"o[0] = t.v[1].x; }",
		"2"},
	{"a struct",
		"struct S { f32x4 v[8]; int n; }; KERNEL k(float *o, int m) { S s = {}; if (m) { "
		"s.v[1] += 1; } else { s.v[2] += 1; } o[0] = s.v[1].x; }",
		"2 s:36:chained:2"},
	{"a switch",
		ACC LOOP
		"switch (i & 3) { case 0: a[0] += 1; break; case 1: case 2: a[1] += 1; break; "
		"default: a[2] += 1; } " OUT,
		"3 a:128:chained:3"},
	{"a conditional expression",
		"__device__ int f(float (&a)[64], int x) { a[x] += 1; return x; } "
		"KERNEL k(float *o, int m) { float a[64] = {}; o[1] = m ? f(a, 1) : f(a, 2); "
		"o[0] = a[1]; }",
		"2 a:64:chained:2"},
	{"a conditional expression whose value nobody takes",
		"__device__ int f(float (&a)[64], int x) { a[x] += 1; return x; } "
		"KERNEL k(float *o, int m) { float a[64] = {}; "
		"for (int i = 0; i < m; i++) (void)(m ? f(a, 1) : i ? f(a, 3) : f(a, 2)); "
		"o[0] = a[1]; }",
		"apart 2 a:64:chained:2"},
	{"used around the back edge only",
		KERNEL_HEAD "float a[64] = {}; " LOOP
			    "{ o[i] = a[0]; if (i < m) { a[0] += 1; } else { a[0] -= 1; } } }",
		"2 a:64:chained:2"},
	{"host code",
		"void f(float *o, int m) { float a[64] = {}; if (m) { a[0] += 1; } else { a[0] -= "
		"1; } "
		"o[0] = a[0]; }",
		""},
};

static const char *describe(struct snippet *s)
{
	struct sbuf b = {0};
	for (size_t i = 0; i < s->merges.n + s->merges.exits; i++) {
		bool apart = i >= s->merges.n;
		const struct merge *m = apart ? &s->merges.exit[i - s->merges.n] : &s->merges.v[i];
		sbuf_addf(&b, "%s%s%zu", b.n ? "\n" : "", apart ? "apart " : "", m->arms);
		for (size_t k = 0; k < m->carriers; k++) {
			const struct carrier *c = &m->carrier[k];
			sbuf_addf(&b, " %s:%u:%s:%u", facts_loc_name(s->facts, s->arena, c->loc),
				c->width, c->chained ? "chained" : "fresh", c->writers);
		}
	}
	return sbuf_finish(&b, s->arena).p;
}

/* The last line is the merge that the case is about: ifs inside its arms come first or after. */
static void test_crossing(void **state)
{
	const struct crossing *c = *state;
	struct snippet s;
	assert_int_equal(snippet_parse(&s, c->code), 0);
	const char *got = describe(&s);
	struct str rest = str_of(got);
	struct str line;
	bool found = *c->want == '\0' && *got == '\0';
	while (!found && str_line(&rest, &line)) {
		found = str_is(line, c->want);
	}
	if (!found) {
		fail_msg("wanted \"%s\", got \"%s\"", c->want, got);
	}
	snippet_release(&s);
}

/* ---- effects ---- */

/* Among the flags: what is wanted stands in a macro's body. */
#define MACRO_BODY (1u << 31)

struct effect {
	const char *name;
	const char *code; /* the first statement of f's body is looked at */
	const char *reads;
	const char *writes;
	unsigned flags;	  /* that must be there */
	unsigned without; /* that must not */
};

#define F(body)                                                                                    \
	"__device__ void f(float &r, float *q, const float *__restrict__ p, int n) { int x = "     \
	"0; " body " }"                                                                            \
	" KERNEL k(float *o, const float *i) { float v = 1; f(v, o, i, 2); }"

static const struct effect effects[] = {
	{"assignment", F("{ x = n; }"), "n", "x", 0, FX_UNKNOWN},
	{"compound assignment reads", F("{ x += n; }"), "x n", "x", 0, FX_UNKNOWN},
	{"own locals are left out", F("{ int y = n; x = y; }"), "n", "x", 0, FX_UNKNOWN},
	{"through a pointer", F("{ q[n] = p[1]; }"), "q n p *p", "*q", 0, FX_UNKNOWN},
	{"a reference", F("{ r += 1; }"), "r", "r", 0, FX_UNKNOWN},
	{"a barrier", F("{ __syncthreads(); }"), "", "", FX_BARRIER, FX_UNKNOWN},
	{"break inside its loop stays inside", F("{ while (n) { break; } }"), "n", "", 0, FX_BREAK},
	{"return leaves", F("{ if (n) return; }"), "n", "", FX_RETURN, FX_BREAK},
	{"an unknown function", "__device__ void u(float *);" F("{ u(q); }"), "unknown memory q *q",
		"unknown memory *q", FX_UNKNOWN, 0},
	{"a matrix operation",
		"__device__ f32x4 m(f32x4 c) { return __builtin_amdgcn_mfma_f32_4x4x1f32(1.f, 1.f, "
		"c, 0, 0, 0); }" F("{ f32x4 c = m(f32x4(1.f)); x = c.x; }"),
		"", "x", FX_MATRIX, FX_UNKNOWN},
	{"inline asm of its operands", F("{ asm(\"v_mov_b32 %0, %1\" : \"=v\"(x) : \"v\"(n)); }"),
		"n", "x", 0, FX_ASM | FX_UNKNOWN | FX_ORDERED},
	{"volatile asm of its operands",
		F("{ asm volatile(\"v_add_u32 %[x], %1, %[x]\" : [x] \"+&v\"(x) : \"v\"(p[n])); }"),
		"x n p *p", "x", FX_PINNED, FX_ASM | FX_UNKNOWN},
	{"asm with a matrix operation",
		F("{ asm(\"\\n\\tv_mfma_f32_4x4x1f32\\t%0, %1, %2, %3 cbsz:1 ; d\\n\\ts_nop 4\" : "
		  "\"=v\"(x) : \"v\"(n), \"v\"(n), \"0\"(x)); }"),
		"n x", "x", FX_MATRIX, FX_ASM | FX_UNKNOWN | FX_ORDERED},
	{"asm in capitals", F("{ asm(\"V_ADD3_U32 %0, %1, 1, 2;\" : \"=v\"(x) : \"v\"(n)); }"), "n",
		"x", 0, FX_ASM | FX_UNKNOWN | FX_ORDERED},
	{"asm without an output is volatile", F("{ asm(R\"(v_mov_b32 %0, %0)\" : : \"v\"(x)); }"),
		"x", "", FX_PINNED, FX_ASM | FX_UNKNOWN},
	{"asm that other lanes count for",
		F("{ asm(\"v_mov_b32_dpp %0, %1 row_shr:1\" : \"=v\"(x) : \"v\"(n)); }"), "n", "x",
		FX_CROSSLANE, FX_ASM | FX_UNKNOWN},
	{"asm with a scalar register", F("{ asm(\"v_mov_b32 %0, %1\" : \"=v\"(x) : \"s\"(n)); }"),
		"n", "x", FX_CROSSLANE, FX_ASM | FX_UNKNOWN},
	{"asm with a register by its name", F("{ asm(\"v_mov_b32 %0, v3\" : \"=v\"(x)); }"),
		"unknown memory", "x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm with a range of registers by their name",
		F("{ asm(\"v_mov_b64 %0, v[%1:%1+1]\" : \"=v\"(x) : \"n\"(3)); }"),
		"unknown memory", "x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm with a clobber of memory",
		F("{ asm volatile(\"v_mov_b32 %0, 1\" : \"=v\"(x) : : \"memory\"); }"),
		"unknown memory", "x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm that loads",
		F("{ asm volatile(\"global_load_dword %0, %1, off\" : \"=v\"(x) : \"v\"(q)); }"),
		"q unknown memory", "x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm without an instruction", F("{ asm volatile(\"\" : \"+v\"(x)); }"), "x unknown memory",
		"x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm that makes a pointer", F("{ asm(\"v_mov_b64 %0, 0\" : \"=v\"(q)); }"),
		"unknown memory", "q unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm with a label", F("{ asm(\"a: v_mov_b32 %0, 0\" : \"=v\"(x)); }"), "unknown memory",
		"x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm with an operand in memory", F("{ asm(\"v_mov_b32 %0, 0\" : \"=m\"(x)); }"),
		"unknown memory", "unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm whose template a macro makes",
		"#define I(c) \"v_mov_b32 %0, \" #c\n" F("{ asm(I(1) : \"=v\"(x)); }"),
		"unknown memory", "x unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm whose operands a macro makes",
		"#define O : \"=v\"(x)\n" F("{ asm(\"v_mov_b32 %0, 1\" O); }"), "unknown memory",
		"unknown memory", FX_ASM | FX_UNKNOWN, 0},
	{"asm in a macro",
		"#define M(d, a) asm volatile(\"v_mov_b32 \" \\\n \"%0, %1\" : \"=v\"(d) \\\n : "
		"\"v\"(a))\n" F("{ M(x, n); }"),
		"n", "x", FX_PINNED | MACRO_BODY, FX_ASM | FX_UNKNOWN},
	{"an empty asm", F("{ asm volatile(\"\"); }"), "", "", FX_FENCE, FX_ASM | FX_UNKNOWN},
	{"a callee's writes map to the argument",
		"__device__ void g(int &y, int z) { y = z; }" F("{ g(x, n); }"), "n", "x", 0,
		FX_UNKNOWN},
	{"a callee's own variables stay there",
		"__device__ int g(int z) { int t = z; t++; return t; }" F("{ x = g(n); }"), "n",
		"x", 0, FX_UNKNOWN},
	{"a member template's object is found behind its arguments",
		"struct s { int v; template <bool B, int N> __device__ void set(int z) { v = B ? z "
		": N; } };" F("{ s a; int t = 0; if (n) { a.set<true, 3>(t); } x = a.v; }"),
		"n", "x", 0, FX_UNKNOWN},
	{"recursion is not understood",
		"__device__ int g(int z) { return z ? g(z - 1) : 0; }" F("{ x = g(n); }"), NULL,
		NULL, FX_UNKNOWN, 0},
	{"a volatile access", F("{ x = *(volatile float *)q; }"), NULL, "x", FX_VOLATILE,
		FX_UNKNOWN},
};

static const struct kt_node *first_block(const struct kt_unit *u)
{
	for (kt_id id = 1; id < u->fns; id++) {
		if (strcmp(u->fn[id].base, "f") == 0 && u->fn[id].body) {
			return u->fn[id].body->child[1];
		}
	}
	fail_msg("there is no f");
	return NULL;
}

static void expect_set(
	struct snippet *s, const struct locset *set, const char *want, const char *what)
{
	struct str rest = str_of(want);
	size_t words = 0;
	for (uint32_t i = 0; want && i < set->n; i++) {
		const char *name = facts_loc_name(s->facts, s->arena, set->v[i]);
		if (str_find(str_of(want), name, 0) == SIZE_MAX) {
			fail_msg("%s '%s', which was not wanted", what, name);
		}
		words += str_find(str_of(name), " ", 0) == SIZE_MAX ? 1 : 2;
	}
	struct str word;
	size_t wanted = 0;
	while (want && *want && str_split(&rest, ' ', &word)) {
		wanted += word.n > 0;
	}
	if (want && words != wanted) {
		fail_msg("%s %zu locations, wanted \"%s\"", what, words, want);
	}
}

static void test_effect(void **state)
{
	const struct effect *e = *state;
	struct snippet s;
	assert_int_equal(snippet_parse(&s, e->code), 0);
	if (e->flags & MACRO_BODY && !libclang_tells_spelling()) {
		print_message("libclang 17 and 18 do not tell where a macro's body is spelled\n");
		snippet_release(&s);
		skip();
	}
	struct fx fx = facts_effects(s.facts, first_block(s.unit));
	expect_set(&s, &fx.reads, e->reads, "reads");
	expect_set(&s, &fx.writes, e->writes, "writes");
	assert_int_equal(fx.flags & e->flags, e->flags & ~MACRO_BODY);
	assert_int_equal(fx.flags & e->without, 0);
	snippet_release(&s);
}

/* ---- aliasing ---- */

static loc_id loc_named(struct snippet *s, const char *fn, const char *name)
{
	for (kt_id id = 1; id < s->unit->fns; id++) {
		const struct kt_fn *f = &s->unit->fn[id];
		for (size_t i = 0; strcmp(f->base, fn) == 0 && i < f->params; i++) {
			if (strcmp(s->unit->sym[f->param[i]].name, name) == 0) {
				return LOC_DEREF(f->param[i]);
			}
		}
	}
	fail_msg("no parameter %s of %s", name, fn);
	return LOC_NONE;
}

static void test_aliasing(void **state)
{
	(void)state;
	struct snippet s;
	assert_int_equal(
		snippet_parse(&s, "__device__ void f(float &a, float &b, float &c) { a = b + c; }"
				  "__device__ void g(float *q, float *__restrict__ r, float &v) { "
				  "q[0] = r[1] + v; }"
				  "struct restricted { float v; }; "
				  "KERNEL h(restricted *m, restricted *n, float *__restrict__ *p) "
				  "{ m->v = n->v + **p; } "
				  "KERNEL k(float *o, float *w) { float x = 1, y = 2; f(x, y, y); "
				  "g(o, w, x); }"),
		0);
	/* a type's name that has the word in it, and a pointer to such a pointer */
	assert_true(facts_may_alias(s.facts, loc_named(&s, "h", "m"), loc_named(&s, "h", "n")));
	assert_true(facts_may_alias(s.facts, loc_named(&s, "h", "m"), loc_named(&s, "h", "p")));
	assert_false(facts_may_alias(s.facts, loc_named(&s, "f", "a"), loc_named(&s, "f", "b")));
	assert_true(facts_may_alias(s.facts, loc_named(&s, "f", "b"), loc_named(&s, "f", "c")));
	assert_false(facts_may_alias(s.facts, loc_named(&s, "g", "q"), loc_named(&s, "g", "r")));
	assert_false(facts_may_alias(s.facts, loc_named(&s, "g", "q"), loc_named(&s, "g", "v")));
	assert_true(facts_may_alias(s.facts, loc_named(&s, "k", "o"), loc_named(&s, "k", "w")));
	assert_true(facts_may_alias(s.facts, loc_named(&s, "k", "o"), LOC_GLOBAL));
	assert_true(facts_may_alias(s.facts, LOC_UNKNOWN, loc_named(&s, "g", "q")));
	snippet_release(&s);
}

static void test_kernels_of(void **state)
{
	(void)state;
	struct snippet s;
	assert_int_equal(snippet_parse(&s, "__device__ void f() {} __device__ void g() { f(); }"
					   "KERNEL a() { g(); } KERNEL b() { f(); } KERNEL c() {}"),
		0);
	for (kt_id id = 1; id < s.unit->fns; id++) {
		kt_id *kernel;
		size_t n;
		facts_kernels_of(&kernel, &n, s.facts, s.arena, id);
		const char *name = s.unit->fn[id].base;
		assert_int_equal(n, strcmp(name, "f") == 0 ? 2 : 1);
	}
	snippet_release(&s);
}

int main(void)
{
	enum {
		CROSSINGS = sizeof(crossings) / sizeof(crossings[0]),
		EFFECTS = sizeof(effects) / sizeof(effects[0]),
	};
	struct CMUnitTest tests[CROSSINGS + EFFECTS + 2] = {
		cmocka_unit_test(test_aliasing), cmocka_unit_test(test_kernels_of)};
	size_t n = 2;
	for (size_t i = 0; i < CROSSINGS; i++) {
		tests[n++] = (struct CMUnitTest){.name = crossings[i].name,
			.test_func = test_crossing,
			.initial_state = (void *)&crossings[i]};
	}
	for (size_t i = 0; i < EFFECTS; i++) {
		tests[n++] = (struct CMUnitTest){.name = effects[i].name,
			.test_func = test_effect,
			.initial_state = (void *)&effects[i]};
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
