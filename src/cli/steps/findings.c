#include "cli/steps/findings.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "choose/judge/judge.h"
#include "frontend/frontend.h"
#include "rule/rule.h"

/* *bad: the failure if the source has errors; functions without errors are parsed all the same. */
static int parse_unit(struct parse *parse, struct arena *a, const struct cli_finding *of, int *bad)
{
	for (size_t i = 0; i < of->targets->n; i++) {
		const struct target *t = of->targets->v[i];
		struct frontend_job job = {.path = of->path,
			.cwd = of->cwd,
			.text = of->text,
			.target = t->name,
			.relatives = t->relatives,
			.wave_size = t->wave_size,
			.flags = of->targets->flags,
			.no_cache = of->opts->no_cache,
			.typed = of->opts->typed,
			.assume = (const char *const *)of->opts->assume.v.v,
			.assumes = of->opts->assume.v.n,
			.quiet = of->quiet || *bad != 0, /* do not print the same errors again */
			.with_errors = true,
			.intrinsics = of->intrinsics};
		const char *as = NULL;
		int rc = frontend_parse(&parse[i].unit, a, &job, &as);
		if (!parse[i].unit) {
			return rc;
		}
		*bad = rc ? rc : *bad;
		if (as && strcmp(as, t->name) != 0) {
			msg_note("%s: this libclang does not know %s: parsed as %s", of->shown,
				t->name, as);
		}
		parse_look_into(&parse[i], parse[i].unit, a, of->intrinsics);
	}
	return 0;
}

/* Adds the user's files, each once: parses for several targets mostly read the same files. */
static void list_files(struct wire_unit *w, const struct kt_unit *u)
{
	for (size_t i = 1; i < u->files; i++) {
		bool known = u->file[i].system || !u->file[i].path;
		for (size_t k = 0; k < w->files.n && !known; k++) {
			known = strcmp(w->files.v[k], u->file[i].path) == 0;
		}
		if (!known) {
			array_push(&w->files, u->file[i].path);
		}
	}
}

/* Adds the absolute names of all files that were read, system headers included. */
static void list_read(struct wire_unit *w, struct arena *a, const struct kt_unit *u)
{
	char cwd[PATH_MAX];
	if (!getcwd(cwd, sizeof(cwd))) {
		return;
	}
	for (size_t i = 0; u->read && u->read[i]; i++) {
		array_push(&w->read, path_absolute(a, cwd, u->read[i]));
	}
}

/* From the parses to the findings of the rules. */
int cli_find(struct wire_unit *out, struct arena *a, const struct cli_finding *of)
{
	struct parse *parse = ARENA_ARRAY(a, struct parse, of->targets->n);
	struct settings settings;
	int rc = cli_settings(&settings, a, of->opts);
	int bad = 0;
	rc = rc ? rc : parse_unit(parse, a, of, &bad);
	struct strategy_opts strategy_opts = {.threshold = settings.min_chained_vgprs, .any = true};
	struct rule_input in = {.parse = parse,
		.parses = of->targets->n,
		.settings = &settings,
		.target = of->targets->v,
		.opts = &strategy_opts,
		.a = a,
		.clang = frontend_compiler_major(),
		.skips_uniform = flags_skip_uniform(
			of->targets->flags, frontend_compiler_major(), &settings)};
	for (size_t i = 0; rc == 0 && i < rules_n; i++) {
		if (rules[i].run && rule_enabled(of->opts->checks, rules[i].name)) {
			rules[i].run(&in, &out->found);
		}
	}
	for (size_t i = 0; i < of->targets->n; i++) {
		if (parse[i].unit) {
			list_files(out, parse[i].unit);
		}
		if (parse[i].unit && of->opts->stamp) {
			list_read(out, a, parse[i].unit);
		}
		parse_release(&parse[i]);
	}
	return rc ? rc : bad;
}
