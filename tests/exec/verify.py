#!/usr/bin/env python3
"""What rewrite makes of kernels/ computes the same bits on the CPU: each strategy forced wherever it
is legal, however narrow, and what measuring chooses; and so do the versions by hand. Rewrites that
are wrong, at least one for each clause of each strategy, are all caught."""

import filecmp
import functools
import json
import os
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "lib"))
import strategies as known  # noqa: E402
import tool  # noqa: E402

STRATEGIES = tool.strategies()
WRONG = tool.ROOT / "tests" / "exec" / "wrong"
LONG = {**os.environ, "UNPHI_TEST_HOST_LEVEL": "-O1"}  # for cases that run longer than this compiles
STUB = () if tool.ALL else ("--", "-nogpuinc", "-I", tool.ROOT / "tests" / "golden" / "rewrite" / "Inputs")


def verify(*argv, codes=(0,), env=None):
    """The results, by file and then by case."""
    done = tool.unphi("verify", *argv, "--format", "json", codes=codes, env=env)
    results = {}
    for r in json.loads(done.stdout)["results"]:
        results.setdefault(r["file"], {})[r["case"]] = r
    return results


def wrong_in(results):
    return [f"{case}: {r['outcome']}: {r['said'] or r['differences']}"
            for case, r in results.items() if r["outcome"] != "equal"]


def targets(name):
    """The kernel's; one of them by default."""
    return tool.KERNELS[name] if tool.ALL else tool.KERNELS[name][:1]


def forced(source, name, strategy):
    """The file, or None when the strategy is legal nowhere in it. HIP's own headers are parsed with --all alone:
    the text that comes out is the same."""
    out = f"{name}.{strategy}.hip"
    tool.unphi("rewrite", source, "--strategy", strategy, "--threshold", "1",
               "--target", ",".join(targets(name)), "-o", out, *STUB)
    return None if filecmp.cmp(source, out, shallow=False) else out


def measured(source, name):
    out = f"{name}.measured.hip"
    compiler, target = tool.pair(name)  # what tests/compile has compiled for
    if compiler not in tool.compilers():
        return None
    tool.rewrite(source, target, compiler, out)
    return None if filecmp.cmp(source, out, shallow=False) else out


def check_kernel(name, used):
    source = tool.kernel_path(name)
    made = {s: forced(source, name, s) for s in STRATEGIES}
    made["measured"] = measured(source, name)
    made = {s: out for s, out in made.items() if out}
    used.update(made)
    made["hand"] = tool.hand_path(name)
    results = verify(source, *made.values(), "--target", ",".join(targets(name)), *tool.HOST, codes=(0, 1), env=LONG)
    for strategy, out in made.items():
        tool.check(f"verify/{name}/{strategy}", wrong_in(results[out]))


def check_portable():
    """The kernels for scripts/gpu, on the CPU."""
    source = tool.ROOT / "tests" / "gpu" / "portable.hip"
    made = {s: f"portable.{s}.hip" for s in STRATEGIES}
    for strategy, out in made.items():
        tool.unphi("rewrite", source, "--strategy", strategy, "--target", "gfx90a", "-o", out)
    made = {s: out for s, out in made.items() if not filecmp.cmp(source, out, shallow=False)}
    results = verify(source, *made.values(), *tool.HOST, codes=(0, 1), env=LONG)
    for strategy, out in made.items():
        tool.check(f"verify/portable/{strategy}", wrong_in(results[out]))


def wrong_text():
    """All of tests/exec/wrong as one file: one compile for the originals, one for the rewrites."""
    rest = sorted(p for p in WRONG.glob("*.hip") if p.name != "head.hip")
    return "\n".join(p.read_text(encoding="utf-8") for p in [WRONG / "head.hip", *rest])


def unseen():
    """Clauses without a wrong rewrite, and why."""
    lines = (WRONG / "unseen.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split(" ", 2) for line in lines if not line.startswith("#")]
    return {(name, int(number)): why for name, number, why in words}


def check_clauses(kernels):
    """Each clause of each strategy has a wrong rewrite, or stands in unseen.txt."""
    without = unseen()
    strategies = known.find(tool.UNPHI)
    everywhere = {(s.name, n) for s in strategies for n in s.clauses}
    named = {(a.replace("_", "-"), int(n)) for a, n in
             (re.match(r"(\w+?)_(\d+)_", k).groups() for k in kernels if re.search(r"_\d+_", k))}
    for s in strategies:
        for n in s.clauses:
            # what it takes over from another strategy is shown there
            other = re.match(r"as for (\w+)", s.clauses[n])
            key = (other.group(1), n) if other and (s.name, n) not in named else (s.name, n)
            wrong = [] if key in named or key in without or other and key in everywhere else [
                f"no kernel in tests/exec/wrong is {s.name.replace('-', '_')}_{n}_..."]
            tool.check(f"wrong/{s.name}.{n} is there", wrong)
    for key, why in without.items():
        wrong = [] if key in everywhere else ["there is no such clause"]
        wrong += ["unseen.txt says that there is none"] if key in named else []
        tool.check(f"wrong/{key[0]}.{key[1]} cannot be: {why}", wrong)
    tool.check("wrong/no others", [f"{s}.{n}" for s, n in sorted(named - everywhere)])


def check_wrong():
    before = "clauses.hip"
    after = "wrong.hip"
    shutil.copy(WRONG / "clauses.verify.yaml", "clauses.verify.yaml")
    text = wrong_text()
    pathlib.Path(before).write_text(text, encoding="utf-8")
    pathlib.Path(after).write_text("#define WRONG\n" + text, encoding="utf-8")
    kernels = re.findall(r"^__global__ void (\w+)\(", text, re.M)
    check_clauses(kernels)
    results = verify(before, after, before, "--races", codes=(1,))
    tool.check("wrong/originals", wrong_in(results[before]))
    run = set()
    for case, r in results[after].items():
        run.add(re.split("[/@]", case)[0])
        caught = r["outcome"] in ("unequal", "broken")
        tool.check(f"wrong/{case}", [] if caught else [f"{r['outcome']}: {r['said']}"])
    tool.check("wrong/all run", [f"no case runs {k}" for k in kernels if k not in run])


def test():
    if not shutil.which(tool.CLANG):
        tool.skip("verify", f"{tool.CLANG} not found")
        return
    used = set()
    check_wrong()
    for check in tool.in_turn([check_portable, *(functools.partial(check_kernel, name, used) for name in tool.KERNELS)]):
        check()
    if tool.TURN:
        return
    # no kernel of kernels/ guards what another arm does without, and unify asks for --allow-recontraction in all
    for strategy in (*(s for s in STRATEGIES if s not in ("predicate", "unify")), "measured"):
        tool.check(f"verify/{strategy}-used", [] if strategy in used else ["it changed nothing"])


os.environ.setdefault("LC_ALL", "C.UTF-8")
tool.main(test)
