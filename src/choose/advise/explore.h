#pragma once
/*
 * Compiles a file with combinations of settings of its macros, and returns each kernel's cost. The
 * file does not change; a setting is a -D after the user's flags.
 */
#include "base/array.h"
#include "measure/measure.h"
#include "target/intrinsic.h"

struct setting {
	const char *name; /* of the macro */
	const char *const *value;
	size_t values;
};

/* A kernel's counts by its source. */
struct counted {
	const char *symbol;
	unsigned estimate; /* by the register ledger */
	uint64_t bytes;	   /* of a wave in the hottest loop's iteration */
	uint64_t flops;	   /* 0: unknown */
};

/* The kernels of one combination and target; n 0: the file does not parse, or has none. */
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
	const char *kernel; /* NULL: it did not compile, and why has the reason */
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

/* Are all figures of all kernels equal for all values of setting `at`? Then the file does not use
 * the macro, or defines it regardless of -D. False if it has only one value. */
bool explore_is_idle(
	const struct explored_list *rows, const struct setting *s, size_t settings, size_t at);
/* Sets *out to all combinations of the values; the first setting varies slowest. */
void explore_product(const char *const *const **out, size_t *n, struct arena *a,
	const struct setting *s, size_t settings);
/* Makes a row for each kernel, target and combination, and one for each combination and target that
 * does not compile. FAIL_INPUT after a message if nothing compiles. */
int explore_run(struct explored_list *out, struct arena *a, const struct explore_job *job);
