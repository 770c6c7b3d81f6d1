"""witness.py JSON right|wrong: what is said of each kernel of witness.hip."""

import json
import sys

EQUAL = "equal for all data"
WRONG = ("dropped", "swapped", "branches", "bits", "lanes", "factor", "shared", "variable", "atomic", "closed_up")
REALS = "equal as real numbers"
PAIRS = ("right_softmax", "right_flash", "right_split", "right_tiles", "right_variance", "right_scan")
SAID = {"right_fused": "equal but for contraction", **dict.fromkeys(PAIRS, REALS), "finite": REALS, "undecided": "not decided",
        "nan_bits": "equal for all data, but for the bits of NaNs"}  # fmt: skip

for r in json.load(open(sys.argv[1]))["results"]:
    kernel = r["case"].split("/")[0].split("@")[0]
    proof = r["all_data"]
    assert not (proof["same_code"] and sys.argv[2] == "right" and kernel == "right_branch"), proof
    if sys.argv[2] == "wrong" and kernel in WRONG:
        assert r["outcome"] == "equal", (kernel, r["outcome"])
        assert proof["verdict"] == "different", (kernel, proof)
        assert proof["said"].startswith("with a: "), proof
    elif sys.argv[2] == "wrong" and kernel in PAIRS:
        assert (r["outcome"], proof["verdict"]) == ("unequal", "different"), proof
    else:
        expected = SAID.get(kernel, EQUAL)
        if sys.argv[2] == "wrong":
            expected = {"right_fused": EQUAL, "finite": EQUAL, "nan": REALS, "undecided": EQUAL, "nan_bits": EQUAL,
                        "signal_median": REALS, "signal_bits": REALS, "signal_most": REALS, "signal_sum": EQUAL + ", but for the bits of NaNs"}.get(kernel, expected)
        assert proof["verdict"] == expected, (kernel, proof)
    if kernel in ("finite", "nan", "signal_median", "signal_bits", "signal_most") and proof["verdict"] == REALS:
        assert proof["said"].startswith("not for NaNs or infinities: with a: "), proof
    if kernel.startswith("signal_") and proof["verdict"] == REALS:
        assert "[1, .snan, -2, .inf," in proof["said"], proof
    if kernel == "right_branch" and not proof["same_code"]:
        assert proof["conditions"] == 128, proof
    if kernel == "undecided" and sys.argv[2] == "right":
        assert "is computed differently" in proof["said"], proof
