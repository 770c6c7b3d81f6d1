/* Facts about nodes, in a hash table by address. Flags are only ever added. */
#include "analysis/lanes/uniform_walk.h"

#include <stdlib.h>

#include "base/mem.h"

static size_t table_at(const struct node_table *t, const struct kt_node *n)
{
	size_t i = ((uintptr_t)n >> 3) * 0x9E3779B97F4A7C15u >> 20 & (t->cap - 1);
	while (t->key[i] && t->key[i] != n) {
		i = (i + 1) & (t->cap - 1);
	}
	return i;
}

unsigned uniform_table_get(const struct node_table *t, const struct kt_node *n, unsigned dflt)
{
	if (!t->cap) {
		return dflt;
	}
	size_t i = table_at(t, n);
	return t->key[i] ? t->value[i] : dflt;
}

void uniform_table_release(struct node_table *t)
{
	free(t->key);
	free(t->value);
	*t = (struct node_table){0};
}

static void table_grow(struct node_table *t)
{
	struct node_table old = *t;
	t->cap = old.cap ? old.cap * 2 : 64;
	t->key = mem_zeroed(t->cap, sizeof(struct kt_node *));
	t->value = mem_zeroed(t->cap, 1);
	for (size_t i = 0; i < old.cap; i++) {
		if (old.key[i]) {
			size_t to = table_at(t, old.key[i]);
			t->key[to] = old.key[i];
			t->value[to] = old.value[i];
		}
	}
	uniform_table_release(&old);
}

void uniform_table_set(struct node_table *t, const struct kt_node *n, unsigned value)
{
	if (t->n * 2 >= t->cap) {
		table_grow(t);
	}
	size_t i = table_at(t, n);
	t->n += t->key[i] ? 0 : 1;
	t->key[i] = n;
	t->value[i] = (unsigned char)value;
}

void uniform_state_add(struct uniformity *u, const struct kt_node *n, unsigned bits)
{
	unsigned old = uniform_table_get(&u->state, n, 0);
	if (bits & ~old) {
		uniform_table_set(&u->state, n, old | bits);
		u->changed = true;
	}
}

void uniform_set_flag(struct uniformity *u, bool *flag)
{
	if (!*flag) {
		*flag = true;
		u->changed = true;
	}
}
