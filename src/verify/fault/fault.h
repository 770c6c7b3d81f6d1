#pragma once
/*
 * Faults planted into the kernels of a unit's main file, of the kinds that people make: a bound
 * off by one, a condition left out, a term dropped, operands swapped, a barrier left out, a wrong
 * index, stride or initial value. All of them stand in one text, each switched on by its number:
 *
 * BEFORE  if (i < n) { out[i] = a + b; }
 * AFTER   if (i < ((n) + __unphi_fault(1))) { out[i] = a + __unphi_drop(2, (b)); }
 *
 * launch_faults.hpp defines these functions. The text has the lines of the original.
 */
#include "base/map.h"
#include "kernel/kernel.h"
#include "target/intrinsic.h"

enum fault_kind {
	FAULT_BOUND,	 /* one more or one less on the right of a comparison */
	FAULT_CONDITION, /* one that always holds, or never */
	FAULT_TERM,	 /* a term or factor left out */
	FAULT_OPERAND,	 /* another one, or two that are swapped */
	FAULT_STRIDE,	 /* another size of the same type */
	FAULT_INDEX,
	FAULT_START, /* another initial value */
	FAULT_BARRIER,
	FAULT_CALL,	  /* the first argument in the place of what is made of it */
	FAULT_ASSIGNMENT, /* left out */
	FAULT_KIND_COUNT
};

struct fault {
	enum fault_kind kind;
	uint32_t at; /* byte offset in the main file */
	unsigned line;
	const char *what; /* "'n' becomes 'n + 1'" */
};

struct faults {
	struct fault *v; /* number 1 is v[0] */
	size_t n;
	struct str text; /* of the main file, with all of them */
};

/* Plants into what the unit's kernels reach, once at each place, but not in lines that avoid has
 * (map_set_u64). Lives in a. */
void faults_plant(struct faults *out, struct arena *a, struct kt_unit *u,
	const struct intrinsic_db *intrinsics, const struct map *avoid);
/* Marks fn and what it calls; called has an element a function. */
void fault_mark_called(bool *called, const struct kt_unit *u, kt_id fn);
/* The numbers of the faults that a kernel reaches, in a; returns how many. */
size_t faults_of_kernel(unsigned **out, struct arena *a, const struct faults *f,
	const struct kt_unit *u, kt_id kernel);
