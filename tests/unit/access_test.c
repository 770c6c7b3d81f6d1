/*
 * Runs of accesses side by side, as they are told from the source: each case is a kernel's body and
 * what is to come out, one line a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "analysis/memory/access.h"
#include "base/msg.h"
#include "frontend/frontend.h"

struct example {
	const char *params;
	const char *body;
	const char *want;
};

static const char prelude[] =
	"#define __global__ __attribute__((global))\n"
	"#define __device__ __attribute__((device))\n"
	"#define __shared__ __attribute__((shared))\n"
	"struct uint3 { unsigned x, y, z; };\n"
	"extern const __device__ uint3 threadIdx, blockIdx;\n"
	"typedef float float4 __attribute__((ext_vector_type(4)));\n"
	"struct alignas(8) pair { float x, y; };\n"
	"__device__ void unseen();\n"
	"__device__ inline float twice(float x) { return 2 * x; }\n"
	"__device__ inline void keep(const float &x) {}\n"
	"__device__ inline void __syncthreads() { __builtin_amdgcn_s_barrier(); }\n";

#define WRAPV "/* -fwrapv */ "
#define IN "const float *__restrict__ p, float *__restrict__ q, int n"
#define A "const float *a = (const float *)__builtin_assume_aligned(p, 16); "
#define O "float *o = (float *)__builtin_assume_aligned(q, 16); "
#define T "const int t = (int)threadIdx.x; "
#define LOOP "for (int i = 0; i < 4; i++) "

static const struct example examples[] = {
	/* a loop, and what tells the alignment */
	{IN, T A "float s = 0; " LOOP "s += a[4 * t + i]; q[t] = s;", "load a 4x4@16 free\n"},
	{IN, T "float s = 0; " LOOP "s += p[4 * t + i]; q[t] = s;", "load p 4x4@4 unaligned\n"},
	{IN, T A "float s = 0; " LOOP "s += a[2 * t + i]; q[t] = s;", "load a 4x4@8 unaligned\n"},
	{IN, T A "float s = 0; " LOOP "s += a[(t & ~3) + i]; q[t] = s;", "load a 4x4@16 free\n"},
	{IN, T A "float s = 0; " LOOP "s += a[(t << 2) + i]; q[t] = s;", "load a 4x4@16 free\n"},
	{IN, T A "const int r = 8 * t - 4; float s = 0; " LOOP "s += a[r + i]; q[t] = s;",
		"load a 4x4@16 free\n"},
	{IN, T A "int r = 8 * t; if (n) { r += n; } float s = 0; " LOOP "s += a[r + i]; q[t] = s;",
		"load a 4x4@4 unaligned\n"},
	{IN,
		T A "int r = 8 * t; int *e = &r; *e = n; float s = 0; " LOOP
		    "s += a[r + i]; q[t] = s;",
		"load a 4x4@4 unaligned\n"},
	{IN,
		T A "int v[2] = {4, n}; float s = 0; for (int r : v) { " LOOP
		    "s += a[r + i]; } q[t] = s;",
		"load a 4x4@4 unaligned\n"},
	{"const float4 *__restrict__ v, float *__restrict__ q",
		T "const float *p = (const float *)(v + t); float s = 0; " LOOP
		  "s += p[i]; q[t] = s;",
		"load p 4x4@16 free\n"},
	{"const pair *__restrict__ v, float *__restrict__ q",
		T
		"const float *p = (const float *)(v + t); float s = 0; for (int i = 0; i < 2; ++i) "
		"s += p[i]; q[t] = s;",
		"load p 2x4@8 free\n"},
	{IN, T "const float *a = p + 4 * t; float s = 0; " LOOP "s += a[i]; q[t] = s;",
		"load a 4x4@4 unaligned\n"},
	/* not contiguous, not of one lane, not whole */
	{IN, T A "float s = 0; " LOOP "s += a[4 * t + 2 * i]; q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "s += a[64 * i + t]; q[t] = s;", ""},
	{IN, T A "float s = 0; for (int i = 0; i < 3; i++) s += a[4 * t + i]; q[t] = s;", ""},
	{IN, T A "float s = 0; for (int i = 0; i < n; i++) s += a[4 * t + i]; q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "if (4 * t + i < n) s += a[4 * t + i]; q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "s += n > i && a[4 * t + i] > 0; q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "s += n > i ? a[4 * t + i] : 0; q[t] = s;", ""},
	{IN,
		T A "float s = 0; " LOOP
		    "{ keep(a[4 * t + i]); const float &r = a[4 * t + i]; } q[t] = s;",
		""},
	/* wrapping around */
	{IN,
		A "unsigned t = threadIdx.x * n; float s = 0; for (unsigned i = 0; i < 4; i++) s "
		  "+= a[t + i]; "
		  "q[t] = s;",
		""},
	{IN,
		A "unsigned t = threadIdx.x * n; float s = 0; for (unsigned i = 0; i < 4; i++) s "
		  "+= a[4 * t + "
		  "i]; q[t] = s;",
		"load a 4x4@16 free\n"},
	{IN,
		A "unsigned t = threadIdx.x * n; float s = 0; for (unsigned i = 0; i < 4; i++) s "
		  "+= a[4 * t + 2 "
		  "+ i]; q[t] = s;",
		""},
	{WRAPV IN, T A "float s = 0; " LOOP "s += a[4 * t + i]; q[t] = s;", ""},
	/* the loop changes what the address is made of, or leaves */
	{IN, A "int t = 4; float s = 0; " LOOP "{ s += a[4 * t + i]; t += n; } q[t] = s;", ""},
	{IN, T "const float *a = p; float s = 0; " LOOP "{ s += a[i]; a += n; } q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "{ const int u = n * i; s += a[4 * u + i]; } q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "{ s += a[4 * t + i]; if (s > 9) return; } q[t] = s;", ""},
	{IN, T A "float s = 0; " LOOP "{ unseen(); s += a[4 * t + i]; } q[t] = s;",
		"load a 4x4@16 ordered\n"},
	{IN, T A "float s = 0; " LOOP "{ s += a[4 * t + i]; __syncthreads(); } q[t] = s;",
		"load a 4x4@16 free\n"},
	{"const float4 *v, float *__restrict__ q",
		T "const float *p = (const float *)(v + t); float s = 0; " LOOP
		  "{ s += p[i]; __syncthreads(); } q[t] = s;",
		"load p 4x4@16 ordered\n"},
	{"const volatile float4 *__restrict__ v, float *__restrict__ q",
		T "const volatile float *p = (const volatile float *)(v + t); float s = 0; " LOOP
		  "s += p[i]; q[t] = s;",
		"load p 4x4@16 ordered\n"},
	/* aliases */
	{"const float4 *v, float *q",
		T "const float *p = (const float *)(v + t); " LOOP "q[64 * i + t] = p[i];",
		"load p 4x4@16 aliased\n"},
	{"const float4 *v, float *__restrict__ q",
		T "const float *p = (const float *)(v + t); " LOOP "q[64 * i + t] = p[i];",
		"load p 4x4@16 free\n"},
	{"float4 *__restrict__ v",
		T "float *p = (float *)(v + t); float s = 1; " LOOP "{ s *= p[i]; p[8] = s; }",
		"load p 4x4@16 aliased\n"},
	/* stores */
	{IN, T O LOOP "o[4 * t + i] = p[64 * i];", "store o 4x4@16 free\n"},
	{IN, T O LOOP "{ o[4 * t + i] = p[i]; o[n] = 1; }",
		"store o 4x4@16 aliased\nload p 4x4@4 unaligned\n"},
	{IN, T O LOOP "o[4 * t + i] = q[64 * i];", "store o 4x4@16 aliased\n"},
	{IN, T O "float *e = o; " LOOP "{ o[4 * t + i] = 1; e[n] = 2; }",
		"store o 4x4@16 aliased\n"},
	{IN, T O "auto put = [=](float x) { o[n] = x; }; " LOOP "{ o[4 * t + i] = 1; put(2); }",
		""},
	{IN, T O LOOP "{ o[4 * t + i] = 1; if (n == i) continue; q[n] = 0; }",
		"store o 4x4@16 leaves\n"},
	{"const float *__restrict__ p, float *q", T O LOOP "o[4 * t + i] = p[64 * i];",
		"store o 4x4@16 aliased\n"},
	{IN, T O LOOP "o[4 * t + i] += p[64 * i];", ""},
	/* blocks */
	{IN, T A "float s = a[4 * t]; s += twice(s); s *= a[4 * t + 1]; q[t] = s;",
		"load a 2x4@16 free\n"},
	{IN, T A "float s = a[4 * t + 1]; s += twice(s); s *= a[4 * t + 2]; q[t] = s;",
		"load a 2x4@4 unaligned\n"},
	{IN, T A "float s = a[8]; s += twice(s); s *= *(a + 9) + a[11]; s += a[10]; q[t] = s;",
		"load a 4x4@16 free\n"},
	{IN, T A "float s = a[8]; s += twice(s); s *= a[10]; q[t] = s;", ""},
	{IN, T A "float s = a[8]; if (s < 0) { return; } s *= a[9]; q[t] = s;",
		"load a 2x4@16 leaves\n"},
	{IN, T A "int k = 0; float s = a[4 * k]; k++; s *= a[4 * k + 1]; q[t] = s;", ""},
	{IN,
		T A "constexpr int k = 1; float s = 0; { s = a[9]; constexpr int k = 8; s *= a[k]; "
		    "} q[t] = s;",
		"load a 2x4@16 hidden\n"},
	{IN,
		T "__shared__ float l[64]; float *a = l; float s = a[8]; s += twice(s); s *= a[9]; "
		  "q[t] = s;",
		""},
	{IN, T A "float v[4]; float *a2 = v; float s = a2[0]; s += twice(s); s *= a2[1]; q[t] = s;",
		""},
};

static void test_example(void **state)
{
	static const char *const word[] = {
		"free", "unaligned", "aliased", "ordered", "leaves", "hidden"};
	const struct example *e = *state;
	struct arena *a = arena_create();
	struct intrinsic_db db = {0};
	assert_int_equal(intrinsic_db_builtin(&db, a), 0);
	const char *text =
		arena_printf(a, "%s__global__ void k(%s)\n{ %s\n}\n", prelude, e->params, e->body);
	const char *flags[] = {"-nogpuinc", "-std=c++17", "-w", NULL};
	struct frontend_job job = {.path = "example.hip",
		.target = "gfx90a",
		.flags = flags,
		.text = str_of(text),
		.intrinsics = &db};
	struct kt_unit *u = NULL;
	assert_int_equal(frontend_parse(&u, a, &job, NULL), 0);
	struct facts *f = facts_create(u, a, &db);
	struct spaces *s = spaces_create(f, uniformity_create(f, a), a);
	struct sbuf got = {0};
	for (kt_id fn = 1; fn < u->fns; fn++) {
		struct access_run *r;
		size_t n = 0;
		if (u->fn[fn].kind == KT_FN_KERNEL && u->fn[fn].body) {
			bool wraps = str_starts(str_of(e->params), WRAPV);
			access_runs_find(&r, &n, a, f, s, fn, wraps);
		}
		for (size_t i = 0; i < n; i++) {
			sbuf_addf(&got, "%s %s %ux%u@%u %s\n", r[i].store ? "store" : "load",
				u->sym[r[i].base].name, r[i].count, r[i].bytes, r[i].aligned,
				word[r[i].refusal]);
			assert_true(!r[i].why == (r[i].refusal == ACCESS_FREE));
		}
	}
	if (strcmp(sbuf_cstr(&got), e->want) != 0) {
		fail_msg("%s\nwanted:\n%sgot:\n%s", e->body, e->want, sbuf_cstr(&got));
	}
	sbuf_release(&got);
	facts_release(f);
	intrinsic_db_release(&db);
	arena_free(a);
}

int main(void)
{
	enum {
		N = sizeof(examples) / sizeof(examples[0])
	};
	struct CMUnitTest tests[N];
	for (size_t i = 0; i < N; i++) {
		tests[i] = (struct CMUnitTest){.name = examples[i].body,
			.test_func = test_example,
			.initial_state = (void *)(uintptr_t)&examples[i]};
	}
	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
