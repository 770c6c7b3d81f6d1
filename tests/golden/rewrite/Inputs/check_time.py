"""check_time.py REPORT: the JSON report of time.test is what it should be."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)

assert report["changed"] is True and report["time_ran_out"] is True, report
first, second = report["merges"]
assert first["rewritten"] is True, first
outcomes = {(t["strategy"], t["outcome"]) for t in first["tried"]}
assert ("launder", "kept") in outcomes, first
late = [t for t in first["tried"] if t.get("reason") == "time ran out"]
assert late and all(t["outcome"] == "not tried" for t in late), first
assert ("sequentialize", "not tried") in outcomes, first
assert second["rewritten"] is False, second
assert second["why_kept"] == "time ran out before it was tried", second
