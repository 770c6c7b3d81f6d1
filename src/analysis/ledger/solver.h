#pragma once
/*
 * The solver that the parts of ledger_make() share: live.c sums up what is live, flight.c says what
 * is free and what loads have under way, vars.c the report on each variable.
 */
#include "analysis/ledger/walk.h"

typedef uint64_t *bits;

/* Values from before an if, kept beside what an arm makes of them, and those of the arms around. */
struct kept {
	const uint64_t *copies;
	unsigned width;	 /* their registers */
	unsigned own;	 /* those of this if, wherever else there is a copy */
	unsigned alike;	 /* of width: where arms end alike, and may be merged */
	unsigned passed; /* accumulation VGPRs that may be taken as well */
};

/* In an arm of a merge that is asked about, and of those around. */
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
	bits forced; /* live whatever the items say: for a later arm */
	const struct kept *kept;
	struct ledger *out;
	struct ledger_merge *merge; /* what is asked of them */
	size_t merges;
	const struct inside *inside; /* the innermost of these whose arms are gone through */
	unsigned passing;	     /* registers of matrix results on the way through a merge */
	bool merges_alike;	     /* the compiler may merge arms that end alike */
	bits matrix;		     /* accumulators of matrix operations */
	bits peak;		     /* live at the point of most registers */
	bits peak_kept;		     /* those that have a copy there */
	bits carried;
	bits constant;
	bits ever;
	bits streamed;
	bits in_memory; /* those that ledger_in_memory names */
	bits *free_at;	/* by item: cleared, and nothing else written yet; NULL: none */
	uint32_t best;
	uint32_t best_held;
	/* the most that is wanted with those, and with addresses made ahead */
	unsigned most_besides;
	uint32_t *wanted;    /* by item: the most, all together */
	uint32_t *flight;    /* by item: registers of loads that may be under way */
	uint32_t *guessed;   /* by item: by which that is likely to be off */
	uint32_t *addresses; /* by item: registers of addresses that may be made ahead */
	bool *arms;	     /* by item: in an arm */
	uint32_t *kept_at;   /* by item: addresses that loops around it keep */
	uint32_t *open;	     /* of a closing item: the one that opens */
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

static inline void bits_or(const struct solver *s, bits to, const uint64_t *from)
{
	for (size_t i = 0; i < s->words; i++) {
		to[i] |= from[i];
	}
}

static inline bool bit_get(const uint64_t *b, size_t i)
{
	return b[i / 64] >> (i % 64) & 1;
}

static inline void bit_set(bits b, size_t i, bool on)
{
	uint64_t mask = UINT64_C(1) << (i % 64);

	b[i / 64] = on ? b[i / 64] | mask : b[i / 64] & ~mask;
}

static inline const struct trace_item *item(const struct solver *s, size_t i)
{
	return &s->t->item.v[i];
}

/* ---- flight.c, in this order ---- */

/* Constants take no register until something else is written over them, or a loop carries them. */
void solver_find_free(struct solver *s);
/* Arrays that are made, changed and used up element by element in straight code: the scheduler need
 * not hold them whole at any time. */
void solver_find_streams(struct solver *s);
/* Loads of unrolled loops, spread over the items that they may be under way at. */
void solver_find_flight(struct solver *s);

/* ---- live.c ---- */

/* Of each closing item the one that opens. */
uint32_t *solver_openers(struct solver *s);
/* Backward over items [first, end): set is live after them, and in front of them then. */
void solver_live(struct solver *s, uint32_t first, uint32_t end, bits set);

/* ---- vars.c ---- */

/* One entry a declaration, however often its function is inlined. */
void solver_list_vars(struct solver *s);
/* Lines from the first to the last item at which a variable is mentioned or carried around. */
void solver_list_lines(struct solver *s);
/* The calls that the point of most runs in. */
void solver_list_calls(struct solver *s);
/* What each line of the file with that point wants. */
void solver_list_pressure(struct solver *s);
void solver_list_unknown(struct solver *s);
void solver_tell_unknown(struct ledger *l, struct arena *a, const struct trace *t);
