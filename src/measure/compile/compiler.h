#pragma once
/*
 * The user's device compiler: found, asked what it knows, and run. Order: the given path
 * (--compiler), UNPHI_COMPILER, hipcc if it knows the target, clang++ (19 first, then newest) with
 * -x hip. Also searched: $ROCM_PATH/bin, $ROCM_PATH/llvm/bin, $HIP_PATH/bin, /opt/rocm/....
 * Device libraries are always linked; where the installation lacks oclc_isa_version_NNN.bc for a
 * target, a directory of links with that one file made (through llvm-as) stands in.
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
	/* -x hip, --rocm-device-lib-path=DIR and the like: what must be added for this compiler and
	 * target, NULL-terminated */
	const char *const *extra;
	const char *target; /* the target it was found for */
	/* words in front of whole compiles (ccache, icecc), NULL-terminated; or NULL */
	const char *const *launcher;
	/* names it in keys: paths, sizes and times of all that it consists of, and the environment;
	 * NULL where that cannot be told, or nothing is to be kept */
	const char *identity;
};

/* How long it may take to say what it is. Tests allow less. */
extern double compiler_answers_in_s;

/* What is asked first: wanted, UNPHI_COMPILER, or the first here; a full path in a, or NULL.
 * It may not know every target. */
const char *compiler_usual(struct arena *a, const char *wanted);

/* Which clang it is, by what it says to --version or -v; 0: it does not say. */
unsigned compiler_major(struct str said);

/* For people: "hipcc (clang 15)". */
void compiler_name(struct sbuf *out, const struct compiler *c);

/* The compiler for target. FAIL_USAGE (no compiler at all; names the remedy) or FAIL_INPUT
 * (compilers are here, none knows the target; names what was tried). wanted: --compiler's value or
 * NULL. What it answered before is asked only with no_cache. */
int compiler_find(struct compiler *out, struct arena *a, const char *wanted, const char *target,
	bool no_cache);

/* Appends stamps of a program and of what lies beside it: the libraries of clang, the parts of
 * hipcc. False, and out as it was, where it is a script that may run anything. */
bool compiler_add_program(struct sbuf *out, struct arena *a, const char *path);

/* The same of LLVM's libraries where distributions have them beside those of all programs. */
void compiler_add_libraries(struct sbuf *out, struct arena *a, unsigned major);

/* Targets of the GPUs in this machine ("native"), by amdgpu-arch, else rocm_agent_enumerator, and
 * their number; what these print on stderr is never shown. */
size_t compiler_native_find(const char ***targets, struct arena *a);
