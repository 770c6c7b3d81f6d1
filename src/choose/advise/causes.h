#pragma once
/*
 * Causes of spills and low occupancy other than wide merges, found by compiling. A kernel without
 * launch bounds: the compiler limits it to the registers that blocks of 1024 threads leave. A
 * kernel that spills even with only one arm of every wide merge; a rewrite may still help. The
 * probe: a flag that removes the copies at uniform merges shows which kernels have them, and the
 * compiler's IR shows where. Adjacent accesses that the compiler does not combine. Matrix results
 * that it copies between two kinds of registers. Conditions on the wave's number. Loads under a
 * per-lane condition. Arms that call instances of one function template.
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
