#pragma once
/*
 * unify replaces calls of several instances of a template by one call of a function that takes the
 * template argument as a run-time argument. Shared by unify.c (clauses and the plan), tree.c (the
 * calls of the arms), values.c (the value for each template argument), find.c (the functions to
 * rewrite), use.c (uses of a template parameter), apart.c (functions that stay templates), class.c
 * and own.c (functions of class templates), scope.c (types and constants of these), name.c, there.c
 * (functions that exist already), rows.c (arms with several calls), write.c (the new functions),
 * edit.c (their calls). Lives in the plan's arena.
 */
#include "frontend/text/lex.h"
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
	const struct merge *m;	/* NULL: it is a call */
	size_t leaf;		/* the call's number */
	struct unify_node *arm; /* one for each arm of m */
};

struct unify_tree {
	struct unify_node top;
	struct callee_leaf leaf[UNIFY_LEAVES_MAX];
	size_t leaves;
	const struct kt_node *constant[UNIFY_LEAVES_MAX]; /* KT_VARs that arms declare */
	size_t constants;
	const struct kt_node *object[UNIFY_LEAVES_MAX]; /* KT_VARs of objects that arms make */
	size_t objects;
	size_t arm_of[UNIFY_LEAVES_MAX]; /* with several calls: of a leaf, its list in the rows */
	size_t arms;
	bool *chosen; /* per argument: it differs between the arms */
	const struct kt_node *cond[UNIFY_LEAVES_MAX];
	unsigned uses[UNIFY_LEAVES_MAX]; /* per condition: uses in the texts of unify_value */
	size_t conds;
	bool guarded;  /* on some path there is no call */
	bool ends;     /* the next two are set, from some arm: */
	bool returns;  /* the arms return after the call */
	bool gives;    /* and return its result */
	bool followed; /* while reading: a return follows this statement */
};

struct unify_function;
struct unify_member;

/* ---- arms with several calls, rows.c ---- */

/* A value of the conditions that several calls get: a constant is declared before them. */
struct unify_shared {
	struct str value;
	struct str type;
	const char *name;
};

struct unify_rows {
	struct unify *v[UNIFY_LEAVES_MAX]; /* one for each statement of an arm */
	size_t n;
	const struct kt_node *cond[UNIFY_LEAVES_MAX]; /* of the arms, without those in rows */
	size_t conds;
	struct match_arm list[UNIFY_LEAVES_MAX]; /* the statements, for each leaf */
	size_t leaves;
	bool stable;   /* no row changes what these conditions read */
	bool declares; /* a row declares a variable */
	kt_id *gone;   /* the arms' constants and objects, which are not declared any more */
	size_t gones;
	ARRAY(struct unify_shared) shared;
};

/* ---- the functions, find.c ---- */

/* A call in the body of a function that is rewritten. */
struct unify_call {
	struct span at;
	struct callee_call text; /* with defaulted template arguments after the written ones */
	size_t written;
	size_t passed; /* arguments that it writes; arg has the defaults of the others as well */
	struct unify_function *fn; /* NULL: it still calls instances (apart.c) */
	const struct kt_node *node;
};

struct unify_function {
	struct callee c;  /* its leaves are the instances */
	const char **to;  /* per template parameter that differs: the new parameter's name */
	const char *name; /* of the new function */
	struct unify_call *call;
	size_t calls;
	struct unify_function *caller; /* one of its callers; NULL: the arms */
	bool own;	 /* that is another method of its class, for the same object */
	size_t there;	 /* the new function exists already: its end; else 0 */
	struct str text; /* the new function's, with the lines before it */
	size_t outside;	 /* of a class template whose arguments differ: after the class; else 0 */
	struct unify_member *member; /* of that class: the data members that the function uses */
	size_t members;
	bool drops; /* making an object of the class has no effect that the tree does not show */
	struct unify_member *all; /* of the class */
	size_t alls;
	struct unify_declared *local; /* its own variables, in the instances known so far */
	size_t locals;
	struct unify_declared
		*declared; /* its types and constants that the function uses, last first */
	size_t declareds;
};

/* A type or constant that the class declares. */
struct unify_declared {
	struct span head; /* of a constant: what stands before its name, or that of the first */
	struct span text; /* using T = float, K = 2; without the semicolon */
	struct str name;
	struct span of; /* the type or value */
	bool is_type;
	bool in_body; /* the function declares it */
	bool depends; /* a constant, and its value may depend on the class's arguments */
};

/* A data member of an object made for the call, which becomes an argument. */
struct unify_member {
	struct span text; /* its declaration, without the semicolon and initializer */
	struct span type;
	struct str name;
	struct span value;  /* its initializer in the class; end 0: none */
	size_t i;	    /* the object's argument for it; not written: a default one */
	struct str literal; /* not empty: its value, from a default argument or the initializer */
	bool initialized;   /* by its initializer */
};

/* The body of a function that stays a template. */
struct unify_apart {
	kt_id file;
	uint32_t begin;
};

struct unify_rows;

struct unify {
	struct plan *p;
	struct unify_tree tree;
	size_t row;	       /* of the statements of each arm, the one that it is about */
	size_t rows;	       /* how many each arm has; 0: not known yet */
	struct unify_rows *of; /* all of them */
	bool equal;	       /* the row is the same in all arms, and is written once */
	/* not NULL: only the arms' statements are read, into this, one list for each leaf */
	struct match_arm *list;
	struct unify_function *fn[UNIFY_FUNCTIONS_MAX]; /* the first is the arms' function */
	size_t fns;
	bool shared; /* one text for all merges that call the function */
	bool plain;  /* the arms call one instance: only arguments differ */
	struct unify_apart apart[UNIFY_FUNCTIONS_MAX];
	size_t aparts;
	const struct kt_fn *refused; /* the function that the last refusal is about */
};

/* False after a refusal: the arms do more than call a function. */
bool unify_read_tree(struct unify *u, struct callee *c);
/* The text of a template argument of a leaf, or of the constant of its arm that it names. */
struct span unify_resolved(const struct unify *u, const struct callee_leaf *l, struct span targ);
/* "w." for "w.template ", whose keyword only template arguments need. */
struct span unify_object(const struct plan *p, struct span prefix);
/* The variable in front of the merge that the call is for; NULL: it is for something else. */
const struct kt_node *unify_in_front(const struct unify *u, const struct callee_leaf *l);
/* Has that object, at the call, the members that it was made with, and would this expression (NULL:
 * none) give the value again that it gave? */
bool unify_keeps(const struct unify *u, const struct callee_leaf *l, const struct kt_node *value);
/* Removes the declarations of such objects that nothing uses any more. */
void unify_drop_objects(const struct unify *u);
/* rows.c: how many statements have the arms, if each has as many, and what are they? n is 1 also
 * where that is unknown. */
void unify_find_rows(struct unify_rows *out, struct plan *p);
/* Is the row one statement, the same in all arms? */
bool unify_is_equal_row(struct unify *u);
/* Are the expressions of leaf 0 and of another one equal, apart from variables of the rows? */
bool unify_equal(
	const struct unify *u, size_t leaf, const struct kt_node *x, const struct kt_node *y);
/* The text before the name of the variable that a row declares. */
struct str unify_row_head(const struct unify *u, const struct kt_node *stmt);
/* Does a row declare a name that the text has? */
bool unify_names_row(const struct unify *u, struct span at);
/* The variable that a row declares in one arm, by its statement there; NULL: none. */
const struct kt_node *unify_declares(const struct kt_node *stmt);
/* unify.c: the variables of the merge that do not exist where the calls stand. */
void unify_find_arm_locals(const struct unify *u, struct callee *c);
/* After all rows: may they run one after another, each for all arms? */
bool unify_check_rows(const struct unify_rows *rows);
/* The value for template argument i of the row's call: a constant's name, or as unify_value. */
struct str unify_row_value(struct unify *u, size_t i, struct str type);
/* ---- their values, values.c ---- */

/* The expression for template argument i of the arms' calls, of this type; empty after a
 * refusal. */
struct str unify_value(struct unify *u, size_t i, struct str type);
/* The negation of that of a bool. */
struct str unify_opposite(struct unify *u, size_t i);
/* Is it the name of an integer type? */
bool unify_is_integer(struct str type);
/* The same for argument i. */
struct str unify_argument(struct unify *u, size_t i);
/* The condition under which some arm makes the call. */
struct str unify_runs(struct unify *u);
/* Finds the arms' function, and those that it passes its template arguments to. */
bool unify_find_functions(struct unify *u);
/* The clauses about the uses of template parameters in one function. */
bool unify_check_uses(struct unify_function *f);
/* Does a function reach a library function that returns a float? The compiler may fold it
 * differently if an argument is constant. */
bool unify_reaches_library(const struct kt_unit *u, kt_id fn);
/* Does template parameter i become a run-time argument? */
static inline bool unify_is_runtime(const struct unify_function *f, size_t i)
{
	return f->c.pattern.tparam[i].differs;
}
/* Does a text of the function use such a parameter? */
bool unify_names_parameter(const struct unify_function *f, struct span text);
/* The same, or a constant that the function or its class computes from one? */
bool unify_names_runtime(const struct unify_function *f, struct span text);
/* The type of template parameter i, without const. */
static inline struct str unify_type(const struct unify_function *f, size_t i)
{
	const struct callee_tparam *q = &f->c.pattern.tparam[i];
	struct callee_tag tag;
	return q->tag && callee_tag_of(&tag, &f->c, 0, q->tag - 1)
		       ? tag.type
		       : type_without_const(callee_text(&f->c, q->type));
}
/* The first template parameter with the same argument of the new function: i, except that a tag may
 * have a second name. */
static inline size_t unify_first(const struct unify_function *f, size_t i)
{
	const struct callee_tparam *q = f->c.pattern.tparam;
	size_t first = 0;
	while (first < i && (!q[i].tag || q[first].tag != q[i].tag)) {
		first++;
	}
	return first;
}
/* Is parameter i a tag that a run-time argument replaces? */
static inline bool unify_is_tag(const struct unify_function *f, size_t i)
{
	bool is = false;
	for (size_t k = 0; k < f->c.pattern.tparams; k++) {
		is |= unify_is_runtime(f, k) && f->c.pattern.tparam[k].tag == i + 1;
	}
	return is;
}
/* edit.c: the edits, after all checks. */
void unify_write(struct unify_rows *rows);
/* write.c: declares the functions that are not there yet. */
void unify_declare(struct unify *u);
/* The template arguments of a call that are kept, as <...>, or nothing. */
struct str unify_kept_arguments(
	struct plan *p, const struct unify_function *to, const struct callee_call *call);
/* there.c: the end of the function with this text that exists already after a place; 0: none. */
size_t unify_find_there(const struct unify_function *f, struct str part, size_t from);

/* ---- functions of class templates, class.c ---- */

bool unify_read_classes(struct unify *u);
/* own.c: is it a call, in a function that has left its class, of a method for the same object? */
bool unify_is_own_call(const struct unify_function *f, const struct kt_node *n);
/* Reads the call's class arguments: the class's parameters. False: it is not spelled that way. */
bool unify_read_own_call(const struct unify_function *f, struct callee_leaf *l);
/* The names of the methods that the function calls so; returns how many. */
size_t unify_own_names(const struct unify_function *f, struct str **name);
/* Does the function use the member, or a method that it calls for its object? */
bool unify_uses_member(const struct unify_function *f, struct str name);
/* After see_calls: is each word of such a name a call that is rewritten? And does no function
 * change a member that such a method gets as an argument? */
bool unify_check_own(struct unify_function *f);
/* Sorts functions by definition, but each after those that it calls; false: two call each other.
 */
bool unify_sort_functions(struct unify_function **order, size_t n);
/* The object that a call, or its arm, makes is made no more. */
bool unify_check_object(struct callee *c, const struct callee_leaf *l);
/* Moves the function out of its class. */
bool unify_leave_class(struct unify_function *f);
/* Do the objects of all arms have the same values in the members that are used? */
bool unify_check_members(struct unify *u);
/* Does the function, in some instance, declare a variable of this name? */
bool unify_declares_local(const struct callee *c, struct str name);
/* scope.c: reads number i of those that one declaration of the class declares; false: there is
 * none, it is something else, or is not understood. */
bool unify_read_declared(
	struct unify_declared *out, const struct callee *c, struct span at, size_t i);
/* Finds those of these n that the function uses; false after a refusal. */
bool unify_use_declared(struct unify_function *f, const struct unify_declared *all, size_t n);
/* Does the value of number i of f->declared depend on what differs? */
bool unify_varies(const struct unify_function *f, size_t i);
/* May those that depend on what differs be variables of the function? */
bool unify_check_declared(struct unify_function *f);
/* A text of the function's header, with types and numbers in place of their names. */
struct str unify_spelled(const struct unify_function *f, struct span at);
/* Their declarations in the new function, each with a line break and the indentation before it. */
struct str unify_declarations(const struct unify_function *f);
/* The const of a const method, which may stand before the -> of a return type; end 0: none. */
struct lex_token unify_const_word(const struct unify_function *f);
/* The text of the member's value in the first arm. */
struct str unify_member_value(const struct unify_function *f, const struct unify_member *m);
/* The member as a parameter. */
struct str unify_member_text(const struct unify_function *f, const struct unify_member *m);
/* The function's text at the indentation of its class. */
struct str unify_outdented(const struct unify_function *f, struct str text);
/* Is it a lambda without other callers? Then it is rewritten in place, under its name. */
static inline bool unify_is_instead(const struct unify_function *f)
{
	return f->c.pattern.lambda && !f->c.used_elsewhere;
}
/* name.c: names for the new arguments of a function; and for the new function, in the number-th
 * attempt. */
void unify_name_arguments(struct unify_function *f);
/* The new argument's name for the words from k on, or NULL; *end: the end of these words. */
const char *unify_argument_at(const struct unify_function *f, struct lex_token k, size_t *end);
/* A text of the function with the new arguments' names. */
struct str unify_renamed(const struct unify_function *f, struct span at);
void unify_name_function(struct unify_function *f, unsigned number);
/* Can a call have the text of a default: a literal, or an enumerator whose name means the same? */
bool unify_is_writable(const struct unify_function *f, struct span at);
/* Is the word also the name of a class that has a base, or of an alias? What it names may then have
 * the functions of another class of that name. */
bool unify_has_heir(const struct plan *p, struct str word);
/* The base of the name of a function of a class template: class and function. */
struct str unify_name_outside(const struct unify_function *f);

/* ---- functions that stay templates, apart.c ---- */

bool unify_is_apart(const struct unify *u, const struct kt_fn *fn);
/* After a refusal: may its function stay a template? Then the search starts again. */
bool unify_set_apart(struct unify *u);
/* May a call of such a function select between its instances? Else refused. */
bool unify_check_apart(const struct unify_function *f, const struct unify_call *call);
/* The call as a select between the arms' instances. */
struct str unify_apart_text(const struct unify_function *f, const struct unify_call *call);

void unify_plan(struct plan *p, const char *variant);
