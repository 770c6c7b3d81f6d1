#define LIBCLANG_PLAIN_NAMES
#include "frontend/libclang.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

int frontend_load(void)
{
	return libclang_load();
}
