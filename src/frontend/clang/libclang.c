#define LIBCLANG_PLAIN_NAMES
#include "frontend/clang/libclang.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "frontend/frontend.h"
#include "frontend/clang/kinds.h"
#include "frontend/clang/compiler_libclang.h"

struct libclang libclang;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define X(name) {#name, offsetof(struct libclang, name)},
	LIBCLANG_FUNCTIONS(X)
#undef X
};

static char *wanted_by; /* the compiler whose libclang is preferred, or NULL */
static bool keep_nothing;
static bool is_own;

/* NULL, or the reason why the library cannot be used; valid until the next call. */
static const char *load_from(const char *path)
{
	struct libclang found = {0};
	/* lazy binding: most of the functions that it imports are never called */
	void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		return dlerror();
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *f = dlsym(library, functions[i].name);
		if (!f) {
			dlclose(library);
			return "it is older than 17";
		}
		memcpy((char *)&found + functions[i].offset, &f, sizeof(f));
	}
	libclang = found;
	if (kinds_other()) {
		libclang = (struct libclang){0};
		dlclose(library);
		return "it numbers the kinds of cursors otherwise than 17 to 22 do";
	}
	return NULL;
}

/* Loads the first of the words that works, and releases the words. */
static bool load_first(struct words *of)
{
	bool loaded = false;
	for (size_t i = 0; i < of->v.n && !loaded; i++) {
		loaded = !load_from(of->v.v[i]);
	}
	array_release(&of->v);
	return loaded;
}

/* Loads UNPHI_LIBCLANG: a library, or a directory or prefix that contains one. */
static int load_named(struct arena *a, const char *named)
{
	static const char *const places[] = {
		"", "/libclang.so", "/lib/libclang.so", "/lib64/libclang.so"};
	const char *why = NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *path = arena_printf(a, "%s%s", named, places[i]);
		bool is_file = file_exists(path) && !file_is_dir(path);
		why = is_file ? load_from(path) : why;
		if (is_file && !why) {
			return 0;
		}
	}
	return fail_usage(
		"UNPHI_LIBCLANG: %s cannot be used: %s; name a libclang.so from 17 on, or its "
		"prefix",
		named, why ? why : "there is no libclang.so");
}

void frontend_prefer(const char *compiler, bool no_cache)
{
	keep_nothing = no_cache;
	free(wanted_by);
	wanted_by = compiler ? strdup(compiler) : NULL;
}

/* Loads the compiler's own library, else the one that unphi was built with, else any. */
static int load_found(struct arena *a)
{
	struct words own = {0}, any = {0};
	compiler_libclang_find(&own, a, wanted_by, keep_nothing);
	is_own = load_first(&own);
	const char *why = is_own ? NULL : load_from(LIBCLANG_SONAME);
	if (!why) {
		return 0;
	}
	why = arena_strdup(a, why);
	compiler_libclang_find_any(&any, a);
	if (load_first(&any)) {
		return 0;
	}
	return fail_usage(
		"libclang cannot be loaded: %s; install one from 17 on (Debian: libclang-dev), or "
		"name it in UNPHI_LIBCLANG",
		why);
}

int libclang_load(void)
{
	if (libclang.clang_getClangVersion) {
		return 0;
	}
	struct arena *a = arena_create();
	const char *named = getenv("UNPHI_LIBCLANG");
	int rc = named && *named ? load_named(a, named) : load_found(a);
	arena_free(a);
	return rc;
}

bool libclang_is_own(const char **compiler)
{
	*compiler = wanted_by;
	return is_own;
}

unsigned libclang_major(void)
{
	CXString s = libclang.clang_getClangVersion();
	const char *said = strstr(libclang.clang_getCString(s), "version ");
	unsigned long n = said ? strtoul(said + strlen("version "), NULL, 10) : 0;
	libclang.clang_disposeString(s);
	return (unsigned)n;
}

unsigned libclang_compiler_major(void)
{
	static int major = -1; /* not known yet */
	if (major < 0) {
		struct arena *a = arena_create();
		unsigned compiler =
			is_own ? 0 : compiler_libclang_version(a, wanted_by, keep_nothing);
		major = (int)(compiler ? compiler : libclang_major());
		arena_free(a);
	}
	return (unsigned)major;
}

bool libclang_lacks_wave_size(void)
{
	enum {
		WITHOUT = 22
	};
	return libclang_major() >= WITHOUT && libclang_compiler_major() < WITHOUT;
}

const char *libclang_path(void)
{
	Dl_info info;
	const void *inside = (const void *)(uintptr_t)libclang.clang_getClangVersion;
	return dladdr(inside, &info) ? info.dli_fname : NULL;
}

/* PREFIX/lib/clang/N is installed together with PREFIX/lib/libclang.so. */
static const char *driver_below(struct arena *a, struct str prefix)
{
	const char *headers = arena_printf(a, "%.*s/lib/clang", STR_ARG(prefix));
	return file_is_dir(headers) ? arena_printf(a, "%.*s/bin/clang++", STR_ARG(prefix)) : NULL;
}

const char *libclang_driver(struct arena *a)
{
	const char *path = libclang_path(), *found = NULL;
	if (path) {
		found = driver_below(a, path_dir(path_dir(str_of(path_real(a, path)))));
	}
	if (path && !found) { /* on Debian this is a link to the library in another directory */
		found = driver_below(
			a, str_of(arena_printf(a, "/usr/lib/llvm-%u", libclang_major())));
	}
	return found;
}

/* Has the dynamic loader written to the code pages? */
static bool is_relocated(const struct dl_phdr_info *object)
{
	bool relocated = false;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		const ElfW(Dyn) *d = p->p_type == PT_DYNAMIC
					     ? (const void *)(object->dlpi_addr + p->p_vaddr)
					     : NULL;
		for (; d && d->d_tag != DT_NULL; d++) {
			relocated |= d->d_tag == DT_TEXTREL ||
				     (d->d_tag == DT_FLAGS && d->d_un.d_val & DF_TEXTREL);
		}
	}
	return relocated;
}

static int rest(struct dl_phdr_info *object, size_t size, void *user)
{
	(void)size;
	struct str name = path_base(str_of(object->dlpi_name));
	bool known = str_starts(name, "libclang") || str_starts(name, "libLLVM");
	if (!known || is_relocated(object)) {
		return 0;
	}
	size_t page = *(const size_t *)user;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && !(p->p_flags & PF_W)) {
			/* the first and the last page may belong to other segments, too */
			uintptr_t begin = (object->dlpi_addr + p->p_vaddr + page - 1) & -page;
			uintptr_t end = (object->dlpi_addr + p->p_vaddr + p->p_memsz) & -page;
			if (begin < end) {
				madvise((void *)begin, end - begin, MADV_DONTNEED);
			}
		}
	}
	return 0;
}

void libclang_rest(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	dl_iterate_phdr(rest, &page);
}

int frontend_load(void)
{
	return libclang_load();
}
