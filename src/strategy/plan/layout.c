#include "strategy/plan/layout.h"

#include "base/map.h"
#include "frontend/text/lex.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

/* Valid from at up to the next entry. */
struct change {
	size_t at;
	const struct layout_around *around;
};

typedef ARRAY(struct change) change_array;
typedef ARRAY(struct span) mark_array;
typedef ARRAY(size_t) offset_array;

struct layout {
	struct str text;
	struct arena *a;
	change_array namespaces;
	change_array conditions;
	mark_array directives;
	mark_array fixed;     /* directives except loop pragmas, and _Pragma */
	mark_array types;     /* words that name or declare a type or a namespace */
	struct map mentions;  /* function's name -> offset_array * */
	mark_array functions; /* the outermost ones */
	struct map *firsts;   /* word -> first offset; filled on demand */
	struct map *uses;     /* word -> offset_array *; filled on demand */
};

static const struct layout_around *push(struct layout *l, change_array *to, size_t at,
	struct str name, const struct layout_around *up)
{
	struct layout_around *r = ARENA_NEW(l->a, struct layout_around);
	*r = (struct layout_around){name, at, up};
	array_push(to, (struct change){at, r});
	return r;
}

static const struct layout_around *around(const change_array *c, size_t at)
{
	size_t lo = 0, hi = c->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->v[mid].at < at) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo ? c->v[lo - 1].around : NULL;
}

/* ---- one pass ---- */

struct pass {
	struct layout *l;
	size_t word; /* end of a namespace keyword before its brace, or 0 */
	const struct layout_around *space;
	ARRAY(const struct layout_around *) braces; /* the surroundings at each open brace */
	const struct layout_around *condition;
	struct map type_words;
	struct map pragmas;
};

static void pass_punct(struct pass *p, size_t at)
{
	struct layout *l = p->l;
	switch (l->text.p[at]) {
	case ';':
		p->word = 0;
		break;
	case '{':
		array_push(&p->braces, p->space);
		if (p->word) {
			struct str name = str_trim(str_sub(l->text, p->word, at));
			p->space = push(l, &l->namespaces, at, name, p->space);
		}
		p->word = 0;
		break;
	case '}':
		if (p->braces.n && p->braces.v[--p->braces.n] != p->space) {
			p->space = p->braces.v[p->braces.n];
			array_push(&l->namespaces, (struct change){at, p->space});
		}
		break;
	default:
		break;
	}
}

static void pass_directive(struct pass *p, struct lex_token k)
{
	struct layout *l = p->l;
	struct str s = str_trim(str_sub(l->text, k.begin + 1, k.end));
	bool ends = str_starts(s, "endif"), other = str_starts(s, "el");
	array_push(&l->directives, (struct span){k.begin, k.end});
	if (!text_is_loop_pragma(lex_text(l->text, k))) {
		array_push(&l->fixed, (struct span){k.begin, k.end});
	}
	if (!(ends || other || str_starts(s, "if"))) {
		return;
	}
	if ((ends || other) && p->condition) {
		p->condition = p->condition->up;
		array_push(&l->conditions, (struct change){k.begin, p->condition});
	}
	if (!ends) {
		p->condition = push(l, &l->conditions, k.begin, (struct str){0}, p->condition);
	}
}

/* Macros may have such a word. */
static void find_type_words(struct map *out, struct facts *f)
{
	static const char *const word[] = {
		"struct", "class", "union", "enum", "typedef", "using", "namespace"};
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		map_set(out, str_of(word[i]), 1);
	}
	plan_add_macros(out, f);
}

static void pass_word(struct pass *p, struct lex_token k)
{
	struct layout *l = p->l;
	struct str word = lex_text(l->text, k);
	offset_array *at = (offset_array *)map_get(&l->mentions, word, 0);
	if (at) {
		array_push(at, k.begin);
	}
	if (map_has(&p->type_words, word)) {
		array_push(&l->types, (struct span){k.begin, k.end});
	}
	if (lex_is(l->text, k, "namespace")) {
		p->word = k.end;
	}
	if (lex_is(l->text, k, "_Pragma") || lex_is(l->text, k, "__pragma") ||
		map_has(&p->pragmas, word)) {
		array_push(&l->fixed, (struct span){k.begin, k.end});
	}
}

static void pass(struct layout *l, struct facts *f)
{
	struct pass p = {.l = l};
	find_type_words(&p.type_words, f);
	plan_add_pragmas(&p.pragmas, f);
	lex_each (k, l->text, 0, l->text.n) {
		if (k.kind == LEX_PUNCT) {
			pass_punct(&p, k.begin);
		} else if (k.kind == LEX_DIRECTIVE) {
			pass_directive(&p, k);
		} else if (k.kind == LEX_WORD) {
			pass_word(&p, k);
		}
	}
	array_release(&p.braces);
	map_release(&p.type_words);
	map_release(&p.pragmas);
}

/* By the text only, so that every parse finds the same: a block after parentheses is a function's
 * body; other blocks are searched. */
static void find_functions(mark_array *out, struct str t)
{
	size_t head = SIZE_MAX;
	bool parens = false;
	lex_each (k, t, 0, t.n) {
		bool opens = lex_is(t, k, "{");
		if (opens && parens) {
			size_t close = lex_close(t, k.begin);
			k.end = close == SIZE_MAX ? t.n : close + 1;
			array_push(out, (struct span){head, k.end});
		}
		if (opens || lex_is(t, k, ";") || lex_is(t, k, "}")) {
			head = SIZE_MAX;
			parens = false;
		} else if (k.kind != LEX_DIRECTIVE) {
			head = head == SIZE_MAX ? k.begin : head;
			parens |= lex_is(t, k, "(");
		}
	}
}

static void release(void *user)
{
	struct layout *l = user;
	array_release(&l->namespaces);
	array_release(&l->conditions);
	array_release(&l->directives);
	array_release(&l->fixed);
	array_release(&l->types);
	for (size_t i = 0; i < l->mentions.n; i++) {
		offset_array *at = (offset_array *)l->mentions.entry[i].value;
		array_release(at);
	}
	map_release(&l->mentions);
	map_release(l->firsts);
	for (size_t i = 0; i < l->uses->n; i++) {
		offset_array *at = (offset_array *)l->uses->entry[i].value;
		array_release(at);
	}
	map_release(l->uses);
	array_release(&l->functions);
}

struct layout *layout_of(struct facts *f, kt_id file)
{
	struct layout *l = facts_kept(f, FACTS_KEEP_LAYOUT, file);
	if (l) {
		return l;
	}
	const struct kt_unit *u = facts_unit(f);
	struct arena *a = facts_arena(f);
	l = ARENA_NEW(a, struct layout);
	*l = (struct layout){.text = u->file[file].text,
		.a = a,
		.firsts = ARENA_NEW(a, struct map),
		.uses = ARENA_NEW(a, struct map)};
	for (kt_id i = 1; i < u->fns; i++) {
		struct str name = str_of(u->fn[i].base ? u->fn[i].base : "");
		if (u->fn[i].file == file && name.n && !map_has(&l->mentions, name)) {
			map_set(&l->mentions, name, (uintptr_t)ARENA_NEW(a, offset_array));
		}
	}
	pass(l, f);
	find_functions(&l->functions, l->text);
	facts_keep(f, FACTS_KEEP_LAYOUT, file, l, release);
	return l;
}

const struct layout *plan_layout(const struct plan *p)
{
	return layout_of(p->parse->facts, p->merge->node->file);
}

/* ---- queries ---- */

const struct layout_around *layout_namespaces(const struct layout *l, size_t at)
{
	return around(&l->namespaces, at);
}

const struct layout_around *layout_conditions(const struct layout *l, size_t at)
{
	return around(&l->conditions, at);
}

bool layout_mentions(const size_t **at, size_t *n, const struct layout *l, struct str name)
{
	const offset_array *all = (const offset_array *)map_get(&l->mentions, name, 0);
	*n = all ? all->n : 0;
	*at = all ? all->v : NULL;
	return all != NULL;
}

static bool note_first(void *user, struct str word, size_t at)
{
	struct map *firsts = user;
	if (!map_has(firsts, word)) {
		map_set(firsts, word, at);
	}
	return false;
}

size_t layout_first(const struct layout *l, struct str word)
{
	if (l->firsts->n == 0) {
		lex_each_word(l->text, 0, l->text.n, note_first, l->firsts);
	}
	return map_get(l->firsts, word, SIZE_MAX);
}

bool layout_in_directive(const struct layout *l, struct str word)
{
	array_each (&l->directives, const struct span, s) {
		struct str text = str_sub(l->text, s->begin, s->end);
		if (str_holds(text, word) &&
			(str_holds(text, STR("##")) ||
				lex_has_word(l->text, s->begin, s->end, word))) {
			return true;
		}
	}
	return false;
}

/* The first mark in [begin, end). */
static struct str first_in(const struct layout *l, const mark_array *m, size_t begin, size_t end)
{
	size_t lo = 0, hi = m->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (m->v[mid].begin < begin) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	bool there = lo < m->n && m->v[lo].begin < end;
	return there ? str_sub(l->text, m->v[lo].begin, m->v[lo].end) : (struct str){0};
}

struct str layout_type_word(const struct layout *l, size_t begin, size_t end)
{
	return first_in(l, &l->types, begin, end);
}

struct str layout_fixed(const struct layout *l, size_t begin, size_t end)
{
	return first_in(l, &l->fixed, begin, end);
}

/* ---- uses ---- */

static void note_use(const struct layout *l, struct str word, size_t at)
{
	offset_array *to = (offset_array *)map_get(l->uses, word, 0);
	if (!to) {
		to = ARENA_NEW(l->a, offset_array);
		map_set(l->uses, word, (uintptr_t)to);
	}
	array_push(to, at);
}

static void note_uses(const struct layout *l)
{
	lex_each (k, l->text, 0, l->text.n) {
		if (k.kind == LEX_WORD) {
			note_use(l, lex_text(l->text, k), k.begin);
		} else if (k.kind == LEX_DIRECTIVE) {
			struct str line = str_sub(l->text, k.begin + 1, k.end);
			lex_each (w, line, 0, line.n) {
				if (w.kind == LEX_WORD) {
					note_use(l, lex_text(line, w), k.begin);
				}
			}
		}
	}
}

const size_t *layout_uses(const struct layout *l, struct str word, size_t *n)
{
	if (l->uses->n == 0) {
		note_uses(l);
	}
	const offset_array *at = (const offset_array *)map_get(l->uses, word, 0);
	*n = at ? at->n : 0;
	return at ? at->v : NULL;
}

static struct span span_around(const mark_array *all, size_t at)
{
	array_each (all, const struct span, f) {
		if (f->begin <= at && at < f->end) {
			return *f;
		}
	}
	return (struct span){0};
}

struct span layout_function(const struct layout *l, size_t at)
{
	return span_around(&l->functions, at);
}

struct span layout_function_in(struct str t, size_t at)
{
	mark_array all = {0};
	find_functions(&all, t);
	struct span fn = span_around(&all, at);
	array_release(&all);
	return fn;
}

bool layout_in_namespaces(struct str t, size_t at)
{
	size_t open = 0, spaces = 0;
	bool named = false;
	lex_each (k, t, 0, at) {
		named |= lex_is(t, k, "namespace");
		if (lex_is(t, k, "{")) {
			spaces += named && open == spaces;
			open++;
		} else if (lex_is(t, k, "}") && open > 0) {
			spaces -= open == spaces;
			open--;
		}
		named &= !(lex_is(t, k, "{") || lex_is(t, k, ";"));
	}
	return open == spaces;
}

bool layout_is_directive(const struct layout *l, size_t at)
{
	return at < l->text.n && l->text.p[at] == '#';
}

bool layout_includes_inside(const struct layout *l)
{
	array_each (&l->directives, const struct span, s) {
		bool include =
			str_starts(str_trim(str_sub(l->text, s->begin + 1, s->end)), "include");
		if (include && layout_function(l, s->begin).end) {
			return true;
		}
	}
	return false;
}

bool layout_same_namespace(const struct layout *l, size_t x, size_t y)
{
	const struct layout_around *a = layout_namespaces(l, x), *b = layout_namespaces(l, y);
	while (a && b && str_eq(a->name, b->name)) {
		a = a->up;
		b = b->up;
	}
	return !a && !b;
}
