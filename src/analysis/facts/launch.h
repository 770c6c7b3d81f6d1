#pragma once
/*
 * Values of the launch: threadIdx.x, __builtin_amdgcn_workgroup_size_y(), warpSize and others, by
 * rules/intrinsics.yaml.
 */
#include "analysis/facts/facts.h"

struct launch_value {
	enum intrinsic_form form; /* FORM_NONE: not such a value; else below FORM_FIRST_LANE */
	char dimension;		  /* 'x', 'y' or 'z'; 0: all three, or unknown */
};

/* The value that sym names, if it is a variable of HIP's. */
enum intrinsic_form launch_of_symbol(const struct facts *f, kt_id sym);
/* The value of n, a variable, a member of one, or a call. */
struct launch_value launch_value(const struct facts *f, const struct kt_node *n);
/* Is n, a binary expression whose first operand is threadIdx.x in a block of one dimension, the
 * same for all lanes of a wave of so many (of 64: of a wave of 32 as well)? */
bool launch_is_wave_number(const struct facts *f, const struct kt_node *n, unsigned lanes);

/* The threads of a block by the kernel's arithmetic: it indexes by blockIdx.x * N + threadIdx.x or
 * counts up from threadIdx.x by N, with the same N everywhere, and uses no other size or dimension
 * of the block. 0: unknown. Not a bound, since blocks with a halo may be larger. */
unsigned launch_block_shown(const struct facts *f, kt_id kernel);
