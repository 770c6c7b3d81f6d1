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
	struct map sample;	     /* of these, the ones that drafts are compared by */
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
	const char *name;
	const char *successor;	       /* what was written for it, with its comment; NULL: parts */
	const struct wrapper *wrapper; /* of all merges that call it; NULL: it stays as it is */
};

/* Why a pick goes: a fault of unphi's that ends no run. */
#define TRIAL_UNREAD                                                                               \
	"libclang cannot read the result back: that is a fault of unphi's, please report it"

struct compile_as {
	const char *const *flags;
	const char *what; /* for whoever waits; or NULL */
	bool quiet;
	bool needed; /* compiled first, and nothing else where it fails */
	bool want_ir;
	bool keep_ir;
	bool keep_isa;
	bool draft;		 /* measure_job: what is kept is compiled otherwise before */
	const char *const *only; /* measure_job */
	const bool *views; /* for which of the job's targets; NULL: all. Others give nothing */
};

/* A text, and how it is to be compiled. */
struct wanted {
	struct str text;
	struct compile_as as;
};

struct compiled {
	struct wanted of;
	const struct measure_result *result; /* one a target */
};

/* What was parsed of a text, while another one is looked at. */
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
	struct str text;		/* as rewritten so far */
	struct parse *parse;		/* one a target, of text; after them the host's passes */
	size_t views;			/* of these, all together */
	struct str seen;		/* the text that was parsed */
	struct site *site;		/* merges; while guarded is set, the guarded ifs in a row */
	size_t sites;
	bool guarded;
	struct measurement *now;	   /* one a target, of text; NULL: not measured yet */
	struct measurement *before;	   /* of the job's source */
	const struct measurement *one_arm; /* one a target; NULL: not known yet, or there is none */
	bool one_arm_due;		   /* the source is measured, and it is to be known yet */
	bool sample_at_one_arm;		   /* only of the sample that its drafts were of */
	const bool *views_at_one_arm;	   /* in these views only, or NULL */
	const char *const *sample; /* kernels that the last round's drafts were of; NULL: all */
	ARRAY(size_t) done;	   /* offsets in text of merges that need no other look */
	ARRAY(struct edit_list *)
	applied; /* one a round, for the way back to the original's offsets */
	ARRAY(struct decision) decisions;
	const char *const *names; /* of the header that is worked on */
	const char *untouchable;  /* why no edit of it is right, or NULL */
	const char *dir;	  /* for the candidates to compile */
	unsigned texts;
	ARRAY(struct compiled) compiled; /* all texts so far */
	size_t compiles;
	size_t parses;
	size_t rounds;	/* that had to wait for what another one gave */
	size_t by_runs; /* merges of which cases decided */
	size_t cases;
	bool unrun;	  /* the cases do not run: nobody counts */
	double ends_at_s; /* on proc_now_s(); 0: takes its time */
	bool time_ran_out;
	bool interrupted;  /* time ran out because somebody asked */
	const char *doing; /* for whoever waits; or NULL */
	struct map vetoed; /* symbols of kernels for which something was not kept */
	struct other_names others;
	ARRAY(struct split_function)
	splits;		    /* functions whose parts are called in what was kept */
	struct sbuf stamps; /* of what was read so far */
	bool unstamped;	    /* by something it cannot be told what it read */
	struct strategy_opts opts;
};

/* state.c */
/* n 0: cannot be told. */
void state_stamp(struct state *s, struct str stamps);
/* The job's same_bits of what is worked on. */
int state_same_bits(const struct state *s, struct str text, const char **why);
int state_parse(struct state *s, struct str text, bool quiet);
/* Makes the guarded ifs in a row the sites, or the merges again. */
void state_look_at_guarded(struct state *s, bool guarded);
/* Keeps what was parsed before in *old, for state_take_back() or reading_release(). */
int state_parse_beside(struct state *s, struct str text, bool quiet, struct reading *old);
/* Goes back to it, in place of what was parsed since. */
void state_take_back(struct state *s, struct reading *old);
void reading_release(struct reading *r);
/* The texts in place of files when text is that of what is worked on; out has room for one more
 * than the job's. */
const struct stand_in *state_in_place(
	const struct state *s, struct stand_in *out, struct str text, size_t *n);
/* Is target k compiled from the same file and with the same flags as the one before it? */
bool state_as_before(const struct state *s, size_t k);
/* Does the command of target k compile for the host? */
bool state_has_host_pass(const struct state *s, size_t k);
/* Parses the host's passes as well, if they were not. */
int state_see_host(struct state *s);
void state_release_parses(struct state *s);
/* Why what begins at an offset of the text is not to be touched, whatever it costs; or NULL. */
const char *state_suppressed(const struct state *s, enum decision_kind kind, size_t offset);
/* Is one of these kernels asked for? */
bool state_wants(const struct state *s, const struct map *kernels);
/* Does it stand in the main file? */
bool state_is_main(const struct site *site);
/* Is this merge one to work on: in the main file, wide enough, not done? */
bool state_is_pending(const struct state *s, const struct site *site);
/* And do its arms go on from a value that is wide enough? If not, a person has no finding of it. */
bool state_is_chained(const struct state *s, const struct site *site);
/* Nothing crosses it, but its arms have as much alike (analysis/merge/alike.h). */
bool state_is_alike(const struct state *s, const struct site *site);
/* The major version of the oldest compiler of all targets. */
unsigned state_oldest_clang(const struct state *s);
/* headroom_drop_free, where somebody measures. */
size_t state_drop_free(struct state *s, struct site *site, size_t n);
size_t state_original_offset(const struct state *s, size_t offset);
/* Where that is for people. */
struct line_col state_original_place(const struct state *s, size_t offset);
/* Edits with their prelude, checked; false when they overlap. Both live on. */
bool state_finish_edits(struct state *s, struct edit_list *l, unsigned needs);
/* The text as edits make it. */
struct str state_edited(const struct state *s, const struct edit_list *l);
/* Takes over the edited text, already parsed by state_parse. */
void state_accept(struct state *s, struct str text, struct edit_list *l);
/* Notes what was kept of a trial. */
void state_keep(struct state *s, const struct trial *t);
void state_note(const struct state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void state_decide(struct state *s, struct trial *t, size_t original, const char *kernels);
/* Symbol -> const struct kt_fn *: the kernels of all views, each once, where there is one by the
 * function that has a body. */
void state_kernels(struct map *out, const struct state *s);
const char *state_kernel_names(const struct state *s, const struct trial *t);

/* What the flags of all targets say of contraction and overflow, what the user allows, and the
 * threshold: the same for rewrite and for advice. */
void state_set_limits(struct state *s);

/* Did time run out? What is compiled from now on ends at once. */
bool state_is_late(struct state *s);
const char *state_why_late(const struct state *s);
enum outcome outcome_of(enum verdict v);
/* The user's flags and these; NULL-terminated. */
const char *const *state_flags_with(struct state *s, const char *const *more);

/* explain.c: of a site of the text as it is now. The arms' common ending is the longest, of at most
 * so many statements. */
const struct explanation *explain_site(struct state *s, const struct site *site, size_t tail);

/* trial.c */
/* A merge that no text is made for. */
void trial_decide_to_keep(struct state *s, struct site *site, const char *why);
/* Symbols of the kernels that reach a site in any of its instances. */
void site_kernels(struct map *kernels, struct state *s, const struct site *site);
/* Does a kernel get to it, in any instance? */
bool site_may_run(struct state *s, const struct site *site);
void trial_init(struct trial *t, struct state *s, struct site *site);
void trial_release(struct trial *t);
/* Does c change text that the edits l change as well? Declarations (declared holds those of l) may
 * stand side by side. */
bool candidate_meets(const struct candidate *c, const struct edit_list *l, struct str declared);
void trial_add_edits(struct state *s, struct edit_list *l, const struct candidate *c);

/* sample.c: symbols of the kernels that candidates for a merge are compared by. */
void sample_choose(struct map *out, struct state *s, const struct site *site);
/* These as drafts want them; NULL: all of the unit, as there are no more that would be worth it. */
const char *const *sample_list(struct state *s, const struct map *sample);
/* A set of symbols as a list; NULL-terminated. */
const char *const *state_symbols(struct state *s, const struct map *kernels);
