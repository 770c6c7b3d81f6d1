#pragma once
/*
 * The one room that knows libclang. Parses one file for one target and turns what device code
 * instantiates into a kernel tree. Nothing of libclang outlives the call.
 */
#include "base/arena.h"
#include "base/str.h"
#include "base/vfs.h"
#include "kernel/kernel.h"
#include "target/intrinsic.h"
#include "target/target.h"

/* A header that is rewritten in place of the file that includes it. It is then the unit's main file
 * (struct kt_file); it is known by device and inode, and has the name path. */
struct frontend_header {
	const char *path;
	/* set by the parse: */
	const char *const *name; /* absolute names by which it is included; NULL-terminated */
	unsigned entered;	 /* the number of times; 0: the file does not include it */
};

struct frontend_job {
	const char *path;
	const char *cwd;    /* names in messages are relative to it; or NULL */
	const char *target; /* "gfx942" */
	/* if libclang does not know target, parse for the first of these that it knows;
	 * NULL-terminated, or NULL */
	const char *const *relatives;
	unsigned wave_size;	  /* the target's default, or 0: unknown */
	const char *const *flags; /* the user's compile flags, NULL-terminated, or NULL */
	struct str text;	  /* parse this in place of the file's content; p NULL: the file */
	const struct stand_in *in_place; /* texts in place of what path includes */
	size_t in_places;
	struct frontend_header *header; /* or NULL */
	const char *const
		*assume; /* "N=32": template arguments of kernels that nothing instantiates */
	size_t assumes;
	bool quiet;	  /* no message for errors in the source (candidates) */
	bool made;	  /* the text is a rewritten one: its errors are unphi's own */
	bool host;	  /* parse as the host's pass of a compile for target */
	bool skips;	  /* list the code that #if leaves out (struct kt_file) */
	bool with_errors; /* also build the functions without errors of a source with errors */
	bool no_cache;	  /* parse all headers, and keep nothing */
	/* this process hardly parses these headers again: precompile them, which doubles the time
	 * of this parse, only if another process asked for them before */
	bool sparing;
	/* the user is typing: believe errors in the text itself without a complete parse, headers
	 * included; but not errors elsewhere */
	bool typed;
	/* NULL, or set to the stamps (kept/stamp) of libclang and of all files that were read
	 * except the main one; n 0: unknown, or there were warnings */
	struct str *stamps;
	const struct intrinsic_db *intrinsics;
};

/* The unit lives in a. Returns 0; FAIL_USAGE (cannot read the file); or FAIL_INPUT (does not
 * parse; the compiler's errors were printed). With with_errors, *out may then be set all the
 * same, without the bodies of functions with errors. *parsed_as, if not NULL, is set to the
 * target really used. */
int frontend_parse(struct kt_unit **out, struct arena *a, const struct frontend_job *job,
	const char **parsed_as);

/* Loads libclang, as the first parse would. Call it before forking, so that not each process loads
 * it. FAIL_USAGE after a message. */
int frontend_load(void);
/* Call it before libclang is loaded. compiler: a program's path or name; its own libclang is taken
 * if it is 19 or newer. NULL: the one that unphi was built with. UNPHI_LIBCLANG in the environment
 * comes before both; if there is none of these, the newest of ROCm and LLVM is taken. no_cache: do
 * not keep the compiler's answers. */
void frontend_prefer(const char *compiler, bool no_cache);
/* Tells the compiler's resource directory, so that the compiler need not be run for it. */
void frontend_tell(struct arena *a, const char *compiler, const char *resource_dir);
/* "clang version 19.1.7 (/usr/lib/libclang.so.19), not that of /usr/bin/hipcc", in a; NULL after a
 * message if libclang cannot be loaded. */
const char *frontend_libclang_version(struct arena *a);
/* The major version of frontend_prefer's compiler, else of the libclang in use; 0: neither. */
unsigned frontend_compiler_major(void);
