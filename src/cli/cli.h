#pragma once
/*
 * One file a subcommand; each entry point is its pipeline from top to bottom and returns the exit
 * code. The options are checked when it is called: files and pairs that exclude each other too.
 * This header holds what subcommands share: targets, and where results go.
 */
#include "base/arena.h"
#include "base/str.h"
#include "config/options.h"
#include "config/user.h"
#include "target/intrinsic.h"
#include "target/target.h"
#include "verify/verify.h"

int cmd_lint(const struct cli_opts *opts);
int cmd_rewrite(const struct cli_opts *opts);
int cmd_measure(const struct cli_opts *opts);
int cmd_verify(const struct cli_opts *opts);
int cmd_explain(const struct cli_opts *opts);
int cmd_explore(const struct cli_opts *opts);
int cmd_ledger(const struct cli_opts *opts);
int cmd_cc(const struct cli_opts *opts);
int cmd_lock(const struct cli_opts *opts);
int cmd_merge(const struct cli_opts *opts);
int cmd_cache(const struct cli_opts *opts);
int cmd_occupancy(const struct cli_opts *opts);
/* start: what main does with options once they are read, for the commands that it runs in children
 * of its own. */
int cmd_server(const struct cli_opts *opts, int (*start)(struct cli_opts *opts));

/* The exit code that belongs to 0 or an enum fail. */
int cli_exit(int rc);
/* Whether what goes to this descriptor is to be colored: --color, NO_COLOR, a terminal. */
bool cli_color(const struct cli_opts *o, int fd);

struct cli_targets {
	const struct target **v; /* as asked for, in that order, each once; n > 0 */
	size_t n;
	/* the user's compiler flags without those that choose a GPU, NULL-terminated */
	const char *const *flags;
	/* of a file that a build compiles several times: parallel to v, which then has a target
	 * once for each of its compiles; or NULL */
	const char *const *const *view_flags;
	const char *const *view_compiler; /* as given, or NULL; a target once for each, too */
	bool of_flags;			  /* the flags name the targets */
	bool fallback;	     /* nobody names any, and there is no GPU: target_fallback's */
	const char *unknown; /* NULL, or one that the flags name and that was left out */
};

/* With --compiler given several times: each target by each of them. */
void cli_targets_by_compilers(struct cli_targets *t, struct arena *a, const struct cli_opts *opts);

/* The GPUs of this machine, asked for once. Starts as {0}. */
struct cli_gpus {
	bool known;
	const char **v;
	size_t n;
};

/* --target, else the --offload-arch among the flags, else those of the configuration, else the GPUs
 * in this machine, else, where a source is only looked at, the fallback of rules/targets.yaml and a
 * note that says so. A target that was named with features ("gfx90a:xnack-") keeps them in its
 * name. Everything lives in a. FAIL_USAGE after a message that lists the known targets, or that
 * says what to give. */
int cli_targets_find(struct cli_targets *out, struct arena *a, const struct cli_opts *o);
/* The same with flags in place of those of o, and without the note; what is found points into db.
 * file: NULL, or the file that a build compiles with these flags. Messages name it, and where it is
 * compiled for GPUs that are known and others that are not, the known ones do, unless something is
 * to be measured. */
int cli_targets_of(struct cli_targets *out, struct arena *a, const struct target_db *db,
	struct cli_gpus *gpus, const struct cli_opts *o, const char *const *flags,
	const char *file);
/* Says for whom the fallback was taken, and how to have another. more: beside file, which may be
 * NULL. */
void cli_targets_note(const struct target_db *db, const char *file, size_t more);
/* NULL, or why what o asks for may not be all that a command with these flags compiles for, as the
 * end of a sentence. */
const char *cli_targets_uncovered(
	struct arena *a, const struct cli_opts *o, const char *const *flags);

/* o with what the configuration of the file, or that of --config, sets and the command line does
 * not. Lists of the copy are not its own. FAIL_USAGE after a message. */
int cli_configure(
	struct cli_opts *out, struct user_configs *all, const struct cli_opts *o, const char *file);
/* compiler_find for o, with its launcher; wanted as there. */
struct compiler;
int cli_compiler_find(struct compiler *out, struct arena *a, const struct cli_opts *o,
	const char *wanted, const char *target);
/* One for each target: the one that it is to be compiled by, else o's. */
int cli_compilers_find(struct compiler **out, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets);
/* Adds to the key of a decision what the options say and what stands in the files that decide with
 * them, the configuration and the baseline. False when one of these cannot be read. */
bool cli_key_add(struct sbuf *key, const struct cli_opts *o);
/* The built-in ones, and what o's configuration says beyond. */
int cli_settings(struct settings *out, struct arena *a, const struct cli_opts *o);
int cli_intrinsics(struct intrinsic_db *out, struct arena *a, const struct cli_opts *o);
/* What o's configuration says beyond the built-in ones. */
void cli_intrinsics_add(struct intrinsic_db *db, struct arena *a, const struct cli_opts *o);

/* All input files can be read: 0, or FAIL_USAGE after a message for each that cannot. */
int cli_files_check(const struct cli_opts *o);
/* path, NULL allowed, can be written and is none of the input files. Asked before hours of work;
 * writing can still fail later. FAIL_USAGE with a message. */
int cli_output_check(const struct cli_opts *o, const char *path);

/* What choose says of a file of a unit. */
struct choice;
struct choose_lines;
struct choose_text;
struct choose_ran;
struct cause;
struct compiler;
struct cli_forced;
struct cli_choosing {
	const struct cli_opts *opts;
	const char *path;
	struct str source;
	const struct cli_targets *targets;
	bool all_wide;	     /* try merges that no arm goes on from, too */
	bool fragments_told; /* decisions also about fragments that nothing is tried for */
	bool lazy;	     /* measure nothing where there is no merge to try */
	/* with lazy: the major version of the compiler, which is asked for more once something is
	 * compiled; 0: at once */
	unsigned clang;
	bool explain;			/* fill in the explanations */
	unsigned only_line;		/* leave alone what begins on other lines; 0: nothing */
	const struct cli_forced *force; /* of one strategy, unmeasured; NULL: measuring decides */
	void (*progress)(const void *user, const char *text); /* or NULL */
	const void *user;
	const struct compiler *compiler; /* out: one a target */
};
/* progress of choose, too: a note about the file that user names. */
void cli_show_progress(const void *user, const char *text);
/* 0, or enum fail after a message. Lives in a. */
int cli_choose(struct choice *out, struct arena *a, struct cli_choosing *c);
/* *better: 1 if result y is better than result x, both measured by c, 0 if they are as good, or -1.
 * *why lives in a. */
int cli_choose_compare(int *better, const char **why, struct arena *a, struct cli_choosing *c,
	const struct choice *x, const struct choice *y);
/* The causes of spills that are wanted (enum cause_kind) in place of a choice. */
int cli_causes(
	struct cause **out, size_t *n, struct arena *a, struct cli_choosing *c, unsigned wanted);

/* What rewrite makes of the first file, with the strategy, threshold and targets of o; in a.
 * 0 or enum fail after a message. */
int cli_rewritten(struct str *out, struct arena *a, const struct cli_opts *o);

/* What --strategy names. */
struct strategy;
struct cli_forced {
	const struct strategy *strategy; /* NULL: measuring decides */
	const char *variant;		 /* of it; NULL: the first that is legal */
};
/* FAIL_USAGE after a message. */
int cli_forced_find(struct cli_forced *f, struct arena *a, const struct cli_opts *o);

/* One file of a project. */
struct cli_rewriting {
	const struct cli_opts *opts; /* as configured for it */
	const char *path;	     /* valid in the directory that we are in */
	const char *shown;
	const struct cli_targets *targets;
	const char *untouchable; /* why no edit of it would be right, or NULL */
};
struct cli_rewrote {
	struct str source;
	struct str text;   /* equal to source where nothing was kept */
	struct str report; /* in the format of opts */
	struct str
		stamps; /* of the files that were read (base/kept/stamp); n 0: it cannot be told */
};
/* What becomes of it; nothing is written. Lives in a. 0 or enum fail after a message. */
int cli_rewrite_file(struct cli_rewrote *out, struct arena *a, const struct cli_rewriting *what);

/* The spec of a file: that of --spec, else NAME.verify.yaml beside it, else where the configuration
 * says; it need not be there. In a. */
const char *cli_spec_path(struct arena *a, const struct cli_opts *o, const char *file);
/* Where --init puts a first one that is not there: where the configuration says, else beside the
 * file. In a. */
const char *cli_spec_place(struct arena *a, const struct cli_opts *o, const char *file);
/* The spec of the first file, with the cases of the targets that --target names;
 * with --on gpu also the GPU (else NULL), and only cases that it can run. FAIL_USAGE after a
 * message. */
int cli_spec_load(
	struct spec *out, const struct gpu **gpu, struct arena *a, const struct cli_opts *o);
/* Warns of arms that the runs of the original came to and never took: nothing is known of them. */
void cli_warn_of_unrun(struct arena *a, const struct verify_run *run, size_t runs);
int cli_verify_open(struct verify **out, struct arena *a, const struct spec *s,
	const struct gpu *gpu, const struct verify_machine *machine, const struct cli_opts *o);
/* Compiles the sources for the targets of the cases with the user's compiler, and makes what runs
 * their assembly. Enum fail after a message when there is no compiler. Lives in a. */
int cli_machine_open(struct verify_machine **out, struct arena *a, const struct cli_opts *o,
	const struct verify_source *source, size_t sources, const struct spec *s);

/* Does a text give the same bits as the first file? Lives in a until it is closed. Opening runs the
 * file, whose text is source: enum fail after a message. */
struct cli_bits;
int cli_bits_open(
	struct cli_bits **out, struct arena *a, const struct cli_opts *o, struct str source);
/* The same, once somebody asks for bits: a file in which nothing is tried needs no case. */
struct cli_bits *cli_bits_later(struct arena *a, const struct cli_opts *o, struct str source);
void cli_bits_close(struct cli_bits *b); /* NULL is none */
/* 1: races between waves are among what is seen; 0: not, as the file itself has some; or enum fail
 * after a message. */
int cli_bits_see_races(void *bits);
/* 1: the same, 0: not, and *why says what differs, or enum fail after a message. bits is a struct
 * cli_bits. */
int cli_bits_same(void *bits, const struct choose_text *text, const char **why);
/* Does it count what runs, as --on isa does? Then so, for a text with the same bits. */
bool cli_bits_counts(const struct cli_bits *b);
int cli_bits_ran(void *bits, struct choose_ran *out, const struct choose_text *text, size_t n);
/* As choose_job's proved. */
bool cli_bits_proved(void *bits, struct str text, const char **why);
/* Where a spec stands beside the job's file and nobody has asked for runs: what of its cases runs
 * decides, on the machine code that the search compiles, as far as two compiles' time goes. NULL:
 * there is none. To be closed by cli_bits_close. */
struct choose_job;
struct cli_bits *cli_runs_add(struct choose_job *job, struct arena *a, const struct cli_opts *o);
/* Adds that spec to a key; false: it cannot be read. */
bool cli_runs_key_add(
	struct sbuf *key, struct arena *a, const struct cli_opts *o, const char *path);
/* NULL, or why no case of this kernel for this target shows what it does in these lines: there is
 * none, or an arm never runs, as the CPU run of the file tells. */
const char *cli_bits_unshown(void *bits, struct arena *a, const char *kernel,
	const struct target *t, const struct choose_lines *where);

/* Writes results: to path, atomically, or to stdout when it is NULL. FAIL_USAGE with a message. */
int cli_output_write(const char *path, struct str text);
/* --quiet leaves out what is for people; a format for programs is what was asked for. */
bool cli_report_shown(const struct cli_opts *o);
/* The same to --report; what is for people has no control characters, whatever files are named.
 * JSON and HTML get the errors and warnings so far, so it comes after all that is said of the
 * results. */
int cli_report_write(const struct cli_opts *o, struct str text);
/* Once, before processes are made that write the report. */
void cli_report_open(void);
/* Was it written, or is --report a file that must not be? */
bool cli_report_is_written(void);
/* Of a run that ended with code before there were results: writes a report of its errors, in
 * formats that tools read. The exit code. */
int cli_report_failed(const struct cli_opts *o, int code);
