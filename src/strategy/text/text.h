#pragma once
/*
 * Lines, indentation and comments of source text, for edits that move it.
 */
#include "frontend/text/lex.h"
#include "base/arena.h"
#include "edit/edit.h"
#include "kernel/kernel.h"

/* The start of the line around at. */
size_t text_line_start(struct str t, size_t at);
/* The white space at the start of at's line; for a directive, that of the code after it. */
struct str text_indent(struct str t, size_t at);
/* This file's indentation step: a tab or N spaces. */
const char *text_indent_step(struct str t);
/* This file's line end: "\n" or "\r\n". */
const char *text_eol(struct str t);
size_t text_skip_blanks(struct str t, size_t i);
bool text_line_ends_at(struct str t, size_t i);
/* The start of a place's line, or of the comments directly above it. */
size_t text_comments_above(struct str t, size_t at);
bool text_first_on_line(struct str t, size_t at);
bool text_has_newline(struct str t, size_t begin, size_t end);
/* Indentation of the first line at or after at that is neither blank nor a directive. */
struct str text_code_indent(struct str t, size_t at);
/* Does the text hold a comment, or a literal that looks like one? */
bool text_has_comment(struct str s);
bool text_comment_at(struct str t, size_t at);
size_t text_end_of_comment(struct str t, size_t at);
/* The end of the comments after at on its line if no code follows; else at. */
size_t text_after_comments(struct str t, size_t at);
/* The lines that begin in [at, end) of a text and can be indented: not blank, no directive, and
 * outside of literals. */
struct text_lines {
	struct str t;
	size_t at;
	size_t end;
	struct lex_token token;
};
struct text_lines text_lines_in(struct str t, size_t begin, size_t end);
/* The start of the next line; SIZE_MAX: none. */
size_t text_next_line(struct text_lines *l);
/* Replaces the indentation from by to on all lines after the first, except inside literals. */
void text_add_reindented(struct sbuf *out, struct str s, struct str from, struct str to);
/* Adds each of these lines between two texts. */
void text_add_lines(struct sbuf *out, struct str lines, const char *before, const char *after);
/* Adds the comments of [begin, end) that are neither in kept nor in lines yet, each followed by a
 * line end and indentation. */
void text_add_lost_comments(struct sbuf *lines, struct arena *a, struct str t, size_t begin,
	size_t end, struct str kept, struct str indent);
/* Columns, with tabs of 8. */
size_t text_columns(struct str s);
/* Can expression c be an operand of ?, or of ! (unary), without parentheses? */
bool text_binds_tighter(const struct kt_node *c, bool unary);
/* The opposite operator of an integer comparison, or NULL. */
const char *text_opposite(const struct kt_unit *u, const struct kt_node *c);
/* The place of the operator between the operands of a comparison; false: not found. */
bool text_find_operator(struct str t, const struct kt_node *c, size_t *begin, size_t *end);
/* The end of statement n, past the semicolon of an expression. */
size_t text_end_of_statement(struct str t, const struct kt_node *n);
/* Removes a statement, and its line and comment if nothing else is on the line. */
void text_remove_statement(
	struct edit_list *l, struct arena *a, struct str t, const struct kt_node *n);
/* Does s begin with a loop pragma that is at column 0 at its first place in t? */
bool text_pragma_is_flush(struct str t, struct str s);
/* Moves such pragmas in s back to column 0. */
void text_flush_pragmas(struct sbuf *s, struct str t);
/* The start of a launder, an asm that makes LLVM forget a variable; its constraint is s or v. */
#define TEXT_LAUNDER "asm volatile(\"\" : \"+"
/* Is s a launder, or the macro for one? */
bool text_is_launder(struct str s);
/* Is a directive a pragma about the loop after it? */
bool text_is_loop_pragma(struct str s);
