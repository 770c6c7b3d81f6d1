#pragma once
/*
 * Budgets: limits on a kernel's figures, in a comment before the kernel or in .unphi.yaml:
 *   // unphi: budget gfx942 spills=0 vgpr<=128 occupancy>=2
 *   template <int N> __global__ void __launch_bounds__(256) kernel(...)
 * Without a target it holds for all. A limit is NAME OP NUMBER without spaces: OP one of = == !=
 * < <= > >=; NAME a metric of measure's JSON (vgpr_spills, scratch_bytes, ...) or a short one:
 * spills, scratch, vgpr, agpr, sgpr, lds, occupancy (waves per SIMD with group size and LDS),
 * waves.
 */
#include "base/array.h"
#include "base/map.h"
#include "measure/measure.h"

enum budget_op {
	BUDGET_EQ,
	BUDGET_NE,
	BUDGET_LT,
	BUDGET_LE,
	BUDGET_GT,
	BUDGET_GE
};

struct budget_limit {
	enum metric metric;
	enum budget_op op;
	int64_t value;
	struct str text; /* as written */
};

struct budget {
	const char *file; /* where it is written, for messages */
	unsigned line;
	const char *kernel; /* a glob on the kernel's name without scope and template arguments, or
			     * with both */
	struct str targets; /* separated by blanks or commas; empty: all */
	struct budget_limit *limit;
	size_t limits;
};

struct budget_list {
	ARRAY(struct budget) v;
};

/* The budgets in comments of a source. FAIL_USAGE after messages with line and column: an unknown
 * metric, a malformed limit, no kernel after it. Everything lives in a; text must outlive it. */
int budgets_find(struct budget_list *out, struct arena *a, struct str text, const char *file);
/* Maps the name of each kernel that the text declares to its first line. */
void budget_kernel_lines(struct map *out, struct arena *a, struct str text);
/* Looks a name up in such a map, without scope and template arguments. 0: not found. */
unsigned budget_line_of(const struct map *lines, const char *name);
/* Reads "gfx942 spills=0 vgpr<=128" into b. NULL, or the error, in a. */
const char *budget_read(struct budget *b, struct arena *a, struct str text);

bool budget_is_for(const struct budget *b, const char *target, const struct kernel_metrics *k);
/* Does another line for the kernel set the limit's metric, and is it more specific than b? A name
 * is more specific than a pattern; then more characters that are not wildcards; then named targets.
 * Equally specific lines all hold. */
bool budget_is_replaced(const struct budget_list *l, const struct budget *b,
	const struct budget_limit *limit, const char *target, const struct kernel_metrics *k);
/* False for METRIC_ABSENT. */
bool budget_holds(const struct budget_limit *l, const struct kernel_metrics *k);
