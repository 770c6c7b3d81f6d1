/* The interpreter of machine code, on assembly that is written here. */
#include "isa/loops.h"
#include "isa/sum.h"
#include "target/issue.h"
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

static void test_tells_programs_apart(void **state)
{
	(void)state;
	static const char *const other[] = {"\tv_mov_b32 v1, 3\n\ts_endpgm\n",
		"\tv_mov_b32 v2, 2\n\ts_endpgm\n",
		"\tv_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf\n\ts_endpgm\n",
		"\tv_mov_b32 v1, 2\n\ts_nop 0\n\ts_endpgm\n"};
	struct isa_program p;
	struct isa_program q;
	assert_int_equal(read_body(&p, "\tv_mov_b32 v1, 2\n\ts_endpgm\n"), 0);
	assert_int_equal(read_body(&q, "; further down\n\n\tv_mov_b32 v1, 2\n\ts_endpgm\n"), 0);
	assert_true(p.op[0].line < q.op[0].line);
	assert_true(isa_program_same(&p, &q));
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		assert_int_equal(read_body(&q, other[i]), 0);
		assert_false(isa_program_same(&p, &q));
	}
	descriptor = "\t\t.amdhsa_float_denorm_mode_32 0\n";
	assert_int_equal(read_body(&q, "\tv_mov_b32 v1, 2\n\ts_endpgm\n"), 0);
	assert_false(isa_program_same(&p, &q));
	descriptor = "";
}

/* Refuses unknown code instead of guessing. */
static void test_refuses_what_it_does_not_know(void **state)
{
	(void)state;
	static const char *const unknown[] = {"\tv_frobnicate_b32 v1, v2\n", "\tv_mov_b32 v1, q7\n",
		"\tv_and_b32 v1, v2, v3 clamp\n", "\tv_add_f32 v1, v2\n",
		"\tv_mad_u64_u32 v[2:3], s[4:5], v4, v5, v[6:7] clamp\n",
		"\tv_mov_b32_dpp v1, v2 quad_perm:[0,0,0,5]\n", "\tds_read_b32 v1, v2 offset0:1\n",
		"\tv_mov_b32 v300, v1\n", "\tv_pk_add_u16 v1, v2, v3 neg_lo:[1,0]\n"};
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		struct isa_program p;
		assert_int_equal(read_body(&p, unknown[i]), FAIL_INPUT);
		assert_non_null(strstr(said, "line 3: unknown "));
	}
}

/* As the assembler has it: a kernel may be called like a register. */
static void test_registers_come_before_labels(void **state)
{
	(void)state;
	struct isa_program p;
	assert_int_equal(read_body(&p, "s1:\n\ts_mov_b32 s2, s1\n\ts_endpgm\n"), 0);
	assert_int_equal(p.op[0].o[1].kind, ISA_OPERAND_SGPR);
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
	struct isa_memory memory = {
		0x10000, sizeof(buffer), (unsigned char *)buffer, false, STR("")};
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
	assert_non_null(strstr(said, "endless loop"));
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

/* One instruction and the bits that it leaves in v9; v1, v2, v3 are given, v9 is 0xaaaabbbb. */
static const struct one {
	const char *text;
	uint32_t a, b, c, d;
} ones[] = {
	/* arithmetic: a NaN goes out quiet, subnormals are kept, no result is 0xffc00000 */
	{"v_add_f32 v9, v1, v2", 0x7fa00001, 0x3f800000, 0, 0x7fe00001},
	{"v_add_f32 v9, v1, v2", 0x3f800000, 0xffa00001, 0, 0xffe00001},
	{"v_add_f32 v9, v1, v2", 0x7f800000, 0xff800000, 0, 0xffc00000},
	{"v_add_f32 v9, v1, v2", 0x00000001, 0x00000002, 0, 0x00000003},
	{"v_add_f32 v9, v1, v2", 0x80000000, 0x80000000, 0, 0x80000000},
	{"v_sub_f32 v9, v1, v1", 0x3f800000, 0, 0, 0x00000000},
	{"v_add_f32 v9, -v1, |v2|", 0x3f800000, 0xc0000000, 0, 0x3f800000},
	{"v_mul_f32 v9, v1, v2 clamp", 0x40000000, 0x40000000, 0, 0x3f800000},
	{"v_mul_f32 v9, v1, v2 clamp", 0x7fc00000, 0x40000000, 0, 0x00000000},
	{"v_max_f32 v9, v1, v2", 0x7fc00000, 0x40000000, 0, 0x40000000},
	{"v_max_f32 v9, v1, v2", 0x7f800001, 0x40000000, 0, 0x7fc00001},
	{"v_max_f32 v9, v1, v2", 0x80000000, 0x00000000, 0, 0x00000000},
	{"v_min_f32 v9, v1, v2", 0x00000000, 0x80000000, 0, 0x80000000},
	{"v_med3_f32 v9, v1, v2, v3", 0x3f800000, 0x40400000, 0x40000000, 0x40000000},
	{"v_fract_f32 v9, v1", 0xb3000000, 0, 0, 0x3f7fffff},
	{"v_rndne_f32 v9, v1", 0x40200000, 0, 0, 0x40000000},
	{"v_ldexp_f32 v9, v1, v2", 0x3f800000, 0xffffff6b, 0, 0x00000001},
	{"v_frexp_mant_f32 v9, v1", 0x00000001, 0, 0, 0x3f000000},
	{"v_frexp_exp_i32_f32 v9, v1", 0x00000001, 0, 0, 0xffffff6c},
	{"v_rcp_f32 v9, v1", 0x80000000, 0, 0, 0xff800000},
	{"v_sqrt_f32 v9, v1", 0xbf800000, 0, 0, 0xffc00000},
	{"v_madmk_f32 v9, v1, 0x40400000, v2", 0x40000000, 0x3f800000, 0, 0x40e00000},
	{"v_pk_add_f32 v[10:11], v[2:3], 0 neg_lo:[1,1] neg_hi:[1,1]\n\tv_mov_b32 v9, v11", 0,
		0x3f800000, 0, 0x80000000},
	/* 2 / pi from its first bits, from the 54th; of 1e300 and 2^60 as well */
	{"v_trig_preop_f64 v[8:9], 1.0, 0", 0, 0, 0, 0x3fe45f30},
	{"v_trig_preop_f64 v[10:11], 1.0, 0\n\tv_mov_b32 v9, v10", 0, 0, 0, 0x6dc9c882},
	{"v_trig_preop_f64 v[8:9], -1.0, v1", 33, 0, 0, 0x3c94a7f0},
	{"v_trig_preop_f64 v[10:11], |v[2:3]|, 0\n\tv_mov_b32 v9, v10", 0, 0x8800759c, 0xfe37e43c,
		0xa93dd63f},
	{"v_trig_preop_f64 v[8:9], v[2:3], 0", 0, 0, 0x43b00000, 0x3f87cc1b},
	{"v_trig_preop_f64 v[8:9], 1.0, 31", 0, 0, 0, 0},
	/* conversions saturate */
	{"v_cvt_u32_f32 v9, v1", 0xbf800000, 0, 0, 0},
	{"v_cvt_u32_f32 v9, v1", 0x4f800000, 0, 0, 0xffffffff},
	{"v_cvt_i32_f32 v9, v1", 0xff800000, 0, 0, 0x80000000},
	{"v_cvt_i32_f32 v9, v1", 0x7fc00000, 0, 0, 0},
	{"v_cvt_f16_f32 v9, v1", 0x477fefff, 0, 0, 0x7bff},
	{"v_cvt_f16_f32 v9, v1", 0x477ff000, 0, 0, 0x7c00},
	{"v_cvt_f16_f32 v9, v1", 0x33000001, 0, 0, 0x0001},
	{"v_cvt_f16_f32 v9, v1", 0x33000000, 0, 0, 0x0000},
	{"v_cvt_f32_f16 v9, v1", 0x12340001, 0, 0, 0x33800000},
	{"v_cvt_f32_f16 v9, v1", 0x00007c01, 0, 0, 0x7fc02000},
	{"v_cvt_pkrtz_f16_f32 v9, v1, v2", 0x477fffff, 0x3f801fff, 0, 0x3c007bff},
	{"v_cvt_f32_ubyte3 v9, v1", 0xff000000, 0, 0, 0x437f0000},
	/* 16 bits: gfx9 makes the upper half 0, but for fma and mad */
	{"v_add_f16 v9, v1, v2", 0xffff3c00, 0xffff3c00, 0, 0x00004000},
	{"v_add_u16 v9, v1, v2", 0x0001ffff, 0x00010001, 0, 0x00000000},
	{"v_fma_f16 v9, v1, v2, v3", 0x3c00, 0x4000, 0x3c00, 0xaaaa4200},
	{"v_fma_f16 v9, v1, v2, v3 op_sel:[1,0,0,1]", 0x3c000000, 0x4000, 0x3c00, 0x4200bbbb},
	{"v_mad_u16 v9, v1, v2, v3", 2, 3, 4, 0xaaaa000a},
	{"v_ashrrev_i16 v9, v1, v2", 0x11, 0x00008000, 0, 0x0000c000},
	{"v_pk_add_f16 v9, v1, v2", 0x3c004000, 0x40003c00, 0, 0x42004200},
	{"v_pk_add_f16 v9, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1]", 0x3c004000,
		0x40003c00, 0, 0x44000000},
	{"v_pk_add_u16 v9, v1, v2", 0xffff0001, 0x0001ffff, 0, 0x00000000},
	{"v_pk_lshlrev_b16 v9, v1, v2", 0x00110001, 0x00018001, 0, 0x00020002},
	{"v_pk_mul_lo_u16 v9, v1, -1 op_sel_hi:[1,0]", 0x00020003, 0, 0, 0xfffefffd},
	{"v_fma_mix_f32 v9, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0x40000000, 0x3f800000,
		0x3f800000, 0x40400000},
	{"v_fma_mixhi_f16 v9, v1, v2, v3", 0x3f800000, 0x3f800000, 0, 0x3c00bbbb},
	{"v_fma_mixlo_f16 v9, v1, -v2, v3", 0x3f800000, 0x3f800000, 0, 0xaaaabc00},
	{"v_pack_b32_f16 v9, v1, v2 op_sel:[1,0]", 0x12345678, 0x9abcdef0, 0, 0xdef01234},
	/* integers: a shift takes the low bits of its count, a clamp saturates */
	{"v_lshlrev_b32 v9, v1, v2", 33, 1, 0, 2},
	{"v_ashrrev_i32 v9, v1, v2", 63, 0x80000000, 0, 0xffffffff},
	{"v_add_u32 v9, v1, v2 clamp", 0xffffffff, 1, 0, 0xffffffff},
	{"v_sub_u32 v9, v1, v2 clamp", 1, 2, 0, 0},
	{"v_add_i32 v9, v1, v2 clamp", 0x80000000, 0xffffffff, 0, 0x80000000},
	{"v_bfe_i32 v9, v1, v2, v3", 0x00000f00, 8, 4, 0xffffffff},
	{"v_bfe_u32 v9, v1, v2, v3", 0x12345678, 8, 0, 0},
	{"v_bfm_b32 v9, v1, v2", 4, 30, 0, 0xc0000000},
	{"v_alignbit_b32 v9, v1, v2, v3", 1, 0x80000000, 31, 3},
	{"v_perm_b32 v9, v1, v2, v3", 0x81020304, 0x85060708, 0x0c0d0b04, 0x00ffff04},
	{"v_ffbh_u32 v9, v1", 0, 0, 0, 0xffffffff},
	{"v_ffbh_i32 v9, v1", 0xfffffff0, 0, 0, 28},
	{"v_bfrev_b32 v9, v1", 0x00000003, 0, 0, 0xc0000000},
	{"v_mad_i32_i24 v9, v1, v2, v3", 0x00ffffff, 5, 1, 0xfffffffc},
	{"v_mul_hi_i32 v9, v1, v2", 0x80000000, 0x80000000, 0, 0x40000000},
	{"v_sad_u8 v9, v1, v2, v3", 0x01020304, 0x04030201, 10, 18},
	{"v_sad_hi_u8 v9, v1, v2, v3", 0x01020304, 0x04030201, 10, 0x8000a},
	{"v_msad_u8 v9, v1, v2, v3", 0x01020304, 0x04000201, 10, 17},
	{"v_sad_u16 v9, v1, v2, v3", 0x00050001, 0x00010005, 1, 9},
	{"v_qsad_pk_u16_u8 v[9:10], v[1:2], v3, 0", 0x04030201, 0, 0x01010101, 0x00070006},
	{"v_lerp_u8 v9, v1, v2, v3", 0x01ff0002, 0x02ff0001, 0x01000001, 0x02ff0002},
	{"v_mad_legacy_u16 v9, v1, v2, v3", 3, 5, 1, 16},
	{"v_dot8_u32_u4 v9, v1, v2, v3", 0x12345678, 0x11111111, 1, 37},
	{"v_dot8_i32_i4 v9, v1, v2, v3", 0xf0000007, 0x20000003, 1, 20},
	{"v_dot8c_i32_i4 v9, v1, v2", 0xf0000007, 0x20000003, 0, 0xaaaabbce},
	{"v_dot4_u32_u8 v9, v1, v2, v3 clamp", 0xffffffff, 0xffffffff, 0xfffffff0, 0xffffffff},
	{"v_dot4_i32_i8 v9, v1, v2, v3", 0xff010101, 0x02020202, 1, 5},
	{"v_dot4_i32_i8 v9, v1, v2, v3 clamp", 0xff010101, 0x02020202, 0x7ffffffe, 0x7fffffff},
	{"v_dot4_i32_i8 v9, v1, v2, v3 clamp", 0xff010101, 0x02020202, 0xfffffff0, 0xfffffff4},
	{"v_dot8_i32_i4 v9, v1, v2, v3 clamp", 0x0000000f, 0x00000007, 0x80000003, 0x80000000},
	{"v_dot2_i32_i16 v9, v1, v2, v3", 0x80008000, 0x80008000, 5, 0x80000005},
	{"v_dot2_i32_i16 v9, v1, v2, v3 clamp", 0x80008000, 0x80008000, 0xffffffff, 0x7fffffff},
	{"v_dot2_i32_i16 v9, v1, v2, v3 clamp", 0x80008000, 0x80008000, 0xfffffff0, 0x7ffffff0},
	{"v_dot2_u32_u16 v9, v1, v2, v3 clamp", 0xffffffff, 0xffff0002, 3, 0xffffffff},
	{"v_dot2_u32_u16 v9, v1, v2, v3 clamp", 0x00020003, 0x00040005, 6, 29},
	{"v_add_u32_sdwa v9, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 "
	 "src1_sel:DWORD",
		0x80, 0, 0, 0xffffff80},
	{"v_mov_b32_sdwa v9, v1 dst_sel:BYTE_2 dst_unused:UNUSED_SEXT src0_sel:BYTE_0", 0x80, 0, 0,
		0xff800000},
	{"v_mov_b32_dpp v9, v1 row_shr:1 row_mask:0xf bank_mask:0xf", 7, 0, 0, 0xaaaabbbb},
	{"v_mov_b32_dpp v9, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0", 7, 0, 0, 0},
	{"v_add_u32_dpp v9, v1, v2 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf", 7, 1, 0, 8},
	{"v_mul_f32 v9, 0.15915494, v1", 0x3f800000, 0, 0, 0x3e22f983},
	{"v_add_f16 v9, 1.0, v1", 0x3c00, 0, 0, 0x4000},
	{"v_mov_b32 v9, -16", 0, 0, 0, 0xfffffff0},
};

static void run_ones(const struct one *one, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *body = arena_printf(arena,
			"\tv_mov_b32 v1, 0x%x\n\tv_mov_b32 v2, 0x%x\n\tv_mov_b32 v3, 0x%x\n"
			"\tv_mov_b32 v9, 0xaaaabbbb\n\t%s\n" STORE,
			one[i].a, one[i].b, one[i].c, one[i].text);
		if (run_lanes(body, 1) != 0) {
			fail_msg("%s: %s", one[i].text, said);
		}
		if (buffer[0] != one[i].d) {
			fail_msg("%s: 0x%08x, not 0x%08x", one[i].text, buffer[0], one[i].d);
		}
	}
}

static void test_one_instruction(void **state)
{
	(void)state;
	run_ones(ones, sizeof(ones) / sizeof(ones[0]));
}

/* fp8 of gfx942 is FNUZ, that of gfx950 OCP's. */
static void test_8_bit_numbers(void **state)
{
	(void)state;
	static const struct one fnuz[] = {
		{"v_cvt_pk_fp8_f32 v9, v1, v2", 0x3f800000, 0x80000000, 0, 0xaaaa0040},
		{"v_cvt_pk_fp8_f32 v9, v1, v2 op_sel:[0,0,1]", 0x3f800000, 0x43700000, 0,
			0x7f40bbbb},
		{"v_cvt_pk_fp8_f32 v9, v1, v2", 0x7fc00000, 0x44000000, 0, 0xaaaa8080},
	};
	static const struct one back[] = {
		{"v_cvt_f32_fp8 v9, v1", 0x40, 0, 0, 0x3f800000},
		{"v_cvt_f32_fp8 v9, v1", 0x81, 0, 0, 0xba800000},
		{"v_cvt_f32_fp8 v9, v1", 0x80, 0, 0, 0x7fc00000},
		{"v_cvt_f32_bf8 v9, v1", 0x7f, 0, 0, 0x47600000},
		{"v_cvt_f32_bf8 v9, v1", 0x01, 0, 0, 0x37000000},
	};
	static const struct one ocp[] = {
		{"v_cvt_pk_fp8_f32 v9, v1, v2", 0x3f800000, 0x80000000, 0, 0xaaaa8038},
		{"v_cvt_pk_bf8_f32 v9, v1, v2", 0x3f800000, 0x7f800000, 0, 0xaaaa7c3c},
	};
	target = "gfx942";
	run_ones(fnuz, 3);
	run_ones(back, 5);
	target = "gfx950";
	run_ones(ocp, 2);
	target = "gfx90a";
}

/* A byte or half of 8-bit numbers is selected by SDWA, op_sel or, on gfx12, byte_sel. */
static void test_selects_8_bit_numbers(void **state)
{
	(void)state;
	static const struct one fnuz[] = {
		{"v_cvt_f32_fp8_sdwa v9, v1 src0_sel:BYTE_2", 0x11402233, 0, 0, 0x3f800000},
		{"v_cvt_f32_bf8_sdwa v9, v1 src0_sel:BYTE_3", 0x40112233, 0, 0, 0x3f800000},
		{"v_cvt_f32_fp8_e64 v9, v1 op_sel:[0,1]", 0x11224033, 0, 0, 0x3f800000},
		{"v_cvt_pk_f32_fp8_sdwa v[8:9], v1 src0_sel:WORD_1", 0x40112233, 0, 0, 0x3f800000},
		{"v_cvt_pk_f32_bf8_sdwa v[9:10], v1 src0_sel:WORD_1", 0x11402233, 0, 0, 0x3f800000},
	};
	static const struct one ocp[] = {
		{"v_cvt_f32_fp8_e64 v9, v1 byte_sel:1", 0x11223833, 0, 0, 0x3f800000},
		{"v_cvt_f32_fp8_e64 v9, v1 byte_sel:2", 0x11382233, 0, 0, 0x3f800000},
	};
	target = "gfx942";
	run_ones(fnuz, sizeof(fnuz) / sizeof(fnuz[0]));
	target = "gfx1201";
	run_ones(ocp, sizeof(ocp) / sizeof(ocp[0]));
	target = "gfx90a";
}

/* As the documents and independent emulators have them, where it is easily forgotten. */
static void test_corners(void **state)
{
	(void)state;
	static const struct one here[] = {
		{"s_mov_b32 s2, 0x80000000\n\ts_absdiff_i32 s2, s2, 1\n\tv_mov_b32 v9, s2", 0, 0, 0,
			0x7fffffff},
		{"s_mov_b32 s2, 0x7fffffff\n\ts_absdiff_i32 s2, s2, -2\n\tv_mov_b32 v9, s2", 0, 0,
			0, 0x7fffffff},
		{"v_fract_f16 v9, v1", 0x8001, 0, 0, 0x3bff},
		{"v_dot2_f32_f16 v9, v1, v2, v3", 0, 0, 0x00400000, 0},
		{"v_max_f32 v9, v1, v2", 0x7fc00001, 0x7fc00002, 0, 0x7fc00001},
		{"v_mad_f32 v9, v1, v2, v3", 0x00400000, 0x3f800000, 0, 0},
		{"v_exp_f32 v9, v1", 0xc3000000, 0, 0, 0},
		{"v_mul_f32 v9, v1, v2 mul:2", 0x3f800000, 0x3f800000, 0, 0x3f800000},
		{"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\n\tv_rndne_f32 v9, v1", 0x3fa00000,
			0, 0, 0x3f800000},
		{"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0\n\tv_div_fixup_f32 v9, v1, v2, v3",
			0x00400000, 0x3f800000, 0x3f800000, 0},
		/* below a tie by less than the sum of f64 has bits for */
		{"s_mov_b64 vcc, -1\n\tv_div_fmas_f32 v9, v1, v2, v3", 0x33800001, 0x3f7ffffe,
			0x3f800001, 0x1f800001},
	};
	static const struct one gfx11[] = {
		{"v_sat_pk_u8_i16 v9, v1", 0x01fe00ff, 0, 0, 0xaaaaffff},
	};
	static const struct one gfx12[] = {
		{"v_max_num_f32 v9, v1, v2", 0x7f800001, 0x3f800000, 0, 0x3f800000},
		{"v_min_num_f32 v9, v1, v2", 0x7f800001, 0x7f800002, 0, 0x7fc00001},
		{"s_denorm_mode 0\n\ts_mov_b32 s2, 0x400000\n\ts_add_f32 s2, s2, 0\n"
		 "\tv_mov_b32 v9, s2",
			0, 0, 0, 0},
		{"s_mov_b32 s2, 0x400000\n\tv_s_sqrt_f32 s2, s2\n\tv_mov_b32 v9, s2", 0, 0, 0, 0},
		{"s_mov_b32 s2, 0x3c004000\n\ts_cvt_hi_f32_f16 s2, s2\n\tv_mov_b32 v9, s2", 0, 0, 0,
			0x3f800000},
	};
	run_ones(here, sizeof(here) / sizeof(here[0]));
	target = "gfx1100";
	run_ones(gfx11, sizeof(gfx11) / sizeof(gfx11[0]));
	target = "gfx1201";
	run_ones(gfx12, sizeof(gfx12) / sizeof(gfx12[0]));
	target = "gfx90a";
}

/* Subnormals are flushed where the descriptor says so, and rounding follows it. */
static void test_mode(void **state)
{
	(void)state;
	static const struct one flushed = {
		"v_add_f32 v9, v1, v2", 0x80000001, 0x80000000, 0, 0x80000000};
	static const struct one up = {
		"v_add_f32 v9, v1, v2", 0x3f800000, 0x00000001, 0, 0x3f800001};
	descriptor = "\t\t.amdhsa_float_denorm_mode_32 0\n";
	run_ones(&flushed, 1);
	descriptor = "\t\t.amdhsa_float_round_mode_32 1\n";
	run_ones(&up, 1);
	descriptor = "";
	static const struct one set = {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\n"
				       "\tv_add_f32 v9, v1, v2",
		0x3f800000, 0x00000001, 0, 0x3f800001};
	run_ones(&set, 1);
}

/* gfx11: two at once read what was there before; a result of 16 bits keeps the other half. */
static void test_newer_forms(void **state)
{
	(void)state;
	static const struct one newer[] = {
		{"v_dual_mov_b32 v9, v1 :: v_dual_mov_b32 v2, v9", 5, 0, 0, 5},
		{"v_dual_mov_b32 v2, v1 :: v_dual_add_nc_u32 v9, 1, v2", 5, 7, 0, 8},
		{"v_add_f16 v9, v1, v2", 0x3c00, 0x3c00, 0, 0xaaaa4000},
		{"v_add_f16 v9.h, v1.l, v2.h", 0x3c00, 0x3c000000, 0, 0x4000bbbb},
		{"v_cmpx_eq_u32_e32 v1, v2\n\tv_mov_b32 v9, 1\n\ts_mov_b32 exec_lo, 1", 1, 2, 0,
			0xaaaabbbb},
		{"v_mov_b32_dpp v9, v1 row_xmask:0 row_mask:0xf bank_mask:0xf fi:1", 7, 0, 0, 7},
		{"v_readfirstlane_b32 s5, v1\n\tv_readfirstlane_b32 s6, v2\n\ts_add_f16 s7, s5, "
		 "1.0\n"
		 "\ts_mul_f16 s7, s7, s6\n\tv_mov_b32 v9, s7",
			0x3c00, 0x4000, 0, 0x4400},
		{"v_readfirstlane_b32 s5, v1\n\ts_cvt_f32_f16 s5, s5\n"
		 "\ts_fmaak_f32 s7, s5, s5, 0x3f800000\n\tv_mov_b32 v9, s7",
			0x4000, 0, 0, 0x40a00000},
		{"v_readfirstlane_b32 s5, v1\n\tv_s_rcp_f32 s6, s5\n\tv_s_sqrt_f32 s7, s6\n"
		 "\tv_mov_b32 v9, s7",
			0x3d800000, 0, 0, 0x40800000},
		{"v_readfirstlane_b32 s5, v1\n\ts_trunc_f32 s6, s5\n\ts_floor_f32 s7, s5\n"
		 "\ts_ceil_f32 s8, s5\n\ts_rndne_f32 s9, s5\n\ts_sub_f32 s6, s6, s7\n"
		 "\ts_fmac_f32 s6, s8, s9\n\tv_mov_b32 v9, s6",
			0xc0200000, 0, 0, 0x40a00000},
		{"v_readfirstlane_b32 s5, v1\n\tv_readfirstlane_b32 s6, v2\n\ts_mov_b32 s7, "
		 "0x3c00\n"
		 "\ts_fmac_f16 s7, s5, s6\n\ts_max_num_f16 s7, s7, s5\n\ts_floor_f16 s7, s7\n"
		 "\ts_cmp_gt_f16 s7, s5\n\ts_cselect_b32 s8, s7, 0\n\tv_mov_b32 v9, s8",
			0x4100, 0x4200, 0, 0x4800},
		{"v_dot4_i32_iu8 v9, v1, v2, v3 neg_lo:[1,0,0]", 0xff, 0xff, 5, 0xffffff06},
		{"v_dot8_i32_iu4 v9, v1, v2, v3 neg_lo:[0,1,0]", 0xf, 0xf, 5, 0xfffffff6},
		{"v_dot4_i32_iu8 v9, v1, v2, v3 neg_lo:[1,0,0] clamp", 0xff, 0xff, 0x80000010,
			0x80000000},
		{"v_dot4_i32_iu8 v9, v1, v2, v3 clamp", 0xff, 0xff, 0x7fffffff, 0x7fffffff},
		{"v_dot8_i32_iu4 v9, v1, v2, v3 clamp", 0xf, 0xf, 0x7ffffff0, 0x7fffffff},
		{"v_dot8_i32_iu4 v9, v1, v2, v3 clamp", 0xf, 0xf, 5, 230},
		{"s_load_b128 s[44:47], s[0:1], 0x0\n\ts_wait_kmcnt 0x0\n\tv_mov_b32 v9, s46", 0, 0,
			0, 7},
		{"s_wait_alu 0xfffe\n\ts_delay_alu instid0(VALU_DEP_1)\n\tv_mov_b32 v9, v1", 3, 0,
			0, 3},
	};
	target = "gfx1100";
	descriptor = "\t\t.amdhsa_wavefront_size32 1\n";
	run_ones(newer, sizeof(newer) / sizeof(newer[0]));
	target = "gfx90a";
	descriptor = "";
}

/* RDNA3's waves of 64 permute each half by itself. */
static void test_permutes_halves(void **state)
{
	(void)state;
	static const struct {
		const char *target;
		uint32_t first, last; /* what lanes 0 and 40 take from lane 33 */
	} of[] = {{"gfx90a", 33, 33}, {"gfx1100", 1, 33}, {"gfx1200", 33, 33}};
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		target = of[i].target;
		assert_int_equal(run_lanes("\tv_mov_b32 v1, 0x84\n\tds_bpermute_b32 v9, v1, v0\n"
					   "\ts_waitcnt lgkmcnt(0)\n" STORE,
					 64),
			0);
		assert_int_equal(buffer[0], of[i].first);
		assert_int_equal(buffer[40], of[i].last);
	}
	target = "gfx90a";
}

/* gfx12: no copies; rows of A are cut, in runs of four, between lanes i and i + 16. */
static void test_matrix_of_gfx12(void **state)
{
	(void)state;
	target = "gfx1200";
	descriptor = "\t\t.amdhsa_wavefront_size32 1\n";
	assert_int_equal(
		run_lanes("\tv_mov_b32 v1, 0x3c003c00\n\tv_mov_b32 v2, v1\n\tv_mov_b32 v3, v1\n"
			  "\tv_mov_b32 v4, v1\n\tv_mov_b32 v5, v1\n\tv_mov_b32 v6, v1\n"
			  "\ts_mov_b32 exec_lo, 0xffff0000\n\tv_mov_b32 v1, 0x40004000\n"
			  "\tv_mov_b32 v5, 0x42004200\n\ts_mov_b32 exec_lo, -1\n"
			  "\tv_wmma_f32_16x16x16_f16 v[9:16], v[1:4], v[3:6], 0\n"
			  "\ts_load_b64 s[40:41], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v8, 2, v0\n"
			  "\tglobal_store_b32 v8, v9, s[40:41]\n\ts_endpgm\n",
			32),
		0);
	target = "gfx90a";
	descriptor = "";
	/* lanes 16 and more: a first pair of 2 in A, a third of 3 in B: 12 of 1, 2 * 2, 2 * 3 */
	assert_int_equal(buffer[0], 0x41b00000);
	assert_int_equal(buffer[31], 0x41b00000);
}

/* d of division by the sequence that LLVM writes for a / b. */
static void test_division(void **state)
{
	(void)state;
	static const char text[] = "v_div_scale_f32 v4, s[2:3], v2, v2, v1\n\tv_rcp_f32 v5, v4\n"
				   "\tv_fma_f32 v6, -v4, v5, 1.0\n\tv_fma_f32 v5, v6, v5, v5\n"
				   "\tv_div_scale_f32 v6, vcc, v1, v2, v1\n\tv_mul_f32 v7, v6, v5\n"
				   "\tv_fma_f32 v10, -v4, v7, v6\n\tv_fma_f32 v7, v10, v5, v7\n"
				   "\tv_fma_f32 v4, -v4, v7, v6\n\tv_div_fmas_f32 v4, v4, v5, v7\n"
				   "\tv_div_fixup_f32 v9, v4, v2, v1";
	static const uint32_t numbers[] = {0x3f800000, 0x40400000, 0x00000001, 0x00000003,
		0x7f7fffff, 0x00800000, 0x7e800001, 0x80000000, 0x7f800000, 0x3eaaaaab, 0x0d123456,
		0x7a123456};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
			float a;
			float b;
			struct one one = {text, numbers[i], numbers[k], 0, 0};
			memcpy(&a, &numbers[i], 4);
			memcpy(&b, &numbers[k], 4);
			float d = a / b;
			memcpy(&one.d, &d, 4);
			run_ones(&one, 1);
		}
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

/* v9, lane + 1, to the lane's place: words 1 to 3 of the descriptor, the address and modifiers. */
struct buffer_store {
	const char *target;
	uint32_t word[3];
	const char *how;
	struct {
		unsigned place;
		uint32_t is;
	} wanted[4];
};

static int store_by(const char *instruction, const char *address, const uint32_t *word)
{
	return run_lanes(
		arena_printf(arena,
			"\ts_mov_b32 s44, 0x10000\n\ts_mov_b32 s45, 0x%x\n\ts_mov_b32 s46, %u\n"
			"\ts_mov_b32 s47, 0x%x\n\tv_add_u32_e32 v9, 1, v0\n\tv_mov_b32 v10, v0\n"
			"\tv_mov_b32 v11, v9\n\tv_lshlrev_b32_e32 v8, 2, v0\n\tv_mov_b32 v3, 4\n"
			"\tv_mov_b32 v2, v0\n\t%s v[10:11], %s\n\ts_waitcnt vmcnt(0)\n\ts_endpgm\n",
			word[0], (unsigned)word[1], word[2], instruction, address),
		16);
}

static void use_target(const char *name)
{
	target = name;
	descriptor = name[3] == '9' ? "" : "\t\t.amdhsa_wavefront_size32 1\n";
}

static const char *buffer_store(void)
{
	return target[3] == '9' ? "buffer_store_dwordx2" : "buffer_store_b64";
}

/* ((index / 8 * stride + offset / 4 * 4) * 8 + index % 8 * 4) is where a swizzled word lies. */
static void test_buffers_have_strides(void **state)
{
	static const struct buffer_store store[] = {
		{"gfx90a", {0, 24, 0}, "v8, s[44:47], 0 offen", {{1, 1}, {5, 5}, {6, 0}, {7, 0}}},
		{"gfx90a", {8 << 16, 3, 0}, "v0, s[44:47], 0 idxen",
			{{1, 1}, {4, 2}, {5, 3}, {6, 0}}},
		{"gfx90a", {16 << 16, 3, 0}, "v[2:3], s[44:47], 4 idxen offen",
			{{2, 0}, {3, 1}, {10, 2}, {14, 0}}},
		{"gfx90a", {8u << 16 | 1u << 31, 10, 0}, "v0, s[44:47], 0 idxen",
			{{7, 7}, {15, 8}, {17, 9}, {18, 0}}},
		{"gfx942", {8u << 16 | 1u << 31, 16, 1u << 21}, "v0, s[44:47], 0 idxen",
			{{8, 8}, {15, 15}, {16, 1}, {31, 16}}},
		{"gfx90a", {8 << 16, 7, 1 << 23}, "v0, s[44:47], 0 idxen",
			{{2, 0}, {4, 1}, {5, 2}, {13, 4}}},
		{"gfx90a", {1u << 30 | 64 << 16, 24, 0}, "v8, s[44:47], 0 offen",
			{{1, 1}, {5, 5}, {6, 0}, {7, 0}}},
		{"gfx1100", {0, 24, 3u << 28}, "v8, s[44:47], 0 offen",
			{{1, 1}, {5, 5}, {6, 0}, {7, 0}}},
		{"gfx1100", {8u << 16 | 2u << 30, 16, 0}, "v0, s[44:47], 0 idxen",
			{{1, 1}, {14, 7}, {17, 9}, {31, 16}}},
		{"gfx1200", {4 << 16, 16, 0}, "v0, s[44:47], null idxen",
			{{1, 1}, {2, 2}, {3, 3}, {15, 15}}},
		{"gfx1200", {0, 24, 3u << 28}, "v8, s[44:47], null offen",
			{{1, 1}, {5, 5}, {6, 0}, {7, 0}}},
		{"gfx1200", {8u << 16 | 2u << 30, 16, 0}, "v0, s[44:47], null idxen",
			{{1, 1}, {14, 7}, {17, 9}, {31, 16}}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(store) / sizeof(store[0]); i++) {
		const struct buffer_store *b = &store[i];
		use_target(b->target);
		int rc = store_by(buffer_store(), b->how, b->word);
		for (size_t k = 0; k < 4 && rc == 0; k++) {
			if (buffer[b->wanted[k].place] != b->wanted[k].is) {
				fail_msg("%zu %s: %u is %u", i, b->how, b->wanted[k].place,
					buffer[b->wanted[k].place]);
			}
		}
		if (rc) {
			fail_msg("%zu %s: %s", i, b->how, said);
		}
	}
	use_target("gfx90a");
}

static void test_refuses_unclear_buffers(void **state)
{
	static const struct {
		const char *target;
		uint32_t word[3];
		const char *how, *said;
	} unclear[] = {
		{"gfx90a", {8u << 16 | 1u << 31, 16, 0}, "v8, s[44:47], 0 offen",
			"without an index"},
		{"gfx90a", {6u << 16 | 1u << 31, 16, 0}, "v0, s[44:47], 0 idxen", "not a multiple"},
		{"gfx90a", {8u << 16 | 1u << 31, 16, 0}, "v0, s[44:47], 0 idxen offset:2",
			"across elements"},
		{"gfx90a", {8u << 16, 16, 1u << 23}, "off, s[44:47], 0", "ADD_TID_ENABLE"},
		{"gfx90a", {0, 16, 1u << 31}, "off, s[44:47], 0", "not a buffer's"},
		{"gfx1100", {8u << 16, 16, 3u << 28}, "v0, s[44:47], 0 idxen", "only bytes"},
		{"gfx1100", {8u << 16, 16, 1u << 23}, "v0, s[44:47], 0 idxen", "ADD_TID_ENABLE"},
		{"gfx1200", {8u << 16, 16, 3u << 28}, "v0, s[44:47], null idxen", "only bytes"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(unclear) / sizeof(unclear[0]); i++) {
		use_target(unclear[i].target);
		assert_int_equal(
			store_by(buffer_store(), unclear[i].how, unclear[i].word), FAIL_INPUT);
		assert_non_null(strstr(said, unclear[i].said));
	}
	use_target("gfx90a");
}

/* Zeros for what lies behind a buffer, word by word; the address is in a register of the result. */
static void test_loads_behind_a_buffer(void **state)
{
	(void)state;
	static const uint32_t word[] = {0, 12, 0};
	assert_int_equal(
		store_by("v_mov_b32 v8, 4\n\tbuffer_store_dwordx2 v[10:11], off, "
			 "s[44:47], 0\n"
			 "\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v11, v8\n\tv_mov_b32 v12, 9\n"
			 "\tbuffer_load_dwordx3 v[11:13], v11, s[44:47], 0 offen\n"
			 "\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v10, v13\n\tv_mov_b32 v11, v12\n"
			 "\ts_mov_b32 s46, 20\n\tbuffer_store_dwordx2",
			"off, s[44:47], 0 offset:12", word),
		0);
	assert_int_equal(buffer[1], 16);
	assert_int_equal(buffer[3], 0);
	assert_int_equal(buffer[4], 0);
}

/* Words across words: of LDS, and of scratch, where a lane's lie apart. */
static void test_words_across_words(void **state)
{
	(void)state;
	assert_int_equal(run_lanes("\tv_mov_b32 v1, 0x44332211\n\tv_mov_b32 v2, 0x88776655\n"
				   "\tv_lshlrev_b32_e32 v3, 4, v0\n\tds_write_b32 v3, v1 offset:3\n"
				   "\tds_write_b32 v3, v2 offset:7\n\ts_waitcnt lgkmcnt(0)\n"
				   "\tds_read_b32 v9, v3 offset:5\n\ts_waitcnt lgkmcnt(0)\n" STORE,
				 8),
		0);
	assert_int_equal(buffer[7], 0x66554433);
	assert_int_equal(
		run_lanes("\tv_mov_b32 v1, 0x44332211\n\tv_mov_b32 v2, 0x88776655\n"
			  "\tscratch_store_dwordx2 off, v[1:2], off offset:3\n"
			  "\tscratch_load_dword v9, off, off offset:5\n"
			  "\tscratch_load_ushort v10, off, off offset:7\n\ts_waitcnt vmcnt(0)\n"
			  "\tv_xor_b32_e32 v9, v9, v10\n" STORE,
			64),
		0);
	assert_int_equal(buffer[0], 0x66554433 ^ 0x6655);
	assert_int_equal(buffer[63], 0x66554433 ^ 0x6655);
	assert_int_equal(
		run_lanes("\tds_add_u32 v0, v0 offset:2\n\ts_waitcnt lgkmcnt(0)\n" STORE, 1),
		FAIL_INPUT);
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

/* Variables, at what is added to their names, with addresses of others in them; a launch begins
 * with what stands in the text. */
/* As LLVM ends a trap on gfx11, where the trap's handler may come back: a wave that comes to any of
 * it goes no further. */
static void test_traps_halt(void **state)
{
	(void)state;
	static const struct {
		const char *first, *said;
	} from[] = {{"\ts_trap 2\n", "s_trap"}, {"", "reply"}, {"\ts_branch .L1\n", "halts"},
		{"\ts_memtime s[4:5]\n", "clock"}, {"\ts_sethalt 0\n\ts_branch .L2\n", NULL}};
	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
		const char *body = arena_printf(arena,
			"%s\ts_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)\n"
			"\ts_mov_b32 ttmp2, m0\n\ts_waitcnt lgkmcnt(0)\n\ts_and_b32 s0, s0, 0x3ff\n"
			"\ts_bitset1_b32 s0, 10\n\ts_mov_b32 m0, s0\n"
			"\ts_sendmsg sendmsg(MSG_INTERRUPT)\n\ts_mov_b32 m0, ttmp2\n"
			".L1:\n\ts_sethalt 5\n\ts_branch .L1\n.L2:\n\ts_endpgm\n",
			from[i].first);
		assert_int_equal(run_lanes(body, 1), from[i].said ? FAIL_INPUT : 0);
		assert_true(!from[i].said || strstr(said, from[i].said));
		assert_true(!counts.broken);
	}
}

static void test_variables(void **state)
{
	(void)state;
	static const char table[] = "\t.type\ttable,@object\n\t.section\t.rodata,\"a\",@progbits\n"
				    "table:\n\t.long\t7 ; a \"comment\"\n\t.short\t65534\n"
				    "\t.byte\t1\n\t.zero\t1\n\t.quad\tcount+4\n"
				    "\t.asciz\t\"a;\\\"\\\\\\001\"\n\t.size\ttable, 22\n"
				    "\t.type\tcount,@object\n\t.local\tcount\n\t.comm\tcount,8,4\n";
	static const char reads[] =
		"\ts_getpc_b64 s[4:5]\n\ts_add_u32 s4, s4, table@rel32@lo+8\n"
		"\ts_addc_u32 s5, s5, table@rel32@hi+16\n\ts_load_dwordx4 s[8:11], s[4:5], 0x0\n"
		"\ts_waitcnt lgkmcnt(0)\n";
	variables = table;
	/* s8: the short and bytes; s[9:10]: the address of count + 4; s11: text */
	assert_int_equal(
		run_lanes(arena_printf(arena, "%s\tv_mov_b32 v9, s8\n" STORE, reads), 1), 0);
	assert_int_equal(buffer[0], 0x1fffe);
	assert_int_equal(
		run_lanes(arena_printf(arena, "%s\tv_mov_b32 v9, s11\n" STORE, reads), 1), 0);
	assert_int_equal(buffer[0], 'a' | ';' << 8 | '"' << 16 | '\\' << 24);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
			run_lanes(arena_printf(arena,
					  "%s\tv_mov_b32 v2, s9\n\tv_mov_b32 v3, s10\n"
					  "\tv_mov_b32 v4, 5\n\tglobal_atomic_add v9, v[2:3], "
					  "v4, off glc\n\ts_waitcnt vmcnt(0)\n\tglobal_load_dword "
					  "v9, v[2:3], off\n\ts_waitcnt vmcnt(0)\n" STORE,
					  reads),
				1),
			0);
		assert_int_equal(buffer[0], 5);
	}
	assert_int_equal(run_lanes(arena_printf(arena,
					   "%s\tv_mov_b32 v2, s9\n\tv_mov_b32 v3, s10\n"
					   "\tglobal_load_dword v9, v[2:3], off offset:4\n" STORE,
					   reads),
				 1),
		FAIL_INPUT);
	assert_non_null(strstr(said, "which is in no buffer"));
	variables = "\t.type\ttable,@object\ntable:\n\t.long\tcount\n\t.size\ttable, 4\n";
	assert_int_equal(run_lanes(arena_printf(arena, "%s" STORE, reads), 1), FAIL_INPUT);
	assert_string_equal(said, "this variable is not covered: table");
	variables = table;
	assert_int_equal(run_lanes("\ts_getpc_b64 s[4:5]\n\ts_mov_b32 s6, s7\n"
				   "\ts_add_u32 s4, s4, table@rel32@lo+4\n" STORE,
				 1),
		FAIL_INPUT);
	assert_non_null(strstr(said, "a symbol too far from s_getpc_b64"));
	/* by the global offset table; what another unit defines is not known, and no fault */
	static const char slot[] =
		"\ts_getpc_b64 s[4:5]\n\ts_add_u32 s4, s4, %s@gotpcrel32@lo+4\n"
		"\ts_addc_u32 s5, s5, %s@gotpcrel32@hi+12\n\ts_load_dwordx2 s[4:5], s[4:5], 0x0\n"
		"\ts_waitcnt lgkmcnt(0)\n\ts_load_dword s8, s[4:5], 0x0\n"
		"\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v9, s8\n" STORE;
	assert_int_equal(run_lanes(arena_printf(arena, slot, "table", "table"), 1), 0);
	assert_int_equal(buffer[0], 7);
	assert_int_equal(run_lanes(arena_printf(arena, slot, "other", "other"), 1), FAIL_INPUT);
	assert_non_null(strstr(said, "a variable of another translation unit"));
	assert_false(counts.broken);
	variables = "";
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
		64, "reads v9, which the load in line 7 may not have written yet");
	/* a store counts as well */
	assert_wrong(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n"
			    "\tglobal_store_dword v8, v8, s[40:41]\n"
			    "\ts_waitcnt vmcnt(2)\n" KEEP,
		64, "reads v9");
	/* what is set again before it has come; a load behind it on the same counter may */
	assert_wrong(PLACES "\tglobal_load_dword v9, v8, s[40:41]\n\tv_mov_b32_e32 v9, 1\n" KEEP,
		64, "writes v9, which the load in line 6 may still write");
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

/* Uninitialized data may be moved, spilled and combined, as compilers do. */
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
		"the stored value depends on an uninitialized register, LDS or scratch");
	assert_wrong(
		PLACES "\tds_read_b32 v9, v8\n\ts_waitcnt lgkmcnt(0)\n" KEEP, 64, "uninitialized");
	assert_wrong(PLACES "\tscratch_load_dword v9, off, off\n\ts_waitcnt vmcnt(0)\n" KEEP, 64,
		"uninitialized");
	assert_wrong(PLACES "\tv_mov_b32_e32 v9, 1\n"
			    "\ts_and_b32 s5, s77, 8\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_and_b32 s5, s77, 16\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_and_b32 s5, s77, 32\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_and_b32 s5, s77, 64\n\ts_cbranch_scc1 .LBB0_2\n"
			    "\ts_nop 0\n.LBB0_2:\n" KEEP,
		64, "the branch depends on");
	/* a flat instruction has no base: its last operand is the data, for scratch here */
	assert_null(strictly(PLACES "\tv_mov_b32_e32 v9, 1\n\tv_mov_b32_e32 v10, 4\n"
				    "\ts_mov_b64 s[4:5], src_private_base\n"
				    "\tv_mov_b32_e32 v11, s5\n\tflat_store_dword v[10:11], v21\n"
				    "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n" KEEP,
		64));
	assert_wrong(PLACES "\tv_mov_b32_e32 v9, 1\n\tflat_store_dword v[20:21], v9\n" KEEP, 64,
		"the address depends on");
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

/* What polls a counter, or gives a lock back, is no race with others' atomics; what sets it up is,
 * also where its own wave's atomic comes behind, and so is what takes more than one at once. */
static void test_atomics_race(void **state)
{
	(void)state;
	static const char polls[] = PLACES "\tv_mov_b32_e32 v7, 0\n\tds_read_b32 v9, v7\n"
					   "\ts_waitcnt lgkmcnt(0)\n\tds_add_u32 v7, v8\n"
					   "\ts_waitcnt lgkmcnt(0)\n\tds_write_b32 v7, v8\n"
					   "\ts_endpgm\n";
	assert_null(strictly(polls, 128));
	assert_wrong(PLACES "\tv_mov_b32_e32 v7, 0\n\tds_write_b32 v7, v7\n"
			    "\tds_add_u32 v7, v8\n\ts_endpgm\n",
		128, "byte 0 of LDS, which wave 0 writes in line 7");
	assert_wrong(PLACES "\tv_mov_b32_e32 v7, 0\n\tds_read_b128 v[10:13], v7\n"
			    "\tds_add_u32 v7, v8\n\ts_endpgm\n",
		128, "byte 0 of LDS, which wave 0 writes in line 8");
}

/* A buffer's descriptor that is not of scratch is global memory. */
static void test_counts_buffers(void **state)
{
	(void)state;
	const struct target plain = {0}; /* a pass each */
	struct isa_sum sum = {0};
	assert_null(strictly(PLACES "\ts_mov_b64 s[8:9], s[40:41]\n\ts_mov_b32 s10, 0x200\n"
				    "\ts_mov_b32 s11, 0\n\tv_mov_b32_e32 v9, 7\n"
				    "\tbuffer_store_dword v9, v8, s[8:11], 0 offen\n"
				    "\ts_waitcnt vmcnt(0)\n\ts_endpgm\n",
		64));
	assert_int_equal(buffer[63], 7);
	for (size_t i = 0; i < program.ops; i++) {
		isa_sum_add(&sum, &program, i, &counts.op[i], &plain);
	}
	assert_int_equal(sum.runs[ISA_CLASS_SCRATCH], 0);
	assert_int_equal(sum.runs[ISA_CLASS_GLOBAL], 1);
	assert_int_equal(sum.scratch_bytes, 0);
	assert_int_equal(sum.global_bytes, 64 * 4);
}

/* Two waves; a lane's place in LDS is 0 or 128, both in the first bank. */
static void test_counts_what_ran(void **state)
{
	(void)state;
	struct target_db db;
	struct isa_sum sum = {0};
	assert_null(
		strictly(PLACES "\tv_lshlrev_b32_e32 v7, 7, v0\n\tv_and_b32_e32 v7, 0x80, v7\n"
				"\tv_mov_b32_e32 v9, 5\n\tds_read_b32 v10, v7\n"
				"\ts_waitcnt lgkmcnt(0)\n\tscratch_store_dwordx2 off, v[8:9], off\n"
				"\tv_mfma_f32_16x16x4f32 a[0:3], v9, v9, a[0:3]\n"
				"\ts_mov_b32 s5, 2\n.LBB0_1:\n\ts_sub_u32 s5, s5, 1\n"
				"\ts_cmp_lg_u32 s5, 0\n\ts_cbranch_scc1 .LBB0_1\n" KEEP,
			128));
	assert_int_equal(target_db_builtin(&db, arena), 0);
	for (size_t i = 0; i < program.ops; i++) {
		isa_sum_add(&sum, &program, i, &counts.op[i], target_find(&db, STR("gfx90a")));
	}
	struct isa_code_loop *loop;
	assert_int_equal(isa_code_loops(&loop, arena, &program), 1);
	assert_int_equal(loop[0].blocks, 1);
	assert_int_equal(loop[0].block[0].to - loop[0].block[0].from, 3); /* sub, cmp, branch */
	assert_int_equal(loop[0].depth, 1);
	assert_int_equal(counts.op[loop[0].head[0]].runs, 2 * 2);
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
	const struct target *bare = target_find(&db, STR("gfx1100"));
	assert_int_equal(bare->issues, 0);
	assert_int_equal(issue_cycles(bare, STR("v_exp_f32_e32")), 4);
}

/* An out-of-line block ends in a branch backward and is no loop; a far branch back makes one. */
static void test_finds_loops_by_control_flow(void **state)
{
	(void)state;
	struct isa_code_loop *loop;
	assert_null(strictly("\ts_mov_b32 s5, 3\n\ts_cmp_eq_u32 s5, 3\n"
			     "\ts_cbranch_scc1 .LBB0_3\n"
			     ".LBB0_1:\n\ts_sub_u32 s5, s5, 1\n\ts_cmp_eq_u32 s5, 0\n"
			     "\ts_cbranch_scc1 .LBB0_2\n\ts_getpc_b64 s[6:7]\n"
			     "\ts_add_u32 s6, s6, 0xffffffc0\n\ts_addc_u32 s7, s7, -1\n"
			     "\ts_setpc_b64 s[6:7]\n"
			     ".LBB0_2:\n\ts_endpgm\n"
			     ".LBB0_3:\n\ts_nop 0\n\ts_branch .LBB0_1\n",
		64));
	assert_int_equal(isa_code_loops(&loop, arena, &program), 1);
	assert_int_equal(loop[0].heads, 1);
	assert_int_equal(loop[0].head[0], 3);
	assert_int_equal(loop[0].blocks, 2);
	assert_int_equal(loop[0].block[1].to, 10);
	assert_int_equal(counts.op[loop[0].head[0]].runs, 3);
	/* with a second way in */
	assert_null(strictly("\ts_mov_b32 s5, 3\n\ts_cmp_eq_u32 s5, 3\n"
			     "\ts_cbranch_scc1 .LBB0_2\n"
			     ".LBB0_1:\n\ts_sub_u32 s5, s5, 1\n"
			     ".LBB0_2:\n\ts_cmp_gt_u32 s5, 1\n\ts_cbranch_scc1 .LBB0_1\n"
			     "\ts_endpgm\n",
		64));
	assert_int_equal(isa_code_loops(&loop, arena, &program), 1);
	assert_int_equal(loop[0].heads, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_descriptor_and_parameters),
		cmocka_unit_test(test_reads_operands),
		cmocka_unit_test(test_tells_programs_apart),
		cmocka_unit_test(test_refuses_what_it_does_not_know),
		cmocka_unit_test(test_registers_come_before_labels),
		cmocka_unit_test(test_refuses_modes),
		cmocka_unit_test(test_says_what_is_used),
		cmocka_unit_test(test_lanes_follow_exec),
		cmocka_unit_test(test_scalars_loop),
		cmocka_unit_test(test_waves_meet_at_barriers),
		cmocka_unit_test(test_fma_is_not_mul_and_add),
		cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_matrix_reads_rows),
		cmocka_unit_test(test_one_instruction),
		cmocka_unit_test(test_8_bit_numbers),
		cmocka_unit_test(test_selects_8_bit_numbers),
		cmocka_unit_test(test_corners),
		cmocka_unit_test(test_mode),
		cmocka_unit_test(test_newer_forms),
		cmocka_unit_test(test_permutes_halves),
		cmocka_unit_test(test_matrix_of_gfx12),
		cmocka_unit_test(test_division),
		cmocka_unit_test(test_sdwa_takes_parts),
		cmocka_unit_test(test_buffers_have_strides),
		cmocka_unit_test(test_refuses_unclear_buffers),
		cmocka_unit_test(test_loads_behind_a_buffer),
		cmocka_unit_test(test_words_across_words),
		cmocka_unit_test(test_scratch_is_a_lanes_own),
		cmocka_unit_test(test_says_what_is_out_of_bounds),
		cmocka_unit_test(test_traps_halt),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_waits_cover_loads),
		cmocka_unit_test(test_waits_out_of_order),
		cmocka_unit_test(test_undefined_may_move),
		cmocka_unit_test(test_waves_race),
		cmocka_unit_test(test_atomics_race),
		cmocka_unit_test(test_finds_loops_by_control_flow),
		cmocka_unit_test(test_counts_what_ran),
		cmocka_unit_test(test_counts_buffers),
	};
	arena = arena_create();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(arena);
	return rc;
}
