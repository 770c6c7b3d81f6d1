#include "choose/state/headroom.h"

#include "analysis/ledger/ledger.h"
#include "analysis/merge/element.h"

/* For merges that only one path computes (merge.h: one_armed). */
enum {
	/* the first clang known to keep no copy for arms of a chain that do not change the value,
	 * and for results of loops in both arms; 15 keeps one */
	COPIES_NO_MORE = 19,
};

/* The findings about a site so far. */
struct standing {
	bool met;      /* a kernel runs it */
	bool costs;    /* or it is unknown */
	unsigned left; /* free VGPRs of the kernel in why */
	const char *why;
	const char *cost; /* the cost in the first kernel for which it is known, or NULL */
};

/* A merge that a kernel runs. */
struct use {
	const struct merge *merge;
	size_t at;   /* its site */
	size_t next; /* the kernel's next use: index + 1, or 0 */
};

struct estimate {
	const struct headroom_input *in;
	const struct site *site;
	struct standing *standing; /* of each */
	struct arena *scratch;
	/* the current kernel, and the instances that it runs */
	const struct parse *parse;
	ARRAY(struct use) uses;
	size_t *first; /* by function, a kernel's first use: index + 1, or 0 */
	const struct target *target;
	const struct ledger *ledger;
	ARRAY(struct ledger_merge) asked;
	ARRAY(const struct merge *) merge;
	ARRAY(size_t) at;
};

bool headroom_counts(const struct headroom_input *in, const struct site_instance *i)
{
	const struct merge *m = i->merge;
	unsigned least = in->settings->min_chained_vgprs;

	bool wide = m->alike >= least ||
		    (m->chained >= least &&
			    (m->kind == MERGE_EXIT || element_chained(i->parse->facts,
							      i->parse->uniformity, m) >= least));

	return !m->silent && wide && facts_may_run(i->parse->facts, in->a, m->fn);
}

/* Are all objects that loc may denote in this kernel in memory? */
static bool lies_in_memory(const struct estimate *r, loc_id loc)
{
	const loc_id one = loc, *object = &one;
	size_t n = 1, found = 0;

	if (LOC_IS_DEREF(loc)) {
		facts_objects(&object, &n, r->parse->facts, loc);
	}
	for (size_t i = 0; i < n; i++) {
		/* callers in other units may pass other objects */
		const struct ledger_var *v =
			LOC_IS_VAR(object[i])
				? ledger_var_of(r->ledger, r->parse->unit, LOC_SYM(object[i]))
				: NULL;
		if (v && !ledger_in_memory(v)) {
			return false;
		}
		found += v != NULL;
	}
	return found > 0;
}

/* Chained VGPRs of a merge that this kernel has in registers. */
static unsigned in_registers(const struct estimate *r, const struct merge *m)
{
	unsigned sum = m->alike;

	span_each (m->carrier, m->carriers, const struct carrier, c) {
		sum += lies_in_memory(r, c->loc) ? 0 : c->carried;
	}
	return sum;
}

/* For the ledger the code after an if that leaves is not an arm: this tells whether it has a matrix
 * operation, which all lanes must reach. */
static bool holds_matrix(const struct estimate *r, const struct merge *m)
{
	bool holds = false;

	for (size_t i = 0; i < m->arms && !holds; i++) {
		holds = facts_effects(r->parse->facts, m->arm[i].body).flags & FX_MATRIX;
	}
	return holds;
}

/* The cost of a merge in a kernel. */
struct cost {
	struct ledger_claim as_written; /* the claim of the kernel as it is */
	unsigned more;			/* VGPRs for second copies of the carriers */
	bool parts;			/* the branch may be divergent, so LLVM makes no copies */
	bool passes; /* not copies, but the same results in another kind of register */
	bool counts; /* it costs a wave, or spills, as far as is known */
};

/* Is it a frequent kind that usually costs nothing? */
static bool needs_cost(const struct merge *m)
{
	return m->one_armed || m->results;
}

static struct cost cost_at(
	const struct estimate *r, const struct merge *m, const struct ledger_merge *asked)
{
	const struct ledger *l = r->ledger;
	unsigned margin = (unsigned)r->in->settings->headroom_margin;
	unsigned all = l->most.held + l->most.in_flight, bare = l->bare, with = asked->with;
	struct cost c = {.parts = !m->alike && asked->parts};

	if (needs_cost(m)) {
		bool chain = m->one_armed && m->arms > 1 && !m->has_else;
		bool copies = chain && r->in->clang < COPIES_NO_MORE;
		bool sunk = m->results != RESULTS_LOOPED || r->in->clang < COPIES_NO_MORE;
		bool passes = l->passing && sunk && r->in->clang <= LEDGER_TWO_FORMS_LAST;
		c.passes = !copies;
		with = bare + (copies || passes ? in_registers(r, m) + l->passing : 0);
	} else if (m->kind == MERGE_EXIT) {
		c.parts = c.parts && !holds_matrix(r, m);
		with = bare + (c.parts ? 0 : in_registers(r, m));
	} else if (!c.parts && asked->with == asked->inside) {
		with += in_registers(
			r, m); /* it crosses through a pointer that the ledger does not follow */
	}
	if (m->alike && !m->results) {
		/* each arm holds the shared code's values, even if the ledger counts them as
		 * streamed */
		bare = bare > m->alike ? bare : m->alike;
		with = (asked->inside > m->alike ? asked->inside : m->alike) + m->alike;
	}
	with = with > bare ? with : bare;
	c.as_written = with > all ? ledger_claim_of(l, r->target, with, margin)
				  : ledger_claim_whole(l, r->target);
	struct ledger_claim one = ledger_claim_of(l, r->target, bare, margin);
	struct ledger_claim two = ledger_claim_of(l, r->target, with, margin);
	c.more = two.vgprs - one.vgprs;
	bool shown = needs_cost(m);
	unsigned waves = shown ? two.waves_most : two.waves_least;
	bool spills = two.vgprs_most > two.budget && (c.more || !shown);
	c.counts = spills || (c.more && waves < one.waves_most);
	return c;
}

static const char *cost_text(const struct estimate *r, const struct cost *c)
{
	struct arena *a = r->in->a;
	const struct ledger_claim *all = &c->as_written;
	const char *spills = "", *copies = "";

	if (all->vgprs_most > all->budget) {
		spills = arena_printf(a, ": a wave can have %u, so it %s", all->budget,
			all->vgprs_least > all->budget ? "spills" : "may spill");
	}
	if (c->more) {
		copies = arena_printf(a,
			c->passes
				? "; about %u VGPRs hold copies out of the accumulation VGPRs and "
				  "back"
				: "; about %u VGPRs are second copies",
			c->more);
	}
	return arena_printf(a, "%s takes %s%s%s (%s)", r->ledger->name, ledger_claim_text(a, all),
		spills, copies, r->target->name);
}

/* LLVM makes no second copy at a uniform branch that the structurizer skips. Only for a single
 * condition: a region of several is skipped only if it contains no divergent branch. */
static const char *left_alone(
	const struct estimate *r, const struct merge *m, const struct ledger_merge *asked)
{
	bool one = m->kind == MERGE_IF && m->arms == 2 && m->has_else;
	if (!r->in->skips_uniform || !one || !asked->uniform || asked->apart) {
		return NULL;
	}
	return arena_printf(r->in->a,
		"costs nothing as it is: the branch is uniform in %s, and the compiler leaves it "
		"alone (-structurizecfg-skip-uniform-regions, clang's default from 24 on; "
		"%s)",
		r->ledger->name, r->target->name);
}

static void judge(const struct estimate *r, size_t i)
{
	const struct ledger_merge *asked = &r->asked.v[i];
	const struct merge *m = r->merge.v[i];
	struct standing *s = &r->standing[r->at.v[i]];
	struct arena *a = r->in->a;
	bool memory = in_registers(r, m) < r->in->settings->min_chained_vgprs;
	struct cost c = cost_at(r, m, asked);
	bool costs = c.counts;

	const char *alone = left_alone(r, m, asked);

	s->met |= asked->met;
	if (alone) {
		s->why = s->costs || s->why ? s->why : alone;
		return;
	}
	s->costs |= r->ledger->partial || (asked->met && !memory && costs);
	if (!r->ledger->partial && asked->met && !memory && costs && !s->cost) {
		s->cost = cost_text(r, &c);
	}
	const struct ledger_claim *all = &c.as_written;
	unsigned left = all->budget > all->vgprs_most ? all->budget - all->vgprs_most : 0;
	left = memory || costs ? UINT32_MAX : left;
	if (!asked->met || s->costs || (s->why && left >= s->left)) {
		return;
	}
	s->left = left;
	if (memory) {
		s->why = arena_printf(a,
			"costs nothing as it is: the accumulator is indexed at run time in %s, so "
			"it lies in scratch memory or LDS, not in registers",
			r->ledger->name);
	} else if (c.parts) {
		s->why = arena_printf(a,
			"costs nothing as it is: the branch may be divergent, and the arms then "
			"share registers as long as there are some; %s",
			cost_text(r, &c));
	} else {
		s->why = arena_printf(a, "costs nothing as it is: %s, with which as many waves fit",
			cost_text(r, &c));
	}
}

/* The uses of all kernels of the parse, each kernel's in the order of the sites. */
static void find_uses(struct estimate *r, size_t sites)
{
	r->uses.n = 0;
	r->first = ARENA_ARRAY(r->in->a, size_t, r->parse->unit->fns);
	for (size_t i = sites; i-- > 0;) {
		for (size_t k = r->site[i].instances; k-- > 0;) {
			const struct site_instance *in = &r->site[i].instance[k];
			kt_id *kernel;
			size_t n = 0;
			if (in->parse == r->parse && headroom_counts(r->in, in)) {
				facts_kernels_of(
					&kernel, &n, r->parse->facts, r->scratch, in->merge->fn);
			}
			for (size_t f = 0; f < n; f++) {
				size_t *first = &r->first[kernel[f]];
				array_push(&r->uses, (struct use){in->merge, i, *first});
				*first = r->uses.n;
			}
		}
	}
}

static void look_at_kernel(struct estimate *r, kt_id kernel)
{
	r->asked.n = r->merge.n = r->at.n = 0;
	for (size_t i = r->first[kernel]; i > 0; i = r->uses.v[i - 1].next) {
		const struct use *use = &r->uses.v[i - 1];
		if (!r->standing[use->at].costs) {
			array_push(&r->asked, (struct ledger_merge){.node = use->merge->node});
			array_push(&r->merge, use->merge);
			array_push(&r->at, use->at);
		}
	}
	if (r->asked.n == 0) {
		return;
	}
	r->ledger = ledger_make_for(
		r->asked.v, r->asked.n, r->parse->facts, r->parse->uniformity, kernel, r->target);
	for (size_t i = 0; i < r->asked.n; i++) {
		judge(r, i);
	}
}

void headroom_of_sites(struct headroom_verdict *out, const struct headroom_input *in,
	const struct site *site, size_t n)
{
	struct estimate r = {.in = in, .site = site, .scratch = arena_create()};

	r.standing = ARENA_ARRAY(in->a, struct standing, n);
	for (size_t i = 0; n > 0 && i < in->parses; i++) {
		const struct kt_unit *u = in->parse[i].unit;
		r.parse = &in->parse[i];
		r.target = in->target[i];
		find_uses(&r, n);
		for (kt_id fn = 1; fn < u->fns; fn++) {
			if (u->fn[fn].kind == KT_FN_KERNEL && u->fn[fn].body) {
				look_at_kernel(&r, fn);
				arena_clear(r.scratch);
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		const struct standing *s = &r.standing[i];
		out[i].costs = s->costs || !s->met || !s->why;
		out[i].why = out[i].costs ? s->cost : s->why;
	}
	array_release(&r.uses);
	array_release(&r.asked);
	array_release(&r.merge);
	array_release(&r.at);
	arena_free(r.scratch);
}

size_t headroom_drop_free(const struct headroom_input *in, struct site *site, size_t n)
{
	struct headroom_verdict *verdict = ARENA_ARRAY(in->a, struct headroom_verdict, n);
	struct site *asked = ARENA_ARRAY(in->a, struct site, n);
	size_t asks = 0, kept = 0, next = 0;

	for (size_t i = 0; i < n; i++) {
		if (needs_cost(site_widest(&site[i])->merge)) {
			asked[asks++] = site[i];
		}
	}
	headroom_of_sites(verdict, in, asked, asks);
	for (size_t i = 0; i < n; i++) {
		bool one = needs_cost(site_widest(&site[i])->merge);
		const struct headroom_verdict *v = one ? &verdict[next++] : NULL;
		if (!v || (v->costs && v->why)) {
			site[kept++] = site[i];
		}
	}
	return kept;
}
