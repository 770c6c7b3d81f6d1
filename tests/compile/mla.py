#!/usr/bin/env python3
"""The MLA decode kernels: as written all of them spill; rewritten they hardly do."""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

MOST_SPILLS = {"mla_decode_2": 6, "mla_decode_4": 6, "mla_decode_6": 6, "mla_decode_12": 10}

# The arms call a function: its wide part does not yet move behind the merge by itself.
BEHIND_HAND = {("clang++-19", "gfx942"): ("mla_decode_12",)}


def check_hipcc(name, out, report):
    """The figures that count are those of a compile of the file that was written."""
    kernels = tool.measure([out], "gfx90a", "hipcc")[0]["kernels"]
    spills = {k["name"]: k["vgpr_spills"] for k in kernels}
    tool.check(f"{name}/few-spills",
               [f"{k}: {spills.get(k)} spills" for k, most in MOST_SPILLS.items()
                if spills.get(k) is None or spills[k] > most])
    tool.check(f"{name}/report-is-what-is-measured",
               [f"{k['name']}: {m}" for k in kernels for r in tool.kernels_of(report)
                for m in ("vgprs", "vgpr_spills", "scratch_bytes", "instructions")
                if r["symbol"] == k["symbol"] and r["after"][m] != k[m]])
    tool.check(f"{name}/rewriting-again-changes-nothing",
               tool.changed_again(out, "gfx90a", "hipcc"))


def check_pair(compiler, target):
    name = f"mla/{compiler}-{target}"
    out = f"{compiler}-{target}.hip"
    report = tool.rewrite(tool.kernel_path("mla_decode"), target, compiler, out)
    kernels = {k["name"]: k for k in tool.kernels_of(report)}
    tool.check(f"{name}/all-spill-as-written",
               [k for k in MOST_SPILLS if kernels[k]["before"]["vgpr_spills"] <= 0])
    tool.check(f"{name}/none-worse", tool.worse(report))
    before, after = (sum(k[when]["vgpr_spills"] for k in kernels.values())
                     for when in ("before", "after"))
    tool.check(f"{name}/a-third-of-the-spills",
               [f"{before} -> {after}"] if 3 * after > before else [])
    tool.check_hand(name, "mla_decode", target, compiler, report,
                    BEHIND_HAND.get((compiler, target), ()))
    tool.check(f"{name}/lint-finds-what-was-kept", tool.unexplained(out, target, report))
    tool.check(f"{name}/host-pass", tool.not_for_host(out))
    if compiler == "hipcc":
        check_hipcc(name, out, report)


def test():
    tool.skip_missing_compilers("mla")
    for compiler, target in tool.pairs(tool.KERNELS["mla_decode"]):
        check_pair(compiler, target)


tool.main(test)
