/* Options that are read, each for itself: do they go together, and with the files? */
#include <ctype.h>
#include <string.h>

#include "base/msg.h"
#include "config/options.h"

static int check_cache(const struct cli_opts *o)
{
	const char *what = o->files.n == 1 ? o->files.v[0] : "";

	if (strcmp(what, "size") != 0 && strcmp(what, "prune") != 0) {
		msg_error("'unphi cache' does one of these: size, prune");
		return FAIL_USAGE;
	}
	if ((o->cache_limit || o->unused_days) && strcmp(what, "prune") != 0) {
		msg_error("options --limit and --unused go with prune");
		return FAIL_USAGE;
	}
	return 0;
}

static int check_files(const struct cli_opts *o)
{
	const struct command_spec *c = command_spec(o->command);

	if (o->command == COMMAND_CC) {
		if (o->files.n > 0 || !o->flags[0]) {
			msg_error("the compiler's command goes after '--': unphi cc [OPTIONS] -- "
				  "hipcc -c x.hip");
			return FAIL_USAGE;
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
		msg_error("no part: unphi merge PART...; --shard with --report writes one");
		return FAIL_USAGE;
	}
	if (!*c->arguments) {
		if (o->files.n > 0) {
			msg_error("'unphi %s' takes no file, and there is %s", c->name,
				o->files.v[0]);
			return FAIL_USAGE;
		}
		return 0;
	}
	if (o->stdin_filename && o->files.n > 1) {
		msg_error("option --stdin-filename names the file, and there is %s", o->files.v[0]);
		return FAIL_USAGE;
	}
	if (o->stdin_filename && o->command == COMMAND_LEDGER && !o->estimate) {
		msg_error("option --stdin-filename goes with --estimate: what is compiled is the "
			  "saved file");
		return FAIL_USAGE;
	}
	const int of_builds = COMMAND_LINT | COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY;
	bool whole_build = ((o->command & of_builds) && o->build) || o->dump_config;

	if (o->files.n == 0 && !o->list_checks && !whole_build) {
		if (o->command == COMMAND_EXPLAIN) {
			msg_error("no rule: unphi explain RULE...; unphi lint --list-checks lists "
				  "them");
			return FAIL_USAGE;
		}
		msg_error("no input file: unphi %s [OPTIONS] %s [-- COMPILER-FLAGS]", c->name,
			c->arguments);
		return FAIL_USAGE;
	}
	if (o->command == COMMAND_REWRITE && !o->build && o->files.n > 1) {
		msg_error("'unphi rewrite' takes one file without -p, and there are %zu: %s, %s%s",
			o->files.n, o->files.v[0], o->files.v[1], o->files.n > 2 ? ", ..." : "");
		return FAIL_USAGE;
	}
	if (o->build && !(o->command & of_builds) && o->files.n > 1) {
		msg_error("option -p of 'unphi %s' goes with one file, and there are %zu", c->name,
			o->files.n);
		return FAIL_USAGE;
	}
	if (c->one_file && o->files.n > 1) {
		msg_error("'unphi %s' takes one file, and there are %zu: %s, %s%s", c->name,
			o->files.n, o->files.v[0], o->files.v[1], o->files.n > 2 ? ", ..." : "");
		return FAIL_USAGE;
	}
	for (size_t i = 0; i < o->files.n; i++) {
		if (!*o->files.v[i]) {
			msg_error("the name of an input file is empty");
			return FAIL_USAGE;
		}
	}
	return 0;
}

/* Two options that say where the result goes, or that contradict each other. */
static int check_pairs(const struct cli_opts *o)
{
	const struct {
		bool both;
		const char *a;
		const char *b;
	} pair[] = {
		{o->output && o->diff, "--output", "--diff"},
		{o->output && o->fix, "--output", "--fix"},
		{o->diff && o->fix, "--diff", "--fix"},
		{o->check && o->fix, "--check", "--fix"},
		{o->init && o->spec, "--init", "--spec"},
		{o->header_filter && o->bench, "--header-filter", "--bench"},
		{o->kernel && o->check && o->command == COMMAND_MEASURE, "--kernel", "--check"},
		{o->bench && o->strategy, "--bench", "--strategy"},
		{o->init && o->strategy, "--init", "--strategy"},
	};

	for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		if (pair[i].both) {
			msg_error("options %s and %s exclude each other", pair[i].a, pair[i].b);
			return FAIL_USAGE;
		}
	}
	if (o->output && o->header_filter) {
		msg_error("option --output writes one file, and with --header-filter there may be "
			  "more: use --fix or --diff instead");
		return FAIL_USAGE;
	}
	if (o->output && o->report && strcmp(o->output, o->report) == 0 &&
		strncmp(o->output, "/dev/", 5) != 0) {
		msg_error("options --output and --report name the same file");
		return FAIL_USAGE;
	}
	return 0;
}

static int check_measure(const struct cli_opts *o)
{
	if (o->spec && !o->run) {
		msg_error("option --spec goes with --run: its cases are what is run");
		return FAIL_USAGE;
	}
	return 0;
}

static int check_verify(const struct cli_opts *o)
{
	if (o->init && o->files.n > 1 && !o->build) {
		msg_error("option --init takes one file without -p, and there are %zu", o->files.n);
		return FAIL_USAGE;
	}
	if (o->output && !o->init) {
		msg_error("option --output of 'unphi verify' goes with --init");
		return FAIL_USAGE;
	}
	if (o->strategy && o->files.n > 1 && !o->build) {
		msg_error("option --strategy makes the rewritten file, and %s is given",
			o->files.v[1]);
		return FAIL_USAGE;
	}
	return 0;
}

/* A file's own text, of one source, is what machine code is made of. */
static bool may_run_machine(const struct cli_opts *o)
{
	return o->command == COMMAND_VERIFY || (!o->header_filter && !o->bench && !o->strategy);
}

static int check_gpu(const struct cli_opts *o)
{
	bool runs = o->command == COMMAND_VERIFY ? !o->init : o->verify;
	if (o->on == ON_BOTH && o->command != COMMAND_VERIFY) {
		msg_error("'--on both' goes with 'unphi verify'");
		return FAIL_USAGE;
	}
	if (o->on == ON_ISA && !may_run_machine(o)) {
		msg_error("'--on isa' goes without --header-filter, --bench and --strategy");
		return FAIL_USAGE;
	}
	if (o->on != ON_CPU && !runs) {
		msg_error("option --on says where to run cases, and none are run%s",
			o->command == COMMAND_REWRITE ? " without --verify" : "");
		return FAIL_USAGE;
	}
	if (o->allow_unproved && (!o->verify || o->on != ON_ISA)) {
		msg_error("option --allow-unproved goes with --verify --on isa: it relies on the "
			  "bits of the machine code");
		return FAIL_USAGE;
	}
	if (o->all_data && (!runs || o->on != ON_ISA)) {
		msg_error("option --all-data goes with '%s--on isa': it looks at machine code",
			o->command == COMMAND_REWRITE ? "--verify " : "");
		return FAIL_USAGE;
	}
	if (o->allow_reassociation && !o->all_data) {
		msg_error("option --allow-reassociation goes with --all-data");
		return FAIL_USAGE;
	}
	if (o->gpu_compiler && o->on != ON_GPU) {
		msg_error("option --gpu-compiler goes with '--on gpu'");
		return FAIL_USAGE;
	}
	return 0;
}

static int check_lint(const struct cli_opts *o)
{
	const char *compiling = o->compiler_launcher	 ? "--compiler-launcher"
				: o->allow_recontraction ? "--allow-recontraction"
							 : NULL;
	if (o->stdin_filename && (o->measure || o->probe)) {
		msg_error("option --stdin-filename does not go with --measure and --probe: they "
			  "compile what is saved");
		return FAIL_USAGE;
	}
	if (compiling && !o->measure && !o->probe) {
		msg_error(
			"option %s goes with --measure or --probe: lint by itself compiles nothing",
			compiling);
		return FAIL_USAGE;
	}
	if (o->fix && o->command == COMMAND_LINT && !o->measure) {
		msg_error("option --fix of 'unphi lint' goes with --measure: without a measurement "
			  "there is nothing to apply");
		return FAIL_USAGE;
	}
	if (o->fix && o->command == COMMAND_LINT && o->write_baseline) {
		msg_error("options --fix and --write-baseline exclude each other");
		return FAIL_USAGE;
	}
	if (o->export_fixes && !o->measure) {
		msg_error("option --export-fixes goes with --measure: without a measurement there "
			  "are no fixes");
		return FAIL_USAGE;
	}
	return 0;
}

static int check_occupancy(const struct cli_opts *o)
{
	if (o->lds && !o->block) {
		msg_error("option --lds goes with --block: LDS belongs to a work-group");
		return FAIL_USAGE;
	}
	if (o->wave && o->wave != 32 && o->wave != 64) {
		msg_error("option --wave: a wave has 32 or 64 lanes, not %u", o->wave);
		return FAIL_USAGE;
	}
	return 0;
}

/* NAME=VALUE,... */
static int check_settings(const struct cli_opts *o)
{
	if (o->settings.v.n == 0) {
		msg_error("there is nothing to explore: give -D NAME=VALUE,VALUE...");
		return FAIL_USAGE;
	}
	for (size_t i = 0; i < o->settings.v.n; i++) {
		struct str s = str_of(o->settings.v.v[i]);
		size_t eq = str_find(s, "=", 0);
		if (eq == 0 || eq == SIZE_MAX || eq + 1 == s.n || str_ends(s, ",") ||
			str_find(s, ",,", 0) != SIZE_MAX || s.p[eq + 1] == ',') {
			msg_error("option -D: '%s' is not NAME=VALUE,VALUE...", o->settings.v.v[i]);
			return FAIL_USAGE;
		}
		for (size_t k = 0; k < i; k++) {
			struct str other = str_of(o->settings.v.v[k]);
			if (str_eq(str_sub(other, 0, str_find(other, "=", 0)), str_sub(s, 0, eq))) {
				msg_error("option -D: %.*s is given twice: put its values together",
					(int)eq, s.p);
				return FAIL_USAGE;
			}
		}
	}
	return 0;
}

/* What goes with all of a build, and what with one file. */
static int check_build(const struct cli_opts *o)
{
	const char *with_build = o->shard      ? "--shard"
				 : o->times    ? "--times"
				 : o->load > 0 ? "--load"
					       : NULL;
	if (o->command != COMMAND_LINT && o->command != COMMAND_MERGE && with_build && !o->build) {
		msg_error("option %s goes with -p", with_build);
		return FAIL_USAGE;
	}
	if (o->shard && o->header_filter && o->command == COMMAND_REWRITE) {
		msg_error("options --shard and --header-filter exclude each other: an edit of a "
			  "header has to be right in all units, and a shard has some");
		return FAIL_USAGE;
	}
	const char *later = !o->shard					? NULL
			    : o->diff					? "--diff"
			    : o->check					? "--check"
			    : o->baseline && o->command == COMMAND_LINT ? "--baseline"
			    : o->write_baseline				? "--write-baseline"
			    : o->export_fixes				? "--export-fixes"
			    : o->warnings_as_errors			? "--warnings-as-errors"
									: NULL;
	if (later) {
		msg_error("option %s does not go with --shard: the parts are joined first, so give "
			  "it to unphi merge",
			later);
		return FAIL_USAGE;
	}
	const char *whole = !o->shard	 ? NULL
			    : o->fix	 ? "--fix"
			    : o->measure ? "--measure"
			    : o->probe	 ? "--probe"
					 : NULL;
	if (whole) {
		msg_error("options %s and --shard exclude each other", whole);
		return FAIL_USAGE;
	}
	return 0;
}

static int check_cc(const struct cli_opts *o)
{
	if (o->frozen && !o->lock) {
		msg_error("option --frozen goes with --lock");
		return FAIL_USAGE;
	}
	return 0;
}

/* Names that it begins must be the user's to give. */
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
		msg_error("option --prefix: no name of C++ that is a program's own begins with "
			  "'%s'",
			o->prefix);
		return FAIL_USAGE;
	}
	return 0;
}

int options_check(const struct cli_opts *o)
{
	if (o->help || o->version) {
		return 0;
	}
	if (o->command == COMMAND_TOP) {
		return 0;
	}
	int rc = check_files(o);
	rc = rc || o->command != COMMAND_MEASURE ? rc : check_measure(o);
	rc = rc || o->command != COMMAND_VERIFY ? rc : check_verify(o);
	rc = rc ? rc : check_gpu(o);
	rc = rc || o->command != COMMAND_LINT ? rc : check_lint(o);
	rc = rc || o->command != COMMAND_EXPLORE ? rc : check_settings(o);
	rc = rc || o->command != COMMAND_OCCUPANCY ? rc : check_occupancy(o);
	rc = rc || o->command != COMMAND_CC ? rc : check_cc(o);
	rc = rc ? rc : check_build(o);
	rc = rc ? rc : check_prefix(o);
	return rc ? rc : check_pairs(o);
}
