/*
 * Fences and launders: the text that keeps LLVM from joining two ifs, or from using what it knows
 * of a condition. In functions that only devices compile they are written out. A function that the
 * host may compile, or a text for NVIDIA's compilers, gets a macro that is empty there. A text
 * counts as such if it, or a header in its directory, mentions these compilers or tests for AMD's.
 */
#include "strategy/plan/plan.h"
#include "strategy/text/text.h"

static kt_id function_of(const struct plan *p)
{
	const struct kt_node *n = p->place;
	return p->merge ? p->merge->fn : n ? facts_function_of(p->parse->facts, n) : 0;
}

bool strategy_is_for_nvidia(struct str t)
{
	static const char *const word[] = {"__HIP_PLATFORM_NVIDIA__", "__HIP_PLATFORM_NVCC__",
		"__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__", "__NVCC__", "__CUDACC__",
		"__CUDA_ARCH__", "USE_ROCM"};
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		if (str_holds(t, str_of(word[i]))) {
			return true;
		}
	}
	return false;
}

static bool is_written_out(const struct plan *p)
{
	kt_id id = function_of(p);
	const struct kt_fn *fn = &p->parse->unit->fn[id];
	bool device = fn->kind == KT_FN_KERNEL || (fn->kind == KT_FN_DEVICE && !fn->on_host);
	return id && device && !p->opts->nvidia && !strategy_is_for_nvidia(p->text);
}

static const char *with_reason(const struct plan *p, bool why, const char *code, const char *reason)
{
	return why && p->opts->comments ? arena_printf(p->a, "%s // %s", code, reason) : code;
}

const char *plan_fence(struct plan *p, bool why)
{
	if (!is_written_out(p)) {
		p->out->needs |= NEED_FENCE;
		return "UNPHI_FENCE();";
	}
	return with_reason(p, why, "__builtin_amdgcn_wave_barrier();", PLAN_SAYS_FENCE);
}

const char *plan_launder(struct plan *p, bool uniform, const char *name, bool why)
{
	if (!is_written_out(p)) {
		p->out->needs |= uniform ? NEED_LAUNDER_UNIFORM : NEED_LAUNDER;
		return arena_printf(p->a, "UNPHI_LAUNDER%s(%s);", uniform ? "_UNIFORM" : "", name);
	}
	const char *code = arena_printf(p->a, TEXT_LAUNDER "%c\"(%s));", uniform ? 's' : 'v', name);
	bool said = p->out->strategy == STRATEGY_LAUNDER; /* in the comment above the rewrite */
	return with_reason(p, why && !said, code, PLAN_SAYS_LAUNDER);
}

const char *plan_first_lane(struct plan *p, bool uniform, const char *value)
{
	return uniform && is_written_out(p)
		       ? arena_printf(p->a, "__builtin_amdgcn_readfirstlane(%s)", value)
		       : value;
}
