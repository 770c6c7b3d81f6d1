#pragma once
/*
 * The command that hipcc runs: it is a wrapper, before ROCm 6 a perl script that asks clang twice
 * what it is, a third of the time that a small kernel takes to compile. Asked once for some words,
 * it says what command it makes of them; from then on clang is run by that command, with other
 * files. This is done only where clang, asked for its own commands (-###), says to that command
 * byte for byte what it says to hipcc; whatever else there is to doubt leaves the compile to hipcc.
 */
#include "base/map.h"
#include "measure/measure.h"

/* argv, a compile of job by hipcc, as the command that hipcc would run; or argv as it is. words: of
 * argv those that do not change from text to text. known: answers so far, zeroed at first; they
 * live in a. */
const char *const *hipcc_command(struct arena *a, struct map *known, const struct measure_job *job,
	const char *const *words, const char *const *argv);

/* The words of a command, as hipcc writes one for the shell and clang to -###; NULL where a shell
 * would do more than to split it. */
const char *const *hipcc_split(struct arena *a, struct str command);
