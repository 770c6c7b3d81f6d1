#pragma once
/*
 * The kernel descriptions between .amdgpu_metadata and .end_amdgpu_metadata, read line by line:
 * LLVM writes one key per line. A truncated or forged text must not yield a wrong figure.
 */
#include <stdbool.h>
#include <stdint.h>
#include "base/array.h"
#include "base/str.h"

struct isa_meta {
	struct str name;    /* points into the text */
	int64_t vgpr_count; /* these are METRIC_ABSENT if missing or out of range */
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

/* NULL if the block is complete (it may hold no kernel); else the error, as the end of a sentence.
 * The caller releases out->meta. */
const char *isa_meta_read(struct isa_metas *out, struct str isa);
