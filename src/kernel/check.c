/* The invariants of functions and their nodes. */
#include "kernel/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/enum_names.h"

enum {
	ANY = 255
};

/* The form of a kind of node. */
struct shape {
	uint8_t min, max;   /* children, with empty slots */
	uint8_t required;   /* bits of slots that are never NULL */
	bool text;	    /* it has a text */
	unsigned flags;	    /* allowed flags, of those that only some kinds have */
	enum kt_op op_from; /* allowed operators; KT_OP_OTHER is, too, if any is */
	enum kt_op op_to;
	bool op_required;
};

#define SLOT(s) (1u << (s))

static const struct shape shapes[KT_KIND_COUNT] = {
	[KT_COMPOUND] = {.max = ANY},
	[KT_DECL] = {.max = ANY},
	[KT_IF] = {.min = KT_IF_SLOTS,
		.max = KT_IF_SLOTS,
		.required = SLOT(KT_IF_THEN),
		.flags = KT_F_CONSTEXPR},
	[KT_SWITCH] = {.min = KT_SWITCH_SLOTS,
		.max = KT_SWITCH_SLOTS,
		.required = SLOT(KT_SWITCH_BODY)},
	[KT_CASE] = {.min = KT_CASE_SLOTS,
		.max = KT_CASE_SLOTS,
		.required = SLOT(KT_CASE_VALUE) | SLOT(KT_CASE_STMT)},
	[KT_DEFAULT] = {.min = 1, .max = 1},
	[KT_FOR] = {.min = KT_FOR_SLOTS, .max = KT_FOR_SLOTS, .required = SLOT(KT_FOR_BODY)},
	[KT_RANGE_FOR] = {.min = KT_RANGE_SLOTS,
		.max = KT_RANGE_SLOTS,
		.required = SLOT(KT_RANGE_VAR) | SLOT(KT_RANGE_RANGE) | SLOT(KT_RANGE_BODY)},
	[KT_WHILE] = {.min = KT_WHILE_SLOTS,
		.max = KT_WHILE_SLOTS,
		.required = SLOT(KT_WHILE_BODY)},
	[KT_DO] = {.min = KT_DO_SLOTS,
		.max = KT_DO_SLOTS,
		.required = SLOT(KT_DO_BODY) | SLOT(KT_DO_COND)},
	[KT_RETURN] = {.max = 1},
	[KT_BREAK] = {0},
	[KT_CONTINUE] = {0},
	[KT_GOTO] = {.text = true},
	[KT_LABEL] = {.min = 1, .max = 1, .text = true},
	[KT_EMPTY] = {0},
	[KT_ASM] = {.max = ANY, .text = true},
	[KT_STMT_UNKNOWN] = {.max = ANY},
	[KT_VAR] = {.max = 1},
	[KT_REF] = {0},
	[KT_MEMBER] = {.min = KT_MEMBER_SLOTS,
		.max = KT_MEMBER_SLOTS,
		.text = true,
		.flags = KT_F_ARROW},
	[KT_INDEX] = {.min = 2, .max = 2},
	[KT_CALL] = {.max = ANY,
		.flags = KT_F_ARROW | KT_F_METHOD | KT_F_OPERATOR,
		.op_from = KT_OP_ADD,
		.op_to = KT_OP_POSTDEC},
	[KT_UNARY] = {.min = 1,
		.max = 1,
		.op_from = KT_OP_NEG,
		.op_to = KT_OP_POSTDEC,
		.op_required = true},
	[KT_BINARY] = {.min = 2,
		.max = 2,
		.op_from = KT_OP_ADD,
		.op_to = KT_OP_COMMA,
		.op_required = true},
	[KT_ASSIGN] =
		{.min = 2, .max = 2, .flags = KT_F_BINDS, .op_from = KT_OP_ADD, .op_to = KT_OP_XOR},
	[KT_COND] = {.min = KT_COND_SLOTS,
		.max = KT_COND_SLOTS,
		.required = SLOT(KT_COND_COND) | SLOT(KT_COND_ELSE)},
	[KT_LITERAL] = {.text = true},
	[KT_CAST] = {.min = 1, .max = 1},
	[KT_INIT_LIST] = {.max = ANY, .flags = KT_F_BINDS},
	[KT_CONSTRUCT] = {.max = ANY},
	[KT_LAMBDA] = {.max = ANY},
	[KT_THIS] = {0},
	[KT_SIZEOF] = {0},
	[KT_OPERAND] = {.min = 1, .max = 1, .text = true},
	[KT_EXPR_UNKNOWN] = {.max = ANY},
};

static bool may_be_absent(const struct kt_node *n, size_t i)
{
	if (kt_slots(n->kind) > 0) {
		return !(shapes[n->kind].required & SLOT(i));
	}
	return n->kind == KT_CALL && (n->flags & KT_F_METHOD) && i == 0;
}

/* Children that link to their parent are reached once, so the walk ends. */
static bool check_links(struct check *c)
{
	const struct kt_node *n = c->node;

	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *child = n->child[i];

		if (!child && !may_be_absent(n, i)) {
			return check_fail(c, "child %zu is absent", i);
		}
		if (child && (child->parent != n || child->slot != i)) {
			return check_fail(c, "child %zu is not linked to it", i);
		}
	}
	return true;
}

static bool check_node_ids(struct check *c)
{
	const struct kt_node *n = c->node;
	const struct kt_unit *u = c->u;

	if (!check_id(c, "type", n->type, u->types) || !check_id(c, "symbol", n->sym, u->syms) ||
		!check_id(c, "function", n->fn, u->fns)) {
		return false;
	}
	if (n->kind == KT_VAR && n->sym == 0) {
		return check_fail(c, "no symbol");
	}
	if (n->kind == KT_REF && (n->sym == 0) == (n->fn == 0)) {
		return check_fail(c, "not one of symbol and function");
	}
	if (n->kind == KT_VAR && u->sym[n->sym].owner == KT_OWNER_RUN &&
		u->sym[n->sym].fn != c->id) {
		return check_fail(c, "a variable of another function");
	}
	if (n->kind == KT_VAR && u->sym[n->sym].owner != KT_OWNER_RUN &&
		u->sym[n->sym].owner != KT_OWNER_STATIC) {
		return check_fail(c, "its declaration, and yet %s owns it",
			kt_enum_name(&kt_owner_names, u->sym[n->sym].owner));
	}
	return true;
}

static bool has_op(const struct shape *s, enum kt_op op)
{
	switch (op) {
	case KT_OP_NONE:
		return !s->op_required;
	case KT_OP_OTHER:
		return s->op_to != KT_OP_NONE;
	default:
		return op >= s->op_from && op <= s->op_to;
	}
}

static bool check_shape(struct check *c)
{
	static const unsigned special =
		KT_F_CONSTEXPR | KT_F_ARROW | KT_F_METHOD | KT_F_OPERATOR | KT_F_BINDS;
	const struct kt_node *n = c->node;
	const struct shape *s;

	if (n->kind == KT_NONE || (unsigned)n->kind >= KT_KIND_COUNT) {
		return check_fail(c, "no kind of node");
	}
	s = &shapes[n->kind];
	if (n->n < s->min || (s->max != ANY && n->n > s->max) || (n->n > 0 && !n->child)) {
		return check_fail(c, "%u children", n->n);
	}
	if (s->text && !n->text) {
		return check_fail(c, "no text");
	}
	if (n->flags >> kt_flag_names.n != 0 || (n->flags & special & ~s->flags) != 0) {
		return check_fail(c, "a flag that this kind does not have");
	}
	if (n->flags & KT_F_ARGUMENT && !(n->flags & KT_F_MACRO)) {
		return check_fail(c, "an argument, but of no macro");
	}
	if (n->flags & KT_F_IMPLICIT && !(n->flags & KT_F_MACRO)) {
		return check_fail(c, "implicit, and yet spelled");
	}
	if (n->parent && n->parent->flags & KT_F_IMPLICIT && !(n->flags & KT_F_IMPLICIT) &&
		!kt_is_stmt(n->parent->kind)) {
		return check_fail(c, "spelled, below what is implicit");
	}
	if (!has_op(s, n->op)) {
		return check_fail(c, "operator \"%s\"", kt_enum_name(&kt_op_names, n->op));
	}
	if (n->kind == KT_CALL && n->op != KT_OP_NONE && !(n->flags & KT_F_OPERATOR)) {
		return check_fail(c, "an operator, but not written as one");
	}
	if ((n->flags & KT_F_METHOD) && n->n == 0) {
		return check_fail(c, "a method call without a place for its object");
	}
	return true;
}

enum place {
	PLACE_ANY,
	PLACE_STMT,
	PLACE_EXPR,
	PLACE_VAR
};

/* The node that slot i of a kind with fixed slots may hold. */
static enum place slot_place(enum kt_kind k, size_t i)
{
	const struct kt_names slots = kt_slot_names(k);
	static const char *const stmt[] = {"init", "then", "else", "body", "stmt", NULL};

	if (!kt_is_stmt(k)) {
		return PLACE_EXPR;
	}
	/* These slots hold statements; all others but "var" hold expressions. */
	if (str_is_any(str_of(slots.word[i]), stmt)) {
		return PLACE_STMT;
	}
	return strcmp(slots.word[i], "var") == 0 ? PLACE_VAR : PLACE_EXPR;
}

static enum place place_of(const struct kt_node *parent, size_t i)
{
	if (kt_slots(parent->kind) > 0) {
		return slot_place(parent->kind, i);
	}
	switch (parent->kind) {
	case KT_DECL:
		return PLACE_VAR;
	case KT_STMT_UNKNOWN:
	case KT_EXPR_UNKNOWN:
		return PLACE_ANY;
	case KT_RETURN:
	case KT_ASM:
		return PLACE_EXPR;
	default:
		return kt_is_stmt(parent->kind) ? PLACE_STMT : PLACE_EXPR;
	}
}

/* The children of an asm: its template, operands and clobbers. */
static bool check_asm_part(struct check *c)
{
	const struct kt_node *n = c->node;
	bool in_asm = n->parent && n->parent->kind == KT_ASM;
	bool part = n->kind == KT_LITERAL || (n->kind == KT_OPERAND && n->slot > 0);

	return (in_asm ? part : n->kind != KT_OPERAND) ||
	       check_fail(c, in_asm ? "no part of an asm" : "an operand of no asm");
}

/* Is the kind of the node allowed at this place? */
static bool check_kind_here(struct check *c)
{
	const struct kt_node *n = c->node;
	const struct kt_node *parent = n->parent;
	enum place place = parent ? place_of(parent, n->slot) : PLACE_STMT;

	if (!check_asm_part(c)) {
		return false;
	}
	if (place == PLACE_ANY) {
		return true;
	}
	if ((n->kind == KT_VAR) != (place == PLACE_VAR)) {
		return check_fail(c, n->kind == KT_VAR ? "a variable outside of a declaration"
						       : "not a variable, in a declaration");
	}
	if (!parent && !kt_is_stmt(n->kind)) {
		return check_fail(c, "a body that is not a statement");
	}
	return place != PLACE_EXPR || !kt_is_stmt(n->kind) ||
	       check_fail(c, "a statement, in place of an expression");
}

/* A condition may only be absent in a for, or if the slot of the variable is used. */
static bool check_condition(struct check *c)
{
	const struct kt_node *n = c->node;
	size_t var, cond;

	switch (n->kind) {
	case KT_IF:
		var = KT_IF_VAR;
		cond = KT_IF_COND;
		break;
	case KT_SWITCH:
		var = KT_SWITCH_VAR;
		cond = KT_SWITCH_COND;
		break;
	case KT_WHILE:
		var = KT_WHILE_VAR;
		cond = KT_WHILE_COND;
		break;
	default:
		return true;
	}
	return n->child[var] || n->child[cond] || check_fail(c, "no condition");
}

/* break, continue, case and default are inside a loop or switch. */
static bool check_enclosed(struct check *c)
{
	const struct kt_node *n = c->node;
	bool loop = n->kind == KT_BREAK || n->kind == KT_CONTINUE;
	bool in_switch = n->kind == KT_BREAK || n->kind == KT_CASE || n->kind == KT_DEFAULT;

	if (!loop && !in_switch) {
		return true;
	}
	for (const struct kt_node *p = n->parent; p; p = p->parent) {
		if ((loop && kt_is_loop(p->kind)) || (in_switch && p->kind == KT_SWITCH) ||
			p->kind == KT_STMT_UNKNOWN) {
			return true;
		}
	}
	return check_fail(c, "outside of any %s", loop ? "loop" : "switch");
}

static bool check_order(struct check *c)
{
	const struct kt_node *n = c->node, *before = NULL;

	for (size_t i = n->slot; i > 0 && !before; i--) {
		const struct kt_node *sibling = n->parent->child[i - 1];

		before = sibling && !(sibling->flags & KT_F_MACRO) ? sibling : NULL;
	}
	return !before || (before->begin <= n->begin && before->end <= n->end) ||
	       check_fail(c, "before the sibling that precedes it");
}

static bool check_range(struct check *c)
{
	const struct kt_node *n = c->node;
	const struct kt_node *parent = n->parent;

	if (!check_place(c, n->file, n->begin, n->end)) {
		return false;
	}
	if (!parent || (parent->flags | n->flags) & KT_F_MACRO) {
		return true;
	}
	if (n->file != parent->file) {
		return check_fail(c, "in another file than its parent");
	}
	if (n->begin < parent->begin || n->end > parent->end) {
		return check_fail(c, "outside of its parent");
	}
	/* the operands of operators and atomics may be in another order; statements are in order */
	bool ordered = parent->kind == KT_COMPOUND || parent->kind == KT_DECL;
	return !ordered || check_order(c);
}

static bool is_in_unknown(const struct kt_node *n)
{
	while (n && n->kind != KT_STMT_UNKNOWN && n->kind != KT_EXPR_UNKNOWN) {
		n = n->parent;
	}
	return n;
}

/* If the end of a variable's lifetime runs code, an implicit node after it names the variable. */
static bool check_end(struct check *c)
{
	const struct kt_node *var = c->node, *body = var;
	const struct kt_unit *u = c->u;
	bool ends = var->kind == KT_VAR && u->sym[var->sym].kind == KT_S_LOCAL &&
		    u->type[u->sym[var->sym].type].destroys;

	if (!ends || is_in_unknown(var)) {
		return true;
	}
	while (body->parent) {
		body = body->parent;
	}
	for (const struct kt_node *n = var; n; n = kt_next(n, body)) {
		if (kt_names(n, var->sym) && n->flags & KT_F_IMPLICIT) {
			return true;
		}
	}
	return check_fail(c, "nothing stands for what runs at its end");
}

static bool check_node(struct check *c)
{
	return check_shape(c) && check_links(c) && check_node_ids(c) && check_kind_here(c) &&
	       check_condition(c) && check_enclosed(c) && check_range(c) && check_end(c);
}

static bool check_body(struct check *c, const struct kt_node *body)
{
	unsigned depth = 1;
	const struct kt_node *next;

	c->node = body;
	if (body->parent) {
		return check_fail(c, "a body with a parent");
	}
	for (const struct kt_node *n = body; n; n = next) {
		c->node = n;
		if (depth > KT_DEPTH_MAX) {
			return check_fail(c, "deeper than %d", KT_DEPTH_MAX);
		}
		if (!check_node(c)) {
			return false;
		}
		next = kt_next(n, body);
		if (next && next->parent == n) {
			depth++;
			continue;
		}
		for (; next && n->parent != next->parent; n = n->parent) {
			depth--;
		}
	}
	c->node = NULL;
	return true;
}

static bool check_fn(struct check *c, kt_id id)
{
	const struct kt_unit *u = c->u;
	const struct kt_fn *f = &u->fn[id];

	if ((unsigned)f->kind >= kt_fn_names.n) {
		return check_fail(c, "no kind of function");
	}
	if (!f->name || !f->base) {
		return check_fail(c, "no name");
	}
	if (!check_place(c, f->file, f->begin, f->end) || !check_id(c, "type", f->ret, u->types)) {
		return false;
	}
	if (f->name_at < f->begin || f->name_at > f->end) {
		return check_fail(c, "the name is outside of the definition");
	}
	for (size_t i = 0; i < f->params; i++) {
		kt_id sym = f->param[i];

		if (sym == 0 || sym >= u->syms || u->sym[sym].kind != KT_S_PARAM ||
			u->sym[sym].fn != id) {
			return check_fail(c, "%" PRIu32 " is not a parameter of it", sym);
		}
	}
	if (f->self && (f->self >= u->syms || u->sym[f->self].kind != KT_S_PARAM ||
			       u->sym[f->self].fn != id)) {
		return check_fail(c, "%" PRIu32 " is not its object", f->self);
	}
	kt_id up = f->around;
	for (size_t n = 0; up; n++) {
		if (!f->is_lambda || up >= u->fns || n > u->fns) {
			return check_fail(c, "it is no lambda in another function");
		}
		up = u->fn[up].around;
	}
	return !f->body || check_body(c, f->body);
}

/* Each local variable that a body names is declared in a body of its function. */
static bool check_declared(struct check *c)
{
	const struct kt_unit *u = c->u;
	bool *declared = mem_zeroed(u->syms + 1, sizeof(*declared)), ok = true;

	for (kt_id id = 1; id < u->fns; id++) {
		for (const struct kt_node *n = u->fn[id].body; n; n = kt_next(n, u->fn[id].body)) {
			declared[n->kind == KT_VAR ? n->sym : 0] = true;
		}
	}
	for (kt_id id = 1; ok && id < u->fns; id++) {
		for (const struct kt_node *n = u->fn[id].body; ok && n;
			n = kt_next(n, u->fn[id].body)) {
			const struct kt_sym *s = &u->sym[n->kind == KT_REF ? n->sym : 0];
			if (s->kind == KT_S_LOCAL && !declared[n->sym] && u->fn[s->fn].body) {
				ok = check_fail(c,
					"nothing declares '%s', which function %" PRIu32 " names",
					s->name, id);
			}
		}
	}
	free(declared);
	return ok;
}

const char *kt_check_fn(struct kt_unit *u, kt_id id)
{
	struct check c = {.u = u, .part = "function", .id = id};
	const char *broken = NULL;

	if (!check_fn(&c, id)) {
		broken = arena_strdup(u->arena, sbuf_cstr(&c.broken));
	}
	sbuf_release(&c.broken);
	return broken;
}

const char *kt_check(struct kt_unit *u)
{
	const char *broken = kt_check_tables(u);

	for (kt_id id = 1; !broken && id < u->fns; id++) {
		broken = kt_check_fn(u, id);
	}
	struct check c = {.u = u};
	if (!broken && !check_declared(&c)) {
		broken = arena_strdup(u->arena, sbuf_cstr(&c.broken));
	}
	sbuf_release(&c.broken);
	return broken;
}
