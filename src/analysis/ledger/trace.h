#pragma once
/*
 * A kernel as one list of items in order of execution, calls inlined: reads and writes of
 * variables, and brackets around loops and arms. What ledger.c solves liveness on.
 */
#include "analysis/ledger/ledger.h"
#include "base/array.h"
#include "base/map.h"

enum trace_kind {
	TRACE_READ,
	TRACE_WRITE, /* of a part, or of all with the old value read */
	TRACE_KILL,  /* overwrites all of it */
	TRACE_CLEAR, /* the same, with constants: costs nothing until the next write or loop */
	TRACE_POINT, /* only its temporaries */
	TRACE_LOOP,
	TRACE_LOOP_END,
	TRACE_IF,
	TRACE_ARM, /* begins an arm; after an if, or after the arm before */
	TRACE_IF_END,
};

struct trace_item {
	enum trace_kind kind;
	uint32_t var;	    /* READ, WRITE, KILL, CLEAR: index into vars */
	uint32_t frame;	    /* index into frames */
	uint32_t end;	    /* LOOP, IF, ARM: index of the item that closes or follows it */
	uint32_t held;	    /* temporaries at that moment */
	bool uniform;	    /* IF: all lanes take the same arm */
	bool parts;	    /* IF: lanes may take different arms, and the compiler sees why */
	bool copies;	    /* IF: not that, and the arms are alternatives */
	bool unrolled;	    /* LOOP: gone in the machine code */
	uint32_t in_flight; /* LOOP: registers of its loads, were all under way */
	uint32_t lds;	    /* LOOP: of these, from LDS */
	uint32_t own;	    /* LOOP: of those that have theirs in a variable already */
	uint32_t own_var;   /* 1 + that */
	uint32_t addresses; /* LOOP: registers of addresses beyond those of what they load, were
			     * all of these made ahead */
	uint32_t kept;	    /* LOOP: addresses that it keeps from one iteration to the next */
	uint64_t bytes; /* LOOP, not unrolled: global memory that a wave asks for in an iteration */
	uint64_t flops; /* and what it calculates */
	const struct kt_node *node;
};

/* One inlined call. */
struct trace_frame {
	uint32_t up; /* frame of the caller; of the kernel: 0, itself */
	kt_id fn;
	const struct kt_node *call; /* in the caller */
};

enum {
	TRACE_LOOPS_MAX = 8, /* unrolled loops around an access that are told apart */
	TRACE_STEPS_MAX = 4,
};

/* A summand that is known of each iteration of an unrolled loop: by * value[iteration]. */
struct trace_step {
	const int64_t *value;
	int64_t by;
	uint8_t loop;
};

/* What an integer is made of: a known number of bytes or elements per step of unrolled loops. */
struct trace_affine {
	int64_t coef[TRACE_LOOPS_MAX];
	struct trace_step step[TRACE_STEPS_MAX];
	size_t steps;
	unsigned unknown; /* bit i: depends on loop i in a way that is not known */
	unsigned strided; /* of these: in steps that are known at run time only */
	uint64_t number;  /* of the rest, where numbered */
	bool numbered;
	bool exact; /* the number is its value */
};

struct trace_var {
	struct ledger_var pub;
	uint32_t frame;
	size_t loops; /* around its declaration */
	bool memory;  /* stands for storage that is not private: no registers; or for what the
		       * compiler makes, of pub.width, which is listed with no variable */
	bool lds;
	bool pointer;
	struct trace_affine affine;
	uint32_t source; /* a parameter: 1 + the vector that its argument is made of, or 0 */
	bool cleared;	 /* here in the walk: holds constants */
	bool matrix_acc;
	bool matrix_operand;
	bool in_address;
	bool multiplied;
	bool maximum; /* takes part in a max with itself */
	bool added;   /* += with itself */
	bool other_use;
	bool loaded;
	unsigned member_width; /* of pub.member */
	kt_id member_type;
	size_t arms;  /* what the compiler makes: arms around the place */
	uint32_t arm; /* the innermost of them */
};

struct trace {
	struct arena *a;
	struct facts *f;
	struct uniformity *u;
	struct kt_unit *unit;
	ARRAY(struct trace_item) item;
	ARRAY(struct trace_frame) frame;
	ARRAY(struct trace_var) var;
	ARRAY(const char *) unknown;
	struct map small;   /* variable -> 2: its bytes fit an offset of 32 bits; 1: they may not */
	struct map offsets; /* key of an index -> 1 + variable that stands for its bytes */
	uint32_t zero; /* 1 + variable that stands for the upper half of unsigned indices, or 0 */
	ARRAY(uint32_t) cleared; /* variables that may hold constants, here in the walk */
	ARRAY(uint32_t) arm;	 /* open, innermost last: indices of items */
	unsigned lds_bytes;
	bool partial; /* as in struct ledger */
	bool cut;     /* too long: it is of no use then */
	bool whole;   /* of use only when it is whole: it may end as soon as it is partial */
	unsigned wave_size;
	unsigned result; /* VGPRs per lane of a matrix operation's result: of the widest */
	uint64_t bytes;	 /* outside of loops */
	uint64_t flops;
};

void trace_make(struct trace *t, kt_id kernel);
void trace_release(struct trace *t);
