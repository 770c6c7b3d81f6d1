#pragma once
/*
 * Strategies: one way each to rewrite a merge. A strategy looks at one instance of a merge (one
 * instantiation of the function around it) and answers with edits or with the clause that forbids
 * them. strategy_plan asks it for every instance of the same source text and every parse of the
 * file, and accepts only one common answer.
 *
 * Each strategy's file opens with BEFORE, AFTER and its numbered clauses. Edits are to the merge's
 * file; macros that the edits use are named in needs and come with the prelude, once per file
 * (plan/hide.c: where they are written out, there are none).
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
/* What goes into the file besides a plan's own text: its names are not free. */
struct reserved {
	struct sbuf text;
	ARRAY(struct reserved_piece) piece;
	struct map words; /* all that are code, but no member's name */
};
#define RESERVED_BESIDE SIZE_MAX /* beside functions: they know it all */
void reserved_add(struct reserved *r, struct str text, size_t at);
void reserved_release(struct reserved *r);
struct str reserved_text(const struct reserved *r);		    /* NULL: empty */
bool reserved_has_word(const struct reserved *r, const char *name); /* NULL: no */

/* What the other files that a text is compiled with have for names. */
struct other_names {
	struct map known;  /* paths of the texts that words are of */
	struct map words;  /* of the user's own texts, and of the flags */
	struct map macros; /* words of all macros, of those of files once somebody asks */
	struct map joined; /* words of macros that join words (##) */
	struct map files;  /* paths */
	size_t read;	   /* files that are in macros and text */
	bool loaded;	   /* all are */
	struct sbuf text;  /* of files */
};
/* path NULL: it is no file's. */
void other_names_add_text(struct other_names *o, const char *path, struct str text);
void other_names_add_file(struct other_names *o, const char *path);
void other_names_release(struct other_names *o);

/* What the strategies are told besides the code. */
struct strategy_opts {
	bool contract_off;	   /* -ffp-contract=off: no clause about FMA */
	bool recontract;	   /* unify may change which multiplies are joined with adds */
	bool wraps;		   /* -fwrapv: signed overflow is defined */
	unsigned threshold;	   /* VGPRs per lane: carriers of a merge count as wide from here */
	struct reserved *reserved; /* NULL: nothing */
	struct other_names *others; /* of all views; NULL: none */
	const char *prefix;	    /* that all new names begin with; NULL: none */
	bool comments;		    /* say in the text why something is there */
	const char *variant;	    /* plan this one alone; NULL: all */
	bool any;		    /* none after the first that is legal */
	const struct parse *view;   /* all compilations of the text that are known */
	size_t views;
	/* ASSUMED_FLAT may be taken for granted: somebody reads what is */
	bool assume_flat;
	bool nvidia; /* a file beside it says that the text is made for NVIDIA's compilers, too */
	bool host_unseen; /* there is a host's pass, but it does not parse */
	/* declarations that go into the file as well, if anybody uses them; NULL: none */
	struct reserved *declared;
};

/* A merge or a fragment of the source text with all its instances. */
struct site {
	const char *path;
	size_t begin; /* byte range of the merge, or of the fragment's declaration */
	size_t end;
	unsigned chained; /* widest instance, VGPRs per lane */
	unsigned crossing;
	unsigned alike; /* without a carrier in any: VGPRs that the arms make alike (merge.h) */
	bool ends;	/* and that is how the widest of them end (merge.h) */
	struct site_instance {
		const struct parse *parse;
		const struct merge *merge;		  /* of SUBJECT_MERGE and SUBJECT_GUARDED */
		const struct fragment_instance *fragment; /* of SUBJECT_FRAGMENT */
	} *instance;
	size_t instances;
};

/* Clauses that every strategy shares; its own start at 1. */
enum {
	CLAUSE_NOTHING = 90,   /* the edits would be none */
	CLAUSE_INSTANCES = 91, /* instantiations or targets disagree */
	CLAUSE_MEASURED = 92,  /* --strategy only: see measure_why */
	CLAUSE_PLACE = 93,     /* a value depends on where its text stands (places.h) */
	CLAUSE_VIEWS = 94,     /* host or targets see other text there, or it is not known */
};

enum assumption {
	ASSUMED_MATRIX,	 /* no part of a wave comes to this matrix operation */
	ASSUMED_BARRIER, /* or barrier */
	ASSUMED_FLAT	 /* the kernel's blocks have one dimension */
};
enum {
	ASSUMED_MAX = 4 /* that a candidate names; there may be more */
};

/* Is a refusal reported beside the first one of the strategy? */
enum refusal_topic {
	TOPIC_SAME,  /* no: it says the same */
	TOPIC_OTHER, /* no: the variant is about other code than this */
	TOPIC_OWN,   /* yes: the variant is about this code */
};

/* What a split function may become where others call it as well: a call of its narrow part, and one
 * of its wide part. */
struct wrapper {
	const char *narrow; /* names of the parts */
	const char *wide;
	struct str was; /* the function's body, with braces */
	struct str body;
	const char **of; /* symbols of its instances that it is the same for */
	size_t n;
	bool method;  /* all stand in one class */
	bool functor; /* it is an operator(), and split of the candidate is narrow */
};

struct candidate {
	enum strategy_id strategy;
	const char *variant;	/* "fenced", "selector", ... never NULL */
	struct edit_list edits; /* legal candidates only */
	unsigned needs;		/* enum need */
	/* declarations that other merges may use as well: one of the edits inserts them */
	struct str declares;
	const struct str *part; /* those that it is made of, where several edits insert them */
	size_t parts;
	/* those in front of the merge's function, where others may stand beside them: as above */
	struct str forward;
	const char *split; /* NULL, or the function whose parts are called in its place */
	const struct wrapper *wrapper; /* of split, or NULL: it is not certain */
	/* functions that others were written for, and that may have no callers any more */
	const struct successor {
		const char *was;
		const char *is;
	} *successor;
	size_t successors;
	size_t tail; /* statements at the end of each arm that are written once; 0: none */
	/* NULL, or why its clause on contraction refuses it: planned as if contraction were off, so
	 * that nothing but equal bits of the machine code speaks for it */
	const char *unproved;
	/* NULL, or why it may only be kept when the compiler's output shows that nothing is lost */
	const char *measure_why;
	/* what it takes for granted */
	struct assumed {
		struct kt_unit *unit;
		const struct kt_node *node; /* the operation; else the condition */
		enum assumption what;
	} assumed[ASSUMED_MAX];
	size_t assumptions;
	bool unseen; /* it builds on what the compiler does not know to be uniform */
	/* a refusal: */
	unsigned clause; /* number in the strategy's list; 0: legal */
	const char *why; /* the clause in words about this code */
	enum refusal_topic topic;
	bool all_forms; /* it holds for the other forms of the variant as well */
};

struct plan; /* what one strategy is given: plan/plan.h */

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
	const char *const *variants; /* NULL-terminated; NULL: nobody asks for it by name */
	unsigned forms; /* variants come in groups of so many, which differ in what is written */
	/* Fills plan->out: edits and needs, or clause and why through plan_refuse. */
	void (*plan)(struct plan *p, const char *variant);
};

extern const struct strategy strategies[STRATEGY_COUNT];
/* NULL when there is no such name. */
const struct strategy *strategy_find(const char *name);
/* Does it write once what several arms have in common? */
bool strategy_merges_arms(enum strategy_id id);

enum sites_of {
	SITES_MERGES,
	SITES_EXITS,  /* ifs that leave (MERGE_EXIT), and ?: whose value nobody takes */
	SITES_GUARDED /* guarded ifs in a row (MERGE_GUARDED), whatever crosses them */
};
/* Sites of a file over several parses of it: every merge whose node can be edited or not, with two
 * arms that write a common carrier; widest first, then in source order. Of its instances the first
 * has a carrier; others that a kernel reaches may have none, or be silent. */
void sites_find(struct site **out, size_t *n, struct arena *a, const struct parse *parses,
	size_t count, enum sites_of of);

/* May the host compile what this function does? Not where its own words say that it is for devices
 * alone. */
bool fn_may_be_hosts(const struct kt_unit *u, kt_id fn);

/* Writes what follows an if that leaves into an else, as strategies know it: see leave.c. NULL, or
 * why it cannot be written so; then the edits are to be thrown away. */
const char *site_as_else(struct edit_list *out, struct arena *a, const struct site *site,
	const struct strategy_opts *opts);

/* Does one path compute alone what crosses it, as merge.h has it? */
bool site_is_one_armed(const struct site *site);
/* May the strategy have a form for such a merge? Where nothing crosses it, a fence is what there
 * is; where one path computes alone, that, or loops that do without the if. */
bool strategy_may_fit(const struct strategy *s, const struct site *site);

/* The instance that most chained VGPRs cross, or whose arms have most alike. */
const struct site_instance *site_widest(const struct site *site);

/* Adds the symbols of the kernels from which fn is reached; none in a host's pass. */
void parse_kernels(struct map *out, struct arena *a, const struct parse *parse, kt_id fn);

/* Every variant of strategy s, for merges or fragments, at a site; candidates with equal edits are
 * given once. A strategy that is illegal in one instance is refused as a whole. Release the edits
 * with candidate_release. */
void strategy_plan(struct candidate **out, size_t *n, struct arena *a, const struct strategy *s,
	const struct site *site, const struct strategy_opts *opts);
void candidate_release(struct candidate *c);
/* Is this the text of an insertion that other merges may share? */
bool candidate_shares(const struct candidate *c, struct str text);
bool candidate_same_edits(const struct candidate *x, const struct candidate *y);
/* Of two instances of a merge, or two merges: for all instances of both; NULL: they differ. */
const struct wrapper *wrapper_join(
	struct arena *a, const struct wrapper *x, const struct wrapper *y);

/* Does a text speak of NVIDIA's compilers, or ask whether this is AMD's? */
bool strategy_is_for_nvidia(struct str text);
/* The macros for needs, as an insertion into text; nothing for what the text already defines. */
void strategy_prelude(
	struct edit_list *l, struct arena *a, struct str text, unsigned needs, bool comments);
/* Do the conditions of an if/else come out of launder already? Then it stands as it was chosen. */
bool merge_is_laundered(const struct kt_unit *u, const struct merge *m);
