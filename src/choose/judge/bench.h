#pragma once
/*
 * Texts judged by the user's own command. sh runs it with UNPHI_SOURCE set to a file with the text
 * (under the user's name, in a directory of its own) and UNPHI_DIR set to the directory of the
 * user's file. "{}" in the command becomes the file's path, quoted. The last number in its output
 * is the time, in any unit; less is better.
 */
#include "choose/state/state.h"

struct bench_time {
	double median;
	const char *why; /* why there is no time, or NULL */
};

/* Runs the command once on the source, before anything is compiled. FAIL_USAGE or FAIL_INPUT after
 * a message if it gives no time. */
int bench_check(struct state *s);

/* Measures a time for each text, the source first: the median of settings->bench_runs runs. The
 * runs of the texts alternate, so that warm-up and slow-down affect all of them. If time runs out,
 * the runs so far count. A text whose command failed is not run again. FAIL_USAGE (a file cannot be
 * written, sh does not find the command) or FAIL_INPUT (no time for the source) after a message. */
int bench_run(struct bench_time *out, struct state *s, const struct str *text, size_t n);

/* Sets outcome and reason of a candidate from its time and that of the source. */
void bench_judge(struct attempt *at, struct state *s, const struct bench_time *source,
	const struct bench_time *candidate);

/* The last number in a command's output. A number inside a word does not count ("gfx90a", "p99"); a
 * unit after it is allowed. False if there is none, or if it is not above 0. */
bool bench_number(double *out, struct str printed);
