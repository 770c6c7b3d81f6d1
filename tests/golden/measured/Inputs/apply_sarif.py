"""apply_sarif.py REPORT N: the file of result N with its first fix applied."""

import json
import sys
import urllib.parse

with open(sys.argv[1], encoding="utf-8") as f:
    result = json.load(f)["runs"][0]["results"][int(sys.argv[2])]
(change,) = result["fixes"][0]["artifactChanges"]
with open(urllib.parse.unquote(change["artifactLocation"]["uri"]), encoding="utf-8", newline="") as f:
    text = f.read()
lines = [0]
for line in text.splitlines(keepends=True):
    lines.append(lines[-1] + len(line))


def offset(line, column):
    return lines[line - 1] + column - 1


edits = []
for r in change["replacements"]:
    d = r["deletedRegion"]
    edits.append((offset(d["startLine"], d["startColumn"]), offset(d["endLine"], d["endColumn"]),
                  r["insertedContent"]["text"]))
for begin, end, new in sorted(edits, reverse=True):
    text = text[:begin] + new + text[end:]
sys.stdout.write(text)
