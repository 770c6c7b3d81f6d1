#pragma once
/*
 * The class of memory that an access may touch: LDS, global memory, memory that the kernel only
 * reads, or private. It has no addresses, because lanes use different addresses in one expression.
 *
 * A pointer has the classes of all its possible sources in the unit, without the order of
 * statements. Pointers in records, in arrays, or reached through other pointers or references share
 * one cell: a load from there may give a value stored in any of them. Pointers from unknown code
 * (integers, unknown functions, unions, functions with asm or jumps, callers in other units) may
 * point to LDS and global memory.
 *
 * The memory of a kernel's `const T *__restrict__` parameter is read only, unless code writes
 * through a pointer derived from it: then it counts as global memory everywhere.
 */
#include "analysis/facts/facts.h"
#include "analysis/lanes/uniform.h"

enum space {
	SPACE_SHARED = 1 << 0,
	SPACE_GLOBAL = 1 << 1,
	SPACE_READ_ONLY = 1 << 2,
	SPACE_PRIVATE = 1 << 3,
	SPACE_ANY = SPACE_SHARED | SPACE_GLOBAL,
};

struct spaces;

/* f and uniformity must outlive it; everything lives in a. */
struct spaces *spaces_create(struct facts *f, const struct uniformity *uniformity, struct arena *a);
/* The memory of the object that the lvalue n names; SPACE_PRIVATE also for temporaries, 0 for
 * constants. */
unsigned spaces_of_lvalue(struct spaces *s, const struct kt_node *n);
/* The memory that a local or parameter that is a pointer may point to, over all its values. */
unsigned spaces_of_variable(const struct spaces *s, kt_id sym);
/* The memory that the pointer (or array) n may point to. */
unsigned spaces_of_pointer(struct spaces *s, const struct kt_node *n);
