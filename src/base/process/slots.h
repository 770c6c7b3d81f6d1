#pragma once
/*
 * How much runs at a time over all our processes, by the protocol of GNU make's jobserver: each
 * process has one slot of its own, and a byte of a pipe is another. Who takes one gives it back
 * when what ran in it has ended. What a child had when it was killed, its parent gives back for it.
 */
#include <stdbool.h>

/* This process and those forked from it share n slots; n 0: those of the jobserver that MAKEFLAGS
 * names, else one per processor. load: while the system's load average is that high or higher no
 * more is started beside what runs; 0: whatever it is. */
void slots_open(unsigned n, double load);
/* How many there are at the most; 0: slots_open was not called. */
unsigned slots_count(void);

/* One more: false when none is free. Always true where slots_open was not called. */
bool slots_take(void);
void slots_give(void);

/* What to poll for until there may be one, or -1; *timeout_ms: when to ask again at the latest, or
 * -1. */
int slots_wait(int *timeout_ms);

/* A place that children can write to, where one notes what it has; NULL when there is no memory. */
unsigned *slots_ledger(unsigned long n);
void slots_ledger_free(unsigned *ledger, unsigned long n);
/* In a child: it has its own slot, and notes others here. */
void slots_note(unsigned *held);
/* In its parent, after its end. */
void slots_return(unsigned held);
