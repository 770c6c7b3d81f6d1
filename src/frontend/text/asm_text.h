#pragma once
/*
 * The parts of an inline asm statement that libclang shows no cursors for: whether it is volatile,
 * the template, what stands before each operand's expression, the clobbers. Works on spelled text.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"

struct asm_operand {
	const char *name; /* of [name], or "" */
	const char *constraint;
	size_t begin; /* of the name or the constraint */
	size_t end;   /* after the expression's parenthesis */
	bool output;
};

struct asm_clobber {
	const char *text;
	size_t begin;
	size_t end;
};

struct asm_text {
	bool is_volatile;
	/* One literal as C spells it, whatever it was spelled like; with a '?' in front it is the
	 * text in the source, which macros take part in. */
	const char *template;
	size_t template_begin;
	size_t template_end;
	ARRAY(struct asm_operand) operand; /* outputs first */
	ARRAY(struct asm_clobber) clobber;
};

/* Reads the statement at `at` of the text; texts go to a. False: it is none that is understood (a
 * goto, a directive in it, operands out of macros, constraints that name memory, places or several
 * alternatives), and *out is empty. */
bool asm_text_read(struct asm_text *out, struct arena *a, struct str text, size_t at);
void asm_text_release(struct asm_text *t);
/* Appends what a literal holds, its quotes left out: lines of instructions. Of what C writes with a
 * backslash only ends of lines and tabs, which become blanks, are no part of one. */
void asm_text_decode(struct sbuf *out, struct str literal);
/* Takes a line off the front of those; without its comment and the blanks around. */
bool asm_text_line(struct str *rest, struct str *line);
