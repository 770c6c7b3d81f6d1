#include "base/process/supervisor.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/msg.h"

enum {
	STACK_BYTES = 8 << 20 /* the usual default of Linux */
};

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
enum {
	PASSED_ON = sizeof(passed_on) / sizeof(passed_on[0])
};

static volatile sig_atomic_t worker;

/* The terminal sends its signals to the worker as well, except SIGHUP, which only the session's
 * leader gets. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (worker > 0 && (info->si_code != SI_KERNEL || sig == SIGHUP)) {
		kill((pid_t)worker, sig);
	}
	errno = saved;
}

/* A signal that our parent ignores (nohup) is still ignored. */
static void watch_signals(struct sigaction *before)
{
	struct sigaction act = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};

	sigemptyset(&act.sa_mask);
	for (int i = 0; i < PASSED_ON; i++) {
		sigaction(passed_on[i], NULL, &before[i]);
		if (before[i].sa_handler == SIG_DFL) {
			sigaction(passed_on[i], &act, NULL);
		}
	}
}

/* ---- the worker ---- */

struct work {
	int (*run)(void *user);
	void *user;
	int code;
};

static void *work_in_thread(void *user)
{
	struct work *w = user;

	w->code = w->run(w->user);
	return NULL;
}

/* If "ulimit -s" is small and may not be raised, a thread with its own stack does the work. */
static int work(struct work *w)
{
	struct rlimit limit;
	pthread_attr_t attr;
	pthread_t thread;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_BYTES) {
		return w->run(w->user);
	}
	limit.rlim_cur = STACK_BYTES;
	limit.rlim_max = limit.rlim_max < STACK_BYTES ? STACK_BYTES : limit.rlim_max;
	if (setrlimit(RLIMIT_STACK, &limit) == 0) {
		return w->run(w->user);
	}
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (pthread_create(&thread, &attr, work_in_thread, w) != 0) {
		die("the stack is too small, and there is no memory for another: raise ulimit -s");
	}
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	return w->code;
}

/* ---- the supervisor ---- */

/* The first of our children; 0: none, or unknown. */
static pid_t some_child(void)
{
	char name[64];
	int pid = 0;

	snprintf(name, sizeof(name), "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(name, "re");
	int got = f ? fscanf(f, "%d", &pid) : 0;
	if (f) {
		fclose(f);
	}
	return got == 1 ? (pid_t)pid : 0;
}

/* Orphans of the worker, and later their orphans, become our children (PR_SET_CHILD_SUBREAPER). */
static void end_orphans(void)
{
	for (pid_t pid; (pid = some_child()) > 0;) {
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
		}
	}
}

static int end_by(int sig, const char *file)
{
	bool asked = sig == SIGPIPE || sig == SIGXFSZ;

	for (int i = 0; i < PASSED_ON; i++) {
		asked = asked || sig == passed_on[i];
	}
	if (!asked) {
		msg_error("%s%sunphi or libclang crashed%s (%s); please report it",
			file ? file : "", file ? ": " : "", file ? " on it" : "", strsignal(sig));
		return EXIT_INPUT;
	}
	signal(sig, SIG_DFL);
	raise(sig);
	return EXIT_INPUT; /* the signal is blocked */
}

int supervisor_work(int (*run)(void *user), void *user)
{
	return work(&(struct work){.run = run, .user = user});
}

int supervisor_run(int (*run)(void *user), void *user, const char *file)
{
	struct work w = {.run = run, .user = user};
	struct sigaction before[PASSED_ON];
	sigset_t held, saved;
	pid_t self = getpid();
	int status = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&held);
	for (int i = 0; i < PASSED_ON; i++) {
		sigaddset(&held, passed_on[i]);
	}
	sigprocmask(SIG_BLOCK, &held, &saved);
	watch_signals(before);
	fflush(NULL);
	pid_t pid = fork();
	if (pid <= 0) {
		for (int i = 0; i < PASSED_ON; i++) {
			sigaction(passed_on[i], &before[i], NULL);
		}
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	}
	worker = (sig_atomic_t)pid;
	sigprocmask(SIG_SETMASK, &saved, NULL);
	if (pid <= 0) { /* fork failed: work without a supervisor */
		return pid == 0 && getppid() != self ? EXIT_INPUT : work(&w);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	worker = 0;
	if (WIFSIGNALED(status)) {
		end_orphans();
		return end_by(WTERMSIG(status), file);
	}
	return WEXITSTATUS(status);
}
