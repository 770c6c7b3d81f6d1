#pragma once
/*
 * The files of the uniformity analysis, and the functions they call in each other: uniform.c (the
 * fixpoint, queries), uniform_start.c (what it begins with), uniform_stmt.c, uniform_expr.c and
 * uniform_write.c (the walk), uniform_flow.c (values from place to place), uniform_memory.c
 * (loads), uniform_part.c (who is missing, and why), uniform_step.c, uniform_range.c,
 * uniform_waves.c, uniform_table.c.
 */
#include "analysis/lanes/uniform.h"
#include "base/array.h"
#include "base/map.h"
#include "base/msg.h"

/* What is known of a value. A pointer that may lead to private storage or LDS stays one, whatever
 * makes the pointer itself uniform. */
enum {
	BIT_LANE = 1 << 0,  /* may differ between lanes */
	BIT_LOCAL = 1 << 1, /* a pointer in it may lead to private storage or LDS */
	BIT_APART = 1 << 2, /* records only: the lanes of the wave may not be here together */
	/* with BIT_LANE, a reason to differ: it is made of the lane's own number, or of its wave's
	 * and nothing else of the lane's */
	BIT_MADE = 1 << 3,
	BIT_WAVE = 1 << 4,
	/* the same by what some call passes; and: it depends on an argument. What a call gives goes
	 * by its own arguments */
	BIT_MADE_PASSED = 1 << 5,
	BIT_WAVE_PASSED = 1 << 6,
	BIT_PARAM = 1 << 7,
	BIT_BOTH = BIT_LANE | BIT_LOCAL,
	BIT_REASON = BIT_MADE | BIT_WAVE | BIT_MADE_PASSED | BIT_WAVE_PASSED,
	BIT_OWN = BIT_REASON | BIT_PARAM,
	BIT_VALUE = BIT_BOTH | BIT_OWN,
};

/* Of an expression: its value, and its address if it is an lvalue. */
struct val {
	unsigned bits;
	unsigned addr;
};

/* A variable, or the object of a method (this). Where its value is followed, that is now, and bits
 * is what it ever is. */
struct slot {
	unsigned bits;
	unsigned now;
	unsigned start; /* of a parameter: what calls pass */
	unsigned whole; /* BIT_OWN of what it was set to other than member by member */
	unsigned seen;	/* the last look through changes that met it, ... */
	unsigned sum;	/* ... and of ways that come together, what they set, and how many do */
	unsigned ways;
	unsigned level; /* of the declaring region; 0: outlives the function's call */
	bool declared;
	bool written; /* references, this: the function writes through it ... */
	bool exposed; /* ... or lets its address escape */
	bool handed;  /* named otherwise than to call it, as a closure */
	bool bound;   /* a reference is bound to it */
	bool shared;  /* it is a reference to one address of LDS: init */
	const struct kt_node *init;
	const char *why;
};

/* Have the blocks in which a function runs one dimension? The greatest of all kernels counts. */
enum flat {
	FLAT_KNOWN,
	FLAT_ASSUMED,
	FLAT_NO
};

/* Memory that was written since the last barrier. */
struct dirt {
	bool all;
	struct locset set;
};

struct fn_state {
	bool called;
	bool constructor;
	bool opaque; /* jumps or hides code: nothing in it is known */
	bool hides;  /* some expression may jump: variables are not followed */
	bool seen;   /* a lambda's, and all that it does to what it captures is seen in its walk */
	bool apart;  /* some caller calls it where lanes are apart */
	bool leaves; /* lanes may end the kernel in it, apart from others */
	bool asked;  /* some answer was recorded */
	unsigned ret;
	bool sized;
	unsigned most; /* threads of its blocks; as far as is known, or 0 */
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
	struct arena *scratch; /* of one question */
	struct slot *slot; /* by symbol (a field's is static), then the this objects by function */
	struct fn_state *fn;
	struct node_table *record; /* by function: BIT_* of each node, made when asked for */
	size_t recorded;	   /* nodes in all of them */
	size_t recorded_max;
	size_t asked;		 /* nodes of the functions that were asked for */
	size_t walked;		 /* for answers; since recorded_max grew */
	struct node_table state; /* NODE_*, of loops, switches and loads */
	bool block;		 /* lanes are those of a work-group */
	enum flat *flat;	 /* by function; NULL: numbers of waves are not known */
	struct ids heads;	 /* of loops (uniform_flow.c) */
	struct head *last_head;
	struct ids causes;   /* of loops, switches and labels that lanes leave */
	struct ids members;  /* of variables: BIT_OWN of what each was set to */
	bool in_member;	     /* one is being written */
	struct ids partings; /* of calls, by the walk for answers: struct uniformity_cause */
	struct arena *flow;  /* of one walk */
	unsigned looks;
	bool reference_fields; /* some record holds a reference */
	bool virtuals;	       /* some method may be overridden */
	bool changed;
};

/* A variable that was set: to what, or what it was before. */
struct change {
	size_t slot;
	unsigned bits;
};
typedef ARRAY(struct change) change_array;

/* Ways that come together again. */
struct fork {
	size_t base;	   /* of the trail, where they part */
	change_array ends; /* what they set, way by way */
	unsigned ways;
	struct dirt first; /* where they part */
	struct dirt last;  /* over all ways */
};

struct region {
	struct region *up;
	unsigned level;
	bool apart;
	struct uniformity_cause cause;
	const struct kt_node *cond; /* decides who enters, or NULL */
	const struct kt_node *node; /* loop or switch: what break or continue leaves */
	struct fork *breaks;	    /* of those */
	struct fork *continues;
};

struct walk {
	struct uniformity *u;
	kt_id fn;
	struct region *here;
	struct region *leaving; /* of the arm around whose every path returns, or NULL */
	bool opaque;
	bool dead;	    /* nothing comes here */
	change_array trail; /* what variables were before they were set */
	struct dirt dirt;
	struct node_table *record; /* NULL while the fixpoint runs */
};

static inline const struct kt_sym *uniform_sym_of(const struct uniformity *u, kt_id sym)
{
	return &u->unit->sym[sym];
}

/* ---- uniform_flow.c ---- */

/* Is the variable's value followed from place to place? */
bool uniform_is_followed(const struct walk *w, size_t slot);
/* What a variable holds where the walk is; of one that is not followed, ever. */
unsigned uniform_now(const struct walk *w, size_t slot);
void uniform_set(struct walk *w, size_t slot, unsigned bits);
void uniform_fork(struct walk *w, struct fork *f);
/* The end of one way: back to where they part, unless it stays. */
void uniform_way(struct walk *w, struct fork *f, bool stays);
/* All ways together. differs: BIT_LANE (and BIT_OWN) where some lanes took one and some another. */
void uniform_join(struct walk *w, struct fork *f, unsigned differs);
/* A way without any change from where they part. */
void uniform_way_past(struct walk *w, struct fork *f);
/* What comes round to the head of a loop. */
void uniform_head(struct walk *w, const struct kt_node *loop);
void uniform_back(struct walk *w, const struct kt_node *loop, const struct fork *from);
/* A label of the switch whose ways are from; differs as above. */
void uniform_case(struct walk *w, const struct fork *from, unsigned differs);
void uniform_heads_release(struct uniformity *u);

/* ---- uniform_memory.c ---- */

/* A copy, which shares the set until one of the two grows. */
struct dirt uniform_dirt(struct dirt *d);
bool uniform_dirt_add(struct dirt *to, struct arena *a, const struct dirt *by);
/* What n writes counts as written since the last barrier; uniform_clean: nothing does. */
void uniform_soil(struct walk *w, const struct kt_node *n);
void uniform_clean(struct walk *w);
/* BIT_* of what the lvalue n holds, at an address of bits addr. */
unsigned uniform_load(struct walk *w, const struct kt_node *n, unsigned addr);
/* Does the function itself write what it loads here (the lvalue n, or what the pointer n points
 * to)? */
bool uniform_load_races(struct walk *w, const struct kt_node *n, bool pointer);
/* BIT_* of a reference that is bound to it. */
unsigned uniform_bound(struct val v);

/* BIT_* as the callee has them that are passed. */
static inline unsigned uniform_passed(unsigned bits)
{
	return (bits & BIT_BOTH) | BIT_PARAM |
	       (bits & (BIT_MADE | BIT_MADE_PASSED) ? BIT_MADE_PASSED : 0) |
	       (bits & (BIT_WAVE | BIT_WAVE_PASSED) ? BIT_WAVE_PASSED : 0);
}

/* BIT_* of what leaves a function, in every call. */
static inline unsigned uniform_left(unsigned bits)
{
	return (bits & (BIT_BOTH | BIT_MADE | BIT_WAVE)) | (bits & BIT_MADE_PASSED ? BIT_MADE : 0) |
	       (bits & BIT_WAVE_PASSED ? BIT_WAVE : 0);
}

/* ---- uniform_table.c ---- */

unsigned uniform_table_get(const struct node_table *t, const struct kt_node *n, unsigned dflt);
void uniform_table_set(struct node_table *t, const struct kt_node *n, unsigned value);
void uniform_table_release(struct node_table *t);
void uniform_state_add(struct uniformity *u, const struct kt_node *n, unsigned bits);
void uniform_set_flag(struct uniformity *u, bool *flag);

/* ---- uniform_write.c ---- */

size_t uniform_this_slot(const struct uniformity *u, kt_id fn);
void uniform_demote(struct uniformity *u, size_t slot, unsigned bits, const char *why);
/* The same of a parameter's first value. */
void uniform_pass(struct uniformity *u, size_t slot, unsigned bits, const char *why);
void uniform_expose_slot(struct uniformity *u, size_t slot, const char *why);
void uniform_expose_all(
	struct uniformity *u, const struct kt_node *root, kt_id fn, const char *why);
void uniform_write_slot(struct walk *w, size_t slot, unsigned bits, bool expose);
void uniform_write_call(struct walk *w, const struct kt_node *n);
/* BIT_OWN that the member n of a variable may have, if it is set by its name. */
unsigned uniform_member(const struct walk *w, const struct kt_node *n);
/* n, as a whole, gets a value of bits. */
void uniform_overwrite(struct walk *w, const struct kt_node *n, unsigned bits);
void uniform_write_to(struct walk *w, const struct kt_node *n, unsigned bits, bool expose);

/* ---- uniform_part.c ---- */

/* bits: of cond, which decides who enters. */
void uniform_region_enter(struct walk *w, struct region *r, unsigned bits,
	const struct kt_node *cond, const struct kt_node *node);
void uniform_region_leave(struct walk *w);
void uniform_region_part(struct walk *w, struct region *r, struct uniformity_cause cause);
unsigned uniform_apart_level(const struct walk *w);
bool uniform_lanes_apart(const struct walk *w);
/* Why, as far as it is known: of the lanes that are missing where the walk is. */
struct uniformity_cause uniform_cause(const struct walk *w);
/* BIT_OWN of what parts lanes inside of the region at that level. */
unsigned uniform_apart_bits(const struct walk *w, unsigned level);
struct uniformity_cause uniform_cause_of(unsigned bits, const struct kt_node *cond);
void uniform_lanes_return(struct walk *w);
void uniform_lanes_jump(struct walk *w, enum kt_kind kind);
void uniform_lanes_goto(struct walk *w, const struct kt_node *jump);
/* Why lanes are missing at that child of a block that jumps lead over, or around. */
struct uniformity_cause uniform_jumped_over(
	const struct walk *w, const struct kt_node *block, size_t child);
/* Calls fn where lanes are apart. */
void uniform_call_apart(struct walk *w, kt_id fn);
/* What variables get that some lanes set in the region. */
unsigned uniform_region_bits(const struct region *r);
void uniform_add_result(struct walk *w, unsigned bits);
void uniform_lanes_trap(struct walk *w);
void uniform_lanes_anywhere(struct walk *w);

/* ---- uniform_expr.c ---- */

void uniform_bind(struct walk *w, size_t slot, const struct kt_node *arg, unsigned bits);
bool uniform_hides_code(const struct uniformity *u, const struct kt_node *n, const char *signs);
void uniform_record(struct walk *w, const struct kt_node *n, unsigned bits);
struct val uniform_eval(struct walk *w, const struct kt_node *n);
unsigned uniform_value(struct walk *w, const struct kt_node *n);

/* ---- uniform_stmt.c ---- */

void uniform_stmt(struct walk *w, const struct kt_node *n);
void uniform_walk_function(struct uniformity *u, kt_id fn, struct node_table *record);

/* ---- uniform_waves.c ---- */

void uniform_waves_start(struct uniformity *u);
/* Is the binary expression one of threadIdx.x that has one value for each wave? */
bool uniform_is_wave_number(const struct walk *w, const struct kt_node *n);
/* The same as far as its text tells: blocks are taken to have one dimension. */
bool uniform_numbers_waves(const struct walk *w, const struct kt_node *n);
/* May the binary expression be a number of the wave, though its first operand is made of the lane's
 * own: for an operand that is not known, or by a multiple of the wave's lanes? */
bool uniform_may_number_waves(const struct walk *w, const struct kt_node *n);
/* Is it threadIdx.y or z? For a wave, unlike for a block, that is no reason to differ: blocks are
 * mostly made of whole waves in x. */
bool uniform_is_row_of_block(const struct walk *w, const struct kt_node *n);

/* ---- uniform_step.c ---- */

/* Is the binary expression the condition of a loop that all lanes which entered it together take as
 * many turns of? */
bool uniform_is_in_step(const struct walk *w, const struct kt_node *n);
/* The slot of a variable of the function that is never written after its declaration, or NULL. */
const struct slot *uniform_kept(const struct walk *w, const struct kt_node *n);
/* a * b, also where HIP's classes multiply gridDim.x by blockDim.x. */
bool uniform_is_product(const struct walk *w, const struct kt_node *n);
/* Is it made of constants, and of variables with one value for all lanes, by arithmetic? */
bool uniform_is_plain(const struct walk *w, const struct kt_node *n);
/* Does every iteration add one and the same to the variable? */
bool uniform_steps(const struct walk *w, const struct kt_node *loop, kt_id var);

/* ---- uniform_range.c ---- */

/* BIT_* of the binary expression, whose operands give bits, by what numbers of lanes can be. */
unsigned uniform_by_range(const struct walk *w, const struct kt_node *n, unsigned bits);
/* Is the sum threadIdx.y * blockDim.x + threadIdx.x? */
bool uniform_is_linear_id(const struct walk *w, const struct kt_node *sum);
/* The most threads that blocks have in which fn runs, by launch bounds; or, usual, as far as those
 * and the unit's launches tell, 0 where they do not. */
unsigned uniform_threads(struct uniformity *u, kt_id fn, bool usual);

/* ---- uniform_start.c ---- */

void uniform_see_node(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_see_open(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_see_captured(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_each_node(
	struct uniformity *u, void (*see)(struct uniformity *u, kt_id fn, const struct kt_node *n));
void uniform_start_function(struct uniformity *u, kt_id fn);
void uniform_start_symbols(struct uniformity *u);
