"""gate.py NOW BEFORE: figures of before as --against takes them, otherwise in one way each. gate.py --junit
FILE and --failed FILE: what JUnit's XML of these has to say."""

import json
import sys
import xml.etree.ElementTree as xml


def before(now, path):
    old = json.load(open(now))
    for m in old["measurements"]:
        for k in m["kernels"]:
            if k["name"] == "a":
                k["resident_waves"] = 99
            elif k["name"] == "b":
                k.update(name="b<7>", symbol="_Z1bILi7EE", scratch_bytes=-5)
            else:
                k["instructions"] = 99
    old["measurements"] = [m for m in old["measurements"] if m["target"] == "gfx90a"]
    gone = json.loads(json.dumps(old["measurements"][0]))
    gone["file"] = "gone.hip"
    gone["kernels"][0].update(name="gone", symbol="gone")
    old["measurements"].append(gone)
    json.dump(old, open(path, "w"))


def junit(path):
    root = xml.parse(path).getroot()
    assert root.tag == "testsuites" and root.get("tests") == "4" and root.get("failures") == "2", root.attrib
    found = {c.get("name"): [e.get("message") for e in c] for c in root.iter("testcase")}
    assert "resident_waves 99 -> " in found["a (gfx90a)"][0] and "over the budget vgpr<=3" in found["a (gfx90a)"][0]
    assert not found["none (gfx90a)"] and not found["a (gfx942)"], found


def failed(path):
    root = xml.parse(path).getroot()
    errors = [(c.get("classname"), c.get("name"), e.get("type")) for c in root.iter("testcase") for e in c]
    assert errors == [("src/bad.hip", "compile (gfx90a)", "compile-error")], errors
    assert root.get("errors") == "1" and root.get("tests") == "2", root.attrib


if sys.argv[1] == "--junit":
    junit(sys.argv[2])
elif sys.argv[1] == "--failed":
    failed(sys.argv[2])
else:
    before(*sys.argv[1:])
