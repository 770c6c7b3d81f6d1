#pragma once
/*
 * The command line as data: a table of subcommands and a table of options. Parsing, --help and the
 * man page all use these, so they have the same options.
 *
 * A parsed struct cli_opts points into argv, and owns only its lists; options_release frees those.
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/array.h"
#include "base/str.h"

/* Bits, so that an option can name the subcommands that have it. */
enum command {
	COMMAND_TOP = 1 << 0, /* no subcommand: unphi --help, unphi --version */
	COMMAND_LINT = 1 << 1,
	COMMAND_REWRITE = 1 << 2,
	COMMAND_MEASURE = 1 << 3,
	COMMAND_VERIFY = 1 << 4,
	COMMAND_EXPLAIN = 1 << 5,
	COMMAND_OCCUPANCY = 1 << 7,
	COMMAND_LEDGER = 1 << 8,
	COMMAND_CC = 1 << 9,
	COMMAND_EXPLORE = 1 << 10,
	COMMAND_LOCK = 1 << 11,
	COMMAND_MERGE = 1 << 12,
	COMMAND_CACHE = 1 << 13,
	COMMAND_SERVER = 1 << 15,
	COMMAND_HELP = 1 << 14, /* parsed into the subcommand that it names */
	/* the subcommands that take sources */
	COMMAND_ALL = COMMAND_LINT | COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY |
		      COMMAND_LEDGER | COMMAND_EXPLORE | COMMAND_EXPLAIN,
	/* the subcommands that take none */
	COMMAND_PLAIN = COMMAND_OCCUPANCY | COMMAND_CC | COMMAND_LOCK | COMMAND_MERGE |
			COMMAND_CACHE | COMMAND_SERVER | COMMAND_HELP,
};

struct command_spec {
	enum command command;
	const char *name;
	/* heading in the list of subcommands; those of one group are neighbours */
	const char *group;
	const char *summary;   /* one line, for the list of subcommands */
	const char *arguments; /* "FILE..."; "" if it takes none */
	bool one_file;
	const char *about; /* what it does, for --help and the man page */
};

enum option_type {
	OPTION_FLAG,	/* bool */
	OPTION_TEXT,	/* const char *, not empty */
	OPTION_CHOICE,	/* int: index into choice; for a format: enum output_format */
	OPTION_COUNT,	/* unsigned, at least 1 */
	OPTION_AMOUNT,	/* unsigned, at least 1: registers, bytes */
	OPTION_SECONDS, /* double, more than 0 */
	OPTION_LOAD,	/* double, more than 0, without a unit */
	OPTION_SHARD,	/* const char *, with its numbers in shard_i and shard_n */
	OPTION_TEXTS,	/* name_list: repeatable, each text unchanged */
	OPTION_NAMES,	/* name_list: comma-separated, repeatable, each name once */
};

/* Headings of a subcommand's options. The first comes last, the others in this order. */
enum option_group {
	OPTION_GENERAL,
	OPTION_SUBJECT,
	OPTION_RESULT,
	OPTION_DECISION,
	OPTION_TOOLS,
	OPTION_GROUPS
};

struct option_spec {
	const char *name;
	char letter;	      /* 0: none */
	const char *argument; /* the argument's name in help; NULL: it takes none */
	enum option_type type;
	const char *const *choice; /* OPTION_CHOICE: the words, NULL-terminated */
	size_t offset;		   /* of its value in struct cli_opts */
	bool inert;		   /* no decision about a source depends on it */
	unsigned commands;	   /* enum command bits */
	enum option_group group;
	const char *help; /* a sentence without the final period */
};

enum color_choice {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER
};

enum output_format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_SARIF,
	FORMAT_GITHUB,
	FORMAT_HTML,
	FORMAT_JUNIT,
	FORMAT_MARKDOWN,
	FORMAT_SVG,
	FORMATS
};
extern const char *const output_format_words[FORMATS + 1];

enum where {
	ON_CPU,
	ON_GPU,
	ON_ISA,
	ON_BOTH /* the CPU and the machine code, compared with each other */
};

struct name_list {
	ARRAY(char *) v; /* heap strings, owned by the list */
};

/* A command line, parsed. */
struct cli_opts {
	enum command command;
	ARRAY(const char *) files;
	const char *const *flags; /* the words after "--", NULL-terminated; never NULL */

	bool help;
	bool help_config; /* help about .unphi.yaml */
	bool version;
	bool quiet;
	int color;		  /* enum color_choice */
	unsigned jobs;		  /* 0: not given, one per processor */
	struct name_list targets; /* as written, with "native" and features */

	const char *compiler;
	const char *compiler_launcher;
	const char *const *launcher; /* words before each compile command, with paths; NULL: none */
	/* all compilers, if several can be given; compiler is the first */
	struct name_list compilers;
	double time_limit_s; /* 0: not given */
	int format;	     /* enum output_format */
	const char *report;

	const char *build; /* the directory of a compile database */
	bool project;	   /* several entries of the database, not only one file */
	double load;	   /* 0: not given */
	const char *shard; /* "I/N", both checked; NULL: not given */
	unsigned shard_i;  /* 1 .. shard_n */
	unsigned shard_n;
	const char *times;
	struct name_list exclude; /* globs */
	struct name_list assume;  /* "N=32" */
	const char *header_filter;
	const char *kernel;
	bool measure;
	bool probe;
	const char *export_fixes;
	const char *stamp;
	const char *config_file;
	bool dump_config;
	const struct user_config *config; /* the file's; NULL: not looked up */
	unsigned line;			  /* of explain FILE:LINE; 0: a rule or strategy */
	const char *started_in;		  /* absolute; NULL: unphi did not change its directory */
	const char *baseline;
	const char *write_baseline;
	bool all;

	struct name_list dead_sync; /* KEY=VALUE */
	const char *lock;
	bool frozen;
	bool prune;

	unsigned threshold; /* chained VGPRs per lane; 0: not given */

	const char *checks;
	bool list_checks;
	bool warnings_as_errors;
	const char *stdin_filename;
	bool estimate;	      /* ledger: compile nothing */
	bool typed;	      /* set by the server, see struct frontend_job */
	unsigned debounce_ms; /* of server; 0: not given */
	bool verbose;

	const char *output;
	bool diff;
	bool fix;
	bool check;
	const char *against;
	bool allow_recontraction;
	int prefer; /* enum prefer; PREFER_BALANCE: the settings decide */
	bool allow_unproved;
	bool allow_flags;
	const char *prefix;
	bool no_comments;
	bool explain;
	const char *strategy;
	const char *bench;

	const char *spec;
	bool init;
	bool verify;
	bool races; /* on by default on the CPU */
	bool no_races;
	bool all_data;
	bool allow_reassociation; /* of verify --all-data */
	bool run;		  /* measure: run the cases on the machine code */
	const char *host_compiler;
	const char *gpu_compiler;
	int on;		     /* enum where */
	double case_limit_s; /* 0: not given */
	bool no_cache;

	unsigned cache_limit; /* MiB; 0: not given */
	unsigned unused_days; /* 0: not given */

	struct name_list settings; /* of explore: NAME=VALUE,... */

	unsigned vgprs; /* of occupancy: the use of a kernel; 0: not given */
	unsigned agprs;
	unsigned sgprs;
	unsigned lds;
	unsigned block;
	unsigned wave;
};

extern const struct command_spec command_specs[];
extern const size_t command_specs_n;
extern const struct option_spec option_specs[];
extern const size_t option_specs_n;

/* NULL for COMMAND_TOP. */
const struct command_spec *command_spec(enum command c);
/* The option of that name of one of these subcommands, or NULL. A name is in the table several
 * times if its help differs between subcommands. */
const struct option_spec *option_find(const char *name, unsigned commands);

/* Reads a command line (argv[0] is the program). FAIL_USAGE after one message with the error and,
 * for an unknown word, the nearest known one. Unless --help or --version is given, it also checks
 * that the options go together. Not reentrant, because getopt is not. */
int options_parse(struct cli_opts *out, int argc, char *const *argv);
void options_release(struct cli_opts *o);
/* The last part of options_parse: checks that the options go together. FAIL_USAGE after a
 * message. */
int options_check(const struct cli_opts *o);

/* Adds all options that a decision about a source depends on: those of the subcommand that are not
 * marked inert. So a new option is part of the key unless somebody marks it. The caller adds the
 * content of the files that the values name, and the identity of the compilers. */
void options_key(struct sbuf *key, const struct cli_opts *o);

/* The output of --help for a subcommand, or for unphi itself (COMMAND_TOP). */
void options_help(struct sbuf *out, enum command c);
/* The man page: text (man(7) source) with its lines "@HEADING@", "@COMMANDS@" and "@OPTIONS NAME@",
 * for a subcommand or "all", replaced. FAIL_USAGE after a message for an unknown NAME. */
int options_man(struct sbuf *out, struct str text);

/* The known name nearest to a mistyped one, or NULL if none is near. */
const char *options_nearest(struct str name, const char *const *known, size_t n);
