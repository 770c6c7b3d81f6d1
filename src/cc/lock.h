#pragma once
/*
 * unphi.lock: decisions that people have seen. An entry is one compile of one file, and holds for
 * the very text, headers, flags, targets, compiler and unphi that it was made with; its diff is all
 * that is needed to apply it.
 *
 *   version: 1
 *   files:
 *     - file: "src/tile.hip"              # relative to the lock file
 *       content: "1f3a5b7c9d2e4f60"       # hash of its text
 *       targets: ["gfx90a"]
 *       flags: "-O3 -Isrc"                # paths below the lock file's directory without it
 *       compiler: "Debian clang version 15.0.6"
 *       unphi: "0.9.0"
 *       includes:                         # those below that directory
 *         - {file: "src/tile.h", content: "5d0a..."}
 *       system: "77c1..."                 # hash of the contents of all others
 *       merges:
 *         - {line: 31, function: "tile", strategy: "hoist (fenced)"}
 *       kernels:                          # before -> after
 *         - {kernel: "tile", target: "gfx90a", vgprs: "194 -> 158", ...}
 *       added: ["-mllvm", "-..."]         # with --allow-flags: what the compiler gets besides,
 *       because: "tile: VGPRs 158 -> 128" # and why; [] and nothing where that helps no more
 *       edits: "9c2e..."                  # hash of the diff
 *       diff:
 *         - "@@ -28,7 +35,7 @@"
 *
 * Entries are sorted; what else people write between two of them stays with the first.
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
	bool asked_flags; /* whether flags help was asked */
	struct str added; /* flags, one a line */
	uint64_t edits;
	struct str diff; /* as diff_apply reads it */
	struct str raw;	 /* its lines in the lock file */
};

struct cc_lock {
	const char *path;
	const char *dir; /* of it, absolute */
	struct cc_lock_entry *v;
	size_t n;
};

/* No file is an empty lock. FAIL_USAGE after a message with line and column. Lives in a. */
int cc_lock_load(struct cc_lock *out, struct arena *a, const char *path);
/* NULL, and text gets what the entry makes of its file; or why the entry does not hold any more,
 * as a sentence's end. What only the compiler can tell is not looked at. */
const char *cc_lock_apply(struct sbuf *text, const struct cc_lock_entry *e);

/* One compile, as the lock file names it. */
struct cc_lock_use {
	const struct cc_lock *lock;
	const char *source; /* absolute */
	struct str text;
	const struct target *const *target;
	size_t targets;
	const char *const *flags;    /* NULL-terminated */
	const char *const *includes; /* absolute, NULL-terminated */
	bool allow_flags;	     /* may the compiler get flags besides? */
	const char *compiler;	     /* its version */
};

/* The entry of this file, targets and flags, whether it holds or not; or NULL. */
const struct cc_lock_entry *cc_lock_find(struct arena *a, const struct cc_lock_use *use);
/* The same question about headers, compiler and unphi: NULL, or why the entry does not hold. */
const char *cc_lock_differs(
	struct arena *a, const struct cc_lock_use *use, const struct cc_lock_entry *e);
/* A new entry. False when the texts are no UTF-8, which YAML asks for. */
bool cc_lock_add_entry(
	struct sbuf *out, struct arena *a, const struct cc_lock_use *use, const struct choice *c);

/* Is raw one of its entries, word by word? */
bool cc_lock_has(const struct cc_lock *lock, struct str raw);
/* Keeps others from writing the lock file until the descriptor that comes back is closed: its
 * directory is locked, as the file itself is replaced. FAIL_USAGE after a message. */
int cc_lock_hold(struct arena *a, const char *path);
/* Puts a new entry into the lock file, in place of one of the same file, targets and flags. Others
 * may do the same at the same time. FAIL_USAGE after a message. */
int cc_lock_put(struct arena *a, const char *path, struct str raw);
/* The lock file with the entries that keep says true of. */
void cc_lock_print(struct sbuf *out, const struct cc_lock *lock, bool (*keep)(void *user, size_t i),
	void *user);
