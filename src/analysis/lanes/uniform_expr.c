/*
 * The uniformity of an expression's value: variables, operators. The rules are in uniform.c.
 */
#include "analysis/lanes/uniform_walk.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "analysis/facts/launch.h"

/* Is it the thread's index, or such a number, by its name or by its class? The methods of the class
 * are listed. */
static bool names_number(const struct uniformity *u, kt_id sym)
{
	const struct kt_type *t = kt_object_type(u->unit, uniform_sym_of(u, sym)->type);
	const char *canon = t->canon && t->kind == KT_T_RECORD ? t->canon : "";
	canon += strncmp(canon, "const ", 6) == 0 ? 6 : 0;
	char method[64];
	int n = snprintf(method, sizeof(method), "%s::", canon);
	const struct intrinsic *in =
		intrinsic_find(facts_intrinsics(u->facts), (struct str){method, (size_t)n});
	return uniform_is_number(u, launch_of_symbol(u->facts, sym)) ||
	       (in && uniform_is_number(u, in->form));
}

static struct val eval_ref(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	if (!n->sym) {
		return (struct val){0, 0}; /* a function */
	}
	const struct kt_sym *s = uniform_sym_of(u, n->sym);
	if (kt_is_variable(u->unit, n->sym) && s->fn == w->fn && u->slot[n->sym].shared) {
		return (struct val){uniform_load(w, u->slot[n->sym].init, BIT_LOCAL), BIT_LOCAL};
	}
	if (kt_is_variable(u->unit, n->sym)) {
		bool ours = s->fn == w->fn;
		unsigned bits =
			ours ? uniform_now(w, n->sym)
			     : BIT_BOTH | uniform_left(u->slot[n->sym].bits &
						       (BIT_REASON | BIT_CROSSED | BIT_BLUR));
		return (struct val){bits, BIT_BOTH};
	}
	if (s->kind == KT_S_CONST) {
		return (struct val){0, BIT_BOTH};
	}
	if (s->kind == KT_S_GLOBAL && names_number(u, n->sym)) {
		return (struct val){BIT_BOTH | BIT_MADE, BIT_BOTH};
	}
	bool shared = s->space == KT_SHARED;
	if (s->kind != KT_S_GLOBAL || kt_is_reference(u->unit, n->sym) || (shared && !u->block) ||
		s->space == KT_PRIVATE) {
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	if (shared) {
		return (struct val){uniform_load(w, n, BIT_LOCAL), BIT_LOCAL};
	}
	/* Values set by the host or the compiler hold no pointer to private storage. */
	return (struct val){s->space == KT_CONSTANT ? 0 : uniform_load(w, n, 0), 0};
}

/* BIT_* of the lvalue n, reached through a pointer with these bits. */
static unsigned load(struct walk *w, const struct kt_node *n, unsigned at)
{
	unsigned bits = uniform_load(w, n, at);
	return bits & BIT_LANE ? bits | uniform_pointed(w, n, false) : bits;
}

static struct val eval_this_member(const struct walk *w)
{
	return (struct val){w->u->slot[uniform_this_slot(w->u, w->fn)].bits, BIT_BOTH};
}

static struct val eval_object(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->n ? n->child[KT_MEMBER_BASE] : NULL;
	if (!base || base->kind == KT_THIS) {
		return eval_this_member(w);
	}
	if (n->sym && kt_is_reference(w->u->unit, n->sym)) {
		uniform_eval(w, base);
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	if (n->flags & KT_F_ARROW) {
		unsigned at = uniform_value(w, base);
		return (struct val){load(w, n, at), at};
	}
	return uniform_eval(w, base);
}

static struct val eval_member(struct walk *w, const struct kt_node *n)
{
	struct val v = eval_object(w, n);
	v.bits &= uniform_member(w, n, v.bits) | ~(unsigned)BIT_OWN;
	v.bits |= n->sym ? w->u->slot[n->sym].bits : 0;
	return v;
}

static struct val eval_index(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->child[0];
	if (kt_is_pointer(w->u->unit, base)) {
		unsigned at = uniform_value(w, base);
		at |= uniform_value(w, n->child[1]);
		return (struct val){load(w, n, at), at};
	}
	struct val v = uniform_eval(w, base);
	enum kt_type_kind k = kt_object_type(w->u->unit, base->type)->kind;
	unsigned i = uniform_value(w, n->child[1]);
	if (k != KT_T_ARRAY && k != KT_T_VECTOR) {
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	v.bits &= uniform_element(w, n) | ~(unsigned)BIT_OWN;
	v.bits |= i & BIT_REASON ? BIT_BLUR : 0;
	return (struct val){v.bits | i, v.addr | i};
}

/* A variable is private, so a store to it is not a write to memory. */
static void see_store(struct walk *w, const struct kt_node *to)
{
	const struct kt_unit *u = w->u->unit;
	if (!(to->kind == KT_REF && kt_is_variable(u, to->sym)) || kt_is_reference(u, to->sym)) {
		uniform_soil(w, to->parent);
	}
}

unsigned uniform_assign(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *to = n->child[0];
	bool plain = n->kind == KT_CALL ? uniform_are_alike(w->u, to->type, n->child[1]->type)
					: n->op == KT_OP_NONE;
	bool over = plain && (to->kind == KT_REF || uniform_is_part(w, to));
	struct val v = uniform_eval(w, to);
	unsigned bits = uniform_value(w, n->child[1]) | (over ? 0 : v.bits);
	if (over) {
		uniform_overwrite(w, to, bits, n->child[1]);
	} else {
		uniform_write_to(w, to, bits, false);
	}
	see_store(w, to);
	return bits;
}

static struct val eval_unary(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *c = n->n ? n->child[0] : NULL;
	if (!c) {
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	switch (n->op) {
	case KT_OP_DEREF: {
		if (c->kind == KT_THIS) {
			return eval_this_member(w);
		}
		if (kt_is_array(w->u->unit, c)) {
			return uniform_eval(w, c);
		}
		unsigned at = uniform_value(w, c);
		return (struct val){load(w, n, at), at};
	}
	case KT_OP_ADDR: {
		struct val v = uniform_eval(w, c);
		uniform_write_to(w, c, BIT_BOTH, true);
		return (struct val){v.addr, BIT_BOTH};
	}
	case KT_OP_PREINC:
	case KT_OP_PREDEC:
	case KT_OP_POSTINC:
	case KT_OP_POSTDEC: {
		struct val v = uniform_eval(w, c);
		uniform_write_to(w, c, v.bits, false);
		see_store(w, c);
		return v;
	}
	case KT_OP_NEG:
	case KT_OP_PLUS:
	case KT_OP_NOT:
	case KT_OP_LNOT:
		return (struct val){uniform_value(w, c), BIT_BOTH};
	default:
		uniform_eval(w, c);
		uniform_write_to(w, c, BIT_BOTH, true);
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
}

/* Evaluates n, which only the lanes run that cond selects. sent: the bits of cond. */
static unsigned eval_under(
	struct walk *w, const struct kt_node *n, const struct kt_node *cond, unsigned sent)
{
	struct region r;
	struct fork f;
	uniform_fork(w, &f);
	uniform_way_past(w, &f);
	uniform_region_enter(w, &r, sent, cond, NULL);
	unsigned bits = uniform_value(w, n);
	uniform_region_leave(w);
	uniform_way(w, &f, false);
	uniform_join(w, &f, sent & (BIT_LANE | BIT_OWN));
	return bits;
}

static struct val eval_binary(struct walk *w, const struct kt_node *n)
{
	unsigned a = uniform_value(w, n->child[0]);
	if (n->op == KT_OP_LAND || n->op == KT_OP_LOR) {
		return (struct val){a | eval_under(w, n->child[1], n->child[0], a), BIT_BOTH};
	}
	if (n->op == KT_OP_COMMA) {
		return uniform_eval(w, n->child[1]);
	}
	unsigned b = uniform_value(w, n->child[1]);
	unsigned bits = n->op == KT_OP_OTHER ? BIT_BOTH : a | b;
	bool same = uniform_is_wave_number(w, n) || uniform_is_in_step(w, n);
	if (bits & BIT_MADE && uniform_numbers_waves(w, n)) {
		bits = (bits & ~(unsigned)BIT_MADE) | BIT_WAVE;
	}
	if (!same && bits & BIT_REASON) {
		bits = uniform_by_range(w, n, bits);
	}
	if (!w->u->block && bits & BIT_OWN && uniform_may_number_waves(w, n)) {
		bits &= ~(unsigned)BIT_OWN;
	}
	return (struct val){same ? 0 : bits, BIT_BOTH};
}

static struct val eval_assign(struct walk *w, const struct kt_node *n)
{
	if (n->n != 2) {
		uniform_expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	const struct kt_node *to = n->child[0];
	unsigned bits = uniform_assign(w, n);
	if (to->kind == KT_MEMBER && to->sym && kt_is_reference(w->u->unit, to->sym)) {
		/* the initializer r(x) of a constructor: the member is bound, not written */
		uniform_write_to(w, n->child[1], BIT_BOTH, true);
	}
	return (struct val){bits, BIT_BOTH};
}

static struct val eval_cond(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *cond = n->child[KT_COND_COND];
	unsigned sent = uniform_value(w, cond), bits = sent;
	for (size_t i = KT_COND_THEN; i < n->n; i++) {
		if (n->child[i]) {
			bits |= eval_under(w, n->child[i], cond, sent);
		}
	}
	return (struct val){bits, BIT_BOTH};
}

/* A default argument also appears as a literal, without text or value. */
static unsigned literal_bits(const struct kt_node *n)
{
	unsigned char c = n->text ? (unsigned char)n->text[0] : 0;
	if (isdigit(c) || c == '.' || c == '"' || c == '\'') {
		return 0;
	}
	struct str s = str_of(n->text);
	return str_is(s, "nullptr") || str_is(s, "true") || str_is(s, "false") ? 0 : BIT_BOTH;
}

static unsigned cast_bits(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *c = n->n ? n->child[0] : NULL;
	if (!c) {
		return BIT_BOTH;
	}
	unsigned bits = uniform_value(w, c);
	bool made = kt_may_hold_pointer(kt_object_type(w->u->unit, n->type)) &&
		    !kt_may_hold_pointer(kt_object_type(w->u->unit, c->type));
	return made && !(c->flags & KT_F_VALUE) ? bits | BIT_LOCAL : bits;
}

/* Braces in unknown code may enclose statements; a macro may contain anything. */
bool uniform_hides_code(const struct uniformity *u, const struct kt_node *n, const char *signs)
{
	struct str s = kt_source(u->unit, n);
	if (n->flags & KT_F_MACRO || !s.n) {
		return true;
	}
	for (size_t i = 0; i < s.n; i++) {
		if (strchr(signs, s.p[i])) {
			return true;
		}
	}
	return false;
}

static unsigned unknown_bits(struct walk *w, const struct kt_node *n)
{
	bool opaque = w->opaque, dead = w->dead, stmts = false;
	unsigned bits = 0;
	w->opaque = true;
	for (size_t i = 0; i < n->n; i++) {
		stmts |= kt_is_stmt(n->child[i]->kind) || n->child[i]->kind == KT_VAR;
		if (stmts) {
			uniform_stmt(w, n->child[i]);
		} else {
			bits |= uniform_value(w, n->child[i]);
		}
	}
	w->dead = dead; /* an exit in it may be conditional */
	uniform_expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
	uniform_soil(w, n);
	if (uniform_hides_code(w->u, n, "{")) {
		uniform_lanes_anywhere(w);
	}
	w->opaque = opaque;
	return BIT_BOTH | (stmts ? 0 : bits & BIT_OWN);
}

static struct val eval_kind(struct walk *w, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
		return eval_ref(w, n);
	case KT_MEMBER:
		return eval_member(w, n);
	case KT_INDEX:
		if (n->n == 2) {
			return eval_index(w, n);
		}
		break;
	case KT_CALL:
	case KT_CONSTRUCT:
		return uniform_call(w, n);
	case KT_UNARY:
		return eval_unary(w, n);
	case KT_BINARY:
		if (n->n == 2) {
			return eval_binary(w, n);
		}
		break;
	case KT_ASSIGN:
		return eval_assign(w, n);
	case KT_COND:
		return eval_cond(w, n);
	case KT_LITERAL:
		return (struct val){literal_bits(n), 0};
	case KT_CAST:
		return (struct val){cast_bits(w, n), BIT_BOTH};
	case KT_INIT_LIST:
		return (struct val){uniform_list(w, n), BIT_BOTH};
	case KT_THIS:
		uniform_expose_slot(w->u, uniform_this_slot(w->u, w->fn), "its address is taken");
		return (struct val){BIT_BOTH, BIT_BOTH};
	case KT_SIZEOF:
		return (struct val){0, BIT_BOTH};
	case KT_LAMBDA: /* its captured variables were exposed before the walk */
		return (struct val){BIT_BOTH, BIT_BOTH};
	default:
		break;
	}
	bool member = uniform_is_member_pointer(w->u, n);
	return (struct val){member ? uniform_member_pointer(w, n) : unknown_bits(w, n), BIT_BOTH};
}

void uniform_record(struct walk *w, const struct kt_node *n, unsigned bits)
{
	if (w->record) {
		uniform_table_set(w->record, n, bits);
	}
}

/* Evaluates n as an lvalue; arrays do not decay. Each node is evaluated once in a walk. */
struct val uniform_eval(struct walk *w, const struct kt_node *n)
{
	unsigned apart = uniform_lanes_apart(w) ? BIT_APART : 0;
	struct val v = eval_kind(w, n);
	const struct kt_type *t = kt_object_type(w->u->unit, n->type);
	if (w->opaque || n->flags & KT_F_VOLATILE || t->is_volatile) {
		v.bits |= BIT_LANE;
	}
	if (!kt_may_hold_pointer(t)) {
		v.bits &= ~(unsigned)BIT_LOCAL;
	}
	v.bits = uniform_blur(w->u, n, v.bits);
	if (!w->u->block && v.bits & BIT_MADE && uniform_is_row_of_block(w, n)) {
		v.bits &= ~(unsigned)BIT_OWN;
	}
	if (n->flags & KT_F_VALUE) {
		v.bits = 0;
	}
	uniform_record(w, n, v.bits | apart);
	return v;
}

/* Evaluates n as an rvalue: an array becomes a pointer to its first element. */
unsigned uniform_value(struct walk *w, const struct kt_node *n)
{
	struct val v = uniform_eval(w, n);
	if (!kt_is_array(w->u->unit, n) || n->kind == KT_LITERAL || n->kind == KT_INIT_LIST) {
		return v.bits;
	}
	uniform_write_to(w, n, BIT_BOTH, true);
	return v.addr;
}
