#pragma once
/*
 * Checks for errors that hardware ignores; isa.h (strict) lists them. It keeps its own state for
 * the waves of a group. Internal to src/isa.
 */
#include "base/array.h"
#include "isa/machine.h"

enum {
	ISA_WATCH_RUNS = 4 /* at most, if uninitialized LDS was read; else two */
};

/*
 * Hashes of a run's decisions and outputs: branch targets, addresses, values stored to buffers.
 * Runs that differ only in uninitialized data must agree in all of them.
 */
struct isa_log {
	ARRAY(uint32_t) v;
	unsigned run;	/* from 0; later ones are compared with v */
	bool unset_lds; /* an uninitialized byte of LDS was read or changed */
	size_t at;
};

struct isa_watch;

/* log may be NULL. */
struct isa_watch *isa_watch_open(struct isa_group *g, struct isa_log *log);
void isa_watch_begin(struct isa_group *g);   /* the waves are in their initial state */
void isa_watch_before(struct isa_wave *w);   /* w->op is about to run */
void isa_watch_after(struct isa_wave *w);    /* it has run */
void isa_watch_end(struct isa_group *g);     /* all waves have ended */
void isa_watch_barrier(struct isa_group *g); /* no wave can continue: reports it on a waiting one */
void isa_watch_lds(struct isa_wave *w, uint64_t at, unsigned bytes);
/* An access of a memory of the launch, before it happens. */
void isa_watch_global(struct isa_wave *w, size_t memory, uint64_t from, uint64_t bytes, bool store);
void isa_watch_polls(const struct isa_wave *w); /* it busy-waits */
/* isa_counts.open, of the runs so far. */
const char *isa_watch_open_access(const struct isa_watch *h, enum isa_open kind);
void isa_watch_close(struct isa_watch *h);

/* watch_memory.c */
struct isa_watch_memory;
struct isa_watch_memory *isa_watch_memory_open(struct isa_group *g);
void isa_watch_memory_close(struct isa_watch_memory *m);
/* A group begins, or ends. off: of a later run, which is not watched. */
void isa_watch_memory_begin(struct isa_watch_memory *m, bool off);
void isa_watch_memory_end(struct isa_watch_memory *m);
void isa_watch_memory_barrier(struct isa_watch_memory *m);
/* The wave may order itself after others, or others after it, without a barrier. */
void isa_watch_memory_orders(struct isa_watch_memory *m, const struct isa_wave *w);
/* stored: the wave has waited for its stores so far. */
void isa_watch_memory_access(struct isa_watch_memory *m, struct isa_wave *w, size_t memory,
	uint64_t from, uint64_t bytes, bool stores, bool stored);
void isa_watch_memory_after(struct isa_watch_memory *m, struct isa_wave *w);
const char *isa_watch_memory_open_access(const struct isa_watch_memory *m, enum isa_open kind);

/* Is operand i of a load, store or atomic a part of the address? */
bool isa_watch_is_address(const struct isa_op *op, unsigned i);
/* The value of uninitialized registers and scratch, different in the second run. */
uint32_t isa_watch_garbage(const struct isa_group *g, uint32_t place);
/* The same for an uninitialized byte of LDS, different in each run. */
unsigned char isa_watch_unset_lds(const struct isa_group *g, uint64_t at);
