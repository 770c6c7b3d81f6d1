#include "analysis/ledger/ledger.h"

#include "analysis/ledger/solver.h"
#include "frontend/frontend.h"
#include "target/steps.h"

enum {
	/* The first clang known not to merge arms that end in the same matrix operation; clang 15
	 * merges them. The versions in between were not tried. */
	MERGES_NO_MORE = 19,
	GROUP_DEFAULT = 1024 /* the compiler's assumption without launch bounds, in work-items */
};

/* Waves per SIMD for so many VGPRs, of which at most budget stay in registers. */
static unsigned waves_with(const struct target *t, unsigned vgprs, unsigned budget)
{
	return target_register_waves(t, vgprs < budget ? vgprs : budget, 0);
}

/* The VGPRs available to a wave of its work-groups, if the kernel's requested waves per SIMD are to
 * fit. Requests above a SIMD's maximum are ignored (AMDGPUSubtarget.cpp, getWavesPerEU). */
static unsigned vgpr_budget(const struct ledger *l, const struct target *t)
{
	const struct occupancy_use use = {.group_size = l->group_size};
	unsigned budget = target_most_vgprs(t, &use);

	while (l->waves <= t->waves_max && budget > 0 && waves_with(t, budget, budget) < l->waves) {
		budget--;
	}
	return budget;
}

bool ledger_has_two_forms(const struct ledger *l, const struct target *t)
{
	return t->agprs && vgpr_budget(l, t) > t->arch_vgpr_max &&
	       frontend_compiler_major() <= LEDGER_TWO_FORMS_LAST;
}

/* A wave that may have more than the architectural VGPRs keeps matrix results in accumulation
 * VGPRs, while the carriers of a merge are in architectural ones. So in addition to both copies
 * there are the result on its way to the next matrix operation and the one on its way back. */
static unsigned passing_of(
	const struct ledger *l, const struct trace *trace, const struct target *t)
{
	return ledger_has_two_forms(l, t) ? trace->result : 0;
}

static void make(struct ledger *out, struct ledger_merge *merge, size_t n, struct arena *a,
	struct facts *f, struct uniformity *u, kt_id kernel, const struct target *target)
{
	struct arena *scratch = arena_create();
	struct trace t = {.a = scratch,
		.f = f,
		.u = u,
		.unit = facts_unit(f),
		.wave_size = target->wave_size};

	int32_t bound = t.unit->fn[kernel].bound;
	*out = (struct ledger){.fn = kernel,
		.name = t.unit->fn[kernel].name,
		.group_size = bound > 0 ? (unsigned)bound : (unsigned)GROUP_DEFAULT,
		.bounded = bound > 0,
		.waves = (unsigned)t.unit->fn[kernel].waves};
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
	s.matrix = bits_new(&s);
	s.passing = passing_of(out, &t, target);
	out->passing = s.passing;
	s.merges_alike = frontend_compiler_major() < MERGES_NO_MORE;
	for (uint32_t i = 0; i < t.var.n; i++) {
		bit_set(s.in_memory, i, ledger_in_memory(&t.var.v[i].pub));
		bit_set(s.matrix, i, t.var.v[i].matrix_acc);
	}
	solver_find_free(&s);
	solver_find_streams(&s);
	solver_find_flight(&s);
	s.open = solver_openers(&s);
	s.wanted = ARENA_ARRAY(scratch, uint32_t, t.item.n + 1);
	s.recording = true;
	bits set = bits_new(&s);
	solver_live(&s, 0, (uint32_t)t.item.n, set);
	out->temporaries = s.best_held;
	for (uint32_t i = 0; i < t.var.n; i++) {
		bool there = bit_get(s.peak, i);
		out->temporaries += there && t.var.v[i].memory ? t.var.v[i].pub.width : 0;
		out->results += there && t.var.v[i].matrix_acc ? t.var.v[i].pub.width : 0;
	}
	out->extra = s.most_extra - out->most.held - out->most.in_flight;
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
	solver_list_calls(&s);
	solver_list_pressure(&s);
	solver_list_unknown(&s);
	solver_tell_unknown(out, a, &t);
	trace_release(&t);
	arena_free(scratch);
}

void ledger_make(struct ledger *out, struct arena *a, struct facts *f, struct uniformity *u,
	kt_id kernel, const struct target *target)
{
	const struct ledger *kept = facts_kept(f, FACTS_KEEP_LEDGER, kernel);
	if (kept) {
		*out = *kept;
	} else {
		make(out, NULL, 0, a, f, u, kernel, target);
	}
}

static void release_nothing(void *ledger)
{
	(void)ledger; /* it lives in the facts' arena */
}

const struct ledger *ledger_make_for(struct ledger_merge *merge, size_t n, struct facts *f,
	struct uniformity *u, kt_id kernel, const struct target *target)
{
	struct ledger *l = ARENA_NEW(facts_arena(f), struct ledger);
	make(l, merge, n, facts_arena(f), f, u, kernel, target);
	if (!l->partial) {
		facts_keep(f, FACTS_KEEP_LEDGER, kernel, l, release_nothing);
	}
	return l;
}

static unsigned vgprs_of(
	const struct ledger *l, const struct target *t, unsigned wanted, unsigned budget)
{
	if (budget == 0 || l->least.held > budget) {
		return wanted;
	}
	unsigned reach = t->arch_vgpr_max + (t->agprs ? l->results : 0);
	reach = budget < reach ? budget : reach;
	unsigned most = l->least.held > reach ? l->least.held : reach;
	return wanted < most ? wanted : most;
}

static unsigned with_margin(unsigned vgprs, unsigned margin)
{
	return (vgprs * (100 + margin) + 99) / 100;
}

static void set_waves(struct ledger_claim *c, const struct target *t)
{
	c->waves_least = waves_with(t, c->vgprs_most, c->budget);
	c->waves_most = waves_with(t, c->vgprs_least, c->budget);
}

struct ledger_claim ledger_claim_of(
	const struct ledger *l, const struct target *t, unsigned wanted, unsigned margin)
{
	struct ledger_claim c = {.budget = vgpr_budget(l, t)};

	c.vgprs = vgprs_of(l, t, wanted, c.budget);
	c.vgprs_least = c.vgprs * 100 / (100 + margin);
	/* the scheduler does not count accumulation VGPRs: all crossing results may have a second
	 * copy there, on their way to the matrix operations */
	c.vgprs_most = with_margin(c.vgprs + l->extra, margin);
	set_waves(&c, t);
	return c;
}

struct ledger_claim ledger_claim_whole(const struct ledger *l, const struct target *t)
{
	enum {
		OFF_PERCENT = 15
	};
	unsigned wanted = l->most.held + l->most.in_flight;
	struct ledger_claim c = ledger_claim_of(l, t, wanted, OFF_PERCENT);
	unsigned merged = vgprs_of(l, t, wanted - l->alike, c.budget);
	unsigned bare = vgprs_of(l, t, l->bare, c.budget);
	unsigned most = vgprs_of(l, t, wanted + l->guessed, c.budget);

	merged = merged > bare ? merged : bare;
	merged = merged > l->guessed ? merged - l->guessed : 0;
	c.vgprs_least = merged * 100 / (100 + OFF_PERCENT);
	c.vgprs_most = with_margin(most + l->extra, OFF_PERCENT);
	set_waves(&c, t);
	return c;
}

unsigned ledger_estimate(const struct ledger *l, const struct target *t)
{
	return ledger_claim_whole(l, t).vgprs;
}

const char *ledger_claim_text(struct arena *a, const struct ledger_claim *c)
{
	const char *waves = arena_printf(a, "%u", c->waves_most);

	if (c->waves_least < c->waves_most) {
		waves = arena_printf(a, "%u %s %u", c->waves_least,
			c->waves_least + 1 < c->waves_most ? "to" : "or", c->waves_most);
	}
	return arena_printf(a, "about %u VGPRs (%u to %u), registers for %s wave%s per SIMD",
		c->vgprs, c->vgprs_least, c->vgprs_most, waves, c->waves_most == 1 ? "" : "s");
}
