#pragma once
/* Runs of the sources' machine code, case by case. cli.h opens it. */
#include "base/array.h"
#include "isa/isa.h"
#include "measure/measure.h"
#include "verify/verify.h"

struct machine_ran {
	const struct verify_source *source;
	const struct spec_case *of;
	enum run_status status;
	const char *said;
	struct isa_program program; /* and counts: where status is RUN_OK */
	struct isa_counts counts;
	struct str arguments;
	struct str floats;		   /* in them (verify_arguments) */
	const struct verify_piece *memory; /* its places; the bytes are gone */
	struct str variables;		   /* verify_ran */
	struct str left;		   /* what the buffers hold then; empty: it is not kept */
};

/* Is it the same kernel, as C++ writes names: blanks and a leading "::" apart? */
bool cli_machine_same_name(const char *x, const char *y);
/* More sources, which have to live as long as the machine. Enum fail after a message. */
int cli_machine_add(struct verify_machine *machine, const struct verify_source *source, size_t n);
/* Runs from now on count, and nothing else: what hardware lets pass is no error, and a wave that
 * runs more instructions is left. */
void cli_machine_count_only(struct verify_machine *machine, uint64_t steps_most);
/* A source that has been compiled, for one target; with its text of -S. */
void cli_machine_take(struct verify_machine *machine, const struct verify_source *source,
	const struct target *t, struct measure_result *made);
/* Instructions of waves that the cases of source would run: what a case has run already, on the
 * same program, it does not run again. Each other one is taken to run as many as the first source
 * did; UINT64_MAX where that has not run all cases. */
uint64_t cli_machine_steps(struct verify_machine *machine, const struct verify_source *source);
uint64_t cli_machine_ran_steps(const struct verify_machine *machine); /* so far */
/* In the order in which they ran, until the machine is closed. */
size_t cli_machine_ran(const struct machine_ran **out, const struct verify_machine *machine);
struct cli_proof;
/* What was proved of a case for the same two programs, or NULL. */
const struct cli_proof *cli_machine_proved(const struct verify_machine *machine,
	const struct spec_case *c, const struct isa_program *const p[2]);
/* proof lives as long as the machine. */
void cli_machine_keep_proof(struct verify_machine *machine, const struct spec_case *c,
	const struct isa_program *const p[2], const struct cli_proof *proof);
void cli_machine_close(struct verify_machine *machine); /* NULL is none */
