#pragma once
/*
 * The text of the two parts of a function and of the state between them, which edit.c inserts:
 * words and lists (write.c), the heads of the parts (head.c), the state and the bodies (body.c).
 * The parts keep the function's text with its comments. Internal to the folder.
 */
#include "strategy/extract/extract.h"

struct writer {
	struct callee *c;
	struct plan *p;
	struct str t;
	const char *eol;
	const char *step;
	struct str base;   /* indentation of the function */
	const char *inner; /* of its statements */
	const char *state; /* names */
	const char *narrow;
	const char *wide;
	const char *param; /* the state, inside the parts */
	const char *var;   /* the state, at the merge */
	bool returns;	   /* the narrow part returns the state; else it fills a parameter */
};

typedef ARRAY(struct str) str_array;

/* Parameters of one part, and the arguments for them. */
struct part {
	str_array param;
	str_array arg; /* of leaf 0 */
	bool *kept;
};

/* ---- write.c ---- */

struct str writer_str(const struct writer *w, struct span s);
/* The text on one line, unless a // comment is in it. */
struct str writer_joined(struct writer *w, struct str s);
/* Adds the items with commas, wrapped at the margin, and close after the last. */
void writer_add_list(struct writer *w, struct sbuf *out, const str_array *item, const char *indent,
	const char *close);
/* A line of a body. */
void writer_add_line(struct writer *w, struct sbuf *out, const char *text);
struct str writer_end_trimmed(struct str s);

/* ---- head.c ---- */

/* Can the narrow part return the state? */
bool writer_gives_state(const struct writer *w);
bool writer_part_has_word(const struct writer *w, bool wide, struct str word);
/* The parameters that a part keeps; false after a refusal. */
bool writer_choose_params(struct writer *w, struct part *part, bool wide);
void writer_part_release(struct part *part);
bool callee_passes_array(const struct callee *c);
/* Adds the header, with the body's opening brace or the ; of a declaration. */
void writer_add_header(struct writer *w, struct sbuf *out, struct part *part, bool wide, bool body);

/* ---- body.c ---- */

/* Is the state declared next to the parts, not at their forward declarations? */
bool writer_has_state_beside(const struct writer *w);
/* base: the indentation of the state's declaration. */
void writer_add_state(struct writer *w, struct sbuf *out, struct str base);
/* Can the wide part use the names of the class's template parameters for the passed values? No
 * variable there may have these names. */
bool writer_can_name_class(const struct writer *w);
/* The text after the function: the parts and the state. */
struct str writer_definitions(struct writer *w, struct part *narrow, struct part *wide);
/* The text before the function of the merge, if the parts are defined after it. */
struct str writer_declarations(struct writer *w, struct part *narrow, struct part *wide);
