#pragma once
/*
 * rewrite -p BUILD [PATH...]: rewrites the files of a compile database, each in a process of its
 * own, then the headers that several of them include, and prints one table and one diff. A file
 * that the database compiles several times is rewritten once, and an edit has to be right in all of
 * these compiles.
 */
#include "cli/cli.h"

/* Does rewrite work on a whole database, not on one file of it? */
bool cli_is_project(const struct cli_opts *o);
/* The exit code. */
int cli_rewrite_project(const struct cli_opts *o);
