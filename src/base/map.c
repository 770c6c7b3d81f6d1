#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/msg.h"

/* Eight bytes at a time. The hash may change freely: neither order nor files depend on it. */
static uint64_t hash_of(struct str key)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t h = key.n * odd, word = 0;
	size_t i = 0;

	for (; i + sizeof(word) <= key.n; i += sizeof(word)) {
		memcpy(&word, key.p + i, sizeof(word));
		h = (h ^ word) * odd;
		h ^= h >> 29;
	}
	word = 0;
	for (; i < key.n; i++) {
		word = word << 8 | (unsigned char)key.p[i];
	}
	h = (h ^ word) * odd;
	return h ^ h >> 32;
}

/* The slot of key, or the free slot where it would go. Requires m->slots > 0, a power of two. */
static size_t slot_of(const struct map *m, struct str key)
{
	for (size_t i = (size_t)hash_of(key);; i++) {
		size_t at = i & (m->slots - 1);

		if (m->slot[at] == 0 || str_eq(m->entry[m->slot[at] - 1].key, key)) {
			return at;
		}
	}
}

static const struct map_entry *entry_of(const struct map *m, struct str key)
{
	if (m->slots == 0) {
		return NULL;
	}
	uint32_t index = m->slot[slot_of(m, key)];
	return index > 0 ? &m->entry[index - 1] : NULL;
}

/* Twice the slots; at most half of them are ever taken, so that probing stays short. */
static void grow_slots(struct map *m)
{
	free(m->slot);
	m->slots = m->slots > 0 ? m->slots * 2 : 16;
	m->slot = mem_zeroed(m->slots, sizeof(*m->slot));
	for (size_t i = 0; i < m->n; i++) {
		m->slot[slot_of(m, m->entry[i].key)] = (uint32_t)i + 1;
	}
}

uintptr_t map_get(const struct map *m, struct str key, uintptr_t dflt)
{
	const struct map_entry *e = entry_of(m, key);

	return e ? e->value : dflt;
}

bool map_has(const struct map *m, struct str key)
{
	return entry_of(m, key) != NULL;
}

bool map_meets(const struct map *x, const struct map *y)
{
	for (size_t i = 0; i < x->n; i++) {
		if (map_has(y, x->entry[i].key)) {
			return true;
		}
	}
	return false;
}

bool map_set(struct map *m, struct str key, uintptr_t value)
{
	if (m->n * 2 >= m->slots) {
		grow_slots(m);
	}
	size_t at = slot_of(m, key);
	if (m->slot[at] > 0) {
		m->entry[m->slot[at] - 1].value = value;
		return false;
	}
	if (m->n >= UINT32_MAX) {
		die("out of memory: a map holds at most %u keys", UINT32_MAX);
	}
	if (m->n == m->cap) {
		m->cap = mem_grow_cap(m->cap, m->n + 1);
		m->entry = mem_resize(m->entry, m->cap, sizeof(*m->entry));
	}
	char *copy = mem_resize(NULL, key.n + 1, 1);
	if (key.n > 0) {
		memcpy(copy, key.p, key.n);
	}
	copy[key.n] = '\0';
	m->entry[m->n++] = (struct map_entry){{copy, key.n}, value};
	m->slot[at] = (uint32_t)m->n;
	return true;
}

uintptr_t map_get_u64(const struct map *m, uint64_t key, uintptr_t dflt)
{
	return map_get(m, (struct str){(const char *)&key, sizeof(key)}, dflt);
}

bool map_set_u64(struct map *m, uint64_t key, uintptr_t value)
{
	return map_set(m, (struct str){(const char *)&key, sizeof(key)}, value);
}

void map_release(struct map *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free((void *)(uintptr_t)m->entry[i].key.p);
	}
	free(m->entry);
	free(m->slot);
	*m = (struct map){0};
}

struct ids_entry {
	uintptr_t key;
	uintptr_t value;
};

static struct ids_entry *ids_at(const struct ids *m, uintptr_t key)
{
	uint64_t h = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);

	for (size_t i = (size_t)(h >> 32);; i++) {
		struct ids_entry *e = &m->entry[i & (m->cap - 1)];

		if (e->key == 0 || e->key == key) {
			return e;
		}
	}
}

uintptr_t ids_get(const struct ids *m, uintptr_t key, uintptr_t dflt)
{
	const struct ids_entry *e = m->cap > 0 ? ids_at(m, key) : NULL;

	return e && e->key ? e->value : dflt;
}

/* At most three quarters are ever taken. */
static void ids_grow(struct ids *m)
{
	struct ids old = *m;

	m->cap = old.cap > 0 ? old.cap * 2 : 16;
	m->entry = mem_zeroed(m->cap, sizeof(*m->entry));
	for (size_t i = 0; i < old.cap; i++) {
		if (old.entry[i].key) {
			*ids_at(m, old.entry[i].key) = old.entry[i];
		}
	}
	free(old.entry);
}

bool ids_set(struct ids *m, uintptr_t key, uintptr_t value)
{
	if (m->n + 1 > m->cap / 4 * 3) {
		ids_grow(m);
	}
	struct ids_entry *e = ids_at(m, key);
	bool is_new = e->key == 0;
	*e = (struct ids_entry){key, value};
	m->n += is_new;
	return is_new;
}

void ids_release(struct ids *m)
{
	free(m->entry);
	*m = (struct ids){0};
}
