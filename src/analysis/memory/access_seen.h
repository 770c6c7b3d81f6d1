#pragma once
/* Shared by access.c and access_seen.c. Internal to memory/. */
#include "analysis/memory/access.h"
#include "analysis/memory/access_index.h"
#include "base/array.h"

/* An access that happens whenever its statement runs. */
struct seen {
	const struct kt_node *node;
	const struct kt_node *stmt;
	const struct kt_node *ref; /* the pointer's name in the access */
	bool store;
	bool taken; /* it is part of a run */
	struct index_sum sum;
	int64_t step; /* coefficient of the loop's counter in the sum */
};

struct access_finder {
	struct arena *a;
	struct facts *f;
	struct spaces *s;
	struct kt_unit *u;
	kt_id fn;
	struct index_facts x;
	ARRAY(struct seen) seen;
	ARRAY(struct access_run) runs;
};

/* Adds the accesses that happen whenever this statement runs. */
void access_look_at(struct access_finder *w, const struct kt_node *stmt);
bool access_is_pointer_variable(const struct access_finder *w, const struct kt_node *n);
/* p[i], *p, *(p + i) of a pointer variable, which *ref names; *index NULL: of *p. */
bool access_take_apart(const struct access_finder *w, const struct kt_node *n,
	const struct kt_node **ref, const struct kt_node **index);
