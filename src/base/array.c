#include "base/array.h"

#include <stdlib.h>

#include "base/mem.h"

void *array_grow(void *v, size_t elem, size_t n, size_t *cap)
{
	if (n < *cap) {
		return v;
	}
	*cap = mem_grow_cap(*cap, n + 1);
	return mem_resize(v, *cap, elem);
}

void array_free(void *v)
{
	free(v);
}
