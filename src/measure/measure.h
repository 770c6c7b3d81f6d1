#pragma once
/*
 * Compile a source for a target and read from the compiler's own output what each kernel costs. A
 * figure that could not be read is absent (METRIC_ABSENT), never 0. Text in, plain data out:
 * isa_read works on any -S output, so it is tested and fuzzed without a compiler.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"
#include "base/vfs.h"
#include "measure/compile/compiler.h"
#include "measure/cost.h"
#include "target/target.h"

#define METRIC_ABSENT (-1)

enum metric {
	METRIC_VGPR, /* total as .vgpr_count: arch + acc where unified, else their maximum */
	METRIC_ARCH_VGPR,
	METRIC_ACC_VGPR,
	METRIC_SGPR,
	METRIC_VGPR_SPILL,
	METRIC_SGPR_SPILL,
	METRIC_SCRATCH,	       /* bytes per lane */
	METRIC_SCRATCH_ACCESS, /* scratch loads and stores, each weighted 10^(loop depth) */
	METRIC_REGISTER_WAVES, /* waves per SIMD */
	METRIC_RESIDENT_WAVES,
	METRIC_LDS,	    /* bytes per work-group */
	METRIC_GROUP_SIZE,  /* .max_flat_workgroup_size */
	METRIC_MATRIX_DEST, /* unique matrix destination register groups */
	METRIC_MATRIX_OP,   /* mfma, smfmac, wmma instructions */
	METRIC_FMA,	    /* fused multiply-adds (v_fma*, v_fmac*, v_pk_fma*; packed count 2) */
	METRIC_MUL_ADD, /* separate float multiplies and adds (packed count 2, v_mad_f* as well) */
	METRIC_UNFUSED, /* of these, adds that take the result of a multiply */
	METRIC_COPY,	/* v_accvgpr_* and v_mov_b32 (b64 counts 2; moves between lanes none) */
	METRIC_INSTRUCTION,
	METRIC_WEIGHTED_INSTRUCTION, /* each weighted 10^(loop depth), as the next two */
	METRIC_BRANCH,		     /* s_cbranch_* */
	METRIC_FLAT_ACCESS, /* of what LLVM could not tell to be global memory, LDS or scratch */
	METRIC_WIDE_PHI,    /* number of phis of a vector of at least 16 bytes in textual IR */
	METRIC_BARRIER,	    /* of the work-group; one that is split in two counts once */
	METRIC_CALL,	    /* s_swappc_b64 left in the kernel */
	METRIC_MATRIX_UNSKIPPED, /* matrix operations or barriers under a narrowed EXEC that may be
				    zero */
	METRIC_LANE_BRANCH_MATRIX, /* matrix operations or barriers under a narrowed EXEC */
	METRIC_PATH_LEAST,	   /* issue cycles of the cheapest path (measure/isa/path.h) */
	METRIC_PATH_MOST,	   /* of the costliest */
	METRIC_COUNT
};

struct metric_info {
	const char *key;   /* JSON key: "vgpr_spills" */
	const char *title; /* table heading */
};
extern const struct metric_info metric_info[METRIC_COUNT];

enum round_width {
	ROUND_F16,
	ROUND_BF16,
	ROUND_F32,
	ROUND_F64,
	ROUND_DOT, /* dot products of floats, of any width */
	ROUND_WIDTHS
};

enum round_op {
	ROUND_FMA,     /* fused multiply-adds */
	ROUND_MUL,     /* multiplies that are rounded */
	ROUND_ADD,     /* adds and subs; v_mad and v_mac are a multiply and an add */
	ROUND_UNFUSED, /* of these, those that take a product that was rounded */
	ROUND_OPS
};

/* Float instructions of a kernel's text, packed ones as their two lanes. */
struct rounding {
	int64_t n[ROUND_WIDTHS][ROUND_OPS];
	/* how FMAs take a product as their addend, as numbers (measure/isa/round.c): each that
	 * occurs, once and in order */
	const uint64_t *chosen;
	size_t choices;
	/* what single blocks hold of ROUND_FMA and ROUND_UNFUSED, as hashes: each that occurs, once
	 * and in order */
	const uint64_t *form;
	size_t forms;
};

/* What runs on a path through the kernel; a loop whose iterations are not known has ten. */
struct path_cost {
	int64_t cycles;	  /* of issue */
	int64_t scalar;	  /* of these, of what needs no vector unit */
	int64_t work;	  /* of these, what all paths are there for: measure/isa/path.c */
	int64_t branches; /* that are met, taken or not */
	int64_t matrix;	  /* operations */
	int64_t scratch;  /* accesses */
	int64_t waits;	  /* cycles, for loads: measure/isa/stall.h */
	/* of these, outside of all loops */
	int64_t outside_cycles;
	int64_t outside_scratch;
};

struct kernel_metrics {
	const char *symbol;	      /* mangled */
	const char *name;	      /* demangled, without parameters: "mla_decode<4>" */
	int64_t v[METRIC_COUNT];      /* METRIC_ABSENT where unknown */
	struct rounding rounding;     /* valid when v[METRIC_FMA] is present */
	struct path_cost least, most; /* valid when v[METRIC_PATH_LEAST] is present */
	int64_t form_copies;	/* v_accvgpr_* in loops; valid when v[METRIC_COPY] is present */
	enum occ_limit limiter; /* valid when v[METRIC_RESIDENT_WAVES] is present */
	unsigned waves_max;	/* that a SIMD has room for; 0 where unknown */
	bool trusted;		/* false: a call may return or a needed figure is absent */
	const char *why;	/* why it is not trusted, or NULL */
	unsigned line;		/* that declares it in the file; 0: not known */
};

struct measurement {
	const char *target;
	struct kernel_metrics *kernel; /* sorted by symbol */
	size_t kernels;
	bool linked; /* of the code that the linker made, as the command links device code late */
};

/* The one of that symbol, or NULL; m may be NULL. */
const struct kernel_metrics *measurement_kernel(const struct measurement *m, const char *symbol);

/* Reads -S output: metadata and instruction text. FAIL_INPUT after a message that names what. file
 * is for messages. Strings live in a. ir may be empty (METRIC_WIDE_PHI absent). */
int isa_read(struct measurement *out, struct arena *a, const struct target *t, struct str isa,
	struct str ir, const char *file);

struct measure_job {
	const struct compiler *compiler;
	const struct target *target;
	const char *path;  /* the file to compile */
	const char *shown; /* its name in messages (the user's file) */
	const char *const
		*flags; /* the user's flags, NULL-terminated; -c, -o, -M*, -S dropped by us */
	const char *include_dir; /* added as -iquote first, so that a copy elsewhere finds its quote
				    includes; or NULL */
	/* texts in place of files that it includes, listed (vfs_list) in the file overlay */
	const struct stand_in *in_place;
	size_t in_places;
	const char *overlay;
	double time_limit_s; /* 0 = default */
	double ends_at_s;    /* on proc_now_s(): stopped then at the latest; 0 = no such time */
	bool want_ir;	     /* also textual IR, for METRIC_WIDE_PHI (one more compile) */
	bool keep_ir;	     /* with want_ir: the text as well */
	bool keep_isa;	     /* the text of -S as well */
	bool no_cache;	     /* compile, and keep nothing */
	const char *what;    /* the text, for whoever waits: "hoist (plain)"; or NULL */
	bool quiet;	     /* a failed compile is no message, only a status (candidates) */
	bool needed;	     /* unless it compiles, the others are stopped, or not begun */
	bool draft; /* may use a precompiled header of what the text includes at its top: quicker,
		       and to be confirmed by a compile that is no draft. Not with want_ir */
	const char *const *only; /* of a draft: the symbols of kernels that it is about, the others
				    are not in the result; NULL: all. NULL-terminated */
};

enum measure_status {
	MEASURE_OK,
	MEASURE_COMPILE_ERROR,
	MEASURE_TIMEOUT,
	MEASURE_CRASH,
	MEASURE_UNREADABLE
};

struct measure_result {
	enum measure_status status;
	struct measurement m;	 /* when MEASURE_OK */
	const char *diagnostics; /* the compiler's stderr, shortened, for the report */
	struct str ir;		 /* with keep_ir */
	struct str isa;		 /* with keep_isa */
	double compile_s;
	bool cached; /* no compiler was run for it */
	/* of all files beside the text that the compiler read (kept/stamp), without the compiler
	 * itself; n 0: it cannot be told */
	struct str stamps;
};

/* Runs all jobs, side by side on at most parallel processors (0 = all), and reads their output.
 * What was compiled before is taken from the cache, and what two jobs have alike is compiled once.
 */
void measure_run(struct measure_result *results, struct arena *a, const struct measure_job *jobs,
	size_t n, unsigned parallel);
/* The same; the observer is called at the start, and when a compile begins or has ended. */
struct measure_progress {
	size_t ended;	  /* compiles, ... */
	size_t of;	  /* ... of so many that had to be run */
	bool has_needed;  /* all that is needed has compiled */
	const char *what; /* of the job that was begun last */
};
struct measure_observer {
	void (*compiled)(void *user, const struct measure_progress *how_far);
	void *user;
};
void measure_run_observed(struct measure_result *results, struct arena *a,
	const struct measure_job *jobs, size_t n, unsigned parallel,
	const struct measure_observer *observer);
/* Does the host's pass of a job's file compile? Its time limits count, nothing is kept. */
bool measure_host_compiles(struct arena *a, const struct measure_job *job);
/* The user's flags without those that would change what comes out or where to, and -O3 where none
 * of them optimizes; NULL-terminated. flags may be NULL. */
const char *const *measure_flags(struct arena *a, const char *const *flags);
/* The words of c->extra that the user's flags leave room for: the device libraries that these name,
 * by themselves or by a path of ROCm, are the user's choice. NULL-terminated. flags may be NULL. */
const char *const *measure_extra(
	struct arena *a, const struct compiler *c, const char *const *flags);

enum verdict {
	VERDICT_BETTER,
	VERDICT_EQUAL,
	VERDICT_WORSE,
	VERDICT_VETO,
	VERDICT_UNKNOWN
};

struct compare_opts {
	bool allow_recontraction; /* no veto on FMAs traded for multiplies and adds */
	bool arms_merge; /* the rewrite writes once what several arms held: no more FMAs can be
			    right */
	/* a rewrite that drops barriers: better iff there are fewer, and spills, scratch and waves
	 * are no worse */
	bool drops_barriers;
	/* a rewrite that loads again in a loop: fewer issue cycles are no gain of its own */
	bool fragments;
	bool splits; /* a rewrite that makes two loops of one, an arm in each */
	struct cost_opts cost;
	const char *const *only; /* NULL, or symbols of kernels that the edit can reach: vetoes
				    apply to all kernels, gains to these */
};

struct comparison {
	enum verdict verdict;
	enum metric decided_by; /* the metric that decided (BETTER, WORSE, VETO) */
	const char *kernel;	/* the kernel that decided (name) */
	const char *reason;	/* "mla_decode_2: VGPR spills 187 -> 2", in a */
	const char *allowed;	/* the gain that the veto on FMAs alone keeps away, or NULL */
	/* what is fused otherwise, where that is allowed and no veto was met; or NULL */
	const char *fused;
};

/* after against before, kernel by kernel (matched by symbol; a kernel that vanished is a veto), by
 * the order of preference and the vetoes in doc/judge.md. Any untrusted or absent decisive figure
 * gives VERDICT_UNKNOWN, unless another kernel vetoes; in a kernel that opts->only leaves out and
 * whose figures are all the same it does not matter. More SGPR spills are a veto only where neither
 * scratch nor VGPR spills fell and no wave is gained.
 * opts may be NULL. decided_by is METRIC_COUNT where no metric decided (vanished, untrusted,
 * equal). */
void measurement_compare(struct comparison *out, struct arena *a, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts);
/* What a text costs, to rank texts that are better than one. */
struct measured_cost {
	int64_t waves[2]; /* resident, before and after, summed over the kernels */
	int64_t scratch;  /* accesses */
	int64_t spills;	  /* VGPRs, and bytes of scratch */
	int64_t instructions;
	double value;  /* of struct cost_sums, of what it was, the mean over the kernels */
	double cycles; /* the same of issue cycles */
};
/* Adds those of after's kernels. */
void measurement_cost(struct measured_cost *out, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts);
