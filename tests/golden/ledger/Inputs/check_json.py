"""check_json.py REPORT DOC: the JSON of unphi ledger has these keys, of these types, everywhere, and
DOC names each of them in its table."""

import json
import re
import sys

LOOP = {"bytes": int, "flops": int}
CALL = {"file": str, "line": int}
PEAK = {"line": int, "calls": [CALL], "held": int, "temporaries": int, "in_flight": int, "most_held": int, "most_held_line": int}
EXPECTED = {"vgprs_least": int, "vgprs_most": int, "waves_least": int, "waves_most": int}
MEASURED = {"vgprs": int, "acc_vgprs": int, "vgpr_spills": int, "scratch_bytes": int, "register_waves": int,
            "resident_waves": int, "trusted": bool}
NEXT = {"vgprs": int, "fewer": int, "resident_waves": int}
VARIABLE = {"name": str, "member": (str, type(None)), "function": (str, type(None)), "file": (str, type(None)), "type": str, "vgprs": int,
            "at_peak": int, "copies": int,
            "first_line": int, "last_line": int, "uniform": bool, "loop_carried": bool, "loop_constant": bool,
            "dynamic_index": bool, "role": str}
LEDGER = {"file": str, "target": str, "kernel": str, "symbol": str, "defined_in": str, "line": int,
          "first_line": int, "last_line": int, "estimate": int, "expected": EXPECTED, "peak": PEAK,
          "hottest_loop": LOOP, "measured": MEASURED, "next": NEXT, "variables": [VARIABLE], "unknown": [str]}
ROLES = {"accumulator", "softmax state", "operand fragment", "address", "temporary"}

named = set(re.findall(r"\w+", open(sys.argv[2], encoding="utf-8").read().split("## JSON")[-1]))


def check(value, shape, where):
    if isinstance(shape, list):
        assert isinstance(value, list), where
        for i, v in enumerate(value):
            check(v, shape[0], f"{where}[{i}]")
    elif isinstance(shape, dict):
        if value is None and where.endswith(("measured", "next")):
            return
        assert value.keys() == shape.keys(), (where, value.keys() ^ shape.keys())
        for key, of in shape.items():
            assert key in named, f"{key} is not in the table"
            check(value[key], of, f"{where}.{key}")
    else:
        assert isinstance(value, shape) and (shape is bool or type(value) is not bool), (where, value)


with open(sys.argv[1], encoding="utf-8") as f:
    report = json.load(f)
assert report["version"] == 1 and report.keys() == {"version", "ledgers", "errors"} and report["ledgers"]
check(report["ledgers"], [LEDGER], "ledgers")
assert {v["role"] for e in report["ledgers"] for v in e["variables"]} <= ROLES
