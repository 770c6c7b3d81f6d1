#pragma once
/*
 * A command does its work in a child process, the worker, beside a supervisor: libclang crashes on
 * some sources, and a process killed by SIGKILL cannot clean up. The supervisor passes signals on.
 * If the worker is killed, the supervisor ends the worker's children. If the supervisor is killed,
 * the worker and its children end as on SIGTERM.
 */

/* Returns what run returns; EXIT_INPUT if it crashed, after a message that names file (or NULL).
 * Another signal that ends the worker also ends this process. The clean-up table must be empty. */
int supervisor_run(int (*run)(void *user), void *user, const char *file);
/* Calls run in this process, with a worker's stack size. */
int supervisor_work(int (*run)(void *user), void *user);
