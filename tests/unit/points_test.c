/*
 * Who may point where: in each case the last statement writes what `own` is, by a way of its own,
 * and must be seen to. Nothing of it reaches `far`, which goes the same way elsewhere in the unit;
 * where that is told apart, the case says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "snippet.h"

enum precision {
	TOLD_APART,
	MIXED_UP
};

struct way {
	const char *name; /* of the kernel */
	const char *make; /* X stands for the array */
	const char *write;
	enum precision far;
};

static const char *const types =
	"struct span { int *at; int n; __device__ int &operator[](int i) { return at[i]; }"
	" __device__ void set(int *p) { at = p; } __device__ int *begin() { return at; }"
	" __device__ int *end() { return at + n; } __device__ span &self() { return *this; }"
	" __device__ void inner(int *p) { auto g = [&] { at = p; }; g(); }"
	" __device__ void put(int x) { auto g = [&] { at[0] = x; }; g(); } };"
	"struct view { int *at; __device__ view(int *p) : at(p) {}"
	" __device__ int &operator[](int i) const { return at[i]; }"
	" __device__ int *get() const { return at; } };"
	"struct deep : view { int more; __device__ deep(int *p) : view(p), more(0) {} };"
	"struct self { int *at; __device__ self(int *p) { take(p); }"
	" __device__ void take(int *p) { at = p; } };"
	"struct ring { int *at; ring *next; __device__ ring(int *p) : at(p), next(this)"
	" { next = next->next; at = next->at; } };"
	"struct outer { span in; __device__ int &operator[](int i) { return in[i]; } };"
	"struct list { int *at; list *next; };"
	"struct named { int &x; };"
	"struct mixed { int own[2]; int *other; };"
	"__device__ void init(int *&q, int *p) { q = p; }"
	"__device__ void initp(int **q, int *p) { *q = p; }"
	"__device__ void fill(span &s, int *p) { s.at = p; }"
	"__device__ void through(span *s, int *p) { s->at = p; }"
	"__device__ span make(int *p) { span s; s.at = p; return s; }"
	"__device__ int *ahead(int *p) { return p + 1; }"
	"__device__ int &first(int *p) { return *p; }"
	"__device__ void poke(int *p, int x) { p[0] = x; }"
	"__device__ void poke_span(span s, int x) { s[0] = x; }"
	"__device__ void poke_view(const view &v, int x) { v[0] = x; }"
	"__device__ void poke_deep(list *l, int x) { l->next->at[0] = x; }"
	"template <class T> __device__ void swap(T &a, T &b) { T t = a; a = b; b = t; }"
	"template <class F> __device__ void call(F f) { f(); }";

static const struct way ways[] = {
	{"pointer", "int *q = X + 1; --q;", "q[0] = 1", TOLD_APART},
	{"member", "span s{X, 2};", "s.at[0] = 1", TOLD_APART},
	{"index", "span s{X, 2};", "s[0] = 1", TOLD_APART},
	{"copied_in_constructor", "int *q = ring(X).at;", "q[0] = 1", TOLD_APART},
	{"ring", "ring r(X);", "r.at[0] = 1", TOLD_APART},
	{"begin", "span s{X, 2};", "*s.begin() = 1", TOLD_APART},
	{"range", "span s{X, 2};", "for (int &e : s) e = 1", TOLD_APART},
	{"chosen", "span s{X, 2}, t{X, 1};", "(s.n ? s : t)[0] = 1", TOLD_APART},
	{"itself", "span s{X, 2};", "s.self()[0] = 1", TOLD_APART},
	{"lambda_of_a_method", "span s{X, 2};", "s.put(1)", MIXED_UP},
	{"set", "span s; s.set(X);", "s.at[0] = 1", MIXED_UP},
	{"set_and_index", "span s; s.set(X);", "s[0] = 1", MIXED_UP},
	{"set_in_a_lambda", "span s; s.inner(X);", "s[0] = 1", MIXED_UP},
	{"constructed", "view s(X);", "s[0] = 1", TOLD_APART},
	{"constructed_and_got", "view s(X);", "s.get()[0] = 1", TOLD_APART},
	{"base", "deep s(X);", "s[0] = 1", TOLD_APART},
	{"constructor_calls", "self s(X);", "s.at[0] = 1", MIXED_UP},
	{"temporary", "", "(void)((view(X))[0] = 1)", TOLD_APART},
	{"returned", "span s = make(X);", "s[0] = 1", TOLD_APART},
	{"returned_temporary", "", "make(X)[0] = 1", TOLD_APART},
	{"returned_member", "", "make(X).at[0] = 1", TOLD_APART},
	{"bound", "const view &s = view(X);", "s[0] = 1", TOLD_APART},
	{"copied", "span r{X, 2}; span s = r;", "s.at[0] = 1", TOLD_APART},
	{"assigned", "span r{X, 2}; span s{}; s = r;", "s.at[0] = 1", TOLD_APART},
	{"copied_bytes", "span r{X, 2}; span s; __builtin_memcpy(&s, &r, sizeof s);", "s.at[0] = 1",
		MIXED_UP},
	{"nested", "outer s{{X, 2}};", "s.in.at[0] = 1", TOLD_APART},
	{"nested_index", "outer s{{X, 2}};", "s[0] = 1", TOLD_APART},
	{"list", "list b{X, nullptr}; list s{nullptr, &b};", "s.next->at[0] = 1", TOLD_APART},
	{"list_in_a_call", "list b{X, nullptr}; list s{nullptr, &b};", "poke_deep(&s, 1)",
		TOLD_APART},
	{"pointer_to_pointer", "int *q; int **qq = &q; *qq = X;", "q[0] = 1", TOLD_APART},
	{"pointer_by_reference", "int *q; init(q, X);", "q[0] = 1", MIXED_UP},
	{"pointer_by_pointer", "int *q; initp(&q, X);", "*q = 1", MIXED_UP},
	{"array_of_pointers", "int *q[2]; initp(q, X);", "q[0][0] = 1", MIXED_UP},
	{"filled", "span s; fill(s, X);", "s.at[0] = 1", MIXED_UP},
	{"filled_through", "span s; through(&s, X);", "s[0] = 1", MIXED_UP},
	{"swapped", "int *q = nullptr, *r = X; swap(q, r);", "q[0] = 1", MIXED_UP},
	{"captured", "int *q; auto g = [&] { q = X; }; g();", "q[0] = 1", TOLD_APART},
	{"written_in_a_lambda", "span s{X, 2}; auto g = [&] { s[0] = 1; };", "g()", TOLD_APART},
	{"captured_anew", "auto g = [q = &X[0]] { q[0] = 1; };", "g()", MIXED_UP},
	{"lambda_passed_on", "span s{X, 2};", "call([&] { s[0] = 1; })", TOLD_APART},
	{"reference_member", "named s{X[0]};", "s.x = 1", TOLD_APART},
	{"as_a_number", "int *q = (int *)(unsigned long)X;", "q[0] = 1", MIXED_UP},
	{"number_kept", "unsigned long a = (unsigned long)X; int *q = (int *)a;", "q[0] = 1",
		MIXED_UP},
	{"result_of_a_call", "", "ahead(X)[0] = 1", TOLD_APART},
	{"reference_result", "", "first(X) = 1", TOLD_APART},
	{"argument", "", "poke(X, 1)", TOLD_APART},
	{"span_argument", "span s{X, 2};", "poke_span(s, 1)", TOLD_APART},
	{"view_argument", "view s(X);", "poke_view(s, 1)", TOLD_APART},
	{"temporary_argument", "", "poke_view(X, 1)", TOLD_APART},
};

enum {
	WAYS = sizeof(ways) / sizeof(ways[0])
};

static void add_way(struct sbuf *b, const struct way *w, const char *array)
{
	struct str text[2] = {str_of(w->make), str_of(w->write)};
	for (size_t i = 0; i < 2; i++) {
		for (size_t at = 0; at < text[i].n; at++) {
			if (text[i].p[at] == 'X') {
				sbuf_adds(b, array);
			} else {
				sbuf_addc(b, text[i].p[at]);
			}
		}
	}
	sbuf_adds(b, "; ");
}

static loc_id variable(const struct kt_unit *u, kt_id fn, const char *name)
{
	for (kt_id id = 1; id < u->syms; id++) {
		if (u->sym[id].fn == fn && strcmp(u->sym[id].name, name) == 0) {
			return LOC_VAR(id);
		}
	}
	fail_msg("no %s in %s", name, u->fn[fn].name);
	return LOC_NONE;
}

static bool writes(struct snippet *s, const struct kt_node *n, loc_id loc)
{
	struct locset one = {0};
	struct fx fx = facts_effects(s->facts, n);
	locset_add(&one, s->arena, loc);
	return facts_sets_alias(s->facts, &fx.writes, &one);
}

static void test_ways(void **state)
{
	(void)state;
	struct snippet s;
	struct sbuf b = {0};
	sbuf_adds(&b, types);
	for (size_t i = 0; i < WAYS; i++) {
		sbuf_addf(&b, "KERNEL k_%s(float *o) { int own[2] = {}, far[2] = {}; { ",
			ways[i].name);
		add_way(&b, &ways[i], "far");
		sbuf_adds(&b, "} ");
		add_way(&b, &ways[i], "own");
		sbuf_adds(&b, "}");
	}
	assert_int_equal(snippet_parse(&s, sbuf_cstr(&b)), 0);
	size_t seen = 0, bad = 0;
	for (kt_id id = 1; id < s.unit->fns; id++) {
		const struct kt_fn *fn = &s.unit->fn[id];
		const struct way *w = NULL;
		for (size_t i = 0; i < WAYS; i++) {
			w = strncmp(fn->base, "k_", 2) == 0 &&
					    strcmp(fn->base + 2, ways[i].name) == 0 &&
					    fn->kind == KT_FN_KERNEL
				    ? &ways[i]
				    : w;
		}
		if (!w) {
			continue;
		}
		const struct kt_node *last = fn->body->child[fn->body->n - 1];
		if (!writes(&s, last, variable(s.unit, id, "own"))) {
			print_error("%s: the write is not seen\n", w->name);
			bad++;
		}
		if (w->far == TOLD_APART && writes(&s, last, variable(s.unit, id, "far"))) {
			print_error("%s: it is taken for one to the other array\n", w->name);
			bad++;
		}
		seen++;
	}
	assert_int_equal(bad, 0);
	assert_int_equal(seen, WAYS);
	sbuf_release(&b);
	snippet_release(&s);
}

/* What is known of a parameter is what its callers hand over. */
static void test_private(void **state)
{
	(void)state;
	struct snippet s;
	assert_int_equal(
		snippet_parse(&s, "struct both { float acc[8]; const float *from; };"
				  "__device__ void own(both &b) { b.acc[0] = b.from[0]; }"
				  "__device__ void lane(float *p) { p[0] = 1; }"
				  "__device__ void lds(float *p) { p[0] = 1; }"
				  "KERNEL k(float *o) { __shared__ float t[8]; float x[8], y[4];"
				  " both b = {{}, o}; own(b); lane(x); lane(y); lds(t); lds(x); }"),
		0);
	static const struct {
		const char *fn;
		bool own, beyond;
		int64_t size;
	} want[] = {{"own", true, false, 40}, {"lane", true, false, 32}, {"lds", false, false, 32}};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		for (kt_id id = 1; id < s.unit->fns; id++) {
			const struct kt_fn *fn = &s.unit->fn[id];
			if (strcmp(fn->base, want[i].fn) != 0) {
				continue;
			}
			loc_id loc = LOC_DEREF(fn->param[0]);
			assert_int_equal(facts_is_private(s.facts, loc), want[i].own);
			assert_int_equal(facts_is_private(s.facts, LOC_BEYOND(fn->param[0])),
				want[i].beyond);
			assert_int_equal(
				s.unit->type[facts_loc_type(s.facts, loc)].size, want[i].size);
		}
	}
	snippet_release(&s);
}

/* More objects than a set may have (POINTS_MOST): whatever is lost of them, no write is. */
static void test_many(void **state)
{
	(void)state;
	enum {
		OBJECTS = 150
	};
	struct snippet s;
	struct sbuf b = {0};
	int kernels = 0;
	sbuf_adds(&b, types);
	sbuf_adds(&b, "__device__ void keep(int *&to, int *p) { to = p; }"
		      "__device__ void give(span *s, int *p) { s->at = p; }"
		      "KERNEL k(float *o) { int own[2] = {}, far[2] = {}; int *q = own, *z = far;"
		      "span t{own, 2}; span *u = &t;");
	for (int i = 0; i < OBJECTS; i++) {
		sbuf_addf(
			&b, "int x%d[2]; span s%d{x%d, 2}; keep(q, x%d); u = &s%d;", i, i, i, i, i);
	}
	sbuf_adds(&b, "int late[2]; give(u, late);");
	static const char *const writing[] = {"q[0] = 1;", "x7[1] = 1;", "s7.at[0] = 1;"};
	static const char *const written[][3] = {
		{"own", "x0", "x149"}, {"x7", NULL, NULL}, {"x7", "late", NULL}};
	sbuf_adds(&b, "z[0] = 1;");
	for (size_t i = 0; i < 3; i++) {
		sbuf_adds(&b, writing[i]);
	}
	sbuf_adds(&b, "}");
	assert_int_equal(snippet_parse(&s, sbuf_cstr(&b)), 0);
	for (kt_id id = 1; id < s.unit->fns; id++) {
		const struct kt_fn *fn = &s.unit->fn[id];
		if (fn->kind != KT_FN_KERNEL) {
			continue;
		}
		struct kt_node **last = &fn->body->child[fn->body->n - 4];
		loc_id own = variable(s.unit, id, "own"), far = variable(s.unit, id, "far");
		for (size_t i = 0; i < 3; i++) {
			for (size_t k = 0; k < 3 && written[i][k]; k++) {
				assert_true(writes(
					&s, last[1 + i], variable(s.unit, id, written[i][k])));
			}
			assert_false(writes(&s, last[1 + i], far)); /* which is in no such set */
		}
		assert_true(writes(&s, last[0], far));
		assert_false(writes(&s, last[0], own));
		assert_false(writes(&s, last[2], own));
		/* the sets did get too large: nothing gives s7 x0 */
		assert_true(writes(&s, last[3], variable(s.unit, id, "x0")));
		kernels++;
	}
	assert_int_equal(kernels, 1);
	sbuf_release(&b);
	snippet_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_private),
		cmocka_unit_test(test_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
