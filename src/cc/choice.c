#include "cc/choice.h"

/* The lengths in a line, then the texts. */

void cc_choice_pack(struct sbuf *out, const struct cc_choice *r)
{
	for (size_t i = 0; i < CC_FIELDS; i++) {
		sbuf_addf(out, "%zu%c", r->field[i].n, i + 1 < CC_FIELDS ? ' ' : '\n');
	}
	for (size_t i = 0; i < CC_FIELDS; i++) {
		sbuf_addstr(out, r->field[i]);
	}
}

bool cc_choice_unpack(struct cc_choice *out, struct str bytes)
{
	struct str lengths, word;
	size_t at = 0;

	*out = (struct cc_choice){0};
	if (!str_line(&bytes, &lengths)) {
		return false;
	}
	for (size_t i = 0; i < CC_FIELDS; i++) {
		int64_t n;
		if (!str_split(&lengths, ' ', &word) || !str_to_i64(word, &n) || n < 0 ||
			(uint64_t)n > bytes.n - at) {
			return false;
		}
		out->field[i] = str_sub(bytes, at, at + (size_t)n);
		at += (size_t)n;
	}
	return at == bytes.n;
}
