#!/usr/bin/env python3
"""unphi ended at any moment of --fix: the file holds the old bytes or the new ones.

SIGTERM leaves nothing else. SIGKILL, which no program can see coming, may leave the new bytes beside
the file under the name .unphi-*.tmp, and a directory of unphi's in TMPDIR; neither is in the way
of the next run."""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

# Short to parse and long to write, so that many tries fall into the writing.
SOURCE = """\
__attribute__((global)) void k(float *out, const float *x, int n)
{
	float acc[64];
	for (int i = 0; i < 64; ++i) {
		acc[i] = out[i];
	}
	for (int t = 0; t < 100; ++t) {
		if (t < n) {
			for (int i = 0; i < 64; ++i) {
				acc[i] += 2 * x[i];
			}
		} else {
			for (int i = 0; i < 64; ++i) {
				acc[i] -= x[i];
			}
		}
	}
	for (int i = 0; i < 64; ++i) {
		out[i] = acc[i];
	}
}
""" + "// padding\n" * 400000

TRIES = {signal.SIGKILL: 40, signal.SIGTERM: 10}
PLACE = pathlib.Path("place")
FILE = PLACE / "k.hip"


def start():
    return subprocess.Popen(
        [tool.UNPHI, "rewrite", "--quiet", FILE, "--target", "gfx90a", "--strategy",
         "sequentialize", "--fix", "--", "-nogpuinc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def fresh(old):
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir()
    FILE.write_bytes(old)


def end_once(old, number, moment):
    """(the file's bytes, other names in its directory, names that may not be left)"""
    fresh(old)
    process = start()
    time.sleep(moment)
    process.send_signal(number)
    process.wait()
    now = FILE.read_bytes()
    others = [p for p in os.listdir(PLACE) if p != FILE.name]
    strange = [p for p in others if not (p.startswith(".unphi-") and p.endswith(".tmp"))]
    return now, others, strange


def check_signal(number, tries, old, new, whole):
    wrong, changed, left = [], 0, 0
    for i in range(tries):
        # The last part of a run is when files are written: every second try falls there.
        moment = whole * random.uniform(0 if i % 2 else 0.7, 1.1)
        now, others, strange = end_once(old, number, moment)
        changed += now == new
        left += bool(others)
        if now not in (old, new):
            wrong.append(f"after {moment:.4f} s: {len(now)} bytes that are neither old nor new")
        if strange or (others and number != signal.SIGKILL):
            wrong.append(f"after {moment:.4f} s: left {others}")
    print(f"{number.name}: {tries} tries, {changed} with the new bytes, {left} left a temporary file")
    tool.check(f"kill/{number.name}", wrong)


def test():
    seed = random.randrange(1 << 32)
    random.seed(seed)
    print(f"seed {seed}")
    old = SOURCE.encode()
    fresh(old)
    begin = time.perf_counter()
    code = start().wait()
    whole = time.perf_counter() - begin
    new = FILE.read_bytes()
    tool.check("kill/undisturbed", [] if code == 0 and new != old else [f"exit code {code}"])
    for number, tries in TRIES.items():
        check_signal(number, tries, old, new, whole)
    fresh(old)
    (PLACE / ".unphi-0123456789abcdef.tmp").write_bytes(b"left behind")
    tool.check("kill/next-run",
               [] if start().wait() == 0 and FILE.read_bytes() == new else ["it fails"])


tool.main(test)
