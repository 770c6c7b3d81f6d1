/*
 * unphi-early-exit: a loop that exits, or skips an iteration, before it computes a wide
 * accumulator.
 *
 *   for (int k = 0; k < n; k++) {
 *           if (p[k] == 0) {
 *                   break;          The accumulator leaves the loop here and by k < n or, with
 *           }                       continue, goes on from here and from the step. Some
 *           step(acc, k);           compilers keep a copy for each path.
 *   }
 *
 * A note, because the cost depends on the compiler and on the other code (doc/shapes.md has
 * figures). Not reported, because measured harmless: a break that is the only exit of its loop, one
 * after the compute, and one only on registers that the compiler takes into the bound. Not reported
 * either if unphi-phi-explosion reports it: there split looks for the next iteration that computes.
 * No strategy applies to the others: with other operands in place of the exit, the accumulator
 * would add products that the source leaves out, and adding zero is not neutral (-0, infinities,
 * NaN).
 */
#include <string.h>
#include "analysis/facts/liveness.h"
#include "analysis/merge/element.h"
#include "analysis/merge/exit.h"
#include "rule/rule.h"
#include "rule/subject.h"

struct early {
	const struct rule_input *in;
	const struct parse *parse;
	const struct kt_unit *u;
	kt_id fn;
	const struct kt_node *node;  /* the if */
	const struct kt_node *by;    /* its break or continue */
	const struct kt_node *block; /* the loop's body */
	const struct kt_node *loop;
	struct liveness *live;
	loc_id widest;
	unsigned width, sum; /* VGPRs per lane: the widest, and the sum */
};

static const struct kt_node *last_statement(const struct kt_node *n)
{
	while (n && n->kind == KT_COMPOUND) {
		n = n->n ? n->child[n->n - 1] : NULL;
	}
	return n;
}

/* Is loc read after the loop, by the caller, or in the next iteration of a loop around it? */
static bool outlives_loop(const struct early *e, loc_id loc)
{
	if (!LOC_IS_VAR(loc)) {
		return true;
	}
	const struct kt_node *outer = e->loop->parent;
	while (outer && !kt_is_loop(outer->kind)) {
		outer = outer->parent;
	}
	const struct kt_node *body = e->u->fn[e->fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_REF && LOC_VAR(n->sym) == loc &&
			(n->begin >= e->loop->end || (outer && kt_is_below(n, outer)))) {
			return true;
		}
	}
	return false;
}

static unsigned width_of(const struct early *e, loc_id loc)
{
	enum {
		REGISTERS_MAX = 512
	};
	struct facts *f = e->parse->facts;
	const struct kt_type *t = &e->u->type[facts_loc_type(f, loc)];
	size_t next = e->node->slot + 1;
	unsigned width = kt_type_width(t);
	if (t->is_const || width > REGISTERS_MAX) {
		return 0;
	}
	bool written = false;
	for (size_t i = next; i < e->block->n && !written; i++) {
		written = facts_writes(f, e->block->child[i], loc);
	}
	bool goes_on = written && liveness_exposed_part(e->live, e->block, next, e->block->n, loc);
	bool out = goes_on && (e->by->kind == KT_CONTINUE ? liveness_after(e->live, e->by, loc)
							  : outlives_loop(e, loc));
	return out && !element_of_loop(f, e->fn, e->loop, e->block, loc) ? width : 0;
}

/* If the arm and the code after it write loc, and the arm continues, phi-explosion reports it. */
static bool arm_writes(const struct early *e, loc_id loc)
{
	return facts_writes(e->parse->facts, e->node->child[KT_IF_THEN], loc);
}

static void measure(struct early *e)
{
	const loc_id *loc;
	size_t n = liveness_locs(e->live, &loc);
	for (size_t i = 0; i < n; i++) {
		bool reported = e->by->kind == KT_CONTINUE && arm_writes(e, loc[i]);
		unsigned width = reported ? 0 : width_of(e, loc[i]);
		e->sum += width;
		if (width > e->width) {
			e->width = width;
			e->widest = loc[i];
		}
	}
}

/* Does another rule report it already, with its cost? */
static bool is_reported(const struct early *e, const struct diag_list *out)
{
	const struct kt_file *file = &e->u->file[e->node->file];
	array_each (&out->v, const struct diag, d) {
		if (d->place.begin == e->node->begin && d->place.path &&
			strcmp(d->place.path, file->path) == 0) {
			return true;
		}
	}
	return false;
}

static void report(const struct early *e, struct diag_list *out)
{
	struct arena *a = e->in->a;
	const struct kt_file *file = &e->u->file[e->node->file];
	const char *name = facts_loc_name(e->parse->facts, a, e->widest);
	const char *type = e->u->type[facts_loc_type(e->parse->facts, e->widest)].name;
	const char *more = "";
	if (e->sum > e->width) {
		more = arena_printf(a, " (%u with the others)", e->sum);
	}
	struct diag d = {.level = DIAG_NOTE,
		.rule = "unphi-early-exit",
		.weight = e->sum,
		.next = "explain"};
	d.place = (struct diag_place){
		file->path, file->text, e->node->begin, e->node->begin + 2, NULL};
	if (e->node->flags & KT_F_MACRO) {
		d.place.end = d.place.begin;
	}
	subject_set(&d, a, e->u, e->fn, e->node);
	d.text = str_of(arena_printf(a,
		e->by->kind == KT_BREAK
			? "'%s' (%s, %u VGPRs per lane%s) leaves this loop here, before it is "
			  "computed, and elsewhere: the compiler may keep a copy for each way out; "
			  "count the iterations in a narrow loop first, and let the count be the "
			  "only bound"
			: "'%s' (%s, %u VGPRs per lane%s) continues from here without being "
			  "computed, "
			  "and from the end of the loop: the compiler may keep a copy for each "
			  "way; "
			  "look for the next iteration that computes in a narrow loop",
		name, type, e->width, more));
	d.note = ARENA_ARRAY(a, struct diag_note, 2);
	d.note[d.notes++].text = str_of(arena_printf(a, "in %s", e->u->fn[e->fn].name));
	d.note[d.notes++].text =
		str_of("no strategy applies: computing with other operands in place of the exit "
		       "could change the result");
	array_push(&out->v, d);
}

static void look(struct early *e, struct diag_list *out)
{
	e->by = last_statement(e->node->child[KT_IF_THEN]);
	e->block = e->node->parent;
	e->loop = e->block ? e->block->parent : NULL;
	bool leaves = e->by && (e->by->kind == KT_BREAK || e->by->kind == KT_CONTINUE);
	if (!leaves || e->node->child[KT_IF_ELSE] || e->node->flags & KT_F_CONSTEXPR ||
		e->node->child[KT_IF_COND]->flags & KT_F_VALUE || !e->loop ||
		e->block->kind != KT_COMPOUND || !kt_is_loop(e->loop->kind)) {
		return;
	}
	if (e->by->kind == KT_BREAK && !exit_parts(e->parse->facts, e->node)) {
		return;
	}
	e->live = liveness_of(e->parse->facts, e->fn);
	measure(e);
	if (e->sum >= e->in->settings->min_wide_vgprs && !is_reported(e, out)) {
		report(e, out);
	}
}

void rule_early_exit(const struct rule_input *in, struct diag_list *out)
{
	for (size_t i = 0; i < in->parses; i++) {
		const struct kt_unit *u = in->parse[i].unit;
		for (kt_id fn = 1; fn < u->fns; fn++) {
			const struct kt_fn *k = &u->fn[fn];
			const struct kt_node *body = k->body;
			if (k->kind == KT_FN_HOST || k->in_system_header) {
				continue;
			}
			for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
				struct early e = {.in = in,
					.parse = &in->parse[i],
					.u = u,
					.fn = fn,
					.node = n};
				if (n->kind == KT_IF && !u->file[n->file].system) {
					look(&e, out);
				}
			}
		}
	}
}
