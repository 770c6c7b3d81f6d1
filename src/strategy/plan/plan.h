#pragma once
/*
 * The interface of a strategy: its input (struct plan), the functions that it may call, and its
 * result: edits, or the clause that refuses.
 */
#include "strategy/strategy.h"

struct access_run;
struct barriers;
struct fragment_instance;

/* The input of one strategy: one instance of its kind of subject. */
struct plan {
	const struct parse *parse;
	const struct merge *merge;
	bool alike; /* nothing crosses the merge in any instance: its arms are alike (merge.h) */
	const struct fragment_instance *fragment;
	const struct access_run *run;
	const struct kt_node *place;	 /* without a merge: the subject's node, or NULL */
	kt_id file;			 /* with neither: the file */
	const struct barriers *barriers; /* to remove: the dropped ones */
	unsigned group;			 /* of this group */
	const struct strategy_opts *opts;
	struct arena *a;
	struct str text;	      /* of the subject's file */
	struct plan_name_list *names; /* handed out so far */
	/* NULL, or this strategy's number for each clause of another strategy whose code it uses */
	const unsigned *own_clause;
	size_t own_clauses;
	const unsigned *guard_clause; /* as in struct guard_opts */
	struct candidate *out;
};

/* Refuses by a clause, with the reason; the first refusal counts. Returns whether to continue
 * anyway: always false, except in tests/mutate, which switches off one clause at a time. Code that
 * cannot continue ignores the result. */
bool plan_refuse(struct plan *p, unsigned clause, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Refuses because the variant is for other code; false. */
static inline bool plan_off_topic(struct plan *p, unsigned clause, const char *why)
{
	if (!p->out->clause) {
		p->out->topic = TOPIC_OTHER;
	}
	plan_refuse(p, clause, "%s", why);
	return false;
}
static inline unsigned plan_own_clause(const struct plan *p, unsigned clause)
{
	bool has = clause < p->own_clauses && p->own_clause[clause];
	return has ? p->own_clause[clause] : clause;
}
/* Refuses out if the candidate of another instantiation (fn of u) is refused or has other edits. */
void plan_agree(struct candidate *out, struct arena *a, const struct candidate *other,
	const struct kt_unit *u, kt_id fn);
void plan_edit(struct plan *p, size_t begin, size_t end, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A name for a variable that nothing around it has: BASE, BASE2, ... (names.h) */
const char *plan_name(struct plan *p, const char *base);
/* The same for a variable that holds an arm's value of the variable name: NAME, arm_NAME, ... */
const char *plan_name_like(struct plan *p, const char *name);
/* The text of a fence, which keeps LLVM from joining the ifs on both sides of it, and of a launder,
 * which makes LLVM forget what it knows of a variable (uniform: the variable is the same in all
 * lanes, in a scalar register). Written out in code that only devices compile; else a macro of the
 * prelude, which the candidate then needs. why: add a comment, unless comments are off. */
#define PLAN_SAYS_FENCE "keeps LLVM from joining the ifs"
#define PLAN_SAYS_LAUNDER "hides it from LLVM"
const char *plan_fence(struct plan *p, bool why);
const char *plan_launder(struct plan *p, bool uniform, const char *name, bool why);
/* The initializer of such a variable: value, by readfirstlane if it is uniform. */
const char *plan_first_lane(struct plan *p, bool uniform, const char *value);
/* Comments in [begin, end), each fit for its own line; empty if there are none. */
struct str plan_comments(const struct plan *p, size_t begin, size_t end);
/* Notes an assumption of a candidate. */
void plan_assume(struct candidate *c, struct assumed what);
/* Do all lanes of a wave reach node together (NULL: not checked), and does each condition (NULL
 * ones are skipped) have the same value in all of them? True if proved, or if a matrix operation or
 * barrier in an arm requires it; the candidate then notes the assumption. *why: the reason for
 * false. */
bool plan_is_uniform(struct plan *p, const struct kt_node *node, const struct kt_node *const *cond,
	size_t n, const char **why);
/* The conditions that select the arm of m, for plan_is_uniform. */
const struct kt_node *const *plan_conditions(size_t *n, struct plan *p, const struct merge *m);
/* Which of these effects requires that, in words: "a barrier"; or NULL. */
const char *plan_ordered_words(unsigned flags);
/* The same for one condition, only if proved. */
bool plan_is_proved_uniform(struct plan *p, const struct kt_node *cond, const char **why);
/* Refuses (CLAUSE_LANES) a merge with a matrix operation that only some lanes of a wave reach. What
 * the kernel computes then depends on the registers and branches that the compiler chooses. */
bool plan_check_lanes(struct plan *p);
/* Code with these effects is guarded by conditions that plan_is_uniform has checked. If the
 * compiler may treat them as divergent, it may drop the branch around the code: then only a
 * measurement can accept the rewrite. */
void plan_guards(struct plan *p, unsigned flags);
#define PLAN_GUARDS_PER_LANE                                                                       \
	"the condition is not proved uniform, and an arm holds a matrix operation or a barrier: "  \
	"only a measurement shows whether the compiler keeps the skip around it"
/* The same for code under a new if at node. It replaces ifs on these conditions, which
 * plan_is_uniform has not checked. */
void plan_guards_on(struct plan *p, unsigned flags, const struct kt_node *node,
	const struct kt_node *const *cond, size_t n);
struct str plan_text(const struct plan *p, size_t begin, size_t end);
/* Must a declaration beside node n be wrapped in braces of its own? (n is the unbraced body of a
 * loop or if, or stands directly in a switch.) */
bool plan_needs_block(const struct kt_node *n);
/* May the variables of statement d (or the variable d) be declared at n, which is the last in its
 * block? They may if neither the block nor its owner (a function's parameters, a loop's header)
 * declares their names before n. */
bool plan_may_declare(const struct plan *p, const struct kt_node *n, const struct kt_node *d);
/* Does an edit of the plan replace the byte? */
bool plan_in_edit(const struct plan *p, size_t at);
bool plan_touches_edit(const struct plan *p, size_t begin, size_t end);
/* The frame of new text that replaces a statement. */
struct plan_frame {
	size_t begin;	    /* its start: the statement, or the white space before it */
	size_t hang;	    /* the same if its brace follows a header; else SIZE_MAX */
	const char *indent; /* of its lines */
	const char *nl;	    /* line break and indentation */
	const char *open;   /* "", or the brace that opens a block around it */
	const char *close;  /* "", or line break and the brace that closes it */
};
struct plan_frame plan_frame(const struct plan *p, const struct kt_node *n, bool block);
/* The same with the new indentations of the statement and its parent; own_line: braces have their
 * own lines. */
struct plan_frame plan_frame_around(const struct plan *p, const struct kt_node *n, bool block,
	struct str base, struct str up, bool own_line);
/* Does any part of the merge's header or braces (not the code in its arms) come from a macro? An
 * arm without braces may be exactly one macro invocation: see macro.c. */
bool plan_in_macro(const struct plan *p, const struct merge *m);
/* leave.c's site_as_else for a ?: (conditional.c). NULL: the edit is added; else why not. */
const char *plan_question_as_if(struct edit_list *out, struct plan *p, struct str t);
/* Does a variable of type `to` hold a value of type `from` unchanged? Clang's two kinds of vectors
 * count as one. */
bool plan_holds_as_is(const struct kt_unit *u, kt_id to, kt_id from);
/* The variable that has the value before the merge and ends in its arms, which name it; it can be
 * assigned to, and no pointer or lambda has it. 0: none. */
kt_id plan_continued(const struct plan *p);
/* Why the merge is not edited: its text is incomplete, or otherwise. */
const char *plan_why_fixed(const struct merge *m, const char *otherwise);
#define FROM_MACRO "part of it comes from a macro, which is never edited"
/* Does a chained carrier cross? Then it is worth rewriting this merge with the one around it. */
bool plan_is_wide(const struct merge *m);
