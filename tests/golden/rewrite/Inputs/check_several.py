"""check_several.py REPORT: the JSON report of several.test is what it should be."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)

widest, shared, last = report["merges"]
kept = [next(t for t in m["tried"] if t["outcome"] == "kept") for m in report["merges"]]

# the outer merge with the one inside it, and a function's merge that other kernels share
assert (widest["function"], widest["chained_vgprs"], widest["line"]) == ("both", 96, 23), widest
assert (shared["function"], shared["line"]) == ("step", 6), shared
assert [k["strategy"] for k in kept[:2]] == ["sequentialize", "sequentialize"], kept
# on top of that: the spills of the text as it stands count
assert kept[0]["reason"].endswith("VGPR spills 40 -> 37"), kept
assert (last["function"], last["chained_vgprs"], last["line"]) == ("both", 64, 18), last
assert "VGPR spills 37 -> 3" in kept[2]["reason"], kept
