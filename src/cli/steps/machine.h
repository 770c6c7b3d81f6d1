#pragma once
/* Runs the sources' machine code, case by case. Opened by cli_machine_open (cli.h). */
#include "base/array.h"
#include "isa/isa.h"
#include "measure/measure.h"
#include "verify/verify.h"

struct machine_ran {
	const struct verify_source *source;
	const struct spec_case *of;
	enum run_status status;
	const char *said;
	struct isa_program program; /* program and counts are valid if status is RUN_OK */
	struct isa_counts counts;
	struct str arguments;
	struct str floats;		   /* as in verify_arguments */
	const struct verify_piece *memory; /* addresses and sizes; the bytes are freed */
	struct str variables;		   /* verify_ran */
	struct str outputs;		   /* the final buffers; empty: not kept */
};

/* Do two C++ names mean the same kernel, ignoring blanks and a leading "::"? */
bool cli_machine_same_name(const char *x, const char *y);
/* Adds sources, which must outlive the machine. Enum fail after a message. */
int cli_machine_add(struct verify_machine *machine, const struct verify_source *source, size_t n);
/* A limit for the instructions of a wave, where a run of the case is known to have had so many, of
 * all its waves: what takes a hundred times as long does not end. */
uint64_t cli_machine_limit(uint64_t known);
/* From now on runs only count instructions, without the strict checks, and stop after steps_most
 * per wave. */
void cli_machine_count_only(struct verify_machine *machine, uint64_t steps_most);
/* Adds a compiled source for one target, with its -S text. */
void cli_machine_take(struct verify_machine *machine, const struct verify_source *source,
	const struct target *t, struct measure_result *made);
/* Estimates the wave instructions that the cases of source will run: 0 for a case that already ran
 * on the same program, else those of the first run of the case. UINT64_MAX: a case has not run. */
uint64_t cli_machine_steps(struct verify_machine *machine, const struct verify_source *source);
uint64_t cli_machine_ran_steps(const struct verify_machine *machine); /* run so far */
/* All runs in their order; valid until the machine is closed. Returns their number. */
size_t cli_machine_ran(const struct machine_ran **out, const struct verify_machine *machine);
struct cli_proof;
/* The proof of a case for the same two programs, or NULL. */
const struct cli_proof *cli_machine_proved(const struct verify_machine *machine,
	const struct spec_case *c, const struct isa_program *const p[2]);
/* proof lives as long as the machine. */
void cli_machine_keep_proof(struct verify_machine *machine, const struct spec_case *c,
	const struct isa_program *const p[2], const struct cli_proof *proof);
void cli_machine_close(struct verify_machine *machine); /* NULL is none */
