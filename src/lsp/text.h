#pragma once
/*
 * A document's text, with positions as the Language Server Protocol has them: a line, and a
 * character in it, both from 0. A character is a UTF-16 code unit, or a byte where client and
 * server agree on that. Lines end in \n, \r\n or \r, as clang counts them. Bytes that are no UTF-8
 * count as one character each where they begin a sequence.
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
	ARRAY(size_t) line; /* where each begins; at least one */
};

void lsp_text_set(struct lsp_text *t, struct str text);
void lsp_text_release(struct lsp_text *t);
/* Replaces [begin, end); places past a line's or the text's end are that end. False, and nothing is
 * changed, when end lies before begin. */
bool lsp_text_change(struct lsp_text *t, struct lsp_position begin, struct lsp_position end,
	struct str text, enum lsp_units units);
/* A byte offset, at most the text's size. */
size_t lsp_offset(const struct lsp_text *t, struct lsp_position p, enum lsp_units units);
struct lsp_position lsp_position(const struct lsp_text *t, size_t offset, enum lsp_units units);
/* A line without its end; empty past the last. */
struct str lsp_line(const struct lsp_text *t, size_t line);
