#!/usr/bin/env python3
"""Every legality clause is needed: switched off, it lets a wrong rewrite through.

The inputs are the golden tests of refusals, tests/golden/STRATEGY/refused*.hip. Each of their
kernels violates one clause, which its CHECK lines name, and the spec beside the file drives its
arms. build/tests/mutate/unphi-mutate rewrites each kernel alone, with that clause switched off
(STRATEGY.NUMBER). That the kernel is then rewritten shows that it violates no other clause. What
comes out has to be wrong: it does not compile, or it computes other bits than the original, or, of
drop-sync and rematerialize, waves race in it.

A MUTATE line among a kernel's comments says what is to be seen instead, and why; that is tested as
well. A clause of which no kernel shows more than `equal` fails.

  MUTATE isa: ...         equal bits here, and clang 19's output gets what rewrite vetoes; another's may not
  MUTATE gain: ...        equal bits, and as many VGPRs cross the merges, or are needed, as before
  MUTATE equal: ...       equal bits: the clause is stricter than this kernel needs
  MUTATE structural: ...  no edit can be made, whatever the clause says

A clause that a strategy's file lists, and that no CHECK line and no mutation covers, fails."""

import collections
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "lib"))
import strategies as known  # noqa: E402
import tool  # noqa: E402

BUILD = pathlib.Path(os.environ.get("UNPHI_BUILD") or tool.ROOT / "build")
MUTATE = BUILD / "tests" / "mutate" / "unphi-mutate"
GOLDEN = tool.ROOT / "tests" / "golden"
COMPILER = tool.CLANG
CAUTION = known.MEASURED  # --strategy refuses what needs a measurement; here it is the device that answers

KINDS = ("isa", "gain", "equal", "structural")
MEMORY = 4 << 30  # of a mutant: what is switched off may be what ends a loop, and other tests need memory as well
UNREAD = "libclang cannot read the result back"  # the text does not compile
CHECK_KERNEL = re.compile(r"^// CHECK\S*:.* (?:VGPRs|barrier) in (\w+)(?: \(kernels: (\w+)\))?", re.M)
CHECK_CLAUSE = re.compile(r"^// CHECK\S*:.*not legal \(clause (\d+)\)", re.M)
EXPECTED = re.compile(r"^// MUTATE(?: (\d+))? (\w+): \S", re.M)


class Kernel:
    """One kernel of an input, with the comments before it and the helpers behind it."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.clauses = sorted({int(n) for n in CHECK_CLAUSE.findall(text)})
        self.expected = {int(n) if n else None: kind for n, kind in EXPECTED.findall(text)}

    def kind(self, clause):
        return self.expected.get(clause, self.expected.get(None, "wrong"))


class Input:
    """A golden test of refusals."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        run = re.search(r"^// RUN: %unphi rewrite %s (.*)$", self.text, re.M).group(1)
        run = shlex.split(run.replace("%root", str(tool.ROOT)).split(">")[0])
        at = run.index("-o")
        self.options = run[:at] + run[at + 2:]
        self.strategy = self.option("--strategy").split(":")[0]
        self.flags = self.options[self.options.index("--"):]
        starts = [m.start() for m in CHECK_KERNEL.finditer(self.text)]
        # the comments right before a kernel's first line are its own
        starts = [self.text.rindex("\n\n", 0, at) + 2 for at in starts]
        self.preamble = self.text[:starts[0]]
        ends = starts[1:] + [len(self.text)]
        found = [CHECK_KERNEL.search(self.text, a) for a in starts]
        self.kernels = [Kernel(f.group(2) or f.group(1), self.text[a:b])
                        for f, a, b in zip(found, starts, ends)]
        self.spec = path.with_suffix(".verify.yaml")

    def option(self, name):
        return self.options[self.options.index(name) + 1]

    def helpers(self, kernel):
        """What stands before a kernel, without the kernels: code that it may use."""
        text = self.preamble
        for k in self.kernels:
            if k is kernel:
                return text
            text += k.text[end_of_kernel(k):]
        return text


def bound():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def end_of_kernel(kernel):
    return kernel.text.index("\n}\n", kernel.text.index("__global__")) + 3


class Mutation:
    """One kernel with one clause switched off."""

    def __init__(self, source, kernel, clause):
        self.source = source
        self.kernel = kernel
        self.clause = clause
        self.number = f"{source.strategy}.{clause}"
        self.name = f"mutate/{self.number}/{kernel.name}"
        self.kind = kernel.kind(clause)
        self.prelude = self.after = None  # texts, where it was rewritten
        self.said = ""
        self.seen = set()

    def run(self):
        before = self.source.helpers(self.kernel)
        first = self.kernel.text.split("\n", 1)[0]
        file, out = "one.hip", "one.out.hip"
        pathlib.Path(file).write_text(before + self.kernel.text[:end_of_kernel(self.kernel)],
                                      encoding="utf-8")
        pathlib.Path(out).unlink(missing_ok=True)
        done = tool.run(MUTATE, "rewrite", file, "--format", "json", "-o", out, *self.source.options, preexec_fn=bound,
                        env={**os.environ, "UNPHI_MUTATE": f"{self.number},{self.source.strategy}.{CAUTION}"})
        if done.returncode == 3 and "one.hip: the rewritten text does not parse" in done.stderr:
            self.seen.add("compile")
            errors = re.findall(r":\d+:\d+: error: (.*)", done.stderr) or ["?"]
            self.said = f"does not compile: {errors[0]}"
            return
        if done.returncode:
            self.said = f"exit code {done.returncode}: {done.stderr.strip()}"
            return
        report = json.loads(done.stdout)
        merges = report["merges"] + report["barriers"] + report["fragments"]
        if any(m["rewritten"] for m in merges):
            text = pathlib.Path(out).read_text(encoding="utf-8")
            at = text.index(first)
            same = len(os.path.commonprefix([text[:at], before]))
            self.prelude = text[same:same + at - len(before)]
            self.after = text[at:]
            self.seen.add("rewritten")
        else:
            self.said = merges[0]["why_kept"] if merges else "no merge"
            self.seen.add("compile" if UNREAD in self.said else "structural")
            if any(t["clause"] == self.clause for m in merges for t in m["tried"]
                   if "clause" in t):
                self.seen.add("refused")

    def verdict(self):
        """What is wrong with what was seen; none when empty."""
        if self.kind == "wrong":
            ok = self.seen & {"compile", "bits"}
        elif self.kind == "structural":
            ok = "structural" in self.seen and "refused" not in self.seen
        else:
            ok = "rewritten" in self.seen and not self.seen & {"bits", "compile"} and (
                self.kind == "equal" or self.kind in self.seen)
        seen = ", ".join(sorted(self.seen)) or "nothing"
        return [] if ok else [f"{self.kind} expected, seen: {seen}; {self.said}"]


def emptied(kernel):
    """Its parameters alone."""
    return kernel.text[:kernel.text.index("\n{\n", kernel.text.index("__global__"))] + "\n{\n}\n"


def combined(source, mutations, kernels=None, rest=lambda kernel: ""):
    """The input with its mutated kernels, and all others or these only, and of those that are left the rest."""
    text, preludes = source.preamble, set()  # one may be the same for several kernels
    after = {m.kernel: m for m in mutations}
    for k in source.kernels:
        end = end_of_kernel(k)
        if k in after:
            text += "" if after[k].prelude in preludes else after[k].prelude or ""
            preludes.add(after[k].prelude)
            text += after[k].after
        else:
            text += k.text[:end] if kernels is None or k in kernels else rest(k)
        text += k.text[end:]
    return text


def layers(mutations):
    """Lists of mutations in which each kernel occurs once."""
    rest = [m for m in mutations if m.after is not None]
    while rest:
        layer = list({m.kernel: m for m in reversed(rest)}.values())
        yield layer
        rest = [m for m in rest if m not in layer]


def compile_error(file, said):
    """Line and message of the first; what the runner says of lanes has no column."""
    return re.search(re.escape(file) + r":(\d+):\d+: error: (.*)", said)


def owner(file, mutations, said):
    """The mutation in whose text the first error stands, or None."""
    place = compile_error(file, said)
    if not place:
        return None, said
    text = pathlib.Path(file).read_text(encoding="utf-8")
    for m in mutations:
        first = text[:text.index(m.after)].count("\n") + 1
        if first <= int(place.group(1)) <= first + m.after.count("\n"):
            return m, place.group(2)
    return None, said


def take_case(file, mutations, r):
    """Notes one case's outcome; the mutation that keeps its file from compiling, or None."""
    if r["outcome"] == "broken" and compile_error(file, r["said"]):
        m, error = owner(file, mutations, r["said"])
        if not m:
            raise tool.Failed(f"{file} does not compile: {r['said']}")
        m.seen.update(("run", "compile"))
        m.said = f"does not compile for {r['target']}: {error}"
        return m
    for m in mutations:
        if re.split("[/@]", r["case"])[0].split("<")[0] != m.kernel.name:
            continue
        m.seen.add("run")
        if r["outcome"] == "unequal" and "bits" not in m.seen:
            d = r["differences"][0]
            m.said = (f"unequal bits in case {r['case']}: {d['buffer']}[{d['index']}] "
                      f"{d['before']} before, {d['after']} after")
            m.seen.add("bits")
        elif r["outcome"] == "broken" and "bits" not in m.seen:
            m.said = f"broken case {r['case']}: {r['said'].splitlines()[0]}"
            m.seen.add("bits")
    return None


def see_optimized(source, files):
    """What reads memory that is gone finds it as it was, but for an optimizer. It gets what nothing was seen of."""
    files = {file: [m for m in some if m.kind == "wrong" and not m.seen & {"bits", "compile"}] for file, some in files.items()}
    files = {file: some for file, some in files.items() if some}
    if files:
        kernels = [m.kernel for some in files.values() for m in some]
        original = f"optimized.{source.path.name}"
        pathlib.Path(original).write_text(combined(source, [], kernels, emptied), encoding="utf-8")
        for file, some in files.items():
            pathlib.Path(file).write_text(combined(source, some, (), emptied), encoding="utf-8")
        see_bits(source, original, files)


def see_bits(source, original, files, *options):
    """Runs the files; one that does not compile again, without the kernel to blame."""
    while files:
        races = [] if source.strategy in ("drop-sync", "rematerialize") else ["--no-races"]
        done = tool.unphi("verify", original, *files, "--spec", source.spec, "--format", "json",
                          *races, *options, codes=(0, 1))
        blamed = {}
        for r in json.loads(done.stdout)["results"]:
            m = take_case(r["file"], files[r["file"]], r)
            if m:
                blamed.setdefault(r["file"], m)
        files = {file: [k for k in files[file] if k is not m] for file, m in blamed.items()}
        for file, mutations in files.items():
            pathlib.Path(file).write_text(combined(source, mutations), encoding="utf-8")


def device_signs(before, after):
    """What rewrite vetoes and the CPU cannot show."""
    for metric in ("matrix_unskipped", "lane_branch_matrix"):
        if after[metric] > before[metric]:
            yield f"{metric} {before[metric]} -> {after[metric]}"
    if after["fma"] != before["fma"]:
        yield (f"FMAs {before['fma']} -> {after['fma']}, "
               f"multiplies and adds {before['mul_add']} -> {after['mul_add']}")


def measured(source, files):
    """What each kernel costs, by file and name."""
    rows = tool.measure(files, source.option("--target"), COMPILER, *source.flags[1:],
                        codes=(0, 3))
    return {row["file"]: {k["name"]: k for k in row["kernels"] or []} for row in rows}


def see_compiled(source, files):
    """What the device compiler makes of the mutations that are to show in its output."""
    shown = {}
    for file, mutations in files.items():
        some = [m for m in mutations if m.kind in ("isa", "gain")]
        if some:
            shown[f"device.{file}"] = some
            pathlib.Path(f"device.{file}").write_text(combined(source, some, ()), encoding="utf-8")
    if shown:
        original = f"device.{source.path.parent.name}.{source.path.stem}.hip"
        kernels = [m.kernel for some in shown.values() for m in some]
        pathlib.Path(original).write_text(combined(source, [], kernels), encoding="utf-8")
        device = measured(source, [original, *shown])
        see_device(shown, device[original], device)
        if any(m.kind == "gain" for some in shown.values() for m in some):
            see_gain(source, shown, original, device)


def see_device(files, before, device):
    for file, mutations in files.items():
        for m in mutations:
            name = m.kernel.name
            if m.kind != "isa" or name not in device[file]:
                continue
            signs = list(device_signs(before[name], device[file][name]))
            if signs:
                m.seen.add("isa")
                m.said = "; ".join(signs)


def crossing(source, file):
    """VGPRs that cross the merges of each function."""
    done = tool.unphi("lint", file, "--target", source.option("--target"), "--threshold", "1",
                      "--format", "json", *source.flags, codes=(0, 1))
    sums = collections.Counter()
    for f in json.loads(done.stdout)["findings"]:
        found = re.search(r"(\d+) VGPRs per lane", f["message"])
        if found:  # else it is no merge
            sums[tool.function_of(f)] += int(found.group(1))
    return sums


def see_gain(source, files, original, device):
    """Rewrites after which as much crosses, or the kernel takes as many registers."""
    before = crossing(source, original)
    for file, mutations in files.items():
        after = crossing(source, file)
        for m in mutations:
            name = m.kernel.name
            if m.kind != "gain":
                continue
            old, new = before[name], after[name]
            what = "VGPRs cross the merges"
            if new < old and name in device[file]:
                old, new = device[original][name]["vgprs"], device[file][name]["vgprs"]
                what = "VGPRs are needed"
            if new >= old > 0:
                m.seen.add("gain")
                m.said = f"no gain: {old} {what} before, {new} after"


def check_input(source, mutations):
    """The mutations of an input, all run and judged."""
    for m in mutations:
        m.run()
    files = {}
    for i, layer in enumerate(layers(mutations)):
        file = f"{source.path.parent.name}.{source.path.stem}.{i}.hip"
        pathlib.Path(file).write_text(combined(source, layer), encoding="utf-8")
        files[file] = layer
    if files:
        see_bits(source, source.path, files, *tool.HOST)
        see_optimized(source, files)
        see_compiled(source, files)
    for m in mutations:
        wrong = m.verdict()
        if m.after is not None and "run" not in m.seen:
            wrong.append(f"{source.spec.name} does not run it")
        if wrong and m.kind == "isa" and m.seen == {"rewritten", "run"} and COMPILER != "clang++-19":
            tool.skip(m.name, f"{COMPILER} makes the same of both, and clang 19 does not")
            continue
        tool.check(f"{m.name}: {m.said}" if not wrong else m.name, wrong)


# ---- no clause is forgotten ----


def check_clauses(strategy, listed, mutations):
    refused = {m.clause for m in mutations}
    caught = {m.clause for m in mutations if m.kind != "equal"}
    wrong = [f"clause {n} has no refusal in tests/golden/{strategy}/refused*.hip"
             for n in sorted(listed - refused)]
    wrong += [f"no kernel shows what clause {n} is for" for n in sorted(refused - caught)]
    wrong += [f"its files list no clause {n}" for n in sorted(refused - listed) if n < 90]
    wrong += [] if listed else ["its files list no clauses"]
    tool.check(f"mutate/{strategy}: every clause has its kernel", wrong)


def test():
    if not shutil.which(COMPILER):
        tool.skip("mutate", f"{COMPILER} not found")
        return
    only = sys.argv[1:]
    inputs = sorted(GOLDEN.glob("*/refused*.hip"))
    run = inputs if only else tool.in_turn(inputs)
    for strategy, clauses in ((s.name, set(s.clauses)) for s in known.find(tool.UNPHI)):
        if only and strategy not in only:
            continue
        paths = sorted((GOLDEN / strategy).glob("refused*.hip"))
        missing = [str(p.with_suffix(".verify.yaml").relative_to(tool.ROOT)) for p in paths
                   if not p.with_suffix(".verify.yaml").exists()]
        if missing:
            tool.skip(f"mutate/{strategy}", f"there is no {', '.join(missing)} to run it by")
            continue
        mutations = []
        for source in map(Input, paths):
            some = [Mutation(source, k, c) for k in source.kernels for c in k.clauses]
            mutations += some
            if source.path in run:
                check_input(source, some)
        check_clauses(strategy, clauses, mutations)


os.environ.setdefault("LC_ALL", "C.UTF-8")
tool.main(test)
