/* The parse behind a precompiled preamble: which directives it takes, and that it gives the same
 * kernel tree as the parse of everything, whatever happens to headers and cache. */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "frontend/clang/kinds.h"
#include "frontend/text/directives.h"
#define LIBCLANG_PLAIN_NAMES
#include "frontend/clang/libclang.h"
#include "frontend/parse/preamble.h"
#include "snippet.h"
#include "tree/tree.h"

/* ---- the directives ---- */

static void test_end(void **state)
{
	(void)state;
	static const struct {
		const char *taken;
		const char *rest;
	} t[] = {
		{"#include <a>", "\nint x;\n#include <b>\n"},
		{"// c\n/* d */\n#include <a>\n\n # include \"b\" // c", "\nint x;"},
		{"#define A\n#define B 3\n#undef A\n#include <a>", "\n#define C 1\nint x;"},
		{"#ifdef A\n#include <a>\n#else\n#include <b>\n#endif", "\n#if 1\n#endif\n"},
		{"#include <a>", "\n#if X\n#include <b>\nint x;\n#endif\n"},
		{"#include <a>", "\n#if X\n#include <b>\n"},
		{"#include <a>", "\n#endif\n#include <b>\n"},
		{"#include <a>", "\n#define F(x) x\n#include <b>\n"},
		{"#include <a>", "\n#define F x y\n#include <b>\n"},
		{"#include <a>", "\n#include MACRO\n#include <b>\n"},
		{"#include <a>", "\n#pragma once\n#include <b>\n"},
		{"#include <a>", "\n#include <b> /* to\n the next */\nint x;"},
		{"#include <a>", "\n#line 3\n#include <b>\n"},
		{"#include \\\n <a>", "\n"},
		{"", "int x;\n#include <a>\n"},
		{"", "#define A\n"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct sbuf text = {0};
		sbuf_adds(&text, t[i].taken);
		sbuf_adds(&text, t[i].rest);
		assert_int_equal(directives_end(sbuf_str(&text)), strlen(t[i].taken));
		sbuf_release(&text);
	}
}

/* ---- the same tree ---- */

static void fresh_cache(struct arena *a)
{
	setenv("XDG_CACHE_HOME", arena_printf(a, "%s/cache", tmpdir_create()), 1);
}

struct parsed {
	struct arena *arena;
	struct sbuf tree; /* printed; empty when it does not parse */
	int rc;
};

static struct parsed parse(const struct frontend_job *job, bool no_cache)
{
	struct parsed p = {.arena = arena_create()};
	struct intrinsic_db db = {0};
	struct kt_unit *unit;
	assert_int_equal(intrinsic_db_builtin(&db, p.arena), 0);
	struct frontend_job j = *job;
	j.no_cache = no_cache;
	j.intrinsics = &db;
	p.rc = frontend_parse(&unit, p.arena, &j, NULL);
	if (p.rc == 0) {
		kt_print(&p.tree, unit);
	}
	intrinsic_db_release(&db);
	return p;
}

static void parsed_release(struct parsed *p)
{
	sbuf_release(&p->tree);
	arena_free(p->arena);
}

/* Through the cache, and without: the same. */
static void same_tree(const struct frontend_job *job, int rc)
{
	struct parsed full = parse(job, true);
	struct parsed cached = parse(job, false);
	assert_int_equal(full.rc, rc);
	assert_int_equal(cached.rc, rc);
	assert_true(rc || full.tree.n > 0);
	assert_string_equal(sbuf_cstr(&full.tree), sbuf_cstr(&cached.tree));
	parsed_release(&full);
	parsed_release(&cached);
}

/* Files of that beginning among the entries. */
static size_t entries(const char *prefix)
{
	char dir[4096];
	size_t n = 0;
	snprintf(dir, sizeof(dir), "%s/unphi/parse", getenv("XDG_CACHE_HOME"));
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));) {
		n += strncmp(e->d_name, prefix, strlen(prefix)) == 0 && e->d_name[0] != '.';
	}
	if (d) {
		closedir(d);
	}
	return n;
}

/* All kernels of a target share one precompiled header, whatever their comments say. */
static void test_kernels(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		const char *target;
	} k[] = {{"mla_decode", "gfx942"}, {"factorial", "gfx942"}, {"boundary_gemm", "gfx942"},
		{"fma_tile", "gfx942"}, {"wmma_tile", "gfx1100"}};
	struct arena *a = arena_create();
	fresh_cache(a);
	for (size_t i = 0; i < sizeof(k) / sizeof(k[0]); i++) {
		const char *path = arena_printf(
			a, "%s/kernels/%s.hip", getenv("UNPHI_SOURCE_ROOT"), k[i].name);
		struct frontend_job job = {.path = path, .target = k[i].target};
		same_tree(&job, 0);
	}
	assert_int_equal(entries("file-"), 2);
	arena_free(a);
}

/* ---- headers that change ---- */

struct place {
	struct arena *a;
	const char *dir;
	const char *flags[8];
	struct frontend_job job;
};

static void write_to(const struct place *p, const char *name, const char *text)
{
	const char *path = arena_printf(p->a, "%s/%s", p->dir, name);
	struct str dir = path_dir(str_of(path));
	assert_int_equal(path_make_dirs(arena_strndup(p->a, dir.p, dir.n)), 0);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* What changed in this second is not kept: it may change once more in it. */
static void let_age(void)
{
	time_t now = time(NULL);
	while (time(NULL) <= now) {
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	}
}

static void place_init(struct place *p)
{
	*p = (struct place){.a = arena_create(), .dir = tmpdir_create()};
	fresh_cache(p->a);
	p->flags[0] = "-nogpuinc";
	p->flags[1] = "-std=c++17";
	p->flags[2] = arena_printf(p->a, "-I%s/first", p->dir);
	p->flags[3] = "-I";
	p->flags[4] = arena_printf(p->a, "%s/second", p->dir);
	p->job = (struct frontend_job){.path = arena_printf(p->a, "%s/main.hip", p->dir),
		.target = "gfx90a",
		.quiet = true,
		.flags = p->flags};
	write_to(p, "first/other.h", "#pragma once\n");
	write_to(p, "second/prelude.h", SNIPPET_PRELUDE);
	write_to(p, "own.h",
		"#pragma once\n#include \"more.inc\"\n"
		"template <int N> __device__ int late(int x);\n"
		"template <int N> __device__ int body(int x) { return late<N>(x) + ADDED; }\n"
		"__device__ inline int early(int x) { return body<3>(x); }\n");
	write_to(p, "more.inc", "enum { ADDED = 4 };\n");
	write_to(p, "main.hip",
		"// a comment\n#define PLAIN\n#include <other.h>\n#include <prelude.h>\n"
		"#include \"./own.h\"\n#define OWN(x) early(x)\n"
		"template <int N> __device__ int late(int x) { return x * N; }\n"
		"KERNEL k(int *p) { if (p[0]) { p[1] = OWN(p[2]); } else { p[1] = ADDED; } }\n");
}

/* In the directory of the file, which names it and a directory of headers from there. */
static void enter(struct place *p)
{
	assert_int_equal(chdir(p->dir), 0);
	p->job.path = "main.hip";
	p->flags[2] = "-Ifirst/.";
	p->flags[4] = arena_printf(p->a, "%s//./second/", p->dir);
}

/* All headers were changed so many seconds from now: then no slow parse finds them old. */
static void date_headers(time_t from_now)
{
	static const char *const headers[] = {
		"first/other.h", "second/prelude.h", "own.h", "more.inc"};
	const struct timespec at = {.tv_sec = time(NULL) + from_now};
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		const struct timespec times[2] = {at, at};
		assert_int_equal(utimensat(AT_FDCWD, headers[i], times, 0), 0);
	}
}

static void same_tree_elsewhere(struct frontend_job *job)
{
	int status = 1;
	pid_t child = fork();
	if (child == 0) {
		same_tree(job, 0);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_headers(void **state)
{
	(void)state;
	struct place p;
	place_init(&p);
	enter(&p);
	date_headers(1000);
	same_tree(&p.job, 0);
	assert_int_equal(entries(""), 0); /* all of it is too young */
	date_headers(0);
	let_age();
	p.job.sparing = true; /* made when another process reads them once more */
	same_tree(&p.job, 0);
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 0);
	same_tree_elsewhere(&p.job);
	assert_int_equal(entries("file-"), 1);
	p.job.sparing = false;
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 1);

	write_to(&p, "more.inc", "enum { ADDED = 5 };\n"); /* the same size */
	same_tree(&p.job, 0);
	let_age();
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 2);

	assert_int_equal(chdir("/"), 0); /* where these names mean nothing */
	same_tree(&p.job, FAIL_USAGE);
	assert_int_equal(chdir(p.dir), 0);

	/* one that is found before the one that was read */
	write_to(&p, "first/prelude.h", SNIPPET_PRELUDE "__device__ int late2(int);\n");
	same_tree(&p.job, 0);
	arena_free(p.a);
}

/* ---- what does not go together with it ---- */

static void damage(struct arena *a, size_t size)
{
	const char *dir = arena_printf(a, "%s/unphi/parse", getenv("XDG_CACHE_HOME"));
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (strncmp(e->d_name, "file-", 5) == 0) {
			const char *path = arena_printf(a, "%s/%s", dir, e->d_name);
			assert_int_equal(truncate(path, (off_t)size), 0);
		}
	}
	closedir(d);
}

static void test_doubts(void **state)
{
	(void)state;
	struct place p;
	place_init(&p);
	let_age();
	same_tree(&p.job, 0);
	damage(p.a, 1000);
	same_tree(&p.job, 0);
	same_tree(&p.job, 0);

	/* the file's own errors are errors, and no reason to distrust the headers */
	size_t before = entries("");
	write_to(&p, "main.hip",
		"#include <other.h>\n#include <prelude.h>\nKERNEL k(int *p) { p[0] = x; }\n");
	same_tree(&p.job, FAIL_INPUT);
	assert_int_equal(entries(""), before + 2);
	write_to(&p, "main.hip", "#include <none.h>\nKERNEL k(int *p) { p[0] = 1; }\n");
	same_tree(&p.job, FAIL_INPUT);
	assert_int_equal(entries(""), before + 2);

	/* a specialization of what the header has instantiated: an error only behind it, as the
	 * header by itself ends earlier */
	write_to(&p, "main.hip",
		"#include <other.h>\n#include <prelude.h>\n#include \"again.h\"\n"
		"template <> __device__ int twice<1>(int x) { return x; }\n"
		"KERNEL k(int *p) { p[0] = user(p[1]); }\n");
	write_to(&p, "again.h",
		"template <int N> __device__ int twice(int x) { return x + x; }\n"
		"template <int N> __device__ int wrap(int x) { return twice<N>(x); }\n"
		"__device__ inline int user(int x) { return wrap<1>(x); }\n");
	let_age();
	same_tree(&p.job, 0);
	same_tree(&p.job, 0);

	/* a flag that reads a file itself: nothing is kept */
	before = entries("");
	p.flags[5] = "-imacros";
	p.flags[6] = "other.h";
	same_tree(&p.job, 0);
	assert_int_equal(entries(""), before);
	arena_free(p.a);
}

/* ---- headers that the command line includes ---- */

static void test_flags(void **state)
{
	(void)state;
	struct place p;
	place_init(&p);
	enter(&p);
	p.flags[5] = "-include";
	p.flags[6] = "prelude.h";
	write_to(&p, "main.hip",
		"#include <other.h>\nKERNEL k(int *p) { if (p[0]) { p[1] = 1; } else { p[1] = 2; } "
		"}\n");
	let_age();
	same_tree(&p.job, 0);
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 1);

	/* a file that includes nothing itself, and where no macro of a header is at work */
	write_to(&p, "main.hip",
		"void (*table[])(int *) = {nullptr};\n"
		"KERNEL k(int *p) { if (p[0]) { p[1] = 1; } else { p[1] = 2; } }\n");
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 2);
	write_to(&p, "main.hip",
		"KERNEL k(int *p) { if (p[0]) { p[1] = 3; } else { p[1] = LATE; } }\n");
	same_tree(&p.job, FAIL_INPUT);
	write_to(&p, "second/prelude.h", SNIPPET_PRELUDE "enum { LATE = 3 };\n");
	let_age();
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 3);

	/* one in the working directory goes before those of -I */
	write_to(&p, "prelude.h", SNIPPET_PRELUDE "enum { LATE = 4 };\n");
	same_tree(&p.job, 0);

	/* which the driver takes for what the user has precompiled */
	p.flags[6] = "main.h";
	write_to(&p, "main.h", SNIPPET_PRELUDE "enum { LATE = 4 };\n");
	write_to(&p, "main.h.gch", "no precompiled header\n");
	let_age();
	size_t before = entries("");
	struct parsed cached = parse(&p.job, false), full = parse(&p.job, true);
	assert_int_equal(cached.rc, full.rc);
	parsed_release(&cached);
	parsed_release(&full);
	assert_int_equal(entries(""), before);
	arena_free(p.a);
}

/* ---- C++20 ---- */

/* Is one kept that is of no use? */
static bool keeps_refusal(struct arena *a)
{
	const char *dir = arena_printf(a, "%s/unphi/parse", getenv("XDG_CACHE_HOME"));
	bool found = false;
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct sbuf entry = {0};
		if (e->d_name[0] != '.' && strncmp(e->d_name, "file-", 5) != 0) {
			assert_int_equal(
				file_read(&entry, arena_printf(a, "%s/%s", dir, e->d_name)), 0);
			found |= str_find(sbuf_str(&entry), "\nnone\n", 0) != SIZE_MAX;
		}
		sbuf_release(&entry);
	}
	closedir(d);
	return found;
}

/* Functions that differ in host and device alone, and what is instantiated behind the headers and
 * frees memory, stay what they are: with modules libclang finds errors in them, or crashes. */
static void test_cpp20(void **state)
{
	(void)state;
	struct place p;
	place_init(&p);
	p.flags[1] = "-std=c++20";
	write_to(&p, "second/prelude.h",
		SNIPPET_PRELUDE
		"#define __host__ __attribute__((host))\n"
		"__device__ inline int least(int a, int b) { return (a < b) ? a : b; }\n"
		"__host__ inline int least(int a, int b) { return a < b ? a : b; }\n"
		"void operator delete(void *) noexcept;\n"
		"template <class T> struct holds { T *p; ~holds() { delete p; "
		"__builtin_operator_delete(p); } };\n"
		"inline void ends() { holds<int> h{}; }\n");
	write_to(&p, "main.hip",
		"#include <other.h>\n#include <prelude.h>\n#include \"./own.h\"\n"
		"template <int N> __device__ int late(int x) { return x * N; }\n"
		"int main() { return least(1, 2); }\n"
		"KERNEL k(int *p) { if (p[0]) { p[1] = least(p[2], 3); } else { p[1] = "
		"early(p[3]); } }\n");
	let_age();
	same_tree(&p.job, 0);
	same_tree(&p.job, 0);
	assert_int_equal(entries("file-"), 1);
	assert_false(keeps_refusal(p.a));
	arena_free(p.a);
}

/* ---- a libclang that crashes on what it has precompiled ---- */

static enum CXErrorCode (*real_parse)(CXIndex, const char *, const char *const *, int,
	struct CXUnsavedFile *, unsigned, unsigned, CXTranslationUnit *);
static unsigned parses, crashes;

static enum CXErrorCode crash_behind(CXIndex index, const char *path, const char *const *args,
	int n, struct CXUnsavedFile *files, unsigned nfiles, unsigned options,
	CXTranslationUnit *out)
{
	bool behind = false;
	for (int i = 0; i < n; i++) {
		behind |= strcmp(args[i], "-include-pch") == 0;
	}
	parses++;
	if (behind) {
		crashes++;
		fprintf(stderr, "libclang: crash detected during parsing\n");
		return CXError_Crashed;
	}
	return real_parse(index, path, args, n, files, nfiles, options, out);
}

/* Bytes that a parse through the cache, which succeeds, prints as errors. */
static size_t said_by(const struct place *p)
{
	const char *path = arena_printf(p->a, "%s/said", p->dir);
	struct sbuf said = {0};
	fflush(stderr);
	int kept = dup(STDERR_FILENO);
	assert_non_null(freopen(path, "w", stderr));
	struct parsed cached = parse(&p->job, false);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	assert_int_equal(cached.rc, 0);
	assert_true(cached.tree.n > 0);
	parsed_release(&cached);
	assert_int_equal(file_read(&said, path), 0);
	size_t n = said.n;
	sbuf_release(&said);
	return n;
}

/* It is tried once for a key, and says nothing. Headers that have changed are another chance. */
static void test_crash(void **state)
{
	(void)state;
	struct place p;
	place_init(&p);
	let_age();
	assert_int_equal(libclang_load(), 0);
	real_parse = libclang.clang_parseTranslationUnit2FullArgv;
	libclang.clang_parseTranslationUnit2FullArgv = crash_behind;
	assert_int_equal(said_by(&p), 0);
	assert_int_equal(crashes, 1);
	assert_true(keeps_refusal(p.a));

	parses = 0;
	assert_int_equal(said_by(&p), 0);
	assert_int_equal(crashes, 1);
	assert_int_equal(parses, 1); /* of everything, and none for another precompiled header */

	write_to(&p, "more.inc", "enum { ADDED = 44 };\n");
	let_age();
	assert_int_equal(said_by(&p), 0);
	assert_int_equal(crashes, 2);
	libclang.clang_parseTranslationUnit2FullArgv = real_parse;
	arena_free(p.a);
}

/* ---- the kinds, by name ---- */

static struct libclang real;

static CXString one_further(enum CXCursorKind k)
{
	return real.clang_getCursorKindSpelling(k + (k >= CXCursor_IfStmt));
}

static CXString other_operator(enum CXUnaryOperatorKind k)
{
	return real.clang_getUnaryOperatorKindSpelling(
		k == CXUnaryOperator_Deref ? CXUnaryOperator_AddrOf : k);
}

static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(libclang_load(), 0);
	assert_null(kinds_other());
	real = libclang;
	libclang.clang_getCursorKindSpelling = one_further;
	assert_non_null(kinds_other());
	libclang = real;
	libclang.clang_getUnaryOperatorKindSpelling = other_operator;
	assert_string_equal(kinds_other(), "*");
	libclang = real;
}

/* Does kinds.c have each that this text names? */
static void expect_rows(struct str table, const char *name, struct str text)
{
	static const char *const of[] = {
		"CXCursor_", "CXType_", "CXBinaryOperator_", "CXUnaryOperator_"};
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	struct sbuf row = {0};
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		for (size_t at = 0; (at = str_find(text, of[i], at)) != SIZE_MAX;) {
			at += strlen(of[i]);
			size_t n = strspn(text.p + at, letters);
			sbuf_reset(&row);
			sbuf_addf(&row, "(%.*s)%s%.*s,", (int)n, text.p + at, of[i], (int)n,
				text.p + at);
			const char *whole = sbuf_cstr(&row) + n + 2;
			bool there = n == 0 || str_find(table, whole, 0) != SIZE_MAX;
			row.p[n + 2] = '\0';
			there |= str_find(table, row.p, 0) != SIZE_MAX;
			if (!there) {
				fail_msg("%s: kinds.c does not have %s%.*s", name, of[i], (int)n,
					text.p + at);
			}
		}
	}
	sbuf_release(&row);
}

static void test_kinds_are_all_there(void **state)
{
	(void)state;
	const char *root = getenv("UNPHI_SOURCE_ROOT");
	struct arena *a = arena_create();
	struct sbuf table = {0}, text = {0};
	const char *src = arena_printf(a, "%s/src/frontend", root ? root : ".");
	assert_int_equal(file_read(&table, arena_printf(a, "%s/clang/kinds.c", src)), 0);
	glob_t g;
	assert_int_equal(glob(arena_printf(a, "%s/*/*.c", src), 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		sbuf_reset(&text);
		assert_int_equal(file_read(&text, g.gl_pathv[i]), 0);
		expect_rows(sbuf_str(&table), g.gl_pathv[i], sbuf_str(&text));
	}
	globfree(&g);
	sbuf_release(&text);
	sbuf_release(&table);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_kinds_are_all_there),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_doubts),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_cpp20),
		cmocka_unit_test(test_crash),
	};
	frontend_prefer("hipcc", true); /* whose headers are read, too */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
