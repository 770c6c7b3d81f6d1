#pragma once
/*
 * A walk over an expression in the order in which it is evaluated (events.c), and over statements
 * (effects.c), which leaves events.
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
	unsigned conditional; /* depth of &&, ||, ?: arms: writes there are no kills */
	const struct access_visitor *visitor; /* or NULL */
};

void walk_emit(struct walk *w, enum event_kind kind, loc_id loc, const struct kt_node *n);
void walk_emit_set(
	struct walk *w, enum event_kind kind, const struct locset *s, const struct kt_node *n);
/* Of an expression, for its value or its place. */
void walk_visit(struct walk *w, const struct kt_node *n, enum mode mode);

/* Around what calls itself through summaries: their scratch goes when the outermost ends. */
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
