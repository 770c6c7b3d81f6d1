#include "frontend/parse/flags.h"

#include <string.h>
#include <unistd.h>

#include "base/driver.h"
#include "base/file.h"
#include "base/str.h"
#include "base/words.h"

/* The spelling of an option's value. If it is the next word, that word must not look like an
 * option: a parser that takes it for one would read an unchecked file. */
enum form {
	FORM_ALONE, /* no value */
	FORM_PLAIN, /* letters, digits and _ . , : = + - follow: nothing that names a file */
	FORM_TEXT,  /* anything follows in the same word */
	FORM_NEXT,  /* the value is the next word */
	FORM_EITHER /* in the same word, or the next */
};

struct kind {
	const char *head;
	enum form form;
};

static const struct kind kinds[] = {
	/* macros */
	{"-D", FORM_EITHER},
	{"-U", FORM_EITHER},
	{"--define-macro", FORM_NEXT},
	{"--define-macro=", FORM_TEXT},
	{"--undefine-macro", FORM_NEXT},
	{"--undefine-macro=", FORM_TEXT},
	{"-undef", FORM_ALONE},
	/* files that are read as text, and search directories */
	{"-I-", FORM_ALONE},
	{"-I", FORM_EITHER},
	{"--include-directory", FORM_NEXT},
	{"--include-directory=", FORM_TEXT},
	{"-F", FORM_EITHER},
	{"-include", FORM_EITHER},
	{"--include", FORM_NEXT},
	{"--include=", FORM_TEXT},
	{"-imacros", FORM_EITHER},
	{"--imacros", FORM_NEXT},
	{"--imacros=", FORM_TEXT},
	{"-iquote", FORM_EITHER},
	{"-isystem", FORM_EITHER},
	{"-isystem-after", FORM_EITHER},
	{"-idirafter", FORM_EITHER},
	{"-iprefix", FORM_EITHER},
	{"-iwithprefix", FORM_EITHER},
	{"-iwithprefixbefore", FORM_EITHER},
	{"-iwithsysroot", FORM_EITHER},
	{"-iframework", FORM_EITHER},
	{"-cxx-isystem", FORM_EITHER},
	{"-stdlib++-isystem", FORM_EITHER},
	{"-isysroot", FORM_EITHER},
	{"--sysroot", FORM_NEXT},
	{"--sysroot=", FORM_TEXT},
	{"-resource-dir", FORM_NEXT},
	{"-resource-dir=", FORM_TEXT},
	{"-ivfsoverlay", FORM_EITHER},
	{"-working-directory", FORM_NEXT},
	{"-working-directory=", FORM_TEXT},
	{"--gcc-toolchain=", FORM_TEXT},
	{"--gcc-install-dir=", FORM_TEXT},
	{"--rocm-path=", FORM_TEXT},
	{"--hip-path=", FORM_TEXT},
	{"--hip-version=", FORM_PLAIN},
	{"--cuda-path=", FORM_TEXT},
	{"-fmacro-prefix-map=", FORM_TEXT},
	{"-ffile-prefix-map=", FORM_TEXT},
	{"-nostdinc", FORM_ALONE},
	{"-nostdinc++", FORM_ALONE},
	{"-nostdlibinc", FORM_ALONE},
	{"-nobuiltininc", FORM_ALONE},
	{"-nogpuinc", FORM_ALONE},
	{"-nocudainc", FORM_ALONE},
	{"-nohipwrapperinc", FORM_ALONE},
	/* the language */
	{"--language=", FORM_PLAIN},
	{"-std=", FORM_PLAIN},
	{"--std=", FORM_PLAIN},
	{"-stdlib=", FORM_PLAIN},
	{"-ansi", FORM_ALONE},
	{"-trigraphs", FORM_ALONE},
	{"-pthread", FORM_ALONE},
	{"-O", FORM_PLAIN},
	/* the target */
	{"-target", FORM_NEXT},
	{"--target=", FORM_PLAIN},
	{"-target-cpu", FORM_NEXT},
	{"-target-feature", FORM_NEXT},
	/* warnings, which may be errors */
	{"-w", FORM_ALONE},
	{"-pedantic", FORM_ALONE},
	{"-pedantic-errors", FORM_ALONE},
	{"-Qunused-arguments", FORM_ALONE},
	{"--no-cuda-version-check", FORM_ALONE},
};

/* Options -fNAME, -fno-NAME and -fNAME=PLAIN that change the language, its macros or its limits. */
static const char *const features[] = {"PIC", "PIE", "access-control", "aligned-allocation",
	"aligned-new", "allow-editor-placeholders", "allow-half-arguments-and-returns",
	"altivec-src-compat", "approx-func", "asm", "asm-blocks", "associative-math", "blocks",
	"borland-extensions", "bracket-depth", "builtin", "builtin-*", "c++-abi",
	"c++-static-destructors", "char8_t", "check-new", "clang-abi-compat", "common",
	"complete-member-pointers", "concepts", "constexpr-depth", "constexpr-steps",
	"convergent-functions", "coro-aligned-allocation", "coroutines", "coroutines-ts",
	"cuda-allow-variadic-functions", "cuda-approx-transcendentals",
	"cuda-flush-denormals-to-zero", "cuda-host-device-constexpr", "cuda-short-ptr",
	"cx-fortran-rules", "cx-limited-range", "cxx-exceptions", "declspec",
	"define-target-os-macros", "delayed-template-parsing", "delete-null-pointer-checks",
	"denormal-fp-math", "deprecated-macro", "digraphs", "dollars-in-identifiers",
	"double-square-bracket-attributes", "elide-constructors", "elide-type", "enable-matrix",
	"exceptions", "excess-precision", "exec-charset", "experimental-library",
	"experimental-new-constant-interpreter", "fast-math", "finite-loops", "finite-math-only",
	"fixed-point", "force-enable-int128", "fp-contract", "fp-eval-method",
	"fp-exception-behavior", "fp-model", "freestanding", "gnu-inline-asm", "gnu-keywords",
	"gnu89-inline", "gnuc-version", "gpu-allow-device-init", "gpu-approx-transcendentals",
	"gpu-default-stream", "gpu-defer-diag", "gpu-exclude-wrong-side-overloads",
	"gpu-flush-denormals-to-zero", "hip-fp32-correctly-rounded-divide-sqrt",
	"hip-kernel-arg-name", "hip-new-launch-api", "honor-infinities", "honor-nans", "hosted",
	"inline", "inline-functions", "input-charset", "knr-functions", "lax-vector-conversions",
	"math-errno", "max-tokens", "max-type-align", "merge-all-constants", "ms-compatibility",
	"ms-compatibility-version", "ms-define-stdc", "ms-extensions", "msc-version",
	"native-half-arguments-and-returns", "native-half-type", "new-alignment", "new-infallible",
	"offload-implicit-host-device-templates", "offload-uniform-block", "openmp", "openmp-simd",
	"openmp-version", "operator-arrow-depth", "operator-names", "pack-struct", "pascal-strings",
	"pic", "pie", "protect-parens", "raw-string-literals", "reciprocal-math",
	"relaxed-template-template-args", "rounding-math", "rtti", "rtti-data", "sanitize",
	"short-enums", "short-wchar", "signaling-nans", "signed-bitfields", "signed-char",
	"signed-wchar", "signed-zeros", "sized-deallocation", "stack-protector",
	"stack-protector-all", "stack-protector-strong", "strict-aliasing", "strict-enums",
	"strict-float-cast-overflow", "strict-flex-arrays", "strict-return",
	"strict-vtable-pointers", "template-backtrace-limit", "template-depth",
	"threadsafe-statics", "trapping-math", "trapv", "trigraphs", "unroll-loops",
	"unsafe-math-optimizations", "unsigned-bitfields", "unsigned-char", "use-cxa-atexit",
	"visibility", "visibility-inlines-hidden", "visibility-ms-compat", "wrapv",
	"writable-strings", "xl-pragma-pack", "zvector", NULL};

/* Target options -mNAME, -mno-NAME and -mNAME=PLAIN; NAME* means all with that start. */
static const char *const machine[] = {"16", "32", "64", "abi", "arch", "cmodel", "cpu", "tune",
	"code-object-version", "cumode", "tgsplit", "unsafe-fp-atomics", "wavefrontsize64",
	"amdgpu-ieee", "amdgpu-precise-memory-op", "printf-kind", "double", "long-double-64",
	"long-double-80", "long-double-128", "ms-bitfields", "soft-float", "general-regs-only",
	"adx", "aes", "avx*", "bmi*", "crc32", "cx16", "f16c", "fma", "fma4", "fpmath", "fsgsbase",
	"fxsr", "gfni", "lzcnt", "mmx", "movbe", "pclmul", "popcnt", "prefer-vector-width", "rdrnd",
	"rdseed", "sha", "sse*", "ssse3", "vaes", "vpclmulqdq", "xsave*", NULL};

static bool is_plain(const char *s)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.,:=+-";

	return strspn(s, allowed) == strlen(s);
}

/* Is the option one of the names? name* matches longer names, too. */
static bool is_named(const char *word, const char *const *names)
{
	const char *name = word + 2;
	name += strncmp(name, "no-", 3) == 0 ? 3 : 0;
	struct str rest = str_of(name), bare;

	if (!is_plain(name) || !str_split(&rest, '=', &bare)) {
		return false;
	}
	for (; *names; names++) {
		size_t n = strlen(*names);
		bool open = (*names)[n - 1] == '*';
		if (open ? bare.n >= n - 1 && strncmp(bare.p, *names, n - 1) == 0
			 : str_is(bare, *names)) {
			return true;
		}
	}
	return false;
}

/* The number of words of an option of this kind; 0: another option. next: the word after, or
 * NULL. */
static size_t taken_by(const struct kind *k, const char *word, const char *next)
{
	size_t n = strlen(k->head);

	if (strncmp(word, k->head, n) != 0) {
		return 0;
	}
	bool separate = word[n] == '\0' && next && next[0] != '-' && next[0] != '@';
	switch (k->form) {
	case FORM_ALONE:
		return word[n] == '\0';
	case FORM_PLAIN:
		return is_plain(word + n);
	case FORM_TEXT:
		return 1;
	case FORM_NEXT:
		return separate ? 2 : 0;
	case FORM_EITHER:
		/* "-include-pch" is not -include, but -D-1 is a -D */
		return word[n] ? n == 2 || word[n] != '-' : separate ? 2 : 0;
	}
	return 0;
}

/* -x: source text only, no saved tree and no code. */
static size_t taken_by_language(const char *word, const char *next)
{
	static const char *const known[] = {"hip", "c++", "cuda", "c", "none", NULL};

	if (strncmp(word, "-x", 2) != 0) {
		return 0;
	}
	const char *language = word[2] ? word + 2 : next;
	if (language && str_is_any(str_of(language), known)) {
		return word[2] ? 1 : 2;
	}
	return 0;
}

/* The number of allowed words from this one: an option with its value; 0: not allowed. */
static size_t passes(const char *word, const char *next)
{
	size_t language = taken_by_language(word, next);

	if (language) {
		return language;
	}
	if (strncmp(word, "-W", 2) == 0) { /* not -Wl, and similar ones */
		return is_plain(word) && !strchr(word, ',');
	}
	if (strncmp(word, "-f", 2) == 0 && is_named(word, features)) {
		return 1;
	}
	if (strncmp(word, "-m", 2) == 0 && is_named(word, machine)) {
		return 1;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t n = taken_by(&kinds[i], word, next);
		if (n) {
			return n;
		}
	}
	return 0;
}

/* -Xclang and similar: the word after it is checked as if it stood by itself. */
static bool is_wrapper(const char *word)
{
	return driver_wraps_next(word) && is_plain(word);
}

static void add_wrapped(struct words *out, const char *wrapper, const char *word)
{
	if (wrapper) {
		words_add(out, wrapper);
	}
	words_add(out, word);
}

/* Adds the option at f; with a wrapper each of its words follows one. Returns the number of words
 * used. */
static size_t add_option(struct words *out, const char *const *f, const char *wrapper)
{
	size_t step = wrapper ? 2 : 1, at = step - 1;
	const char *word = f[at];
	bool more = f[at + 1] && (!wrapper || (strcmp(f[at + 1], wrapper) == 0 && f[at + 2]));
	const char *next = more ? f[at + step] : NULL;
	size_t n = passes(word, next);

	for (size_t i = 0; i < n; i++) {
		add_wrapped(out, wrapper, f[at + i * step]);
	}
	n = n == 0 && next && driver_takes_next(word, DRIVER_UNREAD) ? 2 : n;
	return (n ? n : 1) * step;
}

/* -Wp,-DA=1,-UB: each piece is an option of the preprocessor. */
static void add_preprocessor(struct words *out, struct arena *a, const char *word)
{
	struct str rest = str_of(word + strlen("-Wp,")), piece;

	while (str_split(&rest, ',', &piece)) {
		const char *one = arena_strndup(a, piece.p, piece.n);
		if (passes(one, NULL) == 1) {
			words_add(out, arena_printf(a, "-Wp,%s", one));
		}
	}
}

const char *const *flags_for_parse(struct arena *a, const char *const *flags)
{
	struct words out = {{0}};

	for (const char *const *f = flags; f && *f;) {
		if (strncmp(*f, "-Wp,", 4) == 0) {
			add_preprocessor(&out, a, *f++);
		} else if (is_wrapper(*f)) {
			f += f[1] ? add_option(&out, f, *f) : 1;
		} else {
			f += add_option(&out, f, NULL);
		}
	}
	return words_finish(&out, a);
}

/* ---- the files that flags name ---- */

static const char *const read_whole[] = {
	"-include", "--include", "-imacros", "--imacros", "-ivfsoverlay", NULL};
static const char *const searched[] = {"-iquote", "-I", "--include-directory", "-isystem",
	"-idirafter", "-working-directory", NULL};

/* The value of the option, if it is in the list, as flags_for_parse allows it; else NULL. */
static const char *value_in(const char *const *heads, const char *word, const char *next)
{
	for (; *heads; heads++) {
		size_t n = strlen(*heads);
		if (strncmp(word, *heads, n) == 0 && word[n] != '-') {
			return word[n] ? word + n + (word[n] == '=') : next;
		}
	}
	return NULL;
}

/* The options without their wrappers. */
static const char *const *unwrapped(struct arena *a, const char *const *flags)
{
	struct words out = {{0}};

	for (; *flags; flags++) {
		if (!is_wrapper(*flags)) {
			words_add(&out, *flags + (strncmp(*flags, "-Wp,", 4) == 0 ? 4 : 0));
		}
	}
	return words_finish(&out, a);
}

/* Finds the file as the parser does: the first existing one that is not a directory. */
static int check_file(
	struct arena *a, const char *directory, const char *file, const char *const *dirs)
{
	const char *path = directory ? path_absolute(a, directory, file) : file, *first = NULL;

	for (;;) {
		if (file_is_dir(path)) {
			first = first ? first : path;
		} else if (access(path, F_OK) == 0) {
			return file_check(path);
		}
		if (file[0] == '/' || !*dirs) {
			return first ? file_check(first) : 0;
		}
		path = arena_printf(a, "%s/%s", *dirs++, file);
		path = directory ? path_absolute(a, directory, path) : path;
	}
}

int flags_check_files(struct arena *a, const char *directory, const char *const *flags)
{
	const char *const *all = unwrapped(a, flags_for_parse(a, flags));
	struct words dirs = {{0}};
	int rc = 0;

	for (const char *const *f = all; *f; f++) {
		const char *dir = value_in(searched, f[0], f[1]);
		if (dir) {
			words_add(&dirs, dir);
		}
	}
	const char *const *where = words_finish(&dirs, a);
	for (const char *const *f = all; *f && rc == 0; f++) {
		const char *file = value_in(read_whole, f[0], f[1]);
		rc = file ? check_file(a, directory, file, where) : 0;
	}
	return rc;
}

bool flags_wrap(const char *const *flags)
{
	bool on = false;
	for (size_t i = 0; flags && flags[i]; i++) {
		bool off = strcmp(flags[i], "-fno-wrapv") == 0 ||
			   strcmp(flags[i], "-fstrict-overflow") == 0;
		on = !off && (on || strcmp(flags[i], "-fwrapv") == 0 ||
				     strcmp(flags[i], "-fno-strict-overflow") == 0);
	}
	return on;
}
