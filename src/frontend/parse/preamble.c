#include "frontend/parse/preamble.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/driver.h"
#include "base/kept/stamped.h"
#include "base/words.h"
#include "frontend/text/directives.h"
#include "frontend/text/lookups.h"
#include "frontend/clang/libclang.h"
#include "frontend/text/place_words.h"

#define CACHE_BYTES ((uint64_t)512 << 20)
#define STUB "/unphi-preamble.hip" /* there is no such file: its text is given to libclang */
#define WANTED "wanted"		   /* in place of the file's name: not made yet, only requested */

/* ---- dependencies ---- */

/* Flags that do not affect which files are read, or that name directories which this file
 * checks. */
static bool is_known_flag(const char *flag, bool *takes_value)
{
	static const char *const with[] = {"-x", "-I", "-iquote", "-isystem", "-idirafter",
		"-include", "-D", "-U", "-mllvm", "-l", "-L", "-Xlinker", NULL};
	static const char *const heads[] = {"-I", "-iquote", "-isystem", "-idirafter", "-D", "-U",
		"-O", "-g", "-W", "-w", "-std=", "-m", "-l", "-L", "-pedantic", "-pthread", "-pipe",
		"-nogpu", "--offload-", "--rocm-path=", "--hip-path=", "--rocm-device-lib-path=",
		"--gcc-toolchain=", "--gcc-install-dir=", "-ansi", "-Rpass", "-fsyntax-only",
		"-ffp-", "-ffast-math", "-fno-", "-fgpu-", "-funsafe-math", "-ffinite-math",
		"-fdenormal", "-fwrapv", "-fstrict", "-funroll", "-finline", "-fvectorize", "-fslp",
		"-fsigned", "-funsigned", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fvisibility",
		"-fexceptions", "-frtti", "-fopenmp", "-foffload", "-fcolor", "-fdiagnostics",
		"-ferror-limit", "-fconstexpr", "-ftemplate-depth", "-fcuda-", "-fhip-", "-fstack",
		"-ffunction-sections", "-fdata-sections", "-fmath-errno", "-fomit", NULL};
	struct str f = str_of(flag);
	*takes_value = false;
	for (size_t i = 0; with[i] && !*takes_value; i++) {
		*takes_value = str_is(f, with[i]);
	}
	if (*takes_value) {
		return true;
	}
	if (str_starts_any(f, heads)) {
		return !str_starts(f, "-Wp,");
	}
	return false;
}

/* args is a whole command line: all between the program and the file. */
static bool are_known_flags(const char *const *args, size_t n)
{
	bool value = false;
	for (size_t i = 1; i + 1 < n; i++) {
		if (value) {
			value = false;
		} else if (!is_known_flag(args[i], &value)) {
			return false;
		}
	}
	return !value;
}

struct reading {
	struct arena *a;
	CXTranslationUnit tu;
	struct lookups looked;
	struct map known;    /* the files read */
	struct sbuf *placed; /* see preamble.h */
	bool user_files;     /* some are not system headers */
};

bool preamble_has_flag(const char *flag)
{
	return strcmp(flag, "-include") == 0;
}

static void see_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	(void)stack;
	struct reading *r = data;
	CXString s = clang_getFileName(file);
	const char *path = arena_strdup(r->a, clang_getCString(s));
	clang_disposeString(s);
	if (depth == 0 || strcmp(path, STUB) == 0 || map_has(&r->known, str_of(path))) {
		return;
	}
	map_set(&r->known, str_of(path), 1);
	lookups_add_file(&r->looked, path);
	CXSourceLocation start = clang_getLocationForOffset(r->tu, file, 0);
	if (!clang_Location_isInSystemHeader(start)) {
		size_t n = 0;
		const char *text = clang_getFileContents(r->tu, file, &n);
		r->user_files = true;
		struct str all = {text, text ? n : 0};
		if (place_words_hold(all) || str_holds(all, STR("unphi_"))) {
			sbuf_addf(r->placed, "%s\n", path);
		}
	}
}

/* ---- making one ---- */

struct making {
	struct arena *a;
	struct str text; /* the directives */
	const char *const *args;
	size_t n;
	const char *quote_dir; /* the directory in which "file" is looked for first, or NULL */
	struct sbuf *placed;   /* set here: see preamble.h */
};

/* Appends the stamps of all files that tu has read or looked for. said: libclang's output, with its
 * search list. */
static bool add_stamps(struct sbuf *out, const struct making *m, CXTranslationUnit tu,
	struct str said, time_t before, bool *user_files)
{
	struct reading r = {.a = m->a, .tu = tu, .looked = {.a = m->a}, .placed = m->placed};
	sbuf_reset(m->placed);
	lookups_add_driver(&r.looked, STR(""));
	lookups_add_search_list(&r.looked, said);
	lookups_add_dir(&r.looked, str_of(m->quote_dir));
	for (size_t i = 1; i + 1 < m->n; i++) {
		if (preamble_has_flag(m->args[i])) {
			lookups_add_dir(&r.looked, STR("."));
		} else if (str_starts(str_of(m->args[i]), "-D")) {
			bool joined = m->args[i][2] != '\0';
			lookups_add_macro(
				&r.looked, str_of(joined ? m->args[i] + 2 : m->args[i + 1]));
		}
	}
	clang_getInclusions(tu, see_file, &r);
	bool ok = said.n > 0 && lookups_add_stamps(out, &r.looked, m->text, before);
	sbuf_addc(out, '\n');
	*user_files |= r.user_files;
	lookups_release(&r.looked);
	map_release(&r.known);
	return ok;
}

/* Reads libclang's standard error during the parse: it prints its search directories for headers
 * only there. */
struct hearing {
	int file, error;
};

static struct hearing hear(void)
{
	struct hearing h = {.file = memfd_create("unphi", MFD_CLOEXEC), .error = -1};
	fflush(stderr);
	if (h.file >= 0) {
		h.error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		dup2(h.file, STDERR_FILENO);
	}
	return h;
}

static void heard(struct sbuf *out, const struct hearing *h)
{
	char buf[4096];
	ssize_t n;
	sbuf_reset(out);
	if (h->file < 0) {
		return;
	}
	if (h->error >= 0) {
		dup2(h->error, STDERR_FILENO);
		close(h->error);
	} else {
		close(STDERR_FILENO);
	}
	for (off_t at = 0; (n = pread(h->file, buf, sizeof(buf), at)) > 0; at += n) {
		sbuf_add(out, buf, (size_t)n);
	}
	close(h->file);
}

static CXTranslationUnit parse_stub(
	struct sbuf *said, CXIndex index, const struct making *m, unsigned more)
{
	struct words args = {{0}};
	CXTranslationUnit tu = NULL;
	for (size_t i = 0; i + 1 < m->n; i++) {
		words_add(&args, m->args[i]);
		if (i == 0 && m->quote_dir) {
			words_add(&args, "-iquote");
			words_add(&args, m->quote_dir);
		}
	}
	words_add(&args, "-Xclang");
	words_add(&args, PREAMBLE_FLAG);
	words_add(&args, "-Xclang");
	words_add(&args, "-v");
	words_add(&args, STUB);
	struct CXUnsavedFile stub = {STUB, m->text.p, m->text.n};
	struct hearing h = hear();
	clang_parseTranslationUnit2FullArgv(index, NULL, args.v.v, (int)args.v.n, &stub, 1,
		CXTranslationUnit_ForSerialization | more, &tu);
	heard(said, &h);
	array_release(&args.v);
	return tu;
}

static enum CXDiagnosticSeverity worst_of(CXTranslationUnit tu)
{
	enum CXDiagnosticSeverity worst = CXDiagnostic_Ignored;
	for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
		CXDiagnostic d = clang_getDiagnostic(tu, i);
		enum CXDiagnosticSeverity s = clang_getDiagnosticSeverity(d);
		worst = s > worst ? s : worst;
		clang_disposeDiagnostic(d);
	}
	return worst;
}

/* The result of an attempt. A failure because of a missing file is not kept, since the file may
 * appear later. */
struct made {
	CXTranslationUnit tu;
	bool good; /* can be used */
	bool kept; /* keep the result, good or bad, in the cache */
};

/* System headers are complete by themselves, so their templates are instantiated here, once. A
 * template in a user's header may need declarations of the file that includes it. Then its
 * instantiation waits for the file, as in a complete parse. */
static struct made parse_directives(CXIndex index, const struct making *m, struct sbuf *stamps)
{
	time_t before = time(NULL);
	bool user_files = m->quote_dir != NULL;
	unsigned more = user_files ? CXTranslationUnit_Incomplete : 0;
	struct sbuf said = {0};
	for (;;) {
		struct made r = {.tu = parse_stub(&said, index, m, more)};
		sbuf_reset(stamps);
		r.kept = r.tu && worst_of(r.tu) < CXDiagnostic_Fatal &&
			 add_stamps(stamps, m, r.tu, sbuf_str(&said), before, &user_files);
		r.good = r.kept && worst_of(r.tu) < CXDiagnostic_Error;
		if (!r.kept || !user_files || more) {
			sbuf_release(&said);
			return r;
		}
		more = CXTranslationUnit_Incomplete;
		clang_disposeTranslationUnit(r.tu);
	}
}

/* In a process of its own, since libclang aborts if the disk is full. Its messages are dropped: the
 * caller then parses everything. */
static bool save_to(const char *file, CXTranslationUnit tu)
{
	int status = 0;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		int none = open("/dev/null", O_RDWR);
		if (none >= 0) {
			dup2(none, STDERR_FILENO);
		}
		signal(SIGABRT, SIG_DFL);
		_exit(clang_saveTranslationUnit(tu, file, 0) == CXSaveError_None ? 0 : 1);
	}
	if (child < 0) {
		return false;
	}
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR) {
			return false;
		}
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The name of the file in the cache, or NULL. */
static const char *save(struct cache *c, CXTranslationUnit tu)
{
	const char *file = cache_file_begin(c);
	if (file && !save_to(file, tu)) {
		cache_file_drop(c, file);
		return NULL;
	}
	return file ? cache_file_keep(c, file) : NULL;
}

/* Writes it, and what it depends on, to the cache. */
static bool make(struct preamble *p, struct making *m)
{
	struct sbuf entry = {0}, placed = {0};
	m->placed = &placed;
	CXIndex index = clang_createIndex(0, 0);
	struct made r = parse_directives(index, m, &entry);
	const char *name = r.good ? save(p->cache, r.tu) : NULL;
	p->stamps = sbuf_finish(&entry, m->a);
	if (name || (r.kept && !r.good)) {
		sbuf_addf(&entry, "%s\n%s", name ? name : "none", sbuf_cstr(&placed));
		stamped_put(p->cache, p->key, p->stamps, sbuf_str(&entry));
	}
	p->pch = name ? cache_file_find(p->cache, name) : NULL;
	p->placed = sbuf_finish(&placed, m->a);
	sbuf_release(&entry);
	if (r.tu) {
		clang_disposeTranslationUnit(r.tu);
	}
	clang_disposeIndex(index);
	return p->pch != NULL;
}

/* Do the arguments have names that are relative to a directory? */
static bool names_paths(const struct making *m)
{
	for (size_t i = 1; i + 1 < m->n; i++) {
		if (driver_search_dir(&m->args[i]).n > 0 || preamble_has_flag(m->args[i]) ||
			strchr(m->args[i], '/')) {
			return true;
		}
	}
	return m->quote_dir != NULL;
}

static struct str key_of(const struct making *m)
{
	struct sbuf key = {0};
	char cwd[PATH_MAX];
	CXString version = clang_getClangVersion();
	sbuf_addf(&key, "preamble 5 " PREAMBLE_FLAG "\n%s\n", clang_getCString(version));
	clang_disposeString(version);
	if (libclang_path()) {
		stamp_add_program(&key, libclang_path());
	}
	stamp_add_environment(&key);
	sbuf_addf(&key, "%s\n", names_paths(m) && getcwd(cwd, sizeof(cwd)) ? cwd : "");
	sbuf_addf(&key, "%s\n", m->quote_dir ? m->quote_dir : "");
	for (size_t i = 0; i + 1 < m->n; i++) {
		sbuf_addf(&key, "%s\n", m->args[i]);
	}
	sbuf_addstr(&key, m->text);
	return sbuf_finish(&key, m->a);
}

/* Finds the entry of the cache, if no file that it names has changed. */
static bool find(struct preamble *p, struct arena *a, bool *none)
{
	struct stamped e;
	struct str name = {0};
	bool found = stamped_get(&e, a, p->cache, p->key, true) && str_line(&e.content, &name);
	p->stamps = e.stamps;
	*none = found && str_is(name, "none");
	p->placed = e.content;
	p->pch = found && !*none && !str_is(name, WANTED)
			 ? cache_file_find(p->cache, arena_strndup(a, name.p, name.n))
			 : NULL;
	return p->pch != NULL;
}

/* Did another process request it before? Notes the first request. A process parses a file two or
 * three times, for which making one costs more than it saves. */
static bool was_wanted(const struct preamble *p, struct arena *a)
{
	struct sbuf entry = {0};
	const char *mine = arena_printf(a, WANTED "\n%ld\n", (long)getpid());
	bool was = cache_get(&entry, p->cache, p->key);
	if (!was) {
		stamped_put(p->cache, p->key, STR("\n"), str_of(mine));
	}
	was = was && !str_holds(sbuf_str(&entry), str_of(mine));
	sbuf_release(&entry);
	return was;
}

/* Does the text, a flag or the driver include any header? The driver includes its own before all
 * HIP code. */
static bool has_work(const char *const *args, size_t n, size_t end)
{
	bool headers = true, flags = false;
	for (size_t i = 1; i + 1 < n; i++) {
		headers &= strcmp(args[i], "-nogpuinc") != 0;
		flags |= preamble_has_flag(args[i]);
	}
	return end > 0 || headers || flags;
}

/* For -include FILE the driver uses FILE.pch or FILE.gch if there is one. */
static bool is_precompiled(const char *const *args, size_t n)
{
	static const char *const tails[] = {".pch", ".gch", NULL};
	bool some = false;
	for (size_t i = 1; i + 1 < n; i++) {
		for (size_t k = 0; preamble_has_flag(args[i]) && tails[k] && !some; k++) {
			struct sbuf path = {0};
			sbuf_addf(&path, "%s%s", args[i + 1], tails[k]);
			some = access(sbuf_cstr(&path), F_OK) == 0;
			sbuf_release(&path);
		}
	}
	return some;
}

bool preamble_open(struct preamble *out, struct arena *a, const char *const *args, size_t n,
	struct str text, bool sparing)
{
	bool quotes, none;
	*out = (struct preamble){.end = directives_end(text)};
	if (!are_known_flags(args, n) || !has_work(args, n, out->end) || is_precompiled(args, n)) {
		return false;
	}
	struct making m = {.a = a, .args = args, .n = n};
	m.text = directives_text(a, text, out->end, &quotes);
	if (quotes) {
		struct str dir = path_dir(str_of(args[n - 1]));
		m.quote_dir = arena_strndup(a, dir.p, dir.n);
	}
	out->cache = cache_open(a, "parse", CACHE_BYTES);
	out->key = key_of(&m);
	if (find(out, a, &none)) {
		return true;
	}
	return !none && (!sparing || was_wanted(out, a)) && make(out, &m);
}

/* The path as precompiled headers have it: absolute, without '.' components. */
static const char *full_path(struct arena *a, const char *cwd, const char *path)
{
	struct sbuf out = {0};
	struct str rest = str_of(path), part;
	sbuf_adds(&out, path[0] == '/' ? "" : cwd);
	while (str_split(&rest, '/', &part)) {
		if (part.n > 0 && !str_is(part, ".")) {
			sbuf_addc(&out, '/');
			sbuf_addstr(&out, part);
		}
	}
	return sbuf_finish(&out, a).p;
}

void preamble_names(struct map *names, struct arena *a, const struct preamble *p)
{
	char cwd[PATH_MAX];
	struct str rest = p->stamps, path;
	if (!getcwd(cwd, sizeof(cwd))) {
		return;
	}
	while (stamp_next(&rest, &path)) {
		const char *name = arena_strndup(a, path.p, path.n);
		const char *full = full_path(a, cwd, name);
		if (strcmp(full, name) != 0 && !map_has(names, str_of(full))) {
			map_set(names, str_of(full), (uintptr_t)name);
		}
	}
}

void preamble_reject(struct preamble *p, bool unreadable)
{
	stamped_put(p->cache, p->key, unreadable ? STR("") : p->stamps,
		unreadable ? STR("") : STR("none\n"));
}
