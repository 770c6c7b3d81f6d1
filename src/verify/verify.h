#pragma once
/*
 * Runs the kernels of a file on the CPU or on a GPU, case by case of a spec, and compares what they
 * leave in their buffers, bit by bit. The runner (runtime/; on a GPU launch_gpu.hpp) and the
 * launcher are written to a temporary directory and compiled there; every case runs in a process of
 * its own, bounded in time.
 *
 * All that is handed out lives in the arena given to verify_open.
 */
#include "base/vfs.h"
#include "verify/run/gpu.h"
#include "verify/spec/spec.h"

struct verify_source;

/* A buffer, at the kernel's address. */
struct verify_piece {
	uint64_t at;
	unsigned char *p;
	uint64_t bytes;
};

enum run_status {
	RUN_OK,
	RUN_NO_COMPILE,
	RUN_ERROR,   /* the runner refused what the kernel did */
	RUN_UNKNOWN, /* what machine code does is not covered */
	RUN_CRASH,
	RUN_TIMEOUT
};

/* A kernel's arguments, as it finds them. floats is as long: the bytes of a float argument where
 * one begins, else 0. */
struct verify_arguments {
	struct str bytes;
	struct str floats;
};

/* Lives with the machine. */
struct verify_ran {
	const char *said;     /* where it is not RUN_OK */
	struct str variables; /* __device__ variables, as launch_cpu.hpp writes them */
};

/* Runs a case by other means; memory has a piece a buffer. */
struct verify_machine {
	enum run_status (*run)(void *user, struct verify_ran *out,
		const struct verify_source *source, const struct spec_case *c,
		const struct verify_arguments *arguments, const struct verify_piece *memory);
	void *user;
};

struct verify_source;
/* Is it the text of -S, or a code object? Then machine code is run of it, for the kernels of the
 * first source. */
bool verify_is_code(const struct verify_source *s);

enum verify_races {
	RACES_ERROR,
	RACES_IN_WAVES, /* those between waves are no error */
	RACES_ALLOWED
};

struct verify_opts {
	const struct spec *spec;
	const struct verify_machine *machine; /* runs the cases; NULL: they run as programs */
	const struct gpu *gpu;		      /* run there; NULL: on the CPU */
	const char *compiler;	  /* for the host; NULL: the first clang++ that is found */
	const char *const *flags; /* the user's; of these, what host code needs is taken */
	double compile_limit_s;	  /* per compile; 0 = default */
	double run_limit_s;	  /* per case; 0 = default */
	unsigned parallel;	  /* processes at a time; 0 = all processors */
	enum verify_races races;  /* on the CPU */
	bool no_cache;		  /* compile everything, and keep nothing */
	bool trials;		  /* programs are for trial.h */
	bool faults;		  /* with trials: the source has faults (fault/fault.h) */
	bool choices;		  /* the arms of `?:` are among those that ran, or did not */
};

struct verify_source {
	const char *path; /* as the user named it; what it includes is looked for beside it */
	struct str text;
	const struct stand_in *in_place; /* texts in place of what it includes; on the CPU only */
	size_t in_places;
	/* Of machine code, whose arguments the launcher of the first source packs: of the others it
	 * may, as of assembly it does; and the first one may be there for that alone. */
	bool launched_by_first;
	bool launches_only;
};

/* Of single launches on a GPU, by its events: milliseconds. runs is 0 on the CPU. */
struct verify_times {
	double median;
	double least;
	double most;
	unsigned runs;
};

/* An arm of an if, an else-if chain or a switch, by its place in the text. Where there is no
 * else, to do nothing is the last. */
struct verify_arm {
	const char *file; /* as the compiler names it */
	unsigned line;	  /* of the first condition, or of the switch */
	unsigned arm;	  /* from 1 */
	unsigned number;  /* of the one in this line, from 0 */
	bool ran;
	bool reached; /* a lane came to its condition */
	bool unknown; /* of a `?:`: which of its arms ran is not known */
};

/* One case of one source. */
struct verify_run {
	enum run_status status;
	const char *said;    /* the compiler's or the runner's words; "" when all went well */
	const char *program; /* NULL when it does not compile */
	const char *output;  /* file of the buffers as the kernel left them */
	double seconds;	     /* of the process; of machine code: of CPU time */
	struct verify_times times;
	const char *gpu;	/* the driver's name for it, or NULL */
	struct verify_arm *arm; /* of the programs that ran on the CPU */
	size_t arms;
};

/* All arms of these runs, with what any of them ran, in order of their places, in a. */
size_t verify_all_arms(
	struct verify_arm **out, struct arena *a, const struct verify_run *run, size_t runs);
/* Those that the runs reached and none ran. */
size_t verify_unrun(
	struct verify_arm **out, struct arena *a, const struct verify_run *run, size_t runs);

struct verify;
/* FAIL_USAGE (no clang++ here, no room for temporary files) or FAIL_INPUT (the runner does not
 * compile, no compiler knows the target) after a message. */
int verify_open(struct verify **out, struct arena *a, const struct verify_opts *opts);
const char *verify_compiler(const struct verify *v);
/* Runs all cases of n sources: out[source * cases + case]. FAIL_USAGE after a message when files
 * cannot be written or there is no usable GPU; what a source does wrong is in its runs. */
int verify_run(
	struct verify_run **out, struct verify *v, const struct verify_source *source, size_t n);

/* Are these the words of a run that ended with a race between waves? */
bool verify_is_race(const char *said);

enum verify_outcome {
	VERIFY_EQUAL,
	VERIFY_UNEQUAL,
	VERIFY_BROKEN,	/* only the rewritten kernel does not compile or run */
	VERIFY_UNKNOWN, /* the original itself does not */
};

/* The lane that changed an element last, when the case was run once more to see. */
struct verify_writer {
	bool known; /* false: none did */
	unsigned block[3];
	unsigned thread[3];
	unsigned wave; /* in its block */
	unsigned lane;
};

struct verify_difference {
	const struct spec_buffer *buffer;
	size_t index; /* element */
	const char *before;
	const char *after;
	struct verify_writer wrote_before;
	struct verify_writer wrote_after;
};

enum {
	VERIFY_SHOWN = 8 /* differences that are told one by one */
};

struct verify_result {
	const struct spec_case *of;
	enum verify_outcome outcome;
	bool machine;	  /* machine code ran, or was to */
	bool ran;	  /* of VERIFY_UNKNOWN: both ran, and left nothing to compare */
	bool after;	  /* of VERIFY_UNKNOWN: only the original ran */
	const char *said; /* of VERIFY_BROKEN and VERIFY_UNKNOWN */
	size_t differing; /* elements */
	size_t compared;
	struct verify_difference difference[VERIFY_SHOWN];
	size_t differences;
	size_t of_buffers;	/* of them, which come first; the others are of variables */
	const char *uncompared; /* __device__ variables that cannot be compared, or NULL */
	double seconds_before;
	double seconds_after;
	struct verify_times times_before;
	struct verify_times times_after;
	const char *gpu;
};

/* Compares the two runs of one case. FAIL_USAGE after a message when an output cannot be read. */
int verify_compare(struct verify_result *out, struct verify *v, size_t number,
	const struct verify_run *before, const struct verify_run *after);
