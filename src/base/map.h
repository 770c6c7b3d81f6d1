#pragma once
/*
 * Hash map from byte strings (or 64-bit integers) to a pointer-sized value. Keys are copied.
 * A zeroed map is a valid empty one; map_release frees it. Iteration order is insertion order.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

struct map_entry {
	struct str key;
	uintptr_t value;
};

struct map {
	struct map_entry *entry; /* insertion order; n of them */
	size_t n;
	size_t cap;
	uint32_t *slot; /* 1 + index into entry, 0 = free */
	size_t slots;
};

/* Value for key, or dflt. */
uintptr_t map_get(const struct map *m, struct str key, uintptr_t dflt);
bool map_has(const struct map *m, struct str key);
/* Do the two share a key? */
bool map_meets(const struct map *x, const struct map *y);
/* Sets (replaces) the value; returns true when the key was new. */
bool map_set(struct map *m, struct str key, uintptr_t value);
uintptr_t map_get_u64(const struct map *m, uint64_t key, uintptr_t dflt);
bool map_set_u64(struct map *m, uint64_t key, uintptr_t value);
void map_release(struct map *m);

/* A map from addresses or ids, for many of them: 16 bytes an entry, no order. Keys are not 0. A
 * zeroed one is empty; ids_release frees it. */
struct ids {
	struct ids_entry *entry; /* key 0: free */
	size_t n;
	size_t cap; /* a power of two, or 0 */
};

uintptr_t ids_get(const struct ids *m, uintptr_t key, uintptr_t dflt);
/* Sets (replaces) the value; returns true when the key was new. */
bool ids_set(struct ids *m, uintptr_t key, uintptr_t value);
void ids_release(struct ids *m);
