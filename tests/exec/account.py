#!/usr/bin/env python3
"""Whatever runs has a node: unphi's account of each function against the compiler's own code.

clang++ without optimization makes of each device function all that runs in it: calls, with those of
destructors, default arguments, special members, conversions and ranges, and writes. Each call has to
be a call of the same function in unphi's kernel tree, as often at least, or to lie in a node that is
unknown; or unphi has what the called function does in place of the call. Each write through a
pointer, or to a global, has to lie in a node that writes, calls or is unknown.

Each variable has one owner, and the compiler's code shows which: a local of one run is an alloca of
the function, a capture is a member of the closure, which its operator() gets at through this, and
what lasts is a global. At a place where the compiler reads or writes one of these, unphi names a
variable of the same owner, or what stands there is unknown. A member that the closure is made with
by copy, and that its body writes, is the closure's.

The files are kernels/, those of the golden tests that parse alone, the mechanisms (mechanisms.py) and
random kernels (tests/fuzz). Other files as arguments, with flags for the compiler after --."""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
for place in (HERE, HERE.parent / "compile" / "lib", HERE.parent / "fuzz" / "lib"):
    sys.path.insert(0, str(place))
import gen  # noqa: E402
import harness  # noqa: E402
import mechanisms  # noqa: E402
import tool  # noqa: E402

BUILD = pathlib.Path(os.environ.get("UNPHI_BUILD") or tool.ROOT / "build")
ACCOUNT = BUILD / "tests" / "account" / "unphi-account"
COMPILER = tool.CLANG
TARGETS = ("gfx90a", "gfx942", "gfx1100")  # the first that takes a file
OTHER_TARGET = "needs target feature"  # an error that another one may not have
STUB = tool.ROOT / "tests" / "golden" / "rewrite" / "Inputs"
FLAGS = ["-nogpulib", "-w"]
ALONE = ["-nogpuinc", "-std=c++20"]
RANDOM = 4  # files of random kernels

Place = collections.namedtuple("Place", "file line column")
Range = collections.namedtuple("Range", "file begin end")


def plain(symbol):
    """Constructors and destructors are one function, whatever they do for their bases."""
    return re.sub(r"(?<=[A-Za-z0-9_])([CD])[012](?=E|I|B)", r"\1_", symbol)


# ---- what the compiler makes ----


class Made:
    """A function's calls and writes, with their places, and what it has the variables it names from."""

    def __init__(self):
        self.calls = []  # (function or None: through a pointer, Place)
        self.writes = []  # Place
        self.owned = set()  # (Place, owner, name or member of a closure)
        self.changed = set()  # (Place, member of a closure): it is written


INSTRUCTION = re.compile(r"^  (?:(%\S+) = )?(?:(?:tail|musttail|notail) )?(\w+)(.*)$")
# made of builtins, of reading an index of the launch (it does nothing) and of printf
LOWERED = ("@llvm.", "@__ockl_get_", "@_ZNK17__HIP_Coordinates", "@__ockl_printf_", "@__ockl_fprintf_")
# a range-for over a list in braces has its elements in the tree
LIST = re.compile(r"_ZNKSt16initializer_listI.*E\d(begin|end|size)Ev$")
CLOSURE = re.compile(r"[\w ]*(%class\.anon[.\d]*), ptr(?: addrspace\(\d+\))? (%[\w.$-]+), i32 0, i32 (\d+)")
ACCESS = re.compile(r"(.*?), ptr(?: addrspace\(\d+\))? (%[\w.$-]+|%\"[^\"]*\"|@[\w.$]+|\S+)")
VARIABLE = re.compile(r"%([A-Za-z_]\w*?)(?:\.addr)?\d*$")
DESTRUCTOR = re.compile(r"D_Ev$")
DELETING = re.compile(r"D0Ev$")
TABLE = re.compile(r"@_ZT[VT]\w+|%vtt")  # of virtual functions: no code sees where it stands
ROOTED = ("getelementptr", "addrspacecast", "bitcast")


class Module:
    """LLVM's textual form of a unit."""

    def __init__(self, text):
        self.meta = dict(re.findall(r"^(!\d+) = (?:distinct )?(.*)$", text, re.M))
        self.functions = {}
        self.places = {}
        self.captures = {}  # member of a closure -> whether it refers to a variable
        for found in re.finditer(r"^define .*?@(\"[^\"]*\"|[\w.$]+)\(.*?\{\n(.*?)^\}", text, re.M | re.S):
            name = found.group(1).strip('"')
            if not DELETING.search(name):  # it calls the other and operator delete, and nothing calls it here
                self.functions[plain(name)] = self.function(found.group(2))

    def field(self, node, name):
        found = re.search(rf"\b{name}: (!\d+|\d+|\"[^\"]*\")", self.meta.get(node, ""))
        return found.group(1).strip('"') if found else None

    def place(self, node):
        if node not in self.places:
            scope, file = self.field(node, "scope"), None
            while scope and not file:
                file, scope = self.field(scope, "file"), self.field(scope, "scope")
            self.places[node] = Place(self.field(file, "filename") if file else None,
                                      int(self.field(node, "line") or 0), int(self.field(node, "column") or 0))  # fmt: skip
        return self.places[node]

    def function(self, body):
        made, local, tables, members = Made(), {}, set(), {}
        for line in body.split("\n"):
            found = INSTRUCTION.match(line)
            if not found:
                continue
            name, op, rest = found.groups()
            debug = re.search(r"!dbg (!\d+)", rest)
            place = self.place(debug.group(1)) if debug else Place(None, 0, 0)
            self.owners(made, local, members, op, name, rest, place)
            if op == "alloca":
                local[name] = name
            elif op in ROOTED:
                base = re.search(r"ptr(?: addrspace\(\d+\))? (%[\w.$-]+|%\"[^\"]*\"|@)", rest)
                if base and base.group(1) in local:
                    local[name] = local[base.group(1)]
                tables.update([name] if TABLE.search(rest) else [])
            elif op == "load" and (TABLE.search(rest) or any(t + "," in rest for t in tables)):
                tables.add(name)
            elif op == "store" and (TABLE.search(rest) or any(f" {t}, " in rest for t in tables)):
                continue
            elif op in ("store", "atomicrmw", "cmpxchg"):
                to = re.findall(r"ptr(?: addrspace\(\d+\))? (%[\w.$-]+|@\S+|getelementptr)", rest)
                to = to[-1:] if op == "store" else to[:1]
                if place.line and (not to or to[0] not in local):
                    made.writes.append(place)
            elif op in ("call", "invoke"):
                self.call(made, local, rest, place)
        return made

    def owners(self, made, local, members, op, name, rest, place):
        """What an instruction tells of the variables of its function."""
        if op == "getelementptr":
            found = CLOSURE.match(rest)
            if found and found.group(2).startswith("%this"):
                members[name] = found.group(1, 3)
                made.owned.add((place, "object", found.group(1, 3)))
            elif found:
                members[name] = found.group(1, 3)  # of one that is made here
        elif op in ("load", "store"):
            value, to = ACCESS.match(rest).groups()
            if op == "store" and to in members:
                refers = value.split()[-1] in local
                known = self.captures.setdefault(members[to], refers)
                self.captures[members[to]] = refers if known == refers else None
                made.changed.add((place, members[to]))
            elif to in local and place.line:
                variable = VARIABLE.match(local[to])
                made.owned.add((place, "own", variable.group(1)) if variable else (place, "own", ""))
            elif to.startswith("@") and place.line:
                made.owned.add((place, "static", to))

    def call(self, made, local, rest, place):
        to = re.search(r"(@\"[^\"]*\"|@[\w.$]+|%[\w.$-]+)\(", rest)
        if not to or " asm " in rest[:to.start()]:
            return
        callee = to.group(1)
        if callee.startswith("%"):
            made.calls.append((None, place))
        elif callee.startswith(("@llvm.mem",)):
            first = re.search(r"\(ptr(?: addrspace\(\d+\))?[^%@,]*(%[\w.$-]+|@\S+)", rest)
            if place.line and first and first.group(1) not in local:
                made.writes.append(place)
        elif not callee.startswith(LOWERED):
            made.calls.append((plain(callee[1:].strip('"')), place))


# ---- what unphi takes it to be ----


class Taken:
    def __init__(self, where):
        self.where = where
        self.calls = collections.defaultdict(list)  # by function
        self.unknown = []
        self.writes = []
        self.ends = []
        self.names = collections.defaultdict(set)  # (line, column) -> (owner, name)


def account(text):
    functions = {}
    current = None
    for line in text.splitlines():
        what, _, rest = line.partition(" ")
        file, a, b, c, d, name = re.match(r"(.*):(\d+):(\d+)-(\d+):(\d+) (.*)$", rest).groups()
        where = Range(file, (int(a), int(b)), (int(c), int(d)))
        if what == "function":
            current = functions[plain(name)] = Taken(where)
        elif what == "calls":
            current.calls[plain(name)].append(where)
            current.writes.append(where)
        elif what == "unknown":
            current.unknown.append(where)
            current.writes.append(where)
        elif what == "names":
            current.names[where.begin].add(tuple(name.split(" ", 1)))
        elif what == "ends":
            current.ends.append(where)
        else:
            current.writes.append(where)
    return functions


def covers(ranges, place):
    at = (place.line, place.column)
    return any(r.begin <= at <= r.end for r in ranges)


def writes_at(taken, place):
    """A member's initializer stands elsewhere than in the constructor that runs it."""
    elsewhere = not covers([taken.where], place)
    return covers(taken.writes, place) or elsewhere and any(r.begin <= taken.where.begin for r in taken.writes)


def same_name(name, variable):
    """The compiler's name of a global has that of the variable in it."""
    return name == variable or variable.startswith("@") and (variable[1:] == name or f"{len(name)}{name}" in variable)


class Comparison:
    def __init__(self, made, taken):
        self.made, self.taken = made, taken
        self.wrong = []
        self.owned = 0

    def run(self):
        for name, taken in self.taken.items():
            if name in self.made.functions:
                self.function(name, taken)
        return self.wrong

    def function(self, name, taken):
        needed = collections.defaultdict(set)
        for callee, place in self.made.functions[name].calls:
            needed[callee].add(place)
        for callee, places in needed.items():
            if callee != name and not (callee and LIST.match(callee)):
                self.calls(name, taken, callee, places, set())
        self.owners(name, taken)
        for place in self.made.functions[name].writes:
            if not writes_at(taken, place):
                self.wrong.append(f"{name}: a write at {place.file}:{place.line}:{place.column}")

    def owners(self, name, taken):
        made = self.made.functions[name]
        changed = {member for _, member in made.changed}
        for place, owner, variable in made.owned:
            named = taken.names.get((place.line, place.column), set())
            if owner == "object":
                named = {o for o, _ in named}
                copied = self.made.captures.get(variable) is False and variable in changed
                wrong = named == {"own"} or copied and not named & {"object", "unknown"}
            else:
                # what else stands there is no business of this variable
                named = {o for o, n in named if same_name(n, variable)}
                wrong = len(named) > 1 or named and not named <= {owner, "none", "unknown"}
            if named and wrong and not covers(taken.unknown, place):
                self.wrong.append(f"{name}: {owner} owns {variable} at {place.file}:{place.line}:{place.column}, here {', '.join(sorted(named))}")
        self.owned += len(made.owned)

    def calls(self, name, taken, callee, places, above):
        died = taken.ends if callee and DESTRUCTOR.search(callee) else []
        left = [p for p in places if not covers(taken.unknown, p) and not covers(died, p)]
        left = [p for p in left if not self.inlined(taken, callee, p)]
        if not callee:
            left = [p for p in left if not self.pointed(name, taken, p)]
        if callee and len(taken.calls.get(callee, [])) >= len(left):
            return
        inside = self.made.functions.get(callee)
        if callee and inside and callee not in self.taken and callee not in above:
            # what it does stands where it is called
            for place in left:
                if inside.writes and not writes_at(taken, place):
                    self.wrong.append(f"{name}: what {callee} writes at {place.file}:{place.line}:{place.column}")
            for below in {c for c, _ in inside.calls if c != callee}:
                self.calls(name, taken, below, left[:1], above | {callee})
            return
        for place in left[:1]:
            self.wrong.append(f"{name}: {len(left)} calls of {callee or 'what a pointer names'}, {len(taken.calls.get(callee, []))} "
                              f"here, at {place.file}:{place.line}:{place.column}")

    def pointed(self, name, taken, place):
        """Has unphi one call more that begins there than the compiler has by name? It knows what the pointer points to."""
        known = sum((place.line, place.column) == r.begin for ranges in taken.calls.values() for r in ranges)
        return known > sum(bool(callee) and at == place for callee, at in self.made.functions[name].calls)

    def inlined(self, taken, callee, place):
        """Does unphi know a function there that the compiler makes no code for, and that may call it?"""
        for name, ranges in taken.calls.items():
            inside = self.taken.get(name)
            if inside and name not in self.made.functions and covers(ranges, place):
                if inside.unknown or callee in inside.calls:
                    return True
        return False


def compare(path, flags):
    """What is missing in a file, how many functions were compared, and how many accesses to variables; None: no target takes it, with any of
    these lists of flags."""
    tries = list(itertools.product(flags, TARGETS))
    while tries:
        more, target = tries.pop(0)
        built = tool.run(COMPILER, "-x", "hip", f"--offload-arch={target}", "--offload-device-only", "-S", "-emit-llvm",
                         "-O0", "-Xclang", "-disable-llvm-passes", "-gline-tables-only", "-fno-discard-value-names",
                         "-o", "-", *FLAGS, *more, path)  # fmt: skip
        if built.returncode == 0:
            told = tool.run(ACCOUNT, path, target, *FLAGS, *more)
            if told.returncode:
                raise tool.Failed(f"{path}: {told.stderr.strip()}")
            made, taken = Module(built.stdout), account(told.stdout)
            comparison = Comparison(made, taken)
            return comparison.run(), len(set(made.functions) & set(taken)), comparison.owned
        if OTHER_TARGET not in built.stderr:
            tries = [t for t in tries if t[0] is not more]
    return None, 0, 0


def check(name, jobs, least, pool):
    """jobs: files with their flags."""
    wrong, files, functions, accesses = [], 0, 0, 0
    jobs = tool.in_turn(jobs)
    for found, n, owned in pool.map(lambda job: compare(*job), jobs):
        files += found is not None
        functions += n
        accesses += owned
        wrong += found or []
    print(f"# {name}: {functions} functions in {files} of {len(jobs)} files, {accesses} accesses to variables")
    if functions < least and not tool.TURN:
        wrong.append(f"only {functions} functions")
    tool.check(f"account/{name}", wrong[:20] + ([f"and {len(wrong) - 20} more"] if len(wrong) > 20 else []))
    return wrong


def mechanism_files():
    frames = [f for f in mechanisms.sections(mechanisms.DATA / "frames.txt") if f[0] in ("inner", "condition", "callee", "switched")]
    some = [mechanisms.Mechanism(*s) for s in mechanisms.sections(mechanisms.DATA / "mechanisms.txt")]
    for case in mechanisms.chunks(some, frames, 40):
        yield f"{case.stem}.hip", [ALONE]


def random_files():
    prelude, driver = harness.prelude(), harness.read("driver.cpp")
    for k in range(RANDOM):
        path = pathlib.Path(f"random{k}.hip")
        path.write_text(gen.unit(gen.kernels("account", k * 25, 25, {}), prelude, driver), encoding="utf-8")
        yield str(path), [ALONE]


def ways(path):
    """Lists of flags to try; the last with HIP's own headers, which take a second."""
    stub = [*ALONE, f"-I{STUB}", f"-I{path.parent / 'Inputs'}", f"-I{path.parent / 'Inputs' / 'system'}"]
    return [stub, ["-std=c++20"]] if "hip_runtime.h" in path.read_text(encoding="utf-8") else [stub]


def test(args, flags):
    if not shutil.which(COMPILER):
        tool.skip("account", f"{COMPILER} not found")
        return
    golden = sorted((tool.ROOT / "tests" / "golden").glob("*/*.hip"))
    kernels = sorted((tool.ROOT / "kernels").glob("**/*.hip"))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        wrong = []
        if args.files:
            wrong += check("files", [(f, [flags]) for f in args.files], 1, pool)
        else:
            wrong += check("kernels", [(str(f), ways(f)) for f in kernels], 50, pool)
            wrong += check("golden", [(str(f), ways(f)) for f in golden], 500, pool)
            wrong += check("mechanisms", list(mechanism_files()), 1500, pool)
            wrong += check("random kernels", list(random_files()), 100, pool)
    if args.failures:
        pathlib.Path(args.failures).write_text("".join(w + "\n" for w in wrong), encoding="utf-8")


def arguments(argv):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("files", nargs="*", help="in place of the project's own")
    p.add_argument("--failures", help="file for all that is missing")
    p.add_argument("-j", "--jobs", type=int, default=2)
    return p.parse_args(argv)


os.environ.setdefault("LC_ALL", "C.UTF-8")
if __name__ == "__main__":
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given = arguments(sys.argv[1:at])
    tool.main(lambda: test(given, sys.argv[at + 1:]))
