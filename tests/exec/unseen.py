#!/usr/bin/env python3
"""Every rule for code that no text shows is needed: without it, a wrong rewrite gets through.

build/tests/mutate/unphi-mutate rewrites mechanisms (mechanisms.py) with one rule switched off
(tests/mutate/unseen.c). For each rule one of those that mechanisms/rules.txt names has to come out
with other results or as text that does not compile, or to lose a barrier that is needed."""

import os
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mechanisms  # noqa: E402
import tool  # noqa: E402

BUILD = pathlib.Path(os.environ.get("UNPHI_BUILD") or tool.ROOT / "build")
MUTATE = BUILD / "tests" / "mutate" / "unphi-mutate"
FORMS = ("hoist:plain", "split:in runs", "split:two loops")
SOURCE = tool.ROOT / "tests" / "mutate" / "unseen.c"


def seen(some, frames, expected):
    """What goes wrong with these mechanisms."""
    for form in FORMS:
        run = mechanisms.Run(form, expected, MUTATE).go(mechanisms.chunks(some, frames, 1))
        yield from (f"{form}: {n}: {why}" for n, why in run.failures)
    run = mechanisms.Barriers("drop-sync:forward", MUTATE).go(some, 1)
    yield from (f"{run.what}: {n}: {why}" for n, why in run.failures)


def rewrites(binary):
    """Whether hoist moves what is in hides.hip."""
    path = str(mechanisms.DATA / "hides.hip")
    ran = tool.run(binary, "rewrite", path, "--strategy", "hoist", "--target", "gfx90a", "--check", "--quiet", "--", "-nogpuinc")
    return ran.returncode == 1


def test_callers():
    """Callers that no tree shows: they need a merge in what they call, and have a kernel of their own."""
    os.environ["UNPHI_MUTATE"] = "unseen.hides"
    mutated = rewrites(MUTATE)
    del os.environ["UNPHI_MUTATE"]
    wrong = [] if mutated else ["nothing goes wrong without it"]
    tool.check("unseen/hides", wrong + (["it is rewritten with it"] if rewrites(tool.UNPHI) else []))


def test():
    test_callers()
    if not shutil.which(mechanisms.COMPILER):
        tool.skip("unseen", f"{mechanisms.COMPILER} not found")
        return
    frames = mechanisms.sections(mechanisms.DATA / "frames.txt")
    found = {m.name: m for m in (mechanisms.Mechanism(*s) for s in mechanisms.sections(mechanisms.DATA / "mechanisms.txt"))}
    lines = (mechanisms.DATA / "rules.txt").read_text(encoding="utf-8").splitlines()
    rows = dict(line.split(": ") for line in lines if not line.startswith("#"))
    listed = set(re.findall(r'"unseen\.(\w+)"', SOURCE.read_text(encoding="utf-8")))
    tool.check("unseen/rules", [f"{r}: no mechanism, or no rule" for r in sorted(listed ^ {"hides", *rows})])
    for rule, names in rows.items():
        some = [found[name] for name in names.split()]
        expected = mechanisms.original(some, frames, mechanisms.Mechanism.function, mechanisms.HASH)
        os.environ["UNPHI_MUTATE"] = f"unseen.{rule}"
        wrong = next(seen(some, frames, expected), None)
        del os.environ["UNPHI_MUTATE"]
        tool.check(f"unseen/{rule}: {wrong}" if wrong else f"unseen/{rule}", [] if wrong else ["nothing goes wrong without it"])


tool.main(test)
