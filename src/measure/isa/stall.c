#include "measure/isa/stall.h"

#include <string.h>

static const int64_t latency[STALL_KINDS] = {STALL_MEMORY, STALL_SHORT};

void stall_begin(struct stall *s, const uint16_t left[STALL_KINDS])
{
	*s = (struct stall){0};
	for (unsigned k = 0; k < STALL_KINDS; k++) {
		s->open[k] = left[k] > 0;
		s->done[k][0] = left[k];
	}
}

bool stall_end(const struct stall *s, uint16_t left[STALL_KINDS])
{
	bool longer = false;
	for (unsigned k = 0; k < STALL_KINDS; k++) {
		int64_t more = s->open[k] ? s->done[k][s->open[k] - 1] - s->now : 0;
		longer |= more > left[k];
		left[k] = more > left[k] ? (uint16_t)more : left[k];
	}
	return longer;
}

/* Removes the oldest n accesses. */
static void drop(struct stall *s, enum stall_kind k, unsigned n)
{
	s->open[k] -= n;
	memmove(s->done[k], s->done[k] + n, s->open[k] * sizeof(s->done[k][0]));
}

void stall_open(struct stall *s, enum stall_kind k, bool loads)
{
	if (s->open[k] == STALL_OPEN_MAX) {
		drop(s, k, 1);
	}
	s->done[k][s->open[k]++] = s->now + (loads ? latency[k] : 0);
}

int64_t stall_wait(struct stall *s, enum stall_kind k, unsigned left)
{
	int64_t until = s->now, began = s->now;
	if (s->open[k] <= left) {
		return 0;
	}
	for (unsigned i = 0; i < s->open[k] - left; i++) {
		until = s->done[k][i] > until ? s->done[k][i] : until;
	}
	drop(s, k, s->open[k] - left);
	s->now = until;
	return until - began;
}
