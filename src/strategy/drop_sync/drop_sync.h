#pragma once
/*
 * Barriers of the source text, each with all its instances over the parses of a file, and which of
 * them may be removed together. drop_sync.c has the clauses.
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
	unsigned nth; /* of those that a macro brings there */
	struct barrier_instance {
		const struct parse *parse;
		struct sync *sync;
		size_t index; /* in sync->v */
	} *instance;
	size_t instances;
	unsigned group; /* barriers that some kernel reaches both of, directly or over others */
	bool dropped;
	unsigned clause; /* why not, with those dropped that are; 0: it may go */
	const char *why;
};

struct barriers {
	struct arena *a;
	struct sync *sync; /* one a parse */
	size_t syncs;
	struct barrier_site *v; /* in order of paths and places */
	size_t n;
	unsigned groups;
	bool edits;   /* lines of the main file are to go */
	bool unsound; /* the settings ignore what is not known: no rewriting */
};

/* The barriers of the user's files; everything lives in a but what barriers_release frees. */
void barriers_find(struct barriers *out, struct arena *a, const struct parse *parse, size_t n,
	const struct settings *settings);
void barriers_release(struct barriers *b);
/* Drops what may go, one after the other from the first (or the last) on, each judged with those
 * before it gone; in the main file only when asked. Forgets what was dropped before. */
void barriers_drop(struct barriers *b, bool from_last, bool main_only);
/* Takes all back, and judges each alone. */
void barriers_restore(struct barriers *b);
/* The instance to speak of: the one that keeps it, else the first. */
const struct sync_barrier *barrier_of(const struct barrier_site *s);
/* Does it stand in a macro's text? Then it is not edited. */
bool barrier_in_macro(const struct sync_barrier *x);
/* Reads and writes above and below in words: "above: LDS is written; below: nothing". */
const char *barrier_flags(struct arena *a, const struct sync_barrier *b);
/* The edits that take the dropped ones of a group away, of the main file, whose text is p->text. */
void drop_sync_plan(struct plan *p, const char *variant);
/* Symbols of the kernels that reach a site in any of its instances. */
void barrier_kernels(struct map *out, struct arena *a, const struct barrier_site *s);

extern const char *const drop_sync_variants[];
