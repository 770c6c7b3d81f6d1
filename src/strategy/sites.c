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

static void add_instance(struct building *b, const struct parse *parse, const struct merge *m)
{
	if (!m->silent) {
		b->site.chained = m->chained > b->site.chained ? m->chained : b->site.chained;
		b->site.crossing = m->crossing > b->site.crossing ? m->crossing : b->site.crossing;
	}
	array_push(&b->in, (struct site_instance){parse, m});
}

/* May a kernel run it? */
static bool is_reached(const struct parse *parse, struct arena *a, kt_id fn)
{
	kt_id *kernel;
	size_t n = 0;
	facts_kernels_of(&kernel, &n, parse->facts, a, fn);
	return n > 0 || parse->unit->open;
}

static struct building *find_building(
	struct building *v, size_t n, const struct kt_file *file, const struct merge *m)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].site.begin == m->node->begin && v[i].site.end == m->node->end &&
			strcmp(v[i].site.path, file->path) == 0) {
			return &v[i];
		}
	}
	return NULL;
}

/* The merges of a parse, or those that leave. */
static const struct merge *merges_of(const struct parse *p, bool exits, size_t *n)
{
	*n = exits ? p->merges.exits : p->merges.n;
	return exits ? p->merges.exit : p->merges.v;
}

typedef ARRAY(struct building) building_array;

/* Instances of one parse: those that something crosses, which make sites; or the others of sites
 * that are there. */
static void gather(building_array *all, struct arena *a, const struct parse *parse,
	const struct merge *m, bool crossed)
{
	const struct kt_file *file = &parse->unit->file[m->node->file];
	if ((m->carriers > 0 && !m->silent) != crossed || file->system) {
		return;
	}
	struct building *b = find_building(all->v, all->n, file, m);
	if (!b && crossed) {
		array_push(all, (struct building){.site = {.path = file->path,
							  .begin = m->node->begin,
							  .end = m->node->end}});
		b = &all->v[all->n - 1];
	}
	if (b && (crossed || is_reached(parse, a, m->fn))) {
		add_instance(b, parse, m);
	}
}

static void find(struct site **out, size_t *n, struct arena *a, const struct parse *parses,
	size_t count, bool exits)
{
	building_array all = {0};
	/* an edit has to be right also where nothing crosses: the accumulator may be memory of the
	 * device there */
	for (int crossed = 1; crossed >= 0; crossed--) {
		for (size_t i = 0; i < count; i++) {
			size_t merges;
			const struct merge *m = merges_of(&parses[i], exits, &merges);
			for (size_t k = 0; k < merges; k++) {
				gather(&all, a, &parses[i], &m[k], crossed);
			}
			const struct merge_list *l = &parses[i].merges;
			for (size_t k = 0; !exits && !crossed && k < l->silents; k++) {
				gather(&all, a, &parses[i], &l->silent[k], crossed);
			}
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

void sites_find(
	struct site **out, size_t *n, struct arena *a, const struct parse *parses, size_t count)
{
	find(out, n, a, parses, count, false);
}

void sites_find_exits(
	struct site **out, size_t *n, struct arena *a, const struct parse *parses, size_t count)
{
	find(out, n, a, parses, count, true);
}

const struct site_instance *site_widest(const struct site *site)
{
	const struct site_instance *widest = &site->instance[0];
	for (size_t i = 1; i < site->instances; i++) {
		const struct site_instance *in = &site->instance[i];
		if (!in->merge->silent && in->merge->chained > widest->merge->chained) {
			widest = in;
		}
	}
	return widest;
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
