#pragma once
/*
 * The search for the needs of a function's wide part: uses of a name (uses.c), types that can be
 * spelled (types.c), locals of the narrow part (locals.c), parameters of the function and of its
 * template (params.c).
 */
#include "strategy/extract/spelling.h"

typedef ARRAY(struct callee_field) field_array;
typedef ARRAY(struct callee_copy) copy_array;

struct needs {
	struct callee *c;
	span_array piece; /* text of the wide part: its statements and the copies */
	field_array fields;
	copy_array copies;
	struct fx *narrow; /* per leaf: effects of the narrow part, in the callee's terms */
	struct fx *wide;
	bool macros; /* some node of the functions comes from a macro */
};

bool needs_refuse(struct needs *n, unsigned clause, const char *why, struct str what);
struct str needs_text(const struct needs *n, struct span s);
const struct kt_node *needs_stmt(const struct needs *n, size_t leaf, size_t s);
/* Does the narrow part use the name, not counting statement own (SIZE_MAX: count all)? */
bool needs_narrow_uses(struct needs *n, struct str name, size_t own);
/* Does the wide part use the name? */
bool needs_wide_uses(struct needs *n, struct str name);
/* Does any of it come from a macro? The macro may use a name for which the tree shows only the
 * value. */
bool needs_wide_has_macro(const struct needs *n);

/* The keywords after which a type is named or declared; NULL-terminated. */
extern const char *const needs_type_words[];
/* Is it trivially copyable? */
bool needs_plain_type(const struct kt_type *t);
/* Does the text contain a name that is local to the function? */
bool needs_names_own(struct callee *c, struct str s);
/* Fills type, dims and width of a field for an object of this type. */
bool needs_field_type(struct needs *n, struct callee_field *f, kt_id type, kt_id sym);

/* Is the variable declared inside the merge? */
bool callee_in_merge(const struct callee *c, kt_id sym);
/* Does the set hold a variable of function fn or of an arm? */
bool needs_dies(const struct callee *c, const struct locset *s, kt_id fn);
/* May the value of a variable of the function point to one that dies before the wide part? */
bool needs_points_to_dead(struct needs *n, size_t leaf, kt_id sym);
bool needs_all_shared(struct needs *n, size_t leaf, const struct locset *s);

/* May the wide part be called where the merge ends, for the object that the arms name? */
bool needs_check_object(struct needs *n);
/* Of a class that differs between the arms: does the wide part mean the same in each? */
bool needs_check_class(struct needs *n);
/* Is the result assigned to the same object in all arms, and after them? */
bool needs_check_result(struct needs *n);
bool needs_same_tokens(struct str t, struct span x, struct span y);
/* Does the text name a variable declared inside the merge? */
bool needs_names_arm_local(struct callee *c, struct span s);
/* Does k evaluate after the merge to the same value as in the arm? place: to the same object. */
bool needs_same_after(struct callee *c, size_t leaf, const struct kt_node *k, bool place);
bool needs_locals(struct needs *n);
bool needs_params(struct needs *n);
bool needs_tparams(struct needs *n);
/* Does template argument i differ between the arms? */
bool callee_argument_differs(const struct callee *c, size_t i);
/* Does argument i of the class differ? */
bool callee_class_argument_differs(const struct callee *c, size_t i);
