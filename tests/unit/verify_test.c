/* The spec and the numbers in it: what is read, every complaint with its place, and the bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/msg.h"
#include "verify/spec/kernel_name.h"
#include "verify/run/flags.h"
#include "verify/run/gpu.h"
#include "verify/run/launcher.h"
#include "verify/runtime/prepare.h"
#include "verify/spec/spec.h"

struct fixture {
	struct arena *a;
	struct target_db db;
};

static int setup(void **state)
{
	static struct fixture f;
	f.a = arena_create();
	*state = &f;
	return target_db_builtin(&f.db, f.a);
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	arena_free(f->a);
	return 0;
}

static void load_ok(struct spec *s, struct fixture *f, const char *yaml)
{
	assert_int_equal(spec_load(s, f->a, str_of(yaml), "k.verify.yaml", &f->db), 0);
}

/* Loads a spec that is wrong; what is said must begin with the place and hold the words. */
static void load_wrong(struct fixture *f, const char *yaml, const char *said)
{
	char path[] = "/tmp/unphi-verify-test-XXXXXX";
	struct sbuf b = {0};
	struct spec s;
	int fd = mkstemp(path);
	int saved = dup(STDERR_FILENO);

	assert_true(fd >= 0 && saved >= 0);
	dup2(fd, STDERR_FILENO);
	close(fd);
	int rc = spec_load(&s, f->a, str_of(yaml), "k.verify.yaml", &f->db);
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_int_equal(file_read(&b, path), 0);
	unlink(path);
	if (rc != FAIL_USAGE || !strstr(sbuf_cstr(&b), said)) {
		fail_msg("gave %d and \"%s\", not \"%s\"", rc, sbuf_cstr(&b), said);
	}
	sbuf_release(&b);
}

static const char full[] = "targets: [gfx90a, gfx942]\n"
			   "kernels:\n"
			   "  - kernel: [k<1>, 'ns::k<2>']\n"
			   "    grid: [2, 3]\n"
			   "    block: 64\n"
			   "    buffers:\n"
			   "      a: {type: i32, length: 4, fill: {iota: [5, -2]}}\n"
			   "      c: {type: f32, length: 2}\n"
			   "    arguments:\n"
			   "      m: {at: a, rows: 4, inner: {x: 1, y: 2.5}}\n"
			   "      c: c\n"
			   "      n: 010\n"
			   "      v: [1, -0.5, .inf, -.inf]\n"
			   "      flag: true\n"
			   "      raw: {bytes: [1, 255]}\n"
			   "    cases:\n"
			   "      - name: one\n"
			   "      - targets: gfx1100\n"
			   "        lds: 16\n"
			   "        buffers: {a: {length: 8}}\n"
			   "        arguments: {m: {rows: 3, inner: {y: 7}}, n: 11}\n";

static void test_product(void **state)
{
	struct spec s;

	load_ok(&s, *state, full);
	assert_int_equal(s.n, 6);
	assert_string_equal(s.v[0].name, "k<1>/one@gfx90a");
	assert_string_equal(s.v[3].name, "ns::k<2>/one@gfx942");
	assert_string_equal(s.v[5].name, "ns::k<2>/2@gfx1100");
	assert_int_equal(s.v[0].grid.v[0], 2);
	assert_int_equal(s.v[0].grid.v[1], 3);
	assert_int_equal(s.v[0].grid.v[2], 1);
	assert_int_equal(s.v[0].wave_size, 64);
	assert_int_equal(s.v[5].wave_size, 32);
	assert_int_equal(s.v[0].lds, 0);
	assert_int_equal(s.v[5].lds, 16);
	assert_int_equal(s.v[0].buffer[0].length, 4);
	assert_int_equal(s.v[5].buffer[0].length, 8);
}

static void test_arguments(void **state)
{
	static const char *const one[] = {
		"{.at = __unphi_buffer(0), .rows = 4, .inner = {.x = 1, .y = "
		"2.5}}",
		"__unphi_buffer(1)", "10", "{1, -0.5, __builtin_inff(), -__builtin_inff()}", "true",
		"__unphi_bytes<2>{{1, 255}}"};
	struct spec s;

	load_ok(&s, *state, full);
	assert_int_equal(s.v[0].arguments, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(s.v[0].argument[i], one[i]);
	}
	assert_string_equal(s.v[5].argument[0],
		"{.at = __unphi_buffer(0), .rows = 3, .inner = {.x = 1, .y = 7}}");
	assert_string_equal(s.v[5].argument[2], "11");
	assert_int_equal(s.v[0].line, 10);
}

static void test_launcher(void **state)
{
	struct fixture *f = *state;
	struct sbuf b = {0};
	struct spec s;

	load_ok(&s, f, full);
	launcher_text(
		&b, &s, target_find(&f->db, STR("gfx942")), STR("text"), "k.hip", LAUNCHER_CPU);
	assert_non_null(strstr(sbuf_cstr(&b), "\n#line 1 \"k.hip\"\ntext\n"));
	assert_non_null(strstr(sbuf_cstr(&b), "#line 10 \"k.verify.yaml\"\n::k<1>({.at = "));
	assert_null(strstr(sbuf_cstr(&b), "launch_0()"));
	assert_non_null(strstr(sbuf_cstr(&b), "launch_1()"));
	assert_non_null(strstr(sbuf_cstr(&b), "\t{nullptr, 0, nullptr},\n"));
	sbuf_release(&b);
}

static void test_launcher_gpu(void **state)
{
	struct fixture *f = *state;
	struct sbuf b = {0};
	struct spec s;

	load_ok(&s, f, full);
	s.v[1].lds = 64 * 1024;
	launcher_text(
		&b, &s, target_find(&f->db, STR("gfx942")), STR("text"), "k.hip", LAUNCHER_GPU);
	assert_non_null(strstr(sbuf_cstr(&b), "#include <launch_gpu.hpp>\n#define main "));
	assert_non_null(strstr(sbuf_cstr(&b), "\n#line 1 \"k.hip\"\ntext\n#undef main\n"));
	assert_non_null(strstr(sbuf_cstr(&b), "allow_lds((const void *)::k<1>, 65536);\n"));
	assert_non_null(strstr(sbuf_cstr(&b), "\n::k<1><<<grid, block, 65536>>>({.at = "));
	assert_non_null(strstr(sbuf_cstr(&b), "\n::ns::k<2><<<grid, block, 0>>>({.at = "));
	sbuf_release(&b);
}

static void check_flags(const char *const *got, const char *const *want)
{
	for (; *want; got++, want++) {
		assert_string_equal(*got, *want);
	}
	assert_null(*got);
}

static void test_flags(void **state)
{
	struct fixture *f = *state;
	static const char *const in[] = {"-O1", "-DX", "-D", "Y=1", "-iquote", "a", "-iquoteb",
		"-std=gnu++20", "--offload-arch=gfx90a", "-idirafter", "c", "-ffast-math",
		"-ffp-contract=off", "-munsafe-fp-atomics", "-include", "d.h", "-I", NULL};
	static const char *const source[] = {"-DX", "-D", "Y=1", "-iquote", "a", "-iquoteb",
		"-std=gnu++20", "-idirafter", "c", "-include", "d.h", "-I", NULL};
	static const char *const nvcc[] = {"-DX", "-D", "Y=1", "-I", "a", "-Ib", "-std=c++20",
		"-isystem", "c", "-use_fast_math", "-fmad=false", "-include", "d.h", "-I", NULL};

	check_flags(flags_of_source(f->a, in), source);
	check_flags(flags_of_nvcc(f->a, in), nvcc);
	assert_null(*flags_of_source(f->a, NULL));
	assert_null(*flags_of_nvcc(f->a, NULL));
}

static void test_gpu_failure(void **state)
{
	struct fixture *f = *state;
	const struct gpu amd = {.nvidia = false};
	const struct gpu nvidia = {.nvidia = true};
	struct str said = STR("warning: w\nk.hip(7): error: identifier "
			      "\"__builtin_amdgcn_readlane\" is undefined\n  2 errors\n");

	assert_string_equal(gpu_words_of_failure(f->a, &nvidia, said),
		"k.hip(7): uses __builtin_amdgcn_readlane, which only AMD's GPUs have; '--on cpu' "
		"runs it");
	assert_null(gpu_words_of_failure(f->a, &amd, said));
	assert_null(gpu_words_of_failure(f->a, &nvidia, STR("k.hip(7): error: expected a ;")));
}

#define HEAD "targets: gfx90a\nkernels:\n  - kernel: k\n    grid: 1\n    block: 1\n"

static void test_complaints(void **state)
{
	static const struct {
		const char *yaml;
		const char *said;
	} wrong[] = {
		{"kernel: k\n",
			"k.verify.yaml:1:1: error: unknown key 'kernel'; the nearest known one is "
			"'kernels'"},
		{"targets: gfx90a\n", "1:1: error: the key 'kernels' is missing here"},
		{"kernels: []\n", "1:10: error: 'kernels' is a list with at least one kernel"},
		{"kernels:\n  - kernel: k\n    grid: 1\n    block: 1\n",
			"2:5: error: the key 'targets' is missing here"},
		{"targets: gfx1\nkernels:\n  - kernel: k\n", "1:10: error: unknown target 'gfx1'"},
		{"targets: gfx90a\nkernels:\n  - kernel: k\n    grid: 1\n",
			"3:5: error: the key 'block' is missing here"},
		{"targets: gfx90a\nkernels:\n  - kernel: k\n    block: 1\n    grid: [1, 2, 3, 4]\n",
			"5:11: error: 'grid' has one to three numbers"},
		{"targets: gfx90a\nkernels:\n  - kernel: k\n    block: 2048\n    grid: 1\n",
			"4:12: error: 2048 is out of range"},
		{HEAD "    wave-size: 16\n", "6:16: error: a wave has 32 or 64 lanes"},
		{HEAD "    cases: []\n", "6:12: error: 'cases' is a list with at least one case"},
		{HEAD "    cases: [{name: a}, {name: a}]\n", "two cases have the name 'k/a'"},
		{HEAD "    cases: [{blok: 2}]\n",
			"6:14: error: unknown key 'blok'; the nearest known one is 'block'"},
		{HEAD "    buffers: [a]\n", "6:14: error: 'buffers' is a map"},
		{HEAD "    buffers: {a: {type: f32}}\n",
			"6:18: error: the key 'length' is missing here"},
		{HEAD "    buffers: {a: {type: f33, length: 1}}\n",
			"6:25: error: unknown type 'f33'"},
		{HEAD "    buffers: {a: {type: f32, length: 0}}\n",
			"6:38: error: 0 is out of range"},
		{HEAD "    buffers: {a: {type: f32, length: 1, fill: ones}}\n",
			"6:47: error: unknown fill 'ones'"},
		{HEAD "    buffers: {a: {type: f32, length: 1, fill: {random: 1}}}\n",
			"6:56: error: two numbers are expected here: [low, high]"},
		{HEAD "    buffers: {a: {type: f32, length: 1, fill: {random: [2, 1]}}}\n",
			"6:56: error: the lower bound is above the upper one"},
		{HEAD "    buffers: {a: {type: u8, length: 1, fill: {values: [256]}}}\n",
			"6:56: error: 256 is out of range"},
		{HEAD "    buffers: {a: {type: u8, length: 1, fill: {iota: [0, 1], seed: 1}}}\n",
			"only random numbers have a seed"},
		{HEAD "    buffers: {a: {type: u8, length: 1, fill: {}}}\n",
			"one of random, iota, values and file is expected here"},
		{HEAD "    buffers: {a: {type: u8, length: 4, patches: [{at: 2, length: 3, fill: "
		      "nan}]}}\n",
			"3 is out of range: 1 to 2 are allowed"},
		{HEAD "    buffers: {a: {type: u8, length: 1, fill: {file: /dev/zero}}}\n",
			"cannot read /dev/zero: it is a device"},
		{HEAD "    buffers: {a: {type: u8, length: 1, fill: {file: /proc/self}}}\n",
			"cannot read /proc/self: it is a directory"},
		{HEAD "    buffers: {a: {type: f64, length: 134217728}, b: {type: u8, length: "
		      "1}}\n",
			"6:53: error: the buffers of a case have more than 1024 MiB in all"},
		{"targets: gfx90a\nkernels:\n  - kernel: k\n    grid: 1\n    block: [32, 32, "
		 "2]\n",
			"5:12: error: 'block' has more than 1024 in all"},
		{HEAD "    arguments: {n: 'a b'}\n", "6:20: error: expected a number"},
		{HEAD "    arguments: {n: {bytes: [256]}}\n", "256 is out of range"},
		{HEAD "    arguments: {n: {'a-b': 1}}\n", "'a-b' is not the name of a field"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		load_wrong(*state, wrong[i].yaml, wrong[i].said);
	}
}

/* Reading a pipe that nobody writes to would wait. */
static void test_file_is_a_pipe(void **state)
{
	struct fixture *f = *state;
	const char *dir = tmpdir_create();
	const char *path = arena_printf(f->a, "%s/pipe", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	load_wrong(f,
		arena_printf(f->a,
			HEAD "    buffers: {a: {type: u8, length: 1, fill: {file: %s}}}\n", path),
		"/pipe: it is a pipe; name a file");
}

/* Short texts that are multiplied out to much. */
static void test_bounds(void **state)
{
	struct fixture *f = *state;
	struct sbuf cases = {0};
	sbuf_adds(&cases, "targets: gfx90a\nkernels:\n  - grid: 1\n    block: 1\n    kernel: [k");
	for (int i = 0; i < 10000; i++) {
		sbuf_addf(&cases, ", k%d", i);
	}
	sbuf_adds(&cases, "]\n");
	load_wrong(f, sbuf_cstr(&cases),
		"3:5: error: there are more than 10000 cases, with all kernels and targets");
	sbuf_reset(&cases);
	sbuf_adds(&cases, "targets: gfx90a\nkernels:\n  - grid: 1\n    block: 1\n    kernel: [k");
	for (int i = 0; i < 9000; i++) {
		sbuf_addf(&cases, ", k%d", i);
	}
	sbuf_adds(&cases, "]\n    buffers: {b: {type: u8, length: 1, fill: {values: [0");
	for (int i = 0; i < 1000; i++) {
		sbuf_adds(&cases, ",1");
	}
	sbuf_adds(&cases, "]}}}\n");
	load_wrong(f, sbuf_cstr(&cases),
		"the spec with all its kernels, cases and targets takes more than 256 MiB");
	sbuf_release(&cases);
}

static void check_bits(enum element_type t, double value, uint64_t bits)
{
	struct sbuf b = {0};
	uint64_t got = 0;

	element_put_float(&b, t, value);
	assert_int_equal(b.n, element_size(t));
	memcpy(&got, b.p, b.n);
	if (got != bits) {
		fail_msg("%s of %.17g: %#llx, not %#llx", element_names[t], value,
			(unsigned long long)got, (unsigned long long)bits);
	}
	sbuf_release(&b);
}

/* From IEEE 754, the OCP 8-bit formats and the CDNA3 ISA document. */
static void test_floats(void **state)
{
	(void)state;
	check_bits(ELEMENT_F32, 1, 0x3f800000);
	check_bits(ELEMENT_F64, -2, 0xc000000000000000u);
	check_bits(ELEMENT_F16, 1, 0x3c00);
	check_bits(ELEMENT_F16, -65504, 0xfbff);
	check_bits(ELEMENT_F16, 65519, 0x7bff);
	check_bits(ELEMENT_F16, 65520, 0x7c00);
	check_bits(ELEMENT_F16, 0x1p-24, 0x0001);
	check_bits(ELEMENT_F16, 0x1p-25, 0x0000);
	check_bits(ELEMENT_F16, 0x1.8p-25, 0x0001);
	check_bits(ELEMENT_F16, 0x1.ffcp-15, 0x0400);
	check_bits(ELEMENT_F16, 1 + 0x1p-11, 0x3c00);
	check_bits(ELEMENT_F16, 1 + 0x3p-11, 0x3c02);
	check_bits(ELEMENT_F16, -0.0, 0x8000);
	check_bits(ELEMENT_BF16, 1, 0x3f80);
	check_bits(ELEMENT_BF16, 3.3895313892515355e38, 0x7f7f);
	check_bits(ELEMENT_FP8, 1, 0x38);
	check_bits(ELEMENT_FP8, 448, 0x7e);
	check_bits(ELEMENT_FP8, 1000, 0x7e);
	check_bits(ELEMENT_FP8, 0x1p-9, 0x01);
	check_bits(ELEMENT_BF8, 1, 0x3c);
	check_bits(ELEMENT_BF8, 57344, 0x7b);
	check_bits(ELEMENT_BF8, 1e6, 0x7c);
	check_bits(ELEMENT_FP8_FNUZ, 1, 0x40);
	check_bits(ELEMENT_FP8_FNUZ, 240, 0x7f);
	check_bits(ELEMENT_FP8_FNUZ, -1e9, 0xff);
	check_bits(ELEMENT_FP8_FNUZ, -0.0, 0x00);
	check_bits(ELEMENT_FP8_FNUZ, -1e-9, 0x00);
	check_bits(ELEMENT_BF8_FNUZ, 1, 0x40);
	check_bits(ELEMENT_BF8_FNUZ, 57344, 0x7f);
}

static void check_shown(enum element_type t, uint64_t bits, const char *text)
{
	struct sbuf b = {0};

	element_show(&b, t, (const char *)&bits);
	assert_string_equal(sbuf_cstr(&b), text);
	sbuf_release(&b);
}

static void test_shown(void **state)
{
	(void)state;
	check_shown(ELEMENT_F32, 0x3fc00000, "0x3fc00000 (1.5)");
	check_shown(ELEMENT_F16, 0xfc00, "0xfc00 (-inf)");
	check_shown(ELEMENT_F16, 0x7c01, "0x7c01 (nan)");
	check_shown(ELEMENT_F16, 0x0001, "0x0001 (5.9605e-08)");
	check_shown(ELEMENT_BF8, 0x7c, "0x7c (inf)");
	check_shown(ELEMENT_FP8, 0x7f, "0x7f (nan)");
	check_shown(ELEMENT_FP8_FNUZ, 0x80, "0x80 (nan)");
	check_shown(ELEMENT_FP8_FNUZ, 0xff, "0xff (-240)");
	check_shown(ELEMENT_I8, 0xff, "0xff (-1)");
	check_shown(ELEMENT_U8, 0xff, "0xff (255)");
	check_shown(ELEMENT_I64, UINT64_MAX, "0xffffffffffffffff (-1)");
}

/* Each 16-bit and 8-bit code that is no NaN is what its own value is encoded as. */
static void test_round_trip(void **state)
{
	static const enum element_type types[] = {ELEMENT_F16, ELEMENT_BF16, ELEMENT_FP8,
		ELEMENT_BF8, ELEMENT_FP8_FNUZ, ELEMENT_BF8_FNUZ};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		uint32_t codes = 1u << 8 * element_size(types[i]);
		for (uint32_t code = 0; code < codes; code++) {
			struct sbuf b = {0};
			element_show(&b, types[i], (const char *)&code);
			double value = strtod(strchr(sbuf_cstr(&b), '(') + 1, NULL);
			bool skip = strstr(sbuf_cstr(&b), "nan") || strstr(sbuf_cstr(&b), "inf");
			sbuf_release(&b);
			if (!skip) {
				check_bits(types[i], value, code);
			}
		}
	}
}

static void test_fill(void **state)
{
	static const char yaml[] =
		HEAD "    buffers:\n"
		     "      a: {type: i16, length: 5, fill: {iota: [5, -2]}, patches: [{at: 1, "
		     "length: 2, fill: {values: [9]}}]}\n"
		     "      b: {type: i8, length: 4096, fill: {random: [-2, 1], seed: 3}}\n"
		     "      c: {type: f32, length: 4096, fill: {random: [1, 2]}}\n";
	static const int16_t first[] = {5, 9, 9, -1, -3};
	struct sbuf b = {0};
	struct spec s;
	unsigned seen[4] = {0};
	float sum = 0;

	load_ok(&s, *state, yaml);
	spec_buffer_fill(&b, &s.v[0].buffer[0]);
	assert_int_equal(b.n, sizeof(first));
	assert_memory_equal(b.p, first, sizeof(first));
	sbuf_reset(&b);
	spec_buffer_fill(&b, &s.v[0].buffer[1]);
	for (size_t i = 0; i < b.n; i++) {
		assert_true(b.p[i] >= -2 && b.p[i] <= 1);
		seen[b.p[i] + 2]++;
	}
	for (size_t i = 0; i < 4; i++) {
		assert_true(seen[i] > 900 && seen[i] < 1150);
	}
	sbuf_reset(&b);
	spec_buffer_fill(&b, &s.v[0].buffer[2]);
	for (size_t i = 0; i < 4096; i++) {
		float x;
		memcpy(&x, b.p + i * sizeof(x), sizeof(x));
		assert_true(x >= 1 && x <= 2);
		sum += x;
	}
	assert_true(sum > 1.48f * 4096 && sum < 1.52f * 4096);
	sbuf_release(&b);
}

static void test_path(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(spec_path_for(f->a, "k.hip"), "k.verify.yaml");
	assert_string_equal(spec_path_for(f->a, "a.b/k.cu.hip"), "a.b/k.cu.verify.yaml");
	assert_string_equal(spec_path_for(f->a, "a.b/k"), "a.b/k.verify.yaml");
	assert_string_equal(spec_path_for(f->a, ".hidden"), ".hidden.verify.yaml");
}

/* The condition of a `?:` is wrapped where tokens say where it begins; else it is named as unknown:
 * "u" in the table. */
static void test_choices(void **state)
{
	static const struct {
		const char *text, *marked;
	} choice[] = {
		{"return a < b ? x : y;", "return __unphi_arm(0, (bool)(a < b)) ? x : y;"},
		{"k += (n <= 2) ? 4 : n >> 1 ? 5 : 6;", "k += __unphi_arm(0, (bool)((n <= 2))) ? 4 "
							": __unphi_arm(1, (bool)(n >> 1)) "
							"? 5 : 6;"},
		{"if (x) n == 1 ? f() : g();", ") __unphi_arm(1, (bool)(n == 1)) ? f() : g();"},
		{"f(p[i ? 1 : 2], a && g<int>(b) ? c : d);",
			"f(p[__unphi_arm(0, (bool)(i)) ? 1 : 2], __unphi_arm(1, (bool)(a && "
			"g<int>(b))) ? c : d);"},
		{"k <<= a ? b : c;", "k <<= __unphi_arm(0, (bool)(a)) ? b : c;"},
		{"x = a ?: b;", "\"0 1 u"},
		{"x = box<c ? 1 : 2>::v;", "\"0 1 u"},
		{"case c ? 1 : 2: f();", "\"0 1 u"},
		{"} c ? f() : g();", "\"0 1 u"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(choice) / sizeof(choice[0]); i++) {
		struct sbuf out = {0};
		struct arena *a = arena_create();
		verify_prepare(&out, a, str_of(choice[i].text), true, false, NULL);
		if (!strstr(sbuf_cstr(&out), choice[i].marked)) {
			fail_msg("%s: %s", choice[i].text, sbuf_cstr(&out));
		}
		sbuf_release(&out);
		verify_prepare(&out, a, str_of(choice[i].text), false, false, NULL);
		assert_null(strstr(sbuf_cstr(&out), "(bool)(n == 1)"));
		sbuf_release(&out);
		arena_free(a);
	}
}

static void test_kernel_names(void **state)
{
	(void)state;
	static const char *const right[] = {"k", "::k", "a::b::k", "k<>", "k<3>", "k<-3, 'a'>",
		"ns::tile<4, float>", "k<sizeof(float) * 2, (unsigned)1 << 4>",
		"k<mode::wide, true>", "k<const float *, unsigned long, int[4]>",
		"k<std::integral_constant<int, (N >> 2)>>", "k<0x1fu, 1'000, 1.5e-3f>",
		"A<B<int>>::k<2>", "k<N ? 3 : 4>", "k<a && !b>"};
	static const char *const wrong[] = {"", " ", "k()", "k<f(3)>", "k<(f)(3)>", "k<f<3>(4)>",
		"k<[]{}>", "k<[]{ return 1; }()>", "k<(1, 2)>", "k<1>; f", "k, f", "k<1", "k>", "3",
		"k<{1}>", "k<\"a\">", "k<x = 3>", "k<1>\n#include \"x\"", "k /* */", "k // x", "k#",
		"(k)", "*k", "&k", "k<int(float)>", "k<3>::operator()", "k<decltype(f())>",
		"k<throw 1>", "k<'\\n'>", "k<1>::", "k<x++>()", "k[0]", "k.m", "k->m", "k<a->b>",
		"__attribute__((x)) k", "k<1\\\n>", "new k", "k<,>", "k\302\233"};

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		if (kernel_name_wrong(str_of(right[i]))) {
			fail_msg("%s: %s", right[i], kernel_name_wrong(str_of(right[i])));
		}
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		if (!kernel_name_wrong(str_of(wrong[i]))) {
			fail_msg("%s: accepted", wrong[i]);
		}
	}
	assert_true(str_is(kernel_name_base(STR("a::k<b::c<3>, d>")), "k"));
	assert_true(str_is(kernel_name_base(STR("A<B>::k")), "k"));
}

/* Of preprocessed text, which functions are kernels. */
static void test_kernels_found(void **state)
{
	(void)state;
	static const char text[] =
		"__attribute__((global)) void a(int x) { b(x); }\n"
		"template <int N> __attribute__((global)) __attribute__((launch(4))) void c(int);\n"
		"static void __attribute__((device, __global__)) d() {}\n"
		"template __attribute__((global)) void ns::e<f<3>, (4 > 3)>(int);\n"
		"extern \"C\" __attribute__((global)) void g(void (*h)(int));\n"
		"__attribute__((noinline)) void i(int); __attribute__((global)) int j;\n"
		"int global(int); void k(int);\n";
	static const char *const want[] = {"a", "c", "d", "e", "g", NULL};
	struct arena *a = arena_create();
	struct words found = {{0}};
	struct sbuf out = {0};

	verify_prepare(&out, a, str_of(text), false, false, &found);
	assert_true(words_are_same(words_finish(&found, a), want));
	sbuf_release(&out);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_product),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_launcher),
		cmocka_unit_test(test_launcher_gpu),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_gpu_failure),
		cmocka_unit_test(test_complaints),
		cmocka_unit_test(test_file_is_a_pipe),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_kernel_names),
		cmocka_unit_test(test_kernels_found),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
