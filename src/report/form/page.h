#pragma once
/*
 * The HTML form of all reports: one file that asks for nothing from elsewhere, light and dark, to
 * be read in a window of 1,280 pixels or printed. Each has the same head, the same table of what
 * kernels cost, and the same diff. A field at the top hides the rows and sections without a word,
 * and the head of a column sorts its table, by a script in the page.
 */
#include "base/str.h"
#include "choose/choose.h"
#include "measure/measure.h"

void page_open(struct sbuf *out, const char *title);
void page_close(struct sbuf *out);
void page_heading(struct sbuf *out, const char *text); /* of a section */
void page_pre(struct sbuf *out, struct str text);
void page_diff(struct sbuf *out, struct str diff);

enum {
	PAGE_BARS = 3,
	PAGE_ALIKE = 4 /* neighbouring rows that say the same and become one row, which opens */
};

/* The first cell of such a row, which names n: page_rows_next comes before the name of each. Of one
 * they write nothing. */
void page_rows_open(struct sbuf *out, size_t n);
void page_rows_next(struct sbuf *out, size_t i, size_t n);
void page_rows_close(struct sbuf *out, size_t n);

/* A table whose columns sort, up to its first row; n titles. page_table_end closes it. */
void page_table(struct sbuf *out, const char *const *title, size_t n);
void page_table_end(struct sbuf *out);

/* A row: a kernel for a target, each figure as a bar for each measurement, on the scale of the head
 * of its column; waves as those of the slots of a SIMD that are taken. Rows next to each other with
 * the same figures are one row that opens. */
struct page_kernel {
	const char *name;
	const char *target;
	const char *mark;				 /* after its name, or NULL */
	const struct kernel_metrics *figures[PAGE_BARS]; /* NULL: no bar */
};
/* which: what the bars are, "before", "after", "alone"; NULL: there is one, which needs no word. */
void page_kernels(struct sbuf *out, const struct page_kernel *v, size_t n,
	const char *const which[PAGE_BARS]);
/* Such rows of the wanted kernels (NULL: all) of a choice, measured one a target; nothing where
 * before is NULL. one_arm may be NULL. */
void page_choice(struct sbuf *out, const struct choice *c, size_t targets, const regex_t *wanted);
