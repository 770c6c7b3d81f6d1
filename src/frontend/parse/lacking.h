#pragma once
/*
 * Builtins that are newer than libclang: where a text fails on one of which rules/intrinsics.yaml
 * has the signature, it is parsed again with a header of ours that declares it. Internal to the
 * frontend.
 */
#include "base/map.h"
#include "base/str.h"
#include "frontend/clang/libclang.h"
#include "target/intrinsic.h"

/* The header's name, which no file has. */
#define LACKING_HEADER "/unphi-newer-builtins.h"

struct lacking {
	struct sbuf header; /* n 0: nothing is lacking so far */
	struct map known;   /* names that it declares */
};

/* Adds what the errors of a parse ask for; false when there was nothing new. */
bool lacking_add(struct lacking *l, CXTranslationUnit tu, const struct intrinsic_db *db);
void lacking_release(struct lacking *l);
