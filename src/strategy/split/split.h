#pragma once
/*
 * The plan that split.c (may the loop be split?), once.c (does the condition change at most once?)
 * and forms.c (write it) share. Lives in the plan's arena.
 */
#include "strategy/plan/plan.h"

/* A variable of the loop's body that the condition reads. Its initializer replaces it when the
 * condition moves to the loop's head. */
struct split_local {
	const struct kt_node *var; /* KT_VAR with initializer */
	const struct kt_node *stmt;
};

/* The clauses in split.c's comment. */
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
	SPLIT_COUNTED, /* one arm, ends by break: count the iterations first */
	SPLIT_SEARCH,  /* one arm: search the next iteration that takes it */
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
	struct fx all;	 /* of the whole loop */
	enum split_form form;
	bool seeks_else; /* search: for the else arm, not the then arm */
	bool found;	 /* search: the code before the if is part of it (found.c) */
};

enum split_change {
	SPLIT_NEVER,   /* the same in all iterations */
	SPLIT_FALLS,   /* true, then false */
	SPLIT_RISES,   /* false, then true */
	SPLIT_UNKNOWN, /* anything */
};

/* How the condition may change between iterations of one run of the loop. On SPLIT_UNKNOWN *why
 * says what is not proved. */
enum split_change split_changes(struct split *s, const char **why);

/* Clauses 3, 5 and 6: have the conditions no effect, and the same values at the loop's head? Fills
 * in the locals and reads. False: refused. */
bool split_check_condition(struct split *s);
/* Clauses 3 to 6 as far as they apply if the condition stays after the code before it (found.c). */
bool split_check_found(struct split *s);
/* Clauses 3 to 6 as far as they apply if the iterations are counted (counted.c). */
bool split_check_counted(struct split *s);

/* ---- handed.c ---- */

/* The arm that the search is for. */
const struct kt_node *split_sought_arm(const struct split *s);
/* The declaration in the if's header, or NULL. */
const struct kt_node *split_header_of(const struct split *s);
/* Does the arm or the code after it need the variable declared before the if, or a variable whose
 * repeated declaration reads it? */
bool split_is_handed_on(struct split *s, const struct kt_node *v);
/* Does a repeated declaration before the arm give the same value as in the search? Then the value
 * is not saved. */
bool split_can_be_repeated(struct split *s, const struct kt_node *v);
/* Does the arm see what it needs of the declarations before the if? */
bool split_check_declarations(struct split *s);

/* Is the condition the same in all lanes of the block? *why says what may differ. */
bool split_is_same_for_block(struct split *s, const char **why);
/* The local whose initializer stands for sym, or NULL. */
const struct split_local *split_local_of(const struct split *s, kt_id sym);

/* change: SPLIT_FALLS or SPLIT_RISES; used only for SPLIT_ONCE. */
void split_edit(struct split *s, enum split_change change);

void split_plan(struct plan *p, const char *variant);
