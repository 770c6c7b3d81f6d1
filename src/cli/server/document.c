/* The client's open documents. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/process/proc.h"
#include "cli/server/server.h"
#include "lsp/uri.h"

static void changed(struct document *d, double lint_at)
{
	d->hash = str_hash(sbuf_str(&d->text.text), 0);
	d->lint_at = lint_at;
}

struct document *document_at(const struct server *s, const char *path)
{
	array_each (&s->docs, struct document *const, d) {
		if (strcmp((*d)->path, path) == 0) {
			return *d;
		}
	}
	return NULL;
}

struct document *document_of(const struct server *s, const json_t *params)
{
	const char *uri = json_text(json_object_get(params, "textDocument"), "uri");
	array_each (&s->docs, struct document *const, d) {
		if (strcmp((*d)->uri, uri) == 0) {
			return *d;
		}
	}
	return NULL;
}

bool document_is_unit(const struct document *d)
{
	static const char *const headers[] = {
		".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".cuh", NULL};
	struct str text = sbuf_str(&d->text.text), name = str_of(d->path);
	for (size_t i = 0; headers[i]; i++) {
		if (str_ends(name, headers[i])) {
			return false;
		}
	}
	return strcmp(d->language, "hip") == 0 || str_ends(name, ".hip") ||
	       str_find(text, "__global__", 0) != SIZE_MAX;
}

void document_open(struct server *s, const json_t *params)
{
	const json_t *item = json_object_get(params, "textDocument");
	const json_t *text = json_object_get(item, "text");
	struct arena *a = arena_create();
	const char *path = lsp_uri_path(a, str_of(json_text(item, "uri")));
	if (path && json_is_string(text) && !document_of(s, params)) {
		struct document *d = calloc(1, sizeof(*d));
		*d = (struct document){.uri = strdup(json_text(item, "uri")),
			.path = strdup(path),
			.language = strdup(json_text(item, "languageId")),
			.version = json_integer_value(json_object_get(item, "version"))};
		lsp_text_set(
			&d->text, (struct str){json_string_value(text), json_string_length(text)});
		changed(d, proc_now_s());
		array_push(&s->docs, d);
	} /* else it is not a file on disk, and gets no diagnostics */
	arena_free(a);
}

static void take_change(struct server *s, struct document *d, const json_t *change)
{
	const json_t *text = json_object_get(change, "text");
	const json_t *range = json_object_get(change, "range");
	struct str new = {json_string_value(text), json_string_length(text)};
	struct lsp_position at[2];
	if (!json_is_string(text)) {
		return;
	}
	if (!range) {
		lsp_text_set(&d->text, new);
	} else if (!read_range(at, range) ||
		   !lsp_text_change(&d->text, at[0], at[1], new, s->units)) {
		send_message(s, MESSAGE_ERROR,
			"unphi: a change of %s has no range; close the file and open it again",
			d->path);
	}
}

void document_change(struct server *s, const json_t *params)
{
	struct document *d = document_of(s, params);
	const json_t *changes = json_object_get(params, "contentChanges");
	const json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
	if (!d) {
		return;
	}
	for (size_t i = 0; i < json_array_size(changes); i++) {
		take_change(s, d, json_array_get(changes, i));
	}
	d->version = json_is_integer(version) ? json_integer_value(version) : d->version + 1;
	unsigned wait_ms = s->opts.debounce_ms ? s->opts.debounce_ms : 300;
	changed(d, proc_now_s() + wait_ms / 1000.0);
}

/* A saved header may change the diagnostics of other documents. */
void document_save(struct server *s, const json_t *params)
{
	struct document *d = document_of(s, params);
	const json_t *text = json_object_get(params, "text");
	if (d && json_is_string(text)) {
		lsp_text_set(
			&d->text, (struct str){json_string_value(text), json_string_length(text)});
	}
	if (d) {
		changed(d, proc_now_s());
	}
	array_each (&s->docs, struct document *const, other) {
		if (d && !document_is_unit(d)) {
			(*other)->lint_at = proc_now_s();
			(*other)->estimate.known = false;
		}
	}
}

bool document_is_saved(const struct document *d)
{
	struct sbuf file = {0};
	bool same = file_exists(d->path) && file_read(&file, d->path) == 0 &&
		    str_eq(sbuf_str(&file), sbuf_str(&d->text.text));
	sbuf_release(&file);
	return same;
}

void document_forget(struct figures *f)
{
	json_decref(f->ledgers);
	*f = (struct figures){0};
}

void document_release(struct server *s, struct document *d)
{
	array_each (&s->jobs, struct job *const, j) {
		if ((*j)->doc == d) {
			job_cancel(s, *j);
			(*j)->doc = NULL;
		}
	}
	array_each (&d->asking, const struct asking, q) {
		if (!s->ended) {
			send_error(s, q->id, RPC_CANCELLED, "%s was closed", d->path);
		}
		json_decref(q->id);
		json_decref(q->params);
	}
	array_each (&d->published, char *, path) {
		free(*path);
	}
	array_release(&d->asking);
	array_release(&d->published);
	document_forget(&d->estimate);
	document_forget(&d->measured);
	lsp_text_release(&d->text);
	free(d->uri);
	free(d->path);
	free(d->language);
	free(d);
}

void document_close(struct server *s, const json_t *params)
{
	struct document *d = document_of(s, params);
	size_t kept = 0;
	if (!d) {
		return;
	}
	for (size_t i = 0; i < s->docs.n; i++) {
		if (s->docs.v[i] != d) {
			s->docs.v[kept++] = s->docs.v[i];
		}
	}
	s->docs.n = kept;
	document_release(s, d);
}

json_t *document_edit(const struct server *s, const struct document *d, json_t *edits)
{
	json_t *edit = json_object();
	if (s->can_version_edits) {
		json_t *change = json_object(), *of = json_object(), *all = json_array();
		json_object_set_new(of, "uri", json_string(d->uri));
		json_object_set_new(of, "version", json_integer(d->version));
		json_object_set_new(change, "textDocument", of);
		json_object_set_new(change, "edits", edits);
		json_array_append_new(all, change);
		json_object_set_new(edit, "documentChanges", all);
	} else {
		json_t *all = json_object();
		json_object_set_new(all, d->uri, edits);
		json_object_set_new(edit, "changes", all);
	}
	return edit;
}
