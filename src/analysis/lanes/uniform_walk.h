#pragma once
/*
 * The files of the uniformity analysis, and the functions they call in each other: uniform.c (the
 * fixpoint, queries), uniform_start.c (what it begins with), uniform_stmt.c, uniform_expr.c and
 * uniform_write.c (the walk), uniform_waves.c, uniform_table.c.
 */
#include "analysis/lanes/uniform.h"
#include "base/msg.h"

/* What is known of a value. A pointer that may lead to private storage or LDS stays one, whatever
 * makes the pointer itself uniform. */
enum {
	BIT_LANE = 1 << 0,  /* may differ between lanes */
	BIT_LOCAL = 1 << 1, /* a pointer in it may lead to private storage or LDS */
	BIT_APART = 1 << 2, /* records only: the lanes of the wave may not be here together */
	BIT_BOTH = BIT_LANE | BIT_LOCAL,
};

/* Of an expression: its value, and its address if it is an lvalue. */
struct val {
	unsigned bits;
	unsigned addr;
};

/* A variable, or the object of a method (this). */
struct slot {
	unsigned bits;
	unsigned level; /* of the declaring region; 0: outlives the function's call */
	bool declared;
	bool written; /* references, this: the function writes through it ... */
	bool exposed; /* ... or lets its address escape */
	bool handed;  /* named otherwise than to call it, as a closure */
	const struct kt_node *init;
	const char *why;
};

/* Have the blocks in which a function runs one dimension? The greatest of all kernels counts. */
enum flat {
	FLAT_KNOWN,
	FLAT_ASSUMED,
	FLAT_NO
};

struct fn_state {
	bool called;
	bool constructor;
	bool wild;   /* jumps or hides code: nothing in it is known */
	bool seen;   /* a lambda's, and all that it does to what it captures is seen in its walk */
	bool apart;  /* some caller calls it where lanes are apart */
	bool leaves; /* lanes may end the kernel in it, apart from others */
	bool asked;  /* some answer was recorded */
	unsigned ret;
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
	bool reference_fields;	 /* some record holds a reference */
	bool virtuals;		 /* some method may be overridden */
	bool changed;
};

struct region {
	struct region *up;
	unsigned level;
	bool apart;
	const struct kt_node *node; /* loop or switch: what break or continue leaves */
};

struct walk {
	struct uniformity *u;
	kt_id fn;
	struct region *here;
	struct region *leaving; /* of the arm around whose every path returns, or NULL */
	bool wild;
	struct node_table *record; /* NULL while the fixpoint runs */
};

/* ---- uniform_table.c ---- */

unsigned uniform_table_get(const struct node_table *t, const struct kt_node *n, unsigned dflt);
void uniform_table_set(struct node_table *t, const struct kt_node *n, unsigned value);
void uniform_table_release(struct node_table *t);
void uniform_state_add(struct uniformity *u, const struct kt_node *n, unsigned bits);

/* ---- uniform_write.c ---- */

const struct kt_sym *uniform_sym_of(const struct uniformity *u, kt_id sym);
size_t uniform_this_slot(const struct uniformity *u, kt_id fn);
void uniform_demote(struct uniformity *u, size_t slot, unsigned bits, const char *why);
void uniform_set_flag(struct uniformity *u, bool *flag);
void uniform_expose_slot(struct uniformity *u, size_t slot, const char *why);
void uniform_region_enter(struct walk *w, struct region *r, bool apart, const struct kt_node *node);
void uniform_region_leave(struct walk *w);
void uniform_region_part(struct walk *w, struct region *r);
unsigned uniform_apart_level(const struct walk *w);
bool uniform_lanes_apart(const struct walk *w);
void uniform_lanes_return(struct walk *w);
void uniform_lanes_jump(struct walk *w, enum kt_kind kind);
void uniform_add_result(struct walk *w, unsigned bits);
void uniform_lanes_trap(struct walk *w);
void uniform_lanes_anywhere(struct walk *w);
void uniform_expose_all(
	struct uniformity *u, const struct kt_node *root, kt_id fn, const char *why);
void uniform_write_slot(struct walk *w, size_t slot, unsigned bits, bool expose);
void uniform_write_call(struct walk *w, const struct kt_node *n);
void uniform_write_to(struct walk *w, const struct kt_node *n, unsigned bits, bool expose);

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

/* ---- uniform_step.c ---- */

/* Is the binary expression the condition of a loop that all lanes which entered it together take as
 * many turns of? */
bool uniform_is_in_step(const struct walk *w, const struct kt_node *n);

/* ---- uniform_start.c ---- */

void uniform_see_node(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_see_open(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_see_captured(struct uniformity *u, kt_id fn, const struct kt_node *n);
void uniform_each_node(
	struct uniformity *u, void (*see)(struct uniformity *u, kt_id fn, const struct kt_node *n));
void uniform_start_function(struct uniformity *u, kt_id fn);
void uniform_start_symbols(struct uniformity *u);
