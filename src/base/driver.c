#include "base/driver.h"

#include <string.h>

/* If an option is missing here, its value counts as an input file, and the launcher passes commands
 * with several inputs through unread. */
static const char *const meaning[] = {"-I", "-D", "-U", "-F", "-include", "-imacros", "-iquote",
	"-isystem", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
	"-imultilib", "-cxx-isystem", "-include-pch", "-Xclang", "-Xpreprocessor", "-Xarch_host",
	"-Xarch_device", "-target", "--target", "--sysroot", "--include", "-working-directory",
	"-ivfsoverlay", NULL};
static const char *const separate[] = {"-x", "-B", "-T", "-u", "-z", "-e", "-Xassembler",
	"-Xanalyzer", "-Xoffload-linker", "-Xopenmp-target", "-mllvm", "-arch", "--param",
	"--config", "-framework", "-rpath", NULL};
static const char *const replaced[] = {
	"-L", "-l", "-Xlinker", "--offload-arch", "--amdgpu-target", NULL};
static const char *const outputs[] = {"-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics",
	"-serialize-diagnostics", "-dumpdir", "-dumpbase", NULL};
static const char *const output[] = {"-o", NULL};
/* of cc1, after -Xclang */
static const char *const proper[] = {"-mmlir", "-Xcuda-ptxas", "-Xcuda-fatbinary",
	"-dependency-file", "-load", "-plugin", "-add-plugin", "-module-dependency-dir", NULL};

static const struct {
	const char *const *words;
	unsigned is;
} options[] = {
	{meaning, DRIVER_NEXT},
	{separate, DRIVER_NEXT | DRIVER_UNREAD},
	{replaced, DRIVER_NEXT | DRIVER_UNREAD | DRIVER_OURS},
	{outputs, DRIVER_NEXT | DRIVER_UNREAD | DRIVER_OUTPUT},
	{output, DRIVER_NEXT | DRIVER_UNREAD | DRIVER_OURS | DRIVER_OUTPUT},
	{proper, DRIVER_UNREAD},
};

static const char *const searching[] = {
	"-iquote", "-isystem", "-cxx-isystem", "-idirafter", "-I", NULL};

bool driver_takes_next(const char *word, enum driver_option which)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (options[i].is & which && str_is_any(str_of(word), options[i].words)) {
			return true;
		}
	}
	return false;
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
