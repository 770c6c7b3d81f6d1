#pragma once
/*
 * The parameters of a launch as numbers (slots) that the search can vary one by one: integers,
 * floats, the index of a buffer's fill, the index of a block or grid shape. Internal to init/.
 */
#include "base/array.h"
#include "kernel/kernel.h"
#include "verify/init/format.h"
#include "verify/init/trial.h"

enum slot_kind {
	SLOT_NUMBER,
	SLOT_FILL,  /* index of its buffer's fill */
	SLOT_BLOCK, /* index of the block's shape */
	SLOT_GRID,
	SLOT_NULL, /* for a pointer that the code compares with null: 0 is null */
};

struct slot {
	enum slot_kind kind;
	bool is_float;
	bool is_bool;
	bool is_enum;
	bool is_signed;
	int64_t size;  /* bytes of a number */
	size_t number; /* index: SLOT_NUMBER, SLOT_NULL among the numbers; else the buffer */
	int64_t given; /* the value in the file's own launch, or KT_NO_VALUE */
	/* literals that the code tests it against for equality, each once: usually modes */
	const int64_t *constant;
	size_t constants;
	const struct kt_type *type; /* for an enumeration: its type */
};

enum piece_kind {
	PIECE_NUMBER,
	PIECE_BUFFER,
	PIECE_RECORD, /* a value for each member */
	PIECE_LIST,   /* a value for each element */
	PIECE_BYTES,  /* bytes: zeros, except parts at known offsets */
};

/* An argument, or a part of one. */
struct piece {
	enum piece_kind kind;
	const char *name;
	int64_t size; /* bytes of the object */
	size_t slot;  /* of a number; for a buffer its number */
	bool may_be_null;
	size_t null; /* the SLOT_NULL of a buffer that may be null */
	/* for a part of PIECE_BYTES: its offset, and the type of its number */
	int64_t at;
	enum element_type type;
	struct piece *piece;
	size_t pieces;
};

enum {
	PARAMS_FIRST_LENGTH = 4096 /* elements of a buffer, until a launch needs more */
};

struct param_buffer {
	const char *name;
	const char *of; /* the source's name for its element type */
	enum element_type type;
	bool is_const;
	bool is_read;		  /* by the source; a trial may also show it */
	size_t length;		  /* in elements, so far */
	size_t slot;		  /* of its fill */
	ARRAY(struct fill) fills; /* its possible fills */
	size_t usual;	   /* how many of the first are standard; then values from comparisons */
	size_t revealing;  /* fills that show faults which random ones hide: the first, */
	size_t revealings; /* and how many */
	size_t larger;	   /* of integers: the first of two fills with numbers of up to 63 */
	size_t whole;	   /* of integers: the fill with all numbers of the type; else 0 */
	size_t odd;	   /* index of the fill with infinities and NaNs; 0: none */
};

struct params {
	struct arena *a;
	const struct kt_unit *u;
	const struct kt_fn *fn;
	struct formats formats;
	ARRAY(struct slot) slots;
	ARRAY(struct param_buffer) buffers;
	ARRAY(struct piece) arguments;
	size_t numbers;
	ARRAY(double) reals;   /* literals of the unit's device code */
	ARRAY(int64_t) wholes; /* values in its comparisons and case labels */
	ARRAY(struct spec_shape) blocks;
	ARRAY(struct spec_shape) grids;
	/* the first ones: shapes with the kernel's number of dimensions */
	size_t fitting_blocks;
	size_t fitting_grids;
	bool reads_block; /* the code reads the size of a block */
	size_t block_slot;
	size_t grid_slot;
	unsigned lds;
	kt_id symbol;	 /* the parameter being split into pieces */
	kt_id parameter; /* the same if it is a pointer; else 0 */
	bool plain;	 /* all records are PIECE_BYTES */
};

struct params_job {
	const struct kt_unit *u;
	const struct kt_fn *fn;
	const struct intrinsic_db *intrinsics;
	const struct target *target;
	bool plain; /* all records are PIECE_BYTES */
};
void params_make(struct params *p, struct arena *a, const struct params_job *job);
void params_release(struct params *p);
/* Do the same slot values mean the same for both kernels, not counting fills added later? */
bool params_match(const struct params *x, const struct params *y);
/* Copies the fills and lengths found for a matching kernel. */
void params_learn(struct params *p, const struct params *from);
/* Collects numbers to try: the constants in the device code's comparisons, and all its float
 * literals. */
void params_add_constants(struct params *p);
/* Fills s->constant for the parameter being split, or its member at path. */
void params_find_constants(struct slot *s, const struct params *p, const char *path);
/* The C++ text of an argument for a trial. */
void params_cpp(struct sbuf *out, const struct piece *of, const struct params *p);
/* The same as YAML, with the numbers in value, one per slot. */
void params_yaml(struct sbuf *out, const struct piece *of, const struct params *p,
	const struct trial_number *value);
void params_yaml_fill(struct sbuf *out, const struct fill *f, enum element_type t);
void params_yaml_shape(struct sbuf *out, const struct spec_shape *s);
/* Do two sets of values differ in an argument? */
bool params_differ(const struct piece *of, const struct params *p, const struct trial_number *x,
	const struct trial_number *y);
