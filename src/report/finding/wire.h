#pragma once
/*
 * Diagnostics as bytes, from the process that parses to the one that prints. They contain no texts
 * of files: the receiver looks them up by path. Both ends are the same program, so the bytes have
 * no version. In parts of a run they come from other machines, so everything in them is checked.
 */
#include <stdbool.h>
#include "rule/diag.h"

/* The findings of one unit. */
struct wire_unit {
	struct diag_list found;
	ARRAY(const char *) files; /* the user's files that were checked: paths as in places */
	ARRAY(const char *) read;  /* absolute names of all files that the unit read; for --stamp */
};

void wire_pack(struct sbuf *out, const struct wire_unit *u);
/* Strings live in a. False when the bytes are not of wire_pack, or not what a finding may have: a
 * level, a rule that there is, names without NUL, places that do not end before they begin. out
 * has to be released in both cases. */
bool wire_unpack(struct wire_unit *out, struct arena *a, struct str bytes);
void wire_release(struct wire_unit *u);
