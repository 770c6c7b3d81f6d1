#pragma once
/*
 * SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"). All rules are declared. Arms,
 * reads and other notes with a place are relatedLocations. Paths are relative to the root of the
 * file's repository (the directory above it with a .git), or else to the working directory. Columns
 * count characters. partialFingerprints/unphi/v1 is made of rule, function and code hash, so it
 * does not change if lines move; equal ones are numbered.
 */
#include "base/arena.h"
#include "rule/diag.h"

struct sarif_rule {
	const char *name;
	const char *summary;
	bool enabled;
	enum diag_level level;
};

/* Findings of these n rules. */
void sarif_print(struct sbuf *out, struct arena *a, const struct diag_list *found,
	const struct sarif_rule *rule, size_t n);
/* The findings of lint. checks: the value of --checks, which selects the enabled rules. */
void sarif_lint(
	struct sbuf *out, struct arena *a, const struct diag_list *found, const char *checks);
/* GitHub's workflow commands, one line a finding:
 *   ::warning file=src/k.hip,line=3,col=2,title=unphi-phi-explosion::MESSAGE
 * Paths as for SARIF. */
void github_print(struct sbuf *out, struct arena *a, const struct diag_list *found);
