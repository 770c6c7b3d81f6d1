"""Rewrites units of random kernels by every strategy, runs them before and after, compares."""

import json
import os
import re
import shutil
import subprocess

import fuse_adds
import gen
import machine
import mechanisms
import shrink
import stats
import strategies as known
import unseen
import waves

HERE = os.path.dirname(os.path.abspath(__file__))
CXX = "clang++-19"
# -O0: what is compared are sources, and it takes a quarter of the time of -O1
HOST = [CXX, "-x", "c++", "-std=c++20", "-w", "-fno-caret-diagnostics", "-ferror-limit=0",
        "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-O0"]  # fmt: skip
# needs no run-time library; what is not initialised gives another result than without
SANITIZED = ["-fsanitize=undefined,local-bounds", "-fsanitize-trap=all", "-ftrivial-auto-var-init=pattern"]
PARSE = ["-nogpuinc", "-std=c++20"]
LIMIT = 600  # seconds for a command, on a machine that may have other work
RUN_LIMIT = 10  # seconds of CPU for a unit's program: it takes milliseconds


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


def prelude():
    host = "#include <initializer_list>\n#include <memory>\n#include <tuple>\n#include <utility>\n"
    library = f"#if defined(WAVES) && !defined(__AMDGCN__)\n{host}#else\n{mechanisms.LIBRARY}#endif\n"
    return read("prelude.hip") + "#define D METHOD\n" + library


class Result:
    """What a command did; code is negative when a signal ended it."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def command(argv, cwd, limit=LIMIT):
    try:
        r = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, timeout=limit, errors="replace")
        return Result(r.returncode, r.stdout, r.stderr)
    except subprocess.TimeoutExpired:
        return Result(124, "", f"longer than {limit} s")


def execute(program, inputs, cwd, limit=RUN_LIMIT):
    return command(["prlimit", f"--cpu={limit}", "./" + program, str(inputs)], cwd)


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


class Unit:
    """One file of kernels and what is done with it."""

    def __init__(self, config, seed, first, count, number):
        self.config, self.seed, self.number = config, seed, number
        # half of the units are compiled without contraction: there hoist may cut what it likes
        self.contracted = number % 2 == 1
        self.flags = PARSE + ([] if self.contracted else ["-ffp-contract=off"])
        self.chunks = gen.kernels(seed, first, count, {"mul_free": not self.contracted, "only": config.only})
        self.dir = os.path.join(config.work, f"u{number}")
        self.stats = stats.Stats(config.strategies, config.own)
        every = lambda n, at: n and number % n == at % n
        self.sanitize = every(config.sanitize, 0)
        self.fuse = self.contracted and every(config.fuse, 1)
        self.device = every(config.device, number // config.device if config.device else 0)
        self.machine = every(config.machine, 0)

    def text(self, chunks):
        """In half of the units fences and laundering are written out, in the others they are macros."""
        written_out = self.number // 2 % 2 == 0
        prelude = self.config.prelude.replace("__NVCC__", "NVCC") if written_out else self.config.prelude
        return gen.unit(chunks, prelude, self.config.driver)

    def path(self, name):
        return os.path.join(self.dir, name)

    def compile(self, source, program, sanitize=False):
        return command(HOST + (SANITIZED if sanitize else []) + [source, "-o", program], self.dir)

    def run_program(self, program):
        return execute(program, self.config.inputs, self.dir)

    def rewrite(self, source, out, what):
        """what: NAME or NAME:FORM."""
        report = stem(what) + ".json"
        argv = [self.config.unphi, "rewrite", "--strategy", what, "--threshold", "1", "--target", "gfx90a",
                "--quiet", "-o", out, "--format", "json", "--report", report, source, "--"]  # fmt: skip
        return command(argv + self.flags, self.dir), self.path(report)

    def fail(self, kind, what, ids, detail):
        self.stats.failures.append(
            {"kind": kind, "strategy": what, "unit": self.number, "kernels": sorted(ids),
             "detail": detail[:2000]})  # fmt: skip

    def go(self):
        os.makedirs(self.dir, exist_ok=True)
        text = self.text(self.chunks)
        self.stats.cases += len(self.chunks)
        self.stats.units += 1
        if self.config.on_isa:
            self.as_machine_code(self.chunks)
        else:
            self.on_host(text)
        if not self.stats.failures and not self.config.keep:
            shutil.rmtree(self.dir)
        return self.stats

    def as_machine_code(self, chunks):
        machine.check(self, chunks, self.number // (1 if self.config.on_isa else self.config.machine))

    def on_host(self, text):
        write(self.path("in.hip"), text)
        self.stats.lines += text.count("\n")
        with_unseen = [c.id for c in self.chunks if re.search(r"^\s*// m.*\bunseen\b", c.text, re.M)]
        self.stats.unseen.update(unseen.of_kernel(number).name for number in with_unseen)
        expected = self.start()
        if not self.config.only and self.number % self.config.waves_every == 0:
            waves.check(self)
        if expected is not None:
            self.lint()
            for what in self.jobs():
                self.apply(what, text, expected)
            if not self.stats.failures:
                self.again(expected)
            if self.device and not self.stats.failures:
                self.on_device()
            if self.fuse and not self.stats.failures:
                self.with_fused_adds()
            if self.machine and not self.stats.failures:
                self.as_machine_code(self.chunks[: self.config.machine_sample])

    def start(self):
        """What the kernels print as they are; None: the generator is at fault."""
        built = self.compile("in.hip", "in")
        if built.code:
            self.fail("generator", "", kernels_of_lines(self.path("in.hip"), built.err), built.err)
            return None
        base = self.run_program("in")
        if base.code:
            self.fail("generator", "", [], f"exit code {base.code} {base.err}")
            return None
        if self.sanitize and not self.clean("in.hip", "in.san", base.out, ""):
            return None
        return base.out

    def lint(self):
        done = command([self.config.unphi, "lint", "--target", "gfx90a", "--quiet", "in.hip", "--"] + self.flags, self.dir)
        if done.code not in (0, 1):
            self.fail("crash", "lint", [], f"exit code {done.code} {done.err[-1500:]}")
        self.stats.checks["lint"] += 1

    def jobs(self):
        """Every strategy as it comes, and every other unit one of its later forms; two in every unit
        where there are many."""
        out = []
        for at, s in enumerate(self.config.strategies):
            out.append(s.name)
            turn, later = self.number + at, s.forms[1:]
            if len(later) > 3:
                out += [f"{s.name}:{later[(2 * turn + k) % len(later)]}" for k in range(2)]
            elif later and turn % 2 == 0:
                out.append(f"{s.name}:{later[turn // 2 % len(later)]}")
        return out

    def clean(self, source, program, expected, what):
        """The same under the sanitizers."""
        built = self.compile(source, program, True)
        ran = self.run_program(program) if built.code == 0 else built
        self.stats.checks["sanitized"] += 1
        if ran.code or ran.out != expected:
            self.fail("sanitizer" if what else "generator", what, kernels_of_difference(expected, ran.out), ran.err[-1500:])
            return False
        return True

    def apply(self, what, text, expected):
        out = stem(what) + ".hip"
        done, report = self.rewrite("in.hip", out, what)
        if done.code:
            self.fail("crash", what, self.guilty(what), f"exit code {done.code} {done.err[-1500:]}")
            return
        self.count(what, text, report)
        built = self.compile(out, stem(what))
        if built.code:
            ids = kernels_of_lines(self.path(out), built.err)
            self.fail("compile", what, ids, built.err)
            return
        ran = self.run_program(stem(what))
        self.stats.checks["runs"] += 1
        if ran.code or ran.out != expected:
            ids = kernels_of_difference(expected, ran.out)
            self.fail("unequal", what, ids, f"exit code {ran.code} {ran.err[-500:]}")
            return
        if self.sanitize:
            self.clean(out, stem(what) + ".san", expected, what)

    def again(self, expected):
        """What one strategy made is the next one's input."""
        names = [s.name for s in self.config.strategies]
        if len(names) < 2:
            return
        first = names[self.number % len(names)]
        names.remove(first)
        self.one_after(first, names[self.number // (len(names) + 1) % len(names)], expected)
        reversed_ = known.REVERSED[self.number % len(known.REVERSED)]
        self.one_after(reversed_, known.REVERSE, expected)

    def one_after(self, first, second, expected):
        both = f"{second} after {first}"
        done, report = self.rewrite(f"{first}.hip", "again.hip", second)
        if done.code:
            self.fail("crash", both, [], f"exit code {done.code} {done.err[-1500:]}")
            return
        if second == known.REVERSE:
            with open(report, encoding="utf-8") as f:
                self.stats.checks["merges rejoined"] += sum(m["rewritten"] for m in json.load(f)["merges"])
        built = self.compile("again.hip", "again")
        if built.code:
            self.fail("compile", both, kernels_of_lines(self.path("again.hip"), built.err), built.err)
            return
        ran = self.run_program("again")
        self.stats.checks["second rewrites"] += 1
        if ran.code or ran.out != expected:
            self.fail("unequal", both, kernels_of_difference(expected, ran.out), ran.err[-500:])

    # ---- the device compile ----

    def on_device(self):
        """Of some kernels: do they compile for the device, and do the checks of its ISA hold?"""
        at = self.number % 7
        some = [c for c in self.chunks[at::5]][: self.config.sample]
        ids = {c.id for c in some}
        before = self.measure("in.hip", ids)
        if before is None:
            self.fail("generator", "", [], "does not compile for the device")
            return
        for s in self.config.strategies:
            after = self.measure(f"{s.name}.hip", ids)
            self.stats.checks["device compiles"] += 1
            if after is None:
                self.fail("device compile", s.name, [], "does not compile for the device")
                continue
            self.stats.checks["kernels measured"] += len(after)
            self.compare_isa(s, {c.id: c for c in some}, before, after)

    def compare_isa(self, s, chunks, before, after):
        # lanes that are apart at a matrix operation before are nobody's promise
        bad = [k for k in after if after[k]["matrix_unskipped"] > before[k]["matrix_unskipped"] and not chunks[k].apart]
        if bad:
            self.fail("matrix operations without a skip", s.name, bad, "")
        if self.contracted and s.contracts:
            self.stats.checks["kernels whose FMAs were counted"] += len(after)
            self.stats.traded += [
                {"kernel": k, "strategy": s.name, "before": before[k], "after": after[k]}
                for k in after if recontracted(before[k], after[k])]  # fmt: skip

    def measure(self, source, ids):
        """Metrics by kernel; None: no compile."""
        with open(self.path(source), encoding="utf-8") as f:
            text = f.read()
        write(self.path("device.hip"), subset(text, ids))
        argv = [self.config.unphi, "measure", "--compiler", CXX, "--target", "gfx90a", "--format", "json", "--quiet", "device.hip", "--"]  # fmt: skip
        done = command(argv + self.flags + ["-nogpulib", "-w"], self.dir)
        try:
            unit = json.loads(done.out)["measurements"][0]
        except (ValueError, LookupError):
            return None
        if unit["status"] != "ok":
            return None
        found = {}
        for k in unit["kernels"]:
            name = re.match(r"k(\d+)", k["name"])
            if name:
                found[int(name.group(1))] = {m: k[m] or 0 for m in ("matrix_unskipped", "fma", "mul_add")}
        return found

    # ---- what a compiler would contract ----

    def with_fused_adds(self):
        """Are the bits the same when multiplies and adds are joined as the device's compiler does?"""
        ids = {c.id for c in self.chunks[:: self.config.fuse_step]}
        before = self.fused("in.hip", ids)
        if before.code:
            self.fail("generator", "", [], before.err[-500:])
            return
        for s in self.config.strategies:
            if not s.contracts:
                continue
            after = self.fused(f"{s.name}.hip", ids)
            self.stats.checks["runs with fused multiply-adds"] += 1
            if after.code or after.out != before.out:
                self.fail("unequal when fused", s.name, kernels_of_difference(before.out, after.out), after.err[-500:])

    def fused(self, source, ids):
        with open(self.path(source), encoding="utf-8") as f:
            text = f.read()
        table = re.compile(r"\t\{(\d+), (?:true|false), k\d+\},\n")
        text = table.sub(lambda m: m.group(0) if int(m.group(1)) in ids else "", subset(text, ids))
        write(self.path("fused.hip"), text)
        return fuse_adds.run(self)

    # ---- statistics ----

    def guilty(self, what):
        """The kernels that make unphi fail, alone."""
        bad = []
        for chunk in self.chunks:
            write(self.path("one.hip"), self.text([chunk]))
            if self.rewrite("one.hip", "one.out.hip", what)[0].code:
                bad.append(chunk.id)
        return bad

    def count(self, what, text, report):
        with open(report, encoding="utf-8") as f:
            merges = json.load(f)["merges"]
        lines = text.split("\n")
        name = what.split(":")[0]
        for m in merges:
            kept = [t["variant"] for t in m["tried"] if t["outcome"] == "kept"]
            self.stats.forms[name].update(kept)
            if name == "hoist" and any(form.startswith("split") for form in kept):
                self.stats.apart[name]["callee"] += 1
            # the other runs count what only they can tell
            if what != name:
                continue
            self.stats.refusals[name].update(t["clause"] for t in m["tried"] if "clause" in t)
            if m["rewritten"]:
                self.stats.rewrites[name] += 1
                self.stats.apart[name].update(features_at(lines, m["line"] - 1))


def stem(what):
    """A name for files."""
    return re.sub(r"\W+", "_", what)


def features_at(lines, at):
    for k in range(at, max(-1, at - 4), -1):
        found = re.match(r"\s*// m[\d.]+: (.*)", lines[k])
        if found:
            words = set(found.group(1).split()) & set(stats.APART)
            return words | ({"twin"} if "equal" in found.group(1).split() else set())
    return set()


def recontracted(before, after):
    """FMAs traded for multiplies and adds, or the other way: the plainest of what src/measure/compare.c sees."""
    fma, other = after["fma"] - before["fma"], after["mul_add"] - before["mul_add"]
    return fma > 0 > other or other > 0 > fma


def subset(text, ids):
    """A unit's text with some of its kernels; before the first one stands what all need."""
    parts = re.split(r"^(?=// (?:kernel \d+|driver)$)", text, flags=re.M)
    keep = [p for p in parts if not (m := re.match(r"// kernel (\d+)", p)) or int(m.group(1)) in ids]
    return "".join(keep)


def kernels_of_difference(expected, got):
    a, b = expected.splitlines(), got.splitlines()
    bad = {x.split()[0] for x in set(a) ^ set(b)}
    return sorted(int(x) for x in bad if x.isdigit())


def kernels_of_lines(path, errors):
    """Kernels in whose chunks a compiler's messages are."""
    numbers = {int(n) for n in re.findall(r"\.hip:(\d+):", errors)}
    bad, current = set(), None
    with open(path, encoding="utf-8") as f:
        for i, line in enumerate(f, 1):
            found = re.match(r"// kernel (\d+)", line)
            current = int(found.group(1)) if found else None if line.startswith("// driver") else current
            if i in numbers and current is not None:
                bad.add(current)
    return sorted(bad)


def reproduce(config, unit, failure, shrinking=True):
    """A directory with the smallest unit that still fails; returns its path."""
    bad = failure["kernels"][:1]
    chunks = [c for c in unit.chunks if c.id in bad] or unit.chunks
    name = "-".join(str(x) for x in (failure["kind"], failure["strategy"] or "none", unit.number, (bad or ["all"])[0]))
    where = os.path.join(config.failures, re.sub(r"[^\w-]+", "-", name))
    os.makedirs(where, exist_ok=True)
    small = chunks
    alone = len(chunks) == 1
    if shrinking and alone and failure["kind"] in shrink.KINDS:
        small = [shrink.chunk(unit, chunks[0], failure)]
    write(os.path.join(where, "in.hip"), unit.text(small))
    write(os.path.join(where, "kernel.hip"), "".join(c.text for c in small))
    write(os.path.join(where, "README"), f"{failure['kind']} {failure['strategy']}: seed {unit.seed} unit {unit.number} flags {' '.join(unit.flags)}\n{failure['detail']}\n")
    return where
