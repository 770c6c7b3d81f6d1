#pragma once
/* Shared by the files that read a spec. Internal to spec/. */
#include "base/array.h"
#include "verify/spec/spec.h"

enum {
	VALUE_COST = 64,   /* bytes counted per number in a list, which also takes time */
	MAX_HELD = 1 << 28 /* bytes of all cases once lists are multiplied out */
};

struct loading {
	struct arena *a;
	const char *path;
	const struct target_db *db;
	size_t held; /* see MAX_HELD */
	ARRAY(struct spec_case) cases;
};

/* Counts bytes of the spec; FAIL_USAGE after a message about n if there are too many. */
int loading_hold(struct loading *l, const struct yaml_node *n, size_t bytes);
/* at and length: elements; n NULL: the fill of a buffer without a fill key */
int loading_fill(struct fill *f, struct loading *l, enum element_type t, size_t at, size_t length,
	const struct yaml_node *n);
