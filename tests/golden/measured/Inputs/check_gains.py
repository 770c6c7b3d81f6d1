"""Does each kernel of rewrite's JSON, for each target, gain waves or lose spills, and keep no spill?"""

import json
import sys

report = json.load(open(sys.argv[1]))
kernels = [k for target in report["targets"] for k in target["kernels"]]
assert kernels
for k in kernels:
    before, after = k["before"], k["after"]
    assert after["vgpr_spills"] == 0, k
    assert after["resident_waves"] > before["resident_waves"] or before["vgpr_spills"] > 0, k
