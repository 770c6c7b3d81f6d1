#include "verify/spec/loading.h"

#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "verify/spec/kernel_name.h"

enum {
	MAX_ELEMENTS = 1 << 28,
	MAX_GRID = 1 << 20,
	MAX_BLOCK = 1024,
	MAX_CASES = 10000,
	MAX_CASE_BYTES = 1 << 30 /* for all buffers of a case */
};

/* The maps of a case and its kernel; the case overrides the kernel. Both may be NULL. */
struct layers {
	const struct yaml_node *kernel;
	const struct yaml_node *own;
};

static const struct yaml_node *layers_get(const struct layers *l, const char *key)
{
	const struct yaml_node *n = yaml_get(l->own, key);
	return n ? n : yaml_get(l->kernel, key);
}

static struct layers layers_of(const struct layers *l, const char *key)
{
	return (struct layers){yaml_get(l->kernel, key), yaml_get(l->own, key)};
}

/* The node for error messages about the two. */
static const struct yaml_node *place_of(const struct layers *l)
{
	return l->own ? l->own : l->kernel;
}

static const char *text_of(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p, s.n);
}

static int need_map(const struct yaml_node *n, const char *what)
{
	if (n && n->kind != YAML_MAP) {
		return yaml_error(n, "%s is a map", what);
	}
	return 0;
}

/* ---- shapes and other numbers ---- */

static int read_unsigned(unsigned *out, const struct layers *l, const char *key, int64_t max)
{
	const struct yaml_node *n = layers_get(l, key);
	int64_t v = *out;
	int rc = n ? yaml_i64(&v, n, 0, max) : 0;
	*out = (unsigned)v;
	return rc;
}

/* max: limit of the product of the dimensions. */
static int read_shape(struct spec_shape *out, const struct layers *l, const char *key, int64_t max)
{
	int64_t all = 1;
	const struct yaml_node *n = layers_get(l, key);
	*out = (struct spec_shape){{1, 1, 1}};
	if (!n) {
		return yaml_error(place_of(l), "the key '%s' is missing here", key);
	}
	bool is_list = n->kind == YAML_LIST;
	size_t count = is_list ? n->n : 1;
	if (count < 1 || count > 3) {
		return yaml_error(n, "'%s' has one to three numbers", key);
	}
	for (size_t i = 0; i < count; i++) {
		int64_t v;
		int rc = yaml_i64(&v, is_list ? n->item[i] : n, 1, max);
		if (rc) {
			return rc;
		}
		out->v[i] = (unsigned)v;
		all *= v;
		if (all > max) {
			return yaml_error(n, "'%s' has more than %lld in all", key, (long long)max);
		}
	}
	return 0;
}

static int read_wave_size(struct spec_case *c, const struct layers *l)
{
	c->wave_size = c->target->wave_size;
	int rc = read_unsigned(&c->wave_size, l, "wave-size", 64);
	if (rc == 0 && c->wave_size != 32 && c->wave_size != 64) {
		return yaml_error(layers_get(l, "wave-size"), "a wave has 32 or 64 lanes");
	}
	return rc;
}

/* ---- buffers ---- */

static int read_patch(
	struct fill *f, struct loading *l, const struct spec_buffer *b, const struct yaml_node *n)
{
	static const char *const keys[] = {"at", "length", "fill", NULL};
	int64_t at = 0;
	int64_t length = 0;
	int rc = yaml_only_keys(n, keys);
	rc = rc ? rc : yaml_i64(&at, yaml_need(n, "at"), 0, (int64_t)b->length - 1);
	rc = rc ? rc : yaml_i64(&length, yaml_need(n, "length"), 1, (int64_t)b->length - at);
	const struct yaml_node *fill = rc ? NULL : yaml_need(n, "fill");
	rc = rc || fill ? rc : FAIL_USAGE;
	return rc ? rc : loading_fill(f, l, b->type, (size_t)at, (size_t)length, fill);
}

static int read_fills(struct spec_buffer *b, struct loading *l, const struct layers *def)
{
	const struct yaml_node *fill = layers_get(def, "fill");
	const struct yaml_node *patches = layers_get(def, "patches");
	if (patches && patches->kind != YAML_LIST) {
		return yaml_error(patches, "'patches' is a list");
	}
	b->fills = 1 + (patches ? patches->n : 0);
	int rc = loading_hold(l, place_of(def), b->fills * sizeof(struct fill));
	if (rc) {
		return rc;
	}
	b->fill = ARENA_ARRAY(l->a, struct fill, b->fills);
	rc = loading_fill(&b->fill[0], l, b->type, 0, b->length, fill);
	for (size_t i = 1; rc == 0 && i < b->fills; i++) {
		rc = read_patch(&b->fill[i], l, b, patches->item[i - 1]);
	}
	return rc;
}

static int read_type(enum element_type *out, const struct yaml_node *n)
{
	struct str name;
	int rc = yaml_str(&name, n);
	if (rc == 0 && !element_find(out, name)) {
		return yaml_error(n,
			"unknown type '%.*s'; there are i8, u8 to i64, u64, f16, bf16, f32, f64, "
			"fp8, bf8, fp8-fnuz and bf8-fnuz",
			STR_ARG(name));
	}
	return rc;
}

static int read_buffer(struct spec_buffer *b, struct loading *l, const struct layers *def)
{
	static const char *const keys[] = {"type", "length", "fill", "patches", NULL};
	int64_t length = 0;
	int rc = def->kernel ? yaml_only_keys(def->kernel, keys) : 0;
	rc = rc || !def->own ? rc : yaml_only_keys(def->own, keys);
	if (rc) {
		return rc;
	}
	const struct yaml_node *type = layers_get(def, "type");
	const struct yaml_node *size = layers_get(def, "length");
	if (!type || !size) {
		return yaml_error(
			place_of(def), "the key '%s' is missing here", type ? "length" : "type");
	}
	rc = read_type(&b->type, type);
	rc = rc ? rc : yaml_i64(&length, size, 1, MAX_ELEMENTS);
	b->length = (size_t)length;
	return rc ? rc : read_fills(b, l, def);
}

/* The keys of both maps, each once, the kernel's first. */
static size_t layers_keys(const struct yaml_node ***out, struct arena *a, const struct layers *maps)
{
	size_t first = maps->kernel ? maps->kernel->n : 0;
	size_t more = maps->own ? maps->own->n : 0;
	const struct yaml_node **key = ARENA_ARRAY(a, const struct yaml_node *, first + more);
	size_t n = 0;
	for (size_t i = 0; i < first; i++) {
		key[n++] = maps->kernel->key[i];
	}
	for (size_t i = 0; i < more; i++) {
		const char *name = text_of(a, maps->own->key[i]->text);
		if (!yaml_get(maps->kernel, name)) {
			key[n++] = maps->own->key[i];
		}
	}
	*out = key;
	return n;
}

/* Opens a map of the case and of its kernel, and lists their keys. */
static int open_layers(struct layers *maps, const struct yaml_node ***key, size_t *n,
	struct loading *l, const struct layers *of, const char *name)
{
	const char *quoted = arena_printf(l->a, "'%s'", name);
	*maps = layers_of(of, name);
	int rc = need_map(maps->kernel, quoted);
	rc = rc ? rc : need_map(maps->own, quoted);
	*n = rc ? 0 : layers_keys(key, l->a, maps);
	return rc;
}

static int read_buffers(struct spec_case *c, struct loading *l, const struct layers *of)
{
	struct layers maps;
	const struct yaml_node **key;
	size_t n;
	int rc = open_layers(&maps, &key, &n, l, of, "buffers");
	rc = rc ? rc : loading_hold(l, place_of(&maps), n * sizeof(struct spec_buffer));
	if (rc) {
		return rc;
	}
	size_t bytes = 0;
	c->buffer = ARENA_ARRAY(l->a, struct spec_buffer, n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct spec_buffer *b = &c->buffer[c->buffers++];
		b->name = text_of(l->a, key[i]->text);
		struct layers def = layers_of(&maps, b->name);
		rc = read_buffer(b, l, &def);
		bytes += rc ? 0 : spec_buffer_bytes(b);
		if (bytes > MAX_CASE_BYTES) {
			rc = yaml_error(place_of(&def),
				"the buffers of a case have more than %d MiB in all",
				MAX_CASE_BYTES >> 20);
		}
	}
	return rc;
}

/* ---- arguments ---- */

static bool is_cpp_name(struct str s)
{
	return memchr(s.p, '<', s.n) == NULL && kernel_name_wrong(s) == NULL;
}

static int put_scalar(struct sbuf *out, const struct spec_case *c, const struct yaml_node *n)
{
	int64_t whole;
	double value;
	for (size_t i = 0; i < c->buffers; i++) {
		if (str_is(n->text, c->buffer[i].name)) {
			sbuf_addf(out, "__unphi_buffer(%zu)", i);
			return 0;
		}
	}
	if (str_is(n->text, ".nan")) {
		sbuf_adds(out, "__builtin_nanf(\"\")");
	} else if (str_is(n->text, ".inf") || str_is(n->text, "-.inf")) {
		sbuf_addf(out, "%s__builtin_inff()", n->text.p[0] == '-' ? "-" : "");
	} else if (is_cpp_name(n->text)) {
		sbuf_addstr(out, n->text);
	} else if (str_to_i64(n->text, &whole)) {
		sbuf_addf(out, "%lld", (long long)whole);
	} else if (yaml_double(&value, n) == 0) {
		sbuf_addf(out, "%.17g", value);
	} else {
		return FAIL_USAGE;
	}
	return 0;
}

/* {bytes: [...], at: {8: p}}: the bytes of a record with private members or of a union, and the
 * offsets of buffers' addresses in it. */
static int put_bytes(struct sbuf *out, const struct yaml_node *list, const struct yaml_node *at,
	const struct spec_case *c)
{
	if (list->kind != YAML_LIST || list->n == 0) {
		return yaml_error(list, "a list of bytes is expected here");
	}
	sbuf_addf(out, "__unphi_bytes<%zu>{{", list->n);
	for (size_t i = 0; i < list->n; i++) {
		int64_t v;
		int rc = yaml_i64(&v, list->item[i], 0, 255);
		if (rc) {
			return rc;
		}
		sbuf_addf(out, "%s%lld", i ? ", " : "", (long long)v);
	}
	sbuf_adds(out, "}}");
	for (size_t i = 0; at && i < at->n; i++) {
		const struct yaml_node *buffer = at->item[i];
		int64_t place;
		struct sbuf text = {0};
		bool ok = buffer->kind == YAML_SCALAR && str_to_i64(at->key[i]->text, &place) &&
			  place >= 0 && place <= (int64_t)list->n - 8 &&
			  put_scalar(&text, c, buffer) == 0 &&
			  str_starts(sbuf_str(&text), "__unphi_buffer(");
		if (!ok) {
			sbuf_release(&text);
			return yaml_error(buffer, "expected an offset in the bytes, and the buffer "
						  "whose address is there");
		}
		sbuf_addf(
			out, ".__unphi_put(%lld, (char *)%s)", (long long)place, sbuf_cstr(&text));
		sbuf_release(&text);
	}
	return 0;
}

static int put_value_of(
	struct sbuf *out, struct loading *l, const struct spec_case *c, const struct layers *v);

static int put_fields(
	struct sbuf *out, struct loading *l, const struct spec_case *c, const struct layers *v)
{
	const struct yaml_node **key;
	size_t n = layers_keys(&key, l->a, v);
	sbuf_addc(out, '{');
	for (size_t i = 0; i < n; i++) {
		const char *name = text_of(l->a, key[i]->text);
		struct layers field = layers_of(v, name);
		if (!is_cpp_name(key[i]->text)) {
			return yaml_error(key[i], "'%s' is not the name of a field", name);
		}
		sbuf_addf(out, "%s.%s = ", i ? ", " : "", name);
		int rc = put_value_of(out, l, c, &field);
		if (rc) {
			return rc;
		}
	}
	sbuf_addc(out, '}');
	return 0;
}

static int put_list(struct sbuf *out, struct loading *l, const struct spec_case *c,
	const struct yaml_node *list)
{
	sbuf_addc(out, '{');
	for (size_t i = 0; i < list->n; i++) {
		struct layers item = {list->item[i], NULL};
		sbuf_adds(out, i ? ", " : "");
		int rc = put_value_of(out, l, c, &item);
		if (rc) {
			return rc;
		}
	}
	sbuf_addc(out, '}');
	return 0;
}

static int put_value_of(
	struct sbuf *out, struct loading *l, const struct spec_case *c, const struct layers *v)
{
	const struct yaml_node *n = place_of(v);
	const struct yaml_node *bytes = yaml_get(n, "bytes"), *at = yaml_get(n, "at");
	bool both = v->kernel && v->own && v->kernel->kind == YAML_MAP && v->own->kind == YAML_MAP;
	struct layers only = {n, NULL};

	switch (n->kind) {
	case YAML_SCALAR:
		return put_scalar(out, c, n);
	case YAML_LIST:
		return put_list(out, l, c, n);
	case YAML_MAP:
		if (bytes && (n->n == 1 || (n->n == 2 && at && at->kind == YAML_MAP))) {
			return put_bytes(out, bytes, at, c);
		}
		return put_fields(out, l, c, both ? v : &only);
	}
	BUG("%d is no yaml_kind", (int)n->kind);
}

static int read_arguments(struct spec_case *c, struct loading *l, const struct layers *of)
{
	struct layers maps;
	const struct yaml_node **key;
	size_t n;
	int rc = open_layers(&maps, &key, &n, l, of, "arguments");
	if (rc) {
		return rc;
	}
	const char **text = ARENA_ARRAY(l->a, const char *, n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct layers value = layers_of(&maps, text_of(l->a, key[i]->text));
		struct sbuf b = {0};
		rc = put_value_of(&b, l, c, &value);
		rc = rc ? rc : loading_hold(l, place_of(&value), b.n + sizeof(char *));
		text[i] = sbuf_finish(&b, l->a).p;
	}
	c->argument = text;
	c->arguments = n;
	const struct yaml_node *at = place_of(&maps);
	c->line = at ? at->line : place_of(of)->line;
	return rc;
}

/* ---- cases ---- */

/* The product of kernels, cases and targets. */
struct product {
	struct layers layers;
	struct str kernel;
	const struct target *target;
	size_t number; /* of the case, from 1; 0: the only one, without a name */
};

static const char *case_name(struct arena *a, const struct product *p, struct str name)
{
	struct sbuf b = {0};
	sbuf_addstr(&b, p->kernel);
	if (name.n) {
		sbuf_addf(&b, "/%.*s", STR_ARG(name));
	} else if (p->number) {
		sbuf_addf(&b, "/%zu", p->number);
	}
	return sbuf_finish(&b, a).p;
}

static int read_case(struct loading *l, const struct product *p)
{
	const struct layers *of = &p->layers;
	const struct yaml_node *name = yaml_get(of->own, "name");
	const struct yaml_node *early = layers_get(of, "early-exit");
	struct spec_case c = {.target = p->target, .kernel = text_of(l->a, p->kernel)};
	struct str own = {0};
	int rc = name ? yaml_str(&own, name) : 0;
	rc = rc ? rc : read_shape(&c.grid, of, "grid", MAX_GRID);
	rc = rc ? rc : read_shape(&c.block, of, "block", MAX_BLOCK);
	rc = rc ? rc : read_unsigned(&c.lds, of, "lds", INT32_MAX);
	if (rc == 0 && c.lds > p->target->lds_group_max) {
		rc = yaml_error(layers_get(of, "lds"),
			"a work-group of %s has at most %u bytes of LDS", p->target->name,
			p->target->lds_group_max);
	}
	rc = rc ? rc : read_wave_size(&c, of);
	rc = rc || !early ? rc : yaml_bool(&c.early_exit, early);
	rc = rc ? rc : read_buffers(&c, l, of);
	rc = rc ? rc : read_arguments(&c, l, of);
	c.name = case_name(l->a, p, own);
	if (rc == 0 && l->cases.n == MAX_CASES) {
		rc = yaml_error(place_of(of),
			"there are more than %d cases, with all kernels and targets", MAX_CASES);
	}
	array_push(&l->cases, c);
	return rc;
}

static int read_targets(const struct target ***out, size_t *n, struct loading *l,
	const struct yaml_node *list, const struct yaml_node *place)
{
	struct str *name;
	int rc = list ? yaml_str_list(&name, n, l->a, list)
		      : yaml_error(place, "the key 'targets' is missing here");
	if (rc) {
		return rc;
	}
	if (*n == 0) {
		return yaml_error(list, "'targets' names at least one GPU, such as gfx942");
	}
	const struct target **t = ARENA_ARRAY(l->a, const struct target *, *n);
	for (size_t i = 0; i < *n; i++) {
		t[i] = target_find(l->db, name[i]);
		if (!t[i]) {
			return yaml_error(list, "unknown target '%.*s'", STR_ARG(name[i]));
		}
	}
	*out = t;
	return 0;
}

static int read_product(struct loading *l, const struct layers *layers, size_t number,
	const struct yaml_node *targets)
{
	const struct yaml_node *kernel = layers_get(layers, "kernel");
	const struct yaml_node *own = layers_get(layers, "targets");
	const struct target **target = NULL;
	size_t n_targets = 0;
	struct str *name;
	size_t names;
	int rc = yaml_str_list(&name, &names, l->a, kernel);
	rc = rc ? rc : read_targets(&target, &n_targets, l, own ? own : targets, place_of(layers));
	if (rc == 0 && names == 0) {
		rc = yaml_error(kernel, "'kernel' names at least one kernel");
	}
	for (size_t i = 0; rc == 0 && i < names; i++) {
		const char *wrong = kernel_name_wrong(name[i]);
		rc = wrong ? yaml_error(kernel,
				     "'%.*s' is not the name of a kernel, such as tile or "
				     "ns::tile<4, "
				     "float>: %s",
				     STR_ARG(name[i]), wrong)
			   : 0;
	}
	for (size_t i = 0; rc == 0 && i < names * n_targets; i++) {
		struct product p = {.layers = *layers,
			.kernel = name[i / n_targets],
			.target = target[i % n_targets],
			.number = number};
		rc = read_case(l, &p);
	}
	return rc;
}

static int read_kernel(
	struct loading *l, const struct yaml_node *n, const struct yaml_node *targets)
{
	static const char *const keys[] = {"kernel", "targets", "grid", "block", "lds", "wave-size",
		"early-exit", "buffers", "arguments", "cases", NULL};
	static const char *const case_keys[] = {"name", "targets", "grid", "block", "lds",
		"wave-size", "early-exit", "buffers", "arguments", NULL};
	const struct yaml_node *cases = yaml_get(n, "cases");
	int rc = yaml_only_keys(n, keys);
	if (rc == 0 && !yaml_need(n, "kernel")) {
		rc = FAIL_USAGE;
	}
	if (rc == 0 && !cases) {
		return read_product(l, &(struct layers){n, NULL}, 0, targets);
	}
	if (rc == 0 && (cases->kind != YAML_LIST || cases->n == 0)) {
		rc = yaml_error(cases, "'cases' is a list with at least one case");
	}
	for (size_t i = 0; rc == 0 && i < cases->n; i++) {
		struct layers layers = {n, cases->item[i]};
		rc = yaml_only_keys(cases->item[i], case_keys);
		rc = rc ? rc : read_product(l, &layers, i + 1, targets);
	}
	return rc;
}

static void add_target_names(struct loading *l)
{
	bool several = false;
	for (size_t i = 0; i < l->cases.n; i++) {
		several |= l->cases.v[i].target != l->cases.v[0].target;
	}
	for (size_t i = 0; several && i < l->cases.n; i++) {
		struct spec_case *c = &l->cases.v[i];
		c->name = arena_printf(l->a, "%s@%s", c->name, c->target->name);
	}
}

/* Names must be unique, since reports use them. */
static int check_names(const struct loading *l, const struct yaml_node *root)
{
	struct map seen = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < l->cases.n; i++) {
		if (!map_set(&seen, str_of(l->cases.v[i].name), i)) {
			rc = yaml_error(root, "two cases have the name '%s'", l->cases.v[i].name);
		}
	}
	map_release(&seen);
	return rc;
}

static int read_spec(struct loading *l, const struct yaml_node *root)
{
	static const char *const keys[] = {"targets", "kernels", NULL};
	const struct yaml_node *kernels;
	int rc = yaml_only_keys(root, keys);
	if (rc) {
		return rc;
	}
	kernels = yaml_need(root, "kernels");
	if (!kernels) {
		return FAIL_USAGE;
	}
	if (kernels->kind != YAML_LIST || kernels->n == 0) {
		return yaml_error(kernels, "'kernels' is a list with at least one kernel");
	}
	for (size_t i = 0; rc == 0 && i < kernels->n; i++) {
		rc = read_kernel(l, kernels->item[i], yaml_get(root, "targets"));
	}
	add_target_names(l);
	return rc ? rc : check_names(l, root);
}

int spec_load(struct spec *out, struct arena *a, struct str yaml, const char *path,
	const struct target_db *targets)
{
	struct loading l = {.a = a, .path = path, .db = targets};
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, yaml, path);
	rc = rc ? rc : read_spec(&l, root);
	*out = (struct spec){
		.path = arena_strdup(a, path), .v = array_to_arena(a, &l.cases), .n = l.cases.n};
	array_release(&l.cases);
	return rc;
}

const char *spec_path_for(struct arena *a, const char *kernel_path)
{
	struct str path = str_of(kernel_path);
	struct str base = path_base(path);
	size_t dot = base.n;
	for (size_t i = 1; i < base.n; i++) {
		dot = base.p[i] == '.' ? i : dot;
	}
	return arena_printf(
		a, "%.*s%.*s.verify.yaml", (int)(path.n - base.n), path.p, (int)dot, base.p);
}
