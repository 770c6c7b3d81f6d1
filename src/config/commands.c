/* The subcommands, with the texts of --help, the man page and the completions. */
#include "config/options.h"

const struct command_spec command_specs[] = {
	{
		.command = COMMAND_LINT,
		.name = "lint",
		.group = "Find and fix",
		.summary = "report wide accumulators that cross a merge",
		.arguments = "[FILE...]",
		.about = "Reports every if/else, else-if chain and switch that a wide accumulator "
			 "crosses. Compiles nothing. A directory stands for the HIP sources in it, "
			 "no FILE for the working directory. With -p a directory stands for the "
			 "entries below it, no FILE for all entries.",
	},
	{
		.command = COMMAND_REWRITE,
		.name = "rewrite",
		.group = "Find and fix",
		.summary = "rewrite merges where the compiler's output gets better",
		.arguments = "FILE...",
		.about =
			"Tries every legal rewrite of the merges that lint reports, compiles each, "
			"and keeps those that make a kernel better and none worse on any target. "
			"Shows each kernel's cost before and after, a line for each merge, and the "
			"diff. Changes no file without -o or --fix. With -p, works on all entries "
			"of the compile database, or on those below the directories: one table, "
			"one diff. An edit has to be right in each compile of a file.",
	},
	{
		.command = COMMAND_VERIFY,
		.name = "verify",
		.group = "Find and fix",
		.summary = "run kernels before and after, and compare every bit",
		.arguments = "BEFORE [AFTER...]",
		.about = "Compiles the kernels of BEFORE and of each AFTER for the host, runs the "
			 "cases of a spec wave by wave, and compares every bit of their buffers. "
			 "The spec of k.hip is k.verify.yaml. Without AFTER, BEFORE is compared "
			 "with the result of rewrite. Needs no GPU; with --on gpu the cases run on "
			 "the GPU and are timed. With -p, verifies all entries of the compile "
			 "database that have a spec, or those below the directories.",
	},
	{
		.command = COMMAND_MEASURE,
		.name = "measure",
		.group = "Look closer",
		.summary = "show what each kernel costs, by the compiler's output",
		.arguments = "FILE...",
		.about = "Compiles each file for each target and shows the cost of every kernel: "
			 "registers, spills, scratch memory, waves and their limit. Also reads the "
			 "output of a build: assembly, code objects, objects, libraries and "
			 "programs with HIP code in them. With -p, measures all entries of the "
			 "compile database, or those below the directories.",
	},
	{
		.command = COMMAND_EXPLAIN,
		.name = "explain",
		.group = "Look closer",
		.summary = "explain a rule, a strategy or a finding",
		.arguments = "RULE|STRATEGY|FILE:LINE...",
		.about =
			"Explains a rule of lint or a strategy of rewrite: its reason, an example, "
			"the fix, and references. For FILE:LINE it compiles and shows the finding "
			"there: the accumulators that cross the merge, the phis in the compiler's "
			"IR, registers before and after, and each strategy with its text, or the "
			"reason why it does not apply and a remedy by hand.",
	},
	{
		.command = COMMAND_EXPLORE,
		.name = "explore",
		.group = "Look closer",
		.summary = "compile a file with every combination of settings, side by side",
		.arguments = "FILE",
		.one_file = true,
		.about = "Compiles FILE with every combination of the values that -D gives to "
			 "macros. Shows for each kernel registers, spills, waves, and bytes moved "
			 "for each floating-point operation in the hottest loop. A star marks a "
			 "combination that no other beats in all of these.",
	},
	{
		.command = COMMAND_LEDGER,
		.name = "ledger",
		.group = "Look closer",
		.summary = "show which variables take a kernel's registers, and where",
		.arguments = "FILE",
		.one_file = true,
		.about = "Shows the private variables of every kernel with their VGPRs per lane, "
			 "the lines in which they are live, and their roles. Also shows the line "
			 "in which their sum is highest, the compiler's figures, and the distance "
			 "to the next step of occupancy.",
	},
	{
		.command = COMMAND_OCCUPANCY,
		.name = "occupancy",
		.group = "Look closer",
		.summary = "show how many waves fit, and their limit",
		.arguments = "",
		.about = "Shows the number of waves that are resident on a SIMD of each target for "
			 "given registers, LDS and work-group size, the resource that limits them, "
			 "and the VGPR counts at which that changes. Compiles nothing. Exits with "
			 "1 if such a kernel does not fit.",
	},
	{
		.command = COMMAND_SERVER,
		.name = "server",
		.group = "In an editor",
		.summary = "answer an editor by the Language Server Protocol",
		.arguments = "",
		.about = "Speaks the Language Server Protocol on standard input and output; an "
			 "editor starts it. Shows the findings of lint while you type, the "
			 "ledger's figures of a kernel or variable under the cursor, and the "
			 "registers of each kernel once they are measured. Applies a measured "
			 "rewrite, and writes NOLINT comments; the editor changes the files. The "
			 "options can also be the editor's settings. Compiler flags go after --.",
	},
	{
		.command = COMMAND_CC,
		.name = "cc",
		.group = "In a build",
		.summary = "run a compiler on the rewritten source",
		.arguments = "-- COMPILER ARGUMENT...",
		.about = "Stands in front of hipcc or clang in a build. The compiler reads the "
			 "rewritten text of the HIP file; messages, debug information and "
			 "dependency files name the file itself. Decisions are kept until the "
			 "file, a header or a flag changes. All other commands, and those in "
			 "doubt, run unchanged. The exit code is the compiler's. UNPHI_CC=off in "
			 "the environment turns it off.",
	},
	{
		.command = COMMAND_MERGE,
		.name = "merge",
		.group = "In a build",
		.summary = "join the results of a run's shards",
		.arguments = "PART...",
		.about = "Joins the parts that lint, rewrite, measure and verify wrote with "
			 "--shard and --report. The output is that of one run, to the byte. If "
			 "shards are missing, it names them and joins the others (exit 3).",
	},
	{
		.command = COMMAND_CACHE,
		.name = "cache",
		.group = "In a build",
		.summary = "show or prune the cache",
		.arguments = "size|prune",
		.about = "size shows entries and bytes. prune removes entries that were not used "
			 "for 30 days, or as --limit and --unused say.",
	},
	{
		.command = COMMAND_LOCK,
		.name = "lock",
		.group = "In a build",
		.summary = "check the decisions in a lock file",
		.arguments = "[FILE]",
		.one_file = true,
		.about = "Says whether each entry of FILE (default: unphi.lock), which 'unphi cc "
			 "--lock' wrote, still matches the file, its headers and unphi. Compiles "
			 "nothing. Exits with 1 if one does not.",
	},
	{
		.command = COMMAND_HELP,
		.name = "help",
		.group = "About unphi",
		.summary = "show this, a subcommand's options, or the keys of .unphi.yaml",
		.arguments = "[SUBCOMMAND|config]",
		.one_file = true,
		.about = "Shows what unphi --help and unphi SUBCOMMAND --help show. 'unphi help "
			 "config' prints a .unphi.yaml with every key, its type, default and an "
			 "example.",
	},
};
const size_t command_specs_n = sizeof(command_specs) / sizeof(command_specs[0]);

const struct command_spec *command_spec(enum command c)
{
	for (size_t i = 0; i < command_specs_n; i++) {
		if (command_specs[i].command == c) {
			return &command_specs[i];
		}
	}
	return NULL;
}
