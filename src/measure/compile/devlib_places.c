/* Searches the device libraries. */
#include <stdlib.h>
#include <sys/stat.h>
#include "base/array.h"
#include "base/file.h"
#include "base/process/llvm.h"
#include "measure/compile/devlib_places.h"

void devlib_places(struct words *out, struct arena *a, const char *own)
{
	static const char *const named[][2] = {{"HIP_DEVICE_LIB_PATH", ""},
		{"ROCM_PATH", "/amdgcn/bitcode"}, {"HIP_PATH", "/amdgcn/bitcode"}};
	static const char *const places[] = {"/opt/rocm/amdgcn/bitcode",
		"/opt/rocm-*/amdgcn/bitcode", "/opt/rocm/core-*/amdgcn/bitcode",
		"/opt/rocm*/lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
		"/usr/lib*/rocm/llvm/lib/clang/*/lib/amdgcn/bitcode",
		"/usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode",
		"/usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode",
		"/usr/lib*/clang/*/lib/amdgcn/bitcode", "/usr/lib*/clang/*/amdgcn/bitcode",
		"/usr/lib*/amdgcn/bitcode", "/usr/lib/*/amdgcn/bitcode"};
	struct words all = {0};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		const char *base = getenv(named[i][0]);
		if (base && *base) {
			words_add_once(&all, arena_printf(a, "%s%s", base, named[i][1]));
		}
	}
	if (own && *own) {
		words_add_once(&all, arena_printf(a, "%s/lib/amdgcn/bitcode", own));
		words_add_once(&all, arena_printf(a, "%s/amdgcn/bitcode", own));
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		llvm_add_matches(&all, a, places[i]);
	}
	array_each (&all.v, const char *, dir) {
		if (file_exists(arena_printf(a, "%s/ocml.bc", *dir))) {
			words_add(out, *dir);
		}
	}
	array_release(&all.v);
}

const char *devlib_state(struct arena *a, const char *own)
{
	struct words dirs = {{0}};
	uint64_t state = 0;
	devlib_places(&dirs, a, own);
	array_each (&dirs.v, const char *, dir) {
		struct stat st = {0};
		stat(*dir, &st);
		state = str_hash(str_of(arena_printf(a, "%s %lld.%09ld\n", *dir,
					 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec)),
			state);
	}
	array_release(&dirs.v);
	return arena_printf(a, "%016llx", (unsigned long long)state);
}
