/*
 * rejoin: undoes sequentialize and the guarded ifs of launder. They become an if/else again, for a
 * compiler that keeps uniform branches, with which guards and fence only cost time.
 *
 * BEFORE                                   AFTER
 *   const bool taken = t < tail;             if (t < tail) {
 *   if (taken) {                                     step(acc, x);
 *           step(acc, x);                    } else {
 *   }                                                last(acc, x);
 *   __builtin_amdgcn_wave_barrier();         }
 *   if (!taken) {
 *           last(acc, x);
 *   }
 *
 * It handles consecutive ifs without else (analysis/merge/guarded.h).
 *
 * Legal when
 *  1. the conditions exclude each other: they test one variable for true and for false, or for
 *     equality with different constants;
 *  2. that variable is local to the function, and no arm except the last may change it: then the
 *     conditions after the true one are false, as with else;
 *  3. if there are fences, its value is uniform: otherwise lanes of one arm could rely on what
 *     other lanes did before the fence in an earlier arm;
 *  4. no arm holds a label that can be jumped to from outside: after such a jump the next condition
 *     is tested, which an else would skip;
 *  5. the fence is unphi's: it has a comment of unphi's, or one above the ifs, or it is the macro.
 *     A fence of the user's may order the code before the ifs and in them.
 * An empty asm before the first if is removed, too, since it does not change the variable. So is
 * the snapshot, if nothing else reads it and nothing else is declared before the ifs; a number, if
 * it is a chain of conditions in the arms' order.
 *
 * Variants: nested (also rewrites guarded ifs inside the arms) and alone.
 */
#include <string.h>
#include "analysis/facts/mentions.h"
#include "analysis/merge/guarded.h"
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

struct row {
	struct plan *p;
	const struct kt_unit *u;
	const struct merge *m;
	kt_id sym;
	bool flag;
	/* the declaration of the snapshot, if it is removed; then also the arms' conditions, the
	 * last one NULL if some arm is always taken */
	const struct kt_node *snapshot;
	const char **cond;
};

/* ---- clauses ---- */

static bool check_conditions(const struct row *r)
{
	const struct merge *m = r->m;
	for (size_t i = 0; i < m->arms; i++) {
		for (size_t k = 0; k < i; k++) {
			struct guard_on x, y;
			guard_on(&x, m->arm[k].cond);
			guard_on(&y, m->arm[i].cond);
			if (x.value == y.value &&
				!plan_refuse(r->p, 1, "two of its conditions are the same")) {
				return false;
			}
		}
	}
	return true;
}

static bool check_kept(const struct row *r)
{
	const char *name = r->u->sym[r->sym].name;
	for (size_t i = 0; i + 1 < r->m->arms; i++) {
		struct fx fx = facts_effects(r->p->parse->facts, r->m->arm[i].body);
		if (!guard_keeps_value(r->p, r->m->fn, r->sym, &fx) &&
			!plan_refuse(r->p, 2, "'%s' may change between the conditions", name)) {
			return false;
		}
	}
	return true;
}

static bool says_why(struct str t)
{
	return str_holds(t, str_of("(unphi explain sequentialize)")) ||
	       str_holds(t, str_of("(unphi explain launder)")) ||
	       str_holds(t, str_of("// unphi explain sequentialize")) ||
	       str_holds(t, str_of("// unphi explain launder"));
}

/* unphi's comment about the ifs among the comments directly above at's line; else begin == end. */
static struct span comment_above(const struct row *r, size_t at)
{
	struct str t = r->p->text;
	size_t end = text_line_start(t, at);
	while (end > 0) {
		size_t begin = text_line_start(t, end - 1);
		struct str line = str_trim(str_sub(t, begin, end));
		if (str_starts(line, "//") && says_why(line)) {
			return (struct span){begin, end};
		}
		if (!str_starts(line, "//") && !str_starts(line, "/*")) {
			break;
		}
		end = begin;
	}
	return (struct span){end, end};
}

/* May it stand between the comment and the ifs: does it declare or set something for them? */
static bool leads_to(const struct row *r, const struct kt_node *n)
{
	return n->file == r->m->node->file &&
	       (n->kind == KT_DECL || text_is_launder(plan_text(r->p, n->begin, n->end)) ||
		       facts_writes(r->p->parse->facts, n, LOC_VAR(r->sym)));
}

/* unphi's comment above the ifs, above declarations for them, or above a block, if or loop around
 * them that holds nothing else. */
static struct span reason_of(const struct row *r)
{
	const struct kt_node *n = r->m->node, *block = n->parent;
	size_t first = n->slot, last = r->m->arm[r->m->arms - 1].owner->slot;
	struct span above = comment_above(r, n->begin);
	for (; first > 0 && above.begin == above.end && leads_to(r, block->child[first - 1]);
		first--) {
		above = comment_above(r, block->child[first - 1]->begin);
	}
	bool all = first == 0 && last + 1 == block->n;
	for (; all && block && above.begin == above.end; block = block->parent) {
		if (text_first_on_line(r->p->text, block->begin)) {
			above = comment_above(r, block->begin);
		}
		const struct kt_node *up = block->parent;
		bool alone =
			up && up->kind == KT_IF && !guard_next(r->u, up) && !guard_before(r->u, up);
		all = block->kind == KT_COMPOUND && up && (alone || kt_is_loop(up->kind));
	}
	return above;
}

static struct str between(const struct row *r, size_t arm)
{
	return plan_text(r->p, r->m->arm[arm - 1].owner->end, r->m->arm[arm].owner->begin);
}

static bool check_fences(const struct row *r)
{
	const struct merge *m = r->m;
	struct plan *p = r->p;
	bool fenced = false, own = false;
	for (size_t i = 1; i < m->arms; i++) {
		enum guard_between b = guard_between(r->u, m->arm[i - 1].owner, m->arm[i].owner);
		fenced |= b == BETWEEN_FENCE || b == BETWEEN_MACRO;
		own |= b == BETWEEN_FENCE;
	}
	const char *why = NULL;
	for (size_t i = 0; fenced && i < m->arms && !why; i++) {
		plan_is_proved_uniform(p, m->arm[i].cond, &why);
	}
	if (why && !plan_refuse(p, 3, "%s", why)) {
		return false;
	}
	struct span said = reason_of(r);
	return !own || said.begin < said.end || str_holds(between(r, 1), str_of(PLAN_SAYS_FENCE)) ||
	       plan_refuse(p, 5,
		       "nothing says that the fence is unphi's, and it may order what "
		       "lanes share");
}

static bool check_labels(const struct row *r)
{
	for (size_t i = 0; i < r->m->arms; i++) {
		struct fx fx = facts_effects(r->p->parse->facts, r->m->arm[i].body);
		if (fx.flags & FX_LABEL &&
			!plan_refuse(r->p, 4, "an arm holds a label that can be jumped to")) {
			return false;
		}
	}
	return true;
}

/* ---- the snapshot ---- */

/* The text after the = of a declaration of one variable. */
static const char *initializer(const struct row *r, const struct kt_node *decl)
{
	struct str t = r->p->text;
	size_t eq = lex_find(t, r->u->sym[r->sym].at, decl->end, '=');
	size_t end = eq == SIZE_MAX ? eq : lex_find(t, eq + 1, decl->end, ';');
	return end == SIZE_MAX
		       ? NULL
		       : arena_printf(r->p->a, "%.*s", STR_ARG(str_trim(str_sub(t, eq + 1, end))));
}

/* Is the number a chain of conditions in the arms' order, c ? 0 : d ? 1 : 2? */
static bool take_chain(struct row *r, const struct kt_node *n)
{
	const struct merge *m = r->m;
	for (size_t i = 0; i < m->arms; i++) {
		struct guard_on on;
		guard_on(&on, m->arm[i].cond);
		bool last = i + 1 == m->arms;
		if (on.value != (int64_t)i || !n || n->flags & KT_F_MACRO) {
			return false;
		}
		if (last && n->kind != KT_COND) {
			return n->flags & KT_F_VALUE && n->value == (int64_t)i;
		}
		const struct kt_node *is = n->kind == KT_COND ? n->child[KT_COND_THEN] : NULL;
		const struct kt_node *cond = is ? n->child[KT_COND_COND] : NULL;
		if (!is || !(is->flags & KT_F_VALUE) || is->value != (int64_t)i ||
			cond->flags & KT_F_MACRO) {
			return false;
		}
		/* parentheses avoid a compiler warning */
		r->cond[i] = arena_printf(r->p->a, cond->kind == KT_ASSIGN ? "(%.*s)" : "%.*s",
			STR_ARG(plan_text(r->p, cond->begin, cond->end)));
		n = n->child[KT_COND_ELSE];
	}
	/* on some path no arm runs */
	return n && n->kind == KT_UNARY && n->op == KT_OP_NEG && !(n->flags & KT_F_MACRO) &&
	       n->child[0]->flags & KT_F_VALUE && n->child[0]->value == 1;
}

static void find_snapshot(struct row *r)
{
	const struct kt_node *first = r->m->node;
	const struct kt_node *d = first->slot ? first->parent->child[first->slot - 1] : NULL;
	const struct kt_type *t = &r->u->type[r->u->sym[r->sym].type];
	bool declares = d && d->kind == KT_DECL && d->n == 1 && !(d->flags & KT_F_MACRO) &&
			d->file == first->file && d->child[0]->sym == r->sym && t->is_const &&
			d->child[0]->n == 1;
	r->cond = ARENA_ARRAY(r->p->a, const char *, r->m->arms);
	if (!declares || str_trim(plan_text(r->p, d->end, first->begin)).n ||
		!text_first_on_line(r->p->text, d->begin) ||
		mentions_of(r->p->parse->facts, r->m->fn, r->sym).n != r->m->arms) {
		return;
	}
	struct guard_on on;
	guard_on(&on, r->m->arm[0].cond);
	if (r->flag && on.value && t->kind == KT_T_BOOL) {
		r->cond[0] = initializer(r, d);
		r->snapshot = r->cond[0] ? d : NULL;
	} else if (!r->flag && take_chain(r, d->child[0]->child[0])) {
		r->snapshot = d;
	}
}

/* ---- edits ---- */

/* The offset after the if's closing parenthesis. */
static size_t header_end(const struct row *r, const struct kt_node *n)
{
	size_t open = lex_find(r->p->text, n->begin, n->end, '(');
	return lex_close(r->p->text, open) + 1;
}

/* Comments between two arms, without unphi's own about the fence. */
static struct str other_comments(const struct row *r, size_t begin, size_t end)
{
	struct str c = plan_comments(r->p, begin, end), line;
	struct sbuf out = {0};
	while (c.n && str_line(&c, &line)) {
		if (!str_holds(line, str_of(PLAN_SAYS_FENCE)) &&
			!str_holds(line, str_of(PLAN_SAYS_LAUNDER))) {
			sbuf_addf(&out, "%.*s\n", STR_ARG(line));
		}
	}
	return sbuf_finish(&out, r->p->a);
}

static void edit_between(const struct row *r, size_t i)
{
	struct plan *p = r->p;
	const struct arm *before = &r->m->arm[i - 1], *arm = &r->m->arm[i];
	const char *nl = arena_printf(p->a, "%s%.*s", text_eol(p->text),
		STR_ARG(text_indent(p->text, before->owner->begin)));
	struct str comments = other_comments(r, before->owner->end, arm->owner->begin);
	bool own_line = text_first_on_line(p->text, before->body->begin);
	bool always = r->snapshot ? r->cond[i] == NULL : r->flag;
	struct sbuf s = {0};
	sbuf_adds(&s, own_line || comments.n ? "" : " ");
	text_add_lines(&s, comments, nl, "");
	sbuf_adds(&s, own_line || comments.n ? nl : "");
	sbuf_adds(&s, "else");
	if (!always) {
		struct str is = plan_text(p, arm->cond->begin, arm->cond->end);
		sbuf_addf(&s, " if (%.*s)", STR_ARG(r->snapshot ? str_of(r->cond[i]) : is));
	}
	plan_edit(p, before->owner->end, header_end(r, arm->owner), "%s", sbuf_cstr(&s));
	sbuf_release(&s);
}

/* Is it just an empty asm on the variable? Anything more, such as the macro with a readfirstlane,
 * is kept. */
static bool hides_alone(const struct row *r, const struct kt_node *n)
{
	struct str t = plan_text(r->p, n->begin, n->end);
	return str_starts(t, TEXT_LAUNDER) && text_first_on_line(r->p->text, n->begin) &&
	       facts_writes(r->p->parse->facts, n, LOC_VAR(r->sym));
}

static void edit(const struct row *r)
{
	struct plan *p = r->p;
	struct span said = reason_of(r);
	if (said.begin < said.end && !plan_in_edit(p, said.begin)) {
		plan_edit(p, said.begin, said.end, "%s", "");
	}
	if (r->snapshot) {
		plan_edit(p, r->snapshot->begin, header_end(r, r->m->node), "if (%s)", r->cond[0]);
	}
	const struct kt_node *first = r->m->node;
	const struct kt_node *before = first->slot ? first->parent->child[first->slot - 1] : NULL;
	if (before && before->file == first->file && hides_alone(r, before)) {
		text_remove_statement(&p->out->edits, p->a, p->text, before);
	}
	for (size_t i = 1; i < r->m->arms; i++) {
		edit_between(r, i);
	}
}

/* If the conditions may be divergent, only the compiler's output shows that matrix operations keep
 * the branch around them. */
static void ask_for_measurement(const struct row *r)
{
	struct plan *p = r->p;
	unsigned flags = 0;
	const struct kt_node **cond = ARENA_ARRAY(p->a, const struct kt_node *, r->m->arms);
	for (size_t i = 0; i < r->m->arms; i++) {
		flags |= facts_effects(p->parse->facts, r->m->arm[i].body).flags;
		cond[i] = r->m->arm[i].cond;
	}
	plan_guards_on(p, flags, r->m->node, cond, r->m->arms);
}

static bool rejoin(struct plan *p, const struct merge *m)
{
	struct row r = {.p = p, .u = p->parse->unit, .m = m};
	struct guard_on on;
	guard_on(&on, m->arm[0].cond);
	r.sym = on.sym;
	r.flag = on.flag;
	if (!check_conditions(&r) || !check_kept(&r) || !check_fences(&r) || !check_labels(&r)) {
		return false;
	}
	find_snapshot(&r);
	edit(&r);
	ask_for_measurement(&r);
	return true;
}

void rejoin_plan(struct plan *p, const char *variant)
{
	const struct merge_list *l = &p->parse->merges;
	const struct merge *m = p->merge;
	if (!rejoin(p, m) || strcmp(variant, "nested") != 0) {
		return;
	}
	for (size_t i = 0; i < l->guardeds; i++) {
		const struct merge *in = &l->guarded[i];
		bool inside = in != m && in->fn == m->fn && in->node->file == m->node->file &&
			      in->node->begin >= m->node->begin && merge_end(in) <= merge_end(m);
		struct candidate saved = {.clause = p->out->clause, .why = p->out->why};
		/* a refusal inside does not matter for this one */
		if (inside && !rejoin(p, in)) {
			p->out->clause = saved.clause;
			p->out->why = saved.why;
		}
	}
}
