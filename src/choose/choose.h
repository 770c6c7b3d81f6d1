#pragma once
/*
 * From candidates to decisions with reasons. Every legal candidate of a merge is compiled for every
 * target and compared with the current text. The best one that is better for some kernel, and worse
 * or vetoed for none, is kept. The next merges are tried on top of it. Merges that share no kernel
 * are tried in the same compiles.
 */
#include <regex.h>
#include "config/settings.h"
#include "frontend/frontend.h"
#include "measure/measure.h"
#include "strategy/strategy.h"

/* A version of the file, and texts in place of files that it includes. */
struct choose_text {
	struct str text;
	const struct measure_result *made; /* its machine code, one a target; NULL: not made yet */
	const struct stand_in *in_place;
	size_t in_places;
};

enum {
	CHOOSE_RAN_MOST = 16
};

/* The counts of one case of a spec, for a wave. */
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

/* The counts of a text: of each case, and their sum. */
struct choose_ran {
	const char *why; /* the bits differ, or it does not run; NULL: neither */
	bool unrun;	 /* not run, since that would have taken too long */
	/* Not NULL if bits differ and proved() can tell whether contraction explains that. */
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

/* A file that is compiled, with its current text. */
struct choose_unit {
	const char *path;
	struct str text;
	const char *const *flags; /* NULL-terminated */
};

/* Does its name or its symbol (or NULL) match? wanted NULL: always. */
bool kernel_is_wanted(const regex_t *wanted, const char *name, const char *symbol);

/* The lines of a merge, or of a function that it calls. */
struct choose_lines {
	const char *path; /* NULL: of the job's source */
	unsigned first;
	unsigned last;
	bool merge; /* so it has arms */
	/* by line, from first on: only constants decide there, in all instances; NULL: unknown */
	const bool *fixed;
};

struct choose_job {
	const char *path;  /* the file as the user named it */
	struct str source; /* its content */
	/* NULL; or path is a header, and these, one a target, are the files that include it. Then
	 * only merges of the header are worked on */
	const struct choose_unit *const *unit;
	const char *untouchable;	 /* why no edit of it would be right, or NULL */
	const struct stand_in *in_place; /* texts in place of other files */
	size_t in_places;
	const struct target *const *target;
	const struct compiler *compiler; /* parallel to target; not needed with force */
	/* NULL, or fills in the compilers, of which only path and major are known, before the first
	 * compile; 0 or enum fail after a message */
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
	const char *force_variant;    /* its form; NULL: the first that is legal */
	/* POSIX extended, or NULL: work on code that kernels with a matching name or symbol
	 * reach */
	const regex_t *kernels;
	bool allow_recontraction;
	bool allow_unproved; /* with ran: equal bits on all cases are enough */
	const char *prefix;  /* struct strategy_opts */
	bool no_comments;
	bool assume_flat; /* struct strategy_opts */
	bool allow_flags; /* also try flags of the compiler */
	bool explain;	  /* fill in the explanations */
	/* Also try merges whose arms do not read the value from before, with the strategies that
	 * write equal code once. */
	bool unchained;
	bool fragments_told; /* also decide about fragments that have no candidate */
	bool sparing;	     /* do not measure a source without a candidate */
	/* For a launcher, to save time: only merges are tried (no barriers), no report is made, and
	 * the caller checks the host's pass of the kept text. */
	bool lazy;
	double time_limit_s; /* after that the best text so far is kept; 0: no limit */
	bool interruptible;  /* the same at the first SIGINT, once the source is compiled */
	unsigned parallel;   /* compiles at a time; 0 = all processors */
	bool no_cache;	     /* parse and compile everything, and keep nothing */
	/* NULL, or: does the text compute the same bits as the source? 1; 0, and *why names the
	 * difference; or enum fail after a message. */
	int (*same_bits)(void *bits, const struct choose_text *text, const char **why);
	/* NULL, or counts what n texts run; the first is the text before the edits of the others.
	 * 0, or enum fail after a message. */
	int (*ran)(void *runs, struct choose_ran *out, const struct choose_text *text, size_t n);
	/* Is the machine code of a text that ran equal to the source's for all data, or, with
	 * allow_recontraction, equal but for contraction? Sets *why to the verdict. */
	bool (*proved)(void *runs, struct str text, const char **why);
	void *runs;		 /* for ran, proved and unshown */
	bool runs_are_asked_for; /* so that texts that the clauses on contraction refuse run, too */
	/* With ran: NULL, or the reason why no case shows the effect of these lines in this kernel
	 * for this target, in a. */
	const char *(*unshown)(void *runs, struct arena *a, const char *kernel,
		const struct target *t, const struct choose_lines *where);
	void *bits;
	/* NULL, or returns the reason why a merge or barrier that begins on this line of the job's
	 * source must not change, in a; NULL: it may. */
	const char *(*suppressed)(const struct choose_job *job, struct arena *a,
		enum decision_kind kind, unsigned line);
	const void *suppressing; /* for suppressed */
	/* NULL, or: would the bits show a race between waves? 1; 0, and then no barrier is dropped;
	 * or enum fail after a message. */
	int (*see_races)(void *bits);
	/* Measures the texts; NULL: measure_run_observed. Tests pass made-up figures. */
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
	OUTCOME_BETTER,	 /* better, but another one is better still */
	OUTCOME_KEPT,	 /* kept: it is in the result */
	OUTCOME_UNTRIED, /* legal, but with force another form came first */
};
const char *outcome_word(enum outcome o);

struct attempt {
	enum strategy_id strategy;
	const char *variant;
	enum outcome outcome;
	unsigned clause;    /* of a refusal */
	const char *reason; /* in words */
	/* the figures: resident waves, summed over the kernels; issue cycles, and the time that the
	 * model of waves and waits estimates (measure/cost.h), in percent of the figures before; 0:
	 * unknown */
	int64_t waves[2];
	double cycles_percent;
	double time_percent;
	/* the assumption about the kernel that unphi verify checks; or NULL */
	const char *assumes;
	/* why it has no proof of equal bits, although the machine code of all cases gives them; or
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
	struct explained_lines tail; /* the common end of all arms */
};

/* An operand in which the common ends of the arms differ. */
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

/* The decision about one merge, barrier or fragment. */
struct decision {
	enum decision_kind kind;
	struct line_col
		at; /* in the original source when in_original, else in the rewritten text */
	bool in_original;
	const char *name;     /* of a fragment */
	const char *function; /* of its widest instance */
	unsigned chained;     /* VGPRs per lane */
	unsigned crossing;    /* VGPRs per lane, those included */
	unsigned alike;	      /* if nothing crosses: VGPRs of the code that the arms share */
	const char *kernels;  /* names of the kernels that reach it, for people */
	struct attempt *attempt;
	size_t attempts;
	bool rewritten;
	const char *why_kept; /* when not rewritten */
	bool costs_nothing;   /* measured: its kernels cost as much with only one arm */
	const struct explanation *explanation; /* of its widest instance; NULL: not asked for */
};

/* The flags that keep uniform branches out of the structurizer; NULL-terminated. */
extern const char *const flags_skipping[];

/* Flags of the compiler as one more candidate, on top of the kept text. */
struct flags_tried {
	const char *const *flag; /* NULL-terminated; NULL: not tried */
	enum outcome outcome;	 /* OUTCOME_KEPT: the choice is the text with these flags */
	const char *reason;
	const char *warning;	  /* the known miscompiles of the flag */
	struct measurement *with; /* one a target; NULL: it did not compile */
};

/* A merge of a header, which does not change while another file is worked on. */
struct choice_elsewhere {
	const char *path;
	struct line_col at;
	const char *function; /* of its widest instance */
	unsigned chained;     /* VGPRs per lane */
	bool worked_on;	      /* rewritten after the file: its header has a choice of its own */
};

struct choice {
	struct str text; /* the result; the source itself if nothing was kept */
	bool changed;
	struct decision *decision;
	size_t decisions;
	/* per target; NULL with force, and where nothing was measured */
	struct measurement *before;
	struct measurement *after;
	struct measurement *one_arm; /* only one arm left in: the costliest */
	struct flags_tried flags;
	const struct choose_ran *ran; /* of source and result; NULL: not counted */
	size_t judged_by_runs; /* number of merges that the cases decided; cases: number of cases */
	size_t cases;
	struct choice_elsewhere *elsewhere;
	size_t elsewheres;
	const char *const *names; /* of a header: all that it is read by; NULL-terminated */
	/* the effort, for scripts/bench: compiles (also from the cache), parses, and rounds, each
	 * of which waited for the one before */
	size_t compiles;
	size_t parses;
	size_t rounds;
	bool time_ran_out; /* some rewrites were not tried */
	bool interrupted;  /* time ran out, so some were not tried */
	/* stamps of the files that the decision depends on, besides source and compilers
	 * (kept/stamp); n 0: unknown, or the next run may decide differently */
	struct str stamps;
};

/* The flags of target k of the job; two targets with the same flags have equal pointers. */
const char *const *choose_flags(const struct choose_job *job, size_t k);

/* Compares two measured results of a job: is y better than x (OUTCOME_BETTER), worse for some
 * target or unknown (OUTCOME_WORSE), or OUTCOME_EQUAL? The reason goes to *why, in a. */
enum outcome choose_compare(const char **why, struct arena *a, const struct choose_job *job,
	const struct choice *x, const struct choice *y);
/* 0; FAIL_INPUT (does not parse, does not compile, cannot be trusted) or FAIL_USAGE after a
 * message. */
int choose_run(struct choice *out, struct arena *a, const struct choose_job *job);
