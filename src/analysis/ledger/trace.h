#pragma once
/*
 * A kernel as one list of items in execution order, with calls inlined: reads and writes of
 * variables, and brackets around loops and arms. ledger.c solves liveness on it.
 */
#include "analysis/ledger/ledger.h"
#include "base/array.h"
#include "base/map.h"

enum trace_kind {
	TRACE_READ,
	TRACE_WRITE, /* writes a part, or writes all and reads the old value */
	TRACE_KILL,  /* overwrites the whole variable */
	TRACE_CLEAR, /* overwrites it with constants: costs nothing until the next write or loop */
	TRACE_POINT, /* only the temporaries at this point */
	TRACE_LOOP,
	TRACE_LOOP_END,
	TRACE_IF,
	TRACE_ARM, /* begins an arm; follows an if or the previous arm */
	TRACE_IF_END,
};

struct trace_item {
	enum trace_kind kind;
	uint32_t var;	    /* READ, WRITE, KILL, CLEAR: index into vars */
	uint32_t frame;	    /* index into frames */
	uint32_t end;	    /* LOOP, IF, ARM: index of the item that closes or follows it */
	uint32_t held;	    /* registers of the temporaries here */
	bool uniform;	    /* IF: all lanes take the same arm */
	bool divergent;	    /* IF: divergent, by a condition that the compiler can see to differ */
	bool copies;	    /* IF: not divergent, and the arms are alternatives */
	bool unrolled;	    /* LOOP: fully unrolled */
	uint32_t in_flight; /* LOOP: registers of its loads if all were in flight */
	uint32_t lds;	    /* LOOP: the part of in_flight that is loaded from LDS */
	uint32_t own;	    /* LOOP: registers of loads whose destination is a variable */
	uint32_t own_var;   /* 1 + that variable */
	/* LOOP: registers of addresses beyond those of the loaded values, if all were computed
	 * ahead */
	uint32_t addresses;
	uint32_t kept; /* LOOP: registers kept from one iteration to the next, mostly addresses */
	/* LOOP, not unrolled: bytes of global memory that a wave accesses in an iteration */
	uint64_t bytes;
	uint64_t flops; /* and its floating-point operations */
	const struct kt_node *node;
};

/* One inlined call. */
struct trace_frame {
	uint32_t up; /* frame of the caller; 0, itself, for the kernel */
	kt_id fn;
	const struct kt_node *call; /* in the caller */
};

enum {
	TRACE_LOOPS_MAX = 8, /* unrolled loops around an access that are distinguished */
	TRACE_STEPS_MAX = 4,
};

/* A summand with a known value in each iteration of an unrolled loop: by * value[iteration]. */
struct trace_step {
	const int64_t *value;
	int64_t by;
	uint8_t loop;
};

/* An integer as a sum: known numbers of bytes or elements per step of unrolled loops. */
struct trace_affine {
	int64_t coef[TRACE_LOOPS_MAX];
	struct trace_step step[TRACE_STEPS_MAX];
	size_t steps;
	unsigned unknown; /* bit i: depends on loop i in an unknown way */
	unsigned strided; /* of these: by a step known only at run time */
	uint64_t number;  /* identifies the rest of the sum, if numbered */
	bool numbered;
	bool exact; /* the number is its value */
};

struct trace_var {
	struct ledger_var pub;
	uint32_t frame;
	size_t loops; /* around its declaration */
	/* names storage that is not private, so it has no registers; or stands for values that
	 * the compiler makes, pub.width registers, not listed as a variable */
	bool memory;
	bool lds;
	bool pointer;
	struct trace_affine affine;
	/* of a parameter: 1 + the vector from which its argument is computed, or 0 */
	uint32_t source;
	bool cleared; /* at this point of the walk: holds constants */
	bool matrix_acc;
	bool matrix_operand;
	bool in_address;
	bool multiplied;
	bool maximum; /* is an operand of a max whose result it gets */
	bool added;   /* is an operand of a sum whose result it gets */
	bool other_use;
	bool loaded;
	unsigned member_width; /* of pub.member */
	kt_id member_type;
	size_t arms;  /* of a value made by the compiler: arms around the place */
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
	struct map offsets; /* key of an index -> 1 + the variable for its byte offset */
	uint32_t zero;	    /* 1 + the variable for the upper half of unsigned indices, or 0 */
	ARRAY(uint32_t) cleared; /* variables that may hold constants at this point of the walk */
	ARRAY(uint32_t) arm;	 /* items of the open arms, innermost last */
	unsigned lds_bytes;
	bool partial; /* as in struct ledger */
	bool cut;     /* too long, so it is not usable */
	bool whole;   /* usable only if complete: it may end as soon as it is partial */
	unsigned wave_size;
	unsigned result; /* VGPRs per lane of the widest result of a matrix operation */
	uint64_t bytes;	 /* accessed outside of loops */
	uint64_t flops;
};

void trace_make(struct trace *t, kt_id kernel);
void trace_release(struct trace *t);
