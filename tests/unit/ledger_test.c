#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/ledger.h"
#include "snippet.h"

static const char matrix[] = "typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));\n"
			     "__device__ f32x4 mma(f16x4 a, f16x4 b, f32x4 c) {\n"
			     "	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);\n"
			     "}\n";

struct fixture {
	struct snippet s;
	struct ledger l;
};

/* The ledger of the last kernel. */
static void reckon(struct fixture *f, const char *code)
{
	static char whole[8000];
	snprintf(whole, sizeof(whole), "%s%s", matrix, code);
	assert_int_equal(snippet_parse(&f->s, whole), 0);
	struct uniformity *u = uniformity_create(f->s.facts, f->s.arena);
	kt_id kernel = 0;
	for (kt_id i = 1; i < f->s.unit->fns; i++) {
		if (f->s.unit->fn[i].kind == KT_FN_KERNEL && f->s.unit->fn[i].body) {
			kernel = i;
		}
	}
	assert_true(kernel);
	ledger_make(&f->l, f->s.arena, f->s.facts, u, kernel, 64);
}

static const struct ledger_var *var(const struct fixture *f, const char *name)
{
	for (size_t i = 0; i < f->l.vars; i++) {
		if (strcmp(f->l.var[i].name, name) == 0) {
			return &f->l.var[i];
		}
	}
	fail_msg("no variable %s", name);
	return NULL;
}

static bool is_unknown(const struct fixture *f, const char *piece)
{
	for (size_t i = 0; i < f->l.unknowns; i++) {
		if (strstr(f->l.unknown[i], piece)) {
			return true;
		}
	}
	return false;
}

static void test_widths_and_roles(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "KERNEL k(const f16x4 *a, f32x4 *out, int n) {\n"
		   "	f32x4 acc[8];\n"
		   "	const int lane = threadIdx.x % 64;\n"
		   "	const int wide = n * 2;\n"
		   "	for (int i = 0; i < 8; ++i) acc[i] = f32x4{0, 0, 0, 0};\n"
		   "	const f16x4 q = a[lane];\n"
		   "	for (int t = 0; t < wide; ++t) {\n"
		   "		for (int i = 0; i < 8; ++i) acc[i] = mma(a[t * 64 + lane], q, "
		   "acc[i]);\n"
		   "	}\n"
		   "	for (int i = 0; i < 8; ++i) out[i * 64 + lane] = acc[i];\n"
		   "}\n");
	const struct ledger_var *acc = var(&f, "acc");
	assert_int_equal(acc->width, 32);
	assert_int_equal(acc->role, LEDGER_ACCUMULATOR);
	assert_true(acc->loop_carried);
	assert_int_equal(acc->at_peak, 32);
	assert_int_equal(acc->copies, 1);
	const struct ledger_var *q = var(&f, "q");
	assert_int_equal(q->width, 2);
	assert_int_equal(q->role, LEDGER_OPERAND);
	assert_false(q->loop_carried);
	assert_true(q->loop_constant);
	assert_int_equal(var(&f, "lane")->width, 1);
	assert_int_equal(var(&f, "lane")->role, LEDGER_ADDRESS);
	assert_int_equal(var(&f, "wide")->width, 0);
	assert_true(var(&f, "wide")->uniform);
	assert_int_equal(f.l.unknowns, 0);
	assert_in_range(f.l.least.held, 32 + 2 + 1, 32 + 2 + 1 + 8);
	snippet_release(&f.s);
}

/* Two arms that go on from the value before: a wave that takes one keeps it for the other. */
static void check_merge(const char *cond, unsigned copies)
{
	struct fixture f;
	char code[2000];

	snprintf(code, sizeof(code),
		"KERNEL k(const f16x4 *a, const f16x4 *b, f32x4 *out, int n) {\n"
		"	f32x4 acc[16];\n"
		"	for (int i = 0; i < 16; ++i) acc[i] = out[i * 64 + threadIdx.x];\n"
		"	for (int t = 0; t < n; ++t) {\n"
		"		if (%s) {\n"
		"			for (int i = 0; i < 16; ++i) acc[i] = mma(a[t], "
		"b[t], acc[i]);\n"
		"		} else {\n"
		"			for (int i = 0; i < 16; ++i) acc[i] = mma(b[t], "
		"a[t], acc[i]);\n"
		"		}\n"
		"	}\n"
		"	for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = acc[i];\n"
		"}\n",
		cond);
	reckon(&f, code);
	assert_int_equal(var(&f, "acc")->copies, copies);
	assert_int_equal(var(&f, "acc")->at_peak, 64 * copies);
	assert_true(f.l.most.held >= 64 * copies);
	snippet_release(&f.s);
}

static void test_copies(void **state)
{
	(void)state;
	check_merge("t < 3", 2);
	check_merge("threadIdx.x < 3", 1);
}

/* What a function is given by reference is the caller's; what it declares is its own, once. */
static void test_calls(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "__device__ void add(float (&acc)[32], const float *p) {\n"
		   "	float own[4];\n"
		   "	for (int i = 0; i < 4; ++i) own[i] = p[i * 64 + threadIdx.x];\n"
		   "	for (int i = 0; i < 32; ++i) acc[i] += own[i % 4];\n"
		   "}\n"
		   "KERNEL k(const float *p, float *out, int n) {\n"
		   "	float sum[32];\n"
		   "	for (int i = 0; i < 32; ++i) sum[i] = 0;\n"
		   "	for (int t = 0; t < n; ++t) { add(sum, p); add(sum, p + t); }\n"
		   "	for (int i = 0; i < 32; ++i) out[i * 64 + threadIdx.x] = sum[i];\n"
		   "}\n");
	assert_int_equal(var(&f, "sum")->width, 32);
	assert_int_equal(var(&f, "sum")->role, LEDGER_ACCUMULATOR);
	assert_null(var(&f, "sum")->owner);
	assert_int_equal(var(&f, "own")->width, 4);
	assert_string_equal(var(&f, "own")->owner, "add");
	unsigned entries = 0;
	for (size_t i = 0; i < f.l.vars; i++) {
		entries += strcmp(f.l.var[i].name, "own") == 0;
	}
	assert_int_equal(entries, 1);
	snippet_release(&f.s);
}

static void test_unknown(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "__device__ float other(float x);\n"
		   "KERNEL k(float *out, int n) {\n"
		   "	float x[8];\n"
		   "	for (int i = 0; i < 8; ++i) x[i] = out[i];\n"
		   "	out[threadIdx.x] = other(x[n]);\n"
		   "	asm volatile(\"s_nop 0\");\n"
		   "}\n");
	assert_true(is_unknown(&f, "other"));
	assert_true(is_unknown(&f, "'x'"));
	assert_true(is_unknown(&f, "assembly"));
	snippet_release(&f.s);
}

/* Loads run ahead as long as there are registers, and no further. */
static unsigned held_by(const char *code)
{
	struct fixture f;
	reckon(&f, code);
	unsigned held = f.l.least.held;
	snippet_release(&f.s);
	return held;
}

/* An offset of 32 bits, an address of 64, and what is needed to make one. */
static void test_addresses(void **state)
{
	(void)state;
	/* the index of the thread, the offset and the value */
	unsigned small = held_by("KERNEL k(const float *in, float *out) {\n"
				 "	out[threadIdx.x * 2 + 1] = in[threadIdx.x % 64];\n"
				 "}\n");
	/* offset in bytes and the upper half of the base, beside the value */
	unsigned wide = held_by("KERNEL k(const float *in, float *out) {\n"
				"	out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];\n"
				"}\n");
	/* and the lower half of the address, as the offset is needed again */
	unsigned again = held_by("KERNEL k(const float *in, float *out) {\n"
				 "	const unsigned i = blockIdx.x * 64 + threadIdx.x;\n"
				 "	out[i] = in[i] * 2;\n"
				 "}\n");
	assert_int_equal(small, 3);
	assert_int_equal(wide, 4);
	assert_int_equal(again, 5);
}

/* What is stored is there until the address is made. */
static void test_stored_value(void **state)
{
	(void)state;
	unsigned one = held_by("KERNEL k(float *out, unsigned n) {\n"
			       "	const float x = threadIdx.x;\n"
			       "	out[n * threadIdx.x] = x;\n"
			       "}\n");
	unsigned four = held_by("KERNEL k(f32x4 *out, unsigned n, f32x4 *in) {\n"
				"	const f32x4 x = in[threadIdx.x];\n"
				"	out[n * threadIdx.x] = x;\n"
				"}\n");
	assert_int_equal(four - one, 3);
}

static void test_estimate(void **state)
{
	struct fixture f;
	struct target_db db;

	(void)state;
	reckon(&f, "KERNEL k(const f16x4 *a, f32x4 *out, int n) {\n"
		   "	f32x4 acc[16];\n"
		   "	for (int i = 0; i < 16; ++i) acc[i] = f32x4{0, 0, 0, 0};\n"
		   "	for (int t = 0; t < n; ++t) {\n"
		   "		for (int i = 0; i < 16; ++i) {\n"
		   "			acc[i] = mma(a[(t * 16 + i) * 64 + threadIdx.x], "
		   "a[threadIdx.x], "
		   "acc[i]);\n"
		   "		}\n"
		   "	}\n"
		   "	for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = acc[i];\n"
		   "}\n");
	assert_int_equal(target_db_builtin(&db, f.s.arena), 0);
	const struct target *t = target_find(&db, STR("gfx90a"));
	struct occupancy_use use = {.group_size = 256};
	unsigned all = f.l.most.held + f.l.most.in_flight;
	assert_in_range(f.l.least.held, 64, 80);
	assert_true(f.l.most.in_flight >= 30);
	assert_int_equal(ledger_estimate(&f.l, t, &use), all);
	/* a wave of a group of 1024 has 128: loads wait, what is held does not */
	use.group_size = 1024;
	f.l.most.in_flight = 100;
	assert_int_equal(ledger_estimate(&f.l, t, &use), 128);
	f.l.least.held = f.l.most.held = 140;
	assert_int_equal(ledger_estimate(&f.l, t, &use), 240);
	snippet_release(&f.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths_and_roles),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_stored_value),
		cmocka_unit_test(test_estimate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
