#pragma once
/*
 * A body in a few bytes a node: how trees wait while libclang's own memory is still there. For the
 * process that packed it only: texts are pointers, and have to outlive the packed form.
 */
#include "kernel/kernel.h"

/* Appends body, which need not be linked. */
void kt_pack(struct sbuf *out, const struct kt_node *body);
/* The body in a, linked. What it reads is what kt_pack wrote, whole. */
struct kt_node *kt_unpack(struct arena *a, struct str packed);
