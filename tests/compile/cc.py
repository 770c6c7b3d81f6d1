#!/usr/bin/env python3
"""unphi cc: what it runs as it stands and what it rewrites, that messages, dependencies and debug
information name the original, when a decision is looked up and when it is made anew, and what a
look-up costs."""

import fcntl
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from tool import ALL, CLANG, ROOT, UNPHI, check, device_compile, run, skip  # noqa: E402

HEADER = """typedef float f32x4 __attribute__((ext_vector_type(4)));
#define WIDTH 32
"""
PLAIN = """struct dim3 {
	unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
#include "plain.h"
__attribute__((global)) void plain(float *p)
{
	*p = VALUE;
}
"""
FLAGS = ("-nogpuinc", "--offload-arch=gfx90a")


def behind():
    """What the compiler of this name runs: hipcc of Debian 12 is a script that starts clang three times, so it does so
    with --all; tests/golden/cc/launcher.test has it always."""
    if ALL or not shutil.which(CLANG):
        return [shutil.which("hipcc")]
    libraries = [w for w in device_compile(CLANG, "gfx90a") if w.startswith("--rocm-device-lib-path")]
    return [shutil.which(CLANG), "-O3", *libraries]


class Project:
    """A directory with sources, a cache, and a compiler that counts how often it is run."""

    def __init__(self, top):
        self.top = top
        self.log = top / "log"
        for d in ("include", "own", "src"):
            (top / d).mkdir()
        shutil.copy(ROOT / "tests/compile/lib/quick.hip", top / "src")
        (top / "src" / "quick.h").write_text(HEADER)
        (top / "src" / "plain.hip").write_text(PLAIN)
        (top / "include" / "plain.h").write_text("#define VALUE 1\n")
        self.compiler = top / "hipcc"
        self.compiler.write_text(
            f"#!/bin/sh\nprintf '%s\\n' \"$*\" >>'{self.log}'\n"
            f"[ -z \"$ENDS_WITH\" ] || exit \"$ENDS_WITH\"\nexec {' '.join(behind())} \"$@\"\n")
        self.compiler.chmod(0o755)
        self.env = {**os.environ, "XDG_CACHE_HOME": str(top / "cache")}
        # what was written in this second is not believed to stay
        time.sleep(1.1)

    def cc(self, *words, options=(), env=(), cwd=None):
        """(exit code, messages, the commands that the compiler got)"""
        self.log.unlink(missing_ok=True)
        done = subprocess.run([str(w) for w in (UNPHI, "cc", *options, "--", *words)],
                              cwd=cwd or self.top, capture_output=True, text=True,
                              env={**self.env, **dict(env)})
        ran = self.log.read_text().splitlines() if self.log.exists() else []
        return done.returncode, done.stderr, ran


def check_untouched(p):
    """A compiler that does nothing sees what any other launcher would show it."""
    (p.top / "a.hip").write_text("")
    commands = [
        "--version", "-E a.hip", "-M a.hip", "-c a.hip b.hip", "-c a.s", "-x c++ -c a.cpp",
        "--offload-host-only -c a.hip", "-fsyntax-only a.hip", "-c no-such.hip", "-c a.hip",
        "--offload-arch=native -c a.hip", "--offload-arch=gfx0 -c a.hip", "a.o -o a",
        "--offload-arch=gfx90a -c a.hip", "-c a.hip @no-such-file", "",
    ]
    wrong = []
    for command in commands:
        code, said, ran = p.cc(p.compiler, *command.split(), env={"ENDS_WITH": "42"}.items())
        if code != 42 or not ran or ran[-1] != command:
            wrong.append(f"'{command}': exit code {code}, {ran}, {said}")
    code, said, ran = p.cc(p.compiler, *FLAGS, "-c", "src/quick.hip", "-o", "off.o",
                           env={"UNPHI_CC": "off"}.items())
    if code or said or len(ran) != 1 or "vfs" in ran[0]:
        wrong.append(f"UNPHI_CC=off: {code}, {ran}, {said}")
    code, said, ran = p.cc("./no-such-compiler", "-c", "src/quick.hip")
    if code != 2 or "cannot run ./no-such-compiler" not in said:
        wrong.append(f"no compiler: {code}, {said}")
    (p.top / "a.hip").write_text("int x = y;\n")
    plain = run(p.compiler, *FLAGS, "-c", "a.hip", cwd=p.top)
    code, said, _ = p.cc(p.compiler, *FLAGS, "-c", "a.hip", options=["--quiet"])
    if code != plain.returncode or code == 0 or said != plain.stderr:
        wrong.append(f"an error in the source: {code}, {said}")
    check("compile/cc/untouched", wrong)


def lines_of_matrix_operations(assembly):
    """(names of files, lines in quick.hip that its matrix operations are of)"""
    files = dict(re.findall(r'^\s*\.file\s+(\d+) ("[^"]*" "[^"]*")', assembly, re.M))
    found, at = set(), None
    for line in assembly.splitlines():
        loc = re.match(r"\s*\.loc\s+(\d+) (\d+)", line)
        if loc:
            at = (files.get(loc.group(1)), int(loc.group(2)))
        elif re.match(r"\s*v_mfma", line):
            found.add(at)
    return sorted(files.values()), found


# without a unit id, in which newer compilers hash the names of a command's files
DEBUG = (*FLAGS, "-Wall", "-g", "-fuse-cuid=none")
COMMAND = (*DEBUG, "-MD", "-MF", "quick.d", "-c", "src/quick.hip", "-o")
LOCKED = ("--lock", "unphi.lock")


def check_rewritten(p):
    # one name for all objects: for newer compilers it is a part of the code
    plain = run(p.compiler, *COMMAND, "quick.o", cwd=p.top)
    shutil.copy(p.top / "quick.o", p.top / "plain.o")
    depends = (p.top / "quick.d").read_text()
    (p.top / "quick.d").unlink()
    code, said, ran = p.cc(p.compiler, *COMMAND, "quick.o", options=(*LOCKED, "--frozen"))
    same = (p.top / "quick.o").read_bytes() == (p.top / "plain.o").read_bytes()
    check("compile/cc/frozen-nothing", [] if not code and same and said == plain.stderr
          and not (p.top / "unphi.lock").exists() else [f"exit code {code}: {said}"])
    # the one search of this test
    code, said, ran = p.cc(p.compiler, *COMMAND, "quick.o", options=LOCKED)
    note, _, rest = said.partition("\n")
    wrong = []
    if code or not re.fullmatch(r"unphi: note: src/quick.hip: 1 merge rewritten; quick[^ ]*( for gfx[^ ]*)?: .*", note):
        wrong.append(f"exit code {code}: {said}")
    check("compile/cc/rewritten", wrong)
    check("compile/cc/messages", [] if rest == plain.stderr and "late" in rest
          else [f"{rest}, not {plain.stderr}"])
    made = (p.top / "quick.d").read_text()
    check("compile/cc/dependencies", [] if made == depends else [f"{made}, not {depends}"])
    before, after = ((p.top / n).read_bytes() for n in ("plain.o", "quick.o"))
    check("compile/cc/object", [] if before != after else ["it is the same object"])
    for what, name in (("again", "nothing"), ("edited", "file-*"), ("led astray", "file-*"), ("emptied", "file-*")):
        # what the cache keeps for the compiler may be gone, or be something else; the decision is not
        for kept in (p.top / "cache" / "unphi" / "cc").glob(name):
            text = kept.read_bytes()
            times = kept.stat()
            kept.unlink()
            if what == "edited":
                kept.write_bytes(text.replace(b"acc[i]", b"acc[0]").replace(b"overlay", b"overly"))
                os.utime(kept, ns=(times.st_atime_ns, times.st_mtime_ns))
            elif what == "led astray":
                kept.symlink_to(p.top / "src/plain.hip")
        (p.top / "quick.o").unlink()
        code, said, ran = p.cc(p.compiler, *COMMAND, "quick.o", options=LOCKED)
        same = (p.top / "quick.o").read_bytes() == after
        check(f"compile/cc/{what}", [] if not code and said == rest and len(ran) == 1 and same
              else [f"{code}, {ran}, {said}"])


def check_code(p):
    """The device code is what the diff in the lock file gives, and names the original's lines."""
    hand = p.top / "hand"
    shutil.copytree(p.top / "src", hand / "src")
    diff = run(UNPHI, "lock", "--diff", cwd=p.top).stdout
    done = subprocess.run(["patch", "-p1"], cwd=hand, text=True, capture_output=True, input=diff)
    wrong = [] if done.returncode == 0 else [f"patch: {done.stdout}{done.stderr}"]
    text = {}
    device = (*DEBUG, "--offload-device-only", "-S", "src/quick.hip", "-o")
    run(p.compiler, *device, "quick.s", cwd=p.top)
    run(p.compiler, *device, p.top / "hand.s", cwd=hand)
    code, said, ran = p.cc(p.compiler, *device, "cc.s", options=LOCKED)
    wrong += [] if not code and len(ran) == 1 else [f"exit code {code}, {ran}, {said}"]
    for name in ("hand", "quick", "cc"):
        text[name] = (p.top / f"{name}.s").read_text()
    code = {name: re.findall(r"^\t(?:[sv]|global|scratch|buffer|flat)_.*", t, re.M)
            for name, t in text.items()}
    if not code["cc"] == code["hand"] != code["quick"]:
        wrong.append("it is other code than that of the rewritten text")
    check("compile/cc/code", wrong)
    source = (p.top / "src/quick.hip").read_text().splitlines()
    want = {i + 1 for i, line in enumerate(source) if "mfma" in line}
    files, lines = lines_of_matrix_operations(text["cc"])
    plain = lines_of_matrix_operations(text["quick"])[0]
    check("compile/cc/debug", [] if files == plain and lines and {n for _, n in lines} <= want
          and all("quick.hip" in str(f) for f, _ in lines) else [f"{files}, {lines}, not {want}"])


def check_looked_up(p):
    """How often the compiler is run says whether the decision was known."""
    command = (p.compiler, *FLAGS, "-Iown", "-Iinclude", "-c", "src/plain.hip", "-o", "p.o")
    header = p.top / "include" / "plain.h"
    wrong = []

    def expect(known, what, *words):
        code, said, ran = p.cc(*(words or command))
        if code or (len(ran) == 1) != known:
            wrong.append(f"{what}: exit code {code}, {len(ran)} runs, {said}")

    expect(False, "first")
    expect(True, "again")
    expect(True, "another output", *command[:-1], "q.o")
    header.touch()
    expect(True, "a header was touched")
    expect(False, "another flag", *command, "-DX")
    header.write_text("#define VALUE 2\n")
    time.sleep(1.1)
    expect(False, "a header has changed")
    expect(True, "again after that")
    (p.top / "own" / "plain.h").write_text("#define VALUE 3\n")
    time.sleep(1.1)
    expect(False, "a header hides another")
    expect(True, "again after that one")
    (p.top / ".unphi.yaml").write_text("phi-explosion: {min-chained-vgprs: 48}\n")
    expect(False, "a configuration")
    (p.top / ".unphi.yaml").write_text("phi-explosion: {min-chaned-vgprs: 48}\n")
    code, said, ran = p.cc(*command)
    if code or len(ran) != 1 or ".unphi.yaml:1:" not in said:
        wrong.append(f"a wrong configuration: {code}, {ran}, {said}")
    (p.top / ".unphi.yaml").unlink()
    p.compiler.write_text(p.compiler.read_text() + "\n")
    expect(False, "another compiler")
    check("compile/cc/looked-up", wrong)


def check_language(p):
    command = [*FLAGS, "-c", "src/plain.hip", "-Iinclude", "-o", "l.o"]
    code, said, ran = p.cc(p.compiler, "-x", "c++", *command)
    check("compile/cc/language", [] if not code and ran[-1] == f"-xhip {' '.join(command)}"
          else [f"{code}, {ran}, {said}"])


def check_lock(p):
    """What was decided is written down; frozen, only what is written down is done."""
    lock = p.top / "unphi.lock"
    source, header = p.top / "src" / "quick.hip", p.top / "src" / "quick.h"
    first = lock.read_text()
    plain = (p.top / "plain.o").read_bytes()
    other = {"XDG_CACHE_HOME": str(p.top / "other")}.items()
    wrong = []

    def frozen(what, rewritten, said_of, decided=True):
        code, said, ran = p.cc(p.compiler, *COMMAND, "quick.o", options=(*LOCKED, "--frozen"),
                               env=other)
        changed = (p.top / "quick.o").read_bytes() != plain
        if code or said_of not in said or changed not in rewritten:
            wrong.append(f"frozen, {what}: exit code {code}, {said}")
        if (len(ran) > 1) != decided:
            wrong.append(f"frozen, {what}: {len(ran)} runs of the compiler")

    def holds(what, code, said_of, *options):
        done = run(UNPHI, "lock", *options, cwd=p.top)
        if done.returncode != code or said_of not in done.stdout + done.stderr:
            wrong.append(f"{what}: exit code {done.returncode}, {done.stdout}{done.stderr}")

    if str(p.top) in first or 'file: "src/quick.hip"' not in first:
        wrong.append(f"the lock file: {first}")
    holds("it holds", 0, "src/quick.hip (gfx90a): 1 merge, holds")
    frozen("another machine", [True], "as unphi.lock says")
    frozen("again", [True], "", decided=False)
    # what people change by hand, or what changes around it
    kept = {f: f.read_text() for f in (source, header, lock)}
    for what, file, old, new, why in (
            ("source", source, "int late", "int later", "the file has changed"),
            ("header", header, "#define", "# define", "a header has changed"),
            ("diff", lock, '- "+', '- "+ ', "its diff was edited"),
            ("version", lock, 'unphi: "', 'unphi: "0.', "another version")):
        file.write_text(kept[file].replace(old, new, 1))
        holds(f"another {what}", 1, why)
        if what in ("header", "diff"):
            # debug information has a hash of the header
            frozen(f"another {what}", [what == "header"], why)
        file.write_text(kept[file])
    holds("as before", 0, "holds")
    lock.write_text(first.replace("version: 1", "version: 1\nversoin: 2"))
    frozen("broken", [False], "unphi.lock:", decided=False)
    holds("broken", 2, "unknown key 'versoin'")
    lock.write_text(first.replace('content: "', 'content: "0', 1))
    holds("a wrong hash", 2, "16 hexadecimal digits")
    lock.unlink()
    holds("no lock file", 2, "unphi.lock is missing")
    code, said, ran = p.cc(p.compiler, *COMMAND, "quick.o", options=LOCKED)
    if code or len(ran) != 1 or not lock.exists() or lock.read_text() != first:
        wrong.append(f"made again: {code}, {ran}, {said}")
    # an entry that does not hold goes, others stay
    lock.write_text(first + first.partition("files:\n")[2].replace("quick.hip", "gone.hip", 1))
    holds("two entries", 1, "src/gone.hip (gfx90a): 1 merge, does not hold: the file is missing")
    holds("pruned", 0, "does not hold", "--prune")
    if lock.read_text() != first:
        wrong.append(f"--prune left {lock.read_text()}")
    # while somebody else writes it waits
    directory = os.open(p.top, os.O_RDONLY)
    fcntl.flock(directory, fcntl.LOCK_EX)
    pruning = subprocess.Popen([UNPHI, "lock", "--prune"], cwd=p.top, stdout=subprocess.DEVNULL)
    try:
        wrong.append(f"--prune did not wait: {pruning.wait(0.3)}")
    except subprocess.TimeoutExpired:
        pass
    lock.write_text(first + first.partition("files:\n")[2].replace("quick.hip", "gone.hip", 1))
    os.close(directory)
    if pruning.wait(600) or lock.read_text() != first:
        wrong.append("--prune did not look at what was written meanwhile")
    check("compile/cc/lock", wrong)
    # a name with a link and dots in it
    (p.top / "link").symlink_to(p.top / "src")
    code, said, ran = p.cc(
        p.compiler, *DEBUG, "-c", "../link/./quick.hip", "-o", "k.o", env=other,
        options=("--lock", "../unphi.lock", "--frozen"), cwd=p.top / "own")
    check("compile/cc/names", [] if not code and "../link/./quick.hip:" in said
          and (p.top / "own" / "k.o").read_bytes() != plain and "as ../unphi.lock" in said
          else [f"{code}, {said}"])


SKIPPING = "-mllvm -structurizecfg-skip-uniform-regions=1"


REPEATED = """
static __attribute__((device)) int counter = 3;
const void *where() { return &counter; }
const char *name() { return __FILE__; }
"""


def build_twice(p, wrong, compiler, folders, *flags):
    """Objects of two plain builds and of two by unphi from empty caches, in these folders, whose names flags have as
    %s, and the lock files; fragments of a compile database are held against each other."""
    plain, made, locks = [], [], []
    for i, folder in enumerate(folders):
        folder.mkdir(exist_ok=True)
        (folder / "quick.h").write_text(HEADER)
        (folder / "k.hip").write_text((ROOT / "tests/compile/lib/quick.hip").read_text() + REPEATED)
        (folder / "unphi.lock").unlink(missing_ok=True)
        words = (*compiler, *FLAGS, "-w", "-O3", *(f.replace("%s", str(folder)) for f in flags), "-MJ", "m.json",
                 "-c", folder / "k.hip", "-o", "k.o")  # fmt: skip
        run(*words, cwd=folder)
        plain.append((folder / "k.o").read_bytes())
        fragment = (folder / "m.json").read_text()
        (folder / "k.o").unlink()
        code, said, _ = p.cc(*words, options=LOCKED, cwd=folder,
                             env={"XDG_CACHE_HOME": str(folder / f"cache{i}")}.items())
        if code or "1 merge rewritten" not in said:
            wrong.append(f"{compiler[0]}: exit code {code}: {said}")
        made.append((folder / "k.o").read_bytes())
        # the driver appends, and names temporary files
        both = [re.sub(r"/[^\"]*k-[^\"]*", "TEMPORARY", t) for t in (fragment * 2, (folder / "m.json").read_text())]
        if both[0] != both[1]:
            wrong.append(f"{compiler[0]}: a fragment {both[1]}, not {both[0]}")
        (folder / "m.json").unlink()
        locks.append((folder / "unphi.lock").read_text())
    return plain, made, locks


def check_repeats(p):
    """Two builds from empty caches give the same bytes where two plain ones do."""
    wrong = []
    libraries = [w for w in device_compile(CLANG, "gfx90a") if w.startswith("--rocm-device-lib-path")]
    clang, hipcc = (CLANG, *libraries), (p.compiler,)
    one, two = [p.top / "one"] * 2, [p.top / "one", p.top / "two"]
    tries = [("hipcc", hipcc, one, ("-g",)), ("unit id", clang, one, ("-g",)),
             ("prefix", clang, two, ("-g", "-cuid=0", "-ffile-prefix-map=%s=."))]
    for what, compiler, folders, flags in tries if shutil.which(CLANG) else tries[:1]:
        plain, made, locks = build_twice(p, wrong, compiler, folders, *flags)
        wrong += [f"{what}: plain builds differ"] if plain[0] != plain[1] else []
        wrong += [f"{what}: it is the plain object"] if made[0] == plain[0] else []
        wrong += [f"{what}: the objects differ"] if made[0] != made[1] else []
        wrong += [f"{what}: {locks[0]}, not {locks[1]}"] if locks[0] != locks[1] else []
        wrong += [f"{what}: it names the cache"] if b"cache0" in made[0] or b"file-" in made[0] else []
    # what would go into the object by itself
    code, said, ran = p.cc(p.compiler, *FLAGS, "-w", "-g", "-grecord-command-line", "-c", "one/k.hip", "-o", "k.o",
                           options=("--explain",))
    if code or len(ran) != 1 or "its command line goes into the object" not in said:
        wrong.append(f"recorded: {code}, {ran}, {said}")
    # a compiler that fails, that a signal ends, and a fragment that cannot be written
    words = (*hipcc, *FLAGS, "-w", "-O3", "-g", "-MJ", "m.json", "-c", p.top / "one/k.hip", "-o", "k.o")
    cache = {"XDG_CACHE_HOME": str(p.top / "one" / "cache0")}
    for what, env, replaced, want in (("fails", {"ENDS_WITH": "42"}, "m.json", 42), ("no place", {}, "none/m.json", 1)):
        code, said, ran = p.cc(*(replaced if w == "m.json" else w for w in words), options=LOCKED, cwd=p.top / "one",
                               env={**cache, **env}.items())
        if code != want or (want == 1 and "cannot write none/m.json" not in said):
            wrong.append(f"{what}: {code}, {ran}, {said}")
    check("compile/cc/repeats", wrong)


def check_flags(p):
    """Flags go into the command where --allow-flags is given and they help, and into the lock file."""
    wrong = []
    said = run(p.compiler, "--version", cwd=p.top).stdout
    if int(re.search(r"clang version (\d+)", said)[1]) >= 24:
        skip("compile/cc/flags", "the flag gains nothing with clang 24")
        return

    def expect(what, rewritten, said_of, *options, cache="flags"):
        code, said, ran = p.cc(p.compiler, *FLAGS, "-c", "src/quick.hip", "-o", "flags.o",
                               options=("--threshold", "1000", *options),
                               env={"XDG_CACHE_HOME": str(p.top / cache)}.items())
        if code or not ran or (SKIPPING in ran[-1]) != rewritten or "vfs" in ran[-1] or \
                (said_of or "") not in said or (not said_of and "note" in said):
            wrong.append(f"{what}: exit code {code}, {ran}, {said}")

    locked = ("--allow-flags", "--lock", "flags.lock")
    expect("not asked for", False, None)
    expect("asked for, but too old", False, None, "--allow-flags")
    mended = p.top / ".unphi.yaml"
    mended.write_text("choose:\n  flag-mended-in-clang: 15\n")
    expect("decided", True, "0 merges rewritten, flags added; ", *locked)
    expect("looked up", True, None, *locked)
    lock = p.top / "flags.lock"
    text = lock.read_text()
    if 'added: ["-mllvm", "-structurizecfg' not in text or 'because: "quick: ' not in text:
        wrong.append(f"the lock file: {text}")
    expect("frozen", True, "flags added, as flags.lock says", *locked, "--frozen", cache="other")
    expect("frozen, not allowed", False, "it was made with --allow-flags", "--lock", "flags.lock",
           "--frozen", cache="other")
    done = run(UNPHI, "lock", "flags.lock", cwd=p.top)
    if done.returncode or "0 merges, flags added, holds" not in done.stdout or \
            run(UNPHI, "lock", "--diff", "flags.lock", cwd=p.top).stdout:
        wrong.append(f"unphi lock: {done.stdout}{done.stderr}")
    lock.write_text(text.replace("-mllvm", "-fplugin=other.so"))
    expect("other flags", False, "it adds flags that unphi never adds", *locked, "--frozen",
           cache="third")
    mended.unlink()
    check("compile/cc/flags", wrong)


def check_cost(p):
    """What was decided before costs next to nothing: libclang is not even loaded, be there a merge or none."""
    loads = []
    for run_of in ("first", "second"):
        env = {**p.env, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(p.top / run_of), "XDG_CACHE_HOME": str(p.top / "cost")}
        subprocess.run([UNPHI, "cc", "--", p.compiler, *COMMAND, "cost.o"], cwd=p.top, env=env, check=True,
                       capture_output=True)  # fmt: skip
        said = "".join(f.read_text() for f in p.top.glob(run_of + ".*"))
        loads.append(bool(re.search(r"libclang(-\d+)?\.so", said)))  # not the compiler's libclang-cpp
    check("compile/cc/cost", [] if loads == [True, False] else [f"loads libclang: {loads}"])
    command = (p.compiler, *FLAGS, "-Iown", "-Iinclude", "-c", "src/plain.hip", "-o", "p.o")
    p.cc(*command)
    costs = [sorted(cpu_seconds(p, words) for _ in range(9))[4] * 1000
             for words in ((UNPHI, "cc", "--", *command), command)]
    print(f"# {costs[0] - costs[1]:.1f} ms of CPU time more than the compiler alone")


def cpu_seconds(p, words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(w) for w in words], cwd=p.top, env={**p.env, "ENDS_WITH": "0"}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_ccache(p):
    """It caches what it compiles, and knows one rewritten text from another."""
    if not shutil.which("ccache"):
        skip("compile/cc/ccache", "ccache not found")
        return
    env = {"CCACHE_DIR": str(p.top / "ccache")}.items()
    words = ("ccache", p.compiler, *DEBUG, "-c", "src/quick.hip", "-o", "c.o")
    wrong = []
    runs = []
    wide = ("--threshold", "1000")
    for options in (LOCKED, LOCKED, wide, wide, LOCKED):
        code, said, ran = p.cc(*words, options=options, env=env)
        runs.append(len([r for r in ran if " -c " in f" {r} " and "###" not in r]))
        if code:
            wrong.append(f"exit code {code}: {said}")
        runs[-1] = (runs[-1], (p.top / "c.o").read_bytes())
    rewritten, plain = runs[0][1], runs[2][1]
    if rewritten == plain or [r[1] == rewritten for r in runs] != [True, True, False, False, True]:
        wrong.append("objects are mixed up")
    hits = run("ccache", "-s", env={**p.env, **dict(env)}).stdout
    if not re.search(r"Hits:\s+[1-9]", hits):
        wrong.append(f"nothing was found again: {hits}")
    check("compile/cc/ccache", wrong)


def main():
    if not shutil.which("hipcc"):
        skip("compile/cc", "hipcc not found")
        return
    with tempfile.TemporaryDirectory(dir=".") as name:
        p = Project(pathlib.Path(name).resolve())
        for part in (check_untouched, check_rewritten, check_code, check_repeats, check_flags, check_lock,
                     check_looked_up, check_language, check_cost, check_ccache):
            part(p)


sys.exit(main())
