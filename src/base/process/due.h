#pragma once
/*
 * Time limits that do not fail because the machine is busy. A group of processes is over its limit
 * when so much time has passed and it used as much of the processors, or waits for none: it hangs.
 * One that wants to go on and did not get its share has ten times as long, and then is over as
 * well.
 */
#include <stdbool.h>
#include <sys/types.h>

struct due {
	double at; /* on proc_now_s(): when to look; 0: there is no limit */
	double limit_s;
	double last;   /* on proc_now_s(): over then, whatever it used */
	double used_s; /* of the processors, when it was looked at last */
};

/* now: proc_now_s(). */
struct due due_in(double now, double limit_s);
/* To be asked when d->at has come. False: not yet, and d->at is when to look again. group: its
 * first process is not reaped. */
bool due_is_over(struct due *d, double now, pid_t group);
/* Do all threads of this process wait for something else than a processor or a disk, but for the
 * one that asks? */
bool due_others_wait(void);
