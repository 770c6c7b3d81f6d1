#pragma once
/*
 * Parameters of a launch, taken apart into numbers that can be chosen one by one: integers and
 * floats, which of several fills a buffer has, which shapes block and grid have. Internal to the
 * room.
 */
#include "base/array.h"
#include "kernel/kernel.h"
#include "verify/init/format.h"
#include "verify/init/trial.h"

enum slot_kind {
	SLOT_NUMBER,
	SLOT_FILL,  /* which of its buffer's fills: an index */
	SLOT_BLOCK, /* which of the kernel's shapes: an index */
	SLOT_GRID,
	SLOT_NULL, /* of a pointer that the code compares with null: 0 where it is */
};

struct slot {
	enum slot_kind kind;
	bool is_float;
	bool is_bool;
	bool is_enum;
	bool is_signed;
	int64_t size;  /* bytes of a number */
	size_t number; /* of the trial's numbers (SLOT_NUMBER, SLOT_NULL), or of the buffers */
	int64_t given; /* what the unit's own launch passes, or KT_NO_VALUE */
	/* literals that the code asks whether it equals, each once: modes, mostly */
	const int64_t *constant;
	size_t constants;
	const struct kt_type *type; /* of an enumeration, whose enumerators it has */
};

enum piece_kind {
	PIECE_NUMBER,
	PIECE_BUFFER,
	PIECE_RECORD, /* a value for each member */
	PIECE_LIST,   /* a value for each element */
	PIECE_BYTES,  /* bytes: zeros, but for the parts that stand at known places */
};

/* An argument, or a part of one. */
struct piece {
	enum piece_kind kind;
	const char *name;
	int64_t size; /* bytes of the object */
	size_t slot;  /* of a number; of a buffer its number */
	bool may_be_null;
	size_t null; /* the slot that says whether it is; of a buffer that may be null */
	/* of a part of bytes: where it stands, and what a number is */
	int64_t at;
	enum element_type type;
	struct piece *piece;
	size_t pieces;
};

enum {
	PARAMS_FIRST_LENGTH = 4096 /* of a buffer, until a launch needs more */
};

struct param_buffer {
	const char *name;
	const char *of; /* the source's name for what it is made of */
	enum element_type type;
	bool is_const;
	bool is_read;		  /* by what its text says; else a trial may show it */
	size_t length;		  /* elements, so far */
	size_t slot;		  /* of its fill */
	ARRAY(struct fill) fills; /* that it may have */
	size_t usual;		  /* of these, in front; after them what was compared with */
	size_t telling;		  /* the first of those that show what no random ones do */
	size_t tells;		  /* of those */
	size_t larger;		  /* of integers: the first of two with numbers of up to 63 */
	size_t odd;		  /* the one with infinities and NaNs; 0: there is none */
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
	ARRAY(int64_t) wholes; /* what it compares with, and values of cases */
	ARRAY(struct spec_shape) blocks;
	ARRAY(struct spec_shape) grids;
	/* of these, in front: with as many dimensions as the kernel asks for */
	size_t fitting_blocks;
	size_t fitting_grids;
	size_t block_slot;
	size_t grid_slot;
	unsigned lds;
	kt_id symbol;	 /* of the parameter while it is taken apart */
	kt_id parameter; /* the same of a pointer; 0: it is none */
	bool plain;	 /* records that are no plain ones: zeros, byte by byte */
};

struct params_job {
	const struct kt_unit *u;
	const struct kt_fn *fn;
	const struct intrinsic_db *intrinsics;
	const struct target *target;
	bool plain; /* all records are zeros */
};
void params_make(struct params *p, struct arena *a, const struct params_job *job);
void params_release(struct params *p);
/* Do the same choices of values mean the same for both kernels, as far as fills go that both have
 * from the beginning? */
bool params_match(const struct params *x, const struct params *y);
/* The fills and lengths that were found for a kernel that matches. */
void params_learn(struct params *p, const struct params *from);
/* What the unit's device code compares with, and all its float literals: numbers to try. */
void params_add_constants(struct params *p);
/* s->constant, of the parameter that is taken apart, or of its member at path. */
void params_find_constants(struct slot *s, const struct params *p, const char *path);
/* The C++ text of an argument for a trial. */
void params_cpp(struct sbuf *out, const struct piece *of, const struct params *p);
/* The same as YAML, with the numbers of value, one a slot. */
void params_yaml(struct sbuf *out, const struct piece *of, const struct params *p,
	const struct trial_number *value);
void params_yaml_fill(struct sbuf *out, const struct fill *f, enum element_type t);
void params_yaml_shape(struct sbuf *out, const struct spec_shape *s);
/* Do two choices of values differ in an argument? */
bool params_differ(const struct piece *of, const struct params *p, const struct trial_number *x,
	const struct trial_number *y);
