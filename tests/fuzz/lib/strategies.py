"""What there is to try: unphi's own word for strategies and forms, their files' for the clauses."""

import os
import pathlib
import re
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "src" / "strategy"
# src/strategy/strategy.h: refused by no clause of its own
NOTHING, INSTANCES, MEASURED = 90, 91, 92
# takes back what these wrote: it has no kernels of its own
REVERSE, REVERSED = "rejoin", ("sequentialize", "launder")


class Strategy:
    def __init__(self, name, forms):
        self.name, self.forms = name, forms
        header = read_header(name)
        self.clauses = {}
        for part in headers_of(name):
            self.clauses.update(numbered(part))
        # promises that the compiler fuses the same multiplies and adds as before
        headers = [header] + [read_header(n) for n in set(re.findall(r"as for (\w+)", header))]
        self.contracts = any("contraction" in h for h in headers)


def read_header(name):
    """The first comment of the file that the strategy is called after."""
    return first_comment(next(SOURCES.rglob(name.replace("-", "_") + ".c")))


def first_comment(path):
    return path.read_text(encoding="utf-8").split("*/")[0]


def headers_of(name):
    """First comments that begin with the strategy's name and have clauses: its forms may have their own."""
    headers = [first_comment(f) for f in sorted(SOURCES.rglob("*.c"))]
    return [h for h in headers if re.match(rf"/\*\n \* {name}\b", h) and "Legal when" in h]


def numbered(header):
    """The clauses of a file's first comment: number to text."""
    clauses = {}
    for entry in re.split(r"\n \* +(?=\d+(?: to \d+)?\. )", header)[1:]:
        first, last, text = re.match(r"(\d+)(?: to (\d+))?\. (.*)", entry, re.S).groups()
        text = re.split(r"\n \*\s*\n|\n \* ?[A-Z]", text)[0]
        text = re.sub(r"\s*\n \* *", " ", text).strip()
        for number in range(int(first), int(last or first) + 1):
            clauses[number] = text
    return clauses


def quoted_after(text, words):
    return text[text.rindex(words) + len(words) :].strip()


def find(unphi):
    """All strategies, in unphi's order."""

    def ask(what):
        argv = [unphi, "rewrite", "--strategy", what, "--target", "gfx90a", os.devnull]
        return subprocess.run(argv, capture_output=True, text=True, check=False).stderr

    names = quoted_after(ask("?"), "the strategies are ").split(", ")
    return [Strategy(n, re.findall(r"'([^']*)'", quoted_after(ask(n + ":?"), "the forms are "))) for n in names]
