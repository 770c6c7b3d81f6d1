/* Follows values back from matrix operations and conversions to pointers (format.h). */
#include "verify/init/format.h"

#include <string.h>

#include "verify/fault/fault.h"
#include "verify/spec/element.h"

struct following {
	const struct kt_unit *u;
	const bool *called;
	const struct target *target;
	struct map set; /* symbols that hold the values */
	bool grown;
};

static void add_values(struct following *f, const struct kt_node *n);

static void add_symbol(struct following *f, kt_id sym)
{
	f->grown |= sym && map_set_u64(&f->set, sym, 1);
}

/* Adds the returned values of a function. */
static void add_returned(struct following *f, kt_id fn)
{
	const struct kt_node *body = f->called[fn] ? f->u->fn[fn].body : NULL;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_RETURN && n->n > 0 && n->child[0]) {
			for (const struct kt_node *v = n->child[0]; v;
				v = kt_next(v, n->child[0])) {
				add_symbol(f, v->kind == KT_REF ? v->sym : 0);
			}
		}
	}
}

/* Adds the sources of a value: for pointer + index the pointer, for an element the array, for a ?:
 * both sides. */
static void add_values(struct following *f, const struct kt_node *n)
{
	size_t first = 0;
	size_t end = n ? n->n : 0;
	if (!n) {
		return;
	}
	if (n->kind == KT_REF || n->kind == KT_MEMBER) {
		add_symbol(f, n->sym);
	} else if (n->kind == KT_INDEX) {
		end = 1;
	} else if (n->kind == KT_COND) {
		first = KT_COND_THEN;
	} else if (n->kind == KT_CALL && n->fn && f->u->fn[n->fn].body) {
		add_returned(f, n->fn);
		end = 0;
	}
	bool pointer = kt_is_pointer(f->u, n) && n->kind == KT_BINARY;
	for (size_t i = first; i < end; i++) {
		if (!pointer || kt_is_pointer(f->u, n->child[i]) ||
			kt_is_array(f->u, n->child[i])) {
			add_values(f, n->child[i]);
		}
	}
}

/* The variable that an object is a part of, or 0. */
static kt_id root_of(const struct kt_node *n)
{
	while (n && n->kind != KT_REF && n->n > 0 &&
		(kt_is_access(n) || n->kind == KT_MEMBER || n->kind == KT_CAST ||
			n->kind == KT_UNARY || n->kind == KT_BINARY)) {
		n = n->child[0];
	}
	return n && n->kind == KT_REF ? n->sym : 0;
}

static bool holds(const struct following *f, kt_id sym)
{
	return sym && map_get_u64(&f->set, sym, 0);
}

static void follow_call(struct following *f, const struct kt_node *n)
{
	const struct kt_fn *fn = &f->u->fn[n->fn];
	size_t object = n->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = 0; i < fn->params && i + object < n->n; i++) {
		const struct kt_node *argument = n->child[i + object];
		const struct kt_type *t = &f->u->type[f->u->sym[fn->param[i]].type];
		bool shared = t->kind == KT_T_POINTER || t->kind == KT_T_REFERENCE;
		if (holds(f, fn->param[i])) {
			add_values(f, argument);
		} else if (argument && shared && holds(f, root_of(argument))) {
			add_symbol(f, fn->param[i]);
		}
	}
}

static void follow(struct following *f)
{
	do {
		f->grown = false;
		for (kt_id i = 1; i < f->u->fns; i++) {
			const struct kt_node *body = f->called[i] ? f->u->fn[i].body : NULL;
			for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
				if (n->kind == KT_VAR && n->n > 0 && holds(f, n->sym)) {
					add_values(f, n->child[0]);
				} else if (n->kind == KT_ASSIGN && holds(f, root_of(n->child[0]))) {
					add_values(f, n->child[1]);
				} else if (n->kind == KT_CALL && n->fn) {
					follow_call(f, n);
				}
			}
		}
	} while (f->grown);
}

/* ---- operands of operations ---- */

static int eight_bits(const struct target *t, bool wide_range)
{
	return t->fp8_ocp ? (wide_range ? ELEMENT_BF8 : ELEMENT_FP8)
			  : (wide_range ? ELEMENT_BF8_FNUZ : ELEMENT_FP8_FNUZ);
}

/* The type of factor 0 or 1 of a matrix operation, by the part of its name after the shape, as in
 * 16x16x32_fp8_bf8; -1: unknown, or not a type kept in integers. */
static int factor_type(const char *name, size_t factor, const struct target *t)
{
	const char *shape = strpbrk(name, "x");
	while (shape && strchr(shape + 1, 'x')) {
		shape = strchr(shape + 1, 'x');
	}
	const char *at = shape ? shape : name;
	const char *second = strstr(at, "8_fp8") ? strstr(at, "8_fp8") : strstr(at, "8_bf8");
	const char *own = factor == 1 && second ? second + 1 : at;
	bool fp8 = strstr(own, "fp8");
	bool bf8 = strstr(own, "bf8");
	if (strstr(at, "f8f6f4") || fp8 || bf8) {
		bool wide = bf8 && !(fp8 && strstr(own, "fp8") < strstr(own, "bf8"));
		return eight_bits(t, wide);
	}
	return strstr(at, "bf16")		       ? ELEMENT_BF16
	       : strstr(at, "f16")		       ? ELEMENT_F16
	       : strstr(at, "i8") || strstr(at, "iu8") ? ELEMENT_I8
						       : -1;
}

/* The source type of a conversion to float; -1: not one. */
static int converted_type(const char *name, const struct target *t)
{
	const char *from = strstr(name, "_cvt_") ? strstr(name, "_cvt_") : "";
	bool fp8 = strstr(from, "f32_fp8");
	bool bf8 = strstr(from, "f32_bf8");
	return fp8 || bf8 ? eight_bits(t, bf8) : -1;
}

/* Is it x << 16, which widens a bf16 to a float? */
static bool is_widened(const struct kt_node *n)
{
	const struct kt_node *by = n->kind == KT_BINARY && n->op == KT_OP_SHL ? n->child[1] : NULL;
	return by && by->flags & KT_F_VALUE && by->value == 16;
}

/* Is it a pointer to integers: a parameter, or a member of a record? */
static bool is_pointer_to_integers(const struct kt_unit *u, kt_id sym, int type)
{
	const struct kt_type *t = kt_object_type(u, u->sym[sym].type);
	bool pointer = t->kind == KT_T_POINTER;
	t = pointer ? &u->type[t->elem] : t;
	while (pointer && (t->kind == KT_T_VECTOR || t->kind == KT_T_ARRAY)) {
		t = &u->type[t->elem];
	}
	bool record = t->kind == KT_T_RECORD && t->canon && strstr(t->canon, "HIP_vector_type<");
	bool integers = t->kind == KT_T_INT || t->kind == KT_T_VOID ||
			(record && !strstr(t->canon, "float") && !strstr(t->canon, "double"));
	int64_t least = type < 0 ? 0 : (int64_t)element_size((enum element_type)type);
	return pointer && integers && (t->kind == KT_T_VOID || t->size >= least);
}

static void take(struct formats *out, const struct kt_node *from, int type, struct following *f,
	bool of_its_size)
{
	if (type < 0) {
		return;
	}
	add_values(f, from);
	follow(f);
	for (size_t i = 0; i < f->set.n; i++) {
		kt_id sym = 0;
		memcpy(&sym, f->set.entry[i].key.p, sizeof(sym));
		const struct kt_type *t = kt_object_type(f->u, f->u->sym[sym].type);
		bool fits =
			!of_its_size || (t->kind == KT_T_POINTER && f->u->type[t->elem].size == 2);
		if (fits && is_pointer_to_integers(f->u, sym, type) &&
			!map_get_u64(&out->of, sym, 0)) {
			map_set_u64(&out->of, sym, (uintptr_t)type + 1);
		}
	}
	map_release(&f->set);
	f->set = (struct map){0};
}

void formats_find(struct formats *out, struct arena *a, const struct kt_unit *u, kt_id kernel,
	const struct intrinsic_db *intrinsics, const struct target *target)
{
	bool *called = ARENA_ARRAY(a, bool, u->fns);
	struct following f = {.u = u, .called = called, .target = target};
	*out = (struct formats){0};
	fault_mark_called(called, u, kernel);
	for (kt_id i = 1; i < u->fns; i++) {
		const struct kt_node *body = called[i] ? u->fn[i].body : NULL;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			const char *name = n->kind != KT_CALL ? ""
					   : n->text	      ? n->text
					   : n->fn	      ? u->fn[n->fn].base
							      : "";
			const struct intrinsic *of =
				name[0] ? intrinsic_find(intrinsics, str_of(name)) : NULL;
			if (of && of->kind == INTRINSIC_MATRIX && n->n > 2) {
				take(out, n->child[0], factor_type(name, 0, target), &f, false);
				take(out, n->child[1], factor_type(name, 1, target), &f, false);
			} else if (n->kind == KT_CALL && n->n > 0) {
				take(out, n->child[0], converted_type(name, target), &f, false);
			} else if (is_widened(n)) {
				take(out, n->child[0], ELEMENT_BF16, &f, true);
			}
		}
	}
}
