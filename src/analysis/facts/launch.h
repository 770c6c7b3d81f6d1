#pragma once
/*
 * The place in the launch: threadIdx.x, __builtin_amdgcn_workgroup_size_y(), warpSize and their
 * like, by rules/intrinsics.yaml.
 */
#include "analysis/facts/facts.h"

struct launch_value {
	enum intrinsic_form form; /* FORM_NONE: it is no such value; below FORM_FIRST_LANE else */
	char dimension;		  /* 'x', 'y' or 'z'; 0: all three, or one that is not known */
};

/* What the name of sym gives, if it is a variable of HIP's. */
enum intrinsic_form launch_of_symbol(const struct facts *f, kt_id sym);
/* What n, a variable, a member of one, or a call, gives. */
struct launch_value launch_value(const struct facts *f, const struct kt_node *n);
/* Is n, a binary expression whose first operand is threadIdx.x in a block of one dimension, the
 * same for all lanes of a wave of so many (of 64: of a wave of 32 as well)? */
bool launch_is_wave_number(const struct facts *f, const struct kt_node *n, unsigned lanes);

/* Threads of a block, by the kernel's own arithmetic: it takes its elements by blockIdx.x * N +
 * threadIdx.x or counts up from threadIdx.x by N, with one N everywhere, and asks for no other size
 * or dimension of the block. 0: that does not show. No bound, as a halo may make blocks larger. */
unsigned launch_block_shown(const struct facts *f, kt_id kernel);
