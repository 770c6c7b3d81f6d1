#pragma once
/*
 * Can a variable replace an expression: can its type be spelled, and does the code around it use
 * only its value?
 */
#include "strategy/plan/plan.h"

/* The type without const before or after it; for a type that is not a pointer: the object's
 * const. */
struct str type_without_const(struct str type);
/* Can a type of this name be spelled? */
bool type_is_nameable(struct str type);
/* The name by which code at this place of function fn, in the merge's file, finds the type: its
 * own, if the scope that it leaves out is around the place, else the canonical one. NULL: neither.
 */
const char *plan_type_name(const struct plan *p, const struct kt_type *t, kt_id fn, size_t at);
/* Is the plan's merge in a template, or in a method (its class may be a template)? */
bool plan_in_template(const struct plan *p);
/* Does the declaration of sym spell exactly its type in this instance? With T in place of float it
 * does not: another instantiation may have another type. */
bool plan_declares_type(const struct plan *p, kt_id sym);
/* The type of variable sym (or of its referent or elements) for a new declaration: by its name, or
 * as the source spells it (T) if it may differ between instantiations. NULL: it cannot be spelled.
 * Types declared in [begin, end) are not visible at the new declaration. */
const char *plan_written_type(const struct plan *p, kt_id sym, size_t begin, size_t end);

/* Does the code around n use only the value of the object that n names, or of a part of it? depth:
 * calls it was passed through so far. */
bool value_is_taken(const struct kt_unit *u, const struct kt_node *n, unsigned depth);
/* Does the expression have an operator or call whose result is not an integer, bool or pointer? */
bool value_calculates_floats(const struct kt_unit *u, const struct kt_node *e);
/* Could another object with the same value be bound to the parameter? */
bool value_is_all(const struct kt_unit *u, kt_id param, unsigned depth);
/* Is n (or a select or an expression around it) passed to a function whose overload or
 * instantiation depends on more than n's type? */
bool value_selects_function(const struct kt_unit *u, const struct kt_node *n);
