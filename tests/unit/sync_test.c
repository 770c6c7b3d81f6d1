#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/facts/cfg.h"
#include "analysis/memory/sync.h"
#include "snippet.h"

/* One line a block: "2: x = 1; c -> 3 4". */
static void cfg_print(struct sbuf *out, const struct kt_unit *u, const struct cfg *g)
{
	for (size_t i = 0; i < g->blocks; i++) {
		const struct cfg_block *b = &g->block[i];
		sbuf_addf(out, "%zu:", i);
		for (size_t k = 0; k < b->nodes; k++) {
			struct str s = kt_source(u, b->node[k]);
			bool step = b->node[k]->kind == KT_RANGE_FOR;
			sbuf_addf(out, "%s %.*s", k ? ";" : "", STR_ARG(step ? STR("step") : s));
		}
		sbuf_adds(out, " ->");
		for (size_t k = 0; k < b->tos; k++) {
			sbuf_addf(out, " %zu", b->to[k]);
		}
		sbuf_addc(out, '\n');
	}
}

static kt_id function(const struct kt_unit *u, const char *name)
{
	for (kt_id i = 1; i < u->fns; i++) {
		if (u->fn[i].body && strcmp(u->fn[i].base, name) == 0) {
			return i;
		}
	}
	fail_msg("no function %s", name);
	return 0;
}

static void check_graph(const char *code, const char *want)
{
	struct snippet s;
	struct cfg g;
	struct sbuf b = {0};
	assert_int_equal(snippet_parse(&s, code), 0);
	kt_id fn = function(s.unit, "k");
	if (cfg_build(&g, s.arena, s.unit->fn[fn].body)) {
		cfg_print(&b, s.unit, &g);
	}
	assert_string_equal(sbuf_cstr(&b), want);
	sbuf_release(&b);
	snippet_release(&s);
}

static void test_graph_if(void **state)
{
	(void)state;
	check_graph("KERNEL k(int a) { if (a) { a = 1; } else { a = 2; } a = 3; }",
		"0: a -> 3 4\n1: ->\n2: a = 3; -> 1\n3: a = 1; -> 2\n4: a = 2; -> 2\n");
}

static void test_graph_loops(void **state)
{
	(void)state;
	check_graph("KERNEL k(int a) { for (int i = 0; i < a; i++) { if (i) continue; break; } }",
		"0: int i = 0 -> 2\n1: ->\n2: i < a -> 4 5\n3: i++ -> 2\n4: -> 1\n5: i -> 7 9\n"
		"6: -> 4\n7: -> 3\n8: -> 6\n9: -> 6\n10: -> 3\n");
	check_graph("KERNEL k(int a) { do { a--; } while (a); while (a) { return; } }",
		"0: -> 2\n1: ->\n2: a--; -> 3\n3: a -> 2 4\n4: -> 5\n5: a -> 6 7\n6: -> 1\n"
		"7: return; -> 1\n8: -> 5\n");
}

static void test_graph_switch(void **state)
{
	(void)state;
	check_graph("KERNEL k(int a) { switch (a) { case 1: a = 1; case 2: a = 2; break; "
		    "default: a = 3; } }",
		"0: a -> 4 5 7\n1: ->\n2: -> 1\n3: -> 4\n4: a = 1; -> 5\n5: a = 2; -> 2\n"
		"6: -> 7\n7: a = 3; -> 2\n");
	check_graph("KERNEL k(int a) { switch (a) { case 1: break; } }",
		"0: a -> 4 2\n1: ->\n2: -> 1\n3: -> 4\n4: -> 2\n5: -> 2\n");
	check_graph("KERNEL k(int a) { again: a--; if (a) goto again; }", "");
}

static void add_side(struct sbuf *b, const struct sync_traffic *t)
{
	static const char letters[] = "rwRW"; /* LDS, global memory */
	for (int i = 0; i < 4; i++) {
		sbuf_addc(b, t->bits >> i & 1 ? letters[i] : '-');
	}
}

/* One word a barrier: traffic above and below, and what else keeps it. */
static void print(struct sbuf *b, const struct sync *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct sync_barrier *x = &s->v[i];
		sbuf_adds(b, i ? " " : "");
		if (x->dropped) {
			sbuf_adds(b, "dropped");
			continue;
		}
		add_side(b, &x->above);
		sbuf_addc(b, sync_hazards(x) ? '|' : ':');
		add_side(b, &x->below);
		sbuf_adds(b, x->together ? "" : x->waves ? "w!" : x->divergent ? "!" : "?");
		sbuf_adds(b, x->known ? "" : "#");
		sbuf_adds(b, x->callers ? "" : "*");
		sbuf_adds(b, x->limit == SYNC_WRAPPER ? "w" : "");
	}
}

static void check_opts(const char *code, const struct sync_opts *opts, const char *want)
{
	struct snippet s;
	struct sync sync;
	struct sbuf b = {0};
	assert_int_equal(snippet_parse(&s, code), 0);
	sync_create(&sync, s.facts, s.arena, opts);
	print(&b, &sync);
	if (strcmp(sbuf_cstr(&b), want) != 0) {
		fail_msg("%s\n  is    %s\n  wants %s", code, sbuf_cstr(&b), want);
	}
	sbuf_release(&b);
	sync_release(&sync);
	snippet_release(&s);
}

static void check(const char *code, const char *want)
{
	const struct sync_opts sound = {0};
	check_opts(code, &sound, want);
}

#define T "int t = threadIdx.x; "

static void test_hazards(void **state)
{
	(void)state;
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "s[t] = 1; __syncthreads(); o[t] = s[t ^ 1]; }",
		"-w--|r--W");
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "float x = s[t]; __syncthreads(); s[t] = x; }",
		"r---|-w--");
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "s[t] = 1; __syncthreads(); s[t ^ 1] = 2; }",
		"-w--|-w--");
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "float x = s[t]; __syncthreads(); o[t] = x + s[t ^ 1]; }",
		"r---:r--W");
	check("KERNEL k(float *o) { o[threadIdx.x] = 1; __syncthreads(); }", "---W:----");
	check("KERNEL k(float *o) { __syncthreads(); o[threadIdx.x] += 1; }", "----:--RW");
	/* two classes do not meet */
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "s[t] = 1; __syncthreads(); o[t] = 2; }",
		"-w--:---W");
	/* a compound assignment reads too */
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "s[t] += 1; __syncthreads(); o[t] = s[0]; }",
		"rw--|r--W");
}

static void test_classes(void **state)
{
	(void)state;
	/* a lane's own arrays */
	check("KERNEL k() { float p[4]; " T "p[t & 3] = 1; __syncthreads(); p[0] += p[t & 3]; }",
		"----:----");
	/* what is only read */
	check("KERNEL k(const float *__restrict__ in, float *o) { " T
	      "float x = in[t]; __syncthreads(); o[t] = x + in[t + 1]; }",
		"----:---W");
	check("KERNEL k(const float *in, float *o) { " T
	      "float x = in[t]; __syncthreads(); o[t] = x; }",
		"--R-|---W");
	/* restrict is a word of the pointer's own, not of a name or of what it points to */
	check("struct restricted { float v; }; KERNEL k(const restricted *in, float *o) { " T
	      "float x = in[t].v; __syncthreads(); o[t] = x; }",
		"--R-|---W");
	/* unless something is written through it */
	check("KERNEL k(const float *__restrict__ in, float *o) { " T
	      "float x = in[t]; __syncthreads(); ((float *)in)[t] = x; }",
		"--R-|---W");
	/* pointers to LDS, also in records and through references */
	check("KERNEL k(float *o) { __shared__ float s[64]; float *p = s; " T
	      "p[t] = 1; __syncthreads(); o[t] = p[t ^ 1]; }",
		"-w--|r--W");
	check("struct view { float *p; }; KERNEL k(float *o) { __shared__ float s[64]; "
	      "view v = {s}; " T "v.p[t] = 1; __syncthreads(); o[t] = v.p[t ^ 1]; }",
		"-w--|r--W");
	check("__device__ void set(float *&p, float *q) { p = q; } "
	      "KERNEL k() { __shared__ float s[64]; float own[4]; float *p = own; set(p, s); " T
	      "p[t] = 1; __syncthreads(); p[t ^ 1] += 1; }",
		"-w--|rw--");
	check("KERNEL k() { __shared__ float s[64]; float own[4]; float *p = own; "
	      "float **q = &p; *q = s; " T "p[t] = 1; __syncthreads(); p[t ^ 1] += 1; }",
		"-w--|rw--");
	check("struct view { float *p; __device__ void set(float *q) { p = q; } }; "
	      "KERNEL k() { __shared__ float s[64]; view v; v.set(s); " T
	      "v.p[t] = 1; __syncthreads(); v.p[t ^ 1] += 1; }",
		"-w--|rw--");
	/* dynamic LDS, and a pointer made of an integer */
	check("extern __shared__ char raw[]; KERNEL k() { float *f = (float *)raw; " T
	      "f[t] = 1; __syncthreads(); f[t ^ 1] += 1; }",
		"-w--|rw--");
	check("KERNEL k(unsigned long a) { float *f = (float *)a; " T
	      "f[t] = 1; __syncthreads(); f[t ^ 1] += 1; }",
		"-w-W|rwRW");
	check("union both { float *p; unsigned long n; }; KERNEL k(unsigned long a) { both b; "
	      "b.n = a; " T "b.p[t] = 1; __syncthreads(); b.p[t ^ 1] += 1; }",
		"-w-W|rwRW");
	/* a pointer that went through an integer, or through code that is not seen */
	check("KERNEL k() { __shared__ float s[64]; float own[4]; float *p = own; "
	      "*(unsigned long *)&p = (unsigned long)s; " T
	      "p[t] = 1; __syncthreads(); p[t ^ 1] += 1; }",
		"-w--|rw--");
	check("__device__ void fill(void *to); struct view { float *p; }; KERNEL k() { view v; "
	      "fill(&v); " T "v.p[t] = 1; __syncthreads(); v.p[t ^ 1] += 1; }",
		"rwRW|rwRW");
	/* pointers that the host put into the arguments */
	check("struct args { float *p; int n; }; KERNEL k(args a) { __shared__ float s[64]; " T
	      "s[t] = 1; __syncthreads(); a.p[t] = a.n; }",
		"-w--:---W");
	/* an object in LDS, by its method */
	check("struct cell { float x; __device__ void put(float v) { x = v; } }; "
	      "KERNEL k() { __shared__ cell s[64]; " T
	      "s[t].put(1); __syncthreads(); s[t ^ 1].put(2); }",
		"-w--|-w--");
	/* volatile is both, of both */
	check("KERNEL k(volatile float *o) { float x = o[0]; __syncthreads(); o[1] = x; }",
		"rwRW|rwRW");
}

static void test_paths(void **state)
{
	(void)state;
	/* the hazard is only around the back edge */
	check("KERNEL k(float *o, int n) { __shared__ float s[64]; " T
	      "for (int i = 0; i < n; i++) "
	      "{ float x = s[t ^ 1]; o[t] = x; __syncthreads(); s[t] = x; __syncthreads(); } }",
		"r--W|-w-- -w--|r--W");
	check("KERNEL k(float *o, int n) { __shared__ float s[64]; " T
	      "for (int i = 0; i < n; i++) "
	      "{ s[t] = i; __syncthreads(); } }",
		"-w--|-w--");
	check("KERNEL k(float *o, int n) { __shared__ float s[64]; " T "s[t] = 1; "
	      "while (n--) { __syncthreads(); } }",
		"-w--:----");
	/* either arm; a barrier in one only */
	check("KERNEL k(float *o, int n) { __shared__ float s[64]; " T
	      "if (n) { s[t] = 1; } else { __syncthreads(); } __syncthreads(); o[t] = s[t ^ 1]; }",
		"----:---- -w--|r--W");
	/* a way out that no graph shows */
	check("KERNEL k(float *o, int n) { __shared__ float s[64]; " T "while (n) { s[t] = 1; "
	      "n -= ({ if (n == 3) break; 1; }); __syncthreads(); } o[t] = s[t ^ 1]; }",
		"rwRW|r--W?#");
	/* break passes by */
	check("KERNEL k(float *o, int n) { __shared__ float s[64]; " T
	      "for (;;) { s[t] = 1; if (n--) break; __syncthreads(); } o[t] = s[t ^ 1]; }",
		"-w--|rw-W");
}

static void test_sets(void **state)
{
	(void)state;
	struct snippet s;
	struct sync sync;
	struct sbuf b = {0};
	const struct sync_opts sound = {0};
	assert_int_equal(snippet_parse(&s, "KERNEL k(float *o) { __shared__ float s[64]; " T
					   "s[t] = 1; __syncthreads(); __syncthreads(); "
					   "o[t] = s[t ^ 1]; }"),
		0);
	sync_create(&sync, s.facts, s.arena, &sound);
	print(&b, &sync);
	sync.v[0].dropped = true;
	sync_solve(&sync);
	sbuf_adds(&b, "; ");
	print(&b, &sync);
	assert_string_equal(sbuf_cstr(&b), "-w--:---- ----:r--W; dropped -w--|r--W");
	sbuf_release(&b);
	sync_release(&sync);
	snippet_release(&s);
}

static void test_calls(void **state)
{
	(void)state;
	/* read through */
	check("__device__ void put(float *p) { p[threadIdx.x] = 1; } "
	      "KERNEL k(float *o) { __shared__ float s[64]; put(s); __syncthreads(); "
	      "o[threadIdx.x] = s[0]; }",
		"-w--|r--W");
	/* a barrier in the callee ends what comes before it */
	check("__device__ void wait() { __syncthreads(); } KERNEL k(float *o) { "
	      "__shared__ float s[64]; " T "s[t] = 1; wait(); __syncthreads(); o[t] = s[t ^ 1]; }",
		"----:----w -w--:---- ----:r--W");
	/* the caller's accesses count for a barrier at the callee's end */
	check("__device__ void put(float *p) { p[threadIdx.x] = 1; __syncthreads(); } "
	      "KERNEL k(float *o) { __shared__ float s[64]; put(s); o[threadIdx.x] = s[0]; }",
		"-w--|r--W");
	check("__device__ float get(float *p) { __syncthreads(); return p[0]; } "
	      "KERNEL k(float *o) { __shared__ float s[64]; s[threadIdx.x] = 1; "
	      "o[threadIdx.x] = get(s); }",
		"-w--|r--W");
	/* of two calls each has one side of it, or one of them has both */
	check("__device__ int f(int x) { x++; __syncthreads(); return x; } KERNEL k(float *o) { "
	      "__shared__ float s[64]; " T "s[t] = 1; int x = f(1); __syncthreads(); "
	      "o[t] = s[t ^ 1]; __syncthreads(); x = f(x); s[t] = x; __syncthreads(); "
	      "o[t] += s[t ^ 1]; }",
		"-w--:-w-- ----:r--W r--W:---- -w--|r-RW");
	check("__device__ int f(int x) { x++; __syncthreads(); return x; } KERNEL k(float *o) { "
	      "__shared__ float s[64]; " T "s[t] = 1; int x = f(1); o[t] = s[t ^ 1]; "
	      "__syncthreads(); s[t] = f(x); }",
		"-w--|rw-W r--W:----");
	/* where methods may be overridden, no call of one is followed */
	check("struct base { __device__ virtual int v() { return 1; } }; "
	      "__device__ int f(int x) { x++; __syncthreads(); return x; } "
	      "struct S { int k; __device__ int m(int x) { x = f(x + k); return x; } }; "
	      "KERNEL k(float *o) { __shared__ float s[64]; " T "s[t] = 1; S z{3}; int x = z.m(1); "
	      "o[t] = s[t ^ 1] + x; }",
		"rwRW|rwRW");
	check("struct base { __device__ virtual int v() { return 1; } }; "
	      "struct S { int k; __device__ int m(int x) { x += k; __syncthreads(); return x; } }; "
	      "KERNEL k(float *o) { __shared__ float s[64]; " T "s[t] = 1; S z{3}; int x = z.m(1); "
	      "o[t] = s[t ^ 1] + x; }",
		"rwRW|rwRW*");
	/* the function's own accesses are around all calls */
	check("__device__ void f(float *s, int t) { s[t] = 1; __syncthreads(); t++; } "
	      "KERNEL k(float *o) { __shared__ float s[64]; " T "f(s, t); __syncthreads(); "
	      "f(s, t); o[t] = s[t ^ 1]; }",
		"-w--|r--W ----:-w--");
	/* calls that follow each other have the other's barrier on one side */
	check("__device__ int f(int x) { x++; __syncthreads(); return x; } KERNEL k(float *o) { "
	      "__shared__ float s[64]; " T "s[t] = 1; f(f(1)); o[t] = s[t ^ 1]; }",
		"rwRW|rwRW");
	check("__device__ int f(int x) { x++; __syncthreads(); return x; } KERNEL k(float *o) { "
	      "__shared__ float s[64]; " T "s[t] = 1; int x = f(1); x = f(x); o[t] = s[t ^ 1]; }",
		"-w--:r--W");
	/* nobody is seen to call it */
	check("__device__ void wait() { __syncthreads(); }", "rwRW|rwRW?*w");
	/* not seen, recursive */
	check("__device__ void f(); KERNEL k() { f(); __syncthreads(); f(); }", "rwRW|rwRW");
	check("__device__ void f(int n, float *p) { if (n) { f(n - 1, p); } p[n] = 1; } "
	      "KERNEL k() { __shared__ float s[64]; f(3, s); __syncthreads(); s[threadIdx.x] = 1; "
	      "}",
		"-w--|-w--");
	/* atomics, asm, fences */
	check("__device__ int atomicAdd(int *p, int v); KERNEL k(int *o) { atomicAdd(o, 1); "
	      "__syncthreads(); o[1] = o[0]; }",
		"rwRW|--RW");
	check("KERNEL k(int *o) { asm volatile(\"s_nop 0\"); __syncthreads(); o[1] = o[0]; }",
		"rwRW|--RW");
	/* what went through asm with operands may point anywhere, by a macro too, whatever its call
	 * looks like; without operands, or by unphi's own, it is what it was */
	static const struct {
		const char *macro, *call, *want;
	} through[] = {
		{"", "asm volatile(\"\" : \"+v\"(p));", "rwRW|-w-W -w-W|rwRW"},
		{"#define HIDE(x) asm volatile(\"\" : \"+v\"(x))\n", "HIDE(p);",
			"rwRW|-w-W -w-W|rwRW"},
		{"#define HIDE asm volatile(\"\" : \"+v\"(p))\n", "HIDE;", "rwRW|-w-W -w-W|rwRW"},
		{"", "asm volatile(\"\");", "rwRW:---- ----:---W"},
		{"#define UNPHI_LAUNDER(x) asm volatile(\"\" : \"+v\"(x))\n", "UNPHI_LAUNDER(t);",
			"rwRW:---- ----:---W"},
	};
	for (size_t i = 0; i < sizeof(through) / sizeof(through[0]); i++) {
		char code[600];
		snprintf(code, sizeof(code),
			"%sKERNEL k(float *o) { int t = 0; float own[4]; float *p = own; %s "
			"__syncthreads(); p[1] = 2; __syncthreads(); o[t] = p[1]; }",
			through[i].macro, through[i].call);
		check(code, through[i].want);
	}
	/* in no order with the rest of its expression */
	check("__device__ int f(float *p) { __syncthreads(); return 1; } KERNEL k(float *o) { "
	      "__shared__ float s[64]; " T "s[t] = 1; int x = f(s) + (int)s[t ^ 1]; "
	      "__syncthreads(); o[t] = x; }",
		"rwRW|rwRW rw--:---W");
	/* destructors are read through; one that is not seen may do anything */
	check("struct guard { __device__ ~guard() {} }; KERNEL k() { guard g; __syncthreads(); }",
		"----:----");
	/* it may read a clock */
	check("struct guard { __device__ ~guard(); }; KERNEL k() { guard g; __syncthreads(); }",
		"----|rwRW");
	/* functions called there know what comes behind */
	check("struct reader { float *p; __device__ ~reader() { p[0] = p[1]; } }; "
	      "__device__ void put(float *p) { p[threadIdx.x] = 1; __syncthreads(); } "
	      "KERNEL k() { __shared__ float s[64]; reader r = {s}; put(s); }",
		"-w--|rw--");
}

static void test_forms(void **state)
{
	(void)state;
	/* s_barrier alone does not order memory */
	check("KERNEL k(float *o) { __shared__ float s[64]; " T "s[t] = 1; "
	      "__builtin_amdgcn_s_barrier(); __syncthreads(); o[t] = s[t ^ 1]; }",
		"-w--:---- -w--|r--W");
	check("KERNEL k(float *o) { __shared__ float s[64]; " T "s[t] = 1; "
	      "__builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\"); "
	      "__builtin_amdgcn_s_barrier(); "
	      "__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\"); "
	      "__syncthreads(); o[t] = s[t ^ 1]; }",
		"-w--:---- ----:r--W");
	check("KERNEL k(float *o) { __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"agent\"); "
	      "__builtin_amdgcn_s_barrier(); "
	      "__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\"); }",
		"rwRW|rwRW");
	/* inline assembly, and the grid's barrier, stay as unknown code */
	check("KERNEL k(float *o) { __shared__ float s[64]; " T "s[t] = 1; "
	      "asm volatile(\"s_barrier\"); }",
		"-w--|rwRW");
	check("extern \"C\" __device__ void __ockl_grid_sync(); KERNEL k(float *o) { "
	      "__ockl_grid_sync(); __syncthreads(); }",
		"----:rwRW rwRW:----");
	/* a value is known to all behind it, so it orders, too */
	check("__device__ int __syncthreads_or(int x); KERNEL k(float *o, int n) { "
	      "__shared__ float s[64]; " T "s[t] = 1; int any = __syncthreads_or(n); "
	      "__syncthreads(); o[t] = any + s[t ^ 1]; }",
		"-w--:---- ----:r--W");
	/* for the lanes of a wave a barrier of theirs is enough */
	check("__device__ void __syncwarp(); KERNEL k(float *o) { __shared__ float s[64]; " T
	      "s[t] = 1; __syncwarp(); __syncwarp(); __syncthreads(); o[t] = s[t ^ 1]; }",
		"-w--:---- ----:---- -w--|r--W");
}

static void test_divergence(void **state)
{
	(void)state;
	check("KERNEL k(float *o) { if (threadIdx.x < 8) { __syncthreads(); } }", "----:----!");
	check("KERNEL k(float *o, int n) { " T "if (t >= n) { return; } __syncthreads(); }",
		"----:----!");
	check("KERNEL k(float *o, int n) { if (n > 3) { __syncthreads(); } }", "----:----");
	/* the same for a wave, not for the work-group */
	check("KERNEL k(float *o) { "
	      "int w = __builtin_amdgcn_readfirstlane((int)threadIdx.x / 64); "
	      "if (w == 0) { __syncthreads(); } }",
		"----:----w!");
	check("KERNEL k(float *o, int n) { const int w = threadIdx.x / 64; if (w >= n) { return; } "
	      "__syncthreads(); }",
		"----:----w!");
	check("KERNEL k(float *o, int n) { " T "if ((t >> 6) + 1 >= n) { return; } "
	      "__syncthreads(); }",
		"----:----w!");
	check("KERNEL k(float *o) { " T "if (t <= 63) { __syncthreads(); } }", "----:----w!");
	/* no wave's number */
	check("KERNEL k(float *o) { " T "if (t <= 64) { __syncthreads(); } }", "----:----!");
	check("KERNEL k(float *o, int n) { " T "if ((t >> 5) >= n) { return; } __syncthreads(); }",
		"----:----!");
	check("KERNEL k(float *o, int n) { " T "if ((t + 3) / 64 >= n) { return; } "
	      "__syncthreads(); }",
		"----:----!");
	check("KERNEL k(float *o, int n) { " T "t *= 3; if (t / 64 >= n) { return; } "
	      "__syncthreads(); }",
		"----:----!");
	check("KERNEL k(float *o, int n) { if (threadIdx.y / 64 >= n) { return; } "
	      "__syncthreads(); }",
		"----:----!");
	/* what only some lanes come to ends nothing */
	check("KERNEL k(float *o) { __shared__ float s[64]; " T
	      "s[t] = 1; if (t < 8) { __syncthreads(); } __syncthreads(); o[t] = s[t ^ 1]; }",
		"-w--:----! -w--|r--W");
	check("KERNEL k(int n) { if (n) goto out; __syncthreads(); out: return; }", "----:----?#");
	/* a lane's own return where all return: who did not come there goes on */
	check("KERNEL k(float *o, int n) { " T "if (n) { for (int i = 0; i < n; i++) { if (i >= t) "
	      "{ return; } o[t] = i; } return; } "
	      "__syncthreads(); }",
		"----:----");
	check("KERNEL k(float *o, int n) { " T "if (n > 4) { return; } else if (n) { if (t < 4) { "
	      "return; } else { o[t] = 1; return; } } "
	      "__syncthreads(); }",
		"----:----");
	check("KERNEL k(float *o, int n) { " T "if (n) { if (t >= n) { return; } __syncthreads(); "
	      "return; } __syncthreads(); }",
		"----:----! ----:----");
	check("KERNEL k(float *o, int n) { " T
	      "if (t >= n) { if (n) { return; } o[t] = 1; return; } __syncthreads(); }",
		"----:----!");
	check("KERNEL k(float *o, int n) { " T "for (int i = 0; i < n; i++) { "
	      "if (n) { if (i >= t) { break; } return; } } __syncthreads(); }",
		"----:----!");
	/* in a callee that two call, which add to what it gives */
#define SUM                                                                                        \
	"__device__ float sum(const float *s) { __syncthreads(); return s[1] + s[2]; } "           \
	"KERNEL k(float *o) { __shared__ float s[64]; " T "s[t] = 1; __syncthreads(); "            \
	"o[t] = sum(s) * 2 + 1; } "                                                                \
	"KERNEL l(float *o, int n) { __shared__ float s[64]; " T "s[t] = 1; __syncthreads(); "
	check(SUM "const float x = n + sum(s); o[t] = x; }", "----:r--W -w--:---- -w--:----");
	check(SUM "const float x = __builtin_sqrtf(-sum(s) / 3); o[t] = x; }",
		"----:r--W -w--:---- -w--:----");
	check(SUM "const float x = __builtin_fmaxf(s[n], sum(s)); o[t] = x; }",
		"rwRW|rwRW -w--:---- -w--|r--W");
	/* not in order with what the rest of the expression does to memory, or not always called */
	check(SUM "const float x = s[n] + sum(s); o[t] = x; }", "rwRW|rwRW -w--:---- -w--|r--W");
	check(SUM "const bool x = n && sum(s); o[t] = x; }", "rwRW|rwRW -w--:---- -w--|r--W");
	/* in a callee, of one of two calls */
	check("__device__ void f(int n) { if (n) { __syncthreads(); } } "
	      "KERNEL k(int n) { f(n); " T "if (t >= n) { return; } f(n); }",
		"----:----!");
	/* round about: values that are made of each other, at any depth */
	check("KERNEL k(int n) { int a = 0, b = 0, c = 0; " T "for (int i = 0; i < n; i++) { "
	      "if (c) { __syncthreads(); } c = b; b = a; a = c + t; } }",
		"----:----!");
}

static void test_knobs(void **state)
{
	(void)state;
	static const char private[] =
		"KERNEL k() { float p[4]; " T "p[t & 3] = 1; __syncthreads(); p[0] += p[t & 3]; }";
	static const char unseen[] = "__device__ void f(); "
				     "KERNEL k() { f(); __syncthreads(); f(); }";
	static const char apart[] = "KERNEL k(int n) { if (n) { __syncthreads(); "
				    "__syncthreads(); } }";
	struct sync_opts o = {.count_private = true};
	struct snippet s;
	struct sync sync;
	assert_int_equal(snippet_parse(&s, private), 0);
	sync_create(&sync, s.facts, s.arena, &o);
	assert_int_equal(sync_hazards(&sync.v[0]), SYNC_RAW | SYNC_WAW);
	sync_release(&sync);
	snippet_release(&s);
	o = (struct sync_opts){.ignore_calls = true};
	check_opts(unseen, &o, "----:----");
	o = (struct sync_opts){.no_propagation = true};
	check_opts(apart, &o, "rwRW:---- ----:rwRW");
}

static void test_limits(void **state)
{
	(void)state;
	static const char *const names[] = {"j*", NULL};
	static const char code[] = "KERNEL j() { __syncthreads(); } KERNEL k(int n) { if (n) { "
				   "__syncthreads(); } } KERNEL l() { __syncthreads(); }";
	struct sync_opts o = {.function_limit = 2, .block_limit = 4, .exclude = names};
	struct snippet s;
	struct sync sync;
	assert_int_equal(snippet_parse(&s, code), 0);
	sync_create(&sync, s.facts, s.arena, &o);
	assert_int_equal(sync.n, 3);
	assert_int_equal(sync.v[0].limit, SYNC_EXCLUDED);
	assert_int_equal(sync.v[1].limit, SYNC_TOO_MANY_BLOCKS);
	assert_int_equal(sync.v[2].limit, SYNC_TOO_MANY_FUNCTIONS);
	sync_release(&sync);
	snippet_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graph_if),
		cmocka_unit_test(test_graph_loops),
		cmocka_unit_test(test_graph_switch),
		cmocka_unit_test(test_hazards),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_knobs),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
