#include "base/process/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/process/due.h"
#include "base/process/interrupt.h"
#include "base/mem.h"
#include "base/process/slots.h"

extern char **environ;

#define DEFAULT_OUTPUT_LIMIT ((size_t)64 << 20)
#define KILL_AFTER_S 1.0  /* from SIGTERM to SIGKILL */
#define LINGER_S 1.0	  /* for orphans that still hold our pipes */
#define BLIND_POLL_S 0.02 /* how often to look when the kernel has no pidfd */

enum child_state {
	CHILD_RUNNING,
	CHILD_TERMED, /* SIGTERM sent at the time limit */
	CHILD_ENDED,  /* the first process has ended; its pipes are still open */
	CHILD_KILLED, /* SIGKILL sent; only what the pipes still hold is read */
};

struct child {
	struct proc_result result;
	size_t number; /* the caller's */
	size_t output_limit;
	bool needed;
	pid_t pid;   /* also its process group */
	int pidfd;   /* -1 when the kernel has none */
	int pipe[2]; /* reading ends of its stdout and stderr, -1 once closed */
	int slot;    /* in the clean-up table */
	enum child_state state;
	bool exited; /* the first process has ended and is not reaped yet */
	double start;
	struct due due;
	double ends_at;	 /* regardless of CPU time; 0: never */
	double deadline; /* when the state changes by itself or is checked */
};

static double longest_s;

void proc_limit(double seconds)
{
	longest_s = seconds;
}

double proc_limit_of(double seconds)
{
	return longest_s > 0 && longest_s < seconds ? longest_s : seconds;
}

static double clock_s(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double proc_now_s(void)
{
	return clock_s(CLOCK_MONOTONIC);
}

void proc_close(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
		*fd = -1;
	}
}

/* The reading end has the lower number. So even if 0, 1 or 2 were closed at our start, no writing
 * end is 0, and dup2 onto 1, then 2 overwrites no descriptor that is still needed. */
static int make_pipe(int fd[2])
{
	if (pipe2(fd, O_CLOEXEC) != 0) {
		fd[0] = fd[1] = -1;
		return -1;
	}
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	return 0;
}

#define TUNABLES "GLIBC_TUNABLES"

/* The environment with huge pages for the heap; to be freed. NULL: as ours, or out of memory. */
static char **environ_with_huge_pages(void)
{
	static char tunable[] = TUNABLES "=glibc.malloc.hugetlb=1";
	size_t n = 0;
	while (environ && environ[n]) {
		n++;
	}
	char **words = getenv(TUNABLES) ? NULL : calloc(n + 2, sizeof(*words));
	if (words) {
		memcpy(words, environ, n * sizeof(*words));
		words[n] = tunable;
	}
	return words;
}

static int spawn(
	pid_t *pid, const struct proc_job *job, const int write_end[2], const sigset_t *mask)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t defaults;
	int e;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(
		&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	e = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	e = e ? e : posix_spawn_file_actions_adddup2(&actions, write_end[0], 1);
	e = e ? e : posix_spawn_file_actions_adddup2(&actions, write_end[1], 2);
	if (!e && job->cwd) {
		e = posix_spawn_file_actions_addchdir_np(&actions, job->cwd);
	}
	if (!e) {
		/* posix_spawn's argv is not const, but it does not change it. */
		char *const *argv = (char *const *)(uintptr_t)job->argv;

		char **with = job->huge_pages ? environ_with_huge_pages() : NULL;
		e = posix_spawnp(pid, job->argv[0], &actions, &attr, argv, with ? with : environ);
		free(with);
		if (!e && job->memory > 0) {
			/* set from outside: posix_spawn has no attribute for it */
			prlimit(*pid, RLIMIT_AS, &(struct rlimit){job->memory, job->memory}, NULL);
		}
	}
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return e;
}

static int open_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by definition */
#else
	(void)pid;
	return -1;
#endif
}

static void child_wait_for_due(struct child *c)
{
	bool sooner = c->ends_at > 0 && c->ends_at < c->due.at;
	c->deadline = sooner ? c->ends_at : c->due.at;
}

/* 0, or an errno. On success c is running and entered in the clean-up table. */
static int child_start(struct child *c, size_t number, const struct proc_job *job)
{
	int out[2] = {-1, -1}, err[2] = {-1, -1};
	sigset_t saved;
	int e = 0;

	*c = (struct child){.number = number, .pidfd = -1, .pipe = {-1, -1}, .slot = -1};
	c->output_limit = job->output_limit > 0 ? job->output_limit : DEFAULT_OUTPUT_LIMIT;
	c->needed = job->needed;
	c->ends_at = job->ends_at_s;
	if (make_pipe(out) != 0 || make_pipe(err) != 0) {
		e = errno;
		goto out;
	}
	c->start = proc_now_s();
	double limit_s = job->time_limit_s > 0 ? job->time_limit_s : PROC_TIME_LIMIT_S;
	c->due = due_in(c->start, proc_limit_of(limit_s));
	child_wait_for_due(c);
	cleanup_hold(&saved);
	e = spawn(&c->pid, job, (int[2]){out[1], err[1]}, &saved);
	if (e == 0) {
		c->slot = cleanup_add_group(c->pid);
	}
	cleanup_let(&saved);
	if (e == 0) {
		c->pidfd = open_pidfd(c->pid);
		c->pipe[0] = out[0];
		c->pipe[1] = err[0];
		out[0] = err[0] = -1;
	}
out:
	for (int i = 0; i < 2; i++) {
		proc_close(&out[i]);
		proc_close(&err[i]);
	}
	return e;
}

static void keep(struct child *c, struct sbuf *b, const char *p, size_t n)
{
	size_t room = c->output_limit - b->n;

	if (n > room) {
		c->result.truncated = true;
		n = room;
	}
	sbuf_add(b, p, n);
}

/* Reads pipe i without blocking. Bytes over the limit are read and dropped, so that the child does
 * not block on a full pipe. A few reads at most, so that one child cannot starve the others. */
static void child_read(struct child *c, int i)
{
	struct sbuf *b = i == 0 ? &c->result.out : &c->result.err;
	char buf[32 * 1024];

	for (int turn = 0; turn < 8 && c->pipe[i] >= 0; turn++) {
		ssize_t n = read(c->pipe[i], buf, sizeof(buf));

		if (n > 0) {
			keep(c, b, buf, (size_t)n);
		} else if (n < 0 && errno == EINTR) {
			continue;
		} else if (n < 0 && errno == EAGAIN) {
			return;
		} else {
			proc_close(&c->pipe[i]);
		}
	}
}

/* Checks whether the first process has ended, without reaping it: until it is reaped, its number,
 * which is also the group's, cannot be reused. */
static void child_look(struct child *c)
{
	siginfo_t info = {0};

	if (c->exited || waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
		info.si_pid == 0) {
		return;
	}
	c->exited = true;
	if (c->state == CHILD_RUNNING) {
		c->state = CHILD_ENDED;
		c->deadline = proc_now_s() + LINGER_S;
	}
}

static void child_time(struct child *c, double now)
{
	if (now < c->deadline) {
		return;
	}
	switch (c->state) {
	case CHILD_RUNNING:
		if (c->deadline >= c->due.at && !due_is_over(&c->due, now, c->pid)) {
			child_wait_for_due(c);
			return;
		}
		c->result.timed_out = true;
		c->state = CHILD_TERMED;
		c->deadline = now + KILL_AFTER_S;
		kill(-c->pid, SIGTERM);
		break;
	case CHILD_TERMED:
	case CHILD_ENDED:
		c->state = CHILD_KILLED;
		c->deadline = now + LINGER_S;
		kill(-c->pid, SIGKILL);
		break;
	case CHILD_KILLED:
		/* A process that left the group holds our pipes; we cannot kill it. */
		c->deadline = now + LINGER_S;
		proc_close(&c->pipe[0]);
		proc_close(&c->pipe[1]);
		break;
	}
}

static bool child_done(const struct child *c)
{
	return c->exited && c->pipe[0] < 0 && c->pipe[1] < 0;
}

static void child_finish(struct child *c)
{
	struct proc_result *r = &c->result;
	int status = 0;

	/* Kills the rest of the group. */
	kill(-c->pid, SIGKILL);
	/* Forget it before reaping: the handler must not signal a number that may be reused. */
	cleanup_forget(c->slot);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {
	}
	proc_close(&c->pidfd);
	r->started = true;
	r->wall_s = proc_now_s() - c->start;
	if (WIFSIGNALED(status)) {
		r->signal = WTERMSIG(status);
	} else {
		r->exit_code = WEXITSTATUS(status);
	}
}

struct pool {
	const struct proc_source *source;
	struct child *child; /* the running children; their number is running */
	size_t running;
	size_t limit;
	struct pollfd *fd;
	bool vain;	     /* a needed job failed */
	struct proc_job job; /* the next job, and its number */
	size_t number;
	bool waits;    /* until files, processes or a slot are given back */
	bool slotless; /* it waits for a slot */
};

/* Waits for a pipe, a child or the next deadline. */
static void pool_wait(struct pool *p)
{
	double now = proc_now_s(), until = now + 3600;
	nfds_t n = 0;

	for (size_t i = 0; i < p->running; i++) {
		const struct child *c = &p->child[i];
		const int fd[] = {c->pipe[0], c->pipe[1], c->exited ? -1 : c->pidfd};

		for (size_t k = 0; k < sizeof(fd) / sizeof(fd[0]); k++) {
			if (fd[k] >= 0) {
				p->fd[n++] = (struct pollfd){.fd = fd[k], .events = POLLIN};
			}
		}
		until = c->deadline < until ? c->deadline : until;
		if (!c->exited && c->pidfd < 0 && now + BLIND_POLL_S < until) {
			until = now + BLIND_POLL_S;
		}
	}
	/* Rounded up, or the loop would spin through the last millisecond. */
	double wait_ms = until > now ? (until - now) * 1e3 + 1 : 0;
	if (p->slotless) {
		int again_ms;
		p->fd[n++] = (struct pollfd){.fd = slots_wait(&again_ms), .events = POLLIN};
		wait_ms = again_ms >= 0 && again_ms < wait_ms ? again_ms : wait_ms;
	}
	poll(p->fd, n, (int)wait_ms);
}

static void pool_step(struct pool *p)
{
	pool_wait(p);
	for (size_t i = 0; i < p->running;) {
		struct child *c = &p->child[i];

		child_read(c, 0);
		child_read(c, 1);
		child_look(c);
		child_time(c, proc_now_s());
		if (child_done(c)) {
			child_finish(c);
			struct child gone = *c;
			*c = p->child[--p->running];
			if (p->running > 0) {
				slots_give();
			}
			p->vain |= gone.needed && !proc_ok(&gone.result);
			p->source->ended(p->source->user, gone.number, &gone.result);
		} else {
			i++;
		}
	}
}

/* Ends the running jobs, as their time limit would. */
static void pool_end(struct pool *p)
{
	for (size_t i = 0; i < p->running; i++) {
		struct child *c = &p->child[i];
		bool ends = p->vain || (c->ends_at > 0 && interrupt_asked());
		c->deadline = ends && c->state == CHILD_RUNNING ? 0 : c->deadline;
	}
}

/* Too many files or processes: not a failure of the job while others run that will free some. */
static bool is_shortage(int e)
{
	return e == EMFILE || e == ENFILE || e == EAGAIN || e == ENOMEM;
}

/* Is there a slot for the next job? The first running job uses our own. */
static bool pool_has_slot(struct pool *p)
{
	p->slotless = p->running > 0 && !slots_take();
	return !p->slotless;
}

/* Starts as many jobs as may run. */
static void pool_fill(struct pool *p)
{
	const struct proc_source *s = p->source;

	while (p->running < p->limit && (p->waits || s->next(s->user, &p->job, &p->number))) {
		p->waits = !pool_has_slot(p);
		if (p->waits) {
			return;
		}
		int e = p->vain ? ECANCELED
				: child_start(&p->child[p->running], p->number, &p->job);
		if (e != 0 && p->running > 0) {
			slots_give();
		}
		p->waits = is_shortage(e) && p->running > 0;
		if (p->waits) {
			return;
		}
		if (e == 0) {
			p->running++;
		} else {
			struct proc_result r = {.start_errno = e};
			s->ended(s->user, p->number, &r);
		}
	}
}

void proc_run_from(const struct proc_source *source, unsigned parallel)
{
	struct pool p = {.source = source, .limit = parallel > 0 ? parallel : proc_cpus()};

	p.child = mem_zeroed(p.limit, sizeof(*p.child));
	p.fd = mem_zeroed(p.limit * 3 + 1, sizeof(*p.fd));
	for (pool_fill(&p); p.running > 0; pool_fill(&p)) {
		pool_end(&p);
		pool_step(&p);
	}
	free(p.child);
	free(p.fd);
}

/* A list of jobs, in order. */
struct list {
	struct proc_result *result;
	const struct proc_job *job;
	size_t n;
	size_t next;
};

static bool list_next(void *user, struct proc_job *job, size_t *number)
{
	struct list *l = user;

	if (l->next == l->n) {
		return false;
	}
	*number = l->next++;
	*job = l->job[*number];
	return true;
}

static void list_ended(void *user, size_t number, struct proc_result *r)
{
	struct list *l = user;

	l->result[number] = *r;
}

void proc_run_all(
	struct proc_result *results, const struct proc_job *jobs, size_t n, unsigned parallel)
{
	size_t all = parallel > 0 ? parallel : proc_cpus();
	struct list l = {results, jobs, n, 0};

	if (n > 0) {
		proc_run_from(&(struct proc_source){list_next, list_ended, &l},
			(unsigned)(all < n ? all : n));
	}
}

void proc_run(struct proc_result *result, const struct proc_job *job)
{
	proc_run_all(result, job, 1, 1);
}

bool proc_ok(const struct proc_result *r)
{
	return r->started && !r->timed_out && !r->truncated && r->signal == 0 && r->exit_code == 0;
}

void proc_result_release(struct proc_result *r)
{
	sbuf_release(&r->out);
	sbuf_release(&r->err);
}

/* A container's CPU quota in processors, rounded up; 0 = no quota. */
static unsigned cgroup_cpus(void)
{
	FILE *f = fopen("/sys/fs/cgroup/cpu.max", "re");
	unsigned long quota = 0, period = 0;

	if (!f) {
		return 0;
	}
	int got = fscanf(f, "%lu %lu", &quota, &period); /* "max 100000": no number, no quota */
	fclose(f);
	return got == 2 && quota > 0 && period > 0 ? (unsigned)((quota + period - 1) / period) : 0;
}

static double seconds(const struct rusage *r)
{
	return (double)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) +
	       (double)(r->ru_utime.tv_usec + r->ru_stime.tv_usec) / 1e6;
}

double proc_cpu_s(void)
{
	struct rusage own, others;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &others);
	return seconds(&own) + seconds(&others);
}

double proc_own_cpu_s(void)
{
	return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

unsigned proc_cpus(void)
{
	cpu_set_t set;
	unsigned quota = cgroup_cpus();
	long n;

	if (sched_getaffinity(0, sizeof(set), &set) == 0) {
		n = CPU_COUNT(&set);
	} else {
		n = sysconf(_SC_NPROCESSORS_ONLN);
	}
	if (quota > 0 && (long)quota < n) {
		n = quota;
	}
	return n > 0 ? (unsigned)n : 1;
}

static bool is_executable(const char *path)
{
	return file_exists(path) && access(path, X_OK) == 0;
}

const char *proc_find(struct arena *a, const char *name)
{
	const char *env = getenv("PATH"), *found = NULL;
	struct str rest = str_of(env ? env : "/usr/local/bin:/usr/bin:/bin"), dir;

	if (strchr(name, '/')) {
		return is_executable(name) ? arena_strdup(a, name) : NULL;
	}
	while (*name && !found && str_split(&rest, ':', &dir)) {
		struct str in = dir.n > 0 ? dir : STR(".");
		found = arena_printf(a, "%.*s/%s", STR_ARG(in), name);
		found = is_executable(found) ? found : NULL;
	}
	return found;
}
