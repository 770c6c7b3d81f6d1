#pragma once
/*
 * Typed growing arrays on the heap: ARRAY(int) xs = {0}; array_push(&xs, 3); xs.v[0]; xs.n;
 * array_release(&xs). A zeroed array is a valid empty one. array_to_arena copies the elements to
 * an arena (for trees that outlive the array), array_move then releases the array.
 */
#include <stddef.h>
#include "base/arena.h"

#define ARRAY(type)                                                                                \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t n;                                                                          \
		size_t cap;                                                                        \
	}

#define array_push(a, ...)                                                                         \
	((a)->v = array_grow((a)->v, sizeof(*(a)->v), (a)->n, &(a)->cap),                          \
		(void)((a)->v[(a)->n++] = (__VA_ARGS__)))
#define array_release(a) (array_free((a)->v), (a)->v = NULL, (a)->n = 0, (void)((a)->cap = 0))
#define array_to_arena(arena, a) arena_memdup((arena), (a)->v, (a)->n * sizeof(*(a)->v))
/* for (each pointer to an element); NULL + 0 would be undefined in C. __typeof__, as the stars of a
 * pointer type would belong to the first variable only. */
#define array_each(a, type, it)                                                                    \
	for (__typeof__(type) *it = (a)->v, *it##_end = (a)->v ? (a)->v + (a)->n : NULL;           \
		it != it##_end; ++it)

/* The same for n elements that v points to. */
#define span_each(v, n, type, it)                                                                  \
	for (__typeof__(type) *it = (v), *it##_end = it ? it + (n) : NULL; it != it##_end; ++it)

void *array_grow(void *v, size_t elem, size_t n, size_t *cap);
void array_free(void *v);

/* Hands the elements over to an arena: to points to them there, and count is their number. The
 * array is empty after that. */
#define array_move(to, count, arena, a)                                                            \
	((to) = array_to_arena(arena, a), (count) = (a)->n, array_release(a))
/* qsort of n elements, also for n = 0; the caller includes stdlib.h. */
#define span_sort(v, n, by) ((n) ? qsort((v), (n), sizeof(*(v)), (by)) : (void)0)
#define array_sort(a, by) span_sort((a)->v, (a)->n, by)
