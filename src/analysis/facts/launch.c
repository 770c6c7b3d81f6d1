#include "analysis/facts/launch.h"

#include <string.h>

enum {
	INDEX_BITS = 16
};

enum intrinsic_form launch_of_symbol(const struct facts *f, kt_id sym)
{
	const struct kt_sym *s = &facts_unit(f)->sym[sym];
	const struct intrinsic_db *db = facts_intrinsics(f);
	return sym && db && s->kind == KT_S_GLOBAL ? intrinsic_of_variable(db, s->name) : FORM_NONE;
}

/* 'x', 'y' or 'z' */
static char dimension(const char *word)
{
	bool one = word && word[0] && !word[1] && strchr("xyz", word[0]);
	return one ? word[0] : 0;
}

/* From HIP 6, threadIdx.x is a property whose name is only in the text; that may be hipThreadIdx_x,
 * a macro of HIP. */
static char property(const struct facts *f, const struct kt_node *member)
{
	struct str text = kt_source(facts_unit(f), member);
	char before = text.n > 2 ? text.p[text.n - 2] : 0;
	bool hip = str_starts(text, "hip") && before == '_';
	bool ends = hip || (before == '.' && kt_is_spelled(member));
	const char name[] = {ends ? text.p[text.n - 1] : 0, 0};
	return dimension(name);
}

static struct launch_value of_call(const struct facts *f, const struct kt_node *n)
{
	const struct intrinsic *in = facts_intrinsic(f, n);
	if (!in || in->form == FORM_NONE || in->form >= FORM_FIRST_LANE) {
		return (struct launch_value){0};
	}
	const struct kt_node *asked = n->n == 1 ? n->child[0] : NULL;
	bool known = asked && asked->flags & KT_F_VALUE && asked->value >= 0 && asked->value < 3;
	return (struct launch_value){in->form, in->dimension ? in->dimension
					       : known	     ? "xyz"[asked->value]
							     : 0};
}

struct launch_value launch_value(const struct facts *f, const struct kt_node *n)
{
	if (n->kind == KT_CALL) {
		return of_call(f, n);
	}
	bool member = n->kind == KT_MEMBER && !(n->flags & KT_F_ARROW);
	const struct kt_node *base = member ? n->child[KT_MEMBER_BASE] : n;
	if (!base || base->kind != KT_REF) {
		return (struct launch_value){0};
	}
	enum intrinsic_form form = launch_of_symbol(f, base->sym);
	bool named = member && n->text && *n->text;
	return (struct launch_value){form, named	    ? dimension(n->text)
					   : member && form ? property(f, n)
							    : 0};
}

/* Is it the number of lanes of a wave: the builtin, or HIP's variable? */
static bool is_wave_size(const struct facts *f, const struct kt_node *n)
{
	const struct kt_unit *u = facts_unit(f);
	bool ours = n->kind == KT_REF && n->sym && !u->file[u->sym[n->sym].file].system;
	return !ours && launch_value(f, n).form == FORM_WAVE_SIZE;
}

bool launch_is_wave_number(const struct facts *f, const struct kt_node *n, unsigned lanes)
{
	if (n->kind != KT_BINARY || n->n != 2) {
		return false;
	}
	const struct kt_node *by = n->child[1];
	bool whole = by->flags & KT_F_VALUE && kt_type_of(facts_unit(f), by)->kind == KT_T_INT;
	switch (n->op) {
	case KT_OP_DIV:
		return is_wave_size(f, by) || (whole && by->value > 0 && by->value % lanes == 0);
	case KT_OP_SHR:
		return whole && by->value >= 0 && by->value < INDEX_BITS &&
		       (INT64_C(1) << by->value) % lanes == 0;
	case KT_OP_LT:
	case KT_OP_GE:
		return whole && by->value >= 0 && by->value % lanes == 0;
	case KT_OP_LE:
	case KT_OP_GT:
		return whole && by->value >= 0 && (by->value + 1) % lanes == 0;
	default:
		return false;
	}
}
