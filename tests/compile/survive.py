#!/usr/bin/env python3
"""Sources that crash libclang, a stack that is too small, compilers that never answer, and kills: each
command ends with its message and exit code, the source stays, and nothing goes on running."""

import os
import pathlib
import re
import shutil
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
# It sleeps once it is to compile.
STUCK = f"""#!/bin/sh
case "$*" in *plain.hip*) ;; *) exec {tool.CLANG} "$@" ;; esac
echo $$ >>pids
exec sleep 596
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


def kill_some(n, place, env):
    """The temporary directories of runs that SIGKILL ends."""
    PIDS.unlink(missing_ok=True)
    runs = [subprocess.Popen([tool.UNPHI, "cc", "--", "./stuck-clang", "-O3", "--offload-arch=gfx90a", "-nogpuinc", "-c",
                              "plain.hip"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(n)]  # fmt: skip
    wait_for(lambda: len(running()) == n)
    for process in runs:
        process.kill()
        process.wait()
    wait_for(lambda: not running())
    return place.glob("unphi-run-*")


def make_users(place, ours):
    """Directories that unphi did not make in this place, whatever they are called and hold."""
    marker = next(ours.glob(".*"))
    said = marker.read_text()
    users = [place / name for name in (
        "unphi-master", "unphi-report", "unphi-run-master", "unphi-run-linked", "unphi-run-hollow", "unphi-run-copied",
        "unphi-run-folder", "unphi-run-others", "unphi-run-opened", "unphi-run-fifo00")]  # fmt: skip
    for user in users:
        (user / "src").mkdir(parents=True)
        (user / "src" / "precious").write_text("x")
    mark = {user.name[-6:]: user / marker.name for user in users}
    mark["linked"].symlink_to(marker)
    mark["hollow"].touch()
    for name in "copied", "others", "opened":
        own = said.replace(ours.name, "unphi-run-" + name)
        inode = mark[name].parent.stat().st_ino if name != "copied" else ours.stat().st_ino
        mark[name].write_text(re.sub("inode [0-9]+", f"inode {inode}", own))
    if os.geteuid() == 0:
        os.chown(mark["others"], 12345, 12345)
    else:
        mark["others"].unlink()
    mark["opened"].parent.chmod(0o777)
    mark["folder"].mkdir()
    os.mkfifo(mark["fifo00"])
    renamed = place / "unphi-run-mykeep"
    kept = place / "unphi-run-Backup"
    return users, renamed, kept


def check_stale():
    """What a killed run left goes when it is a day old, nobody holds it and its marker says that it is one; the
    user's own stay, whatever their names, and so does all that a link leads to."""
    place = pathlib.Path("tmp a\nb").absolute()
    place.mkdir()
    stuck = pathlib.Path("stuck-clang")
    stuck.write_text(STUCK)
    stuck.chmod(0o755)
    env = {**os.environ, "TMPDIR": str(place), "XDG_CACHE_HOME": str(place / "cache")}
    old = time.time() - 2 * 24 * 60 * 60
    gone, fresh, held, kept = kill_some(4, place, env)
    users, renamed, copy = make_users(place, gone)
    kept.rename(renamed)
    shutil.copytree(gone, copy, symlinks=True)
    (place / "precious").write_text("x")
    (gone / "link").symlink_to(place / "unphi-master")
    (gone / "src").symlink_to("..")
    os.link(place / "precious", gone / "hard")
    (gone / "shut").mkdir()
    (gone / "shut" / "file").touch()
    (gone / "shut").chmod(0o500)
    (place / "unphi-run-toplnk").symlink_to(gone)
    users += [renamed, copy, place / "unphi-run-toplnk", place / "precious", fresh, held]
    holder = subprocess.Popen(["flock", "-s", "-F", held, "sleep", "600"])
    wait_for(lambda: subprocess.run(["flock", "-n", held, "true"], check=False).returncode != 0)
    for path in (*users, gone):
        if path != fresh:
            os.utime(path, (old, old), follow_symlinks=False)
    before = {p for user in users for p in (user, *user.rglob("*")) if os.path.lexists(p)}
    ran = unphi(["measure"], "plain.hip", "--compiler", tool.CLANG, env=env)
    holder.kill()
    holder.wait()
    wrong = [f"removed {p.relative_to(place)}" for p in sorted(before)
             if not os.path.lexists(p) and not {gone.name, "unphi-run-toplnk"} & set(p.parts[:-1])]
    wrong += [f"left {list(gone.rglob('*'))}"] if os.path.lexists(gone) else []
    left = {p for p in place.glob("unphi-*") if p not in users}
    wrong += [f"left {left}"] if left else []
    wrong += [f"exit code {ran.returncode}: {ran.stderr}"] if ran.returncode else []
    tool.check("survive/stale", wrong)


def main():
    check_deep()
    check_stack()
    check_slow()
    check_killed()
    check_stale()
    return 0


if __name__ == "__main__":
    sys.exit(main())
