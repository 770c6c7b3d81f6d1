#pragma once
/*
 * Effects of statements, also through callees, and aliasing. Everything is conservative: unknown
 * code reads and writes everything that may have escaped.
 *
 * facts_create analyses a whole unit once (points-to, call graph, summaries); the queries then are
 * cheap walks over subtrees. All of it lives in the arena.
 */
#include "analysis/facts/locset.h"
#include "kernel/kernel.h"
#include "target/intrinsic.h"

enum fx_flag {
	FX_BARRIER = 1 << 0,   /* work-group barrier */
	FX_CROSSLANE = 1 << 1, /* shuffle, ballot, ...: convergent */
	FX_MATRIX = 1 << 2,    /* matrix operation */
	FX_FENCE = 1 << 3,     /* memory or scheduling fence */
	FX_ATOMIC = 1 << 4,
	FX_ASYNC = 1 << 5,
	FX_VOLATILE = 1 << 6,
	FX_ASM = 1 << 7,     /* inline asm that may touch anything */
	FX_UNKNOWN = 1 << 8, /* an unknown call or construct: anything may happen */
	FX_BREAK = 1 << 9,   /* leaves the subtree, to an enclosing loop or switch */
	FX_CONTINUE = 1 << 10,
	FX_RETURN = 1 << 11,
	FX_GOTO = 1 << 12,
	FX_LABEL = 1 << 13, /* has a label that code may jump to */
	FX_TRAP = 1 << 14,
	FX_PINNED = 1 << 15,	  /* volatile inline asm that touches only its operands */
	FX_UNREACHABLE = 1 << 16, /* reaching it is undefined: it must not run more often */
	FX_EXIT = FX_BREAK | FX_CONTINUE | FX_RETURN | FX_GOTO | FX_TRAP,
	FX_CONVERGENT = FX_BARRIER | FX_CROSSLANE | FX_MATRIX,
	/* must keep its order among others of these */
	FX_ORDERED = FX_BARRIER | FX_CROSSLANE | FX_FENCE | FX_ATOMIC | FX_ASYNC | FX_VOLATILE |
		     FX_ASM | FX_UNKNOWN | FX_PINNED,
};

struct fx {
	struct locset reads;
	struct locset writes;
	unsigned flags;
};

/* In order of evaluation. */
enum event_kind {
	EVENT_READ,
	EVENT_WRITE,
	EVENT_KILL /* overwrites the whole object */
};

struct event {
	enum event_kind kind;
	loc_id loc;
	const struct kt_node *node;
};

struct facts;

struct facts *facts_create(struct kt_unit *u, struct arena *a, const struct intrinsic_db *db);
/* Frees the memory on the heap; the rest goes with the arena. */
void facts_release(struct facts *f);
struct arena *facts_arena(const struct facts *f);

/* Results that rooms above the facts find once for a function or (fn 0) for the unit, and keep with
 * the facts, which release them. */
enum facts_keep {
	FACTS_KEEP_LIVENESS,
	FACTS_KEEP_MENTIONS,
	FACTS_KEEP_CONTRACT,
	FACTS_KEEP_LAYOUT, /* for a file: its id in place of fn */
	FACTS_KEEP_PLACES, /* fn 0: of the unit */
	FACTS_KEEP_MACROS, /* fn 0: of the unit */
	FACTS_KEEP_BARRIERS,
	FACTS_KEEP_UNIFORMITY, /* in place of fn: the kind of lanes (uniform.c) */
	FACTS_KEEP_DIFFERING,  /* fn 0: of the unit */
	FACTS_KEEP_LEDGER,     /* of a kernel */
	FACTS_KEEP_SPLITS,     /* for a function that arms call */
	FACTS_KEEPS
};
void *facts_kept(const struct facts *f, enum facts_keep what, kt_id fn); /* or NULL */
void facts_keep(
	struct facts *f, enum facts_keep what, kt_id fn, void *p, void (*release)(void *what));
struct kt_unit *facts_unit(const struct facts *f);
const struct intrinsic_db *facts_intrinsics(const struct facts *f);

/* The effects of a subtree of a body, in terms of its function's locations, without locals that are
 * declared inside the subtree. Found once for each node; NULL has none. */
struct fx facts_effects(struct facts *f, const struct kt_node *n);
/* Adds the effects of n to a sum, whose sets grow in a. */
void facts_add_effects(struct fx *sum, struct facts *f, struct arena *a, const struct kt_node *n);
bool facts_writes(struct facts *f, const struct kt_node *n, loc_id loc);
/* Does it do more than read? */
bool facts_acts(struct facts *f, const struct kt_node *n);
static inline bool fx_acts(const struct fx *fx)
{
	return fx->writes.n > 0 || fx->flags;
}
/* Does every path through statement n end in a return of its function? (It may contain other
 * returns.) */
bool facts_always_returns(struct facts *f, const struct kt_node *n);
/* The effects of a call to fn in fn's terms (LOC_DEREF of its parameters). */
const struct fx *facts_summary(struct facts *f, kt_id fn);
/* Translates effects in a callee's terms into the caller's at this call, without the callee's own
 * variables. */
void facts_at_call(struct fx *out, struct facts *f, struct arena *a, const struct kt_node *call,
	const struct fx *fx);

/* The accesses to memory of an expression, declaration or return, in order of evaluation, each with
 * its node: to objects and to targets of pointers. A callee with a body is one event. */
struct access_visitor {
	void *user;
	void (*place)(void *user, const struct kt_node *n, bool reads, bool writes);
	/* after the events of its arguments; in is NULL for a callee with a body */
	void (*call)(void *user, const struct kt_node *n, const struct intrinsic *in);
	/* asm, an unknown call or construct: any effect */
	void (*opaque)(void *user, const struct kt_node *n);
};
void facts_accesses(
	struct facts *f, struct arena *a, const struct kt_node *n, const struct access_visitor *v);
/* The events of one expression, declaration or return; found once for each. */
struct event *facts_events(struct facts *f, const struct kt_node *n, size_t *count);

/* The locations that an lvalue names, and those that a pointer value may point to. */
void facts_lvalue(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n);
void facts_pointees(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n);

/* The locations that can be reached from the value of n through pointers. */
void facts_reach(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n);
/* The locations that a range-for over n visits. */
void facts_elements(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n);
/* The objects that loc, a location given by a parameter, may be, over all callers; none for other
 * locations. */
void facts_objects(const loc_id **out, size_t *n, struct facts *f, loc_id loc);

/* May two locations of one function name the same storage? */
bool facts_may_alias(struct facts *f, loc_id x, loc_id y);
bool facts_sets_alias(struct facts *f, const struct locset *x, const struct locset *y);

/* May swapping x and y (x is first) change a result: RAW, WAR, WAW, or ordered effects on both? If
 * so, *why (unless NULL) is the reason, with the name of a symbol. */
bool facts_conflict(
	struct facts *f, struct arena *a, const struct fx *x, const struct fx *y, const char **why);

/* Is it private storage: a local variable, a by-value parameter, or a reference that some caller
 * binds to one (or no caller binds)? */
bool facts_is_private(struct facts *f, loc_id loc);
/* The name for messages: "acc", "*p", "shared memory". */
const char *facts_loc_name(struct facts *f, struct arena *a, loc_id loc);
/* Type of the object at loc: the widest one that a pointer is given, over all callers, or else its
 * pointee. 0 for the specials. */
kt_id facts_loc_type(struct facts *f, loc_id loc);

/* The kernels (function ids) that reach fn, with fn itself if it is one. */
void facts_kernels_of(kt_id **out, size_t *n, struct facts *f, struct arena *a, kt_id fn);
/* May a kernel run fn? True also if that is unknown: in a unit without kernels, or if fn may have
 * callers in other units. */
bool facts_may_run(struct facts *f, struct arena *a, kt_id fn);
/* The function whose body holds n. */
kt_id facts_function_of(const struct facts *f, const struct kt_node *n);
/* May fn have callers that unphi does not see? Not for kernels. */
bool facts_is_open(const struct facts *f, kt_id fn);
/* The known effects of the builtin or library function that the call names; NULL if unknown, or if
 * it has a body in user code. */
const struct intrinsic *facts_intrinsic(const struct facts *f, const struct kt_node *call);
/* memset, memcpy and similar: the destination, the value or source, and the number of bytes. */
bool facts_sets_bytes(const struct facts *f, const struct kt_node *call, bool *copies);
/* All calls to fn: nodes in other bodies. */
void facts_callers(const struct kt_node *const **out, size_t *n, struct facts *f, kt_id fn);
