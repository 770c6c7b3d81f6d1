#pragma once
/* The checksum of what is kept: of any length, at the speed of memory, and different for certain
 * where one word of eight bytes is. It is no defence against who wants two texts with one sum. */
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct sum {
	uint64_t v[2];
};

struct sum sum_of(struct str text);
/* The same of an open file. */
bool sum_of_file(struct sum *out, int fd);
