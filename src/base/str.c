#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/msg.h"

struct str str_of(const char *s)
{
	return s ? (struct str){s, strlen(s)} : (struct str){"", 0};
}

struct str str_sub(struct str s, size_t from, size_t to)
{
	if (to > s.n) {
		to = s.n;
	}
	if (from > to) {
		from = to;
	}
	/* s.p may be NULL in an empty view; NULL + 0 is undefined in C. */
	return (struct str){from > 0 ? s.p + from : s.p, to - from};
}

bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_is(struct str a, const char *b)
{
	return str_eq(a, str_of(b));
}

bool str_is_any(struct str a, const char *const *of)
{
	while (of && *of && !str_is(a, *of)) {
		of++;
	}
	return of && *of;
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n > 0 ? memcmp(a.p, b.p, n) : 0;

	if (c != 0) {
		return c;
	}
	return (a.n > b.n) - (a.n < b.n);
}

int text_cmp(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

bool str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && str_is(str_sub(s, 0, n), prefix);
}

bool str_starts_any(struct str s, const char *const *with)
{
	for (; with && *with; with++) {
		if (str_starts(s, *with)) {
			return true;
		}
	}
	return false;
}

bool str_ends(struct str s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.n >= n && str_is(str_sub(s, s.n - n, s.n), suffix);
}

size_t str_find(struct str s, const char *needle, size_t from)
{
	size_t n = strlen(needle);

	if (from > s.n) {
		return SIZE_MAX;
	}
	if (n == 0) {
		return from;
	}
	if (s.n == from) {
		return SIZE_MAX;
	}
	const char *hit = memmem(s.p + from, s.n - from, needle, n);
	return hit ? (size_t)(hit - s.p) : SIZE_MAX;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool str_holds(struct str s, struct str piece)
{
	return piece.n == 0 || (s.n >= piece.n && memmem(s.p, s.n, piece.p, piece.n) != NULL);
}

struct str str_trim(struct str s)
{
	size_t from = 0, to = s.n;

	while (from < to && is_space(s.p[from])) {
		from++;
	}
	while (to > from && is_space(s.p[to - 1])) {
		to--;
	}
	return str_sub(s, from, to);
}

bool str_split(struct str *rest, char sep, struct str *piece)
{
	if (rest->n == 0) {
		return false;
	}
	const char *hit = memchr(rest->p, sep, rest->n);
	size_t n = hit ? (size_t)(hit - rest->p) : rest->n;
	*piece = str_sub(*rest, 0, n);
	*rest = str_sub(*rest, hit ? n + 1 : n, rest->n);
	return true;
}

bool str_line(struct str *rest, struct str *line)
{
	if (!str_split(rest, '\n', line)) {
		return false;
	}
	if (str_ends(*line, "\r")) {
		line->n--;
	}
	return true;
}

struct str str_whole_line(struct str *rest)
{
	size_t end = str_find(*rest, "\n", 0);
	struct str line = str_sub(*rest, 0, end == SIZE_MAX ? rest->n : end + 1);

	*rest = str_sub(*rest, line.n, rest->n);
	return line;
}

bool str_sized(struct str *out, struct str *rest)
{
	struct str line, after = *rest;
	size_t end = str_find(after, "\n", 0);
	int64_t n = 0;

	*out = STR("");
	if (end == SIZE_MAX || !str_line(&after, &line) || !str_to_i64(line, &n) || n < 0 ||
		(uint64_t)n > after.n) {
		return false;
	}
	*out = str_sub(after, 0, (size_t)n);
	*rest = str_sub(after, (size_t)n, after.n);
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	if (c >= 'a' && c <= 'f') {
		return c - 'a' + 10;
	}
	if (c >= 'A' && c <= 'F') {
		return c - 'A' + 10;
	}
	return 16;
}

bool str_to_i64(struct str s, int64_t *out)
{
	bool negative = str_starts(s, "-");
	int64_t base = 10, value = 0;

	if (negative || str_starts(s, "+")) {
		s = str_sub(s, 1, s.n);
	}
	if (str_starts(s, "0x") || str_starts(s, "0X")) {
		base = 16;
		s = str_sub(s, 2, s.n);
	}
	if (s.n == 0) {
		return false;
	}
	for (size_t i = 0; i < s.n; i++) {
		int64_t digit = digit_value(s.p[i]);

		/* Built downwards for a minus sign, so that INT64_MIN is read too. */
		if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
			__builtin_add_overflow(value, negative ? -digit : digit, &value)) {
			return false;
		}
	}
	*out = value;
	return true;
}

uint64_t str_hash(struct str s, uint64_t seed)
{
	uint64_t h = seed != 0 ? seed : UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < s.n; i++) {
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	}
	return h;
}

size_t str_distance(struct str a, struct str b)
{
	/* row[k]: distance of the part of a seen so far to the first k bytes of b. */
	size_t *row = mem_zeroed(b.n + 1, sizeof(*row));

	for (size_t k = 0; k <= b.n; k++) {
		row[k] = k;
	}
	for (size_t i = 0; i < a.n; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < b.n; k++) {
			size_t best = diagonal + (a.p[i] != b.p[k]);

			diagonal = row[k + 1];
			best = best < diagonal + 1 ? best : diagonal + 1;
			row[k + 1] = best < row[k] + 1 ? best : row[k] + 1;
		}
	}
	size_t result = row[b.n];
	free(row);
	return result;
}

/* Reserves n more bytes and the final NUL. */
static void sbuf_reserve(struct sbuf *b, size_t n)
{
	if (n > SIZE_MAX - b->n - 1) {
		die("out of memory");
	}
	if (b->n + n + 1 > b->cap) {
		b->cap = mem_grow_cap(b->cap, b->n + n + 1);
		b->p = mem_resize(b->p, b->cap, 1);
	}
}

void sbuf_add(struct sbuf *b, const void *p, size_t n)
{
	sbuf_reserve(b, n);
	if (n > 0) {
		memcpy(b->p + b->n, p, n);
	}
	b->n += n;
	b->p[b->n] = '\0';
}

void sbuf_addc(struct sbuf *b, char c)
{
	if (b->n + 1 >= b->cap) {
		sbuf_reserve(b, 1);
	}
	b->p[b->n++] = c;
	b->p[b->n] = '\0';
}

void sbuf_adds(struct sbuf *b, const char *s)
{
	sbuf_add(b, s, strlen(s));
}

void sbuf_addstr(struct sbuf *b, struct str s)
{
	sbuf_add(b, s.p, s.n);
}

void sbuf_add_sized(struct sbuf *b, struct str s)
{
	sbuf_addf(b, "%zu\n", s.n);
	sbuf_addstr(b, s);
}

void sbuf_vaddf(struct sbuf *b, const char *fmt, va_list ap)
{
	va_list again;

	/* usually enough, so that it is formatted once */
	sbuf_reserve(b, 64);
	size_t room = b->cap - b->n;
	va_copy(again, ap);
	int n = vsnprintf(b->p + b->n, room, fmt, again);
	va_end(again);
	if (n < 0) {
		BUG("sbuf_addf cannot format \"%s\"", fmt);
	}
	if ((size_t)n >= room) {
		sbuf_reserve(b, (size_t)n);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	}
	b->n += (size_t)n;
}

void sbuf_addf(struct sbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sbuf_vaddf(b, fmt, ap);
	va_end(ap);
}

void sbuf_add_escaped(struct sbuf *b, char c)
{
	static const char named[] = "\"\\\n\r\t", letter[] = "\"\\nrt";
	const char *at = c ? strchr(named, c) : NULL;

	if (at) {
		sbuf_addf(b, "\\%c", letter[at - named]);
	} else if ((unsigned char)c < ' ' || c == 127) {
		sbuf_addf(b, "\\u%04x", (unsigned)(unsigned char)c);
	} else {
		sbuf_addc(b, c);
	}
}

void sbuf_add_quoted(struct sbuf *b, struct str text)
{
	sbuf_addc(b, '"');
	for (size_t i = 0; i < text.n; i++) {
		sbuf_add_escaped(b, text.p[i]);
	}
	sbuf_addc(b, '"');
}

void sbuf_add_shell(struct sbuf *b, struct str word)
{
	sbuf_addc(b, '\'');
	sbuf_add_replaced(b, word, "'", "'\\''");
	sbuf_addc(b, '\'');
}

void sbuf_add_replaced(struct sbuf *b, struct str text, const char *old, const char *new)
{
	for (size_t at; (at = str_find(text, old, 0)) != SIZE_MAX;) {
		sbuf_addstr(b, str_sub(text, 0, at));
		sbuf_adds(b, new);
		text = str_sub(text, at + strlen(old), text.n);
	}
	sbuf_addstr(b, text);
}

void sbuf_reset(struct sbuf *b)
{
	b->n = 0;
	if (b->p) {
		b->p[0] = '\0';
	}
}

void sbuf_release(struct sbuf *b)
{
	free(b->p);
	*b = (struct sbuf){0};
}

struct str sbuf_str(const struct sbuf *b)
{
	return (struct str){b->p ? b->p : "", b->n};
}

const char *sbuf_cstr(struct sbuf *b)
{
	return b->p ? b->p : "";
}
