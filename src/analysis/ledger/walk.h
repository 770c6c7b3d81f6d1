#pragma once
/*
 * The walk that makes a trace: items and variables in walk.c, memory in place.c, calls in call.c,
 * expressions in value.c, statements in trace.c. Each walk is for one function at one call; up
 * leads to its callers.
 */
#include "analysis/ledger/trace.h"

enum {
	CALLS_MAX = 32, /* depth of inlined calls */
	ITEMS_MAX = 1 << 19,
	UNROLL_MAX = 1024, /* iterations up to which a counted loop counts as unrolled */
	NEST_MAX = 256,
	NO_VARIABLE = NEST_MAX + 1,
	WIDE = 16, /* VGPRs per lane; smaller arrays are ignored */
};

struct loop {
	uint32_t item;
	bool unrolled;
	bool constant; /* its header has constants and counters alone: it may be unrolled */
	int64_t trips;
	unsigned conditional; /* arms entered inside it */
	kt_id var;
};

/* The result of an expression. */
struct value {
	unsigned width; /* registers that hold it; 0: it is in place, uniform or constant */
	bool constant;
	bool unrolled; /* constant once the loops are unrolled */
	bool loaded;
	bool lds;	/* a pointer to, or a place in, shared memory */
	uint32_t var;	/* 1 + index of the variable that it is, or is a part of; or 0 */
	bool elsewhere; /* var holds the pointer itself; it is not the pointer's target */
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
	struct map *addresses; /* of loops: those already counted */
	struct ids *bound;     /* of the frame: symbol -> 1 + var */
	struct walk *up;
	uint32_t thread;   /* 1 + var of the thread index */
	bool again;	   /* the place's address is already computed */
	unsigned returned; /* registers of the current function's result */
	/* 1 + the private object that the pointer it returns points into, or 0 */
	uint32_t pointed;
	/* the target of the returned reference; NULL: the function returns none */
	struct place *given;
	size_t *writes; /* non-constant writes so far, by var; grown with vars */
	size_t writes_cap;
};

/* The place of an lvalue. Private: var; else memory, at an address in `held` registers, which the
 * caller has to hold until the access. */
struct place {
	uint32_t var; /* 1 + index of a private variable, or 0 */
	bool whole;   /* the whole variable */
	bool memory;
	bool lds;
	bool lane;		    /* memory: the address differs between lanes */
	unsigned held;		    /* registers of the address */
	uint64_t key;		    /* of its index, or 0 */
	struct trace_affine affine; /* of the address, in bytes */
};

/* Pushes the reads and writes of evaluating n. Returns its value. */
struct value walk_eval(struct walk *w, const struct kt_node *n);
/* The place of lvalue n; pushes the reads of its address. */
struct place walk_place_of(struct walk *w, const struct kt_node *n);
/* Reads the place that n names; n is not pointer arithmetic. into: 1 + the variable that is loaded,
 * or 0. */
struct value walk_load_place(struct walk *w, const struct kt_node *n, uint32_t into);
/* Writes a value to the place that n names. */
void walk_store_place(struct walk *w, const struct kt_node *n, struct value from);
struct value walk_call(struct walk *w, const struct kt_node *n);
/* Is n an inlined call that returns a reference? walk_called_place gives its target. */
bool walk_gives_place(const struct walk *w, const struct kt_node *n);
struct place walk_called_place(struct walk *w, const struct kt_node *n);
/* Does n call a function that returns a reference to a part of a library's object, such as
 * std::array's operator[]? */
bool walk_is_library_part(const struct kt_unit *u, const struct kt_node *n);
void walk_asm(struct walk *w, const struct kt_node *n);
/* Marks the vectors of an accumulator operand, also those passed as arguments through
 * parameters. */
void walk_mark_accumulator(struct walk *w, const struct kt_node *arg);
/* Counts the floating-point operations of a matrix operation, from the three sizes in its name. */
void walk_matrix_work(struct walk *w, const char *name);
/* Appends an item; the pointer is valid until the next one. */
struct trace_item *walk_push(
	struct walk *w, enum trace_kind kind, uint32_t var, const struct kt_node *n);
/* Adds a construct to the ledger's list of unknowns, once. */
void walk_unknown(struct trace *t, const char *what);
bool walk_is_uniform(struct walk *w, const struct kt_node *n);
/* Registers for a value of this type if it differs between lanes. */
unsigned walk_width_of(const struct kt_type *t);
/* threadIdx.x, .y, .z and equivalents */
bool walk_is_thread_index(const struct walk *w, const struct kt_node *n);
/* A thread index, or blockIdx.x, blockDim.x, gridDim.x and similar. */
bool walk_is_builtin_index(const struct walk *w, const struct kt_node *n);
uint32_t walk_var_new(struct walk *w, kt_id sym, const struct kt_node *decl, unsigned width);
/* 1 + index of the variable for sym in this frame, or 0. */
uint32_t walk_var_of(const struct walk *w, kt_id sym);
struct trace_var *walk_var_at(const struct walk *w, uint32_t v);
/* If n, an lvalue within record v, names a member, notes it as one that the record accumulates
 * in. */
void walk_note_member(struct walk *w, uint32_t v, const struct kt_node *n);
/* The number of writes so far, except writes of constants. */
size_t walk_writes_of(const struct walk *w, uint32_t v);
bool walk_is_private_var(const struct walk *w, uint32_t v);
/* Does the pointer point into the private variable v->var? */
bool walk_points_into(const struct walk *w, const struct value *v);
void walk_write_var(struct walk *w, uint32_t v, bool whole, bool constant, const struct kt_node *n);
/* Makes the symbol another name of memory that is not private. */
void walk_bind_memory(struct walk *in, kt_id sym, struct place p);
/* A hash, never 0. */
uint64_t walk_mix(uint64_t key, uint64_t x);
/* affine.c: sums over the counters of unrolled loops */
struct trace_affine walk_affine_of(uint64_t number, bool exact);
struct trace_affine walk_affine_add(struct trace_affine x, struct trace_affine y, int64_t sign);
struct trace_affine walk_affine_scale(struct trace_affine x, int64_t by);
/* x, numbered by the variable's current value if it has no number. */
struct trace_affine walk_numbered(const struct walk *w, uint32_t var, struct trace_affine x);
/* x / by, x % by and similar: known if x is made of constants and one counter. */
struct trace_affine walk_affine_apply(
	const struct walk *w, enum kt_op op, const struct trace_affine *x, int64_t by);
/* A value that depends on the same loops, in an unknown way. */
struct trace_affine walk_affine_lose(struct trace_affine x);
/* Bit i: it depends on loop i. */
unsigned walk_affine_mask(const struct trace_affine *x);
/* Does it depend on the iterations of loops alone that are, or may be, unrolled? */
bool walk_is_counter(const struct walk *w, const struct trace_var *v);
/* Is the header of a for made of constants, counters, and variables that it declares? LLVM counts
 * the iterations of such a loop whatever its step is. */
bool walk_has_constant_header(struct walk *w, const struct kt_node *n);
/* The number of addresses, over all iterations of the loops in mask, that no earlier access in this
 * arm of the directly enclosing unrolled loops has used. They count as used from here on. */
int64_t walk_new_addresses(struct walk *w, const struct trace_affine *x, unsigned mask);
/* A key for the terms of an index with elements of so many bytes; 0: not distinguishable. */
uint64_t walk_offset_key(struct walk *w, const struct kt_node *index, int64_t size);
/* Is the offset already in registers here? */
bool walk_knows_offset(const struct walk *w, uint64_t key);
/* Counts the registers of a new 64-bit address: a pair for the offset in bytes, and the base, whose
 * upper half must be in a VGPR. key: of the index, or 0; extends: the index is unsigned with 32
 * bits. */
void walk_make_address(struct walk *w, const struct kt_node *n, uint64_t key, bool extends);
/* Walks a statement. */
void walk_stmt(struct walk *w, const struct kt_node *n);
/* The directly enclosing unrolled loops are [first, loops). Returns first. */
size_t walk_chain_first(const struct walk *w);
/* Adds to the work of an iteration of the enclosing loop. */
void walk_count_work(struct walk *w, uint64_t bytes, uint64_t flops);
/* Counts a variable declared in an unrolled loop: the scheduler may overlap several iterations. */
void walk_account_variable(struct walk *w, uint32_t v);
