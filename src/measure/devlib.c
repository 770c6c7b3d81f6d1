#include "measure/devlib.h"

#include <dirent.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/array.h"
#include "base/cache.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/proc.h"

#define TIME_LIMIT_S 60.0

static bool has_file(const char *dir, const char *name)
{
	struct sbuf path = {0};
	path_join(&path, dir, name);
	bool has = file_exists(sbuf_cstr(&path));
	sbuf_release(&path);
	return has;
}

/* First match of pattern that holds the libraries. */
static const char *glob_dir(struct arena *a, const char *pattern)
{
	glob_t g;
	const char *found = NULL;
	if (glob(pattern, 0, NULL, &g) == 0) {
		for (size_t i = 0; i < g.gl_pathc && !found; i++) {
			if (has_file(g.gl_pathv[i], "ocml.bc")) {
				found = arena_strdup(a, g.gl_pathv[i]);
			}
		}
		globfree(&g);
	}
	return found;
}

static const char *installed_dir(struct arena *a)
{
	static const struct {
		const char *variable; /* or NULL */
		const char *pattern;  /* behind its value */
	} places[] = {{"HIP_DEVICE_LIB_PATH", ""}, {"ROCM_PATH", "/amdgcn/bitcode"},
		{"HIP_PATH", "/amdgcn/bitcode"}, {NULL, "/opt/rocm/amdgcn/bitcode"},
		{NULL, "/opt/rocm-*/amdgcn/bitcode"}, {NULL, "/usr/lib/*/amdgcn/bitcode"},
		{NULL, "/usr/lib*/amdgcn/bitcode"}, {NULL, "/usr/lib*/clang/*/amdgcn/bitcode"},
		{NULL, "/usr/lib*/clang/*/lib/amdgcn/bitcode"},
		{NULL, "/usr/lib*/rocm/llvm/lib/clang/*/lib/amdgcn/bitcode"}};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *base = places[i].variable ? getenv(places[i].variable) : "";
		if (!base || (places[i].variable && !*base)) {
			continue;
		}
		const char *dir = glob_dir(a, arena_printf(a, "%s%s", base, places[i].pattern));
		if (dir) {
			return dir;
		}
	}
	return NULL;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* gfx90a is ISA version 9.0.10; the libraries write it as 9010 ("Processors" in LLVM's AMDGPU usage
 * guide; __oclc_ISA_version in ROCm's device libraries). -1 for names of another form. */
static int isa_version(struct str digits)
{
	int64_t major;
	if (digits.n < 3 || !str_to_i64(str_sub(digits, 0, digits.n - 2), &major) || major < 1 ||
		major > 99) {
		return -1;
	}
	int minor = hex_digit(digits.p[digits.n - 2]);
	int step = hex_digit(digits.p[digits.n - 1]);
	return minor < 0 || step < 0 ? -1 : (int)major * 1000 + minor * 100 + step;
}

/* The tools that can write bitcode that c reads: c itself where it is a clang, else the clang and
 * the assembler of its version. NULL-terminated commands; ll and bc are paths. */
static bool assemble(struct arena *a, const struct compiler *c, const char *ll, const char *bc)
{
	struct str dir = path_dir(str_of(c->path));
	const char *clang_near = arena_printf(a, "%.*s/clang-%u", STR_ARG(dir), c->major);
	const char *clang_named = arena_printf(a, "clang-%u", c->major);
	const char *as_named = arena_printf(a, "llvm-as-%u", c->major);
	const char *clangs[] = {c->hipcc ? clang_near : c->path, clang_named, "clang"};
	const char *assemblers[] = {as_named, "llvm-as"};
	ARRAY(struct proc_job) jobs = {0};
	for (size_t i = 0; i < sizeof(clangs) / sizeof(clangs[0]); i++) {
		const char *argv[] = {clangs[i], "-x", "ir", "-c", "-emit-llvm", "-nogpulib",
			"--target=amdgcn-amd-amdhsa", "-o", bc, ll, NULL};
		array_push(&jobs, (struct proc_job){.argv = arena_memdup(a, argv, sizeof(argv))});
	}
	for (size_t i = 0; i < sizeof(assemblers) / sizeof(assemblers[0]); i++) {
		const char *argv[] = {assemblers[i], "-o", bc, ll, NULL};
		array_push(&jobs, (struct proc_job){.argv = arena_memdup(a, argv, sizeof(argv))});
	}
	bool ok = false;
	for (size_t i = 0; i < jobs.n && !ok; i++) {
		struct proc_result r = {0};
		jobs.v[i].time_limit_s = TIME_LIMIT_S;
		proc_run(&r, &jobs.v[i]);
		ok = proc_ok(&r) && file_exists(bc);
		proc_result_release(&r);
	}
	array_release(&jobs);
	return ok;
}

/* dir/name: a library that holds one constant. */
static bool make_constant(struct arena *a, const struct compiler *c, const char *dir,
	const char *name, const char *symbol, int value)
{
	if (has_file(dir, name)) {
		return true;
	}
	const char *ll = arena_printf(a, "%s/%s.ll", dir, name);
	const char *bc = arena_printf(a, "%s/%s", dir, name);
	const char *text = arena_printf(a,
		"target triple = \"amdgcn-amd-amdhsa\"\n"
		"@%s = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 %d, "
		"align 4\n",
		symbol, value);
	bool ok = file_write_atomic(ll, str_of(text)) == 0 && assemble(a, c, ll, bc);
	unlink(ll);
	return ok;
}

static bool link_all(struct arena *a, const char *to, const char *from)
{
	DIR *d = opendir(from);
	if (!d) {
		return false;
	}
	bool ok = true;
	for (struct dirent *e; ok && (e = readdir(d));) {
		if (str_ends(str_of(e->d_name), ".bc")) {
			ok = symlink(arena_printf(a, "%s/%s", from, e->d_name),
				     arena_printf(a, "%s/%s", to, e->d_name)) == 0;
		}
	}
	closedir(d);
	return ok;
}

struct library {
	const char *installed; /* directory that the links lead to */
	const char *file;      /* "oclc_isa_version_942.bc" */
	int version;
};

static bool fill(
	struct arena *a, const struct compiler *c, const char *dir, const struct library *lib)
{
	return link_all(a, dir, lib->installed) &&
	       make_constant(a, c, dir, lib->file, "__oclc_ISA_version", lib->version) &&
	       (c->major < 20 || make_constant(a, c, dir, "oclc_abi_version_600.bc",
					 "__oclc_ABI_version", 600));
}

/* Builds beside the final place and renames: whoever comes first wins, and nobody sees half of it.
 */
static bool build_cached(struct arena *a, const struct compiler *c, const char *root,
	const char *final, const struct library *lib)
{
	char *tmp = arena_printf(a, "%s/.devlib-XXXXXX", root);
	sigset_t saved;
	cleanup_hold(&saved);
	bool made = mkdtemp(tmp) != NULL;
	int slot = made ? cleanup_add_path(CLEANUP_DIR, tmp) : -1;
	cleanup_let(&saved);
	if (!made) {
		return false;
	}
	bool ok = fill(a, c, tmp, lib);
	cleanup_hold(&saved);
	bool renamed = ok && rename(tmp, final) == 0;
	cleanup_forget(slot);
	if (!renamed) {
		cleanup_remove_tree(tmp);
	}
	cleanup_let(&saved);
	return renamed || (ok && has_file(final, lib->file) && has_file(final, "ocml.bc"));
}

static bool dir_accepted(
	struct arena *a, const struct compiler *c, const char *target, const char *dir)
{
	const char *more[] = {arena_printf(a, "--rocm-device-lib-path=%s", dir), NULL};
	return has_file(dir, "ocml.bc") && compiler_accepts(c, target, more, NULL);
}

const char *devlib_find(
	const char **dir, struct arena *a, const struct compiler *c, const char *target)
{
	struct str rest = str_of(target);
	struct str bare = rest;
	str_split(&rest, ':', &bare);
	struct str digits = str_sub(bare, str_starts(bare, "gfx") ? 3 : 0, bare.n);
	struct library lib = {.installed = installed_dir(a), .version = isa_version(digits)};
	if (!lib.installed) {
		return "there are no ROCm device libraries (install rocm-device-libs, or set "
		       "ROCM_PATH)";
	}
	lib.file = arena_printf(a, "oclc_isa_version_%.*s.bc", STR_ARG(digits));
	if (has_file(lib.installed, lib.file) && dir_accepted(a, c, target, lib.installed)) {
		*dir = lib.installed;
		return NULL;
	}
	if (lib.version < 0) {
		return "the ROCm device libraries do not have it (install newer ones)";
	}
	const char *root = cache_dir(a);
	if (root) {
		uint64_t key = str_hash(str_of(lib.installed), 0);
		const char *final = arena_printf(a, "%s/devlib-%.*s-clang%u-%016llx", root,
			STR_ARG(bare), c->major, (unsigned long long)key);
		if ((has_file(final, lib.file) || build_cached(a, c, root, final, &lib)) &&
			dir_accepted(a, c, target, final)) {
			*dir = final;
			return NULL;
		}
	}
	const char *tmp = tmpdir_create();
	if (tmp && fill(a, c, tmp, &lib) && dir_accepted(a, c, target, tmp)) {
		*dir = tmp;
		return NULL;
	}
	return "the ROCm device libraries do not have it, and no stand-in could be made (install "
	       "llvm-as of its version)";
}
