/*
 * What expressions do to registers. Temporaries are counted as an expression is evaluated: operands
 * that are loaded or computed are held until they are used, what stands in a variable is used in
 * place, what is uniform stands in scalar registers.
 */
#include "analysis/ledger_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/merge.h"
#include "base/msg.h"

/* ---- small facts ---- */

unsigned trace_line(struct trace *t, kt_id file, uint32_t at)
{
	t->lines = t->lines ? t->lines : ARENA_ARRAY(t->a, struct trace_lines, t->unit->files);
	struct trace_lines *l = &t->lines[file];
	if (!l->end) {
		struct str text = t->unit->file[file].text;
		l->end = ARENA_ARRAY(t->a, uint32_t, text.n + 1);
		for (size_t i = 0; i < text.n; i++) {
			if (text.p[i] == '\n') {
				l->end[l->n++] = (uint32_t)i;
			}
		}
	}
	size_t low = 0, high = l->n; /* newlines in front of at */
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (l->end[middle] < at) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return (unsigned)low + 1;
}

void walk_unknown(struct trace *t, const char *what)
{
	for (size_t i = 0; i < t->unknown.n; i++) {
		if (strcmp(t->unknown.v[i], what) == 0) {
			return;
		}
	}
	array_push(&t->unknown, what);
}

struct trace_item *walk_push(
	struct walk *w, enum trace_kind kind, uint32_t var, const struct kt_node *n)
{
	struct trace *t = w->t;

	if (t->item.n >= ITEMS_MAX) {
		walk_unknown(t, "the kernel is too large to be followed to its end");
		t->item.n--;
	}
	array_push(&t->item,
		(struct trace_item){
			.kind = kind, .var = var, .frame = w->frame, .held = w->held, .node = n});
	return &t->item.v[t->item.n - 1];
}

const struct kt_node *walk_strip(const struct kt_node *n)
{
	while (n && n->kind == KT_CAST && n->n == 1) {
		n = n->child[0];
	}
	return n;
}

bool walk_is_scalar(const struct kt_type *t)
{
	return t->kind == KT_T_BOOL || t->kind == KT_T_INT || t->kind == KT_T_FLOAT ||
	       t->kind == KT_T_POINTER;
}

bool walk_is_uniform(struct walk *w, const struct kt_node *n)
{
	return uniformity_expr(w->t->u, n, NULL);
}

/* Registers for a value of this type that differs per lane. */
unsigned walk_width_of(const struct kt_type *t)
{
	return t->kind == KT_T_BOOL ? 0 : merge_type_width(t);
}

static const struct intrinsic *intrinsic_of(const struct walk *w, const struct kt_node *n)
{
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;
	const char *name = fn ? fn->base : n->text;
	const struct intrinsic_db *db = facts_intrinsics(w->t->f);

	if (!db || !name || (fn && fn->body && !fn->in_system_header)) {
		return NULL;
	}
	return intrinsic_find(db, str_of(name));
}

/* ---- variables ---- */

uint32_t walk_var_new(struct walk *w, kt_id sym, const struct kt_node *decl, unsigned width)
{
	struct trace *t = w->t;
	const struct kt_sym *s = &w->u->sym[sym];
	struct trace_var v = {.frame = w->frame, .loops = w->loops};

	v.pub.name = s->name;
	v.pub.owner = w->frame ? w->u->fn[t->frame.v[w->frame].fn].base : NULL;
	v.pub.type = w->u->type[s->type].name;
	v.pub.sym = sym;
	v.pub.decl = decl;
	v.pub.width = width;
	v.pub.file = s->file;
	v.pointer = kt_object_type(w->u, s->type)->kind == KT_T_POINTER;
	array_push(&t->var, v);
	map_set_u64(w->bound, sym, t->var.n);
	return (uint32_t)t->var.n;
}

/* 1 + index of what a symbol stands for here, or 0. A lambda's body names variables of the function
 * around it. */
uint32_t walk_var_of(const struct walk *w, kt_id sym)
{
	for (; w; w = w->up) {
		uint32_t v = (uint32_t)map_get_u64(w->bound, sym, 0);
		if (v) {
			return v;
		}
	}
	return 0;
}

struct trace_var *walk_var_at(const struct walk *w, uint32_t v)
{
	return &w->t->var.v[v - 1];
}

static void count_write(struct walk *w, uint32_t v)
{
	struct walk *top = w;
	while (top->up) {
		top = top->up;
	}
	if (v > top->writes_cap) {
		size_t cap = v * 2;
		size_t *grown = ARENA_ARRAY(w->t->a, size_t, cap);
		if (top->writes_cap) {
			memcpy(grown, top->writes, top->writes_cap * sizeof(*grown));
		}
		top->writes = grown;
		top->writes_cap = cap;
	}
	top->writes[v - 1]++;
}

size_t walk_writes_of(const struct walk *w, uint32_t v)
{
	while (w->up) {
		w = w->up;
	}
	return v <= w->writes_cap ? w->writes[v - 1] : 0;
}

bool walk_is_private_var(const struct walk *w, uint32_t v)
{
	return v && !walk_var_at(w, v)->memory;
}

void walk_write_var(struct walk *w, uint32_t v, bool whole, bool constant, const struct kt_node *n)
{
	if (!walk_is_private_var(w, v)) {
		return;
	}
	if (!constant) {
		count_write(w, v);
	}
	walk_var_at(w, v)->cleared = constant && (whole || walk_var_at(w, v)->cleared);
	walk_push(w, !whole ? TRACE_WRITE : constant ? TRACE_CLEAR : TRACE_KILL, v - 1, n);
}

static size_t chain_first(const struct walk *w);

void walk_account_variable(struct walk *w, uint32_t v)
{
	size_t first = chain_first(w);
	unsigned width = walk_var_at(w, v)->pub.width;
	int64_t copies = 1;

	for (size_t i = first; i < w->loops; i++) {
		copies *= w->loop[i].trips;
	}
	if (width >= WIDE && copies > 1) {
		w->t->item.v[w->loop[first].item].in_flight += (uint32_t)((copies - 1) * width);
	}
}

/* ---- affine values ---- */

static struct trace_affine affine_add(struct trace_affine x, struct trace_affine y, int64_t sign)
{
	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		x.coef[i] += sign * y.coef[i];
	}
	x.unknown |= y.unknown;
	return x;
}

unsigned walk_affine_mask(const struct trace_affine *x)
{
	unsigned mask = x->unknown;

	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		mask |= x->coef[i] ? 1u << i : 0;
	}
	return mask;
}

static struct trace_affine affine_scale(struct trace_affine x, int64_t by)
{
	for (size_t i = 0; i < TRACE_LOOPS_MAX; i++) {
		x.coef[i] *= by;
	}
	return x;
}

static struct trace_affine affine_lose(struct trace_affine x)
{
	return (struct trace_affine){.unknown = walk_affine_mask(&x)};
}

static struct trace_affine affine_binary(const struct kt_node *n, struct value x, struct value y)
{
	const struct kt_node *l = walk_strip(n->child[0]), *r = walk_strip(n->child[1]);

	if (n->op == KT_OP_ADD || n->op == KT_OP_SUB) {
		return affine_add(x.affine, y.affine, n->op == KT_OP_SUB ? -1 : 1);
	}
	if (n->op == KT_OP_MUL && r->flags & KT_F_VALUE) {
		return affine_scale(x.affine, r->value);
	}
	if (n->op == KT_OP_MUL && l->flags & KT_F_VALUE) {
		return affine_scale(y.affine, l->value);
	}
	if (n->op == KT_OP_SHL && r->flags & KT_F_VALUE && r->value >= 0 && r->value < 31) {
		return affine_scale(x.affine, INT64_C(1) << r->value);
	}
	return affine_add(affine_lose(x.affine), affine_lose(y.affine), 1);
}

/* ---- memory ---- */

/* The unrolled loops that stand directly around: [first, loops). */
static size_t chain_first(const struct walk *w)
{
	size_t i = w->loops;

	while (i > 0 && w->loop[i - 1].unrolled && w->loop[i - 1].conditional == 0) {
		i--;
	}
	return i;
}

/* In a loop that stays one the address is kept from one iteration to the next, once for each
 * access of the source, however often it is inlined: as an offset, or as a pointer that is
 * counted up when it moves with the loop. The loop, or NULL when there is none or the access is
 * counted already; *each gets the registers of one address. */
static struct trace_item *keep_address(
	struct walk *w, const struct kt_node *n, const struct place *p, unsigned *each)
{
	*each = p->held ? p->held : 1;
	for (size_t i = w->loops; i-- > 0;) {
		if (w->loop[i].unrolled) {
			continue;
		}
		struct trace_item *at = &w->t->item.v[w->loop[i].item];
		uint64_t key = (uint64_t)(uintptr_t)n ^ (uint64_t)w->loop[i].item << 48;
		bool moves = i < TRACE_LOOPS_MAX && walk_affine_mask(&p->affine) & 1u << i;
		*each = moves && !p->lds ? 2 : *each;
		if (!map_set_u64(w->addresses, key, 1)) {
			return NULL;
		}
		at->kept += p->held ? *each : 0;
		return at;
	}
	return NULL;
}

/* Adds to what the loop around does in an iteration. */
static void count_work(struct walk *w, uint64_t bytes, uint64_t flops)
{
	for (size_t i = w->loops; i-- > 0;) {
		if (!w->loop[i].unrolled) {
			struct trace_item *at = &w->t->item.v[w->loop[i].item];
			at->bytes += bytes;
			at->flops += flops;
			return;
		}
		bytes *= (uint64_t)w->loop[i].trips;
		flops *= (uint64_t)w->loop[i].trips;
	}
	w->t->bytes += bytes;
	w->t->flops += flops;
}

/* Multiplications and additions of a matrix operation, from the three sizes in its name. */
static uint64_t matrix_flops(const char *name)
{
	for (const char *p = name; *p; p++) {
		unsigned m, n, k;
		if (*p == '_' && sscanf(p, "_%ux%ux%u", &m, &n, &k) == 3 && m <= 64 && n <= 64 &&
			k <= 256) {
			return 2ull * m * n * k;
		}
	}
	return 0;
}

/* The same of an operator on floats; a vector has as many as elements. */
static uint64_t operator_flops(const struct walk *w, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(w->u, n);
	uint64_t each = t->kind == KT_T_VECTOR && t->count > 0 ? (uint64_t)t->count : 1;

	t = t->kind == KT_T_VECTOR ? &w->u->type[t->elem] : t;
	bool counts = n->op == KT_OP_ADD || n->op == KT_OP_SUB || n->op == KT_OP_MUL ||
		      n->op == KT_OP_DIV;
	return counts && t->kind == KT_T_FLOAT ? each * w->t->wave_size : 0;
}

/* An access through an address that differs per lane: its address is held by the caller's leave,
 * and the loads of all iterations may be under way together. What is loaded into a variable that
 * is declared inside of so many loops has its registers there. */
static void account_access(struct walk *w, const struct kt_node *n, const struct place *p,
	unsigned width, size_t inside)
{
	const struct trace_affine *address = &p->affine;
	bool lds = p->lds;
	unsigned each;
	struct trace_item *looped = keep_address(w, n, p, &each);
	size_t first = chain_first(w);
	int64_t loads = 1, own = 1, far = 1, span = 0, again = 1;

	for (size_t i = first; i < w->loops && i < TRACE_LOOPS_MAX; i++) {
		bool unknown = address->unknown & 1u << i;
		int64_t step = llabs(address->coef[i]);
		if (unknown || step) {
			loads *= w->loop[i].trips;
			own *= i >= inside ? w->loop[i].trips : 1;
		} else {
			again *= w->loop[i].trips;
		}
		if (unknown) {
			far *= w->loop[i].trips;
		}
		span += unknown ? 0 : step * (w->loop[i].trips - 1);
	}
	if (first == w->loops || loads <= 1) {
		return;
	}
	int64_t bases = far * (1 + span / (lds ? LDS_REACH : GLOBAL_REACH));
	bases = bases < loads ? bases : loads;
	int64_t values = (loads - own) * width;
	struct trace_item *at = &w->t->item.v[w->loop[first].item];
	if (again > 1 && !lds) { /* the compiler keeps what it would load again */
		at->kept += (uint32_t)(loads * width);
	} else {
		at->in_flight += (uint32_t)values;
	}
	if (looped) { /* elsewhere they are made when they are needed */
		looped->addresses += (uint32_t)(bases - 1) * each;
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
	/* with a base in scalar registers the offset alone differs per lane */
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
	return t->kind == KT_T_INT && t->canon && !strstr(t->canon, "unsigned");
}

static struct place index_place(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->child[0];
	const struct kt_type *bt = kt_type_of(w->u, base);
	bool pointer = kt_object_type(w->u, base->type)->kind == KT_T_POINTER;
	struct place r;

	if (pointer || bt->kind == KT_T_POINTER) {
		struct value p = walk_eval(w, base);
		if (p.var && !walk_var_at(w, p.var)->pointer && walk_is_private_var(w, p.var)) {
			r = (struct place){.var = p.var}; /* an array that decayed */
		} else {
			r = memory_place(w, n, p);
		}
	} else {
		r = walk_place_of(w, base);
	}
	unsigned before = w->held;
	w->held += r.held;
	struct value i = walk_eval(w, n->child[1]);
	w->held = before;
	if (r.var) {
		r.whole = false;
		if (!i.settled && !i.constant) {
			walk_var_at(w, r.var)->pub.dynamic = true;
		}
		return r;
	}
	const struct kt_type *it = kt_type_of(w->u, n->child[1]);
	if (r.held == 1 && !r.lds && (it->size > 4 || is_signed(it))) {
		r.held = 2; /* no offset of 32 bits that is known not to be negative */
	}
	use_in_address(w, n);
	r.affine = affine_add(r.affine, affine_scale(i.affine, elem_size(w, n)), 1);
	if (!r.lane && !walk_is_uniform(w, n)) {
		r.lane = true;
		r.held = r.lds ? 1 : 2;
	}
	return r;
}

struct place walk_place_of(struct walk *w, const struct kt_node *n)
{
	n = walk_strip(n);
	switch (n->kind) {
	case KT_REF: {
		uint32_t v = n->sym ? walk_var_of(w, n->sym) : 0;
		if (v && !walk_var_at(w, v)->memory) {
			return (struct place){.var = v, .whole = true};
		}
		struct place r = {.memory = true, .whole = true};
		if (v) {
			r.lds = walk_var_at(w, v)->lds;
			r.affine = walk_var_at(w, v)->affine;
		} else if (n->sym) {
			r.lds = w->u->sym[n->sym].space == KT_SHARED;
		}
		return r;
	}
	case KT_MEMBER: {
		const struct kt_node *base = n->child[KT_MEMBER_BASE];
		if (!base) {
			return (struct place){.memory = true};
		}
		if (n->flags & KT_F_ARROW && base->kind != KT_THIS) {
			use_in_address(w, base);
			return memory_place(w, n, walk_eval(w, base));
		}
		struct place r = walk_place_of(w, base);
		r.whole = false;
		return r;
	}
	case KT_INDEX:
		return index_place(w, n);
	case KT_UNARY:
		if (n->op == KT_OP_DEREF) {
			struct value p = walk_eval(w, n->child[0]);
			use_in_address(w, n->child[0]);
			if (p.var && !walk_var_at(w, p.var)->pointer &&
				walk_is_private_var(w, p.var)) {
				return (struct place){.var = p.var};
			}
			return memory_place(w, n, p);
		}
		break;
	case KT_THIS: {
		uint32_t v = walk_var_of(w, w->u->fn[w->t->frame.v[w->frame].fn].self);
		if (v && !walk_var_at(w, v)->memory) {
			return (struct place){.var = v, .whole = true};
		}
		return (struct place){.memory = true, .lds = v && walk_var_at(w, v)->lds};
	}
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

struct value walk_load_place(struct walk *w, const struct kt_node *n, size_t inside)
{
	struct place p = walk_place_of(w, n);
	const struct kt_type *t = kt_type_of(w->u, n);
	struct value r = {.lds = p.lds};

	if (p.var) {
		struct trace_var *v = walk_var_at(w, p.var);
		walk_push(w, TRACE_READ, p.var - 1, n);
		r.var = p.var;
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
	bool uniform = !p.lane && !p.lds && walk_is_scalar(t);
	w->held += p.held;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= p.held;
	r.loaded = true;
	if (!p.lds && t->size > 0) {
		count_work(w, (uint64_t)t->size * (p.lane ? w->t->wave_size : 1), 0);
	}
	r.width = uniform || walk_is_uniform(w, n) ? 0 : walk_width_of(t);
	r.affine = affine_lose(p.affine);
	if (r.width) {
		account_access(w, n, &p, r.width, inside);
	}
	return r;
}

static void store_place(struct walk *w, const struct kt_node *n, struct value from)
{
	struct place p = walk_place_of(w, n);

	if (p.var) {
		struct trace_var *v = walk_var_at(w, p.var);
		v->loaded |= from.loaded;
		if (p.whole) {
			v->affine = affine_lose(from.affine);
		}
		walk_write_var(w, p.var, p.whole, from.constant, n);
		return;
	}
	w->held += p.held;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= p.held;
	if (p.memory && !p.lds && kt_type_of(w->u, n)->size > 0) {
		count_work(
			w, (uint64_t)kt_type_of(w->u, n)->size * (p.lane ? w->t->wave_size : 1), 0);
	}
	if (p.lane) {
		account_access(w, n, &p, 0, 0);
	}
}

/* ---- calls ---- */

/* The first array or vector that an expression is made of: acc of acc[i] * rescale. 1 + index. */
static uint32_t vector_in(struct walk *w, const struct kt_node *n)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		uint32_t v = at->kind == KT_REF && at->sym ? walk_var_of(w, at->sym) : 0;
		const struct kt_type *t = v ? kt_object_type(w->u, w->u->sym[at->sym].type) : NULL;
		if (t && (t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR)) {
			return v;
		}
	}
	return 0;
}

/* The vectors of an accumulator operand, through the parameters that they were passed by. */
static void mark_accumulator(struct walk *w, const struct kt_node *arg)
{
	for (uint32_t v = vector_in(w, arg); v; v = walk_var_at(w, v)->source) {
		walk_var_at(w, v)->matrix_acc = true;
	}
}

static bool writes_param(struct walk *w, const struct kt_fn *fn, kt_id param)
{
	struct fx fx;

	facts_effects(&fx, w->t->f, w->t->a, fn->body);
	return locset_has(&fx.writes, LOC_VAR(param));
}

static bool in_progress(const struct walk *w, kt_id fn)
{
	for (; w; w = w->up) {
		if (w->t->frame.v[w->frame].fn == fn) {
			return true;
		}
	}
	return false;
}

void walk_bind_memory(struct walk *in, kt_id sym, struct place p)
{
	uint32_t v = walk_var_new(in, sym, NULL, 0);

	walk_var_at(in, v)->memory = true;
	walk_var_at(in, v)->lds = p.lds;
	walk_var_at(in, v)->affine = p.affine;
}

/* A parameter of an inlined function: another name for the argument, or a value of its own. */
static void bind(struct walk *w, struct walk *in, const struct kt_fn *fn, kt_id param,
	const struct kt_node *arg)
{
	const struct kt_type *t = &w->u->type[w->u->sym[param].type];

	if (!arg) {
		walk_var_new(in, param, NULL, 0); /* a default argument */
		return;
	}
	if (t->kind == KT_T_REFERENCE) {
		struct place p = walk_place_of(w, arg);
		if (p.var) {
			map_set_u64(in->bound, param, p.var);
		} else if (p.memory) {
			walk_bind_memory(in, param, p);
		} else {
			walk_write_var(in, walk_var_new(in, param, NULL, p.held), true, false, arg);
		}
		return;
	}
	const struct kt_node *a = walk_strip(arg);
	const struct kt_type *at = kt_type_of(w->u, a);
	if (t->kind == KT_T_POINTER && a->kind == KT_UNARY && a->op == KT_OP_ADDR) {
		a = walk_strip(a->child[0]);
		at = NULL;
	}
	if (t->kind == KT_T_POINTER && (!at || at->kind == KT_T_ARRAY)) {
		struct place p = walk_place_of(w, a);
		if (p.var) { /* the address of a private variable */
			map_set_u64(in->bound, param, p.var);
			return;
		}
	}
	struct value v = walk_eval(w, arg);
	bool in_place = v.var && !writes_param(w, fn, param);
	if (in_place) {
		map_set_u64(in->bound, param, v.var);
		return;
	}
	unsigned width = walk_is_uniform(w, arg) && walk_is_scalar(t) && t->kind != KT_T_FLOAT ? 0
			 : v.constant || (!v.width && !v.var)				       ? 0
							      : walk_width_of(t);
	uint32_t p = walk_var_new(
		in, param, NULL, v.lds && t->kind == KT_T_POINTER && width ? 1 : width);
	struct trace_var *pv = walk_var_at(in, p);
	pv->affine = v.affine;
	pv->lds = v.lds;
	pv->loaded = v.loaded;
	pv->pub.uniform = !width;
	pv->source = vector_in(w, arg);
	w->held += v.width;
	walk_push(w, TRACE_POINT, 0, arg);
	w->held -= v.width;
	walk_write_var(in, p, true, v.constant, arg);
}

static struct value inline_call(struct walk *w, const struct kt_node *n)
{
	const struct kt_fn *fn = &w->u->fn[n->fn];
	struct trace *t = w->t;
	struct map bound = {0};
	struct walk in = *w;
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;

	array_push(&t->frame, (struct trace_frame){.up = w->frame, .fn = n->fn, .call = n});
	in.frame = (uint32_t)(t->frame.n - 1);
	in.up = w;
	in.bound = &bound;
	in.depth++;
	in.returned = 0;
	if (first && fn->self && n->n) {
		struct place self = walk_place_of(w, n->child[0]);
		if (self.var) {
			map_set_u64(&bound, fn->self, self.var);
		} else {
			walk_bind_memory(&in, fn->self, self);
		}
	}
	for (size_t i = 0; i < fn->params; i++) {
		bind(w, &in, fn, fn->param[i], first + i < n->n ? n->child[first + i] : NULL);
	}
	walk_stmt(&in, fn->body);
	map_release(&bound);
	const struct kt_type *rt = kt_type_of(w->u, n);
	bool uniform = walk_is_scalar(rt) && rt->kind != KT_T_FLOAT && walk_is_uniform(w, n);
	return (struct value){.width = uniform ? 0 : walk_width_of(rt)};
}

static bool has_word(const char *name, const char *word)
{
	return name && strstr(name, word);
}

/* Arguments are held together; what is passed to be written is. */
static struct value opaque_call(struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;
	const char *name = fn ? fn->base : n->text;
	bool matrix = in && in->kind == INTRINSIC_MATRIX;
	bool max = has_word(name, "max");
	bool assigns = n->flags & KT_F_OPERATOR && name && str_ends(str_of(name), "=") &&
		       !has_word(name, "==") && !has_word(name, "!=") && !has_word(name, "<=") &&
		       !has_word(name, ">=");
	bool changes =
		assigns || (!in && !(n->flags & KT_F_OPERATOR) && !(fn && fn->in_system_header));
	unsigned before = w->held;
	struct value r = {.constant = n->n > 0};

	if (!in && !(fn && fn->in_system_header) && !(n->flags & KT_F_OPERATOR)) {
		walk_unknown(w->t, arena_printf(w->t->a, "what %s needs: it has no body here",
					   name ? name : "a call"));
	}
	if (in && in->kind == INTRINSIC_LANE && w->thread) {
		walk_push(w, TRACE_READ, w->thread - 1, n);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (!n->child[i]) {
			continue;
		}
		struct value v = walk_eval(w, n->child[i]);
		w->held += v.width;
		r.constant = r.constant && v.constant;
		r.affine = affine_add(r.affine, affine_lose(v.affine), 1);
		if (matrix && in->acc_arg == (int)i) {
			mark_accumulator(w, n->child[i]);
		}
		if (v.var) {
			struct trace_var *at = walk_var_at(w, v.var);
			at->matrix_operand |= matrix && in->acc_arg != (int)i;
			at->maximum |= max;
			at->added |=
				assigns && i == 0 && (has_word(name, "+=") || has_word(name, "-="));
		}
	}
	walk_push(w, TRACE_POINT, 0, n);
	if (matrix && name) {
		count_work(w, 0, matrix_flops(name));
	}
	for (size_t i = 0; i < n->n && changes; i++) {
		const struct kt_node *a = n->child[i] ? walk_strip(n->child[i]) : NULL;
		bool taken =
			a && ((assigns && i == 0) || (a->kind == KT_UNARY && a->op == KT_OP_ADDR));
		if (taken) {
			struct place p = walk_place_of(
				w, a->kind == KT_UNARY && a->op == KT_OP_ADDR ? a->child[0] : a);
			walk_write_var(w, p.var, false, false, n);
		}
	}
	w->held = before;
	const struct kt_type *rt = kt_type_of(w->u, n);
	bool uniform = (in && in->kind == INTRINSIC_UNIFORM) ||
		       (walk_is_scalar(rt) && rt->kind != KT_T_FLOAT && walk_is_uniform(w, n));
	r.width = uniform || assigns || (in && in->kind == INTRINSIC_LANE) ? 0 : walk_width_of(rt);
	r.constant = r.constant && in && in->kind == INTRINSIC_PURE;
	return r;
}

static struct value call(struct walk *w, const struct kt_node *n)
{
	const struct intrinsic *in = intrinsic_of(w, n);
	const struct kt_fn *fn = n->fn ? &w->u->fn[n->fn] : NULL;

	if (in || !fn || !fn->body || fn->in_system_header) {
		return opaque_call(w, n, in);
	}
	if (w->depth >= CALLS_MAX || in_progress(w, n->fn)) {
		walk_unknown(
			w->t, arena_printf(w->t->a, "what %s needs: it calls itself", fn->base));
		return (struct value){.width = walk_width_of(kt_type_of(w->u, n))};
	}
	return inline_call(w, n);
}

/* ---- expressions ---- */

static bool is_thread_index(const struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->kind == KT_MEMBER ? n->child[KT_MEMBER_BASE] : NULL;

	return base && base->kind == KT_REF && base->sym &&
	       w->u->sym[base->sym].kind == KT_S_GLOBAL &&
	       strcmp(w->u->sym[base->sym].name, "threadIdx") == 0;
}

static bool is_builtin_index(const struct walk *w, const struct kt_node *n)
{
	const struct kt_node *base = n->kind == KT_MEMBER ? n->child[KT_MEMBER_BASE] : NULL;

	return base && base->kind == KT_REF && base->sym &&
	       w->u->sym[base->sym].kind == KT_S_GLOBAL &&
	       (strcmp(w->u->sym[base->sym].name, "blockIdx") == 0 ||
		       strcmp(w->u->sym[base->sym].name, "blockDim") == 0 ||
		       strcmp(w->u->sym[base->sym].name, "gridDim") == 0);
}

static unsigned result_width(struct walk *w, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(w->u, n);

	if (walk_is_scalar(t) && t->kind != KT_T_FLOAT && walk_is_uniform(w, n)) {
		return 0;
	}
	return walk_width_of(t);
}

static struct value binary(struct walk *w, const struct kt_node *n)
{
	struct value x = walk_eval(w, n->child[0]);
	w->held += x.width;
	struct value y = walk_eval(w, n->child[1]);
	w->held += y.width;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= x.width + y.width;
	count_work(w, 0, operator_flops(w, n));
	if (n->op == KT_OP_COMMA) {
		return y;
	}
	if (n->op == KT_OP_MUL) {
		for (int i = 0; i < 2; i++) {
			uint32_t v = i ? y.var : x.var;
			if (v) {
				walk_var_at(w, v)->multiplied = true;
			}
		}
	}
	struct value r = {.constant = x.constant && y.constant,
		.settled = (x.constant || x.settled) && (y.constant || y.settled),
		.lds = x.lds || y.lds};
	const struct kt_type *lt = kt_type_of(w->u, n->child[0]);
	if (lt->kind == KT_T_POINTER && lt->elem && (n->op == KT_OP_ADD || n->op == KT_OP_SUB)) {
		int64_t size = w->u->type[lt->elem].size;
		y.affine = affine_scale(y.affine, size > 0 ? size : 1);
	}
	r.affine = affine_binary(n, x, y);
	r.width = r.constant || r.settled ? 0 : result_width(w, n);
	if (r.lds && kt_type_of(w->u, n)->kind == KT_T_POINTER && r.width) {
		r.width = 1;
	}
	return r;
}

/* Does n read the variable in a sum: x = x * r + y, x = x + y? */
static bool adds_to(const struct walk *w, const struct kt_node *n, uint32_t var)
{
	for (const struct kt_node *at = n; at; at = kt_next(at, n)) {
		if (at->kind == KT_BINARY && at->op == KT_OP_ADD) {
			for (const struct kt_node *r = at; r; r = kt_next(r, at)) {
				if (r->kind == KT_REF && r->sym && walk_var_of(w, r->sym) == var) {
					return true;
				}
			}
		}
	}
	return false;
}

static uint32_t root_var(const struct walk *w, const struct kt_node *n)
{
	n = walk_strip(n);
	while (n && (n->kind == KT_INDEX || n->kind == KT_MEMBER) && n->n) {
		n = walk_strip(n->child[0]);
	}
	return n && n->kind == KT_REF && n->sym ? walk_var_of(w, n->sym) : 0;
}

static struct value assign(struct walk *w, const struct kt_node *n)
{
	uint32_t to = root_var(w, n->child[0]);
	const struct kt_node *from = walk_strip(n->child[1]);
	bool load = from->kind == KT_INDEX || from->kind == KT_MEMBER ||
		    (from->kind == KT_UNARY && from->op == KT_OP_DEREF);
	struct value r = load && walk_is_private_var(w, to)
				 ? walk_load_place(w, from, walk_var_at(w, to)->loops)
				 : walk_eval(w, n->child[1]);

	if (walk_is_private_var(w, to)) {
		struct trace_var *v = walk_var_at(w, to);
		v->added |= n->op == KT_OP_ADD || n->op == KT_OP_SUB ||
			    (n->op == KT_OP_NONE && adds_to(w, n->child[1], to));
		v->multiplied |= n->op == KT_OP_MUL;
		if (r.var && walk_is_private_var(w, r.var)) {
			walk_var_at(w, r.var)->maximum |= v->maximum && r.var == to;
		}
	}
	w->held += r.width;
	if (n->op != KT_OP_NONE) {
		count_work(w, 0, operator_flops(w, n));
	}
	if (n->op != KT_OP_NONE) {
		struct value old = walk_load_place(w, n->child[0], NO_VARIABLE);
		w->held += old.width;
		walk_push(w, TRACE_POINT, 0, n);
		w->held -= old.width;
		r.constant = false;
		r.affine = affine_lose(r.affine);
	}
	/* what was computed moves into the variable; until then it needs its own registers, unless
	 * the old value ends with it */
	unsigned moved = walk_is_private_var(w, to) ? r.width : 0;
	w->held -= moved;
	store_place(w, n->child[0], r);
	w->held -= r.width - moved;
	return (struct value){.var = to, .affine = affine_lose(r.affine)};
}

static struct value unary(struct walk *w, const struct kt_node *n)
{
	switch (n->op) {
	case KT_OP_DEREF:
		return walk_load_place(w, n, NO_VARIABLE);
	case KT_OP_ADDR: {
		struct place p = walk_place_of(w, n->child[0]);
		unsigned width = p.memory && p.lane ? (p.lds ? 1 : 2) : 0;
		return (struct value){
			.width = width, .var = p.var, .lds = p.lds, .affine = p.affine};
	}
	case KT_OP_PREINC:
	case KT_OP_PREDEC:
	case KT_OP_POSTINC:
	case KT_OP_POSTDEC: {
		struct value r = walk_load_place(w, n->child[0], NO_VARIABLE);
		r.affine = affine_lose(r.affine);
		store_place(w, n->child[0], r);
		return r;
	}
	default: {
		struct value r = walk_eval(w, n->child[0]);
		if (r.var) {
			r.width = result_width(w, n);
			r.var = 0;
		}
		r.affine = n->op == KT_OP_NEG ? affine_scale(r.affine, -1) : affine_lose(r.affine);
		if (kt_type_of(w->u, n)->kind == KT_T_BOOL) {
			r.width = 0;
		}
		return r;
	}
	}
}

/* Several values that become one: of a list, a constructor. */
static struct value gather(struct walk *w, const struct kt_node *n)
{
	unsigned before = w->held;
	struct value r = {.constant = true};

	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			struct value v = walk_eval(w, n->child[i]);
			r.constant = r.constant && v.constant;
			r.loaded |= v.loaded;
			w->held += v.width;
			r.affine = affine_add(r.affine, affine_lose(v.affine), 1);
		}
	}
	walk_push(w, TRACE_POINT, 0, n);
	w->held = before;
	r.width = r.constant ? 0 : result_width(w, n);
	return r;
}

static struct value choice(struct walk *w, const struct kt_node *n)
{
	const struct kt_node *cond = n->child[KT_COND_COND];
	const struct kt_node *yes = n->child[KT_COND_THEN], *no = n->child[KT_COND_ELSE];

	if (cond->flags & KT_F_VALUE && yes) {
		return walk_eval(w, cond->value ? yes : no);
	}
	struct value c = walk_eval(w, cond);
	struct value x = yes ? walk_eval(w, yes) : c;
	w->held += x.width;
	struct value y = walk_eval(w, no);
	w->held += y.width;
	walk_push(w, TRACE_POINT, 0, n);
	w->held -= x.width + y.width;
	unsigned width = result_width(w, n);
	return (struct value){.width = width,
		.lds = x.lds || y.lds,
		.loaded = x.loaded || y.loaded,
		.affine = affine_add(affine_lose(x.affine), affine_lose(y.affine), 1)};
}

struct value walk_eval(struct walk *w, const struct kt_node *n)
{
	if (n->flags & KT_F_VALUE || n->kind == KT_LITERAL || n->kind == KT_SIZEOF) {
		return (struct value){.constant = true, .settled = true};
	}
	if (is_thread_index(w, n)) {
		if (w->thread) {
			walk_push(w, TRACE_READ, w->thread - 1, n);
		}
		return (struct value){.var = w->thread};
	}
	if (is_builtin_index(w, n)) {
		return (struct value){0};
	}
	switch (n->kind) {
	case KT_REF: {
		uint32_t v = n->sym ? walk_var_of(w, n->sym) : 0;
		if (v && !walk_var_at(w, v)->memory) {
			struct trace_var *at = walk_var_at(w, v);
			walk_push(w, TRACE_READ, v - 1, n);
			bool counter = at->pub.width == 0 && at->pub.uniform &&
				       walk_affine_mask(&at->affine) != 0;
			return (struct value){.var = v,
				.constant = at->cleared,
				.lds = at->lds,
				.settled = counter,
				.affine = at->affine};
		}
		if (n->fn || !n->sym) {
			return (struct value){0};
		}
		return walk_load_place(w, n, NO_VARIABLE);
	}
	case KT_MEMBER:
	case KT_INDEX:
		return walk_load_place(w, n, NO_VARIABLE);
	case KT_UNARY:
		return unary(w, n);
	case KT_BINARY:
		return binary(w, n);
	case KT_ASSIGN:
		return assign(w, n);
	case KT_COND:
		return choice(w, n);
	case KT_CAST: {
		struct value r = walk_eval(w, n->child[0]);
		if (r.width) {
			r.width = result_width(w, n);
		}
		return r;
	}
	case KT_CALL:
		return call(w, n);
	case KT_INIT_LIST:
	case KT_CONSTRUCT:
		return gather(w, n);
	case KT_ASM:
		walk_unknown(w->t, "what inline assembly needs");
		return (struct value){0};
	case KT_EXPR_UNKNOWN:
		walk_unknown(w->t, "an expression that libclang does not show");
		return (struct value){0};
	default:
		return (struct value){0};
	}
}
