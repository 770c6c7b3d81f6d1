#pragma once
/*
 * Adjacent accesses of one lane: p[4 * t], p[4 * t + 1], ... in the statements of one block, or p[4
 * * t + i] in a counted loop over i. The analysis shows that they are contiguous for all values,
 * the alignment of the first, and whether all of them may be done at one place: loads before the
 * first one, stores after the last one.
 *
 * The pointer is a variable. An unsigned index of 32 bits may wrap around, so its variable part
 * must be a known multiple of enough elements.
 */
#include "analysis/memory/space.h"

enum {
	ACCESS_MEMBERS_MAX = 16,
	ACCESS_BYTES_MAX = 64,
	ACCESS_WIDEST = 16 /* bytes per lane that one instruction moves */
};

enum access_refusal {
	ACCESS_FREE,
	ACCESS_UNALIGNED, /* the alignment of the first is unknown */
	ACCESS_ALIASED,	  /* code between may touch the same memory */
	ACCESS_ORDERED,	  /* volatile, a barrier, an atomic operation or an unknown call */
	ACCESS_LEAVES,	  /* control may leave before the last one */
	ACCESS_HIDDEN,	  /* the text cannot be edited: a macro, or no place for a declaration */
};

/* One element of a run, where the source accesses it. */
struct access_member {
	const struct kt_node *node; /* KT_INDEX or a dereference */
	unsigned element;	    /* index in the run; in a loop 0, because its variable counts */
};

struct access_run {
	kt_id fn;
	bool store;
	const struct kt_node *first; /* the statements of one block with all of it: from here */
	const struct kt_node *last;  /* to here; a loop is both */
	const struct kt_node *loop;  /* or NULL */
	kt_id counter;		     /* of the loop */
	kt_id base;		     /* the pointer variable */
	kt_id elem;		     /* type of an element */
	unsigned count;		     /* elements */
	unsigned bytes;		     /* of one */
	unsigned aligned;	     /* bytes: the known alignment of element 0 */
	unsigned wanted;	     /* the alignment that it needs */
	struct access_member *member;
	size_t members;
	enum access_refusal refusal;
	const char *why; /* the reason in words about this code; NULL if free */
};

/* Runs in the function's body, in source order. wraps: signed overflow is defined (-fwrapv).
 * Everything lives in a. */
void access_runs_find(struct access_run **out, size_t *n, struct arena *a, struct facts *f,
	struct spaces *s, kt_id fn, bool wraps);
