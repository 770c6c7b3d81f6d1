#pragma once
/*
 * unify, as its files hand it to each other: unify.c (clauses and the plan), tree.c (which arm
 * makes which call, and what a template argument becomes), find.c (the functions that become one),
 * use.c (what a template parameter is used for), apart.c (functions that stay as they are), name.c,
 * write.c (the edits). Lives in the plan's arena.
 */
#include "strategy/extract/extract.h"

enum {
	UNIFY_CALLS = 1,
	UNIFY_TEXT,
	UNIFY_SAME,
	UNIFY_ARGUMENT,
	UNIFY_CONSTANT,
	UNIFY_DISCARDED,
	UNIFY_WIDE,
	UNIFY_STORAGE,
	UNIFY_UNIFORM,
	UNIFY_CONTRACT,
	UNIFY_CLAUSES
};

enum {
	UNIFY_FUNCTIONS_MAX = 32,
	UNIFY_LEAVES_MAX = 64
};

/* ---- the arms, tree.c ---- */

struct unify_node {
	const struct merge *m;	/* NULL: it is a call, */
	size_t leaf;		/* of this number */
	struct unify_node *arm; /* of each arm of m */
};

struct unify_tree {
	struct unify_node top;
	struct callee_leaf leaf[UNIFY_LEAVES_MAX];
	size_t leaves;
	const struct kt_node *constant[UNIFY_LEAVES_MAX]; /* KT_VARs that arms declare */
	size_t constants;
	bool *chosen; /* of each argument: it differs between the arms */
	const struct kt_node *cond[UNIFY_LEAVES_MAX];
	unsigned uses[UNIFY_LEAVES_MAX]; /* of each condition, by the texts of unify_value */
	size_t conds;
	bool guarded;  /* on some path there is no call */
	bool ends;     /* some arm has told the next two: */
	bool returns;  /* after the call the function ends, */
	bool gives;    /* with its result */
	bool followed; /* while it is read: a return stands after this statement */
};

struct unify_function;

/* ---- the functions, find.c ---- */

/* A call in the body of a function that becomes one. */
struct unify_call {
	struct span at;
	struct callee_call text; /* with the defaults of template arguments after the written */
	size_t written;
	struct unify_function *fn; /* NULL: it stays a call of instances (apart.c) */
	const struct kt_node *node;
};

struct unify_function {
	struct callee c;  /* its leaves are the instances */
	const char **to;  /* of each template parameter that differs: the parameter's name */
	const char *name; /* of the function that is written */
	struct unify_call *call;
	size_t calls;
	struct unify_function *caller; /* one of them; NULL: the arms */
};

/* Where the body of a function stands that stays as it is. */
struct unify_apart {
	kt_id file;
	uint32_t begin;
};

struct unify {
	struct plan *p;
	struct unify_tree tree;
	struct unify_function *fn[UNIFY_FUNCTIONS_MAX]; /* first that of the arms */
	size_t fns;
	bool shared; /* one text for all merges that call the function */
	bool plain;  /* the arms call one instance, which is there: only arguments differ */
	struct unify_apart apart[UNIFY_FUNCTIONS_MAX];
	size_t aparts;
	const struct kt_fn *refused; /* that a refusal is about, of those that are handed on */
};

/* False after a refusal: the arms do more than to call a function. */
bool unify_read_tree(struct unify *u, struct callee *c);
/* The text of a template argument of a leaf, or of the constant of its arm that it names. */
struct span unify_resolved(const struct unify *u, const struct callee_leaf *l, struct span targ);
/* Of "w.template ", which is for template arguments that follow, "w.". */
struct span unify_object(const struct plan *p, struct span prefix);
/* What stands for template argument i of the arms' calls, of this type; or a refusal. */
struct str unify_value(struct unify *u, size_t i, struct str type);
/* The same for argument i. */
struct str unify_argument(struct unify *u, size_t i);
/* The condition that there is a call on. */
struct str unify_runs(struct unify *u);
/* The function of the arms, and those that are handed its template arguments. */
bool unify_find_functions(struct unify *u);
/* Clauses about what a template parameter is used for, of one function. */
bool unify_check_uses(struct unify_function *f);
/* Does a function come to a library function that gives a float? With a constant for an argument
 * that may compute another way. */
bool unify_comes_to_library(const struct kt_unit *u, kt_id fn);
/* Does the function take template parameter i as an argument? */
static inline bool unify_is_handed(const struct unify_function *f, size_t i)
{
	return f->c.pattern.tparam[i].differs;
}
/* The type of template parameter i, without const. */
static inline struct str unify_type(const struct unify_function *f, size_t i)
{
	const struct callee_tparam *q = &f->c.pattern.tparam[i];
	struct callee_tag tag;
	return q->tag && callee_tag_of(&tag, &f->c, 0, q->tag - 1)
		       ? tag.type
		       : type_without_const(callee_text(&f->c, q->type));
}
/* The first template parameter that stands for the same argument of the new function: i, but where
 * a tag has a name beside its type's. */
static inline size_t unify_first(const struct unify_function *f, size_t i)
{
	const struct callee_tparam *q = f->c.pattern.tparam;
	size_t first = 0;
	while (first < i && (!q[i].tag || q[first].tag != q[i].tag)) {
		first++;
	}
	return first;
}
/* Is parameter i a tag that becomes an argument of another kind? */
static inline bool unify_is_tag(const struct unify_function *f, size_t i)
{
	bool is = false;
	for (size_t k = 0; k < f->c.pattern.tparams; k++) {
		is |= unify_is_handed(f, k) && f->c.pattern.tparam[k].tag == i + 1;
	}
	return is;
}
bool unify_write(struct unify *u);
/* A lambda that nothing else calls is written in its own place, under its name. */
static inline bool unify_is_instead(const struct unify_function *f)
{
	return f->c.pattern.lambda && !f->c.used_elsewhere;
}
/* name.c: of the arguments, with names of its own for each function; and of all functions, the
 * numberth ones to be tried. */
void unify_name_arguments(struct unify_function *f);
void unify_name_functions(struct unify *u, unsigned number);

/* ---- functions that stay as they are, apart.c ---- */

bool unify_is_apart(const struct unify *u, const struct kt_fn *fn);
/* After a refusal: may the function that it is about stay? Then all is to be done again. */
bool unify_set_apart(struct unify *u);
/* May a call of such a function choose between its instances? Else refused. */
bool unify_check_apart(const struct unify_function *f, const struct unify_call *call);
/* The call, as a choice between those instances that the arms have. */
struct str unify_apart_text(const struct unify_function *f, const struct unify_call *call);
/* A text of the function with its arguments' names. */
struct str unify_renamed(const struct unify_function *f, struct span at);

void unify_plan(struct plan *p, const char *variant);
