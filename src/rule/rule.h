#pragma once
/*
 * The rules of lint. A rule makes diagnostics of the sites in one file's parses; it compiles
 * nothing and edits nothing. Diagnostics live in the arena.
 */
#include "choose/advise/causes.h"
#include "config/settings.h"
#include "rule/diag.h"
#include "strategy/strategy.h"

struct rule_input {
	const struct parse *parse; /* one a target */
	size_t parses;
	const struct settings *settings;
	const struct target *const *target; /* of each parse */
	const struct strategy_opts *opts;
	struct arena *a;
	bool skips_uniform; /* as headroom_input has it */
	unsigned clang;	    /* likewise */
};

struct rule {
	const char *name;    /* "unphi-phi-explosion" */
	const char *summary; /* one line */
	enum diag_level level;
	/* NULL: the report finds these after all units */
	void (*run)(const struct rule_input *in, struct diag_list *out);
};

extern const struct rule rules[];
extern const size_t rules_n;

void rule_accumulator_lifetime(const struct rule_input *in, struct diag_list *out);
void rule_early_exit(const struct rule_input *in, struct diag_list *out);
void rule_launch_bounds(const struct rule_input *in, struct diag_list *out);
void rule_outdated_rewrite(const struct rule_input *in, struct diag_list *out);
void rule_phi_explosion(const struct rule_input *in, struct diag_list *out);
void rule_register_form(const struct rule_input *in, struct diag_list *out);
void rule_width_unknown(const struct rule_input *in, struct diag_list *out);
void rule_dead_sync(const struct rule_input *in, struct diag_list *out);
void rule_divergent_matrix(const struct rule_input *in, struct diag_list *out);
void rule_divergent_sync(const struct rule_input *in, struct diag_list *out);

/* The measured causes: the bits of enum cause_kind for the enabled rules, and their findings. */
unsigned rule_causes_wanted(const char *checks);
void rule_causes(struct diag_list *out, struct arena *a, const struct cause *cause, size_t n);

/* Does a --checks list enable the rule of this name ("-*,unphi-phi-*"; NULL: all)? */
bool rule_enabled(const char *checks, const char *name);
/* The first item of such a list that matches no rule, without its '-'; empty: none. */
struct str rule_unmatched(const char *checks);
