#!/usr/bin/env python3
"""kernels/barriers.hip: drop-sync drops the barriers that are marked dead, and no others; the result
gives the same bits and no races; and each barrier that is left is needed, as the race detector sees
when it is taken away. What measuring chooses is the same."""

import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
import tool  # noqa: E402

SOURCE = tool.ROOT / "kernels" / "barriers.hip"
TARGET = "gfx90a"
BARRIER = re.compile(r"(__syncthreads\(\)|block\.sync\(\)|__builtin_amdgcn_s_barrier\(\));")


def write(name, lines):
    pathlib.Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name


def rewrite(out, *options):
    """The report; out gets the new source."""
    tool.unphi("rewrite", SOURCE, "--target", TARGET, *options, "-o", out, "--format", "json",
               "--report", f"{out}.json")
    return json.loads(pathlib.Path(f"{out}.json").read_text(encoding="utf-8"))


def dropped(report):
    return {b["line"] for b in report["barriers"] if b["rewritten"]}


def check_marks(report, name):
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    marked = {i for i, line in enumerate(lines, 1) if BARRIER.search(line) and "// dead" in line}
    gone = dropped(report)
    wrong = [f"line {n} is marked dead and stayed" for n in sorted(marked - gone)]
    wrong += [f"line {n} is needed and went" for n in sorted(gone - marked)]
    wrong += [] if marked else ["no line is marked"]
    tool.check(name, wrong)


def verify(*argv, codes=(0,)):
    done = tool.unphi("verify", *argv, "--spec", SOURCE.with_suffix(".verify.yaml"), "--target",
                      TARGET, "--races", "--format", "json", codes=codes)
    return json.loads(done.stdout)["results"]


def functions(lines):
    """The name of the function around each line."""
    name = ""
    for line in lines:
        head = line.replace("__launch_bounds__(GROUP) ", "")
        found = re.match(r"__(?:global|device)__ [\w ]*?(\w+)\(", head)
        name = found.group(1) if found else name
        yield name


def without(lines, n):
    """Without the barrier in line n, and the fences beside it."""
    lines = list(lines)
    fenced = "s_barrier" in lines[n]
    for i in range(n - fenced, n + fenced + 1):
        lines[i] = BARRIER.sub(";", lines[i]) if not fenced else ""
    return lines


def layers(lines):
    """Every barrier is taken away once; of each function one at a time."""
    names = list(functions(lines))
    rest = [(names[i], i) for i, line in enumerate(lines) if BARRIER.search(line)]
    while rest:
        layer = dict(reversed(rest))
        yield layer
        rest = [x for x in rest if x[1] not in layer.values()]


def check_needed(file):
    lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    broken = {}
    for i, layer in enumerate(layers(lines)):
        text = lines
        for n in layer.values():
            text = without(text, n)
        broken[write(f"without.{i}.hip", text)] = layer
    results = verify(SOURCE, *broken, codes=(0, 1))
    caught = {(r["file"], re.split("[/@]", r["case"])[0]) for r in results
              if r["outcome"] == "broken" and "error: race " in r["said"]}
    wrong = []
    for out, layer in broken.items():
        for name, n in layer.items():
            kernel = "through_calls" if name == "load_behind_barrier" else name
            if (out, kernel) not in caught:
                wrong.append(f"line {n + 1} of {file}: without the barrier no race is seen")
    tool.check("barriers/each that stays is needed", wrong)


def test():
    report = rewrite("dropped.hip", "--strategy", "drop-sync")
    check_marks(report, "barriers/forced")
    wrong = [f"{r['case']}: {r['outcome']}: {r['said']}" for r in verify(SOURCE, "dropped.hip",
                                                                       codes=(0, 1, 3))
             if r["outcome"] != "equal"]
    tool.check("barriers/same bits and no races", wrong)
    check_needed("dropped.hip")
    report = rewrite("measured.hip", "--compiler", tool.CLANG, "--verify")
    check_marks(report, "barriers/measured")
    more = [k["name"] for t in report["targets"] for k in t["kernels"]
            if k["after"]["barriers"] > k["before"]["barriers"]]
    tool.check("barriers/no more in the compiler's output", more)


tool.main(test)
