#pragma once
/*
 * The walk that makes a trace: what it is made of in walk.c, memory in place.c, calls
 * in call.c, expressions in value.c, statements in trace.c. A walk is that of
 * one function at one call; those of its callers are above it.
 */
#include "analysis/ledger/trace.h"

enum {
	CALLS_MAX = 32, /* inlined calls in each other */
	ITEMS_MAX = 1 << 19,
	UNROLL_MAX = 1024, /* iterations of a counted loop that is taken to be unrolled */
	NEST_MAX = 256,
	NO_VARIABLE = NEST_MAX + 1,
	WIDE = 16, /* VGPRs per lane; below it an array does not matter */
};

struct loop {
	uint32_t item;
	bool unrolled;
	int64_t trips;
	unsigned conditional; /* arms entered inside */
	kt_id var;
};

/* What an expression leaves. */
struct value {
	unsigned width; /* registers that hold it; 0: in place, uniform or constant */
	bool constant;
	bool unrolled; /* known once unrolled */
	bool loaded;
	bool lds;	/* a pointer to, or a place in, shared memory */
	uint32_t var;	/* 1 + index of the variable that it is (a part of), or 0 */
	bool elsewhere; /* that is where a pointer stands, not what it points into */
	struct trace_affine affine;
};

struct walk {
	struct trace *t;
	struct kt_unit *u;
	uint32_t frame;
	unsigned depth;
	unsigned held;
	struct loop *loop; /* NEST_MAX; those deeper than TRACE_LOOPS_MAX are not unrolled */
	size_t loops;
	struct map *addresses; /* of loops: those that are counted */
	struct ids *bound;     /* of the frame: symbol -> 1 + var */
	struct walk *up;
	uint32_t thread;   /* 1 + var of the thread index */
	bool again;	   /* the place is one of which the address is there */
	unsigned returned; /* registers of what the function at hand returns */
	/* 1 + the private object that the pointer it returns points into, or 0 */
	uint32_t pointed;
	struct place *given; /* where a reference that it returns goes; NULL: it returns none */
	size_t *writes;	     /* non-constant writes so far, by var; grown with vars */
	size_t writes_cap;
};

/* A place: where an lvalue stands. Private: var; else memory at an address of so many registers,
 * which the caller has to hold until the access. */
struct place {
	uint32_t var; /* 1 + index of a private variable, or 0 */
	bool whole;   /* all of it */
	bool memory;
	bool lds;
	bool lane;		    /* memory: the address differs per lane */
	unsigned held;		    /* registers of the address */
	uint64_t key;		    /* of its index, or 0 */
	struct trace_affine affine; /* of the address, in bytes */
};

/* Pushes what evaluating n reads and writes, and says what is left. */
struct value walk_eval(struct walk *w, const struct kt_node *n);
/* Where lvalue n stands; what its address reads is pushed. */
struct place walk_place_of(struct walk *w, const struct kt_node *n);
/* Reads what n designates; n is no pointer arithmetic. into: 1 + the variable that it is read
 * into, or 0. */
struct value walk_load_place(struct walk *w, const struct kt_node *n, uint32_t into);
/* Writes a value there. */
void walk_store_place(struct walk *w, const struct kt_node *n, struct value from);
struct value walk_call(struct walk *w, const struct kt_node *n);
/* Is n a call that is inlined, of what returns a reference? Then what it refers to. */
bool walk_gives_place(const struct walk *w, const struct kt_node *n);
struct place walk_called_place(struct walk *w, const struct kt_node *n);
/* Does n call what refers to a part of a library's object, as std::array's operator[]? */
bool walk_is_library_part(const struct kt_unit *u, const struct kt_node *n);
void walk_asm(struct walk *w, const struct kt_node *n);
/* The vectors of an accumulator operand, through the parameters that they were passed by. */
void walk_mark_accumulator(struct walk *w, const struct kt_node *arg);
/* Counts what a matrix operation does, from the three sizes in its name. */
void walk_matrix_work(struct walk *w, const char *name);
/* Appends an item; the pointer is good until the next one. */
struct trace_item *walk_push(
	struct walk *w, enum trace_kind kind, uint32_t var, const struct kt_node *n);
/* Adds to what the ledger could not know, once. */
void walk_unknown(struct trace *t, const char *what);
/* Looks through casts. */
const struct kt_node *walk_strip(const struct kt_node *n);
bool walk_is_uniform(struct walk *w, const struct kt_node *n);
/* Registers for a value of this type that differs per lane. */
unsigned walk_width_of(const struct kt_type *t);
/* threadIdx.x and its like */
bool walk_is_thread_index(const struct walk *w, const struct kt_node *n);
/* That, or blockIdx.x, blockDim.x, gridDim.x and their like. */
bool walk_is_builtin_index(const struct walk *w, const struct kt_node *n);
bool walk_is_scalar(const struct kt_type *t);
uint32_t walk_var_new(struct walk *w, kt_id sym, const struct kt_node *decl, unsigned width);
/* 1 + index of what a symbol stands for here, or 0. */
uint32_t walk_var_of(const struct walk *w, kt_id sym);
struct trace_var *walk_var_at(const struct walk *w, uint32_t v);
/* A member of the record v accumulates, where n, which leads to v, names one. */
void walk_note_member(struct walk *w, uint32_t v, const struct kt_node *n);
/* Writes of other than constants so far. */
size_t walk_writes_of(const struct walk *w, uint32_t v);
bool walk_is_private_var(const struct walk *w, uint32_t v);
/* Does the pointer's value point into the private variable that it has? */
bool walk_points_into(const struct walk *w, const struct value *v);
void walk_write_var(struct walk *w, uint32_t v, bool whole, bool constant, const struct kt_node *n);
/* The symbol is another name of storage that is not private. */
void walk_bind_memory(struct walk *in, kt_id sym, struct place p);
/* A hash, never 0. */
uint64_t walk_mix(uint64_t key, uint64_t x);
/* affine.c: sums over the counters of unrolled loops */
struct trace_affine walk_affine_of(uint64_t number, bool exact);
struct trace_affine walk_affine_add(struct trace_affine x, struct trace_affine y, int64_t sign);
struct trace_affine walk_affine_scale(struct trace_affine x, int64_t by);
/* x, with a number of the variable as it is now where it has none. */
struct trace_affine walk_numbered(const struct walk *w, uint32_t var, struct trace_affine x);
/* x / by, x % by and their like: known where x is made of constants and one counter. */
struct trace_affine walk_affine_apply(
	const struct walk *w, enum kt_op op, const struct trace_affine *x, int64_t by);
/* It depends on the same loops, nobody knows how. */
struct trace_affine walk_affine_lose(struct trace_affine x);
/* Bit i: it depends on loop i. */
unsigned walk_affine_mask(const struct trace_affine *x);
/* How many addresses it is, in all iterations of the loops in mask, that no access of the unrolled
 * loops directly around had in this arm. They count as had from here on. */
int64_t walk_new_addresses(struct walk *w, const struct trace_affine *x, unsigned mask);
/* What an index of elements of so many bytes is made of; 0: not to be told apart. */
uint64_t walk_offset_key(struct walk *w, const struct kt_node *index, int64_t size);
/* Does the offset stand in registers at this place? */
bool walk_knows_offset(const struct walk *w, uint64_t key);
/* An address of 64 bits is made: of the offset in bytes, a pair, and the base, of which the upper
 * half has to be in a VGPR. key: of the index, or 0; extends: it is unsigned, of 32 bits. */
void walk_make_address(struct walk *w, const struct kt_node *n, uint64_t key, bool extends);
/* The same for a statement. */
void walk_stmt(struct walk *w, const struct kt_node *n);
/* The unrolled loops that stand directly around: [first, loops). */
size_t walk_chain_first(const struct walk *w);
/* Adds to what the loop around does in an iteration. */
void walk_count_work(struct walk *w, uint64_t bytes, uint64_t flops);
/* A variable that an unrolled loop declares: the scheduler may run several iterations at once. */
void walk_account_variable(struct walk *w, uint32_t v);
