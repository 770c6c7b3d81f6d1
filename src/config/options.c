#include "config/options.h"

#include <string.h>

#include "base/msg.h"

static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const prefer_words[] = {"balance", "waves", "cycles", NULL};
static const char *const where_words[] = {"cpu", "gpu", "isa", "both", NULL};
const char *const output_format_words[FORMATS + 1] = {[FORMAT_TEXT] = "text",
	[FORMAT_JSON] = "json",
	[FORMAT_SARIF] = "sarif",
	[FORMAT_GITHUB] = "github",
	[FORMAT_HTML] = "html",
	[FORMAT_JUNIT] = "junit",
	[FORMAT_MARKDOWN] = "markdown",
	[FORMAT_SVG] = "svg"};
/* what the subcommands have of them */
static const char *const format_words[] = {"text", "json", NULL};
static const char *const rewrite_format_words[] = {"text", "json", "html", NULL};
static const char *const plot_format_words[] = {"text", "json", "svg", "html", NULL};
static const char *const measure_format_words[] = {
	"text", "json", "junit", "markdown", "html", "sarif", NULL};
static const char *const merge_format_words[] = {
	"text", "json", "sarif", "github", "html", "junit", "markdown", NULL};
static const char *const lint_format_words[] = {"text", "json", "sarif", "github", "html", NULL};

/* Where the value is, and whether what becomes of a source does not depend on it. */
#define VALUE(field) offsetof(struct cli_opts, field), false
#define INERT(field) offsetof(struct cli_opts, field), true
#define CHOOSING (COMMAND_REWRITE | COMMAND_VERIFY)
#define RECKONING (COMMAND_LEDGER | COMMAND_EXPLORE)
#define SHARDED (COMMAND_LINT | COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY)
#define SHARDED_RESULTS (COMMAND_LINT | COMMAND_MEASURE | COMMAND_VERIFY | COMMAND_MERGE)
#define COMPILING (CHOOSING | COMMAND_MEASURE)

const struct option_spec option_specs[] = {
	{"target", 0, "T,...", OPTION_NAMES, COMMAND_ALL | COMMAND_SERVER, NULL, VALUE(targets),
		"the GPUs to compile or parse for, such as gfx90a,gfx942; 'native' stands for "
		"those in this machine. Default: the --offload-arch among the compiler flags, else "
		"the targets of .unphi.yaml, else the GPUs in this machine, else gfx942 if nothing "
		"is rewritten or run; for verify all of the spec",
		OPTION_SUBJECT},
	{"target", 0, "T,...", OPTION_NAMES, COMMAND_OCCUPANCY, NULL, VALUE(targets),
		"the GPUs, such as gfx90a,gfx942; 'native', which is the default, stands for those "
		"in this machine",
		OPTION_SUBJECT},
	{"target", 0, "T,...", OPTION_NAMES, COMMAND_CC, NULL, VALUE(targets),
		"the GPUs to decide for. Default: the --offload-arch of the command, else the "
		"targets of .unphi.yaml, else nothing is rewritten",
		OPTION_SUBJECT},

	{"build", 'p', "BUILD", OPTION_TEXT, COMMAND_LINT | COMMAND_SERVER, NULL, VALUE(build),
		"take the files' flags from BUILD/compile_commands.json, followed by the flags "
		"after --. An entry compiles HIP if it says so or its compiler is hipcc",
		OPTION_SUBJECT},
	{"build", 'p', "BUILD", OPTION_TEXT, COMMAND_REWRITE, NULL, INERT(build),
		"take flags and compiler of the files from BUILD/compile_commands.json, followed "
		"by the flags after --",
		OPTION_SUBJECT},
	{"build", 'p', "BUILD", OPTION_TEXT,
		COMMAND_MEASURE | COMMAND_VERIFY | RECKONING | COMMAND_EXPLAIN, NULL, INERT(build),
		"take flags and compiler of the file from BUILD/compile_commands.json, followed by "
		"the flags after --",
		OPTION_SUBJECT},
	{"define", 'D', "NAME=VALUE,...", OPTION_TEXTS, COMMAND_EXPLORE, NULL, VALUE(settings),
		"try these values of the macro NAME; repeatable: all combinations. Fixed macros go "
		"after --, as for any compiler",
		OPTION_SUBJECT},
	{"exclude", 0, "GLOB,...", OPTION_NAMES, COMMAND_LINT | COMMAND_SERVER, NULL,
		VALUE(exclude),
		"leave out files, directories and findings whose path or name matches; '*' "
		"matches '/' too",
		OPTION_SUBJECT},
	{"exclude", 0, "GLOB,...", OPTION_NAMES, COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY,
		NULL, INERT(exclude),
		"with -p, leave out files whose path or name matches; '*' matches '/' too",
		OPTION_SUBJECT},
	{"header-filter", 0, "REGEX", OPTION_TEXT, COMMAND_LINT | COMMAND_SERVER, NULL,
		VALUE(header_filter),
		"of findings in headers, report only those whose path matches (POSIX extended). "
		"Default: all but system headers",
		OPTION_SUBJECT},

	{"header-filter", 0, "REGEX", OPTION_TEXT, COMMAND_REWRITE, NULL, VALUE(header_filter),
		"also rewrite merges in headers whose path matches (POSIX extended), with --fix or "
		"--diff; never in system headers. With -p an edit has to be right in all files "
		"that include the header",
		OPTION_SUBJECT},

	{"kernel", 0, "REGEX", OPTION_TEXT, COMMAND_REWRITE, NULL, VALUE(kernel),
		"work only on merges, barriers and fragments that the kernels with a matching name "
		"or symbol reach (POSIX extended). No other kernel of the file may get worse",
		OPTION_SUBJECT},
	{"kernel", 0, "REGEX", OPTION_TEXT, COMMAND_MEASURE | COMMAND_LEDGER, NULL, VALUE(kernel),
		"show the kernels whose name or symbol matches (POSIX extended)", OPTION_SUBJECT},

	{"assume", 0, "NAME=VALUE,...", OPTION_NAMES, COMMAND_LINT | COMMAND_SERVER, NULL,
		VALUE(assume),
		"check kernel templates that nothing instantiates with these template arguments",
		OPTION_SUBJECT},

	{"measure", 0, NULL, OPTION_FLAG, COMMAND_LINT, NULL, VALUE(measure),
		"compile as rewrite does, and say what would help each finding; every format then "
		"has the fixes",
		OPTION_RESULT},
	{"probe", 0, NULL, OPTION_FLAG, COMMAND_LINT, NULL, VALUE(probe),
		"compile with and without -mllvm -structurizecfg-skip-uniform-regions=1; report "
		"the kernels that get better, and the branches after which most of their values "
		"meet",
		OPTION_RESULT},
	{"export-fixes", 0, "FILE", OPTION_TEXT, COMMAND_LINT, NULL, VALUE(export_fixes),
		"with --measure, write the fixes to FILE for clang-apply-replacements",
		OPTION_RESULT},
	{"compiler", 0, "PATH", OPTION_TEXT,
		(COMPILING | COMMAND_LINT | RECKONING | COMMAND_EXPLAIN | COMMAND_SERVER) &
			~(COMMAND_MEASURE | COMMAND_REWRITE),
		NULL, VALUE(compiler),
		"the hipcc or clang to compile with; lint takes its version into account. Default: "
		"UNPHI_COMPILER of the environment, else hipcc if it knows the target, else clang",
		OPTION_TOOLS},
	{"compiler", 0, "PATH", OPTION_TEXTS, COMMAND_REWRITE, NULL, VALUE(compilers),
		"the hipcc or clang to compile with; repeatable: a rewrite is kept only if no "
		"compiler makes it worse. Default: UNPHI_COMPILER of the environment, else hipcc "
		"if it knows the target, else clang",
		OPTION_TOOLS},
	{"compiler", 0, "PATH", OPTION_TEXTS, COMMAND_MEASURE, NULL, VALUE(compilers),
		"the hipcc or clang to compile with; repeatable: the others are compared with the "
		"first, and exit 1 says that a kernel got worse. Default: UNPHI_COMPILER of the "
		"environment, else hipcc if it knows the target, else clang",
		OPTION_TOOLS},
	{"compiler-launcher", 0, "PROGRAM", OPTION_TEXT,
		COMPILING | COMMAND_LINT | RECKONING | COMMAND_SERVER, NULL,
		INERT(compiler_launcher),
		"run compiles through ccache, sccache, icecc, distcc or the like; 'none' turns "
		"that off. Default: the launcher in front of the compiler in the compile database. "
		"With --no-cache none is used",
		OPTION_TOOLS},
	{"time-limit", 0, "SECONDS", OPTION_SECONDS, COMMAND_MEASURE | RECKONING, NULL,
		VALUE(time_limit_s), "stop a compile that takes longer, and count it as failed",
		OPTION_DECISION},
	{"time-limit", 0, "SECONDS", OPTION_SECONDS, COMMAND_CC, NULL, VALUE(time_limit_s),
		"when a file is seen for the first time, stop the search after that and keep the "
		"best so far",
		OPTION_DECISION},
	{"time-limit", 0, "SECONDS", OPTION_SECONDS, COMMAND_REWRITE | COMMAND_EXPLAIN, NULL,
		INERT(time_limit_s),
		"stop the search after that and keep the best so far. The report says what was not "
		"tried; the exit code is 0",
		OPTION_DECISION},
	{"time-limit", 0, "SECONDS", OPTION_SECONDS, COMMAND_VERIFY, NULL, VALUE(time_limit_s),
		"stop a compile that takes longer; without AFTER, stop the search for rewrites "
		"after that. With --init, the CPU time to look for cases (default: 18)",
		OPTION_DECISION},
	{"time-limit", 0, "SECONDS", OPTION_SECONDS, COMMAND_LINT, NULL, VALUE(time_limit_s),
		"stop the work on a file that takes longer, and count it as failed",
		OPTION_DECISION},

	{"verify", 0, NULL, OPTION_FLAG, COMMAND_REWRITE, NULL, VALUE(verify),
		"keep only rewrites whose results are bit-identical on the cases of the file's "
		"spec, run on the CPU; see verify",
		OPTION_RESULT},
	{"run", 0, NULL, OPTION_FLAG, COMMAND_MEASURE, NULL, VALUE(run),
		"run the cases of a spec on the machine code, and count what ran, by class and by "
		"source line, for each file. The spec is the .verify.yaml beside the first file, "
		"or one among the files",
		OPTION_SUBJECT},
	{"spec", 0, "FILE", OPTION_TEXT, CHOOSING, NULL, VALUE(spec),
		"run the cases in FILE instead of those in the .verify.yaml beside the source",
		OPTION_DECISION},
	{"spec", 0, "FILE", OPTION_TEXT, COMMAND_MEASURE, NULL, VALUE(spec),
		"with --run, run the cases in FILE instead of those in the .verify.yaml beside the "
		"first file",
		OPTION_SUBJECT},
	{"no-races", 0, NULL, OPTION_FLAG, COMMAND_VERIFY, NULL, VALUE(no_races),
		"on the CPU, compare kernels that race", OPTION_RESULT},
	{"races", 0, NULL, OPTION_FLAG, COMMAND_VERIFY, NULL, VALUE(races),
		"look for races, on the CPU: two lanes touch the same byte, one of them writes, "
		"and "
		"nothing orders them. That is the default",
		OPTION_RESULT},
	{"all-data", 0, NULL, OPTION_FLAG, CHOOSING, NULL, VALUE(all_data),
		"with --on isa, look whether the code leaves the same for all values of float "
		"arguments and of the elements of float buffers, and not only for those of the "
		"spec. rewrite keeps only what does",
		OPTION_DECISION},
	{"allow-reassociation", 0, NULL, OPTION_FLAG, COMMAND_VERIFY, NULL,
		VALUE(allow_reassociation),
		"with --all-data, exit with 0 also where the files are only equal as real numbers: "
		"sums in another order, a rescaled softmax",
		OPTION_DECISION},
	{"init", 0, NULL, OPTION_FLAG, COMMAND_VERIFY, NULL, VALUE(init),
		"write a first spec for the kernels of the file, and exit; with -p, for each file "
		"that has none",
		OPTION_RESULT},
	{"host-compiler", 0, "PATH", OPTION_TEXT, CHOOSING, NULL, VALUE(host_compiler),
		"the clang++ to compile for the host with. Default: that of ROCm, else the newest "
		"installed",
		OPTION_TOOLS},
	{"on", 0, "WHERE", OPTION_CHOICE, CHOOSING, where_words, VALUE(on),
		"run the cases on the cpu (the default), or on this machine's gpu, where they are "
		"also timed. isa runs the compiler's machine code, on the cpu: verify compares the "
		"files' code, and rewrite chooses between candidates by what runs. both, only for "
		"verify, compares each source with its own machine code (with -ffp-contract=off "
		"they round alike)",
		OPTION_DECISION},
	{"gpu-compiler", 0, "PATH", OPTION_TEXT, CHOOSING, NULL, VALUE(gpu_compiler),
		"the hipcc or nvcc to compile with for --on gpu. Default: the one for this "
		"machine's GPU",
		OPTION_TOOLS},
	{"case-limit", 0, "SECONDS", OPTION_SECONDS, CHOOSING, NULL, VALUE(case_limit_s),
		"stop a case of the spec, or a run of --bench, that takes longer. Default: 120",
		OPTION_DECISION},
	{"no-cache", 0, NULL, OPTION_FLAG, COMMAND_ALL | COMMAND_SERVER, NULL, INERT(no_cache),
		"parse and compile everything, and keep nothing for the next run. The cache is "
		"$XDG_CACHE_HOME/unphi, else ~/.cache/unphi",
		OPTION_TOOLS},

	{"output", 'o', "FILE", OPTION_TEXT, COMMAND_REWRITE, NULL, INERT(output),
		"write the new source to FILE, even if nothing changed; - is standard output",
		OPTION_RESULT},
	{"output", 'o', "FILE", OPTION_TEXT, COMMAND_VERIFY, NULL, VALUE(output),
		"write the first spec to FILE instead of the file beside BEFORE", OPTION_RESULT},
	{"check", 0, NULL, OPTION_FLAG, COMMAND_MERGE, NULL, VALUE(check),
		"for parts of rewrite, exit with 1 if a source would change; for parts of measure, "
		"check the budgets",
		OPTION_RESULT},
	{"diff", 0, NULL, OPTION_FLAG, COMMAND_REWRITE | COMMAND_MERGE, NULL, INERT(diff),
		"print only the change, as a unified diff", OPTION_RESULT},
	{"fix", 0, NULL, OPTION_FLAG, COMMAND_REWRITE, NULL, INERT(fix),
		"replace the source file itself, atomically", OPTION_RESULT},
	{"fix", 0, NULL, OPTION_FLAG, COMMAND_LINT, NULL, VALUE(fix),
		"with --measure: apply rewrites that measured better, atomically. If a verify spec "
		"stands beside a source, its cases must leave the same bits",
		OPTION_RESULT},
	{"check", 0, NULL, OPTION_FLAG, COMMAND_REWRITE, NULL, INERT(check),
		"exit with 1 if the source would change", OPTION_RESULT},
	{"check", 0, NULL, OPTION_FLAG, COMMAND_MEASURE, NULL, VALUE(check),
		"check the budgets in front of kernels ('// unphi: budget gfx942 spills=0 "
		"vgpr<=128') and in .unphi.yaml; exit 1 if one is exceeded, 3 if that could not be "
		"told or nothing was checked",
		OPTION_RESULT},
	{"against", 0, "FILE", OPTION_TEXT, COMMAND_MEASURE | COMMAND_MERGE, NULL, VALUE(against),
		"compare with FILE, an earlier --format json --report; exit 1 on more spills or "
		"scratch or fewer waves, 3 if a kernel could not be compared",
		OPTION_RESULT},
	{"strategy", 0, "NAME[:FORM]", OPTION_TEXT, CHOOSING, NULL, VALUE(strategy),
		"apply this strategy wherever it is legal, without measuring: hoist, fuse, "
		"sequentialize, launder, split, predicate, drop-sync, rematerialize, rejoin or "
		"unify. Of "
		"its forms (such as hoist:fenced) the first legal one, or FORM",
		OPTION_DECISION},
	{"explain", 0, NULL, OPTION_FLAG, COMMAND_REWRITE, NULL, VALUE(explain),
		"add to the report of each merge what crosses it, its arms, the lines in which "
		"they end alike, and the operands in which they then differ",
		OPTION_RESULT},
	{"explain", 0, NULL, OPTION_FLAG, COMMAND_CC, NULL, INERT(explain),
		"say on standard error what was done with the command, and why", OPTION_RESULT},
	{"bench", 0, "COMMAND", OPTION_TEXT, COMMAND_REWRITE, NULL, VALUE(bench),
		"choose by the last number that this shell command prints, a time in any unit. It "
		"runs for the source and for each candidate without a veto, alternating; {} and "
		"UNPHI_SOURCE are the file. A candidate is kept if its median is 2 percent less",
		OPTION_DECISION},
	{"lock", 0, "FILE", OPTION_TEXT, COMMAND_CC, NULL, VALUE(lock),
		"apply the decisions in FILE that hold, and add new ones to it", OPTION_RESULT},
	{"frozen", 0, NULL, OPTION_FLAG, COMMAND_CC, NULL, VALUE(frozen),
		"with --lock, make no new decisions: a file that FILE has no decision for is "
		"compiled as it stands, and FILE is not written",
		OPTION_RESULT},
	{"diff", 0, NULL, OPTION_FLAG, COMMAND_LOCK, NULL, VALUE(diff),
		"print the changes that hold as unified diffs", OPTION_RESULT},
	{"prune", 0, NULL, OPTION_FLAG, COMMAND_LOCK, NULL, VALUE(prune),
		"remove the entries that do not hold from the file", OPTION_RESULT},
	{"allow-recontraction", 0, NULL, OPTION_FLAG,
		CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER, NULL,
		VALUE(allow_recontraction),
		"also keep a rewrite with which the compiler fuses other multiplies and adds; that "
		"may change the last bits of results",
		OPTION_DECISION},
	{"prefer", 0, "WHAT", OPTION_CHOICE, CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER,
		prefer_words, VALUE(prefer),
		"if a rewrite has more waves and more issue cycles, prefer 'waves', 'cycles', or "
		"'balance' (the default): the fewest cycles divided by what the waves can hide",
		OPTION_DECISION},
	{"allow-unproved", 0, NULL, OPTION_FLAG, COMMAND_REWRITE, NULL, VALUE(allow_unproved),
		"with --verify --on isa: also keep a rewrite that is not proved to round as "
		"before, if the machine code of all cases leaves the same bits; the report names "
		"it",
		OPTION_DECISION},
	{"allow-flags", 0, NULL, OPTION_FLAG, COMMAND_REWRITE | COMMAND_CC, NULL,
		VALUE(allow_flags),
		"take -mllvm -structurizecfg-skip-uniform-regions=1 if it makes the result even "
		"better: rewrite says so, cc adds it to the command. Needs a compiler with the "
		"fixes for the flag's known miscompiles (clang 24, choose: flag-mended-in-clang)",
		OPTION_DECISION},

	{"prefix", 0, "PREFIX", OPTION_TEXT, CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER,
		NULL, VALUE(prefix),
		"begin all names that a rewrite declares with PREFIX, such as unphi_, instead of "
		"making them from names in the source",
		OPTION_RESULT},
	{"no-comments", 0, NULL, OPTION_FLAG, CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER,
		NULL, VALUE(no_comments), "write no comments that say why a rewrite is there",
		OPTION_RESULT},
	{"threshold", 0, "VGPRS", OPTION_COUNT,
		COMMAND_LINT | CHOOSING | COMMAND_CC | COMMAND_SERVER, NULL, VALUE(threshold),
		"the smallest merge considered, in chained VGPRs per lane; also the smallest "
		"accumulator whose lifetime counts. Default: 16, or as .unphi.yaml says",
		OPTION_SUBJECT},

	{"dead-sync", 0, "KEY=VALUE,...", OPTION_NAMES, COMMAND_LINT | CHOOSING, NULL,
		VALUE(dead_sync),
		"settings of the rules on barriers, with the keys of dead-sync in .unphi.yaml: "
		"exclude-functions=stage_*, report-kept=true and others",
		OPTION_SUBJECT},
	{"checks", 0, "LIST", OPTION_TEXT, COMMAND_LINT | COMMAND_SERVER, NULL, VALUE(checks),
		"the rules to apply: comma-separated globs; '-' before one removes rules; later "
		"ones win",
		OPTION_SUBJECT},
	{"config", 0, "FILE", OPTION_TEXT, COMMAND_ALL | COMMAND_CC | COMMAND_SERVER, NULL,
		VALUE(config_file),
		"read FILE instead of the .unphi.yaml beside the source or above it",
		OPTION_SUBJECT},
	{"dump-config", 0, NULL, OPTION_FLAG, COMMAND_LINT, NULL, VALUE(dump_config),
		"print the configuration in force for the first FILE, or here, and exit",
		OPTION_RESULT},
	{"baseline", 0, "FILE", OPTION_TEXT, COMMAND_LINT | COMMAND_MERGE | COMMAND_SERVER, NULL,
		VALUE(baseline),
		"leave out the findings that FILE lists; a note names entries whose finding is "
		"gone",
		OPTION_SUBJECT},
	{"baseline", 0, "FILE", OPTION_TEXT, COMMAND_REWRITE | COMMAND_CC, NULL, VALUE(baseline),
		"leave the merges and barriers alone that FILE, a baseline of lint, lists",
		OPTION_SUBJECT},
	{"all", 0, NULL, OPTION_FLAG, COMMAND_REWRITE | COMMAND_CC, NULL, VALUE(all),
		"also rewrite code that a NOLINT comment or the baseline suppresses",
		OPTION_SUBJECT},
	{"write-baseline", 0, "FILE", OPTION_TEXT, COMMAND_LINT | COMMAND_MERGE, NULL,
		VALUE(write_baseline),
		"write the findings to FILE for --baseline, and report none. Reasons in FILE stay",
		OPTION_RESULT},
	{"list-checks", 0, NULL, OPTION_FLAG, COMMAND_LINT | COMMAND_TOP, NULL, VALUE(list_checks),
		"list the rules that --checks selects, and exit", OPTION_RESULT},
	{"warnings-as-errors", 0, NULL, OPTION_FLAG, COMMAND_LINT | COMMAND_MERGE, NULL,
		VALUE(warnings_as_errors), "report warnings as errors", OPTION_RESULT},

	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_LINT, lint_format_words, VALUE(format),
		"how to print findings: text; json; sarif for code scanning; github for "
		"annotations in its workflows; html for people, one file. text is the default",
		OPTION_RESULT},
	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_REWRITE, rewrite_format_words, VALUE(format),
		"how to print results: text; json; html for people, one page with figures, merges "
		"and diffs. text is the default",
		OPTION_RESULT},
	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_VERIFY | COMMAND_OCCUPANCY | COMMAND_CACHE,
		format_words, VALUE(format),
		"how to print results: text or json; text is the default", OPTION_RESULT},
	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_MEASURE, measure_format_words, VALUE(format),
		"how to print results: text; json; junit, the XML that CI systems read; markdown, "
		"a comment for a pull request; html for people, one file; sarif for code scanning. "
		"text is the default",
		OPTION_RESULT},
	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_MERGE, merge_format_words, VALUE(format),
		"how to print results, as the subcommand whose parts they are would: text, which "
		"is the default, and json for all; sarif, github and html for lint; junit, "
		"markdown, html and sarif for measure; html for rewrite",
		OPTION_RESULT},
	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_EXPLORE, plot_format_words, VALUE(format),
		"how to print what was found: text; json; svg, a plot of VGPRs over bytes; html "
		"for people, plot and figures in one file. text is the default",
		OPTION_RESULT},
	{"format", 0, "FORMAT", OPTION_CHOICE, COMMAND_LEDGER, plot_format_words, VALUE(format),
		"how to print the ledger: text; json; svg, a picture of the live ranges; html for "
		"people, one file. text is the default",
		OPTION_RESULT},
	{"report", 0, "FILE", OPTION_TEXT, COMMAND_OCCUPANCY | COMMAND_CACHE | RECKONING, NULL,
		VALUE(report), "write the results to FILE instead of standard output",
		OPTION_RESULT},
	{"report", 0, "FILE", OPTION_TEXT, SHARDED_RESULTS, NULL, INERT(report),
		"write the results to FILE instead of standard output", OPTION_RESULT},
	{"report", 0, "FILE", OPTION_TEXT, COMMAND_REWRITE, NULL, INERT(report),
		"write the report to FILE", OPTION_RESULT},

	{"vgpr", 0, "N", OPTION_AMOUNT, COMMAND_OCCUPANCY, NULL, VALUE(vgprs),
		"VGPRs per lane, as in the compiler's .vgpr_count: architectural and accumulation "
		"together if they share a file. Without it only the table of steps",
		OPTION_GENERAL},
	{"agpr", 0, "N", OPTION_AMOUNT, COMMAND_OCCUPANCY, NULL, VALUE(agprs),
		"accumulation VGPRs per lane, if they have a file of their own (gfx908)",
		OPTION_GENERAL},
	{"sgpr", 0, "N", OPTION_AMOUNT, COMMAND_OCCUPANCY, NULL, VALUE(sgprs),
		"SGPRs per wave, as in .sgpr_count", OPTION_GENERAL},
	{"lds", 0, "BYTES", OPTION_AMOUNT, COMMAND_OCCUPANCY, NULL, VALUE(lds),
		"bytes of LDS per work-group", OPTION_GENERAL},
	{"block", 0, "N", OPTION_AMOUNT, COMMAND_OCCUPANCY, NULL, VALUE(block),
		"work-items of a work-group; without it work-groups and LDS are left out",
		OPTION_GENERAL},
	{"wave", 0, "LANES", OPTION_AMOUNT, COMMAND_OCCUPANCY, NULL, VALUE(wave),
		"lanes of a wave, 32 or 64, if the target runs both", OPTION_GENERAL},

	{"limit", 0, "MIB", OPTION_AMOUNT, COMMAND_CACHE, NULL, VALUE(cache_limit),
		"with prune: remove the entries that were unused for longest until MIB are left",
		OPTION_GENERAL},
	{"unused", 0, "DAYS", OPTION_AMOUNT, COMMAND_CACHE, NULL, VALUE(unused_days),
		"with prune: remove the entries that were unused for DAYS", OPTION_GENERAL},
	{"shard", 0, "I/N", OPTION_SHARD, SHARDED, NULL, INERT(shard),
		"work only on the Ith of N parts of the files, and write a part for unphi merge to "
		"--report or standard output. Every machine splits alike",
		OPTION_SUBJECT},
	{"times", 0, "FILE", OPTION_TEXT, SHARDED, NULL, INERT(times),
		"split by the times in FILE; without --shard, also write there how long each file "
		"took. All shards of a run need the same FILE",
		OPTION_SUBJECT},
	{"times", 0, "FILE", OPTION_TEXT, COMMAND_MERGE, NULL, INERT(times),
		"write to FILE how long each file took, for --times of the next run's shards",
		OPTION_SUBJECT},
	{"jobs", 'j', "N", OPTION_COUNT, COMMAND_ALL | COMMAND_SERVER, NULL, INERT(jobs),
		"run at most N compilers or parsers at a time, over all files. Default: the "
		"jobserver of make if there is one, else one for each processor",
		OPTION_TOOLS},
	{"load", 'l', "LOAD", OPTION_LOAD, SHARDED, NULL, INERT(load),
		"with -p, start no more of them while the load average is LOAD or more",
		OPTION_TOOLS},
	{"jobs", 'j', "N", OPTION_COUNT, COMMAND_CC, NULL, INERT(jobs),
		"run at most N compilers at a time to decide. Default: one, since builds compile "
		"several files at a time",
		OPTION_TOOLS},
	{"stdin-filename", 0, "PATH", OPTION_TEXT, COMMAND_LINT, NULL, VALUE(stdin_filename),
		"take the text on standard input as the content of PATH, as an editor has it",
		OPTION_SUBJECT},
	{"stdin-filename", 0, "PATH", OPTION_TEXT, COMMAND_LEDGER, NULL, VALUE(stdin_filename),
		"with --estimate, take the text on standard input as the content of PATH, as an "
		"editor has it",
		OPTION_SUBJECT},
	{"estimate", 0, NULL, OPTION_FLAG, COMMAND_LEDGER, NULL, VALUE(estimate),
		"compile nothing: show the estimate only", OPTION_RESULT},
	{"debounce", 0, "MS", OPTION_AMOUNT, COMMAND_SERVER, NULL, VALUE(debounce_ms),
		"while you type, wait for a pause of so many milliseconds before looking. Default: "
		"300",
		OPTION_SUBJECT},
	{"verbose", 'v', NULL, OPTION_FLAG, COMMAND_LINT, NULL, INERT(verbose),
		"print all notes of each finding: where each arm writes, which strategies apply "
		"and why others do not. Default: only the most important note",
		OPTION_GENERAL},
	{"verbose", 'v', NULL, OPTION_FLAG, COMMAND_REWRITE, NULL, VALUE(verbose),
		"report everything that was tried, not only one line for each merge",
		OPTION_GENERAL},
	{"quiet", 'q', NULL, OPTION_FLAG, COMMAND_ALL | COMMAND_PLAIN, NULL, INERT(quiet),
		"print results, warnings and errors, but no notes", OPTION_GENERAL},
	{"color", 0, "WHEN", OPTION_CHOICE, COMMAND_ALL | COMMAND_PLAIN, color_words, INERT(color),
		"color the output: auto, always or never. Default: auto, on a terminal unless "
		"NO_COLOR is set",
		OPTION_GENERAL},
	{"help", 'h', NULL, OPTION_FLAG, COMMAND_TOP | COMMAND_PLAIN | COMMAND_ALL, NULL,
		INERT(help), "show this help, and exit", OPTION_GENERAL},
	{"version", 'V', NULL, OPTION_FLAG, COMMAND_TOP | COMMAND_PLAIN | COMMAND_ALL, NULL,
		INERT(version), "show the version of unphi and of the libclang in use, and exit",
		OPTION_GENERAL},
};
const size_t option_specs_n = sizeof(option_specs) / sizeof(option_specs[0]);

const struct option_spec *option_find(const char *name, unsigned commands)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		if ((option_specs[i].commands & commands) &&
			strcmp(option_specs[i].name, name) == 0) {
			return &option_specs[i];
		}
	}
	return NULL;
}

static void add_text(struct sbuf *key, const char *name, const char *value)
{
	if (value) {
		sbuf_addf(key, "--%s %zu %s\n", name, strlen(value), value);
	}
}

static void add_value(struct sbuf *key, const struct option_spec *s, const struct cli_opts *o)
{
	const void *value = (const char *)o + s->offset;

	switch (s->type) {
	case OPTION_FLAG:
		sbuf_addf(key, "--%s %d\n", s->name, *(const bool *)value);
		return;
	case OPTION_TEXT:
		add_text(key, s->name, *(const char *const *)value);
		return;
	case OPTION_CHOICE:
		sbuf_addf(key, "--%s %d\n", s->name, *(const int *)value);
		return;
	case OPTION_COUNT:
	case OPTION_AMOUNT:
		sbuf_addf(key, "--%s %u\n", s->name, *(const unsigned *)value);
		return;
	case OPTION_SHARD:
		add_text(key, s->name, *(const char *const *)value);
		return;
	case OPTION_LOAD:
	case OPTION_SECONDS:
		sbuf_addf(key, "--%s %a\n", s->name, *(const double *)value);
		return;
	case OPTION_TEXTS:
	case OPTION_NAMES: {
		const struct name_list *l = value;
		for (size_t i = 0; i < l->v.n; i++) {
			add_text(key, s->name, l->v.v[i]);
		}
		return;
	}
	}
	BUG("option --%s has no type", s->name);
}

void options_key(struct sbuf *key, const struct cli_opts *o)
{
	for (size_t i = 0; i < option_specs_n; i++) {
		const struct option_spec *s = &option_specs[i];
		if ((s->commands & o->command) && !s->inert) {
			add_value(key, s, o);
		}
	}
}

const char *options_nearest(struct str name, const char *const *known, size_t n)
{
	const char *nearest = NULL;
	/* Farther than this it is another word, not a mistyped one. */
	size_t limit = name.n / 3 + 1;

	for (size_t i = 0; i < n; i++) {
		size_t d = str_distance(name, str_of(known[i]));
		if (d <= limit) {
			limit = d ? d - 1 : 0;
			nearest = known[i];
			if (d == 0) {
				break;
			}
		}
	}
	return nearest;
}
