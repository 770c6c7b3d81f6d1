#pragma once
/* Results of measure --run: the runs of all cases and sources, and their sums. */
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "isa/loops.h"
#include "isa/sum.h"

struct ran_line {
	struct str file;
	unsigned number; /* 0: no line */
	struct isa_sum sum;
};

struct ran_loop {
	struct isa_code_loop of;
	uint64_t iterations; /* of all waves: runs of its header */
	struct isa_sum sum;
};

struct ran {
	struct cli_opts opts; /* with only the sources and the spec */
	struct arena *a;
	struct spec spec;
	struct verify_source *source;
	size_t sources;
	struct verify_machine *machine;
	const struct machine_ran *run;
	size_t runs;
};

struct isa_sum ran_sum(const struct ran *r, size_t i);
/* The counts by line of a run, in source order. */
struct ran_line *ran_lines(size_t *n, const struct ran *r, size_t i);
/* The loops that a wave reached, in code order. */
struct ran_loop *ran_loops(size_t *n, const struct ran *r, size_t i);
/* A loop for people: "a.hip:12", "a.hip:12 (2 entries)". */
const char *ran_loop_name(const struct ran *r, const struct ran_loop *l);
/* n divided by the number of waves, rounded, as text. */
const char *ran_each(const struct ran *r, size_t i, uint64_t n);
/* An HTML page with the runs beside their sources. */
void ran_html(struct sbuf *out, const struct ran *r);
