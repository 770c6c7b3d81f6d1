#include "frontend/text/place_words.h"

#include <string.h>
#include "base/array.h"

static const struct {
	const char *word;
	unsigned is;
} own[] = {
	{"__LINE__", PLACE_MOVED | PLACE_LINE},
	{"__builtin_LINE", PLACE_MOVED | PLACE_LINE},
	{"source_location", PLACE_MOVED | PLACE_LINE},
	{"__builtin_source_location", PLACE_MOVED | PLACE_LINE},
	{"__builtin_COLUMN", PLACE_MOVED},
	{"__COUNTER__", PLACE_MOVED},
	{"__FILE__", PLACE_MOVED},
	{"__FILE_NAME__", PLACE_MOVED},
	{"__builtin_FILE", PLACE_MOVED},
	{"__builtin_FILE_NAME", PLACE_MOVED},
	{"__func__", PLACE_FUNCTION},
	{"__FUNCTION__", PLACE_FUNCTION},
	{"__PRETTY_FUNCTION__", PLACE_FUNCTION},
	{"__FUNCSIG__", PLACE_FUNCTION},
	{"__builtin_FUNCTION", PLACE_FUNCTION},
	{"__builtin_FUNCSIG", PLACE_FUNCTION},
};

bool place_words_hold(struct str text)
{
	for (size_t i = 0; text.n && i < sizeof(own) / sizeof(own[0]); i++) {
		if (memmem(text.p, text.n, own[i].word, strlen(own[i].word))) {
			return true;
		}
	}
	return false;
}

static bool is_one_of(struct str t, struct lex_token k, const char *const *list)
{
	return str_is_any(str_sub(t, k.begin, k.end), list);
}

unsigned place_word_at(const struct map *words, struct str t, struct lex_token k)
{
	if (k.kind != LEX_WORD) {
		return 0;
	}
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (lex_is(t, k, own[i].word)) {
			return own[i].is;
		}
	}
	return (unsigned)map_get(words, str_sub(t, k.begin, k.end), 0);
}

struct lex_token place_words_next(struct str t, struct lex_token k)
{
	static const char *const failed[] = {"__assert_fail", "__assertfail", "__assert_rtn",
		"__assert", "__assert2", "_wassert", NULL};
	struct lex_token next = lex_next(t, k.end);
	if (k.kind != LEX_WORD || !lex_is(t, next, "(") || !is_one_of(t, k, failed)) {
		return next;
	}
	size_t close = lex_close(t, next.begin);
	return close == SIZE_MAX ? next : lex_next(t, close + 1);
}

/* The bits of all words in [begin, end). */
static unsigned words_in(const struct map *words, struct str t, size_t begin, size_t end)
{
	unsigned is = 0;
	for (struct lex_token k = lex_next(t, begin); k.kind != LEX_END && k.begin < end;
		k = place_words_next(t, k)) {
		is |= place_word_at(words, t, k);
	}
	return is;
}

/* ---- what leads to one ---- */

/* An open bracket, and the statement or list that is read in it. */
struct level {
	char open;		/* 0: the whole text */
	bool record;		/* the braces of a struct, class or union */
	bool body;		/* braces of a function */
	bool assigns;		/* '=' since the last comma */
	struct lex_token of;	/* the name before it; kind LEX_END: none */
	struct lex_token name;	/* of the record */
	struct lex_token tag;	/* in the statement, the name after struct, class or union */
	struct lex_token first; /* of the statement */
	struct lex_token second;
	struct lex_token last; /* word */
};

struct search {
	struct map *words;
	struct str t;
	ARRAY(struct level) level;
	unsigned typedefs; /* bits of the words in the current typedef */
	bool found;
	bool unknown;
};

static void note(struct search *s, struct lex_token name, unsigned is)
{
	static const char *const no_name[] = {"if", "for", "while", "switch", "return", "sizeof",
		"decltype", "catch", "assert", NULL};
	unsigned was = place_word_at(s->words, s->t, name);
	if (name.kind == LEX_WORD && (was | is) != was && !is_one_of(s->t, name, no_name)) {
		map_set(s->words, str_sub(s->t, name.begin, name.end), was | is);
		s->found = true;
	}
}

/* A place word: notes the function or type whose default contains it. In a function's body it is
 * found by itself. */
static void see_place(struct search *s, unsigned is)
{
	for (size_t i = s->level.n; i-- > 0;) {
		const struct level *l = &s->level.v[i];
		if (l->open == '(' && l->assigns) {
			note(s, l->of, is);
			/* [](int at = __LINE__), operator()(int at = __LINE__) */
			s->unknown |= lex_is(s->t, l->of, "]") || lex_is(s->t, l->of, ")");
		}
		if (l->record) {
			note(s, l->name, is);
		}
		if (lex_is(s->t, l->first, "using") && l->assigns) {
			note(s, l->second, is);
		}
		if (lex_is(s->t, l->first, "typedef")) {
			s->typedefs |= is;
		}
		if (l->body) {
			return;
		}
	}
}

static void end_statement(struct search *s, struct level *l)
{
	if (s->typedefs && lex_is(s->t, l->first, "typedef")) {
		note(s, l->last, s->typedefs);
	}
	s->typedefs = 0;
	l->assigns = false;
	l->first = l->second = l->last = l->tag = (struct lex_token){0};
}

/* before: the token before the bracket. */
static void open_level(struct search *s, struct lex_token k, struct lex_token before)
{
	static const char *const allowed[] = {")", "const", "noexcept", "override", "final",
		"mutable", "else", "do", "try", NULL};
	const struct level *up = &s->level.v[s->level.n - 1];
	struct level l = {.open = s->t.p[k.begin], .of = before, .name = up->tag};
	bool named = up->tag.kind == LEX_WORD;
	l.body = l.open == '{' && is_one_of(s->t, before, allowed) &&
		 !(named && lex_is(s->t, before, "final"));
	l.record = l.open == '{' && named && !l.body;
	array_push(&s->level, l);
}

static void close_level(struct search *s)
{
	struct level closed = s->level.v[s->level.n - 1];
	if (s->level.n > 1) {
		s->level.n--;
	}
	struct level *up = &s->level.v[s->level.n - 1];
	if (closed.body) {
		end_statement(s, up);
	}
}

static void see_word(struct search *s, struct lex_token k)
{
	static const char *const records[] = {"struct", "class", "union", NULL};
	struct level *l = &s->level.v[s->level.n - 1];
	if (is_one_of(s->t, k, records) ||
		(l->tag.kind == LEX_WORD && !l->assigns && !lex_is(s->t, k, "final"))) {
		l->tag = k;
	}
	if (l->first.kind == LEX_END) {
		l->first = k;
	} else if (l->second.kind == LEX_END) {
		l->second = k;
	}
	l->last = k;
	unsigned is = place_word_at(s->words, s->t, k);
	if (is) {
		see_place(s, is);
	}
}

static void see_punct(struct search *s, struct lex_token k, struct lex_token before)
{
	struct level *l = &s->level.v[s->level.n - 1];
	switch (s->t.p[k.begin]) {
	case '(':
	case '[':
	case '{':
		open_level(s, k, before);
		break;
	case ')':
	case ']':
	case '}':
		close_level(s);
		break;
	case ';':
		end_statement(s, l);
		break;
	case ':':
		if (l->record && l->tag.kind != LEX_WORD) {
			end_statement(s, l); /* public: */
		} else if (l->open != '(') {
			l->assigns = true; /* the next tokens are not part of a name */
		}
		break;
	case '=':
		l->assigns = true;
		break;
	default:
		break;
	}
}

static void see_macro(struct search *s, struct lex_token k)
{
	struct str line = str_sub(s->t, k.begin + 1, k.end);
	struct lex_token word = lex_next(line, 0);
	struct lex_token name = lex_next(line, word.end);
	if (!lex_is(line, word, "define") || name.kind != LEX_WORD) {
		return;
	}
	unsigned is = words_in(s->words, line, name.end, line.n);
	struct lex_token at = {LEX_WORD, k.begin + 1 + name.begin, k.begin + 1 + name.end};
	if (is) {
		note(s, at, is);
	}
}

bool place_words_add(struct map *words, struct str text, bool *unknown)
{
	struct search s = {.words = words, .t = text};
	struct lex_token before = {0};
	array_push(&s.level, (struct level){0});
	for (struct lex_token k = lex_next(text, 0); k.kind != LEX_END;
		k = place_words_next(text, k)) {
		if (k.kind == LEX_DIRECTIVE) {
			see_macro(&s, k);
			continue;
		}
		if (k.kind == LEX_WORD) {
			see_word(&s, k);
		} else if (k.kind == LEX_PUNCT) {
			see_punct(&s, k, before);
		}
		before = k;
	}
	array_release(&s.level);
	*unknown |= s.unknown;
	return s.found;
}
