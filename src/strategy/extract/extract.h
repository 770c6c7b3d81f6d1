#pragma once
/*
 * The callee split: a function that the arms call is cut into a narrow part, which stays in the
 * arms, and a wide part, which is called once after the merge. A state struct carries values from
 * one to the other. Shared by extract.c (which calls, and may they move?), class.c and object.c (a
 * method's class and object), needs.h (the needs of the wide part), constants.c and bind.c (which
 * constants may become variables), contract.c and fold.c (multiplies and adds that meet), text.c
 * and spelling.c (the parts of the function's text and of its calls), tag.c (arguments that carry a
 * value in their type), place.c (where the function is defined), edit.c (the edits; write.h has the
 * text of the parts), wrapper.c (may other callers use the parts, too?). Lives in the plan's arena.
 */
#include "strategy/plan/body.h"
#include "strategy/plan/value.h"

/* hoist's clauses from 21 on; the comment of extract.c lists them. */
enum {
	CALLEE_CALLS = 21,
	CALLEE_TEXT,
	CALLEE_LEAVES,
	CALLEE_STORAGE,
	CALLEE_ARGUMENT,
	CALLEE_CONSTANT,
	CALLEE_TYPE,
	CALLEE_SINK,
	CALLEE_UNIFORM,
	CALLEE_CONTRACT,
	CALLEE_GAIN,
	CALLEE_FORM,
};

/* ---- text of the function, text.c ---- */

struct callee_tparam {
	struct span text;
	struct str name;
	bool is_type;
	struct span type;     /* of a value */
	struct span fallback; /* "= default", or empty */
	size_t tag;	      /* 1 + the parameter whose tag argument has the value; 0: none */
	bool differs;	      /* between the arms */
	bool passed;	      /* and the wide part uses it: a variable there */
	bool wide;	      /* stays a parameter of the wide part */
};

struct callee_param {
	struct span text;
	size_t name_at; /* begin of the name */
	struct str name;
	bool narrow; /* the narrow part uses it */
	bool wide;
	bool passed; /* the wide part gets it from the narrow one */
};

/* The class template around the function, if arms call methods of different instances. */
struct callee_class {
	struct span all;  /* template header to closing brace; end 0: no such class */
	struct span body; /* between the braces */
	struct callee_tparam *tparam;
	size_t tparams;
};

struct callee_pattern {
	struct span all;  /* from template or the first word to the closing brace, or the ; of a
			     lambda's declaration */
	struct span head; /* before the name, template header left out */
	struct span name;
	struct str called;   /* the base of the parts' names */
	struct span capture; /* between the brackets of a lambda; begin 0: none */
	struct span header;  /* the template header; end 0: none */
	size_t open;	     /* the ( of the parameters */
	struct span rest;    /* after the parameters, up to the brace */
	struct span result;  /* the return type in head, if a leaf uses the result */
	struct span body;    /* with braces */
	struct callee_tparam *tparam;
	size_t tparams;
	struct callee_param *param;
	size_t params;
	bool lambda;
	kt_id variable;		/* the variable that holds the lambda */
	bool functor;		/* an operator() */
	struct callee_class of; /* the state is declared before it, since the instances share it */
	size_t declare_at; /* for a definition after the merge: its parts' declarations; else 0 */
};

/* A call: PREFIX name <targs> (arg, ...) */
struct callee_call {
	struct span prefix; /* "", "ns::", "op.template "; of a functor the object */
	struct span name;   /* empty: a functor is called as one, op(arg, ...) */
	struct span *targ;
	size_t targs;
	struct span *arg;
	size_t args;
	size_t of_class;     /* the first targs are the class's, by callee_read_class_call */
	struct span *object; /* the arguments of the object that the arm makes for it */
	size_t objects;
};

/* ---- the calls, extract.c ---- */

struct callee_leaf {
	const struct kt_node *stmt; /* the call, or the statement that assigns its result */
	const struct kt_node *call;
	const struct kt_node *result; /* the variable assigned; NULL: no result */
	const struct kt_node *made;   /* the KT_VAR of its arm that is the call's object, or NULL */
	bool chosen;		      /* the call is an operand of a ?: */
	bool given;		      /* stmt is a return of it */
	kt_id fn;
	struct callee_call text;
	struct fx narrow; /* effects of the parts, as the caller sees them */
	struct fx wide;
	struct fx after; /* the code after the call in its arm */
};

/* A member of the state: a value that goes from the narrow part to the wide one. */
struct callee_field {
	const char *name;
	const char *type;  /* of the element, for an array */
	const char *dims;  /* "[4]", or "" */
	bool is_const;	   /* in the wide part */
	bool pointer;	   /* it is a reference: the state holds its address */
	bool copied;	   /* an initialized array: the state has a copy */
	bool zeroed;	   /* an array of zeros: assigned, not copied */
	const char *align; /* the alignment in an array's declaration, or NULL */
	bool is_float;	   /* a float: no branch depends on it */
	bool guard;	   /* the flag for the wide part to run; that part does not read it */
	unsigned width;	   /* VGPRs per lane */
	const struct kt_node *declared; /* a local: its KT_VAR in leaf 0, else NULL */
};

/* A declaration of the narrow part that is repeated in the wide part. */
struct callee_copy {
	size_t stmt;
	bool moved; /* the narrow part does not need it */
};

struct callee {
	struct plan *p;
	const struct merge *m;
	const struct kt_node *from; /* a call in a function other than m's, or NULL */
	struct kt_unit *u;
	struct facts *f;
	struct wide wide;
	struct callee_leaf *leaf;
	size_t leaves;
	const struct kt_node **cond; /* all conditions of the nest */
	size_t conds;
	bool guarded; /* a path has no call: the wide call is under an if */
	struct callee_pattern pattern;
	const struct kt_node *body; /* of leaf 0 */
	size_t cut;		    /* statements before it are narrow */
	bool shared;		    /* one pair of parts for all merges that call the function */
	struct span narrow;	    /* the texts of the parts */
	struct span wide_text;
	struct callee_field *field;
	size_t fields;
	struct callee_copy *copy;
	size_t copies;
	struct span *unconst; /* "constexpr" words removed from the wide part */
	size_t unconsts;
	bool demotes;	      /* local constants may become variables; set by unify */
	struct span *demoted; /* of their declarations, "constexpr" that becomes const, "static" */
	size_t demoteds;
	struct str
		*derived; /* names of the class's constants that become variables; set by unify */
	size_t deriveds;
	struct str
		*varied; /* names of constants that become variables, by callee_check_constants */
	size_t varieds;
	struct span *taken; /* texts that may use a constant without a node in the tree */
	size_t takens;
	bool used_elsewhere;
	kt_id *arm_local; /* variables declared inside the merge; NULL: not searched yet */
	size_t arm_locals;
};

/* The preferred name of the state's type. */
const char *callee_state_name(const struct callee *c);
/* The state's type as the merge can spell it; NULL: it cannot (clause CALLEE_TYPE). */
const char *callee_state_type(const struct callee *c, const char *state);
const struct kt_node *callee_body(const struct callee *c, size_t leaf);
/* Is statement s of the body in the wide part? */
static inline bool callee_is_wide(const struct callee *c, size_t s)
{
	return s >= c->cut;
}
/* The argument for parameter i; NULL: the default. */
const struct kt_node *callee_argument(const struct callee *c, size_t leaf, size_t i);
/* Does a node of the functions come from a macro? */
bool callee_any_macro(const struct callee *c);
/* A static object of the function, which a copy of the function would duplicate; or NULL. */
const struct kt_node *callee_kept_object(const struct callee *c);
/* A bit for each template parameter that differs between arms, over all merges in all views that
 * call the function of leaf 0. */
uint64_t callee_differences(const struct callee *c);
bool callee_names_symbol(const struct callee *c, const struct kt_node *n, struct str name);

/* Clause CALLEE_TEXT. */
bool callee_read_pattern(struct callee *c);
bool callee_refuse_text(struct callee *c, const char *why);
struct str callee_text(const struct callee *c, struct span s);
/* The template header before the function at `at`; end 0: none. */
struct span callee_template_header(struct str t, size_t at);
/* Does unqualified lookup at the merge find names declared beside the function? */
bool callee_names_found(const struct callee *c);
/* Part of callee_read_pattern; fills in used_elsewhere and declare_at. */
bool callee_find_place(struct callee *c);
bool callee_read_call(struct callee *c, struct callee_leaf *l);
/* Reads the template arguments of the class, and the object's arguments: CLASS<...>::f(),
 * CLASS<...>{a}.f() or CLASS<...>{a}(), also with (a); or those of the variable that the arm made,
 * CLASS<...> v{a} or auto v = CLASS<...>{a}. The call's name begins with the class then. */
bool callee_read_class_call(struct callee *c, struct callee_leaf *l);
/* The template parameters in a header that callee_template_header found. */
bool callee_read_tparams(
	struct callee *c, struct span header, struct callee_tparam **out, size_t *n);
/* The text of the variable that a call's result is assigned to; begin 0: none. */
struct span callee_result_text(const struct callee *c, size_t leaf);
/* Is the word used in the range other than as a member's name? */
bool callee_has_word(struct str text, struct span at, struct str word);
/* The same of a node's text. */
bool callee_node_has(const struct callee *c, const struct kt_node *n, const char *word);
/* The name of a declared variable and the extents after it. */
struct span callee_declarator(const struct callee *c, kt_id var);

/* Finds the needs of the wide part, and checks that they can be met: clauses CALLEE_ARGUMENT to
 * CALLEE_TYPE. */
bool callee_find_needs(struct callee *c);
/* Is the offset in one of the texts in taken? */
bool callee_is_taken(const struct callee *c, size_t at);
/* Does the text, or a function that it calls by name, ask whether a value is constant? */
bool callee_asks_if_constant(const struct kt_unit *u, struct str text);
/* Does the code around n test its value, or negate or dereference it? */
bool callee_tests_value(const struct kt_node *n);
/* Is only the value used of what n, in the function, names: read, tested or returned? */
bool callee_reads_value(const struct callee *c, const struct kt_node *n);
/* Part of it: may a constant become a variable? Clause CALLEE_CONSTANT. */
bool callee_check_constants(struct callee *c);

/* ---- tags, arguments that carry a value in their type: tag.c ---- */

struct callee_tag {
	struct str type;  /* of the value: bool, int */
	struct str value; /* true, 3 */
	bool named;	  /* the class is integral_constant: its value is the argument */
};

/* Is the text a decimal number, perhaps negative, that an int holds? */
bool callee_is_short_number(struct str s);
/* Adds the tags to the template parameters, or marks the parameters that a tag is computed from. An
 * added one has no text, and the name of the function's parameter. */
void callee_read_tags(struct callee *c);
/* The tag that a leaf's call passes for this parameter; false: it is not a tag. */
bool callee_tag_of(struct callee_tag *out, const struct callee *c, size_t leaf, size_t param);
/* Does its value differ between the leaves? q->tag is set. */
bool callee_tag_differs(const struct callee *c, const struct callee_tparam *q);
/* The tag that the name denotes in the body, or NULL. The Name in std::bool_constant<Name> is a
 * value, not a tag. */
const struct callee_tparam *callee_tag_named(const struct callee *c, struct str name);
/* The words at begin that may read the value of a tag of this name: name, name(), name{},
 * name.value, name::value, decltype(name)::value; *word: where the name is. end 0: not there. */
struct span callee_tag_form(struct str t, size_t begin, struct str name, size_t *word);
/* 1 + where the name of the tag is, if the node is its value in this instance; else 0. */
size_t callee_tag_use(const struct callee *c, size_t leaf, const struct callee_tparam *q,
	const struct kt_node *n);
/* In this instance, does every use of the name in the node have the tag's value, with no variable
 * of that name? */
bool callee_tag_fits(const struct callee *c, size_t leaf, const struct callee_tparam *q,
	const struct kt_node *n);

/* ---- overloads by the type of a constant, names found at instantiation: bind.c ---- */

/* Why a use of a constant may change its meaning if the constant becomes a variable; NULL: it does
 * not. */
const char *callee_binding(const struct callee *c, const struct kt_node *use);
/* Is the use inside arguments of this file's macros that only calculate with them, and inside no
 * call? */
bool callee_in_plain_macro(const struct callee *c, const struct kt_node *use);
/* In a template, a call whose argument types depend on a template argument finds all declarations
 * before the instantiation; in an ordinary function, only those before the call. Returns the first
 * function that the wide part calls and that is declared after it, or NULL. */
const char *callee_late_name(const struct callee *c);

/* ---- the class and the object of a method: class.c, object.c ---- */

/* Is it a call of a user's operator(), in either spelling? */
bool callee_is_functor(const struct kt_unit *u, const struct kt_node *call);
/* The class of a method, as the tree names it; empty: not a method. */
struct str callee_class_name(const struct kt_fn *fn);
/* The class's own name, without scope and arguments; empty: unnamed. */
struct str callee_class_word(struct str class);
/* Do the arms call it on different classes? */
bool callee_class_differs(const struct callee *c);
/* May the class in pattern.of declare the name, by its text? A mere use counts as well. */
bool callee_class_declares(const struct callee *c, struct str word);
/* If pattern.of is a class: does the text of a type keep its meaning before the class? */
bool callee_may_leave_class(const struct callee *c, struct str text);
/* Fills in pattern.of; false: its spelling is not understood. */
bool callee_read_class(struct callee *c);
/* Would the function mean the same after the class in pattern.of, with the class's template
 * parameters, and these n data members, types and constants of it, as its own? The constants in
 * derived may have other values in other instances. Clauses CALLEE_TEXT and CALLEE_CONSTANT. */
bool callee_stands_outside(struct callee *c, const struct str *member, size_t n,
	const struct str *derived, size_t deriveds);
/* Does a class name the word as a friend? */
bool callee_befriended(const struct callee *c, struct str word);

/* Clause CALLEE_CONTRACT. */
bool callee_check_contract(struct callee *c);
/* May a block boundary before or after the statement separate a multiply from an add in it, or in
 * what it calls? The reason, or NULL. */
const char *callee_cut_in(struct callee *c, const struct kt_node *stmt);
/* fold.c: a product that is added, and that the compiler may compute in an instance of the arms,
 * but not where what differs between them is a variable; NULL: none. */
const struct kt_node *callee_folded(struct callee *c);

/* wrapper.c: for the instances that the leaves call, does the narrow part followed by the wide one
 * equal the function, for every caller and all arguments? */
bool callee_may_wrap(const struct callee *c);

bool callee_edit(struct callee *c, bool fenced);

void callee_plan(struct plan *p, bool fenced);
