#pragma once
/*
 * A walk over an expression in order of evaluation (events.c), and over statements (effects.c). It
 * produces events.
 */
#include "analysis/facts/facts.h"
#include "analysis/facts/points.h"

enum mode {
	MODE_VALUE,
	MODE_PLACE,
	MODE_WRITE,
	MODE_UPDATE
};

struct walk {
	struct facts *f;
	struct arena *a;
	unsigned flags;
	ARRAY(struct event) ev;
	unsigned conditional; /* depth of &&, ||, ?: arms: writes there do not kill */
	const struct access_visitor *visitor; /* or NULL */
};

void walk_emit(struct walk *w, enum event_kind kind, loc_id loc, const struct kt_node *n);
void walk_emit_set(
	struct walk *w, enum event_kind kind, const struct locset *s, const struct kt_node *n);
/* The use of an expression: its value or its place. */
void walk_visit(struct walk *w, const struct kt_node *n, enum mode mode);

/* Brackets recursion through summaries: their scratch memory is freed at the end of the
 * outermost. */
static inline void scratch_begin(struct facts *f)
{
	f->busy++;
}

static inline void scratch_end(struct facts *f)
{
	if (--f->busy == 0) {
		arena_clear(f->scratch);
	}
}
