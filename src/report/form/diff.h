#pragma once
/* A unified diff for a terminal: in the colors of git, with the control characters of the source
 * made visible. In a file or pipe the diff is not changed. */
#include "base/str.h"

void diff_show(struct sbuf *out, struct str diff, bool color);
