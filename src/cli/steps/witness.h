#pragma once
/* Proofs that two texts give the same results for all data, for cases that ran as machine code
 * (isa/witness.h). */
#include "cli/steps/machine.h"

enum proof_verdict {
	PROOF_EQUAL,
	PROOF_EQUAL_BUT_NANS,
	PROOF_EQUAL_BUT_FUSED,
	PROOF_EQUAL_AS_REALS, /* the bits may differ */
	PROOF_DIFFERENT,      /* an input shows it */
	PROOF_UNDECIDED,
};

struct cli_proof {
	enum proof_verdict verdict;
	const char *said; /* of the last two: why; of PROOF_DIFFERENT the input first */
	bool same_code;	  /* there was nothing to prove */
	uint64_t symbols;
	uint64_t conditions; /* both decide them alike */
	uint64_t atomics;    /* on symbols (isa/witness.h) */
	uint64_t choices;    /* of PROOF_EQUAL_AS_REALS (isa/witness.h) */
	bool exponentials;
	double odds;
	uint64_t words; /* that were compared */
	uint64_t terms;
	double seconds;
};

extern const char *const proof_words[];

/* Of a case that both sources have run; same: to the same bits. */
void cli_proof_make(struct cli_proof *out, struct arena *a, struct verify_machine *machine,
	const struct verify_source *before, const struct verify_source *after,
	const struct spec_case *c, bool same);
/* The extent of a proof for people: "12 conditions, 96 symbols". */
const char *cli_proof_scope(struct arena *a, const struct cli_proof *p);
