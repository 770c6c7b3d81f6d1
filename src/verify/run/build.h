#pragma once
/*
 * Making programs of kernel files with the host's compiler, or a GPU's: the compiler, the runner's
 * objects, the launchers. Internal to the room; verify.h says what comes of it.
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
	struct build_cache *store; /* what it has made before */
	const char *dir;	   /* ours, absolute */
	const char *const *flag;   /* what host code needs of the user's flags */
	const char **object;	   /* of the runner */
	size_t objects;
	const char *runner;	      /* names what is in them */
	double runner_cpu_s;	      /* that it took to make them; 0: a run before this one did */
	const char **input;	      /* one a case */
	const struct target **target; /* those of the cases, each once */
	size_t targets;
	const char *const **gpu_word; /* on a GPU, per target: what a compile begins with */
	unsigned runs;		      /* names of outputs */
	struct program *packer;	      /* launchers that pack arguments, as made before */
	struct packed *packed;	      /* what they have packed */
};

/* One source for one target. */
struct program {
	const struct verify_source *source;
	const struct target *target;
	const char *dir;
	const char *path;
	bool ok;			 /* so far */
	bool made;			 /* by a run before this one */
	const struct program *same_text; /* an earlier one of this text: its program is used */
	struct str key;			 /* of the program */
	const char *said;
	enum run_status status;
	struct program *next; /* of the packers */
};

/* The bytes of a case's arguments, by the launcher that packed them. */
struct packed {
	const char *program;
	size_t number; /* of the case */
	struct verify_arguments arguments;
	struct packed *next;
};

/* Commands that are run side by side. */
struct batch {
	struct arena *a;
	struct words *argv;
	struct proc_job *job;
	struct proc_result *result;
	size_t n;
};

#define VERIFY_NO_MODEL "unphi's CPU run has no model of "

void batch_make(struct batch *b, struct arena *a, size_t n);
void batch_run(struct batch *b, double limit_s, unsigned parallel);
void batch_release(struct batch *b);
/* The last words of a child, without the white space around them. */
const char *words_of(struct arena *a, const struct proc_result *r);

/* Finds the compiler, and makes what all programs need in v->dir. Errors as verify_open. */
int build_open(struct verify *v);
double run_limit(const struct verify *v); /* seconds, per case */
/* What came of a process that ran a case. FAIL_USAGE after a message: the GPU cannot be used. */
/* The command that runs case `number` of a program; on the CPU and on a GPU. */
void run_words(struct words *argv, const struct verify *v, const char *program, size_t number,
	const char *output);
int run_take(struct verify_run *run, const struct verify *v, const struct proc_result *r,
	const struct spec_case *c);
/* The kernel's address of buffer i, as launch_place.hpp has it. */
uint64_t run_buffer_start(const struct spec_case *c, uint64_t i);
/* Has case number of source run from machine code; run has the launcher that packs its arguments,
 * and the name of its output. Errors as verify_run. */
int run_machine(struct verify_run *run, struct verify *v, const struct verify_source *source,
	size_t number);
/* Sets run's arms from what a launcher wrote; without the file there are none. */
void arms_read(struct verify_run *run, struct arena *a, const char *path);
/* Makes n programs, each in its dir, of which only p->path is left. FAIL_USAGE after a message when
 * files cannot be written; what a source does wrong is in its program. */
int build_programs(struct verify *v, struct program *p, size_t n);
