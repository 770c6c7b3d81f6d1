#pragma once
/*
 * Causes of spills other than wide merges, told apart by compiling: a kernel without launch bounds,
 * which the compiler keeps within the registers that 1024 threads a block leave; and a kernel that
 * spills with one arm of every wide merge alone, which does not say that no rewrite helps. And the
 * probe: a flag that takes the copies out of uniform merges shows which kernels have some, and the
 * compiler's IR where. And accesses side by side that the compiler left apart, and matrix results
 * that it copies between two kinds of registers; and conditions of a wave's own;
 * and loads under a condition of each lane; and arms that call instances of one function template.
 */
#include "choose/choose.h"

enum cause_kind {
	CAUSE_BOUNDS = 1 << 0,
	CAUSE_FLOOR = 1 << 1,
	CAUSE_PROBE = 1 << 2,
	CAUSE_ACCESS = 1 << 3,
	CAUSE_FORM = 1 << 4,
	CAUSE_WAVE = 1 << 5,
	CAUSE_GUARDED = 1 << 6,
	CAUSE_ARMS = 1 << 7,
	CAUSE_END = 1 << 8,
};

/* The causes that lint --measure looks for. */
#define CAUSE_MEASURED ((unsigned)(CAUSE_END - 1) & ~(unsigned)CAUSE_PROBE)

struct cause_note {
	const char *path; /* NULL: no place */
	struct str source;
	size_t at;
	const char *text;
};

struct cause {
	enum cause_kind kind;
	const char *function; /* the kernel's name, with template arguments */
	const char *path;     /* its place, and the file's text */
	struct str source;
	size_t at;
	size_t end;
	const char *text; /* the measurement, in words */
	struct cause_note *note;
	size_t notes;
	const char *insert;	 /* the remedy, inserted before at; or NULL */
	const struct edit *edit; /* the remedy, if it is more than an insertion */
	size_t edits;
	unsigned weight; /* VGPR spills in question */
	bool fails;	 /* an error: such a launch fails */
	bool gains;	 /* a warning: the edit measured more waves */
};

/* wanted: bits of enum cause_kind. Takes one compile, and more if a kernel spills. FAIL_INPUT or
 * FAIL_USAGE after a message. *out lives in a. */
int causes_find(struct cause **out, size_t *n, struct arena *a, const struct choose_job *job,
	unsigned wanted);
