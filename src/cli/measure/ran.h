#pragma once
/* Results of measure --run: the runs of all cases and sources, and their sums. */
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "isa/loops.h"
#include "isa/sum.h"

struct ran_line {
	struct str file;
	unsigned number; /* 0: of no line */
	struct isa_sum sum;
};

struct ran_loop {
	struct isa_code_loop of;
	uint64_t turns; /* iterations of all waves: how often its head ran */
	struct isa_sum sum;
};

struct ran {
	struct cli_opts opts; /* the sources alone, and the spec */
	struct arena *a;
	struct spec spec;
	struct verify_source *source;
	size_t sources;
	struct verify_machine *machine;
	const struct machine_ran *run;
	size_t runs;
};

struct isa_sum ran_sum(const struct ran *r, size_t i);
/* The lines of a run, in order of the source. */
struct ran_line *ran_lines(size_t *n, const struct ran *r, size_t i);
/* Its loops that a wave came to, in order of the code. */
struct ran_loop *ran_loops(size_t *n, const struct ran *r, size_t i);
/* Its place for people, with what it is: "a.hip:12", "a.hip:12 (2 entries)". */
const char *ran_loop_name(const struct ran *r, const struct ran_loop *l);
/* n of all waves as that of one. */
const char *ran_each(const struct ran *r, size_t i, uint64_t n);
/* The runs beside their sources, as a page. */
void ran_html(struct sbuf *out, const struct ran *r);
