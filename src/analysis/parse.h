#pragma once
/* One parse of a file with what is known about it. */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

struct parse {
	struct kt_unit *unit;
	struct facts *facts;
	struct uniformity *uniformity;
	struct merge_list merges;
};

/* Of a unit that frontend_parse made; lives in a, but for what parse_release frees. */
void parse_look_into(
	struct parse *out, struct kt_unit *u, struct arena *a, const struct intrinsic_db *db);
/* Nothing where it was never looked into. */
void parse_release(struct parse *p);
