"""What the compile tests and the measuring scripts share: unphi as a process, the kernels with the
compilers and targets that they are for, and what its reports must hold."""

import collections
import functools
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("UNPHI_ROOT") or pathlib.Path(__file__).parents[3]).resolve()
# What is compiled depends on the working directory, as a flag may name a place in it: in this one all
# scripts rewrite, so that none compiles again what another one has.
SHARED = os.environ.get("UNPHI_TEST_SHARED") or os.getcwd()
UNPHI = os.path.abspath(os.environ.get("UNPHI") or ROOT / "build" / "unphi")

CDNA = ("gfx90a", "gfx942")
KERNELS = {
    "factorial": CDNA,
    "mla_decode": CDNA,
    "boundary_gemm": CDNA,
    "fma_tile": CDNA,
    "wmma_tile": ("gfx1100",),
}

# The clangs that the versions by hand were made with.
HAND_BY = (15, 19, 21, 22)
LINKS_LATE = 23  # the first clang that links device code late by default
SKIPS_UNIFORM = 24  # the first that structurizes no uniform branch
# The first clang that compiles for a target.
FIRST_CLANG = {"gfx908": 15, "gfx90a": 15, "gfx1100": 15, "gfx942": 17, "gfx950": 20}


def own_clang():
    """The clang to test beside hipcc: 19, which the figures of the documents were measured with, else the
    newest."""
    return next((name for n in (19, *range(40, 16, -1)) if shutil.which(name := f"clang++-{n}")), "clang++-19")


CLANG = own_clang()
COMPILERS = ("hipcc", CLANG)


@functools.cache
def clang_of(compiler):
    """Which clang it is, or calls."""
    if compiler != "hipcc":
        return int(re.fullmatch(r"clang\+\+-(\d+)|.*", compiler)[1] or 0)
    said = subprocess.run([compiler, "-print-resource-dir"], capture_output=True, text=True, check=False).stdout
    return int(said.rpartition("/clang/")[2].partition(".")[0])


def knows(compiler, target):
    return clang_of(compiler) >= FIRST_CLANG[target]


@functools.cache
def llvm():
    """The version of the LLVM tools."""
    return subprocess.run([ROOT / "scripts" / "llvm"], capture_output=True, text=True, check=True).stdout.strip()


def flags_of(compiler, target):
    """HIP's headers up to 6.4 name a macro that clang has no more from 22 on."""
    wave = 64 if target.startswith("gfx9") else 32
    return (f"-D__AMDGCN_WAVEFRONT_SIZE={wave}",) if compiler != "hipcc" and clang_of(compiler) > 21 else ()


def kernel_path(name):
    return str(ROOT / "kernels" / f"{name}.hip")


def hand_path(name):
    """The best version by hand."""
    return str(ROOT / "kernels" / f"{name}.hand.hip")


def compilers():
    return [name for name in COMPILERS if shutil.which(name)]


def one_or_all():
    """Of what is asked of any compiler: all with --all, else the one that costs least."""
    here = compilers()
    return here if ALL else here[-1:]


def pairs(targets):
    """(compiler, target) for the compilers that are installed and know the target."""
    return [(c, t) for c in compilers() for t in targets if knows(c, t)]


# scripts/test --all: of what costs the most, each one of a kind and not some
ALL = bool(os.environ.get("UNPHI_TEST_ALL"))
# for verify of many small cases, where the host's compiler takes most of the time; not where results must differ,
# as what reads memory that is gone may find it without optimization.
HOST = () if ALL else ("--host-compiler", ROOT / "tests" / "compile" / "lib" / "host-clang")

# scripts/test --turn: of costly cases a run has one in so many; "3/10", or nothing
TURN = os.environ.get("UNPHI_TEST_TURN", "")


def in_turn(cases):
    """Those that this run has: all of them, but for a turn."""
    turn, _, turns = TURN.partition("/")
    return list(cases)[int(turn)::int(turns)] if TURN else list(cases)


def pair(kernel):
    """(compiler, target) that a kernel is rewritten for in each run of the tests, so that all share the
    compiles: on Debian 12 hipcc for gfx90a and clang 19 for gfx942, with today's ROCm what is new there."""
    compiler = "hipcc" if kernel in ("mla_decode", "fma_tile") else CLANG
    new = clang_of(compiler) > 20 if compiler in compilers() else False
    target = {"mla_decode": ("gfx90a", "gfx942"), "fma_tile": ("gfx90a", "gfx950"), "factorial": ("gfx942", "gfx942"),
              "boundary_gemm": ("gfx942", "gfx950"), "wmma_tile": ("gfx1100", "gfx1100")}[kernel][new]
    return compiler, target


def chosen(kernel, given):
    """Of these (compiler, target) those to test a kernel for: all with --all, else its own."""
    here = [p for p in given if p[0] in compilers()]
    return here if ALL else [pair(kernel)] if pair(kernel)[0] in compilers() else here[:1]


def device_compile(compiler, target):
    """A plain compile for a target that the installed device libraries know, but for the file."""
    argv = [compiler, "-x", "hip", "-w", f"--offload-arch={target}", "-O3",
            "--offload-device-only", *flags_of(compiler, target), "-S", "-o", os.devnull]
    places = [path for place in ("/opt/rocm", "/usr/lib/*", "/usr/lib/llvm-*/lib/clang/*", "/usr/lib/clang/*")
              for path in glob.glob(f"{place}/amdgcn/bitcode")]
    if compiler != "hipcc" and places:  # hipcc finds them itself
        argv.append(f"--rocm-device-lib-path={places[0]}")
    return argv


# ---- results, as scripts/test reads them ----


def ok(name):
    print(f"ok {name}", flush=True)


def not_ok(name, why):
    print(f"not ok {name}: {why}", flush=True)


def skip(name, why):
    print(f"skip {name}: {why}", flush=True)


def check(name, wrong):
    """wrong: what is wrong, none when empty."""
    if wrong:
        not_ok(name, "; ".join(wrong))
    else:
        ok(name)


def skip_missing_compilers(name):
    for compiler in COMPILERS:
        if not shutil.which(compiler):
            skip(f"{name}/{compiler}", f"{compiler} not found")


# ---- unphi ----

# (target, figures of a kernel) for all that rewrite() and measure() gave this script.
MEASURED = []


class Failed(Exception):
    """unphi ended otherwise than it should."""


def run(*argv, **more):
    return subprocess.run(
        [str(a) for a in argv], capture_output=True, text=True, errors="replace", **more
    )


def unphi(*argv, codes=(0,), **more):
    done = run(UNPHI, argv[0], "--quiet", *argv[1:], **more)
    if done.returncode not in codes:
        command = " ".join(map(str, argv))
        raise Failed(f"exit code {done.returncode} from unphi {command}: {done.stderr.strip()}")
    return done


def with_flags(compiler, target, words):
    """The words of a command, with the flags that this compiler needs."""
    words, flags = [*words], flags_of(compiler, target)
    at = words.index("--") if "--" in words else len(words)
    return [*words[:at], "--", *flags, *words[at + 1:]] if flags else words


def rewrite(source, target, compiler, out, *more):
    """The report; out gets the new source."""
    report = os.path.abspath(f"{out}.json")
    more = with_flags(compiler, target, more)
    unphi("rewrite", os.path.abspath(source), "--target", target, "--compiler", compiler,
          "-o", os.path.abspath(out), "--format", "json", "--report", report, *more, cwd=SHARED)
    with open(report, encoding="utf-8") as f:
        found = json.load(f)
    MEASURED.extend((t["target"], k[when] | {"symbol": k["symbol"], "name": k["name"]})
                    for t in found["targets"] for k in t["kernels"] for when in ("before", "after")
                    if when in k)
    return found


def strategies():
    """The names that --strategy takes, of those for merges."""
    said = run(UNPHI, "rewrite", "--strategy", "?", os.devnull).stderr
    return [s for s in re.findall(r"[\w-]+", said.split("the strategies are", 1)[1]) if s not in ("drop-sync", "rematerialize", "rejoin")]


def measure(sources, target, compiler, *flags, codes=(0,)):
    """A list of measurements, file by file."""
    done = unphi("measure", *sources, "--target", target, "--compiler", compiler,
                 "--format", "json", *with_flags(compiler, target, ("--", *flags) if flags else ()), codes=codes)
    found = json.loads(done.stdout)["measurements"]
    MEASURED.extend((m["target"], k) for m in found for k in m["kernels"])
    return found


def lint(source, targets, *flags):
    """(exit code, findings) of the rule that rewrite is about; the others are advice."""
    done = unphi("lint", source, "--target", ",".join(targets), "--format", "json",
                 "--checks", "-*,unphi-phi-explosion",
                 *(("--", *flags) if flags else ()), codes=(0, 1))
    return done.returncode, json.loads(done.stdout)["findings"]


def function_of(finding):
    for note in finding["notes"]:
        if note["message"].startswith("in "):
            return note["message"][3:].split(",")[0]
    return ""


# ---- what a report must hold ----


def kernels_of(report):
    return [k for t in report["targets"] for k in t["kernels"]]


def absent(report):
    """Kernels of which no figure can be compared."""
    wanted = ("vgprs", "vgpr_spills", "scratch_bytes", "resident_waves")
    return [f"{k['name']}: no {m} {when}" for k in kernels_of(report)
            for when in ("before", "after") for m in wanted if k.get(when, {}).get(m) is None]


def worse(report):
    wrong = absent(report)
    for k in kernels_of(report):
        before, after = k["before"], k.get("after", {})
        for metric in ("vgpr_spills", "scratch_bytes"):
            if after.get(metric, 0) > before[metric]:
                wrong.append(f"{k['name']}: {metric} {before[metric]} -> {after[metric]}")
        if after.get("resident_waves", 0) < before["resident_waves"]:
            wrong.append(f"{k['name']}: fewer resident waves")
    return wrong


def above_one_arm(report):
    """Kernels that spilled and now neither have no spill nor as few as with one arm alone."""
    wrong = []
    for k in kernels_of(report):
        before, after, alone = k["before"], k["after"], k.get("one_arm")
        for metric in ("vgpr_spills", "scratch_bytes"):
            limit = alone[metric] if alone and alone[metric] is not None else 0
            if before["vgpr_spills"] > 0 and after[metric] > limit:
                wrong.append(f"{k['name']}: {metric} {before[metric]} -> {after[metric]}, "
                             f"with one arm alone {limit}")
    return wrong


# Registers that a rewrite and the version by hand may differ by.
HAND_SLACK = 8


def worse_metrics(k, than):
    """In what these figures of a kernel are worse than those."""
    wrong = [f"{metric} {k[metric]}, not {than[metric]}" for metric in ("vgpr_spills", "scratch_bytes")
             if k[metric] > than[metric]]
    if k["resident_waves"] < than["resident_waves"]:
        wrong.append(f"resident_waves {k['resident_waves']}, not {than['resident_waves']}")
    if k["vgprs"] > than["vgprs"] + HAND_SLACK:
        wrong.append(f"vgprs {k['vgprs']}, not {than['vgprs']}")
    return wrong


def check_hand(prefix, name, target, compiler, report):
    """The version by hand of a kernel file: as good as one arm alone, and no rewrite beats it; and what rewrite
    makes of the file spills no more and has as many waves. VGPRs within a step of waves decide nothing (doc/judge.md)."""
    kernels = {k["symbol"]: k for k in kernels_of(report)}
    hand = {k["symbol"]: k for k in measure([hand_path(name)], target, compiler)[0]["kernels"]}
    if hand.keys() != kernels.keys():
        not_ok(f"{prefix}/hand", f"other kernels: {sorted(hand.keys() ^ kernels.keys())}")
        return
    above, beaten, short = [], [], []
    for symbol, k in kernels.items():
        alone = {m: max(0, (k.get("one_arm") or {}).get(m) or 0)
                 for m in ("vgpr_spills", "scratch_bytes")}
        limit = k["before"] | {m: min(k["before"][m], alone[m]) for m in alone}
        above += [f"{k['name']}: {w}" for w in worse_metrics(hand[symbol], limit)]
        missing = worse_metrics(k["after"], hand[symbol])
        short += [f"{k['name']}: {w}" for w in missing if not w.startswith("vgprs")]
        if not missing:
            beaten += [f"{k['name']}: {w}" for w in worse_metrics(hand[symbol], k["after"])]
    for what, wrong in (("hand-no-spills-or-one-arm", above), ("hand-is-best", beaten)):
        if wrong and clang_of(compiler) not in HAND_BY:
            skip(f"{prefix}/{what}", f"by hand for clang {', '.join(map(str, HAND_BY))}; by this one {'; '.join(wrong)}")
        else:
            check(f"{prefix}/{what}", wrong)
    check(f"{prefix}/as-good-as-hand", short)


def unexplained(source, target, report):
    """Findings in the rewritten source that the report does not list as kept."""
    kept = collections.Counter(m["function"] for m in report["merges"] if not m["rewritten"])
    code, findings = lint(source, [target])
    found = collections.Counter(map(function_of, findings))
    wrong = [f"{n} findings in {f}, {kept[f]} kept" for f, n in found.items() if n > kept[f]]
    wrong += [f"{m['function']}: kept without a reason" for m in report["merges"]
              if not m["rewritten"] and not m.get("why_kept")]
    if (code == 1) != bool(findings):
        wrong.append(f"exit code {code} with {len(findings)} findings")
    return wrong


def changed_again(source, target, compiler):
    """What `rewrite --check` would still change in a rewritten source."""
    again = f"{source}.again"
    done = run(UNPHI, "rewrite", source, "--target", target, "--compiler", compiler, "--check",
               "-o", again, "--quiet", *with_flags(compiler, target, ()))
    same = pathlib.Path(source).read_bytes() == pathlib.Path(again).read_bytes()
    if done.returncode == 0 and same:
        return []
    return [f"--check: exit code {done.returncode}, {'same' if same else 'other'} bytes"]


def not_for_host(source):
    """Compilers that do not accept the source for the host."""
    wrong = []
    for compiler in one_or_all():
        language = () if compiler == "hipcc" else ("-x", "hip")
        done = run(compiler, "-w", *language, *flags_of(compiler, "gfx90a"), "--offload-host-only", "-fsyntax-only", source)
        if done.returncode:
            wrong.append(f"{compiler}: {done.stderr.strip()}")
    return wrong


def main(test):
    """Runs the test; what unphi should not have done fails it in one line."""
    try:
        test()
    except Failed as error:
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        not_ok(name, str(error).replace("\n", " | "))
