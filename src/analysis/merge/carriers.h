#pragma once
/*
 * The carriers of one merge: the locations that are read after it, and that two of its arms write,
 * or that one arm writes and another path uses. For a merge that is one_armed (merge.h) those that
 * one arm writes. Internal to merge/.
 */
#include "analysis/facts/liveness.h"
#include "analysis/merge/merge.h"
#include "base/array.h"

/* A statement's expression that reads a location. */
struct read {
	loc_id loc;
	uint32_t at; /* in the body's order */
	uint32_t begin;
	const struct kt_node *node; /* the node that reads it */
};

/* The search in one function. */
struct carrier_search {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	struct liveness *live;
	kt_id fn;
	ARRAY(struct read) reads; /* of the function, by location; found at the first use */
	bool reads_known;
	bool reads_rise; /* their offsets rise in the order of the body */
};

/* Fills in m's carriers and their sums; requires its arms, and s->live of its function. */
void carriers_find(struct carrier_search *s, struct merge *m);
