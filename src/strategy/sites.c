#include <stdlib.h>
#include <string.h>
#include "strategy/strategy.h"

typedef ARRAY(struct site_instance) instance_array;

struct building {
	struct site site;
	instance_array in;
};

static int widest_first(const void *x, const void *y)
{
	const struct site *a = x, *b = y;
	if (a->chained != b->chained) {
		return a->chained < b->chained ? 1 : -1;
	}
	int path = strcmp(a->path, b->path);
	return path ? path : a->begin < b->begin ? -1 : a->begin > b->begin;
}

void sites_find(
	struct site **out, size_t *n, struct arena *a, const struct parse *parses, size_t count)
{
	ARRAY(struct building) all = {0};
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < parses[i].merges.n; k++) {
			const struct merge *m = &parses[i].merges.v[k];
			const struct kt_file *file = &parses[i].unit->file[m->node->file];
			if (!m->carriers || file->system) {
				continue;
			}
			struct building *b = NULL;
			for (size_t j = 0; j < all.n && !b; j++) {
				struct site *s = &all.v[j].site;
				if (s->begin == m->node->begin && s->end == m->node->end &&
					strcmp(s->path, file->path) == 0) {
					b = &all.v[j];
				}
			}
			if (!b) {
				array_push(&all, (struct building){.site = {.path = file->path,
									   .begin = m->node->begin,
									   .end = m->node->end}});
				b = &all.v[all.n - 1];
			}
			b->site.chained =
				m->chained > b->site.chained ? m->chained : b->site.chained;
			b->site.crossing =
				m->crossing > b->site.crossing ? m->crossing : b->site.crossing;
			array_push(&b->in, (struct site_instance){&parses[i], m});
		}
	}
	struct site *sites = ARENA_ARRAY(a, struct site, all.n);
	for (size_t i = 0; i < all.n; i++) {
		sites[i] = all.v[i].site;
		sites[i].instance = array_to_arena(a, &all.v[i].in);
		sites[i].instances = all.v[i].in.n;
		array_release(&all.v[i].in);
	}
	*n = all.n;
	*out = sites;
	array_release(&all);
	if (*n) {
		qsort(sites, *n, sizeof(*sites), widest_first);
	}
}

void parse_kernels(struct map *out, struct arena *a, const struct parse *parse, kt_id fn)
{
	kt_id *kernel;
	size_t n;
	facts_kernels_of(&kernel, &n, parse->facts, a, fn);
	for (size_t i = 0; i < n; i++) {
		const char *symbol = parse->unit->fn[kernel[i]].symbol;
		if (symbol && *symbol) {
			map_set(out, str_of(symbol), 1);
		}
	}
}
