#pragma once
/*
 * The functions that a file instantiates outside system headers, wherever that is: some of them
 * more than once. Internal to the frontend.
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
	kernels;		/* by symbol: which comes first depends on what was precompiled */
	ARRAY(CXCursor) others; /* that are not declared for the device */
};

/* Precompiled headers' own are not among them. The caller releases *out. */
void instances_find(struct instances *out, CXTranslationUnit tu);
/* Is it an instantiation that is not declared for the device? */
bool instance_of_host(CXCursor fn);
void instances_release(struct instances *in);
