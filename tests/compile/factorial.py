#!/usr/bin/env python3
"""The factorial: wide chained cells lose their spills, narrow ones are left alone."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import said  # noqa: E402
import tool  # noqa: E402

# mla.py has clang-19 for gfx90a, too
PAIRS = (("hipcc", "gfx90a"), (tool.CLANG, "gfx942"))


def narrow_part(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    begin = text.index("namespace narrow\n")
    return text[begin:text.index("} // namespace narrow\n", begin)]


def check_pair(compiler, target):
    name = f"factorial/{compiler}-{target}"
    source = tool.kernel_path("factorial")
    out = f"{compiler}-{target}.hip"
    report = tool.rewrite(source, target, compiler, out)
    kernels = tool.kernels_of(report)
    tool.check(f"{name}/all-cells", [] if len(kernels) == 16 else [f"{len(kernels)} kernels"])
    spilling = [k["name"] for k in kernels if k["before"]["vgpr_spills"] > 0]
    if tool.clang_of(compiler) >= tool.SKIPS_UNIFORM and not spilling:
        tool.skip(f"{name}/some-spill-as-written", "this compiler keeps one copy at a uniform merge")
    else:
        tool.check(f"{name}/some-spill-as-written", [] if spilling else ["none does"])
    tool.check(f"{name}/only-wide-chained-spill",
               [k for k in spilling if not (k.startswith("wide::") and "chained" in k)])
    tool.check(f"{name}/no-spills-or-one-arm", tool.above_one_arm(report))
    tool.check(f"{name}/none-worse", tool.worse(report))
    tool.check(f"{name}/narrow-not-reported",
               [m["function"] for m in report["merges"] if "wide::" not in m["function"]])
    tool.check(f"{name}/narrow-untouched",
               [] if narrow_part(out) == narrow_part(source) else ["other bytes"])
    tool.check_hand(name, "factorial", target, compiler, report)
    tool.check(f"{name}/lint-finds-what-was-kept", tool.unexplained(out, target, report))
    if (compiler, target) == (tool.CLANG, "gfx942"):
        tool.check(f"{name}/host-pass", tool.not_for_host(out))
        tool.check(f"{name}/rewriting-again-changes-nothing",
                   tool.changed_again(out, target, compiler))


def test():
    tool.skip_missing_compilers("factorial")
    for compiler, target in tool.chosen("factorial", PAIRS):
        check_pair(compiler, target)
    said.check("factorial")


tool.main(test)
