#!/usr/bin/env python3
"""The MLA decode kernels: as written all of them spill; rewritten none does."""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import said  # noqa: E402
import tool  # noqa: E402

KERNELS = ("mla_decode_2", "mla_decode_4", "mla_decode_6", "mla_decode_12")


def check_hipcc(name, target, out, report):
    """The figures that count are those of a compile of the file that was written."""
    kernels = tool.measure([out], target, "hipcc")[0]["kernels"]
    # the spec beside the file decides: none of its cases runs more
    ran = report["ran"]
    tool.check(f"{name}/runs-less",
               [f"{what}: {ran['before'][what]} -> {ran['after'][what]}" for what in ("issue cycles", "scratch bytes")
                if ran["after"][what] >= ran["before"][what]])
    tool.check(f"{name}/report-is-what-is-measured",
               [f"{k['name']}: {m}" for k in kernels for r in tool.kernels_of(report)
                for m in ("vgprs", "vgpr_spills", "scratch_bytes", "instructions")
                if r["symbol"] == k["symbol"] and r["after"][m] != k[m]])
    tool.check(f"{name}/rewriting-again-changes-nothing",
               tool.changed_again(out, target, "hipcc"))


def check_pair(compiler, target):
    name = f"mla/{compiler}-{target}"
    out = f"{compiler}-{target}.hip"
    report = tool.rewrite(tool.kernel_path("mla_decode"), target, compiler, out)
    kernels = {k["name"]: k for k in tool.kernels_of(report)}
    tool.check(f"{name}/all-spill-as-written",
               [k for k in KERNELS if kernels[k]["before"]["vgpr_spills"] <= 0])
    tool.check(f"{name}/none-worse", tool.worse(report))
    tool.check(f"{name}/none-spills",
               [f"{k}: {kernels[k]['after'][m]} {m}" for k in KERNELS
                for m in ("vgpr_spills", "scratch_bytes") if kernels[k]["after"][m] != 0])
    tool.check_hand(name, "mla_decode", target, compiler, report)
    tool.check(f"{name}/lint-finds-what-was-kept", tool.unexplained(out, target, report))
    tool.check(f"{name}/host-pass", tool.not_for_host(out))
    if compiler == "hipcc":
        check_hipcc(name, target, out, report)


def check_together(compiler, targets):
    """One text for all of them; what was compiled for each by itself is not compiled again."""
    name = f"mla/{compiler}-{'-'.join(targets)}"
    report = tool.rewrite(tool.kernel_path("mla_decode"), ",".join(targets), compiler, "together.hip")
    kernels = [(t["target"], k) for t in report["targets"] for k in t["kernels"]]
    tool.check(f"{name}/all-targets",
               [] if [t["target"] for t in report["targets"]] == list(targets)
               and len(kernels) == len(targets) * len(KERNELS) else ["some are not there"])
    tool.check(f"{name}/none-worse", tool.worse(report))
    tool.check(f"{name}/no-more-spills-than-one-arm-and-two",
               [f"{t} {k['name']}: {k['after']['vgpr_spills']}, one arm {k.get('one_arm')}"
                for t, k in kernels if not k.get("one_arm")
                or k["after"]["vgpr_spills"] > k["one_arm"]["vgpr_spills"] + 2])


def test():
    tool.skip_missing_compilers("mla")
    for compiler, target in tool.chosen("mla_decode", tool.pairs(tool.KERNELS["mla_decode"])):
        check_pair(compiler, target)
    if tool.ALL and tool.CLANG in tool.compilers():
        check_together(tool.CLANG, tool.CDNA)
    said.check("mla")


tool.main(test)
