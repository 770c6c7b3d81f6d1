#pragma once
/*
 * Strategies: each is one way to rewrite a merge. A strategy gets one instance of a merge (one
 * instantiation of the function around it) and returns edits, or the clause that forbids them.
 * strategy_plan calls it for every instance of the same source text in every parse of the file, and
 * accepts the edits only if all of them agree.
 *
 * Each strategy's file opens with BEFORE, AFTER and its numbered clauses. Edits change only the
 * merge's file. Macros that the edits use are listed in needs and defined in the prelude, once per
 * file (code that only devices compile needs none: plan/hide.c).
 */
#include "analysis/parse.h"
#include "base/array.h"
#include "base/map.h"
#include "edit/edit.h"

enum need {
	NEED_FENCE = 1 << 0,	       /* UNPHI_FENCE() */
	NEED_LAUNDER_UNIFORM = 1 << 1, /* UNPHI_LAUNDER_UNIFORM(x) */
	NEED_LAUNDER = 1 << 2,	       /* UNPHI_LAUNDER(x) */
};

enum strategy_id {
	STRATEGY_HOIST,
	STRATEGY_FUSE,
	STRATEGY_SEQUENTIALIZE,
	STRATEGY_LAUNDER,
	STRATEGY_SPLIT,
	STRATEGY_PREDICATE,
	STRATEGY_DROP_SYNC,
	STRATEGY_REMATERIALIZE,
	STRATEGY_JOIN,
	STRATEGY_REJOIN,
	STRATEGY_UNIFY,
	STRATEGY_COUNT
};

struct reserved_piece {
	size_t at;    /* in the file, or RESERVED_BESIDE */
	size_t begin; /* in the text */
	size_t end;
};
/* Text that goes into the file besides the plan's own: its names are taken. */
struct reserved {
	struct sbuf text;
	ARRAY(struct reserved_piece) piece;
	struct map words; /* its words, without members' names */
};
#define RESERVED_BESIDE SIZE_MAX /* at namespace scope: its names are visible everywhere */
void reserved_add(struct reserved *r, struct str text, size_t at);
void reserved_release(struct reserved *r);
struct str reserved_text(const struct reserved *r);		    /* NULL: empty */
bool reserved_has_word(const struct reserved *r, const char *name); /* NULL: no */

/* The names in the other files that a text is compiled with. */
struct other_names {
	struct map known;  /* paths of the texts in words */
	struct map words;  /* of the user's own texts, and of the flags */
	struct map macros; /* words of all macros; those of files are added on demand */
	struct map joined; /* words of macros that join words (##) */
	struct map files;  /* paths */
	size_t read;	   /* how many files macros and text hold */
	bool loaded;	   /* all of them are read */
	struct sbuf text;  /* of files */
};
/* path NULL: a text without a file. */
void other_names_add_text(struct other_names *o, const char *path, struct str text);
void other_names_add_file(struct other_names *o, const char *path);
void other_names_release(struct other_names *o);

/* Options of the strategies. */
struct strategy_opts {
	bool contract_off;	   /* -ffp-contract=off: no clause about FMA */
	bool recontract;	   /* unify may change which multiplies are joined with adds */
	bool wraps;		   /* -fwrapv: signed overflow is defined */
	unsigned threshold;	   /* VGPRs per lane: carriers of a merge count as wide from here */
	struct reserved *reserved; /* NULL: nothing */
	struct other_names *others; /* names in other files, for all views; NULL: none */
	const char *prefix;	    /* of all new names; NULL: none */
	bool comments;		    /* explain new code in comments */
	const char *variant;	    /* plan only this one; NULL: all */
	bool any;		    /* stop at the first legal candidate */
	const struct parse *view;   /* all known compilations of the text */
	size_t views;
	/* ASSUMED_FLAT is allowed: the user sees a list of assumptions */
	bool assume_flat;
	bool nvidia;	  /* other files show that the text is also for NVIDIA's compilers */
	bool host_unseen; /* the host's pass does not parse */
	/* declarations that also go into the file if they are used; NULL: none */
	struct reserved *declared;
};

/* A merge or a fragment of the source text with all its instances. */
struct site {
	const char *path;
	size_t begin; /* byte range of the merge, or of the fragment's declaration */
	size_t end;
	unsigned chained; /* widest instance, VGPRs per lane */
	unsigned crossing;
	unsigned alike; /* without carriers: VGPRs that the arms compute alike (merge.h) */
	bool ends;	/* the alike code is the end of the arms (merge.h) */
	bool waits;	/* the search leaves it to exits_run, which writes an if with an else */
	struct site_instance {
		const struct parse *parse;
		const struct merge *merge;		  /* of SUBJECT_MERGE and SUBJECT_GUARDED */
		const struct fragment_instance *fragment; /* of SUBJECT_FRAGMENT */
	} *instance;
	size_t instances;
};

/* Clauses that every strategy shares; its own start at 1. */
enum {
	CLAUSE_NOTHING = 90,   /* there would be no edits */
	CLAUSE_INSTANCES = 91, /* instantiations or targets disagree */
	CLAUSE_MEASURED = 92,  /* --strategy only: see measure_why */
	CLAUSE_PLACE = 93,     /* a value depends on its position in the text (places.h) */
	CLAUSE_VIEWS = 94,     /* host or targets compile other text there, or may do so */
	CLAUSE_LANES = 95,     /* only some lanes reach a matrix operation (plan.h) */
};

enum assumption {
	ASSUMED_MATRIX,	 /* only whole waves reach this matrix operation */
	ASSUMED_BARRIER, /* or barrier */
	ASSUMED_FLAT	 /* the kernel's blocks have one dimension */
};
enum {
	ASSUMED_MAX = 4 /* listed in a candidate; there may be more */
};

/* Is a refusal reported in addition to the strategy's first one? */
enum refusal_topic {
	TOPIC_SAME,  /* no: same reason */
	TOPIC_OTHER, /* no: the variant is for other code */
	TOPIC_OWN,   /* yes: the variant is for this code */
};

/* A split function that has other callers, too, may become a wrapper: a call of its narrow part,
 * then one of its wide part. */
struct wrapper {
	const char *narrow; /* names of the parts */
	const char *wide;
	struct str was; /* the function's body, with braces */
	struct str body;
	const char **of; /* symbols of the instances for which that is equal */
	size_t n;
	bool method;  /* all are in one class */
	bool functor; /* an operator(); the candidate's split is narrow */
};

struct candidate {
	enum strategy_id strategy;
	const char *variant;	/* "fenced", "selector", ... never NULL */
	struct edit_list edits; /* legal candidates only */
	unsigned needs;		/* enum need */
	/* declarations that other merges can share; one of the edits inserts them */
	struct str declares;
	const struct str *part; /* its parts, if several edits insert them */
	size_t parts;
	/* the same for declarations before the merge's function */
	struct str forward;
	const char *split;	       /* NULL, or the function that is split */
	const struct wrapper *wrapper; /* for split; NULL: not proved equal */
	/* functions that were replaced by new ones, and may have no callers left; or class
	 * templates whose functions were */
	const struct successor {
		const char *was;
		const char *is;
		const char *takes; /* the name that it takes once the old one is gone */
		bool of_class;
	} *successor;
	size_t successors;
	size_t tail; /* statements at the end of each arm that are now written once */
	/* NULL, or why its clause on contraction refuses it. It was planned as if contraction were
	 * off, and is kept only if a comparison of the machine code shows equal bits */
	const char *unproved;
	/* NULL, or why it may be kept only if the compiler's output shows no loss */
	const char *measure_why;
	/* its assumptions */
	struct assumed {
		struct kt_unit *unit;
		const struct kt_node *node; /* the operation; else the condition */
		enum assumption what;
	} assumed[ASSUMED_MAX];
	size_t assumptions;
	bool unseen; /* it needs uniformity that the compiler cannot prove */
	/* a refusal: */
	unsigned clause; /* number in the strategy's list; 0: legal */
	const char *why; /* the clause, in words for this code */
	enum refusal_topic topic;
	bool all_forms; /* the refusal holds for the variant's other forms, too */
};

struct plan; /* the input of a strategy: plan/plan.h */

/* What a strategy rewrites. */
enum strategy_subject {
	SUBJECT_MERGE,
	SUBJECT_GUARDED,  /* a merge of kind MERGE_GUARDED */
	SUBJECT_FRAGMENT, /* rematerialize/rematerialize.h */
	SUBJECT_BARRIER,  /* a group of them: drop_sync/drop_sync.h */
	SUBJECT_RUN	  /* of accesses: analysis/memory/access.h */
};

struct strategy {
	enum strategy_id id;
	enum strategy_subject subject;
	const char *name;
	const char *summary;
	const char *const *variants; /* NULL-terminated; NULL: not selectable by name */
	unsigned forms;		     /* variants per group; within one only the text differs */
	/* Fills plan->out: edits and needs, or clause and why through plan_refuse. */
	void (*plan)(struct plan *p, const char *variant);
};

extern const struct strategy strategies[STRATEGY_COUNT];
/* NULL if there is no such name. */
const struct strategy *strategy_find(const char *name);
/* Does it write the common code of several arms once? */
bool strategy_merges_arms(enum strategy_id id);

enum sites_of {
	SITES_MERGES,
	SITES_EXITS,  /* ifs that leave (MERGE_EXIT), and ?: with a discarded value */
	SITES_GUARDED /* consecutive guarded ifs (MERGE_GUARDED), with or without carriers */
};
/* The sites of a file over all its parses: every merge with two arms that write a common carrier,
 * editable or not; widest first, then in source order. The first instance has a carrier; other
 * instances that a kernel reaches may have none. */
void sites_find(struct site **out, size_t *n, struct arena *a, const struct parse *parses,
	size_t count, enum sites_of of);

/* May the host compile this function? False if its attributes make it device-only. */
bool fn_may_be_hosts(const struct kt_unit *u, kt_id fn);

/* Writes such a site, or one that isolates an arm, as an if with an else, the form that strategies
 * know: see leave.c. Returns NULL, or why it cannot; then the edits are invalid. */
const char *site_as_else(struct edit_list *out, struct arena *a, const struct site *site,
	const struct strategy_opts *opts);

/* Is it a ?: whose value is used, or ifs whose arms all return a value, that no strategy takes as
 * it is, but that site_as_else can write? only: the strategy that is asked for, or NULL. */
bool site_asks_for_else(
	const struct site *site, const struct strategy *only, const struct strategy_opts *opts);

/* Does only one path compute the crossing value (merge.h)? */
bool site_is_one_armed(const struct site *site);
/* May the strategy have a form for such a merge? Without carriers only a fence helps; if only one
 * path computes, a fence or a loop without the if. */
bool strategy_may_fit(const struct strategy *s, const struct site *site);

/* The instance with the most chained VGPRs, or whose arms have the most alike. */
const struct site_instance *site_widest(const struct site *site);

/* Adds the symbols of the kernels that reach fn; none in a host's pass. */
void parse_kernels(struct map *out, struct arena *a, const struct parse *parse, kt_id fn);

/* Every variant of strategy s, for merges or fragments, at a site; candidates with equal edits
 * appear once. A variant that is illegal in one instance is refused. Release the edits with
 * candidate_release. */
void strategy_plan(struct candidate **out, size_t *n, struct arena *a, const struct strategy *s,
	const struct site *site, const struct strategy_opts *opts);
void candidate_release(struct candidate *c);
/* Is this the text of an insertion that other merges may share? */
bool candidate_shares(const struct candidate *c, struct str text);
bool candidate_same_edits(const struct candidate *x, const struct candidate *y);
/* The wrapper for the instances of both x and y, two instances or two merges; NULL: they differ. */
const struct wrapper *wrapper_join(
	struct arena *a, const struct wrapper *x, const struct wrapper *y);

/* Does a text mention NVIDIA's compilers, or test for AMD's? */
bool strategy_is_for_nvidia(struct str text);
/* Inserts the macros for needs into text, except those that the text already defines. */
void strategy_prelude(
	struct edit_list *l, struct arena *a, struct str text, unsigned needs, bool comments);
/* Are the conditions of an if/else already laundered, by an earlier rewrite? */
bool merge_is_laundered(const struct kt_unit *u, const struct merge *m);
