"""same.py REPORT...: the same kernels cost the same in all, but for what only assembly text shows."""

import json
import sys


def kernels(path):
    with open(path, encoding="utf-8") as f:
        (m,) = json.load(f)["measurements"]
    for k in m["kernels"]:
        for weighted in ("scratch_accesses", "weighted_instructions", "weighted_branches",
                         "flat_accesses", "cheapest_path", "costliest_path"):
            k.pop(weighted)
    return m["target"].split(":")[0], m["kernels"]


first, *others = map(kernels, sys.argv[1:])
assert len(first[1]) == 3 and all(k["trusted"] for k in first[1]), first
for other in others:
    assert other == first, (first, other)
