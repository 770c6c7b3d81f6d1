#include "analysis/facts/mentions.h"

#include <stdlib.h>
#include "base/array.h"

struct group {
	kt_id sym;
	uint32_t first; /* index into node */
};

struct index {
	const struct kt_node **node;
	struct group *group; /* by symbol, and one past the last */
	size_t groups;
};

struct mention {
	kt_id sym;
	uint32_t at; /* in the body's order */
	const struct kt_node *node;
};

static int by_symbol(const void *a, const void *b)
{
	const struct mention *x = a, *y = b;

	return x->sym != y->sym ? (x->sym < y->sym ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

/* It lives in the facts' arena. */
static void release(void *what)
{
	(void)what;
}

static struct index *index_of(struct facts *f, kt_id fn)
{
	struct index *x = facts_kept(f, FACTS_KEEP_MENTIONS, fn);
	if (x) {
		return x;
	}
	const struct kt_node *body = facts_unit(f)->fn[fn].body;
	struct arena *a = facts_arena(f);
	ARRAY(struct mention) found = {0};
	ARRAY(struct group) groups = {0};
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_REF && n->sym) {
			array_push(&found, (struct mention){n->sym, (uint32_t)found.n, n});
		}
	}
	array_sort(&found, by_symbol);
	x = ARENA_NEW(a, struct index);
	x->node = ARENA_ARRAY(a, const struct kt_node *, found.n);
	for (size_t i = 0; i < found.n; i++) {
		if (i == 0 || found.v[i].sym != found.v[i - 1].sym) {
			array_push(&groups, (struct group){found.v[i].sym, (uint32_t)i});
		}
		x->node[i] = found.v[i].node;
	}
	x->groups = groups.n;
	array_push(&groups, (struct group){0, (uint32_t)found.n});
	x->group = array_to_arena(a, &groups);
	array_release(&groups);
	array_release(&found);
	facts_keep(f, FACTS_KEEP_MENTIONS, fn, x, release);
	return x;
}

struct mentions mentions_of(struct facts *f, kt_id fn, kt_id sym)
{
	const struct index *x = index_of(f, fn);
	size_t low = 0, high = x->groups;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (x->group[middle].sym < sym) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == x->groups || x->group[low].sym != sym) {
		return (struct mentions){0};
	}
	uint32_t first = x->group[low].first;
	return (struct mentions){x->node + first, x->group[low + 1].first - first};
}
