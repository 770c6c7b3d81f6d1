/*
 * Runs a fuzz target without libFuzzer:
 *
 *	TARGET [--seconds S] [--runs N] [--seed N] [--max-bytes N] PATH...
 *
 * Every file of PATH (files, or directories of files) is run once as it is; then changed copies of
 * them, N with --runs, or with --seconds until the time is over, the same ones for the same seed.
 * An input that ends the program, or runs for longer than 10 s, is written to TARGET-crash in the
 * working directory; given as the only PATH it shows what happens. Messages of the code under test
 * are only shown where nothing is changed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/mem.h"
#include "target.h"

enum {
	INPUT_LIMIT_S = 10,
	MAX_CHANGES = 6
};

struct input {
	char *p;
	size_t n;
};

struct input_list {
	ARRAY(struct input) v;
};

/* What the signal handlers look at. */
static struct {
	char path[256];
	const uint8_t *data;
	size_t size;
	int report; /* file descriptor */
} now;

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_next(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* In [0, n); 0 for n 0. */
static size_t random_below(size_t n)
{
	return n ? (size_t)(random_next() % n) : 0;
}

/* ---- running one input ---- */

static void say(const char *text)
{
	(void)!write(now.report, text, strlen(text));
}

static void write_all(int fd, const uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done <= 0) {
			return;
		}
		p += done;
		n -= (size_t)done;
	}
}

/* Only what is allowed in a signal handler. */
static void on_end(int number)
{
	int fd = open(now.path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0) {
		write_all(fd, now.data, now.size);
		close(fd);
	}
	say(number == SIGALRM ? "too slow; the input is in " : "failed; the input is in ");
	say(now.path);
	say("\n");
	signal(number, SIG_DFL);
	raise(number == SIGALRM ? SIGABRT : number);
}

static void catch_ends(const char *program)
{
	const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGALRM};
	struct str name = path_base(str_of(program));
	snprintf(now.path, sizeof(now.path), "%.*s-crash", STR_ARG(name));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		signal(numbers[i], on_end);
	}
}

/* On a copy of its own, so that a sanitizer sees what is read past its end. */
static void run(const char *p, size_t n)
{
	uint8_t *copy = mem_resize(NULL, n ? n : 1, 1);
	if (n) {
		memcpy(copy, p, n);
	}
	now.data = copy;
	now.size = n;
	alarm(INPUT_LIMIT_S);
	LLVMFuzzerTestOneInput(n ? copy : copy + 1, n);
	alarm(0);
	now.size = 0;
	free(copy);
}

/* ---- changing inputs ---- */

/* A piece of text: lines most of the time, any bytes else. */
static struct str random_piece(struct str s)
{
	size_t from = random_below(s.n + 1);
	size_t to = from + random_below(1 + (random_below(4) ? 40 : s.n - from));
	to = to < s.n ? to : s.n;
	if (random_below(3)) {
		while (from > 0 && s.p[from - 1] != '\n') {
			from--;
		}
		while (to < s.n && (to == 0 || s.p[to - 1] != '\n')) {
			to++;
		}
	}
	return str_sub(s, from, to);
}

static void add_random_bytes(struct sbuf *out)
{
	static const char *const words[] = {"0", "-1", "4294967296", "9223372036854775807", "-",
		"\n", "\r\n", "\t", "\\", "\"", "'", "(", ")", "[", "]", "{", "}", "<", ">",
		"::", "/*", "//", "R\"(", "#", "=======\n", ",", ";", "=", "\xc3\xa9", "\xff", "%"};
	const size_t n = sizeof(words) / sizeof(words[0]);
	size_t pick = random_below(n + 2);
	if (pick < n) {
		sbuf_adds(out, words[pick]);
	} else {
		sbuf_addc(out, (char)random_next());
	}
}

/* out = s with one change: something taken out, put in, or overwritten. */
static void change(struct sbuf *out, struct str s, struct str other, size_t max)
{
	struct str piece = random_piece(s);
	size_t at = random_below(s.n + 1);
	size_t skip = 0;
	struct sbuf put = {0};
	switch (random_below(6)) {
	case 0:
		at = (size_t)(piece.p - s.p);
		skip = piece.n;
		break;
	case 1:
		sbuf_addstr(&put, piece);
		break;
	case 2:
		sbuf_addstr(&put, random_piece(other));
		break;
	case 3:
		/* much of the same: what takes quadratic time shows */
		for (size_t n = random_below(3) ? 3 : max; n > 0 && put.n < max && piece.n; n--) {
			sbuf_addstr(&put, piece);
		}
		break;
	case 4:
		add_random_bytes(&put);
		break;
	default:
		add_random_bytes(&put);
		skip = put.n;
	}
	sbuf_addstr(out, str_sub(s, 0, at));
	sbuf_addstr(out, sbuf_str(&put));
	sbuf_addstr(out, str_sub(s, at + skip, s.n));
	sbuf_release(&put);
}

static void run_changed(const struct input_list *l, size_t max)
{
	const struct input *in = &l->v.v[random_below(l->v.n)];
	struct sbuf text = {0};
	sbuf_add(&text, in->p, in->n);
	for (size_t n = 1 + random_below(MAX_CHANGES); n > 0; n--) {
		const struct input *other = &l->v.v[random_below(l->v.n)];
		struct sbuf next = {0};
		change(&next, sbuf_str(&text), (struct str){other->p, other->n}, max);
		sbuf_release(&text);
		text = next;
	}
	run(text.p ? text.p : "", text.n < max ? text.n : max);
	sbuf_release(&text);
}

/* ---- the program ---- */

static void add_file(struct input_list *l, const char *path)
{
	struct sbuf text = {0};
	if (file_read(&text, path) != 0) {
		exit(EXIT_USAGE);
	}
	array_push(&l->v, (struct input){text.p, text.n});
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_path(struct input_list *l, const char *path)
{
	struct dirent **entry;
	struct sbuf name = {0};
	if (!file_is_dir(path)) {
		add_file(l, path);
		return;
	}
	int n = scandir(path, &entry, NULL, by_name);
	for (int i = 0; i < n; i++) {
		path_join(&name, path, entry[i]->d_name);
		if (file_exists(sbuf_cstr(&name))) {
			add_file(l, sbuf_cstr(&name));
		}
		free(entry[i]);
	}
	if (n >= 0) {
		free(entry);
	}
	sbuf_release(&name);
}

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void usage(const char *program)
{
	fprintf(stderr, "usage: %s [--seconds S] [--runs N] [--seed N] [--max-bytes N] PATH...\n",
		program);
	exit(EXIT_USAGE);
}

/* Sanitizers report where they are told to. */
void __sanitizer_set_report_fd(void *) __attribute__((weak));

/* Messages about bad inputs are what the code is for; here nobody reads them. */
static void silence(void)
{
	int null = open("/dev/null", O_WRONLY);
	if (null >= 0) {
		dup2(null, STDERR_FILENO);
		dup2(null, STDOUT_FILENO);
		close(null);
	}
	if (__sanitizer_set_report_fd) {
		__sanitizer_set_report_fd((void *)(intptr_t)now.report);
	}
}

static unsigned long run_for(
	const struct input_list *l, double seconds, unsigned long most, size_t max)
{
	unsigned long runs = 0;
	double until = seconds_now() + seconds;
	for (; (runs < most || seconds_now() < until) && l->v.n; runs++) {
		run_changed(l, max);
	}
	return runs;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
		{"seed", required_argument, NULL, 'r'}, {"runs", required_argument, NULL, 'n'},
		{"max-bytes", required_argument, NULL, 'm'}, {NULL, 0, NULL, 0}};
	struct input_list l = {{0}};
	double seconds = 0;
	unsigned long runs = 0;
	size_t max = 1 << 14;
	int c;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 's':
			seconds = strtod(optarg, NULL);
			break;
		case 'n':
			runs = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			random_state = strtoull(optarg, NULL, 0);
			break;
		case 'm':
			max = strtoul(optarg, NULL, 0);
			break;
		default:
			usage(argv[0]);
		}
	}
	if (optind == argc) {
		usage(argv[0]);
	}
	for (int i = optind; i < argc; i++) {
		add_path(&l, argv[i]);
	}
	now.report = dup(STDERR_FILENO);
	catch_ends(argv[0]);
	if (seconds > 0 || runs > 0) {
		silence();
	}
	for (size_t i = 0; i < l.v.n; i++) {
		run(l.v.v[i].p ? l.v.v[i].p : "", l.v.v[i].n);
	}
	runs = run_for(&l, seconds, runs, max);
	dprintf(now.report, "%zu inputs, %lu changed ones\n", l.v.n, runs);
	array_each (&l.v, struct input, in) {
		free(in->p);
	}
	array_release(&l.v);
	return 0;
}
