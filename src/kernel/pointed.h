#pragma once
/*
 * Calls through constant pointers to functions.
 *
 *   constexpr step_t step = get_step<T>();
 *   step(acc, a, b);
 *
 * If the value of such a variable is certain, the call gets that function. The name of the variable
 * becomes the call's last child, after the arguments, for no parameter. All other calls through
 * pointers stay unknown.
 */
#include "kernel/kernel.h"

/* Call it once, after all bodies are made. */
void pointed_find(struct kt_unit *u);
