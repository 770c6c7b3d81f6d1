#include "report/finding/sarif.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/msglog_list.h"
#include "report/form/json.h"
#include "report/finding/place.h"
#include "rule/rule.h"

struct writer {
	struct json j;
	struct arena *a;
	const struct sarif_rule *rule;
	size_t rules;
	struct map seen; /* by fingerprint: how often so far */
};

static const char *level_word(enum diag_level level)
{
	return level == DIAG_ERROR ? "error" : level == DIAG_WARNING ? "warning" : "note";
}

/* A path as a URI reference (RFC 3986): characters that are not allowed in a path become %XX. */
static const char *as_uri(struct arena *a, const char *path)
{
	struct sbuf b = {0};

	if (path[0] == '/') {
		sbuf_adds(&b, "file://");
	}
	for (const char *p = path; *p; p++) {
		unsigned char c = (unsigned char)*p;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9') || strchr("-._~/+,=@", c);
		sbuf_addf(&b, plain ? "%c" : "%%%02X", c);
	}
	return sbuf_finish(&b, a).p;
}

static void put_text(struct json *j, const char *key, struct str text)
{
	jsonw_key_object(j, key);
	jsonw_key_str(j, "text", text);
	jsonw_end(j);
}

static void put_artifact(struct writer *w, const char *path)
{
	const char *shown = place_path(w->a, path);

	jsonw_key_object(&w->j, "artifactLocation");
	jsonw_key_str(&w->j, "uri", str_of(as_uri(w->a, shown)));
	if (shown[0] != '/') {
		jsonw_key_str(&w->j, "uriBaseId", STR("%SRCROOT%"));
	}
	jsonw_end(&w->j);
}

static void put_region(struct json *j, const char *key, const struct diag_place *p)
{
	struct place_range r = place_range(p);

	jsonw_key_object(j, key);
	jsonw_key_i64(j, "startLine", r.line);
	jsonw_key_i64(j, "startColumn", r.column);
	jsonw_key_i64(j, "endLine", r.end_line);
	jsonw_key_i64(j, "endColumn", r.end_column);
	jsonw_end(j);
}

/* line and column: used if the place has no text; 0: unknown. */
static void put_physical(
	struct writer *w, const struct diag_place *p, unsigned line, unsigned column)
{
	jsonw_key_object(&w->j, "physicalLocation");
	put_artifact(w, p->path);
	if (p->source.p) {
		put_region(&w->j, "region", p);
	} else if (line > 0) {
		jsonw_key_object(&w->j, "region");
		jsonw_key_i64(&w->j, "startLine", line);
		if (column > 0) {
			jsonw_key_i64(&w->j, "startColumn", column);
		}
		jsonw_end(&w->j);
	}
	jsonw_end(&w->j);
}

static void put_locations(struct writer *w, const struct diag *d)
{
	jsonw_key_array(&w->j, "locations");
	if (d->place.path) {
		jsonw_object(&w->j);
		put_physical(w, &d->place, d->line, 0);
		if (d->function) {
			jsonw_key_array(&w->j, "logicalLocations");
			jsonw_object(&w->j);
			jsonw_key_str(&w->j, "fullyQualifiedName", str_of(d->function));
			jsonw_key_str(&w->j, "kind", STR("function"));
			jsonw_end(&w->j);
			jsonw_end(&w->j);
		}
		jsonw_end(&w->j);
	}
	jsonw_end(&w->j);
}

/* Notes with a place; the others are part of the message. */
static void put_related(struct writer *w, const struct diag *d)
{
	jsonw_key_array(&w->j, "relatedLocations");
	for (size_t i = 0, id = 1; i < d->notes; i++) {
		if (d->note[i].place.path) {
			jsonw_object(&w->j);
			jsonw_key_i64(&w->j, "id", (int64_t)id++);
			put_text(&w->j, "message", d->note[i].text);
			put_physical(w, &d->note[i].place, 0, 0);
			jsonw_end(&w->j);
		}
	}
	jsonw_end(&w->j);
}

static void put_message(struct writer *w, const struct diag *d)
{
	struct sbuf b = {0};

	sbuf_addstr(&b, d->text);
	for (size_t i = 0; i < d->notes; i++) {
		if (!d->note[i].place.path) {
			sbuf_addf(&b, "\n%.*s", STR_ARG(d->note[i].text));
		}
	}
	put_text(&w->j, "message", sbuf_str(&b));
	sbuf_release(&b);
}

static void put_fingerprint(struct writer *w, const struct diag *d)
{
	uint64_t h = str_hash(str_of(d->rule), 0);

	h = str_hash(STR("|"), h);
	h = str_hash(str_of(d->function), h);
	h = str_hash((struct str){(const char *)&d->code, sizeof(d->code)}, h);
	const char *key = arena_printf(w->a, "%016" PRIx64, h);
	uintptr_t n = map_get(&w->seen, str_of(key), 0) + 1;
	map_set(&w->seen, str_of(key), n);
	jsonw_key_object(&w->j, "partialFingerprints");
	jsonw_key_str(&w->j, "unphi/v1", str_of(arena_printf(w->a, "%s:%zu", key, (size_t)n)));
	jsonw_end(&w->j);
}

/* The edits, file by file. */
static void put_fixes(struct writer *w, const struct diag *d)
{
	if (d->edits == 0) {
		return;
	}
	jsonw_key_array(&w->j, "fixes");
	jsonw_object(&w->j);
	put_text(&w->j, "description", STR("the rewrite that measured best"));
	jsonw_key_array(&w->j, "artifactChanges");
	for (size_t i = 0; i < d->edits;) {
		const char *path = d->edit[i].place.path;
		jsonw_object(&w->j);
		put_artifact(w, path);
		jsonw_key_array(&w->j, "replacements");
		for (; i < d->edits && strcmp(d->edit[i].place.path, path) == 0; i++) {
			jsonw_object(&w->j);
			put_region(&w->j, "deletedRegion", &d->edit[i].place);
			put_text(&w->j, "insertedContent", d->edit[i].text);
			jsonw_end(&w->j);
		}
		jsonw_end(&w->j);
		jsonw_end(&w->j);
	}
	jsonw_end(&w->j);
	jsonw_end(&w->j);
	jsonw_end(&w->j);
}

static void put_result(struct writer *w, const struct diag *d)
{
	jsonw_object(&w->j);
	for (size_t i = 0; d->rule && i < w->rules; i++) {
		if (strcmp(w->rule[i].name, d->rule) == 0) {
			jsonw_key_str(&w->j, "ruleId", str_of(d->rule));
			jsonw_key_i64(&w->j, "ruleIndex", (int64_t)i);
		}
	}
	jsonw_key_str(&w->j, "level", str_of(level_word(d->level)));
	put_message(w, d);
	put_locations(w, d);
	put_related(w, d);
	put_fingerprint(w, d);
	put_fixes(w, d);
	jsonw_end(&w->j);
}

static void put_rules(struct writer *w)
{
	jsonw_key_array(&w->j, "rules");
	for (size_t i = 0; i < w->rules; i++) { /* w->rule is NULL if there is none */
		const struct sarif_rule *r = &w->rule[i];
		jsonw_object(&w->j);
		jsonw_key_str(&w->j, "id", str_of(r->name));
		put_text(&w->j, "shortDescription", str_of(r->summary));
		jsonw_key_object(&w->j, "defaultConfiguration");
		jsonw_key_bool(&w->j, "enabled", r->enabled);
		jsonw_key_str(&w->j, "level", str_of(level_word(r->level)));
		jsonw_end(&w->j);
		jsonw_end(&w->j);
	}
	jsonw_end(&w->j);
}

static void put_tool(struct writer *w)
{
	jsonw_key_object(&w->j, "tool");
	jsonw_key_object(&w->j, "driver");
	jsonw_key_str(&w->j, "name", STR("unphi"));
	jsonw_key_str(&w->j, "version", STR(UNPHI_VERSION));
	put_rules(w);
	jsonw_end(&w->j);
	jsonw_end(&w->j);
}

/* The run and its errors: without the errors a failed run would look clean. */
static void put_invocation(struct writer *w)
{
	struct msglog_entry *v;
	size_t n = msglog_list(&v, w->a);
	bool failed = false;

	for (size_t i = 0; i < n; i++) {
		failed |= v[i].error;
	}
	jsonw_key_array(&w->j, "invocations");
	jsonw_object(&w->j);
	jsonw_key_bool(&w->j, "executionSuccessful", !failed);
	jsonw_key_array(&w->j, "toolExecutionNotifications");
	for (size_t i = 0; i < n; i++) {
		const struct diag_place place = {.path = v[i].file};
		jsonw_object(&w->j);
		jsonw_key_str(&w->j, "level", str_of(v[i].error ? "error" : "warning"));
		put_text(&w->j, "message", str_of(v[i].text));
		if (v[i].file) {
			jsonw_key_array(&w->j, "locations");
			jsonw_object(&w->j);
			put_physical(w, &place, v[i].line, v[i].column);
			jsonw_end(&w->j);
			jsonw_end(&w->j);
		}
		jsonw_end(&w->j);
	}
	jsonw_end(&w->j);
	jsonw_end(&w->j);
	jsonw_end(&w->j);
}

void sarif_lint(
	struct sbuf *out, struct arena *a, const struct diag_list *found, const char *checks)
{
	struct sarif_rule *r = ARENA_ARRAY(a, struct sarif_rule, rules_n);

	for (size_t i = 0; i < rules_n; i++) {
		r[i] = (struct sarif_rule){rules[i].name, rules[i].summary,
			rule_enabled(checks, rules[i].name), rules[i].level};
	}
	sarif_print(out, a, found, r, rules_n);
}

void sarif_print(struct sbuf *out, struct arena *a, const struct diag_list *found,
	const struct sarif_rule *rule, size_t n)
{
	struct writer w = {.a = a, .rule = rule, .rules = n};

	jsonw_init(&w.j, out);
	jsonw_object(&w.j);
	jsonw_key_str(&w.j, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
	jsonw_key_str(&w.j, "version", STR("2.1.0"));
	jsonw_key_array(&w.j, "runs");
	jsonw_object(&w.j);
	put_tool(&w);
	put_invocation(&w);
	jsonw_key_str(&w.j, "columnKind", STR("unicodeCodePoints"));
	jsonw_key_object(&w.j, "originalUriBaseIds");
	jsonw_key(&w.j, "%SRCROOT%");
	jsonw_object(&w.j);
	put_text(&w.j, "description", STR("the root of the repository"));
	jsonw_end(&w.j);
	jsonw_end(&w.j);
	jsonw_key_array(&w.j, "results");
	array_each (&found->v, const struct diag, d) {
		put_result(&w, d);
	}
	jsonw_finish(&w.j);
	map_release(&w.seen);
}
