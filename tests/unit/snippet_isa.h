/* A kernel's assembly around a few instructions: "k", in line 3 its first one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/msg.h"
#include "isa/isa.h"

static struct arena *arena;
static const char *said;
static const char *descriptor = "";
static const char *target = "gfx90a";
static const char *variables = "";

static int read_body(struct isa_program *p, const char *body)
{
	const char *text = arena_printf(arena,
		"\t.text\nk:\n%s.Lfunc_end0:\n\t.amdhsa_kernel k\n"
		"\t\t.amdhsa_group_segment_fixed_size 256\n"
		"\t\t.amdhsa_private_segment_fixed_size 16\n"
		"\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
		"\t\t.amdhsa_system_sgpr_workgroup_id_x 1\n%s"
		"\t.end_amdhsa_kernel\n\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n"
		"\t.amdgpu_metadata\n---\namdhsa.kernels:\n"
		"  - .args:\n"
		"      - .address_space:  global\n        .offset:         0\n"
		"        .size:           8\n        .value_kind:     global_buffer\n"
		"      - .offset:         8\n        .size:           4\n"
		"        .value_kind:     by_value\n"
		"    .symbol:         k.kd\n...\n\t.end_amdgpu_metadata\n%s",
		body, descriptor, target, variables);
	return isa_program_read(p, &said, arena, str_of(text), "k");
}
