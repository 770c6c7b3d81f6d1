#include "measure/compile/beside.h"

#include <stdbool.h>
#include <string.h>

#include "base/driver.h"

/* Options that take the next word as value if their own has none. */
static const char *const with_value[] = {"-MF", "-MT", "-MQ", "-MJ", "-dumpdir", "-dumpbase",
	"-serialize-diagnostics", "--serialize-diagnostics", "-serialize-diagnostic-file",
	"-dependency-file", "-dependency-dot", "-gen-cdb-fragment-path", "-module-dependency-dir",
	"-header-include-file", "-diagnostic-log-file", "-index-store-path", "-opt-record-file",
	"-split-dwarf-file", "-split-dwarf-output", "-symbol-graph-dir", "-coverage-data-file",
	"-coverage-notes-file", NULL};

static const char *const heads[] = {"-M", "-save-temps", "--save-temps", "-save-stats",
	"--save-stats", "-ftime-trace", "-fsave-optimization-record", "-foptimization-record",
	"-fstack-usage", "-fproc-stat-report", "-fcrash-diagnostics", "-gen-reproducer",
	"-fmodule-output", "-fmodules-cache-path", "-stats-file", "--symbol-graph-dir",
	"-emit-symbol-graph", "-gsplit-dwarf", "-ftest-coverage", "-coverage-data-file",
	"-coverage-notes-file", "-arcmt-", "-ccc-arcmt-", NULL};

/* LLVM's options have no classes: decides by words in the name, and by a value that is a path. */
static bool llvm_writes(const char *option)
{
	static const char *const parts[] = {"output", "file", "path", "dir", "dot", "dump", "view",
		"write", "log", "trace", "prefix", NULL};
	struct str value = str_of(option), name, rest;

	str_split(&value, '=', &name);
	rest = name;
	while (str_split(&rest, '-', &name)) {
		if (str_is_any(name, parts)) {
			return true;
		}
	}
	return str_find(value, "/", 0) != SIZE_MAX;
}

size_t flags_beside(const char *const *f)
{
	size_t step = driver_wraps_next(f[0]) && f[1] ? 2 : 1;
	const char *word = f[step - 1];
	bool more = f[step] && (step == 1 || (strcmp(f[step], f[0]) == 0 && f[step + 1]));
	bool next = more && str_is_any(str_of(word), with_value);

	if (strcmp(word, "-mllvm") == 0) {
		return more && llvm_writes(f[2 * step - 1]) ? 2 * step : 0;
	}
	if (strncmp(word, "-mllvm=", 7) == 0) {
		return llvm_writes(word + 7) ? step : 0;
	}
	if (next) {
		return 2 * step;
	}
	bool preprocessor = strncmp(word, "-Wp,", 4) == 0 && strstr(word, ",-M");
	return preprocessor || str_starts_any(str_of(word), heads) ? step : 0;
}
