#include "config/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/array.h"
#include "base/map.h"
#include "base/msg.h"

enum {
	MAX_DEPTH = 64
};

/* A place in the text. libyaml counts characters; columns here are in bytes. */
struct seen {
	size_t line;  /* 0-based */
	size_t chars; /* before it in the line */
	size_t at;    /* byte offset in the text */
};

struct reader {
	yaml_parser_t parser;
	struct arena *arena;
	struct str text;
	const char *file;
	/* The start of line number line_at (0-based), to turn libyaml's columns into bytes. Events
	 * come in the order of the text, so it mostly moves forward. */
	size_t line_start;
	size_t line_at;
	/* The last place, so that a long line is scanned once, not once for each event. */
	struct seen seen;
};

static void __attribute__((format(printf, 4, 5))) say_at(
	const char *file, unsigned line, unsigned column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	msg_error_at(file, line, column, fmt, ap);
	va_end(ap);
}

static size_t next_line(struct str text, size_t from)
{
	while (from < text.n) {
		char c = text.p[from++];

		if (c == '\n' || (c == '\r' && (from == text.n || text.p[from] != '\n'))) {
			break;
		}
	}
	return from;
}

struct place {
	unsigned line;	 /* 1-based */
	unsigned column; /* 1-based, in bytes */
};

/* libyaml adds a line break to a last line without one. A mark in the line after that break means
 * the end of the last line. */
static bool is_past_end(const struct reader *r, size_t line_start)
{
	return line_start == r->text.n && r->text.n > 0 && r->text.p[r->text.n - 1] != '\n' &&
	       r->text.p[r->text.n - 1] != '\r';
}

static struct place place_of(struct reader *r, const yaml_mark_t *mark)
{
	if (mark->line < r->line_at) {
		r->line_at = 0;
		r->line_start = 0;
	}
	for (; r->line_at < mark->line; r->line_at++) {
		size_t next = next_line(r->text, r->line_start);

		if (is_past_end(r, next)) {
			return (struct place){(unsigned)r->line_at + 1,
				(unsigned)(r->text.n - r->line_start) + 1};
		}
		r->line_start = next;
	}
	if (mark->line != r->seen.line || mark->column < r->seen.chars) {
		r->seen = (struct seen){mark->line, 0, r->line_start};
	}
	for (; r->seen.chars < mark->column && r->seen.at < r->text.n; r->seen.chars++) {
		r->seen.at++;
		while (r->seen.at < r->text.n &&
			((unsigned char)r->text.p[r->seen.at] & 0xc0) == 0x80) {
			r->seen.at++;
		}
	}
	return (struct place){(unsigned)r->line_at + 1, (unsigned)(r->seen.at - r->line_start) + 1};
}

static int fail_at(struct reader *r, const yaml_mark_t *mark, const char *what)
{
	struct place p = place_of(r, mark);

	say_at(r->file, p.line, p.column, "%s", what);
	return FAIL_USAGE;
}

/* Reports an error of libyaml. One about bytes that are not text has an offset but no mark. */
static int fail_parser(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *problem = p->problem ? p->problem : "not readable as YAML";

	switch (p->error) {
	case YAML_MEMORY_ERROR:
		die("out of memory");
	case YAML_READER_ERROR: {
		size_t start = 0, line = 1, end;

		for (; (end = next_line(r->text, start)) <= p->problem_offset && end < r->text.n;
			line++) {
			start = end;
		}
		say_at(r->file, (unsigned)line, (unsigned)(p->problem_offset - start) + 1, "%s",
			problem);
		return FAIL_USAGE;
	}
	default:
		if (p->context) {
			struct place at = place_of(r, &p->problem_mark);

			say_at(r->file, at.line, at.column, "%s, %s", problem, p->context);
			return FAIL_USAGE;
		}
		return fail_at(r, &p->problem_mark, problem);
	}
}

static int next_event(struct reader *r, yaml_event_t *e)
{
	return yaml_parser_parse(&r->parser, e) ? 0 : fail_parser(r);
}

static struct yaml_node *node_create(struct reader *r, enum yaml_kind kind, const yaml_event_t *e)
{
	struct yaml_node *n = ARENA_NEW(r->arena, struct yaml_node);

	n->kind = kind;
	n->file = r->file;
	struct place p = place_of(r, &e->start_mark);
	n->line = p.line;
	n->column = p.column;
	n->text = STR("");
	return n;
}

static int read_node(struct yaml_node **out, struct reader *r, const yaml_event_t *e, int depth);

static int read_list(struct yaml_node *list, struct reader *r, int depth)
{
	ARRAY(struct yaml_node *) items = {0};
	int err = 0;

	for (bool more = true; more && err == 0;) {
		struct yaml_node *item = NULL;
		yaml_event_t e;

		err = next_event(r, &e);
		if (err != 0) {
			break;
		}
		more = e.type != YAML_SEQUENCE_END_EVENT;
		if (more) {
			err = read_node(&item, r, &e, depth);
		}
		if (item) {
			array_push(&items, item);
		}
		yaml_event_delete(&e);
	}
	array_move(list->item, list->n, r->arena, &items);
	return err;
}

/* The key must be new; seen holds the node of each key so far. */
static int check_key(const struct yaml_node *key, struct map *seen)
{
	if (key->kind != YAML_SCALAR) {
		return yaml_error(key, "a key must be a plain word");
	}
	if (!map_set(seen, key->text, (uintptr_t)key)) {
		return yaml_error(key, "duplicate key '%.*s' in this map", STR_ARG(key->text));
	}
	return 0;
}

static int read_map(struct yaml_node *map, struct reader *r, int depth)
{
	ARRAY(struct yaml_node *) both = {0}; /* key, value, key, value, ... */
	struct map seen = {0};
	int err = 0;

	for (bool more = true; more && err == 0;) {
		struct yaml_node *node = NULL;
		yaml_event_t e;

		err = next_event(r, &e);
		if (err != 0) {
			break;
		}
		more = e.type != YAML_MAPPING_END_EVENT;
		if (more) {
			err = read_node(&node, r, &e, depth);
		}
		if (node) {
			if (both.n % 2 == 0) {
				err = check_key(node, &seen);
			}
			array_push(&both, node);
		}
		yaml_event_delete(&e);
	}
	map->n = both.n / 2;
	map->key = ARENA_ARRAY(r->arena, struct yaml_node *, map->n);
	map->item = ARENA_ARRAY(r->arena, struct yaml_node *, map->n);
	for (size_t i = 0; i < map->n; i++) {
		map->key[i] = both.v[2 * i];
		map->item[i] = both.v[2 * i + 1];
	}
	array_release(&both);
	map_release(&seen);
	return err;
}

static int read_scalar(struct yaml_node **out, struct reader *r, const yaml_event_t *e)
{
	const char *value = (const char *)e->data.scalar.value;
	size_t n = e->data.scalar.length;

	if (e->data.scalar.anchor || e->data.scalar.tag) {
		return fail_at(r, &e->start_mark, "anchors and tags are not supported");
	}
	*out = node_create(r, YAML_SCALAR, e);
	(*out)->text = (struct str){arena_strndup(r->arena, value, n), n};
	(*out)->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	return 0;
}

/* Reads the node that event e begins. *out stays NULL on failure. */
static int read_node(struct yaml_node **out, struct reader *r, const yaml_event_t *e, int depth)
{
	struct yaml_node *n;
	int err;

	if (depth >= MAX_DEPTH) {
		return fail_at(r, &e->start_mark, "nested too deeply (more than 64 levels)");
	}
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		return read_scalar(out, r, e);
	case YAML_SEQUENCE_START_EVENT:
		if (e->data.sequence_start.anchor || e->data.sequence_start.tag) {
			return fail_at(r, &e->start_mark, "anchors and tags are not supported");
		}
		n = node_create(r, YAML_LIST, e);
		err = read_list(n, r, depth + 1);
		break;
	case YAML_MAPPING_START_EVENT:
		if (e->data.mapping_start.anchor || e->data.mapping_start.tag) {
			return fail_at(r, &e->start_mark, "anchors and tags are not supported");
		}
		n = node_create(r, YAML_MAP, e);
		err = read_map(n, r, depth + 1);
		break;
	case YAML_ALIAS_EVENT:
		return fail_at(r, &e->start_mark, "aliases are not supported; write the value out");
	default:
		return fail_at(r, &e->start_mark, "unexpected here");
	}
	if (err == 0) {
		*out = n;
	}
	return err;
}

/* Events of a stream: its start, for each document start, node, end, and the stream's end. */
static int read_stream(struct yaml_node **out, struct reader *r)
{
	for (;;) {
		yaml_event_t e;
		bool end;
		int err = next_event(r, &e);

		if (err != 0) {
			return err;
		}
		end = e.type == YAML_STREAM_END_EVENT;
		switch (e.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			if (!*out) {
				*out = node_create(r, YAML_MAP, &e);
			}
			break;
		case YAML_DOCUMENT_START_EVENT:
			if (*out) {
				err = fail_at(r, &e.start_mark,
					"a second document; a file may have only one");
			}
			break;
		default:
			err = read_node(out, r, &e, 0);
		}
		yaml_event_delete(&e);
		if (err != 0 || end) {
			return err;
		}
	}
}

int yaml_parse(struct yaml_node **out, struct arena *a, struct str text, const char *file)
{
	struct reader r = {.arena = a, .text = text, .file = arena_strdup(a, file)};
	struct yaml_node *root = NULL;

	if (!yaml_parser_initialize(&r.parser)) {
		die("out of memory");
	}
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&r.parser, (const unsigned char *)(text.n > 0 ? text.p : ""), text.n);
	int err = read_stream(&root, &r);
	yaml_parser_delete(&r.parser);
	if (err != 0) {
		return err;
	}
	/* A document of only "---" is null. */
	if (root->kind == YAML_SCALAR && root->plain && root->text.n == 0) {
		root->kind = YAML_MAP;
	}
	*out = root;
	return 0;
}

int yaml_error(const struct yaml_node *n, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (n) {
		msg_error_at(n->file, n->line, n->column, fmt, ap);
	} else {
		struct sbuf text = {0};

		sbuf_vaddf(&text, fmt, ap);
		msg_error("%s", sbuf_cstr(&text));
		sbuf_release(&text);
	}
	va_end(ap);
	return FAIL_USAGE;
}

const struct yaml_node *yaml_get(const struct yaml_node *m, const char *key)
{
	if (!m || m->kind != YAML_MAP) {
		return NULL;
	}
	for (size_t i = 0; i < m->n; i++) {
		if (str_is(m->key[i]->text, key)) {
			return m->item[i];
		}
	}
	return NULL;
}

const struct yaml_node *yaml_need(const struct yaml_node *m, const char *key)
{
	const struct yaml_node *n = yaml_get(m, key);

	if (!n) {
		yaml_error(m, "the key '%s' is missing here", key);
	}
	return n;
}

/* Null: "key:" without a value. */
static bool is_null(const struct yaml_node *n)
{
	return n->kind == YAML_SCALAR && n->plain && n->text.n == 0;
}

static int fail_kind(const struct yaml_node *n, const char *wanted)
{
	if (!n) {
		return yaml_error(n, "a key that needs %s is missing", wanted);
	}
	switch (n->kind) {
	case YAML_LIST:
		return yaml_error(n, "expected %s, found a list", wanted);
	case YAML_MAP:
		return yaml_error(n, "expected %s, found a map", wanted);
	default:
		break;
	}
	if (is_null(n)) {
		return yaml_error(n, "expected %s, found nothing", wanted);
	}
	return yaml_error(n, "expected %s, found '%.*s'", wanted, STR_ARG(n->text));
}

int yaml_i64(int64_t *out, const struct yaml_node *n, int64_t min, int64_t max)
{
	int64_t value;

	if (!n || n->kind != YAML_SCALAR || !str_to_i64(n->text, &value)) {
		return fail_kind(n, "a whole number");
	}
	if (value < min || value > max) {
		return yaml_error(n, "%lld is out of range: %lld to %lld are allowed",
			(long long)value, (long long)min, (long long)max);
	}
	*out = value;
	return 0;
}

int yaml_double(double *out, const struct yaml_node *n)
{
	char buf[64], *end;

	if (!n || n->kind != YAML_SCALAR || n->text.n == 0 || n->text.n >= sizeof(buf) ||
		strchr(" \t\n\r\v\f", n->text.p[0])) {
		return fail_kind(n, "a number");
	}
	memcpy(buf, n->text.p, n->text.n);
	buf[n->text.n] = '\0';
	double value = strtod(buf, &end);
	if (end != buf + n->text.n || !isfinite(value)) {
		return fail_kind(n, "a number");
	}
	*out = value;
	return 0;
}

int yaml_bool(bool *out, const struct yaml_node *n)
{
	if (n && n->kind == YAML_SCALAR && str_is(n->text, "true")) {
		*out = true;
		return 0;
	}
	if (n && n->kind == YAML_SCALAR && str_is(n->text, "false")) {
		*out = false;
		return 0;
	}
	return fail_kind(n, "true or false");
}

int yaml_str(struct str *out, const struct yaml_node *n)
{
	if (!n || n->kind != YAML_SCALAR || is_null(n)) {
		return fail_kind(n, "a string");
	}
	*out = n->text;
	return 0;
}

int yaml_str_list(struct str **out, size_t *n_out, struct arena *a, const struct yaml_node *n)
{
	if (!n || n->kind == YAML_MAP) {
		return fail_kind(n, "a list of strings");
	}
	size_t count = n->kind == YAML_LIST ? n->n : is_null(n) ? 0 : 1;
	struct str *list = ARENA_ARRAY(a, struct str, count);
	for (size_t i = 0; i < count; i++) {
		int err = yaml_str(&list[i], n->kind == YAML_LIST ? n->item[i] : n);

		if (err != 0) {
			return err;
		}
	}
	*out = list;
	*n_out = count;
	return 0;
}

static int unknown_of(const struct yaml_node *key, const char *const *keys)
{
	struct sbuf known = {0};

	for (size_t i = 0; keys[i]; i++) {
		sbuf_addf(&known, "%s%s", i ? ", " : "", keys[i]);
	}
	int rc = yaml_error(
		key, "unknown key '%.*s'; the keys are %s", STR_ARG(key->text), sbuf_cstr(&known));
	sbuf_release(&known);
	return rc;
}

static int unknown_key(const struct yaml_node *key, const char *const *keys)
{
	const char *nearest = NULL;
	size_t least = SIZE_MAX;

	for (size_t i = 0; keys[i]; i++) {
		size_t d = str_distance(key->text, str_of(keys[i]));

		if (d < least) {
			least = d;
			nearest = keys[i];
		}
	}
	if (!nearest) {
		return yaml_error(
			key, "unknown key '%.*s'; no key is known here", STR_ARG(key->text));
	}
	if (least > 2 && least > key->text.n / 2) { /* too far for a typing mistake */
		return unknown_of(key, keys);
	}
	return yaml_error(key, "unknown key '%.*s'; the nearest known one is '%s'",
		STR_ARG(key->text), nearest);
}

int yaml_only_keys(const struct yaml_node *m, const char *const *keys)
{
	if (!m || m->kind != YAML_MAP) {
		return fail_kind(m, "a map");
	}
	for (size_t i = 0; i < m->n; i++) {
		if (!str_is_any(m->key[i]->text, keys)) {
			return unknown_key(m->key[i], keys);
		}
	}
	return 0;
}

int yaml_parse_list(const struct yaml_node **out, struct arena *a, struct str text,
	const char *file, const char *key)
{
	const char *const keys[] = {key, NULL};
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, text, file);
	rc = rc ? rc : yaml_only_keys(root, keys);
	if (rc) {
		return rc;
	}
	*out = yaml_get(root, key);
	if (!*out || (*out)->kind != YAML_LIST) {
		return yaml_error(*out ? *out : root, "'%s' must be a list", key);
	}
	return 0;
}
