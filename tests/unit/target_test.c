#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/arena.h"
#include "base/msg.h"
#include "target/intrinsic.h"
#include "target/steps.h"

struct fixture {
	struct arena *a;
	struct target_db targets;
	struct intrinsic_db intrinsics;
};

static int set_up(void **state)
{
	static struct fixture f;
	f = (struct fixture){.a = arena_create()};
	*state = &f;
	if (target_db_builtin(&f.targets, f.a) || intrinsic_db_builtin(&f.intrinsics, f.a)) {
		return -1;
	}
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	if (!f) {
		return 0;
	}
	intrinsic_db_release(&f->intrinsics);
	arena_free(f->a);
	return 0;
}

static const struct target *get(void **state, const char *name)
{
	struct fixture *f = *state;
	const struct target *t = target_find(&f->targets, str_of(name));
	assert_non_null(t);
	return t;
}

static void test_targets_are_there(void **state)
{
	static const char *const names[] = {"gfx908", "gfx90a", "gfx940", "gfx942", "gfx950",
		"gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_string_equal(get(state, names[i])->name, names[i]);
	}
	struct fixture *f = *state;
	assert_null(target_find(&f->targets, STR("gfx9")));
	assert_null(target_find(&f->targets, STR("")));
	assert_string_equal(get(state, "gfx90a:sramecc+:xnack-")->name, "gfx90a");
	const char *const *relatives = get(state, "gfx942")->relatives;
	assert_string_equal(relatives[0], "gfx940");
	assert_string_equal(relatives[2], "gfx908");
	assert_null(relatives[3]);
}

static void test_known_figures(void **state)
{
	assert_int_equal(get(state, "gfx950")->lds_bytes, 160 * 1024);
	assert_true(get(state, "gfx90a")->unified);
	assert_false(get(state, "gfx908")->unified);
	assert_true(get(state, "gfx908")->agprs);
	assert_false(get(state, "gfx1100")->agprs);
	assert_int_equal(get(state, "gfx1100")->wave_size, 32);
}

static bool occupies(struct occupancy *o, const struct target *t, unsigned vgprs, unsigned agprs,
	unsigned lds_bytes, unsigned group_size)
{
	struct occupancy_use use = {
		.vgprs = vgprs, .agprs = agprs, .lds_bytes = lds_bytes, .group_size = group_size};
	return target_occupancy_use(o, t, &use);
}

static unsigned register_waves(const struct target *t, unsigned vgprs)
{
	struct occupancy o;
	assert_true(occupies(&o, t, vgprs, 0, 0, 0));
	assert_int_equal(o.resident_waves, o.register_waves);
	return o.register_waves;
}

/* Where the number of waves changes: the figures of LLVM's Occupancy remark. */
static void test_register_steps(void **state)
{
	static const struct {
		const char *target;
		unsigned vgprs;
		unsigned waves;
	} want[] = {{"gfx90a", 1, 8}, {"gfx90a", 64, 8}, {"gfx90a", 65, 7}, {"gfx90a", 72, 7},
		{"gfx90a", 73, 6}, {"gfx90a", 128, 4}, {"gfx90a", 129, 3}, {"gfx90a", 168, 3},
		{"gfx90a", 169, 2}, {"gfx90a", 256, 2}, {"gfx90a", 257, 1}, {"gfx90a", 512, 1},
		{"gfx942", 128, 4}, {"gfx942", 129, 3}, {"gfx950", 256, 2}, {"gfx908", 24, 10},
		{"gfx908", 25, 9}, {"gfx908", 64, 4}, {"gfx908", 65, 3}, {"gfx908", 128, 2},
		{"gfx908", 129, 1}, {"gfx1030", 64, 16}, {"gfx1030", 65, 12}, {"gfx1030", 256, 4},
		{"gfx1100", 96, 16}, {"gfx1100", 97, 12}, {"gfx1100", 192, 8}, {"gfx1100", 193, 7},
		{"gfx1100", 256, 5}};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_int_equal(
			register_waves(get(state, want[i].target), want[i].vgprs), want[i].waves);
	}
}

static void test_too_much(void **state)
{
	struct occupancy o = {.register_waves = 77};
	assert_false(occupies(&o, get(state, "gfx90a"), 513, 0, 0, 0));
	assert_false(occupies(&o, get(state, "gfx908"), 257, 0, 0, 0));
	assert_false(occupies(&o, get(state, "gfx908"), 8, 257, 0, 0));
	assert_false(occupies(&o, get(state, "gfx90a"), 8, 0, 65537, 64));
	/* 1024 work-items are 16 waves; 2 waves on each of 4 SIMDs are not enough. */
	assert_false(occupies(&o, get(state, "gfx90a"), 256, 0, 0, 1024));
	assert_int_equal(o.register_waves, 77);
	assert_true(occupies(&o, get(state, "gfx90a"), 128, 0, 0, 1024));
	assert_int_equal(o.resident_waves, 4);
}

static void test_separate_files(void **state)
{
	struct occupancy o;
	assert_true(occupies(&o, get(state, "gfx908"), 24, 128, 0, 0));
	assert_int_equal(o.register_waves, 2);
	/* .vgpr_count already holds the sum where there is one file. */
	assert_true(occupies(&o, get(state, "gfx90a"), 64, 60, 0, 0));
	assert_int_equal(o.register_waves, 8);
}

/* 512 work-items are 8 waves on 4 SIMDs: what is resident moves in steps of two. */
static void test_steps_of_two(void **state)
{
	static const struct {
		unsigned vgprs;
		unsigned by_registers;
		unsigned resident;
		enum occ_limit limiter;
	} want[] = {{256, 2, 2, OCC_LIMIT_VGPR}, {169, 2, 2, OCC_LIMIT_VGPR},
		{168, 3, 2, OCC_LIMIT_GROUP}, {129, 3, 2, OCC_LIMIT_GROUP},
		{128, 4, 4, OCC_LIMIT_VGPR}, {96, 5, 4, OCC_LIMIT_GROUP},
		{80, 6, 6, OCC_LIMIT_VGPR}, {72, 7, 6, OCC_LIMIT_GROUP},
		{64, 8, 8, OCC_LIMIT_WAVES}};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct occupancy o;
		assert_true(occupies(&o, get(state, "gfx942"), want[i].vgprs, 0, 0, 512));
		assert_int_equal(o.register_waves, want[i].by_registers);
		assert_int_equal(o.remark_waves, want[i].by_registers);
		assert_int_equal(o.resident_waves, want[i].resident);
		assert_int_equal(o.limiter, want[i].limiter);
	}
}

static void test_lds(void **state)
{
	struct occupancy o;
	/* 64 KiB hold three groups of 20000 bytes, of 8 waves each: 24 waves on 4 SIMDs. */
	assert_true(occupies(&o, get(state, "gfx942"), 32, 0, 20000, 512));
	assert_int_equal(o.register_waves, 8);
	assert_int_equal(o.remark_waves, 6);
	assert_int_equal(o.resident_waves, 6);
	assert_int_equal(o.limiter, OCC_LIMIT_LDS);
	/* On gfx950 eight of them fit, and wave slots end it at four groups. */
	assert_true(occupies(&o, get(state, "gfx950"), 32, 0, 20000, 512));
	assert_int_equal(o.resident_waves, 8);
	/* A granule more than half: one group. The remark does not round and sees one, too. */
	assert_true(occupies(&o, get(state, "gfx942"), 32, 0, 33000, 256));
	assert_int_equal(o.resident_waves, 1);
	/* Without a group size LDS cannot be counted. */
	assert_true(occupies(&o, get(state, "gfx942"), 32, 0, 33000, 0));
	assert_int_equal(o.resident_waves, 8);
}

static void test_group_slots(void **state)
{
	struct occupancy o;
	/* 16 groups of two waves: 32 waves on 4 SIMDs, though gfx908 has slots for 40. */
	assert_true(occupies(&o, get(state, "gfx908"), 8, 0, 0, 128));
	assert_int_equal(o.register_waves, 10);
	assert_int_equal(o.remark_waves, 8);
	assert_int_equal(o.resident_waves, 8);
	assert_int_equal(o.limiter, OCC_LIMIT_GROUP);
	/* Groups of one wave take no barrier. */
	assert_true(occupies(&o, get(state, "gfx908"), 8, 0, 0, 64));
	assert_int_equal(o.resident_waves, 10);
	assert_int_equal(o.limiter, OCC_LIMIT_WAVES);
	/* Two groups of 12 waves fill 24 of 32 slots. */
	assert_true(occupies(&o, get(state, "gfx90a"), 8, 0, 0, 768));
	assert_int_equal(o.resident_waves, 6);
}

static void test_sgprs_and_wave_size(void **state)
{
	struct occupancy o;
	struct occupancy_use use = {.vgprs = 8, .sgprs = 80};
	const struct {
		const char *target;
		unsigned sgprs;
		unsigned waves;
	} want[] = {{"gfx908", 64, 10}, {"gfx908", 65, 8}, {"gfx908", 81, 7}, {"gfx908", 97, 6},
		{"gfx908", 200, 6}, {"gfx90a", 80, 8}, {"gfx90a", 81, 7}, {"gfx942", 92, 7},
		{"gfx942", 97, 6}, {"gfx1100", 106, 16}};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		use.sgprs = want[i].sgprs;
		assert_true(target_occupancy_use(&o, get(state, want[i].target), &use));
		assert_int_equal(o.register_waves, want[i].waves);
	}
	assert_true(target_occupancy_use(&o, get(state, "gfx908"), &use));
	use.sgprs = 101;
	assert_true(target_occupancy_use(&o, get(state, "gfx908"), &use));
	assert_int_equal(o.limiter, OCC_LIMIT_SGPR);
	use = (struct occupancy_use){.vgprs = 96, .wave_size = 64};
	assert_true(target_occupancy_use(&o, get(state, "gfx1100"), &use));
	assert_int_equal(o.register_waves, 8);
	use.wave_size = 32;
	assert_false(target_occupancy_use(&o, get(state, "gfx90a"), &use));
}

static void test_bad_tables(void **state)
{
	struct fixture *f = *state;
	struct target_db db;
	static const char *const bad[] = {"targets: 3\n", "targets: []\n", "target: []\n",
		"targets:\n  - name: gfx1\n", "targets:\n  - {name: gfx1, vgpr_file: x}\n",
		"targets: [gfx90a]\n"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(target_db_load(&db, f->a, str_of(bad[i]), "bad.yaml"), FAIL_USAGE);
	}
	struct intrinsic_db in = {0};
	static const char *const bad_in[] = {"intrinsics: 1\n", "intrinsics: [x]\n",
		"intrinsics:\n  - {kind: lump, names: [a]}\n", "intrinsics:\n  - {names: [a]}\n",
		"intrinsics:\n  - {kind: pure, signatures: [nonsense]}\n",
		"intrinsics:\n  - {kind: pure, names: [\"*\"]}\n"};
	for (size_t i = 0; i < sizeof(bad_in) / sizeof(bad_in[0]); i++) {
		assert_int_equal(
			intrinsic_db_load(&in, f->a, str_of(bad_in[i]), "bad.yaml"), FAIL_USAGE);
	}
	intrinsic_db_release(&in);
}

static const struct intrinsic *find(void **state, const char *name)
{
	struct fixture *f = *state;
	return intrinsic_find(&f->intrinsics, str_of(name));
}

static void test_intrinsics(void **state)
{
	static const struct {
		const char *name;
		enum intrinsic_kind kind;
	} want[] = {{"__builtin_amdgcn_mfma_f32_16x16x16f16", INTRINSIC_MATRIX},
		{"__builtin_amdgcn_smfmac_i32_32x32x32_i8", INTRINSIC_MATRIX},
		{"__builtin_amdgcn_mfma_f32_99x99x99_f2", INTRINSIC_MATRIX},
		{"__syncthreads", INTRINSIC_BARRIER},
		{"__builtin_amdgcn_wave_barrier", INTRINSIC_FENCE},
		{"__builtin_amdgcn_readfirstlane", INTRINSIC_CROSSLANE},
		{"__builtin_amdgcn_readlane", INTRINSIC_CROSSLANE},
		{"__shfl_xor", INTRINSIC_CROSSLANE}, {"__ockl_get_local_id", INTRINSIC_LANE},
		{"__ockl_get_group_id", INTRINSIC_UNIFORM}, {"expf", INTRINSIC_PURE},
		{"__builtin_amdgcn_exp2f", INTRINSIC_PURE}, {"__ocml_exp_f32", INTRINSIC_PURE},
		{"__ocml_sincos_f32", INTRINSIC_NONE}, {"atomicAdd", INTRINSIC_ATOMIC},
		{"__builtin_nontemporal_load", INTRINSIC_LOAD},
		{"__builtin_nontemporal_store", INTRINSIC_STORE},
		{"__builtin_amdgcn_raw_buffer_load_b128", INTRINSIC_LOAD},
		{"__builtin_amdgcn_raw_buffer_load_lds", INTRINSIC_ASYNC},
		{"__builtin_amdgcn_cvt_pk_f32_fp8", INTRINSIC_PURE}, {"__trap", INTRINSIC_TRAP},
		{"__builtin_unreachable", INTRINSIC_UNREACHABLE}};
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct intrinsic *in = find(state, want[i].name);
		assert_non_null(in);
		assert_int_equal(in->kind, want[i].kind);
	}
	static const char *const unknown[] = {"", "sincosf", "printf", "clock64",
		"__builtin_amdgcn_", "__builtin_amdgcn_mfma_*", "__ocml_*"};
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		assert_null(find(state, unknown[i]));
	}
}

static void test_matrix_intrinsics(void **state)
{
	const struct intrinsic *in = find(state, "__builtin_amdgcn_mfma_f32_32x32x2bf16");
	assert_int_equal(in->acc_arg, 2);
	assert_null(in->signature);
	in = find(state, "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32");
	assert_int_equal(in->acc_arg, 4);
	in = find(state, "__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4");
	assert_non_null(in->signature);
	assert_string_equal(in->name, "__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4");
	/* a newer one: by its type (tests/golden/ledger/newer.hip) */
	in = find(state, "__builtin_amdgcn_wmma_f32_99x99x99_f16");
	assert_int_equal(in->kind, INTRINSIC_MATRIX);
	assert_int_equal(in->acc_arg, -1);
}

static void test_next_step(void **state)
{
	struct occ_step step[OCC_STEPS_MAX], next;
	struct occupancy_use use = {.vgprs = 168, .lds_bytes = 32768, .group_size = 512};
	const struct target *t = get(state, "gfx942");

	/* 8 waves a group on 4 SIMDs: waves come by two; LDS allows two groups */
	size_t n = target_occ_steps(step, t, &use);
	assert_int_equal(n, 7);
	assert_int_equal(step[0].vgprs, 64);
	assert_int_equal(step[0].register_waves, 8);
	assert_int_equal(step[0].resident_waves, 4);
	assert_int_equal(step[0].limiter, OCC_LIMIT_LDS);
	assert_int_equal(step[n - 1].vgprs, 256);
	assert_int_equal(target_most_vgprs(t, &use), 256);
	assert_true(target_next_step(&next, t, &use));
	assert_int_equal(next.vgprs, 128);
	assert_int_equal(next.resident_waves, 4);
	assert_int_equal(target_waves_by(OCC_LIMIT_VGPR, t, &use), 3);
	assert_int_equal(target_waves_by(OCC_LIMIT_LDS, t, &use), 4);
	use.vgprs = 128;
	assert_false(target_next_step(&next, t, &use));

	/* a group of 16 waves leaves each SIMD four */
	use = (struct occupancy_use){.group_size = 1024};
	assert_int_equal(target_most_vgprs(t, &use), 128);

	/* what does not fit as it stands has the step where it first fits */
	use = (struct occupancy_use){.vgprs = 300, .group_size = 512};
	assert_true(target_next_step(&next, t, &use));
	assert_int_equal(next.vgprs, 256);
	assert_int_equal(next.resident_waves, 2);
	use.lds_bytes = 65537;
	assert_int_equal(target_occ_steps(step, t, &use), 0);
	assert_int_equal(target_most_vgprs(t, &use), 0);
	assert_int_equal(target_waves_by(OCC_LIMIT_LDS, t, &use), 0);
}

static void test_later_load_replaces(void **state)
{
	struct fixture *f = *state;
	struct intrinsic_db db = {0};
	assert_int_equal(intrinsic_db_load(&db, f->a,
				 STR("intrinsics:\n  - {kind: pure, names: [f, \"g_*\"]}\n"), "a"),
		0);
	assert_int_equal(intrinsic_db_load(&db, f->a,
				 STR("intrinsics:\n  - {kind: load, names: [f, \"g_x*\"]}\n"), "b"),
		0);
	assert_int_equal(intrinsic_find(&db, STR("f"))->kind, INTRINSIC_LOAD);
	assert_int_equal(intrinsic_find(&db, STR("g_a"))->kind, INTRINSIC_PURE);
	assert_int_equal(intrinsic_find(&db, STR("g_xa"))->kind, INTRINSIC_LOAD);
	intrinsic_db_release(&db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets_are_there),
		cmocka_unit_test(test_known_figures),
		cmocka_unit_test(test_register_steps),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_separate_files),
		cmocka_unit_test(test_steps_of_two),
		cmocka_unit_test(test_lds),
		cmocka_unit_test(test_group_slots),
		cmocka_unit_test(test_sgprs_and_wave_size),
		cmocka_unit_test(test_next_step),
		cmocka_unit_test(test_bad_tables),
		cmocka_unit_test(test_intrinsics),
		cmocka_unit_test(test_matrix_intrinsics),
		cmocka_unit_test(test_later_load_replaces),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
