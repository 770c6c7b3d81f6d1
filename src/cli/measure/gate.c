/* unphi measure --check and --against: budgets and regressions. */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/measure/measuring.h"
#include "cli/setup/units.h"

/* ---- --check ---- */

int measuring_add_config(struct measuring *m)
{
	const struct user_config *c = m->opts->config;
	const char *here = path_real(m->arena, ".");

	for (size_t i = 0; c && i < c->budgets; i++) {
		struct budget b = {.file = cli_path_shown(m->arena, here, c->path),
			.line = c->budget[i].line,
			.kernel = c->budget[i].kernel};
		const char *wrong = budget_read(&b, m->arena, str_of(c->budget[i].limits));
		if (wrong) {
			return fail_usage("%s:%u:%u: %s", b.file, c->budget[i].limits_line,
				c->budget[i].limits_column, wrong);
		}
		array_push(&m->budgets.v, b);
	}
	return 0;
}

int measuring_add_budgets(struct measuring *m, struct str text, const char *file)
{
	return budgets_find(&m->budgets, m->arena, text, file);
}

int measuring_check_budgets(const struct measuring *m)
{
	if (!m->opts->check || m->opts->against || m->budgets.v.n > 0) {
		return 0;
	}
	return fail_input("--check: nothing to check: there is no '// unphi: budget ...' before a "
			  "kernel, no budget in .unphi.yaml, and no --against");
}

static int check_limit(struct gate *out, const struct budget *b, const struct budget_limit *l,
	const struct measured *f, const struct kernel_metrics *k)
{
	int64_t v = k->v[l->metric];

	if (v == METRIC_ABSENT || !k->trusted) {
		msg_error("%s:%u: %s for %s: %s is unknown, so the budget %.*s was not checked",
			b->file, b->line, k->name, f->target, metric_info[l->metric].key,
			STR_ARG(l->text));
		return EXIT_INPUT;
	}
	if (budget_holds(l, k)) {
		return EXIT_CLEAN;
	}
	array_push(&out->v, (struct gate_line){.kind = GATE_BUDGET,
				    .file = f->file,
				    .kernel = k->name,
				    .at = k->line,
				    .target = f->target,
				    .metric = l->metric,
				    .after = v,
				    .place = b->file,
				    .line = b->line,
				    .limit = l->text});
	return EXIT_FINDINGS;
}

/* Checks every budget for every kernel that it matches. A budget that matches no kernel is an
 * error. */
static int check_budgets(struct gate *out, const struct measuring *m)
{
	int code = EXIT_CLEAN;
	size_t checked = 0;

	array_each (&m->budgets.v, const struct budget, b) {
		size_t kernels = 0;
		bool other_target = false;
		array_each (&m->found, const struct measured, f) {
			for (size_t i = 0;
				f->result.status == MEASURE_OK && i < f->result.m.kernels; i++) {
				const struct kernel_metrics *k = &f->result.m.kernel[i];
				struct budget any = *b;
				any.targets = (struct str){0};
				if (!budget_is_for(b, f->target, k)) {
					other_target |= budget_is_for(&any, f->target, k);
					continue;
				}
				kernels++;
				span_each (b->limit, b->limits, const struct budget_limit, l) {
					if (!budget_is_replaced(&m->budgets, b, l, f->target, k)) {
						code = exit_worse(
							code, check_limit(out, b, l, f, k));
						checked++;
					}
				}
			}
		}
		if (kernels == 0 && !other_target) {
			msg_error("%s:%u: no kernel named '%s' was measured: the budget was not "
				  "checked",
				b->file, b->line, b->kernel);
			code = exit_worse(code, EXIT_INPUT);
		}
	}
	if (checked == 0 && code == EXIT_CLEAN) {
		msg_error("--check: no budget is for the measured targets: nothing was checked");
		code = EXIT_INPUT;
	}
	if (code == EXIT_CLEAN) {
		msg_note("%zu limit%s checked, all hold", checked, checked == 1 ? "" : "s");
	}
	return code;
}

/* ---- --against ---- */

/* More spills, more scratch or fewer waves are regressions. Whether other changes are, only times
 * can tell. */
static bool is_worse(enum metric m, int64_t before, int64_t after)
{
	switch (m) {
	case METRIC_VGPR_SPILL:
	case METRIC_SGPR_SPILL:
	case METRIC_SCRATCH:
		return after > before;
	case METRIC_REGISTER_WAVES:
	case METRIC_RESIDENT_WAVES:
		return after < before;
	default:
		return false;
	}
}

static const struct kernel_metrics *find_kernel(
	const struct measured *v, size_t n, const char *target, const char *symbol)
{
	for (size_t i = 0; i < n; i++) {
		const struct measurement *m = &v[i].result.m;
		for (size_t k = 0; strcmp(v[i].target, target) == 0 && k < m->kernels; k++) {
			if (strcmp(m->kernel[k].symbol, symbol) == 0) {
				return &m->kernel[k];
			}
		}
	}
	return NULL;
}

static struct gate_sides sides_of(const struct measuring *m)
{
	return (struct gate_sides){m->saved, m->saved_n, m->found.v, m->found.n};
}

/* Does a line about these two name the compilers? Not if both are by the same compiler. */
static bool names_compilers(
	const struct measuring *m, const struct measured *was, const struct measured *f)
{
	bool named = m->by_compiler || m->opts->compilers.v.n > 1 || (gate_alike(was, f) & 1) == 0;
	return named && was->compiler && f->compiler;
}

static int compare_kernel(struct gate *out, const struct measuring *m, const struct measured *was,
	const struct kernel_metrics *before, const struct measured *f,
	const struct kernel_metrics *now)
{
	bool named = names_compilers(m, was, f);
	int code = EXIT_CLEAN;

	if (!before->trusted || !now->trusted) {
		msg_error(
			"%s: %s for %s: its figures are not trusted, so they could not be compared",
			f->file, now->name, f->target);
		return EXIT_INPUT;
	}
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		int64_t a = before->v[i], b = now->v[i];
		if (a == METRIC_ABSENT || b == METRIC_ABSENT || a == b) {
			continue;
		}
		bool worse = is_worse((enum metric)i, a, b);
		array_push(&out->v, (struct gate_line){.kind = worse ? GATE_WORSE : GATE_CHANGED,
					    .file = f->file,
					    .kernel = now->name,
					    .at = now->line,
					    .target = f->target,
					    .metric = (enum metric)i,
					    .before = a,
					    .after = b,
					    .before_by = named ? was->compiler : NULL,
					    .by = named ? f->compiler : NULL});
		code = exit_worse(code, worse ? EXIT_FINDINGS : EXIT_CLEAN);
	}
	return code;
}

static bool measured_target(const struct measuring *m, const char *target)
{
	array_each (&m->found, const struct measured, f) {
		if (strcmp(f->target, target) == 0 && f->result.status == MEASURE_OK) {
			return true;
		}
	}
	return false;
}

/* The name without its template arguments. */
static struct str base_name(const char *name)
{
	return (struct str){name, strcspn(name, "<")};
}

/* A kernel of one list whose symbol is not in the other. */
struct unmatched {
	const struct measured *of;
	const struct kernel_metrics *kernel;
	const struct unmatched *other; /* the same kernel under its old or new name; or NULL */
};

struct unmatched_list {
	ARRAY(struct unmatched) v;
};

/* The only kernel in the list with the file, target and template of like, by the most similar
 * compiler; NULL: several, or none. */
static struct unmatched *only(struct unmatched_list *list, const struct unmatched *like)
{
	struct unmatched *found = NULL;
	unsigned most = 0;
	size_t n = 0;

	array_each (&list->v, struct unmatched, s) {
		unsigned alike = gate_alike(s->of, like->of);
		if (strcmp(s->of->file, like->of->file) == 0 &&
			strcmp(s->of->target, like->of->target) == 0 && (!found || alike >= most) &&
			str_eq(base_name(s->kernel->name), base_name(like->kernel->name))) {
			n = found && alike == most ? n + 1 : 1;
			most = alike;
			found = s;
		}
	}
	return n == 1 ? found : NULL;
}

/* An instance of a template with other arguments has another symbol. If exactly one instance is
 * missing and one is new, pairs them. */
static void match_renamed(struct unmatched_list *added, struct unmatched_list *gone)
{
	array_each (&added->v, struct unmatched, s) {
		struct unmatched *was = only(gone, s);
		if (was && only(added, s)) {
			s->other = was;
			was->other = s;
		}
	}
}

static void find_unmatched(
	struct unmatched_list *added, struct unmatched_list *gone, const struct measuring *m)
{
	array_each (&m->found, const struct measured, f) {
		for (size_t i = 0; f->result.status == MEASURE_OK && i < f->result.m.kernels; i++) {
			const struct kernel_metrics *k = &f->result.m.kernel[i];
			if (!find_kernel(m->saved, m->saved_n, f->target, k->symbol)) {
				array_push(&added->v, (struct unmatched){f, k, NULL});
			}
		}
	}
	span_each (m->saved, m->saved_n, const struct measured, s) {
		for (size_t k = 0; measured_target(m, s->target) && k < s->result.m.kernels; k++) {
			const struct kernel_metrics *was = &s->result.m.kernel[k];
			if (!find_kernel(m->found.v, m->found.n, s->target, was->symbol)) {
				array_push(&gone->v, (struct unmatched){s, was, NULL});
			}
		}
	}
	match_renamed(added, gone);
}

static void add_name(
	struct gate *out, const struct measuring *m, enum gate_kind kind, const struct unmatched *s)
{
	bool named = !m->by_compiler && m->opts->compilers.v.n > 1;
	array_push(&out->v, (struct gate_line){.kind = kind,
				    .file = s->of->file,
				    .kernel = s->kernel->name,
				    .target = s->of->target,
				    .was = s->other ? s->other->kernel->name : NULL,
				    .by = named ? s->of->compiler : NULL});
}

/* Reports new and renamed kernels. */
static int compare_added(struct gate *out, const struct measuring *m,
	const struct unmatched_list *added, size_t *compared)
{
	int code = EXIT_CLEAN;

	array_each (&added->v, const struct unmatched, s) {
		add_name(out, m, s->other ? GATE_RENAMED : GATE_NEW, s);
		if (s->other) {
			code = exit_worse(code, compare_kernel(out, m, s->other->of,
							s->other->kernel, s->of, s->kernel));
			++*compared;
		}
	}
	return code;
}

/* The compiler of the earlier figures, for messages. */
static const char *saved_by(const struct measuring *m)
{
	return m->by_compiler ? m->opts->compilers.v.v[0] : m->opts->against;
}

/* Reports missing kernels: as gone if the whole project was measured, else as errors. */
static int say_gone(struct gate *out, const struct measuring *m, const struct unmatched_list *gone)
{
	bool whole = m->project;
	int code = EXIT_CLEAN;

	array_each (&m->found, const struct measured, f) {
		whole = whole && f->result.status == MEASURE_OK;
	}
	array_each (&gone->v, const struct unmatched, s) {
		if (!s->other && whole) {
			add_name(out, m, GATE_GONE, s);
		} else if (!s->other) {
			msg_error("%s: %s for %s was not measured now, so it could not be compared",
				saved_by(m), s->kernel->name, s->of->target);
			code = EXIT_INPUT;
		}
	}
	return code;
}

/* Is it the first new result for its target and compiler? */
static bool is_first(const struct measuring *m, const struct measured *of)
{
	array_each (&m->found, const struct measured, f) {
		if (strcmp(f->target, of->target) == 0 && gate_alike(f, of) == 3) {
			return f == of;
		}
	}
	return true;
}

/* Notes, once for each target and compiler, that a difference may come from the compiler, not from
 * the source. */
static void say_compilers(const struct measuring *m)
{
	const struct gate_sides sides = sides_of(m);

	array_each (&m->found, const struct measured, f) {
		const struct measured *was = is_first(m, f) ? gate_before(&sides, f, NULL) : NULL;
		const char *before = was && was->compiler ? was->compiler->version : NULL;
		const char *now = f->compiler ? f->compiler->version : NULL;

		if (before && now && strcmp(before, now) != 0) {
			msg_note(
				"%s: its figures for %s are by another compiler: %s before, %s now",
				m->opts->against, f->target, before, now);
		}
	}
}

static int compare_saved(struct gate *out, const struct measuring *m)
{
	const struct gate_sides sides = sides_of(m);
	struct unmatched_list added = {{0}}, gone = {{0}};
	int code = EXIT_CLEAN;
	size_t compared = 0;

	if (!m->by_compiler) {
		say_compilers(m);
	}
	find_unmatched(&added, &gone, m);
	array_each (&m->found, const struct measured, f) {
		for (size_t i = 0; f->result.status == MEASURE_OK && i < f->result.m.kernels; i++) {
			const struct kernel_metrics *now = &f->result.m.kernel[i];
			const struct measured *was = gate_before(&sides, f, now->symbol);
			if (was) {
				const struct kernel_metrics *before =
					measurement_kernel(&was->result.m, now->symbol);
				code = exit_worse(
					code, compare_kernel(out, m, was, before, f, now));
				compared++;
			}
		}
	}
	code = exit_worse(code, compare_added(out, m, &added, &compared));
	code = exit_worse(code, say_gone(out, m, &gone));
	array_release(&added.v);
	array_release(&gone.v);
	if (compared == 0) {
		msg_error(
			"%s: none of its kernels was measured: nothing was compared", saved_by(m));
		code = EXIT_INPUT;
	}
	return code;
}

/* ---- --compiler given again ---- */

static void add_by(struct measuring *m, const struct measuring *of, const char *path, bool first)
{
	array_each (&of->found, const struct measured, f) {
		if (!f->compiler || strcmp(f->compiler->path, path) != 0) {
			continue;
		}
		if (first) {
			m->saved[m->saved_n++] = *f;
		} else {
			array_push(&m->found, *f);
		}
	}
}

/* Compares another compiler's figures with the first's. */
static int compare_compilers(
	struct gate *out, const struct measuring *m, const char *first, const char *other)
{
	struct measuring pair = {.opts = m->opts,
		.arena = m->arena,
		.by_compiler = true,
		.saved = ARENA_ARRAY(m->arena, struct measured, m->found.n)};
	size_t from = out->v.n;

	add_by(&pair, m, first, true);
	add_by(&pair, m, other, false);
	bool both = pair.found.n > 0 && pair.saved_n > 0;
	int code = both ? compare_saved(out, &pair) : EXIT_INPUT;
	size_t kept = from;
	for (size_t i = from; i < out->v.n; i++) {
		struct gate_line l = out->v.v[i];
		if (!l.by) { /* new or missing */
			l.before_by = pair.saved[0].compiler;
			l.by = pair.found.v[0].compiler;
		}
		out->v.v[kept] = l;
		kept += l.kind != GATE_CHANGED; /* the table already shows both figures */
	}
	out->v.n = kept;
	array_release(&pair.found);
	return code;
}

static int compare_all(struct gate *out, const struct measuring *m)
{
	const struct name_list *given = &m->opts->compilers;
	int code = EXIT_CLEAN;
	const char *first = given->v.n > 1 ? compiler_usual(m->arena, given->v.v[0]) : NULL;

	for (size_t i = 1; first && i < given->v.n; i++) {
		const char *other = compiler_usual(m->arena, given->v.v[i]);
		if (other && strcmp(first, other) != 0) {
			code = exit_worse(code, compare_compilers(out, m, first, other));
		} else {
			msg_error("--compiler %s and --compiler %s are the same: nothing was "
				  "compared",
				given->v.v[0], given->v.v[i]);
			code = exit_worse(code, EXIT_USAGE);
		}
	}
	return code;
}

int measuring_judge(struct gate *out, const struct measuring *m)
{
	bool checks = m->opts->check && (m->budgets.v.n > 0 || !m->opts->against);
	int code = checks ? check_budgets(out, m) : EXIT_CLEAN;

	code = m->opts->against ? exit_worse(code, compare_saved(out, m)) : code;
	return exit_worse(code, compare_all(out, m));
}
