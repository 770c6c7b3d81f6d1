#pragma once
/*
 * Finds the user's device compiler and its properties. The search order: the given path
 * (--compiler), UNPHI_COMPILER, hipcc if it knows the target, clang++ (19 first, then newest) with
 * -x hip. Also searched: $ROCM_PATH/bin, $ROCM_PATH/llvm/bin, $HIP_PATH/bin, /opt/rocm/.... Device
 * libraries are always linked; if the installation lacks oclc_isa_version_NNN.bc for a target,
 * unphi uses a directory of links and makes that file with llvm-as.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

struct compiler {
	const char *path;    /* full path of the executable */
	bool hipcc;	     /* the hipcc wrapper (perl or binary); else a clang */
	const char *version; /* first line of --version that names clang: "Debian clang
				version 15.0.6" */
	unsigned major;	     /* clang's major version; 0 unknown */
	/* options that this compiler needs for the target (-x hip, --rocm-device-lib-path=DIR),
	 * NULL-terminated */
	const char *const *extra;
	const char *target; /* the target it was found for */
	/* words in front of whole compiles (ccache, icecc), NULL-terminated; or NULL */
	const char *const *launcher;
	/* identifies it in cache keys: paths, sizes and times of all its parts, and the
	 * environment; NULL: unknown, or no caching */
	const char *identity;
};

/* Time limit in seconds for --version and the like. Tests set it lower. */
extern double compiler_answers_in_s;

/* The first compiler in the search order (wanted, UNPHI_COMPILER, ...); a full path in a, or NULL.
 * It may not support every target. */
const char *compiler_usual(struct arena *a, const char *wanted);

/* clang's major version from --version or -v output; 0: unknown. */
unsigned compiler_major(struct str said);

/* For people: "hipcc (clang 15)". */
void compiler_name(struct sbuf *out, const struct compiler *c);

/* The compiler for target. FAIL_USAGE (no compiler at all; names the remedy) or FAIL_INPUT (no
 * installed compiler supports the target; names those tried). wanted: --compiler's value or NULL.
 * no_cache: ignore cached properties. */
int compiler_find(struct compiler *out, struct arena *a, const char *wanted, const char *target,
	bool no_cache);

/* Appends stamps of a program and of its parts: clang's libraries, hipcc's scripts. False, and out
 * unchanged, for a script that may run anything. */
bool compiler_add_program(struct sbuf *out, struct arena *a, const char *path);

/* The same for LLVM's libraries in the system's library directories. */
void compiler_add_libraries(struct sbuf *out, struct arena *a, unsigned major);

/* The targets of the GPUs in this machine ("native"), from amdgpu-arch, else rocm_agent_enumerator;
 * returns their number. The stderr of these tools is not shown. */
size_t compiler_native_find(const char ***targets, struct arena *a);
