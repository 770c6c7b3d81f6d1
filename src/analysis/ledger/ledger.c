/*
 * Liveness on the trace, backward over loops and arms, and the sum of widths at every point.
 *
 * Where arms are alternatives for a whole wave, the back end lays them out one behind the other,
 * and what a later arm reads must live through the earlier ones: beside the arm's own result
 * where that arm writes it (the two copies of a chained accumulator). Lanes that part share a
 * register: there no copy is needed.
 */
#include "analysis/ledger/walk.h"

#include <stdlib.h>
#include <string.h>
#include "base/map.h"
#include "target/steps.h"

typedef uint64_t *bits;

/* Values from before an if, kept beside what an arm makes of them, and those of the arms around. */
struct kept {
	const uint64_t *copies;
	unsigned width; /* their registers */
};

/* In an arm of a merge that is asked about, and of those around. */
struct inside {
	struct ledger_merge *merge;
	const struct inside *outer;
};

struct solver {
	struct trace *t;
	struct arena *a;
	size_t words;
	bool recording;
	bits forced; /* live whatever the items say: for a later arm */
	const struct kept *kept;
	struct ledger *out;
	struct ledger_merge *merge; /* what is asked of them */
	size_t merges;
	const struct inside *inside; /* the innermost of these whose arms are gone through */
	bits peak;		     /* live at the point of most registers */
	bits peak_kept;		     /* those that have a copy there */
	bits carried;
	bits constant;
	bits ever;
	bits streamed;
	bits in_memory; /* those that ledger_in_memory names */
	bits *free_at;	/* by item: cleared, and nothing else written yet; NULL: none */
	uint32_t best;
	uint32_t best_held;
	uint32_t *flight;    /* by item: registers of loads that may be under way */
	uint32_t *addresses; /* of these */
	uint32_t *kept_at;   /* by item: addresses that loops around it keep */
	uint32_t *open;	     /* of a closing item: the one that opens */
	uint32_t *entry;     /* by variable: 1 + its declaration's index in the ledger; 0: none */
};

static bits bits_new(const struct solver *s)
{
	return ARENA_ARRAY(s->a, uint64_t, s->words);
}

static bits bits_copy(const struct solver *s, const uint64_t *from)
{
	return arena_memdup(s->a, from, s->words * sizeof(uint64_t));
}

static void bits_or(const struct solver *s, bits to, const uint64_t *from)
{
	for (size_t i = 0; i < s->words; i++) {
		to[i] |= from[i];
	}
}

static bool bit_get(const uint64_t *b, size_t i)
{
	return b[i / 64] >> (i % 64) & 1;
}

static void bit_set(bits b, size_t i, bool on)
{
	uint64_t mask = UINT64_C(1) << (i % 64);

	b[i / 64] = on ? b[i / 64] | mask : b[i / 64] & ~mask;
}

static const struct trace_item *item(const struct solver *s, size_t i)
{
	return &s->t->item.v[i];
}

/* ---- pressure ---- */

/* Variables that the items write, over what they hold. */
static bits written(const struct solver *s, uint32_t first, uint32_t end)
{
	bits set = bits_new(s);

	for (uint32_t i = first; i < end; i++) {
		const struct trace_item *at = item(s, i);
		if (at->kind == TRACE_WRITE || at->kind == TRACE_KILL || at->kind == TRACE_CLEAR) {
			bit_set(set, at->var, true);
		}
	}
	return set;
}

static unsigned width_of(const struct solver *s, const uint64_t *set)
{
	unsigned sum = 0;

	for (size_t w = 0; w < s->words; w++) {
		for (uint64_t left = set[w]; left; left &= left - 1) {
			sum += s->t->var.v[w * 64 + (size_t)__builtin_ctzll(left)].pub.width;
		}
	}
	return sum;
}

/* What the arm changes of what later ones need. Where it does not, or an arm outside keeps it
 * already, it is the same register. */
static struct kept kept_in(const struct solver *s, uint32_t arm, const uint64_t *later)
{
	bits copies = written(s, arm, item(s, arm)->end);

	for (size_t w = 0; w < s->words; w++) {
		copies[w] &= later[w];
	}
	if (s->kept) {
		bits_or(s, copies, s->kept->copies);
	}
	return (struct kept){copies, width_of(s, copies)};
}

static struct ledger_point point_of(
	const struct solver *s, uint32_t i, unsigned held, unsigned more)
{
	const struct kt_node *n = item(s, i)->node;

	return (struct ledger_point){.held = held,
		.in_flight = more,
		.file = n->file,
		.line = kt_line(s->t->unit, n->file, n->begin),
		.node = n};
}

/* set: live in front of or behind item i. */
static void record(struct solver *s, uint32_t i, const uint64_t *set, unsigned held)
{
	struct ledger *l = s->out;
	unsigned sum = held + s->kept_at[i], memory = 0;

	for (size_t w = 0; w < s->words; w++) {
		uint64_t live = set[w] | s->forced[w];
		s->ever[w] |= live;
		live &= ~(s->free_at[i][w] | s->streamed[w]);
		uint64_t apart = live & s->in_memory[w];
		for (; live; live &= live - 1) {
			sum += s->t->var.v[w * 64 + (size_t)__builtin_ctzll(live)].pub.width;
		}
		for (; apart; apart &= apart - 1) {
			memory += s->t->var.v[w * 64 + (size_t)__builtin_ctzll(apart)].pub.width;
		}
	}
	unsigned bare = sum - memory;
	l->bare = bare > l->bare ? bare : l->bare;
	for (const struct inside *in = s->inside; in; in = in->outer) {
		in->merge->inside = bare > in->merge->inside ? bare : in->merge->inside;
	}
	unsigned most = sum + s->flight[i];
	if (s->kept) {
		sum += s->kept->width;
		most += s->kept->width;
	}
	if (sum > l->least.held) {
		l->least = point_of(s, i, sum, s->flight[i]);
	}
	if (most > l->most.held + l->most.in_flight) {
		l->most = point_of(s, i, sum, s->flight[i]);
		l->addresses = s->addresses[i];
		s->best = i;
		s->best_held = held;
		memcpy(s->peak, set, s->words * sizeof(uint64_t));
		bits_or(s, s->peak, s->forced);
		for (size_t w = 0; w < s->words; w++) {
			s->peak[w] &= ~s->free_at[i][w];
		}
		memset(s->peak_kept, 0, s->words * sizeof(uint64_t));
		if (s->kept) {
			bits_or(s, s->peak_kept, s->kept->copies);
		}
	}
}

/* ---- liveness ---- */

static void live(struct solver *s, uint32_t first, uint32_t end, bits set);

static void live_loop(struct solver *s, uint32_t begin, bits set)
{
	uint32_t end = item(s, begin)->end;
	bits head = bits_copy(s, set), body = bits_copy(s, set);
	bool recording = s->recording;

	/* What items add to the set and take from it does not depend on it: what one iteration does
	 * not add, none does. */
	s->recording = false;
	live(s, begin + 1, end, body);
	s->recording = recording;
	bits_or(s, head, body);
	memcpy(set, head, s->words * sizeof(uint64_t));
	if (!recording) {
		return;
	}
	live(s, begin + 1, end, head);
	if (!item(s, begin)->unrolled) {
		bits changed = written(s, begin, end);
		for (size_t w = 0; w < s->words; w++) {
			s->carried[w] |= head[w] & changed[w];
			s->constant[w] |= head[w] & ~changed[w];
		}
	}
}

static uint32_t arms_of(const struct solver *s, uint32_t begin, uint32_t *arm, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t at = begin + 1; item(s, at)->kind == TRACE_ARM && n < max;
		at = item(s, at)->end) {
		arm[n++] = at;
	}
	return n;
}

static struct ledger_merge *asked_merge(const struct solver *s, const struct trace_item *at)
{
	for (size_t i = 0; i < s->merges; i++) {
		if (s->merge[i].node == at->node) {
			return &s->merge[i];
		}
	}
	return NULL;
}

static void live_if(struct solver *s, uint32_t begin, bits set)
{
	enum {
		ARMS_MAX = 256
	};
	uint32_t arm[ARMS_MAX];
	uint32_t n = arms_of(s, begin, arm, ARMS_MAX);
	bits out = bits_copy(s, set);
	bits later = bits_new(s); /* live where later arms begin */
	bits forced = s->forced;
	const struct kept *kept = s->kept;
	bool copies = item(s, begin)->copies;
	struct inside in_it = {s->recording ? asked_merge(s, item(s, begin)) : NULL, s->inside};

	if (in_it.merge) {
		in_it.merge->met = true;
		in_it.merge->uniform |= item(s, begin)->uniform;
		in_it.merge->apart |= !item(s, begin)->uniform;
		s->inside = &in_it;
	}
	memset(set, 0, s->words * sizeof(uint64_t));
	for (uint32_t i = n; i-- > 0;) {
		bits in = bits_copy(s, out);
		struct kept k;
		if (copies && s->recording) {
			k = kept_in(s, arm[i], later);
			s->forced = bits_copy(s, forced);
			for (size_t w = 0; w < s->words; w++) {
				s->forced[w] |= later[w];
			}
			s->kept = &k;
		}
		live(s, arm[i] + 1, item(s, arm[i])->end, in);
		s->forced = forced;
		s->kept = kept;
		bits_or(s, set, in);
		bits_or(s, later, in);
	}
	s->inside = in_it.outer;
}

static uint32_t *openers(struct solver *s)
{
	uint32_t *open = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);

	for (uint32_t i = 0; i < s->t->item.n; i++) {
		enum trace_kind k = item(s, i)->kind;
		if (k == TRACE_LOOP || k == TRACE_IF) {
			open[item(s, i)->end] = i;
		}
	}
	return open;
}

static void live(struct solver *s, uint32_t first, uint32_t end, bits set)
{
	for (uint32_t i = end; i-- > first;) {
		const struct trace_item *at = item(s, i);
		switch (at->kind) {
		case TRACE_LOOP_END:
			live_loop(s, s->open[i], set);
			i = s->open[i];
			break;
		case TRACE_IF_END:
			live_if(s, s->open[i], set);
			i = s->open[i];
			break;
		case TRACE_READ:
			bit_set(set, at->var, true);
			if (s->recording) {
				record(s, i, set, at->held);
			}
			break;
		case TRACE_WRITE:
		case TRACE_KILL:
		case TRACE_CLEAR:
			if (s->recording) {
				bool dead = !bit_get(set, at->var);
				bit_set(set, at->var, true);
				record(s, i, set, at->held);
				bit_set(set, at->var, !dead);
			}
			if (at->kind != TRACE_WRITE) {
				bit_set(set, at->var, false);
			}
			break;
		case TRACE_POINT:
			if (s->recording) {
				record(s, i, set, at->held);
			}
			break;
		default:
			break;
		}
	}
}

/* ---- what is free, and what is in flight ---- */

/* Constants take no register until something else is written over them, or a loop carries them. */
static void find_free(struct solver *s)
{
	bits now = bits_new(s);
	bits last = NULL;

	s->free_at = ARENA_ARRAY(s->a, bits, s->t->item.n + 1);
	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		bool changed = false;
		if (at->kind == TRACE_CLEAR || at->kind == TRACE_KILL || at->kind == TRACE_WRITE) {
			bool on = at->kind == TRACE_CLEAR;
			changed = on != bit_get(now, at->var);
			bit_set(now, at->var, on);
		} else if ((at->kind == TRACE_LOOP && !at->unrolled) || at->kind == TRACE_IF) {
			memset(now, 0, s->words * sizeof(uint64_t));
			changed = true;
		}
		if (changed || !last) {
			last = bits_copy(s, now);
		}
		s->free_at[i] = last;
	}
}

/* Registers of the arrays that come into being in the loop at item i: held constants before it, or
 * are declared in it. */
static uint32_t growing_in(struct solver *s, uint32_t i)
{
	uint32_t sum = 0, end = item(s, i)->end;
	bits made = bits_new(s), counted = bits_new(s);

	for (size_t w = 0; w < s->words; w++) {
		made[w] = s->free_at[i][w];
	}
	for (uint32_t k = i; k < end; k++) {
		const struct trace_item *in = item(s, k);
		if (in->kind == TRACE_CLEAR) {
			bit_set(made, in->var, true);
		}
		if (in->kind == TRACE_WRITE && bit_get(made, in->var) &&
			!bit_get(counted, in->var) && !bit_get(s->streamed, in->var)) {
			bit_set(counted, in->var, true);
			sum += s->t->var.v[in->var].pub.width;
		}
	}
	return sum;
}

/* Loads of unrolled loops, spread over the items that they may be under way at. An array that comes
 * into being in the loop takes its registers as they land: these count once. */
static void find_flight(struct solver *s)
{
	s->flight = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	s->addresses = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	s->kept_at = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		for (uint32_t k = i; at->kind == TRACE_LOOP && at->kept && k < at->end; k++) {
			s->kept_at[k] += at->kept;
		}
		for (uint32_t k = i; at->kind == TRACE_LOOP && at->addresses && k < at->end; k++) {
			s->addresses[k] += at->addresses;
		}
		/* what need not be there whole is, where it is loaded */
		bool ahead = at->kind == TRACE_LOOP && at->own_var &&
			     bit_get(s->streamed, at->own_var - 1);
		uint32_t loads = at->in_flight + (ahead ? at->own : 0);
		if (at->kind != TRACE_LOOP || loads == 0) {
			continue;
		}
		uint32_t growing = growing_in(s, i);
		uint32_t more = loads > growing ? loads - growing : 0;
		for (uint32_t k = i; k < at->end; k++) {
			s->flight[k] = more > s->flight[k] ? more : s->flight[k];
		}
	}
}

/* What is known of an array while its items are looked at one after the other. */
struct stream {
	uint32_t first, last; /* items that mention it */
	uint32_t loop;	      /* the unrolled loop of the last mention, or that itself */
	bool seen;
	bool read_only; /* that loop reads it and does not write it */
	bool broken;
};

/* Arrays that are made, changed and used up element by element in straight code: the scheduler need
 * not hold them whole at any time. What one pass reads and a later one needs again has to be there
 * whole. */
static void find_streams(struct solver *s)
{
	enum {
		NEST = 512,
	};
	struct stream *v = ARENA_ARRAY(s->a, struct stream, s->t->var.n);
	uint32_t open[NEST], depth = 0, block = 0;

	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		if ((at->kind == TRACE_LOOP || at->kind == TRACE_LOOP_END)
				? !at->unrolled
				: at->kind == TRACE_IF || at->kind == TRACE_ARM ||
					  at->kind == TRACE_IF_END) {
			block = i;
		}
		if (at->kind == TRACE_LOOP && at->unrolled && depth < NEST) {
			open[depth++] = i;
		} else if (at->kind == TRACE_LOOP_END && at->unrolled && depth) {
			depth--;
		}
		bool read = at->kind == TRACE_READ;
		bool write = at->kind == TRACE_WRITE || at->kind == TRACE_KILL ||
			     at->kind == TRACE_CLEAR;
		if (!read && !write) {
			continue;
		}
		struct stream *e = &v[at->var];
		if (!e->seen) {
			*e = (struct stream){
				.first = i, .loop = i, .seen = true, .read_only = true};
			e->broken = read || at->kind == TRACE_WRITE;
		}
		uint32_t here = i; /* the outermost loop since it came to be */
		for (uint32_t d = 0; d < depth && here == i; d++) {
			here = open[d] > e->first ? open[d] : i;
		}
		if (here != e->loop) {
			e->broken |= e->read_only;
			e->read_only = true;
			e->loop = here;
		}
		e->read_only = e->read_only && read;
		e->broken |= e->first < block;
		e->last = i;
	}
	for (uint32_t k = 0; k < s->t->var.n; k++) {
		const struct ledger_var *pub = &s->t->var.v[k].pub;
		bool array = pub->sym && pub->decl &&
			     kt_object_type(s->t->unit, s->t->unit->sym[pub->sym].type)->kind ==
				     KT_T_ARRAY;
		if (!v[k].seen || v[k].broken || !array || pub->width < WIDE) {
			continue;
		}
		bit_set(s->streamed, k, true);
	}
}

/* ---- what is said of a variable ---- */

const char *ledger_role_name(enum ledger_role r)
{
	static const char *const names[] = {
		[LEDGER_ACCUMULATOR] = "accumulator",
		[LEDGER_SOFTMAX] = "softmax state",
		[LEDGER_OPERAND] = "operand fragment",
		[LEDGER_ADDRESS] = "address",
		[LEDGER_TEMPORARY] = "temporary",
	};

	return names[r];
}

static bool is_float_type(const struct kt_unit *u, kt_id type)
{
	const struct kt_type *t = kt_object_type(u, type);

	while ((t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR) && t->elem) {
		t = &u->type[t->elem];
	}
	return t->kind == KT_T_FLOAT;
}

static bool calls_exp(const struct trace *t)
{
	for (size_t i = 0; i < t->item.n; i++) {
		const struct kt_node *n = t->item.v[i].node;
		const struct kt_fn *fn =
			n && n->kind == KT_CALL && n->fn ? &t->unit->fn[n->fn] : NULL;
		const char *name = fn ? fn->base : n && n->kind == KT_CALL ? n->text : NULL;
		if (name && strstr(name, "exp")) {
			return true;
		}
	}
	return false;
}

static enum ledger_role role_of(
	const struct trace *t, const struct trace_var *v, bool carried, bool exp)
{
	bool is_float = v->pub.sym && is_float_type(t->unit, t->unit->sym[v->pub.sym].type);
	const struct kt_type *type =
		v->pub.sym ? kt_object_type(t->unit, t->unit->sym[v->pub.sym].type) : NULL;
	bool narrow = v->pub.width <= 16;

	while (type && type->kind == KT_T_ARRAY && type->elem) {
		type = &t->unit->type[type->elem];
	}

	if (v->matrix_acc && (carried || !exp)) {
		return LEDGER_ACCUMULATOR;
	}
	if (exp && carried && narrow && !v->matrix_acc && (v->maximum || v->added) &&
		(is_float || (type && type->kind == KT_T_RECORD))) {
		return LEDGER_SOFTMAX;
	}
	if (is_float && v->added && carried) {
		return LEDGER_ACCUMULATOR;
	}
	if (v->matrix_operand || (v->loaded && v->multiplied && is_float)) {
		return LEDGER_OPERAND;
	}
	if (v->pointer || (type && type->kind == KT_T_INT && v->in_address) || !v->pub.sym) {
		return LEDGER_ADDRESS;
	}
	return LEDGER_TEMPORARY;
}

/* The line of the frame that declares v at which item i runs. */
static bool line_in(const struct solver *s, uint32_t frame, uint32_t i, unsigned *line)
{
	const struct trace_item *at = item(s, i);
	const struct kt_node *n = at->node;
	uint32_t f = at->frame;

	while (f != frame && f != 0) {
		n = s->t->frame.v[f].call;
		f = s->t->frame.v[f].up;
	}
	if (f != frame || !n) {
		return false;
	}
	*line = kt_line(s->t->unit, n->file, n->begin);
	return true;
}

static bool same_declaration(const struct kt_sym *all, kt_id x, kt_id y)
{
	return x == y || (x && y && all[x].file == all[y].file && all[x].at == all[y].at &&
				 strcmp(all[x].name, all[y].name) == 0);
}

/* Instantiations share a declaration. first: by place, 1 + the first index there. */
static struct ledger_var *entry_of(const struct solver *s, struct ids *first, kt_id sym)
{
	const struct kt_sym *all = s->t->unit->sym;
	struct ledger *l = s->out;
	uintptr_t place = ((uintptr_t)all[sym].file << 32 | all[sym].at) + 1;
	size_t from = ids_get(first, place, 0);

	for (size_t i = from ? from - 1 : l->vars; i < l->vars; i++) {
		if (same_declaration(all, l->var[i].sym, sym)) {
			return &l->var[i];
		}
	}
	if (!from) {
		ids_set(first, place, l->vars + 1);
	}
	return NULL;
}

bool ledger_in_memory(const struct ledger_var *v)
{
	enum {
		/* AMDGPUPromoteAlloca.cpp makes a vector of an array of up to 16 elements, 64 bits
		 * each at most */
		VECTOR_MOST = 32
	};

	return v->dynamic && v->width > VECTOR_MOST;
}

const struct ledger_var *ledger_var_of(const struct ledger *l, const struct kt_unit *u, kt_id sym)
{
	for (size_t i = 0; i < l->vars; i++) {
		if (same_declaration(u->sym, l->var[i].sym, sym)) {
			return &l->var[i];
		}
	}
	return NULL;
}

/* One entry a declaration, however often its function is inlined. */
static void list_vars(struct solver *s)
{
	struct trace *t = s->t;
	struct ledger *l = s->out;
	bool exp = calls_exp(t);
	struct ids first = {0};

	l->var = ARENA_ARRAY(s->a, struct ledger_var, t->var.n);
	for (uint32_t i = 0; i < t->var.n; i++) {
		const struct trace_var *v = &t->var.v[i];
		bool carried = bit_get(s->carried, i);
		if (v->memory || (v->pub.sym && !v->pub.decl && v->frame) || !bit_get(s->ever, i)) {
			continue;
		}
		struct ledger_var *e = entry_of(s, &first, v->pub.sym);
		if (!e) {
			e = &l->var[l->vars++];
			*e = v->pub;
			e->role = role_of(t, v, carried, exp);
			e->live = true;
		}
		s->entry[i] = (uint32_t)(e - l->var) + 1;
		e->width = v->pub.width > e->width ? v->pub.width : e->width;
		e->loop_carried |= carried;
		e->loop_constant |= bit_get(s->constant, i) && !carried;
		e->dynamic |= v->pub.dynamic;
		if (bit_get(s->peak, i)) {
			unsigned copies = bit_get(s->peak_kept, i) ? 2 : 1;
			e->copies = copies > e->copies ? copies : e->copies;
			e->at_peak += v->pub.width * copies;
		}
	}
	for (uint32_t i = 0; i < t->var.n; i++) {
		const struct ledger_var *e =
			s->entry[i] ? NULL : entry_of(s, &first, t->var.v[i].pub.sym);
		s->entry[i] = e ? (uint32_t)(e - l->var) + 1 : s->entry[i];
	}
	ids_release(&first);
}

/* Lines from the first to the last item at which a variable is mentioned or carried around. */
static void list_lines(struct solver *s)
{
	struct trace *t = s->t;

	for (uint32_t i = 0; i < t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		bool names = at->kind == TRACE_READ || at->kind == TRACE_WRITE ||
			     at->kind == TRACE_KILL || at->kind == TRACE_CLEAR;
		const struct trace_var *v = names ? &t->var.v[at->var] : NULL;
		struct ledger_var *e =
			names && s->entry[at->var] ? &s->out->var[s->entry[at->var] - 1] : NULL;
		unsigned line;
		if (!e || !line_in(s, v->frame, i, &line)) {
			continue;
		}
		e->first_line = !e->first_line || line < e->first_line ? line : e->first_line;
		e->last_line = line > e->last_line ? line : e->last_line;
	}
	/* a loop that carries it, or reads it in every iteration, keeps it to its end */
	for (uint32_t i = 0; i < t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		if (at->kind != TRACE_LOOP || at->unrolled || !at->node) {
			continue;
		}
		unsigned begin = kt_line(t->unit, at->node->file, at->node->begin);
		unsigned end = kt_line(t->unit, at->node->file, at->node->end);
		for (size_t k = 0; k < s->out->vars; k++) {
			struct ledger_var *e = &s->out->var[k];
			bool through = (e->loop_carried || e->loop_constant) &&
				       e->file == at->node->file && e->first_line < begin &&
				       e->last_line >= begin && e->last_line < end;
			e->last_line = through ? end : e->last_line;
		}
	}
}

static void list_unknown(struct solver *s)
{
	struct ledger *l = s->out;

	for (size_t i = 0; i < l->vars; i++) {
		if (l->var[i].dynamic && l->var[i].width > 1) {
			array_push(&s->t->unknown, arena_printf(s->a,
							   "whether '%s' stands in registers: its "
							   "index is known at run "
							   "time only",
							   l->var[i].name));
		}
	}
}

static void tell_unknown(struct ledger *l, struct arena *a, const struct trace *t)
{
	l->unknown = array_to_arena(a, &t->unknown);
	l->unknowns = t->unknown.n;
	for (size_t i = 0; i < l->unknowns; i++) {
		l->unknown[i] = arena_strdup(a, l->unknown[i]);
	}
}

static void make(struct ledger *out, struct ledger_merge *merge, size_t n, struct arena *a,
	struct facts *f, struct uniformity *u, kt_id kernel, unsigned wave_size)
{
	struct arena *scratch = arena_create();
	struct trace t = {
		.a = scratch, .f = f, .u = u, .unit = facts_unit(f), .wave_size = wave_size};

	*out = (struct ledger){.fn = kernel, .name = t.unit->fn[kernel].name};
	t.whole = n > 0;
	trace_make(&t, kernel);
	out->partial = t.partial;
	if (t.cut || (t.whole && t.partial)) {
		tell_unknown(out, a, &t);
		trace_release(&t);
		arena_free(scratch);
		return;
	}
	struct solver s = {.t = &t,
		.a = scratch,
		.words = t.var.n / 64 + 1,
		.out = out,
		.merge = merge,
		.merges = n};
	s.forced = bits_new(&s);
	s.peak = bits_new(&s);
	s.peak_kept = bits_new(&s);
	s.carried = bits_new(&s);
	s.constant = bits_new(&s);
	s.ever = bits_new(&s);
	s.streamed = bits_new(&s);
	s.in_memory = bits_new(&s);
	for (uint32_t i = 0; i < t.var.n; i++) {
		bit_set(s.in_memory, i, ledger_in_memory(&t.var.v[i].pub));
	}
	find_free(&s);
	find_streams(&s);
	find_flight(&s);
	for (uint32_t i = 0; i < t.item.n; i++) {
		s.flight[i] += s.addresses[i];
	}
	s.open = openers(&s);
	s.recording = true;
	bits set = bits_new(&s);
	live(&s, 0, (uint32_t)t.item.n, set);
	out->temporaries = s.best_held;
	for (uint32_t i = 0; i < t.var.n; i++) {
		bool there = bit_get(s.peak, i);
		out->temporaries += there && t.var.v[i].memory ? t.var.v[i].pub.width : 0;
		out->results += there && t.var.v[i].matrix_acc ? t.var.v[i].pub.width : 0;
	}
	out->lds_bytes = t.lds_bytes;
	out->bytes = t.bytes;
	out->flops = t.flops;
	for (size_t i = 0; i < t.item.n; i++) {
		if (t.item.v[i].kind == TRACE_LOOP && t.item.v[i].flops > out->flops) {
			out->bytes = t.item.v[i].bytes;
			out->flops = t.item.v[i].flops;
		}
	}
	s.entry = ARENA_ARRAY(scratch, uint32_t, t.var.n + 1);
	s.a = a;
	list_vars(&s);
	list_lines(&s);
	list_unknown(&s);
	tell_unknown(out, a, &t);
	trace_release(&t);
	arena_free(scratch);
}

void ledger_make(struct ledger *out, struct arena *a, struct facts *f, struct uniformity *u,
	kt_id kernel, unsigned wave_size)
{
	const struct ledger *kept = facts_kept(f, FACTS_KEEP_LEDGER, kernel);
	if (kept) {
		*out = *kept;
	} else {
		make(out, NULL, 0, a, f, u, kernel, wave_size);
	}
}

static void release_nothing(void *ledger)
{
	(void)ledger; /* it is in the facts' arena */
}

const struct ledger *ledger_make_for(struct ledger_merge *merge, size_t n, struct facts *f,
	struct uniformity *u, kt_id kernel, unsigned wave_size)
{
	struct ledger *l = ARENA_NEW(facts_arena(f), struct ledger);
	make(l, merge, n, facts_arena(f), f, u, kernel, wave_size);
	if (!l->partial) {
		facts_keep(f, FACTS_KEEP_LEDGER, kernel, l, release_nothing);
	}
	return l;
}

unsigned ledger_estimate(
	const struct ledger *l, const struct target *t, const struct occupancy_use *use)
{
	unsigned all = l->most.held + l->most.in_flight, room = target_most_vgprs(t, use);

	if (room == 0 || l->least.held > room) {
		return all;
	}
	unsigned reach = t->arch_vgpr_max + (t->agprs ? l->results : 0);
	room = room < reach ? room : reach;
	unsigned most = l->least.held > room ? l->least.held : room;
	return all < most ? all : most;
}
