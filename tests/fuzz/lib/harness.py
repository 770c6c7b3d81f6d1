"""Rewrites units of random kernels by every strategy, runs them before and after, compares."""

import collections
import json
import os
import re
import subprocess

import gen
import shrink

HERE = os.path.dirname(os.path.abspath(__file__))
STRATEGIES = ("hoist", "fuse", "sequentialize", "launder", "predicate", "split")
HOST = ["clang++-19", "-x", "c++", "-std=c++20", "-w", "-fno-caret-diagnostics", "-ferror-limit=0",
        "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none"]  # fmt: skip
# needs no run-time library; what is not initialised gives another result than without
SANITIZED = ["-O1", "-fsanitize=undefined,local-bounds", "-fsanitize-trap=all", "-ftrivial-auto-var-init=pattern"]
PARSE = ["-nogpuinc", "-std=c++20"]
APART = ("holes", "calls", "loops", "lds", "switch", "mma")
LIMIT = 120  # seconds for a compiler
RUN_LIMIT = 10  # and for a unit's program: it takes milliseconds


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


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


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


class Stats:
    def __init__(self):
        self.cases = 0
        self.units = 0
        self.lines = 0
        self.rewrites = collections.Counter()
        self.apart = {s: collections.Counter() for s in STRATEGIES}
        self.variants = {s: collections.Counter() for s in STRATEGIES}
        self.refusals = {s: collections.Counter() for s in STRATEGIES}
        self.checks = collections.Counter()
        self.failures = []

    def add(self, other):
        self.cases += other.cases
        self.units += other.units
        self.lines += other.lines
        self.rewrites.update(other.rewrites)
        self.checks.update(other.checks)
        for s in STRATEGIES:
            self.apart[s].update(other.apart[s])
            self.variants[s].update(other.variants[s])
            self.refusals[s].update(other.refusals[s])
        self.failures += other.failures

    def as_json(self):
        counters = lambda d: {s: dict(sorted(c.items())) for s, c in d.items()}
        return {
            "cases": self.cases,
            "units": self.units,
            "lines": self.lines,
            "rewrites": {s: self.rewrites[s] for s in STRATEGIES},
            "apart": counters(self.apart),
            "variants": counters(self.variants),
            "refusals": {s: {str(k): c[k] for k in sorted(c)} for s, c in self.refusals.items()},
            "checks": dict(self.checks),
            "failures": self.failures,
        }


class Unit:
    """One file of kernels and what is done with it."""

    def __init__(self, config, seed, first, count, number):
        self.config, self.seed, self.number = config, seed, number
        # half of the units are compiled without contraction: there hoist may cut what it likes
        self.flags = PARSE + (["-ffp-contract=off"] if number % 2 == 0 else [])
        opts = {"mul_free": number % 2 == 0}
        self.chunks = gen.kernels(seed, first, count, opts)
        self.dir = os.path.join(config.work, f"u{number}")
        self.stats = Stats()
        self.sanitize = config.sanitize and number % config.sanitize == 0
        self.device = config.device and number % config.device == 0

    def text(self, chunks):
        return gen.unit(chunks, self.config.prelude, self.config.driver)

    def compile(self, source, program, sanitize=False):
        flags = ["-O1"]
        if sanitize:
            flags = SANITIZED
        return command(HOST + flags + [source, "-o", program], self.dir)

    def run_program(self, program):
        return command(["./" + program, str(self.config.inputs)], self.dir, RUN_LIMIT)

    def rewrite(self, source, out, strategy):
        report = f"{strategy}.json"
        argv = [self.config.unphi, "rewrite", "--strategy", strategy, "--threshold", "1", "--target", "gfx90a",
                "--quiet", "-o", out, "--format", "json", "--report", report, source, "--"]  # fmt: skip
        return command(argv + self.flags, self.dir), os.path.join(self.dir, report)

    def fail(self, kind, strategy, ids, detail):
        self.stats.failures.append(
            {"kind": kind, "strategy": strategy, "unit": self.number, "kernels": sorted(ids),
             "detail": detail[:2000]})  # fmt: skip

    def go(self):
        os.makedirs(self.dir, exist_ok=True)
        text = self.text(self.chunks)
        write(os.path.join(self.dir, "in.hip"), text)
        self.stats.cases += len(self.chunks)
        self.stats.units += 1
        self.stats.lines += text.count("\n")
        built = self.compile("in.hip", "in")
        if built.code:
            self.fail("generator", "", kernels_of_lines(os.path.join(self.dir, "in.hip"), built.err), built.err)
            return self.stats
        base = self.run_program("in")
        if base.code:
            self.fail("generator", "", [], f"exit code {base.code} {base.err}")
            return self.stats
        if self.sanitize and not self.clean("in.hip", "in.san", base.out, ""):
            return self.stats
        lint = command([self.config.unphi, "lint", "--target", "gfx90a", "--quiet", "in.hip", "--"] + self.flags, self.dir)
        if lint.code not in (0, 1):
            self.fail("crash", "lint", [], f"exit code {lint.code} {lint.err[-1500:]}")
        self.stats.checks["lint"] += 1
        for strategy in STRATEGIES:
            self.strategy(strategy, text, base.out)
        if not self.stats.failures:
            self.again(base.out)
        if not self.stats.failures and not self.config.keep:
            for name in os.listdir(self.dir):
                os.unlink(os.path.join(self.dir, name))
            os.rmdir(self.dir)
        return self.stats

    def clean(self, source, program, expected, strategy):
        """The same under the sanitizers."""
        built = self.compile(source, program, True)
        ran = self.run_program(program) if built.code == 0 else built
        self.stats.checks["sanitized"] += 1
        if ran.code or ran.out != expected:
            self.fail("sanitizer" if strategy else "generator", strategy, kernels_of_difference(expected, ran.out), ran.err[-1500:])
            return False
        return True

    def strategy(self, strategy, text, expected):
        out = f"{strategy}.hip"
        done, report = self.rewrite("in.hip", out, strategy)
        if done.code:
            self.fail("crash", strategy, self.guilty(strategy), f"exit code {done.code} {done.err[-1500:]}")
            return
        self.count(strategy, text, report)
        built = self.compile(out, strategy)
        if built.code:
            ids = kernels_of_lines(os.path.join(self.dir, out), built.err)
            self.fail("compile", strategy, ids, built.err)
            return
        ran = self.run_program(strategy)
        self.stats.checks["runs"] += 1
        if ran.code or ran.out != expected:
            ids = kernels_of_difference(expected, ran.out)
            self.fail("unequal", strategy, ids, f"exit code {ran.code} {ran.err[-500:]}")
            return
        if self.sanitize:
            self.clean(out, strategy + ".san", expected, strategy)
        if self.device:
            self.on_device(strategy, out)

    def again(self, expected):
        """What one strategy made is the next one's input."""
        count = len(STRATEGIES)
        first = STRATEGIES[self.number % count]
        second = STRATEGIES[(self.number + 1 + self.number // count % (count - 1)) % count]
        both = f"{second} after {first}"
        done, _ = self.rewrite(f"{first}.hip", "again.hip", second)
        if done.code:
            self.fail("crash", both, [], f"exit code {done.code} {done.err[-1500:]}")
            return
        built = self.compile("again.hip", "again")
        if built.code:
            self.fail("compile", both, kernels_of_lines(os.path.join(self.dir, "again.hip"), built.err), built.err)
            return
        ran = self.run_program("again")
        self.stats.checks["second rewrites"] += 1
        if ran.code or ran.out != expected:
            self.fail("unequal", both, kernels_of_difference(expected, ran.out), ran.err[-500:])

    def on_device(self, strategy, out):
        """Does it compile for the device, and does no matrix operation lose the skip around it?"""
        before, after = self.measure("in.hip"), self.measure(out)
        self.stats.checks["device compiles"] += 1
        if before is None:
            self.fail("generator", "", [], "does not compile for the device")
        elif after is None:
            self.fail("device compile", strategy, [], "does not compile for the device")
        else:
            bad = [k for k in after if after[k] > before.get(k, 0)]
            self.stats.checks["kernels measured"] += len(after)
            if bad:
                self.fail("matrix operations without a skip", strategy, bad, "")

    def measure(self, source):
        """Matrix operations that are reached without a skip, by kernel; None: no compile."""
        argv = [self.config.unphi, "measure", "--compiler", "clang++-19", "--target", "gfx90a", "--format", "json", "--quiet", source, "--"]  # fmt: skip
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
                found[int(name.group(1))] = k["matrix_unskipped"] or 0
        return found

    def guilty(self, strategy):
        """The kernels that make unphi fail, alone."""
        bad = []
        for chunk in self.chunks:
            write(os.path.join(self.dir, "one.hip"), self.text([chunk]))
            if self.rewrite("one.hip", "one.out.hip", strategy)[0].code:
                bad.append(chunk.id)
        return bad

    def count(self, strategy, text, report):
        with open(report, encoding="utf-8") as f:
            merges = json.load(f)["merges"]
        lines = text.split("\n")
        for m in merges:
            if not m["rewritten"]:
                pass
            else:
                self.stats.rewrites[strategy] += 1
                for feature in features_at(lines, m["line"] - 1):
                    if feature in APART:
                        self.stats.apart[strategy][feature] += 1
            for t in m["tried"]:
                if t["outcome"] == "kept":
                    self.stats.variants[strategy][t["variant"]] += 1
                if "clause" in t:
                    self.stats.refusals[strategy][t["clause"]] += 1


def features_at(lines, at):
    for k in range(at, max(-1, at - 4), -1):
        found = re.match(r"\s*// m[\d.]+: (.*)", lines[k])
        if found:
            return found.group(1).split()
    return []


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
    where = os.path.join(config.failures, f"{failure['kind'].replace(' ', '-')}-{failure['strategy'].replace(' ', '-') or 'none'}-{unit.number}-{(bad or ['all'])[0]}")
    os.makedirs(where, exist_ok=True)
    small = chunks
    alone = len(chunks) == 1 and failure["strategy"] in STRATEGIES
    if shrinking and alone and failure["kind"] in ("crash", "compile", "unequal"):
        small = [shrink.chunk(unit, chunks[0], failure)]
    write(os.path.join(where, "in.hip"), unit.text(small))
    write(os.path.join(where, "kernel.hip"), "".join(c.text for c in small))
    write(os.path.join(where, "README"), f"{failure['kind']} {failure['strategy']}: seed {unit.seed} unit {unit.number} flags {' '.join(unit.flags)}\n{failure['detail']}\n")
    return where
