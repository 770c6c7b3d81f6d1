#pragma once
/* A linked code object in memory. */
#include "measure/object.h"

/*
 * Sets code's pieces, in a: the sections of the ELF file that hold data, relocated. Adds what -S
 * says of target and descriptors to the text. FAIL_INPUT after a message that names shown: it is
 * not linked, or wants what is not in it.
 */
int object_load(struct object_code *code, struct sbuf *text, struct arena *a, const char *elf,
	const char *target, const char *shown);
