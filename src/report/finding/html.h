#pragma once
/*
 * Findings as one HTML file that asks for nothing from elsewhere: of each merge its arms beside
 * each other, what crosses, and the verdicts; of each measured file bars of VGPRs, spills and waves
 * before, after and with only one arm, and the diff.
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
	struct str ledger; /* a picture of its register ledgers, SVG; or empty */
};

void html_print(struct sbuf *out, struct arena *a, const struct diag_list *found,
	const struct html_measured *measured, size_t n);
