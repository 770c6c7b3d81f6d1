"""Values of random kernels: what a place may be filled with, of a type, in a scope."""

import random

import unseen
from names import FLOATS, Hole, POOL, UINTS


class Expressions:
    """A kernel while it is made: dice, scopes, and values of every type."""

    accs = ()
    in_lambda = False
    in_switch = False
    hole_rate = 0.25
    guarding = False
    copies = 0
    tail_scope = 0
    steps = ()

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
        mechanism = unseen.of_kernel(number)
        self.unseen = unseen.Unseen(mechanism, self.prefix, seed) if mechanism else None
        self.hidden = False  # is its state in scope?

    # ---- dice ----

    def chance(self, p):
        return self.r.random() < p

    def pick(self, items):
        return self.r.choice(items)

    def weighted(self, table):
        return self.r.choices([x for x, _ in table], [w for _, w in table])[0]

    def runs_unseen(self, p):
        """Is it here that the kernel's mechanism stands? Dice of its own: other kernels stay as they are."""
        if not self.hidden or self.unseen.dice.random() >= p:
            return False
        self.features.add("unseen")
        return True

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
        if ty in "iu" and self.unseen and self.unseen.reads() and self.runs_unseen(0.2):
            return f"(({self.unseen.value}) & 7{'u' if ty == 'u' else ''})"
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
        if self.unseen and self.unseen.decides() and self.runs_unseen(0.2):
            return f"(({self.unseen.value}) & 1) != 0"
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
