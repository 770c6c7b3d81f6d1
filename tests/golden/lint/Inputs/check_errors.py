"""check_errors.py REPORT [LEVEL FILE LINE COLUMN WORDS]...: the report's errors are these, in this order. REPORT is
unphi's JSON or SARIF; FILE, LINE and COLUMN are - where they are not known, and WORDS are part of the message."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)


def of_sarif(run):
    (invocation,) = run["invocations"]
    notes = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] == all(n["level"] != "error" for n in notes), invocation
    for note in notes:
        physical = note["locations"][0]["physicalLocation"] if "locations" in note else {}
        region = physical.get("region", {})
        yield {"level": note["level"], "file": physical.get("artifactLocation", {}).get("uri"),
               "line": region.get("startLine"), "column": region.get("startColumn"), "message": note["message"]["text"]}


errors = list(of_sarif(report["runs"][0])) if "runs" in report else report["errors"]
want = [sys.argv[i : i + 5] for i in range(2, len(sys.argv), 5)]
found = [[str(e[k] or "-") for k in ("level", "file", "line", "column")] for e in errors]
assert found == [w[:4] for w in want], errors
for error, (*_, words) in zip(errors, want):
    assert words in error["message"], (words, error)
