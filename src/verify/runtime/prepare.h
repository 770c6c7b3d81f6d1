#pragma once
/*
 * Turns a preprocessed HIP source into C++ that the wave runner executes:
 *
 *   clang++ -E -x c++ -std=c++17 -I RUNTIME [-D__gfx942__ ...] launcher.cpp > a.ii
 *   verify_prepare(a.ii) > b.ii
 *   clang++ -x c++-cpp-output -std=c++17 VERIFY_KERNEL_FLAGS -c b.ii
 *
 * and, once, each .cpp of the runner:
 *
 *   clang++ -std=c++17 VERIFY_RUNTIME_FLAGS -I RUNTIME -c RUNTIME/wave.cpp
 *
 * launcher.cpp includes the kernel's source and calls unphi::launch(). Line numbers are kept, so
 * messages name the user's files. The changes, outside system headers:
 *
 * - launches, k<<<grid, block>>>(arguments), become calls: they compile, but never run
 * - extern __shared__ variables get the name of the runner's dynamic LDS
 * - loops count their iterations, except in constexpr functions and if a switch jumps into them;
 *   those that only wait mark what their condition reads as polled (race.h)
 * - inline asm with an empty text (a fence for the compiler) is removed; a dense matrix operation
 *   becomes the builtin (asm_model.h); other asm becomes an error at its place
 * - __atomic_ and __sync_ builtins become functions of the runner
 * - __noinline__ becomes an attribute; as a macro it would break libstdc++
 */
#include "base/arena.h"
#include "base/str.h"
#include "base/words.h"

/* Flags: keep frame pointers, calls and code order, from which the runner reads where a lane is and
 * which of two lanes is later; do not duplicate or merge convergent operations; do not contract or
 * use excess precision (clang 15 does not know the last flag, and does not need it). */
#define VERIFY_KERNEL_FLAGS                                                                        \
	"-O2", "-w", "-fno-spell-checking", "-ffp-contract=off", "-fno-omit-frame-pointer",        \
		"-fno-optimize-sibling-calls", "-Xclang", "-fconvergent-functions", "-mllvm",      \
		"-disable-block-placement", "-mllvm", "-disable-tail-duplicate", "-mllvm",         \
		"-disable-early-taildup", "-mllvm", "-disable-branch-fold",                        \
		"-fexcess-precision=16"
/* Every memory access calls the race checker (race.h), also the second access to an address in a
 * basic block, since only that one may write. */
#define VERIFY_WATCH_FLAGS                                                                         \
	"-fsanitize=kernel-address", "-mllvm", "-asan-instrumentation-with-call-threshold=0",      \
		"-mllvm", "-asan-opt=0", "-mllvm", "-asan-stack=0", "-mllvm", "-asan-globals=0",   \
		"-mllvm", "-asan-instrument-atomics=0", "-mllvm",                                  \
		"-asan-kernel-mem-intrinsic-prefix=1"
#define VERIFY_RUNTIME_FLAGS "-O2", "-ffp-contract=off", "-fno-omit-frame-pointer"

/* Appends to out; a is for the edits. choices: also marks the arms of `?:`. never_runs: the program
 * only packs arguments, so unsupported asm is removed. kernels, or NULL: gets the unqualified names
 * of the user's __global__ functions, in a. */
void verify_prepare(struct sbuf *out, struct arena *a, struct str preprocessed, bool choices,
	bool never_runs, struct words *kernels);
