#include "frontend/parse/database.h"

#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "base/process/watch.h"
#include "base/words.h"
#include "frontend/clang/libclang.h"

/* One entry of the file. */
struct entry {
	const char *directory;
	const char *path; /* absolute */
	ARRAY(const char *) args;
	const char *const *launcher; /* or NULL */
};

static const char *take(struct arena *a, CXString s)
{
	const char *text = clang_getCString(s);
	const char *copy = arena_strdup(a, text ? text : "");
	clang_disposeString(s);
	return copy;
}

static bool same_file(struct arena *a, const char *directory, const char *word, const char *path)
{
	char one[PATH_MAX], two[PATH_MAX];
	word = path_absolute(a, directory, word);
	if (strcmp(word, path) == 0) {
		return true;
	}
	return str_eq(path_base(str_of(word)), path_base(str_of(path))) && realpath(word, one) &&
	       realpath(path, two) && strcmp(one, two) == 0;
}

static const char *const known_launchers[] = {"ccache", "sccache", "distcc", "icecc", NULL};

/* The number of words before the compiler: "ccache", "unphi cc --". */
static size_t launchers(const struct entry *e)
{
	size_t i = 0;
	for (;;) {
		if (i + 1 < e->args.n &&
			str_is_any(path_base(str_of(e->args.v[i])), known_launchers)) {
			i++;
			continue;
		}
		if (i + 3 < e->args.n && str_is(path_base(str_of(e->args.v[i])), "unphi") &&
			strcmp(e->args.v[i + 1], "cc") == 0) {
			size_t end = i + 2;
			while (end < e->args.n && strcmp(e->args.v[end], "--") != 0) {
				end++;
			}
			if (end + 1 < e->args.n) {
				i = end + 1;
				continue;
			}
		}
		return i;
	}
}

/* hipcc compiles all these sources as HIP, clang only .hip. */
static bool is_hip(const struct entry *e, const char *compiler, const char *language)
{
	static const char *const sources[] = {"cpp", "cc", "cxx", "c++", "C", "cu", NULL};
	struct str base = path_base(str_of(e->path));
	if (str_ends(base, ".hip") || strcmp(language, "hip") == 0) {
		return true;
	}
	size_t dot = base.n;
	while (dot > 0 && base.p[dot - 1] != '.') {
		dot--;
	}
	return str_starts(path_base(str_of(compiler)), "hipcc") &&
	       str_is_any(str_sub(base, dot, base.n), sources);
}

static void add_entry(struct unit_commands *out, struct arena *a, const struct entry *e)
{
	ARRAY(const char *) flags = {0};
	const char *language = "";
	size_t first = launchers(e);
	for (size_t i = first + 1; i < e->args.n; i++) {
		const char *w = e->args.v[i];
		if (strcmp(w, "-x") == 0 && i + 1 < e->args.n) {
			language = e->args.v[++i];
		} else if (strncmp(w, "-x", 2) == 0 && w[2]) {
			language = w + 2;
		} else if (strcmp(w, "--") != 0 && strncmp(w, "--driver-mode=", 14) != 0 &&
			   (w[0] == '-' || !same_file(a, e->directory, w, e->path))) {
			array_push(&flags, w);
		}
	}
	if (first < e->args.n && is_hip(e, e->args.v[first], language)) {
		array_push(&flags, NULL);
		out->v[out->n++] = (struct unit_command){.path = e->path,
			.directory = e->directory,
			.compiler = e->args.v[first],
			.launcher = e->launcher,
			.flags = array_to_arena(a, &flags)};
	} else {
		out->others++;
	}
	array_release(&flags);
}

/* The launchers of an entry in the file; libclang removes some of them. */
static const char *const *launcher_of(struct arena *a, const json_t *entry)
{
	const json_t *list = json_object_get(entry, "arguments");
	const char *line = json_string_value(json_object_get(entry, "command"));
	struct str rest = str_of(line ? line : ""), word = {0};
	struct words found = {{0}};

	for (size_t i = 0;; i++) {
		const char *s = json_string_value(json_array_get(list, i));
		bool more = list ? s != NULL : str_split(&rest, ' ', &word);
		word = list && s ? str_of(s) : word;
		if (!more || !str_is_any(path_base(word), known_launchers)) {
			break;
		}
		words_add(&found, arena_strndup(a, word.p, word.n));
	}
	size_t n = found.v.n;
	const char *const *words = words_finish(&found, a);
	return n > 0 ? words : NULL;
}

/* The launchers of each entry (NULL: none); or NULL if they are unknown. */
static const char *const **launchers_of(struct arena *a, const char *path, size_t n)
{
	struct sbuf text = {0};
	json_t *root = NULL;
	const char *const **all = NULL;

	if (file_read(&text, path) == 0) {
		root = json_loadb(sbuf_cstr(&text), text.n, 0, NULL);
	}
	if (json_array_size(root) == n) {
		all = ARENA_ARRAY(a, const char *const *, n);
		for (size_t i = 0; i < n; i++) {
			all[i] = launcher_of(a, json_array_get(root, i));
		}
	}
	json_decref(root);
	sbuf_release(&text);
	return all;
}

static void read_entry(struct unit_commands *out, struct arena *a, const char *build,
	CXCompileCommand c, const char *const *launcher)
{
	struct entry e = {.launcher = launcher};
	e.directory = path_absolute(a, build, take(a, clang_CompileCommand_getDirectory(c)));
	e.path = path_absolute(a, e.directory, take(a, clang_CompileCommand_getFilename(c)));
	unsigned n = clang_CompileCommand_getNumArgs(c);
	for (unsigned i = 0; i < n; i++) {
		array_push(&e.args, take(a, clang_CompileCommand_getArg(c, i)));
	}
	add_entry(out, a, &e);
	array_release(&e.args);
}

/* ---- response files ---- */

/* libclang reads the file of each "@FILE" while it loads the database, even a pipe or device. */
struct responses {
	struct arena *a;
	const char *directory; /* of the entry */
	struct map seen;
};

enum {
	RESPONSES_DEEP = 16
};

static int check_responses(
	struct responses *r, struct str words, const char *beside, unsigned depth);

static int check_response(struct responses *r, const char *path, unsigned depth)
{
	struct sbuf text = {0};
	int rc = 0;

	if (!map_set(&r->seen, str_of(path), 1)) {
		return 0;
	}
	rc = file_check(path);
	if (rc == 0 && depth < RESPONSES_DEEP && file_exists(path)) {
		rc = file_read(&text, path);
		struct str dir = path_dir(str_of(path));
		rc = rc ? rc
			: check_responses(
				  r, sbuf_str(&text), arena_strndup(r->a, dir.p, dir.n), depth + 1);
	}
	sbuf_release(&text);
	return rc;
}

/* Quotes and backslashes may be anywhere in a word. */
static int check_responses(
	struct responses *r, struct str words, const char *beside, unsigned depth)
{
	struct sbuf word = {0};
	int rc = 0;

	for (size_t i = 0; i <= words.n && rc == 0; i++) {
		char c = i < words.n ? words.p[i] : ' ';
		if (c != '\0' && strchr(" \t\r\n\f\v", c)) {
			const char *name = sbuf_cstr(&word);
			if (name[0] == '@' && name[1]) {
				name = arena_strdup(r->a, name + 1);
				rc = check_response(
					r, path_absolute(r->a, r->directory, name), depth);
				rc = rc ? rc
					: check_response(
						  r, path_absolute(r->a, beside, name), depth);
			}
			sbuf_reset(&word);
		} else if (c == '\0' || !strchr("\"'\\", c)) {
			sbuf_addc(&word, c);
		}
	}
	sbuf_release(&word);
	return rc;
}

static int check_entry(struct responses *r, const json_t *entry)
{
	const char *command = json_string_value(json_object_get(entry, "command"));
	const json_t *list = json_object_get(entry, "arguments");
	int rc = command ? check_responses(r, str_of(command), r->directory, 0) : 0;

	for (size_t i = 0; i < json_array_size(list) && rc == 0; i++) {
		const char *word = json_string_value(json_array_get(list, i));
		if (word && word[0] == '@') {
			const char *name = path_absolute(r->a, r->directory, word + 1);
			rc = check_response(r, name, 0);
		}
	}
	return rc;
}

/* Checks that all response files are regular files. */
static int check_database(struct arena *a, const char *build, const char *path)
{
	struct sbuf text = {0};
	int rc = file_read(&text, path);
	json_t *root = rc ? NULL : json_loadb(sbuf_cstr(&text), text.n, 0, NULL);
	struct responses r = {.a = a};

	for (size_t i = 0; i < json_array_size(root) && rc == 0; i++) {
		const json_t *entry = json_array_get(root, i);
		const char *dir = json_string_value(json_object_get(entry, "directory"));
		r.directory = path_absolute(a, build, dir ? dir : ".");
		rc = check_entry(&r, entry);
		if (rc) {
			msg_note("%s: entry %zu names it as a response file", path, i + 1);
		}
	}
	map_release(&r.seen);
	json_decref(root);
	sbuf_release(&text);
	return rc;
}

/* Drops libclang's messages: for an unreadable file they are about other places that it tried. */
static CXCompilationDatabase open_quietly(const char *directory, CXCompilationDatabase_Error *e)
{
	fflush(stderr);
	int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool quiet = kept >= 0 && none >= 0 && dup2(none, STDERR_FILENO) >= 0;
	CXCompilationDatabase db = clang_CompilationDatabase_fromDirectory(directory, e);

	if (quiet) {
		dup2(kept, STDERR_FILENO);
	}
	close(kept);
	close(none);
	return db;
}

/* The key that an entry of the database lacks, or NULL. */
static const char *lacks(const json_t *entry)
{
	if (!json_is_string(json_object_get(entry, "file"))) {
		return "\"file\"";
	}
	if (!json_is_string(json_object_get(entry, "directory"))) {
		return "\"directory\"";
	}
	bool command = json_object_get(entry, "command") || json_object_get(entry, "arguments");
	return command ? NULL : "\"command\" or \"arguments\"";
}

static void say_unreadable(const char *path)
{
	struct sbuf text = {0};
	json_error_t e;

	if (file_read(&text, path) != 0) {
		sbuf_release(&text);
		return;
	}
	json_t *root = json_loadb(sbuf_cstr(&text), text.n, 0, &e);
	const char *missing = NULL;
	size_t i = 0;
	while (i < json_array_size(root) && !(missing = lacks(json_array_get(root, i)))) {
		i++;
	}
	if (!root) {
		msg_error("%s:%d:%d: %s", path, e.line, e.column, e.text);
	} else if (missing) {
		msg_error("%s: entry %zu has no %s", path, i + 1, missing);
	} else {
		msg_error("%s: libclang cannot read it; it has to be a list of entries with file, "
			  "directory, and command or arguments",
			path);
	}
	json_decref(root);
	sbuf_release(&text);
}

int frontend_commands(struct unit_commands *out, struct arena *a, const char *build)
{
	char full[PATH_MAX];
	struct str dir = str_of(build);
	*out = (struct unit_commands){0};
	if (!file_is_dir(build) && str_is(path_base(dir), "compile_commands.json")) {
		dir = path_dir(dir);
	}
	const char *name = arena_strndup(a, dir.p, dir.n);
	CXCompilationDatabase_Error e = CXCompilationDatabase_NoError;
	CXCompilationDatabase db = NULL;
	const char *json = arena_printf(a, "%s/compile_commands.json", name);
	if (!realpath(name, full) || !file_exists(json)) {
		return fail_usage("-p %s: there is no %s; CMake writes it with "
				  "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always",
			build, json);
	}
	int rc = libclang_load();
	if (rc) {
		return rc;
	}
	rc = check_database(a, full, json);
	if (rc) {
		return rc;
	}
	struct watch watch;
	watch_begin(&watch, json);
	db = open_quietly(name, &e);
	watch_end(&watch);
	if (!db || e != CXCompilationDatabase_NoError) {
		say_unreadable(json);
		return FAIL_USAGE;
	}
	watch_begin(&watch, json);
	CXCompileCommands all = clang_CompilationDatabase_getAllCompileCommands(db);
	watch_end(&watch);
	unsigned n = clang_CompileCommands_getSize(all);
	const char *const **launcher = launchers_of(a, json, n);
	out->v = ARENA_ARRAY(a, struct unit_command, n);
	for (unsigned i = 0; i < n; i++) {
		read_entry(out, a, full, clang_CompileCommands_getCommand(all, i),
			launcher ? launcher[i] : NULL);
	}
	clang_CompileCommands_dispose(all);
	clang_CompilationDatabase_dispose(db);
	return 0;
}
