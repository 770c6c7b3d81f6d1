#pragma once
/*
 * The solver that the parts of ledger_make() share: live.c sums up the live registers, flight.c
 * finds free values and loads in flight, vars.c makes the report on each variable.
 */
#include "analysis/facts/bits.h"
#include "analysis/ledger/walk.h"

/* Values from before an if that are kept beside an arm's results, with those of the enclosing
 * arms. */
struct kept {
	const uint64_t *copies;
	unsigned width;	 /* their registers */
	unsigned own;	 /* those of this if, even if a value has another copy */
	unsigned alike;	 /* of width: those at ends of arms that may be merged */
	unsigned passed; /* accumulation VGPRs that may be needed in addition */
};

/* The current arm of a merge in the query, and the arms around it. */
struct inside {
	struct ledger_merge *merge;
	unsigned own; /* registers of its copies, in this arm */
	const struct inside *outer;
};

struct solver {
	struct trace *t;
	struct arena *a;
	size_t words;
	bool recording;
	bits forced; /* forced to be live, for a later arm */
	const struct kept *kept;
	struct ledger *out;
	struct ledger_merge *merge; /* the queries */
	size_t merges;
	const struct inside *inside; /* the innermost of these arms during the walk */
	unsigned passing;	     /* registers of matrix results that cross a merge */
	bool merges_alike;	     /* the compiler may merge the common ends of arms */
	bits matrix;		     /* accumulators of matrix operations */
	bits peak;		     /* live at the point with the most registers */
	bits peak_kept;		     /* those that have a copy there */
	bits carried;
	bits constant;
	bits ever;
	bits streamed;
	bits in_memory; /* those that ledger_in_memory names */
	bits *free_at;	/* by item: variables that are cleared and not written yet; NULL: none */
	uint32_t best;
	uint32_t best_held;
	/* the most registers with these, and with early addresses */
	unsigned most_extra;
	uint32_t *wanted;    /* by item: the sum of all registers */
	uint32_t *flight;    /* by item: registers of loads that may be in flight */
	uint32_t *guessed;   /* by item: the likely error of that */
	uint32_t *addresses; /* by item: registers of addresses that may be computed early */
	bool *arms;	     /* by item: in an arm */
	uint32_t *kept_at;   /* by item: addresses that loops around it keep */
	uint32_t *open;	     /* of a closing item: its opening item */
	uint32_t *entry;     /* by variable: 1 + its declaration's index in the ledger; 0: none */
};

static inline bits bits_new(const struct solver *s)
{
	return ARENA_ARRAY(s->a, uint64_t, s->words);
}

static inline bits bits_copy(const struct solver *s, const uint64_t *from)
{
	return arena_memdup(s->a, from, s->words * sizeof(uint64_t));
}

static inline const struct trace_item *item(const struct solver *s, size_t i)
{
	return &s->t->item.v[i];
}

/* ---- flight.c, in this order ---- */

/* Finds constants: they need no register until another value is written, or a loop carries them. */
void solver_find_free(struct solver *s);
/* Finds arrays that straight-line code makes, changes and uses element by element: the scheduler
 * never needs all of their elements at once. */
void solver_find_streams(struct solver *s);
/* Spreads the loads of unrolled loops over the items during which they may be in flight. */
void solver_find_flight(struct solver *s);

/* ---- live.c ---- */

/* Sets the opening item of each closing one. */
uint32_t *solver_openers(struct solver *s);
/* Goes backward over items [first, end): set is the live set after them, and then the one before
 * them. */
void solver_live(struct solver *s, uint32_t first, uint32_t end, bits set);

/* ---- vars.c ---- */

/* Makes one entry for each declaration, even if its function is inlined several times. */
void solver_list_vars(struct solver *s);
/* Sets the lines from the first to the last item that uses a variable or at which a loop carries
 * it. */
void solver_list_lines(struct solver *s);
/* Sets the call path to the point with the most registers. */
void solver_list_calls(struct solver *s);
/* Sets the registers by line in the file with that point. */
void solver_list_pressure(struct solver *s);
void solver_list_unknown(struct solver *s);
void solver_tell_unknown(struct ledger *l, struct arena *a, const struct trace *t);
