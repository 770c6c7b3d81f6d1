/*
 * Makes the shells' completions at build time, from the option table and the names that its options
 * take: unphi-complete TEMPLATE prints the template. It repeats the text between @commands@ and
 * @end@ for each subcommand, and the text between @options@ and @end@ for each of its options
 * (outside @commands@: for each option that unphi takes without a subcommand). In these texts
 *
 *	{command} {summary} {operand}	are the subcommand's
 *	{name} {letter} {help} {argument} {value}  are the option's; ?letter begins a line for those
 *					with a letter, =? and *? stand for these signs where it
 *					takes an argument, and where it may be given again
 *
 * Further lines of the template define the completions of its shell:
 *
 *	@quote INSTEAD ESCAPED	what stands for a ' in a text; which signs get a backslash
 *	@value KIND TEXT		{value}; {words} in it are those of the kinds words, list
 *	@operand KIND TEXT		what {operand} is
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/options.h"
#include "rule/rule.h"
#include "target/target.h"

/* Kinds of completions: nothing for a number or a pattern; a list has commas. */
static const char *const kinds[] = {"nothing", "files", "directories", "programs", "words", "list"};

enum offer_kind {
	OFFER_NOTHING,
	OFFER_FILES,
	OFFER_DIRECTORIES,
	OFFER_PROGRAMS,
	OFFER_WORDS,
	OFFER_LIST,
	OFFER_KINDS
};

struct offer {
	enum offer_kind kind;
	const char *words; /* with a blank between them */
};

struct maker {
	struct sbuf *out;
	struct sbuf targets, strategies, rules, checks;
	struct sbuf choice; /* of the current option */
	struct str instead, escaped;
	struct str value[OFFER_KINDS], operand[OFFER_KINDS];
};

/* NULL: not in such a block. */
struct place {
	const struct command_spec *command;
	const struct option_spec *option;
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

/* The first word of an argument's name selects the completion: "NAME[:FORM]" is a NAME. */
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
	bool named = str_starts(str_of(c->arguments), "RULE");

	return (struct offer){!*c->arguments ? OFFER_NOTHING
			      : named	     ? OFFER_WORDS
					     : OFFER_FILES,
		named ? sbuf_cstr(&m->rules) : ""};
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

/* Text inside single quotes. */
static void add_quoted(struct maker *m, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\'') {
			sbuf_addstr(m->out, m->instead);
		} else {
			bool escape = m->escaped.n && memchr(m->escaped.p, text.p[i], m->escaped.n);
			sbuf_addf(m->out, "%s%c", escape ? "\\" : "", text.p[i]);
		}
	}
}

static void add_text(struct maker *m, struct str text, const struct place *at, const char *words);

/* False: the word is not a known placeholder. */
static bool add_value(struct maker *m, struct str word, const struct place *at, const char *words)
{
	const struct command_spec *c = at->command;
	const struct option_spec *s = at->option;
	char letter[2] = {s ? s->letter : '\0', '\0'};

	if (c && str_is(word, "operand")) {
		struct offer o = operands_of(m, c);
		add_text(m, m->operand[o.kind], at, o.words);
	} else if (s && str_is(word, "value") && s->argument) {
		struct offer o = offer_of(m, s);
		add_text(m, m->value[o.kind], at, o.words);
	} else {
		const struct {
			const char *word;
			const void *there;
			struct str text;
		} known[] = {{"command", c, str_of(c ? c->name : "")},
			{"summary", c, str_of(c ? c->summary : "")}, {"value", s, STR("")},
			{"name", s, str_of(s ? s->name : "")}, {"letter", s, str_of(letter)},
			{"help", s, s ? short_help(s) : STR("")},
			{"argument", s, str_of(s && s->argument ? s->argument : "")},
			{"words", words, str_of(words ? words : "")}};
		size_t i = 0, n = sizeof(known) / sizeof(known[0]);
		while (i < n && !(known[i].there && str_is(word, known[i].word))) {
			i++;
		}
		if (i == n) {
			return false;
		}
		add_quoted(m, known[i].text);
	}
	return true;
}

static void add_text(struct maker *m, struct str text, const struct place *at, const char *words)
{
	const struct option_spec *s = at->option;

	for (size_t i = 0; i < text.n; i++) {
		size_t end = text.p[i] == '{' ? str_find(text, "}", i) : SIZE_MAX;
		struct str sign = str_sub(text, i, i + 2);
		if (end != SIZE_MAX && add_value(m, str_sub(text, i + 1, end), at, words)) {
			i = end;
		} else if (s && (str_is(sign, "=?") || str_is(sign, "*?"))) {
			bool has = sign.p[0] == '=' ? s->argument != NULL : s->type == OPTION_NAMES;
			sbuf_addstr(m->out, str_sub(sign, 0, has));
			i++;
		} else {
			sbuf_addc(m->out, text.p[i]);
		}
	}
}

/* The lines up to the @end@ of the block, which are taken off *text. */
static struct str take_block(struct str *text)
{
	struct str line, block = *text;
	unsigned depth = 1;

	while (depth > 0 && str_line(text, &line)) {
		depth += str_is(line, "@options@") || str_is(line, "@commands@");
		depth -= str_is(line, "@end@");
	}
	return str_sub(block, 0, (size_t)(line.p - block.p));
}

/* Reads "@value KIND TEXT" or "@operand KIND TEXT". */
static void set_offer(struct str rest, struct str offers[OFFER_KINDS])
{
	struct str kind;

	str_split(&rest, ' ', &kind);
	for (size_t i = 0; i < OFFER_KINDS; i++) {
		if (str_is(kind, kinds[i])) {
			offers[i] = rest;
		}
	}
}

static void expand(struct maker *m, struct str text, const struct place *at)
{
	struct str line;

	while (str_line(&text, &line)) {
		struct str rest = line, word = {0};
		str_split(&rest, ' ', &word);
		if (str_is(line, "@commands@")) {
			struct str block = take_block(&text);
			for (size_t i = 0; i < command_specs_n; i++) {
				expand(m, block, &(struct place){.command = &command_specs[i]});
			}
		} else if (str_is(line, "@options@")) {
			struct str block = take_block(&text);
			unsigned of = at->command ? at->command->command : COMMAND_TOP;
			for (size_t i = 0; i < option_specs_n; i++) {
				if (option_specs[i].commands & of) {
					struct place in = {at->command, &option_specs[i]};
					expand(m, block, &in);
				}
			}
		} else if (str_is(word, "@quote")) {
			str_split(&rest, ' ', &m->instead);
			m->escaped = rest;
		} else if (str_is(word, "@value") || str_is(word, "@operand")) {
			set_offer(rest, str_is(word, "@value") ? m->value : m->operand);
		} else if (!str_is(word, "?letter") || at->option->letter) {
			add_text(m, str_is(word, "?letter") ? rest : line, at, NULL);
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

	if (argc != 2) {
		msg_error("usage: unphi-complete TEMPLATE");
		return EXIT_USAGE;
	}
	int rc = file_read(&in, argv[1]);
	rc = rc ? rc : read_names(&m, a);
	if (rc == 0) {
		expand(&m, sbuf_str(&in), &(struct place){NULL, NULL});
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
