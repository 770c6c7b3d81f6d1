#pragma once
/*
 * A streaming JSON writer: commas, indentation (two spaces) and escaping are its business, nesting
 * the caller's (checked: BUG on a mismatch). Invalid UTF-8 in strings becomes U+FFFD.
 *
 * The prefix is jsonw_, as jansson has a json_object() of its own, and ours would take its place
 * inside that library.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

struct json {
	struct sbuf *out;
	unsigned depth;
	char stack[64]; /* '{' or '[' */
	bool first[64]; /* nothing written yet at that depth */
	bool after_key;
};

void jsonw_init(struct json *j, struct sbuf *out);
/* The usual document: an object with its version. */
struct json jsonw_begin(struct sbuf *out);
/* A finished document, whose outermost object, which is not empty, is opened again. */
struct json jsonw_reopen(struct sbuf *document);
void jsonw_object(struct json *j);
void jsonw_array(struct json *j);
void jsonw_end(struct json *j); /* closes the innermost object or array */
void jsonw_key(struct json *j, const char *key);
void jsonw_str(struct json *j, struct str value);
void jsonw_i64(struct json *j, int64_t value);
void jsonw_double(struct json *j, double value); /* not finite: null */
void jsonw_null(struct json *j);
/* A whole document of ours as a value; null where there is none. */
void jsonw_document(struct json *j, struct str document);
/* key and value in one call */
void jsonw_key_object(struct json *j, const char *key);
void jsonw_key_array(struct json *j, const char *key);
void jsonw_key_str(struct json *j, const char *key, struct str value);
void jsonw_key_i64(struct json *j, const char *key, int64_t value);
void jsonw_key_bool(struct json *j, const char *key, bool value);
void jsonw_key_double(struct json *j, const char *key, double value);
/* What is not known (NULL, or known is false) is null, so that all alike have the same keys; */
void jsonw_key_text(struct json *j, const char *key, const char *text);
void jsonw_key_known(struct json *j, const char *key, int64_t value, bool known);
/* null and false, or the key of an object that is begun and true; */
bool jsonw_key_object_if(struct json *j, const char *key, bool known);
/* or the key is left out. */
void jsonw_key_given(struct json *j, const char *key, const char *text);
/* Ends the document: closes what is open, newline. BUG when there is none. */
void jsonw_finish(struct json *j);
