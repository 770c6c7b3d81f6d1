#include "analysis/facts/locset.h"

#include <string.h>

static uint32_t lower_bound(const struct locset *s, loc_id loc)
{
	uint32_t lo = 0, hi = s->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (s->v[mid] < loc) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo;
}

bool locset_has(const struct locset *s, loc_id loc)
{
	uint32_t i = lower_bound(s, loc);
	return i < s->n && s->v[i] == loc;
}

static void grow(struct locset *s, struct arena *a, uint32_t least)
{
	uint32_t cap = s->n < 4 ? 4 : s->n * 2;
	cap = cap < least ? least : cap;
	loc_id *v = ARENA_ARRAY(a, loc_id, cap);
	if (s->n) {
		memcpy(v, s->v, s->n * sizeof(*v));
	}
	s->v = v;
	s->cap = cap;
}

bool locset_add(struct locset *s, struct arena *a, loc_id loc)
{
	uint32_t i = s->n && s->v[s->n - 1] < loc ? s->n : lower_bound(s, loc);
	if (i < s->n && s->v[i] == loc) {
		return false;
	}
	if (s->n >= s->cap) {
		grow(s, a, 0);
	}
	if (i < s->n) {
		memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof(*s->v));
	}
	s->v[i] = loc;
	s->n++;
	return true;
}

/* The number of elements of other that are not in s, by one walk through both. */
static uint32_t count_new(const struct locset *s, const struct locset *other)
{
	uint32_t fresh = 0;
	for (uint32_t i = 0, j = 0; j < other->n; j++) {
		while (i < s->n && s->v[i] < other->v[j]) {
			i++;
		}
		fresh += i == s->n || s->v[i] != other->v[j];
	}
	return fresh;
}

bool locset_union(struct locset *s, struct arena *a, const struct locset *other)
{
	uint32_t fresh = count_new(s, other);
	if (fresh == 0) {
		return false;
	}
	if (s->n + fresh > s->cap) {
		grow(s, a, s->n + fresh);
	}
	/* from the end, so that nothing is overwritten before it is moved */
	uint32_t i = s->n, j = other->n, at = s->n + fresh;
	s->n = at;
	while (j > 0) {
		if (i > 0 && s->v[i - 1] >= other->v[j - 1]) {
			j -= s->v[i - 1] == other->v[j - 1];
			s->v[--at] = s->v[--i];
		} else {
			s->v[--at] = other->v[--j];
		}
	}
	return true;
}

void locset_remove(struct locset *s, struct arena *a, loc_id loc)
{
	uint32_t i = lower_bound(s, loc);
	if (i < s->n && s->v[i] == loc) {
		if (s->cap == 0) {
			grow(s, a, 0);
		}
		memmove(s->v + i, s->v + i + 1, (s->n - i - 1) * sizeof(*s->v));
		s->n--;
	}
}

bool locset_meets(const struct locset *x, const struct locset *y)
{
	uint32_t i = 0, j = 0;
	while (i < x->n && j < y->n) {
		if (x->v[i] == y->v[j]) {
			return true;
		}
		if (x->v[i] < y->v[j]) {
			i++;
		} else {
			j++;
		}
	}
	return false;
}
