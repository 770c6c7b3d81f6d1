#pragma once
/* The costs of kernels under combinations of settings, with the best of them marked. */
#include "choose/advise/explore.h"

struct exploration {
	const char *file;
	const char *const *setting; /* names */
	size_t settings;
	struct explored *v;
	size_t n;
};

/* Sets best: no other combination for that kernel and target is at least as good in spilled VGPRs,
 * VGPRs, resident waves and bytes per operation, and better in one of them. */
void explore_mark(struct exploration *x);
void explore_text(struct sbuf *out, const struct exploration *x);
/* {"version":1,"file","settings":[...],"results":[...]} */
void explore_json(struct sbuf *out, const struct exploration *x);
/* A plot of VGPRs, with spilled ones, over bytes per operation: a dot for each combination, larger
 * with more waves, filled for the best. */
void explore_svg(struct sbuf *out, const struct exploration *x);
/* The plot and the figures of each combination in one HTML file. */
void explore_html(struct sbuf *out, const struct exploration *x);
