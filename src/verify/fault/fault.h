#pragma once
/*
 * Plants typical mistakes (faults) into the code that a unit's kernels reach, in its main file and
 * in the headers that are not the system's: a bound off by one, a missing condition, a dropped
 * term, swapped operands, a missing barrier, a wrong index, stride or initial value. The texts hold
 * all faults; a number switches on one of them:
 *
 * BEFORE  if (i < n) { out[i] = a + b; }
 * AFTER   if (i < ((n) + __unphi_fault(1))) { out[i] = a + __unphi_drop(2, (b)); }
 *
 * launch_faults.hpp defines these functions. Line numbers are those of the original.
 */
#include "base/map.h"
#include "base/vfs.h"
#include "kernel/kernel.h"
#include "target/intrinsic.h"

enum fault_kind {
	FAULT_BOUND,	 /* one more or one less on the right of a comparison */
	FAULT_CONDITION, /* always true, or always false */
	FAULT_TERM,	 /* a term or factor left out */
	FAULT_OPERAND,	 /* another operand, or two swapped */
	FAULT_STRIDE,	 /* another size of the same type */
	FAULT_INDEX,
	FAULT_START, /* another initial value */
	FAULT_BARRIER,
	FAULT_CALL,	  /* a call replaced by its first argument */
	FAULT_ASSIGNMENT, /* left out */
	FAULT_KIND_COUNT
};

struct fault {
	enum fault_kind kind;
	kt_id file;
	uint32_t at; /* byte offset in the file */
	unsigned line;
	const char *what; /* "'n' becomes '0'" */
};

struct faults {
	struct fault *v; /* number 1 is v[0] */
	size_t n;
	struct str text;	   /* of the main file, with all of its faults */
	struct stand_in *in_place; /* the same of headers that have faults */
	size_t in_places;
};

/* Plants faults into the code that the unit's kernels reach, one at each place, except at the
 * places in avoid (map_set_u64, fault_line_key). Lives in a. */
void faults_plant(struct faults *out, struct arena *a, struct kt_unit *u,
	const struct intrinsic_db *intrinsics, const struct map *avoid);
/* The key of a line in avoid. */
static inline uint64_t fault_line_key(kt_id file, unsigned line)
{
	return (uint64_t)file << 32 | line;
}

/* Marks fn and its callees, transitively; called has an element for each function. */
void fault_mark_called(bool *called, const struct kt_unit *u, kt_id fn);
/* The numbers of the faults in code that a kernel reaches, in a; returns how many. */
size_t faults_of_kernel(unsigned **out, struct arena *a, const struct faults *f,
	const struct kt_unit *u, kt_id kernel);
