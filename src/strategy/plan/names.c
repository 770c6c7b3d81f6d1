/* Names that nothing in a file has: unphi_BASE, unphi_BASE2, ... */
#include <ctype.h>
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/plan.h"

static const char PREFIX[] = "unphi_";

struct plan_name_list {
	const char *name;
	struct plan_name_list *next;
};

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

void names_collect(struct map *out, struct str t)
{
	for (size_t at = str_find(t, PREFIX, 0); at != SIZE_MAX;) {
		size_t end = at;
		while (end < t.n && word_char(t.p[end])) {
			end++;
		}
		if (at == 0 || !word_char(t.p[at - 1])) {
			map_set(out, str_sub(t, at, end), 1);
		}
		at = str_find(t, PREFIX, end);
	}
}

static bool add_word(void *user, struct str word, size_t at)
{
	(void)at;
	if (str_starts(word, PREFIX)) {
		map_set(user, word, 1);
	}
	return false;
}

void reserved_add(struct reserved *r, struct str text)
{
	sbuf_addstr(&r->text, text);
	sbuf_addc(&r->text, '\n');
	names_collect(&r->names, text);
	lex_each_word(text, 0, text.n, add_word, &r->words);
}

bool reserved_has_word(const struct reserved *r, const char *name)
{
	return r && map_has(&r->words, str_of(name));
}

void reserved_release(struct reserved *r)
{
	sbuf_release(&r->text);
	map_release(&r->names);
	map_release(&r->words);
	map_release(&r->next);
	map_release(&r->local);
}

struct str reserved_text(const struct reserved *r)
{
	return r ? sbuf_str(&r->text) : (struct str){0};
}

static bool in_text(const struct plan *p, struct str name)
{
	const struct kt_unit *u = p->parse->unit;
	for (kt_id file = 1; file < u->files; file++) {
		if (u->file[file].text.p == p->text.p) {
			return layout_has_name(layout_of(p->parse->facts, file), name);
		}
	}
	struct map all = {0};
	names_collect(&all, p->text);
	bool there = map_has(&all, name);
	map_release(&all);
	return there;
}

static bool handed_out(const struct plan *p, const char *name)
{
	for (const struct plan_name_list *l = p->names; l; l = l->next) {
		if (strcmp(l->name, name) == 0) {
			return true;
		}
	}
	return false;
}

bool plan_name_elsewhere(const struct plan *p, const char *name)
{
	return p->opts->taken && map_has(p->opts->taken, str_of(name));
}

const char *plan_name(struct plan *p, const char *base)
{
	struct reserved *r = p->opts->reserved;
	/* what the texts have, they keep: the next plan need not begin at 1 again */
	unsigned first = r ? (unsigned)map_get(&r->next, str_of(base), 1) : 1;
	const char *name = NULL;
	for (unsigned i = first; !name; i++) {
		const char *number = i > 1 ? arena_printf(p->a, "%u", i) : "";
		const char *next = arena_printf(p->a, "%s%s%s", PREFIX, base, number);
		bool taken = in_text(p, str_of(next)) || (r && map_has(&r->names, str_of(next)));
		if (taken && r && i == first) {
			map_set(&r->next, str_of(base), ++first);
		}
		name = taken || handed_out(p, next) ? NULL : next;
	}
	struct plan_name_list *l = ARENA_NEW(p->a, struct plan_name_list);
	l->name = name;
	l->next = p->names;
	p->names = l;
	return name;
}
