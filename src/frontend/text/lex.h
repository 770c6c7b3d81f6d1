#pragma once
/*
 * Lexical facts that libclang's cursors do not show, such as the closing parenthesis or a
 * statement's semicolon. Works on spelled text; comments, literals, raw strings and line splices
 * are skipped. Offsets are bytes; SIZE_MAX means "not found".
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "base/str.h"

enum lex_kind {
	LEX_END,
	LEX_WORD,
	LEX_NUMBER,
	LEX_STRING,
	LEX_PUNCT,
	LEX_DIRECTIVE
};

struct lex_token {
	enum lex_kind kind;
	size_t begin;
	size_t end; /* a directive ends with its last line, without the newline */
};

/* The token at or after pos. Punctuation comes one byte at a time. */
struct lex_token lex_next(struct str text, size_t pos);
/* Each token k of t that begins in [from, to); the body may advance k.end. */
#define lex_each(k, t, from, to)                                                                   \
	for (struct lex_token k = lex_next(t, from); k.kind != LEX_END && k.begin < (to);          \
		k = lex_next(t, k.end))
/* Offset of the bracket that closes the one at open: ( [ or {. */
size_t lex_close(struct str text, size_t open);
/* Offset after pos of the first c at bracket depth 0, before end. */
size_t lex_find(struct str text, size_t pos, size_t end, char c);
/* Are both offsets, which begin tokens, in the same block? */
bool lex_in_one_block(struct str text, size_t from, size_t to);
/* Does the token k make the next word a member's name? */
bool lex_is_member_sign(struct str text, struct lex_token k);
/* Calls see for each word of the tokens that begin in [begin, end) until it returns true; returns
 * whether it did. Words of directives count, with the offset of the directive; names of members
 * (.x, ->x) do not. */
bool lex_each_word(struct str text, size_t begin, size_t end,
	bool (*see)(void *user, struct str word, size_t at), void *user);
/* Is it one of these words? */
bool lex_has_word(struct str text, size_t begin, size_t end, struct str word);
/* The end of the logical line of pos, before its line break; a backslash continues a line. */
size_t lex_line_end(struct str text, size_t pos);
/* Start of the first token at or after pos. */
size_t lex_skip_space(struct str text, size_t pos);

/* Is c a character of a word or number? */
bool lex_is_word_char(char c);
/* Are there only blanks before i on its line? */
bool lex_first_on_line(struct str t, size_t i);

static inline struct str lex_text(struct str text, struct lex_token k)
{
	return str_sub(text, k.begin, k.end);
}

/* Inline, to avoid the call for a token that begins with another letter. */
static inline bool lex_is(struct str text, struct lex_token t, const char *word)
{
	const char *p = text.p + t.begin;
	size_t n = t.end - t.begin;
	return n == 0 ? *word == '\0' : *p == *word && strlen(word) == n && memcmp(p, word, n) == 0;
}
