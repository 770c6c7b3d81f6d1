#pragma once
/*
 * The meaning of names in the bodies of lambdas. A capture by copy, or one defined in the capture
 * list, is a member of the closure; a capture by reference is the variable of the function around.
 * libclang shows neither. They are derived from the members of the closure's class, whose places
 * are those of the captures, and from the text of the list. All else is unknown. Internal to the
 * frontend.
 */
#include "frontend/tree/records.h"

typedef ARRAY(CXCursor) name_list;

/* Records the lambda expression c, which has these children. Appends to `copied` (or NULL) the
 * variables that it copies without a VariableRef. around: the function with c, 0: a host function.
 * Returns whether it copies *this. */
bool captures_see(struct builder *b, CXCursor c, struct kids kids, kt_id around, name_list *copied);
/* Sets around and owns_this of struct kt_fn; call it before the body is converted. */
void captures_enter(struct builder *b, kt_id fn);
/* ref names the variable or structured binding decl, and has its symbol, if any. Replaces it by
 * what that name means in the function being converted. */
void captures_name(struct builder *b, struct kt_node *ref, CXCursor decl);
