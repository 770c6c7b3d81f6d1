#!/usr/bin/env python3
"""unphi ended at each step of --fix: up to the rename the file holds the old bytes, all of them.

lib/fault.c ends it at each call that makes, fills and renames the temporary file, in the middle of the
writing too, or lets that call fail. SIGTERM and a failure leave nothing else. SIGKILL, which no program can see coming, leaves the temporary
file, .unphi-*.tmp, which is not in the way of the next run.

Of a file and its header, written together, both are old or both new; only SIGKILL between the two renames can
leave one of each."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

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
"""

HEADER = """\
#pragma once
__attribute__((device)) inline void step(float *out, const float *x, int n)
{
	float acc[64];
	for (int i = 0; i < 64; ++i) {
		acc[i] = out[i];
	}
	if (n > 3) {
		for (int i = 0; i < 64; ++i) {
			acc[i] += 2 * x[i];
		}
	} else {
		for (int i = 0; i < 64; ++i) {
			acc[i] -= x[i];
		}
	}
	for (int i = 0; i < 64; ++i) {
		out[i] = acc[i];
	}
}
"""
INCLUDER = '#include "step.h"\n' + SOURCE[:-2] + "\tstep(out, x, n);\n}\n"

PLACE = pathlib.Path("place")
FILE = PLACE / "k.hip"
FAULT = pathlib.Path("fault.so").absolute()
LOG = pathlib.Path("calls").absolute()
STEPS = ["open", "write", "fchmod", "fsync", "close", "rename"]
BOTH = [*STEPS[:5], *STEPS[:5], "rename", "rename"]
FAILS = 0  # in place of a signal: the call does


def fix(*options, **environment):
    """The exit code of unphi, which has the file to rewrite."""
    return subprocess.run(
        [tool.UNPHI, "rewrite", "--quiet", FILE, "--target", "gfx90a", "--strategy", "sequentialize", "--fix", *options,
         "--", "-nogpuinc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        start_new_session=True, env={**os.environ, **environment}).returncode  # fmt: skip


def fresh(old):
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir()
    FILE.write_bytes(old)


def end_at(old, number, step):
    """What is wrong when signal `number` comes at this step."""
    fresh(old)
    code = fix(LD_PRELOAD=str(FAULT), FAULT_AT=str(step + 1), FAULT_SIGNAL=str(int(number)))
    now = FILE.read_bytes()
    left = [p for p in os.listdir(PLACE) if p != FILE.name]
    named = all(p.startswith(".unphi-") and p.endswith(".tmp") for p in left)
    wrong = [] if code == (-number or 2) else [f"exit status {code}"]
    if now != old:
        wrong.append(f"{len(now)} bytes that are not the old ones")
    if len(left) != (number == signal.SIGKILL and step > 0) or not named:
        wrong.append(f"left {left}")
    return [f"at {STEPS[step]}: {w}" for w in wrong]


def fresh_both():
    fresh(INCLUDER.encode())
    (PLACE / "step.h").write_text(HEADER)


def both():
    return FILE.read_bytes(), (PLACE / "step.h").read_bytes()


def end_both_at(old, new, number, step):
    """What is wrong when it comes at this step of writing two files."""
    fresh_both()
    code = fix("--header-filter", "step", LD_PRELOAD=str(FAULT), FAULT_AT=str(step + 1), FAULT_SIGNAL=str(int(number)))
    first = step == len(BOTH) - 2
    # a signal that can wait does, from the first rename on
    allowed = [new] if number == signal.SIGTERM and step >= len(BOTH) - 2 else [old]
    if number == signal.SIGKILL and step >= len(BOTH) - 2:
        allowed = [old] if first else [(new[0], old[1]), (old[0], new[1])]
    wrong = [] if code == (-number or 2) else [f"exit status {code}"]
    if both() not in allowed:
        wrong.append("the two files are not both as before, or both new")
    left = [p for p in os.listdir(PLACE) if p not in (FILE.name, "step.h")]
    if number != signal.SIGKILL and left:
        wrong.append(f"left {left}")
    return [f"at step {step}, {BOTH[step]}: {w}" for w in wrong]


def test_both():
    fresh_both()
    old = both()
    LOG.unlink(missing_ok=True)
    code = fix("--header-filter", "step", LD_PRELOAD=str(FAULT), FAULT_LOG=str(LOG))
    new = both()
    calls = LOG.read_text(encoding="utf-8").split()
    tool.check("kill/both", [] if code == 0 and calls == BOTH and new[0] != old[0] and new[1] != old[1]
               else [f"exit code {code}, {calls}, not {BOTH}"])  # fmt: skip
    for number, name in (signal.SIGKILL, "SIGKILL"), (signal.SIGTERM, "SIGTERM"), (FAILS, "fails"):
        tool.check(f"kill/both/{name}", [w for n in range(len(BOTH)) for w in end_both_at(old, new, number, n)])


def test():
    built = tool.run("cc", "-shared", "-fPIC", "-o", FAULT, tool.ROOT / "tests/compile/lib/fault.c")
    if built.returncode:
        raise tool.Failed(built.stderr)
    old = SOURCE.encode()
    fresh(old)
    LOG.unlink(missing_ok=True)
    code = fix(LD_PRELOAD=str(FAULT), FAULT_LOG=str(LOG))
    new = FILE.read_bytes()
    tool.check("kill/undisturbed", [] if code == 0 and new != old else [f"exit code {code}"])
    calls = LOG.read_text(encoding="utf-8").split()
    tool.check("kill/steps", [] if calls == STEPS else [f"{calls}, not {STEPS}"])
    for number, name in (signal.SIGKILL, "SIGKILL"), (signal.SIGTERM, "SIGTERM"), (FAILS, "fails"):
        tool.check(f"kill/{name}", [w for n in range(len(STEPS)) for w in end_at(old, number, n)])
    fresh(old)
    (PLACE / ".unphi-0123456789abcdef.tmp").write_bytes(b"left behind")
    tool.check("kill/next-run", [] if fix() == 0 and FILE.read_bytes() == new else ["it fails"])
    test_both()


tool.main(test)
