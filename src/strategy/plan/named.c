/*
 * The names that a text uses: its words, and those in the bodies of the macros that it invokes,
 * which the text does not show.
 */
#include "frontend/text/lex.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

struct macro {
	struct str name;
	struct str line;
	size_t open; /* the parentheses of its parameters; open == close: it has none */
	size_t close;
	size_t body;
};

typedef ARRAY(struct macro) macro_array;

static void add_macro(macro_array *out, struct str line)
{
	struct lex_token sign = lex_next(line, 1);
	struct lex_token name = lex_next(line, sign.end);
	size_t open = name.end;
	if (!lex_is(line, sign, "define") || name.kind != LEX_WORD) {
		return;
	}
	size_t close = open < line.n && line.p[open] == '(' ? lex_close(line, open) : open;
	if (close != SIZE_MAX) {
		array_push(out, (struct macro){lex_text(line, name), line, open, close,
					close > open ? close + 1 : open});
	}
}

static void release(void *what)
{
	macro_array *all = what;
	array_release(all);
}

/* The macros that the user's files define; found once. */
static const macro_array *macros_of(struct facts *f)
{
	const struct kt_unit *u = facts_unit(f);
	macro_array *all = facts_kept(f, FACTS_KEEP_MACROS, 0);
	if (all) {
		return all;
	}
	all = ARENA_NEW(facts_arena(f), macro_array);
	for (size_t i = 1; i < u->files; i++) {
		struct str t = u->file[i].text;
		if (!u->file[i].system && str_holds(t, STR("define"))) {
			lex_each (k, t, 0, t.n) {
				if (k.kind == LEX_DIRECTIVE) {
					add_macro(all, lex_text(t, k));
				}
			}
		}
	}
	facts_keep(f, FACTS_KEEP_MACROS, 0, all, release);
	return all;
}

struct sought {
	const struct map *words;
	const struct macro *in; /* or NULL */
	struct str but;		/* one of them, or empty */
};

static bool is_sought(void *user, struct str word, size_t at)
{
	const struct sought *s = user;
	const struct macro *m = s->in;
	(void)at;
	return map_has(s->words, word) && !str_eq(word, s->but) &&
	       !(m && lex_has_word(m->line, m->open, m->close, word));
}

void plan_add_macros(struct map *words, struct facts *f)
{
	const macro_array *all = macros_of(f);
	for (size_t before = 0; before != words->n;) {
		before = words->n;
		array_each (all, const struct macro, m) {
			struct sought s = {.words = words, .in = m};
			if (!map_has(words, m->name) &&
				lex_each_word(m->line, m->body, m->line.n, is_sought, &s)) {
				map_set(words, m->name, 1);
			}
		}
	}
}

/* The pragma of _Pragma("..."), as a directive; empty: it is made of something else. */
static struct str pragma_of(struct str line, struct lex_token k, struct arena *a)
{
	struct lex_token open = lex_next(line, k.end);
	struct lex_token what = lex_next(line, open.end);
	bool plain = lex_is(line, open, "(") && what.kind == LEX_STRING &&
		     line.p[what.begin] == '"' && what.end - what.begin > 2;
	return plain ? str_of(arena_printf(a, "#pragma %.*s",
			       STR_ARG(str_sub(line, what.begin + 1, what.end - 1))))
		     : (struct str){0};
}

void plan_add_pragmas(struct map *words, struct facts *f)
{
	array_each (macros_of(f), const struct macro, m) {
		lex_each (k, m->line, m->body, m->line.n) {
			struct str pragma = lex_is(m->line, k, "_Pragma")
						    ? pragma_of(m->line, k, facts_arena(f))
						    : (struct str){0};
			if (pragma.n && !text_is_loop_pragma(pragma)) {
				map_set(words, m->name, 1);
			}
		}
	}
	plan_add_macros(words, f);
}

void plan_words_of(struct map *out, const struct plan *p, struct str name)
{
	map_set(out, name, 1);
	plan_add_macros(out, p->parse->facts);
}

bool plan_macro_names(const struct plan *p, struct str word)
{
	struct map words = {0};
	plan_words_of(&words, p, word);
	bool names = words.n > 1;
	map_release(&words);
	return names;
}

static bool uses_name(
	const struct plan *p, size_t begin, size_t end, struct str name, struct str but)
{
	struct map words = {0};
	plan_words_of(&words, p, name);
	struct sought s = {.words = &words, .but = but};
	bool uses = (words.n > 1 || !but.n) && lex_each_word(p->text, begin, end, is_sought, &s);
	map_release(&words);
	return uses;
}

bool plan_macro_in(const struct plan *p, size_t begin, size_t end, const char *name)
{
	return uses_name(p, begin, end, str_of(name), str_of(name));
}

bool plan_may_name(const struct plan *p, size_t begin, size_t end, const char *name)
{
	return uses_name(p, begin, end, str_of(name), (struct str){0});
}
