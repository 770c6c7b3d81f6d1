#include "strategy/extract/write.h"

#include <ctype.h>
#include <string.h>

#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100
};

struct str writer_str(const struct writer *w, struct span s)
{
	return str_sub(w->t, s.begin, s.end);
}

struct str writer_joined(struct writer *w, struct str s)
{
	struct sbuf out = {0};
	if (text_has_comment(s) || str_find(s, "\n", 0) == SIZE_MAX) {
		return s;
	}
	for (size_t i = 0; i < s.n; i++) {
		if (!isspace((unsigned char)s.p[i])) {
			sbuf_addc(&out, s.p[i]);
		} else if (out.n && out.p[out.n - 1] != ' ') {
			sbuf_addc(&out, ' ');
		}
	}
	return sbuf_finish(&out, w->p->a);
}

static size_t last_line_columns(const struct sbuf *s)
{
	size_t at = s->n;
	while (at > 0 && s->p[at - 1] != '\n') {
		at--;
	}
	return text_columns(str_sub(sbuf_str(s), at, s->n));
}

void writer_add_list(struct writer *w, struct sbuf *out, const str_array *item, const char *indent,
	const char *close)
{
	for (size_t i = 0; i < item->n; i++) {
		bool last = i + 1 == item->n;
		struct str s = writer_joined(w, item->v[i]);
		size_t columns = text_columns(s) + (last ? strlen(close) : 1);
		bool first = i == 0;
		if (last_line_columns(out) + columns + (first ? 0 : 1) > LINE_MAX_COLUMNS) {
			sbuf_addf(out, "%s%s", w->eol, indent);
		} else if (!first) {
			sbuf_addc(out, ' ');
		}
		sbuf_addstr(out, s);
		sbuf_adds(out, last ? "" : ",");
	}
	sbuf_adds(out, close);
}

struct str writer_end_trimmed(struct str s)
{
	while (s.n && isspace((unsigned char)s.p[s.n - 1])) {
		s.n--;
	}
	return s;
}

void writer_add_line(struct writer *w, struct sbuf *out, const char *text)
{
	sbuf_addf(out, "%s%s%s", w->eol, w->inner, text);
}
