#pragma once
/*
 * Which memory an access may touch, as far as other lanes are concerned: LDS, global memory, memory
 * that the kernel only reads, or the lane's own. Classes, not addresses: lanes reach different
 * addresses through one expression.
 *
 * A pointer is of the class of everything that it may be made of, over the whole unit and in no
 * order. Pointers in records, in arrays, or reached through other pointers or references share one
 * cell: a load from there may give whatever was stored in any of them. Code that is not understood
 * (pointers made of integers or by code that is not seen, unions, functions with asm or jumps,
 * callers in other units) may be LDS and global memory.
 *
 * The memory of a kernel's `const T *__restrict__` parameter is read only, unless something is
 * written through a pointer made of it: then it counts as global memory everywhere.
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
