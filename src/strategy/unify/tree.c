/* The arms of a merge and of merges nested in it, as a tree whose leaves are calls. */
#include "analysis/arms/contract.h"
#include "analysis/merge/arm.h"
#include "frontend/text/lex.h"
#include "strategy/extract/calls.h"
#include "strategy/extract/needs.h"
#include "strategy/guard/leaves.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"
#include "strategy/unify/unify.h"

static bool off_topic(struct unify *u, const char *why)
{
	return plan_off_topic(u->p, UNIFY_CALLS, why);
}

/* Reads a merge below the plan's; like: for a ?:, the statement around it. */
static bool read_merge(struct unify *u, struct callee *c, struct unify_node *n,
	const struct merge *m, const struct callee_leaf *like);

/* Is the initializer a number, true, false or a qualified enumerator of the constant's type? */
static bool is_plain_constant(const struct unify *u, const struct kt_node *v)
{
	const struct kt_unit *unit = u->p->parse->unit;
	const struct kt_type *t = &unit->type[v->type];
	const struct kt_node *x = v->n ? v->child[0] : NULL;
	if (!x || !t->is_const || (v->flags | x->flags) & KT_F_MACRO || !kt_is_constant(x)) {
		return false;
	}
	struct str s = plan_text(u->p, x->begin, x->end);
	bool minus = str_starts(s, "-") && !str_starts(str_of(t->canon), "unsigned");
	bool number = s.n > (minus ? 1 : 0) && s.n < 10, name = s.n > 0;
	for (size_t i = 0; i < s.n; i++) {
		number &= (s.p[i] >= '0' && s.p[i] <= '9') || (minus && i == 0);
		name &= lex_is_word_char(s.p[i]) || s.p[i] == ':';
	}
	bool truth = str_is(s, "true") || str_is(s, "false");
	bool same = x->kind != KT_CAST &&
		    str_eq(kt_type_bare(t, true), kt_type_bare(kt_type_of(unit, x), true));
	return t->kind == KT_T_BOOL
		       ? truth
		       : t->kind == KT_T_INT && ((number && t->size >= 4) ||
							(name && same && str_holds(s, STR("::"))));
}

/* Is it a local object without a destructor, which may be the object of the arm's call? */
static bool is_object(const struct unify *u, const struct kt_node *d)
{
	const struct kt_unit *unit = u->p->parse->unit;
	const struct kt_node *v = d->n == 1 ? d->child[0] : NULL;
	if (!v || v->kind != KT_VAR || (d->flags | v->flags) & KT_F_MACRO) {
		return false;
	}
	const struct kt_type *t = &unit->type[v->type];
	const struct kt_sym *s = &unit->sym[v->sym];
	return t->kind == KT_T_RECORD && !t->destroys && !t->is_volatile &&
	       s->owner == KT_OWNER_RUN && s->space == KT_PRIVATE && !s->is_static && s->name;
}

static bool is_called_on(const struct match_arm *list, size_t from, kt_id sym)
{
	for (size_t i = from; i < list->n; i++) {
		const struct kt_node *root = list->stmt[i];
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind == KT_CALL && n->flags & KT_F_METHOD && n->n &&
				kt_names(n->child[0], sym)) {
				return true;
			}
		}
	}
	return false;
}

static bool are_constants(const struct unify *u, const struct kt_node *d)
{
	bool are = u->tree.constants + d->n <= UNIFY_LEAVES_MAX;
	for (size_t k = 0; k < d->n && are; k++) {
		are = d->child[k]->kind == KT_VAR && is_plain_constant(u, d->child[k]);
	}
	return are;
}

/* Takes constants, constexpr bool FIRST = true, and objects that are called, off the list. Of
 * another declaration, each variable becomes a statement of its own. */
static void take_declared(struct unify *u, struct match_arm *list)
{
	size_t n = 0, all = 0;
	for (size_t i = 0; i < list->n; i++) {
		all += 1 + list->stmt[i]->n;
	}
	const struct kt_node **v = ARENA_ARRAY(u->p->a, const struct kt_node *, all);
	for (size_t i = 0; i < list->n; i++) {
		const struct kt_node *d = list->stmt[i];
		bool declares = d->kind == KT_DECL && i + 1 < list->n;
		if (declares && u->tree.objects < UNIFY_LEAVES_MAX && is_object(u, d) &&
			is_called_on(list, i + 1, d->child[0]->sym)) {
			u->tree.object[u->tree.objects++] = d->child[0];
			continue;
		}
		bool constants = declares && are_constants(u, d);
		for (size_t k = 0; declares && (constants || d->n > 1) && k < d->n; k++) {
			if (constants) {
				u->tree.constant[u->tree.constants++] = d->child[k];
			} else {
				v[n++] = d->child[k];
			}
		}
		if (!declares || (d->n < 2 && !constants)) {
			v[n++] = d;
		}
	}
	*list = (struct match_arm){v, n};
}

/* The object of the arm, one of those from first on, that the value is a call of; NULL: none. */
static const struct kt_node *called_for(
	const struct unify *u, size_t first, const struct kt_node *value)
{
	bool method = value->kind == KT_CALL && value->flags & KT_F_METHOD && value->n;
	for (size_t i = first; i < u->tree.objects && method; i++) {
		if (kt_names(value->child[0], u->tree.object[i]->sym)) {
			return u->tree.object[i];
		}
	}
	return NULL;
}

/* ---- objects in front of the merge ---- */

/* The declaration of the local variable in the function of the merge, in a block; NULL: none. */
static const struct kt_node *declared_in_front(const struct unify *u, kt_id sym)
{
	const struct kt_node *merge = u->p->merge->node;
	const struct kt_node *root = u->p->parse->unit->fn[u->p->merge->fn].body;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool own = n->kind == KT_VAR && n->sym == sym && n->parent->kind == KT_DECL;
		const struct kt_node *block = own ? n->parent->parent : NULL;
		if (block && block->kind == KT_COMPOUND && kt_is_below(merge, block) &&
			n->end <= merge->begin && n->file == merge->file) {
			return n;
		}
	}
	return NULL;
}

/* May a name in the declaration mean something else at the merge? */
static bool is_hidden(const struct unify *u, const struct kt_node *d)
{
	const struct kt_unit *unit = u->p->parse->unit;
	const struct kt_node *merge = u->p->merge->node;
	const struct layout *l = plan_layout(u->p);
	bool hidden = layout_type_word(l, d->end, merge->begin).n > 0 ||
		      layout_fixed(l, d->end, merge->begin).n > 0;
	for (kt_id id = 1; id < unit->syms && !hidden; id++) {
		const struct kt_sym *s = &unit->sym[id];
		hidden = s->name && s->file == d->file && s->at >= d->end && s->at < merge->end &&
			 callee_has_word(
				 u->p->text, (struct span){d->begin, d->end}, str_of(s->name));
	}
	return hidden;
}

const struct kt_node *unify_in_front(const struct unify *u, const struct callee_leaf *l)
{
	const struct kt_node *of =
		l->call->flags & KT_F_METHOD && l->call->n ? l->call->child[0] : NULL;
	bool named = of && of->kind == KT_REF && of->sym && !(l->call->flags & KT_F_MACRO);
	const struct kt_node *v = named && !l->made ? declared_in_front(u, of->sym) : NULL;
	return v && is_object(u, v->parent) && !is_hidden(u, v->parent) ? v : NULL;
}

/* Adds what the expression reads; false: not only variables of the function, or it calculates a
 * float. */
static bool add_reads(struct fx *out, const struct unify *u, const struct kt_node *value)
{
	const struct kt_unit *unit = u->p->parse->unit;
	bool plain = !value_calculates_floats(unit, value);
	for (const struct kt_node *n = value; n && plain; n = kt_next(n, value)) {
		const struct kt_sym *s = &unit->sym[n->kind == KT_REF ? n->sym : 0];
		const struct kt_type *t = &unit->type[s->type];
		bool variable = s->name && s->owner == KT_OWNER_RUN && t->kind != KT_T_REFERENCE &&
				!t->is_volatile;
		plain = n->flags & KT_F_VALUE || n->kind == KT_LITERAL || n->kind == KT_CAST ||
			n->kind == KT_BINARY || n->kind == KT_INIT_LIST || variable ||
			(n->kind == KT_MEMBER && n->n && !(n->flags & KT_F_ARROW));
		bool fixed = t->kind == KT_T_ARRAY || (t->is_const && kt_is_scalar(t));
		if (variable && !fixed) { /* the place of an array stays */
			locset_add(&out->reads, u->p->a, LOC_VAR(n->sym));
		}
	}
	return plain;
}

bool unify_keeps(const struct unify *u, const struct callee_leaf *l, const struct kt_node *value)
{
	const struct kt_node *d = l->made ? l->made->parent : NULL, *merge = u->p->merge->node;
	struct fx reads = {0};
	bool in_arm = d && d->end > merge->begin;
	if (!d || (in_arm && !u->row)) {
		return true; /* its arm makes it for this call */
	}
	locset_add(&reads.reads, u->p->a, LOC_VAR(l->made->sym));
	bool keeps = !value || add_reads(&reads, u, value), below = false;
	for (size_t i = d->slot + 1; keeps && !below && i < d->parent->n; i++) {
		const struct kt_node *n = d->parent->child[i];
		struct fx fx = facts_effects(u->p->parse->facts, n);
		below = kt_is_below(in_arm ? l->stmt : merge, n);
		keeps = (in_arm && below) ||
			!facts_conflict(u->p->parse->facts, u->p->a, &reads, &fx, NULL);
	}
	return keeps;
}

/* Can the object's declaration be removed: does its merge alone use it, and is it on its own lines?
 */
static bool is_droppable(const struct unify *u, const struct kt_node *d)
{
	const struct plan *p = u->p;
	const struct kt_node *merge = p->merge->node;
	size_t end = p->parse->unit->fn[p->merge->fn].end;
	struct map words = {0};
	plan_words_of(&words, p, str_of(p->parse->unit->sym[d->child[0]->sym].name));
	bool may = !facts_acts(p->parse->facts, d) && text_first_on_line(p->text, d->begin) &&
		   text_line_ends_at(p->text, d->end);
	lex_each (k, p->text, d->end, end) {
		bool own = k.begin >= merge->begin && k.begin < merge->end;
		may &= own || !map_get(&words, lex_text(p->text, k), 0);
	}
	array_each (&p->out->edits.edits, const struct edit, e) { /* what is in the merge's place */
		lex_each (k, e->text, 0, e->begin >= merge->begin ? e->text.n : 0) {
			may &= !map_get(&words, lex_text(e->text, k), 0);
		}
	}
	map_release(&words);
	return may;
}

void unify_drop_objects(const struct unify *u)
{
	struct str t = u->p->text;
	for (size_t i = 0; i < u->tree.leaves; i++) {
		const struct kt_node *v = u->fn[0]->c.leaf[i].made;
		bool drops = v && u->fn[0]->drops && v->end <= u->p->merge->node->begin;
		for (size_t k = 0; k < i; k++) {
			drops &= u->fn[0]->c.leaf[k].made != v;
		}
		if (drops && !plan_in_edit(u->p, v->begin) && is_droppable(u, v->parent)) {
			size_t end = str_find(t, "\n", v->parent->end);
			plan_edit(u->p, text_line_start(t, v->parent->begin),
				end == SIZE_MAX ? t.n : end + 1, "%s", "");
		}
	}
}

struct span unify_resolved(const struct unify *u, const struct callee_leaf *l, struct span targ)
{
	const struct kt_unit *unit = u->p->parse->unit;
	struct str word = str_trim(plan_text(u->p, targ.begin, targ.end));
	for (size_t i = u->tree.constants; i-- > 0;) { /* the innermost first */
		const struct kt_node *v = u->tree.constant[i], *x = v->child[0];
		if (str_is(word, unit->sym[v->sym].name) && v->end <= l->call->begin &&
			kt_is_below(l->call, v->parent->parent)) {
			return (struct span){x->begin, x->end};
		}
	}
	return targ;
}

struct span unify_object(const struct plan *p, struct span prefix)
{
	struct lex_token last = {0};
	lex_each (k, p->text, prefix.begin, prefix.end) {
		last = k;
	}
	bool has = last.end && lex_is(p->text, last, "template");
	return has ? (struct span){prefix.begin, last.begin} : prefix;
}

/* A call, or a ?: of them. */
static bool read_value(struct unify *u, struct callee *c, struct unify_node *n,
	const struct kt_node *value, const struct callee_leaf *like)
{
	if (value->kind == KT_COND) {
		struct merge *m = ARENA_NEW(u->p->a, struct merge);
		*m = (struct merge){.kind = MERGE_COND, .fn = u->p->merge->fn, .node = value};
		arms_find(m, u->p->parse->facts, u->p->a);
		return read_merge(u, c, n, m, like);
	}
	if (u->tree.leaves == UNIFY_LEAVES_MAX) {
		return off_topic(u, "it has more than 64 arms");
	}
	n->leaf = u->tree.leaves++;
	struct callee_leaf *l = &u->tree.leaf[n->leaf];
	u->tree.arm_of[n->leaf] = u->tree.arms ? u->tree.arms - 1 : 0;
	*l = *like;
	l->call = value;
	l->fn = value->fn;
	if (!callee_is_known(c, value)) {
		return false;
	}
	const struct kt_type *ret = &c->u->type[c->u->fn[l->fn].ret];
	bool dropped =
		value == l->stmt && ret->trivial; /* a discarded result can be discarded again */
	if (!l->chosen && !l->given && !dropped && !callee_check_result(c, l)) {
		return false;
	}
	const struct kt_type *to = kt_type_of(c->u, value->parent);
	bool same = ret->kind != KT_T_REFERENCE && !ret->is_volatile && ret->canon && to->canon &&
		    strcmp(ret->canon, to->canon) == 0;
	return !l->chosen || (same && (!l->result || callee_check_result(c, l))) ||
	       plan_refuse(u->p, UNIFY_CALLS, "the arms of a ?: have other types than it has");
}

/* The last statement of an arm before its return; or NULL. All arms must end alike. */
static const struct kt_node *take_return(struct unify *u, struct match_arm *list)
{
	const struct kt_node *last = list->stmt[list->n - 1];
	bool gives = last->kind == KT_RETURN && last->n;
	if (last->kind == KT_RETURN && !gives) {
		u->tree.followed = true;
		list->n--;
		last = list->n ? list->stmt[list->n - 1] : NULL;
	}
	if (last && (last->kind == KT_IF || last->kind == KT_SWITCH)) {
		return last; /* its arms decide */
	}
	bool returns = gives || u->tree.followed;
	bool same = !u->tree.ends || (u->tree.returns == returns && u->tree.gives == gives);
	u->tree.ends = true;
	u->tree.returns = returns;
	u->tree.gives = gives;
	return same && !(gives && u->tree.followed) ? last : NULL;
}

/* The returned expression, without parentheses and implicit conversions. */
static const struct kt_node *given(const struct unify *u, const struct kt_node *by)
{
	const struct kt_node *n = by->child[0];
	struct str t = u->p->text;
	while (n->kind == KT_CAST && n->n == 1 && !n->text) {
		n = n->child[0];
	}
	struct lex_token k = lex_next(t, lex_next(t, by->begin).end);
	while (lex_is(t, k, "(") && k.begin < n->begin) {
		k = lex_next(t, k.end);
	}
	return k.begin == n->begin ? n : by->child[0];
}

static bool returns(const struct kt_node *root)
{
	const struct kt_node *n = root;
	while (n && n->kind != KT_RETURN) {
		n = kt_next(n, root);
	}
	return n;
}

/* An arm with several calls has as many as all arms: the row-th is read. NULL: it has not, or one
 * before the last returns. */
static const struct kt_node *take_row(struct unify *u, struct match_arm list)
{
	u->rows = u->rows ? u->rows : list.n;
	bool goes_on = list.n == u->rows;
	for (size_t i = 0; i + 1 < list.n && goes_on; i++) {
		goes_on = !returns(list.stmt[i]);
	}
	return goes_on ? list.stmt[u->row] : NULL;
}

static bool read_inner(
	struct unify *u, struct callee *c, struct unify_node *n, const struct kt_node *stmt)
{
	const struct merge *inner = merge_at(&u->p->parse->merges, stmt);
	return inner ? read_merge(u, c, n, inner, NULL)
		     : off_topic(u, "an arm has an if with a constant condition");
}

static bool read_row(struct unify *u, struct callee *c, struct unify_node *n,
	const struct kt_node *stmt, size_t objects)
{
	if (u->rows > 1 && (stmt->kind == KT_IF || stmt->kind == KT_SWITCH)) {
		size_t row = u->row, rows = u->rows;
		bool guarded = u->tree.guarded;
		u->row = 0;
		u->rows = 1;
		u->tree.guarded = false;
		bool ok = read_inner(u, c, n, stmt);
		ok = ok && (!u->tree.guarded ||
				   off_topic(u, "one of the calls of an arm is under a condition"));
		u->tree.guarded = guarded;
		u->row = row;
		u->rows = rows;
		return ok;
	}
	const struct kt_node *var = unify_declares(stmt);
	struct callee_leaf like = {.stmt = stmt, .given = stmt->kind == KT_RETURN || var};
	const struct kt_node *value = var && var->n	   ? var->child[0]
				      : like.given && !var ? given(u, stmt)
							   : callee_assigned(c, stmt, &like.result);
	like.made = called_for(u, objects, value);
	if (u->rows == 1 && u->tree.objects > objects + (like.made != NULL)) {
		return off_topic(u, "an arm makes an object that its call is not of");
	}
	like.chosen = value->kind == KT_COND;
	return read_value(u, c, n, value, &like);
}

static bool read_statements(
	struct unify *u, struct callee *c, struct unify_node *n, struct match_arm list)
{
	size_t objects = u->tree.objects;
	while (list.n == 1 && list.stmt[0]->kind == KT_COMPOUND) {
		const struct kt_node *block = list.stmt[0];
		list = (struct match_arm){(const struct kt_node *const *)block->child, block->n};
	}
	const struct kt_node *stmt = list.n ? take_return(u, &list) : NULL;
	take_declared(u, &list);
	if (!list.n) {
		return off_topic(u, "an arm does more, or less, than to call a function");
	}
	if (!stmt) {
		return off_topic(u, "an arm returns, and another one does not, or otherwise");
	}
	bool merges = list.n == 1 && (stmt->kind == KT_IF || stmt->kind == KT_SWITCH);
	if (merges && u->tree.objects == objects) {
		return read_inner(u, c, n, stmt);
	}
	stmt = take_row(u, list);
	if (!stmt) {
		return off_topic(u, "an arm does more, or less, than to call a function");
	}
	if (!u->list) {
		u->tree.arms += u->rows > 1;
		return read_row(u, c, n, stmt, objects);
	}
	n->leaf = u->tree.leaves++;
	u->list[n->leaf] = list;
	return u->tree.leaves < UNIFY_LEAVES_MAX || off_topic(u, "it has more than 64 arms");
}

static bool read_arm(struct unify *u, struct callee *c, struct unify_node *n, const struct merge *m,
	const struct arm *arm)
{
	struct arm_body b;
	arm_body_find(&b, u->p, m, arm);
	bool followed = u->tree.followed;
	bool ok = read_statements(u, c, n, b.list);
	u->tree.followed = followed;
	return ok;
}

/* Does it use a constant of an arm around it? */
static bool names_constant(const struct unify *u, const struct kt_node *n)
{
	const struct kt_unit *unit = u->p->parse->unit;
	bool names = false;
	for (size_t i = 0; i < u->tree.constants && !names; i++) {
		const struct kt_node *v = u->tree.constant[i];
		names = kt_is_below(n, v->parent->parent) &&
			plan_may_name(u->p, n->begin, n->end, unit->sym[v->sym].name);
	}
	return names && !plan_refuse(u->p, UNIFY_ARGUMENT, "'%s' uses a variable of an arm",
				plan_quote(u->p, n));
}

static bool take_condition(struct unify *u, const struct kt_node *cond)
{
	if (u->tree.conds == UNIFY_LEAVES_MAX) {
		return off_topic(u, "it has more than 64 conditions");
	}
	if (cond->flags & KT_F_MACRO || cond->file != u->p->merge->node->file) {
		return plan_refuse(u->p, UNIFY_TEXT, "a condition comes from a macro");
	}
	if (facts_acts(u->p->parse->facts, cond)) {
		return plan_refuse(
			u->p, UNIFY_ARGUMENT, "'%s' has a side effect", plan_quote(u->p, cond));
	}
	if (guard_is_object(u->p, cond)) {
		return plan_refuse(
			u->p, UNIFY_ARGUMENT, "'%s' is an object", plan_quote(u->p, cond));
	}
	u->tree.cond[u->tree.conds++] = cond;
	return !names_constant(u, cond);
}

/* May it be moved before the call: a number, pointer or reference that gets no product? */
static bool is_plain_value(const struct unify *u, kt_id type, const struct kt_node *value)
{
	const struct kt_type *t = &u->p->parse->unit->type[type];
	bool multiplies = !u->p->opts->contract_off &&
			  contract_holds_float(u->p->parse->unit, type) && value &&
			  contract_is_product(contract_of(u->p->parse->facts), value);
	return !multiplies &&
	       (t->kind == KT_T_INT || t->kind == KT_T_BOOL || t->kind == KT_T_POINTER ||
		       t->kind == KT_T_FLOAT || t->kind == KT_T_REFERENCE);
}

static bool is_plain_variable(const struct unify *u, const struct kt_node *v)
{
	return v->kind == KT_VAR && !(v->flags & KT_F_MACRO) &&
	       is_plain_value(u, v->type, v->n ? v->child[0] : NULL);
}

/* May the header's init be moved before the call? */
static bool is_plain_header(const struct unify *u, const struct kt_node *init)
{
	if (init->flags & KT_F_MACRO) {
		return false;
	}
	if (init->kind == KT_ASSIGN) {
		return init->n == 2 && is_plain_value(u, init->type, init->child[1]);
	}
	bool plain = init->kind == KT_DECL && init->n > 0;
	for (size_t i = 0; plain && i < init->n; i++) {
		plain = is_plain_variable(u, init->child[i]);
	}
	return plain;
}

static bool check_merge(struct unify *u, const struct merge *m)
{
	const struct kt_node *n = m->node;
	if (m->fallthrough) {
		return off_topic(u, "an arm of the switch falls through");
	}
	if (plan_in_macro(u->p, m)) {
		return plan_refuse(u->p, UNIFY_TEXT, "%s", plan_why_fixed(m, FROM_MACRO));
	}
	if (m->kind == MERGE_COND) {
		return !kt_is_constant(m->arm[0].cond) ||
		       off_topic(u, "an arm has a ?: with a constant condition");
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *o = m->arm[i].owner;
		if (o != n && (o->child[KT_IF_INIT] || o->child[KT_IF_VAR])) {
			return plan_refuse(u->p, UNIFY_ARGUMENT, "a condition declares a variable");
		}
	}
	const struct kt_node *init = n->child[KT_IF_INIT], *v = n->child[KT_IF_VAR];
	if ((init || v) && n != u->p->merge->node) {
		return plan_refuse(u->p, UNIFY_ARGUMENT,
			"the header of an inner %s has a statement",
			n->kind == KT_IF ? "if" : "switch");
	}
	bool plain = (!init || is_plain_header(u, init)) && (!v || is_plain_variable(u, v));
	return plain || plan_refuse(u->p, UNIFY_ARGUMENT,
				"its header declares an object, or calculates a product");
}

static bool is_plain_case(const struct kt_node *label)
{
	const struct kt_node *v = label->kind == KT_CASE ? label->child[KT_CASE_VALUE] : NULL;
	return label->kind == KT_DEFAULT ||
	       (v && !label->child[KT_CASE_HIGH] && !(v->flags & KT_F_MACRO));
}

static bool read_merge(struct unify *u, struct callee *c, struct unify_node *n,
	const struct merge *m, const struct callee_leaf *like)
{
	if (!check_merge(u, m) ||
		(m->kind == MERGE_SWITCH && !take_condition(u, m->node->child[KT_SWITCH_COND]))) {
		return false;
	}
	n->m = m;
	n->arm = ARENA_ARRAY(u->p->a, struct unify_node, m->arms);
	u->tree.guarded |= !m->has_else;
	if (u->tree.followed && !m->has_else) {
		return off_topic(u, "an arm returns without a call on one of its paths");
	}
	for (size_t i = 0; i < m->arms; i++) {
		for (size_t k = 0; k < m->arm[i].labels; k++) {
			const struct kt_node *label = m->arm[i].label[k];
			if (!is_plain_case(label)) {
				return plan_refuse(u->p, UNIFY_TEXT,
					"a case is a range, or comes from a macro");
			}
			if (label->kind == KT_CASE &&
				names_constant(u, label->child[KT_CASE_VALUE])) {
				return false;
			}
		}
		const struct arm *arm = &m->arm[i];
		if ((arm->cond && !take_condition(u, arm->cond)) ||
			!(m->kind == MERGE_COND ? read_value(u, c, &n->arm[i], arm->body, like)
						: read_arm(u, c, &n->arm[i], m, arm))) {
			return false;
		}
	}
	return true;
}

bool unify_read_tree(struct unify *u, struct callee *c)
{
	const struct merge *m = u->p->merge;
	const struct callee_leaf like = {.stmt = m->node, .chosen = true};
	return read_merge(u, c, &u->tree.top, m, &like) &&
	       (u->tree.leaves > 1 || off_topic(u, "it has one call"));
}
