"""check_several.py REPORT: the JSON report of several.test is what it should be."""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)

widest, shared, last = report["merges"]
kept = [next(t for t in m["tried"] if t["outcome"] == "kept") for m in report["merges"]]

# the outer merge with the one inside it, and a function's merge that other kernels share
assert (widest["function"], widest["chained_vgprs"], widest["line"]) == ("both", 96, 23), widest
assert (shared["function"], shared["line"]) == ("step", 6), shared
assert [k["strategy"] for k in kept[:2]] == ["sequentialize", "sequentialize"], kept
# on top of that: what the text as it stands runs is what the next is held against
scratch = [[int(n) for n in re.search(r"path (\d+) -> (\d+)", k["reason"]).groups()] for k in kept]
assert (last["function"], last["chained_vgprs"], last["line"]) == ("both", 64, 18), last
assert scratch[2][0] < scratch[0][0] and scratch[2][1] < scratch[2][0], kept
