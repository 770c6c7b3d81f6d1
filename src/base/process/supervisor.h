#pragma once
/*
 * The whole work of a command in a process of its own, the worker, and beside it the supervisor:
 * libclang crashes on some sources, and what is killed by SIGKILL cannot clean up after itself.
 * Signals are passed on. When the worker is killed, the supervisor ends what it left running; when
 * the supervisor is killed, the worker ends, and all that it runs, as on SIGTERM.
 */

/* What run returns; EXIT_INPUT after a message when it crashed, which names file unless it is NULL.
 * A signal that ends the worker otherwise ends us. Nothing may have been entered for clean-up. */
int supervisor_run(int (*run)(void *user), void *user, const char *file);
/* The same in this process, with the stack that a worker has. */
int supervisor_work(int (*run)(void *user), void *user);
