/* The fills of buffers, read from a spec. */
#include "verify/spec/loading.h"

#include <math.h>

#include "base/file.h"

int loading_hold(struct loading *l, const struct yaml_node *n, size_t bytes)
{
	if (bytes > MAX_HELD - l->held) {
		return yaml_error(n,
			"the spec with all its kernels, cases and targets takes more than %d MiB; "
			"split it into several specs",
			MAX_HELD >> 20);
	}
	l->held += bytes;
	return 0;
}

static int read_number(struct fill *f, bool first, enum element_type t, const struct yaml_node *n)
{
	if (element_is_float(t)) {
		return yaml_double(first ? &f->low : &f->high, n);
	}
	int64_t min;
	int64_t max;
	element_range(&min, &max, t);
	return yaml_i64(first ? &f->whole_low : &f->whole_high, n, min, max);
}

/* "[LOW, HIGH]" or "[FIRST, STEP]" */
static int read_pair(struct fill *f, enum element_type t, const struct yaml_node *n)
{
	if (n->kind != YAML_LIST || n->n != 2) {
		return yaml_error(n, "two numbers are expected here: [%s]",
			f->kind == FILL_RANDOM ? "low, high" : "first, step");
	}
	int rc = read_number(f, true, t, n->item[0]);
	rc = rc ? rc : read_number(f, false, t, n->item[1]);
	if (rc == 0 && f->kind == FILL_RANDOM &&
		(f->low > f->high || f->whole_low > f->whole_high)) {
		return yaml_error(n, "the lower bound is above the upper one");
	}
	return rc;
}

/* A number; for floats also YAML's .nan, .inf and -.inf, and .snan. */
static int put_value(struct sbuf *out, enum element_type t, const struct yaml_node *n)
{
	bool is_float = element_is_float(t);
	int64_t min;
	int64_t max;
	int64_t whole;
	double value;

	if (is_float && n->kind == YAML_SCALAR && str_is(n->text, ".nan")) {
		element_put_nan(out, t);
		return 0;
	}
	if (is_float && n->kind == YAML_SCALAR && str_is(n->text, ".snan")) {
		element_put_snan(out, t);
		return 0;
	}
	if (is_float && n->kind == YAML_SCALAR &&
		(str_is(n->text, ".inf") || str_is(n->text, "-.inf"))) {
		element_put_float(out, t, n->text.p[0] == '-' ? -INFINITY : INFINITY);
		return 0;
	}
	element_range(&min, &max, t);
	int rc = is_float ? yaml_double(&value, n) : yaml_i64(&whole, n, min, max);
	if (rc == 0 && is_float) {
		element_put_float(out, t, value);
	} else if (rc == 0) {
		element_put_int(out, t, whole);
	}
	return rc;
}

static int read_values(
	struct fill *f, struct loading *l, enum element_type t, const struct yaml_node *n)
{
	struct sbuf b = {0};
	int rc = 0;

	if (n->kind != YAML_LIST || n->n == 0) {
		return yaml_error(n, "a list of values is expected here");
	}
	for (size_t i = 0; rc == 0 && i < n->n; i++) {
		rc = put_value(&b, t, n->item[i]);
	}
	rc = rc ? rc : loading_hold(l, n, b.n + n->n * VALUE_COST);
	f->bytes = sbuf_finish(&b, l->a);
	return rc;
}

/* A path relative to the spec. The file must have exactly the bytes of the range. */
static int read_file(
	struct fill *f, struct loading *l, enum element_type t, const struct yaml_node *n)
{
	size_t want = f->length * element_size(t);
	size_t size = 0;
	struct str name;
	struct sbuf b = {0};
	int rc = yaml_str(&name, n);

	if (rc) {
		return rc;
	}
	struct str dir = path_dir(str_of(l->path));
	const char *path = name.p[0] == '/'
				   ? arena_strndup(l->a, name.p, name.n)
				   : arena_printf(l->a, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name));
	rc = file_size(&size, path);
	if (rc == 0 && size != want) {
		rc = yaml_error(n, "the file has %zu bytes, but the range has %zu", size, want);
	}
	rc = rc ? rc : loading_hold(l, n, size);
	rc = rc ? rc : file_read(&b, path);
	if (rc == 0 && b.n != want) {
		rc = yaml_error(n, "the file changes while it is read");
	}
	f->bytes = (struct str){arena_memdup(l->a, b.p ? b.p : "", b.n), b.n};
	sbuf_release(&b);
	return rc;
}

static int read_fill_word(struct fill *f, const struct yaml_node *n)
{
	if (str_is(n->text, "zeros")) {
		f->byte = 0;
	} else if (str_is(n->text, "poison")) {
		f->byte = 0xff;
	} else if (str_is(n->text, "nan")) {
		f->kind = FILL_NAN;
	} else {
		return yaml_error(n,
			"unknown fill '%.*s'; use zeros, poison, nan, or a map with random, "
			"iota, values or file",
			STR_ARG(n->text));
	}
	return 0;
}

static int read_fill_map(
	struct fill *f, struct loading *l, enum element_type t, const struct yaml_node *n)
{
	static const char *const keys[] = {"random", "seed", "iota", "values", "file", NULL};
	const struct yaml_node *random = yaml_get(n, "random");
	const struct yaml_node *iota = yaml_get(n, "iota");
	const struct yaml_node *values = yaml_get(n, "values");
	const struct yaml_node *file = yaml_get(n, "file");
	const struct yaml_node *seed = yaml_get(n, "seed");
	int rc = yaml_only_keys(n, keys);

	if (rc == 0 && !!random + !!iota + !!values + !!file != 1) {
		rc = yaml_error(n, "one of random, iota, values and file is expected here");
	}
	if (rc == 0 && seed) {
		int64_t v = 0;
		rc = random ? yaml_i64(&v, seed, 0, INT64_MAX)
			    : yaml_error(seed, "only random numbers have a seed");
		f->seed = (uint64_t)v;
	}
	if (rc) {
		return rc;
	}
	if (values) {
		f->kind = FILL_VALUES;
		return read_values(f, l, t, values);
	}
	if (file) {
		f->kind = FILL_FILE;
		return read_file(f, l, t, file);
	}
	f->kind = random ? FILL_RANDOM : FILL_IOTA;
	return read_pair(f, t, random ? random : iota);
}

int loading_fill(struct fill *f, struct loading *l, enum element_type t, size_t at, size_t length,
	const struct yaml_node *n)
{
	*f = (struct fill){.kind = FILL_BYTE, .byte = 0xff, .at = at, .length = length};
	if (!n) {
		return 0;
	}
	return n->kind == YAML_SCALAR ? read_fill_word(f, n) : read_fill_map(f, l, t, n);
}
