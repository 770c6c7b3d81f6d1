#!/usr/bin/env python3
"""matrix_isa.py: every matrix operation as machine code leaves the bits that the CPU run of its source leaves.

A kernel each, from the table of all (matrix_ops.h), by clang for each GPU that has it, `verify --on both`: the
interpreter against the runner, which tests/exec/matrix.sh holds against plain products. A sample; all with
UNPHI_TEST_ALL. --by COMPILER:TARGET asks for one more (gfx950 needs clang 20)."""

import argparse
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
import tool  # noqa: E402

TABLE = tool.ROOT / "src/verify/runtime/unphi/matrix_ops.h"
SAMPLE = 9  # of so many operations one
LETTERS = {"f": "float", "d": "double", "i": "int", "l": "long", "h": "_Float16", "s": "short", "y": "__bf16"}
ITEM = """#if __has_builtin(__builtin_amdgcn_workitem_id_x)
#define ITEM (int)__builtin_amdgcn_workitem_id_x()
#else
#define ITEM (int)threadIdx.x
#endif
"""
HEAD = "#include <hip/hip_runtime.h>\n" + ITEM + "".join(
    f"typedef {kind} v{n}{letter} __attribute__((ext_vector_type({n})));\n" if n > 1 else f"typedef {kind} s1{letter};\n"
    for letter, kind in LETTERS.items() for n in (1, 2, 4, 8, 16, 32))  # fmt: skip
KERNEL = """extern "C" __global__ void {name}(const {a} *a, const {b} *b, {d} *d, const int *more)
{{
	const int l = ITEM, row = {row};
{calls}}}
"""
SPEC = """  - kernel: {name}
    grid: 1
    block: {lanes}
    wave-size: {lanes}
    buffers:
      a: {{type: {ta}, length: {na}, fill: {{random: {range}, seed: 1}}}}
      b: {{type: {tb}, length: {nb}, fill: {{random: {range}, seed: 2}}}}
      d: {{type: {td}, length: {nd}, fill: {{random: {drange}, seed: 3}}}}
      more: {{type: u8, length: 512, fill: {more}}}
    arguments: {{a: a, b: b, d: d, more: more}}
"""
SIZES = {"f": 4, "d": 8, "i": 4, "l": 8, "h": 2, "s": 2, "y": 2}
WIDTH = {"f32": 4, "xf32": 4, "f16": 2, "bf16": 2, "f64": 8, "fp8": 1, "bf8": 1, "i8": 1, "i32": 4,
         "u8": 1, "u32": 4}


def bytes_of(vector):
    return int(re.sub(r"\D", "", vector)) * SIZES[vector[-1]]


class Op:
    """One row of the table."""

    def __init__(self, macro, words):
        self.macro, self.name, words = macro, words[0], words[1:]
        self.lanes = int(words[0]) if "WMM" in macro else 64
        types = [w for w in words if not w.isdigit()]
        self.whole = macro.endswith("_INT")
        self.cut = "WMMA12" in macro or "SWMMAC" in macro
        if macro == "UNPHI_MFMA_SCALE":
            self.a, self.d = types
            self.b, self.types = self.a, ("u8", "u8", "f32")
        elif self.whole:
            self.a, self.b, self.d = types if self.cut else (types[0], types[0], types[1])
            self.types = ("u32", "u32", "i32")
        elif macro in ("UNPHI_WMMA", "UNPHI_WMMA_HALF"):
            self.a, self.b, self.d = types[2], types[2], types[3]
            self.types = (types[0], types[0], types[1])
        else:
            self.a, self.b, self.d = types[3:]
            self.types = tuple(types[:3])

    def is_for(self, target):
        """By what each generation of matrix units brought, or left out."""
        if "WMM" in self.macro:
            return target.startswith("gfx1") and target.startswith("gfx12") == self.cut
        if target.startswith("gfx1"):
            return False
        sparse, deep = "SMFMAC" in self.macro, bytes_of(self.a) == 16
        if "SCALE" in self.macro or (deep and "64" not in self.types[0]):
            return target == "gfx950"
        if target == "gfx90a":
            newer = self.types[0] in ("fp8", "bf8", "xf32") or self.name.endswith("_i8")
            return not sparse and not newer
        gone = self.types[0] == "bf16" and not self.name.endswith("_1k") and not sparse
        gone |= self.name in ("mfma_i32_32x32x8i8", "mfma_i32_16x16x16i8")
        return not gone and not (self.types[0] == "xf32" and target == "gfx950")

    def calls(self):
        def call(*words):
            return f"__builtin_amdgcn_{self.name}({', '.join(map(str, words))})"

        a, b, d = "a[row]", "b[row]", "d[l]"
        if "SCALE" in self.macro:  # all formats of either side, all bytes of a scale
            ways = [(f, (f + n) % 5, n % 4, (n + 2) % 4) for f in range(5) for n in range(2)]
            scaled = [call(a, b, d, *way[:3], "more[l]", way[3], "more[l + 64]") for way in ways]
            return scaled + [call(a, b, d, f, g, 0, 0, 0, 0) for f, g in ((0, 1), (2, 4))]
        if "SWMMAC" in self.macro:
            bits = bytes_of(self.a) * 8 // self.bits() * 2  # of the index
            ways = [f"more[l] >> {at}" for at in range(0, 32, bits)]
            return [call(0, a, 1, b, d, i, 1) if self.whole else call(a, b, d, i) for i in ways]
        if self.whole:
            return [call(s & 1, a, s >> 1, b, d, s & 1) for s in range(4)]
        if "HALF" in self.macro:
            return [call(a, b, d, s) for s in (0, 1)]
        if "WMMA" in self.macro:
            return [call(a, b, d)]
        sets = (0, 1) if bytes_of(self.a) * 8 // self.bits() <= 8 else (0,)
        return [call(a, b, d, "more[l]", 0, s) for s in sets] if "SMFMAC" in self.macro else [call(a, b, d, 0, 0, 0)]

    def bits(self):
        return int(re.search(r"_iu(\d)", self.name)[1]) if self.whole else 8 * WIDTH[self.types[0]]

    def text(self):
        calls = "".join(f"\td[l] = {c};\n" for c in self.calls())
        row = "l % 16" if "WMMA" in self.macro and not self.cut else "l"  # gfx11 has each row in several lanes
        return KERNEL.format(name=self.name, a=self.a, b=self.b, d=self.d, calls=calls, row=row)

    def spec(self, target):
        def kind(t):
            fnuz = "-fnuz" if t in ("fp8", "bf8") and target == "gfx942" else ""
            return {"xf32": "f32"}.get(t, t) + fnuz

        ta, tb, td = self.types
        length = lambda vector, t: 64 * bytes_of(vector) // WIDTH[t]
        numbers = {"i8": "[-128, 127]", "u8": "[0, 119]", "u32": "[0, 4294967295]"}.get(ta, "[-2, 2]")
        scales = "{random: [120, 134], seed: 4}" if ta == "u8" else "{values: [68, 238, 132, 78, 72, 228, 201, 156]}"
        return SPEC.format(name=self.name, lanes=self.lanes, ta=kind(ta), tb=kind(tb), td=kind(td), range=numbers,
                           na=length(self.a, ta), nb=length(self.b, tb), nd=length(self.d, td), more=scales,
                           drange="[-1000, 1000]" if td == "i32" else "[-2, 2]")  # fmt: skip


def table():
    text = TABLE.read_text(encoding="utf-8")
    return [Op(m, re.split(r",\s*", words)) for m, words in re.findall(r"^(UNPHI_\w+)\((.+)\)$", text, re.M)]


def run(compiler, target, every):
    for lanes in (32, 64) if every == 1 else (32,):
        chosen = [op for op in table() if op.is_for(target) and op.lanes == lanes][::every]
        name = f"matrix-{target}-{lanes}"
        if not chosen:
            continue
        pathlib.Path(f"{name}.hip").write_text(HEAD + "".join(op.text() for op in chosen), encoding="utf-8")
        spec = f"targets: [{target}]\nkernels:\n" + "".join(op.spec(target) for op in chosen)
        pathlib.Path(f"{name}.verify.yaml").write_text(spec, encoding="utf-8")
        wave = ["-mwavefrontsize64"] if lanes == 64 and target.startswith("gfx1") else []
        argv = [tool.UNPHI, "verify", "--on", "both", "--compiler", compiler, f"{name}.hip", f"{name}.hip", "-j1", "--",
                "-nogpuinc", f"-I{tool.ROOT}/tests/golden/rewrite/Inputs", "-ffp-contract=off", *wave]  # fmt: skip
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        good = f"{len(chosen)} of {len(chosen)} cases equal" in done.stdout
        tool.check(f"matrix-isa/{target}/{lanes}", [] if good else [done.stdout[-6000:] + done.stderr[-3000:]])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--by", action="append", default=[])
    args = p.parse_args()
    whole = bool(args.by or os.environ.get("UNPHI_TEST_ALL"))
    if not args.by and tool.CLANG not in tool.compilers():
        tool.skip("matrix-isa", f"{tool.CLANG} not found")
        return
    targets = ("gfx90a", "gfx942", "gfx1100", "gfx1200") if whole else ("gfx1200",)
    for by in args.by or [f"{tool.CLANG}:{t}" for t in targets]:
        run(*by.rsplit(":", 1), 1 if whole else SAMPLE)


if __name__ == "__main__":
    main()
