/* Numbers whose NaNs are made quiet (quiet.h). */
#include "isa/quiet.h"

#include <string.h>

#include "isa/isa.h"
#include "isa/table.h"

static const struct term_op quiet_op = {.name = "quiet", .form = ISA_MIX, .bytes = 4};

term term_made_quiet(const struct terms *t, term x)
{
	size_t n;
	const uint32_t *w = term_words(t, x, &n);
	bool op = term_kind_of(t, x) == TERM_OP && w[0] >= TERM_BASICS;
	return op && strcmp(t->op[w[0]].name, quiet_op.name) == 0 ? w[1] : 0;
}

bool term_is_quiet(struct terms *t, term x)
{
	struct slot s[4];
	size_t n;
	if (term_kind_of(t, x) == TERM_CONSTANT) {
		return (term_words(t, x, &n)[0] & 0x7fffffff) <= 0x7f800000;
	}
	term_slots(s, t, x, 0);
	for (unsigned k = 0; k < 4; k++) {
		bool whole = s[k].of == s[0].of && s[k].at == k && !(s[k].flip & 0x7f) &&
			     (s[k].keep == 0xff || (k == 3 && s[k].keep == 0x7f));
		if (!whole || (k < 3 && s[k].flip)) {
			return false;
		}
	}
	if (!s[0].of || term_kind_of(t, s[0].of) != TERM_OP) {
		return false;
	}
	bool basic = term_words(t, s[0].of, &n)[0] < TERM_BASICS;
	const struct term_op *op = basic ? NULL : term_op_of(t, s[0].of);
	return op && op->form == ISA_VALU && op->flags & ISA_ARITHMETIC && op->type[0] == ISA_F32;
}

term term_quiet(struct terms *t, term x)
{
	bool is = term_is_quiet(t, x) || term_made_quiet(t, x);
	return is ? x : term_of_op(t, term_op_number(t, &quiet_op), &x, 1);
}

static term unquiet(struct terms *t, term x, unsigned depth)
{
	enum {
		DEEPEST = 16 /* selects of selects */
	};
	size_t n;
	struct slot s[4];
	term of = term_made_quiet(t, x);
	if (of || depth == DEEPEST) {
		return of ? of : x;
	}
	if (term_kind_of(t, x) == TERM_OP && term_words(t, x, &n)[0] == TERM_SELECT) {
		const uint32_t *w = term_words(t, x, &n);
		term bit = w[1], yes = w[2], no = w[3];
		term other[2] = {unquiet(t, yes, depth + 1), unquiet(t, no, depth + 1)};
		bool same = other[0] == yes && other[1] == no;
		return same ? x : term_select(t, bit, other[0], 0, other[1], 0);
	}
	if (term_kind_of(t, x) != TERM_WORD) {
		return x;
	}
	bool any = false;
	term_slots(s, t, x, 0);
	for (unsigned k = 0; k < 4; k++) {
		term inner = s[k].of ? term_made_quiet(t, s[k].of) : 0;
		if (inner) {
			struct slot in[4];
			term_slots(in, t, inner, 0);
			s[k] = slot_bits(in[s[k].at], s[k].keep, s[k].flip);
			any = true;
		}
	}
	term word = any ? term_word(t, s) : x;
	return word ? word : x;
}

term term_unquiet(struct terms *t, term x)
{
	return unquiet(t, x, 0);
}

bool term_op_sees_snan(const struct term_op *op)
{
	return strstr(op->name, "max") || strstr(op->name, "min") || strstr(op->name, "med3");
}
