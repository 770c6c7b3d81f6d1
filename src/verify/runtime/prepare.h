#pragma once
/*
 * Makes a HIP source that the host's preprocessor has gone through into C++ that the wave runner
 * executes:
 *
 *   clang++ -E -x c++ -std=c++17 -I RUNTIME [-D__gfx942__ ...] launcher.cpp > a.ii
 *   verify_prepare(a.ii) > b.ii
 *   clang++ -x c++-cpp-output -std=c++17 VERIFY_KERNEL_FLAGS -c b.ii
 *
 * and, once, each .cpp of the runner:
 *
 *   clang++ -std=c++17 VERIFY_RUNTIME_FLAGS -I RUNTIME -c RUNTIME/wave.cpp
 *
 * launcher.cpp includes the kernel's source and calls unphi::launch(). Lines stay where they were,
 * so messages name the user's files. What is changed, outside of system headers:
 *
 * - launches, k<<<grid, block>>>(arguments), become calls: they compile, nothing calls them
 * - extern __shared__ variables get the name of the runner's dynamic LDS
 * - loops count their iterations, except in constexpr functions; those that only wait mark what
 *   their condition reads as polled (race.h)
 * - inline asm with an empty text (a fence for the compiler) goes; a dense matrix operation becomes
 *   the builtin (asm_model.h); other asm becomes an error at its place
 * - __atomic_ and __sync_ builtins become functions of the runner
 * - __noinline__ becomes an attribute; as a macro it would break libstdc++
 */
#include "base/arena.h"
#include "base/str.h"
#include "base/words.h"

/* Frame pointers and calls as in the source say where a lane is, and the order of the code which of
 * two lanes comes later; a convergent operation must neither be doubled nor merged; nothing may be
 * fused or computed with more bits than on the device (the last: not known to clang 15, which needs
 * it not). */
#define VERIFY_KERNEL_FLAGS                                                                        \
	"-O2", "-w", "-fno-spell-checking", "-ffp-contract=off", "-fno-omit-frame-pointer",        \
		"-fno-optimize-sibling-calls", "-Xclang", "-fconvergent-functions", "-mllvm",      \
		"-disable-block-placement", "-mllvm", "-disable-tail-duplicate", "-mllvm",         \
		"-disable-early-taildup", "-mllvm", "-disable-branch-fold",                        \
		"-fexcess-precision=16"
/* Every access to memory calls what watches it (race.h). The second access to an address in a
 * block of code is not left out, as it may be the one that writes. */
#define VERIFY_WATCH_FLAGS                                                                         \
	"-fsanitize=kernel-address", "-mllvm", "-asan-instrumentation-with-call-threshold=0",      \
		"-mllvm", "-asan-opt=0", "-mllvm", "-asan-stack=0", "-mllvm", "-asan-globals=0",   \
		"-mllvm", "-asan-instrument-atomics=0", "-mllvm",                                  \
		"-asan-kernel-mem-intrinsic-prefix=1"
#define VERIFY_RUNTIME_FLAGS "-O2", "-ffp-contract=off", "-fno-omit-frame-pointer"

/* Appends to out; a is for the edits. choices: the arms of `?:` are marked, too. never_runs: the
 * program only packs arguments, so asm that cannot run goes. kernels, or NULL: gets the names of
 * the user's functions that are declared __global__, without what they are in; in a. */
void verify_prepare(struct sbuf *out, struct arena *a, struct str preprocessed, bool choices,
	bool never_runs, struct words *kernels);
