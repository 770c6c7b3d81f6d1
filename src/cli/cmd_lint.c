/*
 * unphi lint: parse every file for every target, apply the rules, print what they found. Compiles
 * nothing.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "frontend/frontend.h"
#include "report/diag.h"
#include "rule/rule.h"

struct linting {
	const struct cli_opts *opts;
	struct arena *arena;
	struct cli_targets targets;
	struct intrinsic_db intrinsics;
	struct settings settings;
	struct strategy_opts strategy_opts;
	struct diag_list found;
};

static int list_checks(const struct cli_opts *o)
{
	struct sbuf text = {0};
	for (size_t i = 0; i < rules_n; i++) {
		if (rule_enabled(o->checks, rules[i].name)) {
			sbuf_addf(&text, "%s: %s\n", rules[i].name, rules[i].summary);
		}
	}
	int rc = cli_output_write(o->report, sbuf_str(&text));
	sbuf_release(&text);
	return cli_exit(rc);
}

static int parse_file(struct linting *l, const char *path, struct parse *parse)
{
	for (size_t i = 0; i < l->targets.n; i++) {
		const struct target *t = l->targets.v[i];
		struct frontend_job job = {.path = path,
			.target = t->name,
			.nearest = t->nearest,
			.flags = l->targets.flags,
			.intrinsics = &l->intrinsics};
		const char *as = NULL;
		int rc = frontend_parse(&parse[i].unit, l->arena, &job, &as);
		if (rc < 0) {
			return rc;
		}
		if (as && strcmp(as, t->name) != 0) {
			msg_note("%s: this libclang does not know %s: parsed as %s", path, t->name,
				as);
		}
		parse[i].facts = facts_create(parse[i].unit, l->arena, &l->intrinsics);
		parse[i].uniformity = uniformity_create(parse[i].facts, l->arena);
		merges_find(&parse[i].merges, parse[i].facts, l->arena);
	}
	return 0;
}

static int lint_file(struct linting *l, const char *path)
{
	struct parse *parse = ARENA_ARRAY(l->arena, struct parse, l->targets.n);
	int rc = parse_file(l, path, parse);
	struct rule_input in = {.parse = parse,
		.parses = l->targets.n,
		.settings = &l->settings,
		.opts = &l->strategy_opts,
		.a = l->arena};
	for (size_t i = 0; rc == 0 && i < rules_n; i++) {
		if (rule_enabled(l->opts->checks, rules[i].name)) {
			rules[i].run(&in, &l->found);
		}
	}
	for (size_t i = 0; i < l->targets.n; i++) {
		if (parse[i].facts) {
			facts_release(parse[i].facts);
		}
	}
	return rc;
}

static int print_found(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	struct sbuf text = {0};
	diag_sort_unique(&l->found);
	for (size_t i = 0; i < l->found.v.n && o->warnings_as_errors; i++) {
		l->found.v.v[i].level = DIAG_ERROR;
	}
	if (o->format == FORMAT_JSON) {
		diag_json(&text, &l->found);
	} else {
		bool color = !o->report && cli_color(o, STDOUT_FILENO);
		for (size_t i = 0; i < l->found.v.n; i++) {
			diag_text(&text, &l->found.v.v[i], color);
		}
	}
	int rc = cli_output_write(o->report, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

static int lint(struct linting *l)
{
	const struct cli_opts *o = l->opts;
	int rc = cli_files_check(o);
	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : cli_targets_find(&l->targets, l->arena, o);
	rc = rc ? rc : intrinsic_db_builtin(&l->intrinsics, l->arena);
	rc = rc ? rc : settings_builtin(&l->settings);
	if (rc) {
		return cli_exit(rc);
	}
	if (o->threshold) {
		l->settings.min_chained_vgprs = o->threshold;
	}
	l->strategy_opts.threshold = l->settings.min_chained_vgprs;
	int code = EXIT_CLEAN;
	for (size_t i = 0; i < o->files.n; i++) {
		code = exit_worse(code, cli_exit(lint_file(l, o->files.v[i])));
	}
	code = exit_worse(code, l->found.v.n ? EXIT_FINDINGS : EXIT_CLEAN);
	return exit_worse(code, cli_exit(print_found(l)));
}

int cmd_lint(const struct cli_opts *o)
{
	if (o->list_checks) {
		return list_checks(o);
	}
	struct linting l = {.opts = o, .arena = arena_create()};
	int code = lint(&l);
	intrinsic_db_release(&l.intrinsics);
	array_release(&l.found.v);
	arena_free(l.arena);
	return code;
}
