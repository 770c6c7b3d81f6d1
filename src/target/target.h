#pragma once
/*
 * GPUs, and what registers allow on them: read from rules/targets.yaml (embedded, user files
 * may override). Formulas cite the ISA documents where they stand in target.c.
 * Units: VGPRs are 32-bit registers per lane. Where a work-group may be spread over the two CUs of
 * a WGP (gfx10 and later, the compiler's default there), "CU" below means the WGP. Everything in a
 * database lives in the arena that it was loaded into.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

/* Up to sgprs scalar registers a wave, waves fit on a SIMD. */
struct sgpr_step {
	unsigned sgprs;
	unsigned waves;
};

struct target {
	const char *name;      /* "gfx942" */
	const char *marketing; /* "MI300X, MI300A", for people */
	const char *nearest; /* the relative to parse as where a libclang lacks this one, or NULL */
	const char *const *relatives; /* nearest, its nearest, ...; NULL-terminated */
	unsigned vgpr_file;    /* VGPRs per lane and SIMD shared by its waves (512 on gfx90a: arch +
				  acc) */
	unsigned vgpr_granule; /* allocation granule, VGPRs per lane */
	unsigned vgpr_max;     /* most VGPRs that one wave can address (arch + acc where unified) */
	unsigned arch_vgpr_max; /* of these, architectural */
	bool unified;		/* arch and accumulation VGPRs share one file (gfx90a and later) */
	bool agprs;		/* has accumulation VGPRs at all */
	unsigned waves_max;	/* waves per SIMD */
	unsigned wave_size; /* 64 or 32 lanes: the default mode, in which file and granule are given
			     */
	bool fp8_ocp;	    /* its 8-bit floats are OCP's; else, where it has any, FNUZ's */
	bool gfx940_blgp; /* blgp negates f64, and is gone from operations of one block on others */
	bool wave_sizes_both; /* runs waves of 32 and of 64; a wave of 64 halves file and granule */
	const struct sgpr_step *sgpr_step; /* where SGPRs limit waves: rising; none from gfx10 on */
	size_t sgpr_steps;
	unsigned simds;	    /* SIMDs that one work-group is spread over (per CU, or per WGP in that
			       mode) */
	unsigned lds_bytes; /* per CU (WGP) */
	unsigned lds_group_max; /* per work-group */
	unsigned lds_granule;	/* bytes */
	unsigned groups_max; /* most work-groups resident on a CU when they have more than one wave
			      */
	const char *source;  /* the ISA document and section */
	bool fallback;	     /* see target_fallback */
	const struct issue_passes *issue; /* target/issue.h */
	size_t issues;
};

struct target_db {
	struct target *v;
	size_t n;
};

/* Reads YAML text (targets: - name: ...). FAIL_USAGE after a message with line and column. */
int target_db_load(struct target_db *out, struct arena *a, struct str yaml, const char *file);
/* Embedded rules/targets.yaml. */
int target_db_builtin(struct target_db *out, struct arena *a);
/* NULL when unknown. name may carry features: "gfx90a:sramecc+:xnack-" finds gfx90a. */
const struct target *target_find(const struct target_db *db, struct str name);
/* The one to look at a source for where nobody names any; the first when none is marked. */
const struct target *target_fallback(const struct target_db *db);

enum occ_limit {
	OCC_LIMIT_WAVES,
	OCC_LIMIT_VGPR,
	OCC_LIMIT_LDS,
	OCC_LIMIT_GROUP,
	OCC_LIMIT_SGPR,
};
/* "wave slots", "VGPRs", "LDS", "work-group size", "SGPRs" */
const char *occ_limit_name(enum occ_limit l);

/* What a kernel takes. 0 = unknown or none. */
struct occupancy_use {
	unsigned vgprs;	     /* per lane, as the metadata's .vgpr_count counts them */
	unsigned agprs;	     /* per lane; only matters where the files are separate */
	unsigned sgprs;	     /* per wave, with VCC and the like, as .sgpr_count counts them */
	unsigned lds_bytes;  /* per work-group */
	unsigned group_size; /* work-items */
	unsigned wave_size;  /* 0 = the target's default */
};

struct occupancy {
	unsigned register_waves; /* waves per SIMD that VGPRs and SGPRs allow, <= waves_max */
	unsigned remark_waves; /* what LLVM's Occupancy remark says (up to LLVM 19): register_waves,
				* and not more than LDS and the work-group size allow when registers
				* are left out, split groups rounded up */
	unsigned resident_waves; /* waves on the fullest SIMD when only whole work-groups are
				  * resident: registers, LDS and group slots together */
	enum occ_limit limiter;	 /* of resident_waves */
};

/* Without a group size resident_waves and remark_waves equal register_waves. False (out untouched)
 * when the kernel needs more than the target has, or one work-group does not fit. */
bool target_occupancy_use(
	struct occupancy *out, const struct target *t, const struct occupancy_use *use);
/* register_waves of so many registers in the default wave size; 0: more than the target has. */
unsigned target_register_waves(const struct target *t, unsigned vgprs, unsigned agprs);
