#pragma once
/* The checksum of cached content. It runs at memory speed, and a change of one 8-byte word always
 * changes it. It is not cryptographic: collisions can be made on purpose. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct sum {
	uint64_t v[2];
};

struct sum sum_of(struct str text);
/* The same for an open file; false on a read error. */
bool sum_of_file(struct sum *out, int fd);
