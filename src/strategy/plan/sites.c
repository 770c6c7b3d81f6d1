#include <stdlib.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/strategy.h"
#include "strategy/text/text.h"

enum {
	ALIKE_LEAST = 8 /* VGPRs per lane, an allocation granule: less frees nothing */
};

typedef ARRAY(struct site_instance) instance_array;

struct building {
	struct site site;
	instance_array in;
	size_t next; /* 1 + index of another site at the same byte, or 0 */
};

static int widest_first(const void *x, const void *y)
{
	const struct site *a = x, *b = y;
	if (a->chained != b->chained) {
		return a->chained < b->chained ? 1 : -1;
	}
	if (a->ends !=
		b->ends) { /* arms that only end alike are often part of arms that are alike */
		return a->ends ? 1 : -1;
	}
	int path = strcmp(a->path, b->path);
	return path ? path : a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void add_instance(struct building *b, const struct parse *parse, const struct merge *m)
{
	if (!m->silent) {
		b->site.ends = m->alike > b->site.alike ? m->ends : b->site.ends;
		b->site.alike = m->alike > b->site.alike ? m->alike : b->site.alike;
		b->site.chained = m->chained > b->site.chained ? m->chained : b->site.chained;
		b->site.crossing = m->crossing > b->site.crossing ? m->crossing : b->site.crossing;
	}
	array_push(&b->in, (struct site_instance){.parse = parse, .merge = m});
}

/* May a kernel run it? */
static bool is_reached(const struct parse *parse, struct arena *a, kt_id fn)
{
	kt_id *kernel;
	size_t n = 0;
	facts_kernels_of(&kernel, &n, parse->facts, a, fn);
	return n > 0 || parse->unit->open;
}

struct buildings {
	ARRAY(struct building) all;
	struct ids at; /* 1 + begin -> 1 + index of the last site there */
};

static struct building *find_building(
	struct buildings *b, const struct kt_file *file, const struct merge *m)
{
	size_t i = ids_get(&b->at, (uintptr_t)m->node->begin + 1, 0);
	for (; i; i = b->all.v[i - 1].next) {
		const struct site *s = &b->all.v[i - 1].site;
		if (s->end == merge_end(m) && strcmp(s->path, file->path) == 0) {
			return &b->all.v[i - 1];
		}
	}
	return NULL;
}

static struct building *add_building(
	struct buildings *b, const struct kt_file *file, const struct merge *m)
{
	uintptr_t key = (uintptr_t)m->node->begin + 1;
	struct site site = {.path = file->path, .begin = m->node->begin, .end = merge_end(m)};
	array_push(&b->all, (struct building){.site = site, .next = ids_get(&b->at, key, 0)});
	ids_set(&b->at, key, b->all.n);
	return &b->all.v[b->all.n - 1];
}

static const struct merge *merges_of(const struct parse *p, enum sites_of of, size_t *n)
{
	const struct merge_list *l = &p->merges;
	*n = of == SITES_EXITS ? l->exits : of == SITES_GUARDED ? l->guardeds : l->n;
	return of == SITES_EXITS ? l->exit : of == SITES_GUARDED ? l->guarded : l->v;
}

bool fn_may_be_hosts(const struct kt_unit *u, kt_id fn)
{
	const struct kt_fn *f = &u->fn[fn];
	struct str t = u->file[f->file].text;
	bool device = false, host = f->is_lambda;
	lex_each (k, t, f->begin, f->name_at) {
		device |= lex_is(t, k, "__global__") || lex_is(t, k, "__device__");
		host |= lex_is(t, k, "__host__");
	}
	return host || !device;
}

/* Collects instances of one parse: first those with carriers or alike arms, which make new sites,
 * then the others of existing sites. */
static void gather(struct buildings *s, struct arena *a, const struct parse *parse,
	const struct merge *m, bool crossed)
{
	const struct kt_file *file = &parse->unit->file[m->node->file];
	const struct kt_unit *u = parse->unit;
	bool counts = m->kind == MERGE_GUARDED || m->carriers > 0 || m->alike >= ALIKE_LEAST;
	if ((counts && !m->silent) != crossed || file->system ||
		(u->host && !fn_may_be_hosts(u, m->fn))) {
		return;
	}
	struct building *b = find_building(s, file, m);
	if (!b && crossed && !u->host) {
		b = add_building(s, file, m);
	}
	if (b && (crossed || is_reached(parse, a, m->fn))) {
		add_instance(b, parse, m);
	}
}

void sites_find(struct site **out, size_t *n, struct arena *a, const struct parse *parses,
	size_t count, enum sites_of of)
{
	struct buildings s = {0};
	/* an edit must also be right in instances without carriers, where the accumulator may be in
	 * global memory */
	for (int crossed = 1; crossed >= 0; crossed--) {
		for (size_t i = 0; i < count; i++) {
			size_t merges;
			const struct merge *m = merges_of(&parses[i], of, &merges);
			for (size_t k = 0; k < merges; k++) {
				gather(&s, a, &parses[i], &m[k], crossed);
			}
			const struct merge_list *l = &parses[i].merges;
			for (size_t k = 0; of == SITES_MERGES && !crossed && k < l->silents; k++) {
				gather(&s, a, &parses[i], &l->silent[k], crossed);
			}
		}
	}
	struct site *sites = ARENA_ARRAY(a, struct site, s.all.n);
	for (size_t i = 0; i < s.all.n; i++) {
		struct building *b = &s.all.v[i];
		sites[i] = b->site;
		array_move(sites[i].instance, sites[i].instances, a, &b->in);
		sites[i].alike = sites[i].crossing ? 0 : sites[i].alike;
		sites[i].ends &= sites[i].alike > 0;
	}
	*n = s.all.n;
	*out = sites;
	array_release(&s.all);
	ids_release(&s.at);
	span_sort(sites, *n, widest_first);
}

static unsigned width_of(const struct merge *m)
{
	return m->chained > m->alike ? m->chained : m->alike;
}

const struct site_instance *site_widest(const struct site *site)
{
	const struct site_instance *widest = &site->instance[0];
	for (size_t i = 1; i < site->instances; i++) {
		const struct site_instance *in = &site->instance[i];
		if (!in->merge->silent && width_of(in->merge) > width_of(widest->merge)) {
			widest = in;
		}
	}
	return widest;
}

bool site_is_one_armed(const struct site *site)
{
	return site->instance[0].merge->one_armed;
}

void parse_kernels(struct map *out, struct arena *a, const struct parse *parse, kt_id fn)
{
	kt_id *kernel;
	size_t n;
	facts_kernels_of(&kernel, &n, parse->facts, a, fn);
	for (size_t i = 0; i < n && !parse->unit->host; i++) {
		const char *symbol = parse->unit->fn[kernel[i]].symbol;
		if (symbol && *symbol) {
			map_set(out, str_of(symbol), 1);
		}
	}
}

bool merge_is_laundered(const struct kt_unit *u, const struct merge *m)
{
	const struct kt_node *n = m->node;
	const struct kt_node *up = n->parent;
	if (m->kind == MERGE_EXIT) {
		struct str file = u->file[n->file].text;
		struct str rest = str_sub(file, lex_next(file, n->end).begin, file.n);
		return text_is_launder(rest) || str_starts(rest, "UNPHI_FENCE") ||
		       str_starts(rest, "__builtin_amdgcn_wave_barrier");
	}
	if (m->kind != MERGE_IF || !up || up->kind != KT_COMPOUND || n->slot == 0) {
		return false;
	}
	const struct kt_node *before = up->child[n->slot - 1];
	struct str t = u->file[before->file].text;
	return before->file == n->file && text_is_launder(str_sub(t, before->begin, n->begin));
}
