#pragma once
/*
 * Ctrl-C ends a search early with the results so far. While it is caught, the first SIGINT only
 * sets a flag and ends jobs with a deadline (struct proc_job, ends_at_s) as if it had passed. The
 * second one ends the process as usual.
 */
#include <stdbool.h>

/* Catches it from now on, unless it is ignored (nohup). */
void interrupt_catch(void);
/* Catches it no longer; interrupt_asked keeps its answer. */
void interrupt_let(void);
bool interrupt_asked(void);
