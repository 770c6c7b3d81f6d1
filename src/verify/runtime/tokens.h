#pragma once
/* The tokens that prepare.c works on, and the marks that arms.c puts among them. */
#include "base/arena.h"
#include "base/array.h"
#include "base/words.h"
#include "edit/edit.h"

/* A token of the user's own code; what comes from system headers is passed over. */
struct token {
	size_t begin;
	size_t end;
	char kind; /* 'a' word or number, '"' literal, else the character */
};

struct preparation {
	struct str source;
	struct arena *arena;
	ARRAY(struct token) tokens;
	bool *replaced; /* parallel to tokens: their text goes */
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
/* at: byte of the source */
void token_insert(struct preparation *p, size_t at, struct str text);

/* Marks the arms of if and switch, so that a run can tell which of them ran. What cannot be marked
 * (if constexpr, a condition that declares something, a label without a statement of its own) is
 * left alone. With choices those of `?:`, too; what cannot be marked of them is named. */
void arms_mark(struct preparation *p, bool choices);
/* Takes the mark __device__ out at token i, and has a variable that it stands before known to the
 * launcher (device_variable of unphi/wave.h). The token after it, or i: there is no mark. Of a
 * variable template and a member only the name is known. */
size_t variables_mark(struct preparation *p, size_t i);
/* The names of functions that are declared __global__, in p's arena. */
void kernels_find(struct words *out, const struct preparation *p);
