#pragma once
/*
 * The entry points of the subcommands, one file each: the pipeline from top to bottom, which
 * returns the exit code. Options, files and combinations of options are checked before the
 * call. This header also declares the code that subcommands share: targets, specs, choices, and
 * output.
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
/* start: runs a command with parsed options, as main does; the server calls it in child
 * processes. */
int cmd_server(const struct cli_opts *opts, int (*start)(struct cli_opts *opts));

/* The exit code that belongs to 0 or an enum fail. */
int cli_exit(int rc);
/* Is output to this descriptor colored? By --color, NO_COLOR, and whether it is a terminal. */
bool cli_color(const struct cli_opts *o, int fd);

struct cli_targets {
	const struct target **v; /* in the order given, each once; n > 0 */
	size_t n;
	/* the user's compiler flags without those that choose a GPU, NULL-terminated */
	const char *const *flags;
	/* NULL. Or, for a file that a build compiles several times, the flags of each compile: v
	 * then has an entry for each compile, parallel to this list */
	const char *const *const *view_flags;
	const char *const *view_compiler; /* as given, parallel to v; or NULL */
	bool of_flags;			  /* the flags name the targets */
	bool fallback;	     /* no option and no GPU here names a target: it is target_fallback's */
	const char *unknown; /* NULL, or a target of the flags that unphi does not support */
};

/* With several --compiler: makes an entry for each target and compiler. */
void cli_targets_by_compilers(struct cli_targets *t, struct arena *a, const struct cli_opts *opts);

/* The GPUs of this machine, looked up once. Starts as {0}. */
struct cli_gpus {
	bool known;
	const char **v;
	size_t n;
};

/* --target, else the --offload-arch among the flags, else the configuration's targets, else the
 * GPUs in this machine, else, for commands that compile nothing, the fallback of
 * rules/targets.yaml, with a note. A target with features ("gfx90a:xnack-") keeps them in its name.
 * Everything lives in a. FAIL_USAGE after a message that lists the known targets, or names the
 * option to give. */
int cli_targets_find(struct cli_targets *out, struct arena *a, const struct cli_opts *o);
/* The same with flags in place of those of o, and without the note; the results point into db.
 * file: NULL, or the file that a build compiles with these flags, for messages. If the build
 * compiles it for known and unknown GPUs, only the known ones are used, unless the command
 * measures. */
int cli_targets_of(struct cli_targets *out, struct arena *a, const struct target_db *db,
	struct cli_gpus *gpus, const struct cli_opts *o, const char *const *flags,
	const char *file);
/* Notes that the fallback target is used, and how to choose another. file: NULL, or the first such
 * file; more: the number of other such files. */
void cli_targets_note(const struct target_db *db, const char *file, size_t more);
/* NULL, or the reason why a command with these flags may compile for other targets than those of o,
 * as the end of a sentence. */
const char *cli_targets_uncovered(
	struct arena *a, const struct cli_opts *o, const char *const *flags);

/* Copies o, and takes options that the command line does not set from the file's configuration, or
 * from that of --config. The copy shares the lists of o. FAIL_USAGE after a message. */
int cli_configure(
	struct cli_opts *out, struct user_configs *all, const struct cli_opts *o, const char *file);
/* compiler_find for o, with its launcher; wanted is that of compiler_find. */
struct compiler;
int cli_compiler_find(struct compiler *out, struct arena *a, const struct cli_opts *o,
	const char *wanted, const char *target);
/* A compiler for each target: the target's own, else that of o. */
int cli_compilers_find(struct compiler **out, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets);
/* Adds the options, and the content of configuration and baseline, to the key of a decision. False
 * if one of these files cannot be read. */
bool cli_key_add(struct sbuf *key, const struct cli_opts *o);
/* The built-in settings and intrinsics, changed by o's configuration. */
int cli_settings(struct settings *out, struct arena *a, const struct cli_opts *o);
int cli_intrinsics(struct intrinsic_db *out, struct arena *a, const struct cli_opts *o);
/* Adds the intrinsics of o's configuration to the built-in ones. */
void cli_intrinsics_add(struct intrinsic_db *db, struct arena *a, const struct cli_opts *o);

/* All input files can be read: 0, or FAIL_USAGE after a message for each that cannot. */
int cli_files_check(const struct cli_opts *o);
/* Checks that path (NULL allowed) can be written and is not an input file. Called before hours of
 * work; writing can still fail later. FAIL_USAGE with a message. */
int cli_output_check(const struct cli_opts *o, const char *path);

/* A choice about one file, as choose makes it. */
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
	bool all_wide; /* also try merges whose arms do not read the value from before the if */
	bool fragments_told; /* also decide about fragments that have no candidate */
	bool lazy;	     /* measure nothing if there is no merge to try */
	/* with lazy: the compiler's major version. Everything else about it is looked up before the
	 * first compile. 0: everything is looked up at once */
	unsigned clang;
	bool explain;	    /* fill in the explanations */
	unsigned only_line; /* work only on code that begins on this line; 0: everywhere */
	const struct cli_forced *force; /* --strategy; NULL: measuring decides */
	void (*progress)(const void *user, const char *text); /* or NULL */
	const void *user;
	const struct compiler *compiler; /* out: one a target */
};
/* Prints a note about the file that user names; also for progress of choose. */
void cli_show_progress(const void *user, const char *text);
/* 0, or enum fail after a message. Lives in a. */
int cli_choose(struct choice *out, struct arena *a, struct cli_choosing *c);
/* Compares two results that c measured. *better: 1 if y is better than x, 0 if they are equally
 * good, else -1. *why lives in a. */
int cli_choose_compare(int *better, const char **why, struct arena *a, struct cli_choosing *c,
	const struct choice *x, const struct choice *y);
/* Finds causes of spills (wanted: bits of enum cause_kind) instead of making a choice. */
int cli_causes(
	struct cause **out, size_t *n, struct arena *a, struct cli_choosing *c, unsigned wanted);

/* The first file as rewrite changes it, with the strategy, threshold and targets of o; in a. 0 or
 * enum fail after a message. */
int cli_rewritten(struct str *out, struct arena *a, const struct cli_opts *o);

/* The strategy and form of --strategy. */
struct strategy;
struct cli_forced {
	const struct strategy *strategy; /* NULL: measuring decides */
	const char *variant;		 /* its form; NULL: the first that is legal */
};
/* FAIL_USAGE after a message. */
int cli_forced_find(struct cli_forced *f, struct arena *a, const struct cli_opts *o);

/* One file of a project. */
struct cli_rewriting {
	const struct cli_opts *opts; /* as configured for it */
	const char *path;	     /* valid in the working directory */
	const char *shown;
	const struct cli_targets *targets;
	const char *untouchable; /* NULL, or the reason why it must not be edited */
};
struct cli_rewrote {
	struct str source;
	struct str text;   /* equal to source if nothing was kept */
	struct str report; /* in the format of opts */
	struct str stamps; /* stamps of the files that were read (base/kept/stamp); n 0: unknown */
};
/* Rewrites the text of a file, without writing to it. The result lives in a. 0 or enum fail after a
 * message. */
int cli_rewrite_file(struct cli_rewrote *out, struct arena *a, const struct cli_rewriting *what);

/* The path of a file's spec: that of --spec, else NAME.verify.yaml beside it, else the
 * configuration's place. It need not exist. In a. */
const char *cli_spec_path(struct arena *a, const struct cli_opts *o, const char *file);
/* The path at which --init writes a spec: the configuration's place, else beside the file. In a. */
const char *cli_spec_place(struct arena *a, const struct cli_opts *o, const char *file);
/* The spec of the first file, with the cases of the targets that --target names;
 * with --on gpu also the GPU (else NULL), and only cases that it can run. FAIL_USAGE after a
 * message. */
int cli_spec_load(
	struct spec *out, const struct gpu **gpu, struct arena *a, const struct cli_opts *o);
/* Warns of arms that no run of the original executed, although runs reached their merge: the cases
 * show nothing about them. */
void cli_warn_of_unrun(struct arena *a, const struct verify_run *run, size_t runs);
int cli_verify_open(struct verify **out, struct arena *a, const struct spec *s,
	const struct gpu *gpu, const struct verify_machine *machine, const struct cli_opts *o);
/* Compiles the sources for the targets of the cases with the user's compiler, and makes the machine
 * that runs their assembly. Enum fail after a message if there is no compiler. Lives in a. */
int cli_machine_open(struct verify_machine **out, struct arena *a, const struct cli_opts *o,
	const struct verify_source *source, size_t sources, const struct spec *s);

/* Compares the bits of texts with those of the first file. Lives in a until it is closed. Opening
 * runs the file, whose text is source: enum fail after a message. */
struct cli_bits;
int cli_bits_open(
	struct cli_bits **out, struct arena *a, const struct cli_opts *o, struct str source);
/* The same, but runs the file only before the first comparison: a file without a candidate needs no
 * cases. */
struct cli_bits *cli_bits_later(struct arena *a, const struct cli_opts *o, struct str source);
void cli_bits_close(struct cli_bits *b); /* NULL is none */
/* 1: the runs show races between waves; 0: they do not, since the file itself has races; or enum
 * fail after a message. */
int cli_bits_see_races(void *bits);
/* 1: the same bits; 0: not, and *why names the difference; or enum fail after a message. bits is a
 * struct cli_bits. */
int cli_bits_same(void *bits, const struct choose_text *text, const char **why);
/* Are the instructions that run counted, as with --on isa? If so, cli_bits_ran counts them for
 * texts with the same bits. */
bool cli_bits_counts(const struct cli_bits *b);
int cli_bits_ran(void *bits, struct choose_ran *out, const struct choose_text *text, size_t n);
/* The function proved of struct choose_job. */
bool cli_bits_proved(void *bits, struct str text, const char **why);
/* If the job's file has a spec, and no option asks for runs, lets runs of its cases decide: on the
 * machine code that the search compiles, for about the time of two compiles. NULL: there is no
 * spec. Close it with cli_bits_close. */
struct choose_job;
struct cli_bits *cli_runs_add(struct choose_job *job, struct arena *a, const struct cli_opts *o);
/* Adds the file's spec, if any, to a key; false: it cannot be read. */
bool cli_runs_key_add(
	struct sbuf *key, struct arena *a, const struct cli_opts *o, const char *path);
/* NULL, or the reason why the cases of this kernel for this target do not show the effect of these
 * lines: there is no case, or an arm never runs in the file's CPU run. */
const char *cli_bits_unshown(void *bits, struct arena *a, const char *kernel,
	const struct target *t, const struct choose_lines *where);

/* Writes results: to path, atomically, or to stdout when it is NULL. FAIL_USAGE with a message. */
int cli_output_write(const char *path, struct str text);
/* Is the report printed? --quiet leaves out text for people, but no format for programs. */
bool cli_report_shown(const struct cli_opts *o);
/* Writes results to --report or stdout. Text for people gets no control characters. JSON and HTML
 * get the errors and warnings so far, so call it after all messages about the results. */
int cli_report_write(const struct cli_opts *o, struct str text);
/* Call it once, before the processes that write the report are started. */
void cli_report_open(void);
/* Was the report written, or is it an error to write to --report? */
bool cli_report_is_written(void);
/* For a run that failed with code before it had results: writes a report of its errors, if the
 * format is for tools. Returns the exit code. */
int cli_report_failed(const struct cli_opts *o, int code);
