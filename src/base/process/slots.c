#include "base/process/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process/proc.h"

enum {
	LOAD_POLL_MS = 500 /* polling interval of the load average */
};

static struct {
	unsigned n; /* 0: no limit */
	double load;
	int from; /* never blocks */
	int to;
	unsigned *held; /* this process's count for its parent; or NULL */
	bool loaded;	/* the last slot was refused for the load */
} slots = {.from = -1, .to = -1};

/* The value of the last --jobserver-auth (make 4.2 and later) or --jobserver-fds; NULL: none. */
static const char *find_jobserver(void)
{
	static const char *const names[] = {"--jobserver-auth=", "--jobserver-fds="};
	const char *flags = getenv("MAKEFLAGS"), *found = NULL;

	for (size_t i = 0; flags && !found && i < sizeof(names) / sizeof(names[0]); i++) {
		for (const char *p = flags; (p = strstr(p, names[i])) != NULL;) {
			p += strlen(names[i]);
			found = p;
		}
	}
	return found;
}

/* Opens the end of a pipe again: our descriptor is non-blocking, make's must stay blocking. */
static int open_again(const char *path, int flags)
{
	return open(path, flags | O_NONBLOCK | O_CLOEXEC);
}

static bool join_jobserver(const char *auth)
{
	char from[PATH_MAX], to[PATH_MAX];
	int r, w;
	size_t n = strcspn(auth, " ");

	if (strncmp(auth, "fifo:", 5) == 0 && n - 5 < sizeof(from)) {
		snprintf(from, sizeof(from), "%.*s", (int)(n - 5), auth + 5);
		snprintf(to, sizeof(to), "%s", from);
	} else if (sscanf(auth, "%d,%d", &r, &w) == 2 && r >= 0 && w >= 0) {
		snprintf(from, sizeof(from), "/proc/self/fd/%d", r);
		snprintf(to, sizeof(to), "/proc/self/fd/%d", w);
	} else {
		return false;
	}
	slots.from = open_again(from, O_RDONLY);
	slots.to = open_again(to, O_WRONLY);
	return slots.from >= 0 && slots.to >= 0;
}

/* Makes a pipe with a byte for each slot but the first; fewer if the pipe is full. */
static unsigned make_own(unsigned n)
{
	int fd[2];
	unsigned made = 1;

	if (pipe2(fd, O_CLOEXEC | O_NONBLOCK) != 0) {
		return 1;
	}
	slots.from = fd[0];
	slots.to = fd[1];
	while (made < n && write(slots.to, "+", 1) == 1) {
		made++;
	}
	return made;
}

void slots_open(unsigned n, double load)
{
	const char *auth = n == 0 ? find_jobserver() : NULL;

	slots.load = load;
	if (auth && join_jobserver(auth)) {
		slots.n = proc_cpus(); /* make does not tell the number of its slots */
		return;
	}
	slots.n = make_own(n > 0 ? n : proc_cpus());
}

unsigned slots_count(void)
{
	return slots.n;
}

static bool is_loaded(void)
{
	double now = 0;
	FILE *f = slots.load > 0 ? fopen("/proc/loadavg", "re") : NULL;

	if (!f) {
		return false;
	}
	int got = fscanf(f, "%lf", &now);
	fclose(f);
	return got == 1 && now >= slots.load;
}

bool slots_take(void)
{
	char byte;
	ssize_t n;

	if (slots.n == 0) {
		return true;
	}
	slots.loaded = is_loaded();
	if (slots.loaded || slots.from < 0) {
		return false;
	}
	do {
		n = read(slots.from, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 1 && slots.held) {
		++*slots.held;
	}
	return n == 1;
}

void slots_give(void)
{
	if (slots.n == 0) {
		return;
	}
	if (slots.held) {
		--*slots.held;
	}
	slots_return(1);
}

int slots_wait(int *timeout_ms)
{
	*timeout_ms = slots.loaded ? LOAD_POLL_MS : -1;
	return slots.loaded ? -1 : slots.from;
}

unsigned *slots_ledger(unsigned long n)
{
	void *p = mmap(NULL, n * sizeof(unsigned) + 1, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void slots_ledger_free(unsigned *ledger, unsigned long n)
{
	if (ledger) {
		munmap(ledger, n * sizeof(unsigned) + 1);
	}
}

void slots_note(unsigned *held)
{
	slots.held = held;
}

void slots_return(unsigned held)
{
	for (; slots.n > 0 && held > 0; held--) {
		while (write(slots.to, "+", 1) < 0 && errno == EINTR) {
		}
	}
}
