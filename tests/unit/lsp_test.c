/* lsp: messages out of bytes however they are cut, positions in UTF-8 and UTF-16, and URIs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lsp/frame.h"
#include "lsp/text.h"
#include "lsp/uri.h"

/* Feeds the bytes in pieces of n, and says what comes out: "body|" for each, "!why|" for what is
 * wrong. */
static void feed(struct sbuf *out, struct str bytes, size_t n)
{
	struct lsp_frames f = {{0}, .at = 0};
	struct str body;
	const char *why;

	for (size_t at = 0; at < bytes.n; at += n) {
		struct str piece = str_sub(bytes, at, at + n);
		enum lsp_frame got;
		lsp_frames_add(&f, piece.p, piece.n);
		while ((got = lsp_frames_next(&f, &body, &why)) != LSP_FRAME_NONE) {
			if (got == LSP_FRAME_BODY) {
				sbuf_addstr(out, body);
			} else {
				sbuf_addf(out, "!%.12s", why);
			}
			sbuf_addc(out, '|');
		}
	}
	lsp_frames_release(&f);
}

static void test_frames(void **state)
{
	static const struct {
		const char *bytes;
		const char *out;
	} cases[] = {
		{"Content-Length: 2\r\n\r\n{}", "{}|"},
		{"content-length:2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}", "{}|"},
		{"Content-Length: 1\n\naContent-Length: 0\r\n\r\nContent-Length: 2\r\n\r\nbc",
			"a||bc|"},
		{"Content-Length: 3\r\n\r\n{}", ""},
		{"Content-Length: -1\r\n\r\n{}Content-Length: 2\r\n\r\n{}", "!Content-Leng|{}|"},
		{"Content-Length: 0x2\r\n\r\n\nContent-Length: 2\r\n\r\n{}", "!Content-Leng|{}|"},
		{"Content-Length: 99999999999999999999\r\n\r\nContent-Length: 1\r\n\r\nx",
			"!Content-Leng|x|"},
		{"\r\nContent-Length: 1\r\n\r\nx", "!a message he|x|"},
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\nContent-Length: 1\r\n\r\nx", "!a message he|x|"},
		{"Content-Len: 1\r\n\r\nx\nContent-Length: 1\r\n\r\nx", "!a message he|x|"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t n = 1; n < 100; n += n < 8 ? 1 : 91) {
			struct sbuf out = {0};
			feed(&out, str_of(cases[i].bytes), n);
			if (strcmp(sbuf_cstr(&out), cases[i].out) != 0) {
				fail_msg("in pieces of %zu: '%s' gave '%s'", n, cases[i].bytes,
					sbuf_cstr(&out));
			}
			sbuf_release(&out);
		}
	}
}

/* One that is too long is skipped to its end, whatever it holds; and no header ends at last. */
static void test_large_frames(void **state)
{
	struct sbuf bytes = {0}, out = {0};

	(void)state;
	sbuf_addf(&bytes, "Content-Length: %d\r\n\r\n", LSP_BODY_MAX + 1);
	while (bytes.n < LSP_BODY_MAX + 64u) {
		sbuf_adds(&bytes, "\nContent-Length: 1\r\n\r\nx");
	}
	bytes.n = (size_t)(strstr(bytes.p, "\r\n\r\n") + 4 - bytes.p) + LSP_BODY_MAX + 1;
	sbuf_adds(&bytes, "Content-Length: 2\r\n\r\n{}");
	feed(&out, sbuf_str(&bytes), 1 << 16);
	assert_string_equal(sbuf_cstr(&out), "!a message is|{}|");
	sbuf_reset(&bytes);
	sbuf_reset(&out);
	while (bytes.n < 3 * LSP_HEADER_MAX) {
		sbuf_adds(&bytes, "X: y\r\n");
	}
	sbuf_adds(&bytes, "\nContent-Length: 2\r\n\r\n{}");
	feed(&out, sbuf_str(&bytes), 1000);
	assert_string_equal(sbuf_cstr(&out), "!a message do|{}|");
	sbuf_release(&bytes);
	sbuf_release(&out);
}

static void test_positions(void **state)
{
	/* a, e acute (2 bytes, 1 unit), b, a face (4 bytes, 2 units), c */
	static const char text[] = "one\r\na\xc3\xa9"
				   "b\xf0\x9f\x98\x80"
				   "c\rlast\n";
	static const struct {
		size_t offset, line, utf16, utf8;
	} cases[] = {{0, 0, 0, 0}, {3, 0, 3, 3}, {5, 1, 0, 0}, {6, 1, 1, 1}, {8, 1, 2, 3},
		{9, 1, 3, 4}, {13, 1, 5, 8}, {14, 1, 6, 9}, {15, 2, 0, 0}, {19, 2, 4, 4},
		{20, 3, 0, 0}};
	struct lsp_text t = {{0}, {0}};

	(void)state;
	lsp_text_set(&t, str_of(text));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lsp_position p16 = lsp_position(&t, cases[i].offset, LSP_UTF16);
		struct lsp_position p8 = lsp_position(&t, cases[i].offset, LSP_UTF8);
		assert_int_equal(p16.line, cases[i].line);
		assert_int_equal(p16.character, cases[i].utf16);
		assert_int_equal(p8.line, cases[i].line);
		assert_int_equal(p8.character, cases[i].utf8);
		assert_int_equal(lsp_offset(&t, p16, LSP_UTF16), cases[i].offset);
		assert_int_equal(lsp_offset(&t, p8, LSP_UTF8), cases[i].offset);
	}
	/* past a line's end, past the text's, and inside of a pair of units */
	assert_int_equal(lsp_offset(&t, (struct lsp_position){0, 99}, LSP_UTF16), 3);
	assert_int_equal(lsp_offset(&t, (struct lsp_position){99, 0}, LSP_UTF16), 20);
	assert_int_equal(lsp_offset(&t, (struct lsp_position){SIZE_MAX, SIZE_MAX}, LSP_UTF8), 20);
	assert_int_equal(lsp_offset(&t, (struct lsp_position){1, 4}, LSP_UTF16), 13);
	assert_true(str_is(lsp_line(&t, 1), "a\xc3\xa9"
					    "b\xf0\x9f\x98\x80"
					    "c"));
	assert_int_equal(lsp_line(&t, 3).n, 0);
	assert_int_equal(lsp_line(&t, 9).n, 0);
	lsp_text_release(&t);
}

static void test_changes(void **state)
{
	struct lsp_text t = {{0}, {0}};
	struct lsp_position begin = {1, 1}, end = {2, 0};

	(void)state;
	lsp_text_set(&t, STR("ab\ncd\nef"));
	assert_true(lsp_text_change(&t, begin, end, STR("X\nY"), LSP_UTF16));
	assert_true(str_is(sbuf_str(&t.text), "ab\ncX\nYef"));
	assert_int_equal(lsp_position(&t, 6, LSP_UTF16).line, 2);
	assert_false(lsp_text_change(&t, end, begin, STR("no"), LSP_UTF16));
	assert_true(str_is(sbuf_str(&t.text), "ab\ncX\nYef"));
	end = (struct lsp_position){99, 0};
	begin = (struct lsp_position){0, 0};
	assert_true(lsp_text_change(&t, begin, end, STR(""), LSP_UTF8));
	assert_int_equal(t.text.n, 0);
	assert_int_equal(t.line.n, 1);
	lsp_text_release(&t);
}

static void test_uris(void **state)
{
	static const struct {
		const char *uri;
		const char *path;
	} cases[] = {{"file:///a/b.hip", "/a/b.hip"},
		{"file:///a%20b/%C3%A9.hip", "/a b/\xc3\xa9.hip"}, {"file://localhost/a", "/a"},
		{"file:///", "/"}, {"file:///a%", NULL}, {"file:///a%2", NULL},
		{"file:///a%zz", NULL}, {"file:///a%00b", NULL}, {"file:///a?b", NULL},
		{"file:///a#b", NULL}, {"file://host/a", NULL}, {"file:a", NULL},
		{"untitled:Untitled-1", NULL}, {"http://x/a", NULL}, {"", NULL}, {"/a", NULL}};
	struct arena *a = arena_create();
	struct sbuf uri = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = lsp_uri_path(a, str_of(cases[i].uri));
		assert_true((path == NULL) == (cases[i].path == NULL));
		assert_true(!path || strcmp(path, cases[i].path) == 0);
	}
	lsp_uri_add(&uri, "/a b/\xc3\xa9%?#.hip");
	assert_string_equal(sbuf_cstr(&uri), "file:///a%20b/%C3%A9%25%3F%23.hip");
	assert_string_equal(lsp_uri_path(a, sbuf_str(&uri)), "/a b/\xc3\xa9%?#.hip");
	sbuf_release(&uri);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_large_frames),
		cmocka_unit_test(test_positions),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_uris),
	};
	return cmocka_run_group_tests_name("lsp", tests, NULL, NULL);
}
