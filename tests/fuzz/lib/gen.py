"""Random HIP kernels without undefined behaviour, as text.

A kernel is a chunk of its own, so that any subset of a unit is a unit. Names tell types, so that a
shadowing declaration has the shadowed one's type: x y z r are floats, a b d e unsigned, k m q ints
from 0 to 15, va vb vd f4, ha hb half, pa pb pointers to 16 floats, ra rb pt, ba bb bool; a leading
c makes it constant. Every merge is preceded by a comment `// mNUMBER: features`.

names, expressions, statements, merges, callees and shapes hold what each of them says; here they
become functions, kernels and files.
"""

from names import Acc, Var, declare
from shapes import Shapes


def spelled(lines):
    """What is declared as a float, by the template's name for it."""
    def one(line):
        head = line.split("=")[0]
        plain = line.startswith("float ") and not any(c in head for c in "&*") and "hp[" not in line
        return "T " + line[6:] if plain else line
    return [one(line) for line in lines]


class Kernel(Shapes):
    """Functions around merges, and the kernel that calls them."""

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
        if self.unseen:
            self.hidden = True
            lines += self.unseen.state()
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
        lines = self.unseen.shown() if self.hidden else []
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
            passed = self.chance(0.15) and any(a.elem == "v" and a.n >= 4 for a in self.accs)
            lines += self.passed() if passed else self.around(self.merge)
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

    def reached(self, kind):
        """How the code comes to an accumulator."""
        return self.pick(Acc.REACHED) if kind in ("v8", "v4", "f24", "u20", "h32", "w6") and self.chance(0.4) else "array"

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
        # in one instance of a template the accumulator is the lane's own, in the other it is memory
        self.memory = context == "template" and not self.restrict and self.chance(0.25)
        if self.memory:
            kind = self.pick(["f24", "u20"])
        main = Acc("acc", kind, p, "pointer" if self.memory else self.reached(kind))
        second = None
        if self.chance(0.3) and context == "kernel":
            kind = self.pick(["v4", "f24", "u20", "v8"])
            second = Acc("acc2", kind, p, self.reached(kind))
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
            inner = spelled(inner) if typed else inner
            head = [f"template <int M{', class T' if typed else ''}>",
                    f"__device__ void {p}part({main.param('acc')}, {params})", "{"] + inner + ["}"]
            more = ", float" if typed else ""
            call = [f"{p}part<1{more}>(acc, PASS, lane);", f"{p}part<6{more}>(acc, PASS, lane);"]
            call = call[: r.randint(1, 2)]
            if self.memory:
                call[1:] = [f"{p}part<6{more}>({'fo' if main.elem == 'f' else 'uo'} + 8, PASS, lane);"]
            if len(call) == 2 and self.chance(0.3):
                # what is legal in one instance is not in the other
                call[1:] = [f"if ({self.lane_cond()}) {{", call[1], "}"]
                self.may_part = True
        elif context in ("method", "class"):
            saved = self.enter()
            this = self.pick(["", "", "this->"])
            acc = Acc(this + ("v" if context == "method" else "ev"), "v6" if context == "method" else "f24", p)
            self.accs = [acc]
            typed = context == "class" and self.chance(0.5)
            self.in_template = typed
            inner = self.own_lds(0.3) + self.body()
            if self.chance(0.3):
                inner.append("cnt += a0;")
            self.leave(saved)
            inner = spelled(inner) if typed else inner
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
        text = (self.unseen.declared() if self.unseen else []) + [l.replace("\x05", "") for l in text]
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
        out.append(Kernel(number, f"{seed}.{number}", opts or {}).generate())
    return out


def unit(chunks, prelude, driver):
    table = "".join(f"\t{{{c.id}, {'true' if c.aliased else 'false'}, k{c.id}}},\n" for c in chunks)
    entries = f"static const entry entries[] = {{\n{table}}};\n"
    body = "\n".join(f"// kernel {c.id}\n{c.text}" for c in chunks)
    driver = driver.replace("static float in_f", entries + "static float in_f", 1)
    return prelude + "\n" + body + "\n// driver\n" + driver
