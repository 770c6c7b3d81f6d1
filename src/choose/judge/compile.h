#pragma once
/* Texts compiled, for all targets: each once. Internal to the room. */
#include "choose/state/state.h"

/* compile.c: a text as a file of the user's name in a directory of its own, so that the compiler's
 * output and __FILE__ look as they would for the user's file. NULL after a message. */
const char *state_write_text(struct state *s, struct str text);
/* Every text for every target; results text by text, target by target. NULL after a message. What
 * was compiled before is not compiled again, but for what ran out of time. */
struct measure_result *state_compile(
	struct state *s, const struct str *text, size_t n, bool quiet, bool want_ir);
/* Does the text compile in every host's pass, but for those in which the source does not either?
 * Of a lazy job nobody knows yet. */
bool state_host_compiles(struct state *s, struct str text);
struct measure_result *state_compile_as(
	struct state *s, const struct str *text, size_t n, const struct compile_as *as);
struct measure_result *state_compile_all(struct state *s, const struct wanted *w, size_t n);
/* What the job's source came to, one a target: 0, or FAIL_INPUT where it did not compile. */
int state_take_source(struct state *s, const struct measure_result *r);
/* The same of a source that is not measured yet. */
int state_measure_source(struct state *s);
/* Was it compiled? */
bool state_has_compiled(const struct state *s, const struct wanted *w);
/* The kernels of m that are in the set. */
struct measurement measurement_of(
	struct arena *a, const struct measurement *m, const struct map *kernels);

/* one_arm.c: texts with only one arm; their number goes to *n (0: no merge). */
struct str *one_arm_texts(struct state *s, size_t *n);
void one_arm_take(
	struct state *s, struct measurement *one_arm, const struct measure_result *r, size_t texts);

/* flags.c: after the barriers. */
int flags_run(struct state *s, struct flags_tried *out);
/* Room for one text that may be wanted later: n, or n + 1 where processors would have nothing to do
 * while the last of n texts is compiled, and w[n] is then what flags_run asks for if text stays. */
size_t state_add_spare(struct wanted *w, size_t n, struct state *s, struct str text);
