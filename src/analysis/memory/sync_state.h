#pragma once
/* The state of the analysis of a unit's barriers: sync_read.c finds the operations of blocks,
 * sync.c the traffic between them. */
#include "analysis/facts/cfg.h"
#include "analysis/memory/sync.h"
#include "base/array.h"

#define SHARED_MEMORY                                                                              \
	(SYNC_READS(SYNC_SHARED) | SYNC_WRITES(SYNC_SHARED) | SYNC_READS(SYNC_GLOBAL) |            \
		SYNC_WRITES(SYNC_GLOBAL))

enum op_kind {
	OP_ACCESS,
	OP_CALL, /* of a function with a body */
	OP_SYNC
};

/* The operations of a block, in order. */
struct op {
	enum op_kind kind;
	unsigned bits;		    /* OP_ACCESS */
	const struct kt_node *node; /* the access, the call */
	kt_id fn;		    /* OP_CALL */
	bool alone;		    /* OP_CALL: no other code of its statement runs in between */
	struct sync_traffic above;  /* OP_CALL: around it */
	struct sync_traffic below;
	size_t sync; /* OP_SYNC */
};

struct op_list {
	struct op *v;
	size_t n;
};

struct id_list {
	kt_id *v;
	size_t n;
};

/* Traffic, and whether control may have come from the walk's start without a barrier. */
struct reach {
	struct sync_traffic t;
	bool open;
};

/* The summary of a function for its callers. */
struct summary {
	struct sync_traffic entry; /* before its first barrier */
	struct sync_traffic exit;  /* after its last */
	struct sync_traffic all;
	bool through; /* a path through it has no barrier */
	bool known;
};

struct body {
	struct cfg g; /* one block for a function that has no graph */
	struct op_list *ops;
	struct reach *down; /* at the start of each block, coming from its entry */
	struct reach *up;   /* at its end, coming from its exit */
	bool known;	    /* it has a graph, and no unknown code */
};

enum level {
	LEVEL_BLOCK,
	LEVEL_WAVE
};

struct sync_state {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	struct uniformity *uniformity;
	struct spaces *spaces;
	const struct sync_opts *opts;
	struct body *body; /* by function */
	struct summary *summary;
	struct reach *above; /* by function: at its entry, over all callers */
	struct reach *below;
	struct sync *sync;
	ARRAY(struct sync_barrier) found;
	enum level level;
	kt_id walked; /* the function that the flow is in */
	/* by barrier: the traffic between it and its function's entry or exit, without that of
	 * callers; open: the entry or exit is reached without another barrier */
	struct reach *own_above;
	struct reach *own_below;
	struct id_list *caller; /* by function: its callers, once for each call */
	bool *hidden;		/* by function: a call of it is not analysed */
	bool *stale;		/* by function: an input of its flow has grown */
	bool *solved_for; /* by barrier: was it dropped when all this was solved? NULL: never */
	bool changed;
};

/* Fills in the body of fn: its graph, the operations of each block, and the barriers. */
void sync_read_body(struct sync_state *s, kt_id fn);
/* For each function, the functions whose flow uses its summary. */
void sync_find_callers(struct sync_state *s);
