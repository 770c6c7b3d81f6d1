#include "config/user.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/yaml.h"

const char user_config_name[] = ".unphi.yaml";

static const char *to_cstr(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p, s.n);
}

static int read_text(const char **out, struct arena *a, const struct yaml_node *n)
{
	struct str s;
	int rc = n ? yaml_str(&s, n) : 0;

	if (n && rc == 0) {
		*out = to_cstr(a, s);
	}
	return rc;
}

static int read_list(
	const char *const **out, size_t *n_out, struct arena *a, const struct yaml_node *n)
{
	struct str *items;
	size_t count;
	int rc = n ? yaml_str_list(&items, &count, a, n) : 0;

	if (!n || rc) {
		return rc;
	}
	const char **names = ARENA_ARRAY(a, const char *, count);
	for (size_t i = 0; i < count; i++) {
		if (items[i].n == 0) {
			return yaml_error(n, "the list has an empty name");
		}
		names[i] = to_cstr(a, items[i]);
	}
	*out = names;
	*n_out = count;
	return 0;
}

static int read_matrix(struct user_function *out, struct arena *a, const struct yaml_node *n)
{
	static const char *const keys[] = {"name", "accumulator", NULL};
	int64_t index = 0;
	int rc = n->kind == YAML_MAP
			 ? yaml_only_keys(n, keys)
			 : yaml_error(n, "a matrix function is a map with name and accumulator");

	rc = rc ? rc : read_text(&out->name, a, yaml_need(n, "name"));
	rc = rc || out->name ? rc : FAIL_USAGE; /* yaml_need has reported it */
	rc = rc ? rc : yaml_i64(&index, yaml_need(n, "accumulator"), 0, 64);
	out->accumulator = (int)index;
	return rc;
}

/* Adds n functions after the existing ones, and returns the first new one. */
static struct user_function *make_functions(struct user_config *out, struct arena *a, size_t n)
{
	struct user_function *all = ARENA_ARRAY(a, struct user_function, out->functions + n);
	if (out->functions) {
		memcpy(all, out->function, out->functions * sizeof(*all));
	}
	out->function = all;
	all += out->functions;
	out->functions += n;
	return all;
}

static int read_matrices(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	int rc = n->kind == YAML_LIST ? 0 : yaml_error(n, "matrix-functions is a list");
	struct user_function *function = rc ? NULL : make_functions(out, a, n->n);
	for (size_t i = 0; rc == 0 && i < n->n; i++) {
		rc = read_matrix(&function[i], a, n->item[i]);
	}
	return rc;
}

static int read_pure(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	const char *const *name = NULL;
	size_t names = 0;
	int rc = read_list(&name, &names, a, n);
	struct user_function *function = rc ? NULL : make_functions(out, a, names);
	for (size_t i = 0; i < names && rc == 0; i++) {
		function[i] = (struct user_function){name[i], -1};
	}
	return rc;
}

static int read_budgets(struct user_config *out, struct arena *a, const struct yaml_node *list)
{
	static const char *const keys[] = {"kernel", "limits", NULL};
	int rc = list->kind == YAML_LIST ? 0 : yaml_error(list, "budgets is a list");

	if (rc) {
		return rc;
	}
	out->budget = ARENA_ARRAY(a, struct user_budget, list->n);
	for (size_t i = 0; rc == 0 && i < list->n; i++) {
		const struct yaml_node *n = list->item[i];
		struct user_budget *b = &out->budget[i];
		rc = n->kind == YAML_MAP
			     ? yaml_only_keys(n, keys)
			     : yaml_error(n, "a budget is a map with kernel and limits");
		rc = rc ? rc : read_text(&b->kernel, a, yaml_need(n, "kernel"));
		const struct yaml_node *limits = rc ? NULL : yaml_need(n, "limits");
		rc = rc ? rc : read_text(&b->limits, a, limits);
		rc = rc || (b->kernel && b->limits) ? rc
						    : FAIL_USAGE; /* yaml_need has reported it */
		b->line = n->line;
		b->limits_line = limits ? limits->line : n->line;
		b->limits_column = limits ? limits->column : n->column;
	}
	out->budgets = list->n;
	return rc;
}

static int read_checks(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	return read_text(&out->checks, a, n);
}

static int read_headers(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	return read_text(&out->header_filter, a, n);
}

static int read_targets(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	return read_list(&out->target, &out->targets, a, n);
}

static int read_excludes(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	return read_list(&out->exclude, &out->excludes, a, n);
}

static int read_specs(struct user_config *out, struct arena *a, const struct yaml_node *n)
{
	return read_text(&out->specs, a, n);
}

/* All keys but the sections of settings (settings.c), in the order in which they are read. */
static const struct user_key {
	const char *name;
	int (*read)(struct user_config *out, struct arena *a, const struct yaml_node *n);
	const char *type;
	const char *fallback;
	const char *example;
	const char *help;
} user_keys[] = {
	{"checks", read_checks, "String", "all rules", " \"-unphi-suppression\"",
		"lint: the rules to apply, as --checks"},
	{"targets", read_targets, "List of GPUs", "the GPUs of this machine", " [gfx90a, gfx942]",
		"The GPUs, if neither --target nor the compile command names one"},
	{"header-filter", read_headers, "String, a POSIX extended regular expression",
		"all headers but those of the system", " \"^src/\"",
		"lint: the headers whose findings are reported, as --header-filter"},
	{"exclude", read_excludes, "List of globs", "[]", " [\"3rdparty*\"]",
		"lint: files, directories and findings to leave out, as --exclude"},
	{"matrix-functions", read_matrices, "List of maps", "[]",
		"\n  - name: tile::mma_16x16\n    accumulator: 2",
		"Wrappers of matrix operations that a unit only declares, with the index of the "
		"accumulator argument, from 0"},
	{"pure-functions", read_pure, "List of names", "[]", " [fast::exp]",
		"Functions that a unit only declares, and that only read their arguments"},
	{"budgets", read_budgets, "List of maps", "[]",
		"\n  - kernel: \"attn<*>\"\n    limits: \"gfx942 spills=0 vgpr<=128\"",
		"measure --check: limits for the kernels whose demangled name matches the glob"},
	{"specs", read_specs, "String, a directory relative to this file", "none", " tests/specs",
		"verify: where to look for the spec of a file that has none beside it. With this "
		"example, that of src/a.hip is tests/specs/src/a.verify.yaml"},
};

enum {
	USER_KEYS = sizeof(user_keys) / sizeof(user_keys[0])
};

static int check_root(const struct yaml_node *root)
{
	const char *keys[USER_KEYS + SETTINGS_SECTIONS + 1] = {NULL};
	for (size_t i = 0; i < USER_KEYS; i++) {
		keys[i] = user_keys[i].name;
	}
	memcpy(&keys[USER_KEYS], settings_sections, SETTINGS_SECTIONS * sizeof(*keys));
	return root->kind == YAML_MAP ? yaml_only_keys(root, keys)
				      : yaml_error(root, "a configuration is a map");
}

static int read_root(struct user_config *out, struct arena *a, const struct yaml_node *root)
{
	struct settings ignored = {0};
	int rc = check_root(root);
	for (size_t i = 0; rc == 0 && i < USER_KEYS; i++) {
		const struct yaml_node *n = yaml_get(root, user_keys[i].name);
		rc = n ? user_keys[i].read(out, a, n) : 0;
	}
	rc = rc ? rc : settings_override(&ignored, a, root);
	out->settings = root;
	return rc;
}

int user_config_load(struct user_config *out, struct arena *a, const char *path)
{
	struct str text;
	struct yaml_node *root;
	int rc = file_text(&text, a, path);

	*out = (struct user_config){.path = arena_strdup(a, path), .top = path_real_dir(a, path)};
	rc = rc ? rc : yaml_parse(&root, a, text, out->path);
	return rc ? rc : read_root(out, a, root);
}

/* dir is absolute, without a final slash. */
static int find_in(const struct user_config **out, struct user_configs *all, const char *dir)
{
	struct str key = str_of(dir);
	int rc = 0;

	if (map_has(&all->by_dir, key)) {
		*out = (const struct user_config *)map_get(&all->by_dir, key, 0);
		return 0;
	}
	const char *path = arena_printf(all->a, "%s/%s", dir, user_config_name);
	struct user_config *c = ARENA_NEW(all->a, struct user_config);
	const char *slash = strrchr(dir, '/');
	*out = c;
	if (file_is_named(path)) {
		rc = user_config_load(c, all->a, path);
	} else if (slash && *dir) {
		rc = find_in(out, all, to_cstr(all->a, str_sub(key, 0, (size_t)(slash - dir))));
	}
	if (rc == 0) {
		map_set(&all->by_dir, key, (uintptr_t)*out);
	}
	return rc;
}

int user_config_find(const struct user_config **out, struct user_configs *all, const char *file)
{
	char full[PATH_MAX];
	bool here = realpath(file, full);
	/* a file that is not saved yet already has a directory */
	struct str place = path_dir(str_of(file));

	if (!here && !realpath(arena_strndup(all->a, place.p, place.n), full)) {
		*out = ARENA_NEW(all->a, struct user_config);
		return 0; /* the reader of the file reports that it is unreadable */
	}
	char *slash = strrchr(full, '/');
	if (here && slash && !file_is_dir(full)) {
		*slash = '\0';
	}
	return find_in(out, all, strcmp(full, "/") == 0 ? "" : full);
}

const char *user_config_spec(struct arena *a, const struct user_config *c, const char *beside)
{
	if (!c || !c->specs || !*c->specs) {
		return NULL;
	}
	const char *dir = path_real_dir(a, beside);
	const char *below = strcmp(dir, c->top) == 0	 ? ""
			    : path_is_below(dir, c->top) ? dir + strlen(c->top)
							 : NULL;
	struct str base = path_base(str_of(beside));

	return below ? arena_printf(a, "%s%s/%.*s", path_absolute(a, c->top, c->specs), below,
			       STR_ARG(base))
		     : NULL;
}

void user_configs_release(struct user_configs *all)
{
	map_release(&all->by_dir);
}

/* ---- printing ---- */

/* The length of a character that YAML allows only as an escape, or that ends a line; 0 for any
 * other. */
static size_t unprintable(const char *p, unsigned *code)
{
	const unsigned char *u = (const unsigned char *)p;
	bool two = u[0] == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0;
	bool three = (u[0] & 0xf0) == 0xe0 && u[1] && u[2];
	*code = two	? u[1]
		: three ? (u[0] & 0xfu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu)
			: u[0];
	bool special = *code == 0x2028 || *code == 0x2029 || *code == 0xfeff || *code >= 0xfffe;
	return two ? 2 : three ? (special ? 3 : 0) : u[0] < ' ' || u[0] == 127;
}

/* In single quotes or, if an escape is needed, in double quotes: single ones have no escapes. */
static void add_quoted(struct sbuf *out, const char *s)
{
	struct sbuf b = {0};
	unsigned code;
	bool escapes = false;
	for (const char *p = s; *p;) {
		size_t n = unprintable(p, &code);
		escapes |= n > 0;
		if (n > 0) {
			sbuf_addf(&b, "\\u%04x", code);
		} else {
			sbuf_add_escaped(&b, *p);
		}
		p += n ? n : 1;
	}
	if (escapes) {
		sbuf_addf(out, "\"%s\"", sbuf_cstr(&b));
	} else {
		sbuf_addc(out, '\'');
		sbuf_add_replaced(out, str_of(s), "'", "''");
		sbuf_addc(out, '\'');
	}
	sbuf_release(&b);
}

static void add_list(struct sbuf *out, const char *key, const char *const *v, size_t n)
{
	sbuf_addf(out, "%s: [", key);
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(out, i ? ", " : "");
		add_quoted(out, v[i]);
	}
	sbuf_adds(out, "]\n");
}

static void add_functions(struct sbuf *out, const struct user_config *c)
{
	size_t matrices = 0;

	while (matrices < c->functions && c->function[matrices].accumulator >= 0) {
		matrices++;
	}
	sbuf_addf(out, "matrix-functions:%s\n", matrices ? "" : " []");
	for (size_t i = 0; i < matrices; i++) {
		sbuf_adds(out, "  - name: ");
		add_quoted(out, c->function[i].name);
		sbuf_addf(out, "\n    accumulator: %d\n", c->function[i].accumulator);
	}
	sbuf_adds(out, "pure-functions: [");
	for (size_t i = matrices; i < c->functions; i++) {
		sbuf_adds(out, i > matrices ? ", " : "");
		add_quoted(out, c->function[i].name);
	}
	sbuf_adds(out, "]\n");
}

void user_config_print(
	struct sbuf *out, const struct user_config *c, const struct settings *settings)
{
	sbuf_addf(out, "# %s\n", c->path ? c->path : "no .unphi.yaml: the defaults");
	sbuf_adds(out, "checks: ");
	add_quoted(out, c->checks ? c->checks : "");
	sbuf_addc(out, '\n');
	add_list(out, "targets", c->target, c->targets);
	sbuf_adds(out, "header-filter: ");
	add_quoted(out, c->header_filter ? c->header_filter : "");
	sbuf_addc(out, '\n');
	add_list(out, "exclude", c->exclude, c->excludes);
	add_functions(out, c);
	sbuf_adds(out, "specs: ");
	add_quoted(out, c->specs ? c->specs : "");
	sbuf_addc(out, '\n');
	sbuf_addf(out, "budgets:%s\n", c->budgets ? "" : " []");
	for (size_t i = 0; i < c->budgets; i++) {
		sbuf_adds(out, "  - kernel: ");
		add_quoted(out, c->budget[i].kernel);
		sbuf_adds(out, "\n    limits: ");
		add_quoted(out, c->budget[i].limits);
		sbuf_addc(out, '\n');
	}
	settings_print(out, settings);
}

int user_config_describe(struct sbuf *out)
{
	for (size_t i = 0; i < USER_KEYS; i++) {
		const struct user_key *k = &user_keys[i];
		sbuf_adds(out, i ? "\n" : "");
		setting_describe(out, 0, k->help, k->type, k->fallback);
		sbuf_addf(out, "%s:%s\n", k->name, k->example);
	}
	return settings_describe(out);
}
