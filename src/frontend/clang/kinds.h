#pragma once
/*
 * Checks that the loaded libclang gives the same numbers to kinds of cursors, types and operators
 * as the headers that unphi was built with. It asks the library for the name of each number in use.
 * A library that means another kind cannot be used. Internal to the frontend.
 */

/* The name of a kind that the loaded library names differently, or NULL. */
const char *kinds_other(void);
