#pragma once
/* What the files that read a spec share. Internal to spec/. */
#include "base/array.h"
#include "verify/spec/spec.h"

enum {
	VALUE_COST = 64,   /* bytes that a number in a list counts for: it takes time, too */
	MAX_HELD = 1 << 28 /* bytes that a spec is made of: kernels, cases and targets are
			    * multiplied out, and what they share is there for each */
};

struct loading {
	struct arena *a;
	const char *path;
	const struct target_db *db;
	size_t held; /* see MAX_HELD */
	ARRAY(struct spec_case) cases;
};

/* Counts bytes of the spec; FAIL_USAGE after a message about n when it has too many. */
int loading_hold(struct loading *l, const struct yaml_node *n, size_t bytes);
/* at and length: elements; n NULL: the fill of a buffer without a fill key */
int loading_fill(struct fill *f, struct loading *l, enum element_type t, size_t at, size_t length,
	const struct yaml_node *n);
