/* The command line as data: what is accepted, every message, and that help and manual are whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/options.h"

enum {
	MAX_ARGS = 32
};

/* A command line from text: words are split at blanks; a word of two quotes is an empty one. */
struct line {
	char text[512];
	char *argv[MAX_ARGS + 1];
	int argc;
};

static void line_make(struct line *l, const char *text)
{
	snprintf(l->text, sizeof(l->text), "unphi %s", text);
	l->argc = 0;
	for (char *word = strtok(l->text, " "); word; word = strtok(NULL, " ")) {
		assert_true(l->argc < MAX_ARGS);
		l->argv[l->argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
	}
	l->argv[l->argc] = NULL;
}

/* Parses text; what was said on stderr, up to the end of its line, goes to said. */
static int parse_captured(struct cli_opts *o, struct line *l, const char *text, struct sbuf *said)
{
	char path[] = "/tmp/unphi-cli-test-XXXXXX";
	int fd = mkstemp(path);
	int saved = dup(STDERR_FILENO);

	assert_true(fd >= 0 && saved >= 0);
	line_make(l, text);
	dup2(fd, STDERR_FILENO);
	close(fd);
	int rc = options_parse(o, l->argc, l->argv);
	dup2(saved, STDERR_FILENO);
	close(saved);
	sbuf_reset(said);
	assert_int_equal(file_read(said, path), 0);
	unlink(path);
	return rc;
}

static void parse_ok(struct cli_opts *o, struct line *l, const char *text)
{
	struct sbuf said = {0};

	int rc = parse_captured(o, l, text, &said);
	if (rc != 0 || said.n > 0) {
		fail_msg("'%s' gave %d and \"%s\"", text, rc, sbuf_cstr(&said));
	}
	sbuf_release(&said);
}

static void test_errors(void **state)
{
	static const struct {
		const char *line;
		const char *said;
	} cases[] = {
		{"help frob", "unknown subcommand 'frob'; see 'unphi --help'"},
		{"help lint rewrite", "'unphi help' takes one subcommand, not 2"},
		{"mesure a.hip", "unknown subcommand 'mesure'; did you mean 'measure'?"},
		{"compile", "unknown subcommand 'compile'; see 'unphi --help'"},
		{"''", "unknown subcommand ''; see 'unphi --help'"},
		{"--quiet lint a.hip", "the subcommand comes first: unphi SUBCOMMAND --quiet"},
		{"-j4 lint a.hip", "the subcommand comes first: unphi SUBCOMMAND -j4"},
		{"--verzion", "unknown option --verzion; did you mean --version?"},
		{"--frobnicate", "unknown option --frobnicate; see 'unphi --help'"},

		{"measure", "no input file: unphi measure [OPTIONS] FILE... [-- COMPILER-FLAGS]"},
		{"measure -- a.hip",
			"no input file: unphi measure [OPTIONS] FILE... [-- COMPILER-FLAGS]"},
		{"rewrite", "no input file: unphi rewrite [OPTIONS] FILE... [-- COMPILER-FLAGS]"},
		{"rewrite a.hip --verify --allow-unproved",
			"option --allow-unproved requires --verify --on isa: it relies on the "
			"bits of the "
			"machine code"},
		{"rewrite a.hip b.hip",
			"'unphi rewrite' takes one file without -p, but 2 are given: a.hip, b.hip"},
		{"rewrite a.hip b.hip c.hip", "'unphi rewrite' takes one file without -p, but "
					      "3 are given: a.hip, b.hip, ..."},
		{"lint ''", "the name of an input file is empty"},

		{"measure a.hip --tarjet gfx90a",
			"unknown option --tarjet; did you mean --target?"},
		{"measure a.hip -target gfx90a", "unknown option -target; did you mean --target?"},
		{"measure a.hip --frobnicate", "unknown option --frobnicate; see 'unphi measure "
					       "--help'; compiler flags go after '--'"},
		{"measure a.hip -O3", "unknown option -O3; see 'unphi measure --help'; compiler "
				      "flags go after '--'"},
		{"measure a.hip -std=c++17", "unknown option -std=c++17; see 'unphi measure "
					     "--help'; compiler flags go after '--'"},
		{"measure a.hip --diff",
			"option --diff belongs to 'unphi rewrite', not to 'unphi measure'"},
		{"measure a.hip -o x",
			"option -o belongs to 'unphi rewrite', not to 'unphi measure'"},
		{"lint a.hip --diff",
			"option --diff belongs to 'unphi rewrite', not to 'unphi lint'"},
		{"lint a.hip --compiler-launcher=x",
			"option --compiler-launcher requires --measure or --probe: lint by itself "
			"compiles nothing"},
		{"measure a.hip --co hipcc", "option --co is ambiguous; write it in full"},
		{"measure a.hip --quiet=yes", "option --quiet takes no value"},
		{"measure a.hip --compiler", "option --compiler needs a value: PATH"},
		{"rewrite a.hip -o", "option --output needs a value: FILE"},
		{"measure a.hip --compiler ''", "option --compiler: its value is empty"},

		{"verify", "no input file: unphi verify [OPTIONS] BEFORE [AFTER...] [-- "
			   "COMPILER-FLAGS]"},
		{"verify a.hip --init b.hip",
			"option --init takes one file without -p, but 2 are given"},
		{"verify a.hip -o x", "option --output of 'unphi verify' requires --init"},
		{"verify a.hip b.hip --strategy hoist",
			"option --strategy makes the rewritten file, but b.hip is given"},
		{"verify a.hip --init --spec x", "options --init and --spec exclude each other"},

		{"occupancy a.hip", "'unphi occupancy' takes no file, but a.hip is given"},
		{"occupancy --lds 1024",
			"option --lds requires --block: LDS belongs to a work-group"},
		{"cc", "the compiler's command goes after '--': unphi cc [OPTIONS] -- hipcc -c "
		       "x.hip"},
		{"cc hipcc", "the compiler's command goes after '--': unphi cc [OPTIONS] -- hipcc "
			     "-c x.hip"},
		{"cc --strategy hoist -- hipcc",
			"option --strategy belongs to 'unphi rewrite', not to 'unphi cc'"},
		{"cc --frozen -- hipcc", "option --frozen requires --lock"},
		{"lock a b", "'unphi lock' takes one file, but 2 are given: a, b"},
		{"occupancy --wave 16", "option --wave: a wave has 32 or 64 lanes, not 16"},
		{"occupancy --vgpr 0", "option --vgpr: '0' is not a number from 1 to 16777216"},

		{"measure a.hip --format xml",
			"option --format: unknown value 'xml'; did you mean 'html'?"},
		{"measure a.hip --format jsn",
			"option --format: unknown value 'jsn'; did you mean 'json'?"},
		{"measure a.hip --format ''",
			"option --format: unknown value ''; the values are: text, "
			"json, junit, markdown, html, sarif"},
		{"measure a.hip --color=sometimes",
			"option --color: unknown value 'sometimes'; the values are: auto, always, "
			"never"},
		{"measure a.hip -j 0", "option --jobs: '0' is not a number from 1 to 1024"},
		{"measure a.hip -j -1", "option --jobs: '-1' is not a number from 1 to 1024"},
		{"measure a.hip -j 2x", "option --jobs: '2x' is not a number from 1 to 1024"},
		{"measure a.hip -j 99999999999999999999",
			"option --jobs: '99999999999999999999' is not a number from 1 to 1024"},
		{"measure a.hip --time-limit 0", "option --time-limit: '0' is not a time in "
						 "seconds above 0 and up to 1000000"},
		{"measure a.hip --time-limit nan", "option --time-limit: 'nan' is not a time in "
						   "seconds above 0 and up to 1000000"},
		{"measure a.hip --time-limit 1e3", "option --time-limit: '1e3' is not a time in "
						   "seconds above 0 and up to 1000000"},
		{"measure a.hip --time-limit 1.2.3",
			"option --time-limit: '1.2.3' is not a time in seconds above 0 and up to "
			"1000000"},
		{"measure a.hip --time-limit .",
			"option --time-limit: '.' is not a time in seconds "
			"above 0 and up to 1000000"},
		{"measure a.hip --time-limit ''",
			"option --time-limit: '' is not a time in seconds "
			"above 0 and up to 1000000"},
		{"measure a.hip --time-limit 2000000",
			"option --time-limit: '2000000' is not a time in seconds above 0 and up to "
			"1000000"},
		{"measure a.hip --target ''", "option --target: a name is missing in ''"},
		{"measure a.hip --target gfx90a,,gfx942",
			"option --target: a name is missing in 'gfx90a,,gfx942'"},
		{"measure a.hip --target gfx90a,",
			"option --target: a name is missing in 'gfx90a,'"},

		{"rewrite a.hip -o b --diff", "options --output and --diff exclude each other"},
		{"rewrite a.hip -o b --fix", "options --output and --fix exclude each other"},
		{"rewrite a.hip --diff --fix", "options --diff and --fix exclude each other"},
		{"rewrite a.hip -o b --report b",
			"options --output and --report name the same file"},
		{"rewrite a.hip --check --fix", "options --check and --fix exclude each other"},
	};
	struct sbuf said = {0};
	char want[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cli_opts o;
		struct line l;
		int rc = parse_captured(&o, &l, cases[i].line, &said);
		snprintf(want, sizeof(want), "unphi: error: %s\n", cases[i].said);
		if (rc != FAIL_USAGE || strcmp(sbuf_cstr(&said), want) != 0) {
			fail_msg("'%s' gave %d and \"%s\"", cases[i].line, rc, sbuf_cstr(&said));
		}
		options_release(&o);
	}
	sbuf_release(&said);
}

static void test_defaults(void **state)
{
	struct cli_opts o;
	struct line l;

	(void)state;
	parse_ok(&o, &l, "measure a.hip");
	assert_int_equal(o.command, COMMAND_MEASURE);
	assert_int_equal(o.files.n, 1);
	assert_string_equal(o.files.v[0], "a.hip");
	assert_non_null(o.flags);
	assert_null(o.flags[0]);
	assert_int_equal(o.targets.v.n, 0);
	assert_int_equal(o.jobs, 0);
	assert_int_equal(o.color, COLOR_AUTO);
	assert_int_equal(o.format, FORMAT_TEXT);
	assert_true(o.time_limit_s == 0);
	assert_null(o.compiler);
	assert_null(o.report);
	assert_false(o.quiet);
	options_release(&o);
}

static void test_measure_options(void **state)
{
	struct cli_opts o;
	struct line l;

	(void)state;
	parse_ok(&o, &l,
		"measure -j3 a.hip --target gfx90a,gfx942 --target=gfx90a --time-limit 2.5 b.hip "
		"--format json --report r --compiler c -- -O2 --diff");
	assert_int_equal(o.jobs, 3);
	assert_int_equal(o.files.n, 2);
	assert_string_equal(o.files.v[1], "b.hip");
	assert_int_equal(o.targets.v.n, 2);
	assert_string_equal(o.targets.v.v[0], "gfx90a");
	assert_string_equal(o.targets.v.v[1], "gfx942");
	assert_true(o.time_limit_s == 2.5);
	assert_int_equal(o.format, FORMAT_JSON);
	assert_string_equal(o.report, "r");
	assert_string_equal(o.compiler, "c");
	assert_string_equal(o.flags[0], "-O2");
	assert_string_equal(o.flags[1], "--diff");
	assert_null(o.flags[2]);
	assert_false(o.diff);
	options_release(&o);
}

static void test_rewrite_options(void **state)
{
	struct cli_opts o;
	struct line l;

	(void)state;
	parse_ok(&o, &l,
		"rewrite --strategy hoist --check --allow-recontraction -o out.hip a.hip --col "
		"never --quiet");
	assert_int_equal(o.command, COMMAND_REWRITE);
	assert_string_equal(o.strategy, "hoist");
	assert_string_equal(o.output, "out.hip");
	assert_true(o.check && o.allow_recontraction && o.quiet);
	assert_false(o.diff || o.fix);
	assert_int_equal(o.color, COLOR_NEVER);
	options_release(&o);
	parse_ok(&o, &l, "rewrite a.hip --diff --check");
	assert_true(o.diff && o.check);
	options_release(&o);
}

static void test_lint_options(void **state)
{
	struct cli_opts o;
	struct line l;

	(void)state;
	parse_ok(&o, &l, "lint --list-checks --checks=-*,unphi-phi-explosion");
	assert_int_equal(o.command, COMMAND_LINT);
	assert_true(o.list_checks);
	assert_string_equal(o.checks, "-*,unphi-phi-explosion");
	options_release(&o);
	parse_ok(&o, &l, "lint --warnings-as-errors a.hip");
	assert_true(o.warnings_as_errors);
	options_release(&o);
	parse_ok(&o, &l, "lint -q");
	assert_true(o.quiet);
	assert_int_equal(o.files.n, 1);
	assert_string_equal(o.files.v[0], ".");
	options_release(&o);
	parse_ok(&o, &l, "lint -p build");
	assert_int_equal(o.files.n, 0); /* all entries */
	options_release(&o);
}

/* Help and version need no files, and the last of two values counts. */
static void test_precedence(void **state)
{
	struct cli_opts o;
	struct line l;

	(void)state;
	parse_ok(&o, &l, "--help");
	assert_int_equal(o.command, COMMAND_TOP);
	assert_true(o.help);
	options_release(&o);
	parse_ok(&o, &l, "rewrite -h --fix --diff");
	assert_int_equal(o.command, COMMAND_REWRITE);
	assert_true(o.help);
	options_release(&o);
	parse_ok(&o, &l, "help rewrite");
	assert_int_equal(o.command, COMMAND_REWRITE);
	assert_true(o.help);
	options_release(&o);
	parse_ok(&o, &l, "help");
	assert_int_equal(o.command, COMMAND_TOP);
	assert_true(o.help);
	options_release(&o);
	parse_ok(&o, &l, "--list-checks");
	assert_int_equal(o.command, COMMAND_TOP);
	assert_true(o.list_checks && !o.help);
	options_release(&o);
	parse_ok(&o, &l, "-V");
	assert_true(o.version);
	options_release(&o);
	parse_ok(&o, &l, "measure --version");
	assert_true(o.version);
	options_release(&o);
	parse_ok(&o, &l, "measure a.hip --format json --format text -j1 -j 2");
	assert_int_equal(o.format, FORMAT_TEXT);
	assert_int_equal(o.jobs, 2);
	options_release(&o);
}

/* The same line twice gives the same: getopt's state does not leak from one to the next. */
static void test_again(void **state)
{
	struct cli_opts o;
	struct line l;
	struct sbuf said = {0};

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(parse_captured(&o, &l, "measure -jx a.hip", &said), FAIL_USAGE);
		options_release(&o);
		parse_ok(&o, &l, "measure -j2 a.hip -- -g");
		assert_int_equal(o.jobs, 2);
		assert_string_equal(o.flags[0], "-g");
		options_release(&o);
	}
	sbuf_release(&said);
}

/* A format is the same whichever subcommand prints in it. */
static void test_formats(void **state)
{
	static const struct {
		const char *line;
		enum output_format format;
	} cases[] = {{"rewrite a.hip --format html", FORMAT_HTML},
		{"measure a.hip --format html", FORMAT_HTML},
		{"measure a.hip --format junit", FORMAT_JUNIT},
		{"merge a --format html", FORMAT_HTML}, {"lint a.hip --format sarif", FORMAT_SARIF},
		{"ledger a.hip --format svg", FORMAT_SVG},
		{"ledger a.hip --format html", FORMAT_HTML},
		{"occupancy --vgpr 1 --format json", FORMAT_JSON}};
	struct cli_opts o;
	struct line l;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parse_ok(&o, &l, cases[i].line);
		assert_int_equal(o.format, cases[i].format);
		options_release(&o);
	}
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		assert_true(s->help[0] != '\0' && !str_ends(str_of(s->help), "."));
		assert_true((s->argument == NULL) == (s->type == OPTION_FLAG));
		assert_true((s->choice != NULL) == (s->type == OPTION_CHOICE));
		assert_true(s->offset < sizeof(struct cli_opts));
		for (size_t k = 0; k < i; k++) {
			const struct option_spec *t = &option_specs[k];
			bool together = (s->commands & t->commands) != 0;
			assert_false(together && strcmp(s->name, t->name) == 0);
			assert_false(together && s->letter && s->letter == t->letter);
		}
	}
}

/* Help has every option of its subcommand and no other, in lines that fit a terminal. */
static void test_help(void **state)
{
	static const enum command all[] = {COMMAND_TOP, COMMAND_LINT, COMMAND_REWRITE,
		COMMAND_MEASURE, COMMAND_VERIFY, COMMAND_OCCUPANCY, COMMAND_LEDGER,
		COMMAND_EXPLORE};

	(void)state;
	for (size_t c = 0; c < sizeof(all) / sizeof(all[0]); c++) {
		struct sbuf text = {0};
		options_help(&text, all[c]);
		for (size_t i = 0; i < option_specs_n; i++) {
			char item[64];
			snprintf(item, sizeof(item), "--%s %s", option_specs[i].name,
				option_specs[i].argument ? option_specs[i].argument : "");
			bool there = str_find(sbuf_str(&text), item, 0) != SIZE_MAX;
			assert_true(there == (option_find(option_specs[i].name, all[c]) != NULL));
		}
		struct str rest = sbuf_str(&text);
		struct str line;
		while (str_line(&rest, &line)) {
			assert_true(line.n <= 80);
			assert_false(str_ends(line, " "));
		}
		sbuf_release(&text);
	}
}

static void test_man(void **state)
{
	struct sbuf out = {0};

	(void)state;
	assert_int_equal(
		options_man(&out, STR("@HEADING@\n@COMMANDS@\n.SS x\n@OPTIONS all@\n"
				      "@OPTIONS lint@\n@OPTIONS rewrite@\n"
				      "@OPTIONS measure@\n@OPTIONS verify@\n"
				      "@OPTIONS occupancy@\n@OPTIONS ledger@\n@OPTIONS explore@\n"
				      "@OPTIONS cc@\n@OPTIONS lock@\n@OPTIONS server@\n")),
		0);
	assert_true(str_starts(sbuf_str(&out), ".TH UNPHI 1 \"\" \"unphi "));
	assert_true(str_find(sbuf_str(&out), "\n.SS x\n", 0) != SIZE_MAX);
	for (size_t i = 0; i < option_specs_n; i++) {
		struct sbuf item = {0};
		sbuf_adds(&item, "\\-\\-");
		for (const char *p = option_specs[i].name; *p; p++) {
			sbuf_addf(&item, "%s%c", *p == '-' ? "\\" : "", *p);
		}
		assert_true(str_find(sbuf_str(&out), sbuf_cstr(&item), 0) != SIZE_MAX);
		sbuf_release(&item);
	}
	assert_int_equal(options_man(&out, STR("@OPTIONS nothing@\n")), FAIL_USAGE);
	sbuf_release(&out);
}

static void test_nearest(void **state)
{
	static const char *const known[] = {"gfx908", "gfx90a", "gfx942"};

	(void)state;
	assert_string_equal(options_nearest(STR("gfx90a"), known, 3), "gfx90a");
	assert_string_equal(options_nearest(STR("gfx942a"), known, 3), "gfx942");
	assert_string_equal(options_nearest(STR("gx908"), known, 3), "gfx908");
	assert_null(options_nearest(STR("sm_70"), known, 3));
	assert_null(options_nearest(STR(""), known, 3));
	assert_null(options_nearest(STR("gfx908"), known, 0));
}

/* ---- what a decision depends on ---- */

/* A command line that gives the option, with a value that it takes. */
static void give(char *out, size_t n, const struct command_spec *c, const struct option_spec *o)
{
	const char *value = "";

	switch (o->type) {
	case OPTION_FLAG:
		snprintf(out, n, "%s --%s", c->name, o->name);
		return;
	case OPTION_CHOICE:
		value = o->choice[1];
		break;
	case OPTION_TEXT:
	case OPTION_TEXTS:
	case OPTION_NAMES:
		value = "a=b";
		break;
	case OPTION_COUNT:
	case OPTION_AMOUNT:
	case OPTION_SECONDS:
	case OPTION_LOAD:
		value = "7";
		break;
	case OPTION_SHARD:
		value = "2/3";
		break;
	}
	snprintf(out, n, "%s --%s %s", c->name, o->name, value);
}

/* --help beside it: whether options go together is not looked at then. */
static void key_of(struct sbuf *key, const char *text)
{
	char line[512];
	struct cli_opts o;
	struct line l;

	snprintf(line, sizeof(line), "%s --help", text);
	parse_ok(&o, &l, line);
	options_key(key, &o);
	options_release(&o);
}

/* What may differ between two runs that share a decision; each for its reason. */
static bool is_inert(const char *name, enum command c)
{
	/* where results go, how fast and how loud; and what names something that the caller adds */
	static const char *const rewrite[] = {"build", "time-limit", "no-cache",
		"compiler-launcher", "output", "diff", "fix", "check", "report", "jobs", "quiet",
		"color", "help", "version",
		/* which files, on which machine, when */
		"exclude", "shard", "times", "load"};
	static const char *const cc[] = {"explain", "jobs", "quiet", "color", "help", "version"};
	const char *const *list = c == COMMAND_CC ? cc : rewrite;
	size_t n = c == COMMAND_CC ? sizeof(cc) / sizeof(*cc) : sizeof(rewrite) / sizeof(*rewrite);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(list[i], name) == 0) {
			return true;
		}
	}
	return false;
}

static void test_key(void **state)
{
	static const enum command deciding[] = {COMMAND_REWRITE, COMMAND_CC};

	for (size_t d = 0; d < 2; d++) {
		const struct command_spec *c = command_spec(deciding[d]);
		struct sbuf plain = {0};
		key_of(&plain, c->name);
		for (size_t i = 0; i < option_specs_n; i++) {
			const struct option_spec *o = &option_specs[i];
			struct sbuf key = {0};
			char line[256];
			if (o->commands & c->command) {
				give(line, sizeof(line), c, o);
				key_of(&key, line);
				bool same = str_eq(sbuf_str(&key), sbuf_str(&plain));
				if (same != is_inert(o->name, c->command)) {
					fail_msg("'%s' %s the key", line,
						same ? "does not change" : "changes");
				}
			}
			sbuf_release(&key);
		}
		sbuf_release(&plain);
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_measure_options),
		cmocka_unit_test(test_rewrite_options),
		cmocka_unit_test(test_lint_options),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_man),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
