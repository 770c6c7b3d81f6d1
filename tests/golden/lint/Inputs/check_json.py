"""check_json.py REPORT SOURCE: the JSON report of formats.hip is what it should be."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)
with open(sys.argv[2], "rb") as f:
    source = f.read()

assert list(report) == ["version", "findings", "errors"] and report["version"] == 1, report
assert report["errors"] == [], report
(finding,) = report["findings"]
assert finding["rule"] == "unphi-phi-explosion" and finding["level"] == "warning", finding
assert finding["file"] == sys.argv[2], finding
offset = finding["offset"]
assert source[offset : offset + 6] == b"if (c)", source[offset : offset + 6]
lines = source[:offset].split(b"\n")
assert (finding["line"], finding["column"]) == (len(lines), len(lines[-1]) + 1), finding
assert finding["length"] == len(b"if"), finding
assert finding["why"] in [note["message"] for note in finding["notes"]], finding
assert "96 with the others" in finding["message"], finding

notes = finding["notes"]
for note in notes:
    assert set(note) == {"file", "line", "column", "message"}, note
    assert (note["file"] is None) == (note["line"] is None) == (note["column"] is None), note
said = "\n".join(n["message"] for n in notes)
for words in ("in kernel", "arm 1 first writes 'acc' here", "'ünicöde' (float[32]",
              "sequentialize applies"):
    assert words in said, said
assert "fixes" not in finding, "lint compiles nothing and offers no edit"
