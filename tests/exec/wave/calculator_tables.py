#!/usr/bin/env python3
"""calculator_tables.py DIRECTORY: the register layouts that AMD's Matrix Instruction Calculator, in
the directory, gives for the matrix operations, as the lines that matrix_test.cpp reads."""

import functools
import pathlib
import re
import subprocess
import sys

REGISTER = re.compile(r"v(?:(\d+)|\[\d+:(\d+)\])\{(\d+)\}(?:\.\[\d+:(\d+)\])?")


def instructions():
    """Name, architecture, instruction and the options of each operation to ask for."""
    ops = pathlib.Path(__file__).resolve().parents[3] / "src/verify/runtime/unphi/matrix_ops.h"
    for line in ops.read_text(encoding="utf-8").splitlines():
        found = re.match(r"UNPHI_\w+\((\w+), (.*)\)$", line)
        if not found or found[1] == "name":
            continue
        name, rest = found[1], found[2].split(", ")
        if "_gfx12" in name or name.startswith("swmmac"):
            base, wave = name.removesuffix("_gfx12").rsplit("_w", 1)
            yield name, "rdna4", "v_" + base, {"wavefront": wave}
        elif "f8f6f4" in name or ("mfma" in name and rest[-3] in ("v8h", "v8y", "v4i")):
            continue  # gfx950's, which the calculator does not have
        elif name.startswith("mfma"):
            yield from mfma(name, int(rest[3]))
        elif name.startswith("smfmac"):
            for abid in range(4 if name.endswith("16") else 2):
                yield name, "cdna3", "v_" + name, {"abid": abid}
        elif "tied" not in name:
            base, wave = name.rsplit("_w", 1)
            for opsel in (0, 1) if re.match(r"wmma_b?f16", name) else (0,):
                options = {"wavefront": wave} | ({"opsel": opsel} if opsel else {})
                yield name, "rdna3", "v_" + base, options


def mfma(name, blocks):
    new = re.search(r"xf32|_i8|[bf]p?8_", name)
    one_k = name.endswith("_1k") or "f64" in name
    architecture = "cdna3" if new else "cdna2" if one_k else "cdna1"
    yield name, architecture, "v_" + name, {}
    if "f64" in name or new:
        return
    for blgp in range(1, 8):
        yield name, architecture, "v_" + name, {"blgp": blgp}
    for cbsz in range(1, blocks.bit_length()):
        for abid in range(1 << cbsz):
            yield name, architecture, "v_" + name, {"cbsz": cbsz, "abid": abid}


@functools.cache
def layout(directory, architecture, instruction, matrix, options):
    """Block, row, column, lane and bit of each element."""
    elements = []
    command = [sys.executable, directory + "/matrix_calculator.py", "-a", architecture, "-i",
               instruction, "--register-layout", "--csv", "-" + matrix]
    for option, value in options:
        command += ["--" + option, str(value)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr or run.stdout}")
    blocks, columns = [0], []
    for line in run.stdout.splitlines():
        cells = line.split(",")
        if line.startswith("Block"):
            blocks = [int(b) for b in re.findall(r"\d+", line)]
        elif "][" in cells[0]:
            columns = [int(c) for c in cells[1:]]
        elif cells[0].isdigit():
            for column, cell in zip(columns, cells[1:]):
                low, pair_low, lane, bit = REGISTER.match(cell).groups()
                at = int(lane), int(low or pair_low) * 32 + int(bit or 0)
                elements += [(b, int(cells[0]), column, *at) for b in blocks]
    return elements


def wanted(matrix, options, architecture):
    """The options that the calculator takes for a matrix."""
    takes = {"A": ("cbsz", "abid"), "B": ("blgp",), "D": ("opsel",), "k": ("cbsz", "abid")}[matrix]
    if architecture.startswith("rdna"):
        takes += ("wavefront",)
    return {o: v for o, v in options.items() if o in takes}


def main(directory):
    for name, architecture, instruction, options in instructions():
        sparse = name.startswith(("smfmac", "swmmac"))
        modifiers = [options.get(o, 0) for o in ("cbsz", "abid", "blgp", "opsel")]
        for matrix in "ABDk" if sparse else "ABD":
            given = wanted(matrix, options, architecture)
            given |= {"opsel": 4} if given.get("opsel") else {}
            if sparse and matrix == "A":
                given.pop("abid", None)
            for block, row, column, lane, bit in layout(
                    directory, architecture, instruction, matrix, tuple(given.items())):
                if sparse and matrix in "Ak" and column % 4:
                    continue
                print(name, *modifiers, matrix.upper(), block, row, column, lane, bit)


if __name__ == "__main__":
    main(sys.argv[1])
