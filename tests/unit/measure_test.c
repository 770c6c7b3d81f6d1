#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/arena.h"
#include "base/file.h"
#include "base/msg.h"
#include "measure/compile/compiler.h"
#include "measure/isa/demangle.h"
#include "measure/ir/merge.h"
#include "measure/isa/isa.h"
#include "measure/isa/access.h"
#include "measure/isa/loops.h"
#include "measure/isa/path.h"
#include "measure/isa/stall.h"
#include "measure/measure.h"

struct fixture {
	struct arena *a;
	struct target_db targets;
};

static int set_up(void **state)
{
	static struct fixture f;
	f = (struct fixture){.a = arena_create()};
	*state = &f;
	return target_db_builtin(&f.targets, f.a);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	arena_free(f->a);
	return 0;
}

static struct str data(struct fixture *f, const char *name)
{
	const char *root = getenv("UNPHI_SOURCE_ROOT");
	struct sbuf b = {0};
	const char *path = arena_printf(f->a, "%s/tests/unit/data/isa/%s", root ? root : ".", name);
	assert_int_equal(file_read(&b, path), 0);
	struct str s = {arena_strndup(f->a, b.p, b.n), b.n};
	sbuf_release(&b);
	return s;
}

static const struct target *target(struct fixture *f, const char *name)
{
	return target_find(&f->targets, str_of(name));
}

static struct measurement read_isa(struct fixture *f, const char *name, const char *gpu)
{
	struct measurement m;
	assert_int_equal(isa_read(&m, f->a, target(f, gpu), data(f, name), STR(""), name), 0);
	return m;
}

static const struct kernel_metrics *kernel(const struct measurement *m, const char *symbol)
{
	for (size_t i = 0; i < m->kernels; i++) {
		if (strcmp(m->kernel[i].symbol, symbol) == 0) {
			return &m->kernel[i];
		}
	}
	fail_msg("no kernel %s", symbol);
	return NULL;
}

struct want {
	enum metric metric;
	int64_t value;
};

static void check(const struct kernel_metrics *k, const struct want *want, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (k->v[want[i].metric] != want[i].value) {
			fail_msg("%s: %s is %lld, not %lld", k->symbol,
				metric_info[want[i].metric].key, (long long)k->v[want[i].metric],
				(long long)want[i].value);
		}
	}
}

#define CHECK(k, ...)                                                                              \
	do {                                                                                       \
		static const struct want want_[] = {__VA_ARGS__};                                  \
		check((k), want_, sizeof(want_) / sizeof(want_[0]));                               \
	} while (0)

static void test_metadata_and_counts(void **state)
{
	struct measurement m = read_isa(*state, "lane_branch.isa", "gfx942");
	assert_int_equal(m.kernels, 2);
	assert_string_equal(m.target, "gfx942");
	/* Sorted by symbol. */
	assert_string_equal(m.kernel[0].symbol, "_ZN4tile9if_else_kILi4EEEvPf");
	assert_string_equal(m.kernel[0].name, "tile::if_else_k<...>");
	assert_true(m.kernel[0].trusted);
	CHECK(&m.kernel[0], {METRIC_VGPR, 16}, {METRIC_ARCH_VGPR, 16}, {METRIC_ACC_VGPR, 0},
		{METRIC_SGPR, 15}, {METRIC_VGPR_SPILL, 0}, {METRIC_SCRATCH, 0},
		{METRIC_SCRATCH_ACCESS, 0}, {METRIC_REGISTER_WAVES, 8}, {METRIC_RESIDENT_WAVES, 6},
		{METRIC_LDS, 20000}, {METRIC_GROUP_SIZE, 512}, {METRIC_MATRIX_OP, 4},
		{METRIC_MATRIX_DEST, 2}, {METRIC_COPY, 1}, {METRIC_INSTRUCTION, 20},
		{METRIC_CALL, 0}, {METRIC_WIDE_PHI, METRIC_ABSENT});
	assert_int_equal(m.kernel[0].limiter, OCC_LIMIT_LDS);
}

static void test_skipped_and_unskipped(void **state)
{
	struct measurement m = read_isa(*state, "lane_branch.isa", "gfx942");
	CHECK(kernel(&m, "_ZN4tile9if_else_kILi4EEEvPf"), {METRIC_LANE_BRANCH_MATRIX, 3},
		{METRIC_MATRIX_UNSKIPPED, 0});
	CHECK(kernel(&m, "unskipped"), {METRIC_MATRIX_OP, 3}, {METRIC_LANE_BRANCH_MATRIX, 3},
		{METRIC_MATRIX_UNSKIPPED, 3});
}

static void test_wave32(void **state)
{
	struct measurement m = read_isa(*state, "wave32.isa", "gfx1100");
	CHECK(kernel(&m, "wave32"), {METRIC_MATRIX_OP, 3}, {METRIC_LANE_BRANCH_MATRIX, 3},
		{METRIC_MATRIX_UNSKIPPED, 1}, {METRIC_FMA, 1}, {METRIC_MUL_ADD, 2},
		{METRIC_COPY, 1}, {METRIC_ACC_VGPR, 0}, {METRIC_ARCH_VGPR, 36},
		{METRIC_REGISTER_WAVES, 16});
	/* A skip that is too far for a branch goes through s_setpc. */
	CHECK(kernel(&m, "far_jump"), {METRIC_MATRIX_OP, 2}, {METRIC_LANE_BRANCH_MATRIX, 1},
		{METRIC_MATRIX_UNSKIPPED, 0});
}

static void test_call_is_not_trusted(void **state)
{
	struct measurement m = read_isa(*state, "call_and_spills.isa", "gfx90a");
	const struct kernel_metrics *k = kernel(&m, "with_call");
	CHECK(k, {METRIC_CALL, 1}, {METRIC_SCRATCH, 16});
	assert_false(k->trusted);
	assert_non_null(strstr(k->why, "call"));
}

/* Calls that the kernel cannot go on behind to its end do no harm; the others are named. */
static void test_cold_calls(void **state)
{
	static const struct {
		const char *name;
		const char *why; /* part of it; NULL: trusted */
	} kernels[] = {{"_Z4coldPfi", NULL}, {"_Z11cold_behindPfi", NULL},
		{"_Z11cold_sharedPfi", NULL},
		{"_Z6absentPfi", "'elsewhere' is left in it (s_swappc), whose code is not in"},
		{"_Z12absent_belowPfi",
			"'stop_elsewhere' is left in it (s_swappc): in this, a call to"},
		{"_Z4endsPfi", "'work' is left in it (s_swappc) and may return"},
		{"_Z7pointerPfPFvS_E", "its callee is unknown"},
		{"_Z5turnsPf", "'forever' is left in it (s_swappc) and may return"},
		{"_Z4warmPfi", "'log_and_go' is left in it (s_swappc) and may return"}};
	struct measurement m = read_isa(*state, "cold_calls.isa", "gfx90a");
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		const struct kernel_metrics *k = measurement_kernel(&m, kernels[i].name);
		assert_non_null(k);
		assert_true(k->v[METRIC_CALL] > 0);
		assert_int_equal(k->trusted, !kernels[i].why);
		assert_true(!kernels[i].why || strstr(k->why, kernels[i].why));
	}
	/* its own three registers; the callee's are the most of cold_behind */
	CHECK(measurement_kernel(&m, "_Z4coldPfi"), {METRIC_VGPR, 3});
	CHECK(measurement_kernel(&m, "_Z11cold_behindPfi"), {METRIC_VGPR, 9});
}

static void test_spills_copies_and_flops(void **state)
{
	struct measurement m = read_isa(*state, "call_and_spills.isa", "gfx90a");
	const struct kernel_metrics *k = kernel(&m, "spills");
	assert_true(k->trusted);
	/* Accesses: 2 outside loops, 1 in a loop, 1 in a loop of a loop. The load through s[4:7] is
	 * the program's own. */
	CHECK(k, {METRIC_SCRATCH, 8}, {METRIC_SCRATCH_ACCESS, 2 + 10 + 100}, {METRIC_VGPR_SPILL, 1},
		{METRIC_SGPR_SPILL, 2}, {METRIC_VGPR, 132}, {METRIC_ACC_VGPR, 4},
		{METRIC_ARCH_VGPR, 128}, {METRIC_REGISTER_WAVES, 3}, {METRIC_RESIDENT_WAVES, 2},
		{METRIC_FMA, 4}, {METRIC_MUL_ADD, 4}, {METRIC_COPY, 7}, {METRIC_MATRIX_OP, 0},
		{METRIC_MATRIX_UNSKIPPED, 0});
	assert_int_equal(k->limiter, OCC_LIMIT_GROUP);
}

static void check_rounding(const struct kernel_metrics *k, enum round_width w, int64_t fma,
	int64_t mul, int64_t add, int64_t unfused)
{
	const int64_t *n = k->rounding.n[w];
	if (n[ROUND_FMA] != fma || n[ROUND_MUL] != mul || n[ROUND_ADD] != add ||
		n[ROUND_UNFUSED] != unfused) {
		fail_msg("%s, width %d: %lld fused, %lld multiplies, %lld adds, %lld of products",
			k->symbol, (int)w, (long long)n[ROUND_FMA], (long long)n[ROUND_MUL],
			(long long)n[ROUND_ADD], (long long)n[ROUND_UNFUSED]);
	}
}

static void test_rounding(void **state)
{
	struct measurement m = read_isa(*state, "rounding.isa", "gfx90a");
	/* Lanes of packed ones; no integers, no steps of a division. */
	const struct kernel_metrics *k = kernel(&m, "widths");
	check_rounding(k, ROUND_F16, 3, 2, 3, 0);
	check_rounding(k, ROUND_BF16, 0, 2, 0, 0);
	check_rounding(k, ROUND_F32, 6, 1, 1, 0);
	check_rounding(k, ROUND_F64, 2, 1, 0, 0);
	check_rounding(k, ROUND_DOT, 2, 0, 0, 0);
	CHECK(k, {METRIC_FMA, 11}, {METRIC_MUL_ADD, 10}, {METRIC_UNFUSED, 0});
	/* Adds that take a product: signed, moved, one lane, as a pair, as v_mac, above v255. */
	k = kernel(&m, "taken");
	check_rounding(k, ROUND_F32, 0, 5, 12, 7);
	check_rounding(k, ROUND_F64, 0, 1, 1, 1);
	/* On one path, round a loop, through a spill, a select, an AGPR, in halves of VOPD. */
	k = kernel(&m, "flow");
	check_rounding(k, ROUND_F32, 1, 3, 8, 7);
	assert_int_equal(k->rounding.forms, 2); /* of four blocks, two take products */
	/* An addend that is a product: negated; added as it is; of another block; of the other
	 * half, and negated. */
	assert_int_equal(kernel(&m, "chosen")->rounding.choices, 5);
	/* The product with a sum is fused, by both FMAs; of a pair's halves only one is a sum. */
	assert_int_equal(kernel(&m, "factors")->rounding.choices, 2);
	assert_int_equal(kernel(&m, "halves")->rounding.choices, 1);
	/* Both are fused in both, but the other one first. */
	const struct rounding *one = &kernel(&m, "chain")->rounding;
	const struct rounding *other = &kernel(&m, "chain_turned")->rounding;
	assert_int_equal(one->choices, 3);
	assert_int_equal(other->choices, 3);
	assert_memory_not_equal(one->chosen, other->chosen, 3 * sizeof(*one->chosen));
}

static void test_wide_phis(void **state)
{
	struct fixture *f = *state;
	struct measurement m;
	assert_int_equal(isa_read(&m, f->a, target(f, "gfx942"), data(f, "lane_branch.isa"),
				 data(f, "wide_phis.ll"), "x"),
		0);
	CHECK(kernel(&m, "_ZN4tile9if_else_kILi4EEEvPf"), {METRIC_WIDE_PHI, 5});
	CHECK(kernel(&m, "unskipped"), {METRIC_WIDE_PHI, 0});
}

static void test_unreadable(void **state)
{
	struct fixture *f = *state;
	static const char *const texts[] = {"", "\n", "no assembly at all", "\t.amdgpu_metadata\n",
		"\t.end_amdgpu_metadata\n",
		"\t.amdgpu_metadata\namdhsa.kernels:\n  - .vgpr_count: 3\n\t.end_amdgpu_metadata\n",
		"\t.amdgpu_metadata\namdhsa.kernels:\n  - .name: k\n  - .name: k\n"
		"\t.end_amdgpu_metadata\n"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct measurement m;
		assert_int_equal(isa_read(&m, f->a, target(f, "gfx942"), str_of(texts[i]), STR(""),
					 "cut.hip"),
			FAIL_INPUT);
	}
}

/* What could not be read is absent, and the kernel says so. */
static void test_absent_is_not_zero(void **state)
{
	struct fixture *f = *state;
	struct measurement m;
	struct str text = STR("\t.amdgpu_metadata\namdhsa.kernels:\n  - .name: k\n"
			      "    .vgpr_count: -4\n    .sgpr_count: 99999999999999999999\n"
			      "    .vgpr_spill_count: 1x\n    .group_segment_fixed_size:\n"
			      "\t.end_amdgpu_metadata\n");
	assert_int_equal(isa_read(&m, f->a, target(f, "gfx942"), text, STR(""), "k.hip"), 0);
	assert_int_equal(m.kernels, 1);
	assert_false(m.kernel[0].trusted);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		assert_int_equal(m.kernel[0].v[i], METRIC_ABSENT);
	}
	/* No kernel is no error. */
	text = STR("\t.amdgpu_metadata\namdhsa.kernels:  []\n\t.end_amdgpu_metadata\n");
	assert_int_equal(isa_read(&m, f->a, target(f, "gfx942"), text, STR(""), "k.hip"), 0);
	assert_int_equal(m.kernels, 0);
}

static void check_cut(struct fixture *f, struct arena *a, struct str text)
{
	struct measurement m;
	const char *why = isa_read_quiet(&m, a, target(f, "gfx942"), text, text);
	for (size_t i = 0; !why && i < m.kernels; i++) {
		const struct kernel_metrics *k = &m.kernel[i];
		assert_true(k->trusted || k->why);
		if (k->v[METRIC_INSTRUCTION] == METRIC_ABSENT) {
			assert_false(k->trusted);
			assert_int_equal(k->v[METRIC_MATRIX_OP], METRIC_ABSENT);
			assert_int_equal(k->v[METRIC_MATRIX_UNSKIPPED], METRIC_ABSENT);
			assert_int_equal(k->v[METRIC_CALL], METRIC_ABSENT);
		}
	}
}

static void test_truncated(void **state)
{
	struct fixture *f = *state;
	static const char *const names[] = {"lane_branch.isa", "call_and_spills.isa", "wave32.isa",
		"rounding.isa", "cold_calls.isa", "wide_phis.ll"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct str s = data(f, names[i]);
		size_t end = str_find(s, ".end_amdgpu_metadata", 0);
		/* by default as many cuts in a long file as in a short one */
		size_t step = s.n > 4000 && !getenv("UNPHI_TEST_ALL") ? 13 : 3;
		for (size_t n = 0; n < s.n; n += step) {
			struct arena *a = arena_create();
			struct measurement m;
			if (n <= end) {
				assert_non_null(isa_read_quiet(
					&m, a, target(f, "gfx942"), str_sub(s, 0, n), STR("")));
			}
			check_cut(f, a, str_sub(s, 0, n));
			check_cut(f, a, str_sub(s, n, s.n));
			arena_free(a);
		}
	}
}

/* Any change of a byte gives a figure or none, but no crash (run with sanitizers). */
static void test_damaged(void **state)
{
	struct fixture *f = *state;
	static const char *const names[] = {
		"lane_branch.isa", "call_and_spills.isa", "wave32.isa", "rounding.isa"};
	static const char bytes[] = {
		'\0', '\n', ':', '[', ']', ',', '9', '-', ';', '"', (char)0xff};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct str s = data(f, names[i]);
		char *copy = arena_memdup(f->a, s.p, s.n);
		for (size_t at = 0; at < s.n; at += 5) {
			struct arena *a = arena_create();
			copy[at] = bytes[at % sizeof(bytes)];
			check_cut(f, a, (struct str){copy, s.n});
			copy[at] = s.p[at];
			arena_free(a);
		}
	}
}

static void test_demangle(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *in;
		const char *out;
	} plain[] = {{"k", "k"}, {"_Z1kPf", "k"}, {"_Z4tileILi4EEvPf", "tile<...>"},
		{"_ZN3foo3barEPf", "foo::bar"}, {"_ZN3foo3barILi4EEEvPf", "foo::bar<...>"},
		{"_ZN12_GLOBAL__N_11kEPf", "(anonymous namespace)::k"}, {"_Z", "_Z"},
		{"_Z99x", "_Z99x"}, {"_ZN3foo", "_ZN3foo"}, {"_ZL1kPf", "k"}};
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		assert_string_equal(demangle_plain(f->a, str_of(plain[i].in)), plain[i].out);
	}
	static const struct {
		const char *in;
		const char *out;
	} strip[] = {{"k(float*)", "k"}, {"void k<32>(float*)", "k<32>"},
		{"void foo::k<(bool)1, float (*)(int)>(float*, int)",
			"foo::k<(bool)1, float (*)(int)>"},
		{"(anonymous namespace)::k(int)", "(anonymous namespace)::k"},
		{"void (anonymous namespace)::k<2>(int)", "(anonymous namespace)::k<2>"},
		{"f()::{lambda(int)#1}::operator()(int) const", "f()::{lambda(int)#1}::operator()"},
		{"void k<f()::{lambda(auto:1)#1}>(f()::{lambda(auto:1)#1})",
			"k<f()::{lambda(auto:1)#1}>"},
		{"k", "k"}, {"", ""}, {")", ")"}, {"((", "(("}};
	for (size_t i = 0; i < sizeof(strip) / sizeof(strip[0]); i++) {
		struct str s = demangle_strip(str_of(strip[i].in));
		assert_string_equal(arena_strndup(f->a, s.p, s.n), strip[i].out);
	}
}

/* A name that a demangler would not add to is not asked for: the one that is there stays. */
static void test_demangle_asks(void **state)
{
	struct fixture *f = *state;
	struct kernel_metrics k[] = {{.symbol = "_Z1kPf", .name = "mine"},
		{.symbol = "_ZN12_GLOBAL__N_11kEPf", .name = "mine"},
		{.symbol = "_ZL1kPf", .name = "mine"}, {.symbol = "_Z1kB3tagPf", .name = "mine"},
		{.symbol = "_Z4tileILi4EEvPf", .name = "mine"}};
	static const char *const want[] = {"mine", "mine", "mine", "k[abi:tag]", "tile<4>"};
	struct measurement m = {.kernel = k, .kernels = sizeof(k) / sizeof(k[0])};
	struct measurement *all[] = {&m};

	demangle_measurements(all, 1, f->a);
	for (size_t i = 0; i < m.kernels; i++) {
		assert_string_equal(k[i].name, want[i]);
	}
}

/* Two kernels with plain figures to change. */
static struct measurement sample(struct arena *a)
{
	struct measurement m = {.target = "gfx942",
		.kernel = ARENA_ARRAY(a, struct kernel_metrics, 2),
		.kernels = 2};
	for (size_t i = 0; i < 2; i++) {
		struct kernel_metrics *k = &m.kernel[i];
		k->symbol = k->name = i ? "b" : "a";
		k->trusted = true;
		for (size_t j = 0; j < METRIC_COUNT; j++) {
			k->v[j] = 100;
		}
		k->v[METRIC_RESIDENT_WAVES] = 2;
		k->v[METRIC_REGISTER_WAVES] = 2;
		k->v[METRIC_CALL] = 0;
		k->v[METRIC_UNFUSED] = 0;
		k->v[METRIC_MATRIX_UNSKIPPED] = 0;
		k->v[METRIC_LANE_BRANCH_MATRIX] = 0;
	}
	return m;
}

/* Compares the sample with the same, metric m of kernel i changed by diff. */
static struct comparison compare_changed(
	struct fixture *f, size_t i, enum metric m, int64_t diff, const struct compare_opts *opts)
{
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	after.kernel[i].v[m] += diff;
	measurement_compare(&c, f->a, &before, &after, opts);
	return c;
}

/* A loop inside a loop, one with two ways in, and one block that nothing gets to. */
static void test_loops(void **state)
{
	(void)state;
	static const char text[] = "\ts_nop 0\n" /* 0 */
				   ".LBB0_1:\n\ts_nop 1\n"
				   ".LBB0_2:\n\ts_nop 2\n\ts_cbranch_scc0 .LBB0_2\n"
				   "\ts_cbranch_scc1 .LBB0_1\n" /* 4 */
				   "\ts_cbranch_vccz .LBB0_4\n"
				   ".LBB0_3:\n\ts_nop 3\n" /* 6 */
				   ".LBB0_4:\n\ts_nop 4\n\ts_cbranch_vccnz .LBB0_3\n"
				   "\ts_branch .LBB0_6\n" /* 9 */
				   ".LBB0_5:\n\ts_branch .LBB0_5\n"
				   ".LBB0_6:\n\ts_endpgm\n";
	static const unsigned want[] = {0, 1, 2, 2, 1, 0, 1, 1, 1, 0, 1, 0};
	struct isa_function f = {0};
	isa_function_read(&f, str_of(text));
	isa_depths_find(&f);
	assert_int_equal(f.insn.n, sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < f.insn.n; i++) {
		assert_int_equal(f.insn.v[i].depth, want[i]);
	}
	isa_function_release(&f);
	/* a jump to nowhere: what the comments say */
	isa_function_read(&f, STR(".LBB0_1: ; =>This Inner Loop Header: Depth=2\n\ts_nop 0\n"
				  "\ts_branch .LBB0_9\n"));
	isa_depths_find(&f);
	assert_int_equal(f.insn.v[0].depth, 2);
	isa_function_release(&f);
}

static void find_loops(
	struct isa_loops *out, struct isa_blocks *b, struct arena *a, const char *text)
{
	struct isa_function f = {0};
	isa_function_read(&f, str_of(text));
	assert_true(isa_blocks_find(b, a, &f));
	isa_loops_find(out, a, b);
	isa_function_release(&f);
}

/* What a branch backward makes: a loop only where control comes round again. */
static void test_loop_forest(void **state)
{
	struct fixture *f = *state;
	struct isa_blocks b;
	struct isa_loops l;
	/* .LBB0_4 is out of line: its branch backward leads on, not round */
	find_loops(&l, &b, f->a,
		"\ts_cbranch_scc1 .LBB0_4\n"
		".LBB0_1:\n\ts_nop 1\n"
		".LBB0_2:\n\ts_nop 2\n\ts_cbranch_scc0 .LBB0_5\n"
		".LBB0_3:\n\ts_cbranch_scc1 .LBB0_2\n\ts_endpgm\n"
		".LBB0_4:\n\ts_nop 4\n\ts_branch .LBB0_1\n"
		".LBB0_5:\n\ts_nop 5\n\ts_branch .LBB0_3\n");
	assert_int_equal(b.n, 7);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.v[0].heads, 1);
	assert_int_equal(l.v[0].head[0], 2);
	assert_int_equal(l.v[0].blocks, 3); /* and the block of it that is out of line */
	assert_int_equal(l.v[0].block[2], 6);
	assert_int_equal(l.v[0].around, ISA_NONE);
	assert_int_equal(l.of[1], ISA_NONE);
	assert_int_equal(l.of[5], ISA_NONE);
	assert_int_equal(l.of[6], 0);
	/* two loops in one, the second with two entries; then one more */
	find_loops(&l, &b, f->a,
		".LBB0_1:\n\ts_nop 1\n"
		".LBB0_2:\n\ts_nop 2\n\ts_cbranch_scc0 .LBB0_2\n"
		"\ts_cbranch_scc1 .LBB0_4\n"
		".LBB0_3:\n\ts_nop 3\n"
		".LBB0_4:\n\ts_nop 4\n\ts_cbranch_scc1 .LBB0_3\n"
		"\ts_cbranch_vccz .LBB0_1\n"
		".LBB0_6:\n\ts_cbranch_vccz .LBB0_6\n\ts_endpgm\n");
	assert_int_equal(l.n, 4);
	static const uint32_t around[] = {ISA_NONE, 0, 0, ISA_NONE};
	static const size_t heads[] = {1, 1, 2, 1}, blocks[] = {6, 1, 2, 1};
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(l.v[i].around, around[i]);
		assert_int_equal(l.v[i].depth, around[i] == ISA_NONE ? 1 : 2);
		assert_int_equal(l.v[i].heads, heads[i]);
		assert_int_equal(l.v[i].blocks, blocks[i]);
	}
	assert_int_equal(l.of[0], 0);
	assert_int_equal(l.of[3], 2);
	find_loops(&l, &b, f->a, "\ts_endpgm\n");
	assert_int_equal(l.n, 0);
}

/* The paths through a text, in which "nop N" stands for N instructions of four cycles. */
static struct kernel_metrics paths_of(struct fixture *f, const char *text)
{
	struct kernel_metrics k = {0};
	struct isa_function fn = {0};
	struct sbuf b = {0};
	struct str rest = str_of(text), line;
	while (str_line(&rest, &line)) {
		int64_t n = 0;
		if (str_starts(line, "nop ") && str_to_i64(str_sub(line, 4, line.n), &n)) {
			for (; n > 0; n--) {
				sbuf_adds(&b, "\ts_nop 0\n");
			}
		} else {
			sbuf_addf(&b, "%.*s\n", STR_ARG(line));
		}
	}
	isa_function_read(&fn, sbuf_str(&b));
	isa_paths_find(&k, &fn, target(f, "gfx942"));
	isa_function_release(&fn);
	sbuf_release(&b);
	return k;
}

static void check_paths(struct fixture *f, const char *text, int64_t least, int64_t most)
{
	struct kernel_metrics k = paths_of(f, text);
	assert_int_equal(k.v[METRIC_PATH_LEAST], 4 * least);
	assert_int_equal(k.v[METRIC_PATH_MOST], 4 * most);
}

/* One arm of an if runs, however the compiler writes it; a loop counts ten times. */
static void test_paths(void **state)
{
	struct fixture *f = *state;
	/* an if/else: 1 + 1 + 20 + 1, or 1 + 1 + 50; and the end */
	check_paths(f,
		"\ts_cmp_eq_u32 s4, 7\n\ts_cbranch_scc1 .LBB0_2\nnop 20\n\ts_branch .LBB0_3\n"
		".LBB0_2:\nnop 50\n.LBB0_3:\n\ts_endpgm\n",
		24, 53);
	/* two ifs on one condition, the second the other way round */
	check_paths(f,
		"\ts_cmp_eq_u32 s4, 7\n\ts_cbranch_scc1 .LBB0_2\nnop 20\n"
		".LBB0_2:\n\ts_cmp_lg_u32 s4, 7\n\ts_cbranch_scc1 .LBB0_3\nnop 50\n"
		".LBB0_3:\n\ts_endpgm\n",
		25, 55);
	/* a condition that is kept: the flag of the structurizer tells which arm was skipped */
	check_paths(f,
		"\ts_cmp_lt_i32 s4, s5\n\ts_cselect_b64 s[6:7], -1, 0\n"
		"\ts_andn2_b64 vcc, exec, s[6:7]\n\ts_mov_b64 s[8:9], -1\n"
		"\ts_cbranch_vccnz .LBB0_2\nnop 20\n\ts_mov_b64 s[8:9], 0\n"
		".LBB0_2:\n\ts_andn2_b64 vcc, exec, s[8:9]\n\ts_cbranch_vccnz .LBB0_3\nnop 50\n"
		".LBB0_3:\n\ts_endpgm\n",
		29, 58);
	/* one number is one number: of three ifs on s4 one is taken, or none */
	check_paths(f,
		"\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .LBB0_1\nnop 20\n"
		".LBB0_1:\n\ts_cmp_lg_u32 s4, 1\n\ts_cbranch_scc1 .LBB0_2\nnop 30\n"
		".LBB0_2:\n\ts_cmp_lt_i32 s4, 5\n\ts_cbranch_scc1 .LBB0_3\nnop 40\n"
		".LBB0_3:\n\ts_endpgm\n",
		7, 47);
	/* a loop, and lanes: the skip is taken, or not */
	check_paths(f,
		"\ts_mov_b32 s4, 0\n.LBB0_1:\n\tv_cmp_gt_i32_e32 vcc, s4, v0\n"
		"\ts_and_saveexec_b64 s[0:1], vcc\n\ts_cbranch_execz .LBB0_2\nnop 20\n"
		".LBB0_2:\n\ts_or_b64 exec, exec, s[0:1]\n\ts_add_i32 s4, s4, 1\n"
		"\ts_cmp_lg_u32 s4, s5\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		2 + 10 * 7, 2 + 10 * 27);
	/* a counter from 2 to 14 by 4, in a loop of its own */
	check_paths(f,
		"\ts_mov_b32 s4, 2\n.LBB0_1:\nnop 5\n\ts_add_i32 s4, s4, 4\n"
		"\ts_cmp_lg_u32 s4, 14\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		2 + 3 * 8, 2 + 3 * 8);
	/* two in one another, the outer held against its bound before it grows: 3 * 5 */
	check_paths(f,
		"\ts_mov_b32 s5, 0\n.LBB0_1:\n\ts_mov_b64 s[6:7], 0\n"
		".LBB0_2:\nnop 5\n\ts_add_u32 s6, s6, 1\n\ts_cmp_eq_u32 s6, 5\n"
		"\ts_cbranch_scc0 .LBB0_2\n\ts_cmp_lt_i32 s5, 4\n\ts_cselect_b64 vcc, -1, 0\n"
		"\ts_addk_i32 s5, 0x2\n\ts_cbranch_vccnz .LBB0_1\n\ts_endpgm\n",
		2 + 3 * (5 + 5 * 8), 2 + 3 * (5 + 5 * 8));
	/* ten where a second exit, another start or a second addition may be in the way */
	check_paths(f,
		"\ts_mov_b32 s4, 2\n.LBB0_1:\n\ts_cmp_eq_u32 s5, 7\n\ts_cbranch_scc1 .LBB0_2\n"
		"\ts_add_i32 s4, s4, 4\n\ts_cmp_lg_u32 s4, 14\n\ts_cbranch_scc1 .LBB0_1\n"
		".LBB0_2:\n\ts_endpgm\n",
		2 + 10 * 5, 2 + 10 * 5);
	check_paths(f,
		"\ts_mov_b32 s4, 2\n\ts_cmp_eq_u32 s5, 7\n\ts_cbranch_scc1 .LBB0_1\n"
		"\ts_mov_b32 s4, s6\n.LBB0_1:\n\ts_add_i32 s4, s4, 4\n"
		"\ts_cmp_lg_u32 s4, 14\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		4 + 10 * 3, 5 + 10 * 3);
	check_paths(f,
		"\ts_mov_b32 s4, 2\n.LBB0_1:\n\ts_cmp_eq_u32 s5, 7\n\ts_cbranch_scc1 .LBB0_2\n"
		"\ts_add_i32 s4, s4, 1\n.LBB0_2:\n\ts_add_i32 s4, s4, 4\n"
		"\ts_cmp_lt_i32 s4, 14\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		2 + 10 * 5, 2 + 10 * 6);
	/* a loop that is entered at either of two blocks has the paths from both */
	check_paths(f,
		"\ts_cmp_eq_u32 s4, 7\n\ts_cbranch_scc1 .LBB0_2\n.LBB0_1:\nnop 20\n"
		"\ts_cmp_eq_u32 s5, 7\n\ts_cbranch_scc1 .LBB0_1\n.LBB0_2:\nnop 50\n"
		"\ts_cmp_eq_u32 s6, 7\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		3 + 10 * 22, 3 + 10 * 52);
	/* so does one of which a branch to the other block is never taken: there are lanes */
	check_paths(f,
		"\ts_cmp_eq_u32 s4, 7\n\ts_cbranch_scc1 .LBB0_2\n.LBB0_1:\nnop 20\n"
		"\ts_cbranch_execz .LBB0_2\n\ts_branch .LBB0_3\n.LBB0_2:\nnop 80\n"
		".LBB0_3:\nnop 50\n\ts_cmp_eq_u32 s6, 7\n\ts_cbranch_scc1 .LBB0_1\n"
		"\ts_cmp_eq_u32 s7, 7\n\ts_cbranch_scc1 .LBB0_2\n\ts_endpgm\n",
		3 + 10 * 74, 3 + 10 * 134);
	/* two conditions of a loop that were made of one before it, and one that it makes anew */
	check_paths(f,
		"\ts_cmp_eq_u32 s4, 7\n\ts_cselect_b64 s[6:7], -1, 0\n\tv_cndmask_b32_e64 v6, 0, "
		"1, s[6:7]\n"
		"\tv_cmp_ne_u32_e64 s[8:9], 1, v6\n.LBB0_1:\n\ts_and_b64 vcc, exec, s[8:9]\n"
		"\ts_cbranch_vccnz .LBB0_2\nnop 20\n.LBB0_2:\n\ts_and_b64 vcc, exec, s[6:7]\n"
		"\ts_cbranch_vccnz .LBB0_3\nnop 50\n.LBB0_3:\n\ts_add_i32 s5, s5, 1\n"
		"\ts_cmp_lg_u32 s5, s10\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		5 + 10 * 27, 5 + 10 * 57);
	check_paths(f,
		"\ts_cmp_eq_u32 s4, 7\n\ts_cselect_b64 s[6:7], -1, 0\n\ts_not_b64 s[8:9], "
		"s[6:7]\n.LBB0_1:\n"
		"\ts_and_b64 vcc, exec, s[8:9]\n\ts_cbranch_vccnz .LBB0_2\nnop 20\n.LBB0_2:\n"
		"\ts_and_b64 vcc, exec, s[6:7]\n\ts_cbranch_vccnz .LBB0_3\nnop 50\n.LBB0_3:\n"
		"\ts_load_dwordx2 s[8:9], s[12:13], 0x0\n\ts_add_i32 s5, s5, 1\n"
		"\ts_cmp_lg_u32 s5, s10\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n",
		4 + 10 * 8, 4 + 10 * 78);
	/* what does a quarter of the work, and no less, is an iteration */
	struct kernel_metrics k = paths_of(f,
		".LBB0_1:\n\ts_cmp_eq_u32 s4, 7\n\ts_cbranch_scc1 .LBB0_3\n"
		"\tv_fma_f32 v0, v1, v2, v0\n\ts_cmp_eq_u32 s5, 7\n\ts_cbranch_scc1 .LBB0_3\n"
		"\tv_fma_f32 v0, v1, v2, v0\nnop 30\n\tbuffer_load_dword v0, off, s[0:3], 0\n"
		".LBB0_3:\n\ts_cmp_lg_u32 s6, 0\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n");
	assert_int_equal(k.least.cycles, 4 * (10 * 7 + 1));
	assert_int_equal(k.least.branches, 10 * 3);
	assert_int_equal(k.most.cycles, 4 * (10 * 39 + 1));
	assert_int_equal(k.most.work, 4 * 10 * 2);
	assert_int_equal(k.most.outside_cycles, 4);
	/* two loads at once are waited for once, what is begun in time never, and what a loop's
	 * last instructions begin by its first */
	k = paths_of(f, "\tglobal_load_dword v0, v[2:3], off\n\tglobal_load_dword v1, v[2:3], off\n"
			"\ts_waitcnt vmcnt(0)\n\tds_read_b32 v0, v1\n\ts_waitcnt lgkmcnt(0)\n"
			"\tglobal_load_dword v0, v[2:3], off\nnop 130\n\ts_waitcnt vmcnt(0)\n"
			"\ts_endpgm\n");
	assert_int_equal(k.least.waits, STALL_MEMORY - 4 + STALL_SHORT - 4);
	k = paths_of(f, ".LBB0_1:\n\ts_waitcnt vmcnt(0)\n\tglobal_load_dword v0, v[2:3], off\n"
			"\ts_cmp_eq_u32 s5, 7\n\ts_cbranch_scc1 .LBB0_1\n\ts_endpgm\n");
	assert_int_equal(k.least.waits, 10 * (STALL_MEMORY - 12));
	/* a jump to nowhere */
	k = paths_of(f, "\ts_cbranch_scc1 .LBB0_9\n\ts_endpgm\n");
	assert_int_equal(k.least.cycles, 0);
}

static void test_compare_vetoes(void **state)
{
	static const struct want vetoes[] = {{METRIC_SCRATCH, 4}, {METRIC_VGPR_SPILL, 1},
		{METRIC_SGPR_SPILL, 1}, {METRIC_RESIDENT_WAVES, -1}, {METRIC_MATRIX_UNSKIPPED, 1},
		{METRIC_LANE_BRANCH_MATRIX, 1}};
	for (size_t i = 0; i < sizeof(vetoes) / sizeof(vetoes[0]); i++) {
		struct comparison c =
			compare_changed(*state, 1, vetoes[i].metric, vetoes[i].value, NULL);
		assert_int_equal(c.verdict, VERDICT_VETO);
		assert_int_equal(c.decided_by, vetoes[i].metric);
		assert_string_equal(c.kernel, "b");
	}
	/* A twentieth more matrix operations is no growth, and neither are four where there were
	 * few. */
	assert_int_equal(
		compare_changed(*state, 0, METRIC_MATRIX_OP, 5, NULL).verdict, VERDICT_EQUAL);
}

/* A veto on one kernel outweighs any gain on another, and kernels that the edit cannot reach count.
 */
static void test_compare_veto_wins(void **state)
{
	struct fixture *f = *state;
	static const char *const only[] = {"a", NULL};
	struct compare_opts opts = {.only = only};
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	after.kernel[0].v[METRIC_SCRATCH] = 0;
	after.kernel[1].v[METRIC_VGPR_SPILL] += 1;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_VETO);
	assert_string_equal(c.reason, "b: VGPR spills 100 -> 101");
	/* A kernel that vanished. */
	after = sample(f->a);
	after.kernels = 1;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_VETO);
	assert_string_equal(c.kernel, "b");
	/* One that is new is none. */
	before.kernels = 1;
	after.kernels = 2;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_EQUAL);
}

static void test_compare_contraction(void **state)
{
	struct fixture *f = *state;
	struct compare_opts allow = {.allow_recontraction = true};
	struct compare_opts merge = {.arms_merge = true};
	/* An arm's code once more, or once less, is no recontraction; where arms merge, more is. */
	assert_int_equal(compare_changed(f, 0, METRIC_FMA, 5, NULL).verdict, VERDICT_EQUAL);
	assert_int_equal(compare_changed(f, 0, METRIC_FMA, -5, NULL).verdict, VERDICT_EQUAL);
	assert_int_equal(compare_changed(f, 0, METRIC_FMA, -5, &merge).verdict, VERDICT_EQUAL);
	assert_int_equal(compare_changed(f, 0, METRIC_FMA, 5, &merge).verdict, VERDICT_VETO);
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	for (int sign = -1; sign <= 1; sign += 2) {
		after.kernel[0].v[METRIC_FMA] = before.kernel[0].v[METRIC_FMA] + sign * 5;
		after.kernel[0].v[METRIC_MUL_ADD] = before.kernel[0].v[METRIC_MUL_ADD] - sign * 10;
		measurement_compare(&c, f->a, &before, &after, NULL);
		assert_int_equal(c.verdict, VERDICT_VETO);
		assert_int_equal(c.decided_by, METRIC_FMA);
		measurement_compare(&c, f->a, &before, &after, &allow);
		assert_int_not_equal(c.verdict, VERDICT_VETO);
	}
}

struct fused {
	int64_t fma[2], mul_add[2], unfused[2]; /* before, after */
};

static void set_fused(struct kernel_metrics *k, const struct fused *f, int at, enum round_width w)
{
	k->v[METRIC_FMA] = f->fma[at];
	k->v[METRIC_MUL_ADD] = f->mul_add[at];
	k->v[METRIC_UNFUSED] = f->unfused[at];
	k->rounding.n[w][ROUND_FMA] = f->fma[at];
	k->rounding.n[w][ROUND_MUL] = f->mul_add[at] / 2;
	k->rounding.n[w][ROUND_ADD] = f->mul_add[at] - f->mul_add[at] / 2;
	k->rounding.n[w][ROUND_UNFUSED] = f->unfused[at];
}

static enum verdict compare_fused(struct fixture *f, const struct fused *x, bool arms_merge)
{
	struct compare_opts opts = {.arms_merge = arms_merge};
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	set_fused(&before.kernel[0], x, 0, ROUND_F32);
	set_fused(&after.kernel[0], x, 1, ROUND_F32);
	measurement_compare(&c, f->a, &before, &after, &opts);
	return c.verdict;
}

/* What is fused and what is not, where no count goes up while the other goes down. */
static void test_compare_fused(void **state)
{
	static const struct {
		struct fused f;
		bool stays, merges; /* is it a veto? */
	} cases[] = {
		/* one arm with 24 products apart, the other without, and one body: fma_tile */
		{{{296, 256}, {48, 0}, {24, 0}}, true, true},
		/* the other form is what is left */
		{{{104, 40}, {48, 48}, {24, 24}}, true, true},
		{{{64, 64}, {128, 0}, {64, 0}}, true, true},
		/* arms that stay: one of the copies is fused, the other not */
		{{{64, 64}, {0, 128}, {0, 64}}, true, true},
		{{{64, 88}, {0, 48}, {0, 24}}, true, true},
		/* all is fused, or of what is not all is as it was: copies of arms */
		{{{320, 512}, {0, 0}, {0, 0}}, false, true},
		{{{128, 64}, {80, 40}, {0, 0}}, false, false},
		{{{128, 64}, {48, 24}, {24, 12}}, false, false},
		{{{64, 128}, {48, 96}, {24, 48}}, false, true},
		{{{119, 119}, {1054, 414}, {24, 32}}, false, false},
		{{{0, 0}, {128, 64}, {64, 32}}, false, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int merge = 0; merge < 2; merge++) {
			bool veto = compare_fused(*state, &cases[i].f, merge) == VERDICT_VETO;
			if (veto != (merge ? cases[i].merges : cases[i].stays)) {
				fail_msg("case %zu, arms %s: %s", i, merge ? "merge" : "stay",
					veto ? "a veto" : "no veto");
			}
		}
	}
}

/* Fewer FMAs beside adds of products, which are somewhere else if all blocks do as before. */
static void test_compare_forms(void **state)
{
	struct fixture *f = *state;
	static const struct fused x = {{128, 64}, {48, 48}, {24, 24}};
	static const uint64_t all[] = {7, 9}, one[] = {9}, other[] = {7, 8};
	static const struct {
		const uint64_t *form;
		size_t n;
		bool veto;
	} after[] = {{all, 2, false}, {one, 1, true}, {other, 2, true}, {NULL, 0, true}};
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++) {
		struct measurement m[] = {sample(f->a), sample(f->a)};
		struct comparison c;
		for (int k = 0; k < 2; k++) {
			set_fused(&m[k].kernel[0], &x, k, ROUND_F32);
		}
		m[0].kernel[0].rounding.form = all;
		m[0].kernel[0].rounding.forms = 2;
		m[1].kernel[0].rounding.form = after[i].form;
		m[1].kernel[0].rounding.forms = after[i].n;
		measurement_compare(&c, f->a, &m[0], &m[1], NULL);
		assert_int_equal(c.verdict == VERDICT_VETO, after[i].veto);
	}
}

/* In sums it is even, in their widths it is not; nor in which product an FMA adds to. */
static void test_compare_widths(void **state)
{
	struct fixture *f = *state;
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	const uint64_t chosen[] = {1, 2};
	before.kernel[0].rounding.chosen = &chosen[0];
	after.kernel[0].rounding.chosen = &chosen[1];
	before.kernel[0].rounding.choices = after.kernel[0].rounding.choices = 1;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_VETO);
	assert_int_equal(c.decided_by, METRIC_FMA);
	after.kernel[0].rounding.chosen = &chosen[0];
	before.kernel[0].rounding.n[ROUND_F32][ROUND_FMA] = 8;
	after.kernel[0].rounding.n[ROUND_F32][ROUND_FMA] = 4;
	after.kernel[0].rounding.n[ROUND_F16][ROUND_FMA] = 4;
	before.kernel[0].rounding.n[ROUND_F32][ROUND_ADD] = 4;
	after.kernel[0].rounding.n[ROUND_F32][ROUND_ADD] = 8;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_VETO);
}

/* The report says what the veto costs, and which option takes it. */
static void test_compare_contraction_worth(void **state)
{
	struct fixture *f = *state;
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	after.kernel[0].v[METRIC_FMA] -= 5;
	after.kernel[0].v[METRIC_MUL_ADD] += 10;
	after.kernel[0].v[METRIC_RESIDENT_WAVES] = 3;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_VETO);
	assert_string_equal(c.reason,
		"a: FMAs 100 -> 95, multiplies and adds 100 -> 110: float results may change; "
		"--allow-recontraction would take it, for a: resident waves 2 -> 3 (2 "
		"kernels: 1 gain, 0 lose)");
	assert_string_equal(c.allowed, "a: resident waves 2 -> 3 (2 kernels: 1 gain, 0 lose)");
	after.kernel[0].v[METRIC_RESIDENT_WAVES] = 2;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_null(c.allowed);
	assert_null(strstr(c.reason, "--allow"));
}

static void test_compare_sgpr_spills(void **state)
{
	struct fixture *f = *state;
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	after.kernel[0].v[METRIC_SGPR_SPILL] += 3;
	after.kernel[0].v[METRIC_VGPR_SPILL] -= 50;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_EQUAL);
	after.kernel[0].v[METRIC_VGPR_SPILL] += 50;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_VETO);
	after.kernel[0].v[METRIC_RESIDENT_WAVES] += 1;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_BETTER);
}

/* What a pointer loses by crossing a merge: the compiler no longer knows its memory. */
static void test_flat_is_worse(void **state)
{
	struct fixture *f = *state;
	struct measurement before = read_isa(f, "lane_branch.isa", "gfx942");
	struct measurement after;
	struct comparison c;
	struct str text = data(f, "lane_branch.isa");
	size_t at = str_find(text, "global_", 0);
	struct str flat = str_of(arena_printf(f->a, "%.*sflat_%.*s", (int)at, text.p,
		(int)(text.n - at - strlen("global_")), text.p + at + strlen("global_")));
	assert_int_equal(isa_read(&after, f->a, target(f, "gfx942"), flat, STR(""), "flat"), 0);
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_int_equal(c.decided_by, METRIC_FLAT_ACCESS);
	measurement_compare(&c, f->a, &after, &before, NULL);
	assert_int_equal(c.verdict, VERDICT_BETTER);
}

/* What decides, and what never does alone. */
static void test_compare_preferences(void **state)
{
	struct fixture *f = *state;
	static const enum metric never[] = {METRIC_VGPR, METRIC_VGPR_SPILL, METRIC_COPY,
		METRIC_INSTRUCTION, METRIC_WEIGHTED_INSTRUCTION, METRIC_MATRIX_OP,
		METRIC_REGISTER_WAVES, METRIC_BRANCH, METRIC_WIDE_PHI};
	static const char *const only[] = {"b", NULL};
	struct compare_opts opts = {.cost = {.min_gain = 3, .latency = 500, .paths = true}};
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		assert_int_equal(
			compare_changed(f, 0, never[i], -90, &opts).verdict, VERDICT_EQUAL);
	}
	assert_int_equal(
		compare_changed(f, 0, METRIC_RESIDENT_WAVES, 1, &opts).verdict, VERDICT_BETTER);
	assert_int_equal(
		compare_changed(f, 0, METRIC_FLAT_ACCESS, -1, &opts).verdict, VERDICT_BETTER);
	/* a path dearer is worse; to be better, the cheapest has to be cheaper still */
	assert_int_equal(compare_changed(f, 0, METRIC_PATH_LEAST, 2, &opts).verdict, VERDICT_WORSE);
	assert_int_equal(compare_changed(f, 0, METRIC_PATH_MOST, 2, &opts).verdict, VERDICT_WORSE);
	assert_int_equal(
		compare_changed(f, 0, METRIC_PATH_LEAST, -50, &opts).verdict, VERDICT_BETTER);
	assert_int_equal(
		compare_changed(f, 0, METRIC_PATH_MOST, -50, &opts).verdict, VERDICT_EQUAL);
	struct measurement before = sample(f->a), after = sample(f->a);
	struct comparison c;
	after.kernel[1].v[METRIC_PATH_LEAST] = after.kernel[1].v[METRIC_PATH_MOST] = 97;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	assert_int_equal(c.decided_by, METRIC_PATH_LEAST);
	assert_string_equal(c.reason,
		"b: issue cycles of the cheapest path 100 -> 97 (2 kernels: 1 gain, 0 lose)");
	after.kernel[1].v[METRIC_PATH_LEAST] = 98;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_EQUAL);
	/* a gain on a kernel that the edit cannot reach is none */
	opts.only = only;
	assert_int_equal(
		compare_changed(f, 0, METRIC_RESIDENT_WAVES, 1, &opts).verdict, VERDICT_EQUAL);
	assert_int_equal(
		compare_changed(f, 1, METRIC_RESIDENT_WAVES, 1, &opts).verdict, VERDICT_BETTER);
}

/* Scratch that runs, of which one path may have none. */
static void test_compare_scratch(void **state)
{
	struct fixture *f = *state;
	struct measurement before = sample(f->a), after = sample(f->a);
	struct comparison c;
	before.kernel[0].most.scratch = 40;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	assert_string_equal(
		c.reason, "a: scratch accesses on a path 40 -> 0 (2 kernels: 1 gain, 0 lose)");
	after.kernel[0].v[METRIC_SCRATCH] = 20; /* fewer bytes, moved more often */
	after.kernel[0].most.scratch = 50;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_WORSE);
}

/* More waves for more cycles: as the waves can hide of waiting for loads, or as is asked for. */
static void test_compare_waves_and_cycles(void **state)
{
	struct fixture *f = *state;
	struct compare_opts opts = {.cost = {.min_gain = 3, .latency = 500}};
	struct measurement before = sample(f->a), after = sample(f->a);
	struct kernel_metrics *k[] = {&before.kernel[0], &after.kernel[0]};
	struct comparison c;
	for (int i = 0; i < 2; i++) {
		k[i]->v[METRIC_PATH_LEAST] = k[i]->v[METRIC_PATH_MOST] = i ? 1210 : 1000;
		k[i]->v[METRIC_RESIDENT_WAVES] = i ? 6 : 2;
		k[i]->least.waits = k[i]->most.waits = 5000;
	}
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	assert_int_equal(c.decided_by, METRIC_RESIDENT_WAVES);
	opts.cost.prefer = PREFER_CYCLES;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	opts.cost.prefer = PREFER_BALANCE;
	for (int i = 0; i < 2; i++) { /* nothing to wait for */
		k[i]->least.waits = k[i]->most.waits = 0;
	}
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	opts.cost.prefer = PREFER_WAVES;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	/* fewer cycles, or a wave, for which each load is waited for by itself */
	opts.cost.prefer = PREFER_BALANCE;
	k[1]->v[METRIC_PATH_LEAST] = k[1]->v[METRIC_PATH_MOST] = 900;
	k[1]->least.waits = k[1]->most.waits = 10000;
	for (int waves = 2; waves < 4; waves++) {
		k[1]->v[METRIC_RESIDENT_WAVES] = waves;
		measurement_compare(&c, f->a, &before, &after, &opts);
		assert_int_equal(c.verdict, VERDICT_WORSE);
		assert_string_equal(c.reason,
			"a: cycles of waiting for loads on the cheapest path 0 -> "
			"10000 (2 kernels: 0 gain, 1 lose)");
	}
}

/* Ten iterations of the loop that works, and in each as many of the search inside as its counter
 * tells: search is the loop from .LBB0_2 on. Issue cycles / 4. */
static int64_t searched(struct fixture *f, const char *first, const char *search, const char *after)
{
	struct kernel_metrics k = paths_of(f,
		arena_printf(f->a,
			"\ts_mov_b32 s4, 0\n%s.LBB0_1:\n\tv_fma_f32 v0, v1, v2, v0\n"
			"\ts_add_i32 s4, s4, 1\n.LBB0_2:\n%s%s"
			"\ts_cmp_lt_i32 s4, s8\n\ts_cbranch_scc1 .LBB0_1\n.LBB0_9:\n\ts_endpgm\n",
			first, search, after));
	return k.most.cycles / 4;
}

#define SEARCH                                                                                     \
	"\ts_add_i32 s4, s4, 1\n\ts_cmp_ge_i32 s4, s8\n\ts_cbranch_scc1 .LBB0_9\n"                 \
	"\ts_load_dword s9, s[2:3], s4\n\ts_cmp_eq_u32 s9, 0\n\ts_cbranch_scc1 .LBB0_2\n"

/* A search that goes on from where the loop around it is has one iteration for each of that. */
static void test_searches(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(searched(f, "", SEARCH, ""), 2 + 10 * (2 + 6 + 2));
	/* as well before it */
	assert_int_equal(searched(f,
				 ".LBB0_0:\n\ts_add_i32 s4, s4, 1\n\ts_cmp_ge_i32 s4, s8\n"
				 "\ts_cbranch_scc1 .LBB0_9\n\ts_load_dword s9, s[2:3], s4\n"
				 "\ts_cmp_eq_u32 s9, 0\n\ts_cbranch_scc1 .LBB0_0\n",
				 SEARCH, ""),
		2 + 6 + 10 * (2 + 6 + 2));
	/* handed on in another register, and left by memory alone */
	assert_int_equal(searched(f, "", SEARCH, "\ts_mov_b32 s5, s4\n\ts_add_i32 s4, s5, 1\n"),
		2 + 10 * (2 + 6 + 4));
	const char *list = "\ts_add_i32 s4, s4, 1\n\ts_load_dword s9, s[2:3], s4\n"
			   "\ts_cmp_eq_u32 s9, 0\n\ts_cbranch_scc1 .LBB0_2\n";
	assert_int_equal(searched(f, "", list, ""), 2 + 10 * (2 + 4 + 2));
	/* a flag that begins anew is none */
	const char *flag =
		"\ts_add_i32 s4, s4, 1\n\ts_load_dword s9, s[2:3], s4\n"
		"\ts_or_b32 s5, s5, s9\n\ts_cmp_eq_u32 s9, 0\n\ts_cbranch_scc1 .LBB0_2\n";
	assert_int_equal(searched(f, "", flag, "\ts_mov_b32 s5, 0\n"), 2 + 10 * (2 + 5 + 3));
	/* a counter that begins anew, by a number, from memory and from another one */
	const char *own[] = {"\ts_add_i32 s5, s5, 1\n\ts_cmp_lt_i32 s5, s8\n",
		"\ts_add_i32 s4, s4, 1\n\ts_cmp_lt_i32 s4, s6\n"};
	const char *anew[] = {
		"\ts_mov_b32 s5, 0\n", "\ts_load_dword s5, s[2:3], 0x0\n", "\ts_mov_b32 s5, s4\n"};
	for (size_t i = 0; i < 3; i++) {
		const char *loop = arena_printf(f->a, "%s\ts_cbranch_scc1 .LBB0_2\n", own[0]);
		assert_int_equal(
			searched(f, anew[i], loop, anew[i]), 2 + 1 + 10 * (2 + 10 * 3 + 1 + 2));
	}
	/* a bound for each iteration */
	const char *loop = arena_printf(f->a, "%s\ts_cbranch_scc1 .LBB0_2\n", own[1]);
	assert_int_equal(
		searched(f, "", loop, "\ts_add_i32 s6, s4, s7\n"), 2 + 10 * (2 + 10 * 3 + 1 + 2));
	/* a bit mask that is emptied */
	assert_int_equal(searched(f, "\ts_mov_b32 s5, s7\n",
				 "\ts_and_b32 s5, s5, s6\n\ts_cmp_lg_u32 s5, 0\n"
				 "\ts_cbranch_scc1 .LBB0_2\n",
				 "\ts_mov_b32 s5, s7\n"),
		3 + 10 * (2 + 10 * 3 + 1 + 2));
}

/* With one wave all is waited for, with many nothing; between them a wave finds the others queued:
 * of two with as much issue as waiting, half a wave. */
static void test_cost(void **state)
{
	struct cost_opts o = {.latency = STALL_MEMORY, .paths = true};
	struct run_cost c = {.cycles = 100, .waits = 100, .share = 1, .waves = 1};
	(void)state;
	assert_float_equal(cost_sum(&c, 1, &o).value, 200, 1e-6);
	c.waves = 2;
	assert_float_equal(cost_sum(&c, 1, &o).value, (100 + 150) / 2.0, 1e-6);
	c.waves = 50;
	assert_float_equal(cost_sum(&c, 1, &o).value, 100, 1e-6);
	c.waits = 0;
	c.waves = 3;
	assert_float_equal(cost_sum(&c, 1, &o).value, 100, 1e-6);
	/* what scalar units issue, vector units do not wait for */
	struct run_cost mixed = {.cycles = 200, .scalar = 100, .share = 1, .waves = 1};
	assert_float_equal(cost_sum(&mixed, 1, &o).value, 200, 1e-6);
	mixed.waves = 2;
	assert_float_equal(cost_sum(&mixed, 1, &o).value, 150, 1e-6);
	/* the paths of one run share what is hidden, cases do not */
	struct run_cost two[2] = {{.cycles = 200, .share = 0.5, .waves = 2},
		{.waits = 200, .share = 0.5, .waves = 2}};
	assert_float_equal(cost_sum(two, 2, &o).value, 125, 1e-6);
	o.paths = false;
	assert_float_equal(cost_sum(two, 2, &o).value, (200 + 100) / 2.0, 1e-6);
}

/* Twice the branches on the path that runs most is worse, unless a wave is gained. */
static void test_compare_branches(void **state)
{
	struct fixture *f = *state;
	struct compare_opts opts = {.cost = {.min_gain = 3, .branch_every = 16}};
	struct measurement before = sample(f->a), after = sample(f->a);
	struct comparison c;
	for (int i = 0; i < 2; i++) {
		struct kernel_metrics *k = i ? &after.kernel[1] : &before.kernel[1];
		k->v[METRIC_PATH_LEAST] = k->v[METRIC_PATH_MOST] = i ? 6000 : 6400;
		k->least.branches = k->most.branches = i ? 110 : 10;
	}
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_string_equal(
		c.reason, "b: branches on the cheapest path 10 -> 110 (2 kernels: 0 gain, 1 lose)");
	after.kernel[1].v[METRIC_RESIDENT_WAVES] = 3;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	after.kernel[1].v[METRIC_RESIDENT_WAVES] = 2;
	after.kernel[1].least.branches = after.kernel[1].most.branches = 19;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
}

/* Of a loop that is unrolled less an iteration does less; two loops of one, each with an arm, share
 * the iterations. */
static void test_compare_work(void **state)
{
	struct fixture *f = *state;
	struct compare_opts opts = {.cost = {.min_gain = 3}};
	struct measurement before = sample(f->a), after = sample(f->a);
	struct kernel_metrics *k[] = {&before.kernel[0], &after.kernel[0]};
	struct comparison c;
	k[0]->least.work = k[0]->most.work = 40;
	k[1]->least.work = k[1]->most.work = 20;
	k[1]->v[METRIC_PATH_LEAST] = k[1]->v[METRIC_PATH_MOST] = 50;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_EQUAL);
	k[0]->v[METRIC_PATH_LEAST] = 60; /* 60 and 100, for 144 of both loops */
	k[1]->v[METRIC_PATH_LEAST] = 50;
	k[1]->v[METRIC_PATH_MOST] = 144;
	k[1]->least.work = k[1]->most.work = 80;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	opts.splits = true;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	assert_string_equal(
		c.reason, "a: issue cycles of an iteration 80 -> 72 (2 kernels: 1 gain, 0 lose)");
}

/* Matrix operations that only the text has more of: LLVM had written the end of two arms once. */
static void test_compare_matrix(void **state)
{
	struct fixture *f = *state;
	struct measurement before = sample(f->a), after = sample(f->a);
	struct comparison c;
	after.kernel[0].v[METRIC_MATRIX_OP] = 200;
	before.kernel[0].most.matrix = after.kernel[0].most.matrix = 100;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_EQUAL);
	after.kernel[0].most.matrix = 200;
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_VETO);
	/* a split loop stands twice, and no more often */
	const struct compare_opts splits = {.splits = true};
	measurement_compare(&c, f->a, &before, &after, &splits);
	assert_int_equal(c.verdict, VERDICT_EQUAL);
	after.kernel[0].v[METRIC_MATRIX_OP] = 300;
	measurement_compare(&c, f->a, &before, &after, &splits);
	assert_int_equal(c.verdict, VERDICT_VETO);
}

static void test_compare_unknown(void **state)
{
	struct fixture *f = *state;
	static const char *const only[] = {"a", NULL};
	struct compare_opts opts = {.only = only};
	struct measurement before = sample(f->a);
	struct measurement after = sample(f->a);
	struct comparison c;
	after.kernel[0].v[METRIC_RESIDENT_WAVES] = 3;
	before.kernel[1].trusted = after.kernel[1].trusted = false;
	before.kernel[1].why = after.kernel[1].why = "a call is left";
	measurement_compare(&c, f->a, &before, &after, NULL);
	assert_int_equal(c.verdict, VERDICT_UNKNOWN);
	assert_string_equal(c.reason, "b: a call is left");
	/* It is the same as before, and the edit cannot reach it. */
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	after.kernel[1].v[METRIC_COPY]++;
	measurement_compare(&c, f->a, &before, &after, &opts);
	assert_int_equal(c.verdict, VERDICT_UNKNOWN);
	static const enum metric decisive[] = {METRIC_SCRATCH, METRIC_VGPR_SPILL,
		METRIC_RESIDENT_WAVES, METRIC_FMA, METRIC_MATRIX_UNSKIPPED};
	for (size_t i = 0; i < sizeof(decisive) / sizeof(decisive[0]); i++) {
		before = sample(f->a);
		after = sample(f->a);
		after.kernel[0].v[decisive[i]] = METRIC_ABSENT;
		measurement_compare(&c, f->a, &before, &after, NULL);
		assert_int_equal(c.verdict, VERDICT_UNKNOWN);
	}
}

/* A compiler that is a shell script: what it does is decided here. */
static struct compiler script(struct fixture *f, const char *body)
{
	const char *dir = tmpdir_create();
	assert_non_null(dir);
	const char *path = arena_printf(f->a, "%s/compiler", dir);
	const char *text = arena_printf(f->a, "#!/bin/sh\n%s\n", body);
	assert_int_equal(file_write_atomic(path, str_of(text)), 0);
	assert_int_equal(chmod(path, 0755), 0);
	static const char *const extra[] = {"-x", "hip", NULL};
	return (struct compiler){.path = path, .target = "gfx942", .extra = extra};
}

static struct measure_result run_script(struct fixture *f, const char *body, double limit)
{
	struct compiler c = script(f, body);
	static const char *const flags[] = {"-DX=1", "-c", "-o", "x.o", "-MD", "-MF", "x.d", "-lm",
		"-ftime-trace=x.json", "-mllvm", "-large-interval-size-threshold=512", "-mllvm",
		"-pass-remarks-output=x.yaml", "-mllvm=-info-output-file=x", "-save-stats=obj",
		"-Xclang", "-dependency-file", "-Xclang", "x.d", "-Wp,-MD,x.d", "-MJ", "x.j",
		"--serialize-diagnostics", "x.dia", "-foptimization-record-file=x", NULL};
	struct measure_job job = {.compiler = &c,
		.target = target(f, "gfx942"),
		.path = "/tmp/elsewhere/copy.hip",
		.shown = "kernel.hip",
		.flags = flags,
		.time_limit_s = limit,
		.quiet = true};
	struct measure_result r;
	measure_run(&r, f->a, &job, 1, 1);
	return r;
}

static void test_run_statuses(void **state)
{
	struct fixture *f = *state;
	const char *root = getenv("UNPHI_SOURCE_ROOT");
	struct measure_result r = run_script(f,
		arena_printf(
			f->a, "cat '%s/tests/unit/data/isa/lane_branch.isa'", root ? root : "."),
		0);
	assert_int_equal(r.status, MEASURE_OK);
	assert_int_equal(r.m.kernels, 2);
	r = run_script(f, "echo '/tmp/elsewhere/copy.hip:3:1: error: no' >&2; exit 1", 0);
	assert_int_equal(r.status, MEASURE_COMPILE_ERROR);
	assert_string_equal(r.diagnostics, "kernel.hip:3:1: error: no");
	assert_int_equal(run_script(f, "kill -SEGV $$", 0).status, MEASURE_CRASH);
	assert_int_equal(run_script(f, "exit 139", 0).status, MEASURE_CRASH);
	r = run_script(f, "echo 'PLEASE submit a bug report' >&2; exit 1", 0);
	assert_int_equal(r.status, MEASURE_CRASH);
	assert_int_equal(run_script(f, "sleep 30", 0.3).status, MEASURE_TIMEOUT);
	assert_int_equal(run_script(f, "echo nonsense", 0).status, MEASURE_UNREADABLE);
}

/* The user's flags arrive, those that name an output or a library do not, and ours do. */
static void test_run_command(void **state)
{
	struct measure_result r = run_script(*state, "echo \"$@\" >&2; exit 1", 0);
	assert_string_equal(r.diagnostics,
		"-DX=1 -mllvm -large-interval-size-threshold=512 -O3 --offload-arch=gfx942 "
		"-Wno-unused-command-line-argument --offload-device-only -S "
		"-o - -x hip kernel.hip");
}

static void test_compiler_find_fails(void **state)
{
	struct fixture *f = *state;
	struct compiler c;
	assert_int_equal(compiler_find(&c, f->a, "/no/such/compiler", "gfx942", true), FAIL_USAGE);
	assert_int_equal(compiler_find(&c, f->a, NULL, "sm_90", true), FAIL_USAGE);
	assert_int_equal(compiler_find(&c, f->a, NULL, "gfx90a -o x", true), FAIL_USAGE);
	struct compiler mute = script(f, "exit 0");
	assert_int_equal(compiler_find(&c, f->a, mute.path, "gfx942", true), FAIL_INPUT);
	struct compiler late = script(f, "echo asked >> \"$0.log\"; exec sleep 30");
	compiler_answers_in_s = 2;
	assert_int_equal(compiler_find(&c, f->a, late.path, "gfx942", true), FAIL_INPUT);
	compiler_answers_in_s = 60;
	struct sbuf asked = {0};
	assert_int_equal(file_read(&asked, arena_printf(f->a, "%s.log", late.path)), 0);
	assert_string_equal(sbuf_cstr(&asked), "asked\n"); /* once */
	sbuf_release(&asked);
	const char *old = arena_strdup(f->a, getenv("PATH"));
	setenv("UNPHI_COMPILER", "/no/such/compiler", 1);
	assert_int_equal(compiler_find(&c, f->a, NULL, "gfx942", true), FAIL_USAGE);
	unsetenv("UNPHI_COMPILER");
	setenv("PATH", tmpdir_create(), 1);
	setenv("ROCM_PATH", "/nonexistent", 1);
	if (!file_is_dir("/opt/rocm")) {
		assert_int_equal(compiler_find(&c, f->a, NULL, "gfx942", true), FAIL_USAGE);
		const char **targets;
		assert_int_equal(compiler_native_find(&targets, f->a), 0);
	}
	unsetenv("ROCM_PATH");
	setenv("PATH", old, 1);
}

/* A hipcc whose clang knows the target and finds its libraries needs nothing added. */
static void test_compiler_find_script(void **state)
{
	struct fixture *f = *state;
	struct compiler c;
	struct compiler s =
		script(f, "if [ \"$1\" = --version ]; then\n"
			  "echo 'HIP version: 6.3'; echo 'AMD clang version 18.0.0 (x)'\n"
			  "fi");
	assert_int_equal(compiler_find(&c, f->a, s.path, "gfx942", true), 0);
	assert_true(c.hipcc);
	assert_int_equal(c.major, 18);
	assert_string_equal(c.version, "AMD clang version 18.0.0 (x)");
	assert_string_equal(c.extra[0], "-x");
	assert_string_equal(c.extra[1], "hip");
	assert_null(c.extra[2]);
}

static void test_native_targets(void **state)
{
	struct fixture *f = *state;
	struct compiler s = script(f, "echo gfx000; echo gfx90a; echo gfx942; echo gfx90a");
	const char *old = arena_strdup(f->a, getenv("PATH"));
	struct str dir = path_dir(str_of(s.path));
	const char *tool = arena_printf(f->a, "%.*s/amdgpu-arch", STR_ARG(dir));
	assert_int_equal(rename(s.path, tool), 0);
	setenv("PATH", arena_printf(f->a, "%.*s:%s", STR_ARG(dir), old), 1);
	const char **targets;
	assert_int_equal(compiler_native_find(&targets, f->a), 2);
	assert_string_equal(targets[0], "gfx90a");
	assert_string_equal(targets[1], "gfx942");
	setenv("PATH", old, 1);
}

/* An if with a float and a vector at its end, in a function that was inlined, in a loop. */
static void test_ir_merges(void **state)
{
	(void)state;
	static const char ir[] =
		"define amdgpu_kernel void @other() {\n"
		"  br label %1\n\n1:\n  %2 = phi double [ 0.0, %0 ], [ %2, %1 ]\n  br label %1\n}\n"
		"define protected amdgpu_kernel void @k(ptr %0) #0 !dbg !5 {\n"
		"  br label %2, !dbg !9\n"
		"\n"
		"2:                  ; preds = %8, %1\n"
		"  %3 = phi <4 x float> [ zeroinitializer, %1 ], [ %9, %8 ]\n"
		"  %4 = icmp eq i32 %x, 0\n"
		"  br i1 %4, label %5, label %6, !dbg !10\n"
		"\n"
		"5:\n"
		"  br label %8, !dbg !9\n"
		"\n"
		"6:\n"
		"  switch i32 %x, label %8 [\n"
		"    i32 1, label %7\n"
		"  ], !dbg !9\n"
		"\n"
		"7:\n"
		"  br label %8\n"
		"\n"
		"8:                  ; preds = %5, %6, %7\n"
		"  %9 = phi <4 x float> [ %a, %5 ], [ %b, %6 ], [ %b, %7 ]\n"
		"  %10 = phi fast float [ %c, %5 ], [ %d, %6 ], [ %d, %7 ]\n"
		"  %11 = phi i1 [ true, %5 ], [ false, %6 ], [ false, %7 ]\n"
		"  br i1 %e, label %2, label %12, !dbg !9\n"
		"\n"
		"12:\n"
		"  ret void\n"
		"}\n"
		"!1 = !DIFile(filename: \"k.hip\", directory: \"/d\")\n"
		"!2 = !DIFile(filename: \"step.h\", directory: \"/d\")\n"
		"!5 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 3)\n"
		"!6 = distinct !DISubprogram(name: \"step\", scope: !2, file: !2, line: 1)\n"
		"!7 = distinct !DILexicalBlock(scope: !6, line: 2)\n"
		"!8 = distinct !DILocation(line: 20, column: 5, scope: !5)\n"
		"!9 = !DILocation(line: 30, column: 1, scope: !5)\n"
		"!10 = !DILocation(line: 12, column: 7, scope: !7, inlinedAt: !8)\n";
	struct arena *a = arena_create();
	struct ir_merge *m;
	size_t n;
	ir_merges(&m, &n, a, str_of(ir), "k");
	assert_int_equal(n, 1); /* the loop's head is none */
	assert_int_equal(m[0].vgprs, 5);
	assert_int_equal(m[0].phis, 2); /* an i1 is a mask */
	assert_true(str_starts(m[0].phi, "%9 = phi <4 x float> [ %a, %5 ]"));
	assert_string_equal(m[0].file, "step.h");
	assert_int_equal(m[0].line, 12);
	assert_int_equal(m[0].column, 7);
	assert_string_equal(m[0].inlined, "k.hip:20");
	ir_merges(&m, &n, a, str_of(ir), "no_such");
	assert_int_equal(n, 0);
	for (size_t cut = 0; cut < sizeof(ir); cut += 7) {
		ir_merges(&m, &n, a, (struct str){ir, cut}, "k"); /* whatever is missing */
	}
	arena_free(a);
}

static void test_accesses(void **state)
{
	struct fixture *f = *state;
	struct str isa = str_of("\t.file 0 \"/tmp/x\" \"/tmp/x/k.hip\" md5 0x1\n"
				"\t.file 2 \"x/0/1\" \"k.hip\" md5 0x1\n"
				"other:\n\tglobal_load_dword v1, v[2:3], off\n.Lfunc_end0:\n"
				"k:   ; @k\n"
				"\tglobal_load_dword v1, v[2:3], off\n"
				"\t.loc\t0 7 12 prologue_end  ; k.hip:7:12\n"
				"\tglobal_load_dwordx4 v[0:3], v[2:3], off offset:16\n"
				"\tglobal_load_short_d16_hi v1, v2, s[0:1]\n"
				"\tds_read_b32 v1, v2\n\ts_load_dwordx2 s[0:1], s[2:3], 0x0\n"
				"\tscratch_load_dword v1, off, s0\n"
				"\t.loc\t3 9 4\n"
				"\tglobal_store_b64 v0, v[2:3], s[0:1]\n"
				"\t.loc\t2 9 4\n"
				"\tflat_load_u8 v0, v[2:3]\n"
				"\tglobal_atomic_add v0, v1, s[0:1]\n"
				".Lfunc_end1:\n\tglobal_load_dword v1, v[2:3], off\n");
	static const struct isa_access want[] = {{.bytes = 4},
		{.line = 7, .column = 12, .bytes = 16}, {.line = 7, .column = 12, .bytes = 2},
		{.line = 9, .column = 4, .bytes = 8, .store = true},
		{.line = 9, .column = 4, .bytes = 1}};
	static const char *const symbol[] = {"k", "missing", "other"};
	struct isa_access_list list[3];
	isa_accesses(list, f->a, isa, symbol, 3);
	const struct isa_access *got = list[0].v;
	assert_int_equal(list[0].n, sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < list[0].n; i++) {
		assert_int_equal(got[i].line, want[i].line);
		assert_int_equal(got[i].column, want[i].column);
		assert_int_equal(got[i].bytes, want[i].bytes);
		assert_int_equal(got[i].store, want[i].store);
	}
	assert_true(str_is(got[1].file, "/tmp/x/k.hip"));
	assert_true(str_is(got[4].file, "x/0/1/k.hip"));
	assert_int_equal(got[3].file.n, 0); /* no .file says which */
	assert_int_equal(list[1].n, 0);
	assert_int_equal(list[2].n, 1);
	assert_int_equal(list[2].v[0].line, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_metadata_and_counts),
		cmocka_unit_test(test_skipped_and_unskipped),
		cmocka_unit_test(test_wave32),
		cmocka_unit_test(test_call_is_not_trusted),
		cmocka_unit_test(test_cold_calls),
		cmocka_unit_test(test_spills_copies_and_flops),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_wide_phis),
		cmocka_unit_test(test_ir_merges),
		cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_absent_is_not_zero),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_demangle_asks),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_loop_forest),
		cmocka_unit_test(test_compare_vetoes),
		cmocka_unit_test(test_compare_veto_wins),
		cmocka_unit_test(test_compare_contraction),
		cmocka_unit_test(test_compare_fused),
		cmocka_unit_test(test_compare_forms),
		cmocka_unit_test(test_compare_widths),
		cmocka_unit_test(test_compare_contraction_worth),
		cmocka_unit_test(test_compare_sgpr_spills),
		cmocka_unit_test(test_flat_is_worse),
		cmocka_unit_test(test_compare_preferences),
		cmocka_unit_test(test_compare_branches),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_searches),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_compare_scratch),
		cmocka_unit_test(test_compare_waves_and_cycles),
		cmocka_unit_test(test_compare_work),
		cmocka_unit_test(test_compare_matrix),
		cmocka_unit_test(test_compare_unknown),
		cmocka_unit_test(test_run_statuses),
		cmocka_unit_test(test_run_command),
		cmocka_unit_test(test_compiler_find_fails),
		cmocka_unit_test(test_compiler_find_script),
		cmocka_unit_test(test_native_targets),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
