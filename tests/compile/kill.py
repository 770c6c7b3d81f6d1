#!/usr/bin/env python3
"""unphi ended at each step of --fix: up to the rename the file holds the old bytes, all of them.

lib/fault.c ends it at each call that makes, fills and renames the temporary file, in the middle of the
writing too. SIGTERM leaves nothing else. SIGKILL, which no program can see coming, leaves the temporary
file, .unphi-*.tmp, which is not in the way of the next run."""

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

PLACE = pathlib.Path("place")
FILE = PLACE / "k.hip"
FAULT = pathlib.Path("fault.so").absolute()
LOG = pathlib.Path("calls").absolute()
STEPS = ["open", "write", "fchmod", "fsync", "close", "rename"]


def fix(**environment):
    """The exit code of unphi, which has the file to rewrite."""
    return subprocess.run(
        [tool.UNPHI, "rewrite", "--quiet", FILE, "--target", "gfx90a", "--strategy", "sequentialize", "--fix", "--",
         "-nogpuinc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
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
    wrong = [] if code == -number else [f"exit status {code}"]
    if now != old:
        wrong.append(f"{len(now)} bytes that are not the old ones")
    if len(left) != (number == signal.SIGKILL and step > 0) or not named:
        wrong.append(f"left {left}")
    return [f"at {STEPS[step]}: {w}" for w in wrong]


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
    for number in (signal.SIGKILL, signal.SIGTERM):
        tool.check(f"kill/{number.name}", [w for n in range(len(STEPS)) for w in end_at(old, number, n)])
    fresh(old)
    (PLACE / ".unphi-0123456789abcdef.tmp").write_bytes(b"left behind")
    tool.check("kill/next-run", [] if fix() == 0 and FILE.read_bytes() == new else ["it fails"])


tool.main(test)
