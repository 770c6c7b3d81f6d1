#pragma once
/* Proofs that two texts give the same results for all data, for cases that ran as machine code
 * (isa/witness.h). */
#include "cli/steps/machine.h"

enum proof_verdict {
	PROOF_EQUAL,
	PROOF_EQUAL_BUT_NANS,
	PROOF_EQUAL_BUT_FUSED,
	PROOF_EQUAL_AS_REALS, /* the bits may differ */
	PROOF_DIFFERENT,      /* shown by an input */
	PROOF_UNDECIDED,
};

struct cli_proof {
	enum proof_verdict verdict;
	const char *said; /* the reason for the last two; for PROOF_DIFFERENT with the input */
	bool same_code;	  /* the code is equal: nothing to prove */
	uint64_t symbols;
	uint64_t conditions; /* decisions, equal in both */
	uint64_t atomics;    /* on symbols (isa/witness.h) */
	uint64_t choices;    /* of PROOF_EQUAL_AS_REALS (isa/witness.h) */
	bool exponentials;
	double odds;
	/* what keeps the spec's values: "integers of a, b and arguments 3, 5"; "": nothing */
	const char *given;
	uint64_t words; /* words compared */
	uint64_t terms;
	double seconds;
};

extern const char *const proof_words[];

/* Tries to prove a case that both sources have run. same: their bits were equal. */
void cli_proof_make(struct cli_proof *out, struct arena *a, struct verify_machine *machine,
	const struct verify_source *before, const struct verify_source *after,
	const struct spec_case *c, bool same);
/* The scope of a proof for people: "12 conditions, 96 symbols". */
const char *cli_proof_scope(struct arena *a, const struct cli_proof *p);
