#pragma once
/*
 * Runs the kernels of a file on the CPU or on a GPU, for each case of a spec, and compares the
 * contents of their buffers bit by bit. The runner (runtime/; on a GPU launch_gpu.hpp) and the
 * launcher are written to a temporary directory and compiled there. Every case runs in its own
 * process, with a time limit.
 *
 * All results live in the arena given to verify_open.
 */
#include "base/vfs.h"
#include "verify/run/gpu.h"
#include "verify/spec/spec.h"

struct verify_source;

/* The content of a buffer, and its address in the kernel. */
struct verify_piece {
	uint64_t at;
	unsigned char *p;
	uint64_t bytes;
};

enum run_status {
	RUN_OK,
	RUN_NO_COMPILE,
	RUN_ERROR,   /* the runner reports an error of the kernel */
	RUN_UNKNOWN, /* an instruction of the machine code is not supported */
	RUN_CRASH,
	RUN_TIMEOUT
};

/* A kernel's argument bytes. floats has the same length: at the start of a float argument its size
 * in bytes, else 0. */
struct verify_arguments {
	struct str bytes;
	struct str floats;
};

enum {
	VERIFY_OPEN_KINDS = 2
};

/* Lives with the machine. */
struct verify_ran {
	const char *said;     /* the message, if not RUN_OK */
	struct str variables; /* __device__ variables, as launch_cpu.hpp writes them */
	/* races on global memory of waves, and of work-groups (isa_counts.open), or NULL */
	const char *open[VERIFY_OPEN_KINDS];
};

/* Another way to run a case; memory has a piece per buffer. */
struct verify_machine {
	enum run_status (*run)(void *user, struct verify_ran *out,
		const struct verify_source *source, const struct spec_case *c,
		const struct verify_arguments *arguments, const struct verify_piece *memory);
	void *user;
};

/* Is it assembly (-S) or a code object? Then its machine code runs, for the kernels of the first
 * source. */
bool verify_is_code(const struct verify_source *s);

enum verify_races {
	RACES_ERROR,
	RACES_IN_WAVES, /* races between waves are allowed */
	RACES_ALLOWED
};

struct verify_opts {
	const struct spec *spec;
	const struct verify_machine *machine; /* runs the cases; NULL: compiled programs run them */
	const struct gpu *gpu;		      /* the GPU to run on; NULL: the CPU */
	const char *compiler;		      /* for the host; NULL: the first clang++ found */
	const char *const *flags;	      /* the user's; those that host code needs are used */
	double compile_limit_s;		      /* per compile; 0 = default */
	double run_limit_s;		      /* per case; 0 = default */
	unsigned parallel;		      /* processes at a time; 0 = all processors */
	enum verify_races races;	      /* on the CPU */
	bool no_cache;			      /* neither read nor write the cache */
	bool trials;			      /* programs are for trial.h */
	bool faults;  /* with trials: the source has faults (fault/fault.h) */
	bool choices; /* also record the arms of `?:` */
};

struct verify_source {
	const char *path; /* as the user named it; quoted includes are searched beside it */
	struct str text;
	const struct stand_in *in_place; /* texts in place of included files; on the CPU only */
	size_t in_places;
	/* machine code: the launcher of the first source packs the arguments (always for assembly);
	 * launches_only: this source only packs, and is not run */
	bool launched_by_first;
	bool launches_only;
};

/* Times of single launches by GPU events, in milliseconds. runs is 0 on the CPU. */
struct verify_times {
	double median;
	double least;
	double most;
	unsigned runs;
};

/* An arm of an if, an else-if chain or a switch, by its place in the text. Without an else, the
 * empty path is the last arm. */
struct verify_arm {
	const char *file; /* as the compiler names it */
	unsigned line;	  /* of the first condition, or of the switch */
	unsigned arm;	  /* from 1 */
	unsigned number;  /* number of the if or switch within its line, from 0 */
	bool ran;
	bool reached; /* a lane reached its condition */
	bool unknown; /* for a `?:`: unknown which arm ran */
};

/* One case of one source. */
struct verify_run {
	enum run_status status;
	const char *said;    /* the compiler's or the runner's message; "" on success */
	const char *program; /* NULL if it does not compile */
	const char *output;  /* file with the buffers after the kernel */
	double seconds;	     /* run time of the process; for machine code: CPU time */
	struct verify_times times;
	const char *gpu; /* the driver's name for it, or NULL */
	/* of machine code that ran: verify_ran.open, or "" for none; NULL: not watched */
	const char *open[VERIFY_OPEN_KINDS];
	struct verify_arm *arm; /* for programs on the CPU */
	size_t arms;
};

/* All arms of these runs, sorted by place. ran: any run took it. Lives in a. */
size_t verify_all_arms(
	struct verify_arm **out, struct arena *a, const struct verify_run *run, size_t runs);
/* The arms that were reached but not taken by any run. */
size_t verify_unrun(
	struct verify_arm **out, struct arena *a, const struct verify_run *run, size_t runs);

struct verify;
/* FAIL_USAGE (no clang++, no space for temporary files) or FAIL_INPUT (the runner does not compile,
 * no compiler knows the target) after a message. */
int verify_open(struct verify **out, struct arena *a, const struct verify_opts *opts);
const char *verify_compiler(const struct verify *v);
/* Runs all cases of n sources: out[source * cases + case]. FAIL_USAGE after a message if files
 * cannot be written or there is no usable GPU; errors of a source are in its runs. */
int verify_run(
	struct verify_run **out, struct verify *v, const struct verify_source *source, size_t n);

/* Did the run with this message end with a race between waves? */
bool verify_is_race(const char *said);

enum verify_outcome {
	VERIFY_EQUAL,
	VERIFY_UNEQUAL,
	VERIFY_BROKEN,	/* only the rewritten kernel does not compile or run */
	VERIFY_UNKNOWN, /* the original does not compile or run either */
};

/* The lane that last changed an element, from a second run of the case. */
struct verify_writer {
	bool known; /* false: no lane changed it */
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
	VERIFY_SHOWN = 8 /* differences reported one by one */
};

struct verify_result {
	const struct spec_case *of;
	enum verify_outcome outcome;
	bool machine;	  /* for machine code */
	bool ran;	  /* for VERIFY_UNKNOWN: both ran, but there is nothing to compare */
	bool after;	  /* for VERIFY_UNKNOWN: only the original ran */
	const char *said; /* for VERIFY_BROKEN and VERIFY_UNKNOWN */
	size_t differing; /* elements */
	size_t compared;
	struct verify_difference difference[VERIFY_SHOWN];
	size_t differences;
	size_t of_buffers; /* those in buffers, first in the list; the others are in variables */
	const char *uncompared; /* __device__ variables that cannot be compared, or NULL */
	double seconds_before;
	double seconds_after;
	struct verify_times times_before;
	struct verify_times times_after;
	const char *gpu;
};

/* Compares the two runs of one case. FAIL_USAGE after a message if an output cannot be read. */
int verify_compare(struct verify_result *out, struct verify *v, size_t number,
	const struct verify_run *before, const struct verify_run *after);
