#include "frontend/text/lookups.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/kept/dir.h"
#include "base/kept/stamp.h"
#include "frontend/text/asked.h"

enum {
	COMMAND_WORD = 1, /* values in known: files of commands, directories, files read */
	SEARCHED,
	READ
};

/* "./x" and "x" are the same file, and compilers write both. */
static struct str without_dot(struct str path)
{
	while (path.n > 2 && str_starts(path, "./")) {
		path = str_sub(path, 2, path.n);
	}
	return path;
}

void lookups_add_dir(struct lookups *l, struct str dir)
{
	dir = without_dot(dir);
	while (dir.n > 1 && dir.p[dir.n - 1] == '/') {
		dir.n--;
	}
	if (dir.n > 0 && map_get(&l->known, dir, 0) != SEARCHED) {
		map_set(&l->known, dir, SEARCHED);
		words_add(&l->dirs, arena_str(l->a, dir).p);
	}
}

void lookups_add_file(struct lookups *l, const char *path)
{
	if (map_get(&l->known, str_of(path), 0) != READ) {
		map_set(&l->known, str_of(path), READ);
		words_add(&l->files, path);
		lookups_add_dir(l, path_dir(str_of(path)));
	}
}

static void add_command_file(struct lookups *l, const char *path)
{
	if (map_get(&l->known, str_of(path), 0) == 0) {
		map_set(&l->known, str_of(path), COMMAND_WORD);
		words_add(&l->commands, path);
	}
}

/* ---- the driver ---- */

static void add_place(struct lookups *l, struct str path, enum dir_names which)
{
	static const struct dir_look any = {0};
	dir_add(&l->driver, arena_strndup(l->a, path.p, path.n), which, &any);
}

/* Adds a file that may be missing. */
static void add_marker(struct lookups *l, const char *path)
{
	if (!stamp_add_program(&l->driver, path)) {
		stamp_add_absent(&l->driver, path);
	}
}

/* A configuration file that reads others may read any file. */
static void add_configuration(struct lookups *l, const char *path)
{
	struct sbuf text = {0};
	add_marker(l, path);
	if (file_read(&text, path) != 0 || memchr(sbuf_cstr(&text), '@', text.n)) {
		l->why = "a configuration file that reads others";
	}
	sbuf_release(&text);
}

static struct str rest_after(struct str line, const char *head)
{
	return str_starts(line, head) ? str_sub(line, strlen(head), line.n) : (struct str){0};
}

void lookups_add_root(struct lookups *l, struct str root)
{
	static const char *const markers[] = {"bin/.hipVersion", "share/hip/version", NULL};
	static const char *const places[] = {"amdgcn/bitcode", "lib/amdgcn/bitcode", NULL};
	static const char *const libraries[] = {"lib", "lib32", "lib64", "libx32", NULL};
	static const char *const parts[] = {"gcc", "gcc-cross", NULL};
	const char *dir = arena_strndup(l->a, root.p, root.n);
	if (map_has(&l->roots, root)) {
		return;
	}
	map_set(&l->roots, root, 1);
	if (access(dir, F_OK) != 0) {
		stamp_add_absent(&l->driver, dir);
		return;
	}
	for (size_t i = 0; markers[i]; i++) {
		add_marker(l, arena_printf(l->a, "%s/%s", dir, markers[i]));
	}
	for (size_t i = 0; places[i]; i++) {
		add_place(l, str_of(arena_printf(l->a, "%s/%s", dir, places[i])), DIR_ALL);
	}
	for (size_t i = 0; libraries[i]; i++) {
		for (size_t k = 0; parts[k]; k++) {
			const char *path =
				arena_printf(l->a, "%s/%s/%s", dir, libraries[i], parts[k]);
			add_place(l, str_of(path), DIR_ALL);
		}
	}
}

/* Adds the directory of a program, which looks for its parts there and above; clang 24 and later
 * for headers of the host's target, too. */
static void add_installed(struct lookups *l, struct str bin, struct str target)
{
	struct str root = path_dir(bin);
	add_marker(l, arena_printf(l->a, "%.*s/include/%.*s", STR_ARG(root), STR_ARG(target)));
	add_place(l, bin, DIR_CONFIG);
	add_marker(l, arena_printf(l->a, "%.*s/.hipVersion", STR_ARG(bin)));
	lookups_add_root(l, root);
	lookups_add_root(l, path_dir(root));
}

static void add_gcc(struct lookups *l, struct str gcc)
{
	add_place(l, gcc, DIR_ALL);
	add_place(l, str_of(arena_printf(l->a, "%.*s/include", STR_ARG(gcc))), DIR_ALL);
	add_place(l, path_dir(gcc), DIR_ALL);
	/* GCC/x86_64-linux-gnu/12: the directories of the target above it, and the library's
	 * headers of this version, which clang 21 and later look for in each candidate */
	struct str target = path_base(path_dir(gcc)), version = path_base(gcc);
	const char *include = arena_printf(l->a, "%.*s/../../../../include", STR_ARG(gcc));
	add_place(l, str_of(arena_printf(l->a, "%s/c++/%.*s", include, STR_ARG(version))), DIR_ALL);
	add_place(l,
		str_of(arena_printf(
			l->a, "%s/%.*s/c++/%.*s", include, STR_ARG(target), STR_ARG(version))),
		DIR_ALL);
	add_place(l,
		str_of(arena_printf(l->a, "%.*s/../../../../%.*s", STR_ARG(gcc), STR_ARG(target))),
		DIR_ALL);
}

void lookups_add_driver(struct lookups *l, struct str said)
{
	/* the directories of compilers and ROCm in distributions: a newly installed one may be
	 * chosen instead */
	static const char *const dirs[] = {"/opt", "/opt/rh", "/etc/env.d/gcc", NULL};
	static const char *const roots[] = {"/usr", "/usr/local", "/opt/rocm", NULL};
	struct str line, target = STR("");
	for (size_t i = 0; dirs[i]; i++) {
		add_place(l, str_of(dirs[i]), DIR_ALL);
	}
	for (size_t i = 0; roots[i]; i++) {
		lookups_add_root(l, str_of(roots[i]));
	}
	while (str_line(&said, &line)) {
		struct str bin = rest_after(line, "InstalledDir: ");
		struct str gcc = rest_after(line, "Found candidate GCC installation: ");
		struct str hip = rest_after(line, "Found HIP installation: ");
		struct str file = rest_after(line, "Configuration file: ");
		struct str dir = rest_after(line, "System configuration file directory: ");
		dir = dir.n ? dir : rest_after(line, "User configuration file directory: ");
		if (str_starts(line, "Target: ")) {
			target = rest_after(line, "Target: ");
		} else if (bin.n > 0) {
			add_installed(l, bin, target);
		} else if (gcc.n > 0) {
			add_gcc(l, gcc);
		} else if (hip.n > 0) {
			lookups_add_root(l, str_sub(hip, 0, str_find(hip, ", version", 0)));
		} else if (dir.n > 0) {
			add_place(l, dir, DIR_CONFIG);
		} else if (file.n > 0) {
			add_configuration(l, arena_strndup(l->a, file.p, file.n));
		}
	}
}

/* ---- the command of the compiler proper ---- */

/* Options with a search directory as value. */
static const char *const searching[] = {"-I", "-isystem", "-iquote", "-idirafter",
	"-internal-isystem", "-internal-externc-isystem", "-cxx-isystem", "-c-isystem",
	"-objc-isystem", "-objcxx-isystem", "-embed-dir=", "--embed-dir=", NULL};
/* Options whose value is an output or a name. */
static const char *const unread[] = {"-o", "-main-file-name", "-dependency-file", "-MT", "-MQ",
	"-serialize-diagnostic-file", "-stats-file", "-split-dwarf-output", "-header-include-file",
	"-fdebug-compilation-dir", "-coverage-notes-file", "-coverage-data-file", "-dumpdir",
	"-dumpbase", "-triple", "-aux-triple", "-target-cpu", "-target-feature", "-x", "-U",
	"-ferror-limit", NULL};
static const char *const written[] = {"-object-file-name=", "-coverage-", "-fdebug-", "-fcoverage-",
	"-ffile-prefix-map=", "-fmacro-prefix-map=", "-ftime-trace=", "-opt-record-file=",
	"-fcuda-include-gpubinary", NULL};
/* Options that read files which no make rule lists, or that change the meaning of names. */
static const char *const anything[] = {"-ivfsoverlay", "-vfsoverlay", "-fmodules",
	"-fmodule-map-file", "-fmodule-file", "-fprebuilt-module-path", "-fimplicit-module-maps",
	"-include-pch", "-chain-include", "-token-cache", "-load", "-plugin", "-add-plugin",
	"-fplugin", "-fpass-plugin", "-F", "-iframework", "-iprefix", "-iwithprefix",
	"-iwithsysroot", "-working-directory", NULL};

static bool is_anything(struct str word)
{
	for (size_t i = 0; anything[i]; i++) {
		size_t n = strlen(anything[i]);
		if (str_starts(word, anything[i]) &&
			(word.n == n || word.p[n] == '=' || str_is(str_sub(word, 0, n), "-F") ||
				str_starts(word, "-iframework") || str_starts(word, "-iwith"))) {
			return true;
		}
	}
	return false;
}

/* The next word of a command, in quotes or not; false at its end. */
static bool next_word(struct sbuf *out, struct str *rest)
{
	size_t i = 0;
	bool quoted = false, some = false;
	sbuf_reset(out);
	for (; i < rest->n; i++) {
		char c = rest->p[i];
		if (c == '\\' && i + 1 < rest->n) {
			c = rest->p[++i];
		} else if (c == '"') {
			quoted = !quoted;
			some = true;
			continue;
		} else if (c == ' ' && !quoted) {
			if (some) {
				break;
			}
			continue;
		}
		sbuf_addc(out, c);
		some = true;
	}
	*rest = str_sub(*rest, i, rest->n);
	return some;
}

/* Is the value in the word of the option, or the next word? */
static struct str value_of(const char *option, struct str word, struct str next)
{
	size_t n = strlen(option);
	return word.n == n && word.p[n - 1] != '=' ? next : str_sub(word, n, word.n);
}

static const char *searching_option(struct str word)
{
	const char *found = NULL;
	for (size_t i = 0; searching[i]; i++) {
		bool joins =
			str_is(str_of(searching[i]), "-I") || str_ends(str_of(searching[i]), "=");
		if (str_is(word, searching[i]) || (joins && str_starts(word, searching[i]))) {
			found = searching[i];
		}
	}
	return found;
}

/* Adds the file or directory that an operand, or the value of an option, names. */
static void add_named(struct lookups *l, struct str value)
{
	struct stat st;
	const char *path = arena_strndup(l->a, value.p, value.n);
	if (value.n == 0 || value.n >= PATH_MAX || stat(path, &st) != 0) {
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		lookups_add_dir(l, value);
	} else if (S_ISREG(st.st_mode) && (l->programs || !str_ends(value, ".bc"))) {
		add_command_file(l, path);
	}
}

/* -include FILE looks in the working directory first, and for a precompiled header. */
static void add_included(struct lookups *l, const char *file)
{
	static const char *const tails[] = {"", ".pch", ".gch", NULL};
	lookups_add_dir(l, STR("."));
	for (size_t i = 0; tails[i]; i++) {
		const char *path = arena_printf(l->a, "%s%s", file, tails[i]);
		if (access(path, F_OK) != 0) {
			stamp_add_absent(&l->driver, path);
		} else if (i > 0) {
			l->why = "a precompiled header";
		}
	}
}

void lookups_add_macro(struct lookups *l, struct str value)
{
	size_t at = str_find(value, "=", 0);
	if (at != SIZE_MAX && str_find(value, "has_", at) != SIZE_MAX) {
		words_add(&l->macros, arena_printf(l->a, "#define %.*s %.*s\n", (int)at, value.p,
					      STR_ARG(str_sub(value, at + 1, value.n))));
	}
}

static void add_word(struct lookups *l, struct str word, struct str next)
{
	const char *option = searching_option(word);
	size_t sign = str_find(word, "=", 0);
	if (option) {
		struct str dir = value_of(option, word, next);
		l->why = str_starts(dir, "=") ? "-isystem =DIRECTORY" : l->why;
		lookups_add_dir(l, dir);
	} else if (is_anything(word)) {
		l->why = arena_strndup(l->a, word.p, word.n);
	} else if (str_is(word, "-resource-dir")) {
		lookups_add_root(l, next);
		lookups_add_root(l, path_dir(next));
	} else if (str_is(word, "-include") || str_is(word, "-imacros")) {
		add_included(l, arena_strndup(l->a, next.p, next.n));
	} else if (str_starts(word, "-D")) {
		lookups_add_macro(l, value_of("-D", word, next));
	} else if (sign != SIZE_MAX && !str_starts_any(word, written)) {
		struct str value = str_sub(word, sign + 1, word.n);
		if (!file_is_dir(arena_strndup(l->a, value.p, value.n))) {
			add_named(l, value);
		}
	}
}

static void add_command(struct lookups *l, struct str line)
{
	ARRAY(struct str) words = {0};
	struct sbuf word = {0};
	while (next_word(&word, &line)) {
		array_push(&words, arena_str(l->a, sbuf_str(&word)));
	}
	bool compiles = words.n > 1 && str_is(words.v[1], "-cc1");
	if (compiles) {
		words_add_once(&l->compilers, words.v[0].p);
	}
	for (size_t i = !l->programs; i < words.n; i++) {
		struct str none = {"", 0}, next = i + 1 < words.n ? words.v[i + 1] : none;
		struct str before = i > 0 ? words.v[i - 1] : none;
		bool is_source = i > 1 && str_is(words.v[i - 2], "-x");
		if (str_starts(words.v[i], "-")) {
			add_word(l, words.v[i], next);
		} else if (!is_source && !str_is_any(before, unread) && !searching_option(before)) {
			add_named(l, words.v[i]);
		}
	}
	sbuf_release(&word);
	array_release(&words);
}

static bool is_command(struct str line)
{
	return str_starts(line, "\"/") || str_starts(line, "/");
}

void lookups_add_commands(struct lookups *l, struct str said)
{
	struct str line;
	while (str_line(&said, &line)) {
		line = str_trim(line);
		if (is_command(line)) {
			add_command(l, line);
		}
	}
}

void lookups_add_search_list(struct lookups *l, struct str said)
{
	static const char missing[] = "ignoring nonexistent directory \"";
	struct str line;
	bool listed = false;
	while (str_line(&said, &line)) {
		if (str_starts(line, missing) && str_ends(line, "\"")) {
			lookups_add_dir(l, str_sub(line, sizeof(missing) - 1, line.n - 1));
		} else if (str_starts(line, "#include ")) {
			listed = true;
		} else if (str_starts(line, "End of search list")) {
			listed = false;
		} else if (listed && str_starts(line, " ")) {
			bool other = str_ends(line, " (framework directory)") ||
				     str_ends(line, " (headermap)");
			l->why = other ? "a framework or header map" : l->why;
			lookups_add_dir(l, str_trim(line));
		}
	}
}

/* ---- names ---- */

/* All names as a tree of their components. */
struct names {
	struct lookups *l;
	struct map components; /* all components */
	struct map inner;      /* a path to an inner node: 1 + its index in child */
	/* the next components after each inner node; 0: the first ones */
	ARRAY(struct words) child;
};

static size_t node_of(struct names *n, struct str beginning)
{
	size_t known = (size_t)map_get(&n->inner, beginning, 0);
	if (known == 0) {
		array_push(&n->child, ((struct words){{0}}));
		known = n->child.n;
		map_set(&n->inner, beginning, (uintptr_t)known);
	}
	return known - 1;
}

static void add_name(struct names *n, struct str name)
{
	size_t node = node_of(n, STR("")), begin = 0;
	for (size_t at = 0; at <= name.n; at++) {
		if (at < name.n && name.p[at] != '/') {
			continue;
		}
		struct str part = str_sub(name, begin, at);
		if (part.n > 0) {
			map_set(&n->components, part, 1);
		}
		if (at < name.n && part.n > 0) {
			struct str beginning = str_sub(name, 0, at);
			bool is_new = !map_has(&n->inner, beginning);
			size_t next = node_of(n, beginning);
			if (is_new) {
				words_add(&n->child.v[node], arena_str(n->l->a, part).p);
			}
			node = next;
		}
		begin = at + 1;
	}
}

/* A file may have been looked up by each suffix of its path. A suffix that crosses ".." only counts
 * if it completes a search directory; others would lead all over the disk. */
static void add_ends(struct names *n, const char *file)
{
	struct str path = str_of(file);
	bool crossed = false;
	for (size_t at = path.n; at-- > 0;) {
		if (path.p[at] != '/') {
			continue;
		}
		struct str end = str_sub(path, at + 1, path.n);
		crossed |= str_starts(end, "../");
		struct str dir = str_sub(path, 0, at);
		if (end.n > 0 && (!crossed || map_get(&n->l->known, dir, 0) == SEARCHED)) {
			add_name(n, end);
		}
	}
	if (path.n > 0 && path.p[0] != '/') {
		add_name(n, path);
	}
}

/* Adds the directories below search directories that a name leads into. */
static void add_below(struct names *n, const char *dir, struct str beginning, size_t node)
{
	for (size_t i = 0; i < n->child.v[node].v.n; i++) {
		const char *part = n->child.v[node].v.v[i];
		const char *below = arena_printf(n->l->a, "%s/%s", dir, part);
		if (!file_is_dir(below)) {
			continue;
		}
		lookups_add_dir(n->l, str_of(below));
		struct str next = str_of(
			beginning.n ? arena_printf(n->l->a, "%.*s/%s", STR_ARG(beginning), part)
				    : part);
		add_below(n, below, next, node_of(n, next));
	}
}

static bool add_questions(struct names *n, struct str source)
{
	struct asked q = {.a = n->l->a};
	bool again = true;
	for (int pass = 0; again && pass < 8; pass++) {
		again = false;
		array_each (&n->l->macros.v, const char *, m) {
			again |= asked_add(&q, str_of(*m));
		}
		again |= asked_add(&q, source);
		array_each (&n->l->files.v, const char *, path) {
			struct sbuf text = {0};
			if (file_exists(*path) && file_read(&text, *path) == 0) {
				again |= asked_add(&q, sbuf_str(&text));
			}
			sbuf_release(&text);
		}
	}
	for (size_t i = 0; i < q.names.n; i++) {
		struct str name = q.names.entry[i].key;
		if (str_starts(name, "/")) {
			const char *path = arena_str(n->l->a, name).p;
			lookups_add_dir(n->l, path_dir(str_of(path)));
			add_name(n, path_base(name));
		} else {
			add_name(n, name);
		}
	}
	bool ok = !q.unknown && !again;
	asked_release(&q);
	return ok;
}

static bool add_dirs(struct sbuf *out, struct names *n, time_t before)
{
	struct lookups *l = n->l;
	const struct dir_look look = {&n->components, &l->known, before};
	size_t first = node_of(n, STR(""));
	size_t searched = l->dirs.v.n;
	for (size_t i = 0; i < searched; i++) {
		add_below(n, l->dirs.v.v[i], STR(""), first);
	}
	if (!dir_add_names(out, &n->components)) {
		return false;
	}
	array_each (&l->dirs.v, const char *, dir) {
		if (!dir_add(out, *dir, DIR_NAMED, &look)) {
			return false;
		}
	}
	return true;
}

static bool add_files(struct sbuf *out, const struct lookups *l, time_t before)
{
	array_each (&l->files.v, const char *const, path) {
		if (!stamp_add(out, *path, before)) {
			return false;
		}
	}
	array_each (&l->commands.v, const char *const, path) {
		if (map_get(&l->known, str_of(*path), 0) == COMMAND_WORD &&
			!stamp_add_program(out, *path)) {
			return false;
		}
	}
	return true;
}

bool lookups_add_stamps(struct sbuf *out, struct lookups *l, struct str text, time_t before)
{
	struct names n = {.l = l};
	array_each (&l->files.v, const char *, file) {
		add_ends(&n, *file);
	}
	if (!add_questions(&n, text) && !l->why) {
		l->why = "a __has_include";
	}
	bool ok = add_files(out, l, before);
	sbuf_addstr(out, sbuf_str(&l->driver));
	ok = add_dirs(out, &n, before) && ok;
	map_release(&n.components);
	map_release(&n.inner);
	for (size_t i = 0; i < n.child.n; i++) {
		array_release(&n.child.v[i].v);
	}
	array_release(&n.child);
	return ok && !l->why;
}

void lookups_release(struct lookups *l)
{
	map_release(&l->known);
	map_release(&l->roots);
	sbuf_release(&l->driver);
	array_release(&l->dirs.v);
	array_release(&l->commands.v);
	array_release(&l->files.v);
	array_release(&l->macros.v);
	array_release(&l->compilers.v);
}
