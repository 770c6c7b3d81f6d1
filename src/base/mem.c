#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/msg.h"

void *mem_resize(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n > 0 ? n : 1, size > 0 ? size : 1);

	if (!q) {
		die("out of memory");
	}
	return q;
}

void *mem_zeroed(size_t n, size_t size)
{
	void *p = calloc(n > 0 ? n : 1, size > 0 ? size : 1);

	if (!p) {
		die("out of memory");
	}
	return p;
}

size_t mem_grow_cap(size_t cap, size_t need)
{
	if (cap > SIZE_MAX / 2 || need > SIZE_MAX / 2) {
		die("out of memory");
	}
	size_t next = cap < 8 ? 8 : cap * 2;
	return next < need ? need : next;
}
