#pragma once
/*
 * f32 numbers whose NaNs an instruction made quiet: max(x, x), 1 * x. Most operations treat quiet
 * and signalling NaNs alike, so x may replace max(x, x) as their source. A minimum, maximum or
 * median does not: of a signalling NaN and a number it returns a NaN, of a quiet NaN and a number
 * the number.
 */
#include "isa/term.h"

/* Can x, with or without its sign, never be a signalling NaN? */
bool term_is_quiet(struct terms *t, term x);
/* x with its NaNs made quiet. */
term term_quiet(struct terms *t, term x);
/* The number from which term_quiet made x; 0: term_quiet did not make it. */
term term_made_quiet(const struct terms *t, term x);
/* Undoes term_quiet, also in the arms of selects. */
term term_unquiet(struct terms *t, term x);
/* Is the result for a signalling NaN different from that for a quiet one? */
bool term_op_sees_snan(const struct term_op *op);
