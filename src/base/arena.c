#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/msg.h"

enum {
	FIRST_BLOCK = 16 * 1024,
	LAST_BLOCK = 1024 * 1024,
	CLEAN_STEP = 1024,
	SMALL_TEXT = 256 /* bytes; shorter texts are formatted once */
};

struct block {
	struct block *next;
	size_t size; /* bytes in data */
	size_t used;
	size_t clean; /* bytes from the start that are zero if unused */
	alignas(max_align_t) unsigned char data[];
};

struct arena {
	struct block *head; /* the block that is being filled */
	size_t next_size;
	size_t used;
};

struct arena *arena_create(void)
{
	struct arena *a = mem_zeroed(1, sizeof(*a));

	a->next_size = FIRST_BLOCK;
	return a;
}

static void free_blocks(struct block *b)
{
	while (b) {
		struct block *next = b->next;

		free(b);
		b = next;
	}
}

void arena_free(struct arena *a)
{
	if (!a) {
		return;
	}
	free_blocks(a->head);
	free(a);
}

void arena_clear(struct arena *a)
{
	struct block *keep = a->head;

	if (!keep) {
		return;
	}
	free_blocks(keep->next);
	keep->next = NULL;
	keep->used = keep->clean = 0;
	a->used = 0;
}

static struct block *block_create(size_t size)
{
	if (size > SIZE_MAX - sizeof(struct block)) {
		die("out of memory");
	}
	struct block *b = mem_resize(NULL, sizeof(*b) + size, 1);
	*b = (struct block){.size = size};
	return b;
}

/* Zeroes the memory that it hands out, a little ahead; zeroing whole blocks costs time for parts
 * that are never used. */
static void *block_take(struct block *b, size_t size)
{
	void *p = b->data + b->used;

	b->used += size;
	if (b->used > b->clean) {
		size_t left = b->size - b->clean, more = b->used - b->clean;
		more = more > CLEAN_STEP ? more : CLEAN_STEP;
		more = more < left ? more : left;
		memset(b->data + b->clean, 0, more);
		b->clean += more;
	}
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t most = alignof(max_align_t), least = alignof(void *);

	if (size > SIZE_MAX - 2 * most) {
		die("out of memory");
	}
	size = size == 0 ? least : (size + least - 1) / least * least;
	if (a->head && size % most == 0) {
		/* the size of a type is a multiple of its alignment */
		size_t skip = a->head->used % most;
		size_t left = a->head->size - a->head->used;

		a->head->used += skip < left ? skip : left;
	}
	a->used += size;
	if (a->head && a->head->size - a->head->used >= size) {
		return block_take(a->head, size);
	}
	if (a->head && size > a->next_size / 4) {
		/* A block of its own, after the head, so that the head's free rest stays in use.
		 */
		struct block *own = block_create(size);

		own->next = a->head->next;
		a->head->next = own;
		return block_take(own, size);
	}
	struct block *b = block_create(size > a->next_size ? size : a->next_size);
	b->next = a->head;
	a->head = b;
	if (a->next_size < LAST_BLOCK) {
		a->next_size *= 2;
	}
	return block_take(b, size);
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(n, size, &total)) {
		die("out of memory");
	}
	return arena_alloc(a, total);
}

void *arena_memdup(struct arena *a, const void *p, size_t size)
{
	void *q = arena_alloc(a, size);

	if (size > 0) {
		memcpy(q, p, size);
	}
	return q;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *q = arena_alloc(a, n + 1);

	if (n > 0) {
		memcpy(q, s, n);
	}
	return q;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	char small[SMALL_TEXT];
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0) {
		BUG("arena_printf cannot format \"%s\"", fmt);
	}
	char *p = arena_alloc(a, (size_t)n + 1);
	if ((size_t)n < sizeof(small)) {
		memcpy(p, small, (size_t)n);
	} else {
		vsnprintf(p, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	return p;
}

size_t arena_used(const struct arena *a)
{
	return a->used;
}

struct str arena_str(struct arena *a, struct str s)
{
	return (struct str){arena_strndup(a, s.n ? s.p : "", s.n), s.n};
}

struct str sbuf_finish(struct sbuf *b, struct arena *a)
{
	struct str s = arena_str(a, sbuf_str(b));
	sbuf_release(b);
	return s;
}
