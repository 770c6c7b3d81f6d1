#include "report/form/escape.h"

void escape_xml(struct sbuf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		switch (s.p[i]) {
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
		default:
			/* control characters are no HTML */
			if ((unsigned char)s.p[i] >= ' ' || s.p[i] == '\n' || s.p[i] == '\t') {
				sbuf_addc(out, s.p[i]);
			}
		}
	}
}
