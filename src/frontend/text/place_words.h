#pragma once
/*
 * Words whose value depends on where they stand: __LINE__ and its like, macros that expand to one,
 * functions and types that have one as a default (of an argument, of a member). Found in spelled
 * text. What an assert prints is no value: neither assert nor what is handed to the function that
 * it ends in counts.
 */
#include "base/map.h"
#include "base/str.h"
#include "frontend/text/lex.h"

enum place_word {
	PLACE_MOVED = 1 << 0,	 /* another value at another place of the file */
	PLACE_LINE = 1 << 1,	 /* another one when lines are added above it */
	PLACE_FUNCTION = 1 << 2, /* another one in another function */
};

/* Does the text hold one of the language's own? A fast no for almost every text. */
bool place_words_hold(struct str text);
/* Adds the words of a text that lead to one, and those that words of the map lead to, as word ->
 * enum place_word; keys point into the text. True: there was a new one, and others may follow from
 * it in this text or another. *unknown: something without a name leads to one. */
bool place_words_add(struct map *words, struct str text, bool *unknown);
/* What the word at k is: enum place_word, or 0. */
unsigned place_word_at(const struct map *words, struct str text, struct lex_token k);
/* The token after k, or after what k hands to the function that an assert ends in. */
struct lex_token place_words_next(struct str text, struct lex_token k);
