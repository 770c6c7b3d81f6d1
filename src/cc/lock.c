#include "cc/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/yaml.h"
#include "edit/edit.h"

/* ---- reading ---- */

/* A file name in an entry, which is relative to the lock file. */
static const char *absolute(struct arena *a, const char *dir, struct str name)
{
	return path_absolute(a, dir, arena_strndup(a, name.p, name.n));
}

static int read_hash(uint64_t *out, const struct yaml_node *n)
{
	char digits[17] = {0};
	char *end;
	struct str s;
	int rc = yaml_str(&s, n);

	if (rc == 0 && s.n == 16) {
		memcpy(digits, s.p, 16);
		*out = strtoull(digits, &end, 16);
	}
	return rc || (s.n == 16 && end == digits + 16)
		       ? rc
		       : yaml_error(n, "a hash has 16 hexadecimal digits");
}

static int read_includes(
	struct cc_lock_entry *e, struct arena *a, const char *dir, const struct yaml_node *list)
{
	static const char *const keys[] = {"file", "content", NULL};
	int rc = !list || list->kind == YAML_LIST ? 0 : yaml_error(list, "includes is a list");

	e->includes = rc || !list ? 0 : list->n;
	e->include = ARENA_ARRAY(a, struct cc_lock_include, e->includes);
	for (size_t i = 0; rc == 0 && i < e->includes; i++) {
		const struct yaml_node *n = list->item[i];
		struct str file;
		rc = n->kind == YAML_MAP ? yaml_only_keys(n, keys)
					 : yaml_error(n, "an include has file and content");
		rc = rc ? rc : yaml_str(&file, yaml_need(n, "file"));
		rc = rc ? rc : read_hash(&e->include[i].hash, yaml_need(n, "content"));
		if (rc == 0) {
			e->include[i].file = absolute(a, dir, file);
		}
	}
	return rc;
}

static int read_joined(
	struct str *out, struct arena *a, const struct yaml_node *n, const char *end, char between)
{
	struct str *item;
	size_t items;
	struct sbuf b = {0};
	int rc = n ? yaml_str_list(&item, &items, a, n) : FAIL_USAGE;

	for (size_t i = 0; rc == 0 && i < items; i++) {
		if (i && between) {
			sbuf_addc(&b, between);
		}
		sbuf_addstr(&b, item[i]);
		sbuf_adds(&b, end);
	}
	*out = sbuf_finish(&b, a);
	return rc;
}

static int read_entry(
	struct cc_lock_entry *e, struct arena *a, const char *dir, const struct yaml_node *n)
{
	static const char *const keys[] = {"file", "content", "targets", "flags", "compiler",
		"unphi", "includes", "system", "merges", "kernels", "added", "because", "edits",
		"diff", NULL};
	struct str file;
	int rc = n->kind == YAML_MAP ? yaml_only_keys(n, keys)
				     : yaml_error(n, "an entry is a map with file and diff");

	rc = rc ? rc : yaml_str(&file, yaml_need(n, "file"));
	rc = rc ? rc : read_hash(&e->content, yaml_need(n, "content"));
	rc = rc ? rc : read_joined(&e->targets, a, yaml_need(n, "targets"), "", ',');
	rc = rc ? rc : yaml_str(&e->flags, yaml_need(n, "flags"));
	rc = rc ? rc : yaml_str(&e->compiler, yaml_need(n, "compiler"));
	rc = rc ? rc : yaml_str(&e->unphi, yaml_need(n, "unphi"));
	rc = rc ? rc : read_includes(e, a, dir, yaml_get(n, "includes"));
	rc = rc ? rc : read_hash(&e->system, yaml_need(n, "system"));
	const struct yaml_node *added = yaml_get(n, "added");
	e->asked_flags = added != NULL;
	rc = rc || !added ? rc : read_joined(&e->added, a, added, "\n", '\0');
	rc = rc ? rc : read_hash(&e->edits, yaml_need(n, "edits"));
	rc = rc ? rc : read_joined(&e->diff, a, yaml_need(n, "diff"), "\n", '\0');
	if (rc == 0) {
		const struct yaml_node *merges = yaml_get(n, "merges");
		e->file = absolute(a, dir, file);
		e->merges = merges ? merges->n : 0;
	}
	return rc;
}

static int read_entries(
	struct cc_lock *out, struct arena *a, struct str text, const struct yaml_node *list)
{
	int rc = !list || list->kind == YAML_LIST ||
				 (list->kind == YAML_SCALAR && list->plain && !list->text.n)
			 ? 0
			 : yaml_error(list, "files is a list");
	size_t n = rc || !list || list->kind != YAML_LIST ? 0 : list->n;

	out->v = ARENA_ARRAY(a, struct cc_lock_entry, n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		size_t begin = line_offset(text, list->item[i]->line);
		size_t end = i + 1 < n ? line_offset(text, list->item[i + 1]->line) : text.n;
		rc = read_entry(&out->v[i], a, out->dir, list->item[i]);
		out->v[i].raw = str_sub(text, begin, end);
	}
	out->n = rc ? 0 : n;
	return rc;
}

int cc_lock_load(struct cc_lock *out, struct arena *a, const char *path)
{
	static const char *const keys[] = {"version", "files", NULL};
	struct sbuf b = {0};
	struct yaml_node *root;
	int64_t version;

	*out = (struct cc_lock){.path = path, .dir = path_real_dir(a, path)};
	if (!file_is_named(path)) {
		return 0;
	}
	int rc = file_read(&b, path);
	struct str text = sbuf_finish(&b, a);
	rc = rc ? rc : yaml_parse(&root, a, text, path);
	if (rc == 0 && root->kind != YAML_MAP) {
		rc = yaml_error(root, "a lock file is a map with version and files");
	}
	rc = rc ? rc : yaml_only_keys(root, keys);
	rc = rc ? rc : yaml_i64(&version, yaml_need(root, "version"), 1, 1);
	return rc ? rc : read_entries(out, a, text, yaml_get(root, "files"));
}

/* ---- checking an entry ---- */

static bool hash_of(uint64_t *out, const char *path)
{
	struct sbuf text = {0};
	bool ok = file_exists(path) && file_read(&text, path) == 0;

	*out = str_hash(sbuf_str(&text), 0);
	sbuf_release(&text);
	return ok;
}

/* Does unphi itself try these flags? A lock file may add no others. */
static bool knows_flags(struct str added)
{
	struct str word;
	bool ok = true;

	for (size_t i = 0; ok && str_line(&added, &word); i++) {
		ok = flags_skipping[i] && str_is(word, flags_skipping[i]);
	}
	return ok;
}

const char *cc_lock_apply(struct sbuf *text, const struct cc_lock_entry *e)
{
	struct sbuf source = {0};
	const char *why = NULL;

	if (!file_exists(e->file) || file_read(&source, e->file) != 0) {
		why = "the file is missing";
	} else if (str_hash(sbuf_str(&source), 0) != e->content) {
		why = "the file has changed since";
	} else if (!str_is(e->unphi, UNPHI_VERSION)) {
		why = "another version of unphi made it";
	} else if (!knows_flags(e->added)) {
		why = "it adds flags that unphi never adds";
	} else if (str_hash(e->diff, 0) != e->edits) {
		why = "its diff was edited";
	} else if (!diff_apply(text, sbuf_str(&source), e->diff)) {
		why = "its diff does not fit the file";
	}
	for (size_t i = 0; !why && i < e->includes; i++) {
		uint64_t hash;
		if (!hash_of(&hash, e->include[i].file) || hash != e->include[i].hash) {
			why = "a header has changed since";
		}
	}
	sbuf_release(&source);
	return why;
}

/* ---- one compile ---- */

static const char *relative(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return path_is_below(path, dir) ? path + n + (path[n] == '/') : path;
}

static struct str targets_of(struct arena *a, const struct cc_lock_use *use)
{
	const char *all = "";

	for (size_t i = 0; i < use->targets; i++) {
		all = arena_printf(a, "%s%s%s", all, i ? "," : "", use->target[i]->name);
	}
	return str_of(all);
}

/* Appends a flag with paths relative to the directory; the directory itself becomes ".". */
static void add_without_dir(struct sbuf *out, struct str flag, struct str dir)
{
	size_t at;

	while (dir.n > 1 && (at = str_find(flag, dir.p, 0)) != SIZE_MAX) {
		struct str rest = str_sub(flag, at + dir.n, flag.n);
		bool below = str_starts(rest, "/");
		bool itself = rest.n == 0 || strchr("=,:;", rest.p[0]);
		sbuf_addstr(out, str_sub(flag, 0, below || itself ? at : at + dir.n));
		sbuf_adds(out, itself ? "." : "");
		flag = str_sub(rest, below, rest.n);
	}
	sbuf_addstr(out, flag);
}

/* The flags in one line, with paths relative to the lock file, so that they are the same in another
 * checkout. */
static struct str flags_of(struct arena *a, const struct cc_lock_use *use)
{
	struct sbuf b = {0};

	for (const char *const *f = use->flags; *f; f++) {
		sbuf_adds(&b, b.n ? " " : "");
		add_without_dir(&b, str_of(*f), str_of(use->lock->dir));
	}
	return sbuf_finish(&b, a);
}

static const char *real(struct arena *a, const char *path)
{
	char full[PATH_MAX];

	return realpath(path, full) ? arena_strdup(a, full) : path;
}

const struct cc_lock_entry *cc_lock_find(struct arena *a, const struct cc_lock_use *use)
{
	const char *source = real(a, use->source);
	struct str targets = targets_of(a, use);
	struct str flags = flags_of(a, use);

	array_each (use->lock, const struct cc_lock_entry, e) {
		if (strcmp(real(a, e->file), source) == 0 && str_eq(e->targets, targets) &&
			str_eq(e->flags, flags)) {
			return e;
		}
	}
	return NULL;
}

struct headers {
	ARRAY(struct cc_lock_include) own; /* below the lock file's directory */
	uint64_t system;
};

static int by_hash(const void *left, const void *right)
{
	const uint64_t *x = left, *y = right;

	return (*x > *y) - (*x < *y);
}

static void headers_find(struct headers *h, struct arena *a, const struct cc_lock_use *use)
{
	ARRAY(uint64_t) others = {0};

	*h = (struct headers){0};
	for (const char *const *path = use->includes; *path; path++) {
		struct cc_lock_include one = {.file = real(a, *path)};
		if (!hash_of(&one.hash, one.file)) {
			one.hash = 0;
		}
		if (path_is_below(one.file, use->lock->dir)) {
			array_push(&h->own, one);
		} else {
			array_push(&others, one.hash);
		}
	}
	/* only by content: their paths differ on another machine */
	array_sort(&others, by_hash);
	for (size_t i = 0; i < others.n; i++) {
		struct str bytes = {(const char *)&others.v[i], sizeof(others.v[i])};
		h->system = str_hash(bytes, h->system);
	}
	array_release(&others);
}

static bool same_headers(const struct headers *h, const struct cc_lock_entry *e)
{
	bool same = h->system == e->system && h->own.n == e->includes;

	for (size_t i = 0; same && i < h->own.n; i++) {
		bool found = false;
		for (size_t k = 0; k < e->includes; k++) {
			found = found || (h->own.v[i].hash == e->include[k].hash &&
						 strcmp(h->own.v[i].file, e->include[k].file) == 0);
		}
		same = found;
	}
	return same;
}

const char *cc_lock_differs(
	struct arena *a, const struct cc_lock_use *use, const struct cc_lock_entry *e)
{
	struct headers h;

	if (!str_is(e->compiler, use->compiler)) {
		return "it was made with another compiler";
	}
	if (e->asked_flags != use->allow_flags) {
		return use->allow_flags ? "it was made without --allow-flags"
					: "it was made with --allow-flags";
	}
	headers_find(&h, a, use);
	bool same = same_headers(&h, e);
	array_release(&h.own);
	return same ? NULL : "other headers are included now";
}

/* ---- writing ---- */

/* The next code point of UTF-8; false if the bytes are not UTF-8. */
static bool next_code(uint32_t *code, struct str s, size_t *at)
{
	size_t n = str_utf8(str_sub(s, *at, s.n));

	*code = (unsigned char)s.p[*at] & (n > 1 ? 0x7fu >> n : 0xffu);
	for (size_t i = 1; i < n; i++) {
		*code = *code << 6 | ((unsigned char)s.p[*at + i] & 0x3f);
	}
	*at += n;
	return n > 0;
}

/* Keeps tabs, so that code is readable. Escapes all other characters that are not printable ASCII:
 * some of them end a line in YAML. */
static bool add_quoted(struct sbuf *out, struct str s)
{
	sbuf_addc(out, '"');
	for (size_t i = 0; i < s.n;) {
		uint32_t code;
		if (!next_code(&code, s, &i)) {
			return false;
		}
		if (code == '"' || code == '\\') {
			sbuf_addf(out, "\\%c", (int)code);
		} else if (code == '\t' || (code >= ' ' && code < 127)) {
			sbuf_addc(out, (char)code);
		} else if (code < 256) {
			sbuf_addf(out, "\\x%02x", (unsigned)code);
		} else {
			sbuf_addf(out, "\\U%08x", (unsigned)code);
		}
	}
	sbuf_addc(out, '"');
	return true;
}

static void add_hash(struct sbuf *out, const char *key, uint64_t hash)
{
	sbuf_addf(out, "%s: \"%016" PRIx64 "\"", key, hash);
}

static bool add_text(struct sbuf *out, const char *key, struct str text)
{
	sbuf_addf(out, "%s: ", key);
	return add_quoted(out, text);
}

static bool add_includes(struct sbuf *out, const struct headers *h, const char *dir)
{
	bool ok = true;

	sbuf_addf(out, "    includes:%s\n", h->own.n ? "" : " []");
	array_each (&h->own, const struct cc_lock_include, i) {
		sbuf_adds(out, "      - {");
		ok = ok && add_text(out, "file", str_of(relative(i->file, dir)));
		add_hash(out, ", content", i->hash);
		sbuf_adds(out, "}\n");
	}
	add_hash(out, "    system", h->system);
	sbuf_addc(out, '\n');
	return ok;
}

static bool add_merges(struct sbuf *out, struct arena *a, const struct choice *c)
{
	bool ok = true;

	size_t rewritten = 0;
	for (size_t i = 0; i < c->decisions; i++) {
		rewritten += c->decision[i].rewritten;
	}
	sbuf_addf(out, "    merges:%s\n", rewritten ? "" : " []");
	span_each (c->decision, c->decisions, const struct decision, d) {
		const char *how = "with the merge around it";
		span_each (d->attempt, d->attempts, const struct attempt, t) {
			if (t->outcome == OUTCOME_KEPT) {
				how = arena_printf(
					a, "%s (%s)", strategies[t->strategy].name, t->variant);
			}
		}
		if (d->rewritten) {
			sbuf_addf(out, "      - {line: %u, ", d->in_original ? d->at.line : 0);
			ok = ok && add_text(out, "function", str_of(d->function));
			ok = ok && add_text(out, ", strategy", str_of(how));
			sbuf_adds(out, "}\n");
		}
	}
	return ok;
}

static void add_figure(struct sbuf *out, const struct kernel_metrics *before,
	const struct kernel_metrics *after, enum metric m)
{
	static const char *const names[METRIC_COUNT] = {[METRIC_VGPR] = "vgprs",
		[METRIC_VGPR_SPILL] = "spills",
		[METRIC_SCRATCH] = "scratch",
		[METRIC_RESIDENT_WAVES] = "waves"};

	sbuf_addf(out, ", %s: \"%lld -> %lld\"", names[m], (long long)before->v[m],
		(long long)after->v[m]);
}

static bool add_kernels(
	struct sbuf *out, const struct measurement *before, const struct measurement *after)
{
	bool ok = true;

	span_each (before->kernel, before->kernels, const struct kernel_metrics, b) {
		const struct kernel_metrics *k = NULL;
		for (size_t n = 0; n < after->kernels && !k; n++) {
			k = strcmp(after->kernel[n].symbol, b->symbol) == 0 ? &after->kernel[n] : k;
		}
		if (!k || memcmp(k->v, b->v, sizeof(k->v)) == 0) {
			continue;
		}
		sbuf_adds(out, "      - {");
		ok = ok && add_text(out, "kernel", str_of(b->name));
		ok = ok && add_text(out, ", target", str_of(before->target));
		add_figure(out, b, k, METRIC_VGPR);
		add_figure(out, b, k, METRIC_VGPR_SPILL);
		add_figure(out, b, k, METRIC_SCRATCH);
		add_figure(out, b, k, METRIC_RESIDENT_WAVES);
		sbuf_adds(out, "}\n");
	}
	return ok;
}

static bool add_flags(struct sbuf *out, const struct flags_tried *f)
{
	bool ok = true;
	bool kept = f->flag && f->outcome == OUTCOME_KEPT;

	sbuf_adds(out, "    added: [");
	for (size_t i = 0; kept && f->flag[i]; i++) {
		sbuf_adds(out, i ? ", " : "");
		ok = ok && add_quoted(out, str_of(f->flag[i]));
	}
	sbuf_adds(out, "]\n");
	if (kept) {
		ok = ok && add_text(out, "    because", str_of(f->reason));
		sbuf_addc(out, '\n');
	}
	return ok;
}

static bool add_diff(struct sbuf *out, struct str before, struct str after)
{
	struct sbuf diff = {0};
	bool ok = true;

	diff_unified(&diff, before, after, "a", "b");
	struct str rest = sbuf_str(&diff);
	/* skip the lines with the file names */
	for (int i = 0; i < 2 && str_find(rest, "\n", 0) != SIZE_MAX; i++) {
		rest = str_sub(rest, str_find(rest, "\n", 0) + 1, rest.n);
	}
	add_hash(out, "    edits", str_hash(rest, 0));
	sbuf_addf(out, "\n    diff:%s\n", rest.n ? "" : " []");
	while (ok && rest.n) {
		size_t end = str_find(rest, "\n", 0);
		sbuf_adds(out, "      - ");
		ok = add_quoted(out, str_sub(rest, 0, end));
		sbuf_addc(out, '\n');
		rest = str_sub(rest, end + 1, rest.n);
	}
	sbuf_release(&diff);
	return ok;
}

bool cc_lock_add_entry(
	struct sbuf *out, struct arena *a, const struct cc_lock_use *use, const struct choice *c)
{
	struct headers h;
	const char *dir = use->lock->dir;
	bool ok;

	headers_find(&h, a, use);
	sbuf_adds(out, "  - ");
	ok = add_text(out, "file", str_of(relative(real(a, use->source), dir)));
	add_hash(out, "\n    content", str_hash(use->text, 0));
	sbuf_adds(out, "\n    targets: [");
	for (size_t i = 0; i < use->targets; i++) {
		sbuf_adds(out, i ? ", " : "");
		ok = ok && add_quoted(out, str_of(use->target[i]->name));
	}
	ok = ok && add_text(out, "]\n    flags", flags_of(a, use));
	ok = ok && add_text(out, "\n    compiler", str_of(use->compiler));
	sbuf_adds(out, "\n    unphi: \"" UNPHI_VERSION "\"\n");
	ok = ok && add_includes(out, &h, dir);
	ok = ok && add_merges(out, a, c);
	sbuf_adds(out, "    kernels:\n");
	for (size_t t = 0; ok && t < use->targets; t++) {
		ok = add_kernels(out, &c->before[t], &c->after[t]);
	}
	if (use->allow_flags) {
		ok = ok && add_flags(out, &c->flags);
	}
	ok = ok && add_diff(out, use->text, c->text);
	array_release(&h.own);
	return ok;
}

/* The first lines of an entry, by which the file is sorted: file, content, targets and flags. */
static struct str sort_key(struct str raw)
{
	return str_sub(raw, 0, str_find(raw, "\n    compiler:", 0));
}

static const char head[] =
	"# Rewrites that unphi cc applies, made by unphi cc --lock. Review the diffs; unphi lock\n"
	"# checks whether they are still valid.\nversion: 1\nfiles:\n";

void cc_lock_print(struct sbuf *out, const struct cc_lock *lock, bool (*keep)(void *user, size_t i),
	void *user)
{
	sbuf_adds(out, head);
	for (size_t i = 0; i < lock->n; i++) {
		if (keep(user, i)) {
			sbuf_addstr(out, lock->v[i].raw);
		}
	}
}

bool cc_lock_has(const struct cc_lock *lock, struct str raw)
{
	for (size_t i = 0; i < lock->n; i++) {
		if (str_eq(lock->v[i].raw, raw)) {
			return true;
		}
	}
	return false;
}

/* Reads raw as an entry of the lock. */
static int read_raw(
	struct cc_lock_entry *out, struct arena *a, const struct cc_lock *lock, struct str raw)
{
	struct cc_lock one = {.path = lock->path, .dir = lock->dir};
	struct yaml_node *root;
	struct sbuf b = {0};

	sbuf_adds(&b, head);
	sbuf_addstr(&b, raw);
	struct str text = sbuf_finish(&b, a);
	int rc = yaml_parse(&root, a, text, lock->path);
	rc = rc ? rc : read_entries(&one, a, text, yaml_get(root, "files"));
	if (rc == 0 && one.n == 1) {
		*out = one.v[0];
	}
	return rc;
}

static void print_with(
	struct sbuf *out, const struct cc_lock *lock, const struct cc_lock_entry *new)
{
	bool written = false;

	sbuf_adds(out, head);
	array_each (lock, const struct cc_lock_entry, e) {
		bool same = strcmp(e->file, new->file) == 0 && str_eq(e->targets, new->targets) &&
			    str_eq(e->flags, new->flags);
		if (!written && (same || str_cmp(sort_key(new->raw), sort_key(e->raw)) < 0)) {
			sbuf_addstr(out, new->raw);
			written = true;
		}
		if (!same) {
			sbuf_addstr(out, e->raw);
		}
	}
	if (!written) {
		sbuf_addstr(out, new->raw);
	}
}

static int put(struct arena *a, const char *path, struct str raw)
{
	struct cc_lock lock;
	struct cc_lock_entry new = {0};
	struct sbuf text = {0};
	int rc = cc_lock_load(&lock, a, path);

	if (rc || cc_lock_has(&lock, raw)) {
		return rc;
	}
	rc = read_raw(&new, a, &lock, raw);
	if (rc == 0 && new.file) {
		print_with(&text, &lock, &new);
		rc = file_write_atomic(path, sbuf_str(&text));
	}
	sbuf_release(&text);
	return rc;
}

int cc_lock_hold(struct arena *a, const char *path)
{
	struct str dir = path_dir(str_of(path));
	int fd = open(arena_strndup(a, dir.p, dir.n), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX) != 0) {
		msg_error("cannot write %s: %s", path, strerror(errno));
		if (fd >= 0) {
			close(fd);
		}
		return FAIL_USAGE;
	}
	return fd;
}

int cc_lock_put(struct arena *a, const char *path, struct str raw)
{
	int fd = cc_lock_hold(a, path);

	if (fd < 0) {
		return fd;
	}
	int rc = put(a, path, raw);
	close(fd);
	return rc;
}
