#include "verify/run/gpu.h"

#include <glob.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/compiler.h"
#include "measure/measure.h"
#include "verify/run/flags.h"

#define PROBE_LIMIT_S 120.0

/* ---- the machine's GPUs ---- */

/* Looks for the device files of NVIDIA's driver: on a PC, in WSL, or on an embedded board. */
static bool has_nvidia(void)
{
	static const char *const pattern[] = {"/dev/nvidia[0-9]*", "/dev/dxg", "/dev/nvhost-gpu"};
	bool found = false;
	for (size_t i = 0; i < sizeof(pattern) / sizeof(pattern[0]); i++) {
		glob_t g = {0};
		found |= glob(pattern[i], 0, NULL, &g) == 0;
		globfree(&g);
	}
	return found;
}

/* Finds a program in the directories that these variables name, else in the default one. */
static const char *program_under(struct arena *a, const char *name, const char *const *variable,
	size_t variables, const char *last)
{
	const char *found = proc_find(a, name);
	for (size_t i = 0; !found && i < variables; i++) {
		const char *root = getenv(variable[i]);
		found = root && *root ? proc_find(a, arena_printf(a, "%s/bin/%s", root, name))
				      : NULL;
	}
	return found ? found : proc_find(a, arena_printf(a, "%s/bin/%s", last, name));
}

static const char *find_hipcc(struct arena *a)
{
	static const char *const variable[] = {"ROCM_PATH", "HIP_PATH"};
	return program_under(a, "hipcc", variable, 2, "/opt/rocm");
}

static const char *find_nvcc(struct arena *a)
{
	static const char *const variable[] = {"CUDA_PATH", "CUDA_HOME"};
	return program_under(a, "nvcc", variable, 2, "/usr/local/cuda");
}

static int find_named(struct gpu *g, struct arena *a, const char *wanted)
{
	g->compiler = proc_find(a, wanted);
	if (!g->compiler) {
		return fail_usage("%s (from --gpu-compiler) is not there or cannot be run", wanted);
	}
	struct str name = path_base(str_of(wanted));
	g->nvidia = str_find(name, "nvcc", 0) != SIZE_MAX;
	if (!g->nvidia && str_find(name, "hipcc", 0) == SIZE_MAX) {
		return fail_usage("%s (from --gpu-compiler) is neither hipcc nor nvcc", wanted);
	}
	return 0;
}

static int find_here(struct gpu *g, struct arena *a)
{
	g->nvidia = g->archs == 0 && has_nvidia();
	if (g->archs == 0 && !g->nvidia) {
		return fail_usage(
			"there is no GPU in this machine: amdgpu-arch and rocm_agent_enumerator "
			"list no AMD GPU, and there is no /dev/nvidia*; '--on cpu' needs none");
	}
	g->compiler = g->nvidia ? find_nvcc(a) : find_hipcc(a);
	if (!g->compiler) {
		return fail_usage(
			"this machine has %s GPU, but no %s to compile for it: install %s, or name "
			"the compiler with --gpu-compiler",
			g->nvidia ? "an NVIDIA" : "an AMD", g->nvidia ? "nvcc" : "hipcc",
			g->nvidia ? "CUDA" : "hipcc");
	}
	return 0;
}

int gpu_find(struct gpu *out, struct arena *a, const char *wanted)
{
	const char **arch;
	*out = (struct gpu){0};
	out->archs = compiler_native_find(&arch, a);
	out->arch = arch;
	return wanted ? find_named(out, a, wanted) : find_here(out, a);
}

/* ---- compiling ---- */

static int words_for_amd(const char *const **out, struct arena *a, const struct gpu *g,
	const struct target *t, const char *dir, const char *const *flags)
{
	struct compiler c;
	struct words w = {{0}};
	int rc = compiler_find(&c, a, g->compiler, t->name, false);
	if (rc) {
		return rc;
	}
	const char *own[] = {g->compiler, "-std=gnu++17", "-w", "-ferror-limit=5", "-I", dir,
		arena_printf(a, "--offload-arch=%s", t->name), NULL};
	words_add_all(&w, own);
	words_add_all(&w, measure_flags(a, flags));
	words_add_all(&w, measure_extra(a, &c, flags));
	*out = words_finish(&w, a);
	return 0;
}

static void add_hip_headers(struct words *w, struct arena *a)
{
	const char *roots[] = {getenv("HIP_PATH"), getenv("ROCM_PATH"), "/opt/rocm"};
	const char *platform[] = {"-D__HIP_PLATFORM_NVIDIA__=1", "-D__HIP_PLATFORM_NVCC__=1", NULL};
	words_add_all(w, platform);
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		const char *dir = roots[i] ? arena_printf(a, "%s/include", roots[i]) : "";
		if (file_is_dir(dir)) {
			words_add(w, "-isystem");
			words_add(w, dir);
		}
	}
}

static bool compiles(struct arena *a, const char *const *begin, const char *dir)
{
	struct words w = {{0}};
	const char *source = arena_printf(a, "%s/probe.cpp", dir);
	const char *end[] = {"-c", source, "-o", arena_printf(a, "%s/probe.o", dir), NULL};
	if (file_write_atomic(
		    source, STR("#include <hip/hip_runtime.h>\n#include <launch_gpu.hpp>\n"))) {
		return false;
	}
	words_add_all(&w, begin);
	words_add_all(&w, end);
	struct proc_job job = {.argv = words_finish(&w, a), .time_limit_s = PROBE_LIMIT_S};
	struct proc_result r = {0};
	proc_run(&r, &job);
	bool ok = proc_ok(&r);
	proc_result_release(&r);
	return ok;
}

/* HIP's headers support only some versions of CUDA: if they do not compile, uses ours. */
static int words_for_nvidia(const char *const **out, struct arena *a, const struct gpu *g,
	const char *dir, const char *const *flags)
{
	const char *own[] = {g->compiler, "-x", "cu", "-std=c++17", "-arch=native", "-w",
		"-Xcudafe", "--error_limit=5", "-I", dir, NULL};
	for (unsigned try = 0; try < 2; try++) {
		struct words w = {{0}};
		words_add_all(&w, own);
		if (try == 0) {
			add_hip_headers(&w, a);
		} else {
			words_add(&w, "-I");
			words_add(&w, arena_printf(a, "%s/cuda", dir));
		}
		const char *const *begin = words_finish(&w, a);
		if (try == 1 || compiles(a, begin, dir)) {
			words_add_all(&w, begin);
			words_add_all(&w, flags_of_nvcc(a, flags));
			*out = words_finish(&w, a);
			break;
		}
	}
	return 0;
}

int gpu_words(const char *const **out, struct arena *a, const struct gpu *g, const struct target *t,
	const char *dir, const char *const *flags)
{
	return g->nvidia ? words_for_nvidia(out, a, g, dir, flags)
			 : words_for_amd(out, a, g, t, dir, flags);
}

const char *gpu_words_of_failure(struct arena *a, const struct gpu *g, struct str said)
{
	size_t at = g->nvidia ? str_find(said, "__builtin_amdgcn_", 0) : SIZE_MAX;
	if (at == SIZE_MAX) {
		return NULL;
	}
	size_t end = at;
	while (end < said.n && said.p[end] != '"' && said.p[end] != '\n') {
		end++;
	}
	size_t line = at;
	while (line > 0 && said.p[line - 1] != '\n') {
		line--;
	}
	struct str place = str_sub(said, line, at);
	size_t colon = str_find(place, ": ", 0);
	return arena_printf(a, "%.*s: uses %.*s, which only AMD's GPUs have; '--on cpu' runs it",
		STR_ARG(str_sub(place, 0, colon)), STR_ARG(str_sub(said, at, end)));
}
