"""check_explain.py REPORT: the JSON report of explain.test is what it should be."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    merges = json.load(f)["merges"]

heads = next(m for m in merges if m["function"] == "heads")["explanation"]
assert heads["carriers"] == [
    {"name": "acc", "type": "tile", "vgprs": 64, "chained": True}], heads
assert [a.get("condition") for a in heads["arms"]] == ["c > n", "c == d", None], heads
assert heads["arms"][0]["lines"] == {"first": 51, "last": 56}, heads
assert heads["arms"][0]["tail"] == {"first": 54, "last": 56}, heads
assert heads["alike"] is True, heads
assert heads["operands"] == [
    {"arms": ["x", "y", "0.5f"], "type": "float", "vgprs": 1, "reads": "x, y"}], heads
