#pragma once
/*
 * Faults of a program that hardware lets pass; isa.h (strict) says what is looked for. The state of
 * a group's waves beside the machine's own. Internal to the room.
 */
#include "base/array.h"
#include "isa/machine.h"

enum {
	ISA_WATCH_RUNS = 4 /* at most, where LDS was read that nothing had set; else two */
};

/*
 * What a run decided and gave away, a hash each: where branches lead, addresses, what is stored in
 * buffers. Runs that differ only in what nothing has set must agree in all of it.
 */
struct isa_log {
	ARRAY(uint32_t) v;
	unsigned run;	/* from 0; later ones are compared with what is in v */
	bool unset_lds; /* a byte of LDS was read, or changed, that nothing had set */
	size_t at;
};

struct isa_watch;

/* log may be NULL. */
struct isa_watch *isa_watch_open(struct isa_group *g, struct isa_log *log);
void isa_watch_begin(struct isa_group *g);   /* the waves are in their first state */
void isa_watch_before(struct isa_wave *w);   /* w->op is about to run */
void isa_watch_after(struct isa_wave *w);    /* it has run */
void isa_watch_barrier(struct isa_group *g); /* no wave can go on; says so on one that waits */
void isa_watch_lds(struct isa_wave *w, uint64_t at, unsigned bytes);
/* Of a load, store or atomic: is it the address, or a part of it? */
bool isa_watch_is_address(const struct isa_op *op, unsigned i);
/* What stands where nothing was set, another in the second run. */
uint32_t isa_watch_garbage(const struct isa_group *g, uint32_t place);
/* A byte of LDS that nothing has set, in each run another. */
unsigned char isa_watch_unset_lds(const struct isa_group *g, uint64_t at);
