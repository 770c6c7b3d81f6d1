/* LD_PRELOAD: sends signal FAULT_SIGNAL to the group of processes at call FAULT_AT, from 1, of
 * those that make, fill and rename unphi's temporary file; a write has written half of its bytes by
 * then. Signal 0: the call fails. FAULT_LOG gets the names of the calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static int ours = -1; /* descriptor of a temporary file */

/* Those of caches, which stand in another directory, are not. */
static int is_ours(const char *path)
{
	const char *name = strrchr(path, '/');
	return strncmp(path, "place/", 6) == 0 && strncmp(name + 1, ".unphi-", 7) == 0;
}

static int at(const char *call)
{
	static int number;
	const char *log = getenv("FAULT_LOG"), *end = getenv("FAULT_AT");
	FILE *f = log ? fopen(log, "ae") : NULL;
	if (f) {
		fprintf(f, "%s\n", call);
		fclose(f);
	}
	return end && ++number == atoi(end);
}

/* Whether the call is to fail. */
static int fault(const char *call)
{
	if (!at(call)) {
		return 0;
	}
	const int number = atoi(getenv("FAULT_SIGNAL"));
	if (number) {
		kill(0, number);
	}
	errno = EIO;
	return !number;
}

int open64(const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	const int temp = (flags & O_CREAT) && is_ours(path);
	if (temp && fault("open")) {
		return -1;
	}
	const int fd = REAL(open64)(path, flags, mode);
	ours = temp ? fd : ours;
	return fd;
}

ssize_t write(int fd, const void *from, size_t n)
{
	if (fd == ours && fd >= 0 && at("write")) {
		const int number = atoi(getenv("FAULT_SIGNAL"));
		REAL(write)(fd, from, n / 2);
		kill(0, number);
		errno = ENOSPC;
		return number ? (ssize_t)(n / 2) : -1;
	}
	return REAL(write)(fd, from, n);
}

int fchmod(int fd, mode_t mode)
{
	if (fd == ours && fault("fchmod")) {
		return -1;
	}
	return REAL(fchmod)(fd, mode);
}

int fsync(int fd)
{
	if (fd == ours && fault("fsync")) {
		return -1;
	}
	return REAL(fsync)(fd);
}

int close(int fd)
{
	if (fd == ours && fd >= 0) {
		ours = -1;
		if (fault("close")) {
			REAL(close)(fd);
			errno = EIO;
			return -1;
		}
	}
	return REAL(close)(fd);
}

int rename(const char *old, const char *new)
{
	if (is_ours(old) && fault("rename")) {
		return -1;
	}
	return REAL(rename)(old, new);
}
