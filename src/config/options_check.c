/* Checks combinations of options that are valid by themselves, and of options with files. */
#include <ctype.h>
#include <string.h>

#include "base/msg.h"
#include "config/options.h"

static int check_cache(const struct cli_opts *o)
{
	const char *what = o->files.n == 1 ? o->files.v[0] : "";

	if (strcmp(what, "size") != 0 && strcmp(what, "prune") != 0) {
		return fail_usage("'unphi cache' does one of these: size, prune");
	}
	if ((o->cache_limit || o->unused_days) && strcmp(what, "prune") != 0) {
		return fail_usage("options --limit and --unused require 'prune'");
	}
	return 0;
}

static int check_files(const struct cli_opts *o)
{
	const struct command_spec *c = command_spec(o->command);

	if (o->command == COMMAND_CC) {
		if (o->files.n > 0 || !o->flags[0]) {
			return fail_usage(
				"the compiler's command goes after '--': unphi cc [OPTIONS] -- "
				"hipcc -c x.hip");
		}
		return 0;
	}
	if (o->command == COMMAND_CACHE) {
		return check_cache(o);
	}
	if (o->command == COMMAND_LOCK && o->files.n == 0) {
		return 0;
	}
	if (o->command == COMMAND_MERGE && o->files.n == 0) {
		return fail_usage("no part: unphi merge PART...; --shard with --report writes one");
	}
	if (!*c->arguments) {
		if (o->files.n > 0) {
			return fail_usage("'unphi %s' takes no file, but %s is given", c->name,
				o->files.v[0]);
		}
		return 0;
	}
	if (o->stdin_filename && o->files.n > 1) {
		return fail_usage(
			"option --stdin-filename names the file, but %s is given", o->files.v[0]);
	}
	if (o->stdin_filename && o->command == COMMAND_LEDGER && !o->estimate) {
		return fail_usage(
			"option --stdin-filename requires --estimate: a compile reads the saved "
			"file");
	}
	const int of_builds = COMMAND_LINT | COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY;
	bool whole_build = ((o->command & of_builds) && o->build) || o->dump_config;

	if (o->files.n == 0 && !o->list_checks && !whole_build) {
		if (o->command == COMMAND_EXPLAIN) {
			return fail_usage(
				"no rule: unphi explain RULE...; unphi lint --list-checks lists "
				"them");
		}
		return fail_usage("no input file: unphi %s [OPTIONS] %s [-- COMPILER-FLAGS]",
			c->name, c->arguments);
	}
	if (o->command == COMMAND_REWRITE && !o->build && o->files.n > 1) {
		return fail_usage(
			"'unphi rewrite' takes one file without -p, but %zu are given: %s, %s%s",
			o->files.n, o->files.v[0], o->files.v[1], o->files.n > 2 ? ", ..." : "");
	}
	if (o->build && !(o->command & of_builds) && o->files.n > 1) {
		return fail_usage("option -p of 'unphi %s' takes one file, but %zu are given",
			c->name, o->files.n);
	}
	if (c->one_file && o->files.n > 1) {
		return fail_usage("'unphi %s' takes one file, but %zu are given: %s, %s%s", c->name,
			o->files.n, o->files.v[0], o->files.v[1], o->files.n > 2 ? ", ..." : "");
	}
	for (size_t i = 0; i < o->files.n; i++) {
		if (!*o->files.v[i]) {
			return fail_usage("the name of an input file is empty");
		}
	}
	return 0;
}

/* A forbidden combination with its message: "option OPTION SAYS". If says is an option too, the
 * message is that the two exclude each other. If option is NULL, says is the whole message. */
struct rule {
	bool broken;
	const char *option;
	const char *says;
};

static int check_rules(const struct rule *v, size_t n)
{
	while (n > 0 && !v->broken) {
		v++;
		n--;
	}
	return n == 0	    ? 0
	       : !v->option ? fail_usage("%s", v->says)
	       : str_starts(str_of(v->says), "--")
		       ? fail_usage("options %s and %s exclude each other", v->option, v->says)
		       : fail_usage("option %s %s", v->option, v->says);
}

#define CHECK(rules) check_rules(rules, sizeof(rules) / sizeof((rules)[0]))

/* Two options that name the place of the result, or that contradict each other. */
static int check_pairs(const struct cli_opts *o)
{
	bool same = o->output && o->report && strcmp(o->output, o->report) == 0;
	const struct rule rules[] = {
		{o->output && o->diff, "--output", "--diff"},
		{o->output && o->fix, "--output", "--fix"},
		{o->diff && o->fix, "--diff", "--fix"},
		{o->check && o->fix, "--check", "--fix"},
		{o->init && o->spec, "--init", "--spec"},
		{o->header_filter && o->bench, "--header-filter", "--bench"},
		{o->kernel && o->check && o->command == COMMAND_MEASURE, "--kernel", "--check"},
		{o->bench && o->strategy, "--bench", "--strategy"},
		{o->init && o->strategy, "--init", "--strategy"},
		{o->output && o->header_filter, "--output",
			"writes one file, but --header-filter may change several: use --fix or "
			"--diff instead"},
		{same && strncmp(o->output, "/dev/", 5) != 0, NULL,
			"options --output and --report name the same file"},
	};
	return CHECK(rules);
}

static int check_verify(const struct cli_opts *o)
{
	if (o->init && o->files.n > 1 && !o->build) {
		return fail_usage(
			"option --init takes one file without -p, but %zu are given", o->files.n);
	}
	if (o->output && !o->init) {
		return fail_usage("option --output of 'unphi verify' requires --init");
	}
	if (o->strategy && o->files.n > 1 && !o->build) {
		return fail_usage("option --strategy makes the rewritten file, but %s is given",
			o->files.v[1]);
	}
	return 0;
}

/* Machine code can only be run for the text of one source file. */
static bool may_run_machine(const struct cli_opts *o)
{
	return o->command == COMMAND_VERIFY || (!o->header_filter && !o->bench && !o->strategy);
}

/* Options that need one command or another option. */
static int check_together(const struct cli_opts *o)
{
	bool verify = o->command == COMMAND_VERIFY, rewrite = o->command == COMMAND_REWRITE;
	bool lint = o->command == COMMAND_LINT, compiles = o->measure || o->probe;
	bool runs = verify ? !o->init : o->verify;
	const char *compiling = o->compiler_launcher	 ? "--compiler-launcher"
				: o->allow_recontraction ? "--allow-recontraction"
							 : NULL;
	const char *with_build = o->shard      ? "--shard"
				 : o->times    ? "--times"
				 : o->load > 0 ? "--load"
					       : NULL;
	const char *later = !o->shard		    ? NULL
			    : o->diff		    ? "--diff"
			    : o->check		    ? "--check"
			    : o->baseline && lint   ? "--baseline"
			    : o->write_baseline	    ? "--write-baseline"
			    : o->export_fixes	    ? "--export-fixes"
			    : o->warnings_as_errors ? "--warnings-as-errors"
						    : NULL;
	const char *whole = !o->shard	 ? NULL
			    : o->fix	 ? "--fix"
			    : o->stamp	 ? "--stamp"
			    : o->measure ? "--measure"
			    : o->probe	 ? "--probe"
					 : NULL;
	const struct rule rules[] = {
		{o->command == COMMAND_MEASURE && o->spec && !o->run, "--spec",
			"requires --run: it names the cases to run"},
		{o->on == ON_BOTH && !verify, NULL, "'--on both' requires 'unphi verify'"},
		{o->on == ON_ISA && !may_run_machine(o), NULL,
			"'--on isa' excludes --header-filter, --bench and --strategy"},
		{o->on != ON_CPU && !runs, "--on",
			rewrite ? "says where to run cases, but none are run without --verify"
				: "says where to run cases, but none are run"},
		{o->allow_unproved && (!o->verify || o->on != ON_ISA), "--allow-unproved",
			"requires --verify --on isa: it relies on the bits of the machine code"},
		{o->all_data && (!runs || o->on != ON_ISA), "--all-data",
			rewrite ? "requires '--verify --on isa': it compares machine code"
				: "requires '--on isa': it compares machine code"},
		{o->allow_reassociation && !o->all_data, "--allow-reassociation",
			"requires --all-data"},
		{o->gpu_compiler && o->on != ON_GPU, "--gpu-compiler", "requires '--on gpu'"},
		{lint && o->stdin_filename && compiles, "--stdin-filename",
			"cannot be used with --measure or --probe: they compile the saved file"},
		{lint && compiling && !compiles, compiling,
			"requires --measure or --probe: lint by itself compiles nothing"},
		{lint && o->fix && !o->measure, "--fix",
			"of 'unphi lint' requires --measure: without a measurement there is "
			"nothing to apply"},
		{lint && o->fix && o->write_baseline, "--fix", "--write-baseline"},
		{lint && o->export_fixes && !o->measure, "--export-fixes",
			"requires --measure: without a measurement there are no fixes"},
		{o->lds && !o->block, "--lds", "requires --block: LDS belongs to a work-group"},
		{o->frozen && !o->lock, "--frozen", "requires --lock"},
		{!lint && o->command != COMMAND_MERGE && with_build && !o->build, with_build,
			"requires -p"},
		{o->shard && o->header_filter && rewrite, NULL,
			"options --shard and --header-filter exclude each other: an edit of a "
			"header has to be right in all units, but a shard has only some"},
		{later, later,
			"cannot be used with --shard: give it to unphi merge, which joins the "
			"parts first"},
		{whole, whole, "--shard"},
	};
	return CHECK(rules);
}

/* Each setting is NAME=VALUE,... */
static int check_settings(const struct cli_opts *o)
{
	if (o->settings.v.n == 0) {
		return fail_usage("nothing to explore: give -D NAME=VALUE,VALUE...");
	}
	for (size_t i = 0; i < o->settings.v.n; i++) {
		struct str s = str_of(o->settings.v.v[i]);
		size_t eq = str_find(s, "=", 0);
		if (eq == 0 || eq == SIZE_MAX || eq + 1 == s.n || str_ends(s, ",") ||
			str_find(s, ",,", 0) != SIZE_MAX || s.p[eq + 1] == ',') {
			return fail_usage(
				"option -D: '%s' is not NAME=VALUE,VALUE...", o->settings.v.v[i]);
		}
		for (size_t k = 0; k < i; k++) {
			struct str other = str_of(o->settings.v.v[k]);
			if (str_eq(str_sub(other, 0, str_find(other, "=", 0)), str_sub(s, 0, eq))) {
				return fail_usage(
					"option -D: %.*s is given twice: put its values together",
					(int)eq, s.p);
			}
		}
	}
	return 0;
}

/* Names with this prefix must not be reserved in C++. */
static int check_prefix(const struct cli_opts *o)
{
	enum {
		PREFIX_MAX = 32
	};
	const char *p = o->prefix ? o->prefix : "x";
	bool good = isalpha((unsigned char)p[0]) ||
		    (p[0] == '_' && (islower((unsigned char)p[1]) || isdigit((unsigned char)p[1])));
	good &= strlen(p) <= PREFIX_MAX;
	for (const char *c = p; *c; c++) {
		good &= isalnum((unsigned char)*c) || (*c == '_' && c[1] != '_');
	}
	if (!good) {
		return fail_usage("option --prefix: names that begin with '%s' are reserved or "
				  "invalid in C++",
			o->prefix);
	}
	return 0;
}

int options_check(const struct cli_opts *o)
{
	if (o->help || o->version || o->command == COMMAND_TOP) {
		return 0;
	}
	int rc = check_files(o);
	rc = rc || o->command != COMMAND_VERIFY ? rc : check_verify(o);
	rc = rc || o->command != COMMAND_EXPLORE ? rc : check_settings(o);
	rc = rc ? rc : check_together(o);
	if (rc == 0 && o->wave && o->wave != 32 && o->wave != 64) {
		rc = fail_usage("option --wave: a wave has 32 or 64 lanes, not %u", o->wave);
	}
	rc = rc ? rc : check_prefix(o);
	return rc ? rc : check_pairs(o);
}
