#pragma once
/*
 * The barriers of a file, each with its instances in all parses, and the sets of them that may be
 * removed together. drop_sync.c has the clauses.
 */
#include "analysis/memory/sync.h"
#include "base/map.h"
#include "config/settings.h"
#include "strategy/strategy.h"

/* One barrier of the source text. */
struct barrier_site {
	const char *path;
	bool main; /* in the file on the command line */
	size_t begin;
	size_t end;   /* of the call */
	unsigned nth; /* number among those of one macro invocation */
	struct barrier_instance {
		const struct parse *parse;
		struct sync *sync;
		size_t index; /* in sync->v */
	} *instance;
	size_t instances;
	unsigned group; /* barriers with a common kernel share a group, transitively */
	bool dropped;
	unsigned clause; /* why it may not go, given those dropped so far; 0: it may */
	const char *why;
};

struct barriers {
	struct arena *a;
	struct sync *sync; /* one for each parse */
	size_t syncs;
	struct barrier_site *v; /* by path and offset */
	size_t n;
	unsigned groups;
	bool edits;   /* lines of the main file are to be removed */
	bool unsound; /* the settings ignore unknown code: no rewriting */
};

/* Finds the barriers in the user's files. Everything lives in a, except what barriers_release
 * frees. */
void barriers_find(struct barriers *out, struct arena *a, const struct parse *parse, size_t n,
	const struct settings *settings);
void barriers_release(struct barriers *b);
/* Drops barriers greedily, from the first on (or from the last back); each is judged with the
 * earlier ones gone. main_only: only those in the main file. Starts from none dropped. */
void barriers_drop(struct barriers *b, bool from_last, bool main_only);
/* Restores all, and judges each one alone. */
void barriers_restore(struct barriers *b);
/* The instance for messages: the one that needs the barrier, else the first. */
const struct sync_barrier *barrier_of(const struct barrier_site *s);
/* Is it in a macro's body? Then it is not edited. */
bool barrier_in_macro(const struct sync_barrier *x);
/* Reads and writes above and below in words: "above: LDS is written; below: nothing". */
const char *barrier_flags(struct arena *a, const struct sync_barrier *b);
/* The edits to the main file (p->text) that remove a group's dropped barriers. */
void drop_sync_plan(struct plan *p, const char *variant);
/* Adds the symbols of the kernels that reach any instance of a site. */
void barrier_kernels(struct map *out, struct arena *a, const struct barrier_site *s);

extern const char *const drop_sync_variants[];
