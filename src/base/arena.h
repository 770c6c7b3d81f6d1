#pragma once
/*
 * Arenas: memory with one stated life. Everything allocated from an arena dies with it; single
 * objects are never freed. One arena lives per translation unit, one per run. Out of memory ends
 * the program (die), so no caller checks for NULL.
 */
#include <stdarg.h>
#include <stddef.h>
#include "base/str.h"

struct arena;

struct arena *arena_create(void);
void arena_free(struct arena *a); /* NULL is allowed */

/* Zeroed memory, aligned for any type of this size. size 0 gives a valid, unique pointer. */
void *arena_alloc(struct arena *a, size_t size);
/* n elements of size bytes each; die on overflow. */
void *arena_calloc(struct arena *a, size_t n, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A copy of a text, with a NUL after it. */
struct str arena_str(struct arena *a, struct str s);
/* The text of b, moved to the arena; b is released. */
struct str sbuf_finish(struct sbuf *b, struct arena *a);
void *arena_memdup(struct arena *a, const void *p, size_t size);
/* Empties it, and keeps at most one block of memory for what comes next. */
void arena_clear(struct arena *a);
/* Bytes handed out so far. */
size_t arena_used(const struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_calloc((a), (n), sizeof(type)))
