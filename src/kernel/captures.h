#pragma once
/* Captures by copy that always equal their variable. */
#include "kernel/kernel.h"

/* Replaces such members in the bodies of lambdas by references to the variable. */
void captures_to_variables(struct kt_unit *u);
