#include "report/finding/replacements.h"

#include <limits.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lines.h"
#include "base/msglog_list.h"

static const char *place_real(struct arena *a, const struct diag_place *p)
{
	return p->path ? path_real(a, p->path) : "";
}

static void add_head(
	struct sbuf *out, const char *name, struct str text, const char *file, size_t offset)
{
	sbuf_addf(out, "  - DiagnosticName: %s\n    DiagnosticMessage:\n      Message: ", name);
	sbuf_add_quoted(out, text);
	sbuf_adds(out, "\n      FilePath: ");
	sbuf_add_quoted(out, str_of(file));
	sbuf_addf(out, "\n      FileOffset: %zu\n", offset);
}

static void add_tail(struct sbuf *out, bool error, const char *cwd)
{
	sbuf_addf(out, "    Level: %s\n    BuildDirectory: ", error ? "Error" : "Warning");
	sbuf_add_quoted(out, str_of(cwd));
	sbuf_addc(out, '\n');
}

static void add_error(
	struct sbuf *out, struct arena *a, const struct msglog_entry *s, const char *cwd)
{
	struct sbuf text = {0};
	size_t offset = 0;

	if (s->file && s->line && file_exists(s->file) && file_read(&text, s->file) == 0) {
		offset = line_offset(sbuf_str(&text), s->line) + (s->column ? s->column - 1 : 0);
		offset = offset < text.n ? offset : text.n;
	}
	add_head(out, s->line ? "clang-diagnostic-error" : "unphi", str_of(s->text),
		s->file ? path_real(a, s->file) : "", offset);
	sbuf_adds(out, "      Replacements: []\n");
	add_tail(out, true, cwd);
	sbuf_release(&text);
}

static void add_finding(
	struct sbuf *out, struct arena *a, const struct diag *d, const char *cwd, bool with_edits)
{
	add_head(out, d->rule ? d->rule : "unphi", d->text, place_real(a, &d->place),
		d->place.begin);
	sbuf_addf(out, "      Replacements:%s\n", with_edits ? "" : " []");
	for (size_t i = 0; with_edits && i < d->edits; i++) {
		const struct diag_edit *e = &d->edit[i];
		sbuf_adds(out, "        - FilePath: ");
		sbuf_add_quoted(out, str_of(place_real(a, &e->place)));
		sbuf_addf(out,
			"\n          Offset: %zu\n          Length: %zu\n"
			"          ReplacementText: ",
			e->place.begin, e->place.end - e->place.begin);
		sbuf_add_quoted(out, e->text);
		sbuf_addc(out, '\n');
	}
	add_tail(out, d->level == DIAG_ERROR, cwd);
}

void replacements_print(struct sbuf *out, struct arena *a, const struct diag_list *found)
{
	char cwd[PATH_MAX];
	const char *here = getcwd(cwd, sizeof(cwd)) ? cwd : "/";
	struct msglog_entry *said;
	size_t all = msglog_list(&said, a), n = 0;

	for (size_t i = 0; i < all; i++) {
		n += said[i].error;
	}
	array_each (&found->v, const struct diag, d) {
		n += d->edits > 0;
	}
	sbuf_adds(out, "---\nMainSourceFile: ''\n");
	sbuf_addf(out, "Diagnostics:%s\n", n ? "" : " []");
	for (size_t i = 0; i < all; i++) {
		if (said[i].error) {
			add_error(out, a, &said[i], here);
		}
	}
	const struct diag_edit *before = NULL;
	array_each (&found->v, const struct diag, d) {
		if (d->edits > 0) {
			add_finding(out, a, d, here, d->edit != before);
			before = d->edit;
		}
	}
	sbuf_adds(out, "...\n");
}
