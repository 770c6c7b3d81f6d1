#pragma once
/*
 * A file with combinations of settings of its macros, compiled side by side: what each kernel costs
 * then. The file itself stays as it is; a setting is a -D after the user's flags.
 */
#include "base/array.h"
#include "measure/measure.h"
#include "target/intrinsic.h"

struct setting {
	const char *name; /* of the macro */
	const char *const *value;
	size_t values;
};

/* A kernel as its source counts it. */
struct counted {
	const char *symbol;
	unsigned estimate; /* the register ledger's */
	uint64_t bytes;	   /* of a wave in the hottest loop's iteration */
	uint64_t flops;	   /* 0: not known */
};

/* The kernels of one combination and target; n 0: it does not parse, or has none. */
struct counted_unit {
	struct counted *v;
	size_t n;
};

struct explore_job {
	const char *path;
	const struct target *const *target;
	const struct compiler *compiler; /* parallel to target */
	size_t targets;
	const char *const *flags; /* the user's, NULL-terminated */
	const struct intrinsic_db *intrinsics;
	const struct setting *setting;
	size_t settings;
	const char *const *const *combination; /* values, one a setting */
	size_t combinations;
	double time_limit_s; /* of a compile; 0: default */
	unsigned parallel;
	bool no_cache;
};

/* One kernel, compiled for one target with one combination. */
struct explored {
	const char *const *value; /* one a setting */
	const char *target;
	const char *kernel; /* NULL: nothing compiled, and why says what happened */
	const char *why;
	const char *said; /* the compiler's first error, or NULL */
	const struct kernel_metrics *got;
	unsigned estimate; /* this and the next two as in struct counted */
	uint64_t bytes;
	uint64_t flops;
	bool best; /* set by explore_mark */
};

struct explored_list {
	ARRAY(struct explored) v; /* the caller releases it; what it points to lives in the arena */
};

/* Does no figure of any kernel differ between the values of setting at? Such a macro is named
 * nowhere, or the file defines it whatever -D says. False where it has one value only. */
bool explore_is_idle(
	const struct explored_list *rows, const struct setting *s, size_t settings, size_t at);
/* All combinations of the values, in *out; the first setting turns slowest. */
void explore_product(const char *const *const **out, size_t *n, struct arena *a,
	const struct setting *s, size_t settings);
/* A row for each kernel, target and combination, and one for each combination and target that does
 * not compile. FAIL_INPUT after a message when nothing compiles. */
int explore_run(struct explored_list *out, struct arena *a, const struct explore_job *job);
