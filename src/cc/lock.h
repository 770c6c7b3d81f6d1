#pragma once
/*
 * unphi.lock: reviewed decisions. An entry is one compile of one file. It is valid only for the
 * same text, headers, flags, targets, compiler and version of unphi. Its diff is enough to apply
 * it.
 *
 *   version: 1
 *   files:
 *     - file: "src/tile.hip"              # relative to the lock file
 *       content: "1f3a5b7c9d2e4f60"       # hash of its text
 *       targets: ["gfx90a"]
 *       flags: "-O3 -Isrc"                # paths relative to the lock file
 *       compiler: "Debian clang version 15.0.6"
 *       unphi: "0.9.0"
 *       includes:                         # those below that directory
 *         - {file: "src/tile.h", content: "5d0a..."}
 *       system: "77c1..."                 # hash of the contents of all others
 *       merges:
 *         - {line: 31, function: "tile", strategy: "hoist (fenced)"}
 *       kernels:                          # before -> after
 *         - {kernel: "tile", target: "gfx90a", vgprs: "194 -> 158", ...}
 *       added: ["-mllvm", "-..."]         # with --allow-flags: flags added for the compiler,
 *       because: "tile: VGPRs 158 -> 128" # and the reason; [] and no reason if none helps
 *       edits: "9c2e..."                  # hash of the diff
 *       diff:
 *         - "@@ -28,7 +35,7 @@"
 *
 * Entries are sorted. Other lines between two entries, such as comments, stay with the first.
 */
#include "choose/choose.h"

struct cc_lock_include {
	const char *file; /* absolute */
	uint64_t hash;
};

struct cc_lock_entry {
	const char *file; /* absolute */
	uint64_t content;
	struct str targets; /* "gfx90a,gfx942" */
	struct str flags;
	struct str compiler;
	struct str unphi;
	struct cc_lock_include *include;
	size_t includes;
	uint64_t system;
	size_t merges;
	bool asked_flags; /* made with --allow-flags */
	struct str added; /* flags, one a line */
	uint64_t edits;
	struct str diff; /* as diff_apply reads it */
	struct str raw;	 /* the entry's lines in the lock file */
};

struct cc_lock {
	const char *path;
	const char *dir; /* the absolute directory of path */
	struct cc_lock_entry *v;
	size_t n;
};

/* A missing file is an empty lock. FAIL_USAGE after a message with line and column. Lives in a. */
int cc_lock_load(struct cc_lock *out, struct arena *a, const char *path);
/* Appends the rewritten text of the entry's file and returns NULL; or returns the reason why the
 * entry is no longer valid, as the end of a sentence. Runs no compiler: cc_lock_differs checks the
 * rest. */
const char *cc_lock_apply(struct sbuf *text, const struct cc_lock_entry *e);

/* One compile, to look up in the lock file or to add to it. */
struct cc_lock_use {
	const struct cc_lock *lock;
	const char *source; /* absolute */
	struct str text;
	const struct target *const *target;
	size_t targets;
	const char *const *flags;    /* NULL-terminated */
	const char *const *includes; /* absolute, NULL-terminated */
	bool allow_flags;	     /* may flags be added for the compiler? */
	const char *compiler;	     /* its version */
};

/* The entry of this file, targets and flags, valid or not; or NULL. */
const struct cc_lock_entry *cc_lock_find(struct arena *a, const struct cc_lock_use *use);
/* Compares headers, compiler and --allow-flags: NULL, or the reason why the entry is not valid. */
const char *cc_lock_differs(
	struct arena *a, const struct cc_lock_use *use, const struct cc_lock_entry *e);
/* Adds a new entry to out. False if the texts are not UTF-8, which YAML requires. */
bool cc_lock_add_entry(
	struct sbuf *out, struct arena *a, const struct cc_lock_use *use, const struct choice *c);

/* Is raw an entry of the lock, byte for byte? */
bool cc_lock_has(const struct cc_lock *lock, struct str raw);
/* Keeps other processes from writing the lock file until the returned descriptor is closed. It
 * locks the directory, because the file itself is replaced. FAIL_USAGE after a message. */
int cc_lock_hold(struct arena *a, const char *path);
/* Writes a new entry into the lock file, in place of one of the same file, targets and flags. Other
 * processes may do so at the same time. FAIL_USAGE after a message. */
int cc_lock_put(struct arena *a, const char *path, struct str raw);
/* Prints the lock file with the entries for which keep returns true. */
void cc_lock_print(struct sbuf *out, const struct cc_lock *lock, bool (*keep)(void *user, size_t i),
	void *user);
