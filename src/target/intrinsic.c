#include "target/intrinsic.h"

#include <stdio.h>
#include <string.h>
#include "config/embed.h"
#include "config/yaml.h"

static const char *const kind_name[] = {
	[INTRINSIC_NONE] = "none",
	[INTRINSIC_PURE] = "pure",
	[INTRINSIC_UNIFORM] = "uniform",
	[INTRINSIC_LANE] = "lane",
	[INTRINSIC_MATRIX] = "matrix",
	[INTRINSIC_CROSSLANE] = "crosslane",
	[INTRINSIC_BARRIER] = "barrier",
	[INTRINSIC_FENCE] = "fence",
	[INTRINSIC_ATOMIC] = "atomic",
	[INTRINSIC_LOAD] = "load",
	[INTRINSIC_STORE] = "store",
	[INTRINSIC_ASYNC] = "async",
	[INTRINSIC_TRAP] = "trap",
	[INTRINSIC_UNREACHABLE] = "unreachable",
};

static const char *const form_name[] = {
	[FORM_NONE] = "none",
	[FORM_THREAD_INDEX] = "thread_index",
	[FORM_BLOCK_INDEX] = "block_index",
	[FORM_BLOCK_SIZE] = "block_size",
	[FORM_GRID_SIZE] = "grid_size",
	[FORM_WAVE_SIZE] = "wave_size",
	[FORM_FIRST_LANE] = "first_lane",
	[FORM_ONE_LANE] = "one_lane",
	[FORM_ALL_LANES] = "all_lanes",
	[FORM_FRESH] = "fresh",
	[FORM_BLOCK] = "block",
	[FORM_BARE] = "bare",
	[FORM_VALUE] = "value",
	[FORM_WAVE] = "wave",
	[FORM_GRID] = "grid",
	[FORM_FENCE] = "fence",
};

static const char *const group_keys[] = {"kind", "form", "acc_arg", "names", "signatures", NULL};

/* Finds the index of s in name. */
static int read_word(size_t *out, struct str s, const struct yaml_node *n, const char *what,
	const char *const *name, size_t names)
{
	for (size_t i = 0; i < names; i++) {
		if (str_is(s, name[i])) {
			*out = i;
			return 0;
		}
	}
	return yaml_error(n, "unknown %s '%.*s'", what, STR_ARG(s));
}

static int read_kind(enum intrinsic_kind *out, const struct yaml_node *group)
{
	const struct yaml_node *n = yaml_get(group, "kind");
	if (!n) {
		return yaml_error(group, "group lacks 'kind'");
	}
	struct str s;
	size_t i = 0;
	int rc = yaml_str(&s, n);
	rc = rc ? rc
		: read_word(&i, s, n, "kind", kind_name, sizeof(kind_name) / sizeof(kind_name[0]));
	*out = (enum intrinsic_kind)i;
	return rc;
}

/* "thread_index", "thread_index.x" */
static int read_form(struct intrinsic *out, const struct yaml_node *group)
{
	const struct yaml_node *n = yaml_get(group, "form");
	struct str s;
	size_t i = 0;
	int rc = n ? yaml_str(&s, n) : 0;
	if (rc || !n) {
		return rc;
	}
	if (s.n > 2 && s.p[s.n - 2] == '.' && strchr("xyz", s.p[s.n - 1])) {
		out->dimension = s.p[s.n - 1];
		s.n -= 2;
	}
	rc = read_word(&i, s, n, "form", form_name, sizeof(form_name) / sizeof(form_name[0]));
	out->form = (enum intrinsic_form)i;
	return rc;
}

/* An absent list is read as an empty one. */
static int read_names(
	const char *const **out, size_t *n_out, struct arena *a, const struct yaml_node *list)
{
	struct str *s = NULL;
	size_t n = 0;
	int rc = list ? yaml_str_list(&s, &n, a, list) : 0;
	if (rc) {
		return rc;
	}
	const char **v = ARENA_ARRAY(a, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		v[i] = arena_strndup(a, s[i].p, s[i].n);
	}
	*out = v;
	*n_out = n;
	return 0;
}

/* "T name(...)" gives name: the identifier before the parenthesis that opens the parameters. */
static struct str signature_name(struct str sig)
{
	if (!str_ends(sig, ")")) {
		return (struct str){NULL, 0};
	}
	size_t open = sig.n - 1;
	for (size_t depth = 0; open > 0; open--) {
		depth += sig.p[open] == ')';
		depth -= sig.p[open] == '(';
		if (depth == 0) {
			break;
		}
	}
	struct str head = str_trim(str_sub(sig, 0, open));
	size_t from = head.n;
	while (from > 0 && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
				   head.p[from - 1])) {
		from--;
	}
	return str_sub(head, from, head.n);
}

static void add(struct intrinsic_db *db, struct arena *a, const struct intrinsic *in)
{
	struct str name = str_of(in->name);
	map_set(&db->by_name, name, (uintptr_t)arena_memdup(a, in, sizeof(*in)));
	if (str_ends(name, "*")) {
		size_t n = name.n - 1;
		db->prefix_least = db->prefix_most && db->prefix_least < n ? db->prefix_least : n;
		db->prefix_most = db->prefix_most > n ? db->prefix_most : n;
	}
}

static int read_group(struct intrinsic_db *db, struct arena *a, const struct yaml_node *group)
{
	if (group->kind != YAML_MAP) {
		return yaml_error(group, "an entry of 'intrinsics' must be a map");
	}
	struct intrinsic in = {.acc_arg = -1};
	int rc = yaml_only_keys(group, group_keys);
	if (!rc) {
		rc = read_kind(&in.kind, group);
	}
	rc = rc ? rc : read_form(&in, group);
	const struct yaml_node *acc = yaml_get(group, "acc_arg");
	if (!rc && acc) {
		int64_t v;
		rc = yaml_i64(&v, acc, 0, 15);
		in.acc_arg = rc ? -1 : (int)v;
	}
	const char *const *names = NULL;
	size_t names_n = 0;
	const char *const *sigs = NULL;
	size_t sigs_n = 0;
	if (!rc) {
		rc = read_names(&names, &names_n, a, yaml_get(group, "names"));
	}
	if (!rc) {
		rc = read_names(&sigs, &sigs_n, a, yaml_get(group, "signatures"));
	}
	if (rc) {
		return rc;
	}
	for (size_t i = 0; i < names_n; i++) {
		if (!*names[i] || names[i][0] == '*') {
			return yaml_error(group, "'names' holds an empty name");
		}
		in.name = names[i];
		add(db, a, &in);
	}
	for (size_t i = 0; i < sigs_n; i++) {
		struct str name = signature_name(str_of(sigs[i]));
		if (name.n == 0) {
			return yaml_error(
				group, "'%s' is not a prototype: TYPE NAME(PARAMETERS)", sigs[i]);
		}
		in.name = arena_strndup(a, name.p, name.n);
		in.signature = sigs[i];
		add(db, a, &in);
	}
	return 0;
}

int intrinsic_db_load(struct intrinsic_db *out, struct arena *a, struct str yaml, const char *file)
{
	const struct yaml_node *list;
	int rc = yaml_parse_list(&list, a, yaml, file, "intrinsics");
	for (size_t i = 0; rc == 0 && i < list->n; i++) {
		rc = read_group(out, a, list->item[i]);
	}
	return rc;
}

bool intrinsic_reads_clock(const struct intrinsic_db *db, struct str name)
{
	struct sbuf key = {0};
	sbuf_addf(&key, "clock:%.*s", STR_ARG(name));
	bool reads = intrinsic_find(db, sbuf_str(&key)) != NULL;
	sbuf_release(&key);
	return reads;
}

void intrinsic_db_add(struct intrinsic_db *db, struct arena *a, const char *name,
	enum intrinsic_kind kind, int acc_arg)
{
	struct intrinsic in = {.name = name, .kind = kind, .acc_arg = acc_arg};
	add(db, a, &in);
}

int intrinsic_db_builtin(struct intrinsic_db *out, struct arena *a)
{
	return intrinsic_db_load(out, a, embed_get("intrinsics.yaml"), "rules/intrinsics.yaml");
}

const struct intrinsic *intrinsic_find(const struct intrinsic_db *db, struct str name)
{
	if (memchr(name.p ? name.p : "", '*', name.n)) {
		return NULL;
	}
	const struct intrinsic *in = (const struct intrinsic *)map_get(&db->by_name, name, 0);
	char prefix[128];
	if (in || name.n == 0 || name.n >= sizeof(prefix)) {
		return in;
	}
	memcpy(prefix, name.p, name.n);
	size_t most = name.n < db->prefix_most ? name.n : db->prefix_most;
	for (size_t n = most; n > 0 && n >= db->prefix_least && !in; n--) {
		prefix[n] = '*';
		in = (const struct intrinsic *)map_get(
			&db->by_name, (struct str){prefix, n + 1}, 0);
	}
	return in;
}

enum intrinsic_form intrinsic_of_variable(const struct intrinsic_db *db, const char *name)
{
	char key[32];
	int n = snprintf(key, sizeof(key), "var:%s", name);
	bool fits = n > 0 && (size_t)n < sizeof(key);
	const struct intrinsic *in =
		fits ? (const struct intrinsic *)map_get(&db->by_name, str_of(key), 0) : NULL;
	return in ? in->form : FORM_NONE;
}

void intrinsic_db_release(struct intrinsic_db *db)
{
	map_release(&db->by_name);
}
