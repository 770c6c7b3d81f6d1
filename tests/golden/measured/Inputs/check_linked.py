"""What the linked code object has is what unphi says of the source; how each was measured is said."""
import json
import sys

compiled, linked, of_object = (json.load(open(name, encoding="utf-8"))["measurements"][0] for name in sys.argv[1:])
assert [m["measured"] for m in (compiled, linked, of_object)] == ["compiler's assembly", "linked code", "file"]
(mine,), (theirs,) = linked["kernels"], of_object["kernels"]
for key in ("vgprs", "acc_vgprs", "sgprs", "vgpr_spills", "sgpr_spills", "scratch_bytes", "lds_bytes",
            "register_waves", "resident_waves", "matrix_operations", "instructions"):
    assert mine[key] == theirs[key], (key, mine[key], theirs[key])
