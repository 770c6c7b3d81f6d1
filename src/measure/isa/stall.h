#pragma once
/*
 * Estimates how long a wave alone on its SIMD waits for its loads. Each load arrives STALL_MEMORY
 * or STALL_SHORT cycles after its issue, in order; s_waitcnt names how many may be outstanding. The
 * real latency depends on the cache. Loads issued together are waited for once, and loads issued
 * early not at all.
 */
#include <stdbool.h>
#include <stdint.h>

enum {
	STALL_MEMORY = 500, /* cycles; choose: load-latency in .unphi.yaml scales them */
	STALL_SHORT = 125,  /* LDS and scalar loads */
	STALL_OPEN_MAX = 64 /* the counter's maximum */
};

enum stall_kind {
	STALL_BY_MEMORY,
	STALL_BY_SHORT,
	STALL_KINDS
};

/* The state along a basic block, in cycles. */
struct stall {
	int64_t now;
	int64_t done[STALL_KINDS][STALL_OPEN_MAX]; /* arrival of outstanding loads, oldest first */
	unsigned open[STALL_KINDS];
};

/* Starts a block: the last load of each kind arrives in left cycles. */
void stall_begin(struct stall *s, const uint16_t left[STALL_KINDS]);
/* Ends a block: merges its state into left of a successor; true: left grew. */
bool stall_end(const struct stall *s, uint16_t left[STALL_KINDS]);
/* An access that the counter counts was issued; only loads have latency. */
void stall_open(struct stall *s, enum stall_kind kind, bool loads);
/* Waits until at most left accesses of a kind are outstanding; returns the cycles. */
int64_t stall_wait(struct stall *s, enum stall_kind kind, unsigned left);
