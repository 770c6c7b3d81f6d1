#!/usr/bin/env python3
"""Code that runs, or writes, without a text that says so: no strategy may look past it.

mechanisms/mechanisms.txt has the ways in which C++ does that, mechanisms/frames.txt the places in
which one stands. Each pair is a function. Every strategy and form is forced on all of them; those that
it rewrites are run on the CPU before and after, and have to give the same bits. Text that does not
parse fails, and so does a strategy that gives up on the file. Mechanisms that touch nothing of
interest are controls: what was rewritten around them (mechanisms/controls.txt) has to be rewritten
still, so that refusing everything fails.

With --failures FILE, writes what failed there, one in a line; names as arguments choose mechanisms."""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "lib"))
import strategies as known  # noqa: E402
import tool  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parent / "mechanisms"
COMPILER = "clang++-19"
PARSE = ["-nogpuinc", "-std=c++20", "-ffp-contract=off", "-w"]
HOST = [COMPILER, "-x", "c++", "-std=c++20", "-w", "-O0", "-ffp-contract=off", "-ferror-limit=0",
        "-fno-caret-diagnostics"]  # fmt: skip
INPUTS = 4
MARK = re.compile(r"^// (?:function (\S+)|end)$", re.M)

PRELUDE = """#ifdef __HIP__
#define __global__ __attribute__((global))
#define D __attribute__((device))
#define __shared__ __attribute__((shared))
#else
#include <cstdio>
#define __global__ static
#define D
#define __shared__ static
#endif
namespace std {
typedef decltype(sizeof(0)) size_t;
template <class T> struct tuple_size;
template <size_t I, class T> struct tuple_element;
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T &> { using type = T; };
template <class T> struct remove_reference<T &&> { using type = T; };
template <class T> constexpr typename remove_reference<T>::type &&move(T &&v) noexcept
{
	return static_cast<typename remove_reference<T>::type &&>(v);
}
template <class T> constexpr T &&forward(typename remove_reference<T>::type &v) noexcept
{
	return static_cast<T &&>(v);
}
template <class T> constexpr T *addressof(T &v) noexcept { return __builtin_addressof(v); }
template <class T> class initializer_list {
	const T *at;
	size_t n;

public:
	constexpr initializer_list(const T *a, size_t m) : at(a), n(m) {}
	constexpr const T *begin() const { return at; }
	constexpr const T *end() const { return at + n; }
};
}
"""

DRIVER = """#ifndef __HIP__
struct entry {
	const char *name;
	void (*function)(const float *, const int *, float *, int *, int);
};
static const entry entries[] = {
TABLE};
int main()
{
	static float b[80], out[64];
	static int from[80], more[3];
	for (const entry &e : entries) {
		unsigned long long hash = 0xcbf29ce484222325ull;
		for (int input = 0; input < INPUTS; ++input) {
			for (int i = 0; i < 80; ++i) {
				from[i] = (i * 7919 + input * 31) % 1009;
				b[i] = (float)from[i] / 7.0f - 60.0f;
			}
			e.function(b, from, out, more, input);
			for (float f : out) {
				hash = (hash ^ __builtin_bit_cast(unsigned, f)) * 0x100000001b3ull;
			}
			for (int v : more) {
				hash = (hash ^ (unsigned)v) * 0x100000001b3ull;
			}
		}
		printf("%s %016llx\\n", e.name, hash);
	}
}
#endif
"""

FUNCTION = """// function {name}
__global__ void {frame}(const float *b, const int *from, float *out, int *more, int n)
{{
	float acc[64];
	int c = n, u = 1, x = 2;
	for (int i = 0; i < 64; ++i) {{
		acc[i] = (float)i;
	}}
{body}
	for (int i = 0; i < 64; ++i) {{
		out[i] = acc[i];
	}}
	more[0] = {read};
	more[1] = u;
	more[2] = x;
}}
// end
"""


def sections(path):
    """Name and text of each part of a data file."""
    text = re.sub(r"\A(?:#.*\n)+", "", path.read_text(encoding="utf-8"))
    parts = re.split(r"^== (\S+)$", text, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


class Mechanism:
    def __init__(self, name, text):
        self.name = name.lstrip(".")
        self.control = name.startswith(".")
        parts = re.split(r"^-- (\w+)$", text, flags=re.M)
        found = dict(zip(parts[1::2], (p.strip() for p in parts[2::2])))
        self.declarations = parts[0].strip()
        self.outside = found.get("outside", "")
        self.before = found.get("before", "")
        self.write = found.get("write", "c += 3;")
        self.read = found.get("read", "c")
        self.keeps = found.get("keeps")

    def function(self, frame, place):
        body = "\t" + place.strip().replace("\n", "\n\t")
        body = body.replace("WRITE", self.write).replace("READ", self.read)
        body = (f"\t{self.before}\n" if self.before else "") + body
        return FUNCTION.format(name=f"{self.name}.{frame}", frame=frame, body=body, read=self.read)

    def text(self, frames):
        inside = "\n".join(self.function(*f) for f in frames)
        return f"{self.outside}\nnamespace m_{self.name} {{\n{self.declarations}\n{inside}}}\n"


def unit(mechanisms, frames):
    """A file of these mechanisms in all places; without the table of what to run."""
    return PRELUDE + "".join(m.text(frames) for m in mechanisms)


def functions(text):
    """Name to text, and what stands around them: in turn, other text first."""
    parts = MARK.split(text)
    # outside, name, inside, None, outside, ...
    return {parts[k]: parts[k + 1] for k in range(1, len(parts) - 2, 4)}, parts


def only(text, names):
    """The text with these functions, and a program that runs them."""
    _, parts = functions(text)
    out = [parts[0]]
    for k in range(1, len(parts) - 2, 4):
        # empty lines in place of what is left out, so that __LINE__ is what it was
        kept = parts[k] in names
        out.append(f"// function {parts[k]}{parts[k + 1]}// end" if kept else "\n" * (parts[k + 1].count("\n")))
        out.append(parts[k + 3])
    table = "".join('\t{"%s", m_%s::%s},\n' % (n, *n.split(".")) for n in names)
    return "".join(out) + DRIVER.replace("TABLE", table).replace("INPUTS", str(INPUTS))


class Case:
    """Some mechanisms in some places: a file, and what its functions print."""

    def __init__(self, mechanisms, frames, stem):
        self.mechanisms, self.frames, self.stem = mechanisms, frames, stem
        self.text = unit(mechanisms, frames)
        self.functions = functions(self.text)[0]
        pathlib.Path(f"{stem}.hip").write_text(self.text, encoding="utf-8")

    def halves(self):
        """Two smaller ones; none of a single function."""
        if len(self.mechanisms) > 1:
            half = len(self.mechanisms) // 2
            parts = [(self.mechanisms[:half], self.frames), (self.mechanisms[half:], self.frames)]
        elif len(self.frames) > 1:
            half = len(self.frames) // 2
            parts = [(self.mechanisms, self.frames[:half]), (self.mechanisms, self.frames[half:])]
        else:
            return []
        return [Case(*part, f"{self.stem}{n}") for n, part in enumerate(parts)]


class Run:
    """One strategy or form on one case."""

    def __init__(self, what, expected):
        self.what, self.expected = what, expected
        self.rewritten = []
        self.failures = []  # (function, why)

    def go(self, case):
        stem = f"{case.stem}.{re.sub(r'[^a-z]+', '_', self.what)}"
        out = pathlib.Path(f"{stem}.hip")
        out.unlink(missing_ok=True)
        done = tool.run(tool.UNPHI, "rewrite", "--strategy", self.what, "--threshold", "1", "--target",
                        "gfx90a", "--quiet", "--no-cache", "-o", out, f"{case.stem}.hip", "--", *PARSE)  # fmt: skip
        if done.returncode:
            self.blame(case, done)
            return
        text = out.read_text(encoding="utf-8")
        after = functions(text)[0]
        names = [name for name in case.functions if case.functions[name] != after.get(name)]
        self.rewritten += names
        kept = {f"{m.name}.{frame}": m.keeps for m in case.mechanisms if m.keeps for frame, _ in case.frames}
        self.failures += [(n, f"another number of {kept[n]}") for n in names
                          if n in kept and after[n].count(kept[n]) != case.functions[n].count(kept[n])]
        self.run(stem, text, [n for n in names if n not in kept])

    def run(self, stem, text, names):
        """Builds and runs what was rewritten; what does not compile is left out, and fails."""
        while names:
            program = only(text, names)
            pathlib.Path(f"{stem}.cpp").write_text(program, encoding="utf-8")
            built = tool.run(*HOST, f"{stem}.cpp", "-o", stem)
            if built.returncode == 0:
                break
            bad = guilty(program, built.stderr)
            if not bad:
                raise tool.Failed(f"{stem}.cpp does not compile: {built.stderr[:300]}")
            self.failures += [(n, f"does not compile: {e}") for n, e in bad.items()]
            names = [n for n in names if n not in bad]
        if names:
            results = ran(stem)
            self.failures += [(n, "other results") for n in names if results.get(n) != self.expected[n]]

    def blame(self, case, done):
        """The functions for which unphi fails, one by one."""
        halves = case.halves()
        for half in halves:
            self.go(half)
        if not halves:
            why = (re.findall(r"error: (.*)", done.stderr) or [done.stderr.strip()])[0]
            self.failures.append((next(iter(case.functions)), f"exit code {done.returncode}: {why}"))


def guilty(text, errors):
    """Functions in which a compiler's errors stand, with the first of each."""
    found = {}
    current, owners = None, {}
    for number, line in enumerate(text.split("\n"), 1):
        mark = MARK.fullmatch(line)
        current = mark.group(1) if mark else current
        owners[number] = current
    for number, error in re.findall(r"\.cpp:(\d+):\d+: error: (.*)", errors):
        if owners.get(int(number)):
            found.setdefault(owners[int(number)], error)
    return found


def ran(program):
    done = tool.run(f"./{program}")
    if done.returncode:
        raise tool.Failed(f"{program}: exit code {done.returncode}")
    return dict(line.split() for line in done.stdout.splitlines())


def controls():
    """Functions of controls that a strategy has to rewrite, by strategy or form."""
    lines = (DATA / "controls.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.rpartition(":") for line in lines if line and not line.startswith("#"))
    return {what: names.split() for what, _, names in rows}


def check_controls(run, required, names):
    missing = [n for n in required if n in names and n not in run.rewritten]
    return [f"{n} is not rewritten any more" for n in missing]


def test(args):
    if not shutil.which(COMPILER):
        tool.skip("mechanisms", f"{COMPILER} not found")
        return
    frames = sections(DATA / "frames.txt")
    mechanisms = [Mechanism(*s) for s in sections(DATA / "mechanisms.txt")]
    mechanisms = [m for m in mechanisms if not args.names or m.name in args.names]
    case = Case(mechanisms, frames, "mechanisms")
    names = list(case.functions)
    start = pathlib.Path("before.cpp")
    start.write_text(only(case.text, names), encoding="utf-8")
    built = tool.run(*HOST, start, "-o", "before")
    if built.returncode:
        raise tool.Failed(f"the mechanisms do not compile: {built.stderr[:2000]}")
    expected = ran("before")
    required = controls()
    failures = []
    for s in known.find(tool.UNPHI):
        for what in [f"{s.name}:{form}" for form in s.forms]:
            if args.strategy and not what.startswith(args.strategy):
                continue
            run = Run(what, expected)
            run.go(case)
            print(f"# {what}: {len(run.rewritten)} of {len(names)} rewritten, {len(run.failures)} wrong")
            failures += [f"{what}\t{n}\t{why}" for n, why in run.failures]
            wrong = [f"{n}: {why}" for n, why in run.failures[:10]]
            if len(run.failures) > 10:
                wrong.append(f"and {len(run.failures) - 10} more")
            tool.check(f"mechanisms/{what}", wrong + check_controls(run, required.get(what, []), names))
            if args.controls:
                made = [n for n in run.rewritten if any(m.control and n.startswith(m.name + ".") for m in mechanisms)]
                args.controls.write(f"{what}: {' '.join(made)}\n")
    if args.failures:
        pathlib.Path(args.failures).write_text("".join(f + "\n" for f in failures), encoding="utf-8")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", help="of mechanisms; all")
    p.add_argument("--strategy", help="only what begins so")
    p.add_argument("--failures", help="file for what failed")
    p.add_argument("--controls", type=argparse.FileType("w"), help="file for what is rewritten of the controls")
    return p.parse_args()


os.environ.setdefault("LC_ALL", "C.UTF-8")
if __name__ == "__main__":
    arguments_given = arguments()
    tool.main(lambda: test(arguments_given))
