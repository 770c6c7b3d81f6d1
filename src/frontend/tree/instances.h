#pragma once
/*
 * The functions outside system headers that a file instantiates anywhere, some of them several
 * times. Internal to the frontend.
 */
#include <stdbool.h>

#include "base/array.h"
#include "frontend/clang/cursor.h"

struct instance {
	CXCursor fn;
	CXString symbol;
};

struct instances {
	ARRAY(struct instance)
	/* sorted by symbol, because libclang's order depends on the precompiled header */
	kernels;
	ARRAY(CXCursor) others; /* not declared for the device */
};

/* Without those of precompiled headers. The caller releases *out. */
void instances_find(struct instances *out, CXTranslationUnit tu);
/* Is it an instantiation that is not declared for the device? */
bool instance_of_host(CXCursor fn);
void instances_release(struct instances *in);
