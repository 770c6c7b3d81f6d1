#pragma once
/*
 * The builtins of a GPU and what each does, from rules/intrinsics.yaml: matrix operations (mfma,
 * smfmac, wmma), convergent and cross-lane operations, barriers, pure functions. Names are those of
 * the source (__builtin_amdgcn_mfma_f32_16x16x16f16, __syncthreads, expf, ...).
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

enum intrinsic_kind {
	INTRINSIC_NONE,	     /* unknown: the caller must assume the worst */
	INTRINSIC_PURE,	     /* reads only its arguments, no effect: expf, fmaf, __builtin_fabsf */
	INTRINSIC_UNIFORM,   /* pure, and the result is the same for all lanes: blockIdx getters */
	INTRINSIC_LANE,	     /* pure, and the result differs per lane: threadIdx getters, mbcnt */
	INTRINSIC_MATRIX,    /* mfma, smfmac, wmma: ignores EXEC on CDNA */
	INTRINSIC_CROSSLANE, /* shuffles, ds_bpermute, dpp, ballot, readlane: convergent, no memory
			      */
	INTRINSIC_BARRIER,   /* __syncthreads, s_barrier: convergent, orders all memory */
	INTRINSIC_FENCE,     /* memory or scheduling fence, wave_barrier, sched_barrier, waitcnt:
				orders, not convergent across waves */
	INTRINSIC_ATOMIC,    /* reads and writes the memory its pointer names */
	INTRINSIC_LOAD, /* reads the memory its pointer argument names (__builtin_nontemporal_load)
			 */
	INTRINSIC_STORE,
	INTRINSIC_ASYNC, /* global_load_lds and its like: reads global, writes LDS, unordered */
	INTRINSIC_TRAP,	 /* abort, trap, assert: may leave */
	INTRINSIC_UNREACHABLE, /* undefined if it is reached */
};

/* The form within a kind, where an analysis depends on it. */
enum intrinsic_form {
	FORM_NONE,
	/* the position in the launch */
	FORM_THREAD_INDEX,
	FORM_BLOCK_INDEX,
	FORM_BLOCK_SIZE,
	FORM_GRID_SIZE,
	FORM_WAVE_SIZE,
	/* of cross-lane operations with one result for all lanes of a wave: the value of */
	FORM_FIRST_LANE,
	FORM_ONE_LANE,	/* the lane that the last argument names */
	FORM_ALL_LANES, /* a combination of all lanes */
	FORM_FRESH,	/* a load that reads memory again */
	/* of barriers */
	FORM_BLOCK, /* all lanes of the work-group wait, and memory is ordered */
	FORM_BARE,  /* all lanes wait; memory is not ordered */
	FORM_VALUE, /* FORM_BLOCK, and the result combines values of all lanes */
	FORM_WAVE,  /* only the lanes of a wave */
	FORM_GRID,  /* the lanes of all work-groups */
	FORM_FENCE, /* memory is ordered as the arguments say */
};

struct intrinsic {
	const char *name;
	enum intrinsic_kind kind;
	enum intrinsic_form form;
	char dimension; /* of a position in the launch: 'x', 'y', 'z'; 0: all three */
	int acc_arg;	/* matrix: index of the accumulator operand; -1: by its type */
	/* a prototype for versions of libclang that lack it, or NULL; without storage class,
	 * function attributes and ';' */
	const char *signature;
};

struct intrinsic_db {
	struct map by_name;		  /* name, or prefix with its '*' -> struct intrinsic* */
	size_t prefix_least, prefix_most; /* bytes before the '*'; 0: there is none */
};

/* Reads YAML text. FAIL_USAGE after a message with line and column. The entries live in a. A second
 * load into the same database adds to it; a name given again replaces the earlier one. */
int intrinsic_db_load(struct intrinsic_db *out, struct arena *a, struct str yaml, const char *file);
/* Embedded rules/intrinsics.yaml. */
int intrinsic_db_builtin(struct intrinsic_db *out, struct arena *a);
/* Adds a function: a matrix operation with that accumulator argument, or another kind (acc_arg
 * -1). */
void intrinsic_db_add(struct intrinsic_db *db, struct arena *a, const char *name,
	enum intrinsic_kind kind, int acc_arg);
/* NULL if unknown. An entry has an exact name or a prefix ("__builtin_amdgcn_mfma_*"). An exact
 * name wins over a prefix, a longer prefix over a shorter one. */
const struct intrinsic *intrinsic_find(const struct intrinsic_db *db, struct str name);
/* Does a function, an instruction or a word of inline assembly of that name read a clock? */
bool intrinsic_reads_clock(const struct intrinsic_db *db, struct str name);
/* The form of threadIdx and similar variables, by name; else FORM_NONE. */
enum intrinsic_form intrinsic_of_variable(const struct intrinsic_db *db, const char *name);
/* Is it threadIdx, blockIdx, blockDim or gridDim, or one dimension of it? */
static inline bool intrinsic_is_index(enum intrinsic_form form)
{
	return form >= FORM_THREAD_INDEX && form <= FORM_GRID_SIZE;
}
void intrinsic_db_release(struct intrinsic_db *db);
