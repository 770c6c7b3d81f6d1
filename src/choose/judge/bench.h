#pragma once
/*
 * Texts judged by the user's own command. It is run by sh with UNPHI_SOURCE set to a file with the
 * text, under the user's name but in a directory of its own, and UNPHI_DIR to the directory of the
 * user's file; "{}" in it becomes the file's path, quoted. The last number that it prints is its
 * time: of any unit, less is better.
 */
#include "choose/state/state.h"

struct bench_time {
	double median;
	const char *why; /* there is none: why not; else NULL */
};

/* Runs it once on the source, before anything is compiled: FAIL_USAGE or FAIL_INPUT after a
 * message when that gives no time. */
int bench_check(struct state *s);

/* One time a text, the source first, each the median of settings->bench_runs. The runs take turns,
 * so that what warms up or slows down meets all of them alike; when the search's time is over, the
 * runs so far count. A text whose command failed is not run again. FAIL_USAGE (a file cannot be
 * written, sh does not find the command) or FAIL_INPUT (it does not time the source) after a
 * message. */
int bench_run(struct bench_time *out, struct state *s, const struct str *text, size_t n);

/* Sets outcome and reason of a candidate from its time and that of the source. */
void bench_judge(struct attempt *at, struct state *s, const struct bench_time *source,
	const struct bench_time *candidate);

/* The last number in what a command printed: a word's part does not count ("gfx90a", "p99"), a unit
 * after one does not matter. False when there is none, or it is not above 0. */
bool bench_number(double *out, struct str printed);
