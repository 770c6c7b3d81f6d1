#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/marker.h"

enum {
	SLOTS = 1024,	     /* groups: one per child that runs at the same time */
	PATH_SLOTS = 16,     /* only the first ones can hold a path */
	MAX_DEPTH = 128,     /* of a directory tree to remove */
	TERM_WAIT_MS = 2000, /* from SIGTERM to SIGKILL when a signal ends us */
	POLL_MS = 5,
};

/* An entry is valid when its kind is not CLEANUP_FREE; kind is stored last and cleared first. */
static struct {
	_Atomic int kind[SLOTS];
	pid_t group[SLOTS];
	char path[PATH_SLOTS][PATH_MAX];
	struct stat made[PATH_SLOTS]; /* the directory at the path then */
	_Atomic pid_t owner;	      /* 0: no entry was ever made */
} table;

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
enum {
	END_SIGNALS = sizeof(end_signals) / sizeof(end_signals[0])
};

static void fill_set(sigset_t *set)
{
	sigemptyset(set);
	for (int i = 0; i < END_SIGNALS; i++) {
		sigaddset(set, end_signals[i]);
	}
}

void cleanup_hold(sigset_t *saved)
{
	sigset_t set;

	fill_set(&set);
	sigprocmask(SIG_BLOCK, &set, saved);
}

void cleanup_let(const sigset_t *saved)
{
	sigprocmask(SIG_SETMASK, saved, NULL);
}

static void on_signal(int sig)
{
	cleanup_run();
	/* SA_RESETHAND has restored the default action; the signal is blocked until we return. */
	raise(sig);
}

/* A signal that was ignored when we started (nohup) stays ignored. */
static void install(void)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

	fill_set(&act.sa_mask);
	for (int i = 0; i < END_SIGNALS; i++) {
		struct sigaction old;

		if (sigaction(end_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
			sigaction(end_signals[i], &act, NULL);
		}
	}
}

static void claim(void)
{
	static bool prepared;
	pid_t self = getpid();

	if (table.owner == self) {
		return;
	}
	/* First entry of this process: entries from before fork() belong to the parent. */
	for (int i = 0; i < SLOTS; i++) {
		table.kind[i] = CLEANUP_FREE;
	}
	table.owner = self;
	if (!prepared) {
		prepared = true;
		install();
		atexit(cleanup_run);
	}
}

static int free_slot(int from, int to)
{
	claim();
	for (int i = from; i < to; i++) {
		if (table.kind[i] == CLEANUP_FREE) {
			return i;
		}
	}
	errno = ENOSPC;
	return -1;
}

int cleanup_add_path(enum cleanup_kind kind, const char *path)
{
	size_t n = strlen(path) + 1;
	int slot = free_slot(0, PATH_SLOTS);

	if (slot < 0) {
		return -1;
	}
	if (n > sizeof(table.path[slot])) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (kind == CLEANUP_DIR && lstat(path, &table.made[slot]) != 0) {
		return -1;
	}
	memcpy(table.path[slot], path, n);
	table.kind[slot] = (int)kind;
	return slot;
}

int cleanup_add_group(pid_t group)
{
	int slot = free_slot(PATH_SLOTS, SLOTS);

	if (slot >= 0) {
		table.group[slot] = group;
		table.kind[slot] = CLEANUP_GROUP;
	}
	return slot;
}

void cleanup_forget(int slot)
{
	if (slot >= 0) {
		table.kind[slot] = CLEANUP_FREE;
	}
}

/* Sends sig to every group in the table; returns how many leaders still run. */
static int signal_groups(int sig)
{
	int running = 0;

	for (int i = PATH_SLOTS; i < SLOTS; i++) {
		if (table.kind[i] != CLEANUP_GROUP) {
			continue;
		}
		/* The leader is not reaped before its entry is forgotten, so the number is still
		 * its own. */
		siginfo_t info = {0};

		if (sig != 0) {
			kill(-table.group[i], sig);
		}
		if (waitid(P_PID, (id_t)table.group[i], &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
			info.si_pid == 0) {
			running++;
		}
	}
	return running;
}

static void pause_ms(long ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/* SIGTERM first: a compiler removes its own temporary files on it. */
static void end_groups(void)
{
	if (signal_groups(SIGTERM) > 0) {
		for (int ms = 0; ms < TERM_WAIT_MS && signal_groups(0) > 0; ms += POLL_MS) {
			pause_ms(POLL_MS);
		}
	}
	signal_groups(SIGKILL);
}

struct kernel_dirent {
	uint64_t ino;
	int64_t off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

static bool is_dot(const char *name)
{
	return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static int remove_at(int at, const char *name, int depth);

/* One pass over the directory; the number of entries removed, or -1 on failure. The marker goes
 * last: if we are killed, the directory is still known as ours. */
static int empty_pass(int dir, int depth)
{
	alignas(struct kernel_dirent) char buf[2048];
	int removed = 0;
	bool failed = false;

	lseek(dir, 0, SEEK_SET);
	for (;;) {
		long n = syscall(SYS_getdents64, dir, buf, sizeof(buf));

		if (n <= 0) {
			return failed || n < 0 ? -1 : removed;
		}
		for (long at = 0; at < n;) {
			const struct kernel_dirent *e = (const void *)(buf + at);

			at += e->reclen;
			if (is_dot(e->name) || strcmp(e->name, MARKER_NAME) == 0) {
				continue;
			}
			if (remove_at(dir, e->name, depth + 1) == 0) {
				removed++;
			} else {
				failed = true;
			}
		}
	}
}

/* Repeats until a pass finds nothing: removal while reading may skip entries, and a dying child may
 * still add some. */
static bool empty(int dir, int depth)
{
	int removed;

	do {
		removed = empty_pass(dir, depth);
	} while (removed > 0);
	return removed == 0;
}

static bool is_at(int at, const char *name, const struct stat *what)
{
	struct stat st;

	return fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == what->st_ino &&
	       st.st_dev == what->st_dev;
}

/* A file system mounted there is not ours to empty. */
static bool is_mounted(int dir)
{
	struct statx st;

	return statx(dir, "", AT_EMPTY_PATH, STATX_TYPE, &st) == 0 &&
	       (st.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/* dir is the open directory at name. */
static int remove_dir(int at, const char *name, int dir, int depth)
{
	struct stat st;

	if (depth > 0 && is_mounted(dir)) {
		errno = EBUSY;
		return -1;
	}
	/* a directory that was made read-only is removed as well */
	if (fstat(dir, &st) != 0 ||
		(!empty(dir, depth) && (fchmod(dir, 0700) != 0 || !empty(dir, depth)))) {
		return -1;
	}
	unlinkat(dir, MARKER_NAME, 0);
	return is_at(at, name, &st) ? unlinkat(at, name, AT_REMOVEDIR) : -1;
}

/* opendir() and nftw() allocate, which a signal handler must not; hence getdents64. */
static int remove_at(int at, const char *name, int depth)
{
	if (unlinkat(at, name, 0) == 0) {
		return 0;
	}
	if (errno != EISDIR && errno != EPERM) {
		return errno == ENOENT ? 0 : -1;
	}
	if (depth >= MAX_DEPTH) {
		errno = ELOOP;
		return -1;
	}
	int dir = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0) {
		return -1;
	}
	int rc = remove_dir(at, name, dir, depth);
	close(dir);
	return rc;
}

int cleanup_remove_open(int at, const char *name, int dir)
{
	return remove_dir(at, name, dir, 0);
}

int cleanup_remove_tree(const char *path)
{
	return remove_at(AT_FDCWD, path, 0);
}

/* A child that was just killed may still finish a system call that makes a file. If the path names
 * another directory by now, that one is left alone. */
static void remove_persistently(int slot)
{
	const char *path = table.path[slot];

	for (int ms = 0; ms < TERM_WAIT_MS && is_at(AT_FDCWD, path, &table.made[slot]) &&
			 cleanup_remove_tree(path) != 0;
		ms += POLL_MS) {
		pause_ms(POLL_MS);
	}
}

void cleanup_run(void)
{
	int saved = errno;

	if (table.owner != getpid()) {
		return;
	}
	end_groups();
	for (int i = 0; i < PATH_SLOTS; i++) {
		switch (table.kind[i]) {
		case CLEANUP_FILE:
			unlink(table.path[i]);
			break;
		case CLEANUP_DIR:
			remove_persistently(i);
			break;
		default:
			break;
		}
	}
	errno = saved;
}
