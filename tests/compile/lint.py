#!/usr/bin/env python3
"""unphi lint on kernels/: the merges at or over the threshold, and no others."""

import collections
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

# Merges by function: an if/else around else-if chains counts as one, and each chain as one more.
EXPECTED = {
    "factorial": {
        "wide::same_chained_once": 1,
        "wide::different_chained_once": 1,
        "wide::same_chained_loop": 1,
        "wide::different_chained_loop": 1,
    },
    "mla_decode": {"mla_decode_2": 1, "mla_decode_4": 3, "mla_decode_6": 3, "mla_decode_12": 7},
    "boundary_gemm": {"boundary_gemm_16": 1, "boundary_gemm_32": 1},
    "fma_tile": {"fma_tile_flat": 1, "fma_tile_square": 1},
    "wmma_tile": {"wmma_tile": 1},
}

EDGE = """
template <int N> __attribute__((device)) void add(float (&acc)[N], const float *x, float by)
{{
	for (int i = 0; i < N; ++i) {{
		acc[i] += by * x[i];
	}}
}}

__attribute__((global)) void edge(float *out, const float *x, int n, int steps)
{{
	float acc[{width}];
	for (int i = 0; i < {width}; ++i) {{
		acc[i] = out[i];
	}}
	for (int t = 0; t < steps; ++t) {{
		if (t < n) {{
			add(acc, x, 2);
		}} else {{
			add(acc, x + t, 3);
		}}
	}}
	for (int i = 0; i < {width}; ++i) {{
		out[i] = acc[i];
	}}
}}
"""


def check_kernel(name, targets):
    path = tool.kernel_path(name)
    code, findings = tool.lint(path, targets)
    text = pathlib.Path(path).read_text(encoding="utf-8")
    found = collections.Counter(map(tool.function_of, findings))
    wrong = [f"{f}: {found[f]} found, {EXPECTED[name].get(f, 0)} expected"
             for f in {*found, *EXPECTED[name]} if found[f] != EXPECTED[name].get(f, 0)]
    wrong += [f"line {f['line']}: not at an if" for f in findings
              if not text[f["offset"]:].startswith("if (")]
    wrong += [f"{f['rule']} at line {f['line']}" for f in findings
              if f["rule"] != "unphi-phi-explosion" or f["level"] != "warning"]
    wrong += [] if code == 1 else [f"exit code {code}"]
    tool.check(f"lint/{name}", wrong)
    code, findings = tool.lint(tool.hand_path(name), targets)
    tool.check(f"lint/{name}.hand", [f"line {f['line']}" for f in findings])


def check_edge(width, wanted):
    path = f"edge{width}.hip"
    pathlib.Path(path).write_text(EDGE.format(width=width), encoding="utf-8")
    code, findings = tool.lint(path, ["gfx90a"], "-nogpuinc")
    tool.check(f"lint/{width}-vgprs",
               [] if (code, len(findings)) == wanted else [f"exit code {code}, {findings}"])


def test():
    for name, targets in tool.KERNELS.items():
        check_kernel(name, targets)
    check_edge(15, (0, 0))
    check_edge(16, (0, 1))  # there is room for it: a note
    check_edge(32, (1, 1))


tool.main(test)
