#pragma once
/*
 * Values and what can stand for them: may its type be written down, and does the code around an
 * expression take nothing but its value?
 */
#include "strategy/plan/plan.h"

/* Without const in front of it or after it: of a type that is no pointer, that of the object. */
struct str type_without_const(struct str type);
/* Can a type of this name be written down? */
bool type_is_nameable(struct str type);
/* Is the plan's merge in a template, or in a method, whose class may be one? */
bool plan_in_template(const struct plan *p);
/* Does the declaration of sym spell the very type that it has here? With T in place of float it
 * does not, and in another instantiation it would be another. */
bool plan_declares_type(const struct plan *p, kt_id sym);
/* The type of the variable sym, or of what it refers to, or of its elements, as a declaration
 * can write it: by its name, and in a template where that may be another elsewhere as the source
 * spells it (T). NULL: it cannot be written. What is declared as a type in [begin, end) is not
 * seen where it is to stand. */
const char *plan_written_type(const struct plan *p, kt_id sym, size_t begin, size_t end);

/* Is nothing but the value of the object that n names, or of a part of it, taken there? depth:
 * calls that passed it on so far. */
bool value_is_taken(const struct kt_unit *u, const struct kt_node *n, unsigned depth);
/* Could another object with the same value be bound to the parameter? */
bool value_is_all(const struct kt_unit *u, kt_id param, unsigned depth);
/* Is n, or what it is chosen for or a part of, given to a function of whose overloads or
 * instantiations more than its type says which is meant? */
bool value_selects_function(const struct kt_unit *u, const struct kt_node *n);
