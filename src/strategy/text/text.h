#pragma once
/*
 * Lines, indentation and comments of source text that is moved about.
 */
#include "frontend/text/lex.h"
#include "base/arena.h"
#include "edit/edit.h"
#include "kernel/kernel.h"

/* Of the line that at stands on. */
size_t text_line_start(struct str t, size_t at);
/* White space that the line of at begins with; of a directive's that of the code after it. */
struct str text_indent(struct str t, size_t at);
/* One level deeper, as this file does it: a tab or N spaces. */
const char *text_indent_step(struct str t);
/* "\n" or "\r\n", as this file does it. */
const char *text_eol(struct str t);
size_t text_skip_blanks(struct str t, size_t i);
bool text_line_ends_at(struct str t, size_t i);
/* The line that a place is on, with the comments that end right before it. */
size_t text_comments_above(struct str t, size_t at);
bool text_first_on_line(struct str t, size_t at);
bool text_has_newline(struct str t, size_t begin, size_t end);
/* Indentation of the first line at or after at that is neither blank nor a directive. */
struct str text_code_indent(struct str t, size_t at);
bool text_comment_at(struct str t, size_t at);
size_t text_end_of_comment(struct str t, size_t at);
/* After the comments that follow at on its line, when nothing else does; else at. */
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
/* Where the next one begins; SIZE_MAX: there is none. */
size_t text_next_line(struct text_lines *l);
/* Lines after the first that begin with from get to instead, but for those inside a literal. */
void text_add_reindented(struct sbuf *out, struct str s, struct str from, struct str to);
/* Comments of [begin, end) that stand neither in kept nor among the lines so far, each with its
 * line end and indentation after it. */
void text_add_lost_comments(struct sbuf *lines, struct arena *a, struct str t, size_t begin,
	size_t end, struct str kept, struct str indent);
/* Columns, with tabs of 8. */
size_t text_columns(struct str s);
/* May the text of expression c stand before a ? or after a ! (unary) as it is? */
bool text_binds_tighter(const struct kt_node *c, bool unary);
/* Where statement n ends, the semicolon after an expression included. */
size_t text_end_of_statement(struct str t, const struct kt_node *n);
/* A statement goes with its line and the comment after it, where nothing else is on the line. */
void text_remove_statement(
	struct edit_list *l, struct arena *a, struct str t, const struct kt_node *n);
/* Does s begin with a loop pragma that stands at the margin where t has it first? */
bool text_pragma_is_flush(struct str t, struct str s);
/* Puts such pragmas of the lines of s at the margin, where they came from. */
void text_flush_pragmas(struct sbuf *s, struct str t);
/* What an asm begins with that has LLVM forget a variable; its constraint is s or v. */
#define TEXT_LAUNDER "asm volatile(\"\" : \"+"
/* Is s such a statement, or the macro that stands for one? */
bool text_is_launder(struct str s);
/* Is a directive a pragma about the loop after it? */
bool text_is_loop_pragma(struct str s);
