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
 * What is not understood is on the safe side: unknown calls, asm, atomics, fences, volatile
 * accesses and asynchronous copies read and write both classes; a function that is called from
 * where nobody looks has everything before and after it; a barrier ends the traffic before it only
 * where all lanes of the work-group provably reach it, and only if it orders memory by itself.
 *
 * sync_drop takes barriers away and sync_solve looks again at what is left.
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
	/* the first access found, by bit; NULL: in code that is not seen */
	const struct kt_node *who[2 * SYNC_CLASSES];
};

enum sync_hazard {
	SYNC_RAW = 1 << 0, /* read below what is written above */
	SYNC_WAR = 1 << 1,
	SYNC_WAW = 1 << 2,
	SYNC_TIMED = 1 << 3, /* a clock is read on one side: the waves line up for it */
};

/* What is around a barrier where its function is called from there. */
struct sync_context {
	const struct kt_node *call;
	struct sync_traffic above;
	struct sync_traffic below;
};

/* Why a barrier is not looked at. */
enum sync_limit {
	SYNC_NO_LIMIT,
	SYNC_EXCLUDED,
	SYNC_TOO_MANY_FUNCTIONS,
	SYNC_TOO_MANY_BLOCKS,
	SYNC_WRAPPER, /* all that its function is: the calls count as barriers, one by one */
};

struct sync_barrier {
	enum sync_kind kind;
	kt_id fn;
	const struct kt_node *call;
	const struct kt_node *fence_before; /* of a s_barrier: they go with it; or NULL */
	const struct kt_node *fence_after;
	unsigned nth;	/* of those that stand at its place, as a macro's do; from 0 */
	bool statement; /* the call is a statement of its own */
	bool together;	/* all lanes of the work-group reach it: proved */
	/* else: a condition that differs per lane, on which it stands or lanes left; or NULL */
	const struct kt_node *divergent;
	bool waves;   /* divergent differs per wave, not per lane: waves come or do not, whole */
	bool ended;   /* lanes that do not come have left the kernel */
	bool known;   /* the function has a graph, and nothing hides in it */
	bool callers; /* all callers are seen */
	enum sync_limit limit;
	bool dropped;
	struct sync_traffic above; /* by sync_solve, over all calls */
	struct sync_traffic below;
	struct sync_context *at; /* where its function has several calls, and all are seen */
	size_t ats;
};

/* The sound ones are all zero. */
struct sync_opts {
	bool count_private;	    /* a lane's own arrays count as memory that lanes share */
	bool ignore_calls;	    /* unsound: calls that are not seen do nothing to memory */
	bool no_propagation;	    /* each block of the graph by itself */
	unsigned function_limit;    /* functions with barriers; 0: all */
	unsigned block_limit;	    /* blocks of a function; 0: any number */
	const char *const *exclude; /* globs of function names; NULL-terminated, or NULL */
};

struct sync {
	struct sync_barrier *v; /* those in user code, in order of functions and source */
	size_t n;
	struct sync_state *state;
};

/* Barriers of one unit, solved with none dropped. Everything lives in a but what sync_release
 * frees; f must outlive it. */
void sync_create(struct sync *out, struct facts *f, struct arena *a, const struct sync_opts *opts);
void sync_release(struct sync *s);
/* above and below anew, with those that are dropped gone. */
void sync_solve(struct sync *s);
/* Of enum sync_hazard, from above and below, call by call where that is known: what one call has
 * above it and another one below never meet at the barrier. Whoever drops it asks with it dropped:
 * its calls may stand in each other's stretch. */
unsigned sync_hazards(const struct sync_barrier *b);
/* Is it only because calls are looked at one by one that there is none? */
bool sync_is_by_calls(const struct sync_barrier *b);
/* A class with the hazard and the accesses that make it (NULL: not seen). */
enum sync_class sync_witness(const struct sync_barrier *b, enum sync_hazard h,
	const struct kt_node **above, const struct kt_node **below);
