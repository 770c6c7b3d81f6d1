#pragma once
/* Captures whose copy is always equal to the variable: of one that nothing changes. */
#include "kernel/kernel.h"

/* In the bodies of lambdas, members that are such a copy become references to the variable. */
void captures_to_variables(struct kt_unit *u);
