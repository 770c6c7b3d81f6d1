#include "report/decision/project.h"

#include <jansson.h>

#include "base/map.h"
#include "measure/measure.h"
#include "report/form/json.h"
#include "report/form/table.h"

enum {
	HEADERS_MAX = 5,	 /* named in the text */
	KEPT_MAX = 20,		 /* merges with their reasons */
	FIGURE_MOST = 1000000000 /* so that sums of spills, scratch and waves do not overflow */
};

/* A figure of all kernels of a file, before and after. */
struct change {
	json_int_t before;
	json_int_t after;
	bool known;
};

struct sums {
	size_t merges, rewritten;
	size_t barriers, dropped;
	size_t fragments, reloaded;
	struct change spills, scratch;
	struct change waves; /* the fewest of any kernel */
	size_t measured;     /* files with figures */
};

static json_t *parse(struct str report)
{
	return report.n > 0 ? json_loadb(report.p, report.n, 0, NULL) : NULL;
}

static void count(size_t *n, size_t *done, const json_t *root, const char *key)
{
	const json_t *list = json_object_get(root, key), *one;
	size_t i;

	json_array_foreach (list, i, one) {
		*n += 1;
		*done += json_is_true(json_object_get(one, "rewritten"));
	}
}

static bool figure(json_int_t *out, const json_t *kernel, const char *when, enum metric m)
{
	const json_t *v = json_object_get(json_object_get(kernel, when), metric_info[m].key);

	*out = json_integer_value(v);
	return json_is_integer(v) && *out >= 0 && *out <= FIGURE_MOST;
}

/* Adds the figure of one kernel to c or, with least, takes the minimum of both. */
static void add_change(struct change *c, const json_t *kernel, enum metric m, bool least)
{
	json_int_t before, after;

	if (!figure(&before, kernel, "before", m)) {
		return;
	}
	if (!figure(&after, kernel, "after", m)) {
		after = before;
	}
	if (!least) {
		c->before += before;
		c->after += after;
	} else {
		c->before = c->known && c->before < before ? c->before : before;
		c->after = c->known && c->after < after ? c->after : after;
	}
	c->known = true;
}

static void add_report(struct sums *s, const json_t *root)
{
	const json_t *target, *kernel;
	size_t t, k;

	count(&s->merges, &s->rewritten, root, "merges");
	count(&s->barriers, &s->dropped, root, "barriers");
	count(&s->fragments, &s->reloaded, root, "fragments");
	json_array_foreach (json_object_get(root, "targets"), t, target) {
		json_array_foreach (json_object_get(target, "kernels"), k, kernel) {
			add_change(&s->spills, kernel, METRIC_VGPR_SPILL, false);
			add_change(&s->scratch, kernel, METRIC_SCRATCH, false);
			add_change(&s->waves, kernel, METRIC_RESIDENT_WAVES, true);
		}
	}
}

static void change_text(struct sbuf *b, const struct change *c)
{
	if (c->known) {
		sbuf_addf(b, "%lld", (long long)c->before);
	}
	if (c->known && c->after != c->before) {
		sbuf_addf(b, " -> %lld", (long long)c->after);
	}
}

static void change_cell(struct table *t, const struct change *c)
{
	struct sbuf b = {0};

	change_text(&b, c);
	table_cell(t, "%s", sbuf_cstr(&b));
	sbuf_release(&b);
}

static void count_cell(struct table *t, size_t n, size_t done)
{
	if (n == 0) {
		table_cell(t, "%s", "");
	} else {
		table_cell(t, "%zu of %zu", done, n);
	}
}

static bool is_worth_a_row(const struct rewritten *r, const struct sums *s)
{
	return r->report.n == 0 || r->changed || r->dropped || r->header_note || s->merges > 0 ||
	       s->barriers > 0 || s->fragments > 0;
}

static void row(struct table *t, const struct rewritten *r, const struct sums *s)
{
	table_cell(t, "%s", r->file);
	table_cell(t, "%s",
		r->report.n == 0 ? "failed"
		: r->dropped	 ? "not taken"
		: r->changed	 ? "rewritten"
				 : "unchanged");
	count_cell(t, s->merges, s->rewritten);
	count_cell(t, s->barriers, s->dropped);
	count_cell(t, s->fragments, s->reloaded);
	change_cell(t, &s->spills);
	change_cell(t, &s->scratch);
	change_cell(t, &s->waves);
}

static void add_to(struct change *all, const struct change *c)
{
	all->before += c->before;
	all->after += c->after;
	all->known |= c->known;
}

/* Is it a header that has a row of its own? */
static bool has_row(const struct project_report *p, struct str header)
{
	bool has = false;

	for (size_t i = 0; i < p->n && !has; i++) {
		has = p->v[i].header_note && str_is(header, p->v[i].file);
	}
	return has;
}

/* Adds the merges in headers, each once, even if many files include the header. */
static void add_left(struct sbuf *out, const struct project_report *p)
{
	struct map merges = {0}, headers = {0};
	struct sbuf names = {0};

	for (size_t i = 0; i < p->n; i++) {
		struct str line, place, rest = p->v[i].left;
		while (str_line(&rest, &line)) {
			struct str header = line;
			str_split(&header, ' ', &place);
			if (has_row(p, header) || !map_set(&merges, line, 1) ||
				!map_set(&headers, header, 1) || headers.n > HEADERS_MAX) {
				continue;
			}
			sbuf_addf_visible(&names, "%s%.*s", names.n ? ", " : "", STR_ARG(header));
		}
	}
	if (merges.n > 0) {
		sbuf_addf_visible(out,
			"%zu merge%s in %zu header%s not rewritten: %s%s (see --header-filter)\n",
			merges.n, merges.n == 1 ? "" : "s", headers.n, headers.n == 1 ? "" : "s",
			sbuf_cstr(&names), headers.n > HEADERS_MAX ? ", ..." : "");
	}
	sbuf_release(&names);
	map_release(&headers);
	map_release(&merges);
}

/* The reasons for the first KEPT_MAX unchanged merges; the JSON has all. */
static void add_kept_merges(struct sbuf *out, const struct project_report *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n; i++) {
		json_t *root = parse(p->v[i].report);
		const json_t *merge;
		size_t k;

		json_array_foreach (json_object_get(root, "merges"), k, merge) {
			const char *why = json_string_value(json_object_get(merge, "why_kept"));
			if (!why || p->v[i].dropped || kept++ >= KEPT_MAX) {
				continue;
			}
			sbuf_addf_visible(out, "%s:%lld:%lld: kept as it is: %s\n", p->v[i].file,
				(long long)json_integer_value(json_object_get(merge, "line")),
				(long long)json_integer_value(json_object_get(merge, "column")),
				why);
		}
		json_decref(root);
	}
	if (kept > KEPT_MAX) {
		sbuf_addf(out, "%zu more are unchanged; --format json has the reasons\n",
			kept - KEPT_MAX);
	}
}

static void summary(struct sbuf *out, const struct project_report *p, const struct sums *all)
{
	size_t changed = 0, failed = 0, dropped = 0;

	for (size_t i = 0; i < p->n; i++) {
		changed += p->v[i].changed && !p->v[i].dropped;
		failed += p->v[i].report.n == 0;
		dropped += p->v[i].dropped != NULL;
	}
	sbuf_addf_visible(out,
		"%zu file%s, %zu rewritten, %zu failed; %zu of %zu merge%s rewritten", p->n,
		p->n == 1 ? "" : "s", changed, failed, all->rewritten, all->merges,
		all->merges == 1 ? "" : "s");
	if (all->spills.known) {
		sbuf_adds(out, "; VGPR spills ");
		change_text(out, &all->spills);
		if (all->measured + failed + dropped < p->n) {
			sbuf_addf(out, " in the %zu with candidates", all->measured);
		}
	}
	sbuf_addc(out, '\n');
	for (size_t i = 0; i < p->n; i++) {
		if (p->v[i].dropped) {
			sbuf_addf_visible(
				out, "%s: not taken: %s\n", p->v[i].file, p->v[i].dropped);
		} else if (p->v[i].header_note && p->v[i].changed) {
			sbuf_addf_visible(out, "%s: %s\n", p->v[i].file, p->v[i].header_note);
		}
	}
	add_kept_merges(out, p);
	add_left(out, p);
	if (p->missing) {
		sbuf_addf_visible(out, "incomplete: %s\n", p->missing);
	}
}

void project_text(struct sbuf *out, const struct project_report *p)
{
	static const char *const headers[] = {"file", "", ">merges", ">barriers", ">fragments",
		">VGPR spills", ">scratch bytes", ">fewest waves"};
	struct sums all = {0};
	struct table t;
	size_t rows = 0;

	table_init(&t, sizeof(headers) / sizeof(headers[0]), headers);
	for (size_t i = 0; i < p->n; i++) {
		struct sums s = {0};
		json_t *root = parse(p->v[i].report);
		add_report(&s, root);
		json_decref(root);
		if (is_worth_a_row(&p->v[i], &s)) {
			row(&t, &p->v[i], &s);
			rows++;
		}
		if (!p->v[i].dropped) {
			all.merges += s.merges;
			all.rewritten += s.rewritten;
			all.measured += s.spills.known;
			add_to(&all.spills, &s.spills);
		}
	}
	if (rows > 0) {
		table_print(out, &t);
		sbuf_addc(out, '\n');
	}
	table_release(&t);
	summary(out, p, &all);
}

void project_json(struct sbuf *out, const struct project_report *p)
{
	struct json j = jsonw_begin(out);
	jsonw_key_array(&j, "files");
	array_each (p, const struct rewritten, r) {
		jsonw_object(&j);
		jsonw_key_str(&j, "file", str_of(r->file));
		jsonw_key_bool(&j, "changed", r->changed && !r->dropped);
		jsonw_key_given(&j, "dropped", r->dropped);
		jsonw_key_given(&j, "header", r->header_note);
		jsonw_key(&j, "report");
		jsonw_document(&j, r->report);
		jsonw_end(&j);
	}
	jsonw_end(&j);
	jsonw_key_given(&j, "missing", p->missing);
	jsonw_finish(&j);
}

bool project_is_report(struct str report)
{
	json_t *root = parse(report);
	bool is = json_is_object(root);

	json_decref(root);
	return is;
}

struct project_left *project_left(size_t *n, struct arena *a, struct str report)
{
	json_t *root = parse(report);
	const json_t *list = json_object_get(root, "left_in_headers"), *one;
	struct project_left *left = ARENA_ARRAY(a, struct project_left, json_array_size(list));
	size_t i;

	*n = 0;
	json_array_foreach (list, i, one) {
		const char *file = json_string_value(json_object_get(one, "file"));
		if (file) {
			left[(*n)++] = (struct project_left){arena_strdup(a, file),
				(unsigned)json_integer_value(json_object_get(one, "line")),
				(unsigned)json_integer_value(json_object_get(one, "column"))};
		}
	}
	json_decref(root);
	return left;
}
