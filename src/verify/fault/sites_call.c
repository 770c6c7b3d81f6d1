/* Faults in calls. */

#include "verify/fault/planting.h"

/* A call becomes its first argument, if that has the same type. */
static void take_argument(struct planting *p, const struct kt_node *n)
{
	const char *text = n->n > 0 ? plant_text(p, n->child[0]) : NULL;
	if (text && plant_same_type(p, n, n->child[0])) {
		plant(p, FAULT_CALL, n, arena_printf(p->a, "(__unphi_fault(@) ? (%s) : ", text),
			")", arena_printf(p->a, "%s becomes '%s'", plant_shown(p, n), text));
	}
}

/* The two factors are swapped; the operation is left out. */
static void sites_of_matrix(struct planting *p, const struct kt_node *n, const struct intrinsic *i)
{
	const char *whole = plant_text(p, n);
	const char *a = n->n > 2 ? plant_text(p, n->child[0]) : NULL;
	const char *b = n->n > 2 ? plant_text(p, n->child[1]) : NULL;
	const char *sum = NULL;
	if (i->acc_arg >= 0 && (size_t)i->acc_arg < n->n) {
		sum = plant_text(p, n->child[i->acc_arg]);
	}
	for (size_t k = 0; !sum && k < n->n; k++) {
		sum = plant_same_type(p, n, n->child[k]) ? plant_text(p, n->child[k]) : NULL;
	}
	if (sum) {
		plant(p, FAULT_CALL, n, arena_printf(p->a, "(__unphi_fault(@) ? (%s) : ", sum), ")",
			arena_printf(p->a, "%s becomes '%s'", plant_shown(p, n), sum));
	}
	if (whole && a && b && plant_same_type(p, n->child[0], n->child[1])) {
		size_t head = n->child[0]->begin - n->begin;
		size_t tail = n->child[1]->end - n->begin;
		plant(p, FAULT_OPERAND, n,
			arena_printf(p->a, "(__unphi_fault(@) ? %.*s%s, %s%s : ", (int)head, whole,
				b, a, whole + tail),
			")",
			arena_printf(p->a, "the factors of %s are swapped", plant_shown(p, n)));
	}
}

/* The added value becomes 0. */
static void sites_of_atomic(struct planting *p, const struct kt_node *n)
{
	const struct kt_node *value = n->n > 1 ? n->child[1] : NULL;
	if (value && (plant_is_int(p, value) || plant_is_float(p, value))) {
		plant(p, FAULT_TERM, value, "__unphi_drop(@, (", "))",
			arena_printf(p->a, "%s becomes '0'", plant_shown(p, value)));
	}
}

void sites_of_call(struct planting *p, const struct kt_node *n)
{
	const char *name = n->text ? n->text : n->fn ? p->u->fn[n->fn].base : "";
	const struct intrinsic *i = intrinsic_find(p->intrinsics, str_of(name));
	enum intrinsic_kind kind = i ? i->kind : INTRINSIC_NONE;
	bool statement = n->parent && kt_is_stmt(n->parent->kind);
	switch (kind) {
	case INTRINSIC_BARRIER:
		if (statement && kt_type_of(p->u, n)->kind == KT_T_VOID) {
			plant(p, FAULT_BARRIER, n, "__unphi_fault(@) ? (void)0 : (void)", "",
				arena_printf(p->a, "%s is left out", plant_shown(p, n)));
		}
		break;
	case INTRINSIC_MATRIX:
		sites_of_matrix(p, n, i);
		break;
	case INTRINSIC_ATOMIC:
		sites_of_atomic(p, n);
		break;
	case INTRINSIC_PURE:
	case INTRINSIC_CROSSLANE:
		take_argument(p, n);
		break;
	default:
		break;
	}
}
