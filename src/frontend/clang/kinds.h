#pragma once
/*
 * Kinds of cursors, types and operators are numbers in libclang's headers, and the library that is
 * loaded need not be the one of the headers that we were built with. It is asked what it calls
 * each number that we use: where it means another kind, it cannot be used. Internal to the
 * frontend.
 */

/* The name of a kind that the loaded library calls otherwise, or NULL. */
const char *kinds_other(void);
