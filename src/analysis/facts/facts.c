#include "analysis/facts/facts.h"

#include "analysis/facts/points.h"

const struct intrinsic_db *facts_intrinsics(const struct facts *f)
{
	return f->db;
}

struct facts *facts_create(struct kt_unit *u, struct arena *a, const struct intrinsic_db *db)
{
	struct facts *f = ARENA_NEW(a, struct facts);
	f->u = u;
	f->arena = a;
	f->db = db;
	f->fn = ARENA_ARRAY(a, struct fn_info, u->fns);
	f->scratch = arena_create();
	f->compared = arena_create();
	points_solve(f);
	return f;
}

void facts_release(struct facts *f)
{
	for (kt_id id = 0; id < f->u->fns; id++) {
		array_release(&f->fn[id].callers);
		array_release(&f->fn[id].returns);
	}
	array_each (&f->keeps, struct kept, k) {
		k->release(k->what);
	}
	array_release(&f->keeps);
	for (size_t i = 0; i < FACTS_KEEPS; i++) {
		ids_release(&f->kept[i]);
	}
	array_release(&f->stores);
	ids_release(&f->fn_of_body);
	ids_release(&f->effects);
	ids_release(&f->events);
	arena_free(f->scratch);
	arena_free(f->compared);
}

void *facts_kept(const struct facts *f, enum facts_keep what, kt_id fn)
{
	return (void *)ids_get(&f->kept[what], (uintptr_t)fn + 1, 0);
}

void facts_keep(
	struct facts *f, enum facts_keep what, kt_id fn, void *p, void (*release)(void *what))
{
	ids_set(&f->kept[what], (uintptr_t)fn + 1, (uintptr_t)p);
	array_push(&f->keeps, (struct kept){p, release});
}

struct arena *facts_arena(const struct facts *f)
{
	return f->arena;
}
