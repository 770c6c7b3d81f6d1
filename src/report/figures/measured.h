#pragma once
/* The costs of kernels, as a table for people and as JSON that measured_load reads. */
#include "measure/measure.h"

/* One file for one target. */
struct measured {
	const char *file;
	const char *target;
	const struct compiler *compiler; /* NULL: the file is the output of a build */
	struct measure_result result;
};

/* The measurements of one file have to be neighbours. */
void measured_text(struct sbuf *out, const struct measured *v, size_t n);
/* {"version":1,"measurements":[{"file","target","compiler","status","diagnostics",
 * "kernels":[...]}]} with every metric by its key; unread figures are null. */
void measured_json(struct sbuf *out, const struct measured *v, size_t n);
/* Reads the output of measured_json; lives in a. FAIL_USAGE after a message. */
int measured_load(struct measured **out, size_t *n, struct arena *a, const char *path);
/* The same for a text. path is for messages; NULL: print none. */
int measured_parse(
	struct measured **out, size_t *n, struct arena *a, struct str text, const char *path);
const char *measured_status_word(enum measure_status s);
