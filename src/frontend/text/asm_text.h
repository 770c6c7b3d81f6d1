#pragma once
/*
 * The parts of an inline asm statement that have no cursor in libclang: volatile, the template, the
 * text before each operand's expression, and the clobbers. Works on spelled text.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"

struct asm_operand {
	const char *name; /* the name in [name], or "" */
	const char *constraint;
	size_t begin; /* the start of the name or constraint */
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
	/* One literal in C's spelling, even if the source has several; with a '?' first it is the
	 * source text, because it contains macros. */
	const char *template;
	size_t template_begin;
	size_t template_end;
	ARRAY(struct asm_operand) operand; /* outputs first */
	ARRAY(struct asm_clobber) clobber;
};

/* Reads the statement at offset `at`; texts go to a. False, with *out empty, if it is not
 * understood: a goto, a directive in it, operands from macros, or constraints for memory, fixed
 * registers or several alternatives. */
bool asm_text_read(struct asm_text *out, struct arena *a, struct str text, size_t at);
void asm_text_release(struct asm_text *t);
/* Appends the content of a literal, without its quotes: lines of instructions. Of all escapes only
 * line ends and tabs are decoded; tabs become blanks. */
void asm_text_decode(struct sbuf *out, struct str literal);
/* Takes the first of these lines, without its comment and surrounding blanks. */
bool asm_text_line(struct str *rest, struct str *line);
