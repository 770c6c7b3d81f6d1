/* The comment line above a rewrite that explains it. */
#include <string.h>
#include "strategy/plan/comment.h"
#include "strategy/text/text.h"

enum {
	LINE_MAX_COLUMNS = 100
};

static const struct {
	const char *name;
	const char *why;
} reason[STRATEGY_COUNT] = {
	[STRATEGY_HOIST] = {"hoist", "Once for all arms: no accumulator crosses the merge"},
	[STRATEGY_FUSE] = {"fuse", "One body for all arms: no accumulator crosses a merge"},
	[STRATEGY_PREDICATE] = {"predicate", "One masked body: no accumulator crosses a merge"},
	[STRATEGY_SEQUENTIALIZE] = {"sequentialize", "Guarded ifs: one accumulator for all arms"},
	[STRATEGY_LAUNDER] = {"launder", "Hidden from LLVM: one accumulator for all arms"},
	[STRATEGY_SPLIT] = {"split", "A loop for each arm: no accumulator crosses a merge"},
	[STRATEGY_UNIFY] = {"unify", "One body and one accumulator for all arms"},
	[STRATEGY_REMATERIALIZE] = {"rematerialize", "Loaded where used, not held"},
};

const char *plan_comment_text(const struct plan *p, enum strategy_id id, struct str indent)
{
	if (!p->opts->comments || !reason[id].why) {
		return "";
	}
	const char *name = reason[id].name, *eol = text_eol(p->text);
	const char *said = reason[id].why;
	if (p->out->split && id == STRATEGY_HOIST) {
		said = "Split at the merge: no accumulator crosses it";
	} else if (p->alike && id == STRATEGY_SEQUENTIALIZE) {
		said = "Guarded ifs: what the arms have alike stays in each";
	} else if (id == STRATEGY_SPLIT && strcmp(p->out->variant, "search") == 0) {
		said = "Looks for the next step: no accumulator crosses a merge";
	} else if (id == STRATEGY_SPLIT && strcmp(p->out->variant, "counted") == 0) {
		said = "Counts the steps first: no accumulator crosses a merge";
	}
	const char *line =
		arena_printf(p->a, "%.*s// %s (unphi explain %s)", STR_ARG(indent), said, name);
	if (text_columns(str_of(line)) > LINE_MAX_COLUMNS) {
		line = arena_printf(p->a, "%.*s// unphi explain %s", STR_ARG(indent), name);
	}
	return arena_printf(p->a, "%s%s", line, eol);
}

/* A replacement (not an insertion) that begins at a place, such as of a loop with its pragma; or
 * NULL. */
static struct edit *edit_from(const struct plan *p, size_t at)
{
	array_each (&p->out->edits.edits, struct edit, e) {
		if (e->begin == at && at < e->end) {
			return e;
		}
	}
	return NULL;
}

static bool is_edited(const struct plan *p, size_t at)
{
	array_each (&p->out->edits.edits, struct edit, e) {
		if (e->begin <= at && (at < e->end || at == e->begin)) {
			return true;
		}
	}
	return false;
}

/* Do the two lines above have the comment already, as for a loop that is split again? */
static bool is_said(const struct plan *p, size_t line, const char *said)
{
	size_t from = line;
	for (int i = 0; i < 2 && from > 0; i++) {
		from = text_line_start(p->text, from - 1);
	}
	return *said && str_holds(str_sub(p->text, from, line), str_trim(str_of(said)));
}

void plan_comment(struct plan *p)
{
	/* if the loop's header is edited as well, above the loop */
	for (const struct kt_node *n = p->merge->node; n; n = n->parent) {
		size_t line = text_line_start(p->text, n->begin);
		bool block = n->kind == KT_COMPOUND;
		bool first = text_first_on_line(p->text, n->begin) && !(n->flags & KT_F_MACRO);
		if (block && !is_edited(p, n->begin)) {
			return;
		}
		struct edit *whole = edit_from(p, line);
		if (first && !block && (whole || !is_edited(p, line))) {
			/* a loop's pragma may have another indentation */
			struct str indent =
				text_indent(whole ? whole->text : p->text, whole ? 0 : n->begin);
			const char *said = plan_comment_text(p, p->out->strategy, indent);
			if (is_said(p, line, said)) {
				return;
			}
			if (whole) {
				whole->text = str_of(
					arena_printf(p->a, "%s%.*s", said, STR_ARG(whole->text)));
			} else {
				plan_edit(p, line, line, "%s", said);
			}
			return;
		}
	}
}
