#ifndef UNPHI_MEASURE_ISA_LOOPS_H
#define UNPHI_MEASURE_ISA_LOOPS_H
/*
 * How many loops are around each instruction, by the jumps themselves: the comments that LLVM
 * writes leave out loops with a second way in, and disassembly has none.
 */
#include "measure/isa/text.h"

/* Sets depth of each instruction. Where a jump leads nowhere that is known, what the comments said
 * stays. */
void isa_loops_find(struct isa_function *f);
#endif
