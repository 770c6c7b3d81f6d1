#include "report/figures/ledger.h"

#include <stdlib.h>

#include "base/lines.h"
#include "report/form/json.h"
#include "report/figures/occupancy.h"
#include "report/form/table.h"
#include "target/steps.h"

int64_t ledger_measured(const struct ledger_entry *e)
{
	if (!e->got || e->got->v[METRIC_VGPR] == METRIC_ABSENT ||
		e->got->v[METRIC_VGPR_SPILL] == METRIC_ABSENT) {
		return METRIC_ABSENT;
	}
	return e->got->v[METRIC_VGPR] + e->got->v[METRIC_VGPR_SPILL];
}

static const char *lifetime(const struct ledger_var *v)
{
	return v->loop_carried ? "carried" : v->loop_constant ? "constant" : "";
}

/* By width at the peak, then by width elsewhere, the widest first. */
static int var_cmp(const void *x, const void *y)
{
	const struct ledger_var *a = *(const struct ledger_var *const *)x;
	const struct ledger_var *b = *(const struct ledger_var *const *)y;

	if (a->at_peak != b->at_peak) {
		return a->at_peak < b->at_peak ? 1 : -1;
	}
	if (a->width != b->width) {
		return a->width < b->width ? 1 : -1;
	}
	return (a > b) - (a < b);
}

static const struct ledger_var **sorted(const struct ledger *l)
{
	const struct ledger_var **v = malloc((l->vars + 1) * sizeof(*v));

	for (size_t i = 0; v && i < l->vars; i++) {
		v[i] = &l->var[i];
	}
	span_sort(v, l->vars, var_cmp);
	return v;
}

static void print_vars(struct sbuf *out, const struct ledger_entry *e)
{
	const char *const heading[] = {
		"variable", ">VGPRs", ">at peak", "lines", "loop", "role", "type"};
	const struct ledger *l = e->ledger;
	const struct ledger_var **v = sorted(l);
	struct table t;

	table_init(&t, 7, heading);
	for (size_t i = 0; v && i < l->vars; i++) {
		if (v[i]->width == 0) {
			continue;
		}
		table_cell(&t, "%s%s%s%s%s", v[i]->owner ? v[i]->owner : "",
			v[i]->owner ? ": " : "", v[i]->name, v[i]->member ? "." : "",
			v[i]->member ? v[i]->member : "");
		table_cell(&t, "%u", v[i]->width);
		table_cell(&t, "%u%s", v[i]->at_peak, v[i]->copies > 1 ? " (2 copies)" : "");
		if (v[i]->first_line) {
			table_cell(&t, "%u-%u", v[i]->first_line, v[i]->last_line);
		} else {
			table_cell(&t, "%s", "");
		}
		table_cell(&t, "%s", lifetime(v[i]));
		table_cell(&t, "%s", ledger_role_name(v[i]->role));
		table_cell(&t, "%s", v[i]->type ? v[i]->type : "");
	}
	table_print(out, &t);
	table_release(&t);
	free(v);
}

static void print_measured(struct sbuf *out, const struct ledger_entry *e)
{
	int64_t all = ledger_measured(e);

	if (all == METRIC_ABSENT) {
		sbuf_addf_visible(out, "measured: unknown: %s\n",
			e->why_not		? e->why_not
			: e->got && e->got->why ? e->got->why
						: "no figures");
		return;
	}
	const int64_t *v = e->got->v;
	sbuf_addf(out, "measured: %lld VGPRs", (long long)v[METRIC_VGPR]);
	if (v[METRIC_ACC_VGPR] > 0) {
		sbuf_addf(out, " (%lld of them accumulation)", (long long)v[METRIC_ACC_VGPR]);
	}
	sbuf_addf(out, ", %lld spilled", (long long)v[METRIC_VGPR_SPILL]);
	if (v[METRIC_SCRATCH] > 0) {
		sbuf_addf(out, ", %lld bytes of scratch memory", (long long)v[METRIC_SCRATCH]);
	}
	if (v[METRIC_RESIDENT_WAVES] != METRIC_ABSENT) {
		sbuf_addf_visible(out, ", %lld wave%s per SIMD limited by %s",
			(long long)v[METRIC_RESIDENT_WAVES],
			v[METRIC_RESIDENT_WAVES] == 1 ? "" : "s", occ_limit_name(e->got->limiter));
	}
	if (all > 0) {
		sbuf_addf(out, "; the estimate is %+lld%% off",
			(long long)((int64_t)e->claim.vgprs - all) * 100 / all);
	}
	sbuf_adds(out, e->got->trusted ? "\n" : " (not trusted)\n");
}

static void print_entry(struct sbuf *out, const struct ledger_entry *e)
{
	const struct ledger *l = e->ledger;
	struct arena *a = arena_create();
	struct sbuf next = {0};

	sbuf_addf_visible(out, "%s (%s)\n", l->name, e->target->name);
	print_vars(out, e);
	sbuf_addf(out, "estimate: %s\n", ledger_claim_text(a, &e->claim));
	sbuf_addf(out, "peak: %u VGPRs in line %u", e->claim.vgprs, l->most.line);
	for (size_t i = 0; i < l->most.calls; i++) {
		sbuf_addf(out, "%s%u", i ? ", " : " (called in line ", l->most.call[i].line);
	}
	sbuf_addf(out, "%s: variables and operands %u, loads in flight %u",
		l->most.calls ? ")" : "", l->most.held, l->most.in_flight);
	if (l->most.held + l->most.in_flight != e->claim.vgprs) {
		sbuf_addf(out, "; limited to the loads in flight that fit");
	}
	sbuf_adds(out, "\n");
	print_measured(out, e);
	if (!e->group_known) {
		sbuf_addf(out, "work-group size: unknown, assumed to be %u\n", e->use.group_size);
	}
	if (e->use.vgprs) {
		occupancy_next(&next, e->target, &e->use);
		sbuf_addf_visible(
			out, "next step: %s\n", next.n ? sbuf_cstr(&next) : "none by fewer VGPRs");
	}
	sbuf_release(&next);
	arena_free(a);
	for (size_t i = 0; i < l->unknowns; i++) {
		sbuf_addf_visible(out, "unknown: %s\n", l->unknown[i]);
	}
}

void ledger_text(struct sbuf *out, const struct ledger_entry *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(out, i ? "\n" : "");
		print_entry(out, &e[i]);
	}
}

/* ---- JSON ---- */

static void json_figure(struct json *j, const char *key, int64_t v)
{
	jsonw_key_known(j, key, v, v != METRIC_ABSENT);
}

static void json_var(struct json *j, const struct ledger_var *v, const struct kt_unit *u)
{
	jsonw_object(j);
	jsonw_key_str(j, "name", str_of(v->name));
	jsonw_key_text(j, "member", v->member);
	jsonw_key_text(j, "function", v->owner);
	jsonw_key_text(j, "file", v->file < u->files ? u->file[v->file].path : NULL);
	jsonw_key_str(j, "type", str_of(v->type));
	jsonw_key_i64(j, "vgprs", v->width);
	jsonw_key_i64(j, "at_peak", v->at_peak);
	jsonw_key_i64(j, "copies", v->copies);
	jsonw_key_i64(j, "first_line", v->first_line);
	jsonw_key_i64(j, "last_line", v->last_line);
	jsonw_key_bool(j, "uniform", v->uniform);
	jsonw_key_bool(j, "loop_carried", v->loop_carried);
	jsonw_key_bool(j, "loop_constant", v->loop_constant);
	jsonw_key_bool(j, "dynamic_index", v->dynamic);
	jsonw_key_str(j, "role", str_of(ledger_role_name(v->role)));
	jsonw_end(j);
}

/* The place of the kernel's definition. */
static void json_place(struct json *j, const struct ledger_entry *e)
{
	const struct kt_fn *fn = &e->unit->fn[e->ledger->fn];
	const struct kt_file *f = &e->unit->file[fn->file];
	bool known = fn->file > 0 && f->text.p;

	jsonw_key_text(j, "symbol", fn->symbol);
	jsonw_key_text(j, "defined_in", known ? f->path : NULL);
	jsonw_key_known(j, "line", known ? line_col_of(f->text, fn->name_at).line : 0, known);
	jsonw_key_known(j, "first_line", known ? line_col_of(f->text, fn->begin).line : 0, known);
	jsonw_key_known(j, "last_line", known ? line_col_of(f->text, fn->end).line : 0, known);
}

static void json_measured(struct json *j, const struct ledger_entry *e)
{
	if (!jsonw_key_object_if(j, "measured", e->got)) {
		return;
	}
	json_figure(j, "vgprs", e->got->v[METRIC_VGPR]);
	json_figure(j, "acc_vgprs", e->got->v[METRIC_ACC_VGPR]);
	json_figure(j, "vgpr_spills", e->got->v[METRIC_VGPR_SPILL]);
	json_figure(j, "scratch_bytes", e->got->v[METRIC_SCRATCH]);
	json_figure(j, "register_waves", e->got->v[METRIC_REGISTER_WAVES]);
	json_figure(j, "resident_waves", e->got->v[METRIC_RESIDENT_WAVES]);
	jsonw_key_bool(j, "trusted", e->got->trusted);
	jsonw_end(j);
}

static void json_next(struct json *j, const struct ledger_entry *e)
{
	struct occ_step next;

	bool any = e->use.vgprs && target_next_step(&next, e->target, &e->use);
	if (!jsonw_key_object_if(j, "next", any)) {
		return;
	}
	jsonw_key_i64(j, "vgprs", next.vgprs);
	jsonw_key_i64(j, "fewer", e->use.vgprs - next.vgprs);
	jsonw_key_i64(j, "resident_waves", next.resident_waves);
	jsonw_end(j);
}

static void json_entry(struct json *j, const struct ledger_entry *e)
{
	const struct ledger *l = e->ledger;

	jsonw_object(j);
	jsonw_key_str(j, "file", str_of(e->file));
	jsonw_key_str(j, "target", str_of(e->target->name));
	jsonw_key_str(j, "kernel", str_of(l->name));
	json_place(j, e);
	jsonw_key_i64(j, "estimate", e->claim.vgprs);
	jsonw_key_object(j, "expected");
	jsonw_key_i64(j, "vgprs_least", e->claim.vgprs_least);
	jsonw_key_i64(j, "vgprs_most", e->claim.vgprs_most);
	jsonw_key_i64(j, "waves_least", e->claim.waves_least);
	jsonw_key_i64(j, "waves_most", e->claim.waves_most);
	jsonw_end(j);
	jsonw_key_object(j, "peak");
	jsonw_key_i64(j, "line", l->most.line);
	jsonw_key_array(j, "calls");
	span_each (l->most.call, l->most.calls, const struct ledger_call, c) {
		jsonw_object(j);
		jsonw_key_text(j, "file", e->unit->file[c->file].path);
		jsonw_key_i64(j, "line", c->line);
		jsonw_end(j);
	}
	jsonw_end(j);
	jsonw_key_i64(j, "held", l->most.held);
	jsonw_key_i64(j, "temporaries", l->temporaries);
	jsonw_key_i64(j, "in_flight", l->most.in_flight);
	jsonw_key_i64(j, "most_held", l->least.held);
	jsonw_key_i64(j, "most_held_line", l->least.line);
	jsonw_end(j);
	jsonw_key_object(j, "hottest_loop");
	jsonw_key_i64(j, "bytes", (int64_t)l->bytes);
	jsonw_key_i64(j, "flops", (int64_t)l->flops);
	jsonw_end(j);
	json_measured(j, e);
	json_next(j, e);
	jsonw_key_array(j, "variables");
	for (size_t i = 0; i < l->vars; i++) {
		json_var(j, &l->var[i], e->unit);
	}
	jsonw_end(j);
	jsonw_key_array(j, "unknown");
	for (size_t i = 0; i < l->unknowns; i++) {
		jsonw_str(j, str_of(l->unknown[i]));
	}
	jsonw_end(j);
	jsonw_end(j);
}

void ledger_json(struct sbuf *out, const struct ledger_entry *e, size_t n)
{
	struct json j = jsonw_begin(out);
	jsonw_key_array(&j, "ledgers");
	for (size_t i = 0; i < n; i++) {
		json_entry(&j, &e[i]);
	}
	jsonw_finish(&j);
}
