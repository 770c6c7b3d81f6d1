#include "cli/lint/tuned.h"

#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "choose/advise/explore.h"
#include "choose/advise/macros.h"
#include "cli/lint/measured.h"
#include "rule/subject.h"

/* One value of one macro, and nothing else changed. */
struct tried {
	const struct macro *macro; /* NULL: the file as it is */
	int64_t value;
	const char *const *values; /* for explore */
	size_t at;		   /* among all that were counted */
	unsigned promises;	   /* VGPRs fewer than now, at most, as the source counts */
};

struct tuning {
	const struct cli_unit *u;
	struct arena *a;
	struct diag_list *found;
	const struct choice *choice;
	struct explore_job job;
	struct macro macro[TUNED_MACROS];
	size_t macros;
	struct tried tried[1 + 2 * TUNED_MACROS];
	size_t n;
	struct counted_unit *counted; /* by tried and target */
	const char *lost;	      /* settings that do not parse, or NULL */
};

bool cli_lint_tunes(const struct diag *d)
{
	return d->rule && strcmp(d->rule, "unphi-accumulator-lifetime") == 0 && d->function;
}

static bool is_of(const struct tuning *t, const struct diag *d)
{
	return cli_lint_tunes(d) && d->place.path && strcmp(d->place.path, t->u->shown) == 0;
}

/* ---- what to try ---- */

static void try_value(struct tuning *t, const struct macro *m, int64_t value)
{
	const char **values = ARENA_ARRAY(t->a, const char *, t->macros + 1);

	if (m) {
		values[m - t->macro] = arena_printf(t->a, "%lld", (long long)value);
	}
	t->tried[t->n] = (struct tried){.macro = m, .value = value, .values = values, .at = t->n};
	t->n++;
}

static void list_values(struct tuning *t, struct str source)
{
	struct setting *s = ARENA_ARRAY(t->a, struct setting, TUNED_MACROS);

	t->macros = macros_find(t->macro, TUNED_MACROS, t->a, source, t->job.flags);
	try_value(t, NULL, 0);
	for (size_t i = 0; i < t->macros; i++) {
		const struct macro *m = &t->macro[i];
		s[i].name = m->name;
		if (m->value >= 2 && m->value % 2 == 0) {
			try_value(t, m, m->value / 2);
		}
		if (m->value >= 1 && m->value <= INT32_MAX / 2) {
			try_value(t, m, m->value * 2);
		}
	}
	t->job.setting = s;
	t->job.settings = t->macros;
}

/* The instance of the finding's kernel that asks for most; NULL: it is not there then. */
static const struct counted *counted_of(
	const struct tuning *t, const struct diag *d, const struct counted_unit *u)
{
	const struct counted *most = NULL;

	for (size_t i = 0; i < u->n; i++) {
		const struct counted *c = &u->v[i];
		if (strcmp(subject_function(t->a, c->name), d->function) == 0 &&
			(!most || c->estimate > most->estimate)) {
			most = c;
		}
	}
	return most;
}

static void promise(struct tuning *t, struct tried *x)
{
	for (size_t k = 0; k < t->job.targets; k++) {
		array_each (&t->found->v, const struct diag, d) {
			const struct counted *now = NULL, *then = NULL;
			if (is_of(t, d)) {
				now = counted_of(t, d, &t->counted[k]);
				then = counted_of(t, d, &t->counted[x->at * t->job.targets + k]);
			}
			if (now && then && then->estimate < now->estimate &&
				now->estimate - then->estimate > x->promises) {
				x->promises = now->estimate - then->estimate;
			}
		}
	}
}

/* "HEAD_TILES=8, STEPS=2": with which the file has no kernel any more on some target. */
static void list_lost(struct tuning *t)
{
	struct sbuf b = {0};

	for (size_t i = 1; i < t->n; i++) {
		const struct tried *x = &t->tried[i];
		bool lost = false;
		for (size_t k = 0; k < t->job.targets; k++) {
			lost |= t->counted[k].n && !t->counted[i * t->job.targets + k].n;
		}
		if (lost) {
			sbuf_addf(&b, "%s%s=%lld", b.n ? ", " : "", x->macro->name,
				(long long)x->value);
		}
	}
	t->lost = b.n ? arena_strdup(t->a, sbuf_cstr(&b)) : NULL;
	sbuf_release(&b);
}

static int most_first(const void *x, const void *y)
{
	const struct tried *a = x, *b = y;

	return a->promises != b->promises ? (a->promises < b->promises ? 1 : -1)
					  : (a->at > b->at) - (a->at < b->at);
}

static int in_order(const void *x, const void *y)
{
	const struct tried *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

/* Leaves those that promise something, the file as it is in front of them. */
static int choose_tried(struct tuning *t)
{
	size_t kept = 1;
	int rc = explore_count(&t->counted, t->a, &t->job);

	for (size_t i = 1; rc == 0 && i < t->n; i++) {
		promise(t, &t->tried[i]);
	}
	if (rc == 0) {
		list_lost(t);
	}
	qsort(t->tried + 1, t->n - 1, sizeof(*t->tried), most_first);
	while (kept < t->n && kept <= TUNED_SETTINGS && t->tried[kept].promises) {
		kept++;
	}
	t->n = kept;
	qsort(t->tried + 1, t->n - 1, sizeof(*t->tried), in_order);
	return rc;
}

static void list_combinations(struct tuning *t, size_t from)
{
	const char *const **v = ARENA_ARRAY(t->a, const char *const *, t->n);

	for (size_t i = from; i < t->n; i++) {
		v[i - from] = t->tried[i].values;
	}
	t->job.combination = v;
	t->job.combinations = t->n - from;
}

/* What was counted, in the order of those that are compiled. */
static const struct counted_unit *counted_again(const struct tuning *t)
{
	size_t targets = t->job.targets;
	struct counted_unit *v = ARENA_ARRAY(t->a, struct counted_unit, t->n * targets);

	for (size_t i = 1; i < t->n; i++) {
		memcpy(v + (i - 1) * targets, t->counted + t->tried[i].at * targets,
			targets * sizeof(*v));
	}
	return v;
}

/* ---- what came out ---- */

static const struct explored *row_of(const struct tuning *t, const struct explored_list *rows,
	const struct tried *x, size_t target, const struct counted *c)
{
	for (size_t i = 0; i < rows->v.n; i++) {
		const struct explored *e = &rows->v.v[i];
		if (e->value == x->values && strcmp(e->target, t->job.target[target]->name) == 0 &&
			(!e->got || (c && strcmp(e->got->symbol, c->symbol) == 0))) {
			return e;
		}
	}
	return NULL;
}

static struct diag_option option_of(const struct tuning *t, const struct explored_list *rows,
	const struct diag *d, const struct tried *x, size_t target)
{
	const struct counted *c = counted_of(t, d, &t->counted[x->at * t->job.targets + target]);
	struct diag_option o = {.target = t->job.target[target]->name};
	const struct kernel_metrics *got = NULL;

	if (x->macro) {
		const struct explored *e = row_of(t, rows, x, target, c);
		o.setting = arena_printf(t->a, "%s=%lld", x->macro->name, (long long)x->value);
		got = e ? e->got : NULL;
		o.why = e ? e->why : "(the kernel is not there)";
	} else if (c) {
		got = measurement_kernel(
			t->choice->before ? &t->choice->before[target] : NULL, c->symbol);
		o.why = got ? got->why : "(not compiled)";
	}
	o.estimate = c ? c->estimate : 0;
	o.bytes = c ? c->bytes : 0;
	o.flops = c ? c->flops : 0;
	o.vgprs = got ? got->v[METRIC_VGPR] : METRIC_ABSENT;
	o.vgpr_spills = got ? got->v[METRIC_VGPR_SPILL] : METRIC_ABSENT;
	o.resident_waves = got ? got->v[METRIC_RESIDENT_WAVES] : METRIC_ABSENT;
	o.measured = o.vgprs != METRIC_ABSENT && o.vgpr_spills != METRIC_ABSENT &&
		     o.resident_waves != METRIC_ABSENT;
	return o;
}

static const char *option_text(struct arena *a, const struct diag_option *o)
{
	const char *with = o->setting ? arena_printf(a, "with -D %s", o->setting) : "as it is";
	const char *bytes = o->flops ? arena_printf(a, ", %.4f bytes a flop",
					       (double)o->bytes / (double)o->flops)
				     : "";

	if (!o->measured) {
		return arena_printf(a, "not measured %s: %s (%s); estimated %u VGPRs", with,
			o->why ? o->why : "(a figure is missing)", o->target, o->estimate);
	}
	return arena_printf(a,
		"measured %s: %lld VGPRs, %lld spilled, %lld wave%s per SIMD%s (%s); estimated %u "
		"VGPRs",
		with, (long long)o->vgprs, (long long)o->vgpr_spills, (long long)o->resident_waves,
		o->resident_waves == 1 ? "" : "s", bytes, o->target, o->estimate);
}

/* How to have all combinations compiled. */
static const char *explore_command(const struct tuning *t)
{
	struct sbuf b = {0};

	for (size_t i = 0; i < t->macros; i++) {
		const struct macro *m = &t->macro[i];
		bool any = false;
		for (size_t k = 1; k < t->n; k++) {
			if (t->tried[k].macro != m) {
				continue;
			}
			if (!any) {
				sbuf_addf(&b, " -D %s=%lld", m->name, (long long)m->value);
			}
			any = true;
			sbuf_addf(&b, ",%lld", (long long)t->tried[k].value);
		}
	}
	const char *r = arena_printf(t->a, "all combinations side by side: unphi explore%s %s",
		sbuf_cstr(&b), t->u->shown);
	sbuf_release(&b);
	return r;
}

static void report(struct tuning *t, const struct explored_list *rows, struct diag *d)
{
	size_t targets = t->job.targets;

	d->option = ARENA_ARRAY(t->a, struct diag_option, t->n * targets);
	for (size_t i = 0; i < t->n * targets; i++) {
		struct diag_option o = option_of(t, rows, d, &t->tried[i / targets], i % targets);
		d->option[d->options++] = o;
		cli_lint_note(t->a, d, option_text(t->a, &o));
	}
	if (t->lost) {
		cli_lint_note(t->a, d,
			arena_printf(t->a, "not tried, as it does not parse: %s", t->lost));
	}
	if (t->n == 1) {
		cli_lint_note(t->a, d,
			"smaller tiles are not measured: half or twice the value of no macro that "
			"-D can set (#ifndef NAME, #define NAME NUMBER, in this file) makes the "
			"kernel ask for fewer registers; constants and template arguments cannot "
			"be set from outside");
	} else {
		cli_lint_note(t->a, d, explore_command(t));
	}
}

int cli_lint_tune(struct diag_list *found, struct arena *a, const struct cli_unit *u,
	const struct choice *choice, const struct compiler *compiler)
{
	struct tuning t = {.u = u, .a = a, .found = found, .choice = choice};
	struct intrinsic_db intrinsics = {0};
	struct explored_list rows = {0};
	const struct diag *first = NULL;

	array_each (&found->v, const struct diag, d) {
		first = !first && is_of(&t, d) ? d : first;
	}
	if (!first) {
		return 0;
	}
	t.job = (struct explore_job){.path = u->path,
		.target = u->targets.v,
		.compiler = compiler,
		.targets = u->targets.n,
		.flags = u->targets.flags,
		.intrinsics = &intrinsics,
		.time_limit_s = u->opts->time_limit_s,
		.parallel = u->opts->jobs,
		.no_cache = u->opts->no_cache,
		.quiet = true};
	int rc = cli_intrinsics(&intrinsics, a, u->opts);
	list_values(&t, first->place.source);
	list_combinations(&t, 0);
	rc = rc ? rc : choose_tried(&t);
	if (rc == 0 && t.n > 1) {
		msg_note("%s: %zu setting%s of macros to compile for %zu target%s", u->shown,
			t.n - 1, t.n == 2 ? "" : "s", t.job.targets, t.job.targets == 1 ? "" : "s");
		list_combinations(&t, 1);
		t.job.counted = counted_again(&t);
		rc = explore_run(&rows, a, &t.job);
	}
	array_each (&found->v, struct diag, d) {
		if (rc == 0 && is_of(&t, d)) {
			report(&t, &rows, d);
		}
	}
	array_release(&rows.v);
	intrinsic_db_release(&intrinsics);
	return rc;
}
