#pragma once
/*
 * Names that new declarations get. One that code after the declaration uses for something else
 * would be another program, so what may be used is asked for in the text, in which all views of a
 * file are: no word of the function, be it in another #if, another instantiation's branch or the
 * name of a member; no word of a directive; no macro of whatever else is read, nor a word of one,
 * as it may be used there; nothing that two words of these become where they are joined (##).
 * What other functions of the file call their own is free again.
 */
#include "analysis/pair/pair.h"
#include "strategy/plan/plan.h"

/* Where a name is to be free. */
enum name_place {
	NAME_LOCAL, /* in the function around the plan's subject */
	NAME_BESIDE /* beside functions: in all files that are read */
};
/* The first of these, in order, that is free: the bases after the prefix, the last one with
 * numbers; NULL-terminated. It is this plan's from now on. */
const char *plan_name_of(struct plan *p, const char *const *base);
/* What a name begins with after so many tries with numbers: "", and then another "unphi_" now and
 * then. Macros may make all numbers of a name, but not of every name. */
const char *plan_name_beginning(const struct plan *p, unsigned tries);
bool plan_name_is_free(const struct plan *p, const char *name, enum name_place place);
/* Of a new function: does something else have it, or one that goes into the file as well? */
bool plan_name_is_taken(const struct plan *p, const char *name);
/* Is the text, which has the name, among what goes into the file as well? */
bool plan_is_added(const struct plan *p, struct str text, const char *name);
/* A name for the parameter of a new function that has this text. Where no macro is invoked in it
 * the parameter may hide whatever is no macro. */
const char *plan_name_in(struct plan *p, const char *const *base, struct span text, bool no_macros);
/* May another file have the name, or a macro make it of two words? */
bool plan_named_elsewhere(const struct plan *p, const char *name);
/* Where the function of this name stands, up to what follows it, if nothing can call it:
 * see names.c. end 0: something may. */
struct span plan_uncalled(const struct plan *p, const char *name);
/* Where the one function of this name is defined, in no class; end 0: there is none, or more. */
struct span plan_definition(const struct plan *p, const char *name);
/* Where the last one of this name in a class is defined, in front of an offset; end 0: none. */
struct span plan_method(const struct plan *p, const char *name, size_t end);
/* The name without the prefix that an earlier rewrite gave it. */
const char *plan_name_base(const struct plan *p, const char *name);
