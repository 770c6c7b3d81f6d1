"""bound.py UNPHI COMPILER: how many compiles, rounds and parses rewrite needs for generated files. The
compiler gives the same figures for all texts, so nothing is kept."""

import json
import os
import pathlib
import subprocess
import sys

UNPHI, COMPILER = sys.argv[1:]
MERGE = """	if (c > {n}) {{
		for (int k = 0; k < 64; k++) {{
			acc[k] += p[k + {n}];
		}}
	}} else {{
		for (int k = 0; k < 64; k++) {{
			acc[k] += q[k];
		}}
	}}
"""


def kernel(number, merges):
    body = "".join(MERGE.format(n=100 + number + i) for i in range(merges))
    return (f"__global__ void k{number}(float *p, float *q, int c)\n{{\n\tfloat acc[64] = {{}};\n{body}"
            "\tfor (int k = 0; k < 64; k++) {\n\t\tp[k] = acc[k];\n\t}\n}\n")


def write(kernels, merges):
    text = "#define __global__ __attribute__((global))\n"
    pathlib.Path("a.hip").write_text(text + "".join(kernel(i, merges) for i in range(kernels)),
                                     encoding="utf-8")


def report_of(*words):
    subprocess.run([UNPHI, "rewrite", "a.hip", "--target", "gfx90a", *words, "--quiet", "--format",
                    "json", "--report", "r.json", "-o", "out.hip", "--", "-nogpuinc"], check=True)
    return json.loads(pathlib.Path("r.json").read_text(encoding="utf-8"))


def rewrite(kernels, merges):
    """The report, and the number of compilers that were run."""
    write(kernels, merges)
    subprocess.run([os.environ["UNPHI_TEST_CLANG"], "-x", "hip", "--offload-arch=gfx90a", "--offload-device-only",
                    "-nogpuinc", "-nogpulib", "-O1", "-S", "-o", "constant.s", "a.hip"], check=True)
    pathlib.Path("compiled").write_text("", encoding="utf-8")
    report = report_of("--compiler", COMPILER)
    ran = len(pathlib.Path("compiled").read_text(encoding="utf-8").splitlines())
    assert report["compiles"] == ran, (report["compiles"], ran)
    assert not report["changed"] and report["parses"] == 1, report
    return report, ran


def legal(merge):
    return [t for t in merge["tried"] if t["outcome"] != "not legal"]


# The source, and the floor by each of two arms.
ALWAYS = 3
# All forms of all strategies (doc/speed.md).
FORMS = 17

# Merges of different kernels share their compiles.
few, ran = rewrite(2, 1)
forms = len(legal(few["merges"][0]))
assert 4 <= forms <= FORMS and ran == ALWAYS + forms, (forms, ran)
many, ran = rewrite(12, 1)
assert len(many["merges"]) == 12 and ran == ALWAYS + forms, ran
assert few["rounds"] == many["rounds"] == 1, many["rounds"]
assert all(t["outcome"] == "no gain" for m in many["merges"] for t in legal(m)), many["merges"]

# Those of one kernel are tried one after the other, until there is nothing to gain.
one, ran = rewrite(1, 6)
assert one["rounds"] == 1 and ran == ALWAYS + len(legal(one["merges"][0])), (one["rounds"], ran)
assert all("no more than with only one arm" in m["why_kept"] for m in one["merges"][1:]), one["merges"]
assert all(t["outcome"] == "not tried" for m in one["merges"][1:] for t in legal(m)), one["merges"]
pathlib.Path("deep").touch()
one, ran = rewrite(1, 6)
assert one["rounds"] == len(one["merges"]) == 6, one["rounds"]
assert ran == ALWAYS + sum(len(legal(m)) for m in one["merges"]), ran

# Nothing is parsed but the source and what is written.
write(50, 1)
forced = report_of("--strategy", "sequentialize")
assert forced["changed"] and len(forced["merges"]) == 50 and forced["parses"] == 2, forced["parses"]

# Whatever does not compile with one of them is found in halves, and held against that one only.
pathlib.Path("fragile").touch()
many, ran = rewrite(12, 1)
failed = [[t["outcome"] for t in legal(m)].count("did not compile") for m in many["merges"]]
assert failed[5] > 0 and sum(failed) == failed[5], failed
assert all(t["outcome"] in ("no gain", "did not compile") for m in many["merges"] for t in legal(m))
assert ran <= ALWAYS + forms + failed[5] * 2 * 4, ran

# A source that does not compile is compiled once, and nothing with it.
pathlib.Path("broken").touch()
pathlib.Path("compiled").write_text("", encoding="utf-8")
done = subprocess.run([UNPHI, "rewrite", "a.hip", "--target", "gfx90a", "--compiler", COMPILER, "-j1",
                       "-o", "out.hip", "--", "-nogpuinc"], capture_output=True, text=True)
ran = pathlib.Path("compiled").read_text(encoding="utf-8").splitlines()
assert done.returncode == 3 and "does not compile it for gfx90a" in done.stderr, done.stderr
assert len(ran) == 1, ran
