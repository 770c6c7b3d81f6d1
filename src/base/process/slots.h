#pragma once
/*
 * Limits how many jobs run at a time in all our processes, by the protocol of GNU make's jobserver.
 * Each process has one slot of its own; each byte in a pipe is one more. A process gives a slot
 * back when the job in it has ended. If a child is killed, its parent gives back the child's slots.
 */
#include <stdbool.h>

/* This process and those forked from it share n slots; n 0: those of the jobserver that MAKEFLAGS
 * names, else one per processor. load: if jobs run and the load average is at least this, start no
 * more; 0: no such limit. */
void slots_open(unsigned n, double load);
/* The number of slots; 0: slots_open was not called. */
unsigned slots_count(void);

/* Takes a slot: false if none is free. Always true if slots_open was not called. */
bool slots_take(void);
void slots_give(void);

/* A descriptor to poll until a slot may be free, or -1. *timeout_ms: ask again after this time, or
 * -1. */
int slots_wait(int *timeout_ms);

/* Shared memory in which n children count the slots they hold; NULL if out of memory. */
unsigned *slots_ledger(unsigned long n);
void slots_ledger_free(unsigned *ledger, unsigned long n);
/* In a child, after fork: it starts with its own slot, and counts further ones in *held. */
void slots_note(unsigned *held);
/* In the parent, after the child's end: gives its slots back. */
void slots_return(unsigned held);
