#pragma once
/* The tokens that prepare.c works on, and the marks that arms.c puts among them. */
#include "base/arena.h"
#include "base/array.h"
#include "base/words.h"
#include "edit/edit.h"

/* A token of the user's code; system headers are skipped. */
struct token {
	size_t begin;
	size_t end;
	char kind; /* 'a' word or number, '"' literal, else the character */
};

struct preparation {
	struct str source;
	struct arena *arena;
	ARRAY(struct token) tokens;
	bool *replaced; /* parallel to tokens: their text is removed */
	struct edit_list edits;
	unsigned loops;
	unsigned variables;
	bool never_runs; /* prepare.h */
};

bool token_is_marker(struct str line); /* # 12 "file" 1 */
bool token_is(const struct preparation *p, size_t i, const char *text);
char token_kind(const struct preparation *p, size_t i); /* '\0' after the last */
bool token_opens(char kind);
bool token_closes(char kind);
/* The token after the bracket that matches the one at i. */
size_t token_past_bracket(const struct preparation *p, size_t i);
/* The token after the ">" of the "<" at i. */
size_t token_past_angle(const struct preparation *p, size_t i);
/* The bracket that the one at i closes; SIZE_MAX: none. */
size_t token_opening(const struct preparation *p, size_t i);
/* Does the bracket follow an if, a loop or the like? */
bool token_heads_statement(const struct preparation *p, size_t open);
/* Replaces the bytes of tokens [from, to) by text, keeping line ends and markers. */
void token_replace(struct preparation *p, size_t from, size_t to, const char *text);
/* at: byte offset in the source */
void token_insert(struct preparation *p, size_t at, struct str text);

/* Instruments the arms of if and switch, so that a run records which of them ran. Unsupported forms
 * (if constexpr, a condition with a declaration, a label without its own statement) are left alone.
 * choices: also the arms of `?:`; unsupported ones are listed. */
void arms_mark(struct preparation *p, bool choices);
/* Removes __device__ at token i, and registers the variable after it with the launcher
 * (device_variable of unphi/wave.h). Returns the next token, or i without __device__. For a
 * variable template or a member only the name is registered. */
size_t variables_mark(struct preparation *p, size_t i);
/* The names of functions that are declared __global__, in p's arena. */
void kernels_find(struct words *out, const struct preparation *p);
