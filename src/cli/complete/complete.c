/*
 * Makes the shells' completions at build time, from the option table and the names that its
 * options take: unphi-complete bash|zsh|fish TEMPLATE prints the template with its lines "@NAME@"
 * replaced.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/options.h"
#include "rule/rule.h"
#include "target/target.h"

enum offer_kind {
	OFFER_NOTHING, /* a number, a pattern */
	OFFER_FILES,
	OFFER_DIRECTORIES,
	OFFER_PROGRAMS,
	OFFER_WORDS,
	OFFER_LIST, /* of words, with commas between them */
};

/* What a shell offers in one place. */
struct offer {
	enum offer_kind kind;
	const char *words; /* with a blank between them */
};

struct maker {
	struct sbuf *out;
	struct sbuf targets, strategies, rules, checks;
	struct sbuf choice; /* of the option at hand */
};

static void add_word(struct sbuf *b, const char *before, const char *word)
{
	sbuf_addf(b, "%s%s%s", b->n ? " " : "", before, word);
}

static int read_names(struct maker *m, struct arena *a)
{
	struct target_db db;
	int rc = target_db_builtin(&db, a);

	for (size_t i = 0; rc == 0 && i < db.n; i++) {
		add_word(&m->targets, "", db.v[i].name);
	}
	add_word(&m->targets, "", "native");
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		if (strategies[i].variants) {
			add_word(&m->strategies, "", strategies[i].name);
		}
	}
	for (size_t i = 0; i < rules_n; i++) {
		add_word(&m->rules, "", rules[i].name);
		add_word(&m->checks, "", rules[i].name);
		add_word(&m->checks, "-", rules[i].name);
	}
	return rc;
}

/* The first word of an argument's name says what stands for it: "NAME[:FORM]" is a NAME. */
static struct offer offer_of(struct maker *m, const struct option_spec *s)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const struct {
		const char *argument;
		struct offer offer;
	} known[] = {
		{"FILE", {OFFER_FILES, ""}},
		{"BUILD", {OFFER_DIRECTORIES, ""}},
		{"PATH", {OFFER_PROGRAMS, ""}},
		{"T", {OFFER_LIST, sbuf_cstr(&m->targets)}},
		{"LIST", {OFFER_LIST, sbuf_cstr(&m->checks)}},
		{"NAME", {OFFER_WORDS, sbuf_cstr(&m->strategies)}},
	};

	if (s->type == OPTION_CHOICE) {
		sbuf_reset(&m->choice);
		for (size_t i = 0; s->choice[i]; i++) {
			add_word(&m->choice, "", s->choice[i]);
		}
		return (struct offer){OFFER_WORDS, sbuf_cstr(&m->choice)};
	}
	struct str name = str_sub(str_of(s->argument), 0, strspn(s->argument, letters));
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(name, known[i].argument)) {
			return known[i].offer;
		}
	}
	return (struct offer){OFFER_NOTHING, ""};
}

static struct offer operands_of(struct maker *m, const struct command_spec *c)
{
	if (!*c->arguments) {
		return (struct offer){OFFER_NOTHING, ""};
	}
	if (str_starts(str_of(c->arguments), "RULE")) {
		return (struct offer){OFFER_WORDS, sbuf_cstr(&m->rules)};
	}
	return (struct offer){OFFER_FILES, ""};
}

/* The first clause of an option's help: shells show one line. */
static struct str short_help(const struct option_spec *s)
{
	static const char *const ends[] = {"; ", ". ", ": ", " ("};
	struct str text = str_of(s->help);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		text = str_sub(text, 0, str_find(text, ends[i], 0));
	}
	return text;
}

/* Text inside single quotes: zsh ends them for a quote, fish escapes it; escaped are the bytes that
 * the shell's completion gives a meaning. */
static void add_quoted(struct sbuf *out, struct str text, const char *quote, const char *escaped)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\'') {
			sbuf_adds(out, quote);
		} else {
			sbuf_addf(out, "%s%c", strchr(escaped, text.p[i]) ? "\\" : "", text.p[i]);
		}
	}
}

/* ---- bash: a case for each option with an argument; words with everything else ---- */

static void bash_offer(struct sbuf *out, struct offer o)
{
	static const char *const function[] = {
		[OFFER_NOTHING] = "nothing",
		[OFFER_FILES] = "files",
		[OFFER_DIRECTORIES] = "directories",
		[OFFER_PROGRAMS] = "programs",
		[OFFER_WORDS] = "words",
		[OFFER_LIST] = "list",
	};

	sbuf_addf(out, ") _unphi_%s%s%s ;;\n", function[o.kind], *o.words ? " " : "", o.words);
}

static void bash_argument(struct maker *m, const struct option_spec *s)
{
	const char *between = "\t";

	for (size_t i = 0; i < command_specs_n; i++) {
		const struct command_spec *c = &command_specs[i];
		if (!(s->commands & c->command)) {
			continue;
		}
		sbuf_addf(m->out, "%s%s:--%s", between, c->name, s->name);
		if (s->letter) {
			sbuf_addf(m->out, " | %s:-%c", c->name, s->letter);
		}
		between = " | ";
	}
	bash_offer(m->out, offer_of(m, s));
}

static void bash_arguments(struct maker *m)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		if (option_specs[i].argument) {
			bash_argument(m, &option_specs[i]);
		}
	}
}

static void bash_option_names(struct maker *m, unsigned command)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		if (s->commands & command) {
			sbuf_addf(m->out, " --%s", s->name);
		}
		if ((s->commands & command) && s->letter) {
			sbuf_addf(m->out, " -%c", s->letter);
		}
	}
}

static void bash_options(struct maker *m)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		sbuf_addf(m->out, "\t%s) _unphi_words", command_specs[i].name);
		bash_option_names(m, command_specs[i].command);
		sbuf_adds(m->out, " ;;\n");
	}
}

static void bash_operands(struct maker *m)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		sbuf_addf(m->out, "\t%s", command_specs[i].name);
		bash_offer(m->out, operands_of(m, &command_specs[i]));
	}
}

static void bash_commands(struct maker *m)
{
	sbuf_adds(m->out, "\t\t_unphi_words");
	for (size_t i = 0; i < command_specs_n; i++) {
		sbuf_addf(m->out, " %s", command_specs[i].name);
	}
	bash_option_names(m, COMMAND_TOP);
	sbuf_addc(m->out, '\n');
}

/* ---- zsh: a specification for _arguments a line ---- */

static void zsh_text(struct sbuf *out, const char *text)
{
	add_quoted(out, str_of(text), "'\\''", "[]:\\");
}

static void zsh_action(struct sbuf *out, struct offer o)
{
	static const char *const action[] = {
		[OFFER_NOTHING] = "",
		[OFFER_FILES] = "_files",
		[OFFER_DIRECTORIES] = "_files -/",
		[OFFER_PROGRAMS] = " _unphi_programs",
		[OFFER_WORDS] = "(WORDS)",
		[OFFER_LIST] = " _unphi_list WORDS",
	};
	sbuf_add_replaced(out, str_of(action[o.kind]), "WORDS", o.words ? o.words : "");
}

static void zsh_option(struct maker *m, const struct option_spec *s)
{
	const char *equals = s->argument ? "=" : "";
	const char *many = s->type == OPTION_NAMES ? "*" : "";

	if (s->letter) {
		sbuf_addf(m->out, "\t\t'%s(-%c --%s)'{-%c%s,--%s%s}'[", many, s->letter, s->name,
			s->letter, s->argument ? "+" : "", s->name, equals);
	} else {
		sbuf_addf(m->out, "\t\t'%s--%s%s[", many, s->name, equals);
	}
	add_quoted(m->out, short_help(s), "'\\''", "[]:\\");
	sbuf_addc(m->out, ']');
	if (s->argument) {
		sbuf_addc(m->out, ':');
		zsh_text(m->out, s->argument);
		sbuf_addc(m->out, ':');
		zsh_action(m->out, offer_of(m, s));
	}
	sbuf_adds(m->out, "' \\\n");
}

static void zsh_options(struct maker *m, unsigned command)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		if (option_specs[i].commands & command) {
			zsh_option(m, &option_specs[i]);
		}
	}
}

static void zsh_top(struct maker *m)
{
	zsh_options(m, COMMAND_TOP);
}

static void zsh_cases(struct maker *m)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		const struct command_spec *c = &command_specs[i];
		sbuf_addf(m->out, "\t%s)\n\t\t_arguments -S \\\n", c->name);
		zsh_options(m, c->command);
		switch (operands_of(m, c).kind) {
		case OFFER_NOTHING:
			sbuf_adds(m->out, "\t\t&& ret=0 ;;\n");
			break;
		case OFFER_WORDS:
			sbuf_addf(m->out, "\t\t'*:rule:(%s)' && ret=0 ;;\n", sbuf_cstr(&m->rules));
			break;
		default:
			sbuf_adds(m->out, "\t\t'*:file:_files' && ret=0 ;;\n");
		}
	}
}

static void zsh_commands(struct maker *m)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		sbuf_addf(m->out, "\t\t'%s:", command_specs[i].name);
		zsh_text(m->out, command_specs[i].summary);
		sbuf_adds(m->out, "'\n");
	}
}

/* ---- fish: a command for each option, subcommand and kind of operand ---- */

/* The condition under which what follows is offered. */
static void fish_where(struct sbuf *out, unsigned commands)
{
	sbuf_adds(out, "complete -c unphi -n '");
	if (commands & COMMAND_TOP) {
		sbuf_adds(out, "__unphi_first; or ");
	}
	sbuf_adds(out, "__unphi_in");
	for (size_t i = 0; i < command_specs_n; i++) {
		if (commands & command_specs[i].command) {
			sbuf_addf(out, " %s", command_specs[i].name);
		}
	}
	sbuf_adds(out, "'");
}

static void fish_about(struct sbuf *out, struct str text)
{
	sbuf_adds(out, " -d '");
	add_quoted(out, text, "\\'", "\\");
	sbuf_adds(out, "'\n");
}

static void fish_offer(struct sbuf *out, struct offer o)
{
	static const char *const offer[] = {
		[OFFER_NOTHING] = " -x",
		[OFFER_FILES] = " -r -F",
		[OFFER_DIRECTORIES] = " -x -a '(__fish_complete_directories)'",
		[OFFER_PROGRAMS] = " -x -a '(__fish_complete_command)'",
		[OFFER_WORDS] = " -x -a 'WORDS'",
		[OFFER_LIST] = " -x -a '(__fish_append , WORDS)'",
	};
	sbuf_add_replaced(out, str_of(offer[o.kind]), "WORDS", o.words ? o.words : "");
}

static void fish_options(struct maker *m)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		fish_where(m->out, s->commands);
		sbuf_addf(m->out, " -l %s", s->name);
		if (s->letter) {
			sbuf_addf(m->out, " -s %c", s->letter);
		}
		if (s->argument) {
			fish_offer(m->out, offer_of(m, s));
		}
		fish_about(m->out, short_help(s));
	}
}

static void fish_operands(struct maker *m)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		const struct command_spec *c = &command_specs[i];
		struct offer o = operands_of(m, c);
		if (o.kind == OFFER_NOTHING) {
			continue;
		}
		fish_where(m->out, c->command);
		if (o.kind == OFFER_WORDS) {
			sbuf_addf(m->out, " -a '%s'\n", o.words);
		} else {
			sbuf_adds(m->out, " -F\n");
		}
	}
}

static void fish_commands(struct maker *m)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		sbuf_addf(
			m->out, "complete -c unphi -n __unphi_first -a %s", command_specs[i].name);
		fish_about(m->out, str_of(command_specs[i].summary));
	}
}

/* ---- the templates ---- */

struct part {
	const char *shell;
	const char *line;
	void (*add)(struct maker *m);
};

static const struct part parts[] = {
	{"bash", "@ARGUMENTS@", bash_arguments},
	{"bash", "@OPTIONS@", bash_options},
	{"bash", "@OPERANDS@", bash_operands},
	{"bash", "@COMMANDS@", bash_commands},
	{"zsh", "@TOP@", zsh_top},
	{"zsh", "@CASES@", zsh_cases},
	{"zsh", "@COMMANDS@", zsh_commands},
	{"fish", "@OPTIONS@", fish_options},
	{"fish", "@OPERANDS@", fish_operands},
	{"fish", "@COMMANDS@", fish_commands},
};

static void fill(struct maker *m, const char *shell, struct str text)
{
	struct str line;

	while (str_line(&text, &line)) {
		const struct part *found = NULL;
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
			if (str_is(line, parts[i].line) && strcmp(shell, parts[i].shell) == 0) {
				found = &parts[i];
			}
		}
		if (found) {
			found->add(m);
		} else {
			sbuf_addstr(m->out, line);
			sbuf_addc(m->out, '\n');
		}
	}
}

int main(int argc, char **argv)
{
	struct arena *a = arena_create();
	struct sbuf in = {0};
	struct sbuf out = {0};
	struct maker m = {.out = &out};

	if (argc != 3) {
		msg_error("usage: unphi-complete bash|zsh|fish TEMPLATE");
		return EXIT_USAGE;
	}
	int rc = file_read(&in, argv[2]);
	rc = rc ? rc : read_names(&m, a);
	if (rc == 0) {
		fill(&m, argv[1], sbuf_str(&in));
		if (fwrite(out.p, 1, out.n, stdout) != out.n || fflush(stdout) != 0) {
			rc = FAIL_USAGE;
		}
	}
	struct sbuf *all[] = {&in, &out, &m.targets, &m.strategies, &m.rules, &m.checks, &m.choice};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		sbuf_release(all[i]);
	}
	arena_free(a);
	return -rc;
}
