/*
 * Drafts are compiled with a precompiled header: what comes out is what a plain compile gives, and
 * whatever is wrong with the header is not to be seen.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/kept/cache.h"
#include "base/process/proc.h"
#include "measure/compile/compiler.h"
#include "measure/measure.h"

struct fixture {
	struct arena *a;
	struct target_db targets;
	const char *dir;
	const char *headers; /* in the cache */
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	f->a = arena_create();
	f->dir = tmpdir_create();
	f->headers = arena_printf(f->a, "%s/cache/unphi/headers", f->dir);
	*state = f;
	setenv("XDG_CACHE_HOME", arena_printf(f->a, "%s/cache", f->dir), 1);
	return f->dir ? target_db_builtin(&f->targets, f->a) : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	arena_free(f->a);
	free(f);
	return 0;
}

static bool find(struct fixture *f, struct compiler *c, const char *program, const char *gpu)
{
	if (!proc_find(f->a, program)) {
		print_message("skipped for %s: it is not installed\n", program);
		return false;
	}
	assert_int_equal(compiler_find(c, f->a, program, gpu, false), 0);
	return true;
}

static struct measure_result run(struct fixture *f, const struct compiler *c, const char *path,
	const char *const *flags, bool draft)
{
	struct str dir = path_dir(str_of(path));
	struct measure_job job = {.compiler = c,
		.target = target_find(&f->targets, str_of(c->target)),
		.path = path,
		.shown = "shown.hip",
		.flags = flags,
		.include_dir = arena_strndup(f->a, dir.p, dir.n),
		.keep_isa = true,
		.no_cache = !draft,
		.quiet = true,
		.draft = draft};
	struct measure_result r;
	measure_run(&r, f->a, &job, 1, 1);
	return r;
}

/* The code without the symbol that clang makes of its own command line. */
static const char *code_of(struct arena *a, struct str isa)
{
	struct sbuf out = {0};
	struct str line;
	while (str_line(&isa, &line)) {
		if (str_find(line, "__hip_cuid_", 0) == SIZE_MAX) {
			sbuf_addf(&out, "%.*s\n", STR_ARG(line));
		}
	}
	return sbuf_finish(&out, a).p;
}

/* A draft of it is what a plain compile is. */
static struct measure_result expect_same(
	struct fixture *f, const struct compiler *c, const char *path, const char *const *flags)
{
	struct measure_result draft = run(f, c, path, flags, true);
	struct measure_result plain = run(f, c, path, flags, false);
	assert_int_equal(draft.status, plain.status);
	assert_string_equal(draft.diagnostics, plain.diagnostics);
	assert_string_equal(code_of(f->a, draft.isa), code_of(f->a, plain.isa));
	return draft;
}

/* Precompiled headers in the cache, with the directives that they were made from. */
static unsigned files(struct fixture *f)
{
	unsigned n = 0;
	DIR *d = opendir(f->headers);
	for (struct dirent *e; d && (e = readdir(d));) {
		n += str_starts(str_of(e->d_name), "file-");
	}
	if (d) {
		closedir(d);
	}
	return n;
}

/* Headers that a text did not compile with. */
static unsigned rejected(struct fixture *f)
{
	unsigned n = 0;
	DIR *d = opendir(f->headers);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct sbuf text = {0};
		const char *path = arena_printf(f->a, "%s/%s", f->headers, e->d_name);
		if (e->d_name[0] != '.' && !str_starts(str_of(e->d_name), "file-") &&
			file_read(&text, path) == 0) {
			struct str t = sbuf_str(&text);
			n += t.n > 4 && str_is(str_sub(t, t.n - 4, t.n), "none");
		}
		sbuf_release(&text);
	}
	closedir(d);
	return n;
}

static bool is_big(const struct fixture *f, const char *name)
{
	size_t size;
	return str_starts(str_of(name), "file-") &&
	       file_size(&size, arena_printf(f->a, "%s/%s", f->headers, name)) == 0 && size > 10000;
}

static void damage(struct fixture *f)
{
	DIR *d = opendir(f->headers);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (is_big(f, e->d_name)) {
			FILE *file =
				fopen(arena_printf(f->a, "%s/%s", f->headers, e->d_name), "r+");
			assert_non_null(file);
			assert_true(fputs("this was one", file) >= 0);
			assert_int_equal(fclose(file), 0);
		}
	}
	closedir(d);
}

/* All that is known of headers says that they are files which no compiler reads. */
static void mislead(struct fixture *f)
{
	struct cache *c = cache_open(f->a, "headers", (uint64_t)1 << 30);
	const char *no_header = cache_file_put(c, STR("this is none"));
	DIR *d = opendir(f->headers);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct sbuf text = {0}, content = {0};
		size_t key = 0;
		if (e->d_name[0] == '.' || str_starts(str_of(e->d_name), "file-")) {
			continue;
		}
		assert_int_equal(
			file_read(&text, arena_printf(f->a, "%s/%s", f->headers, e->d_name)), 0);
		assert_int_equal(sscanf(sbuf_cstr(&text), "unphi-cache 2 %zu", &key), 1);
		size_t at = str_find(sbuf_str(&text), "\n", 0) + 1;
		struct str rest = str_sub(sbuf_str(&text), at + key, text.n);
		size_t name = str_find(rest, " file-", 0);
		if (name != SIZE_MAX) {
			sbuf_addf(&content, "%.*s %s", (int)name, rest.p, no_header);
			cache_put(c, str_sub(sbuf_str(&text), at, at + key), sbuf_str(&content));
		}
		sbuf_release(&content);
		sbuf_release(&text);
	}
	closedir(d);
}

static const char *write(struct fixture *f, const char *name, const char *text)
{
	const char *path = arena_printf(f->a, "%s/%s", f->dir, name);
	assert_int_equal(file_write_atomic(path, str_of(text)), 0);
	return path;
}

/* Headers of this second are too young to be relied on. */
static void grow_old(void)
{
	time_t now = time(NULL);
	while (time(NULL) <= now) {
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	}
}

#define HEADER(value)                                                                              \
	"#pragma once\n"                                                                           \
	"template<class T> __attribute__((device)) T what(T x) { return x + T(" value "); }\n"     \
	"#if defined(DEEP)\n#error deep\n#endif\n"
#define AHEAD(value) "__attribute__((device)) int ahead(int x) { return x * " value "; }\n"
#define TEXT(body)                                                                                 \
	"// one\n#include \"what.h\"\n#define OTHER 1\n#include \"what.h\"\n"                      \
	"__attribute__((global)) void k(float *p, int i) { " body " }\n"

static void test_small(void **state)
{
	struct fixture *f = *state;
	struct compiler c;
	const char *flags[4] = {"-nogpuinc", "-w"};
	if (!find(f, &c, "clang++-19", "gfx90a")) {
		return;
	}
	write(f, "what.h", HEADER("1"));
	const char *one = write(f, "one.hip", TEXT("p[i] = what(p[i]);"));
	const char *two = write(f, "two.hip", TEXT("p[i] = what(i);"));
	const char *wrong = write(f, "wrong.hip", TEXT("\n p[i] = that(i);"));
	grow_old();
	assert_false(expect_same(f, &c, one, flags).cached);
	assert_true(run(f, &c, one, flags, true).cached);
	assert_int_equal(files(f), 2);
	/* one for all that begin alike */
	expect_same(f, &c, two, flags);
	assert_int_equal(expect_same(f, &c, wrong, flags).status, MEASURE_COMPILE_ERROR);
	assert_int_equal(files(f), 2);
	/* other words, another header; and none where something else stands in front */
	flags[2] = "-DMORE";
	expect_same(f, &c, one, flags);
	assert_int_equal(files(f), 3);
	flags[2] = "-Xclang";
	flags[3] = "-DMORE";
	expect_same(f, &c, one, (const char *[]){"-nogpuinc", "-Xclang", "-DMORE", NULL});
	assert_int_equal(files(f), 3);
	/* but for a file that is read first: once, and it may change */
	const char *ahead = write(f, "ahead.h", AHEAD("3"));
	const char *with[] = {"-nogpuinc", "-include", ahead, NULL};
	const char *first = write(f, "first.hip", TEXT("p[i] = what(ahead(i));"));
	grow_old();
	assert_int_equal(expect_same(f, &c, first, with).status, MEASURE_OK);
	assert_int_equal(files(f), 4);
	write(f, "ahead.h", AHEAD("4"));
	grow_old();
	assert_false(expect_same(f, &c, first, with).cached);
	assert_int_equal(files(f), 5);
	assert_int_equal(rejected(f), 0);
	flags[2] = NULL;
	/* the file that is included has changed */
	write(f, "what.h", HEADER("2"));
	grow_old();
	assert_false(expect_same(f, &c, one, flags).cached);
	assert_int_equal(files(f), 6);
	/* a header that does not compile */
	flags[2] = "-DDEEP";
	flags[3] = NULL;
	assert_int_equal(expect_same(f, &c, one, flags).status, MEASURE_COMPILE_ERROR);
	assert_int_equal(expect_same(f, &c, two, flags).status, MEASURE_COMPILE_ERROR);
	flags[2] = NULL;
	/* one that was changed is made anew */
	damage(f);
	write(f, "two.hip", TEXT("p[i] = what(i + 1);"));
	expect_same(f, &c, two, flags);
	assert_int_equal(rejected(f), 0);
	/* one that cannot be read */
	mislead(f);
	write(f, "two.hip", TEXT("p[i] = what(i + 2);"));
	expect_same(f, &c, two, flags);
	assert_true(rejected(f) > 0);
}

/* The includes of HIP itself, as C++20; by both compilers, and as they take it by themselves, with
 * UNPHI_TEST_ALL. */
static void test_kernel(void **state)
{
	static const char *const with[][2] = {{"clang++-19", "gfx942"}, {"hipcc", "gfx90a"}};
	struct fixture *f = *state;
	const char *flags[] = {"-std=c++20", NULL};
	const char *path =
		arena_printf(f->a, "%s/kernels/fma_tile.hip", getenv("UNPHI_SOURCE_ROOT"));
	for (size_t i = 0; i < (getenv("UNPHI_TEST_ALL") ? 4 : 1); i++) {
		struct compiler c;
		unsigned before = files(f);
		flags[0] = i < 2 ? flags[0] : NULL;
		if (find(f, &c, with[i % 2][0], with[i % 2][1])) {
			struct measure_result r = expect_same(f, &c, path, flags);
			assert_int_equal(r.status, MEASURE_OK);
			assert_true(r.m.kernels > 0);
			assert_int_equal(files(f), before + 2);
			assert_int_equal(rejected(f), 0);
		}
	}
}

/* What is no draft is compiled as it is, beside drafts of the same text. */
static void test_beside(void **state)
{
	struct fixture *f = *state;
	struct compiler c;
	if (!find(f, &c, "clang++-19", "gfx90a")) {
		return;
	}
	const char *flags[] = {"-nogpuinc", NULL};
	const char *path = write(f, "beside.hip", TEXT("p[i] = what(i + 3);"));
	write(f, "what.h", HEADER("1"));
	grow_old();
	struct measure_job job = {.compiler = &c,
		.target = target_find(&f->targets, str_of(c.target)),
		.path = path,
		.flags = flags,
		.include_dir = f->dir,
		.quiet = true,
		.draft = true};
	struct measure_job plain = job;
	plain.draft = false;
	struct measure_result r[3];
	measure_run(r, f->a, (struct measure_job[]){job, plain, job}, 3, 0);
	assert_int_equal(r[0].status, MEASURE_OK);
	assert_false(r[1].cached);
	assert_true(r[2].cached);
	assert_memory_equal(r[0].m.kernel[0].v, r[1].m.kernel[0].v, sizeof(r[0].m.kernel[0].v));
	/* a plain one does for a draft, and not the other way round */
	write(f, "beside.hip", TEXT("p[i] = what(i + 4);"));
	measure_run(r, f->a, &job, 1, 0);
	assert_false(r[0].cached);
	measure_run(r, f->a, &plain, 1, 0);
	assert_false(r[0].cached);
	write(f, "beside.hip", TEXT("p[i] = what(i + 5);"));
	measure_run(r, f->a, &plain, 1, 0);
	assert_false(r[0].cached);
	measure_run(r, f->a, &job, 1, 0);
	assert_true(r[0].cached);
}

/* A draft of one kernel has its figures, and nothing of the others; what cannot be taken apart is
 * compiled whole. */
static void test_part(void **state)
{
	struct fixture *f = *state;
	static const char text[] =
		"template <int N> __attribute__((global)) void k(float *p)\n"
		"{\n\tfloat v[N];\n\tfor (int i = 0; i < N; i++) { v[i] = p[i * 64]; }\n"
		"\tfor (int i = 0; i < N; i++) { p[i] = v[N - 1 - i] * v[i]; }\n}\n"
		"template __attribute__((global)) void k<8>(float *);\n"
		"template __attribute__((global)) void k<40>(float *);\n";
	static const char *const one[] = {"_Z1kILi40EEvPf", NULL};
	static const char *const none[] = {"_Z1kILi7EEvPf", NULL};
	static const struct {
		const char *program;
		const char *gpu;
	} with[] = {{"clang++-19", "gfx942"}, {"hipcc", "gfx90a"}};
	for (size_t i = 0; i < 2; i++) {
		struct compiler c;
		if (!find(f, &c, with[i].program, with[i].gpu)) {
			continue;
		}
		const char *flags[] = {"-nogpuinc", NULL};
		struct measure_job job = {.compiler = &c,
			.target = target_find(&f->targets, str_of(c.target)),
			.path = write(f, "part.hip", text),
			.flags = flags,
			.include_dir = f->dir,
			.keep_isa = true,
			.draft = true,
			.only = one};
		struct measure_result part, whole, missing;
		measure_run(&part, f->a, &job, 1, 1);
		assert_int_equal(part.status, MEASURE_OK);
		assert_int_equal(part.m.kernels, 1);
		assert_string_equal(part.m.kernel[0].symbol, one[0]);
		job.only = none;
		measure_run(&missing, f->a, &job, 1, 1);
		assert_int_equal(missing.status, MEASURE_OK);
		assert_int_equal(missing.m.kernels, 0);
		job.only = NULL;
		job.draft = false;
		measure_run(&whole, f->a, &job, 1, 1);
		assert_int_equal(whole.m.kernels, 2);
		assert_string_equal(whole.m.kernel[0].symbol, one[0]);
		assert_int_equal(part.m.kernel[0].v[METRIC_VGPR], whole.m.kernel[0].v[METRIC_VGPR]);
		assert_int_equal(missing.isa.n > part.isa.n, 1);
		/* out of the cache */
		job.draft = true;
		job.only = one;
		measure_run(&part, f->a, &job, 1, 1);
		assert_true(part.cached);
		assert_int_equal(part.m.kernels, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_small, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_beside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_part, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
