#include "lsp/frame.h"

#include <string.h>
#include <strings.h>

static const char length_field[] = "content-length:";

void lsp_frames_add(struct lsp_frames *f, const void *p, size_t n)
{
	size_t skipped = n < f->skip ? n : f->skip;
	if (f->at > 0) {
		memmove(f->in.p, f->in.p + f->at, f->in.n - f->at);
		f->in.n -= f->at;
		f->at = 0;
	}
	f->skip -= skipped;
	sbuf_add(&f->in, (const char *)p + skipped, n - skipped);
}

static struct str rest_of(const struct lsp_frames *f)
{
	return str_sub(sbuf_str(&f->in), f->at, f->in.n);
}

/* Is this a line of the header with the length? */
static bool is_length(struct str line)
{
	return line.n >= sizeof(length_field) - 1 &&
	       strncasecmp(line.p, length_field, sizeof(length_field) - 1) == 0;
}

/* Skips to the next bytes that look like a header. They may be within a line, since bodies do not
 * end with a newline. */
static void find_header(struct lsp_frames *f)
{
	const size_t whole = sizeof(length_field) - 1;
	struct str rest = rest_of(f);
	for (size_t at = 0; at < rest.n; at++) {
		size_t n = rest.n - at < whole ? rest.n - at : whole;
		if (strncasecmp(rest.p + at, length_field, n) == 0) {
			f->at += at;
			f->lost = n < whole; /* more bytes are needed */
			return;
		}
	}
	f->at += rest.n;
}

/* The offset after the header's empty line; SIZE_MAX: it has not arrived yet. */
static size_t header_end(struct str rest)
{
	for (size_t at = 0; at < rest.n && at < LSP_HEADER_MAX; at++) {
		bool cr = at + 1 < rest.n && rest.p[at] == '\r' && rest.p[at + 1] == '\n';
		bool begins = at == 0 || rest.p[at - 1] == '\n';
		if (begins && (cr || rest.p[at] == '\n')) {
			return at + 1 + cr;
		}
	}
	return SIZE_MAX;
}

static bool is_decimal(struct str s)
{
	bool all = s.n > 0 && s.n <= 18;
	for (size_t i = 0; i < s.n && all; i++) {
		all = s.p[i] >= '0' && s.p[i] <= '9';
	}
	return all;
}

/* Reads the length in a header; false with *why. */
static bool read_header(int64_t *length, struct str header, const char **why)
{
	struct str line;
	*length = -1;
	while (str_line(&header, &line)) {
		struct str value = str_trim(str_sub(line, sizeof(length_field) - 1, line.n));
		if (!is_length(line)) {
			continue;
		}
		if (!is_decimal(value) || !str_to_i64(value, length) || *length > LSP_SKIP_MAX) {
			*why = "Content-Length is not a valid length";
			return false;
		}
	}
	*why = *length < 0 ? "a message header has no Content-Length" : NULL;
	return *length >= 0;
}

/* Skips past bytes, and then everything up to the next header. */
static enum lsp_frame bad_frame(struct lsp_frames *f, size_t past)
{
	f->at += past;
	f->lost = true;
	return LSP_FRAME_BAD;
}

enum lsp_frame lsp_frames_next(struct lsp_frames *f, struct str *body, const char **why)
{
	int64_t length;
	if (f->lost) {
		find_header(f);
	}
	struct str rest = rest_of(f);
	size_t end = f->lost ? SIZE_MAX : header_end(rest);
	if (end == SIZE_MAX && !f->lost && rest.n >= LSP_HEADER_MAX) {
		*why = "a message does not begin with a header";
		return bad_frame(f, 1);
	}
	if (end == SIZE_MAX) {
		return LSP_FRAME_NONE;
	}
	if (!read_header(&length, str_sub(rest, 0, end), why)) {
		return bad_frame(f, end);
	}
	size_t n = (size_t)length;
	if (n > LSP_BODY_MAX) {
		size_t here = rest.n - end < n ? rest.n - end : n;
		f->at += end + here;
		f->skip = n - here;
		*why = "a message is longer than 64 MiB";
		return LSP_FRAME_BAD;
	}
	if (rest.n - end < n) {
		return LSP_FRAME_NONE;
	}
	*body = str_sub(rest, end, end + n);
	f->at += end + n;
	return LSP_FRAME_BODY;
}

void lsp_frames_release(struct lsp_frames *f)
{
	sbuf_release(&f->in);
	*f = (struct lsp_frames){.at = 0};
}

void lsp_frame_add(struct sbuf *out, struct str body)
{
	sbuf_addf(out, "Content-Length: %zu\r\n\r\n", body.n);
	sbuf_addstr(out, body);
}
