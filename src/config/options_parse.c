#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/msg.h"
#include "config/options.h"

enum {
	MAX_JOBS = 1024,
	MAX_SECONDS = 1000000,
	MAX_AMOUNT = 1 << 24,
	LONG_BASE = 256, /* getopt's value of option_specs[i] is LONG_BASE + i */
	OPERAND = 1,	 /* getopt's value of a word that is not an option */
};

static const char *const no_flags[] = {NULL};

static void *value_at(struct cli_opts *o, const struct option_spec *s)
{
	return (char *)o + s->offset;
}

static bool name_list_has(const struct name_list *l, struct str name)
{
	for (size_t i = 0; i < l->v.n; i++) {
		if (str_is(name, l->v.v[i])) {
			return true;
		}
	}
	return false;
}

static int add_names(struct name_list *l, const char *option, const char *text)
{
	struct str rest = str_of(text);
	struct str name;

	if (!*text || str_ends(rest, ",")) {
		return fail_usage("option --%s: a name is missing in '%s'", option, text);
	}
	while (str_split(&rest, ',', &name)) {
		if (name.n == 0) {
			return fail_usage("option --%s: a name is missing in '%s'", option, text);
		}
		if (!name_list_has(l, name)) {
			char *copy = mem_zeroed(name.n + 1, 1);
			memcpy(copy, name.p, name.n);
			array_push(&l->v, copy);
		}
	}
	return 0;
}

/* all: the words in the order of their values, which may differ from the order in s->choice. */
static int set_choice(
	int *value, const struct option_spec *s, const char *text, const char *const *all)
{
	struct sbuf known = {0};
	size_t n = 0;

	for (; s->choice[n]; n++) {
		if (strcmp(text, s->choice[n]) == 0) {
			for (*value = 0; strcmp(all[*value], text) != 0; ++*value) {
			}
			sbuf_release(&known);
			return 0;
		}
		sbuf_addf(&known, "%s%s", n ? ", " : "", s->choice[n]);
	}
	const char *nearest = options_nearest(str_of(text), s->choice, n);
	if (nearest) {
		msg_error("option --%s: unknown value '%s'; did you mean '%s'?", s->name, text,
			nearest);
	} else {
		msg_error("option --%s: unknown value '%s'; the values are: %s", s->name, text,
			sbuf_cstr(&known));
	}
	sbuf_release(&known);
	return FAIL_USAGE;
}

static int set_count(unsigned *value, const struct option_spec *s, const char *text)
{
	int64_t n;
	int most = s->type == OPTION_AMOUNT ? MAX_AMOUNT : MAX_JOBS;

	if (!str_to_i64(str_of(text), &n) || n < 1 || n > most) {
		return fail_usage(
			"option --%s: '%s' is not a number from 1 to %d", s->name, text, most);
	}
	*value = (unsigned)n;
	return 0;
}

static int set_shard(struct cli_opts *o, const char *text)
{
	struct str n = str_of(text), i;
	int64_t of = 0, which = 0;

	if (!str_split(&n, '/', &i) || !str_to_i64(i, &which) || !str_to_i64(n, &of) || which < 1 ||
		which > of || of > MAX_JOBS) {
		return fail_usage(
			"option --shard: '%s' is not I/N, the Ith of N parts, with N up to %d",
			text, MAX_JOBS);
	}
	o->shard = text;
	o->shard_i = (unsigned)which;
	o->shard_n = (unsigned)of;
	return 0;
}

static int set_seconds(double *value, const struct option_spec *s, const char *text)
{
	/* strtod also accepts white space, signs, hexadecimal, nan and inf. */
	size_t plain = strspn(text, "0123456789.");
	char *end;
	double d = strtod(text, &end);

	if (s->type == OPTION_LOAD && (text[plain] || plain == 0 || *end || !(d > 0))) {
		return fail_usage("option --%s: '%s' is not a number above 0", s->name, text);
	}
	if (text[plain] || plain == 0 || *end || !(d > 0) || d > MAX_SECONDS) {
		return fail_usage("option --%s: '%s' is not a time in seconds above 0 and up to %d",
			s->name, text, MAX_SECONDS);
	}
	*value = d;
	return 0;
}

static int set_text(const char **value, const struct option_spec *s, const char *text)
{
	if (!*text) {
		return fail_usage("option --%s: its value is empty", s->name);
	}
	*value = text;
	return 0;
}

static int set_value(struct cli_opts *o, const struct option_spec *s, const char *text)
{
	switch (s->type) {
	case OPTION_FLAG:
		*(bool *)value_at(o, s) = true;
		return 0;
	case OPTION_TEXT:
		return set_text(value_at(o, s), s, text);
	case OPTION_CHOICE:
		return set_choice(value_at(o, s), s, text,
			value_at(o, s) == &o->format ? output_format_words : s->choice);
	case OPTION_COUNT:
	case OPTION_AMOUNT:
		return set_count(value_at(o, s), s, text);
	case OPTION_SHARD:
		return set_shard(o, text);
	case OPTION_LOAD:
	case OPTION_SECONDS:
		return set_seconds(value_at(o, s), s, text);
	case OPTION_TEXTS: {
		struct name_list *l = value_at(o, s);
		const char *checked;
		int rc = set_text(&checked, s, text);
		if (rc) {
			return rc;
		}
		char *copy = mem_zeroed(strlen(text) + 1, 1);
		strcpy(copy, text);
		array_push(&l->v, copy);
		return 0;
	}
	case OPTION_NAMES:
		return add_names(value_at(o, s), s->name, text);
	}
	BUG("option --%s has no type", s->name);
}

/* The option table of one subcommand in getopt's form. */
struct getopt_tables {
	ARRAY(struct option) longs;
	struct sbuf shorts;
};

static void tables_make(struct getopt_tables *t, enum command c)
{
	/* '-': operands come in order. ':': a missing value differs from an unknown option. */
	sbuf_adds(&t->shorts, "-:");
	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		if (!(s->commands & c)) {
			continue;
		}
		int has = s->argument ? required_argument : no_argument;
		array_push(&t->longs, (struct option){s->name, has, NULL, LONG_BASE + (int)i});
		if (s->letter) {
			sbuf_addf(&t->shorts, "%c%s", s->letter, s->argument ? ":" : "");
		}
	}
	array_push(&t->longs, (struct option){0});
}

static void tables_release(struct getopt_tables *t)
{
	array_release(&t->longs);
	sbuf_release(&t->shorts);
}

static const struct option_spec *spec_of(int value, enum command c)
{
	if (value >= LONG_BASE) {
		return &option_specs[value - LONG_BASE];
	}
	for (size_t i = 0; i < option_specs_n; i++) {
		if (option_specs[i].letter == value && (option_specs[i].commands & c)) {
			return &option_specs[i];
		}
	}
	return NULL;
}

/* "--fix=3" and "--fix" have the name "fix", "-target" has "target". */
static struct str name_in(const char *word)
{
	struct str name = str_of(word + strspn(word, "-"));
	struct str rest = name;

	str_split(&rest, '=', &name);
	return name;
}

/* Reports an option that only other subcommands have; false if there is none. */
static bool say_elsewhere(const char *word, struct str name, enum command c)
{
	unsigned commands = 0;

	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		bool same = str_is(name, s->name) ||
			    (s->letter && word[1] == s->letter && word[1] != '-');
		if (!same || option_find(s->name, c)) {
			continue;
		}
		if (c == COMMAND_TOP) {
			msg_error("the subcommand comes first: unphi SUBCOMMAND %s", word);
			return true;
		}
		commands |= s->commands;
	}
	for (size_t k = 0; k < command_specs_n; k++) {
		if (commands & command_specs[k].command) {
			msg_error("option %s belongs to 'unphi %s', not to 'unphi %s'", word,
				command_specs[k].name, command_spec(c)->name);
			return true;
		}
	}
	return false;
}

static const char *nearest_option(struct str name, const struct getopt_tables *t)
{
	ARRAY(const char *) known = {0};

	for (size_t i = 0; i + 1 < t->longs.n; i++) {
		array_push(&known, t->longs.v[i].name);
	}
	const char *nearest = options_nearest(name, known.v, known.n);
	array_release(&known);
	return nearest;
}

/* Do several options begin with this name? */
static bool is_ambiguous(struct str name, const struct getopt_tables *t)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < t->longs.n; i++) {
		n += strncmp(t->longs.v[i].name, name.p, name.n) == 0;
	}
	return n > 1;
}

static int say_unknown(const char *word, enum command c, const struct getopt_tables *t)
{
	struct str name = name_in(word);
	bool is_long = word[1] == '-';

	if (say_elsewhere(word, name, c)) {
		return FAIL_USAGE;
	}
	if (is_long && is_ambiguous(name, t)) {
		return fail_usage("option %s is ambiguous; write it in full", word);
	}
	const char *nearest = nearest_option(name, t);
	if (nearest) {
		msg_error("unknown option %s; did you mean --%s?", word, nearest);
	} else if (c == COMMAND_TOP) {
		msg_error("unknown option %s; see 'unphi --help'", word);
	} else {
		msg_error("unknown option %s; see 'unphi %s --help'; compiler flags go after '--'",
			word, command_spec(c)->name);
	}
	return FAIL_USAGE;
}

static int read_options(
	struct cli_opts *o, int argc, char *const *argv, const struct getopt_tables *t)
{
	opterr = 0;
	optind = 0; /* glibc: start over */
	for (;;) {
		int at = optind ? optind : 1;
		int value = getopt_long(argc, argv, sbuf_str(&t->shorts).p, t->longs.v, NULL);
		if (value == -1) {
			return 0;
		}
		if (value == OPERAND) {
			array_push(&o->files, optarg);
			continue;
		}
		const struct option_spec *s =
			spec_of(value == '?' || value == ':' ? optopt : value, o->command);
		if (value == ':') {
			return fail_usage("option --%s needs a value: %s", s->name, s->argument);
		}
		if (value == '?') {
			if (s && optopt) {
				return fail_usage("option --%s takes no value", s->name);
			}
			return say_unknown(argv[at], o->command, t);
		}
		int rc = set_value(o, s, optarg);
		if (rc) {
			return rc;
		}
	}
}

static int find_command(enum command *out, const char *word)
{
	ARRAY(const char *) names = {0};

	for (size_t i = 0; i < command_specs_n; i++) {
		if (strcmp(word, command_specs[i].name) == 0) {
			*out = command_specs[i].command;
			array_release(&names);
			return 0;
		}
		array_push(&names, command_specs[i].name);
	}
	const char *nearest = options_nearest(str_of(word), names.v, names.n);
	if (nearest) {
		msg_error("unknown subcommand '%s'; did you mean '%s'?", word, nearest);
	} else {
		msg_error("unknown subcommand '%s'; see 'unphi --help'", word);
	}
	array_release(&names);
	return FAIL_USAGE;
}

/* The name - means standard output. */
static const char *output_name(const char *file)
{
	return file && strcmp(file, "-") == 0 ? "/dev/stdout" : file;
}

/* 'unphi help SUBCOMMAND' is 'unphi SUBCOMMAND --help'; 'unphi help config' explains
 * .unphi.yaml. */
static int help_about(struct cli_opts *o)
{
	o->help = !o->version;
	o->command = COMMAND_TOP;
	if (o->files.n > 1) {
		return fail_usage("'unphi help' takes one subcommand, not %zu", o->files.n);
	}
	o->help_config = o->files.n && strcmp(o->files.v[0], "config") == 0;
	return o->files.n && !o->help_config ? find_command(&o->command, o->files.v[0]) : 0;
}

/* Makes the paths of several compilers absolute, because unphi may change its directory later. */
static void name_compilers(struct cli_opts *o)
{
	struct arena *a = arena_create();
	for (size_t i = 0; o->compilers.v.n > 1 && i < o->compilers.v.n; i++) {
		char *was = o->compilers.v.v[i];
		if (strchr(was, '/')) {
			const char *now = path_absolute(a, NULL, was);
			o->compilers.v.v[i] = strcpy(mem_zeroed(strlen(now) + 1, 1), now);
			free(was);
		}
	}
	o->compiler = o->compilers.v.n > 0 ? o->compilers.v.v[0] : o->compiler;
	arena_free(a);
}

int options_parse(struct cli_opts *out, int argc, char *const *argv)
{
	struct getopt_tables t = {0};
	int skip = 0;

	*out = (struct cli_opts){.command = COMMAND_TOP, .flags = no_flags};
	if (argc > 1 && argv[1][0] != '-') {
		int rc = find_command(&out->command, argv[1]);
		if (rc) {
			return rc;
		}
		skip = 1;
	}
	tables_make(&t, out->command);
	int rc = read_options(out, argc - skip, argv + skip, &t);
	tables_release(&t);
	if (rc) {
		return rc;
	}
	out->flags = (const char *const *)(argv + skip + optind);
	name_compilers(out);
	out->output = output_name(out->output);
	out->report = output_name(out->report);
	if (out->command == COMMAND_HELP) {
		return help_about(out);
	}
	if (out->stdin_filename) {
		/* the file name - means the same */
		out->files.n -= out->files.n == 1 && strcmp(out->files.v[0], "-") == 0;
		array_push(&out->files, out->stdin_filename);
	} else if (out->command == COMMAND_LINT && out->files.n == 0 && !out->build) {
		array_push(&out->files, ".");
	}
	return options_check(out);
}

static void names_release(struct name_list *l)
{
	for (size_t i = 0; i < l->v.n; i++) {
		array_free(l->v.v[i]);
	}
	array_release(&l->v);
}

void options_release(struct cli_opts *o)
{
	names_release(&o->targets);
	names_release(&o->settings);
	names_release(&o->exclude);
	names_release(&o->dead_sync);
	names_release(&o->assume);
	names_release(&o->compilers);
	array_release(&o->files);
}
