#ifndef UNPHI_REPORT_FORM_ESCAPE_H
#define UNPHI_REPORT_FORM_ESCAPE_H
/* Text inside HTML and SVG. */
#include "base/str.h"

/* With < > & " as entities, and without control characters, which neither allows. */
void escape_xml(struct sbuf *out, struct str s);
#endif
