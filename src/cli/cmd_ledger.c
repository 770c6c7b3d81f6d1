/*
 * unphi ledger: parse the file for every target, reckon up the registers of every kernel, compile
 * it, and print both side by side. A file that does not compile still has its ledger; the exit code
 * says so.
 */
#include <string.h>

#include "base/msg.h"
#include "cli/cli.h"
#include "frontend/frontend.h"
#include "report/ledger.h"

struct ledgering {
	const struct cli_opts *opts;
	struct arena *arena;
	struct cli_targets targets;
	struct intrinsic_db intrinsics;
	struct measure_result *result; /* one a target */
	ARRAY(struct ledger_entry) entry;
	int code;
};

static int compile(struct ledgering *g)
{
	const char *file = g->opts->files.v[0];
	struct measure_job *job = ARENA_ARRAY(g->arena, struct measure_job, g->targets.n);
	struct compiler *compiler = ARENA_ARRAY(g->arena, struct compiler, g->targets.n);
	int rc = 0;

	g->result = ARENA_ARRAY(g->arena, struct measure_result, g->targets.n);
	for (size_t i = 0; rc == 0 && i < g->targets.n; i++) {
		rc = compiler_find(&compiler[i], g->arena, g->opts->compiler, g->targets.v[i]->name,
			g->opts->no_cache);
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

static const struct kernel_metrics *measured(const struct measure_result *r, const struct kt_fn *fn)
{
	for (size_t i = 0; r->status == MEASURE_OK && fn->symbol && i < r->m.kernels; i++) {
		if (strcmp(r->m.kernel[i].symbol, fn->symbol) == 0) {
			return &r->m.kernel[i];
		}
	}
	return NULL;
}

static unsigned known(const struct kernel_metrics *k, enum metric m)
{
	return k && k->v[m] != METRIC_ABSENT ? (unsigned)k->v[m] : 0;
}

static void add_kernel(
	struct ledgering *g, size_t target, struct facts *f, struct uniformity *u, kt_id fn)
{
	const struct measure_result *r = &g->result[target];
	struct kt_unit *unit = facts_unit(f);
	struct ledger *l = ARENA_NEW(g->arena, struct ledger);
	const struct kernel_metrics *k = measured(r, &unit->fn[fn]);

	ledger_make(l, g->arena, f, u, fn, g->targets.v[target]->wave_size);
	struct ledger_entry e = {.ledger = l,
		.unit = unit,
		.file = g->opts->files.v[0],
		.target = g->targets.v[target],
		.got = k,
		.group_known = known(k, METRIC_GROUP_SIZE) > 0};
	e.use.vgprs = known(k, METRIC_VGPR);
	e.use.agprs = known(k, METRIC_ACC_VGPR);
	e.use.lds_bytes = k ? known(k, METRIC_LDS) : l->lds_bytes;
	e.use.group_size = e.group_known ? known(k, METRIC_GROUP_SIZE) : 1024;
	e.estimate = ledger_estimate(l, e.target, &e.use);
	if (!k) {
		e.why_not = r->status == MEASURE_OK ? "the compiler left no code of it"
						    : "the file was not compiled";
	} else if (!k->trusted) {
		msg_error("%s: the figures of %s for %s are not trusted: %s", e.file, k->name,
			e.target->name, k->why);
		g->code = exit_worse(g->code, EXIT_INPUT);
	}
	array_push(&g->entry, e);
}

static int reckon(struct ledgering *g, size_t target)
{
	const struct target *t = g->targets.v[target];
	struct frontend_job job = {.path = g->opts->files.v[0],
		.target = t->name,
		.nearest = t->nearest,
		.flags = g->targets.flags,
		.no_cache = g->opts->no_cache,
		.intrinsics = &g->intrinsics};
	struct kt_unit *unit;
	const char *as = NULL;
	int rc = frontend_parse(&unit, g->arena, &job, &as);

	if (rc) {
		return rc;
	}
	if (as && strcmp(as, t->name) != 0) {
		msg_note("%s: this libclang does not know %s: parsed as %s", job.path, t->name, as);
	}
	struct facts *f = facts_create(unit, g->arena, &g->intrinsics);
	struct uniformity *u = uniformity_create(f, g->arena);
	size_t before = g->entry.n;
	for (kt_id i = 1; i < unit->fns; i++) {
		const struct kt_fn *fn = &unit->fn[i];
		if (fn->kind == KT_FN_KERNEL && fn->body && !fn->in_system_header) {
			add_kernel(g, target, f, u, i);
		}
	}
	if (g->entry.n == before) {
		msg_error("%s: no kernel for %s: there is nothing to reckon", job.path, t->name);
		rc = FAIL_INPUT;
	}
	facts_release(f);
	return rc;
}

static int print(struct ledgering *g)
{
	static void (*const formats[])(struct sbuf *, const struct ledger_entry *, size_t) = {
		ledger_text, ledger_json, ledger_svg, ledger_html};
	struct sbuf out = {0};

	if (g->opts->format == FORMAT_TEXT && g->entry.n == 0) {
		return 0;
	}
	formats[g->opts->format](&out, g->entry.v, g->entry.n);
	int rc = cli_output_write(g->opts->report, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

static int ledger(struct ledgering *g)
{
	const struct cli_opts *o = g->opts;
	int rc = cli_files_check(o);

	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : cli_targets_find(&g->targets, g->arena, o);
	rc = rc ? rc : cli_intrinsics(&g->intrinsics, g->arena, o);
	rc = rc ? rc : compile(g);
	if (rc) {
		return cli_exit(rc);
	}
	for (size_t i = 0; i < g->targets.n; i++) {
		if (g->result[i].status != MEASURE_OK) {
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
	array_release(&g.entry);
	intrinsic_db_release(&g.intrinsics);
	arena_free(g.arena);
	return code;
}
