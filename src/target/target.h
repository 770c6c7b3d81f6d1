#pragma once
/*
 * GPUs and their limits on occupancy, from rules/targets.yaml (embedded). The formulas are in
 * target.c, with the ISA documents that they come from. Units: VGPRs are 32-bit registers per lane.
 * On gfx10 and later a work-group may be spread over the two CUs of a WGP, which is the compiler's
 * default there; "CU" below then means the WGP. Everything in a database lives in the arena that it
 * was loaded into.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

/* So many waves fit on a SIMD if each has up to sgprs scalar registers. */
struct sgpr_step {
	unsigned sgprs;
	unsigned waves;
};

struct target {
	const char *name;      /* "gfx942" */
	const char *marketing; /* "MI300X, MI300A", for people */
	const char *nearest;   /* the target to parse for if libclang lacks this one, or NULL */
	const char *const *relatives; /* nearest, its nearest, ...; NULL-terminated */
	unsigned vgpr_file;    /* VGPRs per lane and SIMD shared by its waves (512 on gfx90a: arch +
				  acc) */
	unsigned vgpr_granule; /* allocation granule, VGPRs per lane */
	unsigned vgpr_max;     /* most VGPRs that one wave can address (arch + acc if unified) */
	unsigned arch_vgpr_max; /* the architectural ones of these */
	bool unified;		/* arch and accumulation VGPRs share one file (gfx90a and later) */
	bool agprs;		/* has accumulation VGPRs at all */
	unsigned waves_max;	/* waves per SIMD */
	/* 64 or 32 lanes in the default mode; file and granule are those of this mode */
	unsigned wave_size;
	bool fp8_ocp; /* 8-bit floats, if any, are OCP's; else FNUZ's */
	/* blgp negates f64 operands; other operations of one block have no blgp */
	bool gfx940_blgp;
	bool wave_sizes_both; /* runs waves of 32 and of 64; a wave of 64 halves file and granule */
	const struct sgpr_step *sgpr_step; /* rising, if SGPRs limit waves; none from gfx10 */
	size_t sgpr_steps;
	unsigned simds;			  /* SIMDs that one work-group is spread over, per CU */
	unsigned lds_bytes;		  /* per CU */
	unsigned lds_group_max;		  /* per work-group */
	unsigned lds_granule;		  /* bytes */
	unsigned groups_max;		  /* most resident work-groups of several waves per CU */
	const char *source;		  /* the ISA document and section */
	bool fallback;			  /* see target_fallback */
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
/* NULL if unknown. name may have features: "gfx90a:sramecc+:xnack-" finds gfx90a. */
const struct target *target_find(const struct target_db *db, struct str name);
/* The target to use if the user names none and no GPU is found; the first one if none is marked. */
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

/* The resources of a kernel. 0: unknown or none. */
struct occupancy_use {
	unsigned vgprs;	     /* per lane, as the metadata's .vgpr_count counts them */
	unsigned agprs;	     /* per lane; counts only if the files are separate */
	unsigned sgprs;	     /* per wave, with VCC and similar ones, as .sgpr_count counts them */
	unsigned lds_bytes;  /* per work-group */
	unsigned group_size; /* work-items */
	unsigned wave_size;  /* 0 = the target's default */
};

struct occupancy {
	unsigned register_waves; /* waves per SIMD that VGPRs and SGPRs allow, <= waves_max */
	/* the figure of LLVM's Occupancy remark (up to LLVM 19): register_waves, but at most the
	 * waves that LDS and the work-group size allow without registers, split groups rounded
	 * up */
	unsigned remark_waves;
	/* waves on the fullest SIMD if only whole work-groups are resident, by registers, LDS
	 * and group slots */
	unsigned resident_waves;
	enum occ_limit limiter; /* of resident_waves */
};

/* Without a group size resident_waves and remark_waves equal register_waves. False, with out
 * unchanged, if the kernel needs more than the target has, or if one work-group does not fit. */
bool target_occupancy_use(
	struct occupancy *out, const struct target *t, const struct occupancy_use *use);
/* register_waves for so many registers in the default wave size; 0: more than the target has. */
unsigned target_register_waves(const struct target *t, unsigned vgprs, unsigned agprs);
