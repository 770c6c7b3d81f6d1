#pragma once
/*
 * Diagnostics as bytes, from the process that parses to the one that prints. The texts of files are
 * not among them: the receiver finds these by path. Both ends are the same program, so the bytes
 * have no version. In a part of a run they come from another machine, so the receiver checks
 * everything.
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
/* Strings live in a. False if wire_pack cannot have written the bytes: each finding has a level, a
 * known rule, names without NUL, and places that end at or after their start. Release out in both
 * cases. */
bool wire_unpack(struct wire_unit *out, struct arena *a, struct str bytes);
void wire_release(struct wire_unit *u);
