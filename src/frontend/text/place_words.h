#pragma once
/*
 * Words whose value depends on their place: __LINE__ and similar ones, macros that expand to one,
 * functions and types that have one as a default (of an argument or a member). Found in spelled
 * text. Output of a failed assert does not count: neither assert itself nor the arguments of the
 * function that it calls.
 */
#include "base/map.h"
#include "base/str.h"
#include "frontend/text/lex.h"

enum place_word {
	PLACE_MOVED = 1 << 0,	 /* another value at another place in the file */
	PLACE_LINE = 1 << 1,	 /* another value if lines are added above it */
	PLACE_FUNCTION = 1 << 2, /* another value in another function */
};

/* Does the text contain one of the language's own words? A fast no for almost every text. */
bool place_words_hold(struct str text);
/* Adds the words of a text that expand to one, or use a word of the map, as word -> enum
 * place_word; keys point into the text. True if there was a new one: then others may follow from
 * it, in this text or another. *unknown: code without a name has one. */
bool place_words_add(struct map *words, struct str text, bool *unknown);
/* The enum place_word of the word at k, or 0. */
unsigned place_word_at(const struct map *words, struct str text, struct lex_token k);
/* The token after k, or after the arguments of the function that an assert calls. */
struct lex_token place_words_next(struct str text, struct lex_token k);
