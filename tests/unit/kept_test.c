/* What was compiled before is not compiled again, and what changed is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/process/proc.h"
#include "measure/compile/compiler.h"
#include "measure/measure.h"

#define CACHED_SOURCE                                                                              \
	"#include \"%s.h\"\n__attribute__((global)) void k(float *p) { p[0] = WHAT + %d; }\n"

struct cached {
	struct arena *a;
	struct target_db targets;
	struct compiler c;
	const char *dir;
	const char *flags[4];
};

/* The one kernel of the file, and whether the cache had it, as it must or must not. */
static void expect_cached(struct cached *x, const char *name, bool cached)
{
	const char *path = arena_printf(x->a, "%s/%s", x->dir, name);
	struct measure_job job = {.compiler = &x->c,
		.target = target_find(&x->targets, str_of(x->c.target)),
		.path = path,
		.shown = "shown.hip",
		.flags = x->flags,
		.quiet = true};
	struct measure_result r[2] = {0}, fresh = {0};
	measure_run(r, x->a, (struct measure_job[]){job, job}, 2, 0);
	assert_int_equal(r[0].status, MEASURE_OK);
	assert_int_equal(r[0].cached, cached);
	assert_true(r[1].cached); /* the same twice */
	job.no_cache = true;
	measure_run(&fresh, x->a, &job, 1, 1);
	assert_false(fresh.cached);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(r[i].m.kernels, 1);
		assert_memory_equal(
			r[i].m.kernel[0].v, fresh.m.kernel[0].v, sizeof(fresh.m.kernel[0].v));
		assert_string_equal(r[i].diagnostics, fresh.diagnostics);
	}
}

static void write_cached(struct cached *x, const char *name, const char *header, int added)
{
	const char *path = arena_printf(x->a, "%s/%s", x->dir, name);
	const char *text = arena_printf(x->a, CACHED_SOURCE, header, added);
	assert_int_equal(file_write_atomic(path, str_of(text)), 0);
}

/* Headers of this second are too young to be relied on. */
static void write_old(struct cached *x, const char *name, const char *text)
{
	const char *path = arena_printf(x->a, "%s/%s", x->dir, name);
	assert_int_equal(file_write_atomic(path, str_of(text)), 0);
	time_t now = time(NULL); /* after the write, which may take its time */
	while (time(NULL) <= now) {
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	}
}

/* False when there is no such compiler here. */
static bool begin(struct cached *x)
{
	*x = (struct cached){.a = arena_create(), .dir = tmpdir_create(), .flags = {"-nogpuinc"}};
	setenv("XDG_CACHE_HOME", arena_printf(x->a, "%s/cache", x->dir), 1);
	assert_int_equal(target_db_builtin(&x->targets, x->a), 0);
	if (!proc_find(x->a, "clang++-19")) {
		print_message("skipped: clang++-19 is not installed\n");
		arena_free(x->a);
		return false;
	}
	assert_int_equal(compiler_find(&x->c, x->a, "clang++-19", "gfx90a", false), 0);
	return true;
}

static void test_compiler(void **state)
{
	(void)state;
	struct cached x;
	struct compiler again, anew;
	if (!begin(&x)) {
		return;
	}
	assert_int_equal(compiler_find(&again, x.a, "clang++-19", "gfx90a", false), 0);
	assert_int_equal(compiler_find(&anew, x.a, "clang++-19", "gfx90a", true), 0);
	assert_non_null(x.c.identity);
	assert_string_equal(x.c.identity, again.identity);
	assert_null(anew.identity);
	assert_string_equal(anew.version, again.version);
	assert_int_equal(anew.major, again.major);
	assert_int_equal(anew.hipcc, again.hipcc);
	for (size_t i = 0; anew.extra[i] || again.extra[i]; i++) {
		assert_string_equal(anew.extra[i], again.extra[i]);
	}
	/* a script may do anything */
	const char *script = arena_printf(x.a, "%s/clang++-19", x.dir);
	const char *text = arena_printf(x.a, "#!/bin/sh\nexec %s \"$@\"\n", x.c.path);
	FILE *f = fopen(script, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(script, 0700), 0);
	assert_int_equal(compiler_find(&again, x.a, script, "gfx90a", false), 0);
	assert_null(again.identity);
	arena_free(x.a);
}

static void test_compiles(void **state)
{
	(void)state;
	struct cached x;
	if (!begin(&x)) {
		return;
	}
	assert_int_equal(path_make_dirs(arena_printf(x.a, "%s/first", x.dir)), 0);
	x.flags[1] = arena_printf(x.a, "-I%s/first", x.dir);
	write_cached(&x, "one.hip", "what", 1);
	write_cached(&x, "two.hip", "sub/what", 1);
	write_old(&x, "what.h", "#define WHAT 1\n#warning said\n");
	expect_cached(&x, "one.hip", false);
	expect_cached(&x, "one.hip", true);
	write_cached(&x, "one.hip", "what", 2);
	expect_cached(&x, "one.hip", false);
	write_cached(&x, "one.hip", "what", 1);
	expect_cached(&x, "one.hip", true);
	x.flags[2] = "-DOTHER";
	expect_cached(&x, "one.hip", false);
	x.flags[2] = NULL;
	write_old(&x, "what.h", "#define WHAT 2\n#warning said\n");
	expect_cached(&x, "one.hip", false);
	expect_cached(&x, "one.hip", true);

	/* a header that is now found first, though none of those that were read has changed */
	x.flags[2] = arena_printf(x.a, "-I%s/second", x.dir);
	assert_int_equal(path_make_dirs(arena_printf(x.a, "%s/second/sub", x.dir)), 0);
	write_old(&x, "second/sub/what.h", "#define WHAT 3\n");
	expect_cached(&x, "two.hip", false);
	expect_cached(&x, "two.hip", true);
	assert_int_equal(path_make_dirs(arena_printf(x.a, "%s/first/sub", x.dir)), 0);
	write_old(&x, "first/sub/what.h", "#define WHAT 4\n");
	expect_cached(&x, "two.hip", false);
	arena_free(x.a);
}

/* A text that asks for the time, flags that read what no make rule names, failures. */
static void test_not_kept(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *flag;
		enum measure_status status;
	} t[] = {
		{"__attribute__((global)) void k(int *p) { p[0] = __TIME__[7]; }\n", NULL,
			MEASURE_OK},
		{"__attribute__((global)) void k(int *p) { p[0] = 1; }\n", "-fprofile-generate=x",
			MEASURE_OK},
		{"__attribute__((global)) void k(int *p) { p[0] = x; }\n", NULL,
			MEASURE_COMPILE_ERROR},
	};
	struct cached x;
	if (!begin(&x)) {
		return;
	}
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *path = arena_printf(x.a, "%s/three.hip", x.dir);
		assert_int_equal(file_write_atomic(path, str_of(t[i].text)), 0);
		x.flags[1] = t[i].flag;
		struct measure_job job = {.compiler = &x.c,
			.target = target_find(&x.targets, str_of(x.c.target)),
			.path = path,
			.flags = x.flags,
			.quiet = true};
		for (int k = 0; k < 2; k++) {
			struct measure_result r;
			measure_run(&r, x.a, &job, 1, 1);
			assert_int_equal(r.status, t[i].status);
			assert_false(r.cached);
		}
	}
	arena_free(x.a);
}

/* A checkout with a build directory in it, in which the compiler runs. */
static void make_checkout(struct cached *x, const char *name, const char *header)
{
	x->dir = arena_printf(x->a, "%s/%s", tmpdir_create(), name);
	assert_int_equal(path_make_dirs(arena_printf(x->a, "%s/.git", x->dir)), 0);
	assert_int_equal(path_make_dirs(arena_printf(x->a, "%s/build", x->dir)), 0);
	x->flags[1] = arena_printf(x->a, "-I%s/include", x->dir);
	assert_int_equal(path_make_dirs(arena_printf(x->a, "%s/include", x->dir)), 0);
	write_old(x, "include/what.h", header);
	write_cached(x, "build/one.hip", "what", 1);
	assert_int_equal(chdir(arena_printf(x->a, "%s/build", x->dir)), 0);
}

/* In another checkout of the same files, wherever it lies, but where the output names the place. */
static void test_anywhere(void **state)
{
	(void)state;
	static const char names_place[] =
		"__attribute__((device)) const char names[2][999] = {__FILE__};\n"
		"#define WHAT names[p > (float *)9][0]\n";
	static const char another[] = "#define WHAT 2\n";
	struct cached x;
	if (!begin(&x)) {
		return;
	}
	make_checkout(&x, "first", "#define WHAT 1\n");
	expect_cached(&x, "build/one.hip", false);
	make_checkout(&x, "second/deeper", "#define WHAT 1\n");
	expect_cached(&x, "build/one.hip", true);
	write_old(&x, "include/what.h", another);
	expect_cached(&x, "build/one.hip", false);

	make_checkout(&x, "third", names_place);
	expect_cached(&x, "build/one.hip", false);
	expect_cached(&x, "build/one.hip", true);
	make_checkout(&x, "fourth", names_place);
	expect_cached(&x, "build/one.hip", false);
	assert_int_equal(chdir("/"), 0);
	arena_free(x.a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compiler),
		cmocka_unit_test(test_compiles),
		cmocka_unit_test(test_not_kept),
		cmocka_unit_test(test_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
