#ifndef UNPHI_REPORT_WIRE_H
#define UNPHI_REPORT_WIRE_H
/*
 * Diagnostics as bytes, from the process that parsed to the one that prints. Texts of files do not
 * travel: who unpacks looks them up by path. Both ends are the same program, so the bytes have no
 * version.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "rule/diag.h"

void wire_pack(struct sbuf *out, const struct diag_list *l);
/* Appends to out; strings live in a. BUG when the bytes are not of wire_pack. */
void wire_unpack(struct diag_list *out, struct arena *a, struct str bytes);
#endif
