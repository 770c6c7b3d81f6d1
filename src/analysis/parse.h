#pragma once
/* One parse of a file, with the facts about it. */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

struct parse {
	struct kt_unit *unit;
	struct facts *facts;
	struct uniformity *uniformity;
	struct merge_list merges;
};

/* Finds the facts of a unit that frontend_parse made. They live in a, except those that
 * parse_release frees. */
void parse_look_into(
	struct parse *out, struct kt_unit *u, struct arena *a, const struct intrinsic_db *db);
/* Does nothing if the facts were never found. */
void parse_release(struct parse *p);
