#pragma once
/*
 * The base protocol of the Language Server Protocol 3.17: "Content-Length: N", an empty line, and N
 * bytes. Splits a stream of bytes, in any pieces, into messages. Bytes that are not a message are
 * reported once, and reading continues at the next header.
 */
#include <stdbool.h>
#include "base/str.h"

enum {
	LSP_HEADER_MAX = 4096,
	LSP_BODY_MAX = 64 << 20, /* the largest message accepted, in bytes */
	LSP_SKIP_MAX = 1 << 30,	 /* the largest message skipped; a larger length is invalid */
};

/* Bytes that have arrived. A zeroed one is empty. */
struct lsp_frames {
	struct sbuf in;
	size_t at;   /* where the next message begins */
	size_t skip; /* bytes left to skip of a message that is too long */
	bool lost;   /* garbage follows, up to the next header */
};

enum lsp_frame {
	LSP_FRAME_NONE, /* no whole message yet */
	LSP_FRAME_BODY,
	LSP_FRAME_BAD
};

void lsp_frames_add(struct lsp_frames *f, const void *p, size_t n);
/* The next message, a view valid until the next lsp_frames_add; or the error in *why. */
enum lsp_frame lsp_frames_next(struct lsp_frames *f, struct str *body, const char **why);
void lsp_frames_release(struct lsp_frames *f);
/* Appends a message with its header. */
void lsp_frame_add(struct sbuf *out, struct str body);
