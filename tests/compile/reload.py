#!/usr/bin/env python3
"""kernels/flash/query.hip: what its loop only reads is loaded again in it, and with that the kernel
has more waves, as many as by hand; the result gives the same bits."""

import json
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import said  # noqa: E402
import tool  # noqa: E402

SOURCE = tool.ROOT / "kernels" / "flash" / "query.hip"
CASES = (("hipcc", "gfx90a"), (tool.CLANG, "gfx90a"), (tool.CLANG, "gfx942"))


def check_case(compiler, target):
    name = f"reload/{compiler}-{target}"
    out = f"query-{compiler}-{target}.hip"
    tool.check(f"{name}/none-worse", tool.worse(tool.rewrite(SOURCE, target, compiler, f"default-{out}")))
    # the most waves, whatever its loads then wait
    report = tool.rewrite(SOURCE, target, compiler, out, "--prefer", "waves")
    tool.check(f"{name}/loaded-again",
               [str(f) for f in report["fragments"] if not f["rewritten"]]
               or ([] if report["fragments"] else ["no fragment"]))
    tool.check(f"{name}/more-waves",
               [f"{k['name']}: {k['before']['resident_waves']} -> {k['after']['resident_waves']}"
                for k in tool.kernels_of(report)
                if k["after"]["resident_waves"] <= k["before"]["resident_waves"]])
    tool.check_hand(name, "flash/query", target, compiler, report)
    return out


def check_fix(compiler, target):
    """lint has the rewrite as the fix of its advice, where it measures better. What rewrite compiled is not compiled
    again."""
    kept = any(f["rewritten"] for f in tool.rewrite(SOURCE, target, compiler, "fix.hip")["fragments"])
    done = tool.unphi("lint", SOURCE, "--target", target, "--compiler", compiler, "--measure",
                      "--checks", "-*,unphi-accumulator-lifetime", "--format", "json",
                      *tool.with_flags(compiler, target, ()))
    found = json.loads(done.stdout)["findings"]
    wrong = [] if found else ["no advice"]
    for f in found:
        text = "".join(e["text"] for e in f.get("fixes", []))
        wrong += [] if ("fragment(queries + zero" in text) == kept else [f"kept: {kept}, but {f}"]
    tool.check(f"reload/{compiler}-{target}/is lint's fix", wrong)


def check_bits(files):
    done = tool.unphi("verify", SOURCE, *files, "--races", "--format", "json", codes=(0, 1))
    results = json.loads(done.stdout)["results"]
    wrong = [f"{r['file']} {r['case']}: {r['outcome']}" for r in results
             if r["outcome"] != "equal"]
    tool.check("reload/same bits and no races", wrong or ([] if results else ["nothing was run"]))


def test():
    tool.skip_missing_compilers("reload")
    pairs = tool.pairs(("gfx90a", "gfx942"))
    cases = [p for p in CASES if p in pairs]
    cases = cases if tool.ALL else cases[-1:]
    files = [check_case(*p) for p in cases]
    if files:
        check_bits(files)
        check_fix(*cases[-1])
    said.check("reload")


tool.main(test)
