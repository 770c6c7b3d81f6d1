#include "cc/choice.h"

void cc_choice_pack(struct sbuf *out, const struct cc_choice *r)
{
	for (size_t i = 0; i < CC_FIELDS; i++) {
		sbuf_add_sized(out, r->field[i]);
	}
}

bool cc_choice_unpack(struct cc_choice *out, struct str bytes)
{
	bool whole = true;

	for (size_t i = 0; i < CC_FIELDS; i++) {
		whole = str_sized(&out->field[i], &bytes) && whole;
	}
	return whole && bytes.n == 0;
}
