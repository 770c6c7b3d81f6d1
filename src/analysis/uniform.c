/*
 * Uniformity by optimistic fixpoint: every local starts uniform and is demoted until nothing
 * changes.
 *
 * Each function body is walked as the lanes would run it. A region is a stretch of code that lanes
 * may run without some of those that came to it: an arm, a loop, a switch. It is "apart" when what
 * decides on entering or leaving it differs per lane. A variable remembers the region that declares
 * it; a write from a region further in that is apart leaves the lanes with different values, and
 * demotes it. Lanes that leave (break, continue, return) from an apart region make the region apart
 * that they jump out of: a loop as a whole, since the next iteration starts without them. The
 * function's own region, apart once lanes may have returned, matters to what outlives the call:
 * references, *this, control.
 *
 * Memory has no state here. A load is uniform when its address is, so pointers to storage that each
 * lane has for itself (and to LDS) count as differing, and the address of a local that gets about
 * demotes the local. References are followed: a write through one is a write to all it may be bound
 * to.
 *
 * Given up as differing, on purpose: functions with goto or labels, what lambdas and asm mention,
 * objects made by constructors, iterators, pointers that were loaded or made of integers.
 */
#include "analysis/uniform.h"

#include <ctype.h>
#include <string.h>
#include "base/msg.h"

/* What is known of a value. A pointer that may lead to private storage or LDS stays one, whatever
 * makes the pointer itself uniform. */
enum {
	BIT_LANE = 1 << 0,  /* may differ per lane */
	BIT_LOCAL = 1 << 1, /* a pointer in it may lead to private storage or LDS */
	BIT_APART = 1 << 2, /* records only: the lanes of the wave may not be here together */
	BIT_BOTH = BIT_LANE | BIT_LOCAL,
};

/* Of an expression: its value, and its address if it is an lvalue. */
struct val {
	unsigned bits;
	unsigned addr;
};

/* A variable, or the object of a method (this). */
struct slot {
	unsigned bits;
	unsigned level; /* of the declaring region; 0: outlives the function's call */
	bool declared;
	bool written; /* references, this: the function writes through it ... */
	bool exposed; /* ... or lets its address get about */
	const char *why;
};

struct fn_state {
	bool called;
	bool constructor;
	bool wild;   /* jumps or hides code: nothing in it is known */
	bool apart;  /* some caller calls it where lanes are apart */
	bool leaves; /* lanes may end the kernel in it, apart from others */
	unsigned ret;
};

/* Facts about nodes by their address, in an arena. */
struct node_table {
	const struct kt_node **key;
	unsigned char *value;
	size_t cap; /* a power of two, or 0 */
	size_t n;
};

enum {
	NODE_APART = 1,
	NODE_RACE_KNOWN = 2,
	NODE_RACE = 4
};

struct uniformity {
	struct facts *facts;
	struct kt_unit *unit;
	const struct intrinsic_db *db;
	struct arena *arena;
	struct slot *slot; /* by symbol (a field's is static), then the this objects by function */
	struct fn_state *fn;
	struct node_table **record; /* by function: BIT_* of each node, made when first asked for */
	struct node_table state;    /* NODE_*, of loops, switches and loads */
	bool block;		    /* lanes are those of a work-group */
	bool reference_fields;	    /* some record holds a reference */
	bool hidden_initializers;   /* of fields, in their class */
	bool virtuals;		    /* some method may be overridden */
	bool changed;
};

struct region {
	struct region *up;
	unsigned level;
	bool apart;
	const struct kt_node *node; /* loop or switch: what break or continue leaves */
};

struct walk {
	struct uniformity *u;
	kt_id fn;
	struct region *here;
	bool wild;
	struct node_table *record; /* NULL while the fixpoint runs */
};

static struct val eval(struct walk *w, const struct kt_node *n);
static unsigned value(struct walk *w, const struct kt_node *n);
static void stmt(struct walk *w, const struct kt_node *n);

/* ---- node tables ---- */

static size_t table_at(const struct node_table *t, const struct kt_node *n)
{
	size_t i = ((uintptr_t)n >> 4) * 0x9E3779B97F4A7C15u >> 20 & (t->cap - 1);
	while (t->key[i] && t->key[i] != n) {
		i = (i + 1) & (t->cap - 1);
	}
	return i;
}

static unsigned table_get(const struct node_table *t, const struct kt_node *n, unsigned dflt)
{
	if (!t->cap) {
		return dflt;
	}
	size_t i = table_at(t, n);
	return t->key[i] ? t->value[i] : dflt;
}

static void table_grow(struct node_table *t, struct arena *a)
{
	struct node_table old = *t;
	t->cap = old.cap ? old.cap * 2 : 64;
	t->key = ARENA_ARRAY(a, const struct kt_node *, t->cap);
	t->value = ARENA_ARRAY(a, unsigned char, t->cap);
	for (size_t i = 0; i < old.cap; i++) {
		if (old.key[i]) {
			size_t to = table_at(t, old.key[i]);
			t->key[to] = old.key[i];
			t->value[to] = old.value[i];
		}
	}
}

static void table_set(
	struct node_table *t, struct arena *a, const struct kt_node *n, unsigned value)
{
	if (t->n * 2 >= t->cap) {
		table_grow(t, a);
	}
	size_t i = table_at(t, n);
	t->n += t->key[i] ? 0 : 1;
	t->key[i] = n;
	t->value[i] = (unsigned char)value;
}

static void state_add(struct uniformity *u, const struct kt_node *n, unsigned bits)
{
	unsigned old = table_get(&u->state, n, 0);
	if (bits & ~old) {
		table_set(&u->state, u->arena, n, old | bits);
		u->changed = true;
	}
}

/* ---- symbols, types, slots ---- */

static const struct kt_sym *sym_of(const struct uniformity *u, kt_id sym)
{
	return &u->unit->sym[sym];
}

static size_t this_slot(const struct uniformity *u, kt_id fn)
{
	return u->unit->syms + fn;
}

static void demote(struct uniformity *u, size_t slot, unsigned bits, const char *why)
{
	struct slot *s = &u->slot[slot];
	if (bits & ~s->bits & BIT_BOTH) {
		if (bits & ~s->bits & BIT_LANE) {
			s->why = why;
		}
		s->bits |= bits & BIT_BOTH;
		u->changed = true;
	}
}

static void set_flag(struct uniformity *u, bool *flag)
{
	if (!*flag) {
		*flag = true;
		u->changed = true;
	}
}

static void expose_slot(struct uniformity *u, size_t slot, const char *why)
{
	demote(u, slot, BIT_BOTH, why);
	set_flag(u, &u->slot[slot].written);
	set_flag(u, &u->slot[slot].exposed);
}

/* ---- regions ---- */

static void region_enter(struct walk *w, struct region *r, bool apart, const struct kt_node *node)
{
	*r = (struct region){
		.up = w->here, .level = w->here->level + 1, .apart = apart, .node = node};
	if (node && table_get(&w->u->state, node, 0) & NODE_APART) {
		r->apart = true;
	}
	w->here = r;
}

static void region_leave(struct walk *w)
{
	w->here = w->here->up;
}

/* The loop or switch turned out to be left or repeated by some lanes only. */
static void region_part(struct walk *w, struct region *r)
{
	r->apart = true;
	if (r->node) {
		state_add(w->u, r->node, NODE_APART);
	}
}

/* Level of the innermost region in which lanes may be missing, or 0. */
static unsigned apart_level(const struct walk *w)
{
	for (const struct region *r = w->here; r; r = r->up) {
		if (r->apart) {
			return r->level;
		}
	}
	return 0;
}

static bool lanes_apart(const struct walk *w)
{
	return w->wild || w->u->fn[w->fn].apart || apart_level(w) > 0;
}

/* Lanes leave the function (or the kernel): what comes after is run without them. */
static void lanes_return(struct walk *w)
{
	if (!w->wild && apart_level(w) < 2) {
		return;
	}
	for (struct region *r = w->here; r; r = r->up) {
		bool loop = r->node && kt_is_loop(r->node->kind);
		if (loop || !r->up) {
			region_part(w, r);
		}
	}
}

/* break or continue. */
static void lanes_jump(struct walk *w, enum kt_kind kind)
{
	struct region *r = w->here;
	while (r && !(r->node && (kind == KT_BREAK || kt_is_loop(r->node->kind)))) {
		r = r->up;
	}
	if (r && (w->wild || apart_level(w) > r->level)) {
		region_part(w, r);
	}
}

static void add_result(struct walk *w, unsigned bits)
{
	struct fn_state *f = &w->u->fn[w->fn];
	if (bits & ~f->ret & BIT_BOTH) {
		f->ret |= bits & BIT_BOTH;
		w->u->changed = true;
	}
}

static void lanes_trap(struct walk *w)
{
	if (lanes_apart(w)) {
		set_flag(w->u, &w->u->fn[w->fn].leaves);
	}
	lanes_return(w);
}

/* Code that is not seen may jump anywhere. */
static void lanes_anywhere(struct walk *w)
{
	for (struct region *r = w->here; r; r = r->up) {
		if (r->node || !r->up) {
			region_part(w, r);
		}
	}
	set_flag(w->u, &w->u->fn[w->fn].leaves);
	add_result(w, BIT_BOTH);
}

/* ---- writes ---- */

static void expose_all(struct uniformity *u, const struct kt_node *root, kt_id fn, const char *why)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && kt_is_variable(u->unit, n->sym)) {
			expose_slot(u, n->sym, why);
		} else if (n->kind == KT_THIS || (n->kind == KT_MEMBER && n->n && !n->child[0])) {
			expose_slot(u, this_slot(u, fn), why);
		}
	}
}

static void write_slot(struct walk *w, size_t slot, unsigned bits, bool expose)
{
	struct uniformity *u = w->u;
	struct slot *s = &u->slot[slot];
	bool ours = slot >= u->unit->syms || sym_of(u, (kt_id)slot)->fn == w->fn;
	if (expose || !ours) {
		expose_slot(u, slot, ours ? "its address is taken" : "it is captured");
		return;
	}
	if (w->wild || apart_level(w) > s->level) {
		demote(u, slot, BIT_LANE, "it is written where lanes may be apart");
	}
	demote(u, slot, bits, "it gets a value that may differ per lane");
	set_flag(u, &s->written);
}

static void write_to(struct walk *w, const struct kt_node *n, unsigned bits, bool expose);

/* A reference that a call returned may be to anything that was passed by reference. */
static void write_call(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			write_to(w, n->child[i], BIT_BOTH, true);
		} else {
			expose_slot(w->u, this_slot(w->u, w->fn), "its address is taken");
		}
	}
}

static void write_member(struct walk *w, const struct kt_node *n, unsigned bits, bool expose)
{
	const struct kt_node *base = n->n ? n->child[KT_MEMBER_BASE] : NULL;
	if (!base || base->kind == KT_THIS) {
		write_slot(w, this_slot(w->u, w->fn), bits, expose);
	} else if (!(n->flags & KT_F_ARROW)) {
		write_to(w, base, bits, expose);
	}
}

static void write_unary(struct walk *w, const struct kt_node *n, unsigned bits, bool expose)
{
	const struct kt_node *c = n->n ? n->child[0] : NULL;
	if (!c) {
		return;
	}
	if (n->op == KT_OP_DEREF && c->kind == KT_THIS) {
		write_slot(w, this_slot(w->u, w->fn), bits, expose);
	} else if (n->op != KT_OP_DEREF || kt_is_array(w->u->unit, c)) {
		write_to(w, c, bits, expose);
	}
}

/* Something is written to the lvalue n, or its address gets about. What lies in memory has no
 * state; pointers to variables were exposed where they were made. */
static void write_to(struct walk *w, const struct kt_node *n, unsigned bits, bool expose)
{
	switch (n->kind) {
	case KT_REF:
		if (kt_is_variable(w->u->unit, n->sym)) {
			write_slot(w, n->sym, bits, expose);
		}
		return;
	case KT_MEMBER:
		write_member(w, n, bits, expose);
		return;
	case KT_INDEX:
		if (n->n && !kt_is_pointer(w->u->unit, n->child[0])) {
			write_to(w, n->child[0], bits, expose);
		}
		return;
	case KT_UNARY:
		write_unary(w, n, bits, expose);
		return;
	case KT_ASSIGN:
	case KT_CAST:
		if (n->n) {
			write_to(w, n->child[0], bits, expose);
		}
		return;
	case KT_COND:
		for (size_t i = KT_COND_COND; i < n->n; i++) {
			if (n->child[i]) {
				write_to(w, n->child[i], BIT_BOTH, expose);
			}
		}
		return;
	case KT_BINARY:
		if (n->op == KT_OP_COMMA && n->n == 2) {
			write_to(w, n->child[1], bits, expose);
		} else if (n->op == KT_OP_OTHER) {
			expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
		}
		return;
	case KT_CALL:
		write_call(w, n);
		return;
	case KT_THIS:
		write_slot(w, this_slot(w->u, w->fn), bits, expose);
		return;
	case KT_LITERAL:
	case KT_SIZEOF:
		return;
	case KT_INIT_LIST:
	case KT_CONSTRUCT:
		if (expose && w->u->reference_fields) {
			expose_all(w->u, n, w->fn, "a reference to it is kept");
		}
		return;
	default:
		expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
	}
}

/* ---- loads ---- */

/* Does the function itself write what it loads here (the lvalue n, or what the pointer n points
 * to)? Lanes that meet in memory without a barrier are a race, but the compiler may hand a lane its
 * own store back: then there is no load that all lanes execute. */
static bool load_races(struct walk *w, const struct kt_node *n, bool pointer)
{
	struct uniformity *u = w->u;
	unsigned known = table_get(&u->state, n, 0);
	if (!(known & NODE_RACE_KNOWN)) {
		struct locset from = {0};
		(pointer ? facts_pointees : facts_lvalue)(&from, u->facts, u->arena, n);
		const struct fx *fx = facts_summary(u->facts, w->fn);
		known |= NODE_RACE_KNOWN;
		known |= locset_meets(&from, &fx->writes) ? NODE_RACE : 0;
		table_set(&u->state, u->arena, n, known);
	}
	return known & NODE_RACE;
}

static unsigned load(struct walk *w, const struct kt_node *n, unsigned addr)
{
	unsigned bits = kt_may_hold_pointer(kt_object_type(w->u->unit, n->type)) ? BIT_LOCAL : 0;
	bool same = !(addr & BIT_BOTH) && !load_races(w, n, false);
	return same ? bits : bits | BIT_LANE;
}

/* ---- calls ---- */

static const struct intrinsic *intrinsic_of(const struct uniformity *u, const struct kt_node *n)
{
	const struct kt_fn *f = &u->unit->fn[n->fn];
	if (n->fn && f->body) {
		return NULL; /* read through; a user's own expf is not the known one */
	}
	const struct intrinsic *in = intrinsic_find(u->db, str_of(n->fn ? f->base : n->text));
	return !in && n->fn ? intrinsic_find(u->db, str_of(f->name)) : in;
}

/* Cross-lane operations that hand every lane the same word: masks of lanes, the value of the first
 * one, and that of one which the last operand picks. */
static bool same_for_all(const struct uniformity *u, const char *name, unsigned lane)
{
	if (u->block) {
		return strcmp(name, "__builtin_amdgcn_readfirstlane") == 0 && !(lane & BIT_LANE);
	}
	static const char *const same[] = {"__ballot", "__ballot64", "__any", "__all",
		"__ockl_wfany_i32", "__ockl_wfall_i32", "__builtin_amdgcn_ballot_w32",
		"__builtin_amdgcn_ballot_w64", "__builtin_amdgcn_readfirstlane", NULL};
	for (size_t i = 0; same[i]; i++) {
		if (strcmp(name, same[i]) == 0) {
			return true;
		}
	}
	return strcmp(name, "__builtin_amdgcn_readlane") == 0 && !(lane & BIT_LANE);
}

/* The parameter that child i of a call goes to, or 0. */
static kt_id param_of(const struct uniformity *u, const struct kt_node *n, size_t i)
{
	const struct kt_fn *f = &u->unit->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	return n->fn && i >= first && i - first < f->params ? f->param[i - first] : 0;
}

/* Child i is passed by a reference that the callee may write through; dflt where that is not known.
 */
static bool passed_open(const struct uniformity *u, const struct kt_node *n, size_t i, bool dflt)
{
	if (n->flags & KT_F_METHOD && i == 0) {
		return true;
	}
	kt_id p = param_of(u, n, i);
	if (!p) {
		return dflt;
	}
	const struct kt_type *t = &u->unit->type[sym_of(u, p)->type];
	return t->kind == KT_T_OTHER ||
	       (t->kind == KT_T_REFERENCE && !u->unit->type[t->elem].is_const);
}

/* Arguments of a callee that is not seen: their bits, after it did its worst. */
static unsigned closed_args(struct walk *w, const struct kt_node *n, bool open_dflt, unsigned *last)
{
	unsigned bits = 0;
	*last = 0;
	for (size_t i = 0; i < n->n; i++) {
		if (!n->child[i]) {
			expose_slot(
				w->u, this_slot(w->u, w->fn), "a method that is not seen has it");
			continue;
		}
		*last = value(w, n->child[i]);
		bits |= *last;
		if (passed_open(w->u, n, i, open_dflt)) {
			write_to(w, n->child[i], BIT_BOTH, true);
		}
	}
	return bits;
}

static unsigned call_intrinsic(struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	unsigned last = 0;
	unsigned bits = closed_args(w, n, false, &last);
	const char *name = n->fn ? w->u->unit->fn[n->fn].base : n->text;
	bool returns_pointer = kt_is_pointer(w->u->unit, n);
	switch (in->kind) {
	case INTRINSIC_PURE:
		if (returns_pointer && n->n && n->child[0] &&
			!kt_is_pointer(w->u->unit, n->child[0])) {
			write_to(w, n->child[0], BIT_BOTH, true); /* __builtin_addressof */
			return BIT_BOTH;
		}
		return bits;
	case INTRINSIC_UNIFORM:
		return bits & BIT_LOCAL;
	case INTRINSIC_CROSSLANE:
		return same_for_all(w->u, name, last) ? bits & BIT_LOCAL : BIT_BOTH;
	case INTRINSIC_LOAD:
		/* A buffer's descriptor may add the lane's number to the address: pointers only. */
		if (n->n && n->child[0] && kt_is_pointer(w->u->unit, n->child[0]) &&
			!str_is(str_of(name), "__ldcv") && !load_races(w, n->child[0], true) &&
			!(bits & BIT_BOTH)) {
			return kt_may_hold_pointer(kt_object_type(w->u->unit, n->type)) ? BIT_LOCAL
											: 0;
		}
		return BIT_BOTH;
	case INTRINSIC_TRAP:
		lanes_trap(w);
		return BIT_BOTH;
	default:
		return BIT_BOTH;
	}
}

/* Binds a reference (or this, slot) to the lvalue arg: it reads what arg holds, and what is written
 * through it is written to arg. */
static void bind(struct walk *w, size_t slot, const struct kt_node *arg, unsigned bits)
{
	struct slot *s = &w->u->slot[slot];
	demote(w->u, slot, bits, "it is bound to what may differ per lane");
	if (!s->written && !s->exposed) {
		return;
	}
	if (arg) {
		write_to(w, arg, s->bits, s->exposed);
	} else {
		write_slot(w, this_slot(w->u, w->fn), s->bits, s->exposed);
	}
}

static void bind_object(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_node *object = n->n ? n->child[0] : NULL;
	if (!(n->flags & KT_F_METHOD)) {
		demote(u, this_slot(u, n->fn), BIT_BOTH, "its object is not known");
		return;
	}
	if (!object || object->kind == KT_THIS) {
		bind(w, this_slot(u, n->fn), NULL, u->slot[this_slot(u, w->fn)].bits);
	} else if (kt_is_pointer(u->unit, object)) {
		unsigned at = value(w, object);
		demote(u, this_slot(u, n->fn), at & BIT_BOTH ? BIT_BOTH : BIT_LOCAL,
			"it is called through a pointer that may differ per lane");
	} else {
		bind(w, this_slot(u, n->fn), object, eval(w, object).bits);
	}
}

static void pass_args(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_fn *f = &u->unit->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	if (f->is_method && n->kind == KT_CALL) {
		bind_object(w, n);
	} else if (first && n->n && n->child[0]) {
		eval(w, n->child[0]); /* a static method: the object does not matter */
	}
	for (size_t i = first; i < n->n; i++) {
		kt_id p = param_of(u, n, i);
		if (!n->child[i]) {
			continue;
		}
		if (p && kt_is_reference(u->unit, p)) {
			bind(w, p, n->child[i], eval(w, n->child[i]).bits);
		} else if (p) {
			demote(u, p, value(w, n->child[i]),
				"a caller passes a value that may differ per lane");
		} else {
			value(w, n->child[i]);
			write_to(w, n->child[i], BIT_BOTH, true);
		}
	}
	for (size_t i = n->n > first ? n->n - first : 0; i < f->params; i++) {
		demote(u, f->param[i], BIT_BOTH, "a call does not pass it");
	}
}

static unsigned call_seen(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	struct fn_state *f = &u->fn[n->fn];
	pass_args(w, n);
	if (lanes_apart(w)) {
		set_flag(u, &f->apart);
	}
	if (f->leaves) {
		/* as a return from where lanes are apart */
		struct region r;
		region_enter(w, &r, true, NULL);
		lanes_trap(w);
		region_leave(w);
	}
	if (n->kind == KT_CONSTRUCT) {
		/* Members with initializers in the class are set by code that no tree shows. */
		return BIT_BOTH;
	}
	return f->ret;
}

/* operator= that the compiler made: memberwise. */
static bool is_plain_assignment(const struct uniformity *u, const struct kt_node *n)
{
	return n->kind == KT_CALL && n->flags & KT_F_OPERATOR && n->n == 2 && n->child[0] &&
	       n->text && strcmp(n->text, "operator=") == 0 && !u->unit->fn[n->fn].body;
}

static unsigned call_unseen(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	if (is_plain_assignment(u, n)) {
		struct val to = eval(w, n->child[0]);
		unsigned bits = to.bits | value(w, n->child[1]);
		write_to(w, n->child[0], bits, false);
		return bits;
	}
	unsigned last;
	unsigned bits = closed_args(w, n, true, &last);
	/* Copies and moves that the compiler made. */
	if (n->kind == KT_CONSTRUCT && n->n == 1 && n->fn && n->type &&
		strcmp(kt_object_type(u->unit, n->type)->canon,
			kt_object_type(u->unit, n->child[0]->type)->canon) == 0) {
		return bits;
	}
	return BIT_BOTH;
}

static struct val eval_call(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct intrinsic *in = intrinsic_of(u, n);
	unsigned bits;
	if (n->fn && u->unit->fn[n->fn].body) {
		bits = call_seen(w, n);
		if (u->virtuals && n->flags & KT_F_METHOD) {
			bits = BIT_BOTH; /* or one that overrides it */
			write_call(w, n);
		}
	} else if (in && n->kind == KT_CALL && in->kind != INTRINSIC_NONE) {
		bits = call_intrinsic(w, n, in);
	} else {
		bits = call_unseen(w, n);
	}
	return (struct val){bits, BIT_BOTH};
}

/* ---- expressions ---- */

static bool is_thread_index(const struct uniformity *u, kt_id sym)
{
	const struct kt_sym *s = sym_of(u, sym);
	const struct kt_type *t = kt_object_type(u->unit, s->type);
	return strcmp(s->name, "threadIdx") == 0 || (t->canon && strstr(t->canon, "hreadIdx"));
}

static struct val eval_ref(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	if (!n->sym) {
		return (struct val){0, 0}; /* a function */
	}
	const struct kt_sym *s = sym_of(u, n->sym);
	if (kt_is_variable(u->unit, n->sym)) {
		bool ours = s->fn == w->fn;
		return (struct val){ours ? u->slot[n->sym].bits : BIT_BOTH, BIT_BOTH};
	}
	if (s->kind == KT_S_CONST) {
		return (struct val){0, BIT_BOTH};
	}
	if (s->kind != KT_S_GLOBAL || is_thread_index(u, n->sym) ||
		kt_is_reference(u->unit, n->sym) || s->space == KT_SHARED ||
		s->space == KT_PRIVATE) {
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	/* What the host or the compiler put there holds no pointer to a lane's own storage. */
	return (struct val){s->space == KT_CONSTANT ? 0 : load(w, n, 0), 0};
}

static struct val eval_this_member(const struct walk *w)
{
	return (struct val){w->u->slot[this_slot(w->u, w->fn)].bits, BIT_BOTH};
}

static struct val eval_object(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->n ? n->child[KT_MEMBER_BASE] : NULL;
	if (!base || base->kind == KT_THIS) {
		return eval_this_member(w);
	}
	if (n->sym && kt_is_reference(w->u->unit, n->sym)) {
		eval(w, base);
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	if (n->flags & KT_F_ARROW) {
		unsigned at = value(w, base);
		return (struct val){load(w, n, at), at};
	}
	return eval(w, base);
}

static struct val eval_member(struct walk *w, const struct kt_node *n)
{
	struct val v = eval_object(w, n);
	v.bits |= n->sym ? w->u->slot[n->sym].bits : 0;
	return v;
}

static struct val eval_index(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->child[0];
	if (kt_is_pointer(w->u->unit, base)) {
		unsigned at = value(w, base);
		at |= value(w, n->child[1]);
		return (struct val){load(w, n, at), at};
	}
	struct val v = eval(w, base);
	enum kt_type_kind k = kt_object_type(w->u->unit, base->type)->kind;
	unsigned i = value(w, n->child[1]);
	if (k != KT_T_ARRAY && k != KT_T_VECTOR) {
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	return (struct val){v.bits | i, v.addr | i};
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
			return eval(w, c);
		}
		unsigned at = value(w, c);
		return (struct val){load(w, n, at), at};
	}
	case KT_OP_ADDR: {
		struct val v = eval(w, c);
		write_to(w, c, BIT_BOTH, true);
		return (struct val){v.addr, BIT_BOTH};
	}
	case KT_OP_PREINC:
	case KT_OP_PREDEC:
	case KT_OP_POSTINC:
	case KT_OP_POSTDEC: {
		struct val v = eval(w, c);
		write_to(w, c, v.bits, false);
		return v;
	}
	case KT_OP_NEG:
	case KT_OP_PLUS:
	case KT_OP_NOT:
	case KT_OP_LNOT:
		return (struct val){value(w, c), BIT_BOTH};
	default:
		eval(w, c);
		write_to(w, c, BIT_BOTH, true);
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
}

/* n, run only by those lanes that cond sent there. */
static unsigned eval_under(struct walk *w, const struct kt_node *n, unsigned cond)
{
	struct region r;
	region_enter(w, &r, cond & BIT_LANE, NULL);
	unsigned bits = value(w, n);
	region_leave(w);
	return bits;
}

static struct val eval_binary(struct walk *w, const struct kt_node *n)
{
	unsigned a = value(w, n->child[0]);
	if (n->op == KT_OP_LAND || n->op == KT_OP_LOR) {
		return (struct val){a | eval_under(w, n->child[1], a), BIT_BOTH};
	}
	if (n->op == KT_OP_COMMA) {
		return eval(w, n->child[1]);
	}
	unsigned b = value(w, n->child[1]);
	return (struct val){n->op == KT_OP_OTHER ? BIT_BOTH : a | b, BIT_BOTH};
}

static struct val eval_assign(struct walk *w, const struct kt_node *n)
{
	if (n->n != 2) {
		expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
		return (struct val){BIT_BOTH, BIT_BOTH};
	}
	const struct kt_node *to = n->child[0];
	struct val v = eval(w, to);
	unsigned bits = value(w, n->child[1]) | v.bits;
	write_to(w, to, bits, false);
	if (to->kind == KT_MEMBER && to->sym && kt_is_reference(w->u->unit, to->sym)) {
		/* r(x) in a constructor: the field is bound, not written */
		write_to(w, n->child[1], BIT_BOTH, true);
	}
	return (struct val){bits, BIT_BOTH};
}

static struct val eval_cond(struct walk *w, const struct kt_node *n)
{
	unsigned cond = value(w, n->child[KT_COND_COND]);
	unsigned bits = cond;
	for (size_t i = KT_COND_THEN; i < n->n; i++) {
		if (n->child[i]) {
			bits |= eval_under(w, n->child[i], cond);
		}
	}
	return (struct val){bits, BIT_BOTH};
}

/* A default argument, too, shows up as a literal, one without text or value. */
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
	unsigned bits = value(w, c);
	bool made = kt_may_hold_pointer(kt_object_type(w->u->unit, n->type)) &&
		    !kt_may_hold_pointer(kt_object_type(w->u->unit, c->type));
	return made && !(c->flags & KT_F_VALUE) ? bits | BIT_LOCAL : bits;
}

static unsigned list_bits(struct walk *w, const struct kt_node *n)
{
	unsigned bits = 0;
	for (size_t i = 0; i < n->n; i++) {
		bits |= value(w, n->child[i]);
		if (w->u->reference_fields &&
			kt_object_type(w->u->unit, n->type)->kind == KT_T_RECORD) {
			write_to(w, n->child[i], BIT_BOTH, true);
		}
	}
	return bits;
}

/* Braces in the text of what is not understood may hold statements; a macro may hold anything. */
static bool hides_code(const struct uniformity *u, const struct kt_node *n, const char *signs)
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
	bool wild = w->wild;
	w->wild = true;
	for (size_t i = 0; i < n->n; i++) {
		stmt(w, n->child[i]);
	}
	expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
	if (hides_code(w->u, n, "{")) {
		lanes_anywhere(w);
	}
	w->wild = wild;
	return BIT_BOTH;
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
		return eval_call(w, n);
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
		return (struct val){list_bits(w, n), BIT_BOTH};
	case KT_THIS:
		expose_slot(w->u, this_slot(w->u, w->fn), "its address is taken");
		return (struct val){BIT_BOTH, BIT_BOTH};
	case KT_SIZEOF:
		return (struct val){0, BIT_BOTH};
	case KT_LAMBDA: /* what it mentions was exposed before the walk */
		return (struct val){BIT_BOTH, BIT_BOTH};
	default:
		break;
	}
	return (struct val){unknown_bits(w, n), BIT_BOTH};
}

static void record(struct walk *w, const struct kt_node *n, unsigned bits)
{
	if (w->record) {
		table_set(w->record, w->u->arena, n, bits);
	}
}

/* As an lvalue: arrays stay arrays. Each node is evaluated once in a walk. */
static struct val eval(struct walk *w, const struct kt_node *n)
{
	unsigned apart = lanes_apart(w) ? BIT_APART : 0;
	struct val v = eval_kind(w, n);
	const struct kt_type *t = kt_object_type(w->u->unit, n->type);
	if (w->wild || n->flags & KT_F_VOLATILE || t->is_volatile) {
		v.bits |= BIT_LANE;
	}
	if (!kt_may_hold_pointer(t)) {
		v.bits &= ~(unsigned)BIT_LOCAL;
	}
	if (n->flags & KT_F_VALUE) {
		v.bits = 0;
	}
	record(w, n, v.bits | apart);
	return v;
}

/* As a value: an array becomes a pointer to its first element. */
static unsigned value(struct walk *w, const struct kt_node *n)
{
	struct val v = eval(w, n);
	if (!kt_is_array(w->u->unit, n) || n->kind == KT_LITERAL || n->kind == KT_INIT_LIST) {
		return v.bits;
	}
	write_to(w, n, BIT_BOTH, true);
	return v.addr;
}

/* ---- statements ---- */

static bool mentions(const struct kt_node *root, kt_id sym)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->sym == sym) {
			return true;
		}
	}
	return false;
}

/* Does n, the first to mention sym, set it whatever way it goes? */
static bool always_sets(const struct kt_node *n, kt_id sym)
{
	if (!n) {
		return false;
	}
	if (n->kind == KT_ASSIGN) {
		return n->op == KT_OP_NONE && n->n == 2 && n->child[0]->kind == KT_REF &&
		       n->child[0]->sym == sym && !mentions(n->child[1], sym);
	}
	if (n->kind == KT_COMPOUND) {
		for (size_t i = 0; i < n->n; i++) {
			if (mentions(n->child[i], sym)) {
				return always_sets(n->child[i], sym);
			}
		}
	}
	if (n->kind == KT_IF) {
		for (size_t i = 0; i <= KT_IF_COND; i++) {
			if (mentions(n->child[i], sym)) {
				return false;
			}
		}
		return always_sets(n->child[KT_IF_THEN], sym) &&
		       always_sets(n->child[KT_IF_ELSE], sym);
	}
	return false;
}

/* int x; whose first mention sets it. */
static bool set_before_use(const struct kt_node *var)
{
	const struct kt_node *decl = var->parent;
	if (!decl || decl->kind != KT_DECL || !decl->parent || decl->parent->kind != KT_COMPOUND) {
		return false;
	}
	for (size_t i = var->slot + 1; i < decl->n; i++) {
		if (mentions(decl->child[i], var->sym)) {
			return false;
		}
	}
	const struct kt_node *block = decl->parent;
	for (size_t i = decl->slot + 1; i < block->n; i++) {
		if (mentions(block->child[i], var->sym)) {
			return always_sets(block->child[i], var->sym);
		}
	}
	return true; /* never used */
}

/* The variable whose storage the lvalue n lies in: its region is the reference's, too. */
static unsigned storage_level(struct walk *w, const struct kt_node *n)
{
	while (n->n && n->child[0] &&
		(n->kind == KT_CAST || (n->kind == KT_MEMBER && !(n->flags & KT_F_ARROW)) ||
			(n->kind == KT_INDEX && !kt_is_pointer(w->u->unit, n->child[0])))) {
		n = n->child[0];
	}
	bool ours = n->kind == KT_REF && kt_is_variable(w->u->unit, n->sym) &&
		    sym_of(w->u, n->sym)->fn == w->fn;
	return ours ? w->u->slot[n->sym].level : 0;
}

static void var_decl(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_node *init = n->n ? n->child[0] : NULL;
	record(w, n, BIT_LANE | (lanes_apart(w) ? BIT_APART : 0));
	if (!kt_is_variable(u->unit, n->sym)) {
		if (init) {
			value(w, init); /* static: memory */
		}
		return;
	}
	struct slot *s = &u->slot[n->sym];
	s->level = w->here->level;
	enum kt_type_kind k = kt_object_type(u->unit, n->type)->kind;
	if (w->wild) {
		expose_slot(u, n->sym, "it stands in code that is not understood");
	}
	if (!init) {
		bool scalar = !kt_is_reference(u->unit, n->sym) && k != KT_T_ARRAY &&
			      k != KT_T_RECORD && k != KT_T_OTHER;
		if (!scalar || !set_before_use(n)) {
			demote(u, n->sym, BIT_BOTH, "it is not initialised");
		}
	} else if (kt_is_reference(u->unit, n->sym)) {
		unsigned bits = eval(w, init).bits;
		s->level = storage_level(w, init);
		bind(w, n->sym, init, bits);
	} else {
		unsigned bits = k == KT_T_ARRAY ? eval(w, init).bits : value(w, init);
		demote(u, n->sym, bits, "it gets a value that may differ per lane");
	}
}

static void child_stmt(struct walk *w, const struct kt_node *n, size_t slot)
{
	if (n->child[slot]) {
		stmt(w, n->child[slot]);
	}
}

static unsigned child_value(struct walk *w, const struct kt_node *n, size_t slot)
{
	return n->child[slot] ? value(w, n->child[slot]) : 0;
}

static void if_stmt(struct walk *w, const struct kt_node *n)
{
	child_stmt(w, n, KT_IF_INIT);
	child_stmt(w, n, KT_IF_VAR);
	unsigned cond = child_value(w, n, KT_IF_COND);
	struct region r;
	for (size_t i = KT_IF_THEN; i < KT_IF_SLOTS; i++) {
		region_enter(w, &r, cond & BIT_LANE, NULL);
		child_stmt(w, n, i);
		region_leave(w);
	}
}

static void switch_stmt(struct walk *w, const struct kt_node *n)
{
	child_stmt(w, n, KT_SWITCH_INIT);
	child_stmt(w, n, KT_SWITCH_VAR);
	unsigned cond = child_value(w, n, KT_SWITCH_COND);
	struct region r;
	region_enter(w, &r, cond & BIT_LANE, n);
	child_stmt(w, n, KT_SWITCH_BODY);
	region_leave(w);
}

static void loop_condition(struct walk *w, const struct kt_node *cond)
{
	if (cond && value(w, cond) & BIT_LANE) {
		region_part(w, w->here);
	}
}

/* Elements of an array come in step; a class hides its iterators. */
static void range_variable(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	const struct kt_node *var = n->child[KT_RANGE_VAR];
	const struct kt_node *range = n->child[KT_RANGE_RANGE];
	unsigned bits = eval(w, range).bits;
	if (!kt_is_array(u->unit, range)) {
		bits = BIT_BOTH;
		write_to(w, range, BIT_BOTH, true);
		region_part(w, w->here);
	}
	if (!var || !kt_is_variable(u->unit, var->sym)) {
		return;
	}
	record(w, var, BIT_LANE | (lanes_apart(w) ? BIT_APART : 0));
	struct slot *s = &u->slot[var->sym];
	bits |= w->here->apart ? BIT_LANE : 0;
	if (kt_is_reference(u->unit, var->sym)) {
		s->level = storage_level(w, range);
		bind(w, var->sym, range, bits);
	} else {
		s->level = w->here->level;
		demote(u, var->sym, bits, "it runs over what may differ per lane");
	}
}

static void loop_stmt(struct walk *w, const struct kt_node *n)
{
	if (n->kind == KT_FOR) {
		child_stmt(w, n, KT_FOR_INIT);
	} else if (n->kind == KT_RANGE_FOR) {
		child_stmt(w, n, KT_RANGE_INIT);
	}
	struct region r;
	region_enter(w, &r, false, n);
	switch (n->kind) {
	case KT_FOR:
		loop_condition(w, n->child[KT_FOR_COND]);
		child_stmt(w, n, KT_FOR_BODY);
		child_stmt(w, n, KT_FOR_INC);
		break;
	case KT_RANGE_FOR:
		range_variable(w, n);
		child_stmt(w, n, KT_RANGE_BODY);
		break;
	case KT_WHILE:
		child_stmt(w, n, KT_WHILE_VAR);
		loop_condition(w, n->child[KT_WHILE_COND]);
		child_stmt(w, n, KT_WHILE_BODY);
		break;
	default:
		child_stmt(w, n, KT_DO_BODY);
		loop_condition(w, n->child[KT_DO_COND]);
		break;
	}
	region_leave(w);
}

static void return_stmt(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	unsigned bits = 0;
	for (size_t i = 0; i < n->n; i++) {
		bool by_reference = u->unit->type[u->unit->fn[w->fn].ret].kind == KT_T_REFERENCE;
		bits |= by_reference ? eval(w, n->child[i]).bits : value(w, n->child[i]);
	}
	if (w->wild || apart_level(w) > 1) {
		bits |= BIT_LANE;
	}
	add_result(w, bits);
	lanes_return(w);
}

static void unknown_stmt(struct walk *w, const struct kt_node *n)
{
	bool wild = w->wild;
	w->wild = true;
	struct region r;
	region_enter(w, &r, true, NULL);
	bool reference = false;
	for (size_t i = 0; i < n->n; i++) {
		stmt(w, n->child[i]);
		const struct kt_node *c = n->child[i];
		reference |= c->kind == KT_VAR && c->sym && kt_is_reference(w->u->unit, c->sym);
	}
	if (reference) {
		/* A loop over a range has iterators that no node stands for. */
		expose_all(w->u, n, w->fn, "it is used in a way that is not understood");
	}
	region_leave(w);
	w->wild = wild;
}

static void children(struct walk *w, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		child_stmt(w, n, i);
	}
}

static void stmt(struct walk *w, const struct kt_node *n)
{
	if (n->kind == KT_VAR) {
		var_decl(w, n);
		return;
	}
	if (!kt_is_stmt(n->kind)) {
		value(w, n);
		return;
	}
	record(w, n, BIT_LANE | (lanes_apart(w) ? BIT_APART : 0));
	switch (n->kind) {
	case KT_IF:
		if_stmt(w, n);
		break;
	case KT_SWITCH:
		switch_stmt(w, n);
		break;
	case KT_FOR:
	case KT_RANGE_FOR:
	case KT_WHILE:
	case KT_DO:
		loop_stmt(w, n);
		break;
	case KT_RETURN:
		return_stmt(w, n);
		break;
	case KT_BREAK:
	case KT_CONTINUE:
		lanes_jump(w, n->kind);
		break;
	case KT_STMT_UNKNOWN:
		unknown_stmt(w, n);
		break;
	default: /* blocks, declarations, labels; asm was seen before the walk */
		children(w, n);
		break;
	}
}

static void walk_function(struct uniformity *u, kt_id fn, struct node_table *record)
{
	struct region base = {.level = 1};
	struct walk w = {.u = u, .fn = fn, .here = &base, .wild = u->fn[fn].wild, .record = record};
	stmt(&w, u->unit->fn[fn].body);
}

/* ---- before the fixpoint: what no order of demotions changes ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(struct str text, const char *word)
{
	size_t n = strlen(word);
	for (size_t at = n ? str_find(text, word, 0) : SIZE_MAX; at != SIZE_MAX;
		at = str_find(text, word, at + 1)) {
		bool starts = at == 0 || !is_word(text.p[at - 1]);
		bool ends = at + n == text.n || !is_word(text.p[at + n]);
		if (starts && ends) {
			return true;
		}
	}
	return false;
}

static bool names_variable(const struct uniformity *u, kt_id fn, struct str word)
{
	for (kt_id s = 1; s < u->unit->syms; s++) {
		if (sym_of(u, s)->fn == fn && kt_is_variable(u->unit, s) &&
			str_is(word, sym_of(u, s)->name)) {
			return true;
		}
	}
	return false;
}

/* Takes the next word of *text that is no member, no [operand name] and not in a string. */
static bool next_name(struct str *text, struct str *word)
{
	char before = ' ';
	for (size_t i = 0; i < text->n; i++) {
		char c = text->p[i];
		if (c == '"') {
			for (i++; i < text->n && text->p[i] != '"'; i++) {
				i += text->p[i] == '\\' ? 1 : 0;
			}
		} else if (is_word(c)) {
			size_t end = i;
			while (end < text->n && is_word(text->p[end])) {
				end++;
			}
			if (!isdigit((unsigned char)c) && !strchr(".[", before)) {
				*word = str_sub(*text, i, end);
				*text = str_sub(*text, end, text->n);
				return true;
			}
			i = end - 1;
		}
		if (c == '-' && i + 1 < text->n && text->p[i + 1] == '>') {
			c = '.';
			i++;
		}
		before = isspace((unsigned char)c) ? before : c;
	}
	return false;
}

/* Does the text of an asm tell all that it touches, or may a macro in it hide more? */
static bool asm_is_open(const struct uniformity *u, kt_id fn, struct str text)
{
	static const char *const plain[] = {"asm", "__asm", "__asm__", "volatile", "__volatile",
		"__volatile__", "inline", "goto", "this", NULL};
	struct str word;
	while (next_name(&text, &word)) {
		bool known = names_variable(u, fn, word);
		for (size_t i = 0; plain[i] && !known; i++) {
			known = str_is(word, plain[i]);
		}
		if (!known) {
			return false;
		}
	}
	return true;
}

/* Lambdas and asm have no children that tell what they touch, but they name it. */
static void expose_named(struct uniformity *u, kt_id fn, struct str text, bool all, const char *why)
{
	for (kt_id s = 1; s < u->unit->syms; s++) {
		if (sym_of(u, s)->fn == fn && kt_is_variable(u->unit, s) &&
			(all || has_word(text, sym_of(u, s)->name))) {
			expose_slot(u, s, why);
		}
	}
	if (u->unit->fn[fn].is_method && (all || str_find(text, ":", 0) < text.n)) {
		expose_slot(u, this_slot(u, fn), why);
	}
}

static void see_text(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	bool lambda = n->kind == KT_LAMBDA;
	struct str text = lambda ? kt_source(u->unit, n) : str_of(n->text);
	bool all = n->flags & KT_F_MACRO || !text.n || (!lambda && !asm_is_open(u, fn, text));
	if (lambda && u->unit->fn[fn].is_method) {
		expose_slot(u, this_slot(u, fn), "a lambda captures it");
	}
	expose_named(u, fn, text, all, lambda ? "a lambda captures it" : "asm touches it");
}

/* A call whose callee is not known may be to any function that takes as many arguments. */
static void note_open_call(struct uniformity *u, const struct kt_node *n)
{
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_fn *f = &u->unit->fn[fn];
		bool fits =
			f->params == n->n || f->params + 1 == n->n; /* child 0 may be the callee */
		if (f->body && f->kind != KT_FN_KERNEL && fits) {
			u->fn[fn].called = false;
		}
	}
}

static void see_node(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	struct fn_state *f = &u->fn[fn];
	switch (n->kind) {
	case KT_VAR:
		u->slot[n->sym].declared = sym_of(u, n->sym)->fn == fn;
		break;
	case KT_GOTO:
	case KT_LABEL:
		f->wild = true;
		break;
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		if (n->n == 0 && hides_code(u, n, "({=")) {
			f->wild = true;
		}
		break;
	case KT_REF:
		if (kt_is_variable(u->unit, n->sym) && sym_of(u, n->sym)->fn != fn) {
			expose_slot(u, n->sym, "it is captured");
		}
		break;
	case KT_LAMBDA:
	case KT_ASM:
		see_text(u, fn, n);
		break;
	case KT_CONSTRUCT:
		u->fn[n->fn].constructor = true;
		u->fn[n->fn].called = true;
		break;
	case KT_CALL:
		u->fn[n->fn].called = true;
		break;
	default:
		break;
	}
}

/* After all calls were seen: functions that are reached otherwise, too. */
static void see_open(struct uniformity *u, kt_id fn, const struct kt_node *n)
{
	(void)fn;
	if (n->kind == KT_REF && n->fn) {
		u->fn[n->fn].called = false;
	} else if (n->kind == KT_CALL && !n->fn && !intrinsic_of(u, n) &&
		   !str_starts(str_of(n->text), "__builtin_")) {
		note_open_call(u, n);
	}
}

static void each_node(
	struct uniformity *u, void (*see)(struct uniformity *u, kt_id fn, const struct kt_node *n))
{
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		const struct kt_node *body = u->unit->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			see(u, fn, n);
		}
	}
}

static void start_function(struct uniformity *u, kt_id fn)
{
	const struct kt_fn *f = &u->unit->fn[fn];
	struct fn_state *s = &u->fn[fn];
	bool kernel = f->kind == KT_FN_KERNEL;
	bool open = !kernel && (!s->called || u->unit->open);
	s->apart |= open || s->wild;
	s->ret = s->wild ? BIT_BOTH : 0;
	s->leaves = s->wild;
	for (size_t i = 0; i < f->params; i++) {
		struct slot *p = &u->slot[f->param[i]];
		bool reference = kt_is_reference(u->unit, f->param[i]);
		p->declared = sym_of(u, f->param[i])->fn == fn;
		p->level = reference ? 0 : 1;
		if (open || s->wild || (kernel && reference)) {
			demote(u, f->param[i], BIT_BOTH,
				s->wild ? "the function jumps" : "not all callers are known");
		}
	}
	if (open || s->wild || s->constructor) {
		/* a constructor's object holds what was there before */
		demote(u, this_slot(u, fn), BIT_BOTH, "not all callers are known");
	}
	if (s->wild) {
		expose_slot(u, this_slot(u, fn), "the function jumps");
	}
}

static bool has_name(struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		bool starts = i == 0 || !is_word(text.p[i - 1]);
		if (starts && is_word(text.p[i]) && !isdigit((unsigned char)text.p[i])) {
			return true;
		}
	}
	return false;
}

/* int n = threadIdx.x; in a class: whoever makes an object may leave that to the compiler, and no
 * node stands for it. Plain numbers are fine. */
static bool hidden_initializer(const struct uniformity *u, const struct kt_sym *field)
{
	struct str text = u->unit->file[field->file].text;
	struct str rest = str_sub(text, field->at, text.n);
	if (!str_starts(rest, field->name)) {
		return true;
	}
	rest = str_sub(rest, strlen(field->name), str_find(rest, ";", 0));
	size_t assign = str_find(rest, "=", 0);
	size_t brace = str_find(rest, "{", 0);
	return has_name(str_sub(rest, assign < brace ? assign : brace, rest.n));
}

static void start_symbols(struct uniformity *u)
{
	for (kt_id s = 1; s < u->unit->syms; s++) {
		const struct kt_sym *sym = sym_of(u, s);
		if (sym->kind == KT_S_FIELD && kt_is_reference(u->unit, s)) {
			u->reference_fields = true;
		}
		if (sym->kind == KT_S_FIELD && hidden_initializer(u, sym)) {
			u->hidden_initializers |= !u->unit->file[sym->file].system;
			demote(u, s, BIT_BOTH, "its class may initialise it");
		}
		if (!kt_is_variable(u->unit, s)) {
			continue;
		}
		bool wild = u->fn[sym->fn].wild;
		if (wild || !u->slot[s].declared || u->unit->type[sym->type].is_volatile) {
			expose_slot(
				u, s, wild ? "the function jumps" : "its declaration is not seen");
		}
	}
}

bool uniformity_has_word(const struct uniformity *u, const char *word)
{
	for (kt_id f = 1; f < u->unit->files; f++) {
		if (!u->unit->file[f].system && has_word(u->unit->file[f].text, word)) {
			return true;
		}
	}
	return false;
}

static struct uniformity *create(struct facts *f, struct arena *a, bool block)
{
	struct uniformity *u = ARENA_NEW(a, struct uniformity);
	u->facts = f;
	u->block = block;
	u->unit = facts_unit(f);
	u->db = facts_intrinsics(f);
	u->arena = a;
	u->slot = ARENA_ARRAY(a, struct slot, u->unit->syms + u->unit->fns);
	u->fn = ARENA_ARRAY(a, struct fn_state, u->unit->fns);
	u->record = ARENA_ARRAY(a, struct node_table *, u->unit->fns);
	u->virtuals = uniformity_has_word(u, "virtual");
	each_node(u, see_node);
	each_node(u, see_open);
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		start_function(u, fn);
	}
	start_symbols(u);
	do {
		u->changed = false;
		for (kt_id fn = 1; fn < u->unit->fns; fn++) {
			if (u->unit->fn[fn].body) {
				walk_function(u, fn, NULL);
			}
		}
	} while (u->changed);
	return u;
}

struct uniformity *uniformity_create(struct facts *f, struct arena *a)
{
	return create(f, a, false);
}

struct uniformity *uniformity_create_block(struct facts *f, struct arena *a)
{
	return create(f, a, true);
}

/* ---- queries ---- */

bool uniformity_is_wild(const struct uniformity *u, kt_id fn)
{
	return u->fn[fn].wild;
}

bool uniformity_has_virtuals(const struct uniformity *u)
{
	return u->virtuals;
}

bool uniformity_hides_initializers(const struct uniformity *u)
{
	return u->hidden_initializers;
}

/* What the last walk knew of n: all bits where it did not come by. */
static unsigned recorded(struct uniformity *u, const struct kt_node *n)
{
	kt_id fn = n ? facts_function_of(u->facts, n) : 0;
	if (!fn || !u->unit->fn[fn].body) {
		return BIT_LANE | BIT_APART;
	}
	if (!u->record[fn]) {
		u->record[fn] = ARENA_NEW(u->arena, struct node_table);
		u->changed = false;
		walk_function(u, fn, u->record[fn]);
		if (u->changed) {
			BUG("%s: uniformity is no fixpoint", u->unit->fn[fn].name);
		}
	}
	return table_get(u->record[fn], n, BIT_LANE | BIT_APART);
}

/* The first innermost node that spoils n. */
static const struct kt_node *culprit(struct uniformity *u, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		if (c && c->kind != KT_THIS && recorded(u, c) & BIT_LANE) {
			return culprit(u, c);
		}
	}
	return n;
}

static const char *reason(struct uniformity *u, const struct kt_node *n)
{
	struct str s = kt_source(u->unit, n);
	const char *name = n->sym ? sym_of(u, n->sym)->name : n->text;
	const char *text = s.n && !(n->flags & KT_F_MACRO) ? arena_strndup(u->arena, s.p, s.n)
			   : name && *name		   ? name
							   : kt_kind_name(n->kind);
	const char *why = n->kind == KT_REF && n->sym && kt_is_variable(u->unit, n->sym)
				  ? u->slot[n->sym].why
				  : NULL;
	return why ? arena_printf(u->arena, "%s: %s", text, why) : text;
}

bool uniformity_expr(struct uniformity *u, const struct kt_node *n, const char **why)
{
	bool uniform = !(recorded(u, n) & BIT_LANE);
	if (!uniform && why) {
		*why = n ? reason(u, culprit(u, n)) : "nothing";
	}
	return uniform;
}

bool uniformity_control(struct uniformity *u, const struct kt_node *n)
{
	return !(recorded(u, n) & BIT_APART);
}
