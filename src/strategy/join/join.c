/*
 * join: adjacent accesses become one. __builtin_memcpy fills a vector before the first load, or
 * stores it after the last store. It copies bytes, so it needs no alignment and may alias any type;
 * the compiler makes one instruction of contiguous bytes.
 *
 * BEFORE
 *	for (int i = 0; i < 4; i++) {
 *		x = f(p[4 * t + i]);
 *	}
 * AFTER
 *	float p __attribute__((vector_size(16)));
 *	__builtin_memcpy(&p, &p[4 * t + 0], sizeof(p));
 *	for (int i = 0; i < 4; i++) {
 *		x = f(p[i]);
 *	}
 *
 * Legal when
 *  1. the run is contiguous, and all its accesses may be done at one place
 *     (analysis/memory/access.h);
 *  2. its statements begin a line and end one.
 */
#include "strategy/join/join.h"

#include <string.h>
#include "strategy/text/text.h"

enum {
	CLAUSE_LINES = 2
};

/* The place before the statement and its pragmas. */
static size_t place_before(struct str text, const struct kt_node *stmt)
{
	size_t at = stmt->begin;
	for (;;) {
		while (at > 0 && text.p[at - 1] != '\n') {
			at--;
		}
		size_t up = at > 0 ? at - 1 : 0;
		struct str line = str_trim(line_around(text, up));
		if (at == 0 || !text_is_loop_pragma(line)) {
			return at;
		}
		at = up;
	}
}

/* Zero in the counter's type, since the other operand may be converted to that type. */
static const char *zero_of(const struct kt_type *t)
{
	static const struct {
		const char *type, *zero;
	} known[] = {{"unsigned int", "0u"}, {"long", "0l"}, {"unsigned long", "0ul"},
		{"long long", "0ll"}, {"unsigned long long", "0ull"}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (t->canon && strcmp(t->canon, known[i].type) == 0) {
			return known[i].zero;
		}
	}
	return "0";
}

/* The text of element 0; in a loop, with 0 in place of the counter. */
static const char *first_element(struct plan *p)
{
	const struct access_run *r = p->run;
	const struct kt_node *n = r->member[0].node;
	struct sbuf b = {0};
	size_t at = n->begin;
	for (const struct kt_node *c = n; r->loop && c; c = kt_next(c, n)) {
		if (kt_names(c, r->counter)) {
			sbuf_addstr(&b, plan_text(p, at, c->begin));
			sbuf_adds(&b, zero_of(kt_type_of(p->parse->unit, c)));
			at = c->end;
		}
	}
	sbuf_addstr(&b, plan_text(p, at, n->end));
	return sbuf_finish(&b, p->a).p;
}

bool join_can_edit(struct str text, const struct access_run *r)
{
	return text_first_on_line(text, r->first->begin) &&
	       str_find(text, "\n", r->last->end) != SIZE_MAX &&
	       text_line_ends_at(text, text_after_comments(text, r->last->end));
}

/* In one edit: clang-apply-replacements accepts only one insertion at a place. */
static void add_vector(struct plan *p, const char *name)
{
	const struct access_run *r = p->run;
	const char *element = first_element(p), *eol = text_eol(p->text);
	size_t before = place_before(p->text, r->first);
	size_t newline = str_find(p->text, "\n", r->last->end);
	struct str indent = text_code_indent(p->text, before);
	const char *type =
		kt_type_bare_name(p->a, kt_type_of(p->parse->unit, r->member[0].node), true);
	const char *copy = arena_printf(p->a, "%.*s__builtin_memcpy(&%s, &%s, sizeof(%s));%s",
		STR_ARG(indent), r->store ? element : name, r->store ? name : element, name, eol);
	plan_edit(p, before, before, "%.*s%s %s __attribute__((vector_size(%u)));%s%s",
		STR_ARG(indent), type, name, r->count * r->bytes, eol, r->store ? "" : copy);
	if (r->store) {
		plan_edit(p, newline + 1, newline + 1, "%s", copy);
	}
}

void join_plan(struct plan *p, const char *variant)
{
	const struct access_run *r = p->run;
	const struct kt_unit *u = p->parse->unit;
	const char *name = plan_name(p, arena_printf(p->a, "%s_vec", u->sym[r->base].name));
	const char *counter = r->loop ? u->sym[r->counter].name : NULL;
	(void)variant; /* there is only one */
	if (!join_can_edit(p->text, r)) {
		plan_refuse(p, CLAUSE_LINES, JOIN_CANNOT_EDIT);
		return;
	}
	add_vector(p, name);
	for (size_t i = 0; i < r->members; i++) {
		const struct kt_node *n = r->member[i].node;
		if (counter) {
			plan_edit(p, n->begin, n->end, "%s[%s]", name, counter);
		} else {
			plan_edit(p, n->begin, n->end, "%s[%u]", name, r->member[i].element);
		}
	}
}
