#include "report/finding/brief.h"

#include "base/map.h"
#include "report/finding/diag.h"
#include "report/finding/place.h"

enum {
	/* findings that fit on two screens, each with its source line */
	SHOWN_WHOLE = 12,
	SHOWN_ALIKE = 3, /* printed findings of many with the same text */
};

/* Findings with the same text: how many there are, how many were printed, and the last one. */
struct group {
	size_t n, printed, last;
};

struct printing {
	const struct diag_list *l;
	struct arena *a;
	struct brief how;
	bool many;
	struct group *group; /* at most one a finding */
	size_t *group_of;
	bool *has_next; /* is the finding's command printed? Only at the last finding with it */
};

/* The index of d's group: the findings with the same printed text, apart from the place in the
 * file. */
static size_t find_group(struct map *groups, const struct diag *d, const struct diag *shown)
{
	struct sbuf key = {0};
	sbuf_addf(&key, "%s\n%s\n%d\n", d->place.path ? d->place.path : "", d->rule ? d->rule : "",
		(int)d->level);
	sbuf_addstr(&key, d->text);
	for (size_t i = 0; i < shown->notes; i++) {
		sbuf_addc(&key, '\n');
		sbuf_addstr(&key, shown->note[i].text);
	}
	size_t group = map_get(groups, sbuf_str(&key), groups->n);
	map_set(groups, sbuf_str(&key), group);
	sbuf_release(&key);
	return group;
}

static void find_alike(struct printing *p)
{
	const struct diag_list *l = p->l;
	struct map groups = {0}, next = {0};
	p->group = ARENA_ARRAY(p->a, struct group, l->v.n);
	p->group_of = ARENA_ARRAY(p->a, size_t, l->v.n);
	p->has_next = ARENA_ARRAY(p->a, bool, l->v.n);
	for (size_t i = 0; i < l->v.n; i++) {
		const struct diag shown = diag_shown(&l->v.v[i], p->a, false);
		p->group_of[i] = find_group(&groups, &l->v.v[i], &shown);
		struct group *g = &p->group[p->group_of[i]];
		g->n++;
		g->last = i;
	}
	for (size_t i = l->v.n; i-- > 0;) {
		const char *command = l->v.v[i].next;
		p->has_next[i] = command && map_set(&next, str_of(command), 1);
	}
	map_release(&groups);
	map_release(&next);
}

static bool is_left_out(const struct printing *p, const struct group *g)
{
	return p->many && g->n > SHOWN_ALIKE + 1 && g->printed >= SHOWN_ALIKE;
}

/* One line for all findings that are left out, at the place of the first one. */
static void add_rest(
	struct sbuf *out, const struct printing *p, const struct group *g, const struct diag *d)
{
	const struct diag *last = &p->l->v.v[g->last];
	const char *where = "";
	if (last->place.path && last->place.source.p) {
		where = arena_printf(p->a, " up to line %u", place_begin(&last->place).line);
	}
	const char *text = arena_printf(p->a, "%zu more like this%s", g->n - SHOWN_ALIKE, where);
	const struct diag rest = {
		.level = d->level, .rule = d->rule, .place = d->place, .text = str_of(text)};
	diag_text(out, &rest, DIAG_TEXT_SHORT, p->how.color);
}

static void add_next(struct sbuf *out, const struct printing *p, size_t i)
{
	if (p->has_next[i]) {
		const char *text = arena_printf(p->a, "next: %s", p->l->v.v[i].next);
		diag_note_text(out, &(struct diag_note){.text = str_of(text)}, p->how.color);
	}
}

static void add_one(struct sbuf *out, const struct printing *p, size_t i)
{
	struct group *g = &p->group[p->group_of[i]];
	const struct diag *d = &p->l->v.v[i];
	struct diag shown = diag_shown(d, p->a, p->how.verbose);
	bool again = g->printed > 0 && !p->how.verbose;
	if (p->how.quiet || again || (p->many && d->level == DIAG_NOTE)) {
		shown.notes = 0;
	}
	if (is_left_out(p, g)) {
		if (g->printed == SHOWN_ALIKE) {
			add_rest(out, p, g, d);
		}
	} else {
		diag_text(out, &shown, p->many ? DIAG_TEXT_SHORT : DIAG_TEXT_QUOTED, p->how.color);
	}
	g->printed++;
	if (!p->how.quiet) {
		add_next(out, p, i);
	}
}

bool brief_print(struct sbuf *out, struct arena *a, const struct diag_list *l, struct brief how)
{
	struct printing p = {.l = l, .a = a, .how = how};
	p.many = l->v.n > SHOWN_WHOLE && !how.verbose && !how.quiet;
	find_alike(&p);
	for (size_t i = 0; i < l->v.n; i++) {
		if (!how.quiet || l->v.v[i].level != DIAG_NOTE) {
			add_one(out, &p, i);
		}
	}
	return p.many;
}
