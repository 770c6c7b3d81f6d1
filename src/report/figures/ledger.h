#pragma once
/*
 * Register ledgers beside the measured figures of the same kernels: for people, as JSON, and as a
 * picture.
 */
#include "analysis/ledger/ledger.h"
#include "measure/measure.h"

struct ledger_entry {
	const struct ledger *ledger;
	const struct kt_unit *unit;
	const char *file; /* as named by the user */
	const struct target *target;
	struct ledger_claim claim;
	struct occupancy_use use;	  /* LDS and group size; vgprs: the measured ones, or 0 */
	bool group_known;		  /* else the group size is the compiler's default */
	const struct kernel_metrics *got; /* NULL: not measured */
	const char *why_not;		  /* the reason if got is NULL */
};

/* The registers that the compiled kernel needs: VGPRs and spilled ones; METRIC_ABSENT if
 * unknown. */
int64_t ledger_measured(const struct ledger_entry *e);

void ledger_text(struct sbuf *out, const struct ledger_entry *e, size_t n);
/* {"version":1,"ledgers":[...]}; doc/lifetime.md has the schema. */
void ledger_json(struct sbuf *out, const struct ledger_entry *e, size_t n);
/* A picture for each entry, one below the other: a plot of the VGPRs needed by line and, below it,
 * a row for each variable, with a bar over the lines in which it is live, as high as its VGPRs. The
 * peak is marked. */
void ledger_svg(struct sbuf *out, const struct ledger_entry *e, size_t n);
/* The pictures and the figures in one HTML file. */
void ledger_html(struct sbuf *out, const struct ledger_entry *e, size_t n);
