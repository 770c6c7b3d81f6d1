#include "verify/run/host_compiler.h"

#include <stdlib.h>

#include "base/msg.h"

static const char *find_in_rocm(struct arena *a)
{
	const char *roots[] = {getenv("ROCM_PATH"), getenv("HIP_PATH"), "/opt/rocm"};
	const char *found = NULL;
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]) && !found; i++) {
		if (roots[i] && *roots[i]) {
			found = proc_find(a, arena_printf(a, "%s/llvm/bin/clang++", roots[i]));
		}
	}
	return found;
}

int host_compiler_find(struct verify *v)
{
	const char *wanted = v->opts.compiler;
	const char *found = wanted ? proc_find(v->a, wanted) : find_in_rocm(v->a);
	for (unsigned n = 40; n >= 15 && !wanted && !found; n--) {
		found = proc_find(v->a, arena_printf(v->a, "clang++-%u", n));
	}
	if (!wanted && !found) {
		found = proc_find(v->a, "clang++");
	}
	v->compiler = found;
	if (!found && wanted) {
		msg_error("%s (from --host-compiler) is not there or cannot be "
			  "run: " HOST_COMPILER_REMEDY,
			wanted);
	} else if (!found) {
		msg_error("there is no clang++ to compile kernels for the host "
			  "with: " HOST_COMPILER_REMEDY);
	}
	return found ? 0 : FAIL_USAGE;
}
