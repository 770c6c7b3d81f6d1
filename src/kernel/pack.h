#pragma once
/*
 * A body in a few bytes for each node, to save memory while libclang still holds its own. Only for
 * the process that packed it: texts are pointers, and must outlive the packed form.
 */
#include "kernel/kernel.h"

/* Appends body, which need not be linked. */
void kt_pack(struct sbuf *out, const struct kt_node *body);
/* The body, in a and linked. Requires all bytes of one kt_pack. */
struct kt_node *kt_unpack(struct arena *a, struct str packed);
