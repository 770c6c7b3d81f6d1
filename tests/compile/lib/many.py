"""A generated project: units with kernels of some shapes, a few of which are worth a rewrite, and headers
that they share."""

import json

import tool

HEADERS = 20
HEADER = """#ifndef STEP{i}_H
#define STEP{i}_H
template <int N> __attribute__((device)) inline void step{i}(float (&acc)[N], const float *p, int n)
{{
	for (int i = 0; i < N; ++i) {{
		acc[i] += p[i * n + {i}] * p[{i}];
	}}
}}
#endif
"""
ARMS = {
    # arms that are one but for an operand: fuse and hoist apply
    "alike": """		if (t < c) {{
			for (int i = 0; i < {width}; ++i) acc[i] += p[i + t] * p[{n}];
		}} else {{
			for (int i = 0; i < {width}; ++i) acc[i] += p[i + c] * p[{n}];
		}}
""",
    "different": """		if (t < c) {{
			for (int i = 0; i < {width}; ++i) acc[i] *= p[{n}];
		}} else {{
			for (int i = 0; i < {width}; ++i) acc[i] += p[t + i];
		}}
""",
    "none": """		step{a}(acc, p, t + {n});
""",
}
KERNEL = """__attribute__((global)) void k{unit}_{n}(float *p, int n, int c)
{{
	float acc[{width}] = {{}};
	for (int t = 0; t < n; ++t) {{
		step{a}(acc, p + t, n);
{arms}	}}
	for (int i = 0; i < {width}; ++i) p[i + {n}] = acc[i];
}}
"""


def unit(i, kernels, rare):
    text = f'#include "step{i % HEADERS}.h"\n\n'
    for n in range(kernels):
        kind = ("none", "none", "alike", "different")[(i + n) % 4]
        width = 32 + 16 * ((i + n) % 3)
        if rare:
            kind = ("alike", "different")[n % 2] if i % rare == 0 else "none"
            width = 16
        arms = ARMS[kind].format(width=width, n=n, a=i % HEADERS)
        text += KERNEL.format(unit=i, n=n, a=i % HEADERS, width=width, arms=arms) + "\n"
    return text


def make(top, units, kernels=2, target="gfx90a", rare=0):
    """units files in top/src, and top/compile_commands.json. rare: one unit in so many has merges, and all kernels
    are small, so that two thousand units can be compiled; 0: half of the kernels have one."""
    (top / "src").mkdir(parents=True)
    for i in range(HEADERS):
        (top / f"src/step{i}.h").write_text(HEADER.format(i=i))
    entries = []
    for i in range(units):
        name = f"src/u{i:05}.hip"
        (top / name).write_text(unit(i, kernels, rare))
        entries.append({"directory": str(top), "file": name,
                        "arguments": [tool.CLANG, f"--offload-arch={target}", "-nogpuinc", "-O3", "-c", name]})
    (top / "compile_commands.json").write_text(json.dumps(entries))
