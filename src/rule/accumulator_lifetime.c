/*
 * unphi-accumulator-lifetime: advice on a kernel that misses the next step of occupancy by a
 * long-lived variable. Either an accumulator lives through a loop that rescales it, as an online
 * softmax does, or operand fragments live through a loop that only reads them.
 *
 *	f32x16 acc[4][4];        256 VGPRs per lane, through all of the loop
 *	f16x4 q[4][16];          128 more that the loop only reads
 *	for (...) {
 *		s = scores(k, q);
 *		top = max(top, s);
 *		acc = acc * rescale + v * exp2(s - top);
 *	}
 *
 * The figures are estimates of the register ledger, because lint compiles nothing. With --measure,
 * choose/stage/fragments adds the compiler's figures. doc/lifetime.md has the measured cost of each
 * remedy for one such kernel.
 */
#include <string.h>
#include "analysis/ledger/ledger.h"
#include "frontend/text/lex.h"
#include "rule/rule.h"
#include "rule/subject.h"
#include "target/steps.h"

enum {
	FRAGMENT_LEAST = 8 /* VGPRs per lane: the allocation granule */
};

struct advice {
	const struct rule_input *in;
	const struct parse *parse;
	const struct target *target;
	struct ledger ledger;		/* of one kernel */
	const struct ledger_var *acc;	/* the widest one that a loop carries */
	const struct ledger_var *state; /* of an online softmax, or NULL */
	unsigned fragments; /* VGPRs per lane, at the peak, of fragments that loops only read */
	const struct ledger_var *fragment; /* the widest fragment */
	unsigned states;
	ARRAY(struct diag_note) notes;
};

static struct diag_place decl_place(const struct kt_unit *u, const struct ledger_var *v)
{
	const struct kt_sym *s = &u->sym[v->sym];
	const struct kt_file *file = &u->file[s->file];

	return (struct diag_place){file->path, file->text, s->at, s->at + strlen(v->name), NULL};
}

/* The estimate of the kernel with so many VGPRs fewer. */
static unsigned estimate_without(const struct advice *d, unsigned vgprs)
{
	struct ledger less = d->ledger;

	less.most.held -= vgprs < less.most.held ? vgprs : less.most.held;
	less.least.held -= vgprs < less.least.held ? vgprs : less.least.held;
	return ledger_estimate(&less, d->target);
}

static void add_note(struct advice *d, struct diag_place place, const char *text)
{
	array_push(&d->notes, (struct diag_note){.place = place, .text = str_of(text)});
}

static const char *waves_text(const struct advice *d, unsigned waves)
{
	if (waves == 0) {
		return "more than a wave can have, so it spills";
	}
	return arena_printf(d->in->a, "%u wave%s per SIMD", waves, waves == 1 ? "" : "s");
}

static const char *outcome(const struct advice *d, unsigned freed)
{
	unsigned vgprs = estimate_without(d, freed),
		 waves = target_register_waves(d->target, vgprs, 0);

	return arena_printf(d->in->a, "about %u VGPRs, %s", vgprs, waves_text(d, waves));
}

/* The names in the extents of a declaration: the values to change to make it smaller. */
static const char *extent_names(const struct advice *d, const struct ledger_var *v)
{
	const struct kt_unit *u = d->parse->unit;
	const struct kt_sym *s = &u->sym[v->sym];
	struct str text = u->file[s->file].text;
	struct sbuf names = {0};
	size_t at = s->at + strlen(v->name);

	lex_each (t, text, at, text.n) {
		struct str word = str_sub(text, t.begin, t.end);
		if (t.kind == LEX_PUNCT && (str_is(word, ";") || str_is(word, "=") ||
						   str_is(word, "{") || str_is(word, ","))) {
			break;
		}
		if (t.kind == LEX_WORD && !str_holds(sbuf_str(&names), word)) {
			sbuf_addf(&names, "%s%.*s", names.n ? ", " : "", STR_ARG(word));
		}
	}
	const char *r = names.n ? arena_strdup(d->in->a, sbuf_cstr(&names)) : NULL;
	sbuf_release(&names);
	return r;
}

static void note_options(struct advice *d)
{
	struct arena *a = d->in->a;
	const struct ledger_var *acc = d->acc;
	struct diag_place none = {0};
	const char *names = extent_names(d, acc);

	add_note(d, none,
		arena_printf(a, "smaller tiles: with half of '%s' %s%s%s; more tiles load more",
			acc->name, outcome(d, acc->width / 2),
			names ? "; its extents depend on " : "", names ? names : ""));
	if (d->fragment) {
		add_note(d, decl_place(d->parse->unit, d->fragment),
			arena_printf(a,
				"load '%s' where it is used: such fragments take %u VGPRs through "
				"a loop that only reads them; without them %s; they are loaded "
				"again in every iteration",
				d->fragment->name, d->fragments, outcome(d, d->fragments)));
	}
	if (d->state) {
		add_note(d, none,
			arena_printf(a,
				"two phases, first statistics, then values: frees '%s' and other "
				"state (%u VGPRs in all) and the rescaling, not the accumulator: "
				"%s; "
				"keys are read twice; an estimate, as it needs other kernels",
				d->state->name, d->states, outcome(d, d->states)));
		add_note(d, none,
			"split-K: more work-groups, each with the same accumulator: the peak "
			"stays, partial results are written and merged; an estimate, as it needs "
			"other kernels");
	}
}

static const char *message(const struct advice *d, unsigned estimate)
{
	struct arena *a = d->in->a;
	unsigned waves = target_register_waves(d->target, estimate, 0);
	const char *how = d->state ? "and is rescaled in it, as an online softmax does"
				   : "beside operand fragments that it only reads";

	return arena_printf(a,
		"'%s' (%s, %u VGPRs per lane) lives through a loop %s: %s peaks at about %u VGPRs "
		"in line %u, %s",
		d->acc->name, d->acc->type, d->acc->width, how, d->ledger.name, estimate,
		d->ledger.most.line, waves_text(d, waves));
}

static void find_vars(struct advice *d)
{
	span_each (d->ledger.var, d->ledger.vars, const struct ledger_var, v) {
		bool wide = v->role == LEDGER_ACCUMULATOR && v->loop_carried && v->decl &&
			    !(v->decl->flags & KT_F_MACRO);
		if (wide && (!d->acc || v->width > d->acc->width)) {
			d->acc = v;
		}
		if (v->role == LEDGER_SOFTMAX && v->decl) {
			d->state = d->state && d->state->width >= v->width ? d->state : v;
			d->states += v->width;
		}
		if (v->role == LEDGER_OPERAND && v->loop_constant && v->decl && v->at_peak &&
			v->width >= FRAGMENT_LEAST) {
			d->fragment =
				d->fragment && d->fragment->width >= v->width ? d->fragment : v;
			d->fragments += v->at_peak;
		}
	}
}

static void report(struct advice *d, struct diag_list *out)
{
	unsigned estimate = ledger_estimate(&d->ledger, d->target);
	unsigned waves = target_register_waves(d->target, estimate, 0);
	struct occ_step next;
	struct occupancy_use now = {.vgprs = estimate};

	bool gains = d->fragment &&
		     target_register_waves(d->target, estimate_without(d, d->fragments), 0) > waves;
	if (!d->state && !gains) {
		return;
	}
	if (waves >= d->target->waves_max || !target_next_step(&next, d->target, &now)) {
		return;
	}
	struct diag f = {
		.level = DIAG_NOTE, .rule = "unphi-accumulator-lifetime", .next = "ledger"};
	f.weight = estimate;
	f.place = decl_place(d->parse->unit, d->acc);
	subject_set(&f, d->in->a, d->parse->unit, d->ledger.fn, d->acc->decl);
	f.text = str_of(message(d, estimate));
	add_note(d, (struct diag_place){0},
		arena_printf(d->in->a, "the next step of occupancy on %s: -%u VGPR%s, %u wave%s",
			d->target->name, estimate - next.vgprs,
			estimate - next.vgprs == 1 ? "" : "s", next.resident_waves,
			next.resident_waves == 1 ? "" : "s"));
	note_options(d);
	array_move(f.note, f.notes, d->in->a, &d->notes);
	array_push(&out->v, f);
}

/* Kernels that reach a function with a wide local variable: the others need no ledger. */
static bool *wide_kernels(const struct rule_input *in, const struct parse *p)
{
	struct kt_unit *u = p->unit;
	bool *wide = ARENA_ARRAY(in->a, bool, u->fns);
	bool *seen = ARENA_ARRAY(in->a, bool, u->fns);

	for (size_t i = 1; i < u->syms; i++) {
		const struct kt_sym *s = &u->sym[i];
		const struct kt_type *t = kt_object_type(u, s->type);
		bool big =
			s->kind == KT_S_LOCAL && s->space == KT_PRIVATE && t->size > 0 &&
			kt_type_width(t) >= in->settings->min_wide_vgprs &&
			(t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR || t->kind == KT_T_RECORD);
		if (!big || !s->fn || seen[s->fn] || u->fn[s->fn].in_system_header) {
			continue;
		}
		seen[s->fn] = true;
		kt_id *kernel;
		size_t n;
		facts_kernels_of(&kernel, &n, p->facts, in->a, s->fn);
		for (size_t k = 0; k < n; k++) {
			wide[kernel[k]] = true;
		}
	}
	return wide;
}

void rule_accumulator_lifetime(const struct rule_input *in, struct diag_list *out)
{
	struct arena *scratch = arena_create();
	for (size_t i = 0; i < in->parses; i++) {
		const struct parse *p = &in->parse[i];
		const struct target *t = in->target[i];
		bool *wide = wide_kernels(in, p);
		for (kt_id fn = 1; fn < p->unit->fns; fn++) {
			const struct kt_fn *k = &p->unit->fn[fn];
			if (!wide[fn] || k->kind != KT_FN_KERNEL || !k->body) {
				continue;
			}
			struct advice d = {.in = in, .parse = p, .target = t};
			ledger_make(&d.ledger, scratch, p->facts, p->uniformity, fn, t);
			find_vars(&d);
			unsigned least = (unsigned)in->settings->min_wide_vgprs;
			if (d.acc && (d.acc->width >= least || d.fragments >= least)) {
				report(&d, out);
			}
			arena_clear(scratch);
		}
	}
	arena_free(scratch);
}
