#include "measure/compile/devlib.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/array.h"
#include "base/kept/cache.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/process/llvm.h"
#include "base/process/proc.h"

#define TIME_LIMIT_S 60.0

static bool has_file(const char *dir, const char *name)
{
	struct sbuf path = {0};
	path_join(&path, dir, name);
	bool has = file_exists(sbuf_cstr(&path));
	sbuf_release(&path);
	return has;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* gfx90a is ISA version 9.0.10; the libraries write it as 9010 ("Processors" in LLVM's AMDGPU usage
 * guide; __oclc_ISA_version in ROCm's device libraries). -1 for other names. */
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

/* Writes bitcode that c can read: with c itself if it is a clang, else with the clang or llvm-as of
 * its version. ll and bc are paths. */
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

/* The bitcode of a library with one constant; empty if no tool can write it. The cache has a
 * checksummed copy, with which the file for compilers is compared each time. */
static struct str constant(struct arena *a, const struct compiler *c, struct str text)
{
	struct sbuf bytes = {0};
	struct cache *cache = cache_open(a, "compiler", 1 << 20);
	struct str key = str_of(arena_printf(
		a, "device library 1\n%s\n%u\n%.*s", c->version, c->major, STR_ARG(text)));
	if (cache_get(&bytes, cache, key)) {
		return sbuf_finish(&bytes, a);
	}
	const char *dir = tmpdir_create();
	const char *ll = arena_printf(a, "%s/constant.ll", dir ? dir : "");
	const char *bc = arena_printf(a, "%s/constant.bc", dir ? dir : "");
	if (dir && file_write_atomic(ll, text) == 0 && assemble(a, c, ll, bc) &&
		file_read(&bytes, bc) == 0) {
		cache_put(cache, key, sbuf_str(&bytes));
	}
	return sbuf_finish(&bytes, a);
}

/* Is there a regular file with this content? *other: something else is there. */
static bool holds(const char *path, struct str content, bool *other)
{
	struct sbuf now = {0};
	struct stat st;
	bool there = lstat(path, &st) == 0;
	*other = there && !S_ISREG(st.st_mode);
	bool same =
		there && !*other && file_read(&now, path) == 0 && str_eq(sbuf_str(&now), content);
	sbuf_release(&now);
	return same;
}

/* Makes dir/name, a library with one constant. */
static bool make_constant(struct arena *a, const struct compiler *c, const char *dir,
	const char *name, const char *symbol, int value)
{
	const char *text = arena_printf(a,
		"target triple = \"amdgcn-amd-amdhsa\"\n"
		"@%s = linkonce_odr protected local_unnamed_addr addrspace(4) constant i32 %d, "
		"align 4\n",
		symbol, value);
	struct str bytes = constant(a, c, str_of(text));
	const char *path = arena_printf(a, "%s/%s", dir, name);
	bool other;
	return bytes.n > 0 &&
	       (holds(path, bytes, &other) || (!other && file_write_atomic(path, bytes) == 0));
}

/* Makes the link; an existing file must be that link. */
static bool link_to(const char *place, const char *target)
{
	char now[PATH_MAX];
	if (symlink(target, place) == 0) {
		return true;
	}
	ssize_t n = errno == EEXIST ? readlink(place, now, sizeof(now)) : -1;
	return n >= 0 && str_eq((struct str){now, (size_t)n}, str_of(target));
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
			ok = link_to(arena_printf(a, "%s/%s", to, e->d_name),
				arena_printf(a, "%s/%s", from, e->d_name));
		}
	}
	closedir(d);
	return ok;
}

struct library {
	const char *installed; /* target directory of the links */
	const char *file;      /* "oclc_isa_version_942.bc" */
	int version;
};

/* Makes missing or changed files; false if a file of someone else is there. */
static bool fill(
	struct arena *a, const struct compiler *c, const char *dir, const struct library *lib)
{
	static const char abi[] = "oclc_abi_version_600.bc";
	return link_all(a, dir, lib->installed) &&
	       make_constant(a, c, dir, lib->file, "__oclc_ISA_version", lib->version) &&
	       (c->major < 20 || has_file(lib->installed, abi) ||
		       make_constant(a, c, dir, abi, "__oclc_ABI_version", 600));
}

/* Builds beside the final place, then renames: the first process wins, and no one sees a partial
 * directory. */
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
	return renamed || (ok && fill(a, c, final, lib));
}

static bool dir_accepted(
	struct arena *a, const struct compiler *c, const char *target, const char *dir)
{
	const char *more[] = {arena_printf(a, DEVLIB_OPTION "%s", dir), NULL};
	return has_file(dir, "ocml.bc") && compiler_accepts(c, target, more, NULL);
}

/* The directory to use for lib->installed and the target, or NULL. */
static const char *stand_in(struct arena *a, const struct compiler *c, const char *target,
	const char *bare, const struct library *lib)
{
	const char *root = cache_dir(a);
	if (root) {
		uint64_t key = str_hash(str_of(lib->installed), 0);
		const char *final = arena_printf(a, "%s/devlib-%s-clang%u-%016llx", root, bare,
			c->major, (unsigned long long)key);
		struct stat st;
		bool there = lstat(final, &st) == 0;
		bool made = there ? S_ISDIR(st.st_mode) && fill(a, c, final, lib)
				  : build_cached(a, c, root, final, lib);
		if (made && dir_accepted(a, c, target, final)) {
			return final;
		}
	}
	const char *tmp = tmpdir_create();
	return tmp && fill(a, c, tmp, lib) && dir_accepted(a, c, target, tmp) ? tmp : NULL;
}

/* The first directory that c accepts; one with the target's library before directories of links. */
static const char *choose(
	struct arena *a, const struct compiler *c, const char *target, const struct words *dirs)
{
	struct str rest = str_of(target);
	struct str bare = rest;
	str_split(&rest, ':', &bare);
	struct str digits = str_sub(bare, str_starts(bare, "gfx") ? 3 : 0, bare.n);
	struct library lib = {.version = isa_version(digits),
		.file = arena_printf(a, "oclc_isa_version_%.*s.bc", STR_ARG(digits))};
	const char *name = arena_strndup(a, bare.p, bare.n);
	for (size_t i = 0; i < dirs->v.n; i++) {
		const char *dir = dirs->v.v[i];
		if (has_file(dir, lib.file) && dir_accepted(a, c, target, dir)) {
			return dir;
		}
	}
	const char *found = NULL;
	for (size_t i = 0; i < dirs->v.n && lib.version >= 0 && !found; i++) {
		lib.installed = dirs->v.v[i];
		found = stand_in(a, c, target, name, &lib);
	}
	return found;
}

const char *devlib_find(
	const char **dir, struct arena *a, const struct compiler *c, const char *target)
{
	struct words dirs = {0};
	devlib_places(&dirs, a, llvm_resource_dir(a, c->path));
	*dir = choose(a, c, target, &dirs);
	bool any = dirs.v.n > 0;
	array_release(&dirs.v);
	if (*dir) {
		return NULL;
	}
	return any ? "it accepts none of the ROCm device libraries here, and no stand-in could be "
		     "made (install newer ones, or llvm-as of its version)"
		   : "there are no ROCm device libraries (install rocm-device-libs, or set "
		     "ROCM_PATH)";
}
