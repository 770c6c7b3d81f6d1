#include "base/process/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/process/due.h"
#include "base/process/proc.h"
#include "base/process/slots.h"
#include "base/msglog.h"

/* From SIGTERM to SIGKILL: time for a child to end the process groups that it started. */
#define KILL_AFTER_S 1.0

enum {
	ERR_LIMIT = 1 << 20, /* bytes kept of a child's stderr */
	BLIND_POLL_MS = 20,  /* polling interval if the kernel has no pidfd */
};

/* One index: waiting, running (pid > 0) or ended. */
struct piece {
	pid_t pid;
	int pidfd; /* -1 when the kernel has none */
	int out;   /* memory files */
	int err;
	int said;
	int slot;	/* in the clean-up table */
	unsigned *held; /* further slots that it holds; or NULL */
	double start;
	double wall_s;
	struct due due;
	double deadline; /* 0: none */
	bool timed_out;
	bool ended;
	int status; /* of waitpid */
};

/* Never returns. It does not call exit(), since the atexit handlers belong to the parent. */
static void child_main(const struct pool *p, size_t index, const struct piece *c, pid_t parent,
	const sigset_t *mask)
{
	struct sbuf out = {0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* on it the child ends its own children, too */
	if (getppid() != parent) {
		_exit(EXIT_INPUT); /* the parent died before the line above */
	}
	if (dup2(c->err, STDERR_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) {
		_exit(EXIT_USAGE);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	slots_note(c->held);
	msglog_to(c->said);
	int code = p->run(p->user, index, &out);
	fflush(stderr);
	if (!file_write_all(c->out, sbuf_str(&out))) {
		msg_error("cannot hand over results: %s%s", strerror(errno),
			errno == EFBIG ? "; raise the limit on the size of files (ulimit -f)" : "");
		code = EXIT_USAGE;
		if (ftruncate(c->out, 0) != 0) {
			abort(); /* the parent must not read half a result */
		}
	}
#ifdef __SANITIZE_ADDRESS__
	sbuf_release(&out);
#endif
	_exit(code);
}

/* Calls early: true if it answered. Its messages go where a child's would. */
static bool ends_early(const struct pool *p, size_t index, struct piece *c)
{
	int code = -1;

	fflush(stderr);
	int saved = p->early ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
	if (saved >= 0 && dup2(c->err, STDERR_FILENO) >= 0) {
		size_t mark = msglog_mark();
		code = p->early(p->user, index);
		if (file_write_all(c->said, msglog_since(mark))) {
			msglog_forget(mark); /* it is added again when the result is taken */
		}
		fflush(stderr);
		dup2(saved, STDERR_FILENO);
	}
	proc_close(&saved);
	c->status = code < 0 ? 0 : code << 8; /* as waitpid has it */
	c->ended = code >= 0;
	return c->ended;
}

static int piece_start(const struct pool *p, size_t index, struct piece *c)
{
	sigset_t saved;

	*c = (struct piece){.pidfd = -1, .slot = -1, .held = c->held};
	c->out = memfd_create("unphi-out", MFD_CLOEXEC);
	c->err = memfd_create("unphi-err", MFD_CLOEXEC);
	c->said = memfd_create("unphi-said", MFD_CLOEXEC);
	if (c->out < 0 || c->err < 0 || c->said < 0) {
		return -1;
	}
	/* append, so that programs started by the child do not overwrite each other's output */
	fcntl(c->err, F_SETFL, O_APPEND);
	if (ends_early(p, index, c)) {
		return 0;
	}
	fflush(stdout);
	fflush(stderr);
	pid_t self = getpid();
	cleanup_hold(&saved);
	c->pid = fork();
	if (c->pid == 0) {
		child_main(p, index, c, self, &saved);
	}
	if (c->pid > 0) {
		setpgid(c->pid, c->pid); /* both sides do it, in either order */
		c->slot = cleanup_add_group(c->pid);
	}
	cleanup_let(&saved);
	if (c->pid < 0) {
		return -1;
	}
#ifdef SYS_pidfd_open
	c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
#endif
	c->start = proc_now_s();
	c->due = due_in(c->start, p->time_limit_s);
	c->deadline = p->time_limit_s > 0 ? c->due.at : 0;
	return 0;
}

/* Has it ended? Reaps it then. */
static bool piece_ended(struct piece *c)
{
	pid_t got;

	do {
		got = waitpid(c->pid, &c->status, WNOHANG);
	} while (got < 0 && errno == EINTR);
	if (got == 0) {
		return false;
	}
	if (got < 0) {
		c->status = 0x7f; /* reaped elsewhere: treat it as a crash */
	}
	kill(-c->pid, SIGKILL); /* children that it left running */
	cleanup_forget(c->slot);
	proc_close(&c->pidfd);
	c->ended = true;
	c->wall_s = proc_now_s() - c->start;
	return true;
}

static struct str map_fd(int fd, size_t limit, void **map)
{
	struct stat st;

	*map = MAP_FAILED;
	if (fstat(fd, &st) != 0 || st.st_size <= 0) {
		return (struct str){"", 0};
	}
	size_t n = (size_t)st.st_size < limit ? (size_t)st.st_size : limit;
	*map = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
	return *map == MAP_FAILED ? (struct str){"", 0} : (struct str){*map, n};
}

static void piece_done(const struct pool *p, size_t index, struct piece *c)
{
	void *maps[3];
	struct pool_result r = {.index = index, .timed_out = c->timed_out, .wall_s = c->wall_s};

	if (WIFSIGNALED(c->status)) {
		r.signal = WTERMSIG(c->status);
	} else if (WIFEXITED(c->status)) {
		r.exit_code = WEXITSTATUS(c->status);
	}
	r.out = map_fd(c->out, SIZE_MAX, &maps[0]);
	r.err = map_fd(c->err, ERR_LIMIT, &maps[1]);
	struct str said = map_fd(c->said, SIZE_MAX, &maps[2]);
	size_t out_n = r.out.n;
	if (r.signal || r.timed_out) {
		r.out.n = 0;
	}
	msglog_take(said); /* a message cut off by a crash is lost */
	p->done(p->user, &r);
	if (maps[0] != MAP_FAILED) {
		munmap(maps[0], out_n);
	}
	if (maps[1] != MAP_FAILED) {
		munmap(maps[1], r.err.n);
	}
	if (maps[2] != MAP_FAILED) {
		munmap(maps[2], said.n);
	}
	proc_close(&c->out);
	proc_close(&c->err);
	proc_close(&c->said);
}

/* Waits until a running piece ends or reaches its deadline. */
static void wait_some(struct piece *const *running, size_t n, bool slotless)
{
	ARRAY(struct pollfd) fds = {0};
	double next = 0;
	int timeout = -1;

	for (size_t i = 0; i < n; i++) {
		array_push(&fds, (struct pollfd){.fd = running[i]->pidfd, .events = POLLIN});
		if (running[i]->pidfd < 0) {
			timeout = BLIND_POLL_MS;
		}
		if (running[i]->deadline > 0 && (next <= 0 || running[i]->deadline < next)) {
			next = running[i]->deadline;
		}
	}
	if (next > 0) {
		double left = (next - proc_now_s()) * 1000;
		int ms = left <= 0 ? 0 : left > 1e6 ? 1000000 : (int)left + 1;
		timeout = timeout < 0 || ms < timeout ? ms : timeout;
	}
	if (slotless) {
		int again_ms;
		array_push(&fds, (struct pollfd){.fd = slots_wait(&again_ms), .events = POLLIN});
		timeout = again_ms >= 0 && (timeout < 0 || again_ms < timeout) ? again_ms : timeout;
	}
	poll(fds.v, fds.n, timeout);
	array_release(&fds);
}

static void stop_late(struct piece *const *running, size_t n)
{
	double now = proc_now_s();

	for (size_t i = 0; i < n; i++) {
		struct piece *c = running[i];
		bool again = c->timed_out;
		if (c->deadline <= 0 || now < c->deadline) {
			continue;
		}
		if (!again && !due_is_over(&c->due, now, c->pid)) {
			c->deadline = c->due.at;
			continue;
		}
		c->timed_out = true;
		c->deadline = again ? 0 : now + KILL_AFTER_S;
		kill(-c->pid, again ? SIGKILL : SIGTERM);
	}
}

/* Removes the pieces that have ended from the list of running ones. */
static size_t reap(struct piece **running, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (!piece_ended(running[i])) {
			running[kept++] = running[i];
		} else if (running[i]->held) {
			slots_return(*running[i]->held);
		}
	}
	/* the first running piece uses our own slot */
	for (size_t i = kept > 0 ? kept : 1; i < n; i++) {
		slots_give();
	}
	return kept;
}

int pool_run(const struct pool *p, size_t n)
{
	unsigned parallel = p->parallel ? p->parallel : proc_cpus();
	struct arena *a = arena_create();
	struct piece *piece = ARENA_ARRAY(a, struct piece, n);
	struct piece **running = ARENA_ARRAY(a, struct piece *, parallel);
	unsigned *held = slots_ledger(n);
	size_t started = 0, done = 0, now = 0;
	int rc = 0;

	while (done < n && !(rc && now == 0)) {
		bool slotless = false;
		/* A slow piece delays the results after it, not their work. At most 256 results
		 * wait, as each holds open files. */
		while (rc == 0 && started < n && now < parallel && started - done < 256) {
			slotless = now > 0 && !slots_take();
			if (slotless) {
				break;
			}
			piece[started].held = held ? &held[started] : NULL;
			if (piece_start(p, started, &piece[started]) != 0) {
				proc_close(&piece[started].out);
				proc_close(&piece[started].err);
				proc_close(&piece[started].said);
				if (now > 0) {
					slots_give();
					break; /* try again when one has ended */
				}
				rc = fail_usage("cannot start a process: %s", strerror(errno));
				break;
			}
			if (piece[started].ended) {
				started++;
				if (now > 0) {
					slots_give(); /* the slot it took is unused */
				}
				continue;
			}
			running[now++] = &piece[started++];
		}
		if (now > 0) {
			wait_some(running, now, slotless);
			stop_late(running, now);
			now = reap(running, now);
		}
		while (done < started && piece[done].ended) {
			piece_done(p, done, &piece[done]);
			done++;
		}
	}
	slots_ledger_free(held, n);
	arena_free(a);
	return rc;
}
