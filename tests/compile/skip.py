#!/usr/bin/env python3
"""No form that unphi emits leaves a matrix operation or barrier behind a per-lane branch without a
skip: matrix operations ignore the lane mask, so without a skip both arms' results are computed.

One source a target, with an arm of 1 to 8 matrix operations in every kernel, under a condition that
is uniform or differs per lane, once or in a loop; every strategy is forced on it, and what comes out
is measured against what went in. The arms differ in their operands only, so that all strategies
have their chance."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

# Parsed and compiled without the HIP headers, which cost more than the kernels.
FLAGS = ("-nogpuinc",)

CDNA_TYPES = """\
typedef float acc_t __attribute__((ext_vector_type(16)));
typedef _Float16 in_t __attribute__((ext_vector_type(4)));
#define ACCS 4
#define MMA(x, y, acc) __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc, 0, 0, 0)
"""
RDNA_TYPES = """\
typedef float acc_t __attribute__((ext_vector_type(8)));
typedef _Float16 in_t __attribute__((ext_vector_type(16)));
#define ACCS 8
#define MMA(x, y, acc) __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, acc)
"""
TARGETS = {
    "gfx908": (CDNA_TYPES, 4),
    "gfx90a": (CDNA_TYPES, 4),
    "gfx942": (CDNA_TYPES, 4),
    "gfx1100": (RDNA_TYPES, 8),
}

KERNEL = """
extern "C" __attribute__((global)) void {name}(acc_t *out, const in_t *in, int n, int steps)
{{
	const int lane = __builtin_amdgcn_workitem_id_x();
	acc_t acc[ACCS];
	for (int i = 0; i < ACCS; ++i) {{
		acc[i] = out[i * 64 + lane];
	}}
	for (int t = 0; t < {steps}; ++t) {{
		const in_t a = in[t * 256 + lane], b = in[t * 256 + 64 + lane];
		const in_t c = in[t * 256 + 128 + lane], d = in[t * 256 + 192 + lane];
		if ({condition}) {{
			{first}
		}} else {{
			{second}
		}}
	}}
	for (int i = 0; i < ACCS; ++i) {{
		out[i * 64 + lane] = acc[i];
	}}
}}
"""
CONDITIONS = {"uniform": "t < n", "lane": "lane < n + t"}
STEPS = {"once": "1", "loop": "steps"}
STRATEGIES = ("sequentialize", "launder", "hoist")


def kernel(name, condition, steps, operations, accs, before=""):
    def arm(x, y):
        return before + "\n\t\t\t".join(
            f"acc[{i % accs}] = MMA({x}, {y}, acc[{i % accs}]);" for i in range(operations))
    return KERNEL.format(name=name, condition=condition, steps=steps,
                         first=arm("a", "b"), second=arm("c", "d"))


def source(types, accs):
    text = types
    for word, condition in CONDITIONS.items():
        for often, steps in STEPS.items():
            for operations in range(1, 9):
                text += kernel(f"{word}_{often}_{operations}", condition, steps, operations, accs)
    for operations in (1, 4):
        text += kernel(f"uniform_barrier_{operations}", CONDITIONS["uniform"], "steps", operations,
                       accs, "__builtin_amdgcn_s_barrier();\n\t\t\t")
    return text


def forms(target, path):
    """{strategy: file} for the strategies that are there and change something."""
    out = {}
    for strategy in STRATEGIES:
        file = f"{target}-{strategy}.hip"
        done = tool.unphi("rewrite", path, "--target", target, "--strategy", strategy, "-o", file,
                          "--", *FLAGS, codes=(0, 2))
        if done.returncode == 2 and "not available" in done.stderr:
            tool.skip(f"skip/{target}/{strategy}", "not available yet")
        elif done.returncode == 2:
            tool.not_ok(f"skip/{target}/{strategy}", done.stderr.strip())
        elif pathlib.Path(file).read_bytes() != pathlib.Path(path).read_bytes():
            out[strategy] = file
    return out


def worse(before, after):
    """Kernels with more behind a branch without a skip, or behind a per-lane branch at all."""
    wrong = []
    old = {k["name"]: k for k in before["kernels"]}
    if len(after["kernels"]) != len(old):
        wrong.append(f"{len(after['kernels'])} kernels of {len(old)}")
    for k in after["kernels"]:
        for metric in ("matrix_unskipped", "lane_branch_matrix"):
            was, now = old[k["name"]][metric], k[metric]
            uniform = k["name"].startswith("uniform")
            if was is None or now is None:
                wrong.append(f"{k['name']}: no {metric}")
            elif now > was and (uniform or metric == "matrix_unskipped"):
                wrong.append(f"{k['name']}: {metric} {was} -> {now}")
    return wrong


def check_target(target, types, accs):
    users = tool.pairs([target])
    # the last is the one with WMMA, and alone knows gfx942
    users = users if tool.ALL or target == "gfx90a" else users[-1:]
    if not users:
        tool.skip(f"skip/{target}", "no compiler here knows it")
        return
    path = f"{target}.hip"
    pathlib.Path(path).write_text(source(types, accs), encoding="utf-8")
    emitted = forms(target, path)
    tool.check(f"skip/{target}/forms",
               [s for s in ("sequentialize", "launder") if s not in emitted])
    for compiler, _ in users:
        before, *after = tool.measure([path, *emitted.values()], target, compiler, *FLAGS,
                                      codes=(0, 3))
        if before["status"] == "crash":  # clang 15 on WMMA
            tool.skip(f"skip/{target}/{compiler}", "the compiler crashes on the source as it is")
            continue
        for strategy, measurement in zip(emitted, after):
            tool.check(f"skip/{target}/{compiler}/{strategy}", worse(before, measurement))


# The asm makes a per-lane branch of what was none, and clang 19 drops the skip around short arms.
PLANTED = """
extern "C" __attribute__((global)) void planted(acc_t *out, const in_t *in, int n)
{
	acc_t p = out[0], q = out[1];
	const in_t a = in[0], b = in[1], c = in[2], d = in[3];
	int s = n;
	p = MMA(a, b, p);
	q = MMA(c, d, q);
	asm("" : "+v"(s));
	if (s) {
		p = MMA(a, b, p);
		q = MMA(a, c, q);
	}
	asm("" : "+v"(s));
	if (!s) {
		p = MMA(c, d, p);
		q = MMA(b, d, q);
	}
	out[0] = p;
	out[1] = q;
}
"""


def check_planted():
    if "clang++-19" not in tool.compilers():
        tool.skip("skip/planted", "clang++-19 not found, and others keep the skip")
        return
    pathlib.Path("planted.hip").write_text(CDNA_TYPES + PLANTED, encoding="utf-8")
    (found,) = tool.measure(["planted.hip"], "gfx942", "clang++-19", *FLAGS)[0]["kernels"]
    tool.check("skip/planted",
               [] if (found["matrix_unskipped"] or 0) > 0 else ["measure does not see it"])


def test():
    tool.skip_missing_compilers("skip")
    check_planted()
    for target, (types, accs) in TARGETS.items():
        if target == "gfx908" and not tool.ALL:  # as gfx90a, by the same compilers
            continue
        check_target(target, types, accs)


tool.main(test)
