#!/usr/bin/env python3
"""Code that runs, or writes, without a text that says so: no strategy may look past it.

mechanisms/mechanisms.txt has the ways in which C++ does that, mechanisms/frames.txt the places in
which one stands. Each pair is a function. Every strategy and form is forced on all of them; those that
it rewrites are run on the CPU before and after, and have to give the same bits. Text that does not
parse fails, and so does a strategy that gives up on the file. Mechanisms that touch nothing of
interest are controls: what was rewritten around them (mechanisms/controls.txt) has to be rewritten
still, so that refusing everything fails, and nothing else may be.

A form gets the mechanisms in those places alone in which it rewrites what stands around a control: elsewhere the
place is what it refuses. Forms of a strategy that rewrite in a place share the functions of it, so that one of them gets
each, or half of them get one; with --all, which scripts/test --all stands for, each form gets each in every place, and no mechanism shares its
file with others.
unify gets functions instead whose template parameters are used in the ways of mechanisms/uses.txt.
What users run is not forced: some mechanisms, of the state that closures have, go through a rewrite that measures
(all of them, in each of those places, with --all), which has to keep rewrites, and no wrong one.
With --failures FILE, writes what failed there, one in a line; names as arguments choose mechanisms."""

import argparse
import concurrent.futures
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
COMPILER = tool.CLANG  # also for unphi: to ask hipcc where its libclang is takes three times as long as the rewrite
PARSE = ["-nogpuinc", "-std=c++20", "-ffp-contract=off", "-w"]
HOST = [COMPILER, "-x", "c++", "-std=c++20", "-w", "-O0", "-ffp-contract=off", "-ferror-limit=0",
        "-fno-caret-diagnostics"]  # fmt: skip
INPUTS = 4
# What one mechanism of a file does to pointers may hide another: for these FEW of them, of other kinds, stand in
# a file. Other forms ask the same of the analysis, and get more. A mechanism in a place meets every second of these,
# and a form that is alone in its places rewrites every second one.
FIRST = ("hoist:plain", "hoist:split", "fuse:plain", "split:two loops", "rematerialize:loop")
FEW = 6
MEASURED = ("inner", "behind", "once", "condition")
CLOSURES = re.compile(r"init_capture|copy_capture")
TOGETHER = 24
MARK = re.compile(r"^// (?:function (\S+)|end)$", re.M)

WORDS = """#ifdef __HIP__
#define __global__ __attribute__((global))
#define D __attribute__((device))
#define __shared__ __attribute__((shared))
struct dim {
	unsigned x, y, z;
};
extern const D dim threadIdx;
D void __syncthreads();
#define MATRIX(a, b, c) __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c, 0, 0, 0)
#else
#include <cstdio>
#define MATRIX(a, b, c) ((c) + (a) * (b))
#define __global__ static
#define D
#define __shared__ static
#endif
typedef float f32x16 __attribute__((ext_vector_type(16)));
"""

# what of the standard library the mechanisms need, for a compile without its headers
LIBRARY = """namespace std {
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
# a text that speaks of __NVCC__ gets macros in place of AMD's builtins, which are nothing on the host
PRELUDE = "// __NVCC__\n#define UNPHI_LAUNDER(x) ((void)(x))\n" + WORDS + LIBRARY

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
		SHOW;
	}
}
#endif
"""

HASH = 'printf("%s %016llx\\n", e.name, hash)'
FLAGS = 'printf("%s %d%d\\n", e.name, more[0], more[1])'

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


# what the arms call: an instance each of a template, for values of its parameters that differ
USE = """namespace m_{name} {{
{before}
template <{parameters}> {opens}D inline void f(float (&acc)[64], {takes}int c{tags})
{{
	for (int i = 0; i < {size}; ++i) {{
		{body}{more}
	}}
}}
{closes}// function {name}.use
__global__ void use(const float *b, const int *from, float *out, int *more, int n)
{{
	float acc[64] = {{}};
	for (int q = 0; q < 5; ++q) {{
		const float x = (float)from[q];
		const int c = from[q + 1] & 3;
		if (q == n) {{
			{calls[0]}
		}} else if (q > 2) {{
			{calls[1]}
		}} else {{
			{calls[2]}
		}}
	}}
	for (int i = 0; i < 64; ++i) {{
		out[i] = acc[i];
	}}
}}
// end
}}
"""
VALUES = (("true", 3, "kind::one"), ("false", 1, "kind::two"), ("true", 2, "kind::three"))
CALLS = [f"f<{p}, {n}, {k}>(acc, x, c);" for p, n, k in VALUES]
# the same where P and N are tags: template parameters, and what stands after the others
TAG_CALLS = [f"f<{k}>(acc, x, c, integral_constant<bool, {p}>{{}}, integral_constant<int, {n}>());" for p, n, k in VALUES]
# and where they are a class's
CLASS_CALLS = [f"stage<{p}, {n}, {k}>::f(acc, x, c);" for p, n, k in VALUES]
CLASS = ("struct stage {\nusing real = float;\nstatic constexpr int half = 32;\nstatic constexpr int size = 2 * half;\n"
         "static constexpr int many = P ? N : 2 * N + half;\nstatic constexpr bool most = many > 3 && K != kind::two;\n"
         "static D float more(float y, int n = 3) { return P ? y + many : y - n; }\nstatic ")
MORE = "\n\t\tacc[i] += most ? many : more(2);"  # the class's constants that differ
# the same of an object that each arm makes, with x as a member: an aggregate, and one with a constructor
OBJECT_CALLS = [f"stage<{p}, {n}, {k}> s{{x}}; s.f(acc, c);" for p, n, k in VALUES]
OBJECTS = ("struct stage {\nfloat x, by = 2;\n", "struct stage {\nD stage(float from, int add = 2) : x(from), by(add) {}\n",
           "D float next(float y) { return P ? y + N : y * by; }\n};\n", "D float next(float y) const { return P ? y : x + own; }\nfloat x;\nint by;\nint own = 3;\n};\n")  # fmt: skip
TAGS = (("kind K", ", auto P, auto N"), ("kind K, class Flag, class Count", ", Flag P, const Count N"),
        ("kind K, bool P, int N", ", integral_constant<bool, P>, integral_constant<int, N>"))  # fmt: skip

PROBE = """// function {name}
__global__ void {frame}(const float *b, const int *from, float *out, int *more, int n)
{{
	float acc[64] = {{}};
	int c = n, u = 1, x = 2;
	{before}
	{{
		const int old = c;
		{{
			{write}
		}}
		more[0] = c != old;
	}}
	const int old = {read};
	c += 64;
	more[1] = {read} != old;
	c ^= 1;
	more[1] |= {read} != old;
}}
// end
"""

BARRIER = """// function {name}
__global__ void {frame}(const float *b, const int *from, float *out, int *more, int n)
{{
	__shared__ int lds[256];
	float acc[64] = {{}};
	int &c = lds[threadIdx.x];
	int u = 1, x = 2;
	{before}
{body}
	more[threadIdx.x] = x;
}}
// end
"""

def sections(path):
    """Name and text of each part of a data file."""
    text = re.sub(r"\A(?:#.*\n)+", "", path.read_text(encoding="utf-8"))
    parts = re.split(r"^== (.*)$", text, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


class Mechanism:
    def __init__(self, name, text):
        self.name = name.lstrip(".")
        self.control = name.startswith(".")
        found = parts_of(text, "declarations")
        self.declarations = found["declarations"]
        self.outside = found.get("outside", "")
        self.before = found.get("before", "")
        self.write = found.get("write", "c += 3;")
        self.read = found.get("read", "c")
        self.keeps = found.get("keeps")
        self.leaves = "{ continue; }" in text  # tried with an else, the file parsed again for each: in one of its own

    def function(self, frame, place):
        body = "\t" + place.strip().replace("\n", "\n\t")
        body = body.replace("WRITE", self.write).replace("READ", self.read)
        body = (f"\t{self.before}\n" if self.before else "") + body
        return FUNCTION.format(name=f"{self.name}.{frame}", frame=frame, body=body, read=self.read)

    def probe(self, frame, _):
        """Does it change c, does it read it?"""
        return PROBE.format(name=f"{self.name}.{frame}", frame=frame, before=self.before, write=self.write, read=self.read)

    def barrier(self, frame, place):
        frame = frame.split()[0]
        body = "\t" + place.strip().replace("\n", "\n\t").replace("WRITE", self.write).replace("READ", self.read)
        return BARRIER.format(name=f"{self.name}.{frame}", frame=frame, before=self.before, body=body)

    def text(self, frames, function):
        inside = "\n".join(function(self, *f) for f in frames)
        return f"{self.outside}\nnamespace m_{self.name} {{\n{self.declarations}\n{inside}}}\n"


def parts_of(text, first):
    """Of a section: what stands in front of its first part, under that name, and its parts."""
    parts = re.split(r"^-- (\w+)$", text, flags=re.M)
    return {first: parts[0].strip(), **dict(zip(parts[1::2], (p.strip() for p in parts[2::2])))}


class Uses:
    """Functions of which unify makes one, as a case with all of them; and those of a value, which it has to."""

    mechanisms, frames, stem = [], [], "uses"

    def __init__(self):
        (_, common), *uses = sections(DATA / "uses.txt")
        self.required = []
        self.text = PRELUDE + parts_of(common, "body")["before"] + "\n"
        for k, (name, text) in enumerate(uses):
            parts = parts_of(text, "body")
            calls = parts["calls"].splitlines() if "calls" in parts else CALLS
            whole = {"name": name.lstrip("."), "before": parts.get("before", ""), "body": parts["body"]}
            plain = {"parameters": "bool P, int N, kind K", "tags": "", "opens": "", "closes": "",
                     "takes": "float x, ", "size": 64, "more": ""}
            self.text += USE.format(**whole, **plain, calls=calls)
            if calls is CALLS and k % 2:
                one, made = k // 4 % 2, k % 4 == 1
                plain.update(opens=OBJECTS[one] if made else CLASS, takes="" if made else "real x, ",
                             closes=OBJECTS[2 + one] if made else "};\n", size=64 if made else "size", more="\n\t\tacc[i] += next(by);" if made else MORE)  # fmt: skip
                whole["name"] += "_object" if made else "_class"
                self.text += USE.format(**whole, **plain, calls=OBJECT_CALLS if made else CLASS_CALLS)
                # the class declares f, or x, and one by_macro may name that
                macro = "USE_" if made else "USE_LEAST"
                known = name.startswith(".") and "auto f" not in parts["body"] and macro not in parts["body"]
                self.required += [f"{whole['name']}.use"] if known else []
            elif calls is CALLS:
                # a local class sees no object of the function
                plain["parameters"], plain["tags"] = TAGS[-1 if "struct " in parts["body"] else k % len(TAGS)]
                whole["name"] += "_tag"
                self.text += USE.format(**whole, **plain, calls=TAG_CALLS)
        self.required += [f"{name[1:]}.use" for name, _ in uses if name.startswith(".")]
        self.functions = functions(self.text)[0]
        pathlib.Path(f"{self.stem}.hip").write_text(self.text, encoding="utf-8")
        errors = build(self.stem, program([self.text], list(self.functions), HASH))
        if errors:
            raise tool.Failed(f"the uses do not compile: {errors[:2000]}")
        self.expected = ran(self.stem)

    def halves(self):
        return []


def unit(mechanisms, frames, function=Mechanism.function):
    """A file of these mechanisms in all places; without the table of what to run."""
    return PRELUDE + "".join(m.text(frames, function) for m in mechanisms)


def functions(text):
    """Name to text, and what stands around them: in turn, other text first."""
    parts = MARK.split(text)
    # outside, name, inside, None, outside, ...
    return {parts[k]: parts[k + 1] for k in range(1, len(parts) - 2, 4)}, parts


def only(text, names):
    """The text with these functions alone, and without the prelude."""
    parts = MARK.split(text.replace(PRELUDE, ""))
    out = [parts[0]]
    for k in range(1, len(parts) - 2, 4):
        out += [f"// function {parts[k]}{parts[k + 1]}// end" if parts[k] in names else "", parts[k + 3]]
    return "".join(out)


def program(texts, names, show):
    """What runs these functions, each of one of the texts, and shows what they gave."""
    table = "".join('\t{"%s", m_%s::%s},\n' % (n, *n.split(".")) for n in names)
    return PRELUDE + "".join(only(t, names) for t in texts) + (
        DRIVER.replace("TABLE", table).replace("INPUTS", str(INPUTS)).replace("SHOW", show))


def build(stem, text):
    """Errors; none when there is a program."""
    pathlib.Path(f"{stem}.cpp").write_text(text, encoding="utf-8")
    built = tool.run(*HOST, f"{stem}.cpp", "-o", stem)
    return built.stderr if built.returncode else ""


class Case:
    """Some mechanisms in some places: a file, and what its functions print."""

    def __init__(self, mechanisms, frames, stem, function=Mechanism.function):
        self.mechanisms, self.frames, self.stem = mechanisms, frames, stem
        self.text = unit(mechanisms, frames, function)
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
    """One strategy or form on all cases."""

    def __init__(self, what, expected, unphi=tool.UNPHI):
        self.what, self.expected, self.unphi = what, expected, unphi
        self.stem = re.sub(r"[^a-z]+", "_", what)
        self.texts = []
        self.rewritten = []
        self.failures = []  # (function, why)

    def go(self, cases):
        for case in cases:
            self.rewrite(case)
        # a mechanism of which one place fails has its others in several texts
        while self.texts:
            layer = {}
            for text, names in self.texts:
                layer.setdefault(names[0].split(".")[0], (text, names))
            self.texts = [t for t in self.texts if t not in layer.values()]
            self.compare(list(layer.values()))
        return self

    def rewrite(self, case):
        out = pathlib.Path(f"{case.stem}.{self.stem}.hip")
        out.unlink(missing_ok=True)
        done = tool.run(*self.command(), "--target", "gfx90a", "--quiet", "--no-cache", "--compiler", COMPILER,
                        "-o", out, f"{case.stem}.hip", "--", *PARSE)  # fmt: skip
        if done.returncode:
            self.blame(case, done)
            return
        text = out.read_text(encoding="utf-8")
        after = functions(text)[0]
        names = [name for name in case.functions if case.functions[name] != after.get(name)]
        kept = {f"{m.name}.{frame}": m.keeps for m in case.mechanisms if m.keeps for frame, _ in case.frames}
        self.failures += [(n, f"another number of {kept[n]}") for n in names
                          if n in kept and after[n].count(kept[n]) != case.functions[n].count(kept[n])]
        self.rewritten += names
        names = [n for n in names if n not in kept]
        if names:
            self.texts.append((text, names))

    def command(self):
        return [self.unphi, "rewrite", "--strategy", self.what, "--threshold", "1"]

    def compare(self, texts):
        """Builds and runs what was rewritten; what does not compile is left out, and fails."""
        names = [n for _, some in texts for n in some]
        while names:
            text = program([t for t, _ in texts], names, HASH)
            errors = build(self.stem, text)
            if not errors:
                break
            bad = guilty(text, errors)
            if not bad:
                raise tool.Failed(f"{self.stem}.cpp does not compile: {errors[:300]}")
            self.failures += [(n, f"does not compile: {e}") for n, e in bad.items()]
            names = [n for n in names if n not in bad]
        if names:
            results = ran(self.stem)
            self.failures += [(n, "other results") for n in names if results.get(n) != self.expected[n]]

    def blame(self, case, done):
        """The functions for which unphi fails, one by one."""
        halves = case.halves()
        for half in halves:
            self.rewrite(half)
        if not halves:
            why = (re.findall(r"error: (.*)", done.stderr) or [done.stderr.strip()])[0]
            self.failures.append((next(iter(case.functions)), f"exit code {done.returncode}: {why}"))


class Measured(Run):
    """What a rewrite keeps of its own accord."""

    def command(self):
        return [self.unphi, "rewrite"]


def measured(mechanisms, frames, everything):
    """Files for it: each mechanism in one place, or in all."""
    frames = [f for f in frames if f[0] in MEASURED]
    if everything:
        return chunks(mechanisms, frames, FEW, stem="measured")
    some = [m for m in mechanisms if CLOSURES.match(m.name)][::3]
    return [Case(some[k::2], [frames[k]], f"measured{k}") for k in range(2)]


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


def ran(stem):
    done = tool.run(f"./{stem}")
    if done.returncode:
        raise tool.Failed(f"{stem}: exit code {done.returncode}")
    return dict(line.split() for line in done.stdout.splitlines())


def controls(mechanisms):
    """Functions of controls that a strategy has to rewrite, by strategy or form."""
    names = [m.name for m in mechanisms if m.control]
    lines = (DATA / "controls.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.rpartition(":") for line in lines if not line.startswith("#"))
    return {what: [f"{m}.{place}" for place in places.split() for m in names] for what, _, places in rows}


def original(mechanisms, frames, function, show, stem="original"):
    """What the functions give as they are."""
    text = unit(mechanisms, frames, function)
    names = list(functions(text)[0])
    errors = build(stem, program([text], names, show))
    if errors:
        raise tool.Failed(f"the mechanisms do not compile: {errors[:2000]}")
    return ran(stem)


def chunks(mechanisms, frames, size, function=Mechanism.function, stem="", mine=lambda k, place: True):
    """Files of so many mechanisms, from all over the list, where neighbours are of a kind; the kth of them has its
    places alone."""
    count = -(-len(mechanisms) // size)
    places = [[f for n, f in enumerate(frames) if mine(k + n, f[0])] for k in range(count)]
    return [Case(mechanisms[k::count], some, f"{stem or function.__name__}{size}.{mechanisms[k].name}", function)
            for k, some in enumerate(places) if some]


def has_turn(what, required, n, place):
    """Of the forms of a strategy that rewrite in a place, is this one the nth, counted round and round?"""
    same = [f for f in required if f.split(":")[0] == what.split(":")[0] and f"plain.{place}" in required[f]]
    return what in same and n % max(len(same), 2) == same.index(what)


def share(what, mechanisms, frames, required):
    """The files for one of a strategy's forms: the controls in all places, others in its own."""
    def mine(n, place):
        turn = (n + FIRST.index(what)) % 2 == 0 if what in FIRST else has_turn(what, required, n, place)
        return f"plain.{place}" in required[what] and turn

    stem = re.sub(r"[^a-z]+", "_", what)
    rest = [m for m in mechanisms if not m.control]
    return (chunks([m for m in mechanisms if m.control], frames, TOGETHER, stem=f"{stem}.controls")
            + chunks([m for m in rest if not m.leaves], frames, FEW if what in FIRST else TOGETHER, stem=stem, mine=mine)
            + chunks([m for m in rest if m.leaves], frames, 1, stem=f"{stem}.leaves", mine=mine))


def test(args):
    if not shutil.which(COMPILER):
        tool.skip("mechanisms", f"{COMPILER} not found")
        return
    frames = sections(DATA / "frames.txt")
    mechanisms = [Mechanism(*s) for s in sections(DATA / "mechanisms.txt")]
    mechanisms = [m for m in mechanisms if not args.names or m.name in args.names]
    expected = original(mechanisms, frames, Mechanism.function, HASH)
    required, failures = controls(mechanisms), []
    alone = chunks(mechanisms, frames, 1) if args.all else []
    forms = ["measured", *(f"{s.name}:{form}" for s in known.find(tool.UNPHI) for form in s.forms)]
    forms = [f for f in forms if f.startswith(args.strategy)] if args.strategy else tool.in_turn(forms)
    harmless = {m.name for m in mechanisms if m.control}

    def job(what):
        if what.startswith("drop-sync"):  # a mechanism beside another one keeps a fifth of the barriers
            some = [m for k, m in enumerate(mechanisms) if m.control or args.all or has_turn(what, required, k, "loop")]
            return Barriers(what).go(some, 1)
        if what.startswith("unify"):
            uses = Uses()
            required[what] = uses.required
            return Run(what, uses.expected).go([uses])
        if what == "measured":
            return Measured(what, expected).go(measured(mechanisms, frames, args.all))
        return Run(what, expected).go(alone or share(what, mechanisms, frames, required))

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for run in pool.map(job, forms):
            print(f"# {run.what}: {len(run.rewritten)} rewritten, {len(run.failures)} wrong", flush=True)
            failures += [f"{run.what}\t{n}\t{why}" for n, why in run.failures]
            wrong = [f"{n}: {why}" for n, why in run.failures[:10]]
            if len(run.failures) > 10:
                wrong.append(f"and {len(run.failures) - 10} more")
            if run.what == "measured":
                wrong += [] if run.rewritten else ["nothing is rewritten"]
            else:
                wrong += [f"{n} is not rewritten any more" for n in required[run.what] if n not in run.rewritten]
                wrong += [f"{n} is rewritten: the list of controls lacks it" for n in run.rewritten
                          if n not in required[run.what] and n.partition(".")[0] in harmless]
            tool.check(f"mechanisms/{run.what}", wrong)
            if args.controls and run.what != "measured":
                made = [n.partition(".")[2] for n in run.rewritten if n.startswith("plain.")]
                args.controls.write(f"{run.what}: {' '.join(made)}\n")
    if args.failures:
        pathlib.Path(args.failures).write_text("".join(f + "\n" for f in failures), encoding="utf-8")


class Barriers:
    """One form of drop-sync: barriers that are needed stay."""

    def __init__(self, what, unphi=tool.UNPHI):
        self.what, self.unphi = what, unphi
        self.rewritten, self.failures = [], []

    def go(self, mechanisms, size):
        frames = sections(DATA / "barriers.txt")
        flags = original(mechanisms, [("probe", "")], Mechanism.probe, FLAGS, re.sub(r"[^a-z]+", "_", self.what))
        needed = {f"{m.name}.{frame}": flags[f"{m.name}.probe"][by == "read"] == "1"
                  for m in mechanisms for frame, by in (f[0].split() for f in frames)}
        stem = re.sub(r"[^a-z]+", "_", self.what)
        place = pathlib.Path(f"{stem}.project")  # one run for all: its start takes as long as one of these files
        place.mkdir(exist_ok=True)
        cases = {f"{case.stem}.hip": case for case in chunks(mechanisms, frames, size, Mechanism.barrier)}
        for name in cases:
            shutil.copy(name, place)
        commands = [{"directory": str(place.resolve()), "file": name, "arguments": [COMPILER, "-x", "hip", *PARSE, "-c", name]}
                    for name in cases]
        (place / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
        done = tool.run(self.unphi, "rewrite", "-p", place, "--strategy", self.what, "--target", "gfx90a", "--quiet",
                        "--no-cache", "--compiler", COMPILER, "-j1", "--fix")
        if done.returncode:
            raise tool.Failed(f"{place}: {self.what}: exit code {done.returncode}: {done.stderr.strip()}")
        for name, case in cases.items():
            after = functions((place / name).read_text(encoding="utf-8"))[0]
            self.rewritten += [name for name, before in case.functions.items() if before != after[name]]
        self.failures = [(n, "a barrier that is needed is dropped") for n in self.rewritten if needed[n]]
        return self


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", help="of mechanisms; all")
    p.add_argument("--strategy", default="", help="only what begins so")
    p.add_argument("--all", action="store_true", default=tool.ALL, help="each mechanism in a file of its own, for all forms")
    p.add_argument("-j", "--jobs", type=int, default=2)
    p.add_argument("--failures", help="file for what failed")
    p.add_argument("--controls", type=argparse.FileType("w"), help="file for the places in which 'plain' is rewritten")
    return p.parse_args()


os.environ.setdefault("LC_ALL", "C.UTF-8")
if __name__ == "__main__":
    arguments_given = arguments()
    tool.main(lambda: test(arguments_given))
