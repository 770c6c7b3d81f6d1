#ifndef UNPHI_CLI_STAYS_H
#define UNPHI_CLI_STAYS_H
/* What a comment takes back as a finding is no business of a rewrite's either. */
#include "choose/choose.h"

/* For a choose_job: what NOLINT comments say of this line. */
const char *cli_stays(struct arena *a, struct str source, enum decision_kind kind, unsigned line);
#endif
