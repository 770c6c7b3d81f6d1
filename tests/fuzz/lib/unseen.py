"""Code that runs, or writes, without a text that says so, in random kernels.

The ways are those of tests/exec/mechanisms/mechanisms.txt. The kernels of one file in three have one each, in
turn, so that a long run has them all: its state stands in front of the merges, its statement and its value anywhere
among them. Those of another file in three have a closure with state each.
"""

import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "exec"))
import mechanisms  # noqa: E402

FILE, EVERY = 50, 3  # kernels of one file in three have one: it may take much from the others of its file
# names that kernels have, too: of variables, a lambda, methods
OWN = re.compile(r"(?<!\w)(?:[a-z]|fn|in|run|step)(?![\w\"'])")
# a place in the text, components of vectors, an accumulator; order that C++ does not tell
UNFIT = re.compile(r"ext_vector_type|\bacc\b|#define|_Complex")
# a value that changes what it is made of: another order, or number, of evaluations gives another one
CHANGES = re.compile(r"init_capture(_counter|_method|_two|_walk|_visitor|_elements)?$|copy_capture_returned$")
CLOSURE = re.compile(r"init_capture|copy_capture|capture_(of|with|rest_with)_")
LOOKS = re.compile(r"tick\(|guard\(|\(\{")


def fit(m):
    return not (m.control or m.keeps or UNFIT.search(m.outside + m.declarations + m.before + m.write))


def find():
    found = (mechanisms.Mechanism(*s) for s in mechanisms.sections(mechanisms.DATA / "mechanisms.txt"))
    return [m for m in found if fit(m)]


MECHANISMS = find()
CLOSURES = [m for m in MECHANISMS if CLOSURE.match(m.name)]
NAMES = [m.name for m in MECHANISMS]


def of_kernel(number):
    """The mechanism of a kernel, or None."""
    file = number // FILE
    some = (MECHANISMS, CLOSURES, None)[file % EVERY]
    return some[(file // EVERY * FILE + number % FILE) % len(some)] if some else None


class Unseen:
    """A mechanism as one kernel has it."""

    def __init__(self, mechanism, prefix, seed):
        self.dice = random.Random(f"{seed}.unseen")
        self.space = f"{prefix}{mechanism.name}"
        self.mechanism = mechanism
        self.value = self.own(mechanism.read)

    def own(self, text):
        return OWN.sub(lambda m: f"{m.group(0)}_", text).replace(f"m_{self.mechanism.name}", self.space)

    def declared(self):
        """Lines in front of the kernel and its functions."""
        inside = [f"namespace {self.space} {{", self.own(self.mechanism.declarations), "}"]
        return [self.own(self.mechanism.outside)] + inside

    def state(self):
        return [f"using namespace {self.space};", "int c_ = n, u_ = 1, x_ = 2;", self.own(self.mechanism.before)]

    def statement(self):
        return ["{", self.own(self.mechanism.write), "}"]

    def reads(self):
        """May its value stand anywhere?"""
        return self.decides() and not CHANGES.match(self.mechanism.name)

    def decides(self):
        """May its value be a condition's, once?"""
        return not LOOKS.search(self.value)

    def shown(self):
        return [f"uo[5] += (unsigned)({self.value});", "uo[6] ^= (unsigned)c_;", "uo[7] += (unsigned)(u_ + x_ * 3);"]
