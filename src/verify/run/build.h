#pragma once
/*
 * Builds programs from kernel files with a host or GPU compiler: the compiler, the runner's
 * objects, the launchers. Internal to run/; the public interface is verify.h.
 */
#include "base/process/proc.h"
#include "base/words.h"
#include "verify/run/build_cache.h"
#include "verify/verify.h"

struct verify {
	struct arena *a;
	struct verify_opts opts;
	const char *compiler;
	unsigned major;		   /* its version */
	struct build_cache *store; /* its cached output */
	const char *dir;	   /* our temporary directory, absolute */
	bool links_static;	   /* launchers, without shared libraries */
	const char *const *flag;   /* the user's flags that host code needs */
	const char **object;	   /* object files of the runner */
	size_t objects;
	const char *runner;	      /* the key of their content */
	double runner_cpu_s;	      /* CPU time to compile them; 0: from the cache */
	const char **input;	      /* one per case */
	const struct target **target; /* of the cases, each once */
	size_t targets;
	const char *const **gpu_word; /* on a GPU, per target: the start of the compile command */
	unsigned runs;		      /* counter for output names */
	struct program *packer;	      /* launchers that pack arguments, built so far */
	struct packed *packed;	      /* the arguments they have packed */
};

/* One source for one target. */
struct program {
	const struct verify_source *source;
	const struct target *target;
	const char *dir;
	const char *path;
	bool ok;			 /* no failure so far */
	bool made;			 /* from the cache */
	const struct program *same_text; /* an earlier program with this text, used instead */
	struct str key;			 /* of the program */
	const char *said;
	enum run_status status;
	struct program *next; /* in the list of packers */
};

/* A case's arguments as bytes, and the launcher that packed them. */
struct packed {
	const char *program;
	size_t number; /* of the case */
	struct verify_arguments arguments;
	struct packed *next;
};

/* Commands that run in parallel. */
struct batch {
	struct arena *a;
	struct words *argv;
	struct proc_job *job;
	struct proc_result *result;
	size_t n;
	bool compiles; /* they are compiles */
};

#define VERIFY_NO_MODEL "unphi's CPU run has no model of "

void batch_make(struct batch *b, struct arena *a, size_t n);
void batch_run(struct batch *b, double limit_s, unsigned parallel);
void batch_release(struct batch *b);
/* Why a child failed, for messages: its stderr, and how it ended. */
const char *words_of(struct arena *a, const struct proc_result *r);

/* Finds the compiler, and builds in v->dir the files that all programs need. Errors as
 * verify_open. */
int build_open(struct verify *v);
double run_limit(const struct verify *v); /* seconds, per case */
/* The command that runs case `number` of a program; on the CPU and on a GPU. */
void run_words(struct words *argv, const struct verify *v, const char *program, size_t number,
	const char *output);
/* Sets run from the result of a process that ran a case. FAIL_USAGE after a message: the GPU cannot
 * be used. */
int run_take(struct verify_run *run, const struct verify *v, const struct proc_result *r,
	const struct spec_case *c);
/* The kernel's address of buffer i, as launch_place.hpp has it. */
uint64_t run_buffer_start(const struct spec_case *c, uint64_t i);
/* Runs case number of source from machine code. run names the launcher that packs its arguments,
 * and the output. Errors as verify_run. */
int run_machine(struct verify_run *run, struct verify *v, const struct verify_source *source,
	size_t number);
/* Sets run's arms from the file that a launcher wrote; none without the file. */
void arms_read(struct verify_run *run, struct arena *a, const char *path);
/* Builds n programs, each in its dir, and leaves only p->path there. FAIL_USAGE after a message if
 * files cannot be written; errors of a source are in its program. */
int build_programs(struct verify *v, struct program *p, size_t n);
