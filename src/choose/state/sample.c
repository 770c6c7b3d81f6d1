/*
 * The sample: the kernels of a merge that its candidates are compared by. Instantiations of one
 * template differ in the VGPRs that cross the merge, so it has the widest, the narrowest and some
 * between, one of each width before a second of any. A pick is compiled with all kernels of the
 * unit before it is kept; a kernel that vetoes it joins the sample from then on.
 */
#include <stdlib.h>
#include "choose/state/state.h"

enum {
	SAMPLE_MOST = 6,
	SPARED = 16 /* the detour over IR pays if at least so many kernels are left out */
};

struct wide {
	struct str symbol;
	unsigned width; /* chained VGPRs of its widest instance */
	size_t order;
};

static int widest_first(const void *x, const void *y)
{
	const struct wide *a = x, *b = y;
	if (a->width != b->width) {
		return a->width > b->width ? -1 : 1;
	}
	return a->order < b->order ? -1 : a->order > b->order;
}

static size_t list_kernels(struct wide **out, struct state *s, const struct site *site)
{
	struct map width = {0}, all = {0};
	state_kernels(&all, s);
	span_each (site->instance, site->instances, const struct site_instance, in) {
		struct map mine = {0};
		parse_kernels(&mine, s->a, in->parse, in->merge->fn);
		for (size_t k = 0; k < mine.n; k++) {
			struct str key = mine.entry[k].key;
			uintptr_t before = map_get(&width, key, 0), now = in->merge->chained;
			const struct kt_fn *fn = (const struct kt_fn *)map_get(&all, key, 0);
			if (fn && kernel_is_wanted(s->job->kernels, fn->name, fn->symbol)) {
				map_set(&width, key, now > before ? now : before);
			}
		}
		map_release(&mine);
	}
	size_t n = width.n;
	*out = ARENA_ARRAY(s->a, struct wide, n);
	for (size_t i = 0; i < n; i++) {
		struct str key = width.entry[i].key;
		(*out)[i] = (struct wide){{arena_strndup(s->a, key.p, key.n), key.n},
			(unsigned)width.entry[i].value, i};
	}
	map_release(&width);
	map_release(&all);
	qsort(*out, n, sizeof(**out), widest_first);
	return n;
}

/* Element i of m evenly spread values in 0, ..., n - 1, with both ends. */
static size_t spread(size_t i, size_t m, size_t n)
{
	return m > 1 ? i * (n - 1) / (m - 1) : 0;
}

/* Adds up to `most` of the kernels to out; they are sorted. */
static void add_sample(
	struct map *out, struct state *s, const struct wide *k, size_t n, size_t most)
{
	size_t *first = ARENA_ARRAY(s->a, size_t, n + 1);
	size_t widths = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || k[i].width != k[i - 1].width) {
			first[widths++] = i;
		}
	}
	first[widths] = n;
	size_t looked = widths < most ? widths : most;
	for (size_t turn = 0; turn < most && looked > 0; turn++) {
		for (size_t i = 0; i < looked && out->n < most; i++) {
			size_t w = spread(i, looked, widths);
			size_t in = first[w + 1] - first[w];
			size_t mine = most / looked + (i < most % looked);
			if (turn < mine && turn < in) {
				size_t at = first[w] + spread(turn, mine < in ? mine : in, in);
				map_set(out, k[at].symbol, 1);
			}
		}
	}
}

void sample_choose(struct map *out, struct state *s, const struct site *site)
{
	struct wide *kernel;
	size_t n = list_kernels(&kernel, s, site);
	add_sample(out, s, kernel, n, SAMPLE_MOST);
	for (size_t i = 0; i < n; i++) {
		if (map_has(&s->vetoed, kernel[i].symbol)) {
			map_set(out, kernel[i].symbol, 1);
		}
	}
}

static size_t count_kernels(const struct state *s)
{
	struct map all = {0};
	size_t n = 0;
	state_kernels(&all, s);
	for (size_t i = 0; i < all.n; i++) {
		n += ((const struct kt_fn *)all.entry[i].value)->body != NULL;
	}
	map_release(&all);
	return n;
}

const char *const *state_symbols(struct state *s, const struct map *kernels)
{
	const char **list = ARENA_ARRAY(s->a, const char *, kernels->n + 1);
	for (size_t i = 0; i < kernels->n; i++) {
		struct str key = kernels->entry[i].key;
		list[i] = arena_strndup(s->a, key.p, key.n);
	}
	return list;
}

const char *const *sample_list(struct state *s, const struct map *sample)
{
	bool all = sample->n == 0 || count_kernels(s) < sample->n + SPARED;
	return all ? NULL : state_symbols(s, sample);
}
