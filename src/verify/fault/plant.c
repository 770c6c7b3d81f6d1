/* Collects the faults of all functions that kernels reach, in order, and makes the texts with all
 * of them. */
#include <stdlib.h>

#include "base/msg.h"
#include "edit/edit.h"
#include "verify/fault/planting.h"

void fault_mark_called(bool *called, const struct kt_unit *u, kt_id fn)
{
	if (called[fn]) {
		return;
	}
	called[fn] = true;
	for (const struct kt_node *n = u->fn[fn].body; n; n = kt_next(n, u->fn[fn].body)) {
		if (n->fn) {
			fault_mark_called(called, u, n->fn);
		}
	}
}

/* By file and opening offset, outer wraps first. */
static int by_place(const void *x, const void *y)
{
	const struct wrap *a = x, *b = y;
	int r = (a->n->file > b->n->file) - (a->n->file < b->n->file);
	r = r ? r : (a->n->begin > b->n->begin) - (a->n->begin < b->n->begin);
	r = r ? r : (a->n->end < b->n->end) - (a->n->end > b->n->end);
	return r ? r : (a->number > b->number) - (a->number < b->number);
}

/* The text of a file with these wraps, which are in order. */
static struct str text_with(struct planting *p, kt_id file, const struct wrap *wraps, size_t n)
{
	struct str source = p->u->file[file].text;
	struct edit_list edits = {0};
	struct sbuf text = {0};
	size_t clash[2];
	const struct wrap **open = ARENA_ARRAY(p->a, const struct wrap *, n + 1);
	size_t depth = 0;
	for (size_t i = 0; i <= n; i++) {
		const struct wrap *w = i < n ? &wraps[i] : NULL;
		while (depth > 0 && (!w || open[depth - 1]->n->end <= w->n->begin)) {
			const struct wrap *o = open[--depth];
			edit_list_add(&edits, p->a, o->n->end, o->n->end, str_of(o->after));
		}
		if (w) {
			edit_list_add(&edits, p->a, w->n->begin, w->n->begin, str_of(w->before));
			open[depth++] = w;
		}
	}
	if (!edit_list_check(&edits, source.n, clash)) {
		BUG("faults %zu and %zu clash", clash[0], clash[1]);
	}
	edit_list_apply(&text, source, &edits);
	edit_list_release(&edits);
	return sbuf_finish(&text, p->a);
}

static void write_texts(struct faults *out, struct planting *p)
{
	const struct kt_unit *u = p->u;
	size_t n = p->wraps.n, end = 0;
	out->in_place = ARENA_ARRAY(p->a, struct stand_in, u->files);
	out->in_places = 0;
	span_sort(p->wraps.v, n, by_place);
	for (kt_id i = 1; i < u->files; i++) {
		size_t first = end;
		while (end < n && p->wraps.v[end].n->file == i) {
			end++;
		}
		if (!u->file[i].main && end == first) {
			continue;
		}
		struct str text = text_with(p, i, p->wraps.v + first, end - first);
		if (u->file[i].main) {
			out->text = text;
		} else {
			out->in_place[out->in_places++] = (struct stand_in){
				.name = vfs_names(p->a, u->file[i].path), .text = text};
		}
	}
}

void faults_plant(struct faults *out, struct arena *a, struct kt_unit *u,
	const struct intrinsic_db *intrinsics, const struct map *avoid)
{
	struct planting p = {.a = a, .u = u, .intrinsics = intrinsics, .avoid = avoid};
	bool *called = ARENA_ARRAY(a, bool, u->fns);
	for (kt_id i = 1; i < u->fns; i++) {
		if (u->fn[i].kind == KT_FN_KERNEL && u->fn[i].body) {
			fault_mark_called(called, u, i);
		}
	}
	for (kt_id i = 1; i < u->fns; i++) {
		p.fn = &u->fn[i];
		const struct kt_node *body = called[i] ? p.fn->body : NULL;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			sites_of(&p, n);
		}
	}
	out->n = p.faults.n;
	write_texts(out, &p);
	out->v = array_to_arena(a, &p.faults);
	map_release(&p.taken);
	array_release(&p.faults);
	array_release(&p.wraps);
}

size_t faults_of_kernel(unsigned **out, struct arena *a, const struct faults *f,
	const struct kt_unit *u, kt_id kernel)
{
	bool *called = ARENA_ARRAY(a, bool, u->fns);
	size_t n = 0;
	*out = ARENA_ARRAY(a, unsigned, f->n + 1);
	fault_mark_called(called, u, kernel);
	for (size_t k = 0; k < f->n; k++) {
		bool reached = false;
		for (kt_id i = 1; i < u->fns && !reached; i++) {
			const struct kt_node *body = called[i] ? u->fn[i].body : NULL;
			reached = body && body->file == f->v[k].file && body->begin <= f->v[k].at &&
				  f->v[k].at < body->end;
		}
		if (reached) {
			(*out)[n++] = (unsigned)k + 1;
		}
	}
	return n;
}
