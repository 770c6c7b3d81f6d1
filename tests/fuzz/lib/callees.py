"""Functions that the arms of random kernels call on an accumulator."""

from merges import Merges
from names import Acc, SPELLED, Var, declare


# operands of a function that arms call: & refers to a float, * points to an arm's own array, or not
OPERANDS = [(t, 1) for t in "ffuuvpihRb"] + [("&", 0.7), ("*", 0.7)]
BEHIND = {"&": "f", "*": "p"}
PARAMETERS = {"&": "float &g", "*": "const float *g"}
OWN_ARRAY = ["float own[16];", "for (int i = 0; i < 16; ++i) {", "own[i] = fi[i] - 2.0f;", "}"]
CALLEE_ODDS = [
    # what may keep it from being split, or only look so
    (None, 12), ("return", 0.7), ("const", 1), ("barrier", 3.5), ("early", 1), ("shared", 0.6),
    ("keeper", 0.5), ("handed", 1), ("type", 0.5), ("directive", 0.5), ("constant", 3.5), ("macro", 0.7),
]  # fmt: skip


class Callee:
    """A function that arms call on the accumulator. mma: it holds a matrix operation; macro: some
    calls of it come from one; by_value: it takes and gives the accumulator; tags: it takes its flags
    as objects whose types say the value; made: it is one of a class template, and this stands between
    the class and the call: "::name", "{1.0f}.name", "{}". names: its own, and perhaps that of a
    function that only passes the call on."""

    def __init__(self, names, types, flags, mma, macro, by_value, tags, made):
        self.names, self.types, self.flags, self.tags = names, types, flags, tags
        self.mma, self.macro, self.by_value, self.made = mma, macro, by_value, made

    def written(self, values):
        """The flags in a call: template arguments, and what stands after the other arguments."""
        if not self.flags:
            return "", ""
        if not self.tags:
            return f"<{', '.join(values)}>{self.made}", ""
        return "", "".join(f", integral_constant<{SPELLED[t]}, {v}>{{}}" for t, v in zip(self.flags, values))


class Callees(Merges):
    """Arms that call one function with a narrow and a wide part."""

    def callee(self, acc):
        """The function, and what to write at a call of it."""
        name = f"{self.prefix}part{len(self.helpers)}x"
        types = [self.weighted(OPERANDS) for _ in range(self.r.randint(1, 3))]
        flags = self.pick([[], ["b"], ["i"], ["b", "i"]][self.opts.get("only") == "unify" :])
        changed = [t == "&" or self.chance(0.3) for t in types]
        odd = self.weighted(CALLEE_ODDS)
        if odd == "constant" and not flags:
            flags = ["i"]
        saved = self.enter()
        self.scope += [Var(f"g{j}", BEHIND.get(t, t), changed[j]) for j, t in enumerate(types)]
        self.scope += [Var(f"{t.upper()}{j}", t, False) for j, t in enumerate(flags)]
        step = Acc("acc", acc.kind, self.prefix, acc.reached)
        self.accs = [step]
        had_mma, self.has_mma = self.has_mma, False
        narrow, wide = self.odd_lines(odd, [f"{t.upper()}{j}" for j, t in enumerate(flags)])
        taken, body = set(), self.arrays() if self.chance(0.3) else []
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
        tags = flags and self.opts.get("only") == "unify" and self.chance(0.3)
        if tags and self.chance(0.5):
            text = [f"template <{', '.join(f'class T{j}' for j, t in enumerate(flags))}>"]
            params += "".join(f", T{j} {t.upper()}{j}" for j, t in enumerate(flags))
        elif flags:
            spelled = ", ".join(f"{SPELLED[t]} {t.upper()}{j}" for j, t in enumerate(flags))
            text = [f"template <{spelled}>"]
            if tags:
                params += "".join(f", integral_constant<{SPELLED[t]}, {t.upper()}{j}>" for j, t in enumerate(flags))
        lambdas = any("[&" in b or "[=" in b for b in body)
        by_value = not acc.extent and not lambdas and self.chance(0.4)
        gives = acc.base if by_value else "unsigned" if not lambdas and self.chance(0.04) else "void"
        if gives != "void":
            result = "return acc;" if by_value else "return lane;"
            body = [b.replace("return;", result) for b in body] + [result]
        first = f"{acc.base} acc" if by_value else step.param("acc")
        kept = flags and not tags and self.opts.get("only") == "unify" and self.chance(0.25)
        made, before, after, rest = self.class_of(name, body) if kept else ("", [], [], "")
        called = name if not kept else "operator()" if made == "{}" else f"{name}f"
        text += before
        text += [
            f"{'static ' if made.startswith('::') else ''}{'METHOD inline' if kept else '__device__'} {gives} {called}({first}, float *fo, unsigned *uo, const float *fi, const unsigned *ui, const f4 *vi, int n, int s, int t, unsigned lane, {params}){rest}"
        ]
        if kept:
            self.chunks.append("\n".join(text + ["{"] + body + ["}"] + after) + "\n")
        elif self.chance(0.15):
            self.chunks.append("\n".join(text) + ";\n")
            self.late.append("\n".join(text + ["{"] + body + ["}"]) + "\n")
        else:
            self.chunks.append("\n".join(text + ["{"] + body + ["}"]) + "\n")
        self.helpers[name] = True
        names = [name]
        if not tags and not kept and self.chance(0.25):
            names.append(name + "w")
            by = f"<{', '.join(f'{t.upper()}{j}' for j, t in enumerate(flags))}>" if flags else ""
            passed = ", ".join(f"g{j}" for j in range(len(types)))
            header = "\n".join(text).replace(f" {name}(", f" {name}w(")
            call = f"{name}{by}(acc, fo, uo, fi, ui, vi, n, s, t, lane, {passed});"
            self.chunks.append(f"{header}\n{{\n{'' if gives == 'void' else 'return '}{call}\n}}\n")
        return Callee(names, types, flags, holds_mma, odd == "macro", by_value, tags, made)

    def class_of(self, name, body):
        """A class template around a function: what makes its object, what stands before the function and after it, and
        after the parameters."""
        kind = self.pick(["static", "static", "empty", "functor", "members", "members", "uses"])
        made = {"static": f"::{name}f", "empty": f"{{}}.{name}f", "functor": "{}", "uses": f"::{name}f"}
        before, after = [f"struct {name} {{"], ["};"]
        if kind == "members":
            a, b = self.pick(["fi[3]", "2.5f", "(float)n"]), self.pick(["n", "s & 3", "7"])
            before += ["float km;", "int kn;"]
            body.insert(0, self.pick(["fo[kn & 7] += km;", "fo[this->kn & 3] -= km;", "fo[3] = km;", "km += 1.0f; fo[2] = km;"]))
            made[kind] = f"{{{a}, {b}}}.{name}f"
        if kind == "uses":
            before.append("static constexpr int KU = 3;")
            body.insert(0, self.pick(["uo[3] += (unsigned)KU;", "uo[KU] += 1u;"]))
        reads = not any(b.startswith("km +=") for b in body)
        rest = self.pick(["", " const"]) if kind in ("empty", "functor", "members") and reads else ""
        return made[kind], before, after, rest

    def arrays(self):
        """Arrays of the narrow part, declared together, with values or without."""
        align = self.pick(["", "", "alignas(16) "])
        first = self.pick(["", " = {}", f" = {{{self.expr('f', 1)}, {self.expr('f', 1)}}}"])
        lines = [
            f"{align}float qa[4]{first}, qb[2][2];",
            "for (int i = 0; i < 4; ++i) {",
            f"qa[i] {'+=' if first else '='} fi[i + 2];",
            "qb[i >> 1][i & 1] = qa[i] - 1.0f;",
            "}",
        ]
        self.scope += [Var(name, "f", True) for name in ("qa[1]", "qa[n & 3]", "qb[1][0]", "qb[n & 1][1]")]
        return lines

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
        if odd == "handed":
            flag = next((f for f in flags if f[0] == "B"), "true")
            x, y = self.expr("f", 1), self.expr("f", 1)
            return [], self.pick([
                [f"fo[n & 7] = narrow_by<{flag}>({x});"],
                [f"fo[n & 7] += narrow_by<!{flag}>({x});"],
                [f"fo[n & 7] = ({y}) * fi[3] + narrow_by<{flag}>({x});"],
                [f"fo[n & 7] = ({y}) + narrow_product<{flag}>({x});"],
                [f"narrow_set<{flag}, !{flag}>(fo[n & 3], {x});", f"fo[9] = narrow_by<{flag}>(fo[n & 3]);"],
                [f"if (n > s) narrow_set<{flag}, true>(fo[3], {x} * fi[2]); else fo[4] = narrow_product<{flag}>(fo[3]);"],
            ])
        if odd == "constant":
            flag = self.pick(flags)
            return [], [self.pick([
                f"float w[(int){flag} + 1] = {{}}; fo[n] += w[0] + 0.5f;",
                f"switch (n) {{ case 4 + (int){flag}: uo[4] += 3u; break; default: uo[5] ^= 5u; }}",
                f"if constexpr ({flag} != 0) {{ fo[n] += 2.0f; }}",
                f"constexpr int made = (int){flag} * 2; uo[made & 7] += (unsigned)made;",
                f"uo[6] += (unsigned)fixed<(int){flag}>::by;",
                f"if constexpr ({flag} > {self.pick('029')}) {{ fo[n] += 1.0f; }} else {{ fo[n] -= 1.0f; }}",
                f"float w[8] = {{}}; w[{flag} + 1] = fi[1]; fo[n] += w[n & 7];",
                f"float w[8] = {{}}; for (int i = 0; i < {flag} + 2; ++i) {{ w[i] += fi[i]; }} fo[n] += w[1];",
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

    def constant(self, ty):
        """A template argument."""
        return self.pick(["true", "false"] if ty == "b" else [*"0123", *"0123", "NUMBER_TWO", "NUMBER_THREE", "(NUMBER_THREE - 2u)"])

    def closure(self, name, fn, called, acc):
        """A lambda that hands its template arguments to the function."""
        spelled = [f"{SPELLED[t]} {t.upper()}{j}c" for j, t in enumerate(fn.flags)]
        params = [declare(t, f"h{j}") if t != "*" else f"const float *h{j}" for j, t in enumerate(fn.types)]
        by = ", ".join(f"{t.upper()}{j}c" for j, t in enumerate(fn.flags))
        given = f"{acc.name}, fo, uo, fi, ui, vi, n, s, t, lane, {', '.join(f'h{j}' for j in range(len(fn.types)))}"
        copies = self.pick(["[&]", "[&]", "[&, lane]"])
        call = f"{'return ' if fn.by_value else ''}{called}<{by}>{fn.made}({given});"
        return [f"const auto {name} = {copies}<{', '.join(spelled)}>({', '.join(params)}) {{", call, "};"]

    def row(self, number):
        """A function for the lines of one row of all arms: the same in each, or with another template argument. None: a
        further call."""
        kind = self.pick(["call", "call", "same", "same", "value", "array", "barrier"])
        x, name = self.expr("f", 1), f"{self.prefix}row{self.merges}_{number}"
        same = self.narrow() if kind == "same" else ["barrier();"]
        if kind == "value":
            head = f"template <bool Q> __device__ inline float {name}(float x)"
            self.chunks.append(f"{head}\n{{\nreturn Q ? x : x - 2.0f;\n}}\n")
            call = lambda by: f"{name}<{by.constant('b')}>"
            return lambda by: [
                f"const float rv{number} = {call(by)}({x}), rw{number} = {call(by)}(fi[2]);",
                f"fo[{number}] = rv{number} > rw{number} ? rv{number} : rw{number};"]
        if kind == "array":
            sets = self.pick(["to[N & 1] = Q ? x : to[0] + 1.0f;", "to[1] = Q ? x : to[0] + (float)N;"])
            self.chunks.append(
                f"template <bool Q, int N> __device__ inline void {name}(float (&to)[2], float x, int &by)\n"
                f"{{\n{sets}\nby = (by + N) & 7;\n}}\n")
            return lambda by: [
                f"float ra{number}[2] = {{{x}}};",
                f"{name}<{by.constant('b')}, {by.pick('0123')}>(ra{number}, fi[{number}], n);",
                f"fo[{number}] = ra{number}[n & 1];"]
        return None if kind == "call" else lambda by: same

    def callee_arms(self, count):
        acc = self.pick(self.accs)
        fn = self.callee(acc)
        mark = len(self.scope)
        none = []
        common = [self.expr("p", 0) if t == "*" else self.operand(t, none) for t in fn.types]
        equal = [self.chance(0.6) for _ in fn.types]
        fixed = [self.chance(0.3) for _ in fn.flags]
        values = [self.constant(t) for t in fn.flags]

        def call():
            lines = []
            args = [c if e else self.operand(t, lines) for c, e, t in zip(common, equal, fn.types)]
            own = [self.constant(t) for t in fn.flags]
            own = [v if f else o for v, f, o in zip(values, fixed, own)]
            by, tags = fn.written(own)
            text = f"{self.pick(fn.names)}{by}({acc.name}, fo, uo, fi, ui, vi, n, s, t, lane, {', '.join(args)}{tags})"
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

        def instance_call(named=None):
            own = [self.constant(t) for t in fn.flags]
            own = [v if f else o for v, f, o in zip(values, fixed, own)]
            if fn.mma:
                self.mma()
            if closure:
                return own, f"{closure}.template operator()<{', '.join(named or own)}>({', '.join(common)})"
            by, tags = fn.written(named or own)
            given = f"{acc.name}, fo, uo, fi, ui, vi, n, s, t, lane, {', '.join(common)}{tags}"
            return own, f"{one}{by}({given})"

        rows = []  # what all arms have beside that call, as lines before or after it; None: another such call
        if self.opts.get("only") == "unify" and self.chance(0.4):
            rows = [self.row(j) for j in range(self.r.randint(1, 3))]
        first = self.r.randint(0, len(rows))

        def beside(part):
            lines = []
            for row in part:
                lines += [instance_call()[1] + ";"] if row is None and not fn.by_value else row(self) if row else []
            return lines

        def instance(depth):
            """One call of an instance, and nothing else but constants for its template arguments, and the rows."""
            if depth and self.chance(0.2):
                two = instance(0), instance(0)
                return [f"if ({self.merge_cond()}) {{"] + two[0] + ["} else {"] + two[1] + ["}"]
            named = [f"{t}{j}c" for j, t in enumerate(fn.flags)] if self.chance(0.2) else None
            own, text = instance_call(named)
            if not named and depth and self.chance(0.15):
                text = f"({self.merge_cond()}) ? {text} : {instance_call()[1]}"
            lines = [(f"{acc.name} = {text}" if fn.by_value else text) + ";"]
            lines = beside(rows[:first]) + lines + beside(rows[first:])
            word = self.pick(["const", "constexpr"])
            constants = [f"{word} {SPELLED[t]} {name} = {v};" for t, name, v in zip(fn.flags, named or [], own)]
            return ["{"] + constants + lines + ["}"] if named else lines

        one, closure = self.pick(fn.names), None
        alike = fn.flags and self.chance(0.9 if self.opts.get("only") == "unify" else 0.4)
        if alike and not fn.tags and "&" not in fn.types and self.chance(0.15):
            closure = f"by{self.merges}"
            self.before += self.closure(closure, fn, one, acc)
        bodies = [instance(1) if alike else arm(1) for _ in range(count)]
        self.given = acc if alike else None
        del self.scope[mark:]
        self.features |= {"calls"} | ({"class"} if fn.made else set()) | ({"rows"} if alike and rows else set())
        return bodies, "callee", True
