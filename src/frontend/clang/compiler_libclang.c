#include "frontend/clang/compiler_libclang.h"

#include <stdlib.h>
#include <string.h>

#include "base/kept/cache.h"
#include "base/file.h"
#include "base/process/llvm.h"
#include "base/process/proc.h"
#include "base/kept/stamp.h"
#include "frontend/frontend.h"

enum {
	OLDEST = 19 /* 17 and 18 work, but show less than the library that unphi was built with */
};

/* dirs may be a glob. */
static void add_libraries(struct words *out, struct arena *a, const char *dirs)
{
	llvm_add_matches(out, a, arena_printf(a, "%s/libclang.so*", dirs));
	llvm_add_matches(out, a, arena_printf(a, "%s/libclang-[0-9]*.so*", dirs));
}

/* The version in ".../lib/clang/21" or ".../lib/clang/15.0.6"; 0: none. */
static unsigned version_of(const char *resource_dir)
{
	return (unsigned)strtoul(strrchr(resource_dir, '/') + 1, NULL, 10);
}

/* The headers of PREFIX/bin/clang are in PREFIX/lib/clang/N. Fails for hipcc, whose compiler may be
 * anywhere, and for several N. */
static const char *beside(struct arena *a, const char *compiler)
{
	struct str prefix = path_dir(path_dir(str_of(path_real(a, compiler))));
	struct words dirs = {0};
	bool wrapper = str_find(path_base(str_of(compiler)), "hipcc", 0) != SIZE_MAX;
	if (!wrapper) {
		llvm_add_matches(
			&dirs, a, arena_printf(a, "%.*s/lib/clang/[0-9]*", STR_ARG(prefix)));
	}
	const char *only = dirs.v.n == 1 ? dirs.v.v[0] : NULL;
	array_release(&dirs.v);
	return only;
}

/* The cache for the compiler's answers; NULL if they cannot be cached. */
static struct cache *answers(struct sbuf *key, struct arena *a, const char *compiler)
{
	sbuf_addf(key, "resource directory\n%s\n", compiler);
	stamp_add_environment(key);
	return stamp_add_program(key, compiler) ? cache_open(a, "compiler", (uint64_t)1 << 20)
						: NULL;
}

void frontend_tell(struct arena *a, const char *compiler, const char *resource_dir)
{
	const char *program = proc_find(a, compiler);
	struct sbuf key = {0}, known = {0};
	struct cache *c = program ? answers(&key, a, program) : NULL;
	if (c && !cache_get(&known, c, sbuf_str(&key))) {
		cache_put(c, sbuf_str(&key), str_of(resource_dir));
	}
	sbuf_release(&key);
	sbuf_release(&known);
}

/* hipcc may take half a second to answer, so the answer is cached until the compiler changes. */
static const char *asked(struct arena *a, const char *compiler, bool no_cache)
{
	struct sbuf key = {0}, dir = {0};
	struct cache *c = no_cache ? NULL : answers(&key, a, compiler);
	if (!c || !cache_get(&dir, c, sbuf_str(&key))) {
		sbuf_reset(&dir);
		const char *answer = llvm_resource_dir(a, compiler);
		sbuf_adds(&dir, answer ? answer : "");
		if (c && answer) {
			cache_put(c, sbuf_str(&key), sbuf_str(&dir));
		}
	}
	const char *said = sbuf_finish(&dir, a).p;
	sbuf_release(&key);
	return strstr(said, "/clang/") && !strchr(said, '\n') ? said : NULL;
}

static const char *resource_dir(struct arena *a, const char *compiler, bool no_cache)
{
	const char *dir = beside(a, compiler);
	return dir ? dir : asked(a, compiler, no_cache);
}

/* The libclang of PREFIX/lib/clang/N is in PREFIX/lib or PREFIX/lib64. */
static void add_own(struct words *out, struct arena *a, const char *compiler, bool no_cache)
{
	static const char *const places[] = {"lib", "lib64"};
	const char *dir = resource_dir(a, compiler, no_cache);
	if (!dir || version_of(dir) < OLDEST) {
		return;
	}
	struct str prefix = path_dir(path_dir(path_dir(str_of(dir))));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		add_libraries(out, a, arena_printf(a, "%.*s/%s", STR_ARG(prefix), places[i]));
	}
}

unsigned compiler_libclang_version(struct arena *a, const char *compiler, bool no_cache)
{
	const char *program = compiler ? proc_find(a, compiler) : NULL;
	const char *dir = program ? resource_dir(a, program, no_cache) : NULL;
	return dir ? version_of(dir) : 0;
}

void compiler_libclang_find(struct words *out, struct arena *a, const char *compiler, bool no_cache)
{
	const char *program = compiler ? proc_find(a, compiler) : NULL;
	if (program) {
		add_own(out, a, program, no_cache);
	}
}

void compiler_libclang_find_any(struct words *out, struct arena *a)
{
	static const char *const places[] = {"/opt/rocm/llvm/lib", "/opt/rocm/core-*/lib/llvm/lib",
		"/opt/rocm-*/llvm/lib", "/usr/lib/rocm/llvm/lib", "/usr/lib64/rocm/llvm/lib",
		"/usr/lib/llvm-*/lib", "/usr/lib64/llvm*/lib*", "/usr/lib64"};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		add_libraries(out, a, places[i]);
	}
}
