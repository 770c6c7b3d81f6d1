/* Inline asm: the registers of its operands. */
#include "analysis/facts/asm.h"
#include "analysis/ledger/walk.h"

#include <string.h>

/* Does the operand have the type of the result: C of D = A * B + C? */
static bool is_accumulator(const struct walk *w, const struct kt_node *n, const struct kt_node *in)
{
	const char *read = kt_type_of(w->u, in->child[0])->canon;
	for (size_t i = 0; read && i < n->n; i++) {
		const struct kt_node *o = n->child[i];
		const char *written = asm_writes(o) ? kt_type_of(w->u, o->child[0])->canon : NULL;
		if (written && strcmp(written, read) == 0) {
			return true;
		}
	}
	return false;
}

static void read_operand(
	struct walk *w, const struct kt_node *n, const struct kt_node *o, bool matrix)
{
	struct value v = walk_eval(w, o->child[0]);
	w->held += v.width;
	if (matrix && is_accumulator(w, n, o)) {
		walk_mark_accumulator(w, o->child[0]);
	} else if (matrix && v.var) {
		walk_var_at(w, v.var)->matrix_operand = true;
	}
}

void walk_asm(struct walk *w, const struct kt_node *n)
{
	enum asm_effect effect = asm_effect(w->u, facts_intrinsics(w->t->f), n);
	bool matrix = effect == ASM_MATRIX;
	unsigned before = w->held;
	if (effect == ASM_ANYTHING) {
		walk_unknown(w->t, "the registers of inline assembly");
	}
	for (size_t i = 0; i < n->n; i++) {
		if (asm_reads(n->child[i])) {
			read_operand(w, n, n->child[i], matrix);
		}
	}
	walk_push(w, TRACE_POINT, 0, n);
	w->held = before;
	if (matrix) {
		walk_matrix_work(w, kt_asm_template(n));
	}
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *o = n->child[i];
		if (asm_writes(o)) {
			if (matrix) {
				walk_mark_accumulator(w, o->child[0]);
			}
			w->again = asm_reads(o);
			walk_store_place(w, o->child[0],
				(struct value){
					.width = walk_width_of(kt_type_of(w->u, o->child[0]))});
			w->again = false;
		}
	}
}
