#pragma once
/*
 * How long a wave with a SIMD to itself waits for its loads: each is there STALL_MEMORY or
 * STALL_SHORT cycles after it was issued, in order, and s_waitcnt names how many may be open. An
 * estimate: what a load takes depends on which cache has it. Loads that are begun together are
 * waited for once, and those that are begun early not at all.
 */
#include <stdbool.h>
#include <stdint.h>

enum {
	STALL_MEMORY = 500, /* cycles; choose: load-latency in .unphi.yaml scales them */
	STALL_SHORT = 125,  /* of LDS, and scalar loads */
	STALL_OPEN_MAX = 64 /* as many as a counter counts */
};

enum stall_kind {
	STALL_BY_MEMORY,
	STALL_BY_SHORT,
	STALL_KINDS
};

/* Along a basic block. */
struct stall {
	int64_t now;
	int64_t done[STALL_KINDS][STALL_OPEN_MAX]; /* of what is open, the oldest first */
	unsigned open[STALL_KINDS];
};

/* A block begins, where the last load of each kind is there in so many cycles. */
void stall_begin(struct stall *s, const uint16_t left[STALL_KINDS]);
/* The same where a block ends, into what is known of the one after it; true: that grew. */
bool stall_end(const struct stall *s, uint16_t left[STALL_KINDS]);
/* What counts as open was begun; loads: what it brings is there later only then. */
void stall_open(struct stall *s, enum stall_kind kind, bool loads);
/* Waits until no more than left of a kind are open: for how many cycles. */
int64_t stall_wait(struct stall *s, enum stall_kind kind, unsigned left);
