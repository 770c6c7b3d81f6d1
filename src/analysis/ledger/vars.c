/* The roles of variables, their registers at the peak, and their live ranges in lines. */
#include <string.h>

#include "analysis/ledger/solver.h"
#include "base/map.h"

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
	if ((is_float || (v->member_type && is_float_type(t->unit, v->member_type))) && v->added &&
		carried) {
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

/* The line in v's declaring frame at which item i runs. */
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

/* Instantiations share a declaration. first: by source position, 1 + the first index there. */
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
		/* AMDGPUPromoteAlloca.cpp turns an array into a vector if it has at most 16
		 * elements of at most 64 bits */
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

void solver_list_vars(struct solver *s)
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
		e->member = e->member ? e->member : v->pub.member;
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

static const char *name_of(const struct trace *t, uint32_t frame)
{
	return t->unit->fn[t->frame.v[frame].fn].base;
}

void solver_list_calls(struct solver *s)
{
	ARRAY(struct ledger_call) all = {0};
	const struct trace *t = s->t;
	const struct trace_item *at = t->item.n ? item(s, s->best) : NULL;
	s->out->most.in = at ? name_of(t, at->frame) : s->out->name;
	for (uint32_t f = at ? at->frame : 0; f != 0; f = t->frame.v[f].up) {
		const struct kt_node *n = t->frame.v[f].call;
		if (n) {
			struct ledger_call c = {.file = n->file,
				.line = kt_line(t->unit, n->file, n->begin),
				.in = name_of(t, t->frame.v[f].up)};
			array_push(&all, c);
		}
	}
	array_move(s->out->most.call, s->out->most.calls, s->a, &all);
}

static void raise(const struct solver *s, const struct kt_node *n, uint32_t wanted)
{
	struct ledger *l = s->out;
	unsigned line = n && n->file == l->most.file ? kt_line(s->t->unit, n->file, n->begin) : 0;
	if (line > 0 && line <= l->lines && wanted > l->pressure[line]) {
		l->pressure[line] = wanted;
	}
}

void solver_list_pressure(struct solver *s)
{
	struct trace *t = s->t;
	struct ledger *l = s->out;
	uint32_t *inside = ARENA_ARRAY(t->a, uint32_t, t->frame.n + 1); /* by frame: the maximum */
	kt_id file = l->most.file;
	l->lines = l->most.line ? kt_line(t->unit, file, t->unit->file[file].text.n) : 0;
	l->pressure = ARENA_ARRAY(s->a, unsigned, (size_t)l->lines + 1);
	for (uint32_t i = 0; i < t->item.n; i++) {
		uint32_t *in = &inside[item(s, i)->frame];
		raise(s, item(s, i)->node, s->wanted[i]);
		*in = s->wanted[i] > *in ? s->wanted[i] : *in;
	}
	for (size_t f = t->frame.n; f-- > 1;) { /* a caller's frame precedes that of its callee */
		uint32_t *up = &inside[t->frame.v[f].up];
		raise(s, t->frame.v[f].call, inside[f]);
		*up = inside[f] > *up ? inside[f] : *up;
	}
}

void solver_list_lines(struct solver *s)
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
	/* it is live to the end of a loop that carries it, or that reads it in every iteration */
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

void solver_list_unknown(struct solver *s)
{
	struct ledger *l = s->out;

	for (size_t i = 0; i < l->vars; i++) {
		if (l->var[i].dynamic && l->var[i].width > 1) {
			array_push(
				&s->t->unknown, arena_printf(s->a,
							"whether '%s' is in registers: its index "
							"is known only at run time",
							l->var[i].name));
		}
	}
}

void solver_tell_unknown(struct ledger *l, struct arena *a, const struct trace *t)
{
	l->unknown = array_to_arena(a, &t->unknown);
	l->unknowns = t->unknown.n;
	for (size_t i = 0; i < l->unknowns; i++) {
		l->unknown[i] = arena_strdup(a, l->unknown[i]);
	}
}
