"""Statements of random kernels: narrow ones, loops, and those that write an accumulator."""

from expressions import Expressions
from names import Acc, SPELLED, Var, declare


class Statements(Expressions):
    """Code without merges."""

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
        if self.runs_unseen(0.3):
            return self.unseen.statement()
        table = [("assign", 4), ("fo", 2), ("uo", 2), ("bump", 1), ("trace", 0.5), ("never", 0.3)]
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
        if k == "never":
            self.features.add("unreachable")
            a, c = self.pick(["n", "s", "t"]), self.r.randint(0, 5)
            self.guarded += 1
            body = self.block(lambda: self.narrow(0))
            self.guarded -= 1
            return [f"if ({a} > {c}) {{", f"if ({a} <= {c}) {{", "__builtin_unreachable();", "}"] + body + ["}"]
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
        """One step of an element, some by a macro: its arguments are operands as well."""
        line = self.spelled_update(acc, at)
        change = line.removeprefix(at)
        for sign, word in ((" = ", "SET"), (" += ", "ADD"), (" -= ", "SUB")):
            if change.startswith(sign) and "," not in at and self.chance(0.12):
                value = change.removeprefix(sign)[:-1]
                self.features.add("macros")
                return f"{word}({at}, {value});" if self.chance(0.7) else f"{{ BOTH({at}, {value}); }}"
        return line

    def spelled_update(self, acc, at):
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
        table += [("range", 1.5 if acc.is_range else 0), ("whole", 1.5 if acc.kind in "f16 s" else 0)]
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
            changes = self.unseen.statement() if self.runs_unseen(0.2) else []
            return out + [self.update(acc, acc.at(i))] + changes

        first = self.loop(lambda: self.block(body), acc.n)
        return first + self.wide(acc, 0) if k == "two" else first

    def call_step(self, acc):
        """A function on the accumulator with operands; a second level below it now and then."""
        key = ("step", acc.kind, acc.reached)
        self.features.add("calls")
        if key not in self.helpers or (self.chance(0.3) and len(self.helpers) < 5):
            number, self.helper_count = self.helper_count, self.helper_count + 1
            name = f"{self.prefix}step{number}"
            types = [self.pick("ffuuvpihRb") for _ in range(self.r.randint(1, 3))]
            saved = self.enter()
            had_mma, self.has_mma = self.has_mma, False
            params = [
                f"const {declare(t, f'&g{j}')}" if t != "p" and self.chance(0.25) else
                f"{'const ' if self.chance(0.2) else ''}{declare(t, f'g{j}')}" for j, t in enumerate(types)
            ]
            self.scope += [Var(f"g{j}", t, False) for j, t in enumerate(types)]
            step = Acc("acc", acc.kind, self.prefix, acc.reached)
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
            bound = [" &" in p for p in params]
            self.helpers[key] = (name, list(zip(types, bound)), template, self.has_mma)
            self.has_mma |= had_mma
        name, types, template, holds_mma = self.helpers[key]
        if holds_mma:
            self.mma()
        by = f"<{self.r.randint(1, 3)}>" if template else ""
        args = ", ".join(
            self.hole(f"object {t}") if bound and self.tail is not None and self.hole_rate and self.chance(0.7) else self.expr(t, 1)
            for t, bound in types)
        return [f"{name}{by}({acc.name}, fo, uo, fi, ui, vi, n, s, t, lane, {args});"]

    # ---- function contexts ----

    def enter(self):
        saved = (
            self.scope, self.tail, self.tail_locals, self.banned, self.guarded, self.loops,
            self.accs, self.lds, self.may_return, self.in_lambda, self.in_template, self.in_switch,
            self.lanes_apart, self.steps, self.hidden,
        )
        self.lanes_apart, self.steps, self.hidden = 0, [], False
        self.scope, self.tail, self.tail_locals, self.banned = [], None, [], ()
        self.guarded, self.loops, self.lds, self.in_lambda = 0, 0, False, False
        self.may_return, self.in_switch = True, False
        return saved

    def leave(self, saved):
        (
            self.scope, self.tail, self.tail_locals, self.banned, self.guarded, self.loops,
            self.accs, self.lds, self.may_return, self.in_lambda, self.in_template, self.in_switch,
            self.lanes_apart, self.steps, self.hidden,
        ) = saved
