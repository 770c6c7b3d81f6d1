/* Explanations of a merge for a reviewer: the accumulators that cross, the arms, the lines in which
 * they end alike, and the operands in which these differ. */
#include "base/array.h"
#include "choose/state/state.h"
#include "strategy/plan/body.h"

struct explaining {
	struct state *s;
	const struct site_instance *in;
	size_t tail; /* at most so many statements */
	struct plan p;
	struct explanation *out;
};

static unsigned line_of(struct explaining *e, size_t offset)
{
	return state_original_place(e->s, offset).line;
}

static struct explained_lines lines_of(struct explaining *e, size_t begin, size_t end)
{
	return (struct explained_lines){line_of(e, begin), line_of(e, end > begin ? end - 1 : end)};
}

static void explain_carriers(struct explaining *e)
{
	const struct merge *m = e->in->merge;
	struct facts *f = e->in->parse->facts;
	e->out->carrier = ARENA_ARRAY(e->s->a, struct explained_carrier, m->carriers);
	e->out->carriers = m->carriers;
	for (size_t i = 0; i < m->carriers; i++) {
		const struct carrier *c = &m->carrier[i];
		e->out->carrier[i] =
			(struct explained_carrier){.name = facts_loc_name(f, e->s->a, c->loc),
				.type = e->in->parse->unit->type[facts_loc_type(f, c->loc)].name,
				.width = c->width,
				.chained = c->chained};
	}
}

/* The names that the expressions of a hole read, each once. */
static const char *operand_reads(struct explaining *e, const struct hole *hole)
{
	struct sbuf b = {0};
	struct locset all = {0};
	for (size_t i = 0; i < e->in->merge->arms; i++) {
		struct fx fx = facts_effects(e->in->parse->facts, hole->expr[i]);
		locset_union(&all, e->s->a, &fx.reads);
	}
	struct map seen = {0};
	for (uint32_t i = 0; i < all.n; i++) {
		const char *name = facts_loc_name(e->in->parse->facts, e->s->a, all.v[i]);
		if (!map_has(&seen, str_of(name))) {
			map_set(&seen, str_of(name), 1);
			sbuf_addf(&b, "%s%s", b.n ? ", " : "", name);
		}
	}
	map_release(&seen);
	return sbuf_finish(&b, e->s->a).p;
}

static struct explained_operand explain_operand(struct explaining *e, const struct hole *hole)
{
	size_t arms = e->in->merge->arms;
	const struct kt_type *t = match_hole_type(e->in->parse->facts, hole, arms);
	struct explained_operand o = {.text = ARENA_ARRAY(e->s->a, const char *, arms),
		.type = kt_type_bare_name(e->s->a, t, false),
		.width = kt_type_width(t),
		.reads = operand_reads(e, hole)};
	for (size_t i = 0; i < arms; i++) {
		o.text[i] = plan_quote(&e->p, hole->expr[i]);
	}
	return o;
}

static void explain_tail(struct explaining *e, const struct arm_body *body)
{
	const struct merge *m = e->in->merge;
	struct match_arm *list = ARENA_ARRAY(e->s->a, struct match_arm, m->arms);
	struct match match;
	for (size_t i = 0; i < m->arms; i++) {
		list[i] = body[i].list;
	}
	match_tail(&match, e->in->parse->facts, e->s->a, list, m->arms, e->tail);
	e->out->alike = match.tail > 0;
	for (size_t i = 0; i < m->arms && match.tail; i++) {
		const struct kt_node *first = list[i].stmt[list[i].n - match.tail];
		const struct kt_node *last = list[i].stmt[list[i].n - 1];
		e->out->arm[i].tail = lines_of(e, first->begin, last->end);
	}
	ARRAY(struct explained_operand) operands = {0};
	for (size_t k = 0; k < match.holes && match.tail; k++) {
		if (match.hole[k].same == k) {
			array_push(&operands, explain_operand(e, &match.hole[k]));
		}
	}
	array_move(e->out->operand, e->out->operands, e->s->a, &operands);
}

static void explain_arms(struct explaining *e)
{
	const struct merge *m = e->in->merge;
	struct arm_body *body = ARENA_ARRAY(e->s->a, struct arm_body, m->arms);
	bool statements = m->kind != MERGE_COND;
	e->out->arm = ARENA_ARRAY(e->s->a, struct explained_arm, m->arms);
	e->out->arms = m->arms;
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		struct explained_arm *x = &e->out->arm[i];
		x->condition = arm->cond ? plan_quote(&e->p, arm->cond) : NULL;
		if (statements) {
			arm_body_find(&body[i], &e->p, m, arm);
			statements = body[i].list.n > 0;
			x->lines = statements ? lines_of(e, body[i].list.stmt[0]->begin,
							body[i].list.stmt[body[i].list.n - 1]->end)
					      : (struct explained_lines){0};
		} else if (m->kind == MERGE_COND) {
			x->lines = lines_of(e, arm->body->begin, arm->body->end);
		}
	}
	if (statements && m->arms > 1) {
		explain_tail(e, body);
	}
}

const struct explanation *explain_site(struct state *s, const struct site *site, size_t tail)
{
	const struct site_instance *in = site_widest(site);
	struct explaining e = {.s = s,
		.in = in,
		.tail = tail,
		.out = ARENA_NEW(s->a, struct explanation),
		.p = {.parse = in->parse,
			.merge = in->merge,
			.opts = &s->opts,
			.a = s->a,
			.text = in->parse->unit->file[in->merge->node->file].text}};
	explain_carriers(&e);
	explain_arms(&e);
	return e.out;
}
