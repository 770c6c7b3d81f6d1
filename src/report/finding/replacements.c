#include "report/finding/replacements.h"

#include <limits.h>
#include <unistd.h>

#include "base/file.h"

static const char *place_real(struct arena *a, const struct diag_place *p)
{
	return p->path ? path_real(a, p->path) : "";
}

/* Double-quoted YAML. */
static void add_quoted(struct sbuf *out, struct str s)
{
	sbuf_addc(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		switch (c) {
		case '"':
		case '\\':
			sbuf_addf(out, "\\%c", c);
			break;
		case '\n':
			sbuf_adds(out, "\\n");
			break;
		case '\t':
			sbuf_adds(out, "\\t");
			break;
		case '\r':
			sbuf_adds(out, "\\r");
			break;
		default:
			sbuf_addf(out, c < ' ' || c == 127 ? "\\x%02X" : "%c", c);
		}
	}
	sbuf_addc(out, '"');
}

static void add_finding(
	struct sbuf *out, struct arena *a, const struct diag *d, const char *cwd, bool with_edits)
{
	sbuf_addf(out, "  - DiagnosticName: %s\n    DiagnosticMessage:\n      Message: ",
		d->rule ? d->rule : "unphi");
	add_quoted(out, d->text);
	sbuf_adds(out, "\n      FilePath: ");
	add_quoted(out, str_of(place_real(a, &d->place)));
	sbuf_addf(out, "\n      FileOffset: %zu\n      Replacements:%s\n", d->place.begin,
		with_edits ? "" : " []");
	for (size_t i = 0; with_edits && i < d->edits; i++) {
		const struct diag_edit *e = &d->edit[i];
		sbuf_adds(out, "        - FilePath: ");
		add_quoted(out, str_of(place_real(a, &e->place)));
		sbuf_addf(out,
			"\n          Offset: %zu\n          Length: %zu\n"
			"          ReplacementText: ",
			e->place.begin, e->place.end - e->place.begin);
		add_quoted(out, e->text);
		sbuf_addc(out, '\n');
	}
	sbuf_addf(out, "    Level: %s\n    BuildDirectory: ",
		d->level == DIAG_ERROR ? "Error" : "Warning");
	add_quoted(out, str_of(cwd));
	sbuf_addc(out, '\n');
}

void replacements_print(struct sbuf *out, struct arena *a, const struct diag_list *found)
{
	char cwd[PATH_MAX];
	const char *here = getcwd(cwd, sizeof(cwd)) ? cwd : "/";
	size_t n = 0;

	array_each (&found->v, const struct diag, d) {
		n += d->edits > 0;
	}
	sbuf_adds(out, "---\nMainSourceFile: ''\n");
	sbuf_addf(out, "Diagnostics:%s\n", n ? "" : " []");
	const struct diag_edit *before = NULL;
	array_each (&found->v, const struct diag, d) {
		if (d->edits > 0) {
			add_finding(out, a, d, here, d->edit != before);
			before = d->edit;
		}
	}
	sbuf_adds(out, "...\n");
}
