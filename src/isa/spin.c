/* Detects waves that poll. If a wave returns to a place with the same registers, and no memory has
 * changed, it would loop forever: it waits for another wave. */
#include <string.h>

#include "isa/machine.h"

enum {
	FIRST_CHECK = 4096 /* steps before a wave is checked */
};

struct isa_spin {
	size_t next;
	uint64_t steps, span;
	uint64_t changes;
	struct isa_spin_state {
		uint32_t s[ISA_SGPRS];
		uint32_t mode;
		uint8_t index;
		bool scc;
	} state;
	uint32_t v[ISA_VGPRS][ISA_LANES];
};

static void take_state(struct isa_spin_state *out, const struct isa_wave *w)
{
	memset(out, 0, sizeof(*out));
	memcpy(out->s, w->s, sizeof(out->s));
	out->mode = w->mode;
	out->index = w->index;
	out->scc = w->scc;
}

static void take(struct isa_spin *spin, const struct isa_wave *w)
{
	spin->next = w->next;
	spin->steps = w->steps;
	spin->span *= 2;
	spin->changes = w->group->changes;
	take_state(&spin->state, w);
	memcpy(spin->v, w->v, sizeof(spin->v));
}

bool isa_spins(struct isa_wave *w)
{
	struct isa_spin *spin = w->spin;
	if (w->steps < FIRST_CHECK) {
		return false;
	}
	if (!spin) {
		spin = w->spin = ARENA_NEW(w->group->a, struct isa_spin);
	}
	if (!spin->span) { /* the first check of this wave */
		spin->span = FIRST_CHECK / 2;
		take(spin, w);
		return false;
	}
	if (spin->next == w->next && spin->changes == w->group->changes) {
		struct isa_spin_state now;
		take_state(&now, w);
		if (memcmp(&now, &spin->state, sizeof(now)) == 0 &&
			memcmp(w->v, spin->v, sizeof(spin->v)) == 0) {
			return true;
		}
	}
	if (w->steps - spin->steps >= spin->span) {
		take(spin, w);
	}
	return false;
}

void isa_spin_forget(struct isa_wave *w)
{
	if (w->spin) {
		w->spin->span = 0;
	}
}
