#pragma once
/*
 * rewrite -p BUILD [PATH...]: the files of a compile database, each in a process of its own, then
 * the headers that several of them include, then one table and one diff. A file that the database
 * compiles several times is worked on once, and an edit has to be right in all of these compiles.
 */
#include "cli/cli.h"

/* Is the work on all that a database compiles, and not on one file of it? */
bool cli_is_project(const struct cli_opts *o);
/* The exit code. */
int cli_rewrite_project(const struct cli_opts *o);
