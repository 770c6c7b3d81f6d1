/* GitHub's workflow commands: https://docs.github.com/actions, "Workflow commands". */
#include <string.h>

#include "base/msglog_list.h"
#include "report/finding/place.h"
#include "report/finding/sarif.h"

/* A line end would end the command; in a property ':' and ',' would end the value. Other control
 * characters are made visible, since people also read these logs in terminals. */
static void add_escaped(struct sbuf *out, struct str text, const char *others)
{
	struct sbuf s = {0};

	sbuf_add_visible(&s, text, "\r\n\t");
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '%' || c == '\r' || c == '\n' || (c && strchr(others, c))) {
			sbuf_addf(out, "%%%02X", (unsigned char)c);
		} else {
			sbuf_addc(out, c);
		}
	}
	sbuf_release(&s);
}

static void add_property(struct sbuf *out, const char *name, struct str value, char *before)
{
	sbuf_addf(out, "%c%s=", *before, name);
	add_escaped(out, value, ":,");
	*before = ',';
}

static void print_one(struct sbuf *out, struct arena *a, const struct diag *d)
{
	char before = ' ';

	sbuf_addf(out, "::%s",
		d->level == DIAG_ERROR	   ? "error"
		: d->level == DIAG_WARNING ? "warning"
					   : "notice");
	if (d->place.path) {
		add_property(out, "file", str_of(place_path(a, d->place.path)), &before);
	}
	if (d->place.path && d->place.source.p) {
		struct place_range r = place_range(&d->place);
		sbuf_addf(out, ",line=%u,endLine=%u,col=%u", r.line, r.end_line, r.column);
	}
	if (d->rule) {
		add_property(out, "title", str_of(d->rule), &before);
	}
	sbuf_adds(out, "::");
	add_escaped(out, d->text, "");
	for (size_t i = 0; i < d->notes; i++) {
		if (!d->note[i].place.path) {
			sbuf_adds(out, "%0A");
			add_escaped(out, d->note[i].text, "");
		}
	}
	sbuf_addc(out, '\n');
}

static void print_said(struct sbuf *out, struct arena *a, const struct msglog_entry *s)
{
	char before = ' ';

	sbuf_addf(out, "::%s", s->error ? "error" : "warning");
	if (s->file) {
		add_property(out, "file", str_of(place_path(a, s->file)), &before);
	}
	if (s->file && s->line) {
		sbuf_addf(out, ",line=%u", s->line);
	}
	if (s->file && s->column) {
		sbuf_addf(out, ",col=%u", s->column);
	}
	sbuf_adds(out, "::");
	add_escaped(out, str_of(s->text), "");
	sbuf_addc(out, '\n');
}

void github_print(struct sbuf *out, struct arena *a, const struct diag_list *found)
{
	struct msglog_entry *v;
	size_t n = msglog_list(&v, a);

	for (size_t i = 0; i < n; i++) {
		print_said(out, a, &v[i]);
	}
	array_each (&found->v, const struct diag, d) {
		print_one(out, a, d);
	}
}
