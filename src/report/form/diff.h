#pragma once
/* A unified diff as a terminal shows it: in the colors that git has, control characters of the
 * source made visible. What goes to a file or pipe is the diff itself. */
#include "base/str.h"

void diff_show(struct sbuf *out, struct str diff, bool color);
