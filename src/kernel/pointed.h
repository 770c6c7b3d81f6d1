#pragma once
/*
 * Calls through constant pointers to functions.
 *
 *   constexpr step_t step = get_step<T>();
 *   step(acc, a, b);
 *
 * Where the value of such a variable is certain, the call gets that function, and what names the
 * variable becomes its last child, after the arguments: no parameter of the function's. All other
 * calls through pointers stay code that is not known.
 */
#include "kernel/kernel.h"

/* Once, when all bodies are there. */
void pointed_find(struct kt_unit *u);
