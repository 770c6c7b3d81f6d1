#pragma once
/*
 * Numbers of f32 whose NaNs an instruction makes quiet: max(x, x), 1 * x. Most operations give the
 * same for both kinds of NaNs, so there x stands for it. A minimum, a maximum or a median does not:
 * a signalling NaN that meets a number leaves a NaN, a quiet one leaves the number.
 */
#include "isa/term.h"

/* Is it no signalling NaN, with or without its sign? */
bool term_is_quiet(struct terms *t, term x);
/* x with its NaNs made quiet. */
term term_quiet(struct terms *t, term x);
/* The number that term_quiet made x of; 0: x is none of these. */
term term_made_quiet(const struct terms *t, term x);
/* The same number, whose NaNs may be signalling ones, also in the arms of selects. */
term term_unquiet(struct terms *t, term x);
/* Does a signalling NaN give another number than a quiet one? */
bool term_tells_signals(const struct term_op *op);
