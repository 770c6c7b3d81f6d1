/*
 * The form of split (split.c) for a loop that ends by a break which does not depend on the work of
 * the iterations: the iterations are counted first, and then run.
 *
 * BEFORE                                  AFTER (counted)
 *   for (int k = 0; k < n; ++k) {           unsigned steps = 0;
 *           if (live[k] == 0) break;        for (int k = 0; k < n && live[k] != 0; ++k) {
 *           step(acc, k);                           ++steps;
 *   }                                       }
 *                                           for (int k = 0; steps > 0; ++k, --steps) {
 *                                                   step(acc, k);
 *                                           }
 *
 * The clauses of the search (found.c) apply. In addition the break comes first in the body of a for
 * that declares its variables, of at most 32 bits, and changes only these in its header; the header
 * and the condition have no other effect; and an iteration does not write what these read, leaves
 * the loop only by the break, and waits for no other lanes.
 */
#include "frontend/text/lex.h"
#include "strategy/split/job.h"

/* The variables of the header; false: other or wide variables are declared there. */
static bool find_counters(struct locset *out, struct split *s, const struct kt_node *init)
{
	bool plain = init && init->kind == KT_DECL && init->n > 0;

	for (size_t i = 0; plain && i < init->n; i++) {
		const struct kt_node *v = init->child[i];
		const struct kt_type *t = &s->u->type[v->type];
		plain = v->kind == KT_VAR && v->n == 1 && t->kind == KT_T_INT && t->size <= 4 &&
			!t->is_volatile;
		locset_add(out, s->p->a, LOC_VAR(v->sym));
	}
	return plain;
}

static bool is_within(const struct locset *x, const struct locset *of)
{
	for (uint32_t i = 0; i < x->n; i++) {
		struct locset one = {.v = &x->v[i], .n = 1};
		if (!locset_meets(&one, of)) {
			return false;
		}
	}
	return true;
}

static bool check_shape(struct split *s)
{
	const struct kt_node *loop = s->loop, *iff = s->m->node;
	const struct kt_node *other = iff->child[s->seeks_else ? KT_IF_THEN : KT_IF_ELSE];
	bool header = loop->kind == KT_FOR && loop->child[KT_FOR_INC] && s->loop_cond;
	bool first = s->body != iff && iff->parent == s->body && iff->slot == 0;

	return (header && first && split_leaves_loop(other) && !split_header_of(s)) ||
	       plan_refuse(s->p, CLAUSE_SHAPE,
		       "it is not a break at the start of a for with a condition and a step");
}

/* Do the header and the condition write only the counters? */
static bool check_header(struct split *s, struct fx *reads)
{
	const struct kt_node *loop = s->loop;
	struct locset own = {0};
	struct fx inc = facts_effects(s->f, loop->child[KT_FOR_INC]);
	const struct kt_node *part[] = {loop->child[KT_FOR_INIT], s->loop_cond, s->cond};

	if (!find_counters(&own, s, loop->child[KT_FOR_INIT]) || inc.flags ||
		!is_within(&inc.writes, &own)) {
		return plan_refuse(s->p, CLAUSE_SHAPE,
			"the loop's header changes variables that are not its own");
	}
	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		struct fx fx = facts_effects(s->f, part[i]);
		bool acts = fx.flags || (i > 0 && fx.writes.n) || !is_within(&fx.writes, &own);
		if (acts) {
			return plan_refuse(s->p, i == 1 ? CLAUSE_LOOP : CLAUSE_CONDITION,
				"%s has an effect",
				i == 1 ? "the loop's condition" : "its condition");
		}
		facts_add_effects(reads, s->f, s->p->a, part[i]);
	}
	facts_add_effects(reads, s->f, s->p->a, loop->child[KT_FOR_INC]);
	return true;
}

bool split_check_counted(struct split *s)
{
	const struct kt_node *iff = s->m->node;
	struct fx header = {0}, fx = {0};
	const char *why;

	if (!check_shape(s) || !check_header(s, &header)) {
		return false;
	}
	facts_add_effects(&fx, s->f, s->p->a, split_sought_arm(s));
	for (size_t i = iff->slot + 1; i < s->body->n; i++) {
		facts_add_effects(&fx, s->f, s->p->a, s->body->child[i]);
	}
	if (fx.flags & (FX_BREAK | FX_RETURN | FX_EXIT | FX_UNKNOWN | FX_GOTO | FX_LABEL |
			       FX_BARRIER | FX_ORDERED)) {
		return plan_refuse(s->p, CLAUSE_LEAVES,
			"an iteration may be left by something else, or waits for others");
	}
	/* it is evaluated before all iterations, and its counters are copies */
	header.writes = (struct locset){0};
	return !facts_conflict(s->f, s->p->a, &fx, &header, &why) ||
	       plan_refuse(s->p, CLAUSE_CONDITION,
		       "its condition cannot be asked before the iterations: %s", why);
}

void split_write_counted(struct split_job *j, struct sbuf *out)
{
	const struct kt_node *end = j->iff->child[j->s->seeks_else ? KT_IF_THEN : KT_IF_ELSE];
	const char *steps = plan_name(j->p, "steps");
	bool block = plan_needs_block(j->s->loop) || split_is_jumped_over(j);
	struct str more = split_condition(j, j->s->seeks_else);
	struct sbuf b = {0};

	split_add_said_of(j, &b, end->begin, end->end);
	sbuf_addf(&b, "unsigned %s = 0;%s%.*s", steps, j->eol, STR_ARG(j->base));
	split_add_header(j, &b, j->init, split_loop_condition(j, true), more, block);
	sbuf_addf(&b, " {%s%s++%s;%s}%s", j->nl, j->step, steps, j->nl, j->nl);
	split_add_pragmas(j, &b);
	sbuf_addf(&b, "for (%.*s; %s > 0; %.*s, --%s)", STR_ARG(j->init), steps, STR_ARG(j->inc),
		steps);
	split_add_with_arm(j, &b, j->s->seeks_else);
	split_add_block(j, out, sbuf_str(&b), block);
	sbuf_release(&b);
}
