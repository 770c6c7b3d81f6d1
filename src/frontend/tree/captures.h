#pragma once
/*
 * Lambdas: what a name in the body of one stands for. What is captured by copy, or made in the
 * capture list, is a member of the closure; what is captured by reference belongs to the function
 * around. libclang names neither: the members of the closure's class tell it, which stand where
 * they are captured, and the text of the list. What these leave open is unknown. Internal to the
 * frontend.
 */
#include "frontend/tree/records.h"

typedef ARRAY(CXCursor) name_list;

/* Notes the lambda expression c, which has these children, and appends to `copied` (or NULL) the
 * names of the variables that it copies without a VariableRef. around: the function that c stands
 * in, 0: one of the host. True: it copies *this. */
bool captures_see(struct builder *b, CXCursor c, struct kids kids, kt_id around, name_list *copied);
/* Fills in struct kt_fn's around and owns_this, before the body is converted. */
void captures_enter(struct builder *b, kt_id fn);
/* ref names the variable or structured binding decl, and has its symbol, if there is one. Makes it
 * what the function being converted knows by that name. */
void captures_name(struct builder *b, struct kt_node *ref, CXCursor decl);
