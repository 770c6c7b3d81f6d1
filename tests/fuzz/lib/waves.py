"""Kernels for strategies that one lane alone would not show anything of: whole work-groups of them are
run by `unphi verify --races`, before and after.

Each such strategy has a module that makes its kernels: STRATEGY, REPORT (where rewrite's report has
what became of it), MADE (a word for what it did), LEAST_MADE (of a long run), KERNELS (of a file),
text(rng, names) and spec(rng, names).
"""

import json
import os
import random
import shutil
import subprocess

import barriers
import reloads

MODULES = (barriers, reloads)
STRATEGIES = [m.STRATEGY for m in MODULES]
INCLUDES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "golden", "rewrite", "Inputs")
LIMIT = 3000  # seconds; on a machine with much other work all of them may be needed
HOST = ["clang++-19", "-x", "hip", "--offload-host-only", "--offload-arch=gfx90a", "-nogpuinc", "-std=c++20", "-w",
        "-ferror-limit=3", "-fsyntax-only", "-I", INCLUDES]  # fmt: skip


def command(argv, cwd):
    try:
        return subprocess.run([str(a) for a in argv], cwd=cwd, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(argv, 124, "", f"longer than {LIMIT} s")


def check(unit):
    """Makes files, rewrites them, runs both; what goes wrong are failures of the unit."""
    for module in MODULES:
        check_module(unit, module)


def check_module(unit, module):
    rng = random.Random(f"{unit.seed} {module.REPORT} {unit.number}")
    names = [f"k{n}" for n in range(module.KERNELS)]
    text = module.text(rng, names)
    where = unit.path(module.REPORT)
    os.makedirs(where, exist_ok=True)
    for name, content in (("in.hip", text), ("in.verify.yaml", module.spec(rng, names))):
        with open(os.path.join(where, name), "w", encoding="utf-8") as f:
            f.write(content)
    failed = len(unit.stats.failures)
    strategy = next(s for s in unit.config.own if s.name == module.STRATEGY)
    outputs = [rewrite(unit, module, where, form) for form in strategy.forms]
    if all(outputs) and are_hosts(unit, module, where, outputs):
        compare(unit, module, where, outputs)
    if len(unit.stats.failures) > failed:
        shutil.copytree(where, os.path.join(unit.config.failures, f"{module.REPORT}-{unit.number}"), dirs_exist_ok=True)
    if not unit.config.keep:
        for name in os.listdir(where):
            os.unlink(os.path.join(where, name))
        os.rmdir(where)


def rewrite(unit, module, where, form):
    """The name of what the strategy makes of the file, or None after a failure."""
    counts, out = unit.stats.own[module.STRATEGY], form + ".hip"
    done = command([unit.config.unphi, "rewrite", "--strategy", f"{module.STRATEGY}:{form}", "--target", "gfx90a",
                    "--quiet", "-o", out, "--format", "json", "--report", form + ".json", "in.hip", "--", "-nogpuinc",
                    "-I", INCLUDES], where)  # fmt: skip
    if done.returncode:
        unit.fail("crash", module.STRATEGY, [], f"{where}: exit code {done.returncode} {done.stderr[-1500:]}")
        return None
    with open(os.path.join(where, form + ".json"), encoding="utf-8") as f:
        decisions = json.load(f)[module.REPORT]
    for d in decisions:
        counts["looked at"] += 1
        counts[module.MADE] += d["rewritten"]
        counts[form] += d["rewritten"]
        for t in d["tried"]:
            if "clause" in t:
                counts[f"clause {t['clause']}"] += 1
    return out


def are_hosts(unit, module, where, outputs):
    """Does the host's pass of the compiler take them, as it takes the input?"""
    if (done := command([*HOST, "in.hip"], where)).returncode:
        unit.fail("generator", "", [], f"{where}: the host: {done.stderr[-1000:]}")
        return False
    for out in outputs:
        unit.stats.checks["host compiles"] += 1
        if (done := command([*HOST, out], where)).returncode:
            unit.fail("compile", module.STRATEGY, [], f"{where}: {out}, the host: {done.stderr[-1000:]}")
            return False
    return True


def compare(unit, module, where, outputs):
    done = command([unit.config.unphi, "verify", "in.hip", *outputs, "--races", "--quiet", "--format", "json",
                    "--report", "verify.json", "-j1", *unit.config.verify], where)  # fmt: skip
    unit.stats.checks[f"files of {module.REPORT}"] += 1
    if done.returncode == 0:
        return
    wrong = done.stderr[-1000:]
    if done.returncode in (1, 3) and os.path.exists(os.path.join(where, "verify.json")):
        with open(os.path.join(where, "verify.json"), encoding="utf-8") as f:
            results = [r for r in json.load(f)["results"] if r["outcome"] != "equal"]
        if any(r["outcome"] == "unknown" for r in results):
            bad = next(r for r in results if r["outcome"] == "unknown")
            unit.fail("generator", "", [], f"{where}: {bad['case']}: {bad['said']}")
            return
        wrong = "; ".join(f"{r['file']} {r['case']}: {r['outcome']} {r['said'] or r['differences'][:1]}" for r in results)
    unit.fail("race", module.STRATEGY, [], f"{where}: exit code {done.returncode} {wrong}")


def missed(stats, strategy, least, whole):
    """What a run did not drive often enough."""
    module = next(m for m in MODULES if m.STRATEGY == strategy.name)
    counts = stats.own[strategy.name]
    demands = [(module.MADE, module.LEAST_MADE if whole else 1)]
    demands += [(what, least if whole else 1) for what in (*strategy.forms, *(f"clause {n}" for n in strategy.clauses))]
    return [f"{strategy.name}: {what}: {counts[what]}, wanted {n}" for what, n in demands if counts[what] < n]
