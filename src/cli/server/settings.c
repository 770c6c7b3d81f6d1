/*
 * The client's settings are options of unphi server, named "header-filter" or "headerFilter";
 * "flags" holds the words after "--". The parser of the command line reads them. A setting
 * overrides the same option of the real command line.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "cli/server/server.h"

typedef ARRAY(char *) word_list;

static const char *option_name(struct arena *a, const char *key)
{
	struct sbuf name = {0};
	for (; *key; key++) {
		if (isupper((unsigned char)*key)) {
			sbuf_addc(&name, '-');
		}
		sbuf_addc(&name, (char)tolower((unsigned char)*key));
	}
	return sbuf_finish(&name, a).p;
}

static void add_word(word_list *words, struct arena *a, const char *name, const json_t *v)
{
	if (json_is_true(v)) {
		array_push(words, arena_printf(a, "--%s", name));
	} else if (json_is_integer(v)) {
		array_push(words,
			arena_printf(a, "--%s=%lld", name, (long long)json_integer_value(v)));
	} else if (json_is_string(v) && json_string_length(v) > 0) {
		array_push(words, arena_printf(a, "--%s=%s", name, json_string_value(v)));
	}
}

static void add_setting(word_list *words, struct arena *a, const char *key, const json_t *v)
{
	const char *name = option_name(a, key);
	for (size_t i = 0; i < json_array_size(v); i++) {
		add_word(words, a, name, json_array_get(v, i));
	}
	add_word(words, a, name, v);
}

static size_t size_of(const struct option_spec *o)
{
	switch (o->type) {
	case OPTION_FLAG:
		return sizeof(bool);
	case OPTION_TEXT:
	case OPTION_SHARD:
		return sizeof(const char *);
	case OPTION_CHOICE:
	case OPTION_COUNT:
	case OPTION_AMOUNT:
		return sizeof(unsigned);
	case OPTION_SECONDS:
	case OPTION_LOAD:
		return sizeof(double);
	case OPTION_TEXTS:
	case OPTION_NAMES:
		return sizeof(struct name_list);
	}
	BUG("option --%s has no type", o->name);
}

/* Is the option's value not its default? All defaults are zero bytes. */
static bool is_given(const struct option_spec *o, const struct cli_opts *of)
{
	static const char none[sizeof(struct name_list)];

	return memcmp((const char *)of + o->offset, none, size_of(o)) != 0;
}

static void merge(struct server *s)
{
	s->opts = *s->given;
	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *o = &option_specs[i];
		if ((o->commands & COMMAND_SERVER) && is_given(o, &s->client)) {
			memcpy((char *)&s->opts + o->offset, (const char *)&s->client + o->offset,
				size_of(o));
		}
	}
	s->opts.flags = s->client_flags ? s->client.flags : s->given->flags;
}

/* Sends the errors since the mark to the client. */
static void show_errors(struct server *s, size_t mark)
{
	struct str rest = msglog_since(mark), file, text;
	struct msglog_entry what;
	while (msglog_next(&what, &file, &text, &rest)) {
		send_message(s, MESSAGE_ERROR, "unphi: settings: %.*s", STR_ARG(text));
	}
	msglog_forget(mark);
}

void settings_take(struct server *s, const json_t *settings)
{
	static char program[] = "unphi", command[] = "server", end[] = "--";
	struct arena *a = arena_create();
	word_list words = {0};
	const char *key;
	const json_t *v;
	const json_t *flags = json_object_get(settings, "flags");
	struct cli_opts read;
	size_t mark = msglog_mark();
	if (!json_is_object(settings)) {
		arena_free(a);
		return;
	}
	array_push(&words, program);
	array_push(&words, command);
	json_object_foreach ((json_t *)settings, key, v) {
		if (v != flags) {
			add_setting(&words, a, key, v);
		}
	}
	array_push(&words, end);
	for (size_t i = 0; i < json_array_size(flags); i++) {
		if (json_is_string(json_array_get(flags, i))) {
			array_push(&words,
				arena_strdup(a, json_string_value(json_array_get(flags, i))));
		}
	}
	array_push(&words, NULL);
	char **argv = array_to_arena(a, &words);
	int rc = options_parse(&read, (int)words.n - 1, argv);
	array_release(&words);
	if (rc || read.help || read.version) {
		show_errors(s, mark);
		options_release(&read);
		arena_free(a);
		return;
	}
	settings_release(s);
	s->client = read;
	s->client_words = a;
	s->client_flags = json_array_size(flags) > 0;
	merge(s);
	array_each (&s->docs, struct document *const, d) {
		(*d)->lint_at = 1; /* at once */
		(*d)->estimate.known = false;
	}
}

void settings_release(struct server *s)
{
	options_release(&s->client);
	arena_free(s->client_words);
	s->client_words = NULL;
	s->client = (struct cli_opts){0};
	s->opts = *s->given;
}
