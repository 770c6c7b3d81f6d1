#!/usr/bin/env python3
"""Boundary GEMM, FMA tile and WMMA tile: nothing worse, spills gone or as few as with one arm."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import said  # noqa: E402
import tool  # noqa: E402

# Clang 15 gives gfx1100 half the registers that it has: wmma_tile spills there whatever one writes.
CASES = {
    "boundary_gemm": (("hipcc", "gfx90a"), (tool.CLANG, "gfx942")),
    "fma_tile": (("hipcc", "gfx90a"), (tool.CLANG, "gfx942")),
    "wmma_tile": ((tool.CLANG, "gfx1100"),),
}

MOST_VGPRS = {"boundary_gemm": 178}


def check_case(kernel, compiler, target):
    name = f"others/{kernel}/{compiler}-{target}"
    out = f"{kernel}-{compiler}-{target}.hip"
    report = tool.rewrite(tool.kernel_path(kernel), target, compiler, out)
    tool.check(f"{name}/none-worse", tool.worse(report))
    tool.check(f"{name}/no-spills-or-one-arm", tool.above_one_arm(report))
    left = [k["name"] for k in tool.kernels_of(report)
            if k["after"]["vgprs"] >= k["before"]["vgprs"]
            and k["after"]["vgpr_spills"] >= k["before"]["vgpr_spills"]]
    if left and tool.clang_of(compiler) >= tool.SKIPS_UNIFORM:
        tool.skip(f"{name}/fewer-registers-or-spills", "this compiler keeps one copy at a uniform merge")
    else:
        tool.check(f"{name}/fewer-registers-or-spills", left)
    tool.check_hand(name, kernel, target, compiler, report)
    tool.check(f"{name}/few-registers",
               [f"{k['name']}: {k['after']['vgprs']} VGPRs" for k in tool.kernels_of(report)
                if k["after"]["vgprs"] > MOST_VGPRS.get(kernel, k["after"]["vgprs"])])
    tool.check(f"{name}/lint-finds-what-was-kept", tool.unexplained(out, target, report))
    tool.check(f"{name}/host-pass", tool.not_for_host(out))
    if target != "gfx90a":
        tool.check(f"{name}/rewriting-again-changes-nothing",
                   tool.changed_again(out, target, compiler))


def check_small_groups(compiler, target):
    """Half the threads in a group: twice the registers for each, and what is saved is waves."""
    name = f"others/boundary_gemm-256/{compiler}-{target}"
    source = "boundary_gemm-256.hip"
    text = pathlib.Path(tool.kernel_path("boundary_gemm")).read_text(encoding="utf-8")
    for full, half in (("THREADS = 512", "THREADS = 256"), ("BLOCK_M = 4", "BLOCK_M = 2")):
        assert full in text
        text = text.replace(full, half)
    pathlib.Path(source).write_text(text, encoding="utf-8")
    report = tool.rewrite(source, target, compiler, f"out-{source}")
    tool.check(f"{name}/none-worse", tool.worse(report))
    tool.check(f"{name}/more-waves",
               [f"{k['name']}: {k['before']['resident_waves']} -> {k['after']['resident_waves']}"
                for k in tool.kernels_of(report)
                if k["after"]["resident_waves"] <= k["before"]["resident_waves"]])


def test():
    tool.skip_missing_compilers("others")
    for kernel, pairs in CASES.items():
        for compiler, target in tool.chosen(kernel, pairs):
            check_case(kernel, compiler, target)
    if tool.ALL and tool.CLANG in tool.compilers():
        check_small_groups(tool.CLANG, "gfx942")
    said.check("others")


tool.main(test)
