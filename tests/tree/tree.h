#pragma once
/* Kernel trees as text, for tests: by hand, compared, mutated. */
#include "kernel/kernel.h"

/* The text form: one s-expression (print.c describes it). kt_read reads back what kt_print wrote,
 * and what it reads passes kt_check; FAIL_INPUT after a message with line and column. file is the
 * text's name there. The unit lives in a. Texts of system files are not printed. */
void kt_print(struct sbuf *out, const struct kt_unit *u);
int kt_read(struct kt_unit **out, struct arena *a, struct str text, const char *file);
