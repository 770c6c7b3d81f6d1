#pragma once
/*
 * Builtins that are newer than libclang. If a text fails to parse because of one, and
 * rules/intrinsics.yaml has its signature, it is parsed again with a generated header that declares
 * it. Internal to the frontend.
 */
#include "base/map.h"
#include "base/str.h"
#include "frontend/clang/libclang.h"
#include "target/intrinsic.h"

/* The header's name; there is no such file. */
#define MISSING_BUILTINS_HEADER "/unphi-newer-builtins.h"

struct missing_builtins {
	struct sbuf header; /* n 0: nothing is missing so far */
	struct map known;   /* names that it declares */
};

/* Adds the builtins that the errors of a parse name; false if there is no new one. */
bool missing_builtins_add(
	struct missing_builtins *l, CXTranslationUnit tu, const struct intrinsic_db *db);
void missing_builtins_release(struct missing_builtins *l);
