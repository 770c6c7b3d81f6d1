/*
 * Against real compilers: clang-19 on every target that it knows, and others on one target of each
 * kind of register file; with UNPHI_TEST_ALL each on every target. What is missing is skipped and
 * said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/batch.h"
#include "measure/compile/compiler.h"
#include "measure/compile/hipcc.h"
#include "measure/isa/isa.h"
#include "measure/measure.h"
#include "target/steps.h"

struct fixture {
	struct arena *a;
	struct target_db targets;
	const char *dir;
};

static int set_up(void **state)
{
	static struct fixture f;
	f = (struct fixture){.a = arena_create(), .dir = tmpdir_create()};
	*state = &f;
	return f.dir ? target_db_builtin(&f.targets, f.a) : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	arena_free(f->a);
	return 0;
}

/* What is not here is left out; hipcc is one of them. */
static const char *const programs[] = {"hipcc", "clang++-19", "clang++-20", "clang++-21",
	"clang++-22", "clang++-23", "clang++-24"};

enum {
	USUAL = 1 /* of programs */
};

static bool is_all(void)
{
	return getenv("UNPHI_TEST_ALL") != NULL;
}

static bool have_same_registers(const struct target *a, const struct target *b)
{
	return a->vgpr_file == b->vgpr_file && a->vgpr_granule == b->vgpr_granule &&
	       a->vgpr_max == b->vgpr_max && a->arch_vgpr_max == b->arch_vgpr_max &&
	       a->agprs == b->agprs && a->unified == b->unified && a->waves_max == b->waves_max &&
	       a->wave_size == b->wave_size && a->simds == b->simds &&
	       a->lds_bytes == b->lds_bytes && a->lds_granule == b->lds_granule &&
	       a->sgpr_steps == b->sgpr_steps && a->groups_max == b->groups_max;
}

/* A compile takes a second: the usual compiler is asked for one of the targets that have the same
 * registers, the others for one of each family. */
static bool is_occupancy_tried(const struct fixture *f, size_t program, const struct target *t)
{
	const struct target *first = f->targets.v;

	while (!have_same_registers(first, t)) {
		first++;
	}
	return is_all() || (program == USUAL && first == t) || strcmp(t->name, "gfx90a") == 0 ||
	       strcmp(t->name, "gfx1100") == 0;
}

/* False when program is not here or does not know the target. */
static bool find(struct fixture *f, struct compiler *c, const char *program, const char *gpu)
{
	if (!proc_find(f->a, program)) {
		return false;
	}
	if (compiler_find(c, f->a, program, gpu, false)) {
		print_message("skipped for %s and %s\n", program, gpu);
		return false;
	}
	return true;
}

static const char *write_source(struct fixture *f, const char *name, const char *text)
{
	const char *path = arena_printf(f->a, "%s/%s", f->dir, name);
	assert_int_equal(file_write_atomic(path, str_of(text)), 0);
	return path;
}

/* Compiler output with the Occupancy remarks on stderr. */
static bool compile(struct fixture *f, struct proc_result *r, const struct compiler *c,
	const char *path, const char *flag)
{
	const char *argv[16] = {c->path, arena_printf(f->a, "--offload-arch=%s", c->target),
		"--offload-device-only", "-O3", "-w", "-Rpass-analysis=kernel-resource-usage", "-S",
		"-o", "-"};
	size_t n = 9;
	argv[n++] = flag;
	for (const char *const *e = c->extra; *e; e++) {
		argv[n++] = *e;
	}
	argv[n++] = path;
	argv[n] = NULL;
	struct proc_job job = {.argv = argv, .time_limit_s = 3600}; /* the machine may be busy */
	proc_run(r, &job);
	return proc_ok(r);
}

static bool number_in(struct str line, const char *key, int64_t *out)
{
	size_t at = str_find(line, key, 0);
	if (at == SIZE_MAX) {
		return false;
	}
	struct str rest = str_trim(str_sub(line, at + strlen(key), line.n));
	size_t end = str_find(rest, " ", 0);
	return str_to_i64(str_sub(rest, 0, end == SIZE_MAX ? rest.n : end), out);
}

/* Kernel -> waves, from "; Occupancy: N" behind each function's .size, and from the remarks. */
static void read_remarks(struct map *out, const struct proc_result *r)
{
	struct str rest = sbuf_str(&r->out);
	struct str line;
	struct str name = {NULL, 0};
	int64_t waves;
	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		if (str_starts(s, ".size")) {
			struct str pair = str_sub(s, 5, s.n);
			str_split(&pair, ',', &name);
			name = str_trim(name);
		} else if (str_starts(s, "; Occupancy:") && number_in(s, "Occupancy:", &waves)) {
			map_set(out, name, (uintptr_t)waves);
		}
	}
	rest = sbuf_str(&r->err);
	while (str_line(&rest, &line)) {
		size_t at = str_find(line, "Function Name: ", 0);
		if (at != SIZE_MAX) {
			struct str tail = str_sub(line, at + 15, line.n);
			str_split(&tail, ' ', &name);
		} else if (number_in(line, "Occupancy [waves/SIMD]:", &waves)) {
			assert_int_equal(map_get(out, name, 0), waves);
		}
	}
}

static unsigned known(int64_t v)
{
	return v > 0 ? (unsigned)v : 0;
}

/* Clang-15 did not yet know that the larger gfx11 parts have half as many VGPRs again. */
static bool remark_knows_file(const struct compiler *c, const struct target *t)
{
	return c->major >= 16 || t->vgpr_file != 1536;
}

/* Up to clang-16 the remark took the waves of all work-groups that LDS allows for those of one
 * SIMD, from 20 on it counts ranges of work-group sizes: there only registers are compared. */
static bool remark_counts_groups(const struct compiler *c)
{
	return c->major >= 17 && c->major <= 19;
}

/* Up to clang 22 it left out the granule of SGPRs and the trap handler's. */
static bool remark_counts_sgprs(const struct compiler *c, const struct target *t, unsigned sgprs)
{
	return c->major >= 23 || !t->sgpr_steps || sgprs <= t->sgpr_step[0].sgprs;
}

static size_t check_occupancy(
	struct fixture *f, const struct compiler *c, const struct proc_result *r, const char *file)
{
	const struct target *t = target_find(&f->targets, str_of(c->target));
	struct measurement m;
	struct map remarks = {0};
	size_t compared = 0;
	assert_int_equal(isa_read(&m, f->a, t, sbuf_str(&r->out), STR(""), file), 0);
	read_remarks(&remarks, r);
	for (size_t i = 0; i < m.kernels; i++) {
		const struct kernel_metrics *k = &m.kernel[i];
		const int64_t *v = k->v;
		struct occupancy_use use = {.vgprs = known(v[METRIC_VGPR]),
			.agprs = known(v[METRIC_ACC_VGPR]),
			.sgprs = known(v[METRIC_SGPR]),
			.lds_bytes = known(v[METRIC_LDS]),
			.group_size = known(v[METRIC_GROUP_SIZE])};
		struct occupancy o;
		assert_true(map_has(&remarks, str_of(k->symbol)));
		if (!target_occupancy_use(&o, t, &use)) {
			/* A clobber may ask for more than a work-group can have. */
			assert_int_equal(v[METRIC_RESIDENT_WAVES], METRIC_ABSENT);
			use.group_size = use.lds_bytes = 0;
			assert_true(target_occupancy_use(&o, t, &use));
		}
		assert_int_equal(o.register_waves, v[METRIC_REGISTER_WAVES]);
		int64_t said = (int64_t)map_get(&remarks, str_of(k->symbol), 0);
		int64_t mine = remark_counts_groups(c) ? o.remark_waves : o.register_waves;
		if (!remark_knows_file(c, t) || !remark_counts_sgprs(c, t, use.sgprs) ||
			(!remark_counts_groups(c) && v[METRIC_LDS] > 0)) {
			continue;
		}
		if (said != mine) {
			fail_msg("%s %s %s: %u VGPRs, %u SGPRs, %u bytes of LDS, groups of %u: "
				 "the compiler says %d waves, we say %d",
				c->path, c->target, k->symbol, use.vgprs, use.sgprs, use.lds_bytes,
				use.group_size, (int)said, (int)mine);
		}
		compared++;
	}
	map_release(&remarks);
	return compared;
}

/* What a clobber in a group of that size may name at most: clang 20 and newer refuse more, where
 * older ones give such kernels what they ask for. A third of it are accumulation registers. */
static unsigned most_clobbered(
	const struct compiler *c, const struct target *t, unsigned group, bool with_agprs)
{
	struct occupancy_use use = {.group_size = group};
	unsigned most = c->major < 20 ? UINT_MAX : target_most_vgprs(t, &use);
	return most == UINT_MAX ? most : (with_agprs && t->unified ? most / 2 : most) - 1;
}

/* Kernels that take given registers by clobbering the last one. */
static const char *spread_source(
	struct fixture *f, const struct compiler *c, const struct target *t)
{
	static const unsigned groups[] = {64, 256, 512, 768, 1024};
	static const unsigned vgprs[] = {1, 23, 24, 25, 32, 33, 40, 41, 48, 56, 63, 64, 65, 72, 80,
		84, 96, 97, 104, 120, 127, 128, 129, 144, 168, 169, 192, 193, 200, 255};
	static const unsigned lds[] = {0, 0, 7000, 0, 20000, 0, 33000};
	static const unsigned sgprs[] = {0, 0, 0, 77, 0, 84, 92, 0, 97};
	struct sbuf b = {0};
	sbuf_adds(&b, "#define KERNEL(n) __attribute__((global, launch_bounds(n))) void\n");
	for (unsigned i = 0; i < 90; i++) {
		unsigned most = most_clobbered(c, t, groups[i / 6 % 5], t->agprs && i % 2);
		unsigned v = vgprs[i % 30] < most ? vgprs[i % 30] : most;
		unsigned bytes = lds[i % 7];
		sbuf_addf(&b, "KERNEL(%u) k%u(int *p) {\n", groups[i / 6 % 5], i);
		if (bytes) {
			sbuf_addf(&b,
				"\t__attribute__((shared)) char x[%u];\n"
				"\tp[1] = x[p[0]]; x[p[3]] = p[2];\n",
				bytes);
		}
		sbuf_addf(&b, "\tasm volatile(\"\" ::: \"v%u\"", v);
		if (t->agprs && i % 2) {
			sbuf_addf(&b, ", \"a%u\"", v * 2 / 3);
		}
		if (sgprs[i % 9]) {
			sbuf_addf(&b, ", \"s%u\"", sgprs[i % 9]);
		}
		sbuf_adds(&b, ");\n\tp[0] = 1;\n}\n");
	}
	/* More than a clobber can name are held by a wave that has a SIMD for itself; clang 21 and
	 * older do not give them, and take seconds to spill them. */
	unsigned first = t->agprs || c->major < 22 ? t->arch_vgpr_max : 264;
	for (unsigned n = first; n < t->arch_vgpr_max; n += 70) {
		sbuf_addf(&b,
			"KERNEL(32) many%u(volatile int *p) {\n"
			"\tint x[%u];\n"
			"\t_Pragma(\"unroll\") for (int i = 0; i < %u; i++) { x[i] = p[i]; }\n"
			"\t_Pragma(\"unroll\") for (int i = 0; i < %u; i++) { p[i] = x[i]; }\n"
			"}\n",
			n, n, n, n);
	}
	const char *path =
		write_source(f, arena_printf(f->a, "spread_%s.hip", t->name), sbuf_cstr(&b));
	sbuf_release(&b);
	return path;
}

static void test_occupancy_is_the_remark(void **state)
{
	struct fixture *f = *state;
	size_t all = 0;
	for (size_t p = 0; p < sizeof(programs) / sizeof(programs[0]); p++) {
		for (size_t i = 0; i < f->targets.n; i++) {
			const struct target *t = &f->targets.v[i];
			struct compiler c;
			struct proc_result r = {0};
			if (!is_occupancy_tried(f, p, t) || !find(f, &c, programs[p], t->name) ||
				!remark_knows_file(&c, t)) {
				continue;
			}
			if (!compile(f, &r, &c, spread_source(f, &c, t), "-nogpuinc")) {
				fail_msg("%s %s: %s", programs[p], t->name, sbuf_cstr(&r.err));
			}
			size_t n = check_occupancy(f, &c, &r, "spread.hip");
			print_message("%s %s: %zu kernels as the compiler says\n", programs[p],
				t->name, n);
			all += n;
			proc_result_release(&r);
		}
	}
	if (all == 0) {
		skip();
	}
}

/* HIP's headers for clang 21 name a macro that clang 22 has no more. */
static const char *flag_for(struct fixture *f, const struct compiler *c)
{
	const struct target *t = target_find(&f->targets, str_of(c->target));
	return c->major < 22 ? "-O3"
			     : arena_printf(f->a, "-D__AMDGCN_WAVEFRONT_SIZE=%u", t->wave_size);
}

/* A kernel may be for some GPUs only: what does not compile is no kernel for this one. */
static size_t check_file(struct fixture *f, const struct compiler *c, const char *path)
{
	struct proc_result r = {0};
	bool ok = compile(f, &r, c, path, flag_for(f, c));
	size_t n = ok ? check_occupancy(f, c, &r, path) : 0;
	proc_result_release(&r);
	return n;
}

/* UNPHI_TEST_ALL: all by every compiler for every target; else the one for gfx1100, as what the
 * compile tests measure is held to the remark there. */
__attribute__((unused)) static void test_occupancy_of_our_kernels(void **state)
{
	struct fixture *f = *state;
	const char *root = getenv("UNPHI_SOURCE_ROOT");
	bool every = is_all();
	size_t all = 0;
	glob_t g;
	const char *pattern = arena_printf(
		f->a, "%s/kernels/%s.hip", root ? root : ".", every ? "*" : "wmma_tile");
	if (glob(pattern, 0, NULL, &g) != 0) {
		print_message("skipped: no %s\n", pattern);
		skip();
	}
	for (size_t p = 0; p < sizeof(programs) / sizeof(programs[0]); p++) {
		for (size_t i = 0; i < f->targets.n; i++) {
			const char *gpu = f->targets.v[i].name;
			bool usual = p == USUAL && strcmp(gpu, "gfx1100") == 0;
			struct compiler c;
			if ((!every && !usual) || !find(f, &c, programs[p], gpu)) {
				continue;
			}
			size_t n = 0;
			for (size_t j = 0; j < g.gl_pathc; j++) {
				n += check_file(f, &c, g.gl_pathv[j]);
			}
			print_message("%s %s: %zu kernels of kernels/ as the compiler says\n",
				programs[p], gpu, n);
			all += n;
		}
	}
	globfree(&g);
	if (all == 0) {
		skip();
	}
}

static struct measure_result measure(struct fixture *f, const struct compiler *c, const char *path,
	const char *const *flags, const char *include_dir)
{
	struct measure_job job = {.compiler = c,
		.target = target_find(&f->targets, str_of(c->target)),
		.path = path,
		.shown = "shown.hip",
		.flags = flags,
		.include_dir = include_dir,
		.want_ir = true,
		.quiet = true};
	struct measure_result r;
	measure_run(&r, f->a, &job, 1, 1);
	return r;
}

static const char linked_source[] =
	"#include <hip/hip_runtime.h>\n"
	"typedef float f32x4 __attribute__((ext_vector_type(4)));\n"
	"namespace tile {\n"
	"template <int N> __global__ __launch_bounds__(512) void k(float *p, int n) {\n"
	"\tf32x4 v = {1, 2, 3, 4};\n"
	"\tfor (int i = 0; i < n; i++) { v += v * p[i * N]; }\n"
	"\tp[threadIdx.x] = expf(v[0] + v[1] + v[2] + v[3]);\n"
	"}\n"
	"template __global__ void k<32>(float *, int);\n"
	"}\n";

static void test_libraries_are_linked(void **state)
{
	struct fixture *f = *state;
	static const char *const none[] = {NULL};
	static const char *const unlinked[] = {"-nogpulib", NULL};
	static const char *const gpus[] = {"gfx90a", "gfx942", "gfx1100"};
	const char *path = write_source(f, "linked.odd", linked_source);
	size_t all = 0;
	for (size_t p = 0; p < 2; p++) {
		for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
			struct compiler c;
			bool usual = i == 0 || (p == USUAL && i == 2);
			if ((!usual && !is_all()) || !find(f, &c, programs[p], gpus[i])) {
				continue;
			}
			struct measure_result r = measure(f, &c, path, none, NULL);
			if (r.status != MEASURE_OK) {
				fail_msg("%s %s: %s", programs[p], gpus[i], r.diagnostics);
			}
			assert_int_equal(r.m.kernels, 1);
			assert_string_equal(r.m.kernel[0].name, "tile::k<32>");
			assert_true(r.m.kernel[0].trusted);
			assert_int_equal(r.m.kernel[0].v[METRIC_CALL], 0);
			assert_true(r.m.kernel[0].v[METRIC_WIDE_PHI] >= 1);
			assert_int_equal(r.m.kernel[0].v[METRIC_GROUP_SIZE], 512);
			all++;
			if (i == 0) {
				r = measure(f, &c, path, unlinked, NULL);
				assert_int_equal(r.status, MEASURE_OK);
				assert_true(r.m.kernel[0].v[METRIC_CALL] > 0);
				assert_false(r.m.kernel[0].trusted);
			}
		}
	}
	if (all == 0) {
		skip();
	}
}

static void test_errors_and_includes(void **state)
{
	struct fixture *f = *state;
	static const char *const none[] = {NULL};
	struct compiler c;
	if (!find(f, &c, "clang++-19", "gfx942") && !find(f, &c, "hipcc", "gfx90a")) {
		skip();
	}
	const char *path = write_source(f, "bad.hip", "__attribute__((global)) void k() { x; }\n");
	struct measure_result r = measure(f, &c, path, none, NULL);
	assert_int_equal(r.status, MEASURE_COMPILE_ERROR);
	assert_non_null(strstr(r.diagnostics, "shown.hip:1:"));
	const char *other = tmpdir_create();
	const char *header = arena_printf(f->a, "%s/beside.h", other);
	assert_int_equal(file_write_atomic(header, STR("#define TWO 2\n")), 0);
	path = write_source(f, "includes.hip",
		"#include \"beside.h\"\n__attribute__((global)) void k(int *p) { *p = TWO; }\n");
	assert_int_equal(measure(f, &c, path, none, NULL).status, MEASURE_COMPILE_ERROR);
	r = measure(f, &c, path, none, other);
	assert_int_equal(r.status, MEASURE_OK);
	assert_int_equal(r.m.kernels, 1);
}

/*
 * The trap: behind a laundered condition clang-19 leaves the skip around a short arm out. A scalar
 * branch does not narrow EXEC at all.
 */
static void test_dropped_skip_is_seen(void **state)
{
	struct fixture *f = *state;
	static const char *const flags[] = {"-nogpuinc", NULL};
	static const char source[] =
		"typedef float f32x16 __attribute__((ext_vector_type(16)));\n"
		"typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));\n"
		"#define KERNEL extern \"C\" __attribute__((global)) void\n"
		"#define MMA(a, b, c) __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0)\n"
		"#define BODY(before, between) \\\n"
		"\tf32x16 p = o[0], q = o[1]; f16x4 x = a[0], y = a[1], z = a[2], w = a[3]; \\\n"
		"\tp = MMA(x, y, p); q = MMA(z, w, q); int s = c; \\\n"
		"\tbefore; if (s) { p = MMA(x, y, p); q = MMA(x, z, q); } \\\n"
		"\tbetween; if (!s) { p = MMA(z, w, p); q = MMA(y, w, q); } \\\n"
		"\to[0] = p; o[1] = q;\n"
		"KERNEL laundered(f32x16 *o, const f16x4 *a, int c) {\n"
		"\tBODY(asm(\"\" : \"+v\"(s)), asm(\"\" : \"+v\"(s)))\n"
		"}\n"
		"KERNEL fenced(f32x16 *o, const f16x4 *a, int c) {\n"
		"\tBODY(__builtin_amdgcn_wave_barrier(), __builtin_amdgcn_wave_barrier())\n"
		"}\n";
	struct compiler c;
	if (!find(f, &c, "clang++-19", "gfx942")) {
		skip();
	}
	struct measure_result r = measure(f, &c, write_source(f, "trap.hip", source), flags, NULL);
	if (r.status != MEASURE_OK) {
		fail_msg("%s", r.diagnostics);
	}
	assert_string_equal(r.m.kernel[0].name, "fenced");
	assert_int_equal(r.m.kernel[0].v[METRIC_MATRIX_OP], 6);
	assert_int_equal(r.m.kernel[0].v[METRIC_LANE_BRANCH_MATRIX], 0);
	assert_int_equal(r.m.kernel[0].v[METRIC_MATRIX_UNSKIPPED], 0);
	assert_string_equal(r.m.kernel[1].name, "laundered");
	assert_int_equal(r.m.kernel[1].v[METRIC_LANE_BRANCH_MATRIX], 4);
	assert_int_equal(r.m.kernel[1].v[METRIC_MATRIX_UNSKIPPED], 4);
	struct measurement before = {.target = "gfx942", .kernel = &r.m.kernel[0], .kernels = 1};
	struct kernel_metrics laundered = r.m.kernel[1];
	laundered.symbol = "fenced";
	struct measurement after = {.target = "gfx942", .kernel = &laundered, .kernels = 1};
	struct comparison verdict;
	measurement_compare(&verdict, f->a, &before, &after, NULL);
	assert_int_equal(verdict.verdict, VERDICT_VETO);
}

static const char *joined(struct arena *a, const char *const *words)
{
	struct sbuf b = {0};
	for (; words && *words; words++) {
		sbuf_addf(&b, "%s|", *words);
	}
	return sbuf_finish(&b, a).p;
}

static void test_commands_of_hipcc(void **state)
{
	struct fixture *f = *state;
	static const char *const cases[][2] = {
		{"a  -b \"c d\" e\\ f g\"h\\\"\"i ", "a|-b|c d|e f|gh\"i|"},
		{"clang \\-\\#\\#\\# \\; \\\\", "clang|-###|;|\\|"},
		{"", ""},
		{"a b*", NULL},
		{"a $B", NULL},
		{"a \"$B\"", NULL},
		{"a 'b'", NULL},
		{"a; b", NULL},
		{"a \"b", NULL},
		{"a b\\", NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const *words = hipcc_split(f->a, str_of(cases[i][0]));
		assert_int_equal(words != NULL, cases[i][1] != NULL);
		if (words) {
			assert_string_equal(joined(f->a, words), cases[i][1]);
		}
	}
}

/* A program named hipcc in a directory of its own; %DIR% in text is the fixture's. */
static const char *write_hipcc(struct fixture *f, const char *dir, const char *text)
{
	const char *path = arena_printf(f->a, "%s/%s/hipcc", f->dir, dir);
	struct sbuf b = {0};
	sbuf_add_replaced(&b, str_of(text), "%DIR%", f->dir);
	assert_int_equal(path_make_dirs(arena_printf(f->a, "%s/%s", f->dir, dir)), 0);
	assert_int_equal(file_write_atomic(path, sbuf_str(&b)), 0);
	assert_int_equal(chmod(path, 0755), 0);
	sbuf_release(&b);
	return path;
}

/* What stands in for hipcc: a clang that shows its words, a hipcc of perl that runs it and says so,
 * one that runs it with more than it says, one that says nothing, and a script of somebody's. */
#define PERL                                                                                       \
	"#!/usr/bin/perl\n"                                                                        \
	"my $c = '%DIR%/clang/hipcc -DHEAD --offload-arch=gfx90a ';\n"                             \
	"$c .= join(' ', map { s/#/\\\\#/gr } grep { !/^--offload-arch/ } @ARGV) . ' -lTAIL';\n"
#define SAYS "print \"hipcc-cmd: $c\\n\" if $ENV{HIPCC_VERBOSE};\n"

static const char *behind_to(
	struct fixture *f, const char *output, const char *path, const char *const *argv)
{
	static const char *const words[] = {
		"-O2", "--offload-arch=gfx90a", "-S", "-iquote", "/src/a", "-x", "hip", "-o", NULL};
	struct map known = {0};
	struct compiler c = {.path = path, .hipcc = true, .identity = path};
	struct measure_job job = {.compiler = &c};
	struct words all = {{0}}, asked = {{0}};
	words_add(&all, path);
	words_add_all(&all, words);
	words_add(&all, output);
	words_add(&asked, path);
	words_add_all(&asked, words);
	words_add(&asked, "-");
	words_add_all(&all, argv);
	const char *const *given = words_finish(&all, f->a);
	const char *const *fixed = words_finish(&asked, f->a), *const *got = NULL;
	for (int i = 0; i < 2; i++) { /* the second answer is out of the cache */
		got = hipcc_command(f->a, &known, &job, fixed, given);
		map_release(&known);
	}
	return got == given ? "itself" : joined(f->a, got);
}

static const char *behind(struct fixture *f, const char *path, const char *const *argv)
{
	return behind_to(f, "-", path, argv);
}

static void test_hipcc_is_asked_once(void **state)
{
	struct fixture *f = *state;
	static const char *const file[] = {
		"-Xclang", "-dependency-file", "-Xclang", "/t/0.d", "/t/k.hip", NULL};
	static const char *const draft[] = {"-Xclang", "-fno-cxx-modules", "-Xclang",
		"-include-pch", "-Xclang", "/t/k.pch", "/t/k.hip", NULL};
	static const char *const header[] = {"-Xclang", "-fno-cxx-modules", "-Xclang", "-emit-pch",
		"-Xclang", "-fno-pch-timestamp", "/t/k.hip", NULL};
	static const char *const archive[] = {"/t/k.a", NULL};
	static const char *const line_break[] = {"/t/k\n.hip", NULL};
	static const char *const other[] = {"-O0", "/t/k.hip", NULL};
	if (!proc_find(f->a, "perl")) {
		skip();
	}
	write_hipcc(f, "clang", "#!/bin/sh\necho \"$@\" >&2\n");
	const char *honest = write_hipcc(f, "honest", PERL SAYS "exit system($c) >> 8;\n");
	const char *wants = arena_printf(f->a,
		"%s/clang/hipcc|-DHEAD|--offload-arch=gfx90a|-O2|-S|-iquote|/src/"
		"a|-x|hip|-o|-|-Xclang|"
		"-dependency-file|-Xclang|/t/0.d|/t/k.hip|-lTAIL|",
		f->dir);
	assert_string_equal(behind(f, honest, file), wants);
	assert_string_not_equal(behind(f, honest, draft), "itself");
	assert_string_not_equal(behind_to(f, "/t/.k-6Fg", honest, header), "itself");
	assert_string_equal(behind_to(f, "k", honest, header), "itself");
	assert_string_equal(behind_to(f, "/t/k.a", honest, header), "itself");
	assert_string_equal(behind(f, honest, archive), "itself");
	assert_string_equal(behind(f, honest, line_break), "itself");
	assert_string_equal(behind(f, honest, other), "itself");
	const char *lies = write_hipcc(f, "lies", PERL SAYS "exit system(\"$c -DMORE\") >> 8;\n");
	assert_string_equal(behind(f, lies, file), "itself");
	const char *silent = write_hipcc(f, "silent", PERL "exit system($c) >> 8;\n");
	assert_string_equal(behind(f, silent, file), "itself");
	const char *script = write_hipcc(
		f, "script", "#!/bin/sh\nHIPCC_VERBOSE=1 exec %DIR%/honest/hipcc \"$@\"\n");
	assert_string_equal(behind(f, script, file), "itself");
}

/* The driver's compile command for the device says whether the linker makes the code. */
static void test_driver_links(void **state)
{
	struct fixture *f = *state;
	static const char host[] = " \"clang\" \"-cc1\" \"-triple\" \"x86_64-pc-linux-gnu\" "
				   "\"-emit-llvm-bc\" \"-flto=full\"\n";
	static const char *const said[][2] = {
		{"\"amdgcn-amd-amdhsa\" \"-O3\" \"-emit-obj\"", NULL},
		{"\"amdgcn-amd-amdhsa\" \"-O3\" \"-emit-llvm-bc\"", ""},
		{"\"amdgcn-amd-amdhsa\" \"-emit-llvm-bc\" \"-flto=full\" \"-x\"", "full"},
		{"\"amdgpu9.42-amd-amdhsa\" \"-emit-llvm-bc\" \"-flto=thin\"", "thin"},
		{"\"amdgpu9.42-amd-amdhsa\" \"-emit-obj\" \"-flto=thin\"", NULL},
	};
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		const char *all = arena_printf(
			f->a, "%s \"clang\" \"-cc1\" \"-triple\" %s\n%s", host, said[i][0], host);
		const char *got = measure_driver_links(f->a, str_of(all));
		assert_int_equal(got == NULL, said[i][1] == NULL);
		assert_true(!got || strcmp(got, said[i][1]) == 0);
	}
	assert_null(measure_driver_links(f->a, str_of(host)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands_of_hipcc),
		cmocka_unit_test(test_hipcc_is_asked_once),
		cmocka_unit_test(test_occupancy_is_the_remark),
#ifndef __SANITIZE_ADDRESS__ /* minutes of the compiler's, for code that the first one runs too */
		cmocka_unit_test(test_occupancy_of_our_kernels),
#endif
		cmocka_unit_test(test_driver_links),
		cmocka_unit_test(test_libraries_are_linked),
		cmocka_unit_test(test_errors_and_includes),
		cmocka_unit_test(test_dropped_skip_is_seen),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
