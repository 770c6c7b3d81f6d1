#define LIBCLANG_PLAIN_NAMES
#include "frontend/libclang.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "frontend/frontend.h"

struct libclang libclang;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define X(name) {#name, offsetof(struct libclang, name)},
	LIBCLANG_FUNCTIONS(X)
#undef X
};

int libclang_load(void)
{
	if (libclang.clang_getClangVersion) {
		return 0;
	}
	struct libclang found = {0};
	/* lazily: of the functions that it calls most are never called */
	void *library = dlopen(LIBCLANG_SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		msg_error("libclang cannot be loaded: %s; install the one that unphi was built "
			  "with, or name its directory in LD_LIBRARY_PATH",
			dlerror());
		return FAIL_USAGE;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *f = dlsym(library, functions[i].name);
		if (!f) {
			msg_error("%s has no %s: unphi needs the libclang that it was built with, "
				  "or a newer one",
				LIBCLANG_SONAME, functions[i].name);
			return FAIL_USAGE;
		}
		memcpy((char *)&found + functions[i].offset, &f, sizeof(f));
	}
	libclang = found;
	return 0;
}

const char *libclang_path(void)
{
	Dl_info info;
	const void *inside = (const void *)(uintptr_t)libclang.clang_getClangVersion;
	return dladdr(inside, &info) ? info.dli_fname : NULL;
}

/* Has the loader written into code? */
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
			/* the page at either end may be another segment's as well */
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
