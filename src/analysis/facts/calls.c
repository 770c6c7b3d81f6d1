/* The call graph: the callers of a function, and the kernels that reach it. */
#include "analysis/facts/points.h"

#include <string.h>

bool facts_is_open(const struct facts *f, kt_id fn)
{
	return f->fn[fn].address_taken || f->u->open || f->u->hides || f->u->erroneous ||
	       f->fn[fn].callers.n == 0;
}

void facts_callers(const struct kt_node *const **out, size_t *n, struct facts *f, kt_id fn)
{
	*out = f->fn[fn].callers.v;
	*n = f->fn[fn].callers.n;
}

/* fn and all functions from which it is reached. */
static void callers_of(kt_id **out, size_t *n, struct facts *f, struct arena *a, kt_id fn)
{
	struct ids seen = {0}; /* usually only few of the unit's functions */
	ARRAY(kt_id) queue = {0};
	array_push(&queue, fn);
	ids_set(&seen, fn, 1);
	for (size_t i = 0; i < queue.n; i++) {
		kt_id at = queue.v[i];
		for (size_t k = 0; k < f->fn[at].callers.n; k++) {
			kt_id caller = facts_function_of(f, f->fn[at].callers.v[k]);
			if (caller && ids_set(&seen, caller, 1)) {
				array_push(&queue, caller);
			}
		}
	}
	array_move(*out, *n, a, &queue);
	ids_release(&seen);
}

void facts_kernels_of(kt_id **out, size_t *n, struct facts *f, struct arena *a, kt_id fn)
{
	kt_id *at;
	size_t all;
	callers_of(&at, &all, f, a, fn);
	*out = at;
	*n = 0;
	for (size_t i = 0; i < all; i++) {
		if (f->u->fn[at[i]].kind == KT_FN_KERNEL) {
			at[(*n)++] = at[i];
		}
	}
}

static bool has_kernels(const struct kt_unit *u)
{
	for (kt_id id = 1; id < u->fns; id++) {
		if (u->fn[id].kind == KT_FN_KERNEL && u->fn[id].body) {
			return true;
		}
	}
	return false;
}

bool facts_may_run(struct facts *f, struct arena *a, kt_id fn)
{
	kt_id *at;
	size_t n;
	if (f->u->open || f->u->erroneous || !has_kernels(f->u)) {
		return true;
	}
	callers_of(&at, &n, f, a, fn);
	for (size_t i = 0; i < n; i++) {
		const struct kt_fn *x = &f->u->fn[at[i]];
		/* system headers may call methods and lambdas; a function with template arguments
		 * and no caller is one that the unit instantiates explicitly */
		bool hidden = f->fn[at[i]].callers.n == 0 &&
			      (x->self || x->is_lambda || strchr(x->name, '<'));
		if (x->kind == KT_FN_KERNEL || f->fn[at[i]].address_taken || hidden) {
			return true;
		}
	}
	return false;
}
