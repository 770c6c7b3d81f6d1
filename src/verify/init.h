#ifndef UNPHI_VERIFY_INIT_H
#define UNPHI_VERIFY_INIT_H
/* A first spec from what the parse knows of the kernels. */
#include "kernel/kernel.h"

/* Appends YAML that spec_load reads: every kernel of the main file once, with sizes and values that
 * are guesses. False when there is none. */
bool spec_init(struct sbuf *out, const struct kt_unit *u, const char *shown);
#endif
