#pragma once
/*
 * Compiles a source for a target and reads each kernel's figures from the compiler's own output. A
 * figure that could not be read is absent (METRIC_ABSENT), never 0. isa_read takes any -S text and
 * returns plain data, so it is tested and fuzzed without a compiler.
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
	METRIC_UNFUSED, /* of these: adds whose operand is a product */
	METRIC_COPY,	/* v_accvgpr_* and v_mov_b32 (b64 counts 2; moves between lanes none) */
	METRIC_INSTRUCTION,
	METRIC_WEIGHTED_INSTRUCTION, /* each weighted 10^(loop depth), as the next two */
	METRIC_BRANCH,		     /* s_cbranch_* */
	METRIC_FLAT_ACCESS,	     /* flat accesses: LLVM did not know the address space */
	METRIC_WIDE_PHI,	 /* number of phis of a vector of at least 16 bytes in textual IR */
	METRIC_BARRIER,		 /* of the workgroup; a split barrier counts once */
	METRIC_CALL,		 /* s_swappc_b64 left in the kernel */
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
	ROUND_MUL,     /* separate multiplies */
	ROUND_ADD,     /* adds and subs; v_mad and v_mac are a multiply and an add */
	ROUND_UNFUSED, /* of these: adds of a rounded product */
	ROUND_OPS
};

/* Counts of a kernel's float instructions; packed ones count as two. */
struct rounding {
	int64_t n[ROUND_WIDTHS][ROUND_OPS];
	/* codes of the ways in which FMAs have a product as addend (measure/isa/round.c): those
	 * that occur, sorted, each once */
	const uint64_t *chosen;
	size_t choices;
	/* hashes of the ROUND_FMA and ROUND_UNFUSED operations of each basic block: sorted, each
	 * once */
	const uint64_t *form;
	size_t forms;
};

/* The costs on one path through the kernel; an unknown trip count is taken as ten. */
struct path_cost {
	int64_t cycles;	  /* of issue */
	int64_t scalar;	  /* of these, of what needs no vector unit */
	int64_t work;	  /* of these: the kernel's work (measure/isa/path.c) */
	int64_t branches; /* executed, taken or not */
	int64_t matrix;	  /* operations */
	int64_t scratch;  /* accesses */
	int64_t waits;	  /* cycles, for loads: measure/isa/stall.h */
	/* of these: outside all loops */
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
	unsigned waves_max;	/* the SIMD's maximum; 0: unknown */
	bool trusted;		/* false: a call may return or a needed figure is absent */
	const char *why;	/* why it is not trusted, or NULL */
	unsigned line;		/* of its declaration in the file; 0: unknown */
};

struct measurement {
	const char *target;
	struct kernel_metrics *kernel; /* sorted by symbol */
	size_t kernels;
	bool linked; /* figures of linked code: the linker generates the device code */
};

/* The kernel with that symbol, or NULL; m may be NULL. */
const struct kernel_metrics *measurement_kernel(const struct measurement *m, const char *symbol);

/* Reads -S output: metadata and instruction text. FAIL_INPUT after a message that names the missing
 * part. file is for messages. Strings live in a. ir may be empty (METRIC_WIDE_PHI absent). */
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
	/* texts in place of included files, listed (vfs_list) in the file overlay */
	const struct stand_in *in_place;
	size_t in_places;
	const char *overlay;
	double time_limit_s; /* 0 = default */
	double ends_at_s;    /* on proc_now_s(): killed then; 0 = never */
	bool want_ir;	     /* also textual IR, for METRIC_WIDE_PHI (one more compile) */
	bool keep_ir;	     /* with want_ir: return the text, too */
	bool keep_isa;	     /* return the text of -S, too */
	bool no_cache;	     /* do not use the cache */
	const char *what;    /* for the status line: "hoist (plain)"; or NULL */
	bool quiet;	     /* a failed compile is only a status, without a message (candidates) */
	bool needed;	     /* if it fails, the others are stopped or not started */
	bool draft;	     /* may use a precompiled header; confirm by a full compile */
	const char *const *only; /* for a draft: symbols of the kernels to compile; NULL: all */
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
	bool cached;		 /* from the cache */
	/* stamps of all other files that the compiler read (kept/stamp.h), without the compiler
	 * itself; n 0: unknown */
	struct str stamps;
};

/* Runs all jobs in parallel, on at most parallel processors (0 = all), and reads their output.
 * Known compiles come from the cache, and equal jobs are compiled once. */
void measure_run(struct measure_result *results, struct arena *a, const struct measure_job *jobs,
	size_t n, unsigned parallel);
/* The same; calls the observer at the start, and when a compile starts or ends. */
struct measure_progress {
	size_t ended;	  /* compiles, ... */
	size_t of;	  /* ... of this many to run */
	bool has_needed;  /* all needed jobs have compiled */
	const char *what; /* of the job started last */
};
struct measure_observer {
	void (*compiled)(void *user, const struct measure_progress *how_far);
	void *user;
};
void measure_run_observed(struct measure_result *results, struct arena *a,
	const struct measure_job *jobs, size_t n, unsigned parallel,
	const struct measure_observer *observer);
/* Does the host's pass of a job's file compile? Uses the job's time limits, and no cache. */
bool measure_host_compiles(struct arena *a, const struct measure_job *job);
/* The user's flags without those that change the kind or place of output, and with -O3 if no flag
 * sets a level; NULL-terminated. flags may be NULL. */
const char *const *measure_flags(struct arena *a, const char *const *flags);
/* c->extra without options that the user's flags set: if these name device libraries or a ROCm
 * path, that is the user's choice. NULL-terminated. flags may be NULL. */
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
	bool arms_merge; /* arms became one: more FMAs can only come from new contractions */
	/* the rewrite drops barriers: better iff there are fewer barriers, and spills, scratch and
	 * waves are not worse */
	bool drops_barriers;
	/* the rewrite loads again in a loop: fewer issue cycles alone are not a gain */
	bool fragments;
	bool splits; /* the rewrite splits a loop in two, with one arm in each */
	struct cost_opts cost;
	const char *const *only; /* NULL, or symbols of kernels that the edit can reach: vetoes
				    apply to all kernels, gains to these */
};

struct comparison {
	enum verdict verdict;
	enum metric decided_by; /* the metric that decided (BETTER, WORSE, VETO) */
	const char *kernel;	/* the kernel that decided (name) */
	const char *reason;	/* "mla_decode_2: VGPR spills 187 -> 2", in a */
	const char *allowed;	/* the gain, if only the veto on FMAs prevents it; or NULL */
	/* what is contracted differently, if allowed and without a veto; or NULL */
	const char *fused;
};

/* Compares after with before, kernel by kernel (matched by symbol; a missing kernel is a veto), by
 * the order of preference and the vetoes in doc/judge.md. An untrusted or absent decisive figure
 * gives VERDICT_UNKNOWN, unless another kernel vetoes; it does not matter in a kernel outside
 * opts->only whose figures are all equal. More SGPR spills are a veto only if neither scratch nor
 * VGPR spills fell and no wave is gained. opts may be NULL. decided_by is METRIC_COUNT if no metric
 * decided (missing, untrusted, equal). */
void measurement_compare(struct comparison *out, struct arena *a, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts);
/* The cost of a text, to rank several texts that are all better than the original. */
struct measured_cost {
	int64_t waves[2]; /* resident, before and after, summed over the kernels */
	int64_t scratch;  /* accesses */
	int64_t spills;	  /* spilled VGPRs plus bytes of scratch */
	int64_t instructions;
	double value;  /* cost_sums.value relative to before, averaged over the kernels */
	double cycles; /* the same for issue cycles */
};
/* Adds the costs of after's kernels. */
void measurement_cost(struct measured_cost *out, const struct measurement *before,
	const struct measurement *after, const struct compare_opts *opts);
