#include <jansson.h>
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "report/figures/measured.h"
#include "report/form/json.h"

/* More than any kernel has, and small enough for sums over all kernels of a build. */
#define METRIC_MOST INT64_C(1000000000000)

/* False: o is not a kernel. A missing or null metric is METRIC_ABSENT. */
static bool load_kernel(struct kernel_metrics *k, struct arena *a, const json_t *o)
{
	k->name = json_text_in(a, o, "name");
	k->symbol = json_text_in(a, o, "symbol");
	k->why = json_text_in(a, o, "why");
	k->trusted = json_is_true(json_object_get(o, "trusted"));
	json_int_t line = json_integer_value(json_object_get(o, "line"));
	k->line = line > 0 && line <= INT_MAX ? (unsigned)line : 0;
	bool sane = true;
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const json_t *v = json_object_get(o, metric_info[i].key);
		bool there = json_is_integer(v);
		k->v[i] = there ? (int64_t)json_integer_value(v) : METRIC_ABSENT;
		sane = sane && (!there || (k->v[i] >= -METRIC_MOST && k->v[i] <= METRIC_MOST));
	}
	const char *limiter = json_string_value(json_object_get(o, "limiter"));
	for (int i = 0; limiter && i <= OCC_LIMIT_SGPR; i++) {
		if (strcmp(occ_limit_name((enum occ_limit)i), limiter) == 0) {
			k->limiter = (enum occ_limit)i;
		}
	}
	return sane && k->name && k->symbol;
}

static enum measure_status load_status(const char *word)
{
	for (int s = MEASURE_OK; s <= MEASURE_UNREADABLE; s++) {
		if (strcmp(measured_status_word((enum measure_status)s), word) == 0) {
			return (enum measure_status)s;
		}
	}
	return MEASURE_COMPILE_ERROR;
}

/* The compiler; it has only path and version. */
static const struct compiler *load_compiler(struct arena *a, const json_t *o)
{
	if (!json_is_object(o)) {
		return NULL;
	}
	struct compiler *c = ARENA_NEW(a, struct compiler);
	c->path = json_text_in(a, o, "path");
	c->version = json_text_in(a, o, "version");
	return c->path ? c : NULL;
}

static bool load_one(struct measured *m, struct arena *a, const json_t *o)
{
	const json_t *kernels = json_object_get(o, "kernels");
	const char *status = json_string_value(json_object_get(o, "status"));
	size_t n = json_array_size(kernels);
	bool ok = json_is_array(kernels) && status;

	m->file = json_text_in(a, o, "file");
	m->target = json_text_in(a, o, "target");
	ok = ok && m->file && m->target;
	m->result.status = ok ? load_status(status) : MEASURE_COMPILE_ERROR;
	m->result.diagnostics = json_text_in(a, o, "diagnostics");
	m->compiler = load_compiler(a, json_object_get(o, "compiler"));
	m->result.m.target = m->target;
	m->result.m.kernels = n;
	m->result.m.kernel = ARENA_ARRAY(a, struct kernel_metrics, n);
	for (size_t i = 0; i < n && ok; i++) {
		ok = load_kernel(&m->result.m.kernel[i], a, json_array_get(kernels, i));
	}
	return ok;
}

int measured_load(struct measured **out, size_t *n, struct arena *a, const char *path)
{
	struct sbuf text = {0};
	int rc = file_read(&text, path);

	rc = rc ? rc : measured_parse(out, n, a, sbuf_str(&text), path);
	sbuf_release(&text);
	return rc;
}

int measured_parse(
	struct measured **out, size_t *n_out, struct arena *a, struct str text, const char *path)
{
	json_error_t e;
	json_t *root = json_loadb(text.n ? text.p : "", text.n, 0, &e);
	const json_t *list = json_object_get(root, "measurements");
	size_t n = json_array_size(list);
	bool ok = json_is_array(list);

	*out = ARENA_ARRAY(a, struct measured, n);
	*n_out = n;
	for (size_t i = 0; i < n && ok; i++) {
		ok = load_one(&(*out)[i], a, json_array_get(list, i));
	}
	if (!path) {
		/* the caller reports it */
	} else if (!root) {
		msg_error("%s:%d:%d: %s; expected the output of 'unphi measure --format json'",
			path, e.line, e.column, e.text);
	} else if (!ok) {
		msg_error("%s: this is not the output of 'unphi measure --format json'", path);
	}
	json_decref(root);
	return ok ? 0 : FAIL_USAGE;
}
