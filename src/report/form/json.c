#include "report/form/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"

const char *json_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

const char *json_text_in(struct arena *a, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? arena_strdup(a, text) : NULL;
}

void jsonw_init(struct json *j, struct sbuf *out)
{
	*j = (struct json){.out = out, .first[0] = true};
}

static void new_line(struct json *j)
{
	sbuf_addc(j->out, '\n');
	for (unsigned i = 0; i < j->depth; i++) {
		sbuf_adds(j->out, "  ");
	}
}

/* The comma and the new line before an element of the innermost object or array. */
static void next_element(struct json *j)
{
	if (!j->first[j->depth]) {
		sbuf_addc(j->out, ',');
	}
	j->first[j->depth] = false;
	new_line(j);
}

static void before_value(struct json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	if (j->depth == 0) {
		if (!j->first[0]) {
			BUG("a second JSON value at the top");
		}
		j->first[0] = false;
		return;
	}
	if (j->stack[j->depth - 1] != '[') {
		BUG("a JSON value without a key");
	}
	next_element(j);
}

static void open_nested(struct json *j, char bracket)
{
	before_value(j);
	if (j->depth + 1 >= sizeof(j->stack)) {
		BUG("JSON nested too deeply");
	}
	j->stack[j->depth++] = bracket;
	j->first[j->depth] = true;
	sbuf_addc(j->out, bracket);
}

void jsonw_object(struct json *j)
{
	open_nested(j, '{');
}

void jsonw_array(struct json *j)
{
	open_nested(j, '[');
}

void jsonw_end(struct json *j)
{
	if (j->depth == 0 || j->after_key) {
		BUG("nothing to close in the JSON, or a key without a value");
	}
	bool empty = j->first[j->depth];
	char bracket = j->stack[--j->depth];
	if (!empty) {
		new_line(j);
	}
	sbuf_addc(j->out, bracket == '{' ? '}' : ']');
}

static void add_string(struct sbuf *b, struct str s)
{
	sbuf_addc(b, '"');
	for (size_t i = 0; i < s.n;) {
		size_t n = str_utf8(str_sub(s, i, s.n));

		if (n == 0) {
			sbuf_adds(b, "\xef\xbf\xbd");
			i++;
		} else if (n == 1) {
			sbuf_add_escaped(b, s.p[i++]);
		} else {
			sbuf_add(b, s.p + i, n);
			i += n;
		}
	}
	sbuf_addc(b, '"');
}

void jsonw_key(struct json *j, const char *key)
{
	if (j->depth == 0 || j->stack[j->depth - 1] != '{' || j->after_key) {
		BUG("the JSON key \"%s\" outside an object or after another key", key);
	}
	next_element(j);
	add_string(j->out, str_of(key));
	sbuf_adds(j->out, ": ");
	j->after_key = true;
}

void jsonw_str(struct json *j, struct str value)
{
	before_value(j);
	add_string(j->out, value);
}

void jsonw_i64(struct json *j, int64_t value)
{
	before_value(j);
	sbuf_addf(j->out, "%" PRId64, value);
}

void jsonw_double(struct json *j, double value)
{
	char text[32];

	if (!isfinite(value)) {
		jsonw_null(j);
		return;
	}
	/* The fewest digits that read back as the same number. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value) {
			break;
		}
	}
	before_value(j);
	sbuf_adds(j->out, text);
}

static void json_bool(struct json *j, bool value)
{
	before_value(j);
	sbuf_adds(j->out, value ? "true" : "false");
}

void jsonw_null(struct json *j)
{
	before_value(j);
	sbuf_adds(j->out, "null");
}

void jsonw_document(struct json *j, struct str document)
{
	struct str line, rest = str_trim(document);

	if (rest.n == 0) {
		jsonw_null(j);
		return;
	}
	before_value(j);
	for (bool first = true; str_line(&rest, &line); first = false) {
		if (!first) {
			new_line(j);
		}
		sbuf_addstr(j->out, line);
	}
}

void jsonw_key_str(struct json *j, const char *key, struct str value)
{
	jsonw_key(j, key);
	jsonw_str(j, value);
}

void jsonw_key_i64(struct json *j, const char *key, int64_t value)
{
	jsonw_key(j, key);
	jsonw_i64(j, value);
}

void jsonw_key_bool(struct json *j, const char *key, bool value)
{
	jsonw_key(j, key);
	json_bool(j, value);
}

void jsonw_key_double(struct json *j, const char *key, double value)
{
	jsonw_key(j, key);
	jsonw_double(j, value);
}

void jsonw_key_array(struct json *j, const char *key)
{
	jsonw_key(j, key);
	jsonw_array(j);
}

void jsonw_key_object(struct json *j, const char *key)
{
	jsonw_key(j, key);
	jsonw_object(j);
}

bool jsonw_key_object_if(struct json *j, const char *key, bool known)
{
	jsonw_key(j, key);
	(known ? jsonw_object : jsonw_null)(j);
	return known;
}

void jsonw_key_text(struct json *j, const char *key, const char *text)
{
	jsonw_key(j, key);
	if (text) {
		jsonw_str(j, str_of(text));
	} else {
		jsonw_null(j);
	}
}

void jsonw_key_given(struct json *j, const char *key, const char *text)
{
	if (text) {
		jsonw_key_text(j, key, text);
	}
}

void jsonw_key_known(struct json *j, const char *key, int64_t value, bool known)
{
	jsonw_key(j, key);
	if (known) {
		jsonw_i64(j, value);
	} else {
		jsonw_null(j);
	}
}

struct json jsonw_begin(struct sbuf *out)
{
	struct json j;
	jsonw_init(&j, out);
	jsonw_object(&j);
	jsonw_key_i64(&j, "version", 1);
	return j;
}

struct json jsonw_reopen(struct sbuf *document)
{
	static const char end[] = "\n}\n";
	size_t n = sizeof(end) - 1;
	struct json j;

	if (!str_ends(sbuf_str(document), end)) {
		BUG("no finished JSON object");
	}
	document->n -= n;
	document->p[document->n] = '\0';
	jsonw_init(&j, document);
	j.depth = 1;
	j.stack[0] = '{';
	j.first[0] = j.first[1] = false;
	return j;
}

void jsonw_finish(struct json *j)
{
	if (j->first[0]) {
		BUG("the JSON document is empty");
	}
	while (j->depth > 0) {
		jsonw_end(j);
	}
	sbuf_addc(j->out, '\n');
}
