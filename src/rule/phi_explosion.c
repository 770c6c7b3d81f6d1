/*
 * unphi-phi-explosion: a wide accumulator is redefined in the arms of a merge, and an arm continues
 * with the value before it.
 *
 *   for (...) {
 *           if (interior) {
 *                   acc = step(acc, x);     LLVM makes a phi of every vector in acc at the merge;
 *           } else {                        the back end keeps the value before the if beside
 *                   acc = step(acc, y);     the first arm's result: two full copies, and spills.
 *           }
 *   }
 *
 * Reported if at least settings.min_chained_vgprs chained VGPRs per lane cross. Not reported,
 * because measured harmless: accumulators that every arm starts anew, or that only one arm
 * computes, unless the results of matrix operations are shown to need VGPRs of two kinds; narrow
 * carriers; elements that each lane selects (analysis/merge/element.h); functions that no kernel of
 * the unit runs; similar arms in a kernel with headroom (analysis/merge/alike.h); and if/else with
 * a condition that unphi has laundered, because that was measured to help.
 */
#include <string.h>
#include "base/map.h"
#include "choose/state/headroom.h"
#include "rule/rule.h"
#include "rule/subject.h"

enum {
	ARMS_SHOWN = 8 /* arms of a chain whose first writes are shown */
};

struct finding {
	const struct rule_input *in;
	const struct site *site;
	const struct site_instance *widest;
	const struct merge *m;
	const struct kt_unit *u;
	struct arena *a;
	struct arena *plans; /* for the candidates of one strategy at a time */
	bool fixable;	     /* a strategy applies */
	ARRAY(struct diag_note) notes;
};

static struct diag_place place_at(const struct finding *f, const struct kt_node *n)
{
	const struct kt_file *file = &f->u->file[n->file];
	size_t begin = n->begin, end = n->end;
	size_t nl = str_find(str_sub(file->text, begin, end), "\n", 0);
	if (nl != SIZE_MAX) {
		end = begin + nl;
	}
	return (struct diag_place){file->path, file->text, begin, end, NULL};
}

/* The keyword or the question mark. */
static struct diag_place merge_place(const struct finding *f)
{
	const struct kt_node *n = f->m->node;
	const struct kt_file *file = &f->u->file[n->file];
	struct diag_place p = {file->path, file->text, n->begin, n->begin + 2, NULL};
	if (f->m->kind == MERGE_SWITCH) {
		p.end = n->begin + strlen("switch");
	} else if (f->m->kind == MERGE_COND) {
		size_t q = str_find(file->text, "?", n->child[KT_COND_COND]->end);
		if (q != SIZE_MAX && q < n->end) {
			p.begin = q;
			p.end = q + 1;
		}
	}
	if (n->flags & KT_F_MACRO) {
		p.end = p.begin;
	}
	return p;
}

static void add_note(struct finding *f, struct diag_place place, const char *text)
{
	array_push(&f->notes, (struct diag_note){.place = place, .text = str_of(text)});
}

static void add_reason(struct finding *f, enum note_says says, const char *text)
{
	array_push(&f->notes, (struct diag_note){.text = str_of(text), .says = says});
}

static const char *carrier_type(const struct finding *f, const struct carrier *c)
{
	return f->u->type[facts_loc_type(f->widest->parse->facts, c->loc)].name;
}

static const char *carrier_name(const struct finding *f, const struct carrier *c)
{
	return facts_loc_name(f->widest->parse->facts, f->a, c->loc);
}

/* For a carrier that is carried in part: that part and the whole. */
static const char *carrier_width(const struct finding *f, const struct carrier *c)
{
	return c->carried && c->carried < c->width
		       ? arena_printf(f->a, "%u of %u", c->carried, c->width)
		       : arena_printf(f->a, "%u", c->width);
}

static const char *what(const struct merge *m)
{
	switch (m->kind) {
	case MERGE_SWITCH:
		return "switch";
	case MERGE_COND:
		return "?:";
	case MERGE_GUARDED:
		return "row of guarded ifs";
	case MERGE_EXIT:
		return merge_leaves(m)->kind == KT_RETURN  ? "if that leaves by 'return'"
		       : merge_leaves(m)->kind == KT_BREAK ? "if that leaves by 'break'"
							   : "if that leaves by 'continue'";
	default:
		return m->arms == 1		     ? "if of one arm"
		       : m->arms > 2 || !m->has_else ? "else-if chain"
						     : "if/else";
	}
}

static const char *message(struct finding *f)
{
	const struct merge *m = f->m;
	if (m->ends) {
		return arena_printf(f->a,
			"the arms of this %s end alike, with stores at indices that take about %u "
			"VGPRs per lane: the compiler makes one store of two after it, and keeps "
			"each index across it",
			what(m), m->alike);
	}
	if (m->results) {
		return arena_printf(f->a,
			"the arms of this %s end in the same stores, of about %u VGPRs per lane of "
			"results of matrix operations: the compiler makes one store of two after "
			"it, and takes each result from its accumulation VGPR across it",
			what(m), m->alike);
	}
	if (m->alike) {
		return arena_printf(f->a,
			"the arms of this %s begin alike with about %u VGPRs per lane of loads, "
			"and end in the same stores: the compiler moves both out of the arms, so "
			"that these values cross it as an accumulator does",
			what(m), m->alike);
	}
	const struct carrier *c = &m->carrier[0];
	for (size_t i = 0; i < m->carriers && !c->chained; i++) {
		c = &m->carrier[i];
	}
	const char *more = "";
	if (m->one_armed) {
		return arena_printf(f->a,
			"'%s' (%s, %s VGPRs per lane) crosses this %s as %u phi%s: one path "
			"computes "
			"it, the other skips it, and at the merge the compiler has it in two "
			"places",
			carrier_name(f, c), carrier_type(f, c), carrier_width(f, c), what(m),
			c->phis, c->phis == 1 ? "" : "s");
	}
	if (m->chained > c->carried) {
		more = arena_printf(f->a, " (%u with the others)", m->chained);
	}
	return arena_printf(f->a,
		"'%s' (%s, %s VGPRs per lane%s) crosses this %s as %u phi%s: %u of %s%zu arms "
		"%s it, and %u read%s the value from before%s",
		carrier_name(f, c), carrier_type(f, c), carrier_width(f, c), more, what(m), c->phis,
		c->phis == 1 ? "" : "s", c->writers,
		kt_is_cut(m->arm[m->arms - 1].body) ? "at least " : "", m->arms,
		c->returned ? "return" : "write", c->readers, c->readers == 1 ? "s" : "",
		c->from == c->loc
			? ""
			: arena_printf(f->a, ", in '%s'",
				  facts_loc_name(f->widest->parse->facts, f->a, c->from)));
}

/* Names the variables that a pointer may point to, with their functions. */
static void note_objects(struct finding *f, const struct carrier *c, const char *name)
{
	struct facts *facts = f->widest->parse->facts;
	const struct kt_unit *u = f->u;
	const loc_id *object;
	size_t n;
	if (LOC_IS_DEREF(c->loc) && kt_is_reference(u, LOC_SYM(c->loc))) {
		return;
	}
	facts_objects(&object, &n, facts, c->loc);
	struct sbuf b = {0};
	for (size_t i = 0; i < n && i < 6; i++) {
		if (!LOC_IS_VAR(object[i])) {
			sbuf_release(&b); /* callers in other units may pass others */
			return;
		}
		const struct kt_sym *s = &u->sym[LOC_SYM(object[i])];
		sbuf_addf(&b, "%s'%s' (%s) of %s", i ? ", " : "", s->name, u->type[s->type].name,
			u->fn[s->fn].name);
	}
	if (n > 6) {
		sbuf_addf(&b, " and %zu more", n - 6);
	}
	if (n) {
		add_note(f, (struct diag_place){0},
			arena_printf(f->a, "'%s' is %s", name, sbuf_cstr(&b)));
	}
	sbuf_release(&b);
}

static void note_carrier(struct finding *f, const struct carrier *c, bool first)
{
	const char *name = carrier_name(f, c);
	if (!first) {
		add_note(f, merge_place(f),
			arena_printf(f->a, "'%s' (%s, %u VGPRs per lane) crosses it as well%s",
				name, carrier_type(f, c), c->width,
				c->chained ? "" : ", not chained"));
		return;
	}
	size_t shown = 0, more = 0;
	for (size_t i = 0; i < f->m->arms; i++) {
		if (c->first_write[i] && shown == ARMS_SHOWN) {
			more++;
		} else if (c->first_write[i]) {
			shown++;
			add_note(f, place_at(f, c->first_write[i]),
				arena_printf(f->a,
					c->returned ? "arm %zu changes '%s' here"
						    : "arm %zu first writes '%s' here",
					i + 1, name));
		}
	}
	if (more > 0) {
		add_note(f, (struct diag_place){0},
			arena_printf(f->a, "%zu more arms write '%s'", more, name));
	}
	if (c->use) {
		add_note(f, place_at(f, c->use),
			arena_printf(f->a, "'%s' is read here after the merge%s", name,
				c->use_next_iteration ? ", in the next iteration" : ""));
	} else {
		add_note(f, merge_place(f),
			arena_printf(f->a,
				c->returned ? "'%s' is returned to the caller"
					    : "'%s' belongs to the caller",
				name));
	}
	note_objects(f, c, name);
}

static void note_strategy(struct finding *f, const struct strategy *s)
{
	struct candidate *c;
	size_t n;
	strategy_plan(&c, &n, f->plans, s, f->site, f->in->opts);
	const struct candidate *legal = NULL;
	for (size_t i = 0; i < n && !legal; i++) {
		legal = c[i].clause ? NULL : &c[i];
	}
	f->fixable |= legal != NULL;
	if (legal) {
		add_note(f, (struct diag_place){0},
			arena_printf(f->a, "%s applies: %s", s->name, s->summary));
	}
	for (size_t i = 0; i < n && !legal; i++) {
		if (i == 0 || c[i].topic == TOPIC_OWN) {
			add_note(f, (struct diag_place){0},
				arena_printf(f->a, "%s does not apply: %s (clause %u)", s->name,
					c[i].why, c[i].clause));
		}
	}
	for (size_t i = 0; i < n; i++) {
		candidate_release(&c[i]);
	}
	arena_clear(f->plans);
}

static bool is_wide_in(const struct finding *f, const struct merge *m)
{
	unsigned least = f->in->settings->min_chained_vgprs;
	return !m->silent && (m->chained >= least || m->alike >= least);
}

/* Which strategies apply is known only after the merge is written as an if with an else. apart:
 * they need that form. False: they are tried on it as it is. */
static bool note_else(struct finding *f, bool apart)
{
	struct edit_list l = {0};
	bool tries = apart || f->m->isolates;
	bool asks = tries || site_asks_for_else(f->site, NULL, f->in->opts); /* then it can */
	const char *why = tries ? site_as_else(&l, f->plans, f->site, f->in->opts) : NULL;
	if (!asks || (why && !apart)) {
		edit_list_release(&l);
		arena_clear(f->plans);
		return false;
	}
	add_note(f, (struct diag_place){0},
		why ? arena_printf(f->a, "no strategy applies: %s", why)
		: f->m->isolates
			? "rewrite tries its strategies with the arm that computes as an if"
		: f->m->kind == MERGE_COND
			? "rewrite tries its strategies with an if in its place"
			: "rewrite tries its strategies with the code after the if in an else");
	f->fixable |= !why;
	edit_list_release(&l);
	arena_clear(f->plans);
	return true;
}

static void note_instances(struct finding *f)
{
	struct sbuf b = {0};
	size_t shown = 0;
	for (size_t i = 0; i < f->site->instances; i++) {
		const struct site_instance *in = &f->site->instance[i];
		if (in->parse != f->widest->parse || !is_wide_in(f, in->merge)) {
			continue;
		}
		const char *name = in->parse->unit->fn[in->merge->fn].name;
		bool again = false; /* two instances of a generic lambda have one name */
		for (size_t k = 0; k < i && !again; k++) {
			const struct site_instance *o = &f->site->instance[k];
			again = o->parse == in->parse && is_wide_in(f, o->merge) &&
				strcmp(o->parse->unit->fn[o->merge->fn].name, name) == 0;
		}
		if (!again && ++shown <= 6) {
			sbuf_addf(&b, "%s%s", b.n ? ", " : "", name);
		}
	}
	if (shown > 6) {
		sbuf_addf(&b, " and %zu more", shown - 6);
	}
	add_reason(f, SAYS_WHERE, arena_printf(f->a, "in %s", sbuf_cstr(&b)));
	sbuf_release(&b);
}

/* The bodies of the arms; in a switch, an arm's first to last statement. */
static void set_arms(struct finding *f, struct diag *d)
{
	d->arm = ARENA_ARRAY(f->a, struct diag_place, f->m->arms);
	for (size_t i = 0; i < f->m->arms; i++) {
		const struct arm *arm = &f->m->arm[i];
		const struct kt_node *first = arm->body, *last = arm->body;
		if (arm->last > arm->first) {
			first = arm->body->child[arm->first];
			last = arm->body->child[arm->last - 1];
		}
		if (first && last && first->file == f->m->node->file) {
			const struct kt_file *file = &f->u->file[first->file];
			d->arm[d->arms++] = (struct diag_place){
				file->path, file->text, first->begin, last->end, NULL};
		}
	}
}

/* The kernels in all parses, each once. */
static const char *kernels_of(struct finding *f)
{
	struct sbuf names = {0};
	struct map known = {0};
	span_each (f->site->instance, f->site->instances, const struct site_instance, in) {
		kt_id *kernel;
		size_t n = 0;
		facts_kernels_of(&kernel, &n, in->parse->facts, f->plans, in->merge->fn);
		for (size_t k = 0; k < n; k++) {
			const struct kt_fn *fn = &in->parse->unit->fn[kernel[k]];
			if (map_set(&known, str_of(fn->symbol), 1)) {
				sbuf_addf(&names, "%s%s\t%s", names.n ? "\n" : "", fn->symbol,
					fn->name);
			}
		}
	}
	const char *all = arena_strdup(f->a, sbuf_cstr(&names));
	map_release(&known);
	sbuf_release(&names);
	arena_clear(f->plans);
	return all;
}

static void report(const struct rule_input *in, const struct site *site,
	const struct headroom_verdict *verdict, struct diag_list *out)
{
	struct finding f = {.in = in,
		.site = site,
		.widest = site_widest(site),
		.a = in->a,
		.plans = arena_create()};
	f.m = f.widest->merge;
	f.u = f.widest->parse->unit;
	struct diag d = {.level = verdict->costs ? DIAG_WARNING : DIAG_NOTE,
		.rule = "unphi-phi-explosion",
		.kernels = kernels_of(&f)};
	d.weight = f.m->chained > f.m->alike ? f.m->chained : f.m->alike;
	d.place = merge_place(&f);
	subject_set(&d, f.a, f.u, f.m->fn, f.m->node);
	d.text = str_of(message(&f));
	note_instances(&f);
	if (verdict->why) {
		add_reason(&f, SAYS_COST, verdict->why);
	}
	bool first = true;
	span_each (f.m->carrier, f.m->carriers, const struct carrier, c) {
		if (c->chained && first) {
			note_carrier(&f, c, true);
			first = false;
		}
	}
	first = true;
	span_each (f.m->carrier, f.m->carriers, const struct carrier, c) {
		bool head = c->chained && first;
		first = first && !c->chained;
		if (!head && c->width >= 4) {
			note_carrier(&f, c, false);
		}
	}
	bool apart =
		f.m->kind == MERGE_EXIT || (f.m->kind == MERGE_COND && merge_discarded(f.m->node));
	apart = note_else(&f, apart);
	for (size_t i = 0; !apart && i < STRATEGY_COUNT; i++) {
		if (strategies[i].subject == SUBJECT_MERGE &&
			strategy_may_fit(&strategies[i], site)) {
			note_strategy(&f, &strategies[i]);
		}
	}
	array_move(d.note, d.notes, in->a, &f.notes);
	d.next = f.fixable ? "rewrite" : "explain";
	arena_free(f.plans);
	set_arms(&f, &d);
	array_push(&out->v, d);
}

static bool is_wide(const struct headroom_input *in, const struct site *site)
{
	unsigned least = in->settings->min_chained_vgprs;
	bool may = site->chained >= least || site->alike >= least;
	for (size_t i = 0; may && i < site->instances; i++) {
		if (headroom_counts(in, &site->instance[i])) {
			return true;
		}
	}
	return false;
}

/* Selects the sites that the rule is about, judges their cost, and reports them. */
static void report_sites(
	const struct rule_input *in, struct site *site, size_t n, struct diag_list *out)
{
	const struct headroom_input headroom = {.parse = in->parse,
		.target = in->target,
		.parses = in->parses,
		.settings = in->settings,
		.a = in->a,
		.skips_uniform = in->skips_uniform,
		.clang = in->clang};
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct site_instance *first = &site[i].instance[0];
		if (is_wide(&headroom, &site[i]) &&
			!merge_is_laundered(first->parse->unit, first->merge)) {
			site[kept++] = site[i];
		}
	}
	kept = headroom_drop_free(&headroom, site, kept);
	struct headroom_verdict *verdict = ARENA_ARRAY(in->a, struct headroom_verdict, kept);
	headroom_of_sites(verdict, &headroom, site, kept);
	for (size_t i = 0; i < kept; i++) {
		if (!site[i].alike || verdict[i].costs) {
			report(in, &site[i], &verdict[i], out);
		}
	}
}

void rule_phi_explosion(const struct rule_input *in, struct diag_list *out)
{
	struct site *site;
	size_t n;

	sites_find(&site, &n, in->a, in->parse, in->parses, SITES_MERGES);
	report_sites(in, site, n, out);
	sites_find(&site, &n, in->a, in->parse, in->parses, SITES_EXITS);
	report_sites(in, site, n, out);
}
