#!/usr/bin/env python3
"""access.py [SEED [KERNELS]]: random kernels with accesses of a lane side by side, and what spoils
them now and then. The fixes of unphi-scalar-access are applied, and every bit is the same; a fix that
takes a wrong element is seen. Which are made the compiler's output decides, so there have to be
enough of them."""

import pathlib
import random
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
import tool  # noqa: E402

TARGET = "gfx90a"
FLAGS = ("--", "-nogpuinc", f"-I{tool.ROOT}/tests/golden/rewrite/Inputs")
PER_LANE = 8  # elements of a lane in each buffer
TYPES = {"float": "f32", "int": "i32", "_Float16": "f16"}

PRELUDE = """#include <hip/hip_runtime.h>

__device__ inline int lane()
{
#if __has_builtin(__builtin_amdgcn_workitem_id_x)
	return (int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x());
#else
	return (int)(blockIdx.x * 64 + threadIdx.x);
#endif
}

// as much as keeps an if an if
__device__ int series(const int *__restrict__ w, int x)
{
	int s = 0;
	for (int k = 0; k < (x & 7); k++) {
		s = s * 3 + w[k] + x;
	}
	return s;
}
"""

SPEC = """  - kernel: {name}
    block: 64
    grid: 2
    buffers:
      in: {{type: {code}, length: 1024, fill: {{random: [-9, 9], seed: {seed}}}}}
      out: {{type: {code}, length: 1024, fill: {{random: [-9, 9], seed: 7}}}}
      result: {{type: i32, length: 128, fill: poison}}
      w: {{type: i32, length: 8, fill: {{random: [-9, 9], seed: 8}}}}
    arguments: {{in: in, out: out, result: result, w: w}}
    cases:
      - name: random
"""


class Kernel:
    def __init__(self, rng, number):
        self.rng, self.name = rng, f"k{number}"
        self.type = rng.choice(list(TYPES))
        self.stores = rng.random() < 0.4
        self.count = rng.choice((2, 4, 4, 8))
        self.order = list(range(self.count))
        if rng.random() < 0.4:
            rng.shuffle(self.order)

    def harm(self):
        """What the fix may not be moved past, or may: the kernel itself is right either way."""
        return self.rng.choice((
            "p[at + 1] = (T)s;", "out[at + 2] = (T)(s & 3);", "at ^= 0;", "at = at + 0 * s;", "p = p + 0;",
            "if (s == 12345) { return; }", "if (s & 1) { out[at] = (T)s; }", "__threadfence_block();",
            "s += (int)out[at];", "s += w[1];", "s ^= s >> 3;",
        )).replace("T)", f"{self.type})")  # fmt: skip

    def step(self, index):
        r = self.rng
        if self.stores:
            lines = [f"\tp[at + {index}] = ({self.type})((s + {index}) & 15);", "\tif (s & 2) {", "\t\ts += series(w, s);", "\t}"]
        else:
            lines = [f"\tconst int x{index} = (int)p[at + {index}];", f"\tif (x{index} > {r.randrange(-3, 4)}) {{",
                     f"\t\ts += series(w, x{index} + s);", "\t}", f"\ts = s * 5 + x{index};"]  # fmt: skip
        if r.random() < 0.06:
            lines.insert(r.randrange(len(lines) + 1) if r.random() < 0.5 else 0, "\t" + self.harm())
        return lines

    def loop(self):
        body = (["\tp[at + i] = (" + self.type + ")((s + i) & 15);"] if self.stores else ["\tconst int x = (int)p[at + i];"])
        body += ["\tif (" + ("s & 2" if self.stores else "x > 0") + ") {", "\t\ts += series(w, s + i);", "\t}"]
        body += ["\ts = s * 5 + " + ("i;" if self.stores else "x;")]
        if self.rng.random() < 0.15:
            body.insert(self.rng.randrange(len(body)), "\t" + self.harm())
        return [f"\tfor (int i = 0; i < {self.count}; i++) {{", *("\t" + line for line in body), "\t}"]

    def text(self):
        r = self.rng
        base = "out" if self.stores else "in"
        const = "" if self.stores or r.random() < 0.1 else "const "
        restrict = [" __restrict__" if r.random() < 0.9 else "" for _ in range(2)]
        align = r.random() < 0.9
        start = f"({const}{self.type} *)__builtin_assume_aligned({base}, 16)" if align else base
        body = self.loop() if r.random() < 0.4 else [line for i in self.order for line in self.step(i)]
        head = f"__global__ void {self.name}({const}{self.type} *{restrict[0]} in, {self.type} *{restrict[1]} out,"
        return "\n".join((
            head, "\tint *__restrict__ result, const int *__restrict__ w)", "{", f"\tint at = lane() * {PER_LANE};",
            f"\t{const}{self.type} *p = {start};", "\tint s = at;", *body, "\tresult[lane()] = s;", "}", ""))  # fmt: skip

    def spec(self, seed):
        return SPEC.format(name=self.name, code=TYPES[self.type], seed=seed)


def made(rng, count):
    kernels = [Kernel(rng, i) for i in range(count)]
    source = PRELUDE + "\n" + "\n".join(k.text() for k in kernels)
    spec = f"targets: [{TARGET}]\nkernels:\n" + "".join(k.spec(i) for i, k in enumerate(kernels))
    for name in ("before", "after"):
        pathlib.Path(f"{name}.hip").write_text(source, encoding="utf-8")
    pathlib.Path("spec.yaml").write_text(spec, encoding="utf-8")


def verify(after, codes):
    return tool.unphi("verify", "before.hip", after, "--spec", "spec.yaml", "--target", TARGET, *tool.HOST, codes=codes).stdout


def test():
    seed, count = (sys.argv[1:] + ["1", "8"][len(sys.argv) - 1:])[:2]
    apply = shutil.which(f"clang-apply-replacements-{tool.llvm()}")
    if not apply or "hipcc" not in tool.compilers():
        tool.skip("access/random", "hipcc or clang-apply-replacements not found")
        return
    made(random.Random(f"access {seed}"), int(count))
    pathlib.Path("fix").mkdir(exist_ok=True)
    tool.unphi("lint", "after.hip", "--target", TARGET, "--compiler", "hipcc", "--measure", "--checks",
               "-*,unphi-scalar-access", "--export-fixes", "fix/fixes.yaml", *FLAGS)
    done = tool.run(apply, "fix")
    after = pathlib.Path("after.hip").read_text(encoding="utf-8")
    fixes = after.count("__builtin_memcpy")
    said = verify("after.hip", (0, 1, 3))
    differ = [line.strip() for line in said.splitlines() if line.startswith("  ") and "equal" not in line]
    wrong = [f"clang-apply-replacements: {done.stderr}"] * (done.returncode != 0) + differ
    least = int(count) // 3
    tool.check("access/random", wrong + [f"only {fixes} fixes of {count} kernels"] * (fixes < least))
    # the next element in place of the first one read or written
    spoiled = re.sub(r"(\w+_vec\w*)\[0\]", r"\1[1]", after, count=1)
    pathlib.Path("spoiled.hip").write_text(spoiled, encoding="utf-8")
    tool.check("access/wrong-element", [] if spoiled != after and "differ" in verify("spoiled.hip", (1,))
               else ["a fix with a wrong element is not seen"])


tool.main(test)
