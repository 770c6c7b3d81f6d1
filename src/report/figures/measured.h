#pragma once
/* The costs of kernels, as a table for people and as JSON that measured_load reads again. */
#include "measure/measure.h"

/* One file for one target. */
struct measured {
	const char *file;
	const char *target;
	const struct compiler *compiler; /* NULL: it was compiled before */
	struct measure_result result;
};

/* Of one file each after the other. */
void measured_text(struct sbuf *out, const struct measured *v, size_t n);
/* {"version":1,"measurements":[{"file","target","compiler","status","diagnostics",
 * "kernels":[...]}]} with every metric by its key, and null for what could not be read. */
void measured_json(struct sbuf *out, const struct measured *v, size_t n);
/* What measured_json wrote; lives in a. FAIL_USAGE after a message. */
int measured_load(struct measured **out, size_t *n, struct arena *a, const char *path);
/* The same of a text; path is for messages, NULL: without any. */
int measured_parse(
	struct measured **out, size_t *n, struct arena *a, struct str text, const char *path);
const char *measured_status_word(enum measure_status s);
