/* base: how much runs at a time over all processes, and make's jobserver. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/process/pool.h"
#include "base/process/proc.h"
#include "base/process/slots.h"

enum {
	PIECES = 4,
	JOBS = 3,
	SLOTS = 2
};

/* A test in a process of its own, as slots are the process's. */
static void in_child(void (*test)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		test();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

static void must(bool ok)
{
	if (!ok) {
		_exit(1);
	}
}

static void ignore(void *user, const struct pool_result *r)
{
	(void)user;
	(void)r;
}

/* The most that ran at a time, by a log of + and -. */
static int most(const char *log)
{
	struct sbuf text = {0};
	int now = 0, max = 0;

	must(file_read(&text, log) == 0);
	for (size_t i = 0; i < text.n; i++) {
		now += text.p[i] == '+' ? 1 : text.p[i] == '-' ? -1 : 0;
		max = now > max ? now : max;
	}
	sbuf_release(&text);
	return max;
}

static int run_jobs(void *user, size_t index, struct sbuf *out)
{
	const char *script = "echo + >>\"$0\"; sleep 0.03; echo - >>\"$0\"";
	const char *const argv[] = {"sh", "-c", script, user, NULL};
	struct proc_job job[JOBS];
	struct proc_result r[JOBS] = {0};

	(void)index;
	(void)out;
	for (int i = 0; i < JOBS; i++) {
		job[i] = (struct proc_job){.argv = argv};
	}
	proc_run_all(r, job, JOBS, JOBS);
	for (int i = 0; i < JOBS; i++) {
		must(proc_ok(&r[i]));
		proc_result_release(&r[i]);
	}
	return 0;
}

static void all_together(void)
{
	struct arena *a = arena_create();
	char *log = arena_printf(a, "%s/log", tmpdir_create());
	struct pool p = {.parallel = PIECES, .user = log, .run = run_jobs, .done = ignore};

	slots_open(SLOTS, 0);
	must(pool_run(&p, PIECES) == 0);
	must(most(log) <= SLOTS);
	must(slots_take()); /* all but ours are there again */
	must(!slots_take());
	arena_free(a);
	exit(0);
}

static void test_processes_of_processes_share_the_slots(void **state)
{
	(void)state;
	in_child(all_together);
}

static int take_and_die(void *user, size_t index, struct sbuf *out)
{
	(void)user;
	(void)out;
	if (index == 0) {
		must(slots_take());
		raise(SIGKILL);
	}
	return 0;
}

static void die(void)
{
	struct pool p = {.parallel = 1, .run = take_and_die, .done = ignore};

	slots_open(SLOTS, 0);
	must(pool_run(&p, 2) == 0);
	must(slots_take());
	must(!slots_take());
}

static void test_what_a_killed_child_had_comes_back(void **state)
{
	(void)state;
	in_child(die);
}

static void join(void)
{
	int fd[2];
	char flags[64];

	must(pipe(fd) == 0 && write(fd[1], "xy", 2) == 2);
	snprintf(flags, sizeof(flags), " -j3 --jobserver-auth=%d,%d", fd[0], fd[1]);
	setenv("MAKEFLAGS", flags, 1);
	slots_open(0, 0);
	must(slots_take() && slots_take() && !slots_take());
	slots_give();
	slots_give();
	char back[3] = "";
	must(read(fd[0], back, 2) == 2);
	must((fcntl(fd[0], F_GETFL) & O_NONBLOCK) == 0); /* make's own end blocks */
}

static void join_fifo(void)
{
	struct arena *a = arena_create();
	const char *fifo = arena_printf(a, "%s/fifo", tmpdir_create());

	must(mkfifo(fifo, 0600) == 0);
	int fd = open(fifo, O_RDWR);
	must(write(fd, "x", 1) == 1);
	setenv("MAKEFLAGS", arena_printf(a, "j3 --jobserver-auth=fifo:%s", fifo), 1);
	slots_open(0, 0);
	must(slots_take() && !slots_take());
	slots_give();
	must(slots_take());
	arena_free(a);
	exit(0);
}

static void test_slots_of_make(void **state)
{
	(void)state;
	in_child(join);
	in_child(join_fifo);
}

static void closed(void)
{
	setenv("MAKEFLAGS", "-j3 --jobserver-auth=77,78", 1); /* of a recipe without a + */
	slots_open(0, 0);
	must(slots_count() == proc_cpus());
	slots_open(3, 0); /* -j is asked before make */
	must(slots_take() && slots_take() && !slots_take());
}

static void test_slots_without_a_jobserver(void **state)
{
	(void)state;
	in_child(closed);
}

static void loaded(void)
{
	int ms;

	slots_open(8, 1e-9); /* the load may be 0.00, but then a test has just begun */
	bool took = slots_take();
	must(took || (slots_wait(&ms) < 0 && ms > 0));
}

static void test_a_load_that_is_too_high(void **state)
{
	(void)state;
	in_child(loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes_of_processes_share_the_slots),
		cmocka_unit_test(test_what_a_killed_child_had_comes_back),
		cmocka_unit_test(test_slots_of_make),
		cmocka_unit_test(test_slots_without_a_jobserver),
		cmocka_unit_test(test_a_load_that_is_too_high),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
