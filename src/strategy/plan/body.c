#include "strategy/plan/body.h"

#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"

/* The macro invocation at this place. */
static struct str invocation_at(struct str t, size_t at)
{
	struct lex_token name = lex_next(t, at);
	struct lex_token open = lex_next(t, name.end);
	size_t close = lex_is(t, open, "(") ? lex_close(t, open.begin) : SIZE_MAX;
	return str_sub(t, name.begin, close == SIZE_MAX ? name.end : close + 1);
}

const char *plan_quote(struct plan *p, const struct kt_node *n)
{
	enum {
		MAX = 60
	};
	struct str s = str_trim(kt_source(p->parse->unit, n));
	struct sbuf out = {0};
	if (!s.n) {
		s = invocation_at(p->parse->unit->file[n->file].text, n->begin);
	}
	s.n -= str_ends(s, ";");
	for (size_t i = 0; i < s.n && out.n < MAX; i++) {
		bool blank = s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r';
		if (!blank) {
			sbuf_addc(&out, s.p[i]);
		} else if (out.n && out.p[out.n - 1] != ' ') {
			sbuf_addc(&out, ' ');
		}
	}
	if (out.n == MAX) {
		sbuf_adds(&out, "...");
	}
	return sbuf_finish(&out, p->a).p;
}

/* Is it a block whose braces do not come from a macro? */
static bool is_block(const struct kt_node *n)
{
	return n->kind == KT_COMPOUND && !(n->flags & KT_F_MACRO);
}

size_t body_begin(struct str t, const struct kt_node *body)
{
	static const char *const word[] = {"[", "[", "likely", "]", "]"};
	struct lex_token k = lex_next(t, body->begin);
	for (size_t i = 0; i < sizeof(word) / sizeof(*word); i++) {
		bool is = lex_is(t, k, word[i]) || (i == 2 && lex_is(t, k, "unlikely"));
		if (!is) {
			return body->begin;
		}
		k = lex_next(t, k.end);
	}
	return lex_is(t, k, "{") ? k.begin : body->begin;
}

static void compound_body(struct str t, struct arm_body *b, const struct kt_node *n)
{
	b->list = (struct match_arm){(const struct kt_node *const *)n->child, n->n};
	b->begin = body_begin(t, n) + 1;
	b->end = n->end - 1;
	b->braced = true;
}

static void drop_break(struct arm_body *b)
{
	const struct kt_node *last = b->list.n ? b->list.stmt[b->list.n - 1] : NULL;
	if (last && last->kind == KT_BREAK) {
		b->list.n--;
		b->end = last->begin;
	}
}

static void switch_body(struct plan *p, struct arm_body *b)
{
	const struct arm *arm = b->arm;
	size_t n = arm->last - arm->first;
	const struct kt_node **v = ARENA_ARRAY(p->a, const struct kt_node *, n);
	for (size_t i = 0; i < n; i++) {
		v[i] = arm->body->child[arm->first + i];
	}
	v[0] = kt_past_labels(v[0]);
	b->list = (struct match_arm){v, v[0] ? n : 0};
	if (!v[0]) {
		return;
	}
	b->begin = v[0]->begin;
	b->end = v[n - 1]->end;
	drop_break(b);
	if (b->list.n == 1 && is_block(v[0])) {
		compound_body(p->text, b, v[0]);
		drop_break(b);
	}
}

static void statement_body(struct plan *p, struct arm_body *b)
{
	const struct kt_node *n = b->arm->body;
	if (is_block(n)) {
		compound_body(p->text, b, n);
		return;
	}
	b->list = (struct match_arm){arena_memdup(p->a, &n, sizeof(n)), 1};
	b->begin = n->begin;
	b->end = n->end;
}

void arm_body_find(
	struct arm_body *out, struct plan *p, const struct merge *m, const struct arm *arm)
{
	*out = (struct arm_body){.arm = arm};
	if (m->kind == MERGE_SWITCH) {
		switch_body(p, out);
	} else {
		statement_body(p, out);
	}
}

/* Is there only white space and comments between the statements of an arm? */
static bool only_statements(struct str t, const struct arm_body *b)
{
	size_t at = b->begin;
	for (size_t i = 0; i < b->list.n; i++) {
		const struct kt_node *n = b->list.stmt[i];
		if (n->begin < at || lex_skip_space(t, at) != n->begin || n->end > b->end) {
			return false;
		}
		at = n->end;
	}
	return lex_skip_space(t, at) >= b->end;
}

const struct kt_node *body_unwritten(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->flags & KT_F_IMPLICIT && n->parent && n->parent->kind == KT_COMPOUND) {
			return n;
		}
	}
	return NULL;
}

bool arms_check_written(struct plan *p, unsigned clause)
{
	const struct merge *m = p->merge;
	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *hidden = body_unwritten(m->arm[i].body);
		if (hidden) {
			return plan_refuse(p, clause,
				"in line %u of an arm implicit code runs, at the end of a scope or "
				"for a range",
				kt_line(p->parse->unit, hidden->file, hidden->begin));
		}
	}
	return true;
}

bool plan_check_directives(struct plan *p, size_t begin, size_t end, unsigned clause)
{
	struct str fixed = layout_fixed(plan_layout(p), begin, end);
	return !fixed.n || plan_refuse(p, clause, "a preprocessor directive stands inside: %.*s",
				   STR_ARG(fixed));
}

static const struct kt_file *file_called(const struct kt_unit *u, const char *path)
{
	for (kt_id i = 1; i < u->files; i++) {
		if (u->file[i].path && strcmp(u->file[i].path, path) == 0) {
			return &u->file[i];
		}
	}
	return NULL;
}

/* The first skipped range from *at on that overlaps the span, clipped to it; end 0: none. */
static struct span next_skip(const struct kt_file *f, size_t *at, struct span in)
{
	for (; *at < f->skips; ++*at) {
		const struct kt_skip *s = &f->skip[*at];
		if (s->end > in.begin && s->begin < in.end) {
			++*at;
			return (struct span){s->begin > in.begin ? s->begin : in.begin,
				s->end < in.end ? s->end : in.end};
		}
	}
	return (struct span){0};
}

/* The first offset in the span at which two views of a file differ; SIZE_MAX: none. A view that
 * skips the whole span does not matter. */
static size_t views_differ(const struct kt_file *x, const struct kt_file *y, struct span in)
{
	size_t i = 0, k = 0;
	struct span first = next_skip(y, &k, in);
	if (first.begin == in.begin && first.end == in.end) {
		return SIZE_MAX;
	}
	for (k = 0;;) {
		struct span a = next_skip(x, &i, in), b = next_skip(y, &k, in);
		if (a.begin != b.begin || a.end != b.end) {
			return !b.end || (a.end && a.begin < b.begin) ? a.begin : b.begin;
		}
		if (!a.end) {
			return SIZE_MAX;
		}
	}
}

/* The span of the plan's edits in the function, extended by about. */
static struct span edited_part(const struct plan *p, const struct kt_fn *fn, struct span about)
{
	array_each (&p->out->edits.edits, const struct edit, e) {
		if (e->begin >= fn->begin && e->end <= fn->end) {
			about.begin = e->begin < about.begin ? e->begin : about.begin;
			about.end = e->end > about.end ? e->end : about.end;
		}
	}
	return about;
}

/* A function that the host may run is also planned in the host's pass. If that did not parse, or
 * has another function there, the check fails. */
static bool check_host(struct plan *p, const struct kt_fn *fn, const char *path)
{
	const struct strategy_opts *o = p->opts;
	for (size_t i = 0; i < o->views; i++) {
		const struct kt_unit *u = o->view[i].unit;
		bool there = false, seen = false;
		for (kt_id k = 1; u->host && k < u->fns; k++) {
			const struct kt_fn *f = &u->fn[k];
			const char *in = f->file ? u->file[f->file].path : NULL;
			bool same = in && f->name_at == fn->name_at && strcmp(in, path) == 0;
			there |= same;
			seen |= same && f->body;
		}
		if (there && !seen) {
			return plan_refuse(p, CLAUSE_VIEWS,
				"the host has a function of its own in the place of '%s'",
				fn->name);
		}
	}
	return !o->host_unseen ||
	       plan_refuse(p, CLAUSE_VIEWS,
		       "the host may compile '%s', and its pass does not parse", fn->name);
}

bool plan_check_views(struct plan *p, kt_id id, size_t begin, size_t end)
{
	const struct strategy_opts *o = p->opts;
	const struct kt_unit *u = p->parse->unit;
	const struct kt_fn *fn = &u->fn[id];
	const struct kt_file *mine = &u->file[fn->file];
	bool hosts = fn_may_be_hosts(u, id);
	struct span part = edited_part(p, fn, (struct span){begin, end});
	if (hosts && !check_host(p, fn, mine->path)) {
		return false;
	}
	for (size_t i = 0; i < o->views; i++) {
		const struct kt_unit *other = o->view[i].unit;
		const struct kt_file *f = file_called(other, mine->path);
		size_t at = !f || (other->host && !hosts) ? SIZE_MAX : views_differ(mine, f, part);
		if (at != SIZE_MAX) {
			struct str line = str_sub(mine->text, at, lex_line_end(mine->text, at));
			return plan_refuse(p, CLAUSE_VIEWS,
				"%s sees other code there than %s: %.*s", other->target, u->target,
				STR_ARG(line));
		}
	}
	return true;
}

bool arm_bodies_check_text(struct plan *p, const struct merge *m, const struct arm_body *body,
	size_t n, unsigned clause_text, unsigned clause_empty)
{
	const struct kt_node *node = m->node;
	struct str t = p->text;
	if (plan_in_macro(p, m)) {
		return plan_refuse(p, clause_text, "%s", plan_why_fixed(m, FROM_MACRO));
	}
	if (!str_starts(str_sub(t, node->begin, node->end),
		    m->kind == MERGE_SWITCH ? "switch" : "if")) {
		return plan_refuse(p, clause_text, "an attribute or a pragma stands before it");
	}
	if (!plan_check_directives(p, node->begin, node->end, clause_text)) {
		return false;
	}
	if (!arms_check_written(p, clause_text)) {
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		if (!body[i].list.n) {
			return plan_refuse(p, clause_empty, "an arm is empty");
		}
		if (!only_statements(t, &body[i])) {
			return plan_refuse(p, clause_text,
				"an arm holds text that is not a statement of its own");
		}
	}
	return true;
}

/* A structured binding with unknown names (by std::get), or another declaration that is not
 * understood. */
static bool is_unknown_binding(const struct kt_node *n)
{
	return n->kind == KT_STMT_UNKNOWN && n->n && n->child[0]->kind == KT_EXPR_UNKNOWN;
}

bool arms_check_bindings(struct plan *p, unsigned clause)
{
	const struct kt_node *node = p->merge->node;
	for (const struct kt_node *n = node; n; n = kt_next(n, node)) {
		bool binds = kt_is_binding(p->parse->unit, n) || is_unknown_binding(n);
		if (binds) {
			return plan_refuse(p, clause,
				"a structured binding is declared in an arm: '%s'",
				plan_quote(p, n));
		}
	}
	return true;
}

bool arm_bodies_check_types(struct plan *p, const struct arm_body *body, size_t n, unsigned clause)
{
	for (size_t i = 0; i < n; i++) {
		struct str word = layout_type_word(plan_layout(p), body[i].begin, body[i].end);
		if (word.n) {
			return plan_refuse(p, clause,
				"a type or namespace is named or declared in an arm (%.*s)",
				STR_ARG(word));
		}
	}
	return arms_check_bindings(p, clause);
}

/* If other carriers are chained, an unchained one costs no copy. */
static bool counts(const struct merge *m, const struct carrier *c)
{
	return c->chained || !m->chained;
}

/* The total width of an accumulator unrolled by hand, acc0 ... acc31: all carriers as wide as the
 * widest. */
static unsigned width_together(const struct merge *m, unsigned widest)
{
	unsigned sum = 0;
	for (size_t i = 0; i < m->carriers; i++) {
		bool one = m->carrier[i].width == widest && counts(m, &m->carrier[i]);
		sum += one ? widest : 0;
	}
	return sum;
}

static unsigned widest_of(const struct merge *m)
{
	unsigned widest = 0;
	for (size_t i = 0; i < m->carriers; i++) {
		const struct carrier *c = &m->carrier[i];
		widest = counts(m, c) && c->width > widest ? c->width : widest;
	}
	return widest;
}

static void collect(struct wide *out, struct plan *p, unsigned limit)
{
	const struct merge *m = p->merge;
	for (size_t i = 0; i < m->carriers; i++) {
		const struct carrier *k = &m->carrier[i];
		if (k->width >= limit && counts(m, k)) {
			locset_add(&out->set, p->a, k->loc);
			out->width += k->width;
		}
	}
}

bool wide_find(struct wide *out, struct plan *p, unsigned clause)
{
	const struct merge *m = p->merge;
	unsigned widest = widest_of(m);
	*out = (struct wide){0};
	if (m->widest < WIDE_MIN && width_together(m, widest) < WIDE_MIN) {
		return plan_refuse(
			p, clause, "no accumulator of %d VGPRs or more crosses here", WIDE_MIN);
	}
	out->narrow_instance = widest < WIDE_MIN && m->widest >= WIDE_MIN;
	collect(out, p, widest < WIDE_MIN ? widest : WIDE_MIN);
	return out->set.n > 0 || plan_refuse(p, clause, "no wide accumulator crosses here");
}

bool wide_keep_widest(struct wide *w, struct plan *p)
{
	struct wide kept = {.narrow_instance = w->narrow_instance};
	unsigned half = (widest_of(p->merge) + 1) / 2;
	if (half <= WIDE_MIN) {
		return false;
	}
	collect(&kept, p, half);
	bool less = kept.set.n < w->set.n;
	*w = kept;
	return less;
}

bool plan_is_wide(const struct merge *m)
{
	/* Not by width: all instances of a site must get the same edits, and some instances of a
	 * template may be narrow. */
	return m->chained > 0 && !m->one_armed;
}
