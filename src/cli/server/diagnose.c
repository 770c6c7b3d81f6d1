/* The findings of unphi lint as diagnostics: in a document, and in the headers that it includes. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/process/proc.h"
#include "cli/server/server.h"
#include "lsp/uri.h"

/* A file with diagnostics. */
struct diagnosed_file {
	const char *path; /* absolute */
	struct lsp_text text;
	json_t *diagnostics;
};

struct diagnosing {
	struct server *s;
	struct job *j;
	struct arena *a;
	const char *cwd; /* paths are relative to it */
	ARRAY(struct diagnosed_file) files;
};

/* The file with its text. If it is unreadable, the text is empty, so all places are in line 1. */
static struct diagnosed_file *file_of(struct diagnosing *d, const char *path)
{
	const char *full = path_absolute(d->a, d->cwd, *path ? path : d->j->path);
	array_each (&d->files, struct diagnosed_file, f) {
		if (strcmp(f->path, full) == 0) {
			return f;
		}
	}
	const struct document *open = document_at(d->s, full);
	struct diagnosed_file f = {.path = full, .diagnostics = json_array()};
	struct sbuf read = {0};
	if (strcmp(full, d->j->path) == 0) {
		lsp_text_set(&f.text, sbuf_str(&d->j->text.text));
	} else if (open) {
		lsp_text_set(&f.text, sbuf_str(&open->text.text));
	} else {
		if (file_exists(full)) {
			file_read(&read, full);
		}
		lsp_text_set(&f.text, sbuf_str(&read));
	}
	sbuf_release(&read);
	array_push(&d->files, f);
	return &d->files.v[d->files.n - 1];
}

/* The range from offset to the end of the underlined text, within its line. */
static json_t *range_at(struct diagnosing *d, const struct diagnosed_file *f, const json_t *of)
{
	const json_t *offset = json_object_get(of, "offset");
	json_int_t line = json_integer_value(json_object_get(of, "line"));
	json_int_t column = json_integer_value(json_object_get(of, "column"));
	json_int_t length = json_integer_value(json_object_get(of, "length"));
	size_t at = 0;
	if (json_is_integer(offset)) {
		at = (size_t)json_integer_value(offset);
	} else if (line > 0) {
		struct lsp_position p = {(size_t)line - 1, column > 0 ? (size_t)column - 1 : 0};
		at = lsp_offset(&f->text, p, LSP_UTF8);
	}
	size_t end_of_line = 0;
	struct lsp_position p = lsp_position(&f->text, at, LSP_UTF8);
	struct str text = lsp_line(&f->text, p.line);
	end_of_line = at + (text.n > p.character ? text.n - p.character : 0);
	size_t end = at + (length > 0 ? (size_t)length : 1);
	return json_range(d->s, &f->text, at, end < end_of_line ? end : end_of_line);
}

static json_t *uri_of(struct diagnosing *d, const char *path)
{
	struct sbuf uri = {0};
	const struct document *open = document_at(d->s, path);
	lsp_uri_add(&uri, path);
	json_t *v = open ? json_string(open->uri) : json_of(sbuf_str(&uri));
	sbuf_release(&uri);
	return v;
}

/* The notes with a place. The message already has the main note. */
static json_t *related(struct diagnosing *d, const json_t *notes)
{
	json_t *all = json_array();
	for (size_t i = 0; i < json_array_size(notes); i++) {
		const json_t *note = json_array_get(notes, i);
		const char *path = json_text(note, "file");
		if (!*path) {
			continue;
		}
		struct diagnosed_file *f = file_of(d, path);
		json_t *one = json_object(), *place = json_object();
		json_object_set_new(place, "uri", uri_of(d, f->path));
		json_object_set_new(place, "range", range_at(d, f, note));
		json_object_set_new(one, "location", place);
		json_object_set(one, "message", json_object_get(note, "message"));
		json_array_append_new(all, one);
	}
	return all;
}

static int severity_of(const char *level)
{
	return strcmp(level, "error") == 0 ? 1 : strcmp(level, "warning") == 0 ? 2 : 3;
}

static json_t *message_of(const json_t *finding)
{
	struct sbuf text = {0};
	const char *why = json_text(finding, "why");
	sbuf_addf(&text, "%s%s%s", json_text(finding, "message"), *why ? "\n" : "", why);
	json_t *v = json_of(sbuf_str(&text));
	sbuf_release(&text);
	return v;
}

static void add(struct diagnosing *d, const json_t *finding)
{
	const char *path = json_text(finding, "file"), *rule = json_text(finding, "rule");
	json_t *notes = related(d, json_object_get(finding, "notes")); /* may add files */
	struct diagnosed_file *f = file_of(d, path);
	json_t *v = json_object();
	json_object_set_new(v, "range", range_at(d, f, finding));
	json_object_set_new(v, "severity", json_integer(severity_of(json_text(finding, "level"))));
	json_object_set_new(v, "source", json_string("unphi"));
	if (*rule) {
		json_object_set_new(v, "code", json_string(rule));
	}
	json_object_set_new(v, "message", message_of(finding));
	json_object_set_new(v, "relatedInformation", notes);
	json_array_append_new(f->diagnostics, v);
}

static void publish(struct diagnosing *d, const char *path, json_t *diagnostics)
{
	json_t *params = json_object();
	json_object_set_new(params, "uri", uri_of(d, path));
	json_object_set_new(params, "diagnostics", diagnostics);
	if (strcmp(path, d->j->path) == 0) {
		json_object_set_new(params, "version", json_integer(d->j->version));
	}
	send_notification(d->s, "textDocument/publishDiagnostics", params);
}

/* Clears files that had diagnostics in an earlier run and have none now. */
static void clear_old(struct diagnosing *d, struct document *doc)
{
	array_each (&doc->published, char *, old) {
		bool again = false;
		array_each (&d->files, const struct diagnosed_file, f) {
			again = again || strcmp(f->path, *old) == 0;
		}
		if (!again) {
			publish(d, *old, json_array());
		}
		free(*old);
	}
	doc->published.n = 0;
	array_each (&d->files, const struct diagnosed_file, f) {
		if (json_array_size(f->diagnostics) > 0 || strcmp(f->path, doc->path) == 0) {
			array_push(&doc->published, strdup(f->path));
		}
	}
}

/* Is it an error without a line, while others have lines? Then it only counts the others. */
static bool only_counts(const json_t *errors, const json_t *error)
{
	size_t i;
	json_t *other;
	bool placed = false;
	json_array_foreach (errors, i, other) {
		placed = placed || json_is_integer(json_object_get(other, "line"));
	}
	return placed && strcmp(json_text(error, "level"), "error") == 0 &&
	       !json_is_integer(json_object_get(error, "line"));
}

static void take_all(struct diagnosing *d, const json_t *result)
{
	static const char *const lists[] = {"errors", "findings"};
	file_of(d, d->j->path);
	for (size_t k = 0; k < 2; k++) {
		const json_t *list = json_object_get(result, lists[k]);
		for (size_t i = 0; i < json_array_size(list); i++) {
			if (k > 0 || !only_counts(list, json_array_get(list, i))) {
				add(d, json_array_get(list, i));
			}
		}
	}
	if (!result) { /* the subcommand itself failed */
		json_t *v = json_object();
		json_object_set_new(v, "level", json_string("error"));
		json_object_set_new(v, "message", json_of(job_last_words(d->j)));
		add(d, v);
		json_decref(v);
	}
}

static void diagnosed(struct server *s, struct job *j)
{
	struct diagnosing d = {.s = s, .j = j, .a = arena_create()};
	struct str beside = path_dir(str_of(j->path));
	json_t *result = job_json(j);
	d.cwd = s->root ? s->root : arena_strndup(d.a, beside.p, beside.n);
	take_all(&d, result);
	clear_old(&d, j->doc);
	array_each (&d.files, struct diagnosed_file, f) {
		bool own = strcmp(f->path, j->path) == 0;
		if (own || json_array_size(f->diagnostics) > 0) {
			publish(&d, f->path, f->diagnostics);
		} else {
			json_decref(f->diagnostics);
		}
		lsp_text_release(&f->text);
	}
	array_release(&d.files);
	json_decref(result);
	arena_free(d.a);
}

void diagnose_start(struct server *s, struct document *doc)
{
	doc->lint_at = 0;
	array_each (&s->jobs, struct job *const, j) {
		if ((*j)->doc == doc && (*j)->kind == JOB_LINT) {
			job_cancel(s, *j);
		}
	}
	if (document_is_unit(doc)) {
		job_add(s, JOB_LINT, doc, NULL, diagnosed);
	}
}

void diagnose_clear(struct server *s, struct document *doc)
{
	struct job none = {.path = doc->path, .version = doc->version};
	struct diagnosing d = {.s = s, .j = &none, .a = arena_create()};
	clear_old(&d, doc);
	arena_free(d.a);
}
