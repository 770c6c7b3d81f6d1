#pragma once
/*
 * The errors and warnings of a run (base/said.h) in documents that are otherwise finished, so that
 * each kind of document has them in one way.
 */
#include "base/str.h"

/* Adds "errors":[{"level":"error" or "warning","file","line","column","message"}] to the outermost
 * object of a JSON document; what is not known is null. */
void errors_add_json(struct sbuf *document);
/* Adds them below the heading of a page (page_open); nothing where there are none. */
void errors_add_html(struct sbuf *document);
