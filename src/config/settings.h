#pragma once
/* The settings of rules/rules.yaml: the thresholds of the rules, and the smallest gains that
 * count. */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

/* The settings of the rule about barriers. The defaults are sound. */
struct sync_settings {
	bool check_address_spaces; /* a lane's private arrays are not shared memory */
	bool ignore_unseen_calls;  /* unsound: calls without a visible body access no memory */
	bool propagate;		   /* over the control-flow graph; else each block by itself */
	bool report_kept;	   /* notes about needed barriers, with the reason */
	int64_t max_functions;	   /* with barriers; 0: all */
	int64_t max_blocks;	   /* of a function; 0: any number */
	/* globs of functions that are not checked, NULL-terminated, or NULL */
	const char *const *exclude;
};

/* The preference if a candidate has more waves and more issue cycles. */
enum prefer {
	PREFER_BALANCE, /* the least estimated time */
	PREFER_WAVES,
	PREFER_CYCLES,
	PREFERS
};
/* "balance", "waves", "cycles"; NULL-terminated. */
extern const char *const prefer_name[PREFERS + 1];

enum {
	SETTINGS_SECTIONS = 4
};
extern const char *const settings_sections[SETTINGS_SECTIONS + 1]; /* NULL-terminated */

struct settings {
	struct sync_settings dead_sync;
	unsigned min_chained_vgprs; /* per lane */
	int64_t min_wide_vgprs;	    /* per lane, of a long-lived accumulator */
	int64_t headroom_margin;    /* assumed error of the ledger's estimate, in percent */
	int64_t min_gain_vgprs;	    /* per lane, summed over the kernels compared */
	int64_t min_gain_percent;   /* of issue cycles, if nothing else is gained */
	int64_t latency;	    /* estimated issue cycles of a wait for loads */
	enum prefer prefer;
	int64_t branch_every;	    /* one more branch per this many instructions is worse */
	int64_t skips_uniform_from; /* major version of clang, see rules.yaml */
	int64_t flag_mended_in;	    /* major version of clang, see rules.yaml */
	int64_t bench_runs;	    /* runs of the command for each candidate */
	int64_t bench_min_gain;	    /* percent of the source's time */
};

/* Reads YAML text with every key. FAIL_USAGE after a message with line and column. */
int settings_load(struct settings *out, struct str yaml, const char *file);
int settings_builtin(struct settings *out); /* the embedded rules.yaml */
/* Sets the values whose keys are in root, a YAML map that may have other keys. FAIL_USAGE after a
 * message with line and column. Lists live in a. */
struct yaml_node;
int settings_override(struct settings *s, struct arena *a, const struct yaml_node *root);
/* Prints YAML that settings_load reads. */
void settings_print(struct sbuf *out, const struct settings *s);
/* Prints YAML with an example of every key and, as a comment, its meaning, type and default. */
int settings_describe(struct sbuf *out);

/* Prints the comment of a key: "# HELP." and "# TYPE; default: FALLBACK." */
void setting_describe(struct sbuf *out, unsigned indent, const char *help, const char *type,
	const char *fallback);
