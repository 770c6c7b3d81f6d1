#pragma once
/* Counts of executed instructions, bytes and cycles, by unit; not time. */
#include "isa/isa.h"
#include "target/target.h"

struct isa_sum {
	uint64_t runs[ISA_CLASSES];
	uint64_t cycles[ISA_CLASSES]; /* of issue: four per pass */
	uint64_t conflicts;	      /* LDS cycles */
	uint64_t global_bytes;
	uint64_t scratch_bytes;
	uint64_t lds_bytes;
};

extern const char *const isa_class_name[ISA_CLASSES];

/* Adds the counts of instruction number op. */
void isa_sum_add(struct isa_sum *s, const struct isa_program *p, size_t op,
	const struct isa_op_count *c, const struct target *t);
void isa_sum_join(struct isa_sum *s, const struct isa_sum *with);
/* Over all classes. */
uint64_t isa_sum_runs(const struct isa_sum *s);
uint64_t isa_sum_cycles(const struct isa_sum *s);
/* A part of isa_sum_cycles: SALU, scalar loads, waits, branches and barriers. */
uint64_t isa_sum_scalar_cycles(const struct isa_sum *s);
/* Cycles that the waves wait for loads, if each is alone on its SIMD (measure/isa/stall.h). */
uint64_t isa_sum_waits(
	const struct isa_program *p, const struct isa_counts *counts, const struct target *t);
