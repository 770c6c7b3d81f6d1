/* Text for people: names and messages of other programs must not control a terminal or a log. */
#include <stdio.h>
#include <string.h>

#include "base/msg.h"
#include "base/str.h"

size_t str_utf8(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t length;
	unsigned char low = 0x80, high = 0xbf; /* of the second byte */

	if (s.n == 0 || p[0] < 0x80) {
		return s.n > 0;
	}
	if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		length = 2;
	} else if ((p[0] & 0xf0) == 0xe0) {
		/* No overlong forms, no UTF-16 surrogates. */
		length = 3;
		low = p[0] == 0xe0 ? 0xa0 : low;
		high = p[0] == 0xed ? 0x9f : high;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		length = 4;
		low = p[0] == 0xf0 ? 0x90 : low;
		high = p[0] == 0xf4 ? 0x8f : high;
	} else {
		return 0;
	}
	if (s.n < length || p[1] < low || p[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	return length;
}

/* The code point of a three-byte sequence. */
static unsigned code_point(const char *p)
{
	return ((unsigned)p[0] & 0xf) << 12 | ((unsigned)p[1] & 0x3f) << 6 |
	       ((unsigned)p[2] & 0x3f);
}

/* Marks, embeddings, overrides and isolates of direction; the separators of lines and
 * paragraphs. */
static bool changes_reading(unsigned c)
{
	return c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Adds the character that text begins with, which has n bytes (0: one byte that is no UTF-8). */
static void add_character(struct sbuf *b, struct str text, size_t n)
{
	unsigned char c = (unsigned char)text.p[0];
	unsigned char second = n == 2 ? (unsigned char)text.p[1] : 0;

	if (c < ' ' || c == 127 || (n == 0 && c < 0xa0)) {
		sbuf_addf(b, "\\x%02x", (unsigned)c);
	} else if (c == 0xc2 && n == 2 && second < 0xa0) {
		sbuf_addf(b, "\\x%02x\\x%02x", (unsigned)c, (unsigned)second);
	} else if (n == 2 && c == 0xd8 && second == 0x9c) {
		sbuf_adds(b, "<U+061C>");
	} else if (n == 3 && changes_reading(code_point(text.p))) {
		sbuf_addf(b, "<U+%04X>", code_point(text.p));
	} else {
		sbuf_addstr(b, str_sub(text, 0, n ? n : 1));
	}
}

void sbuf_add_visible(struct sbuf *b, struct str text, const char *keep)
{
	while (text.n > 0) {
		size_t plain = 0;
		while (plain < text.n && text.p[plain] >= ' ' && text.p[plain] < 127) {
			plain++;
		}
		sbuf_addstr(b, str_sub(text, 0, plain));
		text = str_sub(text, plain, text.n);
		if (text.n == 0) {
			break;
		}
		size_t n = str_utf8(text);
		if (text.p[0] && strchr(keep, text.p[0])) {
			sbuf_addc(b, text.p[0]);
		} else {
			add_character(b, text, n);
		}
		text = str_sub(text, n ? n : 1, text.n);
	}
}

void sbuf_addf_visible(struct sbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sbuf_vaddf_visible(b, fmt, ap);
	va_end(ap);
}

/* ---- formats ---- */

struct conversion {
	char flags[8];
	int width, precision; /* -1: none */
	char length[4];	      /* "z", "ll" */
	char kind;
};

static int read_number(const char **p, va_list *ap)
{
	int n = 0;

	if (**p == '*') {
		++*p;
		return va_arg(*ap, int);
	}
	for (; **p >= '0' && **p <= '9'; ++*p) {
		n = n * 10 + (**p - '0');
	}
	return n;
}

static void read_all_of(char *out, size_t size, const char **p, const char *set)
{
	size_t n = strspn(*p, set);

	n = n < size ? n : size - 1;
	memcpy(out, *p, n);
	out[n] = '\0';
	*p += n;
}

/* p is just past the '%'; gives the end of the conversion. */
static const char *read_conversion(struct conversion *c, const char *p, va_list *ap)
{
	*c = (struct conversion){.width = -1, .precision = -1};
	read_all_of(c->flags, sizeof(c->flags), &p, "-+ #0");
	if (*p == '*' || (*p >= '1' && *p <= '9')) {
		c->width = read_number(&p, ap);
	}
	if (*p == '.') {
		p++;
		c->precision = read_number(&p, ap);
	}
	read_all_of(c->length, sizeof(c->length), &p, "hlzjt");
	c->kind = *p;
	return *p ? p + 1 : p;
}

static void add_text(struct sbuf *b, const struct conversion *c, const char *text)
{
	size_t n = c->precision < 0 ? strlen(text) : strnlen(text, (size_t)c->precision);
	bool left = strchr(c->flags, '-') != NULL;
	struct sbuf shown = {0};

	sbuf_add_visible(&shown, (struct str){text, n}, left && c->width < 0 ? "\n\t" : "");
	size_t pad = c->width > 0 && (size_t)c->width > shown.n ? (size_t)c->width - shown.n : 0;
	sbuf_addf(
		b, "%*s%s%*s", left ? 0 : (int)pad, "", sbuf_cstr(&shown), left ? (int)pad : 0, "");
	sbuf_release(&shown);
}

static void add_number(struct sbuf *b, const struct conversion *c, va_list *ap)
{
	char spec[32];
	int width = c->width < 0 ? 0 : c->width;

	snprintf(spec, sizeof(spec), "%%%s*.*%s%c", c->flags, c->length, c->kind);
	if (strchr("eEfFgGaA", c->kind)) {
		sbuf_addf(b, spec, width, c->precision, va_arg(*ap, double));
	} else if (strchr("diouxX", c->kind) && c->length[0] && c->length[0] != 'h') {
		sbuf_addf(b, spec, width, c->precision,
			va_arg(*ap, long long)); /* long long is as wide as long */
	} else if (strchr("diouxX", c->kind)) {
		sbuf_addf(b, spec, width, c->precision, va_arg(*ap, int));
	} else {
		BUG("no text for people has %%%c", c->kind);
	}
}

void sbuf_vaddf_visible(struct sbuf *b, const char *fmt, va_list ap)
{
	struct conversion c;
	va_list rest;

	va_copy(rest, ap);
	while (*fmt) {
		size_t plain = strcspn(fmt, "%");
		sbuf_add(b, fmt, plain);
		fmt += plain;
		if (!*fmt) {
			break;
		}
		fmt = read_conversion(&c, fmt + 1, &rest);
		if (c.kind == '%') {
			sbuf_addc(b, '%');
		} else if (c.kind == 'c') {
			const char one = (char)va_arg(rest, int);
			sbuf_add_visible(b, (struct str){&one, 1}, "");
		} else if (c.kind == 's') {
			const char *text = va_arg(rest, const char *);
			add_text(b, &c, text ? text : "(null)");
		} else {
			add_number(b, &c, &rest);
		}
	}
	va_end(rest);
}
