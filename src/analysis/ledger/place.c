/*
 * Memory accesses: the place of an lvalue, the registers of its address, and the loads that an
 * unrolled loop may have in flight.
 */
#include "analysis/ledger/walk.h"
#include "analysis/facts/writes.h"

enum {
	INDEX_DEPTH = 8 /* of an index expression, with the definitions of its variables */
};

/* A loop that is not unrolled keeps an address from one iteration to the next, once for each access
 * in the source, however often that is inlined: as an offset, or as an incremented pointer if it
 * changes with the loop. more: further addresses of the access that no constant offset reaches. */
static void keep_address(
	struct walk *w, const struct kt_node *n, const struct place *p, unsigned more)
{
	unsigned each = p->held ? p->held : 1;

	for (size_t i = w->loops; i-- > 0;) {
		if (w->loop[i].unrolled) {
			continue;
		}
		struct trace_item *at = &w->t->item.v[w->loop[i].item];
		uint64_t loop = (uint64_t)w->loop[i].item << 48;
		bool moves = i < TRACE_LOOPS_MAX && walk_affine_mask(&p->affine) & 1u << i;
		/* an add with carry reads VCC, so on GCN and CDNA it cannot read a second scalar
		 * register: the upper half of a step that is not constant is in a VGPR */
		unsigned step = i < TRACE_LOOPS_MAX && p->affine.strided >> i & 1;
		each = moves && !p->lds ? 2 : each;
		/* the same offset from another base needs no further register */
		bool offset = p->key && each == 1;
		bool known = !map_set_u64(w->addresses, (uint64_t)(uintptr_t)n ^ loop, 1);
		known |= offset && !map_set_u64(w->addresses, p->key ^ loop, 1);
		at->kept += !known && p->held ? each + (each == 2 ? step : 0) : 0;
		at->kept += !known && p->held ? more * each : 0;
		return;
	}
}

/* Is a loop that is not unrolled around this place? Such a loop increments an address that is
 * computed before it. */
static bool in_loop(const struct walk *w)
{
	for (size_t i = 0; i < w->loops; i++) {
		if (!w->loop[i].unrolled) {
			return true;
		}
	}
	return false;
}

/* Counts an access through an address that differs between lanes. The caller holds the address. The
 * loads of all iterations may be in flight together. A value loaded into a variable (into) has the
 * variable's registers, except that loops around the variable's declaration need more. */
static void account_access(struct walk *w, const struct kt_node *n, const struct place *p,
	unsigned width, uint32_t into)
{
	size_t inside = into ? walk_var_at(w, into)->loops : NO_VARIABLE;
	const struct trace_affine *address = &p->affine;
	size_t first = walk_chain_first(w);
	int64_t loads = 1, own = 1, again = 1, far = 1;
	unsigned mask = 0;

	for (size_t i = first; i < w->loops && i < TRACE_LOOPS_MAX; i++) {
		if (walk_affine_mask(address) & 1u << i) {
			loads *= w->loop[i].trips;
			mask |= 1u << i;
			own *= i >= inside ? w->loop[i].trips : 1;
			far *= address->strided & 1u << i ? w->loop[i].trips : 1;
		} else {
			again *= w->loop[i].trips;
		}
	}
	keep_address(w, n, p, (unsigned)(far - 1));
	if (far > 1 && p->held > width && !in_loop(w)) {
		w->t->item.v[w->loop[first].item].addresses +=
			(uint32_t)(far - 1) * (p->held - width);
	}
	if (first == w->loops || loads <= 1) {
		return;
	}
	loads = walk_new_addresses(w, address, mask);
	own = own < loads ? own : loads;
	int64_t values = (loads - own) * width;
	struct trace_item *at = &w->t->item.v[w->loop[first].item];
	if (again > 1 && !p->lds) { /* the compiler keeps a value instead of loading it again */
		at->kept += (uint32_t)(loads * width);
	} else {
		at->in_flight += (uint32_t)values;
		at->lds += p->lds ? (uint32_t)values : 0;
		if (into && own > 1 && (!at->own_var || at->own_var == into)) {
			at->own += (uint32_t)(own - 1) * width;
			at->own_var = into;
		}
	}
}

static int64_t elem_size(const struct walk *w, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(w->u, n);

	return t->size > 0 ? t->size : 1;
}

static struct place memory_place(struct walk *w, const struct kt_node *n, struct value p)
{
	struct place r = {.memory = true, .lds = p.lds, .affine = p.affine};

	bool in_place = p.var && walk_var_at(w, p.var)->pub.width > 0;
	r.lane = !walk_is_uniform(w, n);
	/* if the base is in scalar registers, only the offset differs between lanes */
	r.held = !r.lane || in_place ? 0 : p.width ? p.width : 1;
	return r;
}

static void use_in_address(struct walk *w, const struct kt_node *n)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		uint32_t v = at->kind == KT_REF && at->sym ? walk_var_of(w, at->sym) : 0;
		if (v) {
			walk_var_at(w, v)->in_address = true;
		}
	}
}

static bool is_signed(const struct kt_type *t)
{
	return t->kind == KT_T_INT && t->canon && !t->is_unsigned;
}

/* Is the index made only of the thread's index, counters of unrolled loops, and constants, so that
 * its byte offset has 32 bits and is known to be non-negative? */
static bool is_small(struct walk *w, const struct kt_node *n, unsigned depth)
{
	n = kt_past_casts(n);
	if (n->flags & KT_F_VALUE || walk_is_thread_index(w, n)) {
		return !(n->flags & KT_F_VALUE) || n->value >= 0;
	}
	if (depth == 0) {
		return false;
	}
	if (n->kind == KT_REF && n->sym) {
		uint32_t v = walk_var_of(w, n->sym);
		bool counter = v && walk_var_at(w, v)->pub.uniform &&
			       walk_affine_mask(&walk_var_at(w, v)->affine) != 0;
		uintptr_t known = map_get_u64(&w->t->small, n->sym, 0);
		if (counter || known) {
			return counter || known == 2;
		}
		kt_id fn = w->t->frame.v[w->frame].fn;
		const struct kt_node *value = local_only_value(w->u, w->u->fn[fn].body, n->sym);
		bool small = value && is_small(w, value, depth - 1);
		map_set_u64(&w->t->small, n->sym, small ? 2 : 1);
		return small;
	}
	if (n->kind != KT_BINARY) {
		return false;
	}
	const struct kt_node *l = n->child[0], *r = n->child[1];
	bool bounded = r->flags & KT_F_VALUE && r->value > 0;
	switch (n->op) {
	case KT_OP_ADD:
		return is_small(w, l, depth - 1) && is_small(w, r, depth - 1);
	case KT_OP_MUL:
	case KT_OP_SHL:
	case KT_OP_SHR:
	case KT_OP_DIV:
		return bounded && is_small(w, l, depth - 1);
	case KT_OP_REM:
		return bounded && (is_small(w, l, depth - 1) || !is_signed(kt_type_of(w->u, l)));
	case KT_OP_AND:
		return bounded;
	default:
		return false;
	}
}

static struct place index_place(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->child[0];
	const struct kt_type *bt = kt_type_of(w->u, base);
	bool pointer = kt_object_type(w->u, base->type)->kind == KT_T_POINTER;
	struct place r;

	if (pointer || bt->kind == KT_T_POINTER) {
		struct value p = walk_eval(w, base);
		if (walk_points_into(w, &p)) {
			r = (struct place){.var = p.var}; /* an array that decayed */
		} else {
			r = memory_place(w, n, p);
		}
	} else {
		r = walk_place_of(w, base);
	}
	unsigned before = w->held;
	size_t items = w->t->item.n;
	w->held += r.held;
	struct value i = walk_eval(w, n->child[1]);
	w->held = before;
	if (r.var) {
		r.whole = false;
		if (!i.unrolled && !i.constant) {
			walk_var_at(w, r.var)->pub.dynamic = true;
		}
		return r;
	}
	const struct kt_type *it = kt_type_of(w->u, n->child[1]);
	r.key = r.var ? 0 : walk_offset_key(w, n->child[1], elem_size(w, n));
	if (r.held == 1 && !r.lds && !is_small(w, n->child[1], INDEX_DEPTH)) {
		r.held = 2;
		bool known = walk_knows_offset(w, r.key);
		if (known && !in_loop(w)) { /* the operands of the index are not read again */
			w->t->item.n = items;
		}
		if (!in_loop(w) && !(known && w->again)) {
			walk_make_address(w, n, r.key, it->size == 4 && !is_signed(it));
		}
	}
	use_in_address(w, n);
	r.affine = walk_affine_add(r.affine, walk_affine_scale(i.affine, elem_size(w, n)), 1);
	if (!r.lane && !walk_is_uniform(w, n)) {
		r.lane = true;
		r.held = r.lds ? 1 : 2;
	}
	return r;
}

/* The object of the current method. */
static struct place own_place(struct walk *w)
{
	uint32_t v = walk_var_of(w, kt_this_of(w->u, w->t->frame.v[w->frame].fn));

	if (v && !walk_var_at(w, v)->memory) {
		return (struct place){.var = v, .whole = true};
	}
	struct place r = {.memory = true};
	if (v) {
		r.lds = walk_var_at(w, v)->lds;
		r.affine = walk_var_at(w, v)->affine;
	}
	return r;
}

struct place walk_place_of(struct walk *w, const struct kt_node *n)
{
	n = kt_past_casts(n);
	switch (n->kind) {
	case KT_REF: {
		uint32_t v = n->sym ? walk_var_of(w, n->sym) : 0;
		if (v && !walk_var_at(w, v)->memory) {
			return (struct place){.var = v, .whole = true};
		}
		struct place r = {.memory = true, .whole = true};
		if (v) {
			r.lds = walk_var_at(w, v)->lds;
			r.affine = walk_numbered(w, v, walk_var_at(w, v)->affine);
		} else if (n->sym) {
			r.lds = w->u->sym[n->sym].space == KT_SHARED;
			r.affine = walk_affine_of(walk_mix(KT_VAR, n->sym), false);
		}
		return r;
	}
	case KT_MEMBER: {
		const struct kt_node *base = n->child[KT_MEMBER_BASE];
		if (base && n->flags & KT_F_ARROW && base->kind != KT_THIS) {
			use_in_address(w, base);
			struct value p = walk_eval(w, base);
			p.affine.number += walk_mix(n->kind, n->sym);
			return walk_points_into(w, &p) ? (struct place){.var = p.var}
						       : memory_place(w, n, p);
		}
		struct place r = base ? walk_place_of(w, base) : own_place(w);
		r.affine.number += walk_mix(n->kind, n->sym);
		r.whole = false;
		return r;
	}
	case KT_INDEX:
		return index_place(w, n);
	case KT_UNARY:
		if (n->op == KT_OP_DEREF && n->child[0]->kind == KT_THIS) {
			return own_place(w);
		}
		if (n->op == KT_OP_DEREF) {
			struct value p = walk_eval(w, n->child[0]);
			use_in_address(w, n->child[0]);
			if (walk_points_into(w, &p)) {
				return (struct place){.var = p.var};
			}
			return memory_place(w, n, p);
		}
		break;
	case KT_THIS:
		return own_place(w);
	case KT_CALL:
		if (walk_gives_place(w, n)) {
			return walk_called_place(w, n);
		}
		break;
	case KT_COND: {
		walk_eval(w, n->child[KT_COND_COND]);
		struct place r = walk_place_of(w, n->child[KT_COND_ELSE]);
		if (n->child[KT_COND_THEN]) {
			struct place other = walk_place_of(w, n->child[KT_COND_THEN]);
			r = r.memory ? r : other;
		}
		return r;
	}
	default:
		break;
	}
	/* an rvalue */
	struct value v = walk_eval(w, n);
	if (v.var) {
		return (struct place){.var = v.var};
	}
	return (struct place){.held = v.width, .affine = v.affine};
}

struct value walk_load_place(struct walk *w, const struct kt_node *n, uint32_t into)
{
	struct place p = walk_place_of(w, n);
	const struct kt_type *t = kt_type_of(w->u, n);
	struct value r = {.lds = p.lds};

	if (p.var) {
		struct trace_var *v = walk_var_at(w, p.var);
		walk_push(w, TRACE_READ, p.var - 1, n);
		r.var = p.var;
		r.elsewhere = t->kind == KT_T_POINTER && !p.whole;
		r.constant = v->cleared;
		r.lds = v->lds;
		r.affine = v->affine;
		return r;
	}
	if (!p.memory || t->kind == KT_T_ARRAY) {
		r.width = p.held;
		r.affine = p.affine;
		return r;
	}
	bool uniform = !p.lane && !p.lds && kt_is_scalar(t);
	w->held += p.held;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= p.held;
	r.loaded = true;
	if (!p.lds && t->size > 0) {
		walk_count_work(w, (uint64_t)t->size * (p.lane ? w->t->wave_size : 1), 0);
	}
	r.width = uniform || walk_is_uniform(w, n) ? 0 : walk_width_of(t);
	r.affine = walk_affine_lose(p.affine);
	if (r.width) {
		account_access(w, n, &p, r.width, into);
	}
	return r;
}

void walk_store_place(struct walk *w, const struct kt_node *n, struct value from)
{
	struct place p = walk_place_of(w, n);

	if (p.var) {
		struct trace_var *v = walk_var_at(w, p.var);
		v->loaded |= from.loaded;
		if (p.whole) {
			v->affine = walk_affine_lose(from.affine);
		}
		walk_write_var(w, p.var, p.whole, from.constant, n);
		return;
	}
	if (from.var && walk_is_private_var(w, from.var)) {
		walk_push(w, TRACE_READ, from.var - 1, n); /* live until the store */
	}
	w->held += p.held;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= p.held;
	if (p.memory && !p.lds && kt_type_of(w->u, n)->size > 0) {
		walk_count_work(
			w, (uint64_t)kt_type_of(w->u, n)->size * (p.lane ? w->t->wave_size : 1), 0);
	}
	if (p.lane) {
		account_access(w, n, &p, 0, 0);
	}
}
