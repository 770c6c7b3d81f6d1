#pragma once
/* A piece of HIP as a string, parsed without HIP's headers: what it needs of them stands here. */
#include <string.h>
#include "analysis/merge/merge.h"
#include "base/msg.h"
#include "frontend/frontend.h"

#define SNIPPET_PRELUDE                                                                            \
	"#define __global__ __attribute__((global))\n"                                             \
	"#define __device__ __attribute__((device))\n"                                             \
	"#define __shared__ __attribute__((shared))\n"                                             \
	"#define KERNEL extern \"C\" __global__ void\n"                                            \
	"struct dim { unsigned x, y, z; };\n"                                                      \
	"extern const __device__ dim threadIdx, blockIdx;\n"                                       \
	"typedef float f32x4 __attribute__((ext_vector_type(4)));\n"                               \
	"__device__ void __syncthreads();\n"

struct snippet {
	struct arena *arena;
	struct intrinsic_db db;
	struct kt_unit *unit;
	struct facts *facts;
	struct merge_list merges;
};

/* 0, or the frontend's failure. */
static inline int snippet_parse(struct snippet *s, const char *code)
{
	static const char *const flags[] = {"-nogpuinc", "-nogpulib", "-std=c++17", "-w", NULL};
	*s = (struct snippet){.arena = arena_create()};
	int rc = intrinsic_db_builtin(&s->db, s->arena);
	const char *text = arena_printf(s->arena, "%s%s", SNIPPET_PRELUDE, code);
	struct frontend_job job = {.path = "snippet.hip",
		.target = "gfx90a",
		.flags = flags,
		.text = str_of(text),
		.intrinsics = &s->db};
	rc = rc ? rc : frontend_parse(&s->unit, s->arena, &job, NULL);
	if (rc == 0) {
		s->facts = facts_create(s->unit, s->arena, &s->db);
		merges_find(&s->merges, s->facts, s->arena);
	}
	return rc;
}

/* 17 and 18 say of code out of a macro's body that it is spelled where the macro is used: what is
 * read from the text there, as inline asm is, stays unknown by them. */
static inline bool libclang_tells_spelling(void)
{
	struct arena *a = arena_create();
	const char *version = strstr(frontend_libclang_version(a), "version ");
	int64_t major = 0;
	struct str number = str_of(version ? version + strlen("version ") : ""), word = {0};
	bool known = str_split(&number, '.', &word) && str_to_i64(word, &major);
	arena_free(a);
	return known && major >= 19;
}

static inline void snippet_release(struct snippet *s)
{
	if (s->facts) {
		facts_release(s->facts);
	}
	intrinsic_db_release(&s->db);
	arena_free(s->arena);
}
