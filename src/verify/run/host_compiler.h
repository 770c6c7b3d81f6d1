#pragma once
/* The compiler that builds host programs from kernels. Internal to run/. */
#include "verify/run/build.h"

#define HOST_COMPILER_REMEDY "install clang, or name one with --host-compiler"

/* Sets v->compiler: the user's, that of ROCm, or the newest clang++ of the system. FAIL_USAGE after
 * a message. */
int host_compiler_find(struct verify *v);
