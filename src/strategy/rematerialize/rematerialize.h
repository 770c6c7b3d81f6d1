#pragma once
/*
 * Fragments: wide private variables that are set from memory before loops that only read them, each
 * with its instances in all parses of a file. rematerialize.c has the clauses.
 */
#include "analysis/facts/liveness.h"
#include "analysis/memory/space.h"
#include "base/array.h"
#include "strategy/plan/plan.h"

/* A statement of the block that declares the fragment. */
struct fragment_part {
	const struct kt_node *node;
	struct fx fx;
	bool sets;  /* it writes or initializes the fragment */
	bool reads; /* it */
};

/* One instance. */
struct fragment_instance {
	const struct parse *parse;
	struct spaces *spaces;
	const struct kt_node *decl; /* KT_DECL */
	const struct kt_node *var;  /* KT_VAR */
	kt_id fn;
	/* from the declaration to the last reader */
	struct fragment_part *part;
	size_t parts;
};

/* One fragment of the source text. */
struct fragment {
	const char *path;
	bool main; /* in the file on the command line */
	size_t begin;
	size_t end;	/* of the declaration */
	size_t name_at; /* of its name */
	const char *name;
	unsigned width; /* VGPRs per lane, of the widest instance */
	struct fragment_instance *instance;
	size_t instances;
};

extern const char *const fragment_variants[];

/* Widest first; everything lives in a. */
void fragments_find(struct fragment **out, size_t *n, struct arena *a, const struct parse *parse,
	size_t parses);
/* Adds the symbols of the kernels that reach it; the caller releases the map. */
void fragment_kernels(struct map *out, struct arena *a, const struct fragment *f);
/* The site for strategy_plan; lives in a, and points into f. */
struct site fragment_site(struct arena *a, const struct fragment *f);
void rematerialize_plan(struct plan *p, const char *variant);

/* ---- for rematerialize*.c ---- */

/* In the order of fragment_variants. */
enum fragment_form {
	FRAGMENT_LOOP,	  /* in the block of the outermost loop */
	FRAGMENT_ELEMENT, /* in place of each element; addresses get the offset of FRAGMENT_LOOP */
	FRAGMENT_UNROLLED /* the same, with #pragma unroll on the loops that index it */
};

struct fragment_plan {
	struct plan p;
	const struct fragment_instance *in;
	struct kt_unit *u;
	struct facts *f;
	kt_id sym;
	enum fragment_form form; /* the variant */
};

enum {
	FRAGMENT_LOOPS = 4 /* dimensions of a fragment that is read by element */
};

/* The value of an element: the loop of each index, and the expression. */
struct fragment_value {
	struct fragment_loop {
		const struct kt_node *node;
		struct counted_loop is;
	} loop[FRAGMENT_LOOPS];
	size_t loops;
	const struct kt_node *expr;
	const struct kt_type *type; /* of the element */
	bool cast;		    /* expr has another type */
};

/* The place of the loads in a statement that reads the fragment. */
struct fragment_place {
	const struct kt_node *block;  /* a compound inside a loop */
	const struct kt_node *before; /* the first statement that reads it; NULL: none */
};

/* The next reference to the fragment after n below root, or NULL; n NULL: the first. */
const struct kt_node *fragment_next_use(
	const struct kt_node *n, const struct kt_node *root, kt_id sym);
void fragment_place_find(
	struct fragment_place *out, const struct fragment_plan *r, const struct kt_node *reader);
/* The widest part of the fragment that the reference is the base of: q[r][i].x of q. */
const struct kt_node *fragment_access(const struct kt_node *n);
/* Is this an LDS location that no lane writes from the fragment's declaration to the kernel's
 * end? */
bool fragment_lds_is_final(struct fragment_plan *r, loc_id loc);
unsigned fragment_line(const struct fragment_plan *r, const struct kt_node *n);
/* Is n (an argument, operand or initializer) bound to a reference, or an object? */
bool fragment_is_bound(const struct kt_unit *u, const struct kt_node *n);
/* Clauses 8 to 10. False: refused. */
bool fragment_elements(struct fragment_plan *r, struct fragment_value *v);
/* Adds edits in [begin, end), relative to begin, that add the offset to the pointers below n,
 * except those declared in root. Returns how many. */
size_t fragment_add_offsets(struct edit_list *l, struct fragment_plan *r,
	const struct kt_node *root, size_t begin, size_t end, const struct kt_node *n,
	const char *offset);
/* Replaces the elements that reader reads. Returns how many addresses got the offset. */
size_t fragment_edit_elements(struct fragment_plan *r, const struct fragment_value *v,
	const struct kt_node *reader, const char *offset);
/* All edits and needs of a legal plan; v: for the forms by element. */
void fragment_edit(struct fragment_plan *r, const struct fragment_value *v);
