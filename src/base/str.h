#pragma once
/*
 * struct str: a view of bytes somebody else owns (not NUL-terminated).
 * struct sbuf: a growing buffer, always NUL-terminated once anything was added; release with
 * sbuf_release. A zeroed sbuf is a valid empty one.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){"" lit, sizeof(lit) - 1})
#define STR_ARG(s) (int)(s).n, (s).p /* for "%.*s" */

struct str str_of(const char *s); /* NULL gives the empty view */
/* Bytes [from, to), both clamped to the view. */
struct str str_sub(struct str s, size_t from, size_t to);
bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *b);
bool str_is_any(struct str a, const char *const *of); /* NULL-terminated, or NULL */
int str_cmp(struct str a, struct str b);
int text_cmp(const char *a, const char *b); /* strcmp, with NULL before every text */
bool str_starts(struct str s, const char *prefix);
bool str_starts_any(struct str s, const char *const *with); /* NULL-terminated, or NULL */
bool str_ends(struct str s, const char *suffix);
/* Offset of the first occurrence at or after from, or SIZE_MAX. */
size_t str_find(struct str s, const char *needle, size_t from);
bool str_holds(struct str s, struct str piece);
struct str str_trim(struct str s); /* ASCII white space off both ends */
/* Takes the next piece of *rest up to (not including) sep; false when *rest was exhausted. sep ends
 * a piece: "a,,b," has the pieces "a", "", "b". */
bool str_split(struct str *rest, char sep, struct str *piece);
/* Takes the next line without its \n or \r\n; false at the end. */
bool str_line(struct str *rest, struct str *line);
/* Takes the next line with its line end, where it has one; empty at the end. */
struct str str_whole_line(struct str *rest);
/* Takes what sbuf_add_sized wrote; false, and *out empty, if it is not there whole. */
bool str_sized(struct str *out, struct str *rest);
/* Decimal or 0x integer, with an optional sign, filling the whole view; false (and *out untouched)
 * otherwise. */
bool str_to_i64(struct str s, int64_t *out);
/* FNV-1a, 64 bits; seed 0 starts a new hash, else continues one. */
uint64_t str_hash(struct str s, uint64_t seed);
/* Levenshtein distance in bytes, for "did you mean": insertions, deletions, replacements. */
size_t str_distance(struct str a, struct str b);

struct sbuf {
	char *p;
	size_t n;
	size_t cap;
};

void sbuf_add(struct sbuf *b, const void *p, size_t n);
void sbuf_addc(struct sbuf *b, char c);
void sbuf_adds(struct sbuf *b, const char *s);
void sbuf_addstr(struct sbuf *b, struct str s);
/* The length on a line, then the text: str_sized reads a sequence of these back. */
void sbuf_add_sized(struct sbuf *b, struct str s);
void sbuf_addf(struct sbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sbuf_vaddf(struct sbuf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* A byte as strings of JSON and YAML have it: quotes, backslashes and control characters are
 * escaped. */
void sbuf_add_escaped(struct sbuf *b, char c);
/* A whole text, escaped so, between quotation marks. */
void sbuf_add_quoted(struct sbuf *b, struct str text);
/* One word of a shell command, in single quotes. */
void sbuf_add_shell(struct sbuf *b, struct str word);
/* text with each old replaced by new; old is not empty. */
void sbuf_add_replaced(struct sbuf *b, struct str text, const char *old, const char *new);
/* The length of the valid UTF-8 sequence at the start of s; 0: none. */
size_t str_utf8(struct str s);
/* Text for people, with terminal control and bidirectional characters spelled out. Control
 * characters become "\x1b", also those of C1 as bytes that are not valid UTF-8; characters that
 * change the direction of text or end a line become "<U+202E>", as clang shows them. Characters in
 * keep are not changed. */
void sbuf_add_visible(struct sbuf *b, struct str text, const char *keep);
/* The same for each argument of fmt, so that no file name can begin a line. Line ends and tabs stay
 * in fmt itself and in the argument of "%-s", a text that unphi wrote. */
void sbuf_addf_visible(struct sbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sbuf_vaddf_visible(struct sbuf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
void sbuf_reset(struct sbuf *b); /* empty, keeps the memory */
void sbuf_release(struct sbuf *b);
struct str sbuf_str(const struct sbuf *b);
/* The text as a C string: never NULL, owned by b. */
const char *sbuf_cstr(struct sbuf *b);
