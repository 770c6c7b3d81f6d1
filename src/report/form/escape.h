#pragma once
/* Text inside HTML and SVG. */
#include "base/str.h"

/* Writes < > & " and line ends as entities, and makes control characters visible, which neither
 * format allows. */
void escape_xml(struct sbuf *out, struct str s);
