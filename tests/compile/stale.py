#!/usr/bin/env python3
"""What the compile would read in place of what it read is never answered from the cache: by the
launcher, by measure and its gate, by rewrite. A table of ways in which another text comes in; and for
each command line of it, and others, what the real compile opens or looks for, traced: each path has a
stamp in the entry that answers, or is of a class that cannot change the text."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

CLANG = shutil.which(tool.CLANG)
TOP = pathlib.Path("stale").absolute()
FLAGS = ("-O1", "-nogpuinc", "-nogpulib", "--offload-arch=gfx90a")
FEW, MANY = "#undef N\n#define N 2\n", "#undef N\n#define N 60\n"
# N registers live at once; more than 32 break the budget
SOURCE = """struct dim3 {
	unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
%s
#ifndef N
#define N 2
#endif
// unphi: budget vgpr<=32
__attribute__((global)) void k(float *p)
{
	float a[N];
	p += __builtin_amdgcn_workitem_id_x();
#pragma unroll
	for (int i = 0; i < N; ++i) {
		a[i] = p[i * 64];
	}
	asm volatile("" ::: "memory");
#pragma unroll
	for (int i = 0; i < N; ++i) {
		p[i * 64 + 1] = a[i];
	}
}
"""
INCLUDE = '#include "value.h"'


def asking(question, name="more.h"):
    return f'#if {question}\n#include "{name}"\n#endif'


def write(name, text):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def link(name, to):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    path.symlink_to(to)


def swap(one, other):
    os.rename(one, "between")
    os.rename(other, one)
    os.rename("between", other)


def same_size_and_time(name, text):
    """As an archive or a copy would leave it."""
    was = os.stat(name)
    assert len(text) == was.st_size
    write(name, text)
    os.utime(name, ns=(was.st_atime_ns, was.st_mtime_ns))


def replace_directory(name, text):
    os.rmdir(name)
    write(name, text)


OVERLAY = ("{'version': 0, 'roots': [{'name': '%s', 'type': 'directory', 'contents': [{'name': 'value.h', "
           "'type': 'file', 'external-contents': '%s'}]}]}")


class Way:
    """Lines of a source, words of a command and files; what then changes; the environment before, and what of it
    changes; how the gate ends after that."""

    def __init__(self, text, words=(), files=(), change=None, env=(), after=(), links=None, code=1):
        self.text, self.words, self.files, self.change = text, words, dict(files), change
        self.env, self.after, self.links, self.code = dict(env), dict(after), links, code


def ways():
    def appears(name):
        return lambda: write(name, MANY)

    low = {"low/value.h": FEW}
    sub = {"low/sub/value.h": FEW}
    return {
        "asked in quotes": Way(asking('__has_include("more.h")'), change=appears("more.h")),
        "asked in angles": Way(asking("__has_include(<more.h>)"), ["-Iinc"], {"inc/x": ""}, appears("inc/more.h")),
        "asked by a header": Way(INCLUDE, ["-Iinc"], {"inc/value.h": asking('__has_include("more.h")')},
                                 appears("inc/more.h")),
        "asked by a macro": Way("#define HAS(x) __has_include(x)\n#define HAS2(y) HAS(y)\n" + asking("HAS2(<more.h>)"),
                                ["-Iinc"], {"inc/x": ""}, appears("inc/more.h")),
        "asked by another name": Way("#define HAS __has_include\n" + asking('HAS("more.h")'), change=appears("more.h")),
        "asked for a macro": Way('#define WHICH "more.h"\n' + asking("__has_include(WHICH)"), change=appears("more.h")),
        "asked in two lines": Way('#if __has_include\\\n("more.h")\n#include "more.h"\n#endif', change=appears("more.h")),
        "asked in a split word": Way('#if __has_inc\\\nlude("more.h")\n#include "more.h"\n#endif',
                                     change=appears("more.h")),
        "asked past a comment": Way('/* a\n*/ #if /* b */ __has_include("more.h") // c\n#include "more.h"\n#endif',
                                    change=appears("more.h")),
        "asked by joined words": Way("#define JOIN(a, b) a##b\n" + asking('JOIN(__has_, include)("more.h")'),
                                     change=appears("more.h")),
        "asked by a flag": Way(asking('HAS("more.h")'), ["-DHAS(x)=__has_include(x)"], change=appears("more.h")),
        "asked in another directory": Way(asking('__has_include("../up/more.h")', "../up/more.h"), ["-Iinc"], {"inc/x": ""},
                                          appears("up/more.h")),
        "asked below a missing directory": Way(asking("__has_include(<a/b/more.h>)", "a/b/more.h"), ["-Iinc"],
                                               {"inc/x": ""}, appears("inc/a/b/more.h")),
        "asked from the root": Way(asking(f'__has_include("{TOP}/root/more.h")', f"{TOP}/root/more.h"),
                                   change=appears(TOP / "root/more.h")),
        "asked for the next": Way(INCLUDE, ["-Iinc", "-Ilow"], {
            "inc/value.h": "#if __has_include_next(<value.h>)\n#include_next <value.h>\n#endif", "low/x": ""},
            appears("low/value.h")),
        "asked for bytes": Way('#if __has_embed("more.h")\n#include "more.h"\n#endif', change=appears("more.h")),
        "beside the source": Way(INCLUDE, ["-Ilow"], low, appears("value.h")),
        "beside the header that includes": Way('#include "own/first.h"', ["-Ilow"], {"own/first.h": INCLUDE, **low},
                                               appears("own/value.h")),
        "a directory in front": Way(INCLUDE, ["-Ihigh", "-Ilow"], {"high/x": "", **low}, appears("high/value.h")),
        "a directory that was not there": Way(INCLUDE, ["-Ihigh", "-Ilow"], low, appears("high/value.h")),
        "a part of a name that was not there": Way("#include <sub/value.h>", ["-Ihigh", "-Ilow"], {"high/x": "", **sub},
                                                   appears("high/sub/value.h")),
        "a part of a name that was there": Way("#include <sub/value.h>", ["-Ihigh", "-Ilow"], {"high/sub/x": "", **sub},
                                               appears("high/sub/value.h")),
        "--include-directory": Way(INCLUDE, ["--include-directory=high", "-Ilow"], {"high/x": "", **low},
                                   appears("high/value.h")),
        "-I and its value": Way(INCLUDE, ["-I", "high/", "-isystem", "low"], {"high/x": "", **low}, appears("high/value.h")),
        "-Xclang": Way(INCLUDE, ["-Xclang", "-I", "-Xclang", "high", "-isystem", "low"], {"high/x": "", **low},
                       appears("high/value.h")),
        "-Xpreprocessor": Way(INCLUDE, ["-Xpreprocessor", "-Ihigh", "-isystem", "low"], {"high/x": "", **low},
                              appears("high/value.h")),
        "-Wp": Way(INCLUDE, ["-Wp,-Ihigh", "-isystem", "low"], {"high/x": "", **low}, appears("high/value.h")),
        "-Xarch_device": Way(INCLUDE, ["-Xarch_device", "-Ihigh", "-isystem", "low"], {"high/x": "", **low},
                             appears("high/value.h")),
        "-iquote": Way(INCLUDE, ["-iquotehigh", "-Ilow"], {"high/x": "", **low}, appears("high/value.h")),
        "-idirafter": Way(INCLUDE, ["-idirafter", "high", "-idirafter", "low"], {"high/x": "", **low},
                          appears("high/value.h")),
        "-cxx-isystem": Way(INCLUDE, ["-cxx-isystem", "high", "-idirafter", "low"], {"high/x": "", **low},
                            appears("high/value.h")),
        "-iwithprefix": Way(INCLUDE, ["-iprefix", "hi", "-iwithprefix", "gh", "-idirafter", "low"], {"high/x": "", **low},
                            appears("high/value.h")),
        "-isystem below the root": Way(INCLUDE, ["--sysroot=root", "-isystem", "=/high", "-isystem", "low"],
                                       {"root/high/x": "", **low}, appears("root/high/value.h")),
        "-include": Way("", ["-include", "value.h", "-Ilow"], low, appears("value.h")),
        "-include, precompiled": Way("", ["-include", "value.h"], {"value.h": FEW}, lambda: write("value.h.pch", ""), code=3),
        "-imacros": Way("", ["-imacros", "value.h", "-Ilow"], low, appears("value.h")),
        "CPATH": Way(INCLUDE, ["-isystem", "low"], {"high/x": "", **low}, appears("high/value.h"), {"CPATH": "high"}),
        "CPLUS_INCLUDE_PATH": Way(INCLUDE, ["-idirafter", "low"], {"high/x": "", **low}, appears("high/value.h"),
                                  {"CPLUS_INCLUDE_PATH": "high"}),
        "another CPATH": Way(INCLUDE, ["-isystem", "low"], {"high/value.h": MANY, **low}, after={"CPATH": "high"}),
        "CCC_OVERRIDE_OPTIONS": Way("", after={"CCC_OVERRIDE_OPTIONS": "# +-DN=60"}),
        "a response file": Way("", ["@words"], {"words": "-DN=2"}, lambda: write("words", "-DN=60")),
        "a response file's own": Way("", ["@words"], {"words": "@more", "more": "-DN=2"}, lambda: write("more", "-DN=60")),
        "--config": Way("", ["--config", "{here}/a.cfg"], {"a.cfg": "-DN=2"}, lambda: write("a.cfg", "-DN=60")),
        "--config, and what it reads": Way("", ["--config", "{here}/a.cfg"], {"a.cfg": "@more", "more": "-DN=2"},
                                           lambda: write("more", "-DN=60")),
        "--config, a directory": Way(INCLUDE, ["--config", "{here}/a.cfg", "-isystem", "low"],
                                     {"a.cfg": f"-I{TOP}/dir", "dir/x": "", **low}, appears(TOP / "dir/value.h")),
        "a configuration appears": Way("", [f"--config-user-dir={TOP}/user"],
                                       change=lambda: write(TOP / "user/clang++.cfg", "-DN=60")),
        "an overlay": Way('#include "vfs/value.h"', ["-ivfsoverlay", "o.yaml"], {
            "few.h": FEW, "many.h": MANY, "vfs/x": "", "o.yaml": OVERLAY % ("{here}/vfs", "{here}/few.h")},
            lambda: write("o.yaml", OVERLAY % (os.getcwd() + "/vfs", os.getcwd() + "/many.h"))),
        "a framework": Way("#include <Value/value.h>", ["-Ffw", "-idirafter", "low"], {
            "fw/x": "", "low/Value/value.h": FEW}, appears("fw/Value.framework/Headers/value.h")),
        "-working-directory": Way(INCLUDE, ["-working-directory", "{here}/work", "-Ihigh", "-isystem", "low"], {
            "work/low/value.h": FEW, "work/high/x": "", "work/k.hip": SOURCE % INCLUDE}, appears("work/high/value.h")),
        "another link to a directory": Way(INCLUDE, ["-Ito"], {"few/value.h": FEW, "many/value.h": MANY},
                                           lambda: link("to", "many"), links=lambda: link("to", "few")),
        "another link to a header": Way(INCLUDE, ["-Iinc"], {"inc/few.h": FEW, "inc/many.h": MANY},
                                        lambda: link("inc/value.h", "many.h"),
                                       links=lambda: link("inc/value.h", "few.h")),
        "a link that led nowhere": Way(INCLUDE, ["-Ihigh", "-Ilow"], {"high/x": "", **low}, appears("high/yet.h"),
                                       links=lambda: link("high/value.h", "yet.h")),
        "a link that led nowhere, to a directory": Way("#include <sub/value.h>", ["-Ihigh", "-Ilow"], {"high/x": "", **sub},
                                                       appears("yet/value.h"), links=lambda: link("high/sub", "../yet")),
        "directories change places": Way(INCLUDE, ["-Ione"], {"one/value.h": FEW, "two/value.h": MANY},
                                         lambda: swap("one", "two")),
        "a directory becomes a header": Way(INCLUDE, ["-Ihigh", "-Ilow"], {"high/value.h/x": "", **low},
                                            lambda: (os.remove("high/value.h/x"),
                                                     replace_directory("high/value.h", MANY))),
        "of the same size and time": Way(INCLUDE, ["-Iinc"], {"inc/value.h": FEW + " "},
                                         lambda: same_size_and_time("inc/value.h", MANY)),
        "renamed over it": Way(INCLUDE, ["-Iinc"], {"inc/value.h": FEW + " ", "inc/other.h": MANY},
                               lambda: os.rename("inc/other.h", "inc/value.h")),
        "the next one goes": Way(INCLUDE, ["-Ihigh", "-Ilow"], {"high/value.h": FEW, "low/value.h": MANY},
                                 lambda: os.remove("high/value.h")),
        "embedded bytes": Way("enum {\nN = sizeof((char[]){\n#embed \"bytes\"\n})\n};\n#define N N", [],
                              {"bytes": "ab"}, lambda: write("bytes", "a" * 60)),
    }


# more command lines that are traced, in the same form
TRACED = {
    "nothing": ("", ()), "C++20": (INCLUDE, ("-std=c++20", "-Ilow")), "a library": ("#include <vector>\n" + INCLUDE,
                                                                                    ("-std=c++17", "-Ilow")),
    "C's library": ("#include <stdint.h>\n#include <math.h>\n" + INCLUDE, ("-Ilow",)),
    "no system headers": (INCLUDE, ("-nostdinc", "-Ilow")), "no C++ headers": (INCLUDE, ("-nostdinc++", "-Ilow")),
    "two targets": (INCLUDE, ("--offload-arch=gfx942", "-Ilow")), "debugged": (INCLUDE, ("-g", "-Ilow")),
    "a --rocm-path": (INCLUDE, ("--rocm-path={here}/low", "-Ilow")),
    "a --gcc-toolchain": (INCLUDE, ("--gcc-toolchain=/usr", "-Ilow")),
    "a dependency file": (INCLUDE, ("-MD", "-MF", "k.d", "-Ilow")), "a macro": (INCLUDE, ("-DX=1", "-Ilow")),
    "position": (INCLUDE, ("-fPIC", "-Ilow")), "the device's": (INCLUDE, ("--offload-device-only", "-Ilow")),
}


class Case:
    """A way in a directory of its own."""

    def __init__(self, number, name, way):
        self.name, self.way = name, way
        self.dir = TOP / str(number)
        self.log, self.trace = self.dir / "log", self.dir / "trace"
        # the launcher and measure find what is looked for by the same code: each fourth is enough, but with --all
        self.is_measured = tool.ALL or (isinstance(number, int) and number % 4 == 0)
        self.flags = [w.replace("{here}", str(self.dir)) for w in (*FLAGS, *way.words)]
        self.dir.mkdir(parents=True)
        os.chdir(self.dir)
        write("k.hip", SOURCE % way.text)
        for file, text in way.files.items():
            write(file, text.replace("{here}", str(self.dir)))
        if way.links:
            way.links()
        is_traced = tool.ALL or number not in range(2, 62, 3)
        # each tenth command is traced whole, and of the others what reads texts
        self.env = {**os.environ, **way.env, "XDG_CACHE_HOME": str(TOP / "cache"), "LOG": str(self.log),
                    "TRACE": str(self.trace) if is_traced else "",
                    "PARSE": "" if str(number).endswith("0") else "-fsyntax-only"}

    def change(self):
        os.chdir(self.dir)
        if self.way.change:
            self.way.change()
        self.env.update(self.way.after)

    def run(self, *argv):
        return subprocess.run([str(w) for w in argv], cwd=self.dir, env=self.env, capture_output=True, text=True,
                              check=False)

    def launch(self):
        """(how often the compiler was run, what was said)"""
        self.log.unlink(missing_ok=True)
        done = self.run(tool.UNPHI, "cc", "--explain", "--", TOP / "clang++", *self.flags, "-c", "k.hip", "-o", "k.o")
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0, done.stderr

    def gate(self):
        return self.run(tool.UNPHI, "measure", "--check", "--quiet", "--compiler", CLANG, "--target", "gfx90a", "k.hip",
                        "--", *self.flags)

    def entry(self):
        """The stamps that the launcher's decision is kept with."""
        for path in (TOP / "cache/unphi/cc").glob("*"):
            text = path.read_bytes().decode(errors="replace")
            if f"\nin {len(str(self.dir))} {self.dir}\n" in text:
                return text
        return None


# The last command is the compile: traced, where that is asked for, else not run at all.
COMPILER = """#!/bin/sh
echo "$*" >>"$LOG"
[ -z "$ENDS_WITH" ] || exit "$ENDS_WITH"
case "$*" in
*-###* | *"-E "* | *" -S "* | *--lto-emit-asm* | *-fsyntax-only* | *--version* | *-print-* | *" -v "*) exec {clang} "$@" ;;
esac
[ -n "$TRACE" ] || exit 0
exec strace -f --seccomp-bpf -qq -e trace=file -s 4096 -o "$TRACE" {clang} $PARSE "$@"
"""


# ---- the oracle ----

# What cannot change the text, or has a name of the same kind in the stamps.
CLASSES = re.compile(
    r"^/(proc|dev|sys)/|^/etc/(ld\.so|lsb-release|os-release|debian_version|redhat-release)"  # the system's own
    r"|/(glibc-hwcaps|tls|haswell|avx512_1)(/|$)|\.so(\.[0-9.]+)?$|/lib(/x86_64){1,2}$"  # the loader's; libraries
    r"|locale|^/tmp/|^{tmp}/[^/]*$|(^|/)k\.o(\.tmp|-[0-9a-f]+\.o\.tmp)?$|k-[0-9a-f]+\.o\.tmp$|k\.d$"  # outputs
    r"|/((x86_64-pc-linux-gnu|amdgpu[0-9.a-z]*-amd-amdhsa)-)?(ld\.lld|lld|ld|clang-offload-bundler|clang-linker-wrapper"
    r"|llvm-offload-binary|llvm-objcopy|llvm-link|opt|llc|ptxas)$"  # programs
    r"|/crt\w+\.o$|/cuda(-[0-9.]+)?(/|$)")
LIBRARIES = re.compile(r"/(lib|lib32|lib64|libx32)(/x86_64-linux-gnu|/x86_64-pc-linux-gnu|/amdgcn-amd-amdhsa|/linux/x86_64"
                       r"|/amdhsa/amdgcn|/amdgcn|/amdgpu[0-9.a-z]*-amd-amdhsa|/amdhsa/amdgpu)?(/\.\./lib(32|64)?)?$")  # where a linker would look
CALL = re.compile(r'^\d+ +(\w+)\((?:AT_FDCWD, )?"((?:[^"\\]|\\.)+)"(.*)$')


class Stamps:
    def __init__(self, entry, base):
        self.base, self.files, self.absent, self.dirs, self.names = base, set(), set(), {}, set()
        for line in entry.splitlines():
            if re.match(r"\d+ \d+\.\d{9} \d+\.\d{9} \d+ \S+ ", line):
                self.files.add(self.full(line.split(" ", 5)[5]))
            elif line.startswith("- "):
                self.absent.add(self.full(line[2:]))
            elif line.startswith("l "):
                self.files.add(self.full(line[4:]))
            elif line.startswith("n "):
                self.names = set(line[2:].split("/"))
            elif line.startswith("d "):
                _, which, *_, path = line.split(" ", 7)
                self.dirs[self.full(path)] = which
        self.known = self.files | self.absent | set(self.dirs)
        self.real = {os.path.realpath(p) for p in self.files}

    def full(self, path):
        return os.path.normpath(os.path.join(self.base, path))

    def counts(self, path):
        """Does the stamp of the directory say whether it is there?"""
        which, name = self.dirs.get(os.path.dirname(path)), os.path.basename(path)
        return which == "a" or (which == "n" and name in self.names) or (which == "c" and name.endswith(".cfg"))

    def has(self, path, there):
        path = self.full(path)
        if path in self.known or os.path.realpath(path) in self.real or self.counts(path):
            return True
        if there:  # a directory on the way to what has a stamp
            return any(k.startswith(path.rstrip("/") + "/") for k in self.known)
        while path != "/":  # nothing below what is missing
            path = os.path.dirname(path)
            if path in self.absent or (self.counts(path) and not os.path.exists(path)):
                return True
        return False


def untold(case):
    """What the traced compile opened or looked for, without a stamp."""
    stamps, found = Stamps(case.entry(), case.dir), {}
    for line in case.trace.read_text().splitlines():
        call = CALL.match(line)
        if not call or call[1] in ("execve", "unlink", "rename", "getcwd", "chdir", "mkdir", "utimensat"):
            continue
        there = " ENOENT" not in call[3] and " ENOTDIR" not in call[3]
        path = case.dir / call[2]
        if path != case.dir / "k.hip" and not CLASSES.search(str(path)) and not LIBRARIES.search(str(path)):
            found[call[2]] = there
    return sorted(("" if there else "-") + p for p, there in found.items() if not stamps.has(p, there)), len(found)


# ---- the tests ----

# Said of what cannot be told for the command as it is: nothing is rewritten, so nothing is stale.
CANNOT = re.compile("compiled unchanged: (the files that it reads because|it has an overlay|-working-directory)")


def first(case, wrong, looked):
    case.runs, said = case.launch()
    case.told = not CANNOT.search(said)
    again, said_again = case.launch()
    if again != 1 or (case.runs < 2 and case.told):
        wrong["known"].append(f"{case.name}: {case.runs}, then {again} runs: {said_again}")
    if case.told and not case.entry():
        wrong["known"].append(f"{case.name}: nothing is kept: {said}")
    elif case.told and case.trace.exists():
        missing, n = untold(case)
        looked.append(n)
        wrong["traced"] += [f"{case.name}: {missing}"] if missing else []
    if case.is_measured:
        gate = case.gate()
        if gate.returncode:
            wrong["gate"].append(f"{case.name}: exit code {gate.returncode} before: {gate.stderr}")


def second(case, wrong):
    case.change()
    case.env["ENDS_WITH"] = "1"  # it was asked: that is what is to be known
    runs, said = case.launch()
    if runs < 2 and not CANNOT.search(said):
        wrong["cc"].append(case.name)
    if case.is_measured:
        gate = case.gate()
        if gate.returncode != case.way.code:
            wrong["gate"].append(f"{case.name}: exit code {gate.returncode}")


HOST = '#if !defined(__HIP_DEVICE_COMPILE__) && __has_include("host.h")\n#include "host.h"\n#endif\n'


def check_rewritten():
    """rewrite decides anew; and where the launcher gives the compiler another text, what the host's compile looks for
    counts, too."""
    narrow = (tool.ROOT / "tests/compile/lib/quick.hip").read_text()
    wide = "typedef float f32x4 __attribute__((ext_vector_type(4)));\n#define WIDTH %d\n"
    case = Case("rewritten", "rewritten", Way("", ["-isystem", "low"], {"high/x": "", "low/quick.h": wide % 1},
                                              env={"CPATH": "high"}))
    write("k.hip", HOST + narrow)
    case.env["ENDS_WITH"] = ""
    case.env["TRACE"] = ""
    time.sleep(1.1)
    rewrite = (tool.UNPHI, "rewrite", "--check", "--compiler", CLANG, "--target", "gfx90a", "k.hip", "--", *case.flags)
    codes = [case.run(*rewrite).returncode]
    write("high/quick.h", wide % 32)
    time.sleep(1.1)
    codes += [case.run(*rewrite).returncode]
    tool.check("stale/rewrite", [] if codes == [0, 1] else [f"exit codes {codes}"])
    runs = [case.launch() for _ in range(2)]
    write("host.h", "")
    case.env["ENDS_WITH"] = "1"
    runs.append(case.launch())
    tool.check("stale/host", [] if "1 merge rewritten" in runs[0][1] and runs[1][0] == 1 < runs[2][0] else [str(runs)])


def test():
    if not CLANG or not shutil.which("strace"):
        tool.skip("stale", f"{tool.CLANG} or strace not found")
        return
    TOP.mkdir()
    write(TOP / "clang++", COMPILER.format(clang=CLANG))
    (TOP / "clang++").chmod(0o755)
    cases = [Case(i, name, way) for i, (name, way) in enumerate(ways().items())]
    traced = [Case(len(cases) + i, name, Way(text, words, {"low/value.h": FEW}))
              for i, (name, (text, words)) in enumerate(TRACED.items())]
    time.sleep(1.1)  # what was written in this second is not believed to stay
    wrong, looked = {"known": [], "traced": [], "cc": [], "gate": []}, []
    for case in (*cases, *traced):
        first(case, wrong, looked)
    for case in cases:
        second(case, wrong)
    check_rewritten()
    os.chdir(TOP.parent)
    if len(looked) < 40 or sum(looked) < 1000:
        wrong["traced"].append(f"only {len(looked)} command lines with {sum(looked)} paths")
    for what, found in wrong.items():
        tool.check(f"stale/{what}", found)


tool.main(test)
