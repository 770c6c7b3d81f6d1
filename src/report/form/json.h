#pragma once
/*
 * A streaming JSON writer, and readers of jansson's texts. The writer does commas, indentation (two
 * spaces) and escaping; the caller does the nesting, and a mismatch is a BUG. Invalid UTF-8 in
 * strings becomes U+FFFD.
 *
 * The prefix is jsonw_ because jansson has a json_object() of its own: a function of that name here
 * would replace it inside that library.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

struct json {
	struct sbuf *out;
	unsigned depth;
	char stack[64]; /* '{' or '[' */
	bool first[64]; /* nothing written yet at that depth */
	bool after_key;
};

struct json_t; /* jansson's */
/* The text of a key; "": there is none. */
const char *json_text(const struct json_t *object, const char *key);
/* A copy in a, or NULL. */
const char *json_text_in(struct arena *a, const struct json_t *object, const char *key);

void jsonw_init(struct json *j, struct sbuf *out);
/* Begins the usual document: an object with its version. */
struct json jsonw_begin(struct sbuf *out);
/* Opens the outermost object of a finished document again. The object must not be empty. */
struct json jsonw_reopen(struct sbuf *document);
void jsonw_object(struct json *j);
void jsonw_array(struct json *j);
void jsonw_end(struct json *j); /* closes the innermost object or array */
void jsonw_key(struct json *j, const char *key);
void jsonw_str(struct json *j, struct str value);
void jsonw_i64(struct json *j, int64_t value);
void jsonw_double(struct json *j, double value); /* not finite: null */
void jsonw_null(struct json *j);
/* A whole document of this writer as a value; null if it is empty. */
void jsonw_document(struct json *j, struct str document);
/* Key and value in one call. */
void jsonw_key_object(struct json *j, const char *key);
void jsonw_key_array(struct json *j, const char *key);
void jsonw_key_str(struct json *j, const char *key, struct str value);
void jsonw_key_i64(struct json *j, const char *key, int64_t value);
void jsonw_key_bool(struct json *j, const char *key, bool value);
void jsonw_key_double(struct json *j, const char *key, double value);
/* An unknown value (NULL, or known is false) is written as null, so that all objects of a kind have
 * the same keys. */
void jsonw_key_text(struct json *j, const char *key, const char *text);
void jsonw_key_known(struct json *j, const char *key, int64_t value, bool known);
/* If known, begins an object and returns true; else writes null and returns false. */
bool jsonw_key_object_if(struct json *j, const char *key, bool known);
/* Leaves the key out if text is NULL. */
void jsonw_key_given(struct json *j, const char *key, const char *text);
/* Ends the document: closes all objects and arrays, and adds a newline. BUG if it is empty. */
void jsonw_finish(struct json *j);
