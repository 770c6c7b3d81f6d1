#pragma once
/*
 * The baseline: a YAML file of known findings, with a reason for each, that people review.
 *
 *   version: 1
 *   findings:
 *     - rule: unphi-phi-explosion
 *       file: kernels/mla_decode.hip      # relative to the baseline file if it is below that
 *       function: mla_decode_2            # without template arguments
 *       code: 1f3a5b7c9d2e4f60            # hash of the code, without its names
 *       reason: "two launches a day"
 *
 * An entry matches one finding, the most similar one. Best is a finding that is equal in
 * everything; then one with the same code, which may have moved to another function or file; then
 * one in the same function, whose code may have changed. Line numbers do not matter. A finding
 * without an entry is new; an entry without a finding is stale.
 */
#include "base/arena.h"
#include "rule/diag.h"

extern const char baseline_rule[]; /* "unphi-baseline" */

struct baseline_entry {
	struct str rule;
	const char *file; /* absolute */
	struct str function;
	uint64_t code;
	struct str reason;
	size_t at; /* offset in the baseline file */
	bool matched;
};

struct baseline {
	const char *path;
	struct str text;
	struct baseline_entry *v;
	size_t n;
};

/* FAIL_USAGE after a message with line and column. A missing file is an error. */
int baseline_load(struct baseline *out, struct arena *a, const char *path);
/* The files that a run has checked. Entries about other files stay as they are. */
struct baseline_scope {
	bool (*is_checked)(void *user, const char *file);
	void *user;
};

/* For each finding the entry that lists it, or NULL; in a. */
const struct baseline_entry **baseline_known(struct arena *a, struct baseline *b,
	const struct diag_list *found, const struct baseline_scope *scope);
/* Removes the listed findings from found, and returns their number. */
size_t baseline_apply(
	struct baseline *b, struct diag_list *found, const struct baseline_scope *scope);
/* Adds a note for each entry without a finding, if its file is gone or was checked. */
void baseline_judge(struct diag_list *out, struct arena *a, const struct baseline *b,
	const struct baseline_scope *scope);
/* Prints the baseline at path that lists these findings. Reasons come from old, and so do its
 * entries about files that were not checked. Marks the entries of old as matched; old may be
 * NULL. */
void baseline_print(struct sbuf *out, struct arena *a, const char *path,
	const struct diag_list *found, struct baseline *old, const struct baseline_scope *scope);
