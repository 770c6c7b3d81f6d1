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

/* A header that is worked on in place of the file that includes it: it is the unit's main file then
 * (struct kt_file), by device and inode, and is called path. */
struct frontend_header {
	const char *path;
	/* found out: */
	const char *const *name; /* absolute, all that it is read by; NULL-terminated */
	unsigned entered;	 /* how often; 0: the file does not include it */
};

struct frontend_job {
	const char *path;
	const char *cwd;    /* messages name the files in it from there; or NULL */
	const char *target; /* "gfx942" */
	/* parse as the first of these that libclang knows where it does not know target; NULL-
	 * terminated, or NULL */
	const char *const *relatives;
	unsigned wave_size;	  /* the target's default, or 0: not known */
	const char *const *flags; /* the user's compile flags, NULL-terminated, or NULL */
	struct str text;	  /* parse this in place of the file's content; p NULL: the file */
	const struct stand_in *in_place; /* texts in place of what path includes */
	size_t in_places;
	struct frontend_header *header; /* or NULL */
	const char *const
		*assume; /* "N=32": template arguments of kernels that nothing instantiates */
	size_t assumes;
	bool quiet;	  /* no message for errors in the source (candidates) */
	bool made;	  /* the text is what unphi made of the file: errors are unphi's own */
	bool host;	  /* parse as the host's pass of a compile for target does */
	bool skips;	  /* say what #if leaves out (struct kt_file) */
	bool with_errors; /* build what errors in the source leave, too */
	bool no_cache;	  /* parse all headers, and keep nothing */
	/* likely to be the only parse with these headers: what makes the next ones quick, and this
	 * one twice as long, is made the second time */
	bool sparing;
	/* somebody is typing: errors in the text itself are believed without a parse of everything,
	 * headers included; errors elsewhere are not */
	bool typed;
	/* NULL, or where the stamps (kept/stamp) of libclang and of all files beside the main one
	 * go that were read; n 0: it cannot be told, or there were warnings */
	struct str *stamps;
	const struct intrinsic_db *intrinsics;
};

/* The unit lives in a. 0; FAIL_USAGE (cannot read the file); FAIL_INPUT (does not parse: the
 * compiler's own errors were printed; with_errors, *out may be there all the same, without the
 * bodies in which errors are). *parsed_as, when not NULL, is set to the target really used.
 */
int frontend_parse(struct kt_unit **out, struct arena *a, const struct frontend_job *job,
	const char **parsed_as);

/* Loads libclang, as the first parse would: before processes are forked, so that not each of them
 * does. FAIL_USAGE after a message. */
int frontend_load(void);
/* Before it is loaded: files are to be read by the libclang of this compiler, a program's path or
 * name, where it has one from 19 on; NULL: by what unphi was built with. no_cache: what that
 * answers is not kept. UNPHI_LIBCLANG in the environment comes before all; where none of these is
 * there, the newest of ROCm and LLVM is taken. */
void frontend_prefer(const char *compiler, bool no_cache);
/* The compiler was heard to say which its resource directory is: it need not be asked. */
void frontend_tell(struct arena *a, const char *compiler, const char *resource_dir);
/* "clang version 19.1.7 (/usr/lib/libclang.so.19), not that of /usr/bin/hipcc", in a; NULL after a
 * message when libclang cannot be loaded. */
const char *frontend_libclang_version(struct arena *a);
/* The major version of the compiler that frontend_prefer asked for, else of the libclang in use; 0
 * where there is none. */
unsigned frontend_compiler_major(void);
