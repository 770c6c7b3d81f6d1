#pragma once
/* Reads libclang's diagnostics of a parse. Internal to the room. */
#include "frontend/clang/libclang.h"
#include "frontend/frontend.h"
#include "frontend/text/probes.h"

struct diag_sum {
	bool errors;
	bool unknown_arch;
	bool in_probes; /* some error is, or its notes are */
	bool elsewhere; /* some error is not in the file itself */
};

/* text_size: without the probes after it. */
struct diag_sum diagnostics_sum(CXTranslationUnit tu, size_t text_size);
/* Marks the probes with an error, or with a note of one; returns whether there are any. An error in
 * an instantiation has a note at the probe that needs it. */
bool diagnostics_blame(struct probes *probes, CXTranslationUnit tu);
/* Prints the errors and keeps them with their places. */
void diagnostics_print(CXTranslationUnit tu, const struct frontend_job *job);
