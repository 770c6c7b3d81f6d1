/* The interpreter of machine code, on assembly that is written here. */
#include "isa/sum.h"
#include "isa/table.h"
#include "snippet_isa.h"

static void test_reads_descriptor_and_parameters(void **state)
{
	(void)state;
	struct isa_program p;
	assert_int_equal(read_body(&p, "\ts_endpgm\n"), 0);
	assert_int_equal(p.d.lds_bytes, 256);
	assert_int_equal(p.d.scratch_bytes, 16);
	assert_true(p.d.kernarg_ptr && p.d.group_id[0] && !p.d.dispatch_ptr);
	assert_int_equal(p.parameters, 2);
	assert_int_equal(p.parameter[1].at, 8);
	assert_int_equal(p.parameter[1].bytes, 4);
	assert_true(str_is(p.parameter[1].kind, "by_value"));
}

static void test_reads_operands(void **state)
{
	(void)state;
	struct isa_program p;
	assert_int_equal(read_body(&p, "\tv_fma_f32 v3, -|v1|, s2, 1.0\n"
				       "\tds_read2_b32 v[4:5], v1 offset1:32 ; comment\n"
				       "\tv_accvgpr_write_b32 a7, v1\n\ts_endpgm\n"),
		0);
	assert_true(p.op[0].o[1].neg && p.op[0].o[1].abs && !p.op[0].o[2].neg);
	assert_int_equal(p.op[0].o[2].kind, ISA_OPERAND_SGPR);
	assert_int_equal(p.op[0].o[3].value, 0x3f800000);
	assert_int_equal(p.op[1].offset2[1], 32);
	assert_int_equal(p.op[1].o[0].regs, 2);
	assert_int_equal(p.op[2].o[0].reg, ISA_AGPR + 7);
	assert_int_equal(p.op[1].line, p.op[0].line + 1);
}

/* What is not known has to be said, never to be guessed. */
static void test_refuses_what_it_does_not_know(void **state)
{
	(void)state;
	static const char *const unknown[] = {"\tv_frobnicate_b32 v1, v2\n", "\tv_mov_b32 v1, q7\n",
		"\tv_and_b32 v1, v2, v3 clamp\n", "\tv_add_f32 v1, v2\n",
		"\tv_mov_b32_dpp v1, v2 quad_perm:[0,0,0,5]\n", "\tds_read_b32 v1, v2 offset0:1\n",
		"\tv_mov_b32 v300, v1\n"};
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		struct isa_program p;
		assert_int_equal(read_body(&p, unknown[i]), FAIL_INPUT);
		assert_non_null(strstr(said, "line 3: unknown "));
	}
}

static void test_refuses_modes(void **state)
{
	(void)state;
	struct isa_program p;
	descriptor = "\t\t.amdhsa_ieee_mode 0\n";
	assert_int_equal(read_body(&p, "\ts_endpgm\n"), FAIL_INPUT);
	assert_non_null(strstr(said, "ieee_mode"));
	descriptor = "";
}

static void test_says_what_is_used(void **state)
{
	(void)state;
	struct isa_program p;
	struct isa_use use[ISA_USES];
	assert_int_equal(read_body(&p, "\tglobal_load_dwordx2 v[4:5], v1, s[2:3]\n"
				       "\ts_waitcnt vmcnt(0) & lgkmcnt(3)\n"
				       "\tv_fmac_f32_e32 v4, v1, v2\n\ts_endpgm\n"),
		0);
	assert_int_equal(isa_op_class(&p.op[0]), ISA_CLASS_GLOBAL);
	assert_int_equal(isa_op_uses(use, &p.op[0]), 3);
	assert_int_equal(use[0].reg, ISA_USE_VGPR + 4);
	assert_int_equal(use[0].regs, 2);
	assert_true(use[0].write && use[0].late && !use[1].write);
	assert_int_equal(isa_op_counters(&p.op[0]), 1u << ISA_COUNT_VM);
	assert_int_equal(isa_op_class(&p.op[1]), ISA_CLASS_WAIT);
	assert_int_equal(p.op[1].wait[ISA_COUNT_VM], 0);
	assert_int_equal(p.op[1].wait[ISA_COUNT_LGKM], 3);
	assert_int_equal(p.op[1].wait[ISA_COUNT_EXP], ISA_NO_WAIT);
	assert_int_equal(isa_op_uses(use, &p.op[2]), 4);
	assert_true(use[0].write && !use[3].write && use[3].reg == ISA_USE_VGPR + 4);
}

/* ---- running ---- */

static uint32_t buffer[256];

static bool strict;
static struct isa_program program;
static struct isa_counts counts;

/* One group of n lanes; the kernel's first argument is buffer. */
static int run_lanes(const char *body, unsigned lanes)
{
	uint64_t arguments[2] = {0x10000, 7};
	struct isa_memory memory = {0x10000, sizeof(buffer), (unsigned char *)buffer, false};
	struct isa_launch l = {.grid = {1, 1, 1},
		.block = {lanes, 1, 1},
		.arguments = (const unsigned char *)arguments,
		.argument_bytes = 12,
		.memory = &memory,
		.memories = 1,
		.steps_most = 10000,
		.strict = strict};
	memset(buffer, 0, sizeof(buffer));
	int rc = read_body(&program, body);
	return rc ? rc : isa_run(&counts, &said, arena, &program, &l);
}

/* v9 goes to the lane's place in the buffer. */
#define STORE                                                                                      \
	"\ts_load_dwordx2 s[40:41], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v8, 2, v0\n"                  \
	"\tglobal_store_dword v8, v9, s[40:41]\n\ts_endpgm\n"

static void test_lanes_follow_exec(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tv_mov_b32_e32 v9, 5\n\tv_cmp_gt_u32_e32 vcc, 3, v0\n"
				   "\ts_and_saveexec_b64 s[2:3], vcc\n"
				   "\tv_mov_b32_e32 v9, v0\n\ts_mov_b64 exec, s[2:3]\n" STORE,
				 70),
		0);
	for (uint32_t i = 0; i < 256; i++) {
		assert_int_equal(buffer[i], i < 3 ? i : i < 70 ? 5 : 0);
	}
}

static void test_scalars_loop(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\ts_load_dword s4, s[0:1], 0x8\n\ts_mov_b32 s5, 0\n"
				   ".L0:\n\ts_add_i32 s5, s5, s4\n\ts_add_i32 s4, s4, -1\n"
				   "\ts_cmp_lg_u32 s4, 0\n\ts_cbranch_scc1 .L0\n"
				   "\tv_mov_b32_e32 v9, s5\n" STORE,
				 1),
		0);
	assert_int_equal(buffer[0], 28);
	assert_int_equal(run_lanes(".L0:\n\ts_branch .L0\n", 1), FAIL_INPUT);
	assert_non_null(strstr(said, "too long"));
}

/* Each wave reads what the other one wrote before the barrier. */
static void test_waves_meet_at_barriers(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tv_lshrrev_b32_e32 v1, 6, v0\n\tv_lshlrev_b32_e32 v1, 2, v1\n"
				   "\tds_write_b32 v1, v0\n\ts_barrier\n"
				   "\tv_xor_b32_e32 v1, 4, v1\n\tds_read_b32 v9, v1\n" STORE,
				 128),
		0);
	assert_int_equal(buffer[0], 127);
	assert_int_equal(buffer[64], 63);
}

/* A product that is rounded, and one that is not: 1 + 2^-23 squared. */
static void test_fma_is_not_mul_and_add(void **state)
{
	(void)state;
	static const char apart[] = "\tv_mov_b32 v1, 0x3f800001\n\tv_mul_f32 v9, v1, v1\n"
				    "\tv_sub_f32 v9, v9, v1\n" STORE;
	static const char joined[] = "\tv_mov_b32 v1, 0x3f800001\n"
				     "\tv_fma_f32 v9, v1, v1, -v1\n" STORE;
	assert_int_equal(run_lanes(apart, 1), 0);
	uint32_t rounded = buffer[0];
	assert_int_equal(run_lanes(joined, 1), 0);
	assert_int_equal(rounded, 0x34000000);
	assert_int_equal(buffer[0], 0x34000001);
}

/* 16x16x16 of ones is 16 everywhere, also for lanes out of EXEC. */
static void test_matrix(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tv_mov_b32 v2, 0x3c003c00\n\tv_mov_b32 v3, v2\n"
				   "\ts_mov_b64 s[2:3], exec\n\ts_mov_b64 exec, 1\n"
				   "\tv_mfma_f32_16x16x16f16 a[4:7], v[2:3], v[2:3], 0\n"
				   "\ts_mov_b64 exec, s[2:3]\n"
				   "\tv_accvgpr_read_b32 v9, a5\n" STORE,
				 64),
		0);
	assert_int_equal(buffer[0], 0x41800000);
	assert_int_equal(buffer[63], 0x41800000);
}

/* A's rows stand in lanes i, i + 16, ... and D's in groups of four. */
static void test_matrix_reads_rows(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tv_cvt_f32_u32 v2, v0\n\tv_mov_b32 v3, 1.0\n"
				   "\tv_mov_b32 v4, 0\n\tv_mov_b32 v5, v4\n"
				   "\tv_mov_b32 v6, v4\n\tv_mov_b32 v7, v4\n"
				   "\tv_mfma_f32_16x16x4f32 v[4:7], v2, v3, v[4:7]\n"
				   "\tv_mov_b32 v9, v5\n" STORE,
				 64),
		0);
	/* D[1 + 4 * (lane / 16)] = sum of A's lanes i, i + 16, i + 32, i + 48 */
	for (int lane = 0; lane < 64; lane++) {
		int i = 1 + 4 * (lane / 16);
		float sum = (float)(4 * i + 16 + 32 + 48);
		assert_memory_equal(&buffer[lane], &sum, 4);
	}
}

static void test_sdwa_takes_parts(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tv_mov_b32 v1, 0x12345678\n"
				   "\tv_add_u32_sdwa v9, v1, v1 dst_sel:DWORD "
				   "dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1\n" STORE,
				 1),
		0);
	assert_int_equal(buffer[0], 0x56 + 0x1234);
	assert_int_equal(
		run_lanes("\tv_mov_b32 v9, 0x11223344\n\tv_mov_b32 v1, 0x12345678\n"
			  "\tv_add_u32_sdwa v9, v1, v1 dst_sel:BYTE_1 "
			  "dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD\n" STORE,
			1),
		0);
	assert_int_equal(buffer[0], 0x1122f044);
}

static void test_scratch_is_a_lanes_own(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tscratch_store_dword off, v0, off offset:12\n"
				   "\tscratch_load_dword v9, off, off offset:12\n" STORE,
				 64),
		0);
	assert_int_equal(buffer[63], 63);
	assert_int_equal(
		run_lanes("\tscratch_store_dword off, v0, off offset:16\n" STORE, 1), FAIL_INPUT);
	assert_non_null(strstr(said, "byte 16 of scratch, which has 16"));
}

static void test_says_what_is_out_of_bounds(void **state)
{
	(void)state;
	assert_int_equal(
		run_lanes("\tv_mov_b32 v1, 0x100\n\tds_read_b32 v9, v1\n" STORE, 1), FAIL_INPUT);
	assert_non_null(strstr(said, "line 4, group 0,0,0 wave 0: lane 0: byte 256 of LDS"));
	assert_int_equal(run_lanes("\tv_mov_b32 v0, 0x100\n" STORE, 1), FAIL_INPUT);
	assert_non_null(strstr(said, "address 0x10400"));
}

/* ---- strict ---- */

/* Its address in s[40:41], a lane's offset in v8; nothing is open. */
#define PLACES                                                                                     \
	"\ts_load_dwordx2 s[40:41], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v8, 2, v0\n"                  \
	"\ts_waitcnt lgkmcnt(0)\n"
#define KEEP "\tglobal_store_dword v8, v9, s[40:41]\n\ts_endpgm\n"

/* NULL: nothing is wrong with it. */
static const char *strictly(const char *body, unsigned lanes)
{
	strict = true;
	int rc = run_lanes(body, lanes);
	strict = false;
	return rc ? said : NULL;
}

static void assert_wrong(const char *body, unsigned lanes, const char *what)
{
	const char *why = strictly(body, lanes);
	assert_non_null(why);
	if (!strstr(why, what)) {
		fail_msg("'%s' is not in '%s'", what, why);
	}
}

static void test_waits_cover_loads(void **state)
{
	(void)state;
	/* the older of two has come when one may be open */
	assert_null(strictly(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n"
				    "\tglobal_load_dword v10, v8, s[40:41]\n"
				    "\ts_waitcnt vmcnt(1)\n" KEEP,
		64));
	assert_wrong(PLACES "\tglobal_load_dword v10, v8, s[40:41]\n"
			    "\tglobal_load_dword v9, v8, s[40:41]\n"
			    "\ts_waitcnt vmcnt(1)\n" KEEP,
		64, "reads v9, which the load in line 7 has yet to set");
	/* a store counts as well */
	assert_wrong(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n"
			    "\tglobal_store_dword v8, v8, s[40:41]\n"
			    "\ts_waitcnt vmcnt(2)\n" KEEP,
		64, "reads v9");
	/* what is set again before it has come; a load behind it on the same counter may */
	assert_wrong(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n\tv_mov_b32_e32 v9, 1\n" KEEP,
		64, "sets v9, which the load in line 6 may yet set");
	assert_null(strictly(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n"
				    "\tglobal_load_dword v9, v8, s[40:41]\n"
				    "\ts_waitcnt vmcnt(0)\n" KEEP,
		64));
	assert_wrong(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n\ts_waitcnt lgkmcnt(0)\n" KEEP,
		64, "reads v9");
}

/* Scalar loads come in any order: no count but 0 covers one, nor what is on the counter with it. */
static void test_waits_out_of_order(void **state)
{
	(void)state;
	assert_wrong(PLACES "\tds_write_b32 v8, v8\n\tds_read_b32 v9, v8\n"
			    "\ts_load_dword s6, s[0:1], 0x8\n\ts_waitcnt lgkmcnt(1)\n" KEEP,
		64, "reads v9");
	assert_null(strictly(PLACES "\tds_write_b32 v8, v8\n\tds_read_b32 v9, v8\n"
				    "\tds_read_b32 v10, v8\n\ts_waitcnt lgkmcnt(1)\n" KEEP,
		64));
	assert_wrong(PLACES "\ts_load_dword s6, s[0:1], 0x8\n\ts_load_dword s7, s[0:1], 0x8\n"
			    "\ts_waitcnt lgkmcnt(1)\n\tv_mov_b32_e32 v9, s6\n" KEEP,
		64, "reads s6");
}

/* What nothing has set may be moved, spilled and put together, as compilers do. */
static void test_undefined_may_move(void **state)
{
	(void)state;
	assert_null(strictly(PLACES "\tv_mov_b32_e32 v20, v21\n\tv_writelane_b32 v22, s40, 3\n"
				    "\tscratch_store_dwordx2 off, v[20:21], off\n"
				    "\tds_write_b32 v8, v21\n\tv_readlane_b32 s9, v22, 3\n"
				    "\tv_and_b32_e32 v9, 0, v21\n\tv_add_u32_e32 v9, s9, v9\n"
				    "\ts_waitcnt lgkmcnt(0) vmcnt(0)\n" KEEP,
		64));
	assert_wrong(PLACES "\tv_or_b32_e32 v9, 1, v21\n" KEEP, 64,
		"what is stored depends on a register, LDS or scratch that nothing has set");
	assert_wrong(PLACES "\tds_read_b32 v9, v8\n\ts_waitcnt lgkmcnt(0)\n" KEEP, 64,
		"nothing has set");
	assert_wrong(PLACES "\tscratch_load_dword v9, off, off\n\ts_waitcnt vmcnt(0)\n" KEEP, 64,
		"nothing has set");
	assert_wrong(PLACES "\tv_mov_b32_e32 v9, 1\n"
			    "\ts_and_b32 s5, s77, 8\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_and_b32 s5, s77, 16\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_and_b32 s5, s77, 32\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_and_b32 s5, s77, 64\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_nop 0\n.LBB0_2:\n" KEEP,
		64, "the branch depends on");
	/* a byte that is stored is all that counts */
	assert_null(strictly(PLACES "\tv_and_b32_e32 v9, 0xffffff00, v21\n"
				    "\tglobal_store_byte v8, v9, s[40:41]\n\ts_endpgm\n",
		64));
}

static void test_waves_race(void **state)
{
	(void)state;
	/* both waves at their lanes' places: the second writes what the first did */
	assert_wrong(PLACES "\tv_and_b32_e32 v7, 0xfc, v8\n\tds_write_b32 v7, v8\n\ts_endpgm\n",
		128, "byte 0 of LDS, which wave 0 writes in line 7");
	assert_null(strictly(PLACES "\tv_and_b32_e32 v7, 0x7c, v8\n\tds_write_b32 v7, v8\n"
				    "\ts_endpgm\n",
		64));
	/* reads beside reads are no race */
	assert_null(strictly(PLACES "\tv_and_b32_e32 v7, 0xfc, v8\n\tds_read_b32 v9, v7\n"
				    "\ts_waitcnt lgkmcnt(0)\n\ts_endpgm\n",
		128));
}

/* Two waves; a lane's place in LDS is 0 or 128, both in the first bank. */
static void test_counts_what_ran(void **state)
{
	(void)state;
	struct isa_passes passes;
	struct isa_sum sum = {0};
	assert_null(
		strictly(PLACES "\tv_lshlrev_b32_e32 v7, 7, v0\n\tv_and_b32_e32 v7, 0x80, v7\n"
				"\tv_mov_b32_e32 v9, 5\n\tds_read_b32 v10, v7\n"
				"\ts_waitcnt lgkmcnt(0)\n\tscratch_store_dwordx2 off, v[8:9], off\n"
				"\tv_mfma_f32_16x16x4f32 a[0:3], v9, v9, a[0:3]\n"
				"\ts_mov_b32 s5, 2\n.LBB0_1:\n\ts_sub_u32 s5, s5, 1\n"
				"\ts_cmp_lg_u32 s5, 0\n\ts_cbranch_scc1 .LBB0_1\n" KEEP,
			128));
	assert_int_equal(isa_passes_load(&passes, arena, "gfx90a"), 0);
	for (size_t i = 0; i < program.ops; i++) {
		isa_sum_add(&sum, &program, i, &counts.op[i], &passes);
	}
	assert_int_equal(counts.waves, 2);
	assert_int_equal(isa_sum_runs(&sum), counts.instructions);
	assert_int_equal(sum.runs[ISA_CLASS_BRANCH], 2 * 2);
	assert_int_equal(sum.runs[ISA_CLASS_SALU], 2 * 5);
	assert_int_equal(sum.runs[ISA_CLASS_MATRIX], 2);
	assert_int_equal(sum.cycles[ISA_CLASS_MATRIX], 2 * 8 * 4);
	assert_int_equal(sum.runs[ISA_CLASS_LDS], 2);
	assert_int_equal(sum.conflicts, 2 * 2);
	assert_int_equal(sum.lds_bytes, 128 * 4);
	assert_int_equal(sum.scratch_bytes, 128 * 8);
	assert_int_equal(sum.global_bytes, 128 * 4);
	/* a pass each for a target without figures */
	assert_int_equal(isa_passes_load(&passes, arena, "gfx1100"), 0);
	assert_int_equal(passes.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_descriptor_and_parameters),
		cmocka_unit_test(test_reads_operands),
		cmocka_unit_test(test_refuses_what_it_does_not_know),
		cmocka_unit_test(test_refuses_modes),
		cmocka_unit_test(test_says_what_is_used),
		cmocka_unit_test(test_lanes_follow_exec),
		cmocka_unit_test(test_scalars_loop),
		cmocka_unit_test(test_waves_meet_at_barriers),
		cmocka_unit_test(test_fma_is_not_mul_and_add),
		cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_matrix_reads_rows),
		cmocka_unit_test(test_sdwa_takes_parts),
		cmocka_unit_test(test_scratch_is_a_lanes_own),
		cmocka_unit_test(test_says_what_is_out_of_bounds),
		cmocka_unit_test(test_waits_cover_loads),
		cmocka_unit_test(test_waits_out_of_order),
		cmocka_unit_test(test_undefined_may_move),
		cmocka_unit_test(test_waves_race),
		cmocka_unit_test(test_counts_what_ran),
	};
	arena = arena_create();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(arena);
	return rc;
}
