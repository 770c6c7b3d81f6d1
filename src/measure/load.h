#pragma once
/* A linked code object in memory. */
#include "measure/object.h"

/*
 * Sets code's pieces, in a: the data sections of the ELF file, relocated. Appends the directives
 * that -S writes for target and kernel descriptors to text. FAIL_INPUT after a message that names
 * shown: it is not linked, or needs an undefined symbol.
 */
int object_load(struct object_code *code, struct sbuf *text, struct arena *a, const char *elf,
	const char *target, const char *shown);
