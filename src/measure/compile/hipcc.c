#include "measure/compile/hipcc.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/kept/cache.h"
#include "base/process/proc.h"
#include "base/words.h"

/* The words that hipcc adds before and after ours; head NULL: run hipcc itself. */
struct wrapped {
	const char *const *head;
	const char *const *tail;
};

/* ---- hipcc's output ---- */

/* Appends the double-quoted text at line[at]; returns the offset after it, or SIZE_MAX. */
static size_t add_quoted(struct sbuf *out, struct str line, size_t at)
{
	for (; at < line.n && line.p[at] != '"'; at++) {
		bool escape =
			line.p[at] == '\\' && at + 1 < line.n && strchr("$`\"\\", line.p[at + 1]);
		if (!escape && strchr("$`", line.p[at])) {
			return SIZE_MAX;
		}
		at += escape;
		sbuf_addc(out, line.p[at]);
	}
	return at < line.n ? at + 1 : SIZE_MAX;
}

/* The same for an unquoted word, up to a space or a quote. */
static size_t add_bare(struct sbuf *out, struct str line, size_t at)
{
	for (; at < line.n && line.p[at] != ' ' && line.p[at] != '"'; at++) {
		bool escape = line.p[at] == '\\' && at + 1 < line.n;
		if (!escape && strchr("\\'$`;&|<>()*?[]{}~#!\t", line.p[at])) {
			return SIZE_MAX;
		}
		at += escape;
		sbuf_addc(out, line.p[at]);
	}
	return at;
}

static size_t skip_spaces(struct str line, size_t at)
{
	while (at < line.n && line.p[at] == ' ') {
		at++;
	}
	return at;
}

const char *const *hipcc_split(struct arena *a, struct str line)
{
	struct words out = {{0}};
	struct sbuf word = {0};
	size_t at = skip_spaces(line, 0);
	while (at < line.n) {
		while (at < line.n && line.p[at] != ' ') {
			at = line.p[at] == '"' ? add_quoted(&word, line, at + 1)
					       : add_bare(&word, line, at);
		}
		words_add(&out, arena_strndup(a, sbuf_cstr(&word), word.n));
		sbuf_reset(&word);
		at = at < line.n ? skip_spaces(line, at) : at;
	}
	sbuf_release(&word);
	const char *const *all = words_finish(&out, a);
	return at == line.n ? all : NULL;
}

/* Is it the GPU's option, which hipcc moves among its own words? */
static bool is_moved(const char *word)
{
	return str_starts(str_of(word), "--offload-arch=");
}

/* If all begins with the words of mine: the word after them; else NULL. */
static const char *const *after_mine(const char *const *all, const char *const *mine)
{
	for (; *mine; mine++) {
		if (!is_moved(*mine) && (!*all || strcmp(*all++, *mine) != 0)) {
			return NULL;
		}
	}
	return all;
}

static void part(
	struct wrapped *out, struct arena *a, const char *const *all, const char *const *mine)
{
	struct words head = {{0}};
	const char *const *tail = NULL;
	for (; all && *all && !(tail = after_mine(all, mine)); all++) {
		words_add(&head, *all);
	}
	*out = (struct wrapped){tail ? words_finish(&head, a) : NULL, tail};
	array_release(&head.v);
}

static struct str command_in(struct str said)
{
	static const char mark[] = "hipcc-cmd: ";
	struct str line, found = {0};
	while (str_line(&said, &line)) {
		if (str_starts(line, mark)) {
			found = str_sub(line, sizeof(mark) - 1, line.n);
		}
	}
	return found;
}

static const char *const *with_ends(
	struct arena *a, const struct wrapped *b, const char *const *mine)
{
	struct words out = {{0}};
	words_add_all(&out, b->head);
	for (; *mine; mine++) {
		if (!is_moved(*mine)) {
			words_add(&out, *mine);
		}
	}
	words_add_all(&out, b->tail);
	return words_finish(&out, a);
}

/* False without an answer; a later call may succeed. */
static bool ask(struct wrapped *out, struct arena *a, const char *const *asked)
{
	struct words argv = {{0}}, mine = {{0}};
	words_add_all(&mine, asked + 1);
	words_add(&mine, "-###");
	words_add(&mine, "/dev/null");
	const char *const *words = words_finish(&mine, a);
	words_add(&argv, "env");
	words_add(&argv, "HIPCC_VERBOSE=1");
	words_add(&argv, asked[0]);
	words_add_all(&argv, words);
	struct proc_job job = {.argv = words_finish(&argv, a)};
	struct proc_result by_hipcc = {0}, by_clang = {0};
	proc_run(&by_hipcc, &job);
	part(out, a, hipcc_split(a, command_in(sbuf_str(&by_hipcc.out))), words);
	if (out->head) {
		job.argv = with_ends(a, out, words);
		proc_run(&by_clang, &job);
	}
	bool answered = proc_ok(&by_hipcc) && (!out->head || proc_ok(&by_clang));
	if (!answered || !str_eq(sbuf_str(&by_hipcc.err), sbuf_str(&by_clang.err))) {
		*out = (struct wrapped){0};
	}
	proc_result_release(&by_hipcc);
	proc_result_release(&by_clang);
	return answered;
}

/* ---- cached answers ---- */

/* An entry: the words of head, an empty line, those of tail; or nothing. */
static void put(struct cache *c, struct str key, const struct wrapped *b)
{
	struct sbuf entry = {0};
	for (const char *const *w = b->head; w && *w; w++) {
		sbuf_addf(&entry, "%s\n", *w);
	}
	sbuf_adds(&entry, b->head ? "\n" : "");
	for (const char *const *w = b->tail; w && *w; w++) {
		sbuf_addf(&entry, "%s\n", *w);
	}
	cache_put(c, key, sbuf_str(&entry));
	sbuf_release(&entry);
}

static bool get(struct wrapped *out, struct arena *a, struct cache *c, struct str key)
{
	struct sbuf entry = {0};
	if (!cache_get(&entry, c, key)) {
		return false;
	}
	struct str text = sbuf_finish(&entry, a);
	size_t end = str_find(text, "\n\n", 0);
	if (end != SIZE_MAX) {
		struct words head = {{0}}, tail = {{0}};
		words_add_lines(&head, a, str_sub(text, 0, end + 1));
		words_add_lines(&tail, a, str_sub(text, end + 2, text.n));
		*out = (struct wrapped){words_finish(&head, a), words_finish(&tail, a)};
	}
	return true;
}

bool hipcc_is_rocms(const char *path)
{
	struct sbuf text = {0};
	struct str line = {0};
	char *real = realpath(path, NULL);
	bool named = real && str_starts(path_base(str_of(real)), "hipcc");
	bool ok = named && file_read(&text, real) == 0;
	struct str rest = sbuf_str(&text);
	ok = ok && str_line(&rest, &line) &&
	     (str_starts(line, "\x7f"
			       "ELF") ||
		     (str_starts(line, "#!") && str_find(line, "perl", 0) != SIZE_MAX));
	sbuf_release(&text);
	free(real);
	return ok;
}

static const struct wrapped *wrapped(
	struct arena *a, struct map *known, const struct compiler *c, const char *const *asked)
{
	struct sbuf key = {0};
	sbuf_addf(&key, "hipcc 1\n%s", c->identity);
	for (const char *const *w = asked; *w; w++) {
		sbuf_addf(&key, "%s\n", *w);
	}
	struct wrapped *b = (struct wrapped *)map_get(known, sbuf_str(&key), 0);
	if (!b) {
		struct cache *cache = cache_open(a, "compiler", 1 << 20);
		b = ARENA_NEW(a, struct wrapped);
		*b = (struct wrapped){0};
		if (!get(b, a, cache, sbuf_str(&key)) && hipcc_is_rocms(c->path) &&
			ask(b, a, asked)) {
			put(cache, sbuf_str(&key), b);
		}
		map_set(known, sbuf_str(&key), (uintptr_t)b);
	}
	sbuf_release(&key);
	return b;
}

/* ---- words that hipcc always passes on unchanged ---- */

/* Is it a path that hipcc passes on? It splits words with "--", and opens files that look like
 * libraries. */
static bool is_place(const char *word)
{
	struct str w = str_of(word);
	return str_starts(w, "/") && str_find(w, "--", 0) == SIZE_MAX && !strchr(word, '\n') &&
	       !str_ends(w, ".a") && !str_ends(w, ".lo");
}

static bool is_handed_on(const char *word)
{
	static const char *const ours[] = {"-###", "-Xclang", "-emit-llvm", "-disable-llvm-passes",
		"-include-pch", "-emit-pch", "-fno-pch-timestamp", "-fno-cxx-modules",
		"-dependency-file", "-MT", "x", "-sys-header-deps", "-ivfsoverlay", NULL};
	return str_is_any(str_of(word), ours) || is_place(word);
}

/* The words without those that differ between compiles: IR or assembly, and the directory for
 * quoted includes (hipcc may take a name with a dot for a source). */
static const char *const *to_ask(struct arena *a, const char *const *words)
{
	struct words out = {{0}};
	for (; *words; words++) {
		const char *next = words[1];
		bool place = strcmp(*words, "-iquote") == 0 && next && is_place(next) &&
			     str_find(path_base(str_of(next)), ".", 0) == SIZE_MAX;
		if (place) {
			words++;
		} else if (strcmp(*words, "-emit-llvm") != 0) {
			words_add(&out, *words);
		}
	}
	return words_finish(&out, a);
}

/* Is argv the command asked about, perhaps with another output, plus only words that hipcc passes
 * on? */
static bool is_covered(const char *const *argv, const char *const *asked)
{
	for (bool output = false; *argv; argv++) {
		bool place = strcmp(*argv, "-iquote") == 0 && argv[1] && is_place(argv[1]);
		bool other = output && *asked && is_place(*argv);
		output = strcmp(*argv, "-o") == 0;
		if (*asked && (other || strcmp(*argv, *asked) == 0)) {
			asked++;
		} else if (!place && !is_handed_on(*argv)) {
			return false;
		}
	}
	return !*asked;
}

const char *const *hipcc_command(struct arena *a, struct map *known, const struct measure_job *job,
	const char *const *words, const char *const *argv)
{
	const struct compiler *c = job->compiler;
	if (!c->hipcc || !c->identity || job->no_cache || strcmp(argv[0], c->path) != 0) {
		return argv;
	}
	const char *const *asked = to_ask(a, words);
	if (!is_covered(argv, asked)) {
		return argv;
	}
	const struct wrapped *b = wrapped(a, known, c, asked);
	return b->head ? with_ends(a, b, argv + 1) : argv;
}
