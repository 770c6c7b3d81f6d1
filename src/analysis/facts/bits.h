#pragma once
/* Sets of small numbers, as words of bits. Each analysis knows the length of its sets in words. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t *bits;

static inline bool bit_get(const uint64_t *b, size_t i)
{
	return b[i / 64] >> (i % 64) & 1;
}

static inline void bit_set(bits b, size_t i, bool on)
{
	uint64_t mask = UINT64_C(1) << (i % 64);
	b[i / 64] = on ? b[i / 64] | mask : b[i / 64] & ~mask;
}

/* Adds the bits of from. Returns true if to has grown. */
static inline bool bits_add(bits to, const uint64_t *from, size_t words)
{
	bool grew = false;
	for (size_t i = 0; i < words; i++) {
		grew |= (from[i] & ~to[i]) != 0;
		to[i] |= from[i];
	}
	return grew;
}
