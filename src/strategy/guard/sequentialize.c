/*
 * sequentialize: alternatives become guarded ifs on a snapshot of the condition, one after the
 * other, with a fence before every if but the first, so that LLVM does not join them again. A
 * one-armed if keeps one copy of the accumulator where if/else keeps two.
 *
 * BEFORE                          AFTER
 *   if (t < tail) {                 const bool taken = t < tail;
 *           step(acc, x);           if (taken) {
 *   } else {                                step(acc, x);
 *           last(acc, x);           }
 *   }                               __builtin_amdgcn_wave_barrier();
 *                                   if (!taken) {
 *                                           last(acc, x);
 *                                   }
 *
 * Legal when
 *  1. it is an if, an else-if chain or a switch, with two arms that do something;
 *  2. no part of its header, braces or labels comes from a macro, no preprocessor directive stands
 *     between its arms, and no #if reaches from one arm into another, even if only for another
 *     target, or stands in a switch;
 *  3. no arm holds a label that can be jumped to from outside;
 *  4. no condition after the first declares a variable (its scope would be lost);
 *  5. switch: no arm falls through, none leaves it but at its end, nothing stands before the first
 *     case, no case inside a block, no variable of an arm is used in a later one, and its value is
 *     no object.
 * By construction: every condition is evaluated once, in its order, and only when reached; an arm
 * runs iff it ran before, on the state it saw before, since no other arm ran; what leaves an arm
 * (return, break, continue) leaves the guarded if as well. Variables declared in the first
 * condition keep their scope in a block. The branch stays as scalar as it was; around matrix
 * operations and barriers a condition that is not proved uniform needs the measurement's word that
 * the compiler kept the skip, so --strategy alone does not rewrite it.
 *
 * Variants: selector (ifs that are all there is in an arm become arms of one selector) and nested
 * (they are rewritten in their place).
 */
#include <string.h>
#include "strategy/guard/guard.h"

void sequentialize_plan(struct plan *p, const char *variant)
{
	struct guard_opts o = {
		.guard = GUARD_FENCE, .nested = true, .flatten = strcmp(variant, "selector") == 0};
	plan_guard_arms(p, p->merge, &o);
}
