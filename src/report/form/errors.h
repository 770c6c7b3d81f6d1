#pragma once
/*
 * Adds the errors and warnings of a run (base/msglog.h) to a finished document, in the same way for
 * all documents of one form.
 */
#include "base/str.h"

/* Adds "errors":[{"level":"error" or "warning","file","line","column","message"}] to the outermost
 * object of a JSON document; unknown values are null. */
void errors_add_json(struct sbuf *document);
/* Adds them below the heading of a page (page_open), if there are any. */
void errors_add_html(struct sbuf *document);
