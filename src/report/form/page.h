#pragma once
/*
 * The HTML form of all reports: one file that loads no other files, light and dark, for a window of
 * 1,280 pixels or for print. All have the same head, the same table of the costs of kernels, and
 * the same diff. A script in the page filters rows and sections by the word in a field at the top.
 * It also sorts a table by the column whose head is clicked.
 */
#include "base/str.h"
#include "choose/choose.h"
#include "measure/measure.h"

void page_open(struct sbuf *out, const char *title);
void page_close(struct sbuf *out);
void page_heading(struct sbuf *out, const char *text); /* a section's */
void page_pre(struct sbuf *out, struct str text);
void page_diff(struct sbuf *out, struct str diff);

enum {
	PAGE_BARS = 3,
	/* at least this many neighbouring rows with the same figures become one row that opens */
	PAGE_ALIKE = 4
};

/* The first cell of such a row, with n names: call page_rows_next before each name. For n 1 they
 * write nothing. */
void page_rows_open(struct sbuf *out, size_t n);
void page_rows_next(struct sbuf *out, size_t i, size_t n);
void page_rows_close(struct sbuf *out, size_t n);

/* Begins a table with n titles whose columns sort. page_table_end closes it. */
void page_table(struct sbuf *out, const char *const *title, size_t n);
void page_table_end(struct sbuf *out);

/* A row: a kernel for a target. Each figure is a bar for each measurement, on the scale in the head
 * of its column; waves are shown as the taken slots of a SIMD. Neighbouring rows with the same
 * figures become one row that opens. */
struct page_kernel {
	const char *name;
	const char *target;
	const char *mark;				 /* after its name, or NULL */
	const struct kernel_metrics *figures[PAGE_BARS]; /* NULL: no bar */
};
/* which: the words for the bars: "before", "after", "alone". NULL: there is one bar, without a
 * word. */
void page_kernels(struct sbuf *out, const struct page_kernel *v, size_t n,
	const char *const which[PAGE_BARS]);
/* Such rows for the wanted kernels (NULL: all) of a choice, which has a measurement for each
 * target. Nothing if c->before is NULL; c->one_arm may be NULL. */
void page_choice(struct sbuf *out, const struct choice *c, size_t targets, const regex_t *wanted);
