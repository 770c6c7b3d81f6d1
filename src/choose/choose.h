#pragma once
/*
 * From candidates to a decision with its reasons. Every legal candidate of a merge is compiled for
 * every target and compared with the text as it stands; the best one that is better somewhere, and
 * worse or vetoed nowhere, is kept; then the next merges, on top of the ones kept. Merges that no
 * kernel shares are tried in the same compiles.
 */
#include <regex.h>
#include "config/settings.h"
#include "frontend/frontend.h"
#include "measure/measure.h"
#include "strategy/strategy.h"

/* A text of the file, and texts in place of what it includes. */
struct choose_text {
	struct str text;
	const struct measure_result *made; /* its machine code, one a target; NULL: not made yet */
	const struct stand_in *in_place;
	size_t in_places;
};

enum {
	CHOOSE_RAN_MOST = 16
};

/* What a wave runs in one case of a spec. */
struct choose_case {
	const char *target;
	const char *symbol; /* of the kernel */
	int64_t scratch_bytes;
	int64_t cycles; /* of issue */
	int64_t scalar; /* of these, of what needs no vector unit */
	int64_t branches;
	int64_t matrix;	      /* operations */
	int64_t waits;	      /* cycles, for loads: measure/isa/stall.h */
	int64_t instructions; /* of all waves */
};

/* What runs, of each case and summed over them. */
struct choose_ran {
	const char
		*why; /* it does not give the bits of the source, or does not run; NULL: it does */
	bool unrun;   /* it was not run: that would have taken too long */
	/* Bits differ, and proved() can tell whether only by contraction; else NULL. */
	const char *differs;
	const struct choose_case *of;
	size_t cases;
	int64_t scratch_bytes;
	int64_t cycles;
	int64_t instructions;
	struct {
		const char *name; /* "VALU", "global bytes"; NULL after the last */
		int64_t n;
	} shown[CHOOSE_RAN_MOST + 1];
};

enum decision_kind {
	DECISION_MERGE,
	DECISION_BARRIER,  /* no VGPRs cross it */
	DECISION_FRAGMENT, /* crossing is its width */
	DECISION_KINDS
};

/* A file that is compiled, as it is now. */
struct choose_unit {
	const char *path;
	struct str text;
	const char *const *flags; /* NULL-terminated */
};

/* Does its name or its symbol (or NULL) match? wanted NULL: always. */
bool kernel_is_wanted(const regex_t *wanted, const char *name, const char *symbol);

/* The lines of a merge, or of a function that it comes to. */
struct choose_lines {
	const char *path; /* NULL: of the job's source */
	unsigned first;
	unsigned last;
	bool merge; /* so it has arms */
};

struct choose_job {
	const char *path;  /* the file as the user named it */
	struct str source; /* its content */
	/* NULL; or path is a header, and this, one a target, is what includes it: merges of the
	 * header are worked on, and nothing else */
	const struct choose_unit *const *unit;
	const char *untouchable;	 /* why no edit of it would be right, or NULL */
	const struct stand_in *in_place; /* texts in place of other files */
	size_t in_places;
	const struct target *const *target;
	const struct compiler *compiler; /* parallel to target; not needed with force */
	/* NULL, or fills these in, of which only path and major were known, when something is to be
	 * compiled; 0 or enum fail after a message */
	int (*equip)(void *equipper);
	void *equipper;
	size_t targets;
	const char *const *flags; /* the user's, NULL-terminated */
	/* parallel to target: the user's for each, where a build compiles the file several times;
	 * or NULL. An edit has to be right, and no worse, in all of them */
	const char *const *const *view_flags;
	const struct intrinsic_db *intrinsics;
	const struct settings *settings;
	const struct strategy *force; /* apply this wherever it is legal, unmeasured; or NULL */
	const char *force_variant;    /* of it; NULL: the first that is legal */
	/* POSIX extended, or NULL: work on what kernels come to whose name or symbol matches */
	const regex_t *kernels;
	bool allow_recontraction;
	bool allow_unproved; /* with ran: what only equal bits on all cases speak for */
	const char *prefix;  /* struct strategy_opts */
	bool no_comments;
	bool assume_flat; /* struct strategy_opts */
	bool allow_flags; /* take flags of the compiler's that make the result better still */
	bool explain;	  /* fill in the explanations */
	/* Try merges that no arm goes on from as well, with what writes equal code once. */
	bool unchained;
	bool fragments_told; /* decisions also about fragments that nothing is tried for */
	bool sparing;	     /* a source in which nothing can be tried is not measured */
	/* Sparing, for a launcher: only merges are tried (barriers stay), no report is made, and
	 * who asks checks the host's pass of the text that is kept. */
	bool lazy;
	double time_limit_s; /* then the best so far is kept; 0 = no limit */
	bool interruptible;  /* and at the first SIGINT, once the source is compiled */
	unsigned parallel;   /* compiles at a time; 0 = all processors */
	bool no_cache;	     /* parse and compile everything, and keep nothing */
	/* Does it compute the same bits as the source? 1; or 0, and *why says what differs; or
	 * enum fail after a message. NULL: nobody asks. */
	int (*same_bits)(void *bits, const struct choose_text *text, const char **why);
	/* What runs of n texts, the first one before any edit of the others. 0, or enum fail after
	 * a message. NULL: nobody counts. */
	int (*ran)(void *runs, struct choose_ran *out, const struct choose_text *text, size_t n);
	/* Is the machine code of a text that ran equal for all data to the source's, or, with
	 * allow_recontraction, equal but for contraction? Sets *why to the verdict, or to why not.
	 */
	bool (*proved)(void *runs, struct str text, const char **why);
	void *runs;		 /* for ran, proved and unshown */
	bool runs_are_asked_for; /* so that what the clauses on contraction refuse is run, too */
	/* With ran: NULL, or why no case shows what this kernel does for this target in these
	 * lines, in a. */
	const char *(*unshown)(void *runs, struct arena *a, const char *kernel,
		const struct target *t, const struct choose_lines *where);
	void *bits;
	/* NULL, or why a merge or barrier that begins on this line of the job's source is not to be
	 * touched (NULL: it may be), in a. NULL: nobody says so. */
	const char *(*suppressed)(const struct choose_job *job, struct arena *a,
		enum decision_kind kind, unsigned line);
	const void *suppressing; /* for suppressed */
	/* Would bits show a race between waves? 1; or 0: then no barrier is dropped; or enum fail
	 * after a message. NULL: nobody asks. */
	int (*see_races)(void *bits);
	/* What measures the texts; NULL: measure_run_observed. Tests hand in made-up figures. */
	void (*measure)(struct measure_result *out, struct arena *a, const struct measure_job *jobs,
		size_t n, unsigned parallel, const struct measure_observer *observer);
	const char *bench;    /* a command whose time decides between candidates; or NULL */
	double bench_limit_s; /* per run; 0 = default */
	void (*progress)(const void *user, const char *text); /* or NULL */
	const void *user;
};

enum outcome {
	OUTCOME_REFUSED, /* illegal: the clause is in reason */
	OUTCOME_FAILED,	 /* did not compile, timed out */
	OUTCOME_UNKNOWN, /* a figure is missing or not to be trusted */
	OUTCOME_VETO,
	OUTCOME_WORSE,
	OUTCOME_EQUAL,
	OUTCOME_BETTER,	 /* but another one was better still */
	OUTCOME_KEPT,	 /* in the result */
	OUTCOME_UNTRIED, /* legal, but with force another form came first */
};
const char *outcome_word(enum outcome o);

struct attempt {
	enum strategy_id strategy;
	const char *variant;
	enum outcome outcome;
	unsigned clause;    /* of a refusal */
	const char *reason; /* in words */
	/* of what was better or worse: resident waves, summed over its kernels; issue cycles, and
	 * the time that the model of waves and waits estimates (measure/cost.h), in percent of what
	 * they were; 0: not known */
	int64_t waves[2];
	double cycles_percent;
	double time_percent;
	/* what it takes for granted of the kernel, which unphi verify checks; or NULL */
	const char *assumes;
	/* why it is not proved to leave the same bits, which the machine code of all cases does; or
	 * NULL */
	const char *unproved;
};

/* Lines of the original source; 0: none. */
struct explained_lines {
	unsigned first;
	unsigned last;
};

struct explained_carrier {
	const char *name;
	const char *type;
	unsigned width; /* VGPRs per lane */
	bool chained;
};

struct explained_arm {
	const char *condition; /* NULL: else, or a case */
	struct explained_lines lines;
	struct explained_lines tail; /* what all arms end in, where they end alike */
};

/* Where the arms differ in what they end in. */
struct explained_operand {
	const char **text; /* one for each arm */
	const char *type;
	unsigned width;	   /* VGPRs per lane */
	const char *reads; /* names, for people */
};

struct explanation {
	struct explained_carrier *carrier;
	size_t carriers;
	struct explained_arm *arm;
	size_t arms;
	bool alike; /* the arms end alike but for the operands */
	struct explained_operand *operand;
	size_t operands;
};

/* What became of one merge, barrier or fragment. */
struct decision {
	enum decision_kind kind;
	struct line_col
		at; /* in the original source when in_original, else in the rewritten text */
	bool in_original;
	const char *name;     /* of a fragment */
	const char *function; /* of its widest instance */
	unsigned chained;     /* VGPRs per lane */
	unsigned crossing;    /* VGPRs per lane, those included */
	unsigned alike;	      /* where nothing crosses: VGPRs that the arms have alike */
	const char *kernels;  /* names of the kernels that reach it, for people */
	struct attempt *attempt;
	size_t attempts;
	bool rewritten;
	const char *why_kept; /* when not rewritten */
	bool costs_nothing;   /* measured: its kernels cost no more with only one arm */
	const struct explanation *explanation; /* of its widest instance; NULL: not asked for */
};

/* What skips the structurizer where all lanes go the same way; NULL-terminated. */
extern const char *const flags_skipping[];

/* Flags of the compiler's as one candidate more, on top of what was kept. */
struct flags_tried {
	const char *const *flag; /* NULL-terminated; NULL: not tried */
	enum outcome outcome;	 /* OUTCOME_KEPT: the choice is a text and these flags */
	const char *reason;
	const char *warning;	  /* what is known of it: it has met miscompiles */
	struct measurement *with; /* one a target; NULL: it did not compile */
};

/* A merge of a header, which stays as it is while another file is worked on. */
struct choice_elsewhere {
	const char *path;
	struct line_col at;
	const char *function; /* of its widest instance */
	unsigned chained;     /* VGPRs per lane */
	bool worked_on;	      /* after the file: its header has a choice of its own */
};

struct choice {
	struct str text; /* the result; the source itself when nothing was kept */
	bool changed;
	struct decision *decision;
	size_t decisions;
	/* per target; NULL with force, and where nothing was measured */
	struct measurement *before;
	struct measurement *after;
	struct measurement *one_arm; /* each figure: the most that only one arm costs; kernels
				    * without a merge are left out */
	struct flags_tried flags;
	const struct choose_ran *ran; /* of the source, and of the result; NULL: nobody counts */
	size_t judged_by_runs;	      /* merges of which cases decided; cases: how many in all */
	size_t cases;
	struct choice_elsewhere *elsewhere;
	size_t elsewheres;
	const char *const *names; /* of a header: all that it is read by; NULL-terminated */
	/* what it took, for scripts/bench: compiles, whether the cache had them or not, parses, and
	 * rounds, which each had to wait for what the one before gave */
	size_t compiles;
	size_t parses;
	size_t rounds;
	bool time_ran_out; /* some rewrites were not tried */
	bool interrupted;  /* that is why */
	/* of the files that the decision rests on beside source and compilers (kept/stamp); n 0:
	 * it cannot be told, or the next run may decide otherwise */
	struct str stamps;
};

/* Those that target k of the job is compiled with; equal pointers: as the one before. */
const char *const *choose_flags(const struct choose_job *job, size_t k);

/* Is result y of a job better than its result x, or worse? OUTCOME_BETTER, OUTCOME_WORSE (for some
 * target, or it cannot be told) or OUTCOME_EQUAL, and why, in a. Both were measured. */
enum outcome choose_compare(const char **why, struct arena *a, const struct choose_job *job,
	const struct choice *x, const struct choice *y);
/* 0; FAIL_INPUT (does not parse, does not compile, cannot be trusted) or FAIL_USAGE after a
 * message. */
int choose_run(struct choice *out, struct arena *a, const struct choose_job *job);
