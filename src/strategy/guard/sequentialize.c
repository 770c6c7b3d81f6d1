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
 *  1. it is an if, an else-if chain or a switch, with at least two nonempty arms;
 *  2. no part of its header, braces or labels comes from a macro, no preprocessor directive is
 *     between its arms, and no #if reaches from one arm into another or is in a switch, even if
 *     only for another target;
 *  3. no arm holds a label that can be jumped to from outside;
 *  4. no condition after the first declares a variable (its scope would be lost);
 *  5. switch: no arm falls through or breaks before its end, no code is before the first case, no
 *     case is inside a block, no variable of an arm is used in a later one, its operand is not an
 *     object, and no operator== and the like takes its type.
 * By construction: every condition is evaluated once, in order, and only when reached; an arm runs
 * iff it ran before, on the same state, since no other arm ran; return, break and continue leave
 * the guarded if as they left the arm. Variables declared in the first
 * condition keep their scope in a block. A scalar branch stays scalar. If a condition around matrix
 * operations or barriers is not proved uniform, a measurement must show that the compiler keeps the
 * branch around them, so --strategy alone does not rewrite it.
 *
 * Variants: selector (ifs that are whole arms become arms of one selector) and nested (they are
 * rewritten in place).
 */
#include <string.h>
#include "strategy/guard/guard.h"

void sequentialize_plan(struct plan *p, const char *variant)
{
	struct guard_opts o = {
		.guard = GUARD_FENCE, .nested = true, .flatten = strcmp(variant, "selector") == 0};
	plan_guard_arms(p, p->merge, &o);
}
