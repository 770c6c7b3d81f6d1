#pragma once
/* Heap memory for the containers of base. Out of memory ends the program, so callers do not
 * check. */
#include <stddef.h>

/* p grown (or NULL created) to n elements of size bytes; die on overflow or when out of memory. */
void *mem_resize(void *p, size_t n, size_t size);
/* The same, zeroed and always new. */
void *mem_zeroed(size_t n, size_t size);
/* The next capacity that holds need elements, at least doubling cap; die on overflow. */
size_t mem_grow_cap(size_t cap, size_t need);
