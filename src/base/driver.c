#include "base/driver.h"

#include <string.h>

/* One that is missing here makes an input of its value, and what has several inputs is not looked
 * at by the launcher. */
static const char *const with_next[] = {"-o", "-x", "-I", "-D", "-U", "-F", "-L", "-l", "-B", "-T",
	"-u", "-z", "-e", "-MF", "-MT", "-MQ", "-MJ", "-include", "-imacros", "-iquote", "-isystem",
	"-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib",
	"-cxx-isystem", "-include-pch", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor",
	"-Xanalyzer", "-Xarch_host", "-Xarch_device", "-Xoffload-linker", "-Xopenmp-target",
	"-mllvm", "-target", "--target", "-arch", "--param", "--sysroot", "--include", "--config",
	"--serialize-diagnostics", "-serialize-diagnostics", "-working-directory", "-ivfsoverlay",
	"-dumpdir", "-dumpbase", "-framework", "-rpath", "--offload-arch", "--amdgpu-target", NULL};

static const char *const searching[] = {
	"-iquote", "-isystem", "-cxx-isystem", "-idirafter", "-I", NULL};

bool driver_takes_next(const char *word)
{
	return str_is_any(str_of(word), with_next);
}

bool driver_wraps_next(const char *word)
{
	return strcmp(word, "-Xclang") == 0 || strcmp(word, "-Xpreprocessor") == 0 ||
	       strncmp(word, "-Xarch_", 7) == 0;
}

struct str driver_search_dir(const char *const *words)
{
	struct str word = str_of(words[0]);

	for (size_t i = 0; searching[i]; i++) {
		if (str_is(word, searching[i])) {
			return str_of(words[1]);
		}
		if (str_starts(word, searching[i])) {
			return str_sub(word, strlen(searching[i]), word.n);
		}
	}
	return (struct str){0};
}
