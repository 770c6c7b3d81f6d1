#pragma once
/*
 * The callee split, as its files hand it to each other: extract.c (which calls, may they move?),
 * class.c and object.c (what a method is called for), needs.h (what the wide part needs),
 * constants.c and bind.c (what may vary?), contract.c (which multiplies and adds meet?), text.c
 * (where the parts of the function's text are), tag.c (arguments that are there for a value in
 * their type), place.c (where it stands), edit.c (the edits; write.h has the text of the parts),
 * wrapper.c (may others call them as well?). Lives in the plan's arena.
 */
#include "strategy/plan/body.h"
#include "strategy/plan/value.h"

/* hoist's clauses from 21 on; extract.c says them in words. */
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
	size_t tag;	      /* 1 + the parameter whose argument brings the value; 0: none does */
	bool differs;	      /* between the arms */
	bool handed;	      /* and the wide part uses it: it becomes a variable there */
	bool wide;	      /* stays a parameter of the wide part */
};

struct callee_param {
	struct span text;
	size_t name_at; /* begin of the name */
	struct str name;
	bool narrow; /* the narrow part uses it */
	bool wide;
	bool handed; /* the wide part gets it from the narrow one */
};

/* The class template around the function, where some arm calls another instance's. */
struct callee_class {
	struct span all;  /* from its template header to its closing brace; end 0: not so */
	struct span body; /* between the braces */
	struct callee_tparam *tparam;
	size_t tparams;
};

struct callee_pattern {
	struct span all;  /* from template or the first word to the closing brace, or the ; of a
			     lambda's declaration */
	struct span head; /* before the name, template header left out */
	struct span name;
	struct str called;   /* what the names of the parts begin with */
	struct span capture; /* between the brackets of a lambda; begin 0: none */
	struct span header;  /* <...> after them; end 0: none */
	size_t open;	     /* the ( of the parameters */
	struct span rest;    /* after the parameters, up to the brace */
	struct span result;  /* the type of what it gives, in head; where a leaf takes that */
	struct span body;    /* with braces */
	struct callee_tparam *tparam;
	size_t tparams;
	struct callee_param *param;
	size_t params;
	bool lambda;
	kt_id variable;		/* that holds it */
	bool functor;		/* an operator() */
	struct callee_class of; /* the state stands in front of it, as the instances share it */
	size_t declare_at; /* it is defined after the merge: its parts are declared here; else 0 */
};

/* A call: PREFIX name <targs> (arg, ...) */
struct callee_call {
	struct span prefix; /* "", "ns::", "op.template "; of a functor the object */
	struct span name;   /* empty: a functor is called as one, op(arg, ...) */
	struct span *targ;
	size_t targs;
	struct span *arg;
	size_t args;
};

/* ---- the calls, extract.c ---- */

struct callee_leaf {
	const struct kt_node *stmt; /* the call, or what assigns its result */
	const struct kt_node *call;
	const struct kt_node *result; /* what takes it; NULL: the function gives none */
	bool chosen;		      /* by a ?:, whose value stmt is or assigns */
	bool given;		      /* stmt is a return, which gives it */
	kt_id fn;
	struct callee_call text;
	struct fx narrow; /* effects of the parts, as the caller sees them */
	struct fx wide;
	struct fx after; /* what stands after the call in its arms */
};

/* What goes from the narrow part to the wide one: a member of the state. */
struct callee_field {
	const char *name;
	const char *type;		/* of the element, for an array */
	const char *dims;		/* "[4]", or "" */
	bool is_const;			/* in the wide part */
	bool pointer;			/* it is a reference: the state holds its address */
	bool copied;			/* an array with values: the state has a copy */
	bool zeroed;			/* all of them zero: they are assigned */
	const char *align;		/* of an array, as its declaration asks for it, or NULL */
	bool is_float;			/* it decides no branch */
	bool guard;			/* whether the wide part runs: not for that part itself */
	unsigned width;			/* VGPRs per lane */
	const struct kt_node *declared; /* a local: its KT_VAR in leaf 0, else NULL */
};

/* A declaration of the narrow part that the wide part has as well. */
struct callee_copy {
	size_t stmt;
	bool moved; /* the narrow part does without */
};

struct callee {
	struct plan *p;
	const struct merge *m;
	const struct kt_node *from; /* a call in another function than that of m, or NULL */
	struct kt_unit *u;
	struct facts *f;
	struct wide wide;
	struct callee_leaf *leaf;
	size_t leaves;
	const struct kt_node **cond; /* all conditions of the nest */
	size_t conds;
	bool guarded; /* a path has no call: the wide one stands under an if */
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
	struct span *unconst; /* "constexpr" words that go from the wide part */
	size_t unconsts;
	struct str
		*varied; /* names of constants that become variables, by callee_check_constants */
	size_t varieds;
	struct span *taken; /* texts in which a constant may stand whatever the tree shows */
	size_t takens;
	bool used_elsewhere;
	kt_id *arm_local; /* what is declared inside the merge; NULL: not looked for yet */
	size_t arm_locals;
};

/* The name that the state of the function's parts has, if it is free. */
const char *callee_state_name(const struct callee *c);
/* The state's type, of that name, as the merge can write it; NULL: it cannot (clause
 * CALLEE_TYPE). */
const char *callee_state_type(const struct callee *c, const char *state);
const struct kt_node *callee_body(const struct callee *c, size_t leaf);
/* Is statement s of the body in the wide part? */
static inline bool callee_is_wide(const struct callee *c, size_t s)
{
	return s >= c->cut;
}
/* What a call gives for parameter i; NULL: its default. */
const struct kt_node *callee_argument(const struct callee *c, size_t leaf, size_t i);
/* Does a node of the functions come from a macro? */
bool callee_any_macro(const struct callee *c);
/* An object of its own that a copy of the function would have another one of, or NULL. */
const struct kt_node *callee_kept_object(const struct callee *c);
/* A bit for each template parameter that differs between the arms of some merge of some view that
 * calls the function of leaf 0. */
uint64_t callee_differences(const struct callee *c);
bool callee_names_symbol(const struct callee *c, const struct kt_node *n, struct str name);

/* Clause CALLEE_TEXT. */
bool callee_read_pattern(struct callee *c);
bool callee_refuse_text(struct callee *c, const char *why);
struct str callee_text(const struct callee *c, struct span s);
/* The template header that ends where a function begins; end 0: there is none. */
struct span callee_template_header(struct str t, size_t at);
/* Are names declared beside the function found at the merge as they are? */
bool callee_names_found(const struct callee *c);
/* Part of callee_read_pattern; fills in used_elsewhere and declare_at. */
bool callee_find_place(struct callee *c);
bool callee_read_call(struct callee *c, struct callee_leaf *l);
/* The template parameters in a header that callee_template_header found. */
bool callee_read_tparams(
	struct callee *c, struct span header, struct callee_tparam **out, size_t *n);
/* What takes the result of a call, as text: begin 0 if nothing does. */
struct span callee_result_text(const struct callee *c, size_t leaf);
/* Is the word used in [begin, end), not as a member's name? */
bool callee_has_word(struct str text, struct span at, struct str word);
/* The same of a node's text. */
bool callee_node_has(const struct callee *c, const struct kt_node *n, const char *word);
/* The name of a declared variable and the extents after it. */
struct span callee_declarator(const struct callee *c, kt_id var);

/* What the wide part needs, and whether it can be had: clauses CALLEE_ARGUMENT to CALLEE_TYPE. */
bool callee_find_needs(struct callee *c);
/* Part of it: may what was a constant become a variable? Clause CALLEE_CONSTANT. */
bool callee_check_constants(struct callee *c);

/* ---- arguments that are there for a value in their type: tag.c ---- */

struct callee_tag {
	struct str type;  /* of the value: bool, int */
	struct str value; /* true, 3 */
	bool named;	  /* the class is called integral_constant: its value is that argument */
};

/* Is the text a decimal number, perhaps negative, that an int holds? */
bool callee_is_short_number(struct str s);
/* Adds them to the template parameters, or to those that they are made of. An added one has no
 * text, and the name of the parameter. */
void callee_read_tags(struct callee *c);
/* What the call of a leaf gives for this parameter; false: it is no tag. */
bool callee_tag_of(struct callee_tag *out, const struct callee *c, size_t leaf, size_t param);
/* Does its value differ between the leaves? q->tag is set. */
bool callee_tag_differs(const struct callee *c, const struct callee_tparam *q);
/* The tag that the name stands for in the body, or NULL. A value may have a name of its own, as in
 * std::bool_constant<Name>: that is none. */
const struct callee_tparam *callee_tag_named(const struct callee *c, struct str name);
/* The words at begin that may ask a tag of this name for its value: name, name(), name{},
 * name.value, name::value, decltype(name)::value; *word: where the name is. end 0: not there. */
struct span callee_tag_form(struct str t, size_t begin, struct str name, size_t *word);
/* 1 + where the name of the tag is, if the node is its value in this instance; else 0. */
size_t callee_tag_use(const struct callee *c, size_t leaf, const struct callee_tparam *q,
	const struct kt_node *n);
/* Does nothing in the node contradict that the name stands for the tag's value in this instance: no
 * use that gives another one, no variable of that name? */
bool callee_tag_fits(const struct callee *c, size_t leaf, const struct callee_tparam *q,
	const struct kt_node *n);

/* ---- what the type of a constant decides, and what only a template finds: bind.c ---- */

/* Why a use of a constant may mean something else once that is a variable; NULL: it does not. */
const char *callee_binding(const struct callee *c, const struct kt_node *use);
/* Is the use an argument of macros of this file, and of no call, which do no more than to calculate
 * with their arguments? */
bool callee_in_plain_macro(const struct callee *c, const struct kt_node *use);
/* Does a macro of the user's name the word? */
bool callee_macro_names(const struct callee *c, struct str word);
/* A call whose arguments' types depend on a template argument finds what is declared before the
 * template is instantiated; in a function that is no template, what is declared before that. The
 * first function that the wide part calls and that is declared after it, or NULL. */
const char *callee_late_name(const struct callee *c);

/* ---- what a function is called for: class.c, object.c ---- */

/* Is it a call of an operator() that somebody wrote, however it is spelled? */
bool callee_is_functor(const struct kt_unit *u, const struct kt_node *call);
/* The class of a method, as the tree names it; empty: it is none. */
struct str callee_class_name(const struct kt_fn *fn);
/* Its own name, without scope and arguments; empty: it has none. */
struct str callee_class_word(struct str class);
/* Do some arms call it for another class than others do? */
bool callee_class_differs(const struct callee *c);
/* Does the class in pattern.of declare the name, as far as its text tells? What it may only use
 * counts, too. */
bool callee_class_declares(const struct callee *c, struct str word);
/* May the text of a type stand in front of the class, where pattern.of is one? */
bool callee_may_leave_class(const struct callee *c, struct str text);
/* Fills in pattern.of; false: it is not spelled in a plain way. */
bool callee_read_class(struct callee *c);

/* Clause CALLEE_CONTRACT. */
bool callee_check_contract(struct callee *c);

/* wrapper.c: is the function the same as its narrow part and then its wide one, whoever calls it
 * with whatever? Of the instances that the leaves call. */
bool callee_may_wrap(const struct callee *c);

bool callee_edit(struct callee *c, bool fenced);

void callee_plan(struct plan *p, bool fenced);
