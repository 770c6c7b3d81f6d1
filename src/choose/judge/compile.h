#pragma once
/* Compiles texts for all targets, each once. Internal to the room. */
#include "choose/state/state.h"

/* compile.c: a text as a file of the user's name in a directory of its own, so that the compiler's
 * output and __FILE__ look as they would for the user's file. NULL after a message. */
const char *state_write_text(struct state *s, struct str text);
/* Compiles every text for every target. The results are ordered by text, then by target. NULL after
 * a message. A text that was compiled before is not compiled again, unless its compile ran out of
 * time. */
struct measure_result *state_compile(
	struct state *s, const struct str *text, size_t n, bool quiet, bool want_ir);
/* Does the text compile in every host's pass in which the source compiles? For a lazy job that is
 * unknown yet. */
bool state_host_compiles(struct state *s, struct str text);
struct measure_result *state_compile_as(
	struct state *s, const struct str *text, size_t n, const struct compile_as *as);
struct measure_result *state_compile_all(struct state *s, const struct wanted *w, size_t n);
/* Checks the results of the job's source, one a target: 0, or FAIL_INPUT if it did not compile. */
int state_take_source(struct state *s, const struct measure_result *r);
/* Measures a source that is not measured yet, and checks the results in the same way. */
int state_measure_source(struct state *s);
/* Was it compiled? */
bool state_has_compiled(const struct state *s, const struct wanted *w);
/* The kernels of m that are in the set. */
struct measurement measurement_of(
	struct arena *a, const struct measurement *m, const struct map *kernels);

/* one_arm.c: the texts with only one arm left in; their number goes to *n (0: no merge). */
struct str *one_arm_texts(struct state *s, size_t *n);
void one_arm_take(
	struct state *s, struct measurement *one_arm, const struct measure_result *r, size_t texts);

/* flags.c: after the barriers. */
int flags_run(struct state *s, struct flags_tried *out);
/* Adds a text that may be needed later if processors would be idle during the last compiles:
 * returns n + 1, and w[n] is then the text that flags_run compiles if the text does not change;
 * else n. */
size_t state_add_spare(struct wanted *w, size_t n, struct state *s, struct str text);
