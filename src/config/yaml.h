#pragma once
/*
 * YAML as a tree of plain nodes with their places (libyaml's marks), so that every message can name
 * file, line and column. Nodes live in the caller's arena.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

enum yaml_kind {
	YAML_SCALAR,
	YAML_LIST,
	YAML_MAP
};

struct yaml_node {
	enum yaml_kind kind;
	const char *file;	 /* display name */
	unsigned line;		 /* 1-based */
	unsigned column;	 /* 1-based, in bytes */
	struct str text;	 /* scalar: the value */
	bool plain;		 /* scalar: written without quotes; an empty plain one is null */
	size_t n;		 /* list: items; map: pairs */
	struct yaml_node **item; /* list items, or map values */
	struct yaml_node **key;	 /* map only: scalar keys, duplicates are an error */
};

/* Parses one document. FAIL_USAGE after a message file:line:col. An empty document gives an empty
 * map. Aliases, anchors and tags are errors; nesting deeper than 64 is an error. */
int yaml_parse(struct yaml_node **out, struct arena *a, struct str text, const char *file);
/* The same for a map whose only key is this one, with a list; gives the list. */
int yaml_parse_list(const struct yaml_node **out, struct arena *a, struct str text,
	const char *file, const char *key);

/* Map look-up; NULL if absent, or if m is NULL. */
const struct yaml_node *yaml_get(const struct yaml_node *m, const char *key);
/* The same for a required key: NULL after a message with the place of m. */
const struct yaml_node *yaml_need(const struct yaml_node *m, const char *key);
/* Typed reads: 0, or FAIL_USAGE after a message with the place of n; *out is set only on success.
 * n NULL is a missing key, and an error. */
int yaml_i64(int64_t *out, const struct yaml_node *n, int64_t min, int64_t max);
int yaml_double(double *out, const struct yaml_node *n);
int yaml_bool(bool *out, const struct yaml_node *n);
int yaml_str(struct str *out, const struct yaml_node *n);
/* A list of scalars. One scalar is read as a list of one, null as an empty list. Strings live in
 * a. */
int yaml_str_list(struct str **out, size_t *n_out, struct arena *a, const struct yaml_node *n);
/* Every key of map m must be one of keys (NULL-terminated); FAIL_USAGE names the unknown one, its
 * place, and the nearest known key. */
int yaml_only_keys(const struct yaml_node *m, const char *const *keys);
/* "FILE:LINE:COL: error: ..." on stderr (without a place if n is NULL); always FAIL_USAGE. */
int yaml_error(const struct yaml_node *n, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
