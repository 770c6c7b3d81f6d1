/* The arguments of a launch, and the initial state of a wave (LLVM's guide, "Initial Kernel
 * Execution State"). */
#include <string.h>

#include "isa/machine.h"
#include "isa/watch.h"

static void push(struct isa_wave *w, unsigned *at, uint64_t value, unsigned regs)
{
	for (unsigned i = 0; i < regs; i++) {
		w->s[(*at)++] = i < 2 ? (uint32_t)(value >> 32 * i) : 0;
	}
}

static void set_scalars(struct isa_wave *w)
{
	const struct isa_descriptor *d = &w->group->p->d;
	unsigned at = 0;
	if (d->private_segment_buffer) { /* swizzled: bit 63 */
		push(w, &at, ISA_SCRATCH_BASE | (uint64_t)1 << 63, 4);
	}
	push(w, &at, PACKET_AT, d->dispatch_ptr ? 2 : 0);
	push(w, &at, 0, d->queue_ptr ? 2 : 0);
	push(w, &at, ARGUMENTS_AT, d->kernarg_ptr ? 2 : 0);
	push(w, &at, 0, d->dispatch_id ? 2 : 0);
	push(w, &at, 0, d->flat_scratch_init ? 2 : 0);
	push(w, &at, w->group->scratch_dwords * 4, d->private_segment_size ? 1 : 0);
	at = d->user_sgprs > at ? d->user_sgprs : at;
	for (unsigned i = 0; w->group->p->gfx < 0x1200 && i < 3; i++) {
		push(w, &at, w->group->id[i], d->group_id[i] ? 1 : 0);
	}
	if (w->group->p->gfx >= 0x1200) {
		w->s[ISA_TTMP + 9] = w->group->id[0];
		w->s[ISA_TTMP + 7] = w->group->id[1] | w->group->id[2] << 16;
	}
	push(w, &at, 0, d->group_info ? 1 : 0);
	push(w, &at, 0, d->scratch_offset ? 1 : 0);
}

/* gfx90a and gfx942 pack a lane's indices in v0, 10 bits each. */
static void set_lanes(struct isa_wave *w)
{
	const unsigned *block = w->group->l->block;
	unsigned ids = w->group->p->d.item_ids;
	unsigned items = block[0] * block[1] * block[2];
	uint64_t exec = 0;
	unsigned lanes = w->group->p->lanes;
	for (unsigned i = 0; i < lanes; i++) {
		unsigned item = w->number * lanes + i;
		unsigned y = item / block[0] % block[1];
		unsigned z = item / block[0] / block[1];
		if (item < items) {
			exec |= (uint64_t)1 << i;
			w->v[0][i] =
				item % block[0] | (ids > 0 ? y << 10 : 0) | (ids > 1 ? z << 20 : 0);
		}
	}
	isa_set_mask(w, ISA_EXEC, exec);
}

/* Fills uninitialized registers and scratch. */
static void fill_wave(struct isa_wave *w)
{
	const struct isa_group *g = w->group;
	uint32_t place = w->number << 24;
	size_t dwords = (size_t)g->scratch_dwords * ISA_LANES;
	if (!g->watch) {
		memset(w->scratch, 0, dwords * sizeof(*w->scratch));
		return;
	}
	for (unsigned i = 0; i < ISA_SGPRS; i++) {
		w->s[i] = isa_watch_garbage(g, place++);
	}
	for (unsigned i = 0; i < ISA_VGPRS * ISA_LANES; i++) {
		w->v[i / ISA_LANES][i % ISA_LANES] = isa_watch_garbage(g, place++);
	}
	for (size_t i = 0; i < dwords; i++) {
		w->scratch[i] = isa_watch_garbage(g, place++);
	}
}

void isa_wave_begin(struct isa_wave *w, struct isa_group *g, unsigned number)
{
	const struct isa_descriptor *d = &g->p->d;
	uint32_t *scratch = w->scratch;
	struct isa_spin *spin = w->spin;
	memset(w, 0, sizeof(*w));
	w->spin = spin;
	isa_spin_forget(w);
	w->group = g;
	w->number = number;
	w->scratch = scratch;
	w->next = g->p->entry;
	fill_wave(w);
	w->mode =
		d->round_32 | d->round_16_64 << 2 | d->denormals_32 << 4 | d->denormals_16_64 << 6;
	set_scalars(w);
	set_lanes(w);
}

/* ---- arguments ---- */

static void put(unsigned char *p, size_t size, size_t at, size_t bytes, uint64_t value)
{
	if (at <= size && bytes <= size - at && bytes <= sizeof(value)) {
		memcpy(p + at, &value, bytes);
	}
}

/* The value of a hidden argument. */
static uint64_t hidden(const struct isa_launch *l, struct str kind)
{
	static const char axis[] = "xyz";
	unsigned i = kind.n ? (unsigned)(kind.p[kind.n - 1] - 'x') : 3;
	if (str_is(kind, "hidden_grid_dims")) {
		return l->grid[2] * l->block[2] > 1 ? 3 : l->grid[1] * l->block[1] > 1 ? 2 : 1;
	}
	if (i >= sizeof(axis) - 1) {
		return 0;
	}
	if (str_starts(kind, "hidden_block_count_")) {
		return l->grid[i];
	}
	return str_starts(kind, "hidden_group_size_") ? l->block[i] : 0;
}

static unsigned char *make_arguments(
	struct arena *a, size_t *size, const struct isa_program *p, const struct isa_launch *l)
{
	*size = p->d.kernarg_bytes > l->argument_bytes ? p->d.kernarg_bytes : l->argument_bytes;
	*size = (*size + 15) & ~(size_t)15; /* LLVM may load four words if three are left */
	unsigned char *all = arena_calloc(a, *size + 1, 1);
	if (l->argument_bytes) {
		memcpy(all, l->arguments, l->argument_bytes);
	}
	for (size_t i = 0; i < p->parameters; i++) {
		const struct isa_parameter *q = &p->parameter[i];
		if (str_starts(q->kind, "hidden_")) {
			put(all, *size, q->at, q->bytes, hidden(l, q->kind));
		}
	}
	return all;
}

/* hsa_kernel_dispatch_packet_t */
static unsigned char *make_packet(struct arena *a, const struct isa_launch *l)
{
	unsigned char *p = arena_calloc(a, PACKET_BYTES, 1);
	for (unsigned i = 0; i < 3; i++) {
		put(p, PACKET_BYTES, 4 + 2 * i, 2, l->block[i]);
		put(p, PACKET_BYTES, 12 + 4 * i, 4, (uint64_t)l->grid[i] * l->block[i]);
	}
	return p;
}

struct isa_launch isa_launch_whole(
	struct arena *a, const struct isa_program *p, const struct isa_launch *l)
{
	struct isa_launch r = *l;
	size_t bytes;
	unsigned char *arguments = make_arguments(a, &bytes, p, l);
	size_t most = l->memories + p->datas + 2;
	const uint8_t **symbols = ARENA_ARRAY(a, const uint8_t *, most);
	r.memory = ARENA_ARRAY(a, struct isa_memory, most);
	for (size_t i = 0; i < l->memories; i++) {
		r.memory[i] = l->memory[i];
		symbols[i] = l->symbols ? l->symbols[i] : NULL;
	}
	/* constants last, so that other variables have the same index in two texts */
	for (size_t i = 0; i < 2 * p->datas; i++) {
		const struct isa_memory *m = &p->data[i % p->datas];
		if (m->constant == (i >= p->datas)) {
			r.memory[r.memories] = *m;
			r.memory[r.memories++].p = arena_memdup(a, m->p, m->bytes);
		}
	}
	if (l->argument_symbols) { /* as long as the arguments */
		uint8_t *own = arena_calloc(a, bytes + 1, 1);
		memcpy(own, l->argument_symbols, l->argument_bytes);
		symbols[r.memories] = own;
	}
	r.symbols = symbols;
	r.memory[r.memories++] = (struct isa_memory){ARGUMENTS_AT, bytes, arguments, true, STR("")};
	r.memory[r.memories++] =
		(struct isa_memory){PACKET_AT, PACKET_BYTES, make_packet(a, l), true, STR("")};
	return r;
}
