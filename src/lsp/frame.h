#pragma once
/*
 * The base protocol of the Language Server Protocol 3.17: "Content-Length: N", an empty line, and N
 * bytes. Messages come out of bytes as they arrive, however these are cut. What is no message is
 * reported once, and reading goes on with the next header.
 */
#include <stdbool.h>
#include "base/str.h"

enum {
	LSP_HEADER_MAX = 4096,
	LSP_BODY_MAX = 64 << 20, /* bytes of a message that is taken */
	LSP_SKIP_MAX = 1 << 30,	 /* of one that is skipped; a larger length is no length */
};

/* Bytes that have arrived. A zeroed one is empty. */
struct lsp_frames {
	struct sbuf in;
	size_t at;   /* where the next message begins */
	size_t skip; /* bytes of a message that is too long */
	bool lost;   /* what follows is no message, up to the next header */
};

enum lsp_frame {
	LSP_FRAME_NONE, /* not there yet */
	LSP_FRAME_BODY,
	LSP_FRAME_BAD
};

void lsp_frames_add(struct lsp_frames *f, const void *p, size_t n);
/* The next message, a view up to the next call of lsp_frames_add; or what is wrong, in *why. */
enum lsp_frame lsp_frames_next(struct lsp_frames *f, struct str *body, const char **why);
void lsp_frames_release(struct lsp_frames *f);
/* A message with its header. */
void lsp_frame_add(struct sbuf *out, struct str body);
