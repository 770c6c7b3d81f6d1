/*
 * The arms of a merge and of merges nested in it, as a tree whose leaves are calls; and the
 * expression of the conditions that replaces a template argument of these calls.
 *
 *   if (a) {                          First: a       (true in arm 1, false in the others)
 *           f<true, NONE>();          Next:  a ? NONE : b ? FULL : SOME
 *   } else if (b) {
 *           f<false, FULL>();         A condition with equal texts on both sides is not tested.
 *   } else {
 *           f<false, SOME>();
 *   }
 */
#include "analysis/merge/arm.h"
#include "frontend/text/lex.h"
#include "strategy/extract/calls.h"
#include "strategy/extract/needs.h"
#include "strategy/guard/leaves.h"
#include "strategy/text/text.h"
#include "strategy/unify/unify.h"

/* ---- the tree ---- */

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

/* Takes constants declared before the call: constexpr bool FIRST = true; */
static bool take_constants(struct unify *u, struct match_arm list)
{
	for (size_t i = 0; i + 1 < list.n; i++) {
		const struct kt_node *d = list.stmt[i];
		for (size_t k = 0; d->kind == KT_DECL && k < d->n; k++) {
			if (d->child[k]->kind != KT_VAR || !is_plain_constant(u, d->child[k]) ||
				u->tree.constants == UNIFY_LEAVES_MAX) {
				return false;
			}
			u->tree.constant[u->tree.constants++] = d->child[k];
		}
		if (d->kind != KT_DECL) {
			return false;
		}
	}
	return list.n > 0;
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

static bool read_statements(
	struct unify *u, struct callee *c, struct unify_node *n, struct match_arm list)
{
	while (list.n == 1 && list.stmt[0]->kind == KT_COMPOUND) {
		const struct kt_node *block = list.stmt[0];
		list = (struct match_arm){(const struct kt_node *const *)block->child, block->n};
	}
	const struct kt_node *stmt = list.n ? take_return(u, &list) : NULL;
	if (!take_constants(u, list)) {
		return off_topic(u, "an arm does more, or less, than to call a function");
	}
	if (!stmt) {
		return off_topic(u, "an arm returns, and another one does not, or otherwise");
	}
	if (stmt->kind == KT_IF || stmt->kind == KT_SWITCH) {
		const struct merge *inner = merge_at(&u->p->parse->merges, stmt);
		return inner ? read_merge(u, c, n, inner, NULL)
			     : off_topic(u, "an if whose condition is constant stands in an arm");
	}
	struct callee_leaf like = {.stmt = stmt, .given = stmt->kind == KT_RETURN};
	const struct kt_node *value =
		like.given ? given(u, stmt) : callee_assigned(c, stmt, &like.result);
	like.chosen = value->kind == KT_COND;
	return read_value(u, c, n, value, &like);
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
			lex_has_word(u->p->text, n->begin, n->end, str_of(unit->sym[v->sym].name));
	}
	return names && !plan_refuse(u->p, UNIFY_ARGUMENT, "'%s' names what an arm declares",
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
		return plan_refuse(u->p, UNIFY_ARGUMENT, "'%s' does more than to read",
			plan_quote(u->p, cond));
	}
	if (guard_is_object(u->p, cond)) {
		return plan_refuse(
			u->p, UNIFY_ARGUMENT, "'%s' is an object", plan_quote(u->p, cond));
	}
	u->tree.cond[u->tree.conds++] = cond;
	return !names_constant(u, cond);
}

/* May the header's declaration be moved before the call? Only a number that is not a product. */
static bool is_plain_header(const struct unify *u, const struct kt_node *init)
{
	const struct kt_unit *unit = u->p->parse->unit;
	bool plain = init->kind == KT_DECL && !(init->flags & KT_F_MACRO) && init->n > 0;
	for (size_t i = 0; plain && i < init->n; i++) {
		const struct kt_node *v = init->child[i];
		enum kt_type_kind k = unit->type[v->type].kind;
		plain = v->kind == KT_VAR && !(v->flags & KT_F_MACRO) &&
			(k == KT_T_INT || k == KT_T_BOOL || k == KT_T_POINTER);
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
		       off_topic(u, "a ?: whose condition is constant stands in an arm");
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *o = m->arm[i].owner;
		if (o != n && (o->child[KT_IF_INIT] || o->child[KT_IF_VAR])) {
			return plan_refuse(u->p, UNIFY_ARGUMENT, "a condition declares a variable");
		}
	}
	const struct kt_node *init = n->child[KT_IF_INIT];
	bool plain = !init || (n == u->p->merge->node && is_plain_header(u, init));
	return (plain && !n->child[KT_IF_VAR]) ||
	       plan_refuse(u->p, UNIFY_ARGUMENT, "its header declares a variable");
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

/* ---- values ---- */

/* The precedence of an expression's text. */
enum binds {
	BINDS_COMMA,   /* , */
	BINDS_CHOICE,  /* ?: */
	BINDS_LOGIC,   /* && and || */
	BINDS_COMPARE, /* comparisons and arithmetic */
	BINDS_ALL
};

struct value {
	struct str text;
	enum binds binds;
	const char *op;	 /* "&&" or "||" at its top level, or NULL */
	int constant;	 /* a constant bool: 0 or 1; else -1 */
	bool pointer;	 /* a pointer as condition */
	struct str not_; /* the negation, if it is shorter than !(...) */
};

static struct str parens(struct unify *u, struct value v, enum binds at_least)
{
	return v.binds >= at_least ? v.text
				   : str_of(arena_printf(u->p->a, "(%.*s)", STR_ARG(v.text)));
}

static const char *const opposites[KT_OP_COUNT] = {[KT_OP_LT] = ">=",
	[KT_OP_GE] = "<",
	[KT_OP_GT] = "<=",
	[KT_OP_LE] = ">",
	[KT_OP_EQ] = "!=",
	[KT_OP_NE] = "=="};

static bool is_integer(const struct kt_unit *u, const struct kt_node *n)
{
	enum kt_type_kind k = kt_object_type(u, n->type)->kind;
	return k == KT_T_INT || k == KT_T_BOOL;
}

static struct value condition_value(struct unify *u, const struct kt_node *c)
{
	struct plan *p = u->p;
	struct value v = {.text = str_trim(plan_text(p, c->begin, c->end)), .constant = -1};
	bool binary = c->kind == KT_BINARY;
	v.pointer = kt_type_of(p->parse->unit, c)->kind == KT_T_POINTER;
	bool logic = binary && (c->op == KT_OP_LAND || c->op == KT_OP_LOR);
	v.binds = binary && c->op == KT_OP_COMMA ? BINDS_COMMA
		  : kt_binds_loosely(c)		 ? BINDS_CHOICE
		  : logic			 ? BINDS_LOGIC
		  : binary			 ? BINDS_COMPARE
						 : BINDS_ALL;
	const char *op = binary && c->n == 2 ? opposites[c->op] : NULL;
	bool spelled = op && kt_is_spelled(c->child[0]) && kt_is_spelled(c->child[1]);
	if (spelled && is_integer(p->parse->unit, c->child[0]) &&
		is_integer(p->parse->unit, c->child[1]) && c->child[0]->begin == c->begin &&
		c->child[1]->end == c->end) {
		v.not_ = str_of(arena_printf(p->a, "%.*s %s %.*s",
			STR_ARG(plan_text(p, c->begin, c->child[0]->end)), op,
			STR_ARG(plan_text(p, c->child[1]->begin, c->end))));
	} else if (c->kind == KT_UNARY && c->op == KT_OP_LNOT && kt_is_spelled(c->child[0]) &&
		   c->child[0]->end == c->end && !kt_binds_loosely(c->child[0]) &&
		   c->child[0]->kind != KT_BINARY) {
		v.not_ = str_trim(plan_text(p, c->child[0]->begin, c->end));
	}
	return v;
}

static struct value negated(struct unify *u, struct value v)
{
	struct value n = {.constant = -1, .not_ = v.text, .binds = BINDS_ALL};
	if (v.not_.n) {
		n.text = v.not_;
		n.binds = v.binds;
	} else {
		n.text = str_of(arena_printf(u->p->a, "!%.*s", STR_ARG(parens(u, v, BINDS_ALL))));
	}
	return n;
}

/* The text as an operand of && or ||; equal operators need no parentheses. */
static struct str operand(struct unify *u, struct value v, const char *op)
{
	return v.op && strcmp(v.op, op) == 0 ? v.text : parens(u, v, BINDS_COMPARE);
}

static struct value joined(struct unify *u, struct value x, const char *op, struct value y)
{
	struct str a = operand(u, x, op), b = operand(u, y, op);
	return (struct value){.constant = -1,
		.binds = BINDS_LOGIC,
		.op = op,
		.text = str_of(arena_printf(u->p->a, "%.*s %s %.*s", STR_ARG(a), op, STR_ARG(b)))};
}

static void count_use(struct unify *u, const struct kt_node *cond)
{
	for (size_t i = 0; i < u->tree.conds; i++) {
		u->tree.uses[i] += u->tree.cond[i] == cond;
	}
}

/* ?: does not allow a pointer on one side and a bool on the other. */
static struct value as_bool(struct unify *u, struct value v)
{
	if (!v.pointer) {
		return v;
	}
	const char *text =
		arena_printf(u->p->a, "%.*s != nullptr", STR_ARG(parens(u, v, BINDS_ALL)));
	return (struct value){.text = str_of(text), .constant = -1, .binds = BINDS_COMPARE};
}

/* cond ? x : y */
static struct value chosen(struct unify *u, struct value cond, struct value x, struct value y)
{
	if (x.constant == 1) {
		return y.constant == 0 ? cond : joined(u, cond, "||", y);
	}
	if (x.constant == 0) {
		return y.constant == 1 ? negated(u, cond) : joined(u, negated(u, cond), "&&", y);
	}
	if (y.constant == 0) {
		return joined(u, cond, "&&", x);
	}
	if (y.constant == 1) {
		return joined(u, negated(u, cond), "||", x);
	}
	x = as_bool(u, x);
	y = as_bool(u, y);
	struct str c = parens(u, cond, BINDS_LOGIC), a = parens(u, x, BINDS_LOGIC);
	return (struct value){.constant = -1,
		.binds = BINDS_CHOICE,
		.text = str_of(arena_printf(u->p->a, "%.*s ? %.*s : %.*s", STR_ARG(c), STR_ARG(a),
			STR_ARG(parens(u, y, BINDS_CHOICE))))};
}

/* The test of a switch for the labels of an arm. */
static struct value label_value(struct unify *u, const struct merge *m, const struct arm *arm)
{
	struct value of = condition_value(u, m->node->child[KT_SWITCH_COND]);
	struct value all = {0};
	for (size_t i = 0; i < arm->labels; i++) {
		const struct kt_node *v = arm->label[i]->child[KT_CASE_VALUE];
		struct value is = condition_value(u, v);
		struct str a = parens(u, of, BINDS_ALL), b = parens(u, is, BINDS_ALL);
		struct value one = {.constant = -1, .binds = BINDS_COMPARE};
		one.text = str_of(arena_printf(u->p->a, "%.*s == %.*s", STR_ARG(a), STR_ARG(b)));
		one.not_ = str_of(arena_printf(u->p->a, "%.*s != %.*s", STR_ARG(a), STR_ARG(b)));
		all = i ? joined(u, all, "||", one) : one;
		all.binds = i ? BINDS_LOGIC : BINDS_COMPARE;
		count_use(u, m->node->child[KT_SWITCH_COND]);
	}
	return all;
}

/* Is it a name, a number, its negation, or in parentheses? */
static bool is_plain(struct str s)
{
	if (s.n > 1 && s.p[0] == '(' && lex_close(s, 0) == s.n - 1) {
		return true;
	}
	s = s.n > 1 && s.p[0] == '!' ? str_sub(s, 1, s.n) : s;
	for (size_t i = 0; i < s.n; i++) {
		if (!lex_is_word_char(s.p[i]) && s.p[i] != ':') {
			return false;
		}
	}
	return s.n > 0;
}

/* The values of the calls to express. */
struct wanted_value {
	size_t i;
	bool argument; /* else a template argument */
	bool runs;     /* whether a call runs */
	bool is_bool;
	struct str type; /* for a template argument */
};

static struct str leaf_text(const struct unify *u, size_t leaf, const struct wanted_value *v)
{
	const struct callee_call *c = &u->tree.leaf[leaf].text;
	const struct callee *of = &u->fn[0]->c;
	struct callee_tag tag;
	if (!v->argument && !u->plain && of->pattern.tparam[v->i].tag &&
		callee_tag_of(&tag, of, leaf, of->pattern.tparam[v->i].tag - 1)) {
		return tag.value;
	}
	struct span at = v->argument ? c->arg[v->i] : c->targ[v->i];
	return plan_text(u->p, at.begin, at.end);
}

/* By the texts read: is a type of this name an enumeration? */
static bool is_enumeration(const struct unify *u, struct str type)
{
	const struct kt_unit *unit = u->p->parse->unit;
	size_t at = type.n;
	while (at > 0 && lex_is_word_char(type.p[at - 1])) {
		at--;
	}
	struct str word = str_sub(type, at, type.n);
	for (size_t i = 1; i < unit->files; i++) {
		struct str t = unit->file[i].text;
		for (size_t e = 0; word.n && (e = str_find(t, "enum", e)) != SIZE_MAX;) {
			struct lex_token k = lex_next(t, e), name = lex_next(t, k.end);
			bool scoped = lex_is(t, name, "class") || lex_is(t, name, "struct");
			name = scoped ? lex_next(t, name.end) : name;
			if (lex_is(t, k, "enum") && str_eq(lex_text(t, name), word)) {
				return true;
			}
			e += strlen("enum");
		}
	}
	return false;
}

/* Is it an expression of numbers and names without a call, which may also be computed at run
 * time? */
static bool is_constant_text(struct str s)
{
	struct lex_token before = {0};
	bool plain = s.n > 0;
	lex_each (k, s, 0, s.n) {
		bool word = k.kind == LEX_WORD || k.kind == LEX_NUMBER;
		bool calls =
			lex_is(s, k, "(") && (before.kind == LEX_WORD || lex_is(s, before, ">"));
		plain &= word ? !lex_is(s, k, "sizeof") && !lex_is(s, k, "alignof")
			      : k.kind == LEX_PUNCT && strchr("+-*/%():<>", s.p[k.begin]) && !calls;
		before = k;
	}
	return plain;
}

static bool is_integer_type(struct str type)
{
	static const char *const name[] = {"int", "unsigned", "unsigned int", "long", "short",
		"unsigned short", "unsigned long", "long long", "unsigned long long", "char",
		"unsigned char", "signed char", "size_t", "int8_t", "int16_t", "int32_t", "int64_t",
		"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
	struct str bare = str_starts(type, "std::") ? str_sub(type, 5, type.n) : type;
	bool is = false;
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		is |= str_is(bare, name[i]);
	}
	return is;
}

/* A template argument that is not a plain number is converted to the parameter's type, since ?:
 * converts both sides to a common type. */
static struct str converted(struct unify *u, struct str text, const struct wanted_value *wanted)
{
	if (wanted->is_bool || wanted->runs || callee_is_short_number(text) ||
		!is_integer_type(wanted->type)) {
		return text;
	}
	bool word = str_find(wanted->type, " ", 0) == SIZE_MAX;
	return str_of(arena_printf(u->p->a, word ? "%.*s(%.*s)" : "static_cast<%.*s>(%.*s)",
		STR_ARG(wanted->type), STR_ARG(text)));
}

static struct value value_of(
	struct unify *u, const struct unify_node *n, const struct wanted_value *wanted)
{
	static const struct value none = {.text = {"false", 5}, .binds = BINDS_ALL};
	if (!n->m) {
		struct str text = wanted->runs ? STR("true") : leaf_text(u, n->leaf, wanted);
		struct str to = wanted->argument ? text : converted(u, text, wanted);
		bool is_bool = wanted->is_bool;
		int constant = !is_bool		       ? -1
			       : str_is(text, "true")  ? 1
			       : str_is(text, "false") ? 0
						       : -1;
		return (struct value){.text = to,
			.constant = constant,
			.binds = is_plain(text) || to.n != text.n ? BINDS_ALL : BINDS_CHOICE};
	}
	size_t last = n->m->arms - 1;
	for (size_t k = 0; k < n->m->arms; k++) {
		last = n->m->arm[k].is_default ? k : last;
	}
	/* if no arm runs, any value will do, except for the condition of the call */
	bool nothing = wanted->runs && !n->m->has_else;
	struct value v = nothing ? none : value_of(u, &n->arm[last], wanted);
	last = nothing ? SIZE_MAX : last;
	for (size_t k = n->m->arms; k-- > 0;) {
		const struct arm *arm = &n->m->arm[k];
		struct value w = k == last ? v : value_of(u, &n->arm[k], wanted);
		if (k == last || str_eq(w.text, v.text)) {
			continue;
		}
		struct value cond =
			arm->cond ? condition_value(u, arm->cond) : label_value(u, n->m, arm);
		if (arm->cond) {
			count_use(u, arm->cond);
		}
		v = chosen(u, cond, w, v);
	}
	return v;
}

/* The arms' values must agree in type, since ?: has one type. */
static bool check_types(struct unify *u, size_t i, struct str type)
{
	bool plain = true;
	const struct wanted_value v = {.i = i};
	for (size_t k = 0; k < u->tree.leaves; k++) {
		struct str text = leaf_text(u, k, &v);
		plain &= callee_is_short_number(text) ||
			 (is_integer_type(type) && is_constant_text(text)) ||
			 str_eq(text, leaf_text(u, 0, &v));
	}
	return plain || str_is(type, "bool") || is_enumeration(u, type) ||
	       plan_refuse(u->p, UNIFY_SAME,
		       "a template argument of type '%.*s' is neither a number nor an enumerator",
		       STR_ARG(type));
}

struct str unify_value(struct unify *u, size_t i, struct str type)
{
	check_types(u, i, type);
	struct wanted_value w = {.i = i, .is_bool = str_is(type, "bool"), .type = type};
	return parens(u, value_of(u, &u->tree.top, &w), BINDS_CHOICE);
}

struct str unify_argument(struct unify *u, size_t i)
{
	const struct callee *c = &u->fn[0]->c;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	struct wanted_value w = {.i = i, .argument = true, .is_bool = true};
	/* a condition that is not a bool might select another overload */
	w.is_bool = c->u->type[c->u->sym[fn->param[i]].type].kind == KT_T_BOOL;
	for (size_t k = 0; k < u->tree.conds; k++) {
		const struct kt_node *n = u->tree.cond[k];
		while (n->kind == KT_CAST && !n->text && n->n == 1) {
			n = n->child[0];
		}
		bool of_switch = n->parent->kind == KT_SWITCH; /* compared to its labels */
		w.is_bool &= of_switch || kt_type_of(c->u, n)->kind == KT_T_BOOL;
	}
	return parens(u, value_of(u, &u->tree.top, &w), BINDS_CHOICE);
}

struct str unify_runs(struct unify *u)
{
	struct wanted_value w = {.runs = true, .is_bool = true};
	return value_of(u, &u->tree.top, &w).text;
}
