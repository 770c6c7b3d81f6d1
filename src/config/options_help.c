#include <string.h>

#include "base/msg.h"
#include "config/options.h"

enum {
	WIDTH = 80,
	COLUMN_HELP = 30, /* the start of the texts in a list */
};

/* Breaks text at blanks. It starts at column; further lines start at indent. */
static void add_wrapped(struct sbuf *out, const char *text, size_t column, size_t indent)
{
	struct str rest = str_of(text);
	struct str word;
	bool first = true;

	while (str_split(&rest, ' ', &word)) {
		if (!first && column + 1 + word.n > WIDTH) {
			sbuf_addf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			sbuf_addc(out, ' ');
			column++;
		}
		sbuf_addstr(out, word);
		column += word.n;
		first = false;
	}
}

/* One entry of a list: the head, then the text in the second column. */
static void add_entry(struct sbuf *out, struct str head, const char *text)
{
	sbuf_addstr(out, head);
	size_t pad = head.n + 2 <= COLUMN_HELP ? COLUMN_HELP - head.n : 0;
	if (pad == 0) {
		sbuf_addf(out, "\n%*s", COLUMN_HELP, "");
	} else {
		sbuf_addf(out, "%*s", (int)pad, "");
	}
	add_wrapped(out, text, COLUMN_HELP, COLUMN_HELP);
	sbuf_addc(out, '\n');
}

static void add_option(struct sbuf *out, const struct option_spec *s)
{
	struct sbuf head = {0};

	if (s->letter) {
		sbuf_addf(&head, "  -%c, --%s", s->letter, s->name);
	} else {
		sbuf_addf(&head, "      --%s", s->name);
	}
	if (s->argument) {
		sbuf_addf(&head, " %s", s->argument);
	}
	add_entry(out, sbuf_str(&head), s->help);
	sbuf_release(&head);
}

static void add_group(struct sbuf *out, enum command c, enum option_group group)
{
	static const char *const heading[OPTION_GROUPS] = {
		"Options", "Input", "Output", "Decisions", "Compilers and cache"};
	bool any = false;

	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		if ((s->commands & c) && (s->group == group || c == COMMAND_TOP)) {
			sbuf_adds(out, any ? "" : "\n");
			sbuf_adds(out, any ? "" : heading[group]);
			sbuf_adds(out, any ? "" : ":\n");
			add_option(out, s);
			any = true;
		}
	}
}

static void add_options(struct sbuf *out, enum command c)
{
	for (int g = OPTION_SUBJECT; g < OPTION_GROUPS && c != COMMAND_TOP; g++) {
		add_group(out, c, g);
	}
	add_group(out, c, OPTION_GENERAL);
}

/* Does it parse or compile, so that words after "--" are compiler flags? */
static bool takes_flags(const struct command_spec *s)
{
	return (s->command & (COMMAND_ALL | COMMAND_SERVER)) != 0;
}

static void help_top(struct sbuf *out)
{
	sbuf_adds(out, "Usage: unphi SUBCOMMAND [OPTIONS] FILE... [-- COMPILER-FLAGS]\n\n");
	add_wrapped(out,
		"Finds wide accumulators that cross an if/else merge in HIP kernels, which makes "
		"the compiler spill, and rewrites the source where the compiler's output shows "
		"that this helps.",
		0, 0);
	sbuf_addc(out, '\n');
	for (size_t i = 0; i < command_specs_n; i++) {
		struct sbuf head = {0};
		if (i == 0 || strcmp(command_specs[i].group, command_specs[i - 1].group) != 0) {
			sbuf_addf(out, "\n%s:\n", command_specs[i].group);
		}
		sbuf_addf(&head, "  %s", command_specs[i].name);
		add_entry(out, sbuf_str(&head), command_specs[i].summary);
		sbuf_release(&head);
	}
	add_options(out, COMMAND_TOP);
	sbuf_adds(out, "\nTo begin with: unphi lint kernel.hip\n"
		       "'unphi help SUBCOMMAND' lists its options; unphi(1) is the manual.\n");
}

void options_help(struct sbuf *out, enum command c)
{
	const struct command_spec *s = command_spec(c);

	if (!s) {
		help_top(out);
		return;
	}
	sbuf_addf(out, "Usage: unphi %s [OPTIONS]%s%s%s\n\n", s->name, *s->arguments ? " " : "",
		s->arguments, takes_flags(s) ? " [-- COMPILER-FLAGS]" : "");
	add_wrapped(out, s->about, 0, 0);
	sbuf_addc(out, '\n');
	add_options(out, c);
	sbuf_adds(out,
		s->command == COMMAND_EXPLAIN
			? "\nExit codes: 0 done; 2 wrong usage or file, or no finding there; 3 it "
			  "does not\ncompile or parse.\n"
		: takes_flags(s)
			? "\nExit codes: 0 clean or done; 1 findings; 2 wrong usage or file; 3 "
			  "something does\nnot compile or parse, or cannot be trusted.\n"
		: s->command == COMMAND_OCCUPANCY
			? "\nExit codes: 0 done; 1 it does not fit; 2 usage.\n"
		: s->command == COMMAND_LOCK
			? "\nExit codes: 0 all hold; 1 some do not; 2 usage or files.\n"
		: s->command == COMMAND_CC
			? "\nExit codes: those of the compiler; 2 usage, or there is no such "
			  "compiler.\n"
			: "\nExit codes: 0 done; 2 usage.\n");
}

/* Text for roff: keeps hyphens, and escapes backslashes and requests. */
static void add_roff(struct sbuf *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (p == text && (*p == '.' || *p == '\'')) {
			sbuf_adds(out, "\\&");
		}
		if (*p == '-') {
			sbuf_adds(out, "\\-");
		} else if (*p == '\\') {
			sbuf_adds(out, "\\e");
		} else {
			sbuf_addc(out, *p);
		}
	}
}

static void man_option(struct sbuf *out, const struct option_spec *s)
{
	sbuf_adds(out, ".TP\n.BR ");
	if (s->letter) {
		sbuf_addf(out, "\\-%c \", \" ", s->letter);
	}
	sbuf_adds(out, "\\-\\-");
	add_roff(out, s->name);
	if (s->argument) {
		sbuf_adds(out, " \" \\fI");
		add_roff(out, s->argument);
		sbuf_adds(out, "\\fP\"");
	}
	sbuf_addc(out, '\n');
	size_t start = out->n;
	add_roff(out, s->help);
	if (out->p[start] >= 'a' && out->p[start] <= 'z') {
		out->p[start] = (char)(out->p[start] - 'a' + 'A');
	}
	sbuf_adds(out, ".\n");
}

/* For COMMAND_ALL: the options that all these subcommands have. Else the other options of c. */
static void man_options(struct sbuf *out, enum command c)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		bool of_all = (option_specs[i].commands & COMMAND_ALL) == COMMAND_ALL;
		if (c == COMMAND_ALL ? of_all : !of_all && (option_specs[i].commands & c)) {
			man_option(out, &option_specs[i]);
		}
	}
}

static void man_commands(struct sbuf *out)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		const struct command_spec *s = &command_specs[i];
		sbuf_addf(out, ".TP\n.B unphi %s \\fR[\\fIOPTIONS\\fR]%s\\fI%s\\fR%s\n", s->name,
			*s->arguments ? " " : "", s->arguments,
			takes_flags(s) ? " [\\fB\\-\\-\\fR \\fICOMPILER\\-FLAGS\\fR]" : "");
		add_roff(out, s->about);
		sbuf_addc(out, '\n');
	}
}

/* "@OPTIONS NAME@" */
static int man_options_line(struct sbuf *out, struct str line)
{
	struct str name = str_sub(line, sizeof("@OPTIONS ") - 1, line.n - 1);

	if (str_is(name, "all")) {
		man_options(out, COMMAND_ALL);
		return 0;
	}
	for (size_t i = 0; i < command_specs_n; i++) {
		if (str_is(name, command_specs[i].name)) {
			man_options(out, command_specs[i].command);
			return 0;
		}
	}
	return fail_usage("'%.*s': no such subcommand", STR_ARG(line));
}

int options_man(struct sbuf *out, struct str text)
{
	struct str line;
	int rc = 0;

	while (!rc && str_line(&text, &line)) {
		if (str_is(line, "@HEADING@")) {
			sbuf_adds(out,
				".TH UNPHI 1 \"\" \"unphi " UNPHI_VERSION "\" \"User Commands\"\n");
		} else if (str_is(line, "@COMMANDS@")) {
			man_commands(out);
		} else if (str_starts(line, "@OPTIONS ") && str_ends(line, "@")) {
			rc = man_options_line(out, line);
		} else {
			sbuf_addstr(out, line);
			sbuf_addc(out, '\n');
		}
	}
	return rc;
}
