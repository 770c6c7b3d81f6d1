#include "config/options.h"

#include <string.h>

#include "base/msg.h"
#include "config/settings.h"

static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const where_words[] = {"cpu", "gpu", "isa", "both", NULL};
const char *const output_format_words[FORMATS + 1] = {[FORMAT_TEXT] = "text",
	[FORMAT_JSON] = "json",
	[FORMAT_SARIF] = "sarif",
	[FORMAT_GITHUB] = "github",
	[FORMAT_HTML] = "html",
	[FORMAT_JUNIT] = "junit",
	[FORMAT_MARKDOWN] = "markdown",
	[FORMAT_SVG] = "svg"};
/* The formats of the subcommands. */
static const char *const format_words[] = {"text", "json", NULL};
static const char *const page_format_words[] = {"text", "json", "html", NULL};
static const char *const plot_format_words[] = {"text", "json", "svg", "html", NULL};
static const char *const measure_format_words[] = {
	"text", "json", "junit", "markdown", "html", "sarif", NULL};
static const char *const merge_format_words[] = {
	"text", "json", "sarif", "github", "html", "junit", "markdown", NULL};
static const char *const lint_format_words[] = {"text", "json", "sarif", "github", "html", NULL};

/* The field of the value. INERT: the value changes no decision about a source. */
#define VALUE(field) offsetof(struct cli_opts, field), false
#define INERT(field) offsetof(struct cli_opts, field), true
/* The kind of the argument. */
#define FLAG NULL, OPTION_FLAG, NULL
#define TEXT(argument) argument, OPTION_TEXT, NULL
#define TEXTS(argument) argument, OPTION_TEXTS, NULL
#define NAMES(argument) argument, OPTION_NAMES, NULL
#define SECONDS(argument) argument, OPTION_SECONDS, NULL
#define CHOICE(argument, words) argument, OPTION_CHOICE, words
#define CHOOSING (COMMAND_REWRITE | COMMAND_VERIFY)
#define RECKONING (COMMAND_LEDGER | COMMAND_EXPLORE)
#define SHARDED (COMMAND_LINT | COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY)
#define SHARDED_RESULTS (COMMAND_LINT | COMMAND_MEASURE | COMMAND_VERIFY | COMMAND_MERGE)
#define COMPILING (CHOOSING | COMMAND_MEASURE)

const struct option_spec option_specs[] = {
	{"target", 0, NAMES("T,..."), VALUE(targets), COMMAND_ALL | COMMAND_SERVER, OPTION_SUBJECT,
		"the GPUs to compile or parse for, such as gfx90a,gfx942; 'native' stands for "
		"those in this machine. Default for verify: all targets of the spec. Otherwise: "
		"the --offload-arch among the compiler flags, else the targets of .unphi.yaml, "
		"else the GPUs in this machine, else, for lint, ledger and verify --init, gfx942"},
	{"target", 0, NAMES("T,..."), VALUE(targets), COMMAND_OCCUPANCY, OPTION_SUBJECT,
		"the GPUs, such as gfx90a,gfx942; 'native', which is the default, stands for those "
		"in this machine"},
	{"target", 0, NAMES("T,..."), VALUE(targets), COMMAND_CC, OPTION_SUBJECT,
		"the GPUs to decide for. Default: the --offload-arch of the command, else the "
		"targets of .unphi.yaml, else nothing is rewritten"},

	{"build", 'p', TEXT("BUILD"), VALUE(build), COMMAND_LINT | COMMAND_SERVER, OPTION_SUBJECT,
		"take the files' flags from BUILD/compile_commands.json, followed by the flags "
		"after --. An entry compiles HIP if it says so or its compiler is hipcc"},
	{"build", 'p', TEXT("BUILD"), INERT(build), COMMAND_REWRITE, OPTION_SUBJECT,
		"take flags and compiler of the files from BUILD/compile_commands.json, followed "
		"by the flags after --"},
	{"build", 'p', TEXT("BUILD"), INERT(build),
		COMMAND_MEASURE | COMMAND_VERIFY | RECKONING | COMMAND_EXPLAIN, OPTION_SUBJECT,
		"take flags and compiler of the file from BUILD/compile_commands.json, followed by "
		"the flags after --"},
	{"define", 'D', TEXTS("NAME=VALUE,..."), VALUE(settings), COMMAND_EXPLORE, OPTION_SUBJECT,
		"try these values of the macro NAME; repeatable: all combinations. Fixed macros go "
		"after --, as for any compiler"},
	{"exclude", 0, NAMES("GLOB,..."), VALUE(exclude), COMMAND_LINT | COMMAND_SERVER,
		OPTION_SUBJECT,
		"leave out files, directories and findings whose path or name matches; '*' "
		"matches '/' too"},
	{"exclude", 0, NAMES("GLOB,..."), INERT(exclude),
		COMMAND_REWRITE | COMMAND_MEASURE | COMMAND_VERIFY, OPTION_SUBJECT,
		"with -p, leave out files whose path or name matches; '*' matches '/' too"},
	{"header-filter", 0, TEXT("REGEX"), VALUE(header_filter), COMMAND_LINT | COMMAND_SERVER,
		OPTION_SUBJECT,
		"of findings in headers, report only those whose path matches (POSIX extended). "
		"Default: all but system headers"},

	{"header-filter", 0, TEXT("REGEX"), VALUE(header_filter), COMMAND_REWRITE, OPTION_SUBJECT,
		"also rewrite merges in headers whose path matches (POSIX extended), with --fix or "
		"--diff; never in system headers. With -p an edit has to be right in all files "
		"that include the header"},

	{"kernel", 0, TEXT("REGEX"), VALUE(kernel), COMMAND_REWRITE, OPTION_SUBJECT,
		"work only on merges, barriers and fragments that the kernels with a matching name "
		"or symbol reach (POSIX extended). No other kernel of the file may get worse"},
	{"kernel", 0, TEXT("REGEX"), VALUE(kernel), COMMAND_MEASURE | COMMAND_LEDGER,
		OPTION_SUBJECT, "show the kernels whose name or symbol matches (POSIX extended)"},

	{"assume", 0, NAMES("NAME=VALUE,..."), VALUE(assume), COMMAND_LINT | COMMAND_SERVER,
		OPTION_SUBJECT,
		"check kernel templates that nothing instantiates with these template arguments"},

	{"measure", 0, FLAG, VALUE(measure), COMMAND_LINT, OPTION_RESULT,
		"compile as rewrite does, and name the rewrite that helps each finding; every "
		"format then has the fixes"},
	{"probe", 0, FLAG, VALUE(probe), COMMAND_LINT, OPTION_RESULT,
		"compile with and without -mllvm -structurizecfg-skip-uniform-regions=1; report "
		"the kernels that get better, with the branches that have the widest phis"},
	{"export-fixes", 0, TEXT("FILE"), VALUE(export_fixes), COMMAND_LINT, OPTION_RESULT,
		"with --measure, write the fixes to FILE for clang-apply-replacements"},
	{"stamp", 0, TEXT("FILE"), INERT(stamp), COMMAND_LINT, OPTION_RESULT,
		"if there are no findings, write FILE, and FILE.d, a dependency file for Make and "
		"Ninja"},
	{"compiler", 0, TEXT("PATH"), VALUE(compiler),
		(COMPILING | COMMAND_LINT | RECKONING | COMMAND_EXPLAIN | COMMAND_SERVER) &
			~(COMMAND_MEASURE | COMMAND_REWRITE),
		OPTION_TOOLS,
		"the hipcc or clang to compile with; lint takes its version into account. Default: "
		"UNPHI_COMPILER of the environment, else hipcc if it knows the target, else clang"},
	{"compiler", 0, TEXTS("PATH"), VALUE(compilers), COMMAND_REWRITE, OPTION_TOOLS,
		"the hipcc or clang to compile with; repeatable: a rewrite is kept only if no "
		"compiler makes it worse. Default: UNPHI_COMPILER of the environment, else hipcc "
		"if it knows the target, else clang"},
	{"compiler", 0, TEXTS("PATH"), VALUE(compilers), COMMAND_MEASURE, OPTION_TOOLS,
		"the hipcc or clang to compile with; repeatable: compares the others with the "
		"first, and exits with 1 if one makes a kernel worse. Default: UNPHI_COMPILER of "
		"the environment, else hipcc if it knows the target, else clang"},
	{"compiler-launcher", 0, TEXT("PROGRAM"), INERT(compiler_launcher),
		COMPILING | COMMAND_LINT | RECKONING | COMMAND_SERVER, OPTION_TOOLS,
		"run compiles through ccache, sccache, icecc, distcc or the like; 'none' turns "
		"that off. Default: the launcher in front of the compiler in the compile database. "
		"With --no-cache none is used"},
	{"time-limit", 0, SECONDS("SECONDS"), VALUE(time_limit_s), COMMAND_MEASURE | RECKONING,
		OPTION_DECISION, "stop a compile that takes longer, and count it as failed"},
	{"time-limit", 0, SECONDS("SECONDS"), VALUE(time_limit_s), COMMAND_CC, OPTION_DECISION,
		"when a file is seen for the first time, stop the search after SECONDS and keep "
		"the best so far"},
	{"time-limit", 0, SECONDS("SECONDS"), INERT(time_limit_s),
		COMMAND_REWRITE | COMMAND_EXPLAIN, OPTION_DECISION,
		"stop the search after SECONDS and keep the best so far. The report lists what was "
		"not tried; the exit code is 0"},
	{"time-limit", 0, SECONDS("SECONDS"), VALUE(time_limit_s), COMMAND_VERIFY, OPTION_DECISION,
		"stop a compile that takes longer; without AFTER, stop the search for rewrites "
		"after SECONDS. With --init, limit the CPU time of the search for cases (default: "
		"18)"},
	{"time-limit", 0, SECONDS("SECONDS"), VALUE(time_limit_s), COMMAND_LINT, OPTION_DECISION,
		"stop the work on a file that takes longer, and count it as failed"},

	{"verify", 0, FLAG, VALUE(verify), COMMAND_REWRITE, OPTION_RESULT,
		"keep only rewrites whose results are bit-identical on the cases of the file's "
		"spec, run on the CPU; see verify"},
	{"run", 0, FLAG, VALUE(run), COMMAND_MEASURE, OPTION_SUBJECT,
		"run the cases of a spec on the machine code, and count the instructions that run, "
		"by class and by source line, for each file. The spec is the .verify.yaml beside "
		"the first file, or one among the files"},
	{"spec", 0, TEXT("FILE"), VALUE(spec), CHOOSING, OPTION_DECISION,
		"run the cases in FILE instead of those in the .verify.yaml beside the source"},
	{"spec", 0, TEXT("FILE"), VALUE(spec), COMMAND_MEASURE, OPTION_SUBJECT,
		"with --run, run the cases in FILE instead of those in the .verify.yaml beside the "
		"first file"},
	{"no-races", 0, FLAG, VALUE(no_races), COMMAND_VERIFY, OPTION_RESULT,
		"on the CPU, do not check for races, so that kernels with races can be compared"},
	{"races", 0, FLAG, VALUE(races), COMMAND_VERIFY, OPTION_RESULT,
		"on the CPU, check for races: two lanes access the same byte, one of them writes, "
		"and nothing orders them. This is the default"},
	{"all-data", 0, FLAG, VALUE(all_data), CHOOSING, OPTION_DECISION,
		"with --on isa, prove equal results for all values of float arguments and of "
		"buffers, not only for those of the spec, or show values for which they differ. "
		"rewrite keeps only rewrites with such a proof"},
	{"allow-reassociation", 0, FLAG, VALUE(allow_reassociation), COMMAND_VERIFY,
		OPTION_DECISION,
		"with --all-data, exit with 0 also if the files are only equal as real numbers: "
		"sums in another order, a rescaled softmax"},
	{"init", 0, FLAG, VALUE(init), COMMAND_VERIFY, OPTION_RESULT,
		"write a first spec for the kernels of the file, and exit; with -p, for each file "
		"that has none"},
	{"host-compiler", 0, TEXT("PATH"), VALUE(host_compiler), CHOOSING, OPTION_TOOLS,
		"the clang++ to compile for the host with. Default: that of ROCm, else the newest "
		"installed"},
	{"on", 0, CHOICE("WHERE", where_words), VALUE(on), CHOOSING, OPTION_DECISION,
		"run the cases on the cpu (the default), or on this machine's gpu, where they are "
		"also timed. isa interprets the compiler's machine code on the cpu: verify "
		"compares the code of the files, and rewrite chooses by the instructions that run. "
		"both (only for verify) compares each source with its own machine code; they round "
		"alike with -ffp-contract=off"},
	{"gpu-compiler", 0, TEXT("PATH"), VALUE(gpu_compiler), CHOOSING, OPTION_TOOLS,
		"the hipcc or nvcc to compile with for --on gpu. Default: the one for this "
		"machine's GPU"},
	{"case-limit", 0, SECONDS("SECONDS"), VALUE(case_limit_s), CHOOSING, OPTION_DECISION,
		"stop a case of the spec, or a run of --bench, that takes longer. Default: 120"},
	{"no-cache", 0, FLAG, INERT(no_cache), COMMAND_ALL | COMMAND_SERVER, OPTION_TOOLS,
		"parse and compile everything, and keep nothing for the next run. The cache is "
		"$XDG_CACHE_HOME/unphi, else ~/.cache/unphi"},

	{"output", 'o', TEXT("FILE"), INERT(output), COMMAND_REWRITE, OPTION_RESULT,
		"write the new source to FILE, even if nothing changed; - is standard output"},
	{"output", 'o', TEXT("FILE"), VALUE(output), COMMAND_VERIFY, OPTION_RESULT,
		"write the first spec to FILE instead of the file beside BEFORE"},
	{"check", 0, FLAG, VALUE(check), COMMAND_MERGE, OPTION_RESULT,
		"for parts of rewrite, exit with 1 if a source would change; for parts of measure, "
		"check the budgets"},
	{"diff", 0, FLAG, INERT(diff), COMMAND_REWRITE | COMMAND_MERGE, OPTION_RESULT,
		"print only the change, as a unified diff"},
	{"fix", 0, FLAG, INERT(fix), COMMAND_REWRITE, OPTION_RESULT,
		"replace the source file itself, atomically"},
	{"fix", 0, FLAG, VALUE(fix), COMMAND_LINT, OPTION_RESULT,
		"with --measure: apply rewrites that measured better, atomically. If a verify spec "
		"stands beside a source, its cases must leave the same bits"},
	{"check", 0, FLAG, INERT(check), COMMAND_REWRITE, OPTION_RESULT,
		"exit with 1 if the source would change"},
	{"check", 0, FLAG, VALUE(check), COMMAND_MEASURE, OPTION_RESULT,
		"check the budgets in front of kernels ('// unphi: budget gfx942 spills=0 "
		"vgpr<=128') and in .unphi.yaml; exit 1 if one is exceeded, 3 if that is unknown "
		"or nothing was checked"},
	{"against", 0, TEXT("FILE|COMMIT"), VALUE(against), COMMAND_MEASURE, OPTION_RESULT,
		"compare with FILE, an earlier --format json --report, or with the sources at a "
		"COMMIT of git such as main; exit 1 on more spills or scratch or fewer waves, 3 if "
		"a kernel could not be compared"},
	{"against", 0, TEXT("FILE"), VALUE(against), COMMAND_MERGE, OPTION_RESULT,
		"compare with FILE, an earlier --format json --report; exit 1 on more spills or "
		"scratch or fewer waves, 3 if a kernel could not be compared"},
	{"strategy", 0, TEXT("NAME[:FORM]"), VALUE(strategy), CHOOSING, OPTION_DECISION,
		"apply this strategy wherever it is legal, without measuring: hoist, fuse, "
		"sequentialize, launder, split, predicate, drop-sync, rematerialize, rejoin or "
		"unify. FORM is one of its forms, as in hoist:fenced; default: the first legal "
		"one"},
	{"explain", 0, FLAG, VALUE(explain), COMMAND_REWRITE, OPTION_RESULT,
		"add to the report of each merge the accumulators that cross it, its arms, the "
		"common code at the end of the arms, and the operands that differ in it"},
	{"explain", 0, FLAG, INERT(explain), COMMAND_CC, OPTION_RESULT,
		"report on standard error whether the command was rewritten, and why or why not"},
	{"bench", 0, TEXT("COMMAND"), VALUE(bench), COMMAND_REWRITE, OPTION_DECISION,
		"choose by the last number that this shell command prints, a time in any unit. It "
		"runs for the source and for each candidate without a veto, alternating; {} and "
		"UNPHI_SOURCE are the file. A candidate is kept if its median is 2 percent less"},
	{"lock", 0, TEXT("FILE"), VALUE(lock), COMMAND_CC, OPTION_RESULT,
		"apply the decisions in FILE that are still valid, and add new ones to it"},
	{"frozen", 0, FLAG, VALUE(frozen), COMMAND_CC, OPTION_RESULT,
		"with --lock, make no new decisions: a file that has no decision in FILE is "
		"compiled unchanged, and FILE is not written"},
	{"diff", 0, FLAG, VALUE(diff), COMMAND_LOCK, OPTION_RESULT,
		"print the valid changes as unified diffs"},
	{"prune", 0, FLAG, VALUE(prune), COMMAND_LOCK, OPTION_RESULT,
		"remove the entries that are no longer valid"},
	{"allow-recontraction", 0, FLAG, VALUE(allow_recontraction),
		CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER, OPTION_DECISION,
		"also keep a rewrite after which the compiler contracts other multiplies and adds "
		"into FMAs; this may change the last bits of results. If a spec's cases run, a "
		"proof has to show that nothing else changes"},
	{"prefer", 0, CHOICE("WHAT", prefer_name), VALUE(prefer),
		CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER, OPTION_DECISION,
		"if a rewrite has more waves and more issue cycles, prefer 'waves', 'cycles', or "
		"'balance' (the default): the least estimated time"},
	{"allow-unproved", 0, FLAG, VALUE(allow_unproved), COMMAND_REWRITE, OPTION_DECISION,
		"with --verify --on isa: also keep a rewrite that may round differently by its "
		"text, if its machine code is equal for all data in all cases; the report names "
		"it"},
	{"allow-flags", 0, FLAG, VALUE(allow_flags), COMMAND_REWRITE | COMMAND_CC, OPTION_DECISION,
		"also try -mllvm -structurizecfg-skip-uniform-regions=1. If it makes the result "
		"better, rewrite says so, and cc adds it to the command. Needs a compiler with the "
		"fixes for the flag's known miscompiles (clang 24, choose: flag-mended-in-clang)"},

	{"prefix", 0, TEXT("PREFIX"), VALUE(prefix),
		CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER, OPTION_RESULT,
		"begin all names that a rewrite declares with PREFIX, such as unphi_, instead of "
		"making them from names in the source"},
	{"no-comments", 0, FLAG, VALUE(no_comments),
		CHOOSING | COMMAND_LINT | COMMAND_CC | COMMAND_SERVER, OPTION_RESULT,
		"write no comments that say why a rewrite is there"},
	{"threshold", 0, "VGPRS", OPTION_COUNT, NULL, VALUE(threshold),
		COMMAND_LINT | CHOOSING | COMMAND_CC | COMMAND_SERVER, OPTION_SUBJECT,
		"the smallest merge considered, in chained VGPRs per lane; also the smallest "
		"accumulator whose lifetime counts. Default: 16, or as .unphi.yaml says"},

	{"dead-sync", 0, NAMES("KEY=VALUE,..."), VALUE(dead_sync), COMMAND_LINT | CHOOSING,
		OPTION_SUBJECT,
		"settings of the rules on barriers, with the keys of dead-sync in .unphi.yaml: "
		"exclude-functions=stage_*, report-kept=true and others"},
	{"checks", 0, TEXT("LIST"), VALUE(checks), COMMAND_LINT | COMMAND_SERVER, OPTION_SUBJECT,
		"the rules to apply: comma-separated globs; '-' before one removes rules; later "
		"ones win"},
	{"config", 0, TEXT("FILE"), VALUE(config_file), COMMAND_ALL | COMMAND_CC | COMMAND_SERVER,
		OPTION_SUBJECT,
		"read FILE instead of the .unphi.yaml beside the source or above it"},
	{"dump-config", 0, FLAG, VALUE(dump_config), COMMAND_LINT, OPTION_RESULT,
		"print the configuration in force for the first FILE, or here, and exit"},
	{"baseline", 0, TEXT("FILE"), VALUE(baseline),
		COMMAND_LINT | COMMAND_MERGE | COMMAND_SERVER, OPTION_SUBJECT,
		"leave out the findings that FILE lists; a note names entries whose finding is "
		"gone"},
	{"baseline", 0, TEXT("FILE"), VALUE(baseline), COMMAND_REWRITE | COMMAND_CC, OPTION_SUBJECT,
		"do not rewrite the merges and barriers that FILE, a baseline of lint, lists"},
	{"all", 0, FLAG, VALUE(all), COMMAND_REWRITE | COMMAND_CC, OPTION_SUBJECT,
		"also rewrite code that a NOLINT comment or the baseline suppresses"},
	{"write-baseline", 0, TEXT("FILE"), VALUE(write_baseline), COMMAND_LINT | COMMAND_MERGE,
		OPTION_RESULT,
		"write the findings to FILE for --baseline, and report none. Reasons in FILE are "
		"kept"},
	{"list-checks", 0, FLAG, VALUE(list_checks), COMMAND_LINT | COMMAND_TOP, OPTION_RESULT,
		"list the rules that --checks selects, and exit"},
	{"warnings-as-errors", 0, FLAG, VALUE(warnings_as_errors), COMMAND_LINT | COMMAND_MERGE,
		OPTION_RESULT, "report warnings as errors"},

	{"format", 0, CHOICE("FORMAT", lint_format_words), VALUE(format), COMMAND_LINT,
		OPTION_RESULT,
		"how to print findings: text; json; sarif for code scanning; github for "
		"annotations in its workflows; html for people, one file. text is the default"},
	{"format", 0, CHOICE("FORMAT", page_format_words), VALUE(format), COMMAND_REWRITE,
		OPTION_RESULT,
		"how to print results: text; json; html for people, one page with figures, merges "
		"and diffs. text is the default"},
	{"format", 0, CHOICE("FORMAT", page_format_words), VALUE(format), COMMAND_VERIFY,
		OPTION_RESULT,
		"how to print results: text; json; html for people, one page with the elements "
		"that differ, the lanes that wrote them, and the diff. text is the default"},
	{"format", 0, CHOICE("FORMAT", format_words), VALUE(format),
		COMMAND_OCCUPANCY | COMMAND_CACHE, OPTION_RESULT,
		"how to print results: text or json; text is the default"},
	{"format", 0, CHOICE("FORMAT", measure_format_words), VALUE(format), COMMAND_MEASURE,
		OPTION_RESULT,
		"how to print results: text; json; junit, the XML that CI systems read; markdown, "
		"a comment for a pull request; html for people, one file; sarif for code scanning. "
		"text is the default"},
	{"format", 0, CHOICE("FORMAT", merge_format_words), VALUE(format), COMMAND_MERGE,
		OPTION_RESULT,
		"how to print results, as the subcommand that wrote the parts: text (the default) "
		"and json for all; sarif, github and html for lint; junit, markdown, html and "
		"sarif for measure; html for rewrite and verify"},
	{"format", 0, CHOICE("FORMAT", plot_format_words), VALUE(format), COMMAND_EXPLORE,
		OPTION_RESULT,
		"how to print results: text; json; svg, a plot of VGPRs over bytes; html "
		"for people, plot and figures in one file. text is the default"},
	{"format", 0, CHOICE("FORMAT", plot_format_words), VALUE(format), COMMAND_LEDGER,
		OPTION_RESULT,
		"how to print the ledger: text; json; svg, a picture of the live ranges; html for "
		"people, one file. text is the default"},
	{"report", 0, TEXT("FILE"), VALUE(report), COMMAND_OCCUPANCY | COMMAND_CACHE | RECKONING,
		OPTION_RESULT, "write the results to FILE instead of standard output"},
	{"report", 0, TEXT("FILE"), INERT(report), SHARDED_RESULTS, OPTION_RESULT,
		"write the results to FILE instead of standard output"},
	{"report", 0, TEXT("FILE"), INERT(report), COMMAND_REWRITE, OPTION_RESULT,
		"write the report to FILE"},

	{"vgpr", 0, "N", OPTION_AMOUNT, NULL, VALUE(vgprs), COMMAND_OCCUPANCY, OPTION_GENERAL,
		"VGPRs per lane, as in the compiler's .vgpr_count: architectural and accumulation "
		"together if they share a register file. Without it, only the table of steps is "
		"printed"},
	{"agpr", 0, "N", OPTION_AMOUNT, NULL, VALUE(agprs), COMMAND_OCCUPANCY, OPTION_GENERAL,
		"accumulation VGPRs per lane, if they have a register file of their own (gfx908)"},
	{"sgpr", 0, "N", OPTION_AMOUNT, NULL, VALUE(sgprs), COMMAND_OCCUPANCY, OPTION_GENERAL,
		"SGPRs per wave, as in .sgpr_count"},
	{"lds", 0, "BYTES", OPTION_AMOUNT, NULL, VALUE(lds), COMMAND_OCCUPANCY, OPTION_GENERAL,
		"bytes of LDS per work-group"},
	{"block", 0, "N", OPTION_AMOUNT, NULL, VALUE(block), COMMAND_OCCUPANCY, OPTION_GENERAL,
		"work-items of a work-group; without it, work-groups and LDS are no limit"},
	{"wave", 0, "LANES", OPTION_AMOUNT, NULL, VALUE(wave), COMMAND_OCCUPANCY, OPTION_GENERAL,
		"lanes of a wave, 32 or 64, if the target runs both"},

	{"limit", 0, "MIB", OPTION_AMOUNT, NULL, VALUE(cache_limit), COMMAND_CACHE, OPTION_GENERAL,
		"with prune: remove the least recently used entries until MIB MiB are left"},
	{"unused", 0, "DAYS", OPTION_AMOUNT, NULL, VALUE(unused_days), COMMAND_CACHE,
		OPTION_GENERAL, "with prune: remove the entries that were not used for DAYS days"},
	{"shard", 0, "I/N", OPTION_SHARD, NULL, INERT(shard), SHARDED, OPTION_SUBJECT,
		"work only on the Ith of N parts of the files, and write a part for unphi merge to "
		"--report or standard output. Every machine makes the same split"},
	{"times", 0, TEXT("FILE"), INERT(times), SHARDED, OPTION_SUBJECT,
		"split by the times in FILE; without --shard, also write the time of each file to "
		"it. All shards of a run need the same FILE"},
	{"times", 0, TEXT("FILE"), INERT(times), COMMAND_MERGE, OPTION_SUBJECT,
		"write the time of each file to FILE, for --times of the next run's shards"},
	{"jobs", 'j', "N", OPTION_COUNT, NULL, INERT(jobs), COMMAND_ALL | COMMAND_SERVER,
		OPTION_TOOLS,
		"run at most N compilers or parsers at a time, over all files. Default: the "
		"jobserver of make if there is one, else one for each processor"},
	{"load", 'l', "LOAD", OPTION_LOAD, NULL, INERT(load), SHARDED, OPTION_TOOLS,
		"with -p, start no compiler or parser while the load average is LOAD or more"},
	{"jobs", 'j', "N", OPTION_COUNT, NULL, INERT(jobs), COMMAND_CC, OPTION_TOOLS,
		"run at most N compilers at a time to decide. Default: one, since builds compile "
		"several files at a time"},
	{"stdin-filename", 0, TEXT("PATH"), VALUE(stdin_filename), COMMAND_LINT, OPTION_SUBJECT,
		"take the text on standard input as the content of PATH, as an editor has it"},
	{"stdin-filename", 0, TEXT("PATH"), VALUE(stdin_filename), COMMAND_LEDGER, OPTION_SUBJECT,
		"with --estimate, take the text on standard input as the content of PATH, as an "
		"editor has it"},
	{"estimate", 0, FLAG, VALUE(estimate), COMMAND_LEDGER, OPTION_RESULT,
		"compile nothing: show the estimate only"},
	{"debounce", 0, "MS", OPTION_AMOUNT, NULL, VALUE(debounce_ms), COMMAND_SERVER,
		OPTION_SUBJECT,
		"while you type, check the text after a pause of MS milliseconds. Default: 300"},
	{"verbose", 'v', FLAG, INERT(verbose), COMMAND_LINT, OPTION_GENERAL,
		"print all notes of each finding: where each arm writes, which strategies apply "
		"and why others do not. Default: only the most important note"},
	{"verbose", 'v', FLAG, VALUE(verbose), COMMAND_REWRITE, OPTION_GENERAL,
		"report all candidates, not only one line for each merge"},
	{"quiet", 'q', FLAG, INERT(quiet), COMMAND_ALL | COMMAND_PLAIN, OPTION_GENERAL,
		"print results, warnings and errors, but no notes"},
	{"color", 0, CHOICE("WHEN", color_words), INERT(color), COMMAND_ALL | COMMAND_PLAIN,
		OPTION_GENERAL,
		"color the output: auto, always or never. Default: auto, on a terminal unless "
		"NO_COLOR is set"},
	{"help", 'h', FLAG, INERT(help), COMMAND_TOP | COMMAND_PLAIN | COMMAND_ALL, OPTION_GENERAL,
		"show this help, and exit"},
	{"version", 'V', FLAG, INERT(version), COMMAND_TOP | COMMAND_PLAIN | COMMAND_ALL,
		OPTION_GENERAL, "show the version of unphi and of the libclang in use, and exit"},
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
	/* At a larger distance it is another word, not a typing mistake. */
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
