"""A short run of the fuzzer: 48 random kernels, rewritten by every strategy, run before and after; in a turn of
scripts/test eight others.

Prints `ok` or `not ok` for each strategy and check, as scripts/test wants it. scripts/fuzz is the
long form.
"""

import argparse
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True
for place in ("fuzz", "compile"):
    sys.path.insert(0, os.path.join(os.environ["UNPHI_ROOT"], "tests", place, "lib"))

import campaign  # noqa: E402
import harness  # noqa: E402
import tool  # noqa: E402
import waves  # noqa: E402

CASES, UNIT, SEED = (8, 8, f"test {tool.TURN}") if tool.TURN else (48, 24, "test")
LEAST = 8  # rewrites by each strategy; with less the generator is at fault
LEAST_OF = {"predicate": 2, "unify": 1}  # few kernels guard just what another arm does without, or only call


def main():
    if not shutil.which(harness.CXX):
        print(f"skip random kernels: {harness.CXX} not found")
        return
    # outside the test's own directory, which goes with the test
    out = os.path.join(os.environ.get("UNPHI_BUILD", "."), "fuzz")
    shutil.rmtree(out, ignore_errors=True)
    args = argparse.Namespace(
        cases=CASES, seed=SEED, unphi=os.environ["UNPHI"], out=out, jobs=2, unit=UNIT, inputs=12,
        keep=False, no_shrink=True, json=None, resume=False, verify=tool.HOST)  # fmt: skip
    stats = campaign.run(args)
    print(stats.as_text())
    names = [s.name for s in stats.strategies]
    for strategy in ["", "lint"] + names:
        name = strategy or "generator"
        # of hoist are "hoist", "hoist:fenced" and "hoist after launder"
        bad = [f for f in stats.failures if re.split("[: ]", f["strategy"])[0] == strategy]
        made = stats.rewrites[strategy] if strategy in names else LEAST
        if bad:
            where = ", ".join(f"{f['kind']} kernels {f['kernels'][:4]} in {f['reproducer']}" for f in bad)
            print(f"not ok random kernels, {name}: {where}")
        elif made < LEAST_OF.get(strategy, LEAST) and not tool.TURN:
            print(f"not ok random kernels, {name}: only {made} rewrites")
        else:
            print(f"ok random kernels, {name}")
    rejoined = stats.checks["merges rejoined"]  # after another strategy, whose line has what is wrong
    print(f"{'ok' if rejoined >= LEAST or tool.TURN else 'not ok'} random kernels, rejoin: {rejoined} rewrites")
    for module in waves.MODULES:
        name, made = module.STRATEGY, stats.own[module.STRATEGY][module.MADE]
        bad = [f for f in stats.failures if f["strategy"] == name]
        if bad:
            print(f"not ok random kernels, {name}: {bad[0]['detail'][:1000]}")
        elif made < LEAST and not tool.TURN:
            print(f"not ok random kernels, {name}: only {made} {module.MADE}")
        else:
            print(f"ok random kernels, {name}")


main()
