#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/ledger/ledger.h"
#include "snippet.h"

static const char matrix[] = "typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));\n"
			     "__device__ f32x4 mma(f16x4 a, f16x4 b, f32x4 c) {\n"
			     "	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);\n"
			     "}\n";

struct fixture {
	struct snippet s;
	struct ledger l;
	const struct target *t;
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
	struct target_db db;
	assert_int_equal(target_db_builtin(&db, f->s.arena), 0);
	f->t = target_find(&db, STR("gfx90a"));
	ledger_make(&f->l, f->s.arena, f->s.facts, u, kernel, f->t);
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
	assert_true(f.l.least.held >= 32 + 2 + 1 && f.l.least.held <= 32 + 2 + 1 + 8);
	snippet_release(&f.s);
}

/* Two arms that go on from the value before: a wave that takes one keeps it for the other. */
static void check_merge(const char *cond, const char *first, const char *second, unsigned copies)
{
	struct fixture f;
	char code[2000];

	snprintf(code, sizeof(code),
		"KERNEL k(const f16x4 *a, const f16x4 *b, f32x4 *out, int n) {\n"
		"	f32x4 acc[16];\n"
		"	for (int i = 0; i < 16; ++i) acc[i] = out[i * 64 + threadIdx.x];\n"
		"	for (int t = 0; t < n; ++t) {\n"
		"		if (%s) {\n"
		"			for (int i = 0; i < 16; ++i) acc[i] = %s;\n"
		"		} else {\n"
		"			for (int i = 0; i < 16; ++i) acc[i] = %s;\n"
		"		}\n"
		"	}\n"
		"	for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = acc[i];\n"
		"}\n",
		cond, first, second);
	reckon(&f, code);
	assert_int_equal(var(&f, "acc")->copies, copies);
	assert_int_equal(var(&f, "acc")->at_peak, 64 * copies);
	assert_true(f.l.most.held >= 64 * copies);
	snippet_release(&f.s);
}

static void test_copies(void **state)
{
	(void)state;
	const char *mul = "acc[i] * 2", *add = "acc[i] + 3";
	const char *mma[] = {"mma(a[t], b[t], acc[i])", "mma(b[t], a[t], acc[i])"};
	check_merge("t < 3", mma[0], mma[1], 2);
	check_merge("t < 3", mul, add, 2);
	/* lanes that part share a register; matrix operations ask that none do */
	check_merge("threadIdx.x < 3", mul, add, 1);
	check_merge("threadIdx.x < 3", mma[0], mma[1], 2);
	/* what is left out when it is compiled says nothing of lanes */
	check_merge("(sizeof(int) == 1 ? threadIdx.x : t) < 3", mul, add, 2);
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
	/* the peak is in the second call; the line with both has what either wants */
	const struct ledger_point *peak = &f.l.most;
	unsigned most = peak->held + peak->in_flight;
	assert_string_equal(peak->in, "add");
	assert_int_equal(peak->calls, 1);
	assert_string_equal(peak->call[0].in, "k");
	assert_true(peak->line < peak->call[0].line && peak->call[0].line < f.l.lines);
	assert_int_equal(f.l.pressure[peak->line], most);
	assert_int_equal(f.l.pressure[peak->call[0].line], most);
	assert_true(f.l.pressure[peak->call[0].line - 1] < most);
	assert_int_equal(f.l.pressure[peak->call[0].line + 2], 0);
	snippet_release(&f.s);
}

/* Matrix operations in inline assembly count as the builtins do. */
static void test_asm(void **state)
{
	static const char *const step[] = {"acc[i] = mma(a[t], q, acc[i]);",
		"asm volatile(\"v_mfma_f32_16x16x16f16 %0, %1, %2, %0\" : \"+v\"(acc[i]) : "
		"\"v\"(a[t]), \"v\"(q));",
		"asm(\"v_mfma_f32_16x16x16f16 %0, %1, %2, %3\" : \"=v\"(acc[i]) : "
		"\"v\"(a[t]), \"v\"(q), \"0\"(acc[i]));"};
	unsigned peak = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fixture f;
		char code[800];
		snprintf(code, sizeof(code),
			"KERNEL k(const f16x4 *p, f32x4 *out, int n) {\n"
			"	f32x4 acc[8] = {};\n"
			"	const f16x4 *a = p + threadIdx.x, q = a[1];\n"
			"	for (int t = 0; t < n; ++t) {\n"
			"		for (int i = 0; i < 8; ++i) { %s }\n"
			"	}\n"
			"	for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = acc[i];\n"
			"}\n",
			step[i]);
		reckon(&f, code);
		assert_int_equal(f.l.unknowns, 0);
		assert_int_equal(var(&f, "acc")->width, 32);
		assert_int_equal(var(&f, "acc")->role, LEDGER_ACCUMULATOR);
		assert_true(var(&f, "acc")->loop_carried);
		assert_int_equal(var(&f, "q")->role, LEDGER_OPERAND);
		peak = i ? peak : f.l.most.held;
		assert_true(f.l.most.held >= peak && f.l.most.held <= peak + 4);
		snippet_release(&f.s);
	}
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
		   "	asm volatile(\"s_sleep 1\");\n"
		   "}\n");
	assert_true(is_unknown(&f, "other"));
	assert_true(is_unknown(&f, "'x'"));
	assert_true(is_unknown(&f, "assembly"));
	snippet_release(&f.s);
}

/* An object of the library's, which takes it apart; what the kernel reads itself is there. */
static void test_library_object(void **state)
{
	struct fixture f;
	const char *const body = "# 1 \"library.h\" 1 3\n"
				 "struct group { int part[10]; __device__ void sync(); };\n"
				 "__device__ group this_group();\n"
				 "# 100 \"snippet.hip\" 2\n"
				 "KERNEL k(int *out) {\n"
				 "	group block = this_group();\n"
				 "	block.sync();\n"
				 "	out[threadIdx.x] = %s;\n"
				 "}\n";
	char code[1000];

	(void)state;
	snprintf(code, sizeof(code), body, "3");
	reckon(&f, code);
	assert_int_equal(var(&f, "block")->width, 0);
	assert_true(is_unknown(&f, "the library's registers for 'block'"));
	snippet_release(&f.s);
	snprintf(code, sizeof(code), body, "block.part[2]");
	reckon(&f, code);
	assert_int_equal(var(&f, "block")->width, 10);
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

/* The same index is reckoned once: its bytes are a pair from the first access to the last. */
static void test_offsets(void **state)
{
	(void)state;
	/* offset, the sum, the base's half; the index of the thread, for the other offset */
	unsigned once = held_by("KERNEL k(const int *in, int *out, int n) {\n"
				"	out[n + threadIdx.x % 7] = in[n + threadIdx.x];\n"
				"}\n");
	unsigned kept = held_by("KERNEL k(const int *in, int *more, int *out, int n) {\n"
				"	more[n + threadIdx.x] = in[n + threadIdx.x];\n"
				"	out[n + threadIdx.x % 7] = 3;\n"
				"}\n");
	/* an arm does not know what another one made */
	unsigned arms = held_by("KERNEL k(const int *in, int *more, int *out, int n) {\n"
				"	if (n > 3) more[n + threadIdx.x] = 3;\n"
				"	else more[n + threadIdx.x] = 4;\n"
				"}\n");
	unsigned other = held_by("KERNEL k(const int *in, int *more, int *out, int n) {\n"
				 "	if (n > 3) more[n + threadIdx.x] = 3;\n"
				 "	else more[n + threadIdx.x % 7] = 4;\n"
				 "}\n");
	assert_int_equal(kept - once, 2);
	assert_int_equal(arms, other);
	/* the upper half of an unsigned index is a zero that the next one needs as well */
	unsigned is_signed = held_by("KERNEL k(const int *in, int *out, int n) {\n"
				     "	const int t = (int)threadIdx.x;\n"
				     "	out[n + t] = in[n + (t + 64) % 256];\n"
				     "}\n");
	unsigned extended = held_by("KERNEL k(const int *in, int *out, unsigned n) {\n"
				    "	const unsigned t = threadIdx.x;\n"
				    "	out[n + t] = in[n + (t + 64) % 256];\n"
				    "}\n");
	assert_int_equal(extended - is_signed, 1);
}

/* What a loop keeps of addresses: an offset for all bases, a pointer that is counted up, and of a
 * step that is no constant its upper half. */
static unsigned held_in_loop(const char *body)
{
	char code[1000];

	snprintf(code, sizeof(code),
		"KERNEL k(const int *a, const int *b, int *out, int n) {\n"
		"	int s = 0;\n"
		"	for (int t = 0; t < n; ++t) { s = s * 3 + %s; }\n"
		"	out[threadIdx.x] = s;\n"
		"}\n",
		body);
	return held_by(code);
}

static void test_loop_addresses(void **state)
{
	(void)state;
	assert_int_equal(held_in_loop("a[threadIdx.x % 8] + b[threadIdx.x % 8]") + 1,
		held_in_loop("a[threadIdx.x % 8] + b[threadIdx.x % 16]"));
	assert_int_equal(held_in_loop("a[t * 64 + n + threadIdx.x]") + 1,
		held_in_loop("a[t * n + n + threadIdx.x]"));
}

/* What would be too much code stays a loop, unless private arrays would stand in memory then. */
static void test_long_loops(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "KERNEL k(const float *in, float *out) {\n"
		   "	float s = 0;\n"
		   "	for (int i = 0; i < 300; ++i) { s = s * 3 + in[i * 256 + threadIdx.x] / s; "
		   "}\n"
		   "	out[threadIdx.x] = s;\n"
		   "}\n");
	assert_int_equal(f.l.most.in_flight, 0);
	snippet_release(&f.s);
	reckon(&f, "KERNEL k(const float *in, float *out) {\n"
		   "	float s[300];\n"
		   "	for (int i = 0; i < 300; ++i) { s[i] = 3 / in[i * 256 + threadIdx.x] + i; "
		   "}\n"
		   "	for (int i = 0; i < 300; ++i) { out[i * 256 + threadIdx.x] = s[299 - i]; "
		   "}\n"
		   "}\n");
	assert_true(f.l.most.held + f.l.most.in_flight >= 299);
	snippet_release(&f.s);
}

/* Loads into an array that need not be there whole run ahead all the same. */
static void test_streamed(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "KERNEL k(const f32x4 *in, f32x4 *out) {\n"
		   "	f32x4 x[8];\n"
		   "	for (int i = 0; i < 8; ++i) x[i] = in[i * 256 + threadIdx.x];\n"
		   "	for (int i = 0; i < 8; ++i) out[i * 256 + threadIdx.x] = x[i];\n"
		   "}\n");
	assert_int_equal(f.l.most.in_flight, 28);
	assert_true(f.l.least.held >= 2 && f.l.least.held <= 12);
	snippet_release(&f.s);
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

/* Arms have half of their loads under way, straight code all of them. */
static void test_loads(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "struct four { unsigned x, y, z, w; };\n"
		   "KERNEL k(const four *in, unsigned *out, int n) {\n"
		   "	unsigned s = 0;\n"
		   "	for (int t = 0; t < n; ++t) {\n"
		   "		for (int i = 0; i < 32; ++i) s += in[(t * 32 + i) * 64 + "
		   "threadIdx.x].x;\n"
		   "	}\n"
		   "	out[threadIdx.x] = s;\n"
		   "}\n");
	assert_int_equal(f.l.most.in_flight, 31);
	snippet_release(&f.s);
	reckon(&f, "KERNEL k(const unsigned *in, unsigned *out, int n) {\n"
		   "	unsigned s = 0;\n"
		   "	for (int t = 0; t < n; ++t) {\n"
		   "		if (t > 3) for (int i = 0; i < 32; ++i) s += in[(t * 32 + i) * 64 "
		   "+ "
		   "threadIdx.x];\n"
		   "	}\n"
		   "	out[threadIdx.x] = s;\n"
		   "}\n");
	assert_int_equal(f.l.most.in_flight, 16);
	snippet_release(&f.s);
	/* an array of a class takes them as they land */
	reckon(&f, "struct four { unsigned x, y, z, w; };\n"
		   "KERNEL k(const four *in, four *out, int n) {\n"
		   "	for (int t = 0; t < n; ++t) {\n"
		   "		four v[32];\n"
		   "		for (int i = 0; i < 32; ++i) v[i] = in[(t * 32 + i) * 64 + "
		   "threadIdx.x];\n"
		   "		for (int i = 0; i < 32; ++i) out[v[31 - i].x] = v[i];\n"
		   "	}\n"
		   "}\n");
	assert_true(f.l.most.held + f.l.most.in_flight >= 128);
	assert_true(f.l.most.held + f.l.most.in_flight <= 128 + 16);
	snippet_release(&f.s);
}

/* In a wave with more than the architectural VGPRs, results pass through accumulation VGPRs where a
 * merge copies them: one on its way. */
static void test_passing(void **state)
{
	unsigned most[2];
	bool forms = frontend_compiler_major() <= LEDGER_TWO_FORMS_LAST;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		char code[800];
		snprintf(code, sizeof(code),
			"extern \"C\" __global__ __attribute__((amdgpu_flat_work_group_size(1, "
			"%d))) "
			"void k(const f16x4 *a, f32x4 *out, int n) {\n"
			"	f32x4 acc[8] = {};\n"
			"	for (int t = 0; t < n; ++t) {\n"
			"		if (t > 3) for (int i = 0; i < 8; ++i) acc[i] = mma(a[t], "
			"a[0], acc[i]);\n"
			"		else for (int i = 0; i < 8; ++i) acc[i] = mma(a[0], a[t], "
			"acc[i]);\n"
			"	}\n"
			"	for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = acc[i];\n"
			"}\n",
			i ? 256 : 512);
		reckon(&f, code);
		assert_true(f.l.bounded);
		assert_int_equal(f.l.group_size, i ? 256 : 512);
		most[i] = f.l.most.held;
		snippet_release(&f.s);
	}
	assert_int_equal(most[1] - most[0], forms ? 4 : 0);
}

/* An arm that is the only one: no second copy, but accumulation VGPRs may be taken besides. */
static void test_besides(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		char code[800];
		snprintf(code, sizeof(code),
			"extern \"C\" __global__ __attribute__((amdgpu_flat_work_group_size(1, "
			"256)%s)) "
			"void k(const f16x4 *a, f32x4 *out, int n) {\n"
			"	f32x4 acc[8] = {};\n"
			"	for (int t = 0; t < n; ++t) {\n"
			"		if (t > 3) for (int i = 0; i < 8; ++i) acc[i] = mma(a[t], "
			"a[0], acc[i]);\n"
			"	}\n"
			"	for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = acc[i];\n"
			"}\n",
			i ? ", amdgpu_waves_per_eu(2)" : "");
		reckon(&f, code);
		assert_true(f.l.most.held >= 32 && f.l.most.held < 64);
		assert_int_equal(f.l.waves, i ? 2 : 0);
		/* with two waves on a SIMD there are none beyond the architectural */
		bool forms = !i && frontend_compiler_major() <= LEDGER_TWO_FORMS_LAST;
		assert_true(forms ? f.l.extra > 28 : f.l.extra == 0);
		assert_int_equal(ledger_claim_whole(&f.l, f.t).budget, i ? 256 : 512);
		snippet_release(&f.s);
	}
}

/* The same element of LDS, for several taps: one load. In an arm half of them are under way. */
static void test_taps(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "KERNEL k(const float *w, float *out, int n) {\n"
		   "	__shared__ float row[8][80];\n"
		   "	float acc[8] = {};\n"
		   "	const int x = threadIdx.x % 64;\n"
		   "	for (int t = 0; t < n; ++t) {\n"
		   "		row[t & 7][x] = w[t * 64 + x];\n"
		   "		__syncthreads();\n"
		   "		for (int k = 0; k < 9; ++k)\n"
		   "			for (int c = 0; c < 8; ++c)\n"
		   "				acc[c] += w[t * 9 + k] * row[k / 3][x + c + k % "
		   "3];\n"
		   "	}\n"
		   "	for (int c = 0; c < 8; ++c) out[c * 64 + x] = acc[c];\n"
		   "}\n");
	/* one is what the sum takes at once */
	assert_int_equal(f.l.most.in_flight, 3 * 10 - 1);
	snippet_release(&f.s);
	/* two accesses that overlap, by another name of the index */
	reckon(&f, "KERNEL k(float *out) {\n"
		   "	__shared__ float row[80];\n"
		   "	float acc[16] = {};\n"
		   "	const int x = threadIdx.x % 64, y = x + 1;\n"
		   "	for (int t = 0; t < 99; ++t) {\n"
		   "		row[x] = acc[t & 1];\n"
		   "		__syncthreads();\n"
		   "		for (int c = 0; c < 16; ++c) acc[c] += row[x + c] * row[y + c];\n"
		   "	}\n"
		   "	for (int c = 0; c < 16; ++c) out[c * 64 + x] = acc[c];\n"
		   "}\n");
	assert_int_equal(f.l.most.in_flight, 17 - 2);
	snippet_release(&f.s);
}

/* A claim is as wide as its error, and no wave has more than its room. */
static void test_claim(void **state)
{
	struct fixture f;

	(void)state;
	reckon(&f, "KERNEL k(int *out) { out[threadIdx.x] = 1; }\n");
	struct ledger_claim c = ledger_claim_of(&f.l, f.t, 100, 10);
	assert_int_equal(c.vgprs, 100);
	assert_int_equal(c.vgprs_least, 90);
	assert_int_equal(c.vgprs_most, 110);
	assert_int_equal(c.budget, 128); /* without bounds a group has 1024 */
	assert_int_equal(c.waves_least, 4);
	assert_int_equal(c.waves_most, 5);
	assert_string_equal(ledger_claim_text(f.s.arena, &c),
		"about 100 VGPRs (90 to 110), registers for 4 or 5 waves per SIMD");
	f.l.least.held = 300;
	c = ledger_claim_of(&f.l, f.t, 300, 10);
	assert_int_equal(c.vgprs, 300);
	assert_int_equal(c.waves_least, 4);
	assert_int_equal(c.waves_most, 4);
	snippet_release(&f.s);
}

static void test_estimate(void **state)
{
	struct fixture f;

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
	f.l.group_size = 256;
	unsigned all = f.l.most.held + f.l.most.in_flight;
	assert_true(f.l.least.held >= 64 && f.l.least.held <= 80);
	assert_true(f.l.most.in_flight >= 30);
	assert_int_equal(ledger_estimate(&f.l, f.t), all);
	/* a wave of a group of 1024 has 128: loads wait, what is held does not */
	f.l.group_size = 1024;
	f.l.most.in_flight = 100;
	assert_int_equal(ledger_estimate(&f.l, f.t), 128);
	f.l.least.held = f.l.most.held = 140;
	assert_int_equal(ledger_estimate(&f.l, f.t), 240);
	/* loads run ahead in architectural VGPRs; beside results in the others */
	f.l.group_size = 256;
	f.l.most.in_flight = 300;
	assert_int_equal(f.l.results, 64);
	assert_int_equal(ledger_estimate(&f.l, f.t), 256 + 64);
	f.l.least.held = 400;
	assert_int_equal(ledger_estimate(&f.l, f.t), 400);
	snippet_release(&f.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths_and_roles),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_asm),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_library_object),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_loop_addresses),
		cmocka_unit_test(test_streamed),
		cmocka_unit_test(test_long_loops),
		cmocka_unit_test(test_stored_value),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_passing),
		cmocka_unit_test(test_besides),
		cmocka_unit_test(test_taps),
		cmocka_unit_test(test_claim),
		cmocka_unit_test(test_estimate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
