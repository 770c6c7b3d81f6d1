#pragma once
/* Shared by the places of faults (sites.c, sites_call.c), the text around a node (wrap.c) and the
 * text with all faults (plant.c). Internal to fault/. */
#include "base/array.h"
#include "base/map.h"
#include "verify/fault/fault.h"

/* Text around a node, with the fault's number in it. */
struct wrap {
	const struct kt_node *n;
	size_t number;
	const char *before;
	const char *after;
};

struct planting {
	struct arena *a;
	struct kt_unit *u;
	const struct intrinsic_db *intrinsics;
	const struct map *avoid;
	const struct kt_fn *fn; /* the function being walked */
	struct map taken;	/* places with a fault, and the fault */
	ARRAY(struct fault) faults;
	ARRAY(struct wrap) wraps;
};

/* Wraps n; an '@' in before or after becomes the fault's number. Does nothing if n is not written
 * in a file of the user, or already has this fault. */
void plant(struct planting *p, enum fault_kind kind, const struct kt_node *n, const char *before,
	const char *after, const char *what);
/* The node's text if it may be repeated elsewhere on its line; else NULL. */
const char *plant_text(const struct planting *p, const struct kt_node *n);
/* The same for a message. */
const char *plant_shown(const struct planting *p, const struct kt_node *n);

/* Is n an integer other than an enumerator or a bool? */
bool plant_is_int(const struct planting *p, const struct kt_node *n);
bool plant_is_float(const struct planting *p, const struct kt_node *n);
bool plant_same_type(const struct planting *p, const struct kt_node *x, const struct kt_node *y);

/* Plants all faults for the call n itself. */
void sites_of_call(struct planting *p, const struct kt_node *n);
void sites_of(struct planting *p, const struct kt_node *n);
