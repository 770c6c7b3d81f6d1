#include "cc/command.h"

#include <string.h>

#include "base/driver.h"
#include "base/file.h"
#include "base/words.h"

enum {
	DEPTH_MAX = 8,	  /* of nested response files */
	FILES_MAX = 1000, /* response files in all: each may name the others several times */
};

/* ---- response files ---- */

/* The next word of a response file in GNU syntax, as clang reads it: words are separated by white
 * space, may be quoted, and a backslash escapes any byte. False at the end. */
static bool next_word(struct sbuf *out, struct str text, size_t *at)
{
	char quote = 0;
	bool any = false;

	while (*at < text.n && strchr(" \t\r\n\f\v", text.p[*at])) {
		++*at;
	}
	for (; *at < text.n; ++*at) {
		char c = text.p[*at];
		if (!quote && strchr(" \t\r\n\f\v", c)) {
			break;
		}
		any = true;
		if (c == '\\' && *at + 1 < text.n) {
			sbuf_addc(out, text.p[++*at]);
		} else if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? 0 : c;
		} else {
			sbuf_addc(out, c);
		}
	}
	return any;
}

/* Adds the words of the response file in word. False if it cannot be read; clang then treats
 * "@file" as a file name. */
static bool expand(
	struct words *out, struct arena *a, const char *word, unsigned depth, unsigned *files)
{
	struct sbuf text = {0};
	struct sbuf one = {0};
	size_t at = 0;
	bool ok = true;

	if (depth > DEPTH_MAX || ++*files > FILES_MAX || !file_exists(word + 1) ||
		file_read(&text, word + 1) != 0) {
		sbuf_release(&text);
		return false;
	}
	while (ok && next_word(&one, sbuf_str(&text), &at)) {
		const char *w = arena_strndup(a, sbuf_cstr(&one), one.n);
		if (w[0] == '@') {
			ok = expand(out, a, w, depth + 1, files);
		} else {
			words_add(out, w);
		}
		sbuf_reset(&one);
	}
	sbuf_release(&one);
	sbuf_release(&text);
	return ok;
}

const char *const *cc_words_expand(struct arena *a, const char *const *words, const char **why)
{
	struct words out = {{0}};
	unsigned files = 0;

	for (; *words; words++) {
		size_t before = out.v.n;
		if ((*words)[0] == '@' && expand(&out, a, *words, 0, &files)) {
			continue;
		}
		if ((*words)[0] == '@' && why) {
			*why = "its response file cannot be read";
		}
		out.v.n = before;
		words_add(&out, *words);
	}
	return words_finish(&out, a);
}

/* ---- options ---- */

/* The reason why a command with this option runs unchanged, or NULL: it makes no code from a HIP
 * file, or the option may not work with an overlay or with a parse by libclang. */
static const char *refused(struct str word)
{
	static const struct {
		const char *word;
		const char *why;
	} known[] = {
		{"-E", "it only preprocesses"},
		{"-M", "it only lists dependencies"},
		{"-MM", "it only lists dependencies"},
		{"-fsyntax-only", "it makes no code"},
		{"--analyze", "it makes no code"},
		{"-###", "it makes no code"},
		{"--version", "it compiles nothing"},
		{"--help", "it compiles nothing"},
		{"-help", "it compiles nothing"},
		{"--cuda-host-only", "it makes no code for a GPU"},
		{"--offload-host-only", "it makes no code for a GPU"},
		{"-working-directory", "-working-directory changes what paths mean"},
		{"-ivfsoverlay", "it has an overlay of its own"},
		{"-include-pch", "it uses a precompiled header"},
		{"-fmodules", "it uses modules"},
		{"-fopenmp", "it uses OpenMP"},
		{"-grecord-command-line", "its command line goes into the object"},
		{"-grecord-gcc-switches", "its command line goes into the object"},
		{"-frecord-command-line", "its command line goes into the object"},
		{"-frecord-gcc-switches", "its command line goes into the object"},
		{"-fgpu-rdc", "-fgpu-rdc makes its machine code only at the link"},
	};
	static const struct {
		const char *head;
		const char *why;
	} heads[] = {
		{"-ivfsoverlay", "it has an overlay of its own"},
		{"-vfsoverlay", "it has an overlay of its own"},
		{"-working-directory=", "-working-directory changes what paths mean"},
		{"-print-", "it compiles nothing"},
		{"--print-", "it compiles nothing"},
		{"-dump", "it compiles nothing"},
		{"-fopenmp-targets", "it uses OpenMP"},
		{"-gen-cdb-fragment-path", "its command line goes into a file for each compile"},
		{"--gen-cdb-fragment-path", "its command line goes into a file for each compile"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (str_is(word, known[i].word)) {
			return known[i].why;
		}
	}
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (str_starts(word, heads[i].head) && !str_is(word, "-dumpdir") &&
			!str_is(word, "-dumpbase")) {
			return heads[i].why;
		}
	}
	return NULL;
}

/* Does the option only choose outputs and their paths? Then it does not change the meaning of the
 * source. */
static bool is_output(struct str word, bool *with_value)
{
	static const char *const whole[] = {"-c", "-S", "-emit-llvm", "-MD", "-MMD", "-MP", "-MG",
		"-MV", "-v", "-fcolor-diagnostics", "-fno-color-diagnostics", "-fansi-escape-codes",
		"--cuda-device-only", "--offload-device-only", "--genco", NULL};
	/* options with a value in the same word */
	static const char *const heads[] = {"-MF", "-MJ", "-MQ", "-MT", NULL};

	*with_value = driver_takes_next(word.p, DRIVER_OUTPUT);
	return *with_value || str_is_any(word, whole) || str_starts_any(word, heads) ||
	       (str_starts(word, "-o") && !str_starts(word, "-offload")) ||
	       str_starts(word, "-fdiagnostics-color") || str_starts(word, "-save-temps") ||
	       str_starts(word, "--save-temps");
}

/* ---- the input ---- */

struct reading {
	struct cc_command *c;
	size_t inputs;
	size_t language_at; /* of the last -x before the input */
	bool optimized;
	const char *why;
};

static struct str extension(struct str path)
{
	struct str base = path_base(path);
	size_t dot = base.n;

	while (dot > 0 && base.p[dot - 1] != '.') {
		dot--;
	}
	return dot ? str_sub(base, dot, base.n) : (struct str){"", 0};
}

static struct str language_of(const struct cc_command *c, size_t at)
{
	if (at == SIZE_MAX) {
		return (struct str){NULL, 0};
	}
	const char *word = c->args[at];
	return str_of(word[2] ? word + 2 : c->args[at + 1]);
}

static void add_input(struct reading *r, size_t at)
{
	r->inputs++;
	r->c->source = r->c->args[at];
	r->c->source_at = at;
	r->c->language_at = r->language_at;
}

static void read_optimization(struct reading *r, struct str word)
{
	if (str_starts(word, "-O")) {
		r->optimized = !str_is(word, "-O0");
	}
}

static void read_args(struct reading *r)
{
	const char *const *args = r->c->args;
	bool operands = false;

	for (size_t i = 0; args[i]; i++) {
		struct str w = str_of(args[i]);
		if (operands || w.p[0] != '-' || w.n == 1) {
			add_input(r, i);
			continue;
		}
		if (str_is(w, "--")) {
			operands = true;
			continue;
		}
		const char *why = refused(w);
		r->why = r->why ? r->why : why;
		read_optimization(r, w);
		if (str_starts(w, "-x") && (w.n > 2 || args[i + 1])) {
			r->language_at = i;
		}
		if (driver_takes_next(w.p, DRIVER_NEXT)) {
			if (!args[i + 1]) {
				r->why = "its last option has no value";
				return;
			}
			i++;
		}
	}
}

static bool is_hipcc(const struct cc_command *c)
{
	return str_starts(path_base(str_of(c->argv[c->compiler])), "hipcc");
}

static const char *look_at_language(struct cc_command *c)
{
	static const char *const sources[] = {"cpp", "cc", "cxx", "c++", "C", "cu", NULL};
	struct str language = language_of(c, c->language_at);
	struct str end = extension(str_of(c->source));
	bool given = language.p && !str_is(language, "none");

	if (str_is(end, "hip") && given && str_is(language, "c++")) {
		c->wrong_language = true;
		return NULL;
	}
	if (given ? str_is(language, "hip")
		  : str_is(end, "hip") || (is_hipcc(c) && str_is_any(end, sources))) {
		return NULL;
	}
	return "it compiles no HIP";
}

static const char *find_compiler(struct cc_command *c)
{
	static const char *const launchers[] = {"sccache", "distcc", "icecc", "unphi", NULL};
	struct str base = path_base(str_of(c->argv[0]));

	if (str_is(base, "ccache") && c->argv[1]) {
		c->compiler = 1;
		base = path_base(str_of(c->argv[1]));
	}
	if (str_is_any(base, launchers)) {
		return "it goes through a launcher that unphi does not know";
	}
	bool clang =
		str_find(base, "clang", 0) != SIZE_MAX && str_find(base, "clang-cl", 0) == SIZE_MAX;
	return clang || str_starts(base, "hipcc") ? NULL
						  : "its compiler is neither hipcc nor clang";
}

static void keep_flags(struct cc_command *c, struct arena *a)
{
	struct words flags = {{0}};

	for (size_t i = 0; c->args[i]; i++) {
		struct str w = str_of(c->args[i]);
		bool with_value;
		if (i == c->source_at || str_is(w, "--")) {
			continue;
		}
		if (is_output(w, &with_value)) {
			i += with_value;
		} else if (str_starts(w, "-x")) {
			i += w.n == 2;
		} else {
			words_add(&flags, w.p);
			if (driver_takes_next(w.p, DRIVER_NEXT)) {
				words_add(&flags, c->args[++i]);
			}
		}
	}
	c->flags = words_finish(&flags, a);
}

const char *cc_command_read(struct cc_command *out, struct arena *a, const char *const *argv)
{
	static const char *const none[] = {NULL};

	*out = (struct cc_command){
		.argv = argv, .args = none, .flags = none, .language_at = SIZE_MAX};
	const char *why = find_compiler(out);
	if (why) {
		return why;
	}
	out->args = cc_words_expand(a, argv + out->compiler + 1, &why);
	if (why) {
		return why;
	}
	struct reading r = {.c = out, .language_at = SIZE_MAX, .optimized = is_hipcc(out)};
	read_args(&r);
	if (r.inputs != 1) {
		out->source = NULL;
		return r.inputs ? "it has several inputs" : "it has no input";
	}
	why = look_at_language(out);
	if (why || r.why) {
		return why ? why : r.why;
	}
	if (str_is(str_of(out->source), "-")) {
		return "it reads standard input";
	}
	if (!r.optimized) {
		return "it does not optimize";
	}
	keep_flags(out, a);
	return NULL;
}

const char *const *cc_command_words(
	struct arena *a, const struct cc_command *c, const char *const *more)
{
	struct words out = {{0}};

	for (size_t i = 0; i <= c->compiler; i++) {
		words_add(&out, c->argv[i]);
	}
	words_add_all(&out, more);
	const char *const *rest = c->wrong_language ? c->args : c->argv + c->compiler + 1;
	for (size_t i = 0; rest[i]; i++) {
		if (c->wrong_language && i == c->language_at) {
			words_add(&out, "-xhip");
			i += rest[i][2] == '\0';
		} else {
			words_add(&out, rest[i]);
		}
	}
	return words_finish(&out, a);
}
