#pragma once
/*
 * The whole work of a command in a process of its own, and beside it one that keeps watch: libclang
 * crashes on some sources, and what is killed by SIGKILL cannot clean up after itself. Signals are
 * passed on. When the worker is killed, the keeper ends what it left running; when the keeper is,
 * the worker ends, and all that it runs, as on SIGTERM.
 */

/* What run returns; EXIT_INPUT after a message when it crashed, which names file unless it is NULL.
 * A signal that ends the worker otherwise ends us. Nothing may have been entered for clean-up. */
int keeper_run(int (*run)(void *user), void *user, const char *file);
