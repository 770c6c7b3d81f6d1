#pragma once
/* Text inside HTML and SVG. */
#include "base/str.h"

/* With < > & " and line ends as entities, and with control characters spelled out: neither allows
 * them. */
void escape_xml(struct sbuf *out, struct str s);
