#include "base/process/llvm.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/process/proc.h"

#define ANSWER_S 30.0

static int newer_first(const void *x, const void *y)
{
	return strverscmp(*(char *const *)y, *(char *const *)x);
}

void llvm_add_matches(struct words *out, struct arena *a, const char *pattern)
{
	glob_t g;
	if (glob(pattern, GLOB_NOSORT, NULL, &g) != 0) {
		return;
	}
	qsort(g.gl_pathv, g.gl_pathc, sizeof(*g.gl_pathv), newer_first);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		words_add_once(out, arena_strdup(a, g.gl_pathv[i]));
	}
	globfree(&g);
}

const char *llvm_resource_dir(struct arena *a, const char *compiler)
{
	/* without an architecture hipcc runs a slow Python script to find the GPU */
	bool wrapper = str_find(path_base(str_of(compiler)), "hipcc", 0) != SIZE_MAX;
	const char *argv[] = {
		compiler, "-print-resource-dir", wrapper ? "--offload-arch=gfx906" : NULL, NULL};
	struct proc_job job = {.argv = argv, .time_limit_s = ANSWER_S};
	struct proc_result r = {0};
	proc_run(&r, &job);
	struct str dir = proc_ok(&r) ? str_trim(sbuf_str(&r.out)) : STR("");
	const char *found = dir.n > 0 ? arena_strndup(a, dir.p, dir.n) : NULL;
	proc_result_release(&r);
	return found;
}
