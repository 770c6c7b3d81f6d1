#!/usr/bin/env python3
"""What rewrite makes of kernels/ computes the same bits on the CPU: each strategy forced wherever it
is legal, however narrow, and what measuring chooses; and so do the versions by hand. Rewrites that
are wrong are all caught."""

import filecmp
import json
import os
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
import tool  # noqa: E402

STRATEGIES = ("hoist", "fuse", "sequentialize", "launder", "predicate", "split")
# Measuring is for one target and compiler here: tests/compile tries the others.
MEASURED = {"wmma_tile": "gfx1100"}
WRONG = tool.ROOT / "tests" / "exec" / "wrong"


def verify(*argv, codes=(0,)):
    """The results, by file and then by case."""
    done = tool.unphi("verify", *argv, "--format", "json", codes=codes)
    results = {}
    for r in json.loads(done.stdout)["results"]:
        results.setdefault(r["file"], {})[r["case"]] = r
    return results


def wrong_in(results):
    return [f"{case}: {r['outcome']}: {r['said'] or r['differences']}"
            for case, r in results.items() if r["outcome"] != "equal"]


def forced(source, name, strategy):
    """The file, or None when the strategy is legal nowhere in it."""
    out = f"{name}.{strategy}.hip"
    tool.unphi("rewrite", source, "--strategy", strategy, "--threshold", "1",
               "--target", ",".join(tool.KERNELS[name]), "-o", out)
    return None if filecmp.cmp(source, out, shallow=False) else out


def measured(source, name):
    out = f"{name}.measured.hip"
    tool.rewrite(source, MEASURED.get(name, "gfx90a"), "clang++-19", out)
    return None if filecmp.cmp(source, out, shallow=False) else out


def check_kernel(name, used):
    source = tool.kernel_path(name)
    made = {s: forced(source, name, s) for s in STRATEGIES}
    made["measured"] = measured(source, name)
    made = {s: out for s, out in made.items() if out}
    used.update(made)
    made["hand"] = tool.hand_path(name)
    results = verify(source, *made.values(), codes=(0, 1))
    for strategy, out in made.items():
        tool.check(f"verify/{name}/{strategy}", wrong_in(results[out]))


def check_portable():
    """The kernels for scripts/gpu, on the CPU."""
    source = tool.ROOT / "tests" / "gpu" / "portable.hip"
    made = {s: f"portable.{s}.hip" for s in STRATEGIES}
    for strategy, out in made.items():
        tool.unphi("rewrite", source, "--strategy", strategy, "--target", "gfx90a", "-o", out)
    made = {s: out for s, out in made.items() if not filecmp.cmp(source, out, shallow=False)}
    results = verify(source, *made.values(), codes=(0, 1))
    for strategy, out in made.items():
        tool.check(f"verify/portable/{strategy}", wrong_in(results[out]))


def check_wrong():
    before = "clauses.hip"
    after = "wrong.hip"
    shutil.copy(WRONG / before, before)
    shutil.copy(WRONG / "clauses.verify.yaml", "clauses.verify.yaml")
    text = pathlib.Path(before).read_text(encoding="utf-8")
    pathlib.Path(after).write_text("#define WRONG\n" + text, encoding="utf-8")
    results = verify(before, after, before, codes=(1,))
    tool.check("wrong/originals", wrong_in(results[before]))
    for case, r in results[after].items():
        caught = r["outcome"] in ("unequal", "broken")
        tool.check(f"wrong/{case}", [] if caught else [f"{r['outcome']}: {r['said']}"])


def test():
    if not shutil.which("clang++-19"):
        tool.skip("verify", "clang++-19 not found")
        return
    used = set()
    check_wrong()
    check_portable()
    for name in tool.KERNELS:
        check_kernel(name, used)
    # no kernel of kernels/ guards what another arm does without
    for strategy in (*(s for s in STRATEGIES if s != "predicate"), "measured"):
        tool.check(f"verify/{strategy}-used", [] if strategy in used else ["it changed nothing"])


os.environ.setdefault("LC_ALL", "C.UTF-8")
tool.main(test)
