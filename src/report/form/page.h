#pragma once
/*
 * The HTML form of all reports: one file that asks for nothing from elsewhere, light and dark, to
 * be read in a window of 1,280 pixels or printed. Each has the same head, the same table of what
 * kernels cost, and the same diff.
 */
#include "base/str.h"
#include "measure/measure.h"

void page_open(struct sbuf *out, const char *title);
void page_close(struct sbuf *out);
void page_heading(struct sbuf *out, const char *text); /* of a section */
void page_pre(struct sbuf *out, struct str text);
void page_diff(struct sbuf *out, struct str diff);

enum {
	PAGE_BARS = 3
};

/* A row: a kernel for a target, each figure as a bar a measurement. */
struct page_kernel {
	const char *name;
	const char *target;
	const char *mark;				 /* after its name, or NULL */
	const struct kernel_metrics *figures[PAGE_BARS]; /* NULL: no bar */
};
/* which: what the bars are, "before", "after", "alone"; NULL: there is one, which needs no word. */
void page_kernels(struct sbuf *out, const struct page_kernel *v, size_t n,
	const char *const which[PAGE_BARS]);
