#pragma once
/*
 * A document's text, with the positions of the Language Server Protocol: line and character, both
 * from 0. A character is a UTF-16 code unit, or a byte if client and server agree on that. Lines
 * end in \n, \r\n or \r, as in clang. An invalid UTF-8 byte that begins a sequence counts as one
 * character.
 */
#include <stdbool.h>
#include "base/array.h"
#include "base/str.h"

enum lsp_units {
	LSP_UTF16,
	LSP_UTF8
};

struct lsp_position {
	size_t line;
	size_t character;
};

struct lsp_text {
	struct sbuf text;
	ARRAY(size_t) line; /* offset of each line; at least one */
};

void lsp_text_set(struct lsp_text *t, struct str text);
void lsp_text_release(struct lsp_text *t);
/* Replaces [begin, end); positions past the end of a line or the text are clamped. False, without a
 * change, if end is before begin. */
bool lsp_text_change(struct lsp_text *t, struct lsp_position begin, struct lsp_position end,
	struct str text, enum lsp_units units);
/* A byte offset, at most the text's size. */
size_t lsp_offset(const struct lsp_text *t, struct lsp_position p, enum lsp_units units);
struct lsp_position lsp_position(const struct lsp_text *t, size_t offset, enum lsp_units units);
/* A line without its end; empty past the last. */
struct str lsp_line(const struct lsp_text *t, size_t line);
