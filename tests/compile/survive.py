#!/usr/bin/env python3
"""Sources that crash libclang, a stack that is too small, compilers that never answer, and kills: each
command ends with its message and exit code, the source stays, and nothing goes on running."""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

KERNEL = "__attribute__((global)) void k(int *p) { *p = %s; }\n"
DEEP = {"minus": KERNEL % ("- " * 50000 + "p[1]"), "terms": KERNEL % "+".join(["p[1]"] * 400000)}
PARSING = (["lint"], ["lint", "--measure"], ["rewrite", "--fix", "--strategy", "sequentialize"], ["rewrite", "--check"],
           ["verify", "--init", "-o", "-"], ["ledger"])  # fmt: skip
COMPILING = (["rewrite"], ["measure"], ["ledger"], ["lint", "--measure"], ["explore", "-DX=1"])
# It sleeps on every question but the first one, with children of its own.
SLOW = """#!/bin/sh
case "$*" in *--version*) echo "clang version 15.0.6"; exit 0 ;; esac
sh -c 'echo $$ >>pids; sleep 597; true' &
echo $$ >>pids
sleep 598
"""
PIDS = pathlib.Path("pids")


def unphi(command, name, *more, **options):
    return subprocess.run(
        [tool.UNPHI, *command, name, "--target", "gfx90a", *more, "--", "-nogpuinc"], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=590, check=False, **options)


def check_deep():
    for name, text in DEEP.items():
        path = pathlib.Path(name + ".hip")
        path.write_text(text)
        for command in PARSING:
            ran = unphi(command, path)
            crashed = f"{path}: unphi or libclang crashed on it (" in ran.stderr
            wrong = [] if ran.returncode == 3 and crashed else [f"exit code {ran.returncode}: {ran.stderr[:200]}"]
            tool.check(f"survive/{name}/{' '.join(command)}",
                       wrong + (["the source changed"] if path.read_text() != text else []))


def check_stack():
    pathlib.Path("plain.hip").write_text(KERNEL % "p[1]")
    for command, code in ((["lint"], 0), (["rewrite", "--strategy", "sequentialize"], 0)):
        words = f'ulimit -s 64; exec "$0" {" ".join(command)} plain.hip --target gfx90a -- -nogpuinc'
        ran = subprocess.run(["bash", "-c", words, tool.UNPHI], capture_output=True, text=True, check=False)
        tool.check(f"survive/stack/{command[0]}",
                   [] if ran.returncode == code else [f"exit code {ran.returncode}: {ran.stderr[:200]}"])


def running():
    pids = PIDS.read_text().split() if PIDS.exists() else []
    return [p for p in pids if os.path.exists(f"/proc/{p}")]


def wait_for(condition, seconds=300):  # no matter how busy the machine is
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def check_slow():
    slow = pathlib.Path("slow")
    slow.write_text(SLOW)
    slow.chmod(0o755)
    for command in COMPILING:
        PIDS.unlink(missing_ok=True)
        begin = time.monotonic()
        ran = unphi(command, "plain.hip", "--compiler", "./slow", "--time-limit", "0.5", "--no-cache")
        took = time.monotonic() - begin
        wrong = [f"it took {took:.1f} s"] if took > 300 else []
        wrong += [f"it left {running()}"] if not wait_for(lambda: not running()) else []
        wrong += [] if "in 0.5 s" in ran.stderr or command == ["lint", "--measure"] else [ran.stderr[:200]]
        tool.check(f"survive/slow/{command[0]}", wrong)


def check_killed():
    for number in (signal.SIGKILL, signal.SIGTERM):
        for command in COMPILING[:3]:
            PIDS.unlink(missing_ok=True)
            process = subprocess.Popen(
                [tool.UNPHI, *command, "plain.hip", "--target", "gfx90a", "--compiler", "./slow", "--no-cache"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            started = wait_for(lambda: len(running()) > 1)
            process.send_signal(number)
            process.wait()
            wrong = [] if started else ["the compiler was not started"]
            wrong += [f"it left {running()}"] if not wait_for(lambda: not running()) else []
            wrong += [f"exit status {process.returncode}"] if process.returncode != -number else []
            tool.check(f"survive/{signal.Signals(number).name}/{command[0]}", wrong)


def check_stale():
    """What a killed run left goes when it is a day old, and nobody holds it."""
    place = pathlib.Path("tmp").absolute()
    old = time.time() - 2 * 24 * 60 * 60
    for name in ("unphi-aaaaaa", "unphi-bbbbbb", "unphi-cccccc", "unphi-test.x"):
        (place / name / "0").mkdir(parents=True)
        (place / name / "0" / "file").write_text("x")
        if name != "unphi-bbbbbb":
            os.utime(place / name, (old, old))
    holder = subprocess.Popen(["flock", "-s", "-F", place / "unphi-cccccc", "sleep", "600"])
    wait_for(lambda: subprocess.run(["flock", "-n", place / "unphi-cccccc", "true"], check=False).returncode != 0)
    os.utime(place / "unphi-cccccc", (old, old))
    unphi(["measure"], "plain.hip", "--compiler", tool.CLANG, env={
        **os.environ, "TMPDIR": str(place), "XDG_CACHE_HOME": str(place / "cache")})
    holder.kill()
    holder.wait()
    left = sorted(p for p in os.listdir(place) if p.startswith("unphi-"))
    tool.check("survive/stale", [] if left == ["unphi-bbbbbb", "unphi-cccccc", "unphi-test.x"] else [str(left)])


def main():
    check_deep()
    check_stack()
    check_slow()
    check_killed()
    check_stale()
    return 0


if __name__ == "__main__":
    sys.exit(main())
