#include "base/msg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"

static struct {
	bool quiet;
	bool color;
	bool ending; /* no memory may be left */
	bool status; /* stands in the last line */
} setup;

void msg_setup(bool quiet, bool color)
{
	setup.quiet = quiet;
	setup.color = color;
}

static int harm(int code)
{
	switch (code) {
	case EXIT_CLEAN:
		return 0;
	case EXIT_FINDINGS:
		return 1;
	case EXIT_INPUT:
		return 2;
	case EXIT_USAGE:
		return 3;
	default:
		BUG("%d is not an exit code", code);
	}
}

int exit_worse(int a, int b)
{
	return harm(a) >= harm(b) ? a : b;
}

/* where: "FILE:LINE:COL: " or the program's name; sgr: the color of word. */
static void __attribute__((format(printf, 4, 0))) say(
	const char *where, const char *word, const char *sgr, const char *fmt, va_list ap)
{
	struct sbuf text = {0}, shown = {0};

	if (!setup.ending) {
		sbuf_vaddf(&text, fmt, ap);
		sbuf_add_visible(&shown, sbuf_str(&text), "\n\t");
	}
	/* Results printed so far come before a message about what came after them. */
	fflush(stdout);
	msg_no_status();
	flockfile(stderr);
	if (setup.color) {
		fprintf(stderr, "\033[1m%s\033[0;1;%sm%s:\033[0m ", where, sgr, word);
	} else {
		fprintf(stderr, "%s%s: ", where, word);
	}
	if (setup.ending) {
		vfprintf(stderr, fmt, ap);
	} else {
		fwrite(sbuf_cstr(&shown), 1, shown.n, stderr);
	}
	fputc('\n', stderr);
	funlockfile(stderr);
	sbuf_release(&text);
	sbuf_release(&shown);
}

bool msg_has_status(void)
{
	return !setup.quiet && isatty(STDERR_FILENO);
}

void msg_no_status(void)
{
	if (setup.status) {
		setup.status = false;
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
}

static unsigned columns(void)
{
	struct winsize size = {0};

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void msg_status(const char *fmt, ...)
{
	struct sbuf text = {0}, shown = {0};
	va_list ap;

	if (!msg_has_status()) {
		return;
	}
	va_start(ap, fmt);
	sbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	sbuf_add_visible(&shown, sbuf_str(&text), "");
	/* a line that wraps could not be wiped off */
	size_t most = columns() - 1, n = 0;
	for (size_t width = 0; n < shown.n && width < most; width++) {
		for (n++; n < shown.n && ((unsigned char)shown.p[n] & 0xc0) == 0x80; n++) {
		}
	}
	fprintf(stderr, "\r%.*s\033[K", (int)n, sbuf_cstr(&shown));
	fflush(stderr);
	setup.status = true;
	sbuf_release(&text);
	sbuf_release(&shown);
}

void msg_bug(const char *file, int line, const char *fmt, ...)
{
	va_list ap;
	char where[512];

	snprintf(where, sizeof(where), "%s:%d: ", file, line);
	va_start(ap, fmt);
	say(where, "BUG", "31", fmt, ap);
	va_end(ap);
	/* abort() skips atexit handlers. */
	cleanup_run();
	abort();
}

void die(const char *fmt, ...)
{
	va_list ap;

	setup.ending = true;
	va_start(ap, fmt);
	say("unphi: ", "fatal", "31", fmt, ap);
	va_end(ap);
	exit(EXIT_USAGE);
}

void msg_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("unphi: ", "error", "31", fmt, ap);
	va_end(ap);
}

void msg_error_at(const char *file, unsigned line, unsigned column, const char *fmt, va_list ap)
{
	char where[512];

	snprintf(where, sizeof(where), "%s:%u:%u: ", file, line, column);
	say(where, "error", "31", fmt, ap);
}

void msg_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("unphi: ", "warning", "35", fmt, ap);
	va_end(ap);
}

void msg_note(const char *fmt, ...)
{
	va_list ap;

	if (setup.quiet) {
		return;
	}
	va_start(ap, fmt);
	say("unphi: ", "note", "36", fmt, ap);
	va_end(ap);
}
