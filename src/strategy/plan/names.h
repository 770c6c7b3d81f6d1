#pragma once
/*
 * Names for new declarations. A name that later code already uses would change the program. So a
 * name is checked against the text, which all views share. It must not be a word of the function,
 * even in another #if branch or as a member's name; a word of a directive; a macro in any file that
 * is read, or a word of one; or a word that ## can form from these. Local names of other functions
 * are free.
 */
#include "analysis/pair/pair.h"
#include "strategy/plan/plan.h"

/* The scope in which a name must be free. */
enum name_place {
	NAME_LOCAL, /* in the function around the plan's subject */
	NAME_BESIDE /* at namespace scope: in all files that are read */
};
/* The first free name of: prefix + each base in turn, then the last base with numbers. base is
 * NULL-terminated. The name is reserved for this plan. */
const char *plan_name_of(struct plan *p, const char *const *base);
/* The prefix after that many tries with numbers: "", later one more "unphi_" now and then. A macro
 * can occupy all numbers of one name, but not of every name. */
const char *plan_name_beginning(const struct plan *p, unsigned tries);
bool plan_name_is_free(const struct plan *p, const char *name, enum name_place place);
/* Is the name of a new function taken, by the files or by other new declarations? */
bool plan_name_is_taken(const struct plan *p, const char *name);
/* Is this text, which declares the name, already among the new declarations? */
bool plan_is_added(const struct plan *p, struct str text, const char *name);
/* A name for a parameter of a new function with this text. If the text invokes no macro, the
 * parameter may hide anything but a macro. */
const char *plan_name_in(struct plan *p, const char *const *base, struct span text, bool no_macros);
/* May another file use the name, or a macro form it with ##? */
bool plan_named_elsewhere(const struct plan *p, const char *name);
/* The text of the function of this name, with the space after it, if nothing can call it: see
 * names.c. end 0: it may be called. */
struct span plan_uncalled(const struct plan *p, const char *name);
/* The same for the class template of this name, if only its own text has the name. */
struct span plan_unnamed_class(const struct plan *p, const char *name);
/* The definition of the only function of this name outside classes; end 0: none, or several. */
struct span plan_definition(const struct plan *p, const char *name);
/* The last definition of a method of this name before an offset; end 0: none. */
struct span plan_method(const struct plan *p, const char *name, size_t end);
/* The name without the prefix that an earlier rewrite gave it. */
const char *plan_name_base(const struct plan *p, const char *name);
/* Does a macro of the user's files have the word in its body, other than as its parameter? */
bool plan_macro_names(const struct plan *p, struct str word);
/* Adds the user's macros that have one of the words in their bodies, also by other macros. */
void plan_add_macros(struct map *words, struct facts *f);
/* Adds the user's macros that stand for a pragma which is for no loop. */
void plan_add_pragmas(struct map *words, struct facts *f);
/* The words by which code may use a name: itself, and the user's macros with it in their bodies,
 * also by other macros. */
void plan_words_of(struct map *out, const struct plan *p, struct str name);
/* Does the range invoke such a macro? */
bool plan_macro_in(const struct plan *p, size_t begin, size_t end, const char *name);
/* May the code of the range use the name in one of these ways? */
bool plan_may_name(const struct plan *p, size_t begin, size_t end, const char *name);
