#include "measure/isa/isa.h"

#include <stdlib.h>
#include <string.h>
#include "base/map.h"
#include "base/msg.h"
#include "measure/isa/demangle.h"
#include "measure/ir/ir.h"
#include "measure/isa/call.h"
#include "measure/isa/exec.h"
#include "measure/isa/loops.h"
#include "measure/isa/meta.h"
#include "measure/isa/path.h"
#include "measure/isa/round.h"
#include "measure/isa/text.h"

const struct metric_info metric_info[METRIC_COUNT] = {
	[METRIC_VGPR] = {"vgprs", "VGPRs"},
	[METRIC_ARCH_VGPR] = {"arch_vgprs", "arch VGPRs"},
	[METRIC_ACC_VGPR] = {"acc_vgprs", "acc VGPRs"},
	[METRIC_SGPR] = {"sgprs", "SGPRs"},
	[METRIC_VGPR_SPILL] = {"vgpr_spills", "VGPR spills"},
	[METRIC_SGPR_SPILL] = {"sgpr_spills", "SGPR spills"},
	[METRIC_SCRATCH] = {"scratch_bytes", "scratch bytes"},
	[METRIC_SCRATCH_ACCESS] = {"scratch_accesses", "weighted scratch accesses"},
	[METRIC_REGISTER_WAVES] = {"register_waves", "register waves"},
	[METRIC_RESIDENT_WAVES] = {"resident_waves", "resident waves"},
	[METRIC_LDS] = {"lds_bytes", "LDS bytes"},
	[METRIC_GROUP_SIZE] = {"group_size", "work-group size"},
	[METRIC_MATRIX_DEST] = {"matrix_destinations", "matrix destination groups"},
	[METRIC_MATRIX_OP] = {"matrix_operations", "matrix operations"},
	[METRIC_FMA] = {"fma", "FMAs"},
	[METRIC_MUL_ADD] = {"mul_add", "multiplies and adds"},
	[METRIC_UNFUSED] = {"unfused", "adds of products"},
	[METRIC_COPY] = {"copies", "register copies"},
	[METRIC_INSTRUCTION] = {"instructions", "instructions"},
	[METRIC_WEIGHTED_INSTRUCTION] = {"weighted_instructions", "weighted instructions"},
	[METRIC_BRANCH] = {"weighted_branches", "weighted branches"},
	[METRIC_FLAT_ACCESS] = {"flat_accesses", "weighted flat accesses"},
	[METRIC_WIDE_PHI] = {"wide_phis", "wide phis"},
	[METRIC_BARRIER] = {"barriers", "barriers"},
	[METRIC_CALL] = {"calls", "calls"},
	[METRIC_MATRIX_UNSKIPPED] = {"matrix_unskipped", "matrix operations without a skip"},
	[METRIC_LANE_BRANCH_MATRIX] = {"lane_branch_matrix",
		"matrix operations under a per-lane branch"},
	[METRIC_PATH_LEAST] = {"cheapest_path", "issue cycles of the cheapest path"},
	[METRIC_PATH_MOST] = {"costliest_path", "issue cycles of the costliest path"},
};

/* The file's data about a kernel outside the metadata. */
struct kernel_text {
	struct str body;    /* from its label to its .Lfunc_end */
	bool whole;	    /* both were found */
	int64_t arch_vgprs; /* "; NumVgprs: 12", or .set KERNEL.num_vgpr, 12 */
	int64_t acc_offset; /* .amdhsa_accum_offset: where accumulation VGPRs begin in the file */
};

static bool number_after(struct str line, const char *head, int64_t *out)
{
	return str_starts(line, head) &&
	       str_to_i64(str_trim(str_sub(line, strlen(head), line.n)), out);
}

/* ".set KERNEL.num_vgpr, 12", as newer LLVMs write it. */
static void read_set(struct kernel_text *texts, const struct map *index, struct str line)
{
	size_t dot = str_find(line, ".num_vgpr,", 0);
	if (dot == SIZE_MAX || !str_starts(line, ".set ")) {
		return;
	}
	uintptr_t i = map_get(index, str_trim(str_sub(line, 5, dot)), UINTPTR_MAX);
	if (i != UINTPTR_MAX) {
		number_after(str_sub(line, dot, line.n), ".num_vgpr,", &texts[i].arch_vgprs);
	}
}

static void find_texts(struct kernel_text *texts, const struct map *index, struct str isa)
{
	struct str rest = isa;
	struct str line;
	struct kernel_text *body = NULL; /* the kernel of the instructions */
	struct kernel_text *info = NULL; /* the kernel of the figures in comments */
	struct kernel_text *descriptor = NULL;
	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		struct str name;
		if (s.n == 0) {
			continue;
		}
		if (body && str_starts(s, ".Lfunc_end") && isa_line_label(s, &name)) {
			body->body.n = (size_t)(line.p - body->body.p);
			body->whole = true;
			info = body;
			body = NULL;
		} else if (isa_line_label(line, &name) && name.p - line.p <= 1) {
			uintptr_t i = map_get(index, name, UINTPTR_MAX);
			if (i != UINTPTR_MAX && !texts[i].body.p) {
				body = &texts[i];
				body->body.p = rest.p;
				info = NULL;
			}
		} else if (str_starts(s, ".amdhsa_kernel ")) {
			uintptr_t i = map_get(index,
				str_trim(str_sub(s, strlen(".amdhsa_kernel "), s.n)), UINTPTR_MAX);
			descriptor = i == UINTPTR_MAX ? NULL : &texts[i];
		} else if (str_is(s, ".end_amdhsa_kernel")) {
			descriptor = NULL;
		} else if (descriptor && str_starts(s, ".amdhsa_accum_offset")) {
			number_after(s, ".amdhsa_accum_offset", &descriptor->acc_offset);
		} else if (info && number_after(s, "; NumVgprs:", &info->arch_vgprs)) {
			continue;
		} else {
			read_set(texts, index, s);
		}
	}
}

static int copies_of(struct str op)
{
	if (str_starts(op, "accvgpr_")) {
		return 1;
	}
	if (!str_starts(op, "mov_b") || str_find(op, "_dpp", 0) != SIZE_MAX) {
		return 0; /* DPP moves between lanes: not a copy */
	}
	return str_starts(op, "mov_b64") ? 2 : 1;
}

static void count_copies(int64_t *v, struct str mnemonic)
{
	struct str op = str_sub(mnemonic, 2, mnemonic.n);
	if (str_starts(op, "dual_")) {
		op = str_sub(op, 5, op.n);
	}
	bool packed = str_starts(op, "pk_");
	if (packed) {
		op = str_sub(op, 3, op.n);
	}
	v[METRIC_COPY] += copies_of(op) * (packed ? 2 : 1);
}

static int64_t depth_weight(unsigned depth)
{
	int64_t w = 1;
	for (; depth; depth--) {
		w *= 10;
	}
	return w;
}

static void count_weighted(int64_t *v, const struct isa_insn *in)
{
	int64_t weight = depth_weight(in->depth);
	v[METRIC_INSTRUCTION]++;
	v[METRIC_WEIGHTED_INSTRUCTION] += weight;
	v[METRIC_BRANCH] += str_starts(in->mnemonic, "s_cbranch_") ? weight : 0;
	v[METRIC_FLAT_ACCESS] += str_starts(in->mnemonic, "flat_") ? weight : 0;
}

/* VOPD: "v_dual_fmac_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4". The second half's mnemonic. */
static struct str dual_half(struct str operands)
{
	size_t at = str_find(operands, ":: ", 0);
	if (at == SIZE_MAX) {
		return (struct str){operands.p, 0};
	}
	struct str rest = str_trim(str_sub(operands, at + 3, operands.n));
	size_t space = str_find(rest, " ", 0);
	return str_sub(rest, 0, space == SIZE_MAX ? rest.n : space);
}

static void count_rounding(struct kernel_metrics *k, struct arena *a, const struct isa_function *f)
{
	isa_round_count(&k->rounding, a, f);
	for (size_t w = 0; w < ROUND_WIDTHS; w++) {
		const int64_t *n = k->rounding.n[w];
		k->v[METRIC_FMA] += w == ROUND_DOT ? 0 : n[ROUND_FMA];
		k->v[METRIC_MUL_ADD] += n[ROUND_MUL] + n[ROUND_ADD];
		k->v[METRIC_UNFUSED] += n[ROUND_UNFUSED];
	}
}

static void count_text(
	struct kernel_metrics *k, struct arena *a, const struct isa_function *f, unsigned wave_size)
{
	static const enum metric counted[] = {METRIC_SCRATCH_ACCESS, METRIC_MATRIX_DEST,
		METRIC_MATRIX_OP, METRIC_FMA, METRIC_MUL_ADD, METRIC_UNFUSED, METRIC_COPY,
		METRIC_CALL, METRIC_INSTRUCTION, METRIC_WEIGHTED_INSTRUCTION, METRIC_BRANCH,
		METRIC_FLAT_ACCESS, METRIC_BARRIER};
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		k->v[counted[i]] = 0;
	}
	struct map dest = {0};
	bool barrier = false;
	array_each (&f->insn, const struct isa_insn, in) {
		struct str m = in->mnemonic;
		count_weighted(k->v, in);
		k->form_copies += in->depth > 0 && str_starts(m, "v_accvgpr_");
		k->v[METRIC_CALL] += isa_is_call(m);
		k->v[METRIC_BARRIER] += isa_is_barrier(m);
		barrier = barrier || str_starts(m, "s_barrier");
		if (isa_is_matrix(m)) {
			k->v[METRIC_MATRIX_OP]++;
			map_set(&dest, isa_operand(in->operands, 0), 1);
		} else if (str_starts(m, "v_")) {
			count_copies(k->v, m);
			struct str half = dual_half(in->operands);
			if (str_starts(half, "v_")) {
				count_copies(k->v, half);
			}
		} else if (k->v[METRIC_SCRATCH] != 0 && isa_is_scratch(in)) {
			k->v[METRIC_SCRATCH_ACCESS] += depth_weight(in->depth);
		}
	}
	k->v[METRIC_MATRIX_DEST] = (int64_t)dest.n;
	map_release(&dest);
	count_rounding(k, a, f);

	struct isa_exec exec = {0, 0};
	if ((k->v[METRIC_MATRIX_OP] == 0 && !barrier) || isa_exec_count(&exec, f, wave_size)) {
		k->v[METRIC_MATRIX_UNSKIPPED] = exec.unskipped;
		k->v[METRIC_LANE_BRANCH_MATRIX] = exec.narrowed;
	}
}

static void set_registers(struct kernel_metrics *k, const struct target *t,
	const struct isa_meta *meta, const struct kernel_text *text)
{
	k->v[METRIC_VGPR] = meta->vgpr_count;
	k->v[METRIC_ACC_VGPR] = t->agprs ? meta->agpr_count : 0;
	k->v[METRIC_SGPR] = meta->sgpr_count;
	k->v[METRIC_VGPR_SPILL] = meta->vgpr_spill_count;
	k->v[METRIC_SGPR_SPILL] = meta->sgpr_spill_count;
	k->v[METRIC_SCRATCH] = meta->private_bytes;
	k->v[METRIC_LDS] = meta->group_bytes;
	k->v[METRIC_GROUP_SIZE] = meta->group_size;
	if (text->arch_vgprs >= 0) {
		k->v[METRIC_ARCH_VGPR] = text->arch_vgprs;
	} else if (k->v[METRIC_ACC_VGPR] == 0) {
		k->v[METRIC_ARCH_VGPR] = meta->vgpr_count;
	} else if (t->unified && text->acc_offset >= 0) {
		k->v[METRIC_ARCH_VGPR] = text->acc_offset;
	}
}

static unsigned known(int64_t v)
{
	return v > 0 && v <= UINT32_MAX ? (unsigned)v : 0;
}

static void set_waves(struct kernel_metrics *k, const struct target *t, unsigned wave_size)
{
	if (k->v[METRIC_VGPR] < 0 || k->v[METRIC_VGPR] > UINT32_MAX) {
		return;
	}
	struct occupancy_use use = {.vgprs = known(k->v[METRIC_VGPR]),
		.agprs = known(k->v[METRIC_ACC_VGPR]),
		.sgprs = known(k->v[METRIC_SGPR]),
		.lds_bytes = known(k->v[METRIC_LDS]),
		.group_size = known(k->v[METRIC_GROUP_SIZE]),
		.wave_size = wave_size};
	struct occupancy o;
	bool fits = target_occupancy_use(&o, t, &use);
	if (!fits) {
		use.lds_bytes = use.group_size = 0;
		if (!target_occupancy_use(&o, t, &use)) {
			return;
		}
	}
	k->v[METRIC_REGISTER_WAVES] = o.register_waves;
	if (fits && use.group_size && k->v[METRIC_LDS] >= 0) {
		k->v[METRIC_RESIDENT_WAVES] = o.resident_waves;
		k->limiter = o.limiter;
		k->waves_max = t->waves_max;
	}
}

/* calls: why remaining calls make the figures untrusted, or NULL */
static void set_trust(struct kernel_metrics *k, struct arena *a, const struct isa_meta *meta,
	bool has_text, const char *calls)
{
	static const enum metric needed[] = {
		METRIC_VGPR, METRIC_VGPR_SPILL, METRIC_SCRATCH, METRIC_REGISTER_WAVES};
	k->trusted = false;
	if (!has_text) {
		k->why = "its instructions are not in the compiler's output";
		return;
	}
	if (calls) {
		k->why = calls;
		return;
	}
	if (meta->dynamic_stack) {
		k->why = "its stack has no fixed size";
		return;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (k->v[needed[i]] < 0) {
			k->why = arena_printf(
				a, "its %s could not be read", metric_info[needed[i]].title);
			return;
		}
	}
	k->trusted = true;
	k->why = NULL;
}

static bool has_call(const struct isa_function *f)
{
	for (size_t i = 0; i < f->insn.n; i++) {
		if (isa_is_call(f->insn.v[i].mnemonic)) {
			return true;
		}
	}
	return false;
}

static void read_kernel(struct kernel_metrics *k, struct isa_callees *callees,
	const struct target *t, const struct isa_meta *meta, const struct kernel_text *text)
{
	struct arena *a = callees->a;
	const char *calls = NULL;
	k->symbol = arena_strndup(a, meta->name.p, meta->name.n);
	k->name = demangle_plain(a, meta->name);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		k->v[i] = METRIC_ABSENT;
	}
	unsigned wave_size = meta->wave_size == 32 || meta->wave_size == 64
				     ? (unsigned)meta->wave_size
				     : t->wave_size;
	set_registers(k, t, meta, text);
	set_waves(k, t, wave_size);
	if (text->whole) {
		struct isa_function f = {0};
		isa_function_read(&f, text->body);
		isa_depths_find(&f);
		calls = has_call(&f) ? isa_calls_resolve(callees, &f) : NULL;
		count_text(k, a, &f, wave_size);
		isa_paths_find(k, &f, t);
		isa_function_release(&f);
	}
	set_trust(k, a, meta, text->whole, calls);
}

static int by_symbol(const void *x, const void *y)
{
	const struct kernel_metrics *a = x;
	const struct kernel_metrics *b = y;
	return strcmp(a->symbol, b->symbol);
}

static void read_wide_phis(struct measurement *m, struct str ir)
{
	struct map phis = {0};
	ir_wide_phis(&phis, ir);
	span_each (m->kernel, m->kernels, struct kernel_metrics, k) {
		k->v[METRIC_WIDE_PHI] = (int64_t)map_get(
			&phis, str_of(k->symbol), (uintptr_t)(intptr_t)METRIC_ABSENT);
	}
	map_release(&phis);
}

const char *isa_read_quiet(struct measurement *out, struct arena *a, const struct target *t,
	struct str isa, struct str ir)
{
	struct isa_metas metas;
	const char *why = isa_meta_read(&metas, isa);
	if (why) {
		return why;
	}
	struct arena *scratch = arena_create();
	struct kernel_text *texts = ARENA_ARRAY(scratch, struct kernel_text, metas.meta.n);
	struct map index = {0};
	for (size_t i = 0; i < metas.meta.n; i++) {
		texts[i].arch_vgprs = texts[i].acc_offset = METRIC_ABSENT;
		if (!map_set(&index, metas.meta.v[i].name, i)) {
			why = "its .amdgpu_metadata has a kernel twice";
		}
	}
	if (!why) {
		find_texts(texts, &index, isa);
		struct measurement m = {.target = t->name,
			.kernel = ARENA_ARRAY(a, struct kernel_metrics, metas.meta.n),
			.kernels = metas.meta.n};
		struct isa_callees callees = {.isa = isa, .a = a};
		for (size_t i = 0; i < m.kernels; i++) {
			read_kernel(&m.kernel[i], &callees, t, &metas.meta.v[i], &texts[i]);
		}
		isa_callees_release(&callees);
		read_wide_phis(&m, ir);
		qsort(m.kernel, m.kernels, sizeof(m.kernel[0]), by_symbol);
		*out = m;
	}
	map_release(&index);
	arena_free(scratch);
	array_release(&metas.meta);
	return why;
}

int isa_read(struct measurement *out, struct arena *a, const struct target *t, struct str isa,
	struct str ir, const char *file)
{
	const char *why = isa_read_quiet(out, a, t, isa, ir);
	if (why) {
		return fail_input("%s: the compiler's output cannot be read: %s", file, why);
	}
	return 0;
}
