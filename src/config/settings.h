#pragma once
/* The settings of rules/rules.yaml: thresholds of the rules, and the least gains that count. */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

/* How the rule about barriers looks at them. The defaults are the sound ones. */
struct sync_settings {
	bool check_address_spaces; /* a lane's own arrays are no memory that lanes share */
	bool ignore_unseen_calls;  /* unsound: calls of what is not seen do nothing to memory */
	bool propagate;		   /* over the control-flow graph; else each block is alone */
	bool report_kept;	   /* notes about barriers that stay, with the reason */
	int64_t max_functions;	   /* with barriers; 0: all */
	int64_t max_blocks;	   /* of a function; 0: any number */
	/* globs of functions that are left alone, NULL-terminated, or NULL; set by who has them */
	const char *const *exclude;
};

/* Where a text has more waves, and runs more. */
enum prefer {
	PREFER_BALANCE, /* the least cycles by what the waves can hide */
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
	int64_t min_wide_vgprs;	    /* per lane, of an accumulator that lives long */
	int64_t headroom_margin;    /* percent that the ledger's estimate may be off */
	int64_t min_gain_vgprs;	    /* per lane, summed over the kernels compared */
	int64_t min_gain_percent;   /* of issue cycles, where nothing else is gained */
	int64_t latency;	    /* issue cycles of a wait for loads, by estimate */
	enum prefer prefer;
	int64_t branch_every;	    /* instructions with a branch more that make it worse */
	int64_t skips_uniform_from; /* major version of clang, see rules.yaml */
	int64_t flag_mended_in;	    /* major version of clang, see rules.yaml */
	int64_t bench_runs;	    /* of a command, for each text */
	int64_t bench_min_gain;	    /* percent of the source's time */
};

/* Reads YAML text; every key must be there. FAIL_USAGE after a message with line and column. */
int settings_load(struct settings *out, struct str yaml, const char *file);
int settings_builtin(struct settings *out); /* the embedded rules.yaml */
/* Takes those of the keys that root, a YAML map that may hold others, has: FAIL_USAGE after a
 * message with line and column. Lists live in a. */
struct yaml_node;
int settings_override(struct settings *s, struct arena *a, const struct yaml_node *root);
/* As YAML that settings_load reads. */
void settings_print(struct sbuf *out, const struct settings *s);
/* Every key with an example, and in a comment what it does, its type and default; as YAML. */
int settings_describe(struct sbuf *out);

/* A key as settings_describe prints it: "# HELP. TYPE; default: FALLBACK.", then NAME: EXAMPLE. */
void setting_describe(struct sbuf *out, unsigned indent, const char *help, const char *type,
	const char *fallback);
