#pragma once
/* Files as URIs (RFC 8089) and back. */
#include "base/arena.h"
#include "base/str.h"

/* The absolute path of a file: URI of this machine, in a; NULL for any other text, and for a path
 * with a NUL in it. */
const char *lsp_uri_path(struct arena *a, struct str uri);
/* "file://" and the path, which is absolute. */
void lsp_uri_add(struct sbuf *out, const char *path);
