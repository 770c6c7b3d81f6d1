#pragma once
/*
 * Diagnostics as bytes, from the process that parsed to the one that prints. Texts of files do not
 * travel: who unpacks looks them up by path. Both ends are the same program, so the bytes have no
 * version. In parts of a run they come from elsewhere, so nothing in them is taken on trust.
 */
#include <stdbool.h>
#include "rule/diag.h"

/* What lint has to say of one unit. */
struct wire_unit {
	struct diag_list found;
	ARRAY(const char *) files; /* of the user, that were looked at: paths as in places */
	ARRAY(const char *) read;  /* absolute, all that the unit was read from; for --stamp */
};

void wire_pack(struct sbuf *out, const struct wire_unit *u);
/* Strings live in a. False when the bytes are not of wire_pack, or not what a finding may have: a
 * level, a rule that there is, names without NUL, places that do not end before they begin. out
 * has to be released in both cases. */
bool wire_unpack(struct wire_unit *out, struct arena *a, struct str bytes);
void wire_release(struct wire_unit *u);
