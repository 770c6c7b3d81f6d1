/* Reads a kernel's descriptor and parameters from the text of -S. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "isa/read.h"

int isa_refuse(struct isa_reader *r, const char *what, struct str name)
{
	const char *at =
		r->address ? arena_printf(r->a, "address %#llx: ", (unsigned long long)r->address)
		: r->line  ? arena_printf(r->a, "line %u: ", r->line)
			   : "";
	r->said = arena_printf(r->a, "%s%s %.*s", at, what, STR_ARG(name));
	return FAIL_INPUT;
}

void isa_read_later(struct isa_reader *r, struct str name)
{
	if (!map_has(&r->symbol, name)) {
		map_set(&r->symbol, name, 0);
	}
}

/* ---- descriptor ---- */

struct key {
	const char *name;
	size_t at;
	bool flag;
};

#define FLAG(name, member) {".amdhsa_" name, offsetof(struct isa_descriptor, member), true}
#define NUMBER(name, member) {".amdhsa_" name, offsetof(struct isa_descriptor, member), false}
static const struct key keys[] = {
	NUMBER("group_segment_fixed_size", lds_bytes),
	NUMBER("private_segment_fixed_size", scratch_bytes),
	NUMBER("kernarg_size", kernarg_bytes),
	NUMBER("user_sgpr_count", user_sgprs),
	NUMBER("system_vgpr_workitem_id", item_ids),
	NUMBER("float_round_mode_32", round_32),
	NUMBER("float_round_mode_16_64", round_16_64),
	NUMBER("float_denorm_mode_32", denormals_32),
	NUMBER("float_denorm_mode_16_64", denormals_16_64),
	FLAG("wavefront_size32", wave32),
	FLAG("uses_dynamic_stack", dynamic_stack),
	FLAG("user_sgpr_private_segment_buffer", private_segment_buffer),
	FLAG("user_sgpr_dispatch_ptr", dispatch_ptr),
	FLAG("user_sgpr_queue_ptr", queue_ptr),
	FLAG("user_sgpr_kernarg_segment_ptr", kernarg_ptr),
	FLAG("user_sgpr_dispatch_id", dispatch_id),
	FLAG("user_sgpr_flat_scratch_init", flat_scratch_init),
	FLAG("user_sgpr_private_segment_size", private_segment_size),
	FLAG("system_sgpr_workgroup_id_x", group_id[0]),
	FLAG("system_sgpr_workgroup_id_y", group_id[1]),
	FLAG("system_sgpr_workgroup_id_z", group_id[2]),
	FLAG("system_sgpr_workgroup_info", group_info),
	FLAG("system_sgpr_private_segment_wavefront_offset", scratch_offset),
};

/* Keys that change the semantics, and their only supported value. */
static const struct {
	const char *name;
	int64_t value;
} fixed[] = {
	{".amdhsa_ieee_mode", 1},
	{".amdhsa_dx10_clamp", 1},
	{".amdhsa_fp16_overflow", 0},
	{".amdhsa_user_sgpr_kernarg_preload_length", 0},
};

/* LLVM 21 and later use names for some values, defined by "\t.set NAME, 16". */
static bool set_value(struct isa_reader *r, struct str name, int64_t *out)
{
	const char *head = arena_printf(r->a, "\t.set %.*s, ", STR_ARG(name));
	size_t at = str_find(r->text, head, 0);
	struct str rest =
		str_sub(r->text, at == SIZE_MAX ? r->text.n : at + strlen(head), r->text.n);
	struct str line;
	return str_line(&rest, &line) && str_to_i64(str_trim(line), out);
}

static int read_key(struct isa_reader *r, struct str name, struct str text)
{
	int64_t value;
	if (!str_to_i64(text, &value) && !set_value(r, text, &value)) {
		return 0; /* an expression: not used for values that matter here */
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *at = (char *)&r->p->d + keys[i].at;
		if (str_is(name, keys[i].name) && keys[i].flag) {
			*(bool *)at = value != 0;
		} else if (str_is(name, keys[i].name)) {
			*(uint32_t *)at = (uint32_t)value;
		}
	}
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (str_is(name, fixed[i].name) && value != fixed[i].value) {
			return isa_refuse(r, "not covered:", name);
		}
	}
	return 0;
}

/* "gfx90a" in the line .amdgcn_target, as a number. */
int isa_read_target(struct isa_reader *r)
{
	static const unsigned covered[] = {0x90a, 0x942, 0x950, 0x1100, 0x1101, 0x1102, 0x1103,
		0x1150, 0x1151, 0x1152, 0x1153, 0x1200, 0x1201};
	size_t at = str_find(r->text, ".amdgcn_target", 0);
	struct str rest = str_sub(r->text, at == SIZE_MAX ? r->text.n : at, r->text.n);
	struct str line;
	size_t gfx = str_line(&rest, &line) ? str_find(line, "gfx", 0) : SIZE_MAX;
	if (gfx == SIZE_MAX) {
		return isa_refuse(r, "the assembly does not say its target", (struct str){"", 0});
	}
	r->p->gfx = (unsigned)strtoul(line.p + gfx + 3, NULL, 16);
	for (size_t i = 0; i < sizeof(covered) / sizeof(covered[0]); i++) {
		if (r->p->gfx == covered[i]) {
			return 0;
		}
	}
	return isa_refuse(r, "not covered:", str_sub(line, gfx, line.n));
}

static int read_descriptor(struct isa_reader *r)
{
	const char *head = arena_printf(r->a, "\t.amdhsa_kernel %s\n", r->p->symbol);
	size_t at = str_find(r->text, head, 0);
	if (at == SIZE_MAX) {
		return isa_refuse(r, "the assembly has no descriptor of", str_of(r->p->symbol));
	}
	struct str rest = str_sub(r->text, at + strlen(head), r->text.n);
	struct str line;
	r->p->d.denormals_16_64 = r->p->d.denormals_32 = 3;
	while (str_line(&rest, &line)) {
		struct str value = str_trim(line);
		struct str name;
		if (str_is(value, ".end_amdhsa_kernel")) {
			return 0;
		}
		if (str_split(&value, ' ', &name) && read_key(r, name, str_trim(value)) != 0) {
			return FAIL_INPUT;
		}
	}
	return isa_refuse(r, "the descriptor has no end:", str_of(r->p->symbol));
}

/* ---- metadata ---- */

struct parameters {
	ARRAY(struct isa_parameter) v;
};

static void read_parameter(struct parameters *out, struct str key, struct str value)
{
	int64_t n = 0;
	struct isa_parameter *last = out->v.n ? &out->v.v[out->v.n - 1] : NULL;
	if (last && str_is(key, ".offset") && str_to_i64(value, &n)) {
		last->at = (uint32_t)n;
	} else if (last && str_is(key, ".size") && str_to_i64(value, &n)) {
		last->bytes = (uint32_t)n;
	} else if (last && str_is(key, ".value_kind")) {
		last->kind = value;
	}
}

/* LLVM writes a kernel's parameters before its symbol, one key per line. */
static int read_metadata(struct isa_reader *r)
{
	struct parameters found = {{0}};
	const char *symbol = arena_printf(r->a, "%s.kd", r->p->symbol);
	size_t at = str_find(r->text, ".amdgpu_metadata", 0);
	struct str rest = str_sub(r->text, at == SIZE_MAX ? r->text.n : at, r->text.n);
	struct str line;
	bool whole = false;
	while (!whole && str_line(&rest, &line)) {
		if (str_starts(line, "  - ")) {
			found.v.n = 0;
		}
		struct str value = str_trim(line);
		if (str_starts(line, "      - ")) {
			array_push(&found.v, (struct isa_parameter){0});
		}
		if (str_starts(value, "- ")) {
			value = str_trim(str_sub(value, 2, value.n));
		}
		struct str key;
		if (str_split(&value, ':', &key)) {
			value = str_trim(value);
			read_parameter(&found, key, value);
			whole = str_is(key, ".symbol") && str_is(value, symbol);
		}
	}
	array_move(r->p->parameter, r->p->parameters, r->a, &found.v);
	return whole ? 0 : isa_refuse(r, "the assembly has no metadata of", str_of(r->p->symbol));
}

int isa_read_head(struct isa_reader *r)
{
	int rc = isa_read_target(r);
	rc = rc ? rc : read_descriptor(r);
	r->p->lanes = r->p->d.wave32 ? 32 : 64;
	return rc ? rc : read_metadata(r);
}
