#pragma once
/*
 * The message vocabulary. Results go to stdout, messages to stderr. Each word has one meaning:
 *   BUG         an invariant of unphi is broken: prints file:line and aborts
 *   die         cannot go on, nothing to unwind (out of memory): prints and exits 2
 *   msg_error   one clear sentence that begins with the file and names the remedy
 *   msg_warning the run goes on
 *   msg_note    progress and explanations; silenced by --quiet
 *
 * Errors and warnings are kept as well, for the formats that tools read (base/msglog.h). Arguments
 * are shown with their control characters spelled out, line ends included, so that no file name
 * begins a line of its own; "%-s" is for a text of unphi's own that may have several lines.
 *
 * Functions that can fail return 0 or a negative enum fail, and have already said why with
 * msg_error; callers add nothing, they clean up and pass the code on. Exit codes are the negated
 * fail codes; exit_worse combines them (2, then 3, then 1, then 0).
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdnoreturn.h>

#include "base/msglog.h"

enum fail {
	FAIL_USAGE = -2, /* usage, configuration, I/O, missing file, tool not found: exit 2 */
	FAIL_INPUT = -3, /* parse or compile failed or timed out, untrusted result: exit 3 */
};

enum exit_code {
	EXIT_CLEAN = 0,
	EXIT_FINDINGS = 1,
	EXIT_USAGE = 2,
	EXIT_INPUT = 3,
};

/* The more serious of two exit codes: 2, then 3, then 1, then 0. */
int exit_worse(int a, int b);

#define BUG(...) msg_bug(__FILE__, __LINE__, __VA_ARGS__)
noreturn void msg_bug(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void msg_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The message, and the code to return after it. */
#define fail_usage(...) (msg_error(__VA_ARGS__), FAIL_USAGE)
#define fail_input(...) (msg_error(__VA_ARGS__), FAIL_INPUT)
/* Reports an error about a file; the message does not begin with the file's name. */
void msg_error_of(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An error with lines after it for people only: the caller has given each error in them to
 * msglog_add. */
void msg_error_with(struct str lines, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints a message that was kept from another run. */
void msg_again(const struct msglog_entry *s);
/* The same about a place in a file: "FILE:LINE:COL: error: ...", line and column 1-based. */
void msg_error_at(const char *file, unsigned line, unsigned column, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
void msg_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void msg_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A status line at the bottom of a terminal; the next one or a message overwrites it. Nothing if
 * stderr is not a terminal, or with --quiet. msg_no_status erases it before results. */
void msg_status(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void msg_no_status(void);
/* Is a status line shown at all? */
bool msg_has_status(void);
/* Sets --quiet and colours for the process, once, before any other call. */
void msg_setup(bool quiet, bool color);
/* From now on messages go to this descriptor, whatever becomes of stderr. */
void msg_write_to(int fd);
