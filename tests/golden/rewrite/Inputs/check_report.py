"""check_report.py REPORT: the JSON report of report.test is what it should be."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)

assert report["version"] == 1 and report["file"] == "a.hip", report
assert report["changed"] is True and report["compiles"] == 0, report
assert [t["target"] for t in report["targets"]] == ["gfx90a"], report
first, second = report["merges"]
assert (first["line"], first["column"], first["function"]) == (7, 3, "kernel"), first
assert first["chained_vgprs"] == 64 and first["rewritten"] is True, first
assert "why_kept" not in first, first
assert [(t["variant"], t["outcome"]) for t in first["tried"]] == [
    ("uniform", "kept"),
    ("uniform, if/else kept", "not tried"),
    ("per lane", "not tried"),
    ("per lane, if/else kept", "not tried"),
], first
assert second["rewritten"] is False and "falls through" in second["why_kept"], second
assert [t["clause"] for t in second["tried"]] == [5, 1], second
assert all(t["strategy"] == "launder" and t["outcome"] == "not legal" for t in second["tried"])
