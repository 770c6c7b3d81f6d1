#pragma once
/*
 * Barriers, and the memory traffic on both sides of each: what lanes may have read and written
 * since the barrier before (or the kernel's start), and what they may read and write until the next
 * one (or the kernel's end), over all paths, around back edges of loops, into and out of calls.
 *
 * A barrier orders nothing when no class of memory (LDS, global memory) is written on one side and
 * touched on the other: no read after write, no write after read, no write after write. Lanes reach
 * different addresses through one expression, so addresses do not count.
 *
 * Unknown code is handled conservatively. Unknown calls, asm, atomics, fences, volatile accesses
 * and asynchronous copies read and write both classes. A function with unknown callers has all
 * traffic before and after it. A barrier ends the traffic before it only if all lanes of the
 * work-group provably reach it, and if it orders memory by itself.
 *
 * sync_drop removes barriers, and sync_solve analyses the rest again.
 */
#include "analysis/facts/sync_form.h"
#include "analysis/memory/space.h"

/* Classes of memory, each with a bit for reads and one for writes, and the clocks. */
enum sync_class {
	SYNC_SHARED,
	SYNC_GLOBAL,
	SYNC_PRIVATE, /* with count_private only */
	SYNC_CLOCK,   /* is only read */
	SYNC_CLASSES
};
#define SYNC_READS(c) (1u << (2 * (c)))
#define SYNC_WRITES(c) (2u << (2 * (c)))

struct sync_traffic {
	unsigned bits;
	/* the first access found, by bit; NULL: in unknown code */
	const struct kt_node *who[2 * SYNC_CLASSES];
};

enum sync_hazard {
	SYNC_RAW = 1 << 0, /* read below, written above */
	SYNC_WAR = 1 << 1,
	SYNC_WAW = 1 << 2,
	SYNC_TIMED = 1 << 3, /* a clock is read on one side: the barrier aligns the waves in time */
};

/* The traffic around a barrier for one call of its function. */
struct sync_context {
	const struct kt_node *call;
	struct sync_traffic above;
	struct sync_traffic below;
};

/* The reason why a barrier is not analysed. */
enum sync_limit {
	SYNC_NO_LIMIT,
	SYNC_EXCLUDED,
	SYNC_TOO_MANY_FUNCTIONS,
	SYNC_TOO_MANY_BLOCKS,
	SYNC_WRAPPER, /* its function consists only of it: each call counts as a barrier */
};

struct sync_barrier {
	enum sync_kind kind;
	kt_id fn;
	const struct kt_node *call;
	const struct kt_node *fence_before; /* of an s_barrier: dropped with it; or NULL */
	const struct kt_node *fence_after;
	unsigned nth;	/* index among the barriers at its position, for those of one macro */
	bool statement; /* the call is a statement of its own */
	/* other code of its expression may run after it, or it may be skipped: it ends no
	 * traffic */
	bool within;
	bool together; /* proved: all lanes of the work-group reach it */
	/* NULL, or a condition that differs between lanes: it guards the barrier, or lanes left by
	 * it */
	const struct kt_node *divergent;
	bool groups;  /* of SYNC_GRID: divergent differs only between work-groups */
	bool waves;   /* divergent differs between waves only: whole waves reach it or not */
	bool ended;   /* the missing lanes have left the kernel */
	bool known;   /* the function has a graph, and no unknown code */
	bool callers; /* all callers are known */
	enum sync_limit limit;
	bool dropped;
	struct sync_traffic above; /* by sync_solve, over all calls */
	struct sync_traffic below;
	struct sync_context *at; /* if its function has several calls, and all are known */
	size_t ats;
};

/* The sound settings are all zero. */
struct sync_opts {
	bool count_private;	    /* a lane's own arrays count as memory that lanes share */
	bool ignore_calls;	    /* unsound: unknown calls do not touch memory */
	bool no_propagation;	    /* each block of the graph by itself */
	unsigned function_limit;    /* functions with barriers; 0: all */
	unsigned block_limit;	    /* blocks of a function; 0: any number */
	const char *const *exclude; /* globs of function names; NULL-terminated, or NULL */
};

struct sync {
	struct sync_barrier *v; /* the barriers in user code, in order of functions and source */
	size_t n;
	struct sync_state *state;
};

/* Solves the barriers of one unit, with none dropped. Everything lives in a, except the memory that
 * sync_release frees; f must outlive it. */
void sync_create(struct sync *out, struct facts *f, struct arena *a, const struct sync_opts *opts);
void sync_release(struct sync *s);
/* Solves above and below again, without the dropped barriers. */
void sync_solve(struct sync *s);
/* Bits of enum sync_hazard, from above and below. Taken call by call if all calls are known:
 * accesses above the barrier in one call and below it in another never meet there. To drop it, call
 * this with it dropped: the code around one call may contain another call. */
unsigned sync_hazards(const struct sync_barrier *b);
/* Is there no hazard only because the calls are taken one by one? */
bool sync_is_by_calls(const struct sync_barrier *b);
/* A class with the hazard, and the two accesses (NULL: in unknown code). */
enum sync_class sync_witness(const struct sync_barrier *b, enum sync_hazard h,
	const struct kt_node **above, const struct kt_node **below);
