#include "analysis/ledger/ledger.h"

#include "analysis/ledger/solver.h"
#include "target/steps.h"

static void make(struct ledger *out, struct ledger_merge *merge, size_t n, struct arena *a,
	struct facts *f, struct uniformity *u, kt_id kernel, unsigned wave_size)
{
	struct arena *scratch = arena_create();
	struct trace t = {
		.a = scratch, .f = f, .u = u, .unit = facts_unit(f), .wave_size = wave_size};

	*out = (struct ledger){.fn = kernel, .name = t.unit->fn[kernel].name};
	t.whole = n > 0;
	trace_make(&t, kernel);
	out->partial = t.partial;
	if (t.cut || (t.whole && t.partial)) {
		solver_tell_unknown(out, a, &t);
		trace_release(&t);
		arena_free(scratch);
		return;
	}
	struct solver s = {.t = &t,
		.a = scratch,
		.words = t.var.n / 64 + 1,
		.out = out,
		.merge = merge,
		.merges = n};
	s.forced = bits_new(&s);
	s.peak = bits_new(&s);
	s.peak_kept = bits_new(&s);
	s.carried = bits_new(&s);
	s.constant = bits_new(&s);
	s.ever = bits_new(&s);
	s.streamed = bits_new(&s);
	s.in_memory = bits_new(&s);
	for (uint32_t i = 0; i < t.var.n; i++) {
		bit_set(s.in_memory, i, ledger_in_memory(&t.var.v[i].pub));
	}
	solver_find_free(&s);
	solver_find_streams(&s);
	solver_find_flight(&s);
	for (uint32_t i = 0; i < t.item.n; i++) {
		s.flight[i] += s.addresses[i];
	}
	s.open = solver_openers(&s);
	s.recording = true;
	bits set = bits_new(&s);
	solver_live(&s, 0, (uint32_t)t.item.n, set);
	out->temporaries = s.best_held;
	for (uint32_t i = 0; i < t.var.n; i++) {
		bool there = bit_get(s.peak, i);
		out->temporaries += there && t.var.v[i].memory ? t.var.v[i].pub.width : 0;
		out->results += there && t.var.v[i].matrix_acc ? t.var.v[i].pub.width : 0;
	}
	out->lds_bytes = t.lds_bytes;
	out->bytes = t.bytes;
	out->flops = t.flops;
	for (size_t i = 0; i < t.item.n; i++) {
		if (t.item.v[i].kind == TRACE_LOOP && t.item.v[i].flops > out->flops) {
			out->bytes = t.item.v[i].bytes;
			out->flops = t.item.v[i].flops;
		}
	}
	s.entry = ARENA_ARRAY(scratch, uint32_t, t.var.n + 1);
	s.a = a;
	solver_list_vars(&s);
	solver_list_lines(&s);
	solver_list_unknown(&s);
	solver_tell_unknown(out, a, &t);
	trace_release(&t);
	arena_free(scratch);
}

void ledger_make(struct ledger *out, struct arena *a, struct facts *f, struct uniformity *u,
	kt_id kernel, unsigned wave_size)
{
	const struct ledger *kept = facts_kept(f, FACTS_KEEP_LEDGER, kernel);
	if (kept) {
		*out = *kept;
	} else {
		make(out, NULL, 0, a, f, u, kernel, wave_size);
	}
}

static void release_nothing(void *ledger)
{
	(void)ledger; /* it is in the facts' arena */
}

const struct ledger *ledger_make_for(struct ledger_merge *merge, size_t n, struct facts *f,
	struct uniformity *u, kt_id kernel, unsigned wave_size)
{
	struct ledger *l = ARENA_NEW(facts_arena(f), struct ledger);
	make(l, merge, n, facts_arena(f), f, u, kernel, wave_size);
	if (!l->partial) {
		facts_keep(f, FACTS_KEEP_LEDGER, kernel, l, release_nothing);
	}
	return l;
}

unsigned ledger_estimate(
	const struct ledger *l, const struct target *t, const struct occupancy_use *use)
{
	unsigned all = l->most.held + l->most.in_flight, room = target_most_vgprs(t, use);

	if (room == 0 || l->least.held > room) {
		return all;
	}
	unsigned reach = t->arch_vgpr_max + (t->agprs ? l->results : 0);
	room = room < reach ? room : reach;
	unsigned most = l->least.held > room ? l->least.held : room;
	return all < most ? all : most;
}
