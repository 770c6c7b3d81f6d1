/* The interpreter of machine code, on assembly that is written here. */
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
	assert_true(p.op[0].o[3].real == 1.0);
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
		"\tv_add_f32 v1, v2, v3 clamp\n", "\tv_add_f32 v1, v2\n",
		"\tv_mov_b32_dpp v1, v2 quad_perm:[0,0,0,0]\n", "\tds_read_b32 v1, v2 offset0:1\n",
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
	descriptor = "\t\t.amdhsa_float_denorm_mode_32 0\n";
	assert_int_equal(read_body(&p, "\ts_endpgm\n"), FAIL_INPUT);
	assert_non_null(strstr(said, "denorm_mode_32"));
	descriptor = "";
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_descriptor_and_parameters),
		cmocka_unit_test(test_reads_operands),
		cmocka_unit_test(test_refuses_what_it_does_not_know),
		cmocka_unit_test(test_refuses_modes),
	};
	arena = arena_create();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(arena);
	return rc;
}
