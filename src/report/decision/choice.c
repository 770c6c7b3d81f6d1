#include "report/decision/choice.h"

#include <string.h>
#include "edit/edit.h"
#include "report/form/table.h"

enum {
	ROWS_MAX = 32 /* of a table that lists unchanged kernels, too */
};

static void add_figure(struct sbuf *b, int64_t v)
{
	if (v == METRIC_ABSENT) {
		sbuf_adds(b, "?");
	} else {
		sbuf_addf(b, "%lld", (long long)v);
	}
}

/* "113 -> 0 (0)": before, after, and with only one arm. */
static void cell(struct table *t, const struct kernel_metrics *before,
	const struct kernel_metrics *after, const struct kernel_metrics *one_arm, enum metric m)
{
	struct sbuf b = {0};
	add_figure(&b, before->v[m]);
	if (after && after->v[m] != before->v[m]) {
		sbuf_adds(&b, " -> ");
		add_figure(&b, after->v[m]);
	}
	if (one_arm) {
		sbuf_adds(&b, " (");
		add_figure(&b, one_arm->v[m]);
		sbuf_adds(&b, ")");
	}
	table_cell(t, "%s", sbuf_cstr(&b));
	sbuf_release(&b);
}

static bool same_figures(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	return y && memcmp(x->v, y->v, sizeof(x->v)) == 0;
}

/* "gfx90a", and the compiler if several compile for that target. */
static void target_cell(struct table *t, const struct choice_shown *s, size_t k, const char *target)
{
	struct sbuf b = {0};
	bool several = false;
	for (size_t i = 0; s->compiler && i < s->targets; i++) {
		several |= s->target[i] == s->target[k] &&
			   strcmp(s->compiler[i].path, s->compiler[k].path) != 0;
	}
	sbuf_adds(&b, target);
	if (several) {
		sbuf_adds(&b, ", ");
		compiler_name(&b, &s->compiler[k]);
	}
	table_cell(t, "%s", sbuf_cstr(&b));
	sbuf_release(&b);
}

static bool is_asked_for(const struct choice_shown *s, const char *symbol)
{
	struct str rest = str_of(s->only), line;
	bool found = !s->only;
	while (!found && str_line(&rest, &line)) {
		found = str_is(str_sub(line, 0, str_find(line, "\t", 0)), symbol);
	}
	return found;
}

void choice_figures_text(struct sbuf *out, const struct choice *c, const struct choice_shown *s)
{
	static const char *const headers[] = {"kernel", "target", ">VGPRs", ">spills",
		">scratch bytes", ">waves/SIMD", ">matrix ops", ">instructions"};
	static const enum metric columns[] = {METRIC_VGPR, METRIC_VGPR_SPILL, METRIC_SCRATCH,
		METRIC_RESIDENT_WAVES, METRIC_MATRIX_OP, METRIC_INSTRUCTION};
	struct table t;
	size_t all = 0, left_out = 0;
	for (size_t k = 0; k < s->targets; k++) {
		all += c->before[k].kernels;
	}
	table_init(&t, 8, headers);
	for (size_t k = 0; k < s->targets; k++) {
		span_each (
			c->before[k].kernel, c->before[k].kernels, const struct kernel_metrics, b) {
			const struct kernel_metrics *a =
				measurement_kernel(&c->after[k], b->symbol);
			const struct kernel_metrics *f =
				measurement_kernel(&c->one_arm[k], b->symbol);
			if (!is_asked_for(s, b->symbol)) {
				continue;
			}
			bool wanted = kernel_is_wanted(s->kernels, b->name, b->symbol);
			if ((!wanted || all > ROWS_MAX) && same_figures(b, a)) {
				left_out++;
				continue;
			}
			table_cell(&t, "%s%s", b->name, b->trusted ? "" : " (not trusted)");
			target_cell(&t, s, k, c->before[k].target);
			for (size_t m = 0; m < 6; m++) {
				cell(&t, b, a, f, columns[m]);
			}
		}
	}
	sbuf_adds(out, "before -> after (in parentheses: with only the costlier arm left in)\n");
	table_print(out, &t);
	table_release(&t);
	if (left_out) {
		sbuf_addf_visible(out, "%zu other kernel%s unchanged\n", left_out,
			left_out == 1 ? " is" : "s are");
	}
}

/* The subject of a decision: a merge, barrier or fragment, and its kernels. */
static void subject_text(struct sbuf *out, const struct decision *d)
{
	if (d->kind == DECISION_BARRIER) {
		sbuf_addf_visible(out, "barrier in %s", d->function);
	} else if (d->kind == DECISION_FRAGMENT) {
		sbuf_addf_visible(out, "'%s', %u VGPRs in %s", d->name, d->crossing, d->function);
	} else if (d->alike) {
		sbuf_addf_visible(
			out, "%u VGPRs of code that the arms share in %s", d->alike, d->function);
	} else {
		sbuf_addf_visible(out, "%u %sVGPRs in %s", d->chained ? d->chained : d->crossing,
			d->chained ? "chained " : "", d->function);
	}
	if (d->kernels && *d->kernels && strcmp(d->kernels, d->function) != 0) {
		sbuf_addf_visible(out, " (kernels: %s)", d->kernels);
	}
}

static bool has_figures(const struct attempt *a)
{
	return a->cycles_percent > 0 && a->waves[0] > 0;
}

/* "waves 2 -> 6, 121 % of the issue cycles, 90 % of the estimated time" */
static void attempt_figures(struct sbuf *out, const struct attempt *a)
{
	sbuf_addf(out,
		"waves %lld -> %lld, %.0f %% of the issue cycles, %.0f %% of the estimated time",
		(long long)a->waves[0], (long long)a->waves[1], a->cycles_percent, a->time_percent);
}

/* The alternatives to the kept rewrite that have more waves or fewer issue cycles. Times are only
 * estimated, so a GPU may rank them in another order. */
static void alternatives_text(struct sbuf *out, const struct decision *d)
{
	const struct attempt *kept = NULL;
	for (size_t i = 0; i < d->attempts; i++) {
		kept = d->attempt[i].outcome == OUTCOME_KEPT ? &d->attempt[i] : kept;
	}
	for (size_t i = 0; kept && has_figures(kept) && i < d->attempts; i++) {
		const struct attempt *a = &d->attempt[i];
		bool judged = a->outcome == OUTCOME_BETTER || a->outcome == OUTCOME_WORSE;
		bool more = a->waves[1] > kept->waves[1];
		bool fewer = a->outcome == OUTCOME_BETTER &&
			     a->cycles_percent < kept->cycles_percent - 2;
		if (a != kept && judged && has_figures(a) && (more || fewer)) {
			sbuf_addf(out, "  or %s (%s): ", strategies[a->strategy].name, a->variant);
			attempt_figures(out, a);
			sbuf_addf(out, " (kept: %.0f %%; --prefer %s)\n", kept->time_percent,
				more ? "waves" : "cycles");
		}
	}
}

/* One line with the decision and its reason. Unchanged fragments and barriers have no line;
 * file_text counts them. */
static void decision_line(struct sbuf *out, const struct decision *d, const char *path)
{
	if (!d->rewritten && d->kind != DECISION_MERGE) {
		return;
	}
	sbuf_addf_visible(out, "%s:%u:%u: ", path, d->at.line, d->at.col);
	span_each (d->attempt, d->attempts, const struct attempt, a) {
		if (d->rewritten && a->outcome == OUTCOME_KEPT) {
			sbuf_addf_visible(out,
				"%s (%s): %s%s%s%s%s: ", strategies[a->strategy].name, a->variant,
				a->reason ? a->reason : "rewritten", a->assumes ? "; assumes " : "",
				a->assumes ? a->assumes : "",
				a->unproved ? "; equal on all cases, not proved: " : "",
				a->unproved ? a->unproved : "");
		}
	}
	subject_text(out, d);
	sbuf_addf_visible(out, "%s%s\n",
		d->rewritten ? "" : ": kept as it is: ", d->rewritten ? "" : d->why_kept);
	if (d->rewritten) {
		alternatives_text(out, d);
	}
}

static void decision_text(struct sbuf *out, const struct decision *d, const char *path)
{
	sbuf_addf_visible(out, "\n%s:%u:%u: ", path, d->at.line, d->at.col);
	subject_text(out, d);
	sbuf_addf_visible(out, "%s%s\n",
		d->rewritten ? "" : ": kept as it is: ", d->rewritten ? "" : d->why_kept);
	if (d->explanation) {
		explanation_text(out, d->explanation);
	}
	span_each (d->attempt, d->attempts, const struct attempt, a) {
		const char *name = strategies[a->strategy].name;
		if (a->outcome == OUTCOME_REFUSED) {
			sbuf_addf_visible(out, "  %s: not legal (clause %u): %s\n", name, a->clause,
				a->reason);
		} else {
			sbuf_addf_visible(out, "  %s (%s): %s%s%s", name, a->variant,
				outcome_word(a->outcome), a->reason ? ": " : "",
				a->reason ? a->reason : "");
			sbuf_adds(out, has_figures(a) ? " [" : "\n");
			if (has_figures(a)) {
				attempt_figures(out, a);
				sbuf_adds(out, "]\n");
			}
			if (a->assumes) {
				sbuf_addf_visible(out, "    assumes %s\n", a->assumes);
			}
			if (a->unproved) {
				sbuf_addf_visible(out, "    not proved: %s\n", a->unproved);
			}
		}
	}
}

static void flags_text(struct sbuf *out, const struct flags_tried *f, const char *path)
{
	sbuf_addf_visible(out, "%s: with", path);
	for (const char *const *word = f->flag; *word; word++) {
		sbuf_addf_visible(out, " %s", *word);
	}
	sbuf_addf_visible(out, ": %s%s: %s\n", outcome_word(f->outcome),
		f->outcome == OUTCOME_KEPT     ? ", compile the file with it"
		: f->outcome == OUTCOME_BETTER ? ", taken with --allow-flags only"
					       : "",
		f->reason);
	if (f->outcome == OUTCOME_KEPT || f->outcome == OUTCOME_BETTER) {
		sbuf_addf_visible(out, "  %s\n", f->warning);
	}
}

/* Merges in headers, which are left alone without --header-filter. */
static void elsewhere_text(struct sbuf *out, const struct choice *c)
{
	span_each (c->elsewhere, c->elsewheres, const struct choice_elsewhere, e) {
		if (!e->worked_on) {
			sbuf_addf_visible(out,
				"\n%s:%u:%u: %u chained VGPRs in %s: kept as it is: it is in a "
				"header (--header-filter REGEX also rewrites headers)\n",
				e->path, e->at.line, e->at.col, e->chained, e->function);
		}
	}
}

void choice_decisions_text(struct sbuf *out, const struct choice *c, const struct choice_shown *s)
{
	for (size_t i = 0; i < c->decisions; i++) {
		(s->verbose ? decision_text : decision_line)(out, &c->decision[i], s->path);
	}
}

void choice_ran_text(struct sbuf *out, const struct choice *c)
{
	static const char *const heading[] = {
		"executed by a wave, over all cases", ">before", ">after"};
	struct table t;
	table_init(&t, sizeof(heading) / sizeof(heading[0]), heading);
	for (size_t i = 0; c->ran[0].shown[i].name; i++) {
		int64_t before = c->ran[0].shown[i].n;
		int64_t after = c->ran[1].shown[i].n;
		if (before || after) {
			table_cell(&t, "%s", c->ran[0].shown[i].name);
			table_cell(&t, "%lld", (long long)before);
			table_cell(&t, "%lld", (long long)after);
		}
	}
	table_print(out, &t);
	table_release(&t);
}

/* The basis of the decisions: runs of a spec, or the paths through the compiler's output. */
static void judge_text(struct sbuf *out, const struct choice *c, const char *path, size_t merges)
{
	if (c->judged_by_runs == 0) {
		sbuf_addf(out, "%s: judged by the paths in the compiler's output\n", path);
		return;
	}
	sbuf_addf(
		out, "%s: judged by runs of %zu case%s", path, c->cases, c->cases == 1 ? "" : "s");
	if (c->judged_by_runs < merges) {
		sbuf_addf(out,
			" (%zu of %zu merges; the others by the paths in the compiler's output)",
			c->judged_by_runs, merges);
	}
	sbuf_addc(out, '\n');
}

static void file_text(struct sbuf *out, const struct choice *c, const struct choice_shown *s)
{
	size_t n[DECISION_KINDS] = {0}, rewritten[DECISION_KINDS] = {0};
	for (size_t i = 0; i < c->decisions; i++) {
		n[c->decision[i].kind]++;
		rewritten[c->decision[i].kind] += c->decision[i].rewritten;
	}
	sbuf_addf_visible(out, "%s: %zu merge%s at or over the threshold, %zu rewritten\n", s->path,
		n[DECISION_MERGE], n[DECISION_MERGE] == 1 ? "" : "s", rewritten[DECISION_MERGE]);
	if (s->note) {
		sbuf_addf_visible(out, "%s: %s\n", s->path, s->note);
	}
	if (n[DECISION_BARRIER]) {
		sbuf_addf_visible(out, "%s: %zu barrier%s checked, %zu dropped\n", s->path,
			n[DECISION_BARRIER], n[DECISION_BARRIER] == 1 ? "" : "s",
			rewritten[DECISION_BARRIER]);
	}
	if (n[DECISION_FRAGMENT]) {
		sbuf_addf_visible(out,
			"%s: %zu fragment%s that loops only read, %zu loaded again\n", s->path,
			n[DECISION_FRAGMENT], n[DECISION_FRAGMENT] == 1 ? "" : "s",
			rewritten[DECISION_FRAGMENT]);
	}
	if (c->flags.flag) {
		flags_text(out, &c->flags, s->path);
	}
	if (c->time_ran_out) {
		sbuf_addf_visible(out, "%s: %s; the best so far is kept\n", s->path,
			c->interrupted ? "interrupted" : "time ran out");
	}
	if (c->before && n[DECISION_MERGE]) {
		judge_text(out, c, s->path, n[DECISION_MERGE]);
	}
	for (size_t k = 0; s->compiler && k < s->targets; k++) {
		bool linked = c->before && c->before[k].linked;
		sbuf_addf_visible(out, "%s: %s (%s)%s\n", s->target[k]->name, s->compiler[k].path,
			s->compiler[k].version,
			linked ? ", measured as linked for the device" : "");
	}
	if (c->before) {
		sbuf_addc(out, '\n');
		choice_figures_text(out, c, s);
	}
	if (c->ran) {
		sbuf_addc(out, '\n');
		choice_ran_text(out, c);
	}
	sbuf_adds(out, c->decisions && !s->verbose ? "\n" : "");
	choice_decisions_text(out, c, s);
}

void choice_text(struct sbuf *out, const struct choice_file *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(out, i ? "\n" : "");
		file_text(out, v[i].choice, &v[i].shown);
	}
	elsewhere_text(out, v[0].choice);
}

static void metrics_json(struct json *j, const char *key, const struct kernel_metrics *k)
{
	if (!k) {
		return;
	}
	jsonw_key_object(j, key);
	for (int m = 0; m < METRIC_COUNT; m++) {
		jsonw_key_known(j, metric_info[m].key, k->v[m], k->v[m] != METRIC_ABSENT);
	}
	jsonw_key_bool(j, "trusted", k->trusted);
	jsonw_end(j);
}

static void target_json(
	struct json *j, const struct choice *c, const struct choice_shown *s, size_t k)
{
	jsonw_object(j);
	jsonw_key_str(j, "target", str_of(s->target[k]->name));
	if (s->compiler) {
		jsonw_key_str(j, "compiler", str_of(s->compiler[k].path));
		jsonw_key_str(j, "compiler_version", str_of(s->compiler[k].version));
	}
	jsonw_key_array(j, "kernels");
	for (size_t i = 0; c->before && i < c->before[k].kernels; i++) {
		const struct kernel_metrics *b = &c->before[k].kernel[i];
		jsonw_object(j);
		jsonw_key_str(j, "symbol", str_of(b->symbol));
		jsonw_key_str(j, "name", str_of(b->name));
		metrics_json(j, "before", b);
		metrics_json(j, "after", measurement_kernel(&c->after[k], b->symbol));
		metrics_json(j, "one_arm", measurement_kernel(&c->one_arm[k], b->symbol));
		if (c->flags.with) {
			metrics_json(
				j, "with_flags", measurement_kernel(&c->flags.with[k], b->symbol));
		}
		jsonw_end(j);
	}
	jsonw_end(j);
	jsonw_end(j);
}

static void decision_json(struct json *j, const struct decision *d)
{
	jsonw_object(j);
	jsonw_key_i64(j, "line", d->at.line);
	jsonw_key_i64(j, "column", d->at.col);
	jsonw_key_str(j, "function", str_of(d->function));
	if (d->kind == DECISION_FRAGMENT) {
		jsonw_key_str(j, "variable", str_of(d->name));
		jsonw_key_i64(j, "vgprs", d->crossing);
	} else if (d->kind == DECISION_MERGE) {
		jsonw_key_i64(j, "chained_vgprs", d->chained);
		jsonw_key_i64(j, "crossing_vgprs", d->crossing);
		if (d->alike) {
			jsonw_key_i64(j, "alike_vgprs", d->alike);
		}
	}
	jsonw_key_bool(j, "rewritten", d->rewritten);
	if (!d->rewritten) {
		jsonw_key_str(j, "why_kept", str_of(d->why_kept));
	}
	if (d->explanation) {
		explanation_json(j, d->explanation);
	}
	jsonw_key_array(j, "tried");
	span_each (d->attempt, d->attempts, const struct attempt, a) {
		jsonw_object(j);
		jsonw_key_str(j, "strategy", str_of(strategies[a->strategy].name));
		jsonw_key_str(j, "variant", str_of(a->variant));
		jsonw_key_str(j, "outcome", str_of(outcome_word(a->outcome)));
		if (a->clause) {
			jsonw_key_i64(j, "clause", a->clause);
		}
		jsonw_key_given(j, "reason", a->reason);
		if (has_figures(a)) {
			jsonw_key_i64(j, "waves_before", a->waves[0]);
			jsonw_key_i64(j, "waves_after", a->waves[1]);
			jsonw_key_i64(j, "cycles_percent", (int64_t)(a->cycles_percent + 0.5));
			jsonw_key_i64(j, "time_percent", (int64_t)(a->time_percent + 0.5));
		}
		jsonw_key_given(j, "assumes", a->assumes);
		jsonw_key_given(j, "unproved", a->unproved);
		jsonw_end(j);
	}
	jsonw_end(j);
	jsonw_end(j);
}

static void flags_json(struct json *j, const struct flags_tried *f)
{
	jsonw_key_object(j, "flags");
	jsonw_key_array(j, "words");
	for (const char *const *word = f->flag; *word; word++) {
		jsonw_str(j, str_of(*word));
	}
	jsonw_end(j);
	jsonw_key_str(j, "outcome", str_of(outcome_word(f->outcome)));
	jsonw_key_str(j, "reason", str_of(f->reason));
	jsonw_key_str(j, "warning", str_of(f->warning));
	jsonw_end(j);
}

static void ran_json(struct json *j, const struct choose_ran *ran)
{
	static const char *const key[] = {"before", "after"};
	jsonw_key_object(j, "ran");
	for (size_t k = 0; k < 2; k++) {
		jsonw_key_object(j, key[k]);
		for (size_t i = 0; ran[k].shown[i].name; i++) {
			jsonw_key_i64(j, ran[k].shown[i].name, ran[k].shown[i].n);
		}
		jsonw_end(j);
	}
	jsonw_end(j);
}

/* The edits that turn the source into the text; offsets and lengths in bytes. */
static void edits_json(struct json *j, const struct choice *c, struct str source)
{
	struct arena *a = arena_create();
	struct edit_list l = {{0}};
	if (c->changed) {
		diff_edits(&l, a, source, c->text);
	}
	jsonw_key_array(j, "edits");
	array_each (&l.edits, const struct edit, e) {
		jsonw_object(j);
		jsonw_key_i64(j, "offset", (int64_t)e->begin);
		jsonw_key_i64(j, "length", (int64_t)(e->end - e->begin));
		jsonw_key_str(j, "text", e->text);
		jsonw_end(j);
	}
	jsonw_end(j);
	edit_list_release(&l);
	arena_free(a);
}

/* The members of a file's object. */
static void file_json(struct json *j, const struct choice *c, const struct choice_shown *s)
{
	jsonw_key_str(j, "file", str_of(s->path));
	jsonw_key_bool(j, "changed", c->changed);
	jsonw_key_given(j, "note", s->note);
	if (!s->uncounted) {
		jsonw_key_i64(j, "compiles", (int64_t)c->compiles);
		jsonw_key_i64(j, "parses", (int64_t)c->parses);
		jsonw_key_i64(j, "rounds", (int64_t)c->rounds);
	}
	jsonw_key_bool(j, "time_ran_out", c->time_ran_out);
	jsonw_key_bool(j, "interrupted", c->interrupted);
	jsonw_key_str(j, "judge", str_of(c->judged_by_runs ? "runs" : "paths"));
	if (c->judged_by_runs) {
		jsonw_key_i64(j, "cases", (int64_t)c->cases);
	}
	if (c->flags.flag) {
		flags_json(j, &c->flags);
	}
	jsonw_key_array(j, "targets");
	for (size_t k = 0; k < s->targets; k++) {
		target_json(j, c, s, k);
	}
	jsonw_end(j);
	if (c->ran) {
		ran_json(j, c->ran);
	}
	edits_json(j, c, s->source);
	static const char *const keys[] = {"merges", "barriers", "fragments"};
	for (int kind = 0; kind < DECISION_KINDS; kind++) {
		jsonw_key_array(j, keys[kind]);
		for (size_t i = 0; i < c->decisions; i++) {
			if ((int)c->decision[i].kind == kind) {
				decision_json(j, &c->decision[i]);
			}
		}
		jsonw_end(j);
	}
}

static void elsewhere_json(struct json *j, const struct choice_elsewhere *e)
{
	jsonw_object(j);
	jsonw_key_str(j, "file", str_of(e->path));
	jsonw_key_i64(j, "line", e->at.line);
	jsonw_key_i64(j, "column", e->at.col);
	jsonw_key_str(j, "function", str_of(e->function));
	jsonw_key_i64(j, "chained_vgprs", e->chained);
	jsonw_end(j);
}

void choice_json(struct sbuf *out, const struct choice_file *v, size_t n)
{
	struct json j = jsonw_begin(out);
	file_json(&j, v[0].choice, &v[0].shown);
	jsonw_key_array(&j, "headers");
	for (size_t i = 1; i < n; i++) {
		jsonw_object(&j);
		file_json(&j, v[i].choice, &v[i].shown);
		jsonw_end(&j);
	}
	jsonw_end(&j);
	jsonw_key_array(&j, "left_in_headers");
	for (size_t i = 0; i < v[0].choice->elsewheres; i++) {
		if (!v[0].choice->elsewhere[i].worked_on) {
			elsewhere_json(&j, &v[0].choice->elsewhere[i]);
		}
	}
	jsonw_finish(&j);
}
