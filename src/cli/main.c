#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/file.h"
#include "base/kept/root.h"
#include "base/process/supervisor.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "cc/command.h"
#include "cli/setup/units.h"
#include "frontend/parse/flags.h"
#include "frontend/frontend.h"
#include "measure/compile/compiler.h"

/* If the caller closed descriptor 0, 1 or 2, opens /dev/null there, so that no later file gets
 * that number. Read-only, so that writing results to a closed standard output is still an error. */
static void open_standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0) {
		close(fd);
	}
}

static int show_help(const struct cli_opts *o)
{
	struct sbuf text = {0};

	int rc = 0;
	if (o->help_config) {
		rc = user_config_describe(&text);
	} else {
		options_help(&text, o->command);
	}
	rc = rc ? rc : cli_output_write(NULL, sbuf_str(&text));
	sbuf_release(&text);
	return cli_exit(rc);
}

static int show_version(void)
{
	struct arena *a = arena_create();
	struct sbuf text = {0};

	const char *libclang = frontend_libclang_version(a);
	sbuf_addf(&text, "unphi %s\nlibclang: %s\n", UNPHI_VERSION, libclang ? libclang : "none");
	int rc = cli_output_write(NULL, sbuf_str(&text));
	rc = rc || libclang ? rc : FAIL_USAGE;
	sbuf_release(&text);
	arena_free(a);
	return cli_exit(rc);
}

static int run_command(const struct cli_opts *o)
{
	switch (o->command) {
	case COMMAND_LINT:
		return cmd_lint(o);
	case COMMAND_REWRITE:
		return cmd_rewrite(o);
	case COMMAND_MEASURE:
		return cmd_measure(o);
	case COMMAND_VERIFY:
		return cmd_verify(o);
	case COMMAND_EXPLAIN:
		return cmd_explain(o);
	case COMMAND_EXPLORE:
		return cmd_explore(o);
	case COMMAND_LEDGER:
		return cmd_ledger(o);
	case COMMAND_OCCUPANCY:
		return cmd_occupancy(o);
	case COMMAND_CC:
		return cmd_cc(o);
	case COMMAND_LOCK:
		return cmd_lock(o);
	case COMMAND_MERGE:
		return cmd_merge(o);
	case COMMAND_CACHE:
		return cmd_cache(o);
	case COMMAND_TOP:
		return o->list_checks ? cmd_lint(o) : exit_worse(show_help(o), EXIT_USAGE);
	case COMMAND_SERVER: /* main runs it, since the server starts other commands */
	case COMMAND_HELP:
	case COMMAND_ALL:
	case COMMAND_PLAIN:
		break;
	}
	BUG("subcommand %d has no code", (int)o->command);
}

/* Called once in the parent, so that child processes do not repeat the warning. */
static void warn_of_cache(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	const char *why = (o->command & COMMAND_ALL) && !o->no_cache ? cache_not_ours(a) : NULL;

	if (why) {
		msg_warning("%s", why);
	}
	arena_free(a);
}

static int dispatch(struct cli_opts *o)
{
	if (o->help) {
		return show_help(o);
	}
	if (o->version) {
		return show_version();
	}
	warn_of_cache(o);
	bool names = o->command == COMMAND_EXPLAIN && !o->line;
	if (!(o->command & COMMAND_ALL) || o->command == COMMAND_LINT || names) {
		return run_command(o);
	}
	struct user_configs configs = {.a = arena_create()};
	struct cli_opts configured;
	int rc = o->build ? cli_project_is(&o->project, configs.a, o) : 0;
	if (rc || o->project) {
		arena_free(configs.a);
		return rc ? cli_exit(rc) : run_command(o);
	}
	rc = o->build ? cli_unit_enter(o, configs.a)
		      : cli_launcher_find(&o->launcher, configs.a, o, NULL);
	rc = rc ? rc : flags_check_files(configs.a, NULL, o->flags);
	rc = rc ? rc : cli_configure(&configured, &configs, o, o->files.v[0]);
	int code = rc ? cli_exit(rc) : run_command(&configured);
	user_configs_release(&configs);
	arena_free(configs.a);
	return code;
}

static int run(void *user)
{
	struct cli_opts *o = user;
	int code = dispatch(o); /* dispatch may have changed paths in o */

	return cli_report_failed(o, code);
}

/* Splits explain's "k.hip:36" and "k.hip:36:5:", the form of messages, into file and line. */
static void name_place(struct cli_opts *o, struct arena *a)
{
	if (o->command != COMMAND_EXPLAIN || o->files.n != 1) {
		return;
	}
	struct str rest = str_of(o->files.v[0]);
	int64_t number = 0, line = 0;
	for (size_t at = rest.n; at-- > 0;) {
		struct str last = str_sub(rest, at + 1, rest.n);
		if (rest.p[at] != ':') {
			continue;
		}
		if (line > 0 && file_exists(arena_strndup(a, rest.p, rest.n))) {
			break; /* the colon is part of the file's name */
		}
		if (last.n > 0 && !(str_to_i64(last, &number) && number > 0)) {
			break;
		}
		line = last.n > 0 ? number : line;
		rest = str_sub(rest, 0, at);
	}
	if (line > 0 && line <= INT32_MAX && rest.n > 0) {
		o->files.v[0] = arena_strndup(a, rest.p, rest.n);
		o->line = (unsigned)line;
	}
}

/* Turns "@a.hip" into "./@a.hip": compilers read "@a.hip" as a response file. */
static void name_files(struct cli_opts *o, struct arena *a)
{
	for (size_t i = 0; (o->command != COMMAND_EXPLAIN || o->line) && i < o->files.n; i++) {
		if (o->files.v[i][0] == '@') {
			o->files.v[i] = arena_printf(a, "./%s", o->files.v[i]);
		}
	}
}

static const char *one_file(const struct cli_opts *o)
{
	return o->files.n == 1 ? o->files.v[0] : NULL;
}

/* From parsed options to the exit code. */
static int start(struct cli_opts *o)
{
	const int parsing = COMMAND_LINT | COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY |
			    COMMAND_LEDGER | COMMAND_EXPLORE | (o->line ? COMMAND_EXPLAIN : 0);
	struct arena *words = arena_create();
	const char *unread = NULL;
	int code = EXIT_USAGE;

	cli_report_open();
	if (o->command & (COMMAND_ALL | COMMAND_SERVER)) {
		o->flags = cc_words_expand(words, o->flags, NULL);
		unread = cli_words_unread(o->flags);
	}
	if (o->time_limit_s > 0) {
		proc_limit(o->time_limit_s);
		compiler_answers_in_s = o->time_limit_s < compiler_answers_in_s
						? o->time_limit_s
						: compiler_answers_in_s;
	}
	if (unread) {
		msg_error("cannot read the response file %s among the compiler flags", unread);
	} else if ((o->command & parsing) || o->version) {
		frontend_prefer(compiler_usual(words, o->compiler), o->no_cache);
	}
	if (!unread && o->typed) { /* the server is its supervisor */
		code = cli_report_failed(o, supervisor_work(run, o));
	} else if (!unread) {
		code = o->command & parsing
			       ? cli_report_failed(o, supervisor_run(run, o, one_file(o)))
			       : run(o);
	}
	arena_free(words);
	return code;
}

int main(int argc, char **argv)
{
	struct cli_opts o = {0};
	struct arena *words = arena_create();

	/* a write beyond the file-size limit then fails with a message; the old file is intact */
	signal(SIGXFSZ, SIG_IGN);
	open_standard_streams();
	msg_setup(false, cli_color(&o, STDERR_FILENO));
	msglog_open();
	int rc = options_parse(&o, argc, argv);
	msg_setup(o.quiet, cli_color(&o, STDERR_FILENO));
	name_place(&o, words);
	name_files(&o, words);
	bool serves = o.command == COMMAND_SERVER && !o.help && !o.version;
	int code = rc ? cli_exit(rc) : serves ? cmd_server(&o, start) : start(&o);
	arena_free(words);
	options_release(&o);
	return code;
}
