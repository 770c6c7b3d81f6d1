#pragma once
/*
 * Findings as one HTML file that loads no other files. A merge is shown with its arms side by side,
 * its carriers and the verdicts; a measured file with its diff, and with bars of VGPRs, spills and
 * waves before, after, and with only one arm left in.
 */
#include "base/arena.h"
#include "choose/choose.h"
#include "rule/diag.h"

struct html_measured {
	const char *path;
	struct str source;
	const struct target *const *target;
	size_t targets;
	const struct choice *choice;
	struct str ledger; /* its register ledgers as SVG, or empty */
};

void html_print(struct sbuf *out, struct arena *a, const struct diag_list *found,
	const struct html_measured *measured, size_t n);
