"""Runs kernels with multiplies and adds joined as AMD's back end joins them.

The CPU's own compiler contracts by other rules: it leaves a product that several adds take alone.
So functions are inlined, loops unrolled and variables become values, with contraction allowed, and
then, as the back end does it, every add takes in a multiply that stands in its own basic block;
elements of vectors count one by one. Passes that move an add out of the arms of an if by
themselves (instcombine, sinking), or a product that a loop does not use behind it (indvars), are
left out: the blocks are those of the source. What those passes do to a device compile is counted in
its output, by rewrite.
"""

import os
import re

import harness

TO_IR = ["-O2", "-Xclang", "-disable-llvm-passes", "-ffp-contract=fast", "-S", "-emit-llvm"]
PASSES = (
    "function(sroa,early-cse<memssa>,simplifycfg),cgscc(inline),"
    "function(sroa,early-cse<memssa>,simplifycfg,loop-simplify,lcssa,loop(loop-rotate),loop-unroll<O3>,"
    "sroa,early-cse<memssa>,instsimplify,simplifycfg,gvn,instsimplify,dce,simplifycfg,scalarizer),globaldce"
)
TYPES = {"float": "f32", "half": "f16", "double": "f64"}
OPERATION = re.compile(r"  (%\S+) = (fmul|fadd|fsub|fneg) ([a-z ]*?)(float|half|double) ([^,\s]+)(?:, ([^,\s]+))?")


class Operation:
    def __init__(self, found):
        self.name, self.op, self.flags, self.type, self.x, self.y = found.groups()
        self.may_join = "contract" in self.flags.split()


def product(block, value):
    """The multiply of the block that gives value, and whether its sign changes on the way."""
    made = block.get(value)
    if made and made.op == "fneg" and made.x in block:
        inner = block[made.x]
        return (inner, True) if inner.op == "fmul" and inner.may_join else (None, False)
    return (made, False) if made and made.op == "fmul" and made.may_join else (None, False)


def joined(add, block, uses, number):
    """Lines in place of an add or sub that takes a product; None when it takes none."""
    first, second = product(block, add.x), product(block, add.y)
    if not first[0] and not second[0]:
        return None
    # of two, the one with fewer uses
    take_first = first[0] and not (second[0] and uses[add.x] > uses[add.y])
    mul, negated = first if take_first else second
    other = add.y if take_first else add.x
    lines, a = [], mul.x

    def negative(value, suffix):
        name = f"%joined{number}{suffix}"
        lines.append(f"  {name} = fneg {add.type} {value}")
        return name

    if negated != (add.op == "fsub" and not take_first):
        a = negative(a, "a")
    if add.op == "fsub" and take_first:
        other = negative(other, "c")
    t = add.type
    lines.append(f"  {add.name} = call {t} @llvm.fma.{TYPES[t]}({t} {a}, {t} {mul.y}, {t} {other})")
    return lines


def count_uses(lines):
    uses = {}
    for line in lines:
        for name in re.findall(r"%[\w.]+", line.split(" = ", 1)[-1]):
            uses[name] = uses.get(name, 0) + 1
    return uses


def join(text):
    """IR with its multiplies and adds joined, and how many were."""
    out, block, uses, number = [], {}, {}, 0
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line.startswith("define "):
            uses = count_uses(lines[at : lines.index("}", at)])
        if line.startswith("define ") or re.match(r"[\w.-]+:", line):
            block = {}
        found = OPERATION.match(line)
        if found:
            op = Operation(found)
            block[op.name] = op
            better = joined(op, block, uses, number) if op.op in ("fadd", "fsub") and op.may_join else None
            if better:
                number += 1
                out += better
                continue
        out.append(line)
    for t, suffix in TYPES.items():
        if f"@llvm.fma.{suffix}(" in text:
            continue
        out.append(f"declare {t} @llvm.fma.{suffix}({t}, {t}, {t})")
    return "\n".join(out) + "\n", number


def run(unit):
    """What the kernels of a unit's fused.hip print so."""
    host = [a for a in harness.HOST if a not in ("-O0", "-ffp-contract=off")]
    steps = [
        host + TO_IR + ["fused.hip", "-o", "fused.ll"],
        [harness.CXX.replace("clang++", "opt"), "-S", f"-passes={PASSES}", "fused.ll", "-o", "scalar.ll"],
        [harness.CXX, "-O0", "-w", "joined.ll", "-o", "fused", "-lm"],
    ]
    for step in steps:
        if "joined.ll" in step:
            with open(os.path.join(unit.dir, "scalar.ll"), encoding="utf-8") as f:
                text, number = join(f.read())
            unit.stats.checks["multiply-adds fused"] += number
            harness.write(os.path.join(unit.dir, "joined.ll"), text)
        done = harness.command(step, unit.dir)
        if done.code:
            return done
    return unit.run_program("fused")
