"""Random kernels as machine code: whole waves of them, by `unphi verify`, before and after each strategy.

Each lane has outputs and LDS of its own, so that no kernel has a race; inputs, n, s and t are those of all lanes, so
that what is uniform for the analysis is uniform. With contraction off the machine code of each text has to
leave what that of the first one leaves, and that what the CPU run of its source leaves; with contraction on, the
machine code of each text what that of the first one leaves, but for kernels whose FMAs the compiler traded, which are
named: a strategy is forced here, and rewrite refuses them where it measures.
"""

import json
import os
import random
import re
import shutil

import harness
import shrink

LIMIT = 3000  # seconds, on a machine that may have other work
SHRINK_MOST = 80  # runs
SOURCE = "machine code against the source"
REWRITTEN = "machine code before and after"
CONTRACTED = "machine code before and after, contracted"
LANES = 64
LDS_MOST = 3  # arrays of a kernel, 16 KiB for a wave
CASES = 3
# by which compilers, for which GPUs; of those that are here
PAIRS = [
    ("clang++-19", "gfx90a"), ("hipcc", "gfx90a"), ("clang++-19", "gfx942"), ("clang++-19", "gfx1100"),
    ("clang++-22", "gfx950"), ("clang++-19", "gfx1200"), ("hipcc", "gfx942"), ("clang++-22", "gfx942"),
]  # fmt: skip
LEVELS = ["-O3", "-O3", "-O2", "-O1", "-O3", "-O0"]

WRAPPER = """__global__ void k{id}(float *fo, unsigned *uo, const float *fi, const unsigned *ui, const f4 *vi, unsigned *order,
	int n, int s, int t, int aliased)
{{
	const unsigned place = blockIdx.x * {lanes}u + threadIdx.x;
	fo += place * 64u;
	uo += place * 64u;
	traced() = 0x811c9dc5u;
	body{id}(fo, uo, {inputs}, vi, n, s, t);
	for (int i = 0; i < 64; ++i) {{
		fo[i] = fo[i] == fo[i] ? fo[i] : 0.0f;
	}}
	order[place] = traced();
}}
"""

SPEC = """targets: [{target}]
kernels:
  - kernel: [{names}]
    grid: 1
    block: {lanes}
    buffers:
      fo: {{type: f32, length: {outputs}, fill: {{random: [-2, 2], seed: {seed}}}}}
      uo: {{type: u32, length: {outputs}, fill: {{random: [0, 16777215], seed: 2}}}}
      fi: {{type: f32, length: 64, fill: {{random: [-2, 2], seed: 3}}}}
      ui: {{type: u32, length: 64, fill: {{random: [0, 16777215], seed: 4}}}}
      vi: {{type: f32, length: 64, fill: {{random: [-2, 2], seed: 5}}}}
      order: {{type: u32, length: {order}, fill: zeros}}
    arguments: {{fo: fo, uo: uo, fi: fi, ui: ui, vi: vi, order: order, n: 0, s: 0, t: 0, aliased: 0}}
    cases:
{cases}"""


def pairs():
    return [p for p in PAIRS if shutil.which(p[0]) and usable(*p)]


def usable(compiler, target):
    """hipcc is of many releases: those before 6 do not know gfx942's device libraries."""
    if compiler != "hipcc" or target == "gfx90a":
        return True
    said = harness.command(["hipcc", "--version"], "/").out
    found = re.search(r"HIP version: (\d+)", said)
    return bool(found) and int(found.group(1)) >= 6


def of_waves(chunk):
    """A kernel's text as whole waves run it."""
    text = re.sub(r"^__global__ void k(\d+)\(", r"__device__ void body\1(", chunk.text, flags=re.M)
    text = re.sub(r"__shared__ float (\w+)\[64\];", rf"__shared__ float \1_of[{LANES}][64]; float (&\1)[64] = \1_of[threadIdx.x];", text)
    text = re.sub(r"__shared__ float (\w+);", rf"__shared__ float \1_of[{LANES}]; float &\1 = \1_of[threadIdx.x];", text)
    inputs = "aliased ? fo : fi, aliased ? uo : ui" if chunk.aliased else "fi, ui"
    return f"// kernel {chunk.id}\n{text}" + WRAPPER.format(id=chunk.id, inputs=inputs, lanes=LANES)


def fits(chunk):
    """LDS for all lanes, and no variable of the device: all lanes have it, and on the host one after the other."""
    return "static D " not in chunk.text and len(re.findall(r"__shared__ float \w+\[", chunk.text)) <= LDS_MOST


def spec(seed, chunks, target):
    rng = random.Random(f"{seed} waves")
    cases = []
    for k in range(CASES):
        n, s, t = (rng.randrange(8) for _ in range(3))
        more = "        grid: 2\n" if k == 0 else ""
        cases.append(f"      - name: {k}\n{more}        arguments: {{n: {n}, s: {s}, t: {t}, aliased: {k == 1:d}}}\n")
    return SPEC.format(target=target, names=", ".join(f"k{c.id}" for c in chunks), lanes=LANES, seed=rng.randrange(1000),
                       outputs=2 * LANES * 64, order=2 * LANES, cases="".join(cases))  # fmt: skip


class Run:
    """Some kernels, all alike in whether lanes may be apart at a matrix operation, by one compiler for one GPU."""

    def __init__(self, unit, chunks, by, whats, where):
        self.unit, self.chunks, self.where = unit, chunks, where
        self.compiler, self.target, self.level = by
        self.whats, self.outputs, self.failures = whats, [], []
        self.flags = ["-nogpuinc", "-nogpulib", "-std=c++20", "-w", "-DWAVES"] + (["-DAPART"] if chunks[0].apart else [])
        self.flags += [] if unit.contracted else ["-ffp-contract=off"]

    def go(self):
        os.makedirs(self.where, exist_ok=True)
        text = self.unit.config.prelude + "\n" + "\n".join(of_waves(c) for c in self.chunks)
        harness.write(os.path.join(self.where, "in.hip"), text)
        harness.write(os.path.join(self.where, "in.verify.yaml"), spec(self.unit.seed, self.chunks, self.target))
        for what in self.whats:
            self.rewrite(what, text)
        if not self.failures:
            self.compare()

    def fail(self, kind, what, ids, detail):
        said = {"kind": kind, "strategy": what, "unit": self.unit.number, "kernels": sorted(ids), "detail": detail[:2000]}
        self.failures.append({**said, "by": (self.compiler, self.target, self.level)})

    def rewrite(self, what, text):
        out = harness.stem(what) + ".hip"
        argv = [self.unit.config.unphi, "rewrite", "--strategy", what, "--threshold", "1", "--target", "gfx90a",
                "--quiet", "-o", out, "in.hip", "--", *self.flags]  # fmt: skip
        done = harness.command(argv, self.where)
        if done.code:
            self.fail("crash", what, [], f"exit code {done.code} {done.err[-1500:]}")
            return
        with open(os.path.join(self.where, out), encoding="utf-8") as f:
            if f.read() != text and out not in self.outputs:
                self.outputs.append(out)

    def compare(self):
        off, first = ["-ffp-contract=off"], "in.hip"
        if self.unit.config.on_isa:  # else the host has run them, lane by lane
            self.verify(SOURCE, [first, first], "both", off)  # one file alone: what rewrite makes of it by measuring
        if self.outputs:
            self.verify(REWRITTEN, [first, *self.outputs], "isa", off)
        if self.unit.contracted and self.outputs:
            self.unit.stats.checks["kernels whose FMAs were counted"] += len(self.outputs) * len(self.chunks)
            self.verify(CONTRACTED, [first, *self.outputs], "isa", [])

    def verify(self, kind, files, on, flags):
        report = harness.stem(kind) + ".json"
        argv = [self.unit.config.unphi, "verify", *files, "--on", on, "--compiler", self.compiler, "--quiet",
                "--format", "json", "--report", report, "-j1",
                "--", *self.flags, "-DBODIES", self.level, *flags]  # fmt: skip
        done = harness.command(argv, self.where, LIMIT)
        self.unit.stats.checks[f"{kind}, {self.compiler} {self.target} {self.level}"] += len(files) * len(self.chunks)
        if done.code == 0:
            return
        try:
            with open(os.path.join(self.where, report), encoding="utf-8") as f:
                results = [r for r in json.load(f)["results"] if r["outcome"] != "equal"]
        except (OSError, ValueError, KeyError):
            self.fail(kind, "", [], f"exit code {done.code} {done.err[-1500:]}")
            return
        for file in sorted({r["file"] for r in results}):
            of_file = [r for r in results if r["file"] == file]
            if kind == CONTRACTED:
                of_file = self.without_traded(file, of_file)
            if of_file:
                self.differs(kind, file, of_file)

    def without_traded(self, file, results):
        """Without kernels in which the compiler fuses otherwise, by what rewrite refuses them for where it measures."""
        what = next((w for w in self.whats if harness.stem(w) + ".hip" == file), "")
        merges = what.split(":")[0] in ("hoist", "fuse", "predicate")  # several arms' code once
        unequal = {r["case"].split("/")[0] for r in results if r["outcome"] == "unequal"}
        before, after = (self.counts(f) if unequal else {} for f in ("in.hip", file))
        traded = {}
        for k in unequal & before.keys() & after.keys():
            fma = after[k]["fma"] - before[k]["fma"]
            if harness.recontracted(before[k], after[k]) or (merges and fma > 0):
                traded[k] = {"kernel": int(k[1:]), "strategy": what, "before": before[k], "after": after[k]}
        self.unit.stats.traded += traded.values()
        return [r for r in results if r["case"].split("/")[0] not in traded]

    def counts(self, file):
        """FMAs, and multiplies and adds, of each kernel as verify has it compiled."""
        argv = [self.unit.config.unphi, "measure", file, "--compiler", self.compiler, "--target", self.target, "--quiet",
                "--format", "json", "--", *self.flags, "-DBODIES", self.level]  # fmt: skip
        done = harness.command(argv, self.where, LIMIT)
        try:
            kernels = json.loads(done.out)["measurements"][0]["kernels"]
        except (ValueError, LookupError):
            return {}
        return {k["name"].split("(")[0]: {m: k[m] or 0 for m in ("fma", "mul_add")} for k in kernels}

    def differs(self, kind, file, results):
        ids = {int(re.match(r"k(\d+)", r["case"]).group(1)) for r in results}
        said = "; ".join(f"{r['case']}: {r['outcome']} {r['said'] or r['differences'][:1]}" for r in results[:4])
        what = next((w for w in self.whats if harness.stem(w) + ".hip" == file), "")
        self.fail(kind, what, ids, said)


def check(unit, chunks, turn):
    """Those that fit, by the compiler whose turn it is; where lanes are apart at a matrix operation in some, these or the rest."""
    found = pairs()
    sides = [[c for c in chunks if fits(c) and c.apart == apart] for apart in (False, True)]
    chunks = sides[1] if turn % 4 == 3 and sides[1] else sides[0] or sides[1]
    if not found or not chunks:
        return
    by = (*found[turn % len(found)], LEVELS[turn // len(found) % len(LEVELS)])
    jobs = unit.jobs()
    run = Run(unit, chunks, by, jobs[turn % 3 :: 3], unit.path("machine"))  # a third in turn: compiles are what it costs
    run.go()
    for failure in run.failures:
        failure["reproducer"] = reproduce(unit, chunks, run, failure)
    unit.stats.failures += run.failures
    if not unit.config.keep:
        shutil.rmtree(run.where)


def again(unit, chunk, failure, where):
    """Does one kernel alone fail alike?"""
    run = Run(unit, [chunk], failure["by"], [failure["strategy"]] if failure["strategy"] else [], where)
    run.go()
    word = lambda f: (f["kind"], f["strategy"], re.search(r": (unequal|broken|unknown) |$", f["detail"]).group())
    return word(failure) in [word(f) for f in run.failures]


def reproduce(unit, chunks, run, failure):
    """A directory with the first guilty kernel, made small; the first of a kind only, as that takes its time."""
    config = unit.config
    name = "-".join([failure["kind"], failure["strategy"] or "none", str(unit.number)])
    where = os.path.join(config.failures, harness.stem(name))
    key = (failure["kind"], failure["strategy"])
    bad = [c for c in chunks if c.id in failure["kernels"][:1]]
    if not bad or not config.shrink or key in config.seen:
        shutil.copytree(run.where, where, dirs_exist_ok=True)
        return where
    config.seen.add(key)
    os.makedirs(where, exist_ok=True)
    asks = lambda u, chunk, f: again(u, chunk, f, where)
    small = shrink.chunk(unit, bad[0], failure, SHRINK_MOST, asks)
    again(unit, small, failure, where)
    said = f"{failure['kind']} {failure['strategy']}: seed {unit.seed} unit {unit.number} by {' '.join(run.flags)} {failure['by']}\n"
    harness.write(os.path.join(where, "README"), f"{said}{failure['detail']}\n")
    return where
