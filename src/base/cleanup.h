#pragma once
/*
 * Cleanup of everything that must not outlive the process: process groups of running children,
 * temporary files and temporary directories. They end at exit() and when SIGINT, SIGTERM, SIGHUP,
 * SIGPIPE or SIGXFSZ ends the process.
 *
 * Why the signal handler does the work itself: a flag or a self-pipe works only if code polls it,
 * and a parse inside libclang polls nothing for seconds. The table has a fixed size, entries are
 * published by one lock-free store, and the handler calls only system calls (kill, waitid,
 * unlinkat, openat, getdents64, nanosleep), so it is safe wherever it interrupts; it never returns
 * to the interrupted code, as it raises the signal again with the default action.
 *
 * Creating a thing and entering it into the table must be one step for the handler: wrap both in
 * cleanup_hold and cleanup_let. The table acts only in the process that made the first entry, so a
 * forked child that exits leaves its parent's files alone.
 */
#include <signal.h>
#include <sys/types.h>

enum cleanup_kind {
	CLEANUP_FREE,
	CLEANUP_FILE,
	CLEANUP_DIR,
	CLEANUP_GROUP
};

/* Blocks these signals until cleanup_let. */
void cleanup_hold(sigset_t *saved);
void cleanup_let(const sigset_t *saved);

/* The slot of the new entry, or -1 when the table is full or the path too long (errno is set).
 * Paths must be absolute if the working directory may change. A directory must exist: only it is
 * removed, not another one made at its path later. */
int cleanup_add_path(enum cleanup_kind kind, const char *path);
int cleanup_add_group(pid_t group);
/* Forgets an entry and leaves the thing itself alone. slot -1 is allowed. */
void cleanup_forget(int slot);
/* Ends and removes everything in the table. Safe in a signal handler. */
void cleanup_run(void);
/* rm -r, async-signal-safe, without following links or entering mount points. A marker file goes
 * last. 0 or -1 with errno. */
int cleanup_remove_tree(const char *path);
/* The same for the open directory dir, which is named name in the open directory at. */
int cleanup_remove_open(int at, const char *name, int dir);
