/*
 * unphi-register-form: results of matrix operations that a loop carries in two kinds of registers.
 *
 *   __global__ __launch_bounds__(256) void k(...)
 *   for (int t = 0; t < n; t++) {
 *           if (mask[t]) {                  The matrix operations take acc from accumulation
 *                   multiply(acc, x, y);    VGPRs; if it crosses the end of the if, or is
 *           }                               scaled, it is in ordinary ones. So there are two
 *           acc *= scale[t];                of it, and a copy each way in each iteration.
 *   }
 *
 * LLVM up to 21 does so if a wave may have more than 256 VGPRs: with blocks of at most 256 threads,
 * unless the second argument of the launch bounds asks for 2 waves per SIMD. VGPRs and waves of 128
 * VGPRs of results with one if, __launch_bounds__(256), then (256, 2), by unphi measure: hipcc 5.2
 * gfx90a 276, 1 -> 148, 3; clang 19 gfx942 276, 1 -> 148, 3; hipcc 7.0 gfx942 and gfx950 276, 1 ->
 * 150, 3; clang 22 150, 3 both times.
 *
 * A note, because the bound makes a kernel spill that needs more than 256 VGPRs anyway; this has to
 * be measured (choose/advise/forms.c). Not reported if the estimate is near 256, nor for kernels
 * with a wide merge of two arms: of 11 such in tests/merges, 2 gained waves by the bound and one
 * spilled.
 */
#include "analysis/ledger/ledger.h"
#include "rule/rule.h"
#include "rule/subject.h"

enum {
	RESULTS_LEAST = 64, /* VGPRs */
	WAVES_ASKED = 2
};

struct forms {
	const struct rule_input *in;
	const struct parse *parse;
	const struct kt_unit *u;
	const struct target *target;
	const struct ledger_var *acc; /* the accumulator that is checked */
};

/* Does every call return the same constant, decided by the template's arguments? */
static bool gives_constant(const struct kt_node *body)
{
	for (size_t i = 0; body && i < body->n; i++) {
		const struct kt_node *n = body->child[i];
		bool decided = n->kind == KT_IF && n->child[KT_IF_COND]->flags & KT_F_VALUE;
		if (decided && n->child[KT_IF_COND]->value) {
			n = n->child[KT_IF_THEN];
			n = n->kind == KT_COMPOUND && n->n ? n->child[0] : n;
		} else if (n->kind == KT_DECL || (decided && !n->child[KT_IF_ELSE])) {
			continue;
		}
		return n->kind == KT_RETURN && n->n == 1 && n->child[0]->flags & KT_F_VALUE;
	}
	return false;
}

static bool is_decided(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *cond = n->child[KT_IF_COND];
	return n->flags & KT_F_CONSTEXPR || cond->flags & KT_F_VALUE ||
	       (cond->kind == KT_CALL && cond->fn && gives_constant(u->fn[cond->fn].body));
}

/* In a loop that multiplies into acc: the first place that needs acc in ordinary VGPRs, or NULL. */
static const struct kt_node *other_form(const struct forms *w, const struct kt_node *n)
{
	struct facts *f = w->parse->facts;
	struct fx fx = facts_effects(f, n);
	bool writes = facts_writes(f, n, LOC_VAR(w->acc->sym));
	bool decided = n->kind == KT_IF && is_decided(w->u, n);
	bool holds = n->kind == KT_COMPOUND || kt_is_loop(n->kind) || decided;
	if (kt_is_loop(n->kind) && !writes && !(fx.flags & FX_RETURN)) {
		return NULL; /* its breaks only lead to its own end */
	}
	if (n->kind == KT_IF && !decided &&
		(writes || fx.flags & (FX_BREAK | FX_CONTINUE | FX_RETURN))) {
		return n;
	}
	if (!holds) {
		bool plain = n->kind == KT_ASSIGN || n->kind == KT_CALL;
		return plain && writes && !(fx.flags & FX_MATRIX) ? n : NULL;
	}
	const struct kt_node *found = NULL;
	for (size_t i = 0; i < n->n && !found; i++) {
		found = n->child[i] ? other_form(w, n->child[i]) : NULL;
	}
	return found;
}

static bool is_constant(const struct kt_node *loop)
{
	const struct kt_node *c = loop->kind == KT_FOR ? loop->child[KT_FOR_COND] : NULL;
	return c && c->kind == KT_BINARY && c->child[1]->flags & KT_F_VALUE;
}

/* Looks in the loops of the function that declares acc, but for those that are unrolled
 * completely. */
static const struct kt_node *crosses(const struct forms *w)
{
	kt_id fn = w->u->sym[w->acc->sym].fn;
	const struct kt_node *body = fn ? w->u->fn[fn].body : NULL;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		bool loops = kt_is_loop(n->kind) && !is_constant(n) &&
			     facts_effects(w->parse->facts, n).flags & FX_MATRIX &&
			     facts_writes(w->parse->facts, n, LOC_VAR(w->acc->sym));
		const struct kt_node *place = loops ? other_form(w, n) : NULL;
		if (place) {
			return place;
		}
	}
	return NULL;
}

/* VGPRs that two arms write, or that similar arms share. */
static unsigned width_of_arms(const struct merge *m)
{
	unsigned sum = m->alike;
	for (size_t i = 0; i < m->carriers; i++) {
		sum += m->carrier[i].writers >= 2 ? m->carrier[i].carried : 0;
	}
	return sum;
}

/* A merge of two arms with wide results: unphi-phi-explosion reports it, and the bound may make it
 * spill. */
static bool has_wide_merge(const struct forms *w, kt_id kernel)
{
	for (size_t i = 0; i < w->parse->merges.n; i++) {
		const struct merge *m = &w->parse->merges.v[i];
		kt_id *reached;
		size_t n = 0;
		if (width_of_arms(m) >= w->in->settings->min_chained_vgprs) {
			facts_kernels_of(&reached, &n, w->parse->facts, w->in->a, m->fn);
		}
		for (size_t k = 0; k < n; k++) {
			if (reached[k] == kernel) {
				return true;
			}
		}
	}
	return false;
}

static void report(struct diag_list *out, const struct forms *w, const struct ledger *l,
	const struct kt_node *at, unsigned vgprs)
{
	struct arena *a = w->in->a;
	const struct kt_fn *fn = &w->u->fn[l->fn];
	const struct kt_file *in = &w->u->file[at->file];
	struct diag d = {.level = DIAG_NOTE,
		.rule = "unphi-register-form",
		.weight = w->acc->width,
		.next = "explain"};
	subject_kernel(&d, a, w->u, l->fn);
	d.text = str_of(arena_printf(a,
		"'%s' is bound to %u threads a block: the compiler keeps '%s' (%s, %u VGPRs) "
		"twice, in accumulation VGPRs for its matrix operations and in others: registers "
		"for "
		"about %u in place of %u waves per SIMD; try __launch_bounds__(%u, %d) (%s)",
		fn->name, l->group_size, w->acc->name, w->acc->type, w->acc->width,
		target_register_waves(w->target, vgprs + w->acc->width, 0),
		target_register_waves(w->target, vgprs, 0), l->group_size, WAVES_ASKED,
		w->target->name));
	d.note = ARENA_ARRAY(a, struct diag_note, 1);
	d.note[d.notes++] = (struct diag_note){
		.place = {in->path, in->text, at->begin, at->begin + (at->kind == KT_IF ? 2 : 0),
			NULL},
		.text = str_of(at->kind == KT_IF ? "it crosses the end of this if"
						 : "it is computed by other instructions here"),
		.says = SAYS_WHERE};
	array_push(&out->v, d);
}

static void look_at(struct diag_list *out, struct forms *w, kt_id kernel)
{
	struct ledger l;
	ledger_make(&l, w->in->a, w->parse->facts, w->parse->uniformity, kernel, w->target);
	if (!l.bounded || l.waves >= WAVES_ASKED || l.results < RESULTS_LEAST ||
		!ledger_has_two_forms(&l, w->target)) {
		return;
	}
	struct ledger_claim c = ledger_claim_of(&l, w->target, l.most.held + l.most.in_flight,
		(unsigned)w->in->settings->headroom_margin);
	unsigned held = l.most.held * (100 + (unsigned)w->in->settings->headroom_margin) / 100;
	w->acc = NULL;
	span_each (l.var, l.vars, const struct ledger_var, v) {
		bool is = v->role == LEDGER_ACCUMULATOR && v->loop_carried && !v->dynamic;
		w->acc = is && (!w->acc || v->width > w->acc->width) ? v : w->acc;
	}
	/* the compiler hoists loads only as far as registers allow */
	unsigned vgprs = held < c.vgprs ? held : c.vgprs;
	if (!w->acc || w->acc->width < RESULTS_LEAST || held > w->target->arch_vgpr_max ||
		target_register_waves(w->target, vgprs + w->acc->width, 0) >=
			target_register_waves(w->target, vgprs, 0)) {
		return;
	}
	const struct kt_node *place = crosses(w);
	if (place && !has_wide_merge(w, kernel)) {
		report(out, w, &l, place, vgprs);
	}
}

void rule_register_form(const struct rule_input *in, struct diag_list *out)
{
	for (size_t i = 0; i < in->parses; i++) {
		const struct kt_unit *u = in->parse[i].unit;
		struct forms w = {in, &in->parse[i], u, in->target[i], NULL};
		for (kt_id id = 1; id < u->fns; id++) {
			const struct kt_fn *fn = &u->fn[id];
			if (fn->kind == KT_FN_KERNEL && fn->body && fn->bound > 0 && fn->file &&
				!u->file[fn->file].system) {
				look_at(out, &w, id);
			}
		}
	}
}
