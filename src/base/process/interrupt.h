#pragma once
/*
 * Ctrl-C as the question for what there is so far. While it is caught the first SIGINT only sets a
 * flag, and ends what runs under a time limit (struct proc_job, ends_at_s) as if that were over;
 * the second ends us as ever.
 */
#include <stdbool.h>

/* Catches it from now on, unless it is ignored (nohup). */
void interrupt_catch(void);
/* Not any more; what was asked stays asked. */
void interrupt_let(void);
bool interrupt_asked(void);
