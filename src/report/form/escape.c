#include "report/form/escape.h"

void escape_xml(struct sbuf *out, struct str s)
{
	struct sbuf shown = {0};

	sbuf_add_visible(&shown, s, "\n\t");
	for (size_t i = 0; i < shown.n; i++) {
		switch (shown.p[i]) {
		case '<':
			sbuf_adds(out, "&lt;");
			break;
		case '>':
			sbuf_adds(out, "&gt;");
			break;
		case '&':
			sbuf_adds(out, "&amp;");
			break;
		case '"':
			sbuf_adds(out, "&quot;");
			break;
		case '\n': /* in a name it would start a new line; the document may be in a log */
			sbuf_adds(out, "&#10;");
			break;
		default:
			sbuf_addc(out, shown.p[i]);
		}
	}
	sbuf_release(&shown);
}
