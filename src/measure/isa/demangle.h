#pragma once
/*
 * Kernel names for people. demangle_plain needs no tool and reads only the names in a symbol;
 * demangle_measurements asks c++filt or llvm-cxxfilt once for many symbols.
 */
#include "measure/measure.h"

/* "_ZN3foo1kILi4EEEvPf" -> "foo::k<...>"; another symbol is returned as it is. */
const char *demangle_plain(struct arena *a, struct str symbol);

/* "void foo::k<4>(float*)" -> "foo::k<4>": without return type and parameters. */
struct str demangle_strip(struct str name);

/* Sets the name of every kernel of n measurements; without a tool the names are not changed. */
void demangle_measurements(struct measurement *const *m, size_t n, struct arena *a);
