#pragma once
/*
 * The functions that the files of the uniformity analysis share: uniform.c (the fixed point,
 * queries), uniform_start.c (the initial state), uniform_stmt.c, uniform_expr.c, uniform_call.c and
 * uniform_write.c (the walk), uniform_field.c (members), uniform_flow.c (values along the paths),
 * uniform_memory.c (loads), uniform_part.c (missing lanes, and why), uniform_step.c,
 * uniform_range.c, uniform_waves.c, uniform_table.c.
 */
#include "analysis/lanes/uniform.h"
#include "base/array.h"
#include "base/map.h"
#include "base/msg.h"

/* Bits of a value. BIT_LOCAL stays even if the pointer itself is made uniform. */
enum {
	BIT_LANE = 1 << 0,  /* may differ between lanes */
	BIT_LOCAL = 1 << 1, /* a pointer in it may lead to private storage or LDS */
	BIT_APART = 1 << 2, /* records only: the lanes of the wave may not be here together */
	/* with BIT_LANE, the reason to differ: it is computed from the lane's own number, or only
	 * from the wave's number */
	BIT_MADE = 1 << 3,
	BIT_WAVE = 1 << 4,
	/* the same because of an argument that a call passes; and: it depends on an argument. The
	 * result of a call depends on its own arguments */
	BIT_MADE_PASSED = 1 << 5,
	BIT_WAVE_PASSED = 1 << 6,
	BIT_PARAM = 1 << 7,
	/* the lanes of a wave may have exchanged it, and may agree on it since; not in records */
	BIT_CROSSED = 1 << 8,
	/* of a record: any member may be the reason; without it those of which fields tells. Not in
	 * records of nodes */
	BIT_BLUR = 1 << 9,
	/* of a part of a variable: it may still have what the variable got as a whole */
	BIT_WHOLE = 1 << 10,
	BIT_BOTH = BIT_LANE | BIT_LOCAL,
	BIT_REASON = BIT_MADE | BIT_WAVE | BIT_MADE_PASSED | BIT_WAVE_PASSED,
	BIT_OWN = BIT_REASON | BIT_PARAM | BIT_CROSSED | BIT_BLUR,
	BIT_VALUE = BIT_BOTH | BIT_OWN,
};

/* Of an expression: its value, and its address if it is an lvalue. */
struct val {
	unsigned bits;
	unsigned addr;
};

/* A variable, or the object of a method (this). If its value is followed, now is the current one;
 * bits is the union over all places. Members and elements that the code names have slots of their
 * own, with BIT_OWN and BIT_WHOLE; the first of these is for values assigned to the variable as a
 * whole. */
struct slot {
	unsigned bits;
	unsigned now;
	unsigned start; /* of a parameter: the values that calls pass; of a part: that of a list */
	unsigned whole; /* BIT_OWN of values assigned to it as a whole */
	unsigned far;	/* BIT_OWN of writes that its function's walk does not see */
	unsigned wrote; /* BIT_OWN of what the function writes through a reference, this */
	/* of a parameter, BIT_OWN of what its pointer leads to: of values there in the calls, and
	 * of what its function writes there */
	unsigned got;
	unsigned sent;
	size_t part;   /* the next part, or 0 */
	uintptr_t key; /* of a part */
	unsigned seen; /* number of the last merge of changes with it, ... */
	unsigned sum;  /* ... with the union of the values on the joined paths, and their count */
	unsigned ways;
	unsigned level; /* level of the declaring region; 0: outlives the function's call */
	bool declared;
	bool written; /* references, this: the function writes through it ... */
	bool exposed; /* ... or lets its address escape; of a field: of some object's */
	bool handed;  /* a closure that is used other than by a call */
	bool bound;   /* a reference is bound to it */
	bool shared;  /* a reference to one address of LDS, init */
	const struct kt_node *init;
	const char *why;
};

/* Do the blocks in which a function runs have one dimension? The maximum over all kernels. */
enum flat {
	FLAT_KNOWN,
	FLAT_ASSUMED,
	FLAT_NO
};

/* The memory written since the last barrier. */
struct dirt {
	bool all;
	struct locset set;
};

struct fn_state {
	bool called;
	bool constructor;
	bool opaque; /* it jumps or has unknown code: nothing in it is known */
	bool hides;  /* an expression may jump: variables are not followed */
	bool seen;   /* of a lambda: its walk shows all effects on its captures */
	bool apart;  /* a call of it is at a place where lanes are missing */
	bool leaves; /* some lanes may end the kernel in it */
	bool asked;  /* an answer was recorded */
	unsigned ret;
	bool sized;
	unsigned most; /* threads of its blocks, or 0 if unknown */
	unsigned usual;
	struct uniformity_cause cause; /* of apart */
};

/* Facts about nodes by their address, on the heap. */
struct node_table {
	const struct kt_node **key;
	unsigned char *value;
	size_t cap; /* a power of two, or 0 */
	size_t n;
};

enum {
	NODE_APART = 1,
	NODE_RACE_KNOWN = 2,
	NODE_RACE = 4
};

struct uniformity {
	struct facts *facts;
	struct kt_unit *unit;
	struct arena *arena;
	struct arena *scratch; /* for one query */
	/* by symbol (a field's is static), then the this objects by function, then parts */
	struct slot *slot;
	struct ids parts; /* the key of a part -> its slot */
	struct fn_state *fn;
	struct node_table *record; /* by function: BIT_* of each node, made at the first query */
	size_t recorded;	   /* nodes in all of them */
	size_t recorded_max;
	size_t asked;		 /* nodes of the queried functions */
	size_t walked;		 /* nodes walked for answers since recorded_max grew */
	struct node_table state; /* NODE_*, of loops and loads */
	bool block;		 /* the lanes are those of a work-group, not of a wave */
	bool grid;		 /* ... or of all work-groups */
	enum flat *flat;	 /* by function; NULL: the wave's number is not used */
	struct ids heads;	 /* of loops (uniform_flow.c) */
	struct head *last_head;
	struct ids causes; /* of loops and labels that lanes leave */
	struct ids fields; /* of classes: BIT_MADE, BIT_WAVE, BIT_CROSSED of all objects' members */
	kt_id *field;	   /* all fields; NULL: not looked for yet */
	size_t fields_n;
	bool in_member;	     /* a member is being written */
	struct ids partings; /* of calls, by the walk for answers: struct uniformity_cause */
	struct arena *flow;  /* for one walk */
	unsigned looks;
	bool reference_fields; /* a record has a reference */
	bool virtuals;	       /* a method may be overridden */
	bool changed;
};

/* A variable that was set, with its new or its old value. */
struct change {
	size_t slot;
	unsigned bits;
};
typedef ARRAY(struct change) change_array;

/* Paths that join again. */
struct fork {
	size_t base;	   /* of the trail, at the branch */
	change_array ends; /* the changes of each path */
	unsigned ways;
	struct dirt first; /* at the branch */
	struct dirt last;  /* over all paths */
};

struct region {
	struct region *up;
	unsigned level;
	bool apart;
	struct uniformity_cause cause;
	const struct kt_node *cond; /* the condition of the branch, or NULL */
	const struct kt_node *node; /* the loop or switch that break or continue exits */
	struct fork *breaks;	    /* of those */
	struct fork *continues;
	const struct kt_node *meeting; /* of a switch: the label at which all lanes are together */
};

struct walk {
	struct uniformity *u;
	kt_id fn;
	struct region *here;
	/* the region of the enclosing arm in which every path returns, or NULL */
	struct region *leaving;
	bool opaque;
	bool dead;	    /* unreachable */
	change_array trail; /* the old values of variables that were set */
	struct dirt dirt;
	struct node_table *record; /* NULL during the fixed point */
};

static inline const struct kt_sym *uniform_sym_of(const struct uniformity *u, kt_id sym)
{
	return &u->unit->sym[sym];
}

/* Is it the number of a lane, or of a work-group of the grid? */
static inline bool uniform_is_number(const struct uniformity *u, enum intrinsic_form form)
{
	return form == FORM_THREAD_INDEX || (u->grid && form == FORM_BLOCK_INDEX);
}

/* ---- uniform_flow.c ---- */

/* Is the variable's value followed along the paths? */
bool uniform_is_followed(const struct walk *w, size_t slot);
/* The bits of a variable at the current place; of one that is not followed, over all places. */
unsigned uniform_now(const struct walk *w, size_t slot);
/* The slot of a variable of the function that is never written after its declaration, or NULL. */
const struct slot *uniform_kept(const struct walk *w, const struct kt_node *n);
void uniform_set(struct walk *w, size_t slot, unsigned bits);
void uniform_fork(struct walk *w, struct fork *f);
/* Ends one path: goes back to the branch, unless stays is set. */
void uniform_way(struct walk *w, struct fork *f, bool stays);
/* Joins all paths. differs: BIT_LANE (and BIT_OWN) if lanes took different ones. */
void uniform_join(struct walk *w, struct fork *f, unsigned differs);
/* Adds a path without changes. */
void uniform_way_past(struct walk *w, struct fork *f);
/* Adds the state at the back edge of a loop. */
void uniform_head(struct walk *w, const struct kt_node *loop);
void uniform_back(struct walk *w, const struct kt_node *loop, const struct fork *from);
/* A label of the switch with the paths `from`; differs as above. */
void uniform_case(struct walk *w, const struct fork *from, unsigned differs);
void uniform_heads_release(struct uniformity *u);

/* ---- uniform_memory.c ---- */

/* A copy that shares the set until one of them grows. */
struct dirt uniform_dirt(struct dirt *d);
bool uniform_dirt_add(struct dirt *to, struct arena *a, const struct dirt *by);
/* Adds the writes of n to those since the last barrier; uniform_clean clears these. */
void uniform_soil(struct walk *w, const struct kt_node *n);
void uniform_clean(struct walk *w);
/* BIT_* of the value of lvalue n, at an address with bits addr. */
unsigned uniform_load(struct walk *w, const struct kt_node *n, unsigned addr);
/* Does the function itself write the memory that it loads here (lvalue n, or the target of pointer
 * n)? */
bool uniform_load_races(struct walk *w, const struct kt_node *n, bool pointer);
/* BIT_* of a reference bound to it. */
unsigned uniform_bound(struct val v);

/* BIT_* of an argument in the callee. */
static inline unsigned uniform_passed(unsigned bits)
{
	return (bits & (BIT_BOTH | BIT_CROSSED | BIT_BLUR)) | BIT_PARAM |
	       (bits & (BIT_MADE | BIT_MADE_PASSED) ? BIT_MADE_PASSED : 0) |
	       (bits & (BIT_WAVE | BIT_WAVE_PASSED) ? BIT_WAVE_PASSED : 0);
}

/* BIT_* of the results of a function, for every call. */
static inline unsigned uniform_left(unsigned bits)
{
	return (bits & (BIT_BOTH | BIT_MADE | BIT_WAVE | BIT_CROSSED | BIT_BLUR)) |
	       (bits & BIT_MADE_PASSED ? BIT_MADE : 0) | (bits & BIT_WAVE_PASSED ? BIT_WAVE : 0);
}

/* ---- uniform_field.c ---- */

/* Notes that the field of some object has a value with these bits. */
void uniform_field_set(struct uniformity *u, kt_id field, unsigned bits);
/* The same for the fields of that type whose address some code takes. False if there is none. */
bool uniform_set_taken(struct uniformity *u, kt_id type, unsigned bits);
/* BIT_OWN that the field may have in a record with these bits. */
unsigned uniform_field(const struct uniformity *u, kt_id field, unsigned bits);
/* Evaluates a list in braces. */
unsigned uniform_list(struct walk *w, const struct kt_node *n);
/* Makes the slots of the parts that the unit's code names. */
void uniform_start_parts(struct uniformity *u);
/* BIT_OWN that the member n may have, in a record with these bits. */
unsigned uniform_member(const struct walk *w, const struct kt_node *n, unsigned bits);
/* BIT_OWN that the element n may have, in an array of the function at a constant place. */
unsigned uniform_element(const struct walk *w, const struct kt_node *n);
/* Is it a part of a variable of the function, at a constant place? */
bool uniform_is_part(const struct walk *w, const struct kt_node *n);
/* The same of a variable's field, reached in another way. */
unsigned uniform_part_elsewhere(const struct walk *w, kt_id variable, kt_id field, unsigned bits);
/* Writes these bits to n, if that is a part of a variable of the function; returns the variable, or
 * 0. over: the value replaces the one before. */
kt_id uniform_write_part(struct walk *w, const struct kt_node *n, unsigned bits, bool over);
/* Begins a variable with the value init, or NULL, that has these bits. */
void uniform_begin(struct walk *w, kt_id variable, unsigned bits, const struct kt_node *init);
/* Are both objects of one class? */
bool uniform_are_alike(const struct uniformity *u, kt_id type, kt_id other);
/* The variable was given the value: of another variable it has the parts, too. */
void uniform_copy_parts(struct walk *w, kt_id variable, const struct kt_node *value);
/* Writes a variable as a whole. */
void uniform_write_whole(struct walk *w, size_t variable, unsigned bits, bool over);
/* Is it the list of a vector that shares memory with members, with one value for each element? */
bool uniform_lists_vector(const struct uniformity *u, const struct kt_node *n);
/* Is it the list of an array variable, with one value for each element? */
bool uniform_lists_elements(const struct uniformity *u, const struct kt_node *n);
/* The bits of an expression: of a record, whose member the reason may be. */
unsigned uniform_blur(const struct uniformity *u, const struct kt_node *n, unsigned bits);

/* ---- uniform_table.c ---- */

unsigned uniform_table_get(const struct node_table *t, const struct kt_node *n, unsigned dflt);
void uniform_table_set(struct node_table *t, const struct kt_node *n, unsigned value);
void uniform_table_release(struct node_table *t);
void uniform_state_add(struct uniformity *u, const struct kt_node *n, unsigned bits);
void uniform_set_flag(struct uniformity *u, bool *flag);

/* ---- uniform_write.c ---- */

size_t uniform_this_slot(const struct uniformity *u, kt_id fn);
void uniform_demote(struct uniformity *u, size_t slot, unsigned bits, const char *why);
/* The same for a parameter's initial value. */
void uniform_pass(struct uniformity *u, size_t slot, unsigned bits, const char *why);
void uniform_expose_slot(struct uniformity *u, size_t slot, const char *why);
void uniform_expose_all(
	struct uniformity *u, const struct kt_node *root, kt_id fn, const char *why);
void uniform_write_slot(struct walk *w, size_t slot, unsigned bits, bool expose);
void uniform_write_call(struct walk *w, const struct kt_node *n);
/* Assigns a value with these bits to n, a variable or a part of one. */
void uniform_overwrite(
	struct walk *w, const struct kt_node *n, unsigned bits, const struct kt_node *value);
void uniform_write_to(struct walk *w, const struct kt_node *n, unsigned bits, bool expose);

/* BIT_OWN of what pointer n (or the lvalue n) leads to, if that is one variable. */
unsigned uniform_pointed(struct walk *w, const struct kt_node *n, bool pointer);
/* A call passes the pointer to the parameter. */
void uniform_pass_pointer(struct walk *w, kt_id param, const struct kt_node *arg);
/* Writes a value with these bits there. */
void uniform_write_pointed(struct walk *w, const struct kt_node *n, bool pointer, unsigned bits);
/* Is it object.*member or pointer->*member? */
bool uniform_is_member_pointer(const struct uniformity *u, const struct kt_node *n);
/* BIT_* of its value. */
unsigned uniform_member_pointer(struct walk *w, const struct kt_node *n);
/* The members that n names may be written without their names. */
void uniform_take_members(struct uniformity *u, const struct kt_node *n);
/* If the call n is a memcpy: its target, which was exposed, has the reasons of its source. */
void uniform_copy_bytes(struct walk *w, const struct kt_node *n);

/* ---- uniform_part.c ---- */

/* bits: those of cond, the condition of the region. */
void uniform_region_enter(struct walk *w, struct region *r, unsigned bits,
	const struct kt_node *cond, const struct kt_node *node);
void uniform_region_leave(struct walk *w);
void uniform_region_part(struct walk *w, struct region *r, struct uniformity_cause cause);
unsigned uniform_apart_level(const struct walk *w);
bool uniform_lanes_apart(const struct walk *w);
/* Remembers it for n, in the walk for answers. */
void uniform_record_parting(struct walk *w, const struct kt_node *n);
/* BIT_OWN of the conditions that separate lanes inside the region at that level. */
unsigned uniform_apart_bits(const struct walk *w, unsigned level);
/* The same of all lanes that are missing here, also around the calls of the function. */
unsigned uniform_missing_bits(const struct walk *w);
struct uniformity_cause uniform_cause_of(unsigned bits, const struct kt_node *cond);
void uniform_lanes_return(struct walk *w);
void uniform_lanes_jump(struct walk *w, enum kt_kind kind);
void uniform_lanes_goto(struct walk *w, const struct kt_node *jump);
/* Notes why lanes are missing at a child of a block that jumps pass over or around. */
struct uniformity_cause uniform_jumped_over(
	const struct walk *w, const struct kt_node *block, size_t child);
/* Notes a call of fn at a place where lanes are missing. */
void uniform_call_apart(struct walk *w, kt_id fn);
/* Assigns the bits to variables that only some lanes set in the region. */
unsigned uniform_region_bits(const struct region *r);
void uniform_add_result(struct walk *w, unsigned bits);
void uniform_lanes_trap(struct walk *w);
void uniform_lanes_anywhere(struct walk *w);

/* ---- uniform_call.c ---- */

struct val uniform_call(struct walk *w, const struct kt_node *n);
/* Binds a reference of the function to the lvalue arg: it reads the value of arg, and a write
 * through it is a write to arg. */
void uniform_bind(struct walk *w, size_t slot, const struct kt_node *arg, unsigned bits);

/* ---- uniform_expr.c ---- */

/* Evaluates an assignment, also one that copies bytes by an operator= of the compiler. */
unsigned uniform_assign(struct walk *w, const struct kt_node *n);
bool uniform_hides_code(const struct uniformity *u, const struct kt_node *n, const char *signs);
void uniform_record(struct walk *w, const struct kt_node *n, unsigned bits);
struct val uniform_eval(struct walk *w, const struct kt_node *n);
unsigned uniform_value(struct walk *w, const struct kt_node *n);

/* ---- uniform_stmt.c ---- */

void uniform_stmt(struct walk *w, const struct kt_node *n);
void uniform_walk_function(struct uniformity *u, kt_id fn, struct node_table *record);

/* ---- uniform_waves.c ---- */

void uniform_waves_start(struct uniformity *u);
/* Does the binary expression of threadIdx.x have one value for each wave? */
bool uniform_is_wave_number(const struct walk *w, const struct kt_node *n);
/* The same by its text only: blocks are assumed to have one dimension. */
bool uniform_numbers_waves(const struct walk *w, const struct kt_node *n);
/* May the binary expression be the wave's number although its first operand depends on the lane's
 * number: by an unknown operand, or by a multiple of the wave's lanes? */
bool uniform_may_number_waves(const struct walk *w, const struct kt_node *n);
/* Is it threadIdx.y or z? Within a wave, unlike in a block, that is not a reason to differ: in most
 * blocks x has whole waves. */
bool uniform_is_row_of_block(const struct walk *w, const struct kt_node *n);

/* ---- uniform_step.c ---- */

/* Is the binary expression the condition of a loop that runs the same number of iterations for all
 * lanes that enter it together? */
bool uniform_is_in_step(const struct walk *w, const struct kt_node *n);
/* a * b, also where HIP's classes multiply gridDim.x by blockDim.x. */
bool uniform_is_product(const struct walk *w, const struct kt_node *n);
/* Is it arithmetic on constants and uniform variables? */
bool uniform_is_plain(const struct walk *w, const struct kt_node *n);
/* Does every iteration add the same number to the variable? */
bool uniform_steps(const struct walk *w, const struct kt_node *loop, kt_id var);

/* ---- uniform_range.c ---- */

/* BIT_* of the binary expression by the ranges of lane numbers; its operands give bits. */
unsigned uniform_by_range(const struct walk *w, const struct kt_node *n, unsigned bits);
/* The most threads of the blocks in which fn runs, by launch bounds; with usual, by these and the
 * unit's launches, or 0 if unknown. */
unsigned uniform_threads(struct uniformity *u, kt_id fn, bool usual);

/* ---- uniform_start.c ---- */

void uniform_see_node(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_see_open(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_see_captured(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_each_node(
	struct uniformity *u, void (*see)(struct uniformity *u, kt_id fn, const struct kt_node *n));
void uniform_start_function(struct uniformity *u, kt_id fn);
void uniform_start_symbols(struct uniformity *u);
