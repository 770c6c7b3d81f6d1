#pragma once
/* The state of choose between rounds. Internal to the room. */
#include "base/array.h"
#include "base/map.h"
#include "choose/choose.h"

struct trial {
	struct site *site;
	struct map kernels;	     /* symbols of the kernels that reach it */
	struct map *of_view;	     /* the same in each view, or NULL */
	size_t views;		     /* one a target */
	struct map sample;	     /* the kernels of these that drafts are compared by */
	struct candidate *candidate; /* legal ones */
	size_t candidates;
	ARRAY(struct attempt) attempts;
	size_t *attempt_of; /* candidate -> its attempt */
	size_t pick;	    /* chosen candidate, or SIZE_MAX */
	const char *why_kept;
	bool costs_nothing;		       /* as in struct decision */
	const struct explanation *explanation; /* or NULL */
};

struct split_function {
	const char *name; /* or that of its class template, for of_class */
	/* the function that replaces it, with its comment; NULL: parts */
	const char *successor;
	const struct wrapper *wrapper; /* for all merges that call it; NULL: it does not change */
	const char *takes;	       /* the name that the successor takes if this one goes */
	bool of_class;
};

/* Why a pick is dropped: a fault of unphi that does not end the run. */
#define TRIAL_UNREAD                                                                               \
	"libclang cannot read the result back: that is a fault of unphi's, please report it"

struct compile_as {
	const char *const *flags;
	const char *what; /* for the progress line; or NULL */
	bool quiet;
	bool needed; /* compiled first; if it fails, nothing else is compiled */
	bool want_ir;
	bool keep_ir;
	bool keep_isa;
	bool draft;		 /* measure_job: a kept text is compiled again without this */
	const char *const *only; /* measure_job */
	const bool *views;	 /* the targets to compile for; NULL: all */
};

/* A text and the way to compile it. */
struct wanted {
	struct str text;
	struct compile_as as;
};

struct compiled {
	struct wanted of;
	const struct measure_result *result; /* one a target */
};

/* The parse of a text, set aside while another text is checked. */
struct reading {
	struct parse *parse;
	size_t views;
	struct str seen;
	struct site *site;
	size_t sites;
	bool host_unseen;
};

struct state {
	const struct choose_job *job;
	struct arena *a;
	const struct line_marks *lines; /* of the job's source */
	struct str text;		/* with the rewrites so far */
	struct parse *parse;		/* one for each target, of text; then the host passes */
	size_t views;			/* number of all parses */
	struct str seen;		/* the text that was parsed */
	struct site *site;		/* merges; while guarded is set, rows of guarded ifs */
	size_t sites;
	bool guarded;
	struct measurement *now;	   /* one a target, of text; NULL: not measured yet */
	struct measurement *before;	   /* of the job's source */
	const struct measurement *one_arm; /* one a target; NULL: not known yet, or there is none */
	bool isolated;			   /* no site waits for exits_run (struct site) any more */
	/* the source is measured, but one_arm is not known yet */
	bool one_arm_due;
	bool sample_at_one_arm;	      /* one_arm is only that of the sample of its drafts */
	const bool *views_at_one_arm; /* one_arm is only that of these views; NULL: all */
	const char *const *sample;    /* kernels in the drafts of the last round; NULL: all */
	ARRAY(size_t) done;	      /* offsets in text of merges that are done */
	ARRAY(struct edit_list *)
	applied; /* one for each round, to map offsets back to the source */
	ARRAY(struct decision) decisions;
	const char *const *names; /* names of the header that is rewritten */
	const char *untouchable;  /* why no edit of it is right, or NULL */
	const char *dir;	  /* directory for compiled texts */
	unsigned texts;
	ARRAY(struct compiled) compiled; /* all texts so far */
	size_t compiles;
	size_t parses;
	size_t rounds;	/* each waited for the one before */
	size_t by_runs; /* merges decided by cases */
	size_t cases;
	bool unrun;	  /* the cases do not run, so nothing is counted */
	double ends_at_s; /* by proc_now_s(); 0: no limit */
	bool time_ran_out;
	bool interrupted;  /* time ran out because of a SIGINT */
	const char *doing; /* for the progress line; or NULL */
	struct map vetoed; /* symbols of kernels that vetoed a pick */
	struct other_names others;
	ARRAY(struct split_function)
	splits;		    /* functions whose parts the kept rewrites call */
	struct sbuf stamps; /* stamps of the files read so far */
	bool unstamped;	    /* the files read are unknown */
	struct strategy_opts opts;
};

/* state.c */
/* Adds stamps; n 0: unknown. */
void state_stamp(struct state *s, struct str stamps);
/* The job's same_bits for the text of the file, or header, that is rewritten. */
int state_same_bits(const struct state *s, struct str text, const char **why);
int state_parse(struct state *s, struct str text, bool quiet);
/* Makes the rows of guarded ifs the sites, or the merges again. */
void state_look_at_guarded(struct state *s, bool guarded);
/* Keeps the current parse in *old, for state_take_back() or reading_release(). */
int state_parse_beside(struct state *s, struct str text, bool quiet, struct reading *old);
/* Makes the old parse the current one again. */
void state_take_back(struct state *s, struct reading *old);
void reading_release(struct reading *r);
/* The texts in place of files, if text is that of the rewritten file or header; out has space for
 * one more than the job's. */
const struct stand_in *state_in_place(
	const struct state *s, struct stand_in *out, struct str text, size_t *n);
/* Is target k compiled from the same file and with the same flags as the one before it? */
bool state_as_before(const struct state *s, size_t k);
/* Does the command of target k compile for the host? */
bool state_has_host_pass(const struct state *s, size_t k);
/* Parses the host passes, if not done yet. */
int state_see_host(struct state *s);
void state_release_parses(struct state *s);
/* Why code at an offset of the text is suppressed; or NULL. */
const char *state_suppressed(const struct state *s, enum decision_kind kind, size_t offset);
/* Did the user ask for one of these kernels? */
bool state_wants(const struct state *s, const struct map *kernels);
/* Is it in the main file? */
bool state_is_main(const struct site *site);
/* Is this merge to be tried: in the main file, wide enough, not done? */
bool state_is_pending(const struct state *s, const struct site *site);
/* Is enough of it chained? If not, lint has no finding for it. */
bool state_is_chained(const struct state *s, const struct site *site);
/* Nothing crosses it, but its arms share as many VGPRs (analysis/merge/alike.h). */
bool state_is_alike(const struct state *s, const struct site *site);
/* The major version of the oldest compiler of all targets. */
unsigned state_oldest_clang(const struct state *s);
/* headroom_drop_free for rewrite, which measures. */
size_t state_drop_free(struct state *s, struct site *site, size_t n);
size_t state_original_offset(const struct state *s, size_t offset);
/* The same as line and column. */
struct line_col state_original_place(const struct state *s, size_t offset);
/* Adds the prelude to the edits and checks them; false if they overlap. */
bool state_finish_edits(struct state *s, struct edit_list *l, unsigned needs);
/* The text with these edits. */
struct str state_edited(const struct state *s, const struct edit_list *l);
/* Takes over the edited text, already parsed by state_parse. */
void state_accept(struct state *s, struct str text, struct edit_list *l);
/* Records the kept candidate of a trial. */
void state_keep(struct state *s, const struct trial *t);
void state_note(const struct state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void state_decide(struct state *s, struct trial *t, size_t original, const char *kernels);
/* Symbol -> const struct kt_fn *: the kernels of all views, each once, if possible with a body. */
void state_kernels(struct map *out, const struct state *s);
const char *state_kernel_names(const struct state *s, const struct trial *t);

/* Sets contraction and overflow by the flags of all targets, the user's permissions and the
 * threshold: the same for rewrite and for advice. */
void state_set_limits(struct state *s);

/* Did time run out? Further compiles then end at once. */
bool state_is_late(struct state *s);
const char *state_why_late(const struct state *s);
enum outcome outcome_of(enum verdict v);
/* The user's flags and these; NULL-terminated. */
const char *const *state_flags_with(struct state *s, const char *const *more);

/* explain.c: explains a site of the current text. The common end of the arms is the longest one
 * with at most `tail` statements. */
const struct explanation *explain_site(struct state *s, const struct site *site, size_t tail);

/* trial.c */
/* Decides to keep a merge without trying a text. */
void trial_decide_to_keep(struct state *s, struct site *site, const char *why);
/* Symbols of the kernels that reach a site in any of its instances. */
void site_kernels(struct map *kernels, struct state *s, const struct site *site);
/* Does a kernel reach it in any instance? */
bool site_may_run(struct state *s, const struct site *site);
void trial_init(struct trial *t, struct state *s, struct site *site);
void trial_release(struct trial *t);
/* Does c change text that the edits l change, too? Declarations may be side by side (declared has
 * those of l). */
bool candidate_meets(const struct candidate *c, const struct edit_list *l, struct str declared);
void trial_add_edits(struct state *s, struct edit_list *l, const struct candidate *c);

/* sample.c: symbols of the kernels that candidates for a merge are compared by. */
void sample_choose(struct map *out, struct state *s, const struct site *site);
/* The sample as a list for drafts; NULL: all kernels, because leaving out the others does not
 * pay. */
const char *const *sample_list(struct state *s, const struct map *sample);
/* A set of symbols as a list; NULL-terminated. */
const char *const *state_symbols(struct state *s, const struct map *kernels);
