/*
 * A lane's number is from 0 to the size of the block minus one. So in
 *
 *   for (int i = threadIdx.x; i < 1024; i += 256) ...       (blocks of at most 256)
 *   if (blockIdx.x * blockDim.x + threadIdx.x < roundup(n, blockDim.x)) ...
 *
 * all lanes agree: i is a uniform multiple of D plus the lane's number, which is below D, and the
 * bound is a multiple of D. The same holds for i / D, and after subtracting the lane's number
 * again.
 *
 * Proved for the largest block that launch bounds allow, and only if D is a power of two, because
 * products may wrap. For the intended size, that of the visible launches or the stride of the loop,
 * there is at least no reason to differ.
 */
#include "analysis/facts/launch.h"
#include "analysis/lanes/uniform_walk.h"

enum {
	DEPTH = 8,	    /* of chains of variables and calls */
	TERMS = 16,	    /* of a sum */
	CANDIDATES = 8,	    /* for D */
	THREADS_MAX = 1024, /* of a block */
};

/* D: the size of the block in one dimension, or a number. */
struct unit_of {
	char dimension; /* or 0 */
	int64_t number;
	bool strides; /* the stride of a loop: without other information the size of blocks */
	bool guessed; /* it holds for blocks of the intended size */
};

/* The arguments of a function's parameters at a call. */
struct env {
	const struct kt_node *call;
	const struct env *up;
};

/* ---- sizes of blocks ---- */

static unsigned most_of(const struct kt_fn *kernel, bool usual)
{
	unsigned bound = kernel->bound > 0 ? (unsigned)kernel->bound : 0;
	unsigned seen = usual && kernel->threads > 0 ? (unsigned)kernel->threads : 0;
	unsigned least = bound && seen ? (bound < seen ? bound : seen) : bound + seen;
	return least || usual ? least : THREADS_MAX;
}

static void find_sizes(struct uniformity *u, kt_id fn)
{
	struct fn_state *s = &u->fn[fn];
	kt_id *kernel;
	size_t kernels;
	facts_kernels_of(&kernel, &kernels, u->facts, u->scratch, fn);
	bool open = u->unit->fn[fn].kind != KT_FN_KERNEL && facts_is_open(u->facts, fn);
	bool meant = kernels > 0 && !open;
	s->most = kernels > 0 && !open ? 1 : THREADS_MAX;
	for (size_t i = 0; i < kernels; i++) {
		unsigned sure = most_of(&u->unit->fn[kernel[i]], false);
		unsigned usual = most_of(&u->unit->fn[kernel[i]], true);
		s->most = sure > s->most ? sure : s->most;
		s->usual = usual > s->usual ? usual : s->usual;
		meant &= usual > 0;
	}
	s->usual = meant ? s->usual : 0;
	s->sized = true;
	arena_clear(u->scratch);
}

unsigned uniform_threads(struct uniformity *u, kt_id fn, bool usual)
{
	if (!u->fn[fn].sized) {
		find_sizes(u, fn);
	}
	return usual ? u->fn[fn].usual : u->fn[fn].most;
}

/* ---- names that stand for others ---- */

static bool is_number(const struct kt_node *n)
{
	return n->flags & KT_F_VALUE;
}

static bool is_wide(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_type *t = kt_object_type(u, n->type);
	return t->kind == KT_T_INT && t->size >= 4 && !t->is_volatile;
}

/* The value of a variable that is set once, or NULL. */
static const struct kt_node *stands_for(const struct walk *w, const struct kt_node *n)
{
	const struct kt_unit *u = w->u->unit;
	if (n->kind == KT_CAST && n->n == 1) {
		bool wide =
			is_wide(u, n->child[0]) || launch_value(w->u->facts, n->child[0]).dimension;
		return wide && is_wide(u, n) ? n->child[0] : NULL;
	}
	const struct slot *s = uniform_kept(w, n);
	return s ? s->init : NULL;
}

/* The argument for parameter n at the enclosing call, or NULL. */
static const struct kt_node *argument(
	const struct walk *w, const struct kt_node *n, const struct env **env)
{
	const struct env *e = *env;
	if (!e || n->kind != KT_REF) {
		return NULL;
	}
	const struct kt_fn *fn = &w->u->unit->fn[e->call->fn];
	for (size_t i = 0; i < fn->params && i < e->call->n; i++) {
		if (fn->param[i] == n->sym && !(e->call->flags & KT_F_METHOD)) {
			*env = e->up;
			return e->call->child[i];
		}
	}
	return NULL;
}

/* The returned expression of a call whose function is a single return, or NULL. */
static const struct kt_node *returned(const struct walk *w, const struct kt_node *n)
{
	const struct kt_node *body =
		n->kind == KT_CALL && n->fn ? w->u->unit->fn[n->fn].body : NULL;
	const struct kt_node *last = body && body->n == 1 ? body->child[0] : NULL;
	return last && last->kind == KT_RETURN && last->n == 1 ? last->child[0] : NULL;
}

/* ---- multiples ---- */

static bool is_multiple(const struct walk *w, const struct kt_node *n, struct unit_of *d,
	const struct env *env, unsigned depth);

static bool is_multiple_binary(const struct walk *w, const struct kt_node *n, struct unit_of *d,
	const struct env *env, unsigned depth)
{
	const struct kt_node *a = n->child[0], *b = n->child[1];
	if (uniform_is_product(w, n)) {
		return is_multiple(w, a, d, env, depth) || is_multiple(w, b, d, env, depth);
	}
	switch (n->op) {
	case KT_OP_ADD:
	case KT_OP_SUB:
		return is_multiple(w, a, d, env, depth) && is_multiple(w, b, d, env, depth);
	case KT_OP_SHL:
		return is_multiple(w, a, d, env, depth) ||
		       (is_number(b) && d->number && b->value >= 0 && b->value < 32 &&
			       (INT64_C(1) << b->value) % d->number == 0);
	case KT_OP_AND: /* multiples of a power of two have clear low bits */
		return d->number && (d->number & (d->number - 1)) == 0 &&
		       (is_multiple(w, a, d, env, depth) || is_multiple(w, b, d, env, depth));
	default:
		return false;
	}
}

static bool is_multiple(const struct walk *w, const struct kt_node *n, struct unit_of *d,
	const struct env *env, unsigned depth)
{
	if (depth > DEPTH) {
		return false;
	}
	if (is_number(n)) {
		return d->number ? n->value % d->number == 0 : n->value == 0;
	}
	if (n->kind == KT_UNARY && n->op == KT_OP_NOT && is_number(n->child[0])) {
		return d->number && ~n->child[0]->value % d->number == 0;
	}
	struct launch_value v = launch_value(w->u->facts, n);
	if (v.form == FORM_BLOCK_SIZE && v.dimension) {
		bool meant = d->number && uniform_threads(w->u, w->fn, true) == d->number &&
			     v.dimension == 'x';
		d->guessed |= meant;
		return meant || v.dimension == d->dimension;
	}
	if ((n->kind == KT_BINARY && n->n == 2) || uniform_is_product(w, n)) {
		return is_multiple_binary(w, n, d, env, depth + 1);
	}
	const struct kt_node *value = stands_for(w, n);
	if (!value) {
		value = argument(w, n, &env);
	}
	if (value) {
		return is_multiple(w, value, d, env, depth + 1);
	}
	const struct kt_node *result = returned(w, n);
	const struct env inside = {n, env};
	return result && is_multiple(w, result, d, &inside, depth + 1);
}

/* ---- numbers of lanes ---- */

/* threadIdx.dimension, by itself */
static bool is_index(const struct walk *w, const struct kt_node *n, char dimension, unsigned depth)
{
	struct launch_value v = launch_value(w->u->facts, n);
	if (v.form == FORM_THREAD_INDEX) {
		return v.dimension == dimension;
	}
	const struct kt_node *value = stands_for(w, n);
	value = value ? value : returned(w, n);
	return value && depth < DEPTH && is_index(w, value, dimension, depth + 1);
}

static bool is_size_x(const struct walk *w, const struct kt_node *n)
{
	struct launch_value v = launch_value(w->u->facts, n);
	return v.form == FORM_BLOCK_SIZE && v.dimension == 'x';
}

/* Is the sum threadIdx.y * blockDim.x + threadIdx.x? */
static bool is_linear_id(const struct walk *w, const struct kt_node *sum)
{
	for (size_t i = 0; i < 2; i++) {
		const struct kt_node *x = sum->child[i], *y = sum->child[1 - i];
		bool product = y->kind == KT_BINARY && y->op == KT_OP_MUL && y->n == 2;
		for (size_t k = 0; k < 2 && product && is_index(w, x, 'x', 0); k++) {
			if (is_index(w, y->child[k], 'y', 0) && is_size_x(w, y->child[1 - k])) {
				return true;
			}
		}
	}
	return false;
}

/* Is it computed only from the lane's place in the block, sizes of the block, and constants? *most:
 * its maximum in blocks of so many threads; the minimum is 0. */
static bool is_place(const struct walk *w, const struct kt_node *n, int64_t threads, int64_t *most,
	unsigned depth)
{
	if (depth > DEPTH) {
		return false;
	}
	if (is_number(n)) {
		*most = n->value;
		return n->value >= 0 && n->value < INT32_MAX;
	}
	struct launch_value v = launch_value(w->u->facts, n);
	if (v.dimension && (v.form == FORM_THREAD_INDEX || v.form == FORM_BLOCK_SIZE)) {
		*most = v.form == FORM_THREAD_INDEX ? threads - 1 : threads;
		return true;
	}
	const struct kt_node *value = stands_for(w, n);
	if (!value) {
		value = returned(w, n);
	}
	if (value) {
		return is_place(w, value, threads, most, depth + 1);
	}
	int64_t a, b;
	if (n->kind != KT_BINARY || n->n != 2 ||
		!is_place(w, n->child[0], threads, &a, depth + 1) ||
		!is_place(w, n->child[1], threads, &b, depth + 1) || a > INT32_MAX ||
		b > INT32_MAX) {
		return false;
	}
	bool number = is_number(n->child[1]);
	switch (n->op) {
	case KT_OP_ADD:
		*most = a + b;
		if (is_linear_id(w, n)) {
			*most = threads - 1;
		}
		return true;
	case KT_OP_MUL:
		*most = a * b;
		return true;
	case KT_OP_DIV:
		*most = number && b > 0 ? a / b : a;
		return !number || b > 0;
	case KT_OP_REM:
		*most = number && b > 0 && b - 1 < a ? b - 1 : a;
		return true;
	case KT_OP_AND:
		*most = a < b ? a : b;
		return true;
	case KT_OP_SHR:
		*most = number && b < 32 ? a >> b : a;
		return true;
	default:
		return false;
	}
}

/* Is n a lane's number below D? */
static bool is_below(const struct walk *w, const struct kt_node *n, struct unit_of *d)
{
	int64_t most;
	if (d->dimension) {
		return is_index(w, n, d->dimension, 0);
	}
	if (!is_place(w, n, uniform_threads(w->u, w->fn, false), &most, 0)) {
		return false;
	}
	if (most < d->number) {
		return true;
	}
	unsigned usual = uniform_threads(w->u, w->fn, true);
	d->guessed = true;
	return usual ? is_place(w, n, usual, &most, 0) && most < d->number : d->strides;
}

/* Is n such a number plus a uniform multiple of D? */
static bool is_offset(
	const struct walk *w, const struct kt_node *n, struct unit_of *d, unsigned depth)
{
	if (depth > DEPTH) {
		return false;
	}
	if (is_below(w, n, d)) {
		return true;
	}
	bool sum = n->kind == KT_BINARY && n->n == 2 && (n->op == KT_OP_ADD || n->op == KT_OP_SUB);
	if (sum) {
		const struct kt_node *a = n->child[0], *b = n->child[1];
		bool second = uniform_is_plain(w, b) && is_multiple(w, b, d, NULL, 0) &&
			      is_offset(w, a, d, depth + 1);
		return second ||
		       (n->op == KT_OP_ADD && uniform_is_plain(w, a) &&
			       is_multiple(w, a, d, NULL, 0) && is_offset(w, b, d, depth + 1));
	}
	const struct kt_node *value = stands_for(w, n);
	return value && is_offset(w, value, d, depth + 1);
}

/* The loop with condition n, if it counts from such a number in multiples of D. */
static const struct kt_node *first_of(const struct walk *w, const struct kt_node *n,
	const struct kt_node *counter, const struct kt_node **step)
{
	const struct kt_node *loop = n->parent;
	bool cond = loop && loop->kind == KT_FOR && loop->child[KT_FOR_COND] == n &&
		    counter->kind == KT_REF;
	const struct kt_node *init = cond ? loop->child[KT_FOR_INIT] : NULL;
	const struct kt_node *v =
		init && init->kind == KT_DECL && init->n >= 1 ? init->child[0] : NULL;
	bool same = v && v->kind == KT_VAR && v->n == 1 && v->sym == counter->sym &&
		    uniform_steps(w, loop, v->sym);
	const struct kt_node *inc = same ? loop->child[KT_FOR_INC] : NULL;
	*step = inc && inc->kind == KT_ASSIGN ? inc->child[1] : NULL;
	return *step ? v->child[0] : NULL;
}

/* ---- expressions ---- */

struct asked {
	const struct kt_node *n;
	const struct kt_node *own;  /* what the lane has */
	const struct kt_node *all;  /* what all have */
	const struct kt_node *step; /* of a loop that counts own up, or NULL */
};

static unsigned by_unit(
	const struct walk *w, const struct asked *q, struct unit_of d, unsigned bits)
{
	bool shift = q->n->op == KT_OP_SHR;
	d.strides = q->step;
	bool fits = shift ? d.number && is_number(q->all) && q->all->value >= 0 &&
				    q->all->value < 32 &&
				    (INT64_C(1) << q->all->value) % d.number == 0
			  : is_multiple(w, q->all, &d, NULL, 0);
	bool power = !d.dimension && (d.number & (d.number - 1)) == 0;
	if (!fits || (q->n->op == KT_OP_AND && !power) || !is_offset(w, q->own, &d, 0) ||
		(q->step && !is_multiple(w, q->step, &d, NULL, 0))) {
		return bits;
	}
	bool plain = is_number(q->all) || uniform_is_plain(w, q->all);
	bool place = !q->step && is_below(w, q->own, &d); /* not negative, and not a product */
	bool whole = launch_value(w->u->facts, q->all).form == FORM_BLOCK_SIZE;
	bool safe = q->n->op == KT_OP_DIV ? place && (power || whole) : power || (place && whole);
	return !d.guessed && safe && plain && !w->opaque ? 0 : bits & ~(unsigned)BIT_OWN;
}

static size_t numbers_in(int64_t *out, size_t n, const struct kt_node *root)
{
	for (const struct kt_node *at = root; at && n < CANDIDATES; at = kt_next(at, root)) {
		if (is_number(at) && at->value > 1 && at->value <= THREADS_MAX) {
			out[n++] = at->value;
		}
	}
	return n;
}

/* t < 300 in blocks of 256 */
static bool is_always(const struct walk *w, const struct asked *q)
{
	int64_t most;
	bool compares = q->n->op != KT_OP_SHR && q->n->op != KT_OP_DIV && q->n->op != KT_OP_AND;
	return compares && is_number(q->all) && !w->opaque &&
	       is_place(w, q->own, uniform_threads(w->u, w->fn, false), &most, 0) &&
	       most < q->all->value;
}

static unsigned by_range(const struct walk *w, struct asked *q, unsigned bits)
{
	const struct kt_node *first = first_of(w, q->n, q->own, &q->step);
	q->own = first ? first : q->own;
	if (!q->step && is_always(w, q)) {
		return 0;
	}
	for (char x = 'x'; x <= 'z'; x++) {
		unsigned is = by_unit(w, q, (struct unit_of){.dimension = x}, bits);
		if (is != bits) {
			return is;
		}
	}
	int64_t number[CANDIDATES] = {
		uniform_threads(w->u, w->fn, false), uniform_threads(w->u, w->fn, true)};
	size_t n = numbers_in(number, numbers_in(number, 2, q->step), q->all);
	unsigned least = bits;
	for (size_t i = 0; i < n && least; i++) {
		unsigned is = number[i] > 1
				      ? by_unit(w, q, (struct unit_of){.number = number[i]}, bits)
				      : bits;
		least = is < least ? is : least;
	}
	return least;
}

/* ---- differences ---- */

struct term {
	const struct kt_node *n;
	bool minus;
};

struct terms {
	struct term term[TERMS];
	size_t n;
};

/* The start value of the counter of a loop around n: all lanes there have counted equally far. */
static const struct kt_node *start_of(const struct walk *w, const struct kt_node *n)
{
	for (const struct kt_node *loop = n->parent; loop && n->kind == KT_REF;
		loop = loop->parent) {
		const struct kt_node *init = loop->kind == KT_FOR ? loop->child[KT_FOR_INIT] : NULL;
		const struct kt_node *v = init && init->kind == KT_DECL ? init->child[0] : NULL;
		if (v && v->kind == KT_VAR && v->n == 1 && v->sym == n->sym) {
			return uniform_steps(w, loop, v->sym) ? v->child[0] : NULL;
		}
	}
	return NULL;
}

/* Coordinates in HIP 7 are properties, whose type libclang does not show. */
static int64_t size_of(const struct walk *w, const struct kt_node *n)
{
	bool coordinate = launch_value(w->u->facts, n).dimension;
	return coordinate ? 4 : kt_object_type(w->u->unit, n->type)->size;
}

static bool add_terms(const struct walk *w, struct terms *out, const struct kt_node *n,
	unsigned size, bool minus, unsigned depth)
{
	const struct kt_type *t = kt_object_type(w->u->unit, n->type);
	bool same = t->kind == KT_T_INT && t->size == size && !t->is_volatile;
	bool sum = same && n->kind == KT_BINARY && n->n == 2 &&
		   (n->op == KT_OP_ADD || n->op == KT_OP_SUB);
	if (sum) {
		return add_terms(w, out, n->child[0], size, minus, depth) &&
		       add_terms(w, out, n->child[1], size, minus != (n->op == KT_OP_SUB), depth);
	}
	const struct kt_node *value = same ? stands_for(w, n) : NULL;
	value = same && !value ? start_of(w, n) : value;
	if (value && depth < DEPTH && size_of(w, value) == size) {
		return add_terms(w, out, value, size, minus, depth + 1);
	}
	if (out->n == TERMS) {
		return false;
	}
	out->term[out->n++] = (struct term){n, minus};
	return true;
}

static bool is_same(const struct walk *w, const struct kt_node *x, const struct kt_node *y)
{
	struct launch_value a = launch_value(w->u->facts, x), b = launch_value(w->u->facts, y);
	bool place = a.form != FORM_NONE && a.dimension;
	return (place && a.form == b.form && a.dimension == b.dimension) ||
	       (x->kind == KT_REF && uniform_kept(w, x) && kt_names(y, x->sym));
}

/* gid - t: is the differing part subtracted again? Wrapping does not matter here. */
static bool cancels(const struct walk *w, const struct kt_node *n)
{
	struct terms t = {.n = 0};
	const struct kt_type *type = kt_object_type(w->u->unit, n->type);
	if (n->op != KT_OP_SUB || type->kind != KT_T_INT || w->opaque ||
		!add_terms(w, &t, n, (unsigned)type->size, false, 0)) {
		return false;
	}
	for (size_t i = 0; i < t.n; i++) {
		for (size_t k = 0; k < t.n && t.term[i].n; k++) {
			bool pair = t.term[k].n && t.term[i].minus != t.term[k].minus &&
				    is_same(w, t.term[i].n, t.term[k].n);
			t.term[i].n = pair ? NULL : t.term[i].n;
			t.term[k].n = pair ? NULL : t.term[k].n;
		}
	}
	bool plain = true;
	for (size_t i = 0; i < t.n; i++) {
		plain = plain && (!t.term[i].n || uniform_is_plain(w, t.term[i].n));
	}
	return plain;
}

unsigned uniform_by_range(const struct walk *w, const struct kt_node *n, unsigned bits)
{
	struct asked q = {.n = n, .own = n->child[0], .all = n->child[1]};
	switch (n->op) {
	case KT_OP_SUB:
		return cancels(w, n) ? 0 : bits;
	case KT_OP_GT:
	case KT_OP_LE:
		q.own = n->child[1];
		q.all = n->child[0];
		return by_range(w, &q, bits);
	case KT_OP_LT:
	case KT_OP_GE:
	case KT_OP_DIV:
	case KT_OP_SHR:
	case KT_OP_AND: /* i & ~255 */
		return by_range(w, &q, bits);
	default:
		return bits;
	}
}
