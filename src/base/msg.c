#include "base/msg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"

static struct {
	bool quiet;
	bool color;
	bool status; /* a status line is shown */
	FILE *to;    /* NULL: stderr */
} setup;

void msg_setup(bool quiet, bool color)
{
	setup.quiet = quiet;
	setup.color = color;
}

void msg_write_to(int fd)
{
	setup.to = fdopen(fd, "w");
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

enum word {
	WORD_BUG,
	WORD_FATAL,
	WORD_ERROR,
	WORD_WARNING,
	WORD_NOTE,
};

static const struct {
	const char *name;
	const char *color; /* SGR */
} words[] = {
	[WORD_BUG] = {"BUG", "31"},
	[WORD_FATAL] = {"fatal", "31"},
	[WORD_ERROR] = {"error", "31"},
	[WORD_WARNING] = {"warning", "35"},
	[WORD_NOTE] = {"note", "36"},
};

static void keep(enum word word, const struct msglog_entry *at, struct sbuf *text)
{
	struct msglog_entry s = *at;

	if (word == WORD_NOTE) {
		return;
	}
	if (text->n > 0 && text->p[text->n - 1] == ':') { /* more lines follow */
		text->p[--text->n] = '\0';
	}
	s.error = word != WORD_WARNING;
	s.text = sbuf_cstr(text);
	msglog_add(&s);
}

/* where: "FILE:LINE:COL: " or the program's name. */
static void print(const char *where, enum word word, struct str text)
{
	/* Results printed so far must appear before this message. */
	fflush(stdout);
	msg_no_status();
	FILE *to = setup.to ? setup.to : stderr;
	flockfile(to);
	if (setup.color) {
		fprintf(to, "\033[1m%s\033[0;1;%sm%s:\033[0m ", where, words[word].color,
			words[word].name);
	} else {
		fprintf(to, "%s%s: ", where, words[word].name);
	}
	fwrite(text.p, 1, text.n, to);
	fputc('\n', to);
	fflush(to);
	funlockfile(to);
}

/* Prints the message with lines after it, and keeps it without them, with the place in at. */
static void __attribute__((format(printf, 5, 0))) say_at(const struct msglog_entry *at,
	const char *where, enum word word, struct str lines, const char *fmt, va_list ap)
{
	struct sbuf text = {0}, shown = {0};

	va_list again;

	va_copy(again, ap);
	sbuf_vaddf(&text, fmt, again);
	va_end(again);
	sbuf_vaddf_visible(&shown, fmt, ap);
	sbuf_add_visible(&shown, lines, "\n\t");
	keep(word, at, &text);
	print(where, word, sbuf_str(&shown));
	sbuf_release(&text);
	sbuf_release(&shown);
}

static void __attribute__((format(printf, 2, 0))) say(enum word word, const char *fmt, va_list ap)
{
	say_at(&(struct msglog_entry){0}, "unphi: ", word, (struct str){0}, fmt, ap);
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
	/* a wrapped line could not be erased */
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
	say_at(&(struct msglog_entry){0}, where, WORD_BUG, (struct str){0}, fmt, ap);
	va_end(ap);
	/* abort() skips atexit handlers. */
	cleanup_run();
	abort();
}

/* Allocates nothing: there may be no memory left. */
void die(const char *fmt, ...)
{
	va_list ap;
	char text[1024];

	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print("unphi: ", WORD_FATAL, (struct str){text, n > 0 ? strnlen(text, sizeof(text)) : 0});
	exit(EXIT_USAGE);
}

void msg_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(WORD_ERROR, fmt, ap);
	va_end(ap);
}

void msg_error_at(const char *file, unsigned line, unsigned column, const char *fmt, va_list ap)
{
	struct sbuf where = {0};

	sbuf_addf_visible(&where, "%s:%u:%u: ", file, line, column);
	say_at(&(struct msglog_entry){.file = file, .line = line, .column = column},
		sbuf_cstr(&where), WORD_ERROR, (struct str){0}, fmt, ap);
	sbuf_release(&where);
}

void msg_error_of(const char *file, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_at(&(struct msglog_entry){.file = file}, "unphi: ", WORD_ERROR, (struct str){0}, fmt,
		ap);
	va_end(ap);
}

void msg_error_with(struct str lines, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_at(&(struct msglog_entry){0}, "unphi: ", WORD_ERROR, lines, fmt, ap);
	va_end(ap);
}

void msg_again(const struct msglog_entry *s)
{
	struct sbuf where = {0}, text = {0};
	bool placed = s->file && s->line;

	sbuf_addf_visible(&where, placed ? "%s:%u:%u: " : "unphi: ", s->file, s->line, s->column);
	sbuf_addf_visible(&text, "%s%s%s", s->file && !placed ? s->file : "",
		s->file && !placed ? ": " : "", s->text);
	print(sbuf_cstr(&where), s->error ? WORD_ERROR : WORD_WARNING, sbuf_str(&text));
	msglog_add(s);
	sbuf_release(&where);
	sbuf_release(&text);
}

void msg_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(WORD_WARNING, fmt, ap);
	va_end(ap);
}

void msg_note(const char *fmt, ...)
{
	va_list ap;

	if (setup.quiet) {
		return;
	}
	va_start(ap, fmt);
	say(WORD_NOTE, fmt, ap);
	va_end(ap);
}
