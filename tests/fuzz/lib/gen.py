"""Random HIP kernels without undefined behaviour, as text.

A kernel is a chunk of its own, so that any subset of a unit is a unit. Names tell types, so that a
shadowing declaration has the shadowed one's type: x y z r are floats, a b d e unsigned, k m q ints
from 0 to 15, va vb vd f4, ha hb half, pa pb pointers to 16 floats, ra rb pt, ba bb bool; a leading
c makes it constant. Every merge is preceded by a comment `// mNUMBER: features`.
"""

import random
import re

POOL = {
    "f": ["x", "y", "z", "r"],
    "u": ["a", "b", "d", "e"],
    "i": ["k", "m", "q"],
    "v": ["va", "vb", "vd"],
    "h": ["ha", "hb"],
    "p": ["pa", "pb"],
    "R": ["ra", "rb"],
    "b": ["ba", "bb"],
}
SPELLED = {
    "f": "float",
    "u": "unsigned",
    "i": "int",
    "v": "f4",
    "h": "_Float16",
    "p": "const float *",
    "R": "pt",
    "b": "bool",
    "w": "u4",
}
FLOATS = ["0.5f", "1.25f", "-0.75f", "2.0f", "-1.0f", "0.0625f", "3.0f"]
UINTS = ["1u", "3u", "7u", "0x55u", "1000003u", "12u"]


def declare(ty, name):
    return SPELLED[ty] + ("" if ty == "p" else " ") + name


class Acc:
    """An accumulator: how it is declared, passed and indexed."""

    def __init__(self, name, kind, prefix):
        self.name, self.kind = name, kind
        table = {
            "v8": ("f4", "[8]", "v", 8),
            "v4": ("f4", "[4]", "v", 4),
            "v6": ("f4", "[6]", "v", 6),
            "f24": ("float", "[24]", "f", 24),
            "u20": ("unsigned", "[20]", "u", 20),
            "h32": ("_Float16", "[32]", "h", 32),
            "w6": ("u4", "[6]", "w", 6),
            "f16": ("f16", "", "f", 16),
            "s": (prefix + "tile", "", "v", 6),
            "c": (prefix + "Tile<float, 24>", "", "f", 24),
        }
        self.base, self.extent, self.elem, self.n = table[kind]
        self.member = {"s": ".v", "c": ".ev"}.get(kind, "")

    def decl(self):
        return f"{self.base} {self.name}{self.extent}"

    def param(self, name):
        return f"{self.base} (&{name}){self.extent}" if self.extent else f"{self.base} &{name}"

    def at(self, index, name=None):
        return f"{name or self.name}{self.member}[{index}]"

    @property
    def whole(self):
        return self.name + self.member

    @property
    def is_array(self):
        return self.kind != "f16"


class Var:
    def __init__(self, name, ty, mutable):
        self.name, self.ty, self.mutable = name, ty, mutable


class Hole:
    def __init__(self, ty, banned, inner, guarded):
        self.ty, self.banned, self.inner, self.guarded = ty, banned, inner, guarded


class Kernel:
    def __init__(self, number, seed, opts):
        self.r = random.Random(seed)
        self.id = number
        self.prefix = f"k{number}_"
        self.opts = opts
        self.chunks = []  # helper functions, before the kernel
        self.late = []  # and behind it
        self.scope = []
        self.used_names = 0
        self.merges = 0
        self.labels = 0
        self.tail = None  # list of holes while a tail is made
        self.tail_locals = []
        self.banned = ()
        self.guarded = 0
        self.loops = 0  # loops that break and continue may leave
        self.breakable = False
        self.may_return = True
        self.features = set()
        self.helpers = {}
        self.helper_count = 0
        self.budget = 0
        self.mul = self.r.choice([0, 0, 0, 0.15, 0.4]) if not opts.get("mul_free") else 0.3
        self.restrict = self.r.random() < 0.5
        self.lds = self.r.random() < 0.6
        self.aliased = not self.restrict
        self.in_template = False
        self.acc_reads = 0.15
        self.uniform = None  # the next merge's condition; None: whatever
        self.lanes_apart = 0  # conditions around that may differ per lane
        self.may_part = False  # a lane may leave something early
        self.has_mma = self.mma_apart = False
        self.leap = None  # the label behind a merge that its arms may jump to, "" before one does

    # ---- dice ----

    def chance(self, p):
        return self.r.random() < p

    def pick(self, items):
        return self.r.choice(items)

    def weighted(self, table):
        return self.r.choices([x for x, _ in table], [w for _, w in table])[0]

    # ---- scopes ----

    def visible(self, ty, mutable=False):
        seen, found = set(), []
        for v in reversed(self.scope):
            if v.name in seen:
                continue
            seen.add(v.name)
            if v.ty == ty and (v.mutable or not mutable) and v.name not in self.banned:
                found.append(v)
        return found

    def fresh(self, ty, const, taken):
        names = [("c" if const else "") + n for n in POOL[ty]]
        names = [n for n in names if n not in taken]
        if names:
            return self.pick(names)
        self.used_names += 1
        return f"{'c' if const else ''}{POOL[ty][0]}{self.used_names}"

    # ---- expressions ----

    def index(self, limit):
        options = [str(self.r.randrange(min(limit, 16)))] * 2
        for v in self.visible("loop"):
            if int(v.mutable or 99) <= limit:
                options += [v.name] * 3
        if limit >= 8:
            options += ["n", "s", "t"]
        if limit == 64:
            options += ["lane", "lane"]
        if limit >= 16:
            options += [v.name for v in self.visible("i")]
        if limit in (16, 64) and self.chance(0.2):
            return f"({self.expr('u', 1)}) & {limit - 1}u"
        return self.pick(options)

    def literal(self, ty):
        return {
            "f": lambda: self.pick(FLOATS),
            "u": lambda: self.pick(UINTS),
            "i": lambda: str(self.r.randrange(8)),
            "v": lambda: "f4{%s, %s, %s, %s}" % tuple(self.pick(FLOATS) for _ in range(4)),
            "h": lambda: f"(_Float16){self.pick(FLOATS)}",
            "p": lambda: f"fi + {self.r.randrange(16)}",
            "R": lambda: f"pt{{{self.r.randrange(8)}, {self.pick(FLOATS)}}}",
            "b": lambda: self.pick(["true", "false"]),
            "w": lambda: "u4{1u, 2u, 3u, 4u}",
        }[ty]()

    def load(self, ty):
        if ty == "f":
            if self.visible("p") and self.chance(0.4):
                return f"{self.pick(self.visible('p')).name}[{self.index(16)}]"
            if self.lds and self.chance(0.4):
                self.features.add("lds")
                return f"lds[{self.index(64)}]"
            return f"{'fo' if self.chance(0.1) else 'fi'}[{self.index(64)}]"
        if ty == "u":
            return f"{'uo' if self.chance(0.1) else 'ui'}[{self.index(64)}]"
        if ty == "v":
            return f"vi[{self.index(16)}]"
        return None

    def leaf(self, ty):
        if self.tail is not None and ty != "w" and self.chance(self.hole_rate):
            return self.hole(ty)
        found = self.visible(ty)
        if found and self.chance(0.6):
            return self.pick(found).name
        if ty == "i" and self.chance(0.6):
            loops = [v.name for v in self.visible("loop") if int(v.mutable or 99) <= 16]
            return self.pick(["n", "s", "t"] + loops)
        text = self.load(ty) if self.chance(0.5) else None
        if ty == "f" and self.accs and self.chance(self.acc_reads):
            acc = self.pick(self.accs)
            if acc.elem == "f":
                return acc.at(self.r.randrange(acc.n))
            if acc.elem == "v":
                return acc.at(self.r.randrange(acc.n)) + "." + self.pick("xyzw")
        return text or self.literal(ty)

    def hole(self, ty):
        same = [i for i, h in enumerate(self.tail) if h.ty == ty and h.inner == self.inner()]
        if same and self.chance(0.3):
            number = self.pick(same)
            self.tail[number].banned = set(self.tail[number].banned) | set(self.banned)
        else:
            number = len(self.tail)
            self.tail.append(Hole(ty, set(self.banned), self.inner(), self.guarded))
        return f"\x01{number}\x02"

    def inner(self):
        """What is declared in the tail and in scope here, beyond what all arms see."""
        return [(v.name, v.ty, v.mutable) for v in self.scope[self.tail_scope :]]

    def expr(self, ty, depth=2):
        if depth <= 0 or self.chance(0.25):
            return self.leaf(ty)
        e = lambda t: self.expr(t, depth - 1)
        if ty == "f":
            table = [("add", 4), ("sub", 2), ("cond", 1), ("neg", 1), ("cast", 1), ("call", 1)]
            table += [("mul", 8 * self.mul), ("div", 0.2), ("elem", 1), ("pt", 0.5), ("half", 0.4)]
            table += [("helper", 0.6)]
            k = self.weighted(table)
            if k == "add":
                return f"({e('f')} + {e('f')})"
            if k == "sub":
                return f"({e('f')} - {e('f')})"
            if k == "mul":
                return f"({e('f')} * {self.pick([e('f'), '0.5f'])})"
            if k == "div":
                return f"({e('f')} / 2.0f)"
            if k == "cond":
                return self.ternary("f", depth)
            if k == "neg":
                return f"-({e('f')})"
            if k == "cast":
                return f"(float)({e('u')} & 255u)"
            if k == "elem":
                return self.postfix(e("v")) + "." + self.pick("xyzw")
            if k == "pt":
                return f"({e('R')}).b"
            if k == "half":
                return f"(float)({e('h')})"
            if k == "helper":
                return self.call_pure(depth)
            self.features.add("calls")
            return f"fmix({e('f')}, {e('f')})"
        if ty == "u":
            k = self.weighted(
                [("bin", 6), ("shift", 1), ("div", 0.7), ("cond", 1), ("cast", 1), ("call", 1)]
            )
            if k == "bin":
                return f"({e('u')} {self.pick(['+', '-', '*', '^', '&', '|'])} {e('u')})"
            if k == "shift":
                op = self.pick(["<<", ">>"])
                return f"({e('u')} {op} {self.r.randrange(1, 31)})"
            if k == "div":
                return f"({e('u')} {self.pick('/%')} ({e('u')} | 1u))"
            if k == "cond":
                return self.ternary("u", depth)
            if k == "cast":
                return f"(unsigned)({e('i')})"
            self.features.add("calls")
            return f"umix({e('u')}, {e('u')})"
        if ty == "i":
            k = self.weighted([("and", 2), ("add", 2), ("cond", 1), ("xor", 1)])
            if k == "and":
                return f"(int)({e('u')} & 15u)"
            if k == "add":
                return f"(({e('i')} + {e('i')}) & 15)"
            if k == "cond":
                return self.ternary("i", depth)
            return f"({e('i')} ^ {e('i')})"
        if ty == "v":
            k = self.weighted([("add", 3), ("splat", 1), ("list", 2), ("mul", 6 * self.mul), ("neg", 1)])
            if k == "add":
                return f"({e('v')} {self.pick('+-')} {e('v')})"
            if k == "splat":
                return f"({e('v')} + {e('f')})"
            if k == "list":
                return "f4{%s, %s, %s, %s}" % (e("f"), self.leaf("f"), e("f"), self.leaf("f"))
            if k == "mul":
                return f"({e('v')} * {self.leaf('f')})"
            return f"-({e('v')})"
        if ty == "h":
            if self.chance(0.5):
                return f"(_Float16)({e('f')})"
            return f"({e('h')} {self.pick('+-')} {e('h')})"
        if ty == "p":
            return f"fi + ({e('i')})" if self.chance(0.6) else self.leaf("p")
        if ty == "R":
            return f"pt{{{e('i')}, {e('f')}}}" if self.chance(0.5) else self.leaf("R")
        if ty == "b":
            return self.cond(depth - 1)
        if ty == "w":
            k = self.chance(0.6)
            return f"(u4{{{e('u')}, {self.leaf('u')}, 5u, {e('u')}}})" if k else f"({e('u')} + u4{{1u, 2u, 3u, 4u}})"
        raise KeyError(ty)

    @staticmethod
    def postfix(text):
        return text if text.isalnum() else f"({text})"

    def ternary(self, ty, depth):
        c = self.cond(depth - 1)
        self.guarded += 1
        x, y = self.expr(ty, depth - 1), self.expr(ty, depth - 1)
        self.guarded -= 1
        return f"({c} ? {x} : {y})"

    def cond(self, depth=1):
        k = self.weighted(
            [("int", 4), ("bit", 3), ("float", 2), ("and", 1), ("or", 1), ("not", 0.5), ("var", 1)]
        )
        d = max(0, depth)
        if k == "int":
            return f"{self.postfix2(self.expr('i', d))} {self.pick(['<', '>', '==', '!=', '<='])} {self.postfix2(self.expr('i', 0))}"
        if k == "bit":
            return f"(({self.expr('u', d)}) & {self.pick(['1u', '2u', '4u'])}) != 0u"
        if k == "float":
            return f"{self.expr('f', d)} > {self.expr('f', d)}"
        if k == "and" or k == "or":
            first = self.cond(0)
            self.guarded += 1
            second = self.cond(0)
            self.guarded -= 1
            return f"({first} {'&&' if k == 'and' else '||'} {second})"
        if k == "not":
            return f"!({self.cond(d - 1)})"
        return self.leaf("b") if self.visible("b") else "n > 3"

    @staticmethod
    def postfix2(text):
        return text

    def uniform_cond(self):
        a, b = self.r.sample(["n", "s", "t"], 2)
        loops = [v.name for v in self.visible("loop")]
        options = [
            f"{a} < {b}",
            f"({a} & {self.pick('12')}) != 0",
            f"{a} > {self.r.randrange(2, 6)}",
            f"(({a} + {b}) & 1) == 0",
            f"({a} < {b} || {b} == 3)",
            f"{a} & 1",
            f"{a} > 2 && {b} < 5",
            f"(blockIdx.x & 1u) == {self.pick(['0u', '1u'])}",
            f"first_lane({a}) > 3",
        ]
        if loops:
            options += [f"{self.pick(loops)} < {a}", f"(({self.pick(loops)} + {a}) & 1) == 0"]
        return self.pick(options)

    def lane_cond(self):
        return self.pick(
            [
                "lane < 32u",
                "(lane & 1u) != 0u",
                f"(ui[lane] & {self.pick(['1u', '2u', '8u'])}) != 0u",
                f"(ui[{self.r.randrange(64)}] & 1u) != 0u",
                f"fi[lane] > {self.pick(['0.0f', '0.5f'])}",
                self.cond(1),
                self.cond(1),
                "threadIdx.x > 20u",
            ]
        )

    def merge_cond(self):
        if self.steps and self.chance(0.75):
            return self.pick(self.steps)()
        uniform = self.chance(0.6) if self.uniform is None else self.uniform
        return self.uniform_cond() if uniform else self.lane_cond()

    def apart(self, make):
        """What stands where lanes may be apart."""
        self.lanes_apart += 1
        out = make()
        self.lanes_apart -= 1
        return out

    def mma(self):
        """A matrix operation is made here."""
        self.features.add("mma")
        self.has_mma = True
        self.mma_apart |= self.lanes_apart > 0
        return "mma"

    # ---- statements ----

    def call_pure(self, depth):
        """A helper of two levels that reads only what it is given."""
        if "pure" not in self.helpers:
            p = self.prefix
            self.chunks.append(
                f"__device__ float {p}inner(float x, unsigned a)\n"
                f"{{\nif (a & 1u) {{\nreturn x - {self.pick(FLOATS)};\n}}\nreturn x + (float)(a & 7u);\n}}\n"
                f"__device__ float {p}outer(const float *pa, int k, unsigned a)\n"
                f"{{\nfloat y = pa[k];\nfor (int i = 0; i < 2; ++i) {{\ny = {p}inner(y, a + (unsigned)i);\n}}\nreturn y;\n}}\n"
            )
            self.helpers["pure"] = True
        self.features.add("calls")
        return f"{self.prefix}outer({self.expr('p', 0)}, {self.expr('i', depth - 1)}, {self.expr('u', depth - 1)})"

    def local(self, taken, types="fuivhpRb"):
        """A declaration; the name is in scope behind it."""
        ty = self.pick(types)
        const = self.chance(0.4)
        if self.tail is not None:
            name = f"\x03{len(self.tail_locals)}\x04"
            self.tail_locals.append((ty, const))
        else:
            name = self.fresh(ty, const, taken)
        taken.add(name)
        keep = self.banned
        self.banned = tuple(self.banned) + (name,)
        value = self.expr(ty, 2)
        self.banned = keep
        self.scope.append(Var(name, ty, not const))
        if const:
            return [f"const {declare(ty, name)} = {value};" if ty != "p" else f"const float *const {name} = {value};"]
        if self.chance(0.15) and ty in "fui":
            return [f"{declare(ty, name)};", f"{name} = {value};"]
        if not self.in_template and self.chance(0.05) and ty in "fv":
            return [f"auto {name} = {value};"] if ty == "v" else [f"{declare(ty, name)}({value});"]
        return [f"{declare(ty, name)} = {value};"]

    def narrow(self, depth=1):
        """One statement that writes no accumulator."""
        table = [("assign", 4), ("fo", 2), ("uo", 2), ("bump", 1), ("trace", 0.5)]
        if depth > 0:
            table += [("loop", 1), ("if", 1.2)]
        if self.lds:
            table += [("lds", 1)]
        k = self.weighted(table)
        if k == "assign":
            ty = self.pick("ffuuivhb")
            found = [v for v in self.visible(ty, True)]
            if found:
                name = self.pick(found).name
                if ty == "f" and self.chance(0.4):
                    return [f"{name} {self.pick(['+=', '-='])} {self.expr('f', 1)};"]
                if ty == "u" and self.chance(0.5):
                    op = self.pick(["+=", "^=", "*=", "|=", "-="])
                    return [f"{name} {op} {self.expr('u', 1)};"]
                if ty == "u" and self.chance(0.2):
                    return [f"{self.pick(['++' + name, name + '++', name + '--'])};"]
                return [f"{name} = {self.expr(ty, 2)};"]
        if k == "bump" and self.visible("f", True):
            self.features.add("calls")
            return [f"fbump({self.pick(self.visible('f', True)).name}, {self.expr('f', 1)});"]
        if k == "trace":
            self.features.add("calls")
            return [f"trace({self.expr('u', 1)});"]
        if k == "lds":
            self.features.add("lds")
            return [f"lds[{self.index(64)}] {self.pick(['=', '+=', '='])} {self.expr('f', 1)};"]
        if k == "fo":
            return [f"fo[{self.index(64)}] {self.pick(['=', '+=', '-='])} {self.expr('f', 2)};"]
        if k == "loop":
            return self.loop(lambda: self.statements(1, lambda: self.narrow(depth - 1)))
        if k == "if":
            c = self.cond(1)
            self.guarded += 1
            body = self.block(lambda: self.statements(1, lambda: self.narrow(depth - 1)))
            self.guarded -= 1
            return [f"if ({c}) {{"] + body + ["}"]
        return [f"uo[{self.index(64)}] {self.pick(['=', '+=', '^='])} {self.expr('u', 2)};"]

    def statements(self, most, make):
        out = []
        for _ in range(self.r.randint(1, most)):
            out += make()
        return out

    def block(self, make):
        mark = len(self.scope)
        out = make()
        del self.scope[mark:]
        return out

    def loop_name(self):
        used = {v.name for v in self.scope if v.ty in ("loop", "counter")}
        free = [n for n in ["i", "j", "l", "o", "i1", "j1", "l1", "o1"] if n not in used]
        return free[0] if self.chance(0.7) else self.pick(free)

    def loop(self, make, count=None, exits=False):
        """A loop around statements. The index is never written in them."""
        name = self.loop_name()
        kind = self.pick(["for", "for", "for", "while", "do"]) if count is None else "for"
        limit = count or self.r.randint(1, 4)
        bound = str(limit)
        dynamic = count is None and self.chance(0.3)
        if dynamic:
            bound = f"({self.pick(['n', 's', 't'])} & 3)"
            limit = 4
        self.features.add("loops")
        keep = self.loops
        self.loops = keep + 1 if exits else keep
        mark = len(self.scope)
        self.scope.append(Var(name, "loop", limit + 1))
        if dynamic or kind == "while":
            self.guarded += 1
        body = make()
        if dynamic or kind == "while":
            self.guarded -= 1
        del self.scope[mark:]
        self.loops = keep
        pragma = ["#pragma unroll"] if self.chance(0.15) and kind == "for" else []
        if kind == "for":
            step = self.pick([f"++{name}", f"{name}++", f"{name} += 1"])
            head = f"for (int {name} = 0; {name} < {bound}; {step})"
            if len(body) == 1 and body[0].endswith(";") and self.chance(0.3):
                return pragma + [head, body[0]]
            return pragma + [head + " {"] + body + ["}"]
        if kind == "while":
            return ["{", f"int {name} = -1;", f"while (++{name} < {bound}) {{"] + body + ["}", "}"]
        return ["{", f"int {name} = -1;", "do {", f"++{name};"] + body + [f"}} while ({name} < {bound});", "}"]

    def step_conditions(self, v, lo, hi):
        """Conditions on a loop's variable from lo to hi: some change once, some do not."""
        c = lambda most=5: self.r.randint(0, most)
        a, b = self.r.sample(["n", "s", "t"], 2)
        return [
            lambda: f"{v} < {a}",
            lambda: f"{v} + {c()} {self.pick(['<=', '<'])} {self.pick([hi, a])}",
            lambda: f"{v} == {lo}",
            lambda: f"{v} != {lo}",
            lambda: f"{v} == {hi} - {1 + c(1)}",
            lambda: f"{v} != {hi} - 1",
            lambda: f"{v} + 1 {self.pick(['==', '!='])} {hi}",
            lambda: f"{v} == {a}",
            lambda: f"({a} > {c()} && {v} + {1 + c(2)} <= {hi})",
            lambda: f"{b} > {c()} && {v} < {a}",
            lambda: f"({v} < {c()} || {v} {self.pick('<>')} {a})",
            lambda: f"!({v} > {a})",
            lambda: f"{v} / {1 + c(2)} < {a}",
            lambda: f"{a} > {v} * {1 + c(2)} - 3",
            lambda: f"{hi} - {v} > {c()}",
            lambda: f"(int)({hi} - {v}) > {c()}",
            lambda: f"({v} & 1) == 0",
            lambda: f"{v} > {a} && {v} < {b}",
            lambda: f"{v} + {self.pick(['2u', '3u'])} <= {hi}",
            lambda: f"{v} < ({v} == 2 ? {a} : {b})",
            lambda: f"({v} << 1) > {a}",
            lambda: f"{v} - {self.pick([lo, a])} < {1 + c()}",
        ]

    def edge_loop(self, v):
        """A loop at the end of its variable's range: header, conditions."""
        u = lambda text: lambda: text
        return self.pick([
            (f"for (unsigned {v} = 0xfffffff8u; {v} < 0xfffffffdu + (unsigned)(n & 2); ++{v})",
             [u(f"{v} + 4u <= 0xfffffffeu"), u(f"{v} + 2u > 1u"), u(f"{v} < 0xfffffffau"), u(f"{v} + 3 < {v}")]),
            (f"for (unsigned {v} = 0xfffffff0u; {v} > 5u; {v} += 3u)",
             [u(f"{v} + 6u < 12u"), u(f"{v} < 0xfffffff8u"), u(f"{v} > 0xfffffff4u"), u(f"{v} + 3u > 5u")]),
            (f"for (unsigned {v} = 0u; {v} < 40u; {v} += 7u)",
             [u(f"{v} - 10u < 15u"), u(f"40u - {v} > 12u"), u(f"{v} + 16u <= 40u"), u(f"{v} * 0x20000000u < 5u")]),
            (f"for (int {v} = 2147483640; {v} < 2147483645; ++{v})",
             [u(f"{v} + 2 <= 2147483643"), u(f"{v} - 2147483640 < (n & 3)"), u(f"{v} == 2147483640"), u(f"{v} + 7u < 4u")]),
            (f"for (int {v} = -3; {v} < 4; {v} += {self.r.randint(1, 2)})",
             [u(f"{v} < 2u"), u(f"{v} + 1u > 2u"), u(f"{v} / 2 == 0"), u(f"{v} * {v} < 5"), u(f"(unsigned){v} > 9u"), u(f"{v} >> 1 < 0")]),
            (f"for (unsigned char {v} = 248; {v} > 7; {v} += 2)",
             [u(f"{v} < 252"), u(f"{v} + 6 < 256"), u(f"(unsigned char)({v} + 4) > 7")]),
            (f"for (long {v} = 0x7ffffffdl; {v} < 0x80000003l; ++{v})",
             [u(f"(int){v} > 0"), u(f"{v} <= 0x7fffffffl"), u(f"(unsigned){v} < 0x80000001u"), u(f"{v} + 2 < 0x80000002l")]),
            (f"for (int {v} = 6; {v} >= 0; {v} -= {self.r.randint(1, 3)})",
             [u(f"{v} >= n"), u(f"{v} == 0"), u(f"{v} == 6"), u(f"{v} - 1 >= 0"), u(f"{v} > s && t > 2")]),
            (f"for (int {v} = n & 7; {v} != 9; {v} = {v} + 1)",
             [u(f"{v} == (n & 7)"), u(f"{v} == 8"), u(f"{v} < t"), u(f"9 - {v} >= s")]),
        ])  # fmt: skip

    def stepped(self, make):
        """A loop in whose merges the variable decides, with statements around them."""
        self.features.add("loops")
        kind = self.pick(["for", "for", "for", "while", "edge", "flag"])
        name = self.loop_name()
        lo, step = self.r.randint(0, 2), self.r.randint(1, 4)
        hi = self.pick([str(self.r.randint(3, 9)), f"h{name}"])
        keep, self.steps = self.steps, self.step_conditions(name, lo, hi)
        loops, self.loops = self.loops, self.loops + (1 if kind in ("for", "edge") and self.chance(0.3) else 0)
        before = [f"const int h{name} = {self.pick('nst')} + 2;"] if hi[0] == "h" else []
        mark = len(self.scope)
        if kind == "edge":
            name = f"e{name}"
            head, self.steps = self.edge_loop(name)
            self.scope.append(Var(name[1:], "counter", False))
            before = []
        else:
            typed = self.pick(["int", "int", "int", "unsigned", "long"]) if kind != "while" else "int"
            # n, s and t are at most 7; what is no int is for conditions only
            self.scope.append(Var(name, "loop", 16) if typed == "int" else Var(name, "counter", False))
            head = f"for ({typed} {name} = {lo}; {name} < {hi}; {self.pick([f'{name} += {step}', f'{name} = {name} + {step}'])})"
            if step == 1 and self.chance(0.7):
                head = head.rsplit(";", 1)[0] + f"; {self.pick(['++' + name, name + '++'])})"
        self.guarded += 1

        def body():
            out = []
            if kind != "edge" and self.chance(0.2):
                local = f"rest{name}"
                out.append(f"const int {local} = {hi} - {name};" if "int" in head else f"const bool {local} = {self.pick(self.steps)()};")
                self.steps = [lambda: f"{local} > {self.r.randint(0, 3)}" if "int" in head else local]
            if kind == "flag":
                self.steps = [lambda: f"flag{name}", lambda: f"!flag{name}", lambda: f"flag{name} && n > 2"]
            out += self.narrow() if self.chance(0.3) else []
            if self.chance(0.2):
                out += [f"static const unsigned twice{name}[2] = {{3u, 5u}};", f"uo[6] += twice{name}[n & 1];"]
            out += self.wide() if self.chance(0.15) else []
            out += make()
            out += self.narrow() if self.chance(0.3) else []
            out += self.wide() if self.chance(0.15) else []
            if kind == "flag":
                out.append(f"flag{name} = {self.pick(['false', 'false', self.merge_cond()])};")
            return out

        lines = self.block(body)
        self.guarded -= 1
        del self.scope[mark:]
        self.steps, self.loops = keep, loops
        if kind == "flag":
            self.may_part = True
            before = before + [f"bool flag{name} = {self.pick(['true', 'true', 'n > 3'])};"]
        if kind == "while":
            out = [f"int {name} = {lo};", f"while ({name} < {hi}) {{"] + lines + [f"{name} += {step};", "}"]
            return ["{"] + before + out + ["}"]
        pragma = ["#pragma unroll"] if self.chance(0.15) else []
        out = pragma + [head + " {"] + lines + ["}"]
        return ["{"] + before + out + ["}"] if before or self.chance(0.2) else out

    # ---- wide statements ----

    def update(self, acc, at):
        ty = acc.elem
        value = self.expr(ty, 2)
        k = self.weighted([("add", 4), ("sub", 2), ("comp", 4), ("rsub", 1), ("cond", 1), ("mul", 4 * self.mul)])
        if k == "comp":
            return f"{at} {self.pick(['+=', '-=']) if ty != 'u' else self.pick(['+=', '^=', '*='])} {value};"
        if k == "add":
            return f"{at} = {at} + {value};"
        if k == "sub":
            return f"{at} = {at} - {value};"
        if k == "rsub":
            return f"{at} = {value} - {at};"
        if k == "mul" and ty in "fv":
            return f"{at} = {at} * 0.5f + {value};"
        if k == "cond" and ty != "w":
            return f"{at} = {self.cond(0)} ? {at} : {value};"
        if ty == "v" and self.chance(0.5):
            return f"{at} = {self.mma()}({self.expr('f', 1)}, {self.expr('f', 1)}, {at});"
        return f"{at} += {value};"

    def wide(self, acc=None, depth=1):
        acc = acc or self.pick(self.accs)
        table = [("loop", 6), ("one", 1.5), ("step", 4), ("mma", 2 if acc.elem == "v" else 0)]
        table += [("range", 1.5 if acc.is_array else 0), ("whole", 1.5 if acc.kind in "f16 s" else 0)]
        table += [("method", 3 if acc.kind in "sc" else 0), ("lambda", 0.6 if not self.in_lambda else 0)]
        table += [("if", 0.7 if depth else 0), ("two", 0.5)]
        k = self.weighted(table)
        if k == "one":
            return [self.update(acc, acc.at(self.r.randrange(acc.n)))]
        if k == "step":
            return self.call_step(acc)
        if k == "method":
            self.features.add("calls")
            return [f"{acc.name}.step({self.expr('f', 1)}, {self.expr('u', 1)});"]
        if k == "whole" and acc.kind == "f16":
            return [f"{acc.name} = {acc.name} {self.pick('+-')} {self.expr('f', 1)};"]
        if k == "whole" and acc.kind == "s":
            self.features.add("calls")
            return [f"{acc.name} = {self.prefix}next({acc.name}, {self.expr('v', 1)});"]
        if k == "range":
            self.features.add("loops")
            ty = SPELLED[acc.elem]
            body = self.block(lambda: [self.update(acc, "it")])
            return [f"for ({ty} &it : {acc.whole}) {{"] + body + ["}"]
        if k == "lambda":
            self.features.add("calls")
            arg = self.expr("f", 1)
            keep, self.in_lambda = self.in_lambda, True
            one = self.block(lambda: [self.update(acc, acc.at(self.r.randrange(acc.n)))])
            self.in_lambda = keep
            return [f"[&](float la) {{ {one[0]} fo[1] = la; }}({arg});"]
        if k == "if":
            c = self.cond(1)
            self.guarded += 1
            body = self.apart(lambda: self.block(lambda: self.wide(acc, 0)))
            self.guarded -= 1
            return [f"if ({c}) {{"] + body + ["}"]
        if k == "mma":

            def body():
                i = self.visible("loop")[0].name
                taken = set()
                first = self.local(taken, "f") if self.chance(0.4) else []
                return first + [
                    f"{acc.at(i)} = {self.mma()}({self.expr('f', 1)}, {self.expr('f', 1)}, {acc.at(i)});"
                ]

            return self.loop(lambda: self.block(body), acc.n)

        def body():
            i = self.visible("loop")[0].name
            taken = set()
            out = self.local(taken, "fuv") if self.chance(0.35) else []
            if self.chance(0.1):
                out.append(f"if ({self.cond(1)}) continue;")
                return out + self.apart(lambda: [self.update(acc, acc.at(i))])
            return out + [self.update(acc, acc.at(i))]

        first = self.loop(lambda: self.block(body), acc.n)
        return first + self.wide(acc, 0) if k == "two" else first

    def call_step(self, acc):
        """A function on the accumulator with operands; a second level below it now and then."""
        key = ("step", acc.kind)
        self.features.add("calls")
        if key not in self.helpers or (self.chance(0.3) and len(self.helpers) < 5):
            number, self.helper_count = self.helper_count, self.helper_count + 1
            name = f"{self.prefix}step{number}"
            types = [self.pick("ffuuvpihRb") for _ in range(self.r.randint(1, 3))]
            saved = self.enter()
            had_mma, self.has_mma = self.has_mma, False
            params = [f"{'const ' if self.chance(0.2) else ''}{declare(t, f'g{j}')}" for j, t in enumerate(types)]
            self.scope += [Var(f"g{j}", t, False) for j, t in enumerate(types)]
            step = Acc("acc", acc.kind, self.prefix)
            self.accs = [step]
            if self.chance(0.3):
                lanes = []
            else:
                lanes = [f"fo[{self.r.randrange(64)}] += {self.expr('f', 1)};"] if self.chance(0.2) else []
            body = self.loop(lambda: self.block(lambda: [self.update(step, step.at(self.visible('loop')[0].name))]), step.n)
            template = self.chance(0.25)
            extra = "int BY" if template else ""
            if template:
                body.append(f"{step.at(0)} += {'(u4)' if step.elem == 'w' else ''}{'(f4)' if step.elem == 'v' else ''}({SPELLED[step.elem] if step.elem not in 'vw' else 'float' if step.elem == 'v' else 'unsigned'})BY;")
            text = [f"template <{extra}>"] if template else []
            text += [
                f"__device__ void {name}({step.param('acc')}, float *fo, unsigned *uo, const float *fi, const unsigned *ui, const f4 *vi, int n, int s, int t, unsigned lane, {', '.join(params)})",
                "{",
            ]
            text += lanes + body + ["}"]
            if self.chance(0.25) and not template:
                text += [
                    f"__device__ void {name}b({step.param('acc')}, float *fo, unsigned *uo, const float *fi, const unsigned *ui, const f4 *vi, int n, int s, int t, unsigned lane, {', '.join(params)})",
                    "{",
                    f"if (n > {self.r.randrange(6)}) {{" if self.chance(0.5) else "{",
                    f"{name}(acc, fo, uo, fi, ui, vi, n, s, t, lane, {', '.join('g%d' % j for j in range(len(types)))});",
                    "}",
                    "}",
                ]
                name += "b"
            self.leave(saved)
            self.chunks.append("\n".join(text) + "\n")
            self.helpers[key] = (name, types, template, self.has_mma)
            self.has_mma |= had_mma
        name, types, template, holds_mma = self.helpers[key]
        if holds_mma:
            self.mma()
        by = f"<{self.r.randint(1, 3)}>" if template else ""
        args = ", ".join(self.expr(t, 1) for t in types)
        return [f"{name}{by}({acc.name}, fo, uo, fi, ui, vi, n, s, t, lane, {args});"]

    # ---- function contexts ----

    def enter(self):
        saved = (
            self.scope, self.tail, self.tail_locals, self.banned, self.guarded, self.loops,
            self.accs, self.lds, self.may_return, self.in_lambda, self.in_template, self.in_switch,
            self.lanes_apart, self.steps,
        )
        self.lanes_apart, self.steps = 0, []
        self.scope, self.tail, self.tail_locals, self.banned = [], None, [], ()
        self.guarded, self.loops, self.lds, self.in_lambda = 0, 0, False, False
        self.may_return, self.in_switch = True, False
        return saved

    def leave(self, saved):
        (
            self.scope, self.tail, self.tail_locals, self.banned, self.guarded, self.loops,
            self.accs, self.lds, self.may_return, self.in_lambda, self.in_template, self.in_switch,
            self.lanes_apart, self.steps,
        ) = saved

    accs = ()
    in_lambda = False
    in_switch = False
    hole_rate = 0.25
    guarding = False
    copies = 0
    tail_scope = 0
    steps = ()


MUTATIONS = [
    # name, weight: what may make a rewrite illegal, or only look as if
    ("exit", 3), ("label", 6), ("volatile", 2), ("barrier", 4), ("first_lane", 1.5),
    ("opaque", 2), ("atomic", 1.5), ("headacc", 1.5), ("type", 3.5), ("keeper", 5),
    ("headptr", 3), ("shadowacc", 1), ("condeffect", 2), ("conddecl", 6), ("objcond", 0.7),
    ("macro", 5), ("directive", 5), ("holeeffect", 1.5), ("holedep", 5), ("speculate", 2),
    ("tailmod", 1.5), ("unnamed", 1.5), ("gain", 14), ("attribute", 1), ("contract", 1.5),
    ("empty", 0.6), ("guard", 24), ("static", 2), ("switchshape", 3.5), ("holeread", 1),
]  # fmt: skip


ORDERED = ("barrier", "first_lane", "atomic", "volatile", "opaque")


# operands of a function that arms call: & refers to a float, * points to an arm's own array, or not
OPERANDS = [(t, 1) for t in "ffuuvpihRb"] + [("&", 0.7), ("*", 0.7)]
BEHIND = {"&": "f", "*": "p"}
PARAMETERS = {"&": "float &g", "*": "const float *g"}
OWN_ARRAY = ["float own[16];", "for (int i = 0; i < 16; ++i) {", "own[i] = fi[i] - 2.0f;", "}"]
CALLEE_ODDS = [
    # what may keep it from being split, or only look so
    (None, 12), ("return", 0.7), ("const", 1), ("barrier", 2.5), ("early", 1), ("shared", 0.6),
    ("keeper", 0.5), ("type", 0.5), ("directive", 0.5), ("constant", 3.5), ("macro", 0.7),
]  # fmt: skip


class Callee:
    """A function that arms call on the accumulator. mma: it holds a matrix operation; macro: some
    calls of it come from one; by_value: it takes and gives the accumulator. names: its own, and
    perhaps that of a function that only passes the call on."""

    def __init__(self, names, types, flags, mma, macro, by_value):
        self.names, self.types, self.flags = names, types, flags
        self.mma, self.macro, self.by_value = mma, macro, by_value


class Merging(Kernel):
    """Merges: arms that end alike up to holes, or not, behind heads of their own."""

    def make_tail(self, mutation):
        """Template lines of a tail; \\x01N\\x02 is hole N, \\x03N\\x04 local N."""
        self.tail, self.tail_locals, self.tail_scope = [], [], len(self.scope)
        mark = len(self.scope)
        lines = []
        if mutation == "tailmod":
            ty = self.pick("fu")
            for v in self.visible(ty, True)[:2]:
                lines.append(f"{v.name} += {self.expr(ty, 1)};")
        if self.chance(0.25):
            lines += self.local(set())
        accs = list(self.accs)
        self.r.shuffle(accs)
        for acc in accs[: 1 if self.chance(0.2) else 2]:
            if mutation == "gain" and acc.elem in "vf":
                for j in range(acc.n):
                    self.tail.append(Hole(f"gain {acc.elem} {j}", set(), [], 0))
                    lines.append(f"{acc.at(j)} += \x01{len(self.tail) - 1}\x02;")
                continue
            lines += self.wide(acc)
            if self.chance(0.3):
                lines += self.wide(acc)
            if self.chance(0.2):
                lines += self.local(set())
                lines += self.wide(acc)
        if self.chance(0.2):
            lines += self.narrow()
        lines = self.mutate_tail(lines, mutation)
        holes, names = self.tail, self.tail_locals
        self.tail = None
        del self.scope[mark:]
        return lines, holes, names

    def mutate_tail(self, lines, mutation):
        # what is added may name anything in scope, so it stands behind all declarations
        declares = any(self.is_declaration(l) or l.startswith(("const ", "auto ")) for l in lines)
        free = self.whole_statements(lines) and not self.tail_locals and not declares
        at = self.r.randint(0, len(lines)) if free else len(lines)
        extra = []
        if mutation == "volatile":
            extra = [f"*(volatile unsigned *)(uo + ({self.index(16)})) = {self.expr('u', 1)};"]
        elif mutation == "barrier":
            extra = ["barrier();"]
        elif mutation == "first_lane":
            extra = [f"uo[7] += (unsigned)first_lane({self.expr('i', 1)});"]
        elif mutation == "opaque":
            extra = [f"uo[3] ^= opaque({self.expr('u', 1)});"]
        elif mutation == "atomic":
            extra = [f"uo[5] ^= __atomic_fetch_add(uo + ({self.index(16)}), {self.expr('u', 0)}, __ATOMIC_RELAXED);"]
        elif mutation == "speculate":
            h = len(self.tail)
            self.tail.append(Hole("null" if self.chance(0.5) else "div", set(self.banned), [], 1))
            ty = self.tail[h].ty
            guard = "pn" if ty == "null" else "dz != 0u"
            target = "fo[11] += " if ty == "null" else "uo[11] += "
            extra = [f"if ({guard}) {{ {target}\x01{h}\x02; }}"]
        elif mutation == "unnamed":
            h = len(self.tail)
            self.tail.append(Hole("unnamed", set(), [], 0))
            extra = [f"fo[12] += taken(\x01{h}\x02);"]
        elif mutation == "guard":
            h = len(self.tail)
            self.tail.append(Hole("guard", set(self.banned), [], 0))
            extra = [f"\x01{h}\x02"]
        elif mutation == "headptr":
            h = len(self.tail)
            self.tail.append(Hole("array", set(), [], 0))
            extra = [f"fo[13] += fmix(*(\x01{h}\x02), 1.0f);"] if self.chance(0.5) else [
                f"fo[13] += {self.prefix}sum(\x01{h}\x02);"]
            if "sum" not in self.helpers:
                self.helpers["sum"] = True
                self.chunks.append(
                    f"__device__ float {self.prefix}sum(const float *pa)\n{{\nreturn pa[0] - pa[3];\n}}\n")
        elif mutation == "exit" and self.chance(0.5):
            extra = self.exit()
        elif mutation == "label" and self.chance(0.5):
            extra = self.label()
        elif mutation == "holeread":
            if self.visible("u", True):
                name = self.pick(self.visible("u", True)).name
                extra = [f"{name} += {self.hole('u')};"]
        return lines[:at] + extra + lines[at:]

    @staticmethod
    def whole_statements(lines):
        depth = 0
        for line in lines:
            if not line.endswith(";") or line.startswith("for"):
                return False
            depth += line.count("{") - line.count("}")
        return depth == 0

    def exit(self):
        words = ["return;"] * (1 if self.may_return else 0)
        if self.loops:
            words += ["break;"] * (0 if self.in_switch else 1) + ["continue;"]
        if self.leap is not None:
            self.leap = self.leap or f"{self.prefix}behind{self.merges}_{self.r.randrange(1000000)}"
            words += [f"goto {self.leap};"]
        self.may_part |= bool(words)
        return [f"if ({self.cond(1)}) {{ {self.pick(words)} }}"] if words else []

    def label(self):
        self.labels += 1
        name = f"{self.prefix}label{self.labels}\x05"
        return ["{", f"if ({self.cond(1)}) goto {name};", f"uo[2] += {self.expr('u', 1)};", f"{name}:;", "}"]

    def make_head(self, taken, mutation, share):
        lines = []
        for _ in range(self.weighted([(0, 3), (1, 4), (2, 3)])):
            lines += self.local(taken) if self.chance(0.6) else self.narrow()
        if mutation == "headacc" and self.chance(0.7):
            lines += self.wide(depth=0)
        elif mutation == "type":
            k = self.pick(["struct", "using", "enum"])
            if k == "struct":
                lines += ["struct inner { unsigned v; };", "const inner in = {a0};", "uo[6] += in.v;"]
            elif k == "using":
                lines += ["using word = unsigned;", "const word in = a0 * 3u;", "uo[6] += in;"]
            else:
                lines += ["enum { IN = 4 };", "uo[6] += (unsigned)IN;"]
            taken.add("in")
        elif mutation == "static":
            lines += ["static const unsigned tab[2] = {3u, 5u};", "uo[6] += tab[n & 1];"]
            taken.add("tab")
        elif mutation == "keeper":
            lines += [f"keeper kp{{uo + {self.r.randrange(16)}, {self.expr('u', 1)}}};"]
        elif mutation == "shadowacc":
            acc = self.pick(self.accs)
            if acc.kind in ("f24", "u20", "v8", "v6", "v4") and "this" not in acc.name and self.chance(0.6):
                value = self.literal(acc.elem)
                lines += [acc.decl() + ";", f"for (int i = 0; i < {acc.n}; ++i) {{", f"{acc.at('i')} = {value};", "}"]
                lines += [f"fo[9] += {'(float)' if acc.elem == 'u' else ''}{acc.at(1)}{'.x' if acc.elem == 'v' else ''};"]
        elif mutation == "exit":
            lines += self.exit() if self.chance(0.5) else []
        elif mutation == "label":
            lines += self.label() if self.chance(0.5) else []
        elif mutation == "headptr":
            lines += ["float hp[16];", "for (int i = 0; i < 16; ++i) {", "hp[i] = fi[i] + 1.0f;", "}"]
        elif mutation == "contract":
            name = self.fresh("f", True, taken)
            taken.add(name)
            keep, self.banned = self.banned, (name,)
            lines += [f"const float {name} = {self.leaf('f')} * {self.leaf('f')};"]
            self.banned = keep
            self.scope.append(Var(name, "f", False))
        elif mutation == "opaque" and self.chance(0.4):
            lines += [f"uo[4] += opaque({self.expr('u', 1)});"]
        elif mutation == "barrier" and self.chance(0.3):
            lines += ["barrier();"]
        elif mutation == "directive" and self.chance(0.5):
            lines += ["#if 1"] + self.narrow() + ["#endif"]
        return lines

    def hole_text(self, hole, names, mutation, first):
        """An expression for a hole in one arm."""
        if hole.ty == "null":
            return f"pn[{self.r.randrange(16)}]"
        if hole.ty == "div":
            return f"{self.expr('u', 1)} / dz"
        if hole.ty.startswith("gain"):
            # a hole is as deep as it can be: only what differs at its top is as wide as all of it
            _, ty, j = hole.ty.split()
            text = f"vi[{int(j) % 16}]" if ty == "v" else f"fi[{j}]"
            return text if first else f"turn({text})" if ty == "v" else f"-({text})"
        if hole.ty == "guard":
            return self.guardable()
        if hole.ty == "unnamed":
            return self.pick(["un0", "un1"])
        if hole.ty == "array":
            return "hp" if self.chance(0.7) else "fi"
        mark = len(self.scope)
        banned = {names.get(b, b) for b in hole.banned}
        # the tail's own variables hide others of their name; now and then that is looked for
        if not self.chance(0.1):
            banned |= set(names.values())
        # what depends on the tail's own variables has to stay in it
        inner = hole.inner and self.chance(0.6 if mutation == "holedep" else 0.2)
        if inner:
            for name, ty, mutable in hole.inner:
                self.scope.append(Var(names.get(name, name), ty, mutable))
            banned = {names.get(b, b) for b in hole.banned}
        keep, self.banned = self.banned, tuple(banned)
        reads, self.acc_reads = self.acc_reads, 0.05
        load = self.load(hole.ty) if inner and self.chance(0.6) else None
        text = load or self.expr(hole.ty, self.pick([0, 0, 1, 2]))
        if mutation == "holeeffect" and self.chance(0.6):
            mutable = self.visible(hole.ty, True)
            if hole.ty == "u":
                text = self.pick(["uo[2]++", "(uo[8] += 3u)"] + [f"ubump({v.name})" for v in mutable])
            elif hole.ty == "f" and mutable:
                text = f"({self.pick(mutable).name} += {self.literal('f')})"
            elif hole.ty == "i":
                text = f"first_lane({text})"
            elif hole.ty == "v":
                text = f"{self.mma()}({self.literal('f')}, {self.leaf('f')}, {text})"
        self.acc_reads = reads
        self.banned = keep
        del self.scope[mark:]
        return text

    def under_condition(self, value, hole, names):
        """The value under a condition: what another arm does without one."""
        keep = self.banned
        self.banned = tuple({names.get(b, b) for b in hole.banned} | set(names.values()))
        sides = [value, self.literal(hole.ty)]
        if self.chance(0.2):
            sides.reverse()
        text = f"({self.cond()} ? {sides[0]} : {sides[1]})"
        self.banned = keep
        return text

    def guardable(self):
        """A statement that one arm may guard and the others not; of outer names only."""
        options = ["fo[14] += {0};", "fo[14] = {0};", "uo[14] ^= (unsigned)n;", "uo[13] += ui[s];", "trace(ui[t]);"]
        if self.lds and self.chance(0.5):
            options = ["lds[3] += {0};", "lds[n] = {0};"]
        if self.chance(0.18):
            acc = self.pick(self.accs)
            at = acc.at(self.r.randrange(acc.n))
            options = [f"{at} = {at} - {self.literal(acc.elem)};".replace("{", "{{").replace("}", "}}")]
        elif self.chance(0.5):
            options = ["barrier();", "uo[5] ^= __atomic_fetch_add(uo + 6, 3u, __ATOMIC_RELAXED);",
                       "*(volatile unsigned *)(uo + 3) = 5u;", "uo[7] += (unsigned)first_lane(n);"]  # fmt: skip
            options += ["uo[3] ^= opaque(3u);"] if not self.restrict else []
        if "lds" in (text := self.pick(options)):
            self.features.add("lds")
        return text.format(self.pick(["fi[n]", "fi[lane]", "1.5f", "(fi[2] - fi[s])"]))

    def fill(self, lines, holes, locals_, taken, like, mutation, given):
        """The tail of one arm. like: names of the first arm's; given: its expressions, to repeat."""
        names = {}
        used = set(taken)
        for j, (ty, const) in enumerate(locals_):
            marker = f"\x03{j}\x04"
            # never int x = x
            beside = {w for l in lines if f"{marker} =" in l or f"{marker}(" in l for w in re.findall(r"\w+", l)}
            for hole, value in zip(holes, given[0] if given else ()):
                beside |= set(re.findall(r"\w+", value)) if marker in hole.banned else set()
            name = like.get(marker) if like and self.chance(0.6) else None
            if not name or name in used | beside:
                name = self.fresh(ty, const, used | beside)
            used.add(name)
            names[marker] = name
        values = []
        for j, hole in enumerate(holes):
            repeat = given is not None and (given[1] or self.chance(0.3))
            repeat = repeat and mutation != "gain" and not set(re.findall(r"\w+", given[0][j])) & self.own - set(taken)
            if hole.ty == "guard" and given is not None:
                # one arm guards what the others do
                cond = self.lane_cond() if self.chance(0.7) else self.uniform_cond()
                guards = self.guarding and f"if ({cond}) {{ {given[0][j]} }}"
                values.append(guards or given[0][j])
            elif mutation == "guard" and repeat and not self.guarding:
                values.append(given[0][j])
            elif repeat and hole.ty in ("f", "u", "i") and self.chance(0.25):
                values.append(self.under_condition(given[0][j], hole, names))
            else:
                values.append(given[0][j] if repeat else self.hole_text(hole, names, mutation, given is None))
        text = "\n".join(lines)
        for j, value in enumerate(values):
            text = text.replace(f"\x01{j}\x02", value)
        for marker, name in names.items():
            text = text.replace(marker, name)
            values = [v.replace(marker, name) for v in values]
        self.copies += 1
        text = text.replace("\x05", f"_{self.copies}")
        return text.split("\n") if text else [], names, values

    def arms(self, count, mutation):
        """Bodies of the arms, and what they have in common."""
        relation = self.weighted([("equal", 1.5), ("holes", 6), ("different", 2.5), ("tail", 1)])
        self.hole_rate = {"equal": 0.15, "holes": 0.3, "tail": 0.0, "different": 0}[relation]
        if mutation in ("guard", "gain", "holedep", "holeeffect", "tailmod", "headptr", "unnamed", "speculate"):
            relation = "holes"
        elif mutation in ORDERED and self.chance(0.8):
            relation = self.pick(["equal", "holes"])
        bodies = []
        if relation == "different":
            for _ in range(count):
                mark = len(self.scope)
                taken = set()
                lines = self.make_head(taken, mutation, False)
                # each arm's own accumulation
                for _ in range(self.r.randint(1, 2)):
                    lines += self.wide()
                bodies.append(self.mutate_tail_plain(lines, mutation))
                del self.scope[mark:]
            return bodies, relation, False
        template, holes, locals_ = self.make_tail(mutation)
        like, given, differs = {}, None, False
        for number in range(count):
            mark = len(self.scope)
            taken = set()
            headless = 0.7 if relation == "equal" else 0.5 if mutation == "guard" else 0
            head = [] if self.chance(headless) else self.make_head(taken, mutation, False)
            if relation == "equal":
                if given is None:
                    del self.scope[mark:]
            self.guarding = number == count - 1
            lines, names, values = self.fill(
                template, holes, locals_, taken, like, mutation,
                None if given is None else (given, relation == "equal"))
            if given is not None and values != given:
                differs = True
            if given is None:
                self.own = set(taken) | set(names.values())
                like, given = names, values
            bodies.append(head + lines)
            del self.scope[mark:]
        return bodies, relation, differs and bool(holes)

    def mutate_tail_plain(self, lines, mutation):
        if mutation in ("volatile", "barrier", "first_lane", "opaque", "atomic", "exit", "label"):
            return self.mutate_tail(lines, mutation) if not self.tail_locals else lines
        return lines

    def merge(self, depth=1):
        mutation = self.weighted(MUTATIONS) if self.chance(0.55) else None
        kind = self.weighted([("if", 5), ("chain", 2), ("switch", 2), ("one", 0.4), ("cond", 0.4)])
        if mutation == "switchshape":
            kind = "switch"
        if mutation == "conddecl" and (kind in ("one", "cond") or self.chance(0.4)):
            kind = "chain"
        if mutation == "opaque" and self.restrict:
            mutation = None
        if mutation == "guard" and kind in ("one", "cond"):
            kind = "if"
        whole = [a for a in self.accs if a.kind == "f16"]
        if kind == "cond" and not whole:
            kind = "if"
        keep = set(self.features)
        self.features = set()
        if kind == "cond":
            a = self.pick(whole).name
            text = [f"{a} = {self.merge_cond()} ? {a} + {self.expr('f', 1)} : {a} - {self.expr('f', 1)};"]
            self.features = keep
            return text
        count = {"if": 2, "one": 1}.get(kind) or self.r.randint(2 if kind == "switch" else 3, 4)
        outer_switch, self.in_switch = self.in_switch, self.in_switch or kind == "switch"
        outer_leap, self.leap = self.leap, ""
        odds = 0.3 if mutation in ORDERED else 0.9 if mutation == "guard" else 0.6
        uniform = self.chance(odds) and mutation not in ("condeffect", "conddecl", "objcond")
        self.lanes_apart += not uniform
        if mutation == "guard":
            bodies, relation, differs = self.arms(count, mutation)
        elif depth > 0 and kind in ("if", "chain") and self.chance(0.15):
            # arms that are, or hold, merges of their own
            bodies, relation, differs = self.nested(count, depth)
        elif kind in ("if", "chain", "switch") and self.chance(0.25):
            bodies, relation, differs = self.callee_arms(count)
        else:
            bodies, relation, differs = self.arms(count, mutation)
        self.in_switch = outer_switch
        leap, self.leap = self.leap, outer_leap
        self.lanes_apart -= not uniform
        self.uniform = uniform
        if mutation == "empty":
            bodies[self.r.randrange(count)] = []
        if kind == "switch":
            self.features.add("switch")
        if differs:
            self.features.add("holes")
        self.features.add(relation)
        if mutation:
            self.features.add(mutation)
        self.merges += 1
        marker = f"// m{self.id}.{self.merges}: {' '.join(sorted(self.features))}"
        self.features |= keep
        before = []
        if mutation == "speculate":
            before = ["const float *pn = n > 3 ? fi : nullptr;", "const unsigned dz = (unsigned)(s & 1);"]
        if mutation == "unnamed":
            before = ["struct { int a; float b; } un0 = {n, 1.0f}, un1 = {s, 2.0f};"]
        make = {"if": self.if_text, "one": self.if_text, "chain": self.if_text, "switch": self.switch_text}
        lines = [marker] + make[kind](bodies, mutation, kind)
        self.uniform = None
        if mutation == "attribute" and self.chance(0.5):
            lines.insert(1, "[[clang::nomerge]]")
        if leap:
            lines.append(f"{leap}:;")
        return ["{"] + before + lines + ["}"] if before or leap else lines

    def nested(self, count, depth):
        bodies = []
        sole = self.chance(0.5)
        for _ in range(count):
            mark = len(self.scope)
            if self.chance(0.7):
                lines = [] if sole else self.narrow()
                self.guarded += 1
                lines += self.merge(depth - 1)
                self.guarded -= 1
            else:
                lines = self.wide()
            bodies.append(lines)
            del self.scope[mark:]
        return bodies, "nest", False

    # ---- arms that call one function with a narrow and a wide part ----

    def callee(self, acc):
        """The function, and what to write at a call of it."""
        name = f"{self.prefix}part{len(self.helpers)}x"
        types = [self.weighted(OPERANDS) for _ in range(self.r.randint(1, 3))]
        flags = self.pick([[], ["b"], ["i"], ["b", "i"]])
        changed = [t == "&" or self.chance(0.3) for t in types]
        odd = self.weighted(CALLEE_ODDS)
        if odd == "constant" and not flags:
            flags = ["i"]
        saved = self.enter()
        self.scope += [Var(f"g{j}", BEHIND.get(t, t), changed[j]) for j, t in enumerate(types)]
        self.scope += [Var(f"{t.upper()}{j}", t, False) for j, t in enumerate(flags)]
        step = Acc("acc", acc.kind, self.prefix)
        self.accs = [step]
        had_mma, self.has_mma = self.has_mma, False
        narrow, wide = self.odd_lines(odd, [f"{t.upper()}{j}" for j, t in enumerate(flags)])
        taken, body = set(), []
        for _ in range(self.r.randint(1, 4)):
            body += self.local(taken) if self.chance(0.65) else self.narrow()
        body += narrow
        if odd == "early":
            body += self.wide(step, 0)
            body += self.local(taken)
        for _ in range(self.r.randint(1, 2)):
            body += self.wide(step)
            if self.chance(0.3):
                body += self.narrow()
        body += wide
        self.leave(saved)
        holds_mma, self.has_mma = self.has_mma, had_mma
        params = ", ".join(f"{PARAMETERS[t]}{j}" if t in PARAMETERS else declare(t, f"g{j}") for j, t in enumerate(types))
        text = []
        if flags:
            spelled = ", ".join(f"{SPELLED[t]} {t.upper()}{j}" for j, t in enumerate(flags))
            text = [f"template <{spelled}>"]
        lambdas = any("[&" in b or "[=" in b for b in body)
        by_value = not acc.extent and not lambdas and self.chance(0.4)
        gives = acc.base if by_value else "unsigned" if not lambdas and self.chance(0.04) else "void"
        if gives != "void":
            result = "return acc;" if by_value else "return lane;"
            body = [b.replace("return;", result) for b in body] + [result]
        first = f"{acc.base} acc" if by_value else step.param("acc")
        text += [
            f"__device__ {gives} {name}({first}, float *fo, unsigned *uo, const float *fi, const unsigned *ui, const f4 *vi, int n, int s, int t, unsigned lane, {params})"
        ]
        if self.chance(0.15):
            self.chunks.append("\n".join(text) + ";\n")
            self.late.append("\n".join(text + ["{"] + body + ["}"]) + "\n")
        else:
            self.chunks.append("\n".join(text + ["{"] + body + ["}"]) + "\n")
        self.helpers[name] = True
        names = [name]
        if self.chance(0.25):
            names.append(name + "w")
            by = f"<{', '.join(f'{t.upper()}{j}' for j, t in enumerate(flags))}>" if flags else ""
            passed = ", ".join(f"g{j}" for j in range(len(types)))
            header = "\n".join(text).replace(f" {name}(", f" {name}w(")
            call = f"{name}{by}(acc, fo, uo, fi, ui, vi, n, s, t, lane, {passed});"
            self.chunks.append(f"{header}\n{{\n{'' if gives == 'void' else 'return '}{call}\n}}\n")
        return Callee(names, types, flags, holds_mma, odd == "macro", by_value)

    def odd_lines(self, odd, flags):
        """What may keep a function from being split: lines of its narrow part and its wide part."""
        if odd == "return":
            return [f"if ({self.cond(1)}) {{ return; }}"], []
        if odd == "const":
            return ["const int LEN = 3;", "using word = unsigned;"], [
                "for (int i = 0; i < LEN; ++i) { word w[LEN] = {}; uo[i] += w[i] + 1u; }"]
        if odd == "barrier":
            return [], [self.pick(["barrier();", "uo[7] += (unsigned)first_lane(n + s);"])]
        if odd == "shared":
            return ["__shared__ float seen;", f"seen = {self.expr('f', 1)};"], ["fo[10] += seen;"]
        if odd == "keeper":
            return [f"keeper kp{{uo + {self.r.randrange(16)}, {self.expr('u', 1)}}};"], []
        if odd == "type":
            return ["struct inner { float v; };", f"const inner in = {{{self.expr('f', 1)}}};"], ["fo[10] -= in.v;"]
        if odd == "directive":
            return ["#if 1"] + self.narrow() + ["#endif"], []
        if odd == "constant":
            flag = self.pick(flags)
            return [], [self.pick([
                f"float w[(int){flag} + 1] = {{}}; fo[n] += w[0] + 0.5f;",
                f"switch (n) {{ case 4 + (int){flag}: uo[4] += 3u; break; default: uo[5] ^= 5u; }}",
                f"if constexpr ({flag} != 0) {{ fo[n] += 2.0f; }}",
                f"constexpr int made = (int){flag} * 2; uo[made & 7] += (unsigned)made;",
                f"uo[6] += (unsigned)fixed<(int){flag}>::by;",
            ])]
        return [], []

    def operand(self, ty, lines):
        """An argument of an arm's own; what it needs goes to lines."""
        if ty == "&":
            found = self.visible("f", True)
            return self.pick([v.name for v in found] or ["fo[9]"]) if self.chance(0.8) else f"fo[{self.r.randrange(16)}]"
        if ty == "*":
            if self.chance(0.5):
                return f"fi + {self.r.randrange(8)}"
            lines += [l for l in OWN_ARRAY if l not in lines]
            return "own"
        if ty == "u" and self.chance(0.08):
            return self.pick(["uo[2]++", "(uo[8] += 3u)"] + [f"ubump({v.name})" for v in self.visible("u", True)])
        return self.expr(ty, 1)

    def callee_arms(self, count):
        acc = self.pick(self.accs)
        fn = self.callee(acc)
        mark = len(self.scope)
        none = []
        common = [self.expr("p", 0) if t == "*" else self.operand(t, none) for t in fn.types]
        equal = [self.chance(0.6) for _ in fn.types]
        fixed = [self.chance(0.3) for _ in fn.flags]
        values = [self.pick(["true", "false"] if t == "b" else "0123") for t in fn.flags]

        def call():
            lines = []
            args = [c if e else self.operand(t, lines) for c, e, t in zip(common, equal, fn.types)]
            own = [self.pick(["true", "false"] if t == "b" else "0123") for t in fn.flags]
            own = [v if f else o for v, f, o in zip(values, fixed, own)]
            by = f"<{', '.join(own)}>" if fn.flags else ""
            text = f"{self.pick(fn.names)}{by}({acc.name}, fo, uo, fi, ui, vi, n, s, t, lane, {', '.join(args)})"
            text = f"{acc.name} = {text}" if fn.by_value else text
            if fn.macro and self.chance(0.6):
                text = f"CALLED({text})"
            if fn.mma:
                self.mma()
            return lines + [text + ";"]

        def arm(depth):
            at = len(self.scope)
            lines, names = [], set()
            for _ in range(self.weighted([(0, 4), (1, 2), (2, 1)])):
                lines += self.local(names) if self.chance(0.4) else self.narrow()
            if depth and self.chance(0.04):
                lines.append(f"keeper kp{{uo + {self.r.randrange(16)}, {self.expr('u', 1)}}};")
            if depth and self.chance(0.2):
                two = self.apart(lambda: (arm(0), arm(0)))
                lines += [f"if ({self.merge_cond()}) {{"] + two[0] + ["} else {"] + two[1] + ["}"]
            elif self.chance(0.93):
                lines += call()
            if self.chance(0.15):
                lines += self.narrow()
            del self.scope[at:]
            return lines

        bodies = [arm(1) for _ in range(count)]
        del self.scope[mark:]
        self.features.add("calls")
        return bodies, "callee", True

    # ---- the merge as text ----

    def condition(self, mutation, later=False):
        if mutation == "condeffect" and self.chance(0.8):
            options = ["(uo[9]++ & 1u) != 0u", "uo[10] += 3u, n > 3", "(uo[9] ^= 5u) & 4u"]
            options += [f"ubump({v.name}) & 1u" for v in self.visible("u", True)]
            options += [f"({v.name} += 0.5f) > 0.0f" for v in self.visible("f", True)]
            options += [f"({v.name} = n & 3) > 1" for v in self.visible("i", True)]
            options += [f"({v.name} = s > n)" for v in self.visible("b", True)]
            if not self.restrict:
                options += ["opaque(5u) & 1u"]
            options += ["*(volatile unsigned *)(uo + 4) & 1u"]
            return self.pick(options)
        if mutation == "objcond":
            return f"chooser{{{self.expr('u', 1)}}}"
        return self.merge_cond()

    def header(self, mutation, later=False):
        """What stands in an if's parentheses; may declare."""
        if mutation == "conddecl" and self.chance(0.7):
            return self.pick(
                [
                    f"const int dk = {self.pick('nst')} & 3; dk > 1",
                    f"unsigned du = {self.expr('u', 1)} & 3u",
                    f"const float *dp = n > 3 ? fi : nullptr; dp && dp[1] > 0.0f",
                    f"const int dk = {self.pick('nst')} & 1",
                    f"int dk = n + s; dk & 1",
                    f"const bool db = {self.merge_cond()}",
                ]
            )
        return self.condition(mutation, later)

    def plain_single(self, body):
        """May the body stand without braces?"""
        return (
            len(body) == 1
            and body[0].endswith(";")
            and not body[0].startswith(("const", "static", "for", "auto", "#", "keeper", "struct", "if"))
            and not self.is_declaration(body[0])
        )

    def plain_merge(self, body, last):
        """Is the body one whole merge that takes no else of the next arm's?"""
        inner = [b for b in body if not b.strip().startswith("// m")]
        if len(inner) < 3 or len(body) != len(inner) + 1 or not body[0].startswith("// m"):
            return False
        if any(b.startswith("#") for b in body) or not inner[0].startswith(("if (", "switch (")):
            return False
        depth, parts = 0, 0
        for b in inner:
            code = b.split("//")[0]
            if depth == 0 and not code.startswith(("}", "else", "{", "if (", "switch (")):
                return False
            parts += depth == 0 and code.startswith(("if (", "switch ("))
            depth += code.count("{") - code.count("}")
        final = any(re.match(r"(} )?else( \[\[\w+\]\])? ?({|$)", b.split(" /")[0]) for b in inner)
        return parts == 1 and depth == 0 and inner[-1] == "}" and (final or last or inner[0].startswith("switch"))

    @staticmethod
    def is_declaration(line):
        first = line.split(" ")[0]
        return first in ("float", "unsigned", "int", "f4", "_Float16", "pt", "bool", "u4", "T") or "tile " in line

    def if_text(self, bodies, mutation, kind):
        out = []
        style = self.pick(["kr", "kr", "kr", "allman", "split"])
        has_else = kind != "one" and not (kind == "chain" and self.chance(0.15))
        comment = self.chance(0.15)
        between = mutation == "directive" and self.chance(0.4)
        macro = self.pick(["if", "else", "tail"]) if mutation == "macro" else None
        unbraced = self.chance(0.5)
        for i, body in enumerate(bodies):
            last = i + 1 == len(bodies)
            if i == 0:
                word = "if"
            elif last and has_else:
                word = "MACRO_ELSE" if macro == "else" else "else"
            else:
                word = "else if"
            cond = "" if word in ("else", "MACRO_ELSE") else self.header(mutation, i > 0)
            if word == "if" and macro == "if" and ";" not in cond and "," not in cond:
                head = f"MACRO_IF({cond})"
            else:
                head = f"{word} ({cond})" if cond else word
            if mutation == "attribute" and self.chance(0.6):
                head += " [[likely]]" if i == 0 else " [[unlikely]]"
            if macro == "tail" and body and self.whole_statements(body):
                body = body + [f"TWICE(uo[1] += 2u);"]
            naked = unbraced and (self.plain_single(body) or self.plain_merge(body, last))
            before = out[-1] if out else ""
            join = before == "}" and style == "kr" and not between
            if between and i > 0:
                out += ["#if 1"]
            if naked:
                if join:
                    out[-1] = "} " + head
                else:
                    out.append(head)
                if comment:
                    out[-1] += " // why"
                out += body
            else:
                if style == "allman":
                    out += [head, "{"]
                else:
                    head += " {"
                    if join:
                        out[-1] = "} " + head
                    else:
                        out.append(head)
                if comment:
                    out[-1] += " /* c */"
                out += body + ["}"]
            if between and i > 0:
                out += ["#endif"]
        if comment and self.chance(0.5):
            out[-1] += " // behind"
        return out

    def switch_text(self, bodies, mutation, kind):
        shape = None
        if mutation == "switchshape":
            shape = self.pick(["fall", "duff", "before", "shared", "middle", "object", "nodefault", "range"])
        values = list(range(8))
        self.r.shuffle(values)
        where = self.r.randrange(len(bodies)) if self.chance(0.5) else len(bodies) - 1
        default = shape != "nodefault" and not (mutation is None and self.chance(0.1))
        value = self.pick(["n", "s", "t", "(n + s) & 3"] if self.uniform else ["lane & 3u", f"({self.expr('u', 1)}) & 3u"])
        if mutation == "condeffect":
            value = self.pick(["uo[9]++ & 3u", "(uo[10] += 3u) & 3u"])
        if shape == "object":
            self.may_part = True
            value = f"number{{{self.expr('u', 1)}}}"
        head = f"switch ({value}) {{"
        if mutation == "conddecl":
            head = self.pick([f"switch (int dk = {value}; dk & 3) {{", f"switch (const unsigned du = (unsigned)({value})) {{"])
        out = [head]
        if shape == "before":
            out.append("unsigned sw;")
        if mutation == "directive" and self.chance(0.4):
            out.append("#if 1")
        opened = len(out) > 1 and out[-1] == "#if 1"
        for i, body in enumerate(bodies):
            labels = []
            many = self.r.randint(1, 2)
            for _ in range(many):
                labels.append(f"case {values.pop()}:")
            if mutation == "macro" and i == 0:
                labels[0] = "MACRO_" + labels[0].replace("case ", "CASE(").replace(":", "):")
            if shape == "range" and i == 0:
                labels = ["case 8 ... 11:"] + labels
            if default and i == where:
                labels = self.pick([["default:"], labels + ["default:"], ["default:"] + labels])
            out += labels
            if opened and i == 0:
                out += ["#endif"]
            body = list(body)
            if shape == "middle" and i == 0:
                body = body + [f"if ({self.cond(1)}) break;"] + [f"uo[1] += 2u;"]
            if shape == "before" and i < 2:
                body = [f"sw = {i + 1}u;", "uo[1] += sw;"] + body
            if shape == "shared":
                if i == 0:
                    out += ["unsigned sh;", "sh = 3u;", "uo[1] += sh;"]
                else:
                    body = ["sh = 5u;", "uo[1] += sh;"] + body
            if shape == "duff" and i == 0:
                out += [f"if (s > 2) {{", f"uo[1] += 7u;", "case 13:", "uo[1] += 2u;", "}"]
            needs = any(self.is_declaration(b) or b.startswith(("const", "static", "auto", "keeper", "struct", "using", "enum")) for b in body)
            fall = shape == "fall" and i + 1 < len(bodies) and self.chance(0.7)
            stop = [] if fall or (i + 1 == len(bodies) and self.chance(0.3)) else ["break;"]
            if needs or self.chance(0.6) or not body:
                if self.chance(0.5):
                    out += ["{"] + body + ["}"] + stop
                else:
                    out += ["{"] + body + stop + ["}"]
            else:
                out += body + stop
        return out + ["}"]

    # ---- functions ----

    def around(self, make):
        """Merges in loops, or not."""
        k = self.weighted([("plain", 4), ("loop", 4), ("twice", 1), ("if", 0.7), ("naked", 0.6), ("stepped", 2.5)])
        if k == "stepped":
            return self.stepped(make)
        if k == "plain":
            return make()
        if k == "if":
            self.guarded += 1
            uniform = self.chance(0.6)
            body = self.block(make) if uniform else self.apart(lambda: self.block(make))
            self.guarded -= 1
            return [f"if ({self.uniform_cond() if uniform else self.lane_cond()}) {{"] + body + ["}"]
        if k == "naked":
            name = self.loop_name()
            self.scope.append(Var(name, "loop", 4))
            self.loops += 1
            body = self.block(make)
            self.loops -= 1
            self.scope.pop()
            if body[0].startswith("// m") and not any(b.startswith("#") for b in body):
                return [f"for (int {name} = 0; {name} < 3; ++{name})"] + body
            return [f"for (int {name} = 0; {name} < 3; ++{name}) {{"] + body + ["}"]
        inner = make if k == "loop" else lambda: self.block(make) + self.block(make)
        return self.loop(lambda: self.block(inner), exits=True)

    def prologue(self):
        """Variables that merges may use, each of a name of its own."""
        lines = ["unsigned a0 = ui[n] & 0xffu;"]
        self.scope.append(Var("a0", "u", True))
        taken = {"a0"}
        for ty in "ffuuivhpRb":
            if not self.chance(0.7):
                continue
            # no const ones under plain names: an arm may shadow them by another
            name = self.fresh(ty, False, taken)
            taken.add(name)
            keep, self.banned = self.banned, (name,)
            value = self.expr(ty, 1)
            self.banned = keep
            lines.append(f"{declare(ty, name)} = {value};")
            self.scope.append(Var(name, ty, True))
        floats = [v for v in self.scope if v.ty == "f" and v.mutable]
        if floats and self.chance(0.25):
            base = self.pick(floats).name
            if self.chance(0.5):
                lines.append(f"float &fr = {base};")
                self.scope.append(Var("fr", "f", True))
            else:
                lines.append(f"float *const fq = &{base};")
                self.scope.append(Var("(*fq)", "f", True))
        accs = [a for a in self.accs if a.elem in "fv" and a.is_array]
        if accs and self.chance(0.12):
            acc = self.pick(accs)
            if acc.elem == "f":
                lines.append(f"float &ar = {acc.at(2)};")
                self.scope.append(Var("ar", "f", True))
            else:
                lines.append(f"f4 &av = {acc.at(1)};")
                self.scope.append(Var("av", "v", True))
        return lines

    def epilogue(self):
        lines = []
        for v in self.scope:
            if v.ty == "f" and "(" not in v.name:
                lines.append(f"fo[{self.r.randrange(16, 32)}] += {v.name};")
            elif v.ty in "ui":
                lines.append(f"uo[{self.r.randrange(16, 32)}] ^= (unsigned){v.name};")
        return lines

    def body(self, merges=None):
        """Statements of a function that merges."""
        lines = self.prologue()
        if self.chance(0.4):
            lines += self.narrow()
        for _ in range(merges or self.r.randint(1, 2)):
            lines += self.around(self.merge)
            if self.chance(0.4):
                lines += self.narrow()
            if self.chance(0.15):
                lines += self.wide()
        return lines + self.epilogue()

    def declared_lds(self):
        return ["__shared__ float lds[64];", "for (int i = 0; i < 64; ++i) {", "lds[i] = fi[i] * 0.5f;", "}"]

    def own_lds(self, odds):
        """LDS of a function that is no kernel, or none."""
        self.lds = self.chance(odds)
        return self.declared_lds() if self.lds else []

    def sink(self, acc, name=None):
        """Writes the accumulator out."""
        at = acc.at("i", name)
        to = f"fo[(i * 3 + {self.r.randrange(40)}) & 63]"
        value = {"v": f"{at}.x - {at}.w", "f": at, "h": f"(float){at}"}.get(acc.elem)
        if acc.elem == "v":
            more = [f"fo[(i + 40) & 63] -= {at}.y + {at}.z;"]
        elif acc.elem in "uw":
            part = at if acc.elem == "u" else f"({at}.x ^ {at}.w)"
            return [f"for (int i = 0; i < {acc.n}; ++i) {{", f"uo[(i * 3 + 7) & 63] ^= {part};"] + (
                [f"uo[(i + 41) & 63] += {at}.y + {at}.z;"] if acc.elem == "w" else []) + ["}"]
        else:
            more = []
        return [f"for (int i = 0; i < {acc.n}; ++i) {{", f"{to} += {value};"] + more + ["}"]

    def start(self, acc):
        at = acc.at("i")
        value = {
            "v": "vi[i & 15]",
            "f": f"fi[(i + {self.r.randrange(20)}) & 63]",
            "u": "ui[i]",
            "h": "(_Float16)fi[i]",
            "w": "u4{ui[i], ui[i + 1], 3u, ui[i + 9]}",
        }[acc.elem]
        more = ["acc.cnt = 1u;"] if acc.kind in "sc" and acc.name == "acc" else []
        return more + [f"for (int i = 0; i < {acc.n}; ++i) {{", f"{at} = {value};", "}"]

    def records(self):
        """The struct and the class template that accumulators may be."""
        p = self.prefix
        tile = [f"struct {p}tile {{", "f4 v[6];", "unsigned cnt;",
                "METHOD void step(float x, unsigned a)", "{"]
        tile += ["for (int i = 0; i < 6; ++i) {", "v[i] = v[i] + x;", "}", "cnt += a;", "v[a % 6u] -= 0.5f;"]
        tile += ["}"]
        cls = ["template <class T, int N>", f"struct {p}Tile {{", "T ev[N];", "unsigned cnt;",
               "METHOD void step(T x, unsigned a)", "{", "for (int i = 0; i < N; ++i) {",
               "ev[i] = x - ev[i];", "}", "cnt ^= a;", "}"]
        return tile, cls

    def generate(self):
        p = self.prefix
        r = self.r
        context = self.weighted(
            [("kernel", 5), ("device", 2.5), ("lambda", 1.2), ("template", 1.5), ("method", 1.2), ("class", 1)]
        )
        kinds = ["v8", "v8", "v8", "v4", "f24", "f24", "u20", "h32", "w6", "f16", "s", "c"]
        if context in ("method", "class"):
            kind = {"method": "s", "class": "c"}[context]
        else:
            kind = self.pick(kinds)
        main = Acc("acc", kind, p)
        second = Acc("acc2", self.pick(["v4", "f24", "u20", "v8"]), p) if self.chance(0.3) and context == "kernel" else None
        self.accs = [main] + ([second] if second else [])
        tile, cls = self.records()
        args = "ARGS_RESTRICT" if self.restrict else "ARGS"
        head, tail = [], []
        params = f"{args}, unsigned lane"
        if context == "device":
            saved = self.enter()
            self.accs = [main]
            inner = self.own_lds(0.3) + self.body()
            self.leave(saved)
            head = [f"__device__ void {p}part({main.param('acc')}, {params})", "{"] + inner + ["}"]
            call = [f"{p}part(acc, PASS, lane);"]
        elif context == "template":
            saved = self.enter()
            self.accs = [main]
            self.scope.append(Var("M", "i", False))
            typed = self.chance(0.4)
            self.in_template = True
            inner = self.own_lds(0.3) + self.body()
            self.leave(saved)
            if typed:
                inner = [("T " + l[6:]) if l.startswith("float ") and "&" not in l.split("=")[0] and "*" not in l.split("=")[0] and "hp[" not in l else l for l in inner]
            head = [f"template <int M{', class T' if typed else ''}>",
                    f"__device__ void {p}part({main.param('acc')}, {params})", "{"] + inner + ["}"]
            more = ", float" if typed else ""
            call = [f"{p}part<1{more}>(acc, PASS, lane);", f"{p}part<6{more}>(acc, PASS, lane);"]
            call = call[: r.randint(1, 2)]
            if len(call) == 2 and self.chance(0.3):
                # what is legal in one instance is not in the other
                call[1:] = [f"if ({self.lane_cond()}) {{", call[1], "}"]
                self.may_part = True
        elif context in ("method", "class"):
            saved = self.enter()
            this = self.pick(["", "", "this->"])
            acc = Acc(this + ("v" if context == "method" else "ev"), "v6" if context == "method" else "f24", p)
            self.accs = [acc]
            inner = self.own_lds(0.3) + self.body()
            if self.chance(0.3):
                inner.append("cnt += a0;")
            self.leave(saved)
            run = [f"METHOD void run({params})", "{"] + inner + ["}"]
            if context == "method":
                tile += run
            else:
                cls += run
            call = ["acc.run(PASS, lane);"]
        else:
            call = []
        lines = []
        if context in ("kernel", "lambda"):
            lines += ["const unsigned lane = threadIdx.x;"]
        else:
            lines += ["const unsigned lane = threadIdx.x;"]
        lines += self.declared_lds() if self.lds else []
        for acc in self.accs:
            lines.append(acc.decl() + ";")
            lines += self.start(acc)
        self.may_return = True
        if context == "kernel":
            lines += self.body()
        elif context == "lambda":
            # what the lambda makes of its own parameters
            outer = self.prologue()
            mark = len(self.scope)
            self.scope += [Var("lx", "f", True), Var("la", "u", False)]
            self.in_lambda = True
            inner = []
            for _ in range(r.randint(1, 2)):
                inner += self.around(self.merge)
            self.in_lambda = False
            del self.scope[mark:]
            lines += outer + ["auto fn = [&](float lx, unsigned la) {"] + inner + ["};"]
            call = [f"fn({self.expr('f', 1)}, {self.expr('u', 1)});"]
            if self.chance(0.5):
                call += [f"fn({self.expr('f', 1)}, {self.expr('u', 1)});"]
            lines += call + self.epilogue()
        else:
            lines += self.loop(lambda: list(call)) if self.chance(0.4) else call
        for acc in self.accs:
            lines += self.sink(acc)
        text = []
        if any("Tile<" in l or "tile" in l for l in ["\n".join(lines + head + self.chunks)]):
            text += tile + ["};"] + cls + ["};"]
            text += [f"__device__ {p}tile {p}next({p}tile it, f4 by)", "{", "for (int i = 0; i < 6; ++i) {",
                     "it.v[i] = by - it.v[i];", "}", "return it;", "}"]
        helpers = "\n".join(self.chunks).split("\n") if self.chunks else []
        text = helpers + text if context in ("method", "class") else text + helpers
        text += head
        name = f"k{self.id}"
        text += [f"__global__ void {name}({args})", "{"] + lines + ["}"]
        text += "\n".join(self.late).split("\n") if self.late else []
        if "taken(" in "\n".join(text):
            text = ["template <class T>", f"__device__ float {p}taken(T v)", "{", "return v.b + (float)v.a;", "}"] + [
                l.replace("taken(", p + "taken(") if "taken(T v)" not in l else l for l in text]
        text = [l.replace("\x05", "") for l in text]
        apart = self.mma_apart or (self.has_mma and self.may_part)
        return Chunk(self.id, layout(text), self.aliased, apart)


class Chunk:
    def __init__(self, number, text, aliased, apart=False):
        self.id, self.text, self.aliased = number, text, aliased
        self.apart = apart  # lanes may be apart at a matrix operation


def layout(lines):
    """Indented by tabs, after the braces."""
    out, depth, hang = [], 0, 0
    for line in lines:
        for part in line.split("\n"):
            part = part.strip()
            if not part:
                continue
            if part.startswith("#"):
                out.append(part)
                continue
            closes = len(part) - len(part.lstrip("}"))
            label = part.startswith(("case ", "default:", "MACRO_CASE"))
            level = max(0, depth - closes - (1 if label else 0))
            out.append("\t" * (level + hang) + part)
            code = part.split("//")[0]
            depth += code.count("{") - code.count("}")
            bare = code.rstrip().endswith(")") or code.strip() in ("else", "} else")
            hang = 1 if bare and code.strip().lstrip("} ").startswith(("if", "else", "for", "while")) else 0
    return "\n".join(out) + "\n"


def kernels(seed, first, count, opts=None):
    out = []
    for number in range(first, first + count):
        out.append(Merging(number, f"{seed}.{number}", opts or {}).generate())
    return out


def unit(chunks, prelude, driver):
    table = "".join(f"\t{{{c.id}, {'true' if c.aliased else 'false'}, k{c.id}}},\n" for c in chunks)
    entries = f"static const entry entries[] = {{\n{table}}};\n"
    body = "\n".join(f"// kernel {c.id}\n{c.text}" for c in chunks)
    driver = driver.replace("static float in_f", entries + "static float in_f", 1)
    return prelude + "\n" + body + "\n// driver\n" + driver
