/*
 * What code surely comes to. A case is the body of a kernel, with helpers in front of it where it
 * needs them, and whether whoever enters comes to a matrix operation or a barrier.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/lanes/meets.h"
#include "snippet.h"

#define M "a = __builtin_amdgcn_mfma_f32_4x4x1f32(x, x, a, 0, 0, 0);"
#define DEVICE "__device__ __attribute__((always_inline)) "

struct body {
	const char *helpers;
	const char *code;
	bool comes;
};

static const struct body bodies[] = {
	{"", M, true},
	{"", "x = 1;", false},
	{"", "x = 1; { if (n) { x = 2; } } " M, true},
	{"", "__builtin_amdgcn_s_barrier();", true},
	{"", "__syncthreads();", true},
	{"", "__builtin_amdgcn_wave_barrier();", false},
	{"", "__builtin_amdgcn_ds_gws_barrier(n, 0);", false},
	{"", "asm volatile(\"v_mfma_f32_4x4x1f32 %0, %1, %1, %0\" : \"+v\"(a) : \"v\"(x));", true},
	/* choices */
	{"", "if (n) {" M "}", false},
	{"", "if (n) {" M "} else { x = 1; }", false},
	{"", "if (n) {" M "} else if (n > -3) { x = 2; " M "} else {" M "}", true},
	{"", "if (n) {" M "} else if (n > -3) { x = 2; " M "}", false},
	{"", "if constexpr (sizeof(int) == 4) {" M "}", true},
	{"", "if constexpr (sizeof(int) != 4) {" M "}", false},
	{"", "a = n ? __builtin_amdgcn_mfma_f32_4x4x1f32(x, x, a, 0, 0, 0) : a;", false},
	{"", "switch (n) { case 1: " M " break; default: " M "}", false},
	{"f32x4 " DEVICE "f(f32x4 a, float x) {" M "return a; }", "a = n ? f(a, 1) : f(a, 2);",
		true},
	{"bool " DEVICE "f(f32x4 a, float x) {" M "return a.x; }", "if (n && f(a, x)) { x = 2; }",
		false},
	{"bool " DEVICE "f(f32x4 a, float x) {" M "return a.x; }", "if (f(a, x) && n) { x = 2; }",
		true},
	/* loops */
	{"", "for (int i = 0; i < 3; i += 2) {" M "}", true},
	{"", "for (int i = 3; i > 0; i--) {" M "}", true},
	{"", "for (int i = 3; i < 3; i++) {" M "}", false},
	{"", "for (int i = 0; i < n; i++) {" M "}", false},
	{"", "for (int i = n; i < 3; i++) {" M "}", false},
	{"", "for (int i = 0; i < 3; i++) { if (n == i) { continue; } " M "}", false},
	{"", "for (int i = 0; i < 3; i++) {" M "if (n == i) { break; } }", true},
	{"", "while (n--) {" M "}", false},
	{"", "while (true) {" M "if (n--) { break; } }", true},
	{"", "for (;;) {" M "if (n--) { break; } }", true},
	{"", "do {" M "} while (n--);", true},
	{"", "for (int i = 0; i < n + (int)threadIdx.x; i++) { x += i; } " M, true},
	/* what leaves in front of it */
	{"", "if (n) { return; } " M, false},
	{"", M "if (n) { return; }", true},
	{"", "if (n) { __builtin_trap(); } " M, false},
	{"__device__ void g();", "g(); " M, false},
	{"__device__ void g();", M "g();", true},
	{"", "if (n) { goto there; } x = 1; there: " M, false},
	{"", "asm volatile(\"s_waitcnt vmcnt(0)\" ::: \"memory\"); " M, true},
	{"", "asm volatile(\"s_waitcnt lgkmcnt(0)\\n s_nop 1\"); " M, true},
	{"", "asm volatile(\"\" ::: \"memory\"); " M, true},
	{"", "asm volatile(\"s_endpgm\" ::: \"memory\"); " M, false},
	{"", "asm volatile(\"s_waitcnt 0\\n s_cbranch_scc1 1\" ::: \"memory\"); " M, false},
	{"", "asm volatile(\"s_mov_b64 exec, 1\" ::: \"memory\"); " M, false},
	{"__device__ void wait() { asm volatile(\"s_waitcnt 0\" ::: \"memory\"); }",
		"if (n) { wait(); } " M, true},
	{"__device__ void g(); __device__ void wait() { asm volatile(\"s_waitcnt 0\"); g(); }",
		"if (n) { wait(); } " M, false},
	/* calls */
	{"f32x4 " DEVICE "f(f32x4 a, float x) { if (x > 1) { return a; } " M "return a; }",
		"a = f(a, x);", false},
	{"f32x4 " DEVICE "f(f32x4 a, float x) {" M "if (x > 1) { return a; } return a + 1.f; }",
		"a = f(a, x);", true},
	{"f32x4 __device__ f(f32x4 a, float x) { return f(a, x + 1); " M "}", "a = f(a, x);",
		false},
	{"", "auto f = [&] {" M "}; f();", true},
	{"", "auto f = [&] {" M "};", false},
	{"f32x4 " DEVICE "f(f32x4 a, float x) {" M "return a; }", "int s = sizeof(f(a, x));",
		false},
};

static const struct kt_node *kernel_of(const struct snippet *s)
{
	for (kt_id id = 1; id < s->unit->fns; id++) {
		if (strcmp(s->unit->fn[id].base, "k") == 0) {
			return s->unit->fn[id].body;
		}
	}
	return NULL;
}

static void test_bodies(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		const struct body *b = &bodies[i];
		char code[2048];
		struct snippet s;
		snprintf(code, sizeof(code),
			"%s\nKERNEL k(f32x4 *o, float x, int n) { f32x4 a = {}; %s o[0] = a * x; }",
			b->helpers, b->code);
		assert_int_equal(snippet_parse(&s, code), 0);
		const struct kt_node *body = kernel_of(&s);
		assert_non_null(body);
		if ((meets_whole(s.facts, body) != NULL) != b->comes) {
			fail_msg("%s: %s", b->comes ? "not seen" : "not certain", b->code);
		}
		snippet_release(&s);
	}
}

/* Where it stands: in the file that asks. */
static void test_place(void **state)
{
	(void)state;
	struct snippet s;
	assert_int_equal(snippet_parse(&s,
				 "f32x4 __device__ f(f32x4 a, float x) {" M "return a; }"
				 "KERNEL k(f32x4 *o, float x) { o[1] = o[2]; o[0] = f(o[0], x); }"),
		0);
	const struct kt_node *body = kernel_of(&s);
	const struct kt_node *at = meets_whole(s.facts, body);
	assert_non_null(at);
	assert_true(str_starts(kt_source(s.unit, at), "__builtin_amdgcn_mfma"));
	assert_null(meets_whole_part(s.facts, body, 0, 1));
	assert_ptr_equal(meets_whole_part(s.facts, body, 1, 2), at);
	assert_null(meets_whole(s.facts, NULL));
	snippet_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bodies), cmocka_unit_test(test_place)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
