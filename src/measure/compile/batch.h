#pragma once
/*
 * Runs compiles in parallel. Known ones come from the cache. Drafts use a precompiled header, or
 * compile only some kernels, if that is faster. If a faster way fails, the text is compiled
 * normally. Internal to compile/.
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
	const char *const *words; /* the command without the file */
	bool ir;
	const char *linked;	   /* the linker writes to this file; or NULL */
	const char *written;	   /* a launched compile writes to this file; or NULL */
	const char *launcher_said; /* its message if it failed; or NULL */
	struct str key;		   /* in the cache; n 0: not cached */
	struct str draft_key;	   /* the same for a draft; n 0: not a draft */
	struct pch *pch;	   /* or NULL */
	const char *file;	   /* the input: the job's file, or with pch a copy */
	const char *rule;	   /* file for the make rule, or NULL */
	bool part;		   /* compile only the job's kernels */
	const char *part_ir;	   /* the file of their IR */
	size_t same_as;		   /* index of an equal earlier compile, or its own */
	bool cached;
	struct str stamps;
	struct proc_result result;
	double front_s;	    /* for a part: seconds of the front end */
	struct pch *failed; /* a header it did not compile with */
};

enum step_kind {
	STEP_HEADER, /* compile the precompiled header */
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
	ARRAY(struct step) steps; /* ready to run, in order */
	size_t begun;
	struct map said;  /* words -> the driver's -### output; const struct str *, or NULL */
	struct map hipcc; /* answers of hipcc_command */
	const struct measure_observer *observer;
	size_t ended; /* compiles that have ended */
	size_t run;
	size_t needed; /* needed compiles that have not succeeded yet */
};

/* Runs all compiles of b (job and ir are set), and fills in their results. */
void compile_batch_run(struct compile_batch *b, unsigned parallel);
void compile_batch_release(struct compile_batch *b);

/* Adds the options for the job's texts in place of files, if any. */
void measure_add_overlay(struct words *out, const struct measure_job *job);
/* The command for a job, without the file; the output goes to stdout. */
const char *const *measure_words(struct arena *a, const struct measure_job *job, bool ir);
/* The same for device code that the linker generates (-fgpu-rdc, -foffload-lto): the driver links
 * it, and the linker writes the assembly to the -o file plus ".lto.s". lto: the result of
 * measure_driver_links. */
const char *const *measure_linking_words(
	struct arena *a, const struct measure_job *job, const char *lto);
/* A build's command with -###, and the reading of its output (said): does the linker generate the
 * device code, from bitcode? NULL: no; else the kind of LTO, "full" or "thin", which clang 23 and
 * later need as an option for a device-only compile, or "" (-fgpu-rdc). */
const char *const *measure_building_words(struct arena *a, const struct measure_job *job);
const char *measure_driver_links(struct arena *a, struct str said);
/* May the linker generate the code at all? By the flags, or by default in new drivers. */
bool measure_may_link(const struct measure_job *job);
