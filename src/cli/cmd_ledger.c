/*
 * unphi ledger: parses the file for every target, estimates the registers of every kernel, compiles
 * it, and prints both side by side. If the file does not compile, the estimate is still printed,
 * and the exit code is an error. With --estimate nothing is compiled.
 */
#include "base/file.h"
#include "base/msg.h"
#include "cli/steps/ledgers.h"

struct ledgering {
	const struct cli_opts *opts;
	struct arena *arena;
	struct cli_targets targets;
	struct intrinsic_db intrinsics;
	struct measure_result *result; /* one per target; NULL with --estimate */
	struct sbuf given;	       /* with --stdin-filename */
	struct ledger_list entry;
	struct cli_kernels kernels;
	int code;
};

static int compile(struct ledgering *g)
{
	const char *file = g->opts->files.v[0];
	struct measure_job *job = ARENA_ARRAY(g->arena, struct measure_job, g->targets.n);
	struct compiler *compiler;
	int rc = cli_compilers_find(&compiler, g->arena, g->opts, &g->targets);

	g->result = ARENA_ARRAY(g->arena, struct measure_result, g->targets.n);
	for (size_t i = 0; rc == 0 && i < g->targets.n; i++) {
		job[i] = (struct measure_job){.compiler = &compiler[i],
			.target = g->targets.v[i],
			.path = file,
			.shown = file,
			.flags = g->targets.flags,
			.no_cache = g->opts->no_cache,
			.time_limit_s = g->opts->time_limit_s};
	}
	if (rc == 0) {
		measure_run(g->result, g->arena, job, g->targets.n, g->opts->jobs);
	}
	return rc;
}

static int reckon(struct ledgering *g, size_t target)
{
	const struct target *t = g->targets.v[target];
	const struct measure_result *r = g->result ? &g->result[target] : NULL;
	struct frontend_job job = {.path = g->opts->files.v[0],
		.text = g->opts->stdin_filename ? sbuf_str(&g->given) : (struct str){0},
		.target = t->name,
		.relatives = t->relatives,
		.wave_size = t->wave_size,
		.flags = g->targets.flags,
		.no_cache = g->opts->no_cache,
		.typed = g->opts->typed,
		.intrinsics = &g->intrinsics};
	size_t before = g->entry.v.n;
	const struct cli_ledgers how = {.job = &job,
		.target = t,
		.measured = r && r->status == MEASURE_OK ? &r->m : NULL,
		.wanted = &g->kernels};
	int rc = cli_ledgers_add(&g->entry, g->arena, &how);

	for (size_t i = before; i < g->entry.v.n; i++) {
		const struct kernel_metrics *k = g->entry.v.v[i].got;
		if (k && !k->trusted) {
			msg_error("%s: the figures of %s for %s are not trusted: %s", job.path,
				k->name, t->name, k->why);
			rc = rc ? rc : FAIL_INPUT;
		}
	}
	if (rc == 0 && g->entry.v.n == before) {
		rc = fail_input("%s: no kernel%s for %s: nothing to estimate", job.path,
			g->kernels.wanted ? " that matches --kernel" : "", t->name);
	}
	return rc;
}

static int print(struct ledgering *g)
{
	static void (*const formats[])(struct sbuf *, const struct ledger_entry *, size_t) = {
		[FORMAT_TEXT] = ledger_text,
		[FORMAT_JSON] = ledger_json,
		[FORMAT_SVG] = ledger_svg,
		[FORMAT_HTML] = ledger_html};
	struct sbuf out = {0};

	if (g->opts->format == FORMAT_TEXT && g->entry.v.n == 0) {
		return 0;
	}
	formats[g->opts->format](&out, g->entry.v.v, g->entry.v.n);
	int rc = cli_report_write(g->opts, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

static int ledger(struct ledgering *g)
{
	const struct cli_opts *o = g->opts;
	int rc = o->stdin_filename ? file_read_stdin(&g->given) : cli_files_check(o);

	sbuf_adds(&g->given, "");
	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : cli_targets_find(&g->targets, g->arena, o);
	rc = rc ? rc : cli_intrinsics(&g->intrinsics, g->arena, o);
	rc = rc ? rc : cli_kernels_open(&g->kernels, o);
	rc = rc || o->estimate ? rc : compile(g);
	if (rc) {
		return cli_exit(rc);
	}
	for (size_t i = 0; i < g->targets.n; i++) {
		if (g->result && g->result[i].status != MEASURE_OK) {
			g->code = exit_worse(g->code, EXIT_INPUT);
		}
		g->code = exit_worse(g->code, cli_exit(reckon(g, i)));
	}
	return exit_worse(g->code, cli_exit(print(g)));
}

int cmd_ledger(const struct cli_opts *o)
{
	struct ledgering g = {.opts = o, .arena = arena_create()};

	int code = ledger(&g);
	array_release(&g.entry.v);
	sbuf_release(&g.given);
	intrinsic_db_release(&g.intrinsics);
	cli_kernels_release(&g.kernels);
	arena_free(g.arena);
	return code;
}
