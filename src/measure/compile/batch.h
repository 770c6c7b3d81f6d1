#pragma once
/*
 * Compiles side by side, each out of the cache where it is known, drafts with a precompiled header
 * and of a few kernels only where that is quicker. Whatever a quicker way does not compile is
 * compiled as it is. Internal to the room.
 */
#include "base/array.h"
#include "base/map.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/compile_cache.h"
#include "measure/compile/pch.h"

/* A compile of a job: to assembly or to IR. */
struct compile {
	const struct measure_job *job;
	const char *const *words; /* the command, but for the file */
	bool ir;
	const char *linked;	   /* the linker writes to this file; or NULL */
	const char *written;	   /* a launched compile writes to this file; or NULL */
	const char *launcher_said; /* when it did not compile it; or NULL */
	struct str key;		   /* in the cache; n 0: is not kept */
	struct str draft_key;	   /* the same with a precompiled header or in part; n 0: without */
	struct pch *pch;	   /* or NULL */
	const char *file;	   /* that is compiled: the job's, or with pch a copy */
	const char *rule;	   /* the file for the make rule, or NULL */
	bool part;		   /* code for the job's kernels only */
	const char *part_ir;	   /* the file of their IR */
	size_t same_as;		   /* an earlier one that is the same, or itself */
	bool cached;
	struct str stamps;
	struct proc_result result;
	double front_s;	    /* of a part: what its front end took */
	struct pch *failed; /* did not compile with this one */
};

enum step_kind {
	STEP_HEADER, /* makes the precompiled header */
	STEP_WHOLE,
	STEP_FRONT, /* to IR */
	STEP_PART   /* from IR to code */
};

/* A process to run. */
struct step {
	enum step_kind kind;
	struct compile *compile;
	const char *const *argv;
};

struct compile_batch {
	struct arena *a;
	struct compile_cache *kept;
	struct pch_set headers;
	struct compile *compile;
	size_t n;
	ARRAY(struct step) steps; /* that can be run, in order */
	size_t begun;
	struct map said;  /* words -> what the driver said to -###; const struct str *, or NULL */
	struct map hipcc; /* what hipcc runs (hipcc_command) */
	const struct measure_observer *observer;
	size_t ended; /* of the compiles that run */
	size_t run;
	size_t needed; /* of these, that have not ended well */
};

/* Fills in the result of each compile: b->compile, job and ir. */
void compile_batch_run(struct compile_batch *b, unsigned parallel);
void compile_batch_release(struct compile_batch *b);

/* Where the job has texts in place of files, the words that say so. */
void measure_add_overlay(struct words *out, const struct measure_job *job);
/* The command for a job, but for the file; the output goes to stdout. */
const char *const *measure_words(struct arena *a, const struct measure_job *job, bool ir);
/* The same for device code that is made at the link (-fgpu-rdc, -foffload-lto): the driver links
 * it, and the linker writes the assembly to the file of -o and ".lto.s". lto: the answer of
 * measure_driver_links. */
const char *const *measure_linking_words(
	struct arena *a, const struct measure_job *job, const char *lto);
/* The command of a build, to be asked with -###. The driver's answer tells whether the linker makes
 * the device code, from bitcode: NULL, it does not; else the kind of LTO, "full" or "thin", which a
 * compile for the device alone has to be told from clang 23 on, or "" (-fgpu-rdc). */
const char *const *measure_building_words(struct arena *a, const struct measure_job *job);
const char *measure_driver_links(struct arena *a, struct str said);
/* Is it worth asking? Flags that are about it, or a driver so new that it may do so by itself. */
bool measure_may_link(const struct measure_job *job);
