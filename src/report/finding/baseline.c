#include "report/finding/baseline.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "config/yaml.h"

const char baseline_rule[] = "unphi-baseline";

/* ---- reading ---- */

static int read_code(uint64_t *out, const struct yaml_node *n)
{
	struct str s;
	int rc = yaml_str(&s, n);
	uint64_t value = 0;

	for (size_t i = 0; rc == 0 && i < s.n; i++) {
		int c = s.p[i] | 32;
		bool digit = s.p[i] >= '0' && s.p[i] <= '9';
		if (s.n > 16 || (!digit && (c < 'a' || c > 'f'))) {
			return yaml_error(n, "a hash has up to 16 hexadecimal digits");
		}
		value = value << 4 | (uint64_t)(digit ? c - '0' : c - 'a' + 10);
	}
	*out = value;
	return rc;
}

static int read_entry(struct baseline_entry *e, struct arena *a, const struct baseline *b,
	const char *dir, const struct yaml_node *n)
{
	static const char *const keys[] = {"rule", "file", "function", "code", "reason", NULL};
	struct str file;
	int rc = n->kind == YAML_MAP ? yaml_only_keys(n, keys)
				     : yaml_error(n, "an entry is a map with rule, file, function, "
						     "code and reason");
	rc = rc ? rc : yaml_str(&e->rule, yaml_need(n, "rule"));
	rc = rc ? rc : yaml_str(&file, yaml_need(n, "file"));
	if (rc == 0 && yaml_get(n, "function")) {
		rc = yaml_str(&e->function, yaml_get(n, "function"));
	}
	rc = rc ? rc : read_code(&e->code, yaml_need(n, "code"));
	if (rc == 0 && yaml_get(n, "reason")) {
		rc = yaml_str(&e->reason, yaml_get(n, "reason"));
	}
	if (rc == 0) {
		const char *name = arena_strndup(a, file.p, file.n);
		e->file = path_real(a, path_absolute(a, dir, name));
		size_t line = line_offset(b->text, n->line);
		e->at = line + n->column - 1;
	}
	return rc;
}

static int read_all(struct baseline *b, struct arena *a)
{
	static const char *const keys[] = {"version", "findings", NULL};
	const char *dir = path_real_dir(a, b->path);
	struct yaml_node *root;
	int64_t version;
	int rc = yaml_parse(&root, a, b->text, b->path);

	if (rc == 0 && root->kind != YAML_MAP) {
		rc = yaml_error(root, "a baseline is a map with version and findings");
	}
	rc = rc ? rc : yaml_only_keys(root, keys);
	rc = rc ? rc : yaml_i64(&version, yaml_need(root, "version"), 1, 1);
	const struct yaml_node *list = rc ? NULL : yaml_get(root, "findings");
	if (!list || (list->kind == YAML_SCALAR && list->plain && list->text.n == 0)) {
		return rc;
	}
	if (list->kind != YAML_LIST) {
		return yaml_error(list, "findings is a list");
	}
	b->v = ARENA_ARRAY(a, struct baseline_entry, list->n);
	for (size_t i = 0; rc == 0 && i < list->n; i++) {
		rc = read_entry(&b->v[i], a, b, dir, list->item[i]);
	}
	b->n = list->n;
	return rc;
}

int baseline_load(struct baseline *out, struct arena *a, const char *path)
{
	*out = (struct baseline){.path = path};
	int rc = file_text(&out->text, a, path);
	return rc ? rc : read_all(out, a);
}

/* ---- matching ---- */

enum {
	SAME_FILE = 1,
	SAME_FUNCTION = 2,
	SAME_CODE = 4
};

/* From the most to the least alike. */
static const int likeness[] = {SAME_FILE | SAME_FUNCTION | SAME_CODE, SAME_CODE | SAME_FUNCTION,
	SAME_CODE | SAME_FILE, SAME_CODE, SAME_FILE | SAME_FUNCTION};

struct known {
	const char *file; /* absolute */
	struct baseline_entry *entry;
};

static bool is_like(
	const struct baseline_entry *e, const struct diag *d, const char *file, int like)
{
	return str_is(e->rule, d->rule ? d->rule : "") &&
	       (!(like & SAME_CODE) || e->code == d->code) &&
	       (!(like & SAME_FUNCTION) ||
		       (d->function && e->function.n && str_is(e->function, d->function))) &&
	       (!(like & SAME_FILE) || (file && strcmp(e->file, file) == 0));
}

/* May the entry match a finding? Not if its file exists and was not checked: its code has not
 * moved. */
static bool may_match(const struct baseline_entry *e, const struct baseline_scope *scope)
{
	return !file_exists(e->file) || scope->is_checked(scope->user, e->file);
}

/* Finds the entry of each finding, or none. */
static struct known *match_all(struct arena *a, struct baseline *b, const struct diag_list *found,
	const struct baseline_scope *scope)
{
	bool *open = ARENA_ARRAY(a, bool, b->n);
	struct known *known = ARENA_ARRAY(a, struct known, found->v.n);

	for (size_t i = 0; i < found->v.n; i++) {
		known[i].file = path_real(a, found->v.v[i].place.path);
	}
	for (size_t e = 0; e < b->n; e++) {
		open[e] = may_match(&b->v[e], scope);
	}
	for (size_t k = 0; k < sizeof(likeness) / sizeof(likeness[0]); k++) {
		for (size_t i = 0; i < found->v.n; i++) {
			const struct diag *d = &found->v.v[i];
			for (size_t e = 0; e < b->n && !known[i].entry; e++) {
				if (!b->v[e].matched && open[e] &&
					is_like(&b->v[e], d, known[i].file, likeness[k])) {
					b->v[e].matched = true;
					known[i].entry = &b->v[e];
				}
			}
		}
	}
	return known;
}

const struct baseline_entry **baseline_known(struct arena *a, struct baseline *b,
	const struct diag_list *found, const struct baseline_scope *scope)
{
	struct known *known = match_all(a, b, found, scope);
	const struct baseline_entry **entry =
		ARENA_ARRAY(a, const struct baseline_entry *, found->v.n);

	for (size_t i = 0; i < found->v.n; i++) {
		entry[i] = known[i].entry;
	}
	return entry;
}

size_t baseline_apply(
	struct baseline *b, struct diag_list *found, const struct baseline_scope *scope)
{
	struct arena *a = arena_create();
	struct known *known = match_all(a, b, found, scope);
	size_t kept = 0, all = found->v.n;

	for (size_t i = 0; i < all; i++) {
		if (!known[i].entry) {
			found->v.v[kept++] = found->v.v[i];
		}
	}
	found->v.n = kept;
	arena_free(a);
	return all - kept;
}

void baseline_judge(struct diag_list *out, struct arena *a, const struct baseline *b,
	const struct baseline_scope *scope)
{
	array_each (b, const struct baseline_entry, e) {
		bool gone = !file_exists(e->file);
		if (e->matched || !may_match(e, scope)) {
			continue;
		}
		const char *says = arena_printf(a,
			"the finding of %.*s%s%.*s in %s is %s; remove the entry", STR_ARG(e->rule),
			e->function.n ? " about " : "", STR_ARG(e->function), e->file,
			gone ? "gone with its file" : "gone");
		array_push(&out->v, (struct diag){.level = DIAG_NOTE,
					    .rule = baseline_rule,
					    .place = {b->path, b->text, e->at, e->at},
					    .text = str_of(says)});
	}
}

/* ---- writing ---- */

static void add_entry(struct sbuf *out, const char *dir, const struct baseline_entry *e)
{
	struct str file = str_of(e->file);
	size_t n = strlen(dir);

	if (strncmp(e->file, dir, n) == 0 && e->file[n] == '/') {
		file = str_sub(file, n + 1, file.n);
	}
	sbuf_addf(out, "  - rule: %.*s\n    file: ", STR_ARG(e->rule));
	sbuf_add_quoted(out, file);
	if (e->function.n > 0) {
		sbuf_adds(out, "\n    function: ");
		sbuf_add_quoted(out, e->function);
	}
	sbuf_addf(out, "\n    code: \"%016" PRIx64 "\"\n    reason: ", e->code);
	sbuf_add_quoted(out, e->reason);
	sbuf_addc(out, '\n');
}

void baseline_print(struct sbuf *out, struct arena *a, const char *path,
	const struct diag_list *found, struct baseline *old, const struct baseline_scope *scope)
{
	struct baseline none = {0};
	const char *dir = path_real_dir(a, path);
	struct known *known = match_all(a, old ? old : &none, found, scope);

	sbuf_adds(out,
		"# Findings of unphi that are known. Give each a reason; delete an entry to see "
		"its finding again.\n"
		"# Made by: unphi lint --write-baseline\nversion: 1\nfindings:\n");
	for (size_t i = 0; i < found->v.n; i++) {
		const struct diag *d = &found->v.v[i];
		struct baseline_entry e = {.rule = str_of(d->rule ? d->rule : ""),
			.file = known[i].file ? known[i].file : "",
			.function = str_of(d->function),
			.code = d->code,
			.reason = known[i].entry ? known[i].entry->reason : (struct str){0}};
		add_entry(out, dir, &e);
	}
	for (size_t i = 0; old && i < old->n; i++) {
		const struct baseline_entry *e = &old->v[i];
		if (!e->matched && !may_match(e, scope)) {
			add_entry(out, dir, e);
		}
	}
}
