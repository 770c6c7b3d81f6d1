#pragma once
/*
 * Runs clang in place of the hipcc wrapper. Before ROCm 6 hipcc is a perl script that runs clang
 * --version twice, which takes a third of a small kernel's compile time. hipcc prints once the
 * clang command for given options; later compiles run that command with other files. This is done
 * only if clang's own commands (-###) are equal byte for byte with both; in any doubt hipcc
 * compiles.
 */
#include "base/map.h"
#include "measure/measure.h"

/* The clang command that hipcc would run for argv, a compile of job; or argv itself. words: the
 * words of argv that are equal for all texts. known: results so far, zeroed at first; they live in
 * a. */
const char *const *hipcc_command(struct arena *a, struct map *known, const struct measure_job *job,
	const char *const *words, const char *const *argv);

/* Is it ROCm's hipcc, not another script of that name or a launcher? */
bool hipcc_is_rocms(const char *path);

/* Splits a command that hipcc writes for the shell, or clang for -###; NULL if a shell would do
 * more than split it. */
const char *const *hipcc_split(struct arena *a, struct str command);
