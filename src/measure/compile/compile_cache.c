#include "measure/compile/compile_cache.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/kept/stamped.h"
#include "base/kept/caches.h"
#include "base/process/llvm.h"
#include "frontend/text/lookups.h"
#include "measure/compile/devlib_places.h"

#define CACHE_BYTES ((uint64_t)512 << 20)

struct compile_cache {
	struct arena *a;
	struct cache *cache;
	time_t opened;
	const char *dir;   /* for make rules and texts */
	unsigned files;	   /* files made in it so far */
	struct map own;	   /* our own files, which get no stamps */
	struct map stamps; /* lists checked so far: 1 + whether they are valid */
	const char *top;   /* top directory of our checkout; "": unknown */
};

/* The root of the version control checkout around the working directory, else the working
 * directory. */
static const char *find_top(struct arena *a)
{
	static const char *const compile_cache_in[] = {".git", ".hg", ".jj", ".svn"};
	char cwd[PATH_MAX];

	if (!getcwd(cwd, sizeof(cwd)) || strcmp(cwd, "/") == 0) {
		return "";
	}
	for (struct str dir = str_of(cwd); dir.n > 1; dir = path_dir(dir)) {
		for (size_t i = 0; i < sizeof(compile_cache_in) / sizeof(compile_cache_in[0]);
			i++) {
			const char *own =
				arena_printf(a, "%.*s/%s", STR_ARG(dir), compile_cache_in[i]);
			if (access(own, F_OK) == 0) {
				return arena_strndup(a, dir.p, dir.n);
			}
		}
	}
	return arena_strdup(a, cwd);
}

struct compile_cache *compile_cache_open(struct arena *a)
{
	struct compile_cache *k = ARENA_NEW(a, struct compile_cache);
	*k = (struct compile_cache){.a = a, .opened = time(NULL), .top = find_top(a)};
	return k;
}

void compile_cache_release(struct compile_cache *k)
{
	map_release(&k->stamps);
	map_release(&k->own);
}

struct arena *compile_cache_arena(struct compile_cache *k)
{
	return k->a;
}

void compile_cache_own(struct compile_cache *k, const char *path)
{
	map_set(&k->own, str_of(path), 1);
}

static struct cache *cache_of(struct compile_cache *k)
{
	if (!k->cache) {
		k->cache = cache_open(k->a, "measure", CACHE_BYTES);
	}
	return k->cache;
}

/* ---- keys ---- */

/* Flags with inputs that no make rule names, or that depend on more than files. */
static bool is_doubtful(const char *flag)
{
	static const char *const heads[] = {"@", "--config", "-fplugin", "-fpass-plugin", "-load",
		"-add-plugin", "-fprofile", "-fsanitize-", "-fmodule", "-include-pch", "-specs",
		"--gcc-", "--sysroot", "-isysroot", "--rocm-", "--hip-", "-resource-dir", "-B",
		"-fembed", "-fcrash", "-ftime-", "-save", "-gsplit", "-foptimization-record",
		"-fsave", "-ivfsoverlay", "-fbasic-block-sections=", "-dump", "-fxray",
		"-fauto-profile", "-fthinlto-index", "-ccc-", "-working-directory", NULL};
	return str_starts_any(str_of(flag), heads);
}

/* Its own device libraries are part of the compiler's identity. */
static bool is_doubtful_for(const struct compiler *c, const char *const *words)
{
	for (; *words; words++) {
		if (!str_is_any(str_of(*words), c->extra) && is_doubtful(*words)) {
			return true;
		}
	}
	return false;
}

/* A text that contains the checkout's path may read from this checkout. */
static void add_own_text(struct sbuf *key, const struct compile_cache *k, struct str text)
{
	stamp_add_text(key, text);
	if (k->top[0] && str_find(text, k->top, 0) != SIZE_MAX) {
		stamp_add_text(key, str_of(k->top));
	}
}

static bool asks_for_time(struct str text)
{
	return str_find(text, "__TIME", 0) != SIZE_MAX || str_find(text, "__DATE__", 0) != SIZE_MAX;
}

bool compile_cache_key_head(
	struct sbuf *out, const struct measure_job *job, const char *const *words)
{
	char cwd[PATH_MAX];
	const char *identity = job->compiler->identity;
	if (job->no_cache || !identity || is_doubtful_for(job->compiler, words) ||
		!getcwd(cwd, sizeof(cwd))) {
		return false;
	}
	sbuf_addf(out, "compile 3\n%s%s\n", identity, cwd);
	for (; *words; words++) {
		sbuf_addf(out, "%s\n", *words);
	}
	return true;
}

struct str compile_cache_key(
	struct compile_cache *k, const struct measure_job *job, const char *const *words)
{
	struct sbuf text = {0}, key = {0};
	if (!compile_cache_key_head(&key, job, words) || !file_exists(job->path) ||
		file_read(&text, job->path) < 0) {
		sbuf_release(&key);
		return (struct str){0};
	}
	struct str base = path_base(str_of(job->path));
	sbuf_addf(&key, "%.*s\n", STR_ARG(base));
	if (!job->include_dir) { /* files beside it can be included */
		struct str dir = path_dir(str_of(job->path));
		sbuf_addf(&key, "%.*s\n", STR_ARG(dir));
	}
	add_own_text(&key, k, sbuf_str(&text));
	bool timeless = !asks_for_time(sbuf_str(&text));
	span_each (job->in_place, job->in_places, const struct stand_in, in) {
		for (const char *const *name = in->name; *name; name++) {
			sbuf_addf(&key, "in place of %s\n", *name);
		}
		add_own_text(&key, k, in->text);
		timeless = timeless && !asks_for_time(in->text);
	}
	struct str r = sbuf_finish(&key, k->a);
	r.n = timeless ? r.n : 0;
	sbuf_release(&text);
	return r;
}

static bool has_dir(struct compile_cache *k)
{
	if (!k->dir) {
		k->dir = tmpdir_create();
	}
	return k->dir != NULL;
}

const char *compile_cache_new_path(struct compile_cache *k, const char *like)
{
	if (!has_dir(k)) {
		return NULL;
	}
	const char *dir = arena_printf(k->a, "%s/%u", k->dir, k->files++);
	struct str base = path_base(str_of(like));
	return path_make_dirs(dir) == 0 ? arena_printf(k->a, "%s/%.*s", dir, STR_ARG(base)) : NULL;
}

static const char *new_rule(struct compile_cache *k)
{
	return has_dir(k) ? arena_printf(k->a, "%s/%u.d", k->dir, k->files++) : NULL;
}

/* clang 21's driver applies -MF only to the host; these are the cc1 options for -MD */
static const char *const *front_end_words(struct arena *a, const char *rule)
{
	const char *words[] = {"-Xclang", "-dependency-file", "-Xclang", rule, "-Xclang", "-MT",
		"-Xclang", "x", "-Xclang", "-sys-header-deps", NULL};
	return arena_memdup(a, words, sizeof(words));
}

const char *const *compile_cache_rule_words(struct compile_cache *k, const char **rule)
{
	*rule = new_rule(k);
	return *rule ? front_end_words(k->a, *rule) : NULL;
}

const char *const *compile_cache_launched_words(
	struct compile_cache *k, const char **rule, struct str key, unsigned major)
{
	bool driver = major > 0 && major < 21;
	*rule = driver ? new_rule(k) : cache_place(k->a, key, "rule.d");
	const char *words[] = {"-MD", "-MF", *rule, "-MT", "x", NULL};
	if (!*rule || driver) {
		return *rule ? arena_memdup(k->a, words, sizeof(words)) : NULL;
	}
	unlink(*rule); /* an old one could be mistaken for the new one */
	return front_end_words(k->a, *rule);
}

/* ---- the driver's -### output ---- */

static struct str said_key(
	struct compile_cache *k, const struct measure_job *job, const char *const *words)
{
	struct sbuf key = {0};
	sbuf_adds(&key, "said 1\n");
	if (!compile_cache_key_head(&key, job, words)) {
		sbuf_reset(&key);
	}
	return sbuf_finish(&key, k->a);
}

bool compile_cache_said_get(struct str *said, struct compile_cache *k,
	const struct measure_job *job, const char *const *words)
{
	struct sbuf text = {0};
	struct str key = said_key(k, job, words);
	bool ok = key.n > 0 && cache_get(&text, cache_of(k), key);
	*said = sbuf_finish(&text, k->a);
	return ok;
}

void compile_cache_said_put(struct compile_cache *k, const struct measure_job *job,
	const char *const *words, struct str said)
{
	struct str key = said_key(k, job, words);
	if (key.n > 0 && said.n > 0) {
		cache_put(cache_of(k), key, said);
	}
}

/* ---- entries: stamps, "SECONDS BYTES\n", the output of so many bytes, the messages ---- */

/* Replaces the file's name in cached messages. */
#define FILE_MARK "\x01"

/* Replaces the checkout's directory in entries that are valid in any checkout: if the output does
 * not contain it, the same command gives the same output elsewhere. */
#define TOP_MARK "\x02"

static struct str with_mark(struct compile_cache *k, struct str key)
{
	struct sbuf b = {0};
	sbuf_adds(&b, "anywhere\n");
	sbuf_add_replaced(&b, key, k->top, TOP_MARK);
	return sbuf_finish(&b, k->a);
}

/* Adds the output with names replaced; IR contains the source's name, assembly does not. */
static void add_text(struct sbuf *out, struct str text, const char *old, const char *new)
{
	if (str_starts(text, "; ModuleID")) {
		sbuf_add_replaced(out, text, old, new);
	} else {
		sbuf_addstr(out, text);
	}
}

/* If device code is linked, symbol names depend on the path. */
static bool is_same_anywhere(
	const struct compile_cache *k, const struct measure_job *job, struct str out)
{
	bool same = k->top[0] && str_find(out, k->top, 0) == SIZE_MAX &&
		    str_find(out, TOP_MARK, 0) == SIZE_MAX;
	for (const char *const *f = job->flags; same && f && *f; f++) {
		same = strstr(*f, "gpu-rdc") == NULL && strstr(*f, "cuid") == NULL;
	}
	return same;
}

/* Is the list of stamps valid? Remembered, since many entries have the same one. */
static bool hold(struct compile_cache *k, struct str list)
{
	uintptr_t known = map_get(&k->stamps, list, 0);
	if (!known) {
		struct str rest = list;
		known = stamps_hold(k->a, &rest, false) ? 2 : 1;
		map_set(&k->stamps, list, known);
	}
	return known == 2;
}

static bool take_stamps_off(struct str *stamps, struct str *entry)
{
	size_t end = str_starts(*entry, "\n") ? 0 : str_find(*entry, "\n\n", 0);
	if (end == SIZE_MAX) {
		return false;
	}
	end += end ? 2 : 1;
	*stamps = str_sub(*entry, 0, end);
	*entry = str_sub(*entry, end, entry->n);
	return true;
}

/* False, and out unchanged, if the entry is no longer valid. */
static bool take(struct proc_result *out, struct str *compile_cache_stamps, struct compile_cache *k,
	struct str rest, const struct measure_job *job)
{
	struct str stamps, line, seconds;
	int64_t bytes = 0;
	if (!take_stamps_off(&stamps, &rest) || !hold(k, stamps) || !str_line(&rest, &line) ||
		!str_split(&line, ' ', &seconds) || !str_to_i64(line, &bytes) || bytes < 0 ||
		(size_t)bytes > rest.n) {
		return false;
	}
	*out = (struct proc_result){.started = true};
	out->wall_s = strtod(arena_strndup(k->a, seconds.p, seconds.n), NULL);
	add_text(&out->out, str_sub(rest, 0, (size_t)bytes), FILE_MARK, job->path);
	sbuf_add_replaced(&out->err, str_sub(rest, (size_t)bytes, rest.n), FILE_MARK, job->path);
	*compile_cache_stamps =
		(struct str){arena_strndup(k->a, stamps.p, stamps.n - 1), stamps.n - 1};
	return true;
}

bool compile_cache_get(struct proc_result *out, struct str *compile_cache_stamps,
	struct compile_cache *k, struct str key, const struct measure_job *job)
{
	struct sbuf found = {0}, entry = {0};
	bool ok = false;
	if (key.n > 0 && k->top[0] && cache_get(&found, cache_of(k), with_mark(k, key))) {
		sbuf_add_replaced(&entry, sbuf_str(&found), TOP_MARK, k->top);
		ok = take(out, compile_cache_stamps, k, sbuf_str(&entry), job);
	}
	sbuf_reset(&entry);
	if (!ok && key.n > 0 && cache_get(&entry, cache_of(k), key)) {
		ok = take(out, compile_cache_stamps, k, sbuf_str(&entry), job);
	}
	sbuf_release(&found);
	sbuf_release(&entry);
	return ok;
}

/* Adds the places where the compile searches files, from the driver's output and the files read. */
static bool add_lookups(struct lookups *l, struct compile_cache *k, const struct measure_job *job,
	const struct compile_reads *reads)
{
	struct sbuf text = {0};
	bool ok =
		reads->said.n > 0 && file_exists(reads->rule) && file_read(&text, reads->rule) == 0;
	struct str own = path_dir(str_of(job->path));
	lookups_add_commands(l, reads->said);
	lookups_add_dir(l, job->include_dir ? str_of(job->include_dir) : own);
	const char *const *all = stamp_rule_files(k->a, sbuf_str(&text));
	for (; ok && *all; all++) {
		bool ours = map_has(&k->own, str_of(*all)) ||
			    (job->overlay && strcmp(*all, job->overlay) == 0);
		if (strcmp(*all, job->path) != 0 && !ours) {
			lookups_add_file(l, *all);
		}
	}
	sbuf_release(&text);
	return ok;
}

bool compile_cache_add_stamps(struct sbuf *out, struct compile_cache *k,
	const struct measure_job *job, const struct compile_reads *reads)
{
	struct lookups l = {.a = k->a};
	struct sbuf text = {0};
	bool ok = add_lookups(&l, k, job, reads) && file_read(&text, job->path) == 0 &&
		  lookups_add_stamps(out, &l, sbuf_str(&text), k->opened);
	sbuf_addc(out, '\n');
	sbuf_release(&text);
	lookups_release(&l);
	return ok;
}

static void put(struct compile_cache *k, struct str key, struct str entry, bool anywhere)
{
	struct sbuf b = {0};
	if (anywhere) {
		sbuf_add_replaced(&b, entry, k->top, TOP_MARK);
		cache_put(cache_of(k), with_mark(k, key), sbuf_str(&b));
	} else {
		cache_put(cache_of(k), key, entry);
	}
	sbuf_release(&b);
}

void compile_cache_put(struct str *stamps, struct compile_cache *k, struct str key,
	const struct measure_job *job, const struct compile_reads *reads,
	const struct proc_result *r)
{
	struct sbuf entry = {0};
	if (key.n > 0 && proc_ok(r) && compile_cache_add_stamps(&entry, k, job, reads)) {
		*stamps = (struct str){arena_strndup(k->a, entry.p, entry.n - 1), entry.n - 1};
		struct sbuf text = {0};
		add_text(&text, sbuf_str(&r->out), job->path, FILE_MARK);
		sbuf_addf(&entry, "%.3f %zu\n", r->wall_s, text.n);
		sbuf_addstr(&entry, sbuf_str(&text));
		sbuf_add_replaced(&entry, sbuf_str(&r->err), job->path, FILE_MARK);
		put(k, key, sbuf_str(&entry), is_same_anywhere(k, job, sbuf_str(&text)));
		sbuf_release(&text);
	}
	unlink(reads->rule);
	sbuf_release(&entry);
}

/* ---- compilers ---- */

struct str compile_cache_compiler_key(struct arena *a, const char *path, const char *target)
{
	struct sbuf key = {0};
	sbuf_addf(&key, "compiler 5\n%s\n%s\n", path, target);
	stamp_add_environment(&key);
	return sbuf_finish(&key, a);
}

static void add_programs(struct sbuf *out, const char *pattern)
{
	glob_t g;
	if (glob(pattern, 0, NULL, &g) == 0) {
		for (size_t i = 0; i < g.gl_pathc; i++) {
			stamp_add_program(out, g.gl_pathv[i]);
		}
		globfree(&g);
	}
}

/* Do we know what the program runs? Not for scripts except ROCm's own. */
static bool is_transparent(const char *path)
{
	struct sbuf b = {0};
	bool hipcc = str_is(path_base(str_of(path)), "hipcc");
	bool ok = hipcc || (file_read(&b, path) == 0 && str_starts(sbuf_str(&b), "\x7f"
										 "ELF"));
	sbuf_release(&b);
	return ok;
}

bool compiler_add_program(struct sbuf *out, struct arena *a, const char *path)
{
	char *real = realpath(path, NULL);
	bool ok = real && is_transparent(real) && stamp_add_program(out, real);
	if (ok) {
		struct str dir = path_dir(str_of(real));
		static const char *const beside[] = {"hipcc*", "hipconfig*", "hipvars.pm",
			".hipVersion", "../lib/.hipInfo", "../lib/libLLVM*.so*",
			"../lib/libclang-cpp*.so*"};
		for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
			add_programs(out, arena_printf(a, "%.*s/%s", STR_ARG(dir), beside[i]));
		}
	}
	free(real);
	return ok;
}

void compiler_add_libraries(struct sbuf *out, struct arena *a, unsigned major)
{
	add_programs(out, arena_printf(a, "/usr/lib/*/libLLVM*%u*.so*", major));
	add_programs(out, arena_printf(a, "/usr/lib/*/libclang-cpp*%u*", major));
}

/* Adds the parts in clang's -v output: the compiler program, device libraries, configuration
 * files. */
static bool add_parts(struct sbuf *out, struct arena *a, struct str said)
{
	static const char configuration[] = "Configuration file: ";
	struct str line, word;
	struct map dirs = {0};
	bool found = false, ok = true;
	while (ok && str_line(&said, &line)) {
		if (str_starts(line, configuration)) {
			struct str path = str_sub(line, sizeof(configuration) - 1, line.n);
			ok = stamp_add_program(out, arena_strndup(a, path.p, path.n));
		}
		line = str_trim(line);
		bool command = str_starts(line, "/") || str_starts(line, "\"/");
		if (!command || str_find(line, " -cc1 ", 0) == SIZE_MAX) {
			continue;
		}
		for (bool first = true; ok && str_split(&line, ' ', &word); first = false) {
			bool quoted = word.n > 1 && word.p[0] == '"';
			struct str bare = quoted ? str_sub(word, 1, word.n - 1) : word;
			const char *path = arena_strndup(a, bare.p, bare.n);
			if (first) {
				ok = compiler_add_program(out, a, path);
				found = ok;
			} else if (str_ends(bare, ".bc")) {
				map_set(&dirs, path_dir(bare), 1);
			}
		}
	}
	for (size_t i = 0; i < dirs.n; i++) {
		struct str dir = dirs.entry[i].key;
		add_programs(out, arena_printf(a, "%.*s/*.bc", STR_ARG(dir)));
	}
	map_release(&dirs);
	return ok && found;
}

/* A line for the content of all these files, without times, which differ between machines. */
static void add_contents(struct sbuf *out, struct str stamps)
{
	struct sbuf all = {0};
	struct str path;
	while (stamp_next(&stamps, &path)) {
		char *name = strndup(path.p, path.n);
		stamp_add_content(&all, name);
		free(name);
	}
	stamp_add_text(out, sbuf_str(&all));
	sbuf_release(&all);
}

/* A line for what the driver finds by itself: header directories and the ROCm installation, but not
 * the working directory. */
static void add_finds(struct sbuf *out, const struct lookups *l, struct str said)
{
	struct sbuf all = {0};
	struct str line;
	char cwd[PATH_MAX];
	const char *here = getcwd(cwd, sizeof(cwd)) ? cwd : "";
	array_each (&l->dirs.v, const char *const, dir) {
		if (strcmp(*dir, here) != 0) {
			sbuf_addf(&all, "%s\n", *dir);
		}
	}
	while (str_line(&said, &line)) {
		if (str_starts(line, "Found ") || str_starts(line, "Selected ")) {
			sbuf_addf(&all, "%.*s\n", STR_ARG(line));
		}
	}
	stamp_add_text(out, sbuf_str(&all));
	sbuf_release(&all);
}

static struct cache *compiler_cache(struct arena *a)
{
	return cache_open(a, "compiler", 1 << 20);
}

void compile_cache_compiler_put(
	struct compiler *c, struct arena *a, struct str key, struct str said)
{
	struct sbuf entry = {0};
	struct lookups l = {.a = a};
	lookups_add_driver(&l, said);
	lookups_add_commands(&l, said);
	bool ok = compiler_add_program(&entry, a, c->path) && add_parts(&entry, a, said);
	const char *found = NULL; /* device libraries that unphi had to name */
	for (const char *const *x = c->extra; ok && *x; x++) {
		if (str_starts(str_of(*x), DEVLIB_OPTION)) {
			found = *x + strlen(DEVLIB_OPTION);
			add_programs(&entry, arena_printf(a, "%s/*.bc", found));
		}
	}
	compiler_add_libraries(&entry, a, c->major);
	if (ok) {
		struct sbuf content = {0}, whole = {0};
		sbuf_addf(&content, "%s\n%u %d\n", c->version, c->major, c->hipcc);
		add_contents(&content, sbuf_str(&entry));
		add_finds(&content, &l, said);
		for (const char *const *x = c->extra; *x; x++) {
			sbuf_addf(&content, "%s\n", *x);
		}
		sbuf_addstr(&entry, sbuf_str(&l.driver));
		sbuf_addc(&entry, '\n');
		/* a choice of device libraries is valid until others are installed */
		const char *own = found ? llvm_resource_dir(a, c->path) : NULL;
		sbuf_addf(&whole, "%s\n%s\n%s", own ? own : "", found ? devlib_state(a, own) : "",
			sbuf_cstr(&content));
		stamped_put(compiler_cache(a), key, sbuf_str(&entry), sbuf_str(&whole));
		c->identity = arena_printf(a, "%.*s%s", STR_ARG(key), sbuf_cstr(&content));
		sbuf_release(&whole);
		sbuf_release(&content);
	}
	lookups_release(&l);
	sbuf_release(&entry);
}

bool compile_cache_compiler_get(struct compiler *c, struct arena *a, struct str key)
{
	struct stamped e;
	struct words extra = {{0}};
	struct str line = {0}, major = {0}, version = {0}, contents, finds, own, state;
	int64_t number = 0;
	if (!stamped_get(&e, a, compiler_cache(a), key, true)) {
		return false;
	}
	struct str rest = e.content;
	if (!str_line(&rest, &own) || !str_line(&rest, &state) ||
		(state.n > 0 && !str_is(state, devlib_state(a, arena_strndup(a, own.p, own.n))))) {
		return false;
	}
	struct str told = rest;
	if (!str_line(&rest, &version) || !str_line(&rest, &line) ||
		!str_split(&line, ' ', &major) || !str_to_i64(major, &number) ||
		!str_line(&rest, &contents) || !str_line(&rest, &finds)) {
		return false;
	}
	c->version = arena_strndup(a, version.p, version.n);
	c->major = (unsigned)number;
	c->hipcc = str_is(line, "1");
	while (str_line(&rest, &line)) {
		words_add(&extra, arena_strndup(a, line.p, line.n));
	}
	c->extra = words_finish(&extra, a);
	c->identity = arena_printf(a, "%.*s%.*s", STR_ARG(key), STR_ARG(told));
	return true;
}
