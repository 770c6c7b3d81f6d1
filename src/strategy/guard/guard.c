/*
 * Guarded ifs in place of alternatives, for sequentialize, launder and the fenced form of hoist.
 * Only the text between the arms' bodies is replaced, so the bodies keep every byte (except the
 * indentation of bodies from a deeper level).
 *
 *   if (c) {              const bool c = c;
 *           A             if (c) {
 *   } else {                      A
 *           B     =>      }
 *   }                     __builtin_amdgcn_wave_barrier();
 *                         if (!c) {
 *                                 B
 *                         }
 *
 * More than two alternatives (else-if chains, switches, ifs that are whole arms) get one selector
 * (selector.c). The conditions are evaluated once, in order, each only if the ones before it were
 * false.
 */
#include "frontend/text/lex.h"
#include "strategy/guard/leaves.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

static bool has_directive(struct str t, size_t begin, size_t end)
{
	lex_each (k, t, begin, end) {
		if (k.kind == LEX_DIRECTIVE) {
			return true;
		}
	}
	return false;
}

/* The conditional directives in [begin, end). */
enum conditionals {
	CONDITIONALS_NONE,
	CONDITIONALS_WHOLE, /* every #if has its #endif, and its braces are balanced */
	CONDITIONALS_CUT    /* one crosses an end of the range or of a block */
};

static enum conditionals conditionals_in(struct str t, size_t begin, size_t end)
{
	enum {
		DEPTH = 16
	};
	enum conditionals found = CONDITIONALS_NONE;
	int outside[DEPTH];
	int depth = 0, open = 0;
	lex_each (k, t, begin, end) {
		if (k.kind != LEX_DIRECTIVE) {
			open += lex_is(t, k, "{") ? 1 : lex_is(t, k, "}") ? -1 : 0;
			if (depth && open < outside[depth - 1]) {
				return CONDITIONALS_CUT;
			}
			continue;
		}
		struct lex_token word = lex_next(t, k.begin + 1);
		struct str w = str_sub(t, word.begin, word.end < k.end ? word.end : k.end);
		bool opens = str_starts(w, "if");
		bool closes = str_is(w, "endif");
		if (!opens && !closes && !str_starts(w, "el")) {
			continue;
		}
		found = CONDITIONALS_WHOLE;
		if (opens ? depth == DEPTH : depth == 0 || open != outside[depth - 1]) {
			return CONDITIONALS_CUT;
		}
		if (opens) {
			outside[depth] = open;
		}
		depth += opens ? 1 : closes ? -1 : 0;
	}
	return depth ? CONDITIONALS_CUT : found;
}

/* ---- edits ---- */

/* Replaces the indentation from by to in [begin, end). */
static void reindent(struct plan *p, size_t begin, size_t end, struct str from, struct str to)
{
	struct str t = p->text;
	if (str_eq(from, to)) {
		return;
	}
	struct text_lines lines = text_lines_in(t, begin, end);
	for (size_t at; (at = text_next_line(&lines)) != SIZE_MAX;) {
		if (str_eq(str_sub(t, at, at + from.n), from) && !plan_in_edit(p, at) &&
			!plan_touches_edit(p, at, at + from.n)) {
			plan_edit(p, at, at + from.n, "%.*s", STR_ARG(to));
		}
	}
}

/* Comments of the header that are not inside a condition's text. */
static void header_comments(
	struct job *j, struct sbuf *out, size_t begin, size_t end, const char *indent)
{
	struct plan *p = j->p;
	size_t at = begin;
	const char *nl = arena_printf(p->a, "%s%s", text_eol(p->text), indent);
	for (;;) {
		const struct kt_node *next = NULL;
		for (size_t i = 0; i < j->n_conds; i++) {
			const struct kt_node *c = j->cond[i];
			if (c->begin >= at && c->begin < end && (!next || c->begin < next->begin)) {
				next = c;
			}
		}
		text_add_lines(out, plan_comments(p, at, next ? next->begin : end), "", nl);
		if (!next) {
			return;
		}
		at = next->end;
	}
}

static void add_guard(struct sbuf *out, const struct selector *n, size_t i)
{
	if (n->flag) {
		sbuf_addf(out, "if (%s%s)", (i == 0) != n->negated ? "" : "!", n->name);
	} else {
		sbuf_addf(out, "if (%s == %zu)", n->name, i);
	}
}

static bool is_laundered(const struct guard_opts *o)
{
	return o->guard != GUARD_FENCE;
}

static const char *launder(const struct job *j, const struct selector *n, bool why)
{
	return plan_launder(j->p, j->opts->guard == GUARD_LAUNDER_UNIFORM, n->name, why);
}

/* The declarations in an if's or switch's parentheses, each with a semicolon. */
static void add_declarations(
	struct job *j, struct sbuf *out, const struct kt_node *n, const char *eol_indent)
{
	for (int slot = KT_IF_INIT; slot <= KT_IF_VAR; slot++) {
		const struct kt_node *d = n->child[slot];
		if (!d) {
			continue;
		}
		struct str s = str_trim(plan_text(j->p, d->begin, d->end));
		sbuf_addstr(out, s);
		sbuf_adds(out, str_ends(s, ";") ? "" : ";");
		sbuf_adds(out, eol_indent);
	}
}

static void rewrite_inner(struct job *j, const struct leaf *l, struct str to);

/* if/else stays; only the conditions are replaced by tests of the laundered selector. */
/* The end of a condition with its parentheses, not counting the statement's own; header is the
 * statement's start. */
static size_t after_parens(struct str t, size_t header, const struct kt_node *cond, size_t end)
{
	int open = -1;
	lex_each (k, t, header, cond->begin) {
		open += lex_is(t, k, "(") ? 1 : lex_is(t, k, ")") ? -1 : 0;
	}
	for (struct lex_token k = lex_next(t, end); open > 0 && lex_is(t, k, ")");
		k = lex_next(t, k.end)) {
		end = k.end;
		open--;
	}
	return end;
}

static void edit_kept(struct job *j, const struct selector *n, const struct plan_frame *f)
{
	struct plan *p = j->p;
	const char *nl = f->nl;
	struct sbuf s = {0};
	sbuf_adds(&s, f->open);
	const struct kt_node *c = j->cond[0];
	header_comments(j, &s, j->top->node->begin, c->begin, f->indent);
	add_declarations(j, &s, j->top->node, nl);
	guard_add_snapshot(j, &s, n, nl);
	sbuf_addf(&s, "%s%s", launder(j, n, true), nl);
	/* the condition of a declaration is its name: remove the initializer, too */
	const struct kt_node *var = j->top->node->child[KT_IF_VAR];
	size_t end = var && var->end > c->end ? var->end : c->end;
	end = after_parens(p->text, j->top->node->begin, c, end);
	plan_edit(p, f->begin, end, n->flag ? "%sif (%s" : "%sif (%s == 0", sbuf_cstr(&s), n->name);
	for (size_t i = 1; i < j->n_conds; i++) {
		c = j->cond[i];
		plan_edit(p, c->begin, c->end, "%s == %zu", n->name, i);
	}
	if (*f->close) {
		plan_edit(p, j->top->node->end, j->top->node->end, "%s", f->close);
		reindent(p, end, j->top->node->end, text_indent(p->text, j->top->node->begin),
			str_of(f->indent));
	}
	sbuf_release(&s);
}

static void edit_guards(struct job *j, const struct selector *n, const struct plan_frame *f)
{
	struct plan *p = j->p;
	const char *nl = f->nl;
	const char *step = text_indent_step(p->text);
	struct str to = str_of(f->indent);
	size_t at = f->begin;
	for (size_t i = 0; i < j->leaves.n; i++) {
		const struct leaf *l = &j->leaves.v[i];
		struct sbuf s = {0};
		if (i == 0) {
			sbuf_adds(&s, f->open);
			header_comments(j, &s, at, l->begin, f->indent);
			add_declarations(j, &s, j->top->node, nl);
			guard_add_snapshot(j, &s, n, nl);
		} else {
			const struct leaf *before = &j->leaves.v[i - 1];
			sbuf_adds(&s, before->braced ? "" : nl);
			sbuf_adds(&s, before->braced ? "" : "}");
			sbuf_adds(&s, nl);
			if (!is_laundered(j->opts)) {
				sbuf_addf(&s, "%s%s", plan_fence(p, i == 1), nl);
			}
			header_comments(j, &s, at, l->begin, f->indent);
		}
		if (is_laundered(j->opts)) {
			sbuf_addf(&s, "%s%s", launder(j, n, i == 0), nl);
		}
		add_guard(&s, n, i);
		if (!l->braced) {
			sbuf_addf(&s, " {%s%s", nl, step);
		} else {
			sbuf_addf(&s, l->attr.n ? " %.*s" : "%.*s", STR_ARG(l->attr));
			sbuf_adds(&s, l->own_line ? nl : " ");
		}
		plan_edit(p, at, l->begin, "%s", sbuf_cstr(&s));
		sbuf_release(&s);
		at = l->end;
	}
	const struct leaf *last = &j->leaves.v[j->leaves.n - 1];
	struct sbuf s = {0};
	if (!last->braced) {
		sbuf_addf(&s, "%s}", nl);
	}
	text_add_lines(&s, plan_comments(p, at, j->top->node->end), nl, "");
	sbuf_adds(&s, f->close);
	plan_edit(p, at, j->top->node->end, "%s", sbuf_cstr(&s));
	sbuf_release(&s);
	for (size_t i = 0; i < j->leaves.n; i++) {
		const struct leaf *l = &j->leaves.v[i];
		if (l->drop_end > l->drop_begin) {
			plan_edit(p, l->drop_begin, l->drop_end, "%s", "");
		}
		const char *deeper =
			arena_printf(p->a, "%.*s%s", STR_ARG(to), l->braced ? "" : step);
		if (j->opts->nested) {
			rewrite_inner(j, l, str_of(deeper));
		}
		reindent(p, l->begin, l->end, l->indent, str_of(deeper));
	}
}

/* Rewrites the outermost wide merges inside a leaf in the same way. One that cannot be rewritten is
 * left alone; that does not matter for this one. The leaf's lines get the indentation to. */
static void rewrite_inner(struct job *j, const struct leaf *l, struct str to)
{
	struct plan *p = j->p;
	struct guard_opts opts = *j->opts;
	opts.from = l->indent;
	opts.to = to;
	const struct merge *last = p->parse->merges.v + p->parse->merges.n;
	const struct merge *m = merge_below(&p->parse->merges, j->top->node);
	for (; m && m != last && kt_is_below(m->node, j->top->node); m++) {
		bool in = m->node->begin >= l->begin && m->node->end <= l->end;
		if (!in || !plan_is_wide(m) || m->kind == MERGE_COND ||
			plan_in_edit(p, m->node->begin)) {
			continue;
		}
		bool covered = false;
		for (const struct merge *up = m->outer; up && up->node != j->top->node;
			up = up->outer) {
			covered |= up->node->begin >= l->begin && plan_is_wide(up) &&
				   up->kind != MERGE_COND;
		}
		if (!covered) {
			struct candidate saved = {.clause = p->out->clause, .why = p->out->why};
			size_t edits = p->out->edits.edits.n;
			opts.wrapped = !l->braced && m->node->begin == l->begin;
			if (!plan_guard_arms(p, m, &opts)) {
				p->out->edits.edits.n = edits;
				p->out->clause = saved.clause;
				p->out->why = saved.why;
			}
		}
	}
}

static bool check_regions(struct job *j)
{
	struct plan *p = j->p;
	size_t at = j->top->node->begin;
	for (size_t i = 0; i <= j->leaves.n; i++) {
		size_t end = i < j->leaves.n ? j->leaves.v[i].begin : j->top->node->end;
		if (end < at) {
			plan_refuse(p, guard_clause(p, 2), "its arms do not stand in order");
			return false;
		}
		if (has_directive(p->text, at, end) &&
			!plan_refuse(p, guard_clause(p, 2),
				"a preprocessor directive stands between its arms")) {
			return false;
		}
		if (i == j->leaves.n) {
			break;
		}
		const struct leaf *l = &j->leaves.v[i];
		at = l->end;
		enum conditionals c = conditionals_in(p->text, l->begin, l->end);
		if (c == CONDITIONALS_CUT &&
			!plan_refuse(p, guard_clause(p, 2),
				"an #if reaches from one of its arms into another")) {
			return false;
		}
		/* code skipped in this parse may hold a break or a case */
		if (c == CONDITIONALS_WHOLE && l->merge->kind == MERGE_SWITCH &&
			!plan_refuse(p, guard_clause(p, 2),
				"an #if stands inside an arm of the switch")) {
			return false;
		}
	}
	return true;
}

/* An indentation of the source after an arm around the merge has moved. */
static struct str moved_indent(const struct job *j, struct str indent)
{
	const struct guard_opts *o = j->opts;
	if (!o->from.p || str_eq(o->from, o->to) ||
		!str_eq(str_sub(indent, 0, o->from.n), o->from)) {
		return indent;
	}
	const char *s = arena_printf(
		j->p->a, "%.*s%.*s", STR_ARG(o->to), STR_ARG(str_sub(indent, o->from.n, indent.n)));
	return str_of(s);
}

static struct plan_frame frame_around(const struct job *j, bool block)
{
	const struct plan *p = j->p;
	const struct kt_node *head = j->top->node;
	struct str base = moved_indent(j, text_indent(p->text, head->begin));
	struct str up = head->parent ? text_indent(p->text, head->parent->begin) : base;
	return plan_frame_around(
		p, head, block, base, moved_indent(j, up), j->leaves.v[0].own_line);
}

/* Collects the leaves and the selector. */
static bool collect(struct job *j, struct selector *n)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	bool is_switch = m->kind == MERGE_SWITCH, negated = true;
	const char *value = NULL, *own = NULL;
	if (is_switch) {
		own = guard_plain_condition(p, m, m->node->child[KT_SWITCH_COND], &negated);
		own = negated ? NULL : own;
		const char *const base[] = {"value", "selected", "value", NULL};
		value = own ? own : plan_name_of(p, base);
	}
	if (!guard_refuse_header(p, m) ||
		!(is_switch ? guard_collect_switch(j, m, value) : guard_collect(j, m))) {
		return false;
	}
	if (j->leaves.n < 2 &&
		!(plan_refuse(p, guard_clause(p, 1), "fewer than two of its arms do anything") &&
			j->leaves.n)) {
		return false;
	}
	*n = guard_selector(j, value, own);
	return true;
}

static bool guard_job(struct job *j)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	struct selector n;
	if (!collect(j, &n)) {
		return false;
	}
	struct leaf *last = &j->leaves.v[j->leaves.n - 1];
	last->end = last->end < m->node->end ? last->end : m->node->end;
	if (!check_regions(j)) {
		return false;
	}
	const struct kt_node *head = m->node;
	bool block = head->child[KT_IF_INIT] || head->child[KT_IF_VAR] ||
		     (!j->opts->wrapped &&
			     (plan_needs_block(head) || !text_first_on_line(p->text, head->begin)));
	struct plan_frame f = frame_around(j, block);
	if (j->opts->keep_else) {
		edit_kept(j, &n, &f);
	} else {
		edit_guards(j, &n, &f);
	}
	return true;
}

static void find_selection(struct job *j, struct selection *out)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	struct selector n;
	if (!collect(j, &n)) {
		return;
	}
	struct sbuf s = {0};
	add_declarations(j, &s, m->node, "\n");
	guard_add_snapshot(j, &s, &n, "\n");
	if (is_laundered(j->opts)) {
		sbuf_addf(&s, "%s\n", launder(j, &n, true));
	}
	out->snapshot = (struct str){arena_strndup(p->a, s.p, s.n), s.n};
	sbuf_release(&s);
	out->name = n.name;
	out->flag = n.flag;
	out->negated = n.negated;
	out->partial = j->partial;
	out->declares = m->node->child[KT_IF_INIT] || m->node->child[KT_IF_VAR];
	out->arms = j->leaves.n;
	out->arm = ARENA_ARRAY(p->a, const struct arm *, out->arms);
	out->merge = ARENA_ARRAY(p->a, const struct merge *, out->arms);
	for (size_t i = 0; i < out->arms; i++) {
		out->arm[i] = j->leaves.v[i].arm;
		out->merge[i] = j->leaves.v[i].merge;
	}
	out->conds = j->n_conds;
	out->cond = arena_memdup(p->a, j->cond, j->n_conds * sizeof(j->cond[0]));
}

bool plan_select_arms(struct plan *p, const struct guard_opts *opts, struct selection *out)
{
	struct job j = {.p = p, .opts = opts, .top = p->merge};
	*out = (struct selection){0};
	find_selection(&j, out);
	array_release(&j.leaves);
	sbuf_release(&j.selector);
	return out->arms > 0;
}

/*
 * With guarded ifs on a divergent condition, the compiler may drop the branch around a short arm
 * and run it with EXEC = 0, which matrix operations and barriers ignore. Only its output shows
 * that. After readfirstlane the condition is uniform, if all lanes are active.
 */
static void ask_for_measurement(struct job *j)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	unsigned flags = 0;
	for (size_t i = 0; i < m->arms; i++) {
		flags |= facts_effects(p->parse->facts, m->arm[i].body).flags;
	}
	struct uniformity *u = p->parse->uniformity;
	if (uniformity_control(u, m->node) && j->opts->guard == GUARD_LAUNDER_UNIFORM) {
		return;
	}
	const struct kt_node *value =
		m->kind == MERGE_SWITCH ? m->node->child[KT_SWITCH_COND] : NULL;
	plan_guards_on(p, flags, m->node, &value, 1);
	plan_guards_on(p, flags, m->node, j->cond, j->n_conds);
}

bool plan_guard_arms(struct plan *p, const struct merge *m, const struct guard_opts *opts)
{
	struct job j = {.p = p, .opts = opts, .top = m};
	const unsigned *around = p->guard_clause;
	p->guard_clause = opts->clause;
	bool ok = guard_job(&j);
	p->guard_clause = around;
	if (ok) {
		ask_for_measurement(&j);
	}
	array_release(&j.leaves);
	sbuf_release(&j.selector);
	return ok;
}
