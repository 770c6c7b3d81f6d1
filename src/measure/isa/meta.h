#pragma once
/*
 * The kernel descriptions between .amdgpu_metadata and .end_amdgpu_metadata, read line by line:
 * LLVM writes one key a line, and text that somebody cut or made up must not lead to a wrong
 * figure.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/array.h"
#include "base/str.h"

struct isa_meta {
	struct str name;    /* points into the text */
	int64_t vgpr_count; /* these are METRIC_ABSENT where missing or no sane number */
	int64_t agpr_count;
	int64_t sgpr_count;
	int64_t vgpr_spill_count;
	int64_t sgpr_spill_count;
	int64_t private_bytes;
	int64_t group_bytes;
	int64_t group_size;
	int64_t wave_size;
	bool dynamic_stack;
};

struct isa_metas {
	ARRAY(struct isa_meta) meta;
};

/* 0 when the block was found whole (it may hold no kernel), else why not, as a sentence's end. The
 * caller releases out->meta. */
const char *isa_meta_read(struct isa_metas *out, struct str isa);
