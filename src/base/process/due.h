#pragma once
/*
 * Time limits that do not fail because the machine is busy. A group of processes is over its limit
 * once that much time has passed and it has either used that much CPU time or does not want the
 * CPU: it hangs. A group that wants the CPU and did not get it may take ten times as long.
 */
#include <stdbool.h>
#include <sys/types.h>

struct due {
	double at; /* on proc_now_s(): when to look; 0: there is no limit */
	double limit_s;
	double last;   /* on proc_now_s(): over then in any case */
	double used_s; /* CPU time at the last check */
};

/* now: proc_now_s(). */
struct due due_in(double now, double limit_s);
/* Call it at d->at. False: not over yet, and d->at is the time of the next check. group: its first
 * process must not be reaped. */
bool due_is_over(struct due *d, double now, pid_t group);
/* Do all other threads of this process wait for something other than CPU or disk? */
bool due_others_wait(void);
