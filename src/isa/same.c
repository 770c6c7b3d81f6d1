/* Compares the code of two programs. */
#include <string.h>

#include "isa/isa.h"

/* Compares everything except the line. If padding differs, the ops count as different. */
static bool same_op(const struct isa_op *x, const struct isa_op *y)
{
	struct isa_op moved = *x;
	moved.line = y->line;
	return memcmp(&moved, y, sizeof(moved)) == 0;
}

static bool same_memory(const struct isa_memory *x, const struct isa_memory *y)
{
	return x->at == y->at && x->bytes == y->bytes && x->constant == y->constant &&
	       str_eq(x->name, y->name) && memcmp(x->p, y->p, x->bytes) == 0;
}

static bool same_parameters(const struct isa_program *x, const struct isa_program *y)
{
	bool same = x->parameters == y->parameters;
	for (size_t i = 0; same && i < x->parameters; i++) {
		const struct isa_parameter *p = &x->parameter[i];
		const struct isa_parameter *q = &y->parameter[i];
		same = p->at == q->at && p->bytes == q->bytes && str_eq(p->kind, q->kind);
	}
	return same;
}

bool isa_program_same(const struct isa_program *x, const struct isa_program *y)
{
	bool same = x->gfx == y->gfx && x->lanes == y->lanes && x->entry == y->entry &&
		    x->ops == y->ops && x->datas == y->datas && !x->address && !y->address &&
		    memcmp(&x->d, &y->d, sizeof(x->d)) == 0 && same_parameters(x, y);
	for (size_t i = 0; same && i < x->ops; i++) {
		same = same_op(&x->op[i], &y->op[i]);
	}
	for (size_t i = 0; same && i < x->datas; i++) {
		same = same_memory(&x->data[i], &y->data[i]);
	}
	return same;
}
