/* lsp: messages, documents and URIs of a client that sends what it likes. Before the line
 * "=======": bytes of messages, which come out alike however they are cut. After it: lines "LINE
 * CHARACTER LINE CHARACTER TEXT", which change a document; its places and offsets agree. */
#include "lsp/frame.h"
#include "lsp/text.h"
#include "lsp/uri.h"
#include "target.h"

static void feed(struct sbuf *out, struct str bytes, size_t n)
{
	struct lsp_frames f = {.at = 0};
	struct str body;
	const char *why;
	for (size_t at = 0; at < bytes.n; at += n) {
		struct str piece = str_sub(bytes, at, at + n);
		enum lsp_frame got;
		lsp_frames_add(&f, piece.p, piece.n);
		while ((got = lsp_frames_next(&f, &body, &why)) != LSP_FRAME_NONE) {
			sbuf_addstr(out, got == LSP_FRAME_BODY ? body : str_of(why));
			sbuf_addc(out, '\n');
		}
	}
	lsp_frames_release(&f);
}

static size_t take_number(struct str *line)
{
	struct str piece;
	int64_t n = 0;
	return str_split(line, ' ', &piece) && str_to_i64(piece, &n) && n >= 0 ? (size_t)n : 0;
}

/* Every offset has a place that leads back to it, unless it lies inside of a character or of a line
 * end. */
static void check_places(const struct lsp_text *t, enum lsp_units units)
{
	REQUIRE(t->line.n > 0 && t->line.v[0] == 0);
	for (size_t at = 0; at <= t->text.n; at++) {
		struct lsp_position p = lsp_position(t, at, units);
		size_t back = lsp_offset(t, p, units);
		struct str line = lsp_line(t, p.line);
		REQUIRE(p.line < t->line.n && back <= t->text.n);
		REQUIRE(units != LSP_UTF8 || back == at || at > t->line.v[p.line] + line.n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, line;
	struct str bytes = fuzz_split(&rest);
	struct sbuf whole = {0}, cut = {0}, uri = {0};
	struct lsp_text t = {.text = {0}};
	struct arena *a = arena_create();
	feed(&whole, bytes, bytes.n + 1);
	feed(&cut, bytes, 1 + size % 7);
	REQUIRE(str_eq(sbuf_str(&whole), sbuf_str(&cut)));
	lsp_text_set(&t, STR(""));
	for (int i = 0; i < 50 && str_line(&rest, &line); i++) {
		struct lsp_position begin = {take_number(&line), take_number(&line)};
		struct lsp_position end = {take_number(&line), take_number(&line)};
		enum lsp_units units = i % 2 ? LSP_UTF8 : LSP_UTF16;
		const char *path = lsp_uri_path(a, line);
		lsp_text_change(&t, begin, end, line, units);
		if (path) {
			sbuf_reset(&uri);
			lsp_uri_add(&uri, path);
			REQUIRE(str_is(str_of(path), lsp_uri_path(a, sbuf_str(&uri))));
		}
	}
	check_places(&t, LSP_UTF8);
	check_places(&t, LSP_UTF16);
	lsp_text_release(&t);
	sbuf_release(&whole);
	sbuf_release(&cut);
	sbuf_release(&uri);
	arena_free(a);
	return 0;
}
