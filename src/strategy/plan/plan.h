#pragma once
/*
 * A plan in the making: what one strategy is given, what it may ask, and how it answers with edits
 * or with the clause that refuses them.
 */
#include "strategy/strategy.h"

struct access_run;
struct barriers;
struct fragment_instance;

/* What one strategy is given: of its subject's kind one instance. */
struct plan {
	const struct parse *parse;
	const struct merge *merge;
	bool alike; /* nothing crosses the merge in any instance: its arms are alike (merge.h) */
	const struct fragment_instance *fragment;
	const struct access_run *run;
	const struct kt_node *place;	 /* without a merge: where the subject stands, or NULL */
	kt_id file;			 /* with neither: the file */
	const struct barriers *barriers; /* some of them marked as dropped: */
	unsigned group;			 /* these of the group */
	const struct strategy_opts *opts;
	struct arena *a;
	struct str text;	      /* of the subject's file */
	struct plan_name_list *names; /* handed out so far */
	/* NULL, or the plan's own number of each clause that another strategy's code refuses by */
	const unsigned *own_clause;
	size_t own_clauses;
	const unsigned *guard_clause; /* struct guard_opts, while guards are written */
	struct candidate *out;
};

/* Clause number and reason; the first refusal counts. Says whether to go on all the same: no, but
 * in tests/mutate, where one clause at a time is switched off. What cannot go on ignores the
 * answer. */
bool plan_refuse(struct plan *p, unsigned clause, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Refuses as code that the variant is not about; false. */
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
/* Refuses what another instantiation, fn of u, refuses, or needs other edits for. */
void plan_agree(struct candidate *out, struct arena *a, const struct candidate *other,
	const struct kt_unit *u, kt_id fn);
void plan_edit(struct plan *p, size_t begin, size_t end, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A name for a variable that nothing around it has: BASE, BASE2, ... (names.h) */
const char *plan_name(struct plan *p, const char *base);
/* The same for what holds an arm's value of the variable name: NAME, arm_NAME, ... */
const char *plan_name_like(struct plan *p, const char *name);
/* The statement that keeps LLVM from joining the ifs on both sides of it, and the one that has it
 * forget what it knew of a variable (uniform: which is the same in all lanes, and lies in a scalar
 * register): written out where devices alone compile it, else a macro of the prelude, which the
 * candidate then needs. why: with a comment that says so, unless comments are off. */
#define PLAN_SAYS_FENCE "keeps LLVM from joining the ifs"
#define PLAN_SAYS_LAUNDER "hides it from LLVM"
const char *plan_fence(struct plan *p, bool why);
const char *plan_launder(struct plan *p, bool uniform, const char *name, bool why);
/* What begins such a variable's life: value, as it is the same in all lanes. */
const char *plan_first_lane(struct plan *p, bool uniform, const char *value);
/* Comments in [begin, end), each ready to stand on a line of its own; empty when there are none. */
struct str plan_comments(const struct plan *p, size_t begin, size_t end);
/* Notes what a candidate takes for granted. */
void plan_assume(struct candidate *c, struct assumed what);
/* Do all lanes of a wave come to node together (NULL: that is not asked), and is each condition
 * (NULL ones apart) the same in all of them? Proved, or asked for by an operation in an arm: then
 * the candidate notes it. *why says what is not. */
bool plan_is_uniform(struct plan *p, const struct kt_node *node, const struct kt_node *const *cond,
	size_t n, const char **why);
/* The conditions that say which arm of m runs, for plan_is_uniform. */
const struct kt_node *const *plan_conditions(size_t *n, struct plan *p, const struct merge *m);
/* What of these effects asks for that, in words: "a barrier"; or NULL. */
const char *plan_ordered_words(unsigned flags);
/* The same of one condition, proved alone. */
bool plan_is_proved_uniform(struct plan *p, const struct kt_node *cond, const char **why);
/* What has these effects is guarded by conditions that plan_is_uniform was asked for. Where the
 * compiler may take them to differ per lane it may drop a skip: only a measurement tells. */
void plan_guards(struct plan *p, unsigned flags);
#define PLAN_GUARDS_PER_LANE                                                                       \
	"the condition is not proved uniform, and an arm holds a matrix operation or a barrier: "  \
	"only a measurement shows whether the compiler keeps the skip around it"
/* What has these effects comes under a new if, which stands for those on these conditions at node;
 * nobody was asked about them: likewise. */
void plan_guards_on(struct plan *p, unsigned flags, const struct kt_node *node,
	const struct kt_node *const *cond, size_t n);
struct str plan_text(const struct plan *p, size_t begin, size_t end);
/* Must a declaration beside node n be wrapped in braces of its own? (n is the unbraced body of a
 * loop or if, or stands directly in a switch.) */
bool plan_needs_block(const struct kt_node *n);
/* May what the statement d declares (or the variable d) be declared in n's place, which is the last
 * in its block? Neither that block nor what it belongs to, a function's parameters or a loop's
 * header, has its names before n. */
bool plan_may_declare(const struct plan *p, const struct kt_node *n, const struct kt_node *d);
/* Does an edit of the plan replace the byte? */
bool plan_in_edit(const struct plan *p, size_t at);
bool plan_touches_edit(const struct plan *p, size_t begin, size_t end);
/* What stands around new text in a statement's place. */
struct plan_frame {
	size_t begin;	    /* where it begins: the statement, or the white space before it */
	size_t hang;	    /* the same where its brace follows a header; else SIZE_MAX */
	const char *indent; /* of its lines */
	const char *nl;	    /* line break and indentation */
	const char *open;   /* "", or the brace that opens a block around it */
	const char *close;  /* "", or line break and the brace that closes it */
};
struct plan_frame plan_frame(const struct plan *p, const struct kt_node *n, bool block);
/* The same with the indentations that it and its parent are going to have; own_line: braces have
 * lines of their own. */
struct plan_frame plan_frame_around(const struct plan *p, const struct kt_node *n, bool block,
	struct str base, struct str up, bool own_line);
/* Is any part of the header or braces of the merge (not the code inside its arms) from a macro? An
 * arm without braces may be an invocation, when that is all of it: see macro.c. */
bool plan_in_macro(const struct plan *p, const struct merge *m);
/* leave.c's site_as_else of a ?: whose value nobody takes. NULL: the edit is made, else why not. */
const char *plan_discarded_as_if(struct edit_list *out, struct plan *p, struct str t);
/* Why it is not edited then: it is cut off, or else otherwise. */
const char *plan_why_fixed(const struct merge *m, const char *otherwise);
#define FROM_MACRO "part of it comes from a macro, which is never edited"
/* Does a chained carrier cross, so that rewriting the merge with the one around it makes sense? */
bool plan_is_wide(const struct merge *m);
