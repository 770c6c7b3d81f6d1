/* The compiler launcher: --compiler-launcher, else the words before the compiler in the compile
 * database. */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "cli/setup/units.h"
#include "measure/compile/compiler.h"

/* The limits of a launcher, for a note. */
static const char *limits_of(const char *program)
{
	static const char *const share[] = {"icecc", "distcc", NULL};
	struct str name = path_base(str_of(program));

	return str_is(name, "ccache") ? "it caches whole compiles; samples of a few kernels, and "
					"linked device code, are compiled without it"
	       : str_is(name, "sccache")
		       ? "it caches whole compiles, from sccache 0.8 on and by clang up to 20; "
			 "samples of a few kernels, and linked device code, are compiled without it"
	       : str_is_any(name, share)
		       ? "it sends no HIP to other machines, so everything is compiled here; "
			 "samples of a few kernels, and linked device code, are compiled without it"
		       : "samples of a few kernels, and linked device code, are compiled without "
			 "it";
}

static bool compiles(const struct cli_opts *o)
{
	return o->command != COMMAND_LINT || o->measure || o->probe;
}

int cli_launcher_find(const char *const **out, struct arena *a, const struct cli_opts *o,
	const char *const *of_build)
{
	const char *given = o->compiler_launcher;
	bool asked = given && strcmp(given, "none") != 0;

	*out = NULL;
	if ((given && !asked) || (!given && !of_build) || o->no_cache || !compiles(o)) {
		return 0;
	}
	const char *program = asked && strchr(given, '/') ? path_absolute(a, NULL, given) : given;
	const char *const words[] = {program, NULL};
	const char *const *launcher = asked ? arena_memdup(a, words, sizeof(words)) : of_build;
	if (!proc_find(a, launcher[0])) {
		if (asked) {
			return fail_usage(
				"%s (from --compiler-launcher) is not there or cannot be run",
				given);
		}
		msg_note("the launcher %s of the compile database is not installed: compiles run "
			 "without it",
			launcher[0]);
		return 0;
	}
	msg_note("compiles go through %s: %s", launcher[0], limits_of(launcher[0]));
	*out = launcher;
	return 0;
}

int cli_compiler_find(struct compiler *out, struct arena *a, const struct cli_opts *o,
	const char *wanted, const char *target)
{
	int rc = compiler_find(out, a, wanted, target, o->no_cache);

	out->launcher = rc ? NULL : o->launcher;
	return rc;
}

int cli_compilers_find(struct compiler **out, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets)
{
	const char *const *of = targets->view_compiler;
	int rc = 0;

	*out = ARENA_ARRAY(a, struct compiler, targets->n);
	for (size_t t = 0; rc == 0 && t < targets->n; t++) {
		rc = cli_compiler_find(
			&(*out)[t], a, o, of ? of[t] : o->compiler, targets->v[t]->name);
	}
	return rc;
}
