#pragma once
/*
 * The name of a kernel in a spec, as "ns::tile<4, float>". It becomes a part of a C++ program that
 * is run, and a spec may be a stranger's: so it is a qualified name with template arguments, and
 * nothing else. An argument is a type or a constant of names, numbers, characters and operators:
 *
 *   name := ["::"] word [args] {"::" word [args]}        args := "<" [argument {"," argument}] ">"
 *
 * Parentheses group; they follow no name, so nothing is called but sizeof and alignof. No braces,
 * strings, assignments, commas in parentheses, lambdas, comments or line ends.
 */
#include "base/str.h"

/* NULL, or what is wrong with it as the end of a sentence. */
const char *kernel_name_wrong(struct str name);
/* The last word, without its template arguments: "tile". */
struct str kernel_name_base(struct str name);
