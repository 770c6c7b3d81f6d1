#include "rule/rule.h"

#include <fnmatch.h>

const struct rule rules[] = {
	{"unphi-phi-explosion",
		"a wide accumulator is carried through the arms of an if/else, else-if chain or "
		"switch",
		DIAG_WARNING, rule_phi_explosion},
	{"unphi-outdated-rewrite",
		"guarded ifs of an earlier rewrite that the compiler in use does not need",
		DIAG_NOTE, rule_outdated_rewrite},
	{"unphi-early-exit",
		"a loop that exits, or skips an iteration, before it computes a wide accumulator",
		DIAG_NOTE, rule_early_exit},
	{"unphi-width-unknown",
		"a kernel template that nothing in the unit instantiates, so that its widths are "
		"unknown",
		DIAG_NOTE, rule_width_unknown},
	{"unphi-dead-sync", "a barrier that orders no access to memory", DIAG_WARNING,
		rule_dead_sync},
	{"unphi-divergent-sync", "a barrier that not all lanes of the work-group reach",
		DIAG_WARNING, rule_divergent_sync},
	{"unphi-divergent-matrix", "a matrix operation that only some lanes of a wave reach",
		DIAG_WARNING, rule_divergent_matrix},
	{"unphi-launch-bounds",
		"launch bounds that are missing, larger than the launched blocks, or not met",
		DIAG_NOTE, rule_launch_bounds},
	{"unphi-register-form",
		"results of matrix operations that a loop carries in two kinds of registers",
		DIAG_NOTE, rule_register_form},
	{"unphi-uniform-merge",
		"a kernel that the probe shows to have uniform merges that cost registers (with "
		"--probe)",
		DIAG_NOTE, NULL},
	{"unphi-register-floor",
		"a kernel that spills even with only one arm of each wide merge (with --measure)",
		DIAG_NOTE, NULL},
	{"unphi-wave-condition",
		"an if on the wave's number around matrix operations that costs registers (with "
		"--measure)",
		DIAG_NOTE, NULL},
	{"unphi-guarded-operand",
		"loads under a per-lane condition that cost registers (with --measure)", DIAG_NOTE,
		NULL},
	{"unphi-arm-instances",
		"arms that call instances of one function template, where one function is less "
		"code "
		"(with --measure)",
		DIAG_NOTE, NULL},
	{"unphi-scalar-access",
		"adjacent global accesses of a lane that the compiler leaves apart (with "
		"--measure)",
		DIAG_NOTE, NULL},
	{"unphi-accumulator-lifetime",
		"an accumulator that lives through a loop, and how to save the registers that it "
		"takes",
		DIAG_NOTE, rule_accumulator_lifetime},
	{"unphi-baseline", "a baseline entry whose finding is gone", DIAG_NOTE, NULL},
	{"unphi-suppression",
		"a NOLINT comment that names unphi and suppresses nothing, or gives no reason",
		DIAG_WARNING, NULL},
};
const size_t rules_n = sizeof(rules) / sizeof(rules[0]);

/* Takes the first glob off a list: "-GLOB" switches off. */
static bool next_glob(struct str *rest, struct str *glob, bool *off)
{
	if (!str_split(rest, ',', glob)) {
		return false;
	}
	*glob = str_trim(*glob);
	*off = str_starts(*glob, "-");
	*glob = str_sub(*glob, *off ? 1 : 0, glob->n);
	return true;
}

static bool glob_matches(struct str glob, const char *name)
{
	struct sbuf pattern = {0};
	sbuf_addstr(&pattern, glob);
	bool matches = glob.n && fnmatch(sbuf_cstr(&pattern), name, 0) == 0;
	sbuf_release(&pattern);
	return matches;
}

bool rule_enabled(const char *checks, const char *name)
{
	bool on = true;
	bool off;
	struct str rest = str_of(checks);
	struct str glob;
	while (checks && next_glob(&rest, &glob, &off)) {
		on = glob_matches(glob, name) ? !off : on;
	}
	return on;
}

struct str rule_unmatched(const char *checks)
{
	bool off;
	struct str rest = str_of(checks);
	struct str glob;
	while (checks && next_glob(&rest, &glob, &off)) {
		bool any = glob.n == 0;
		for (size_t i = 0; i < rules_n && !any; i++) {
			any = glob_matches(glob, rules[i].name);
		}
		if (!any) {
			return glob;
		}
	}
	return (struct str){0};
}
