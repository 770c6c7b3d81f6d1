#pragma once
/*
 * The plan that split.c (may the loop be split?), once.c (does the condition change at most once?)
 * and forms.c (write it) share. Lives in the plan's arena.
 */
#include "strategy/plan/plan.h"

/* A variable of the loop's body that the condition reads; its initializer takes its place where the
 * condition moves to the loop's head. */
struct split_local {
	const struct kt_node *var; /* KT_VAR with initializer */
	const struct kt_node *stmt;
};

/* Of split.c's head. */
enum {
	CLAUSE_SHAPE = 1,
	CLAUSE_TEXT,
	CLAUSE_REACHED,
	CLAUSE_LEAVES,
	CLAUSE_CONDITION,
	CLAUSE_LOOP,
	CLAUSE_TWICE,
	CLAUSE_UNIFORM,
	CLAUSE_CONTRACT,
	CLAUSE_ONCE,
};

enum split_form {
	SPLIT_ONCE,    /* two loops, one after the other */
	SPLIT_RUNS,    /* two loops inside a loop */
	SPLIT_COUNTED, /* of one arm, where a break ends it: the iterations are counted first */
	SPLIT_SEARCH,  /* of one arm: the next iteration that takes it is looked for */
};

struct split {
	struct plan *p;
	const struct merge *m;
	struct kt_unit *u;
	struct facts *f;
	const struct kt_node *loop; /* for or while */
	const struct kt_node *body;
	const struct kt_node *cond; /* of the if */
	const struct kt_node *loop_cond;
	ARRAY(struct split_local) locals;
	struct fx reads; /* of the condition with its locals */
	struct fx all;	 /* of the loop, all parts */
	enum split_form form;
	bool seeks_else; /* search: the else arm is looked for, not the then arm */
	bool found;	 /* search: what stands before the if runs in it (found.c) */
};

enum split_change {
	SPLIT_NEVER,   /* the same in all iterations */
	SPLIT_FALLS,   /* true, then false */
	SPLIT_RISES,   /* false, then true */
	SPLIT_UNKNOWN, /* anything */
};

/* How the condition may change from one iteration to a later one of one run of the loop. On
 * SPLIT_UNKNOWN *why says what is not proved. */
enum split_change split_changes(struct split *s, const char **why);

/* Clauses 3, 5 and 6: have the conditions no effect, and the same values at the loop's head? Fills
 * in the locals and reads. False: refused. */
bool split_check_condition(struct split *s);
/* What is left of clauses 3 to 6 where the condition stays after the code before it (found.c). */
bool split_check_found(struct split *s);
/* What is left of clauses 3 to 6 where the iterations are counted (counted.c). */
bool split_check_counted(struct split *s);

/* ---- handed.c ---- */

/* The arm that the search is for. */
const struct kt_node *split_sought_arm(const struct split *s);
/* The declaration in the if's header, or NULL. */
const struct kt_node *split_header_of(const struct split *s);
/* Do the arm, or what follows it, need the variable that is declared before the if, or something
 * that is declared once more? */
bool split_is_handed_on(struct split *s, const struct kt_node *v);
/* Is it the same as in the search where it is declared once more in front of the arm? Then it is
 * not saved. */
bool split_can_be_repeated(struct split *s, const struct kt_node *v);
/* Does the arm see what it needs of the declarations before the if? */
bool split_check_declarations(struct split *s);

/* Is the condition the same in all lanes of the block? *why says what may differ. */
bool split_is_same_for_block(struct split *s, const char **why);
/* The local whose initializer stands for sym, or NULL. */
const struct split_local *split_local_of(const struct split *s, kt_id sym);

/* change: SPLIT_FALLS or SPLIT_RISES; counts for SPLIT_ONCE only. */
void split_edit(struct split *s, enum split_change change);

void split_plan(struct plan *p, const char *variant);
