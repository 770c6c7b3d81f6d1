/* Turns the user's command into one that writes assembly for a GPU. */
#include <string.h>
#include "base/driver.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/batch.h"
#include "measure/compile/beside.h"
#include "measure/compile/devlib_places.h"

#define OUTPUT_MAX ((size_t)512 << 20)

enum {
	/* LLVM's pull request 201457 has the driver link device code with LTO */
	LINKS_BY_ITSELF = 23
};

/* Flags for the kind and place of output, which ours replace. */
static bool is_dropped(const char *flag)
{
	static const char *const whole[] = {"-c", "-S", "-E", "-emit-llvm", "-fsyntax-only",
		"--offload-device-only", "--offload-host-only", "--cuda-device-only",
		"--cuda-host-only", "--genco", "-flto", "-shared", "-static", "-v", "-###", NULL};
	static const char *const heads[] = {"--offload-arch=", "--no-offload-arch=",
		"--cuda-gpu-arch=", "--amdgpu-target=", "-flto=", "-Wl,", "-l", "-L", NULL};
	return str_is_any(str_of(flag), whole) ||
	       (str_starts(str_of(flag), "-o") && !str_starts(str_of(flag), "-offload")) ||
	       str_starts_any(str_of(flag), heads);
}

static void add_flags(struct words *out, const char *const *flags)
{
	bool optimized = false;
	for (; flags && *flags; flags++) {
		size_t beside = flags_beside(flags);
		if (beside) {
			flags += beside - 1;
		} else if (driver_takes_next(*flags, DRIVER_OURS)) {
			flags += flags[1] != NULL;
		} else if (driver_takes_next(*flags, DRIVER_NEXT) && flags[1]) {
			words_add(out, *flags++);
			words_add(out, *flags);
		} else if (!is_dropped(*flags)) {
			optimized = optimized || str_starts(str_of(*flags), "-O");
			words_add(out, *flags);
		}
	}
	if (!optimized) {
		words_add(out, "-O3");
	}
}

const char *const *measure_flags(struct arena *a, const char *const *flags)
{
	struct words out = {{0}};
	add_flags(&out, flags);
	return words_finish(&out, a);
}

const char *const *measure_extra(
	struct arena *a, const struct compiler *c, const char *const *flags)
{
	static const char *const naming[] = {
		DEVLIB_OPTION, "--hip-device-lib-path=", "--rocm-path=", "-nogpulib", NULL};
	struct words out = {{0}};
	bool named = false;
	for (; flags && *flags; flags++) {
		named |= str_starts_any(str_of(*flags), naming);
	}
	for (const char *const *x = c->extra; *x; x++) {
		if (!named || !str_starts(str_of(*x), DEVLIB_OPTION)) {
			words_add(&out, *x);
		}
	}
	return words_finish(&out, a);
}

/* Adds the command up to the options for the kind of output. */
static void add_compiler(struct words *out, struct arena *a, const struct measure_job *job)
{
	words_add(out, job->compiler->path);
	if (job->include_dir) {
		words_add(out, "-iquote");
		words_add(out, job->include_dir);
	}
	add_flags(out, job->flags);
	words_add(out, arena_printf(a, "--offload-arch=%s", job->compiler->target));
	words_add(out, "-Wno-unused-command-line-argument");
}

bool measure_host_compiles(struct arena *a, const struct measure_job *job)
{
	struct words out = {{0}};
	add_compiler(&out, a, job);
	words_add(&out, "--cuda-host-only");
	words_add(&out, "-fsyntax-only");
	words_add_all(&out, measure_extra(a, job->compiler, job->flags));
	measure_add_overlay(&out, job);
	words_add(&out, job->path);
	struct proc_job run = {.argv = words_finish(&out, a),
		.time_limit_s = job->time_limit_s,
		.output_limit = OUTPUT_MAX,
		.huge_pages = true};
	struct proc_result r;
	proc_run(&r, &run);
	bool ok = proc_ok(&r);
	proc_result_release(&r);
	return ok;
}

static const char *const *words_with(
	struct arena *a, const struct measure_job *job, const char *const *mine)
{
	struct words out = {{0}};
	add_compiler(&out, a, job);
	words_add_all(&out, mine);
	words_add_all(&out, measure_extra(a, job->compiler, job->flags));
	return words_finish(&out, a);
}

/* The output goes to stdout: no temporary file that a crash could leave. */
const char *const *measure_words(struct arena *a, const struct measure_job *job, bool ir)
{
	static const char *const mine[] = {
		"--offload-device-only", "-S", "-o", "-", "-emit-llvm", NULL};
	static const char *const code[] = {"--offload-device-only", "-S", "-o", "-", NULL};
	return words_with(a, job, ir ? mine : code);
}

const char *const *measure_linking_words(
	struct arena *a, const struct measure_job *job, const char *lto)
{
	const char *const mine[] = {"--offload-device-only", "--no-gpu-bundle-output",
		"-Xoffload-linker", "--lto-emit-asm",
		*lto ? arena_printf(a, "-foffload-lto=%s", lto) : NULL, NULL};
	return words_with(a, job, mine);
}

const char *const *measure_building_words(struct arena *a, const struct measure_job *job)
{
	static const char *const mine[] = {"-c", "-o", "-", NULL};
	return words_with(a, job, mine);
}

/* Reads the driver's compile command for the device. */
const char *measure_driver_links(struct arena *a, struct str said)
{
	static const char *const device[] = {
		"\"-cc1\" \"-triple\" \"amdgcn", "\"-cc1\" \"-triple\" \"amdgpu"};
	struct str line;
	while (str_line(&said, &line)) {
		bool is_device = str_find(line, device[0], 0) != SIZE_MAX ||
				 str_find(line, device[1], 0) != SIZE_MAX;
		if (is_device && str_find(line, "\"-emit-llvm-bc\"", 0) == SIZE_MAX) {
			return NULL;
		}
		if (is_device) {
			struct str mode = {"", 0};
			size_t at = str_find(line, "\"-flto=", 0);
			struct str rest = str_sub(line, at, line.n);
			if (str_split(&rest, '=', &mode)) {
				str_split(&rest, '"', &mode);
			}
			return arena_strndup(a, mode.p, mode.n);
		}
	}
	return NULL;
}

bool measure_may_link(const struct measure_job *job)
{
	for (const char *const *f = job->flags; f && *f; f++) {
		if (strstr(*f, "lto") || strstr(*f, "gpu-rdc")) {
			return true;
		}
	}
	return job->compiler->major >= LINKS_BY_ITSELF;
}
