/*
 * The expression of the merge's conditions that replaces a template argument, or an argument, of
 * the arms' calls.
 *
 *   if (a) {                          First: a       (true in arm 1, false in the others)
 *           f<true, NONE>();          Next:  a ? NONE : b ? FULL : SOME
 *   } else if (b) {
 *           f<false, FULL>();         A condition with equal texts on both sides is not tested.
 *   } else {
 *           f<false, SOME>();
 *   }
 */
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/unify/unify.h"

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

bool unify_is_integer(struct str type)
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
		!unify_is_integer(wanted->type)) {
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
		if (callee_asks_if_constant(u->fn[0]->c.u, text)) {
			return plan_refuse(u->p, UNIFY_SAME,
				"template argument '%.*s' asks whether it is constant",
				STR_ARG(text));
		}
		plain &= callee_is_short_number(text) ||
			 (unify_is_integer(type) && is_constant_text(text)) ||
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

struct str unify_opposite(struct unify *u, size_t i)
{
	struct wanted_value w = {.i = i, .is_bool = true, .type = STR("bool")};
	return negated(u, value_of(u, &u->tree.top, &w)).text;
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
