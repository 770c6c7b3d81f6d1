#pragma once
/*
 * The register ledger of a kernel: each private variable with its VGPRs per lane, its live range
 * and its role, and the point where their sum is highest. It estimates from the source, without a
 * compiler, the registers that the compiler is likely to need. doc/lifetime.md has the model and
 * its error against the compiler.
 *
 * The kernel is traced in execution order, with calls inlined (as the device compiler does) and
 * constant conditions resolved. Everything lives in the arena.
 */
#include "analysis/lanes/uniform.h"
#include "target/target.h"

enum ledger_role {
	LEDGER_ACCUMULATOR,
	LEDGER_SOFTMAX, /* a running maximum or sum that rescales an accumulator */
	LEDGER_OPERAND, /* read only by matrix operations or multiplications */
	LEDGER_ADDRESS,
	LEDGER_TEMPORARY,
};
const char *ledger_role_name(enum ledger_role r); /* "accumulator", "softmax state", ... */

struct ledger_var {
	const char *name;
	const char *member; /* of a record: the widest member that accumulates; NULL: none does */
	const char *owner;  /* the inlined function that declares it; NULL: the kernel */
	const char *type;
	kt_id sym;
	const struct kt_node *decl; /* its KT_VAR, or NULL for a parameter */
	unsigned width;		    /* VGPRs per lane; 0: in scalar registers, or optimized away */
	bool uniform;
	bool loop_carried;  /* a loop carries its value to the next iteration */
	bool loop_constant; /* live through a loop that only reads it */
	enum ledger_role role;
	bool live;	     /* live at some point */
	unsigned first_line; /* lines of the file that declares it */
	unsigned last_line;
	kt_id file;
	unsigned copies;  /* at the peak: 2 if a merge keeps the old value, too */
	unsigned at_peak; /* VGPRs per lane at the peak */
	bool dynamic;	  /* indexed at run time: may be in scratch memory */
};

/* A call on the call path to a point. */
struct ledger_call {
	kt_id file;
	unsigned line;
	const char *in; /* the function that has it */
};

/* One point of the program. */
struct ledger_point {
	unsigned held;	    /* variables and necessary temporaries */
	unsigned in_flight; /* loads that are probably in flight as well */
	kt_id file;
	unsigned line;
	const struct kt_node *node;
	/* only for most: its function, and the call path to it, the innermost call first */
	const char *in;
	const struct ledger_call *call;
	size_t calls;
};

/* A merge of the kernel's source. */
struct ledger_merge {
	const struct kt_node *node; /* KT_IF or KT_SWITCH; set by the caller */
	bool met;		    /* the kernel reaches it */
	bool uniform;		    /* its condition is uniform there */
	bool apart;		    /* its condition may differ between lanes there */
	bool parts;		    /* the same, and the compiler knows that it may differ */
	unsigned inside;	    /* the peak in its arms, without copies at any merge */
	unsigned with;		    /* the peak with its own copies */
};

struct ledger {
	kt_id fn;
	const char *name;
	struct ledger_var *var; /* in order of declaration */
	size_t vars;
	struct ledger_point least; /* the point with the highest held */
	struct ledger_point most;  /* the point with the highest sum of held and in_flight */
	/* By line of most's file, from 1 to lines: the peak at its points and in the calls there;
	 * 0: no code of the kernel. */
	unsigned *pressure;
	unsigned lines;
	unsigned temporaries; /* at the point most: registers that belong to no variable */
	/* accumulation VGPRs of results that cross a merge, and of addresses computed early:
	 * possibly needed in addition */
	unsigned extra;
	/* registers of one matrix result, if the compiler may keep these in accumulation VGPRs but
	 * values that cross a merge in others; else 0 */
	unsigned passing;
	unsigned guessed;    /* the likely error of most.in_flight */
	unsigned alike;	     /* of most.held: copies at merges that the compiler may avoid */
	unsigned results;    /* of most.held: results of matrix operations */
	unsigned bare;	     /* the peak without copies at any merge */
	unsigned lds_bytes;  /* static shared memory */
	unsigned group_size; /* work-items that the compiler allows for */
	bool bounded;	     /* group_size is by launch bounds; else the default */
	unsigned waves;	     /* the least waves per SIMD that launch bounds ask for; 0: none */
	/* of one wave, in an iteration of the loop with the most, or without loops in total: bytes
	 * of global memory read and written, and floating-point operations. Inner loops that are
	 * not unrolled do not count; all arms of a branch do. */
	uint64_t bytes;
	uint64_t flops;
	bool partial;	      /* unknown code: counts may be too low, and merges missing */
	const char **unknown; /* the unknown things, each as a part of a sentence */
	size_t unknowns;
};

/* t: the target of the parse. */
void ledger_make(struct ledger *out, struct arena *a, struct facts *f, struct uniformity *u,
	kt_id kernel, const struct target *t);
/* The same, with the answers for n merges. If it is partial, nothing else is filled in. It lives as
 * long as the facts; if it is whole, ledger_make returns it again. */
const struct ledger *ledger_make_for(struct ledger_merge *merge, size_t n, struct facts *f,
	struct uniformity *u, kt_id kernel, const struct target *t);

/* Is it indexed at run time, and wider than the compiler's vectors? Then it lies in scratch memory
 * or LDS. */
bool ledger_in_memory(const struct ledger_var *v);
/* The ledger's entry for the declaration of sym, or NULL. */
const struct ledger_var *ledger_var_of(const struct ledger *l, const struct kt_unit *u, kt_id sym);

enum {
	/* The last clang that always has matrix results which cross a merge in two kinds of
	 * registers; 22 does so in some kernels. */
	LEDGER_TWO_FORMS_LAST = 21
};

/* Does the compiler keep results of matrix operations in accumulation VGPRs, but phis and other
 * uses of them in the other VGPRs? It does if a wave can have more VGPRs than the architectural
 * ones, with clang up to LEDGER_TWO_FORMS_LAST (rule/register_form.c has figures). */
bool ledger_has_two_forms(const struct ledger *l, const struct target *t);

/* The expected register need of a kernel. Its waves are those that registers allow. */
struct ledger_claim {
	unsigned vgprs; /* spilled ones included */
	/* the compiler's figure is expected to lie between these (doc/threshold.md) */
	unsigned vgprs_least;
	unsigned vgprs_most;
	unsigned budget;      /* VGPRs that a wave of such a work-group can have */
	unsigned waves_least; /* per SIMD, with vgprs_most; at least those with the whole budget */
	unsigned waves_most;
};

/* The estimate that lint, ledger and explore all use. wanted: registers at the point with the most,
 * as in a ledger_point, a ledger_merge or bare; margin: its possible error in percent. Loads run
 * ahead as far as a wave of such a work-group has registers. If the held values alone need more,
 * the kernel spills. Loads run ahead in architectural VGPRs only, which LLVM's scheduler counts
 * (GCNSchedStrategy's excess limit); results of matrix operations may be in accumulation VGPRs if a
 * wave can have more than 256. */
struct ledger_claim ledger_claim_of(
	const struct ledger *l, const struct target *t, unsigned wanted, unsigned margin);
/* The same for the whole kernel, with its unknowns in the range: the number of loads that run ahead
 * in an arm, whether arms with the same end are merged, and the error for kernels that the model
 * was not fitted to (doc/threshold.md). */
struct ledger_claim ledger_claim_whole(const struct ledger *l, const struct target *t);
/* Only its vgprs. */
unsigned ledger_estimate(const struct ledger *l, const struct target *t);
/* "about 126 VGPRs (115 to 139), registers for 3 or 4 waves per SIMD"; in a. */
const char *ledger_claim_text(struct arena *a, const struct ledger_claim *c);
