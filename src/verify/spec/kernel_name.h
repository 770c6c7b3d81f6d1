#pragma once
/*
 * The name of a kernel in a spec, as "ns::tile<4, float>". It becomes part of a C++ program that
 * runs, and the spec may be untrusted. So only a qualified name with template arguments is allowed.
 * An argument is a type or a constant of names, numbers, characters and operators:
 *
 *   name := ["::"] word [args] {"::" word [args]}        args := "<" [argument {"," argument}] ">"
 *
 * Parentheses only group: they may not follow a name, except sizeof and alignof, so nothing is
 * called. No braces, strings, assignments, commas in parentheses, lambdas, comments or line ends.
 */
#include "base/str.h"

/* NULL if valid; else the error, as the end of a sentence. */
const char *kernel_name_wrong(struct str name);
/* The last word, without its template arguments: "tile". */
struct str kernel_name_base(struct str name);
