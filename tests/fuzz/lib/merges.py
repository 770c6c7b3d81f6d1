"""Merges of random kernels: heads, tails with holes, and what makes a rewrite illegal."""

import re

from names import Hole, Var
from statements import Statements


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


class Merges(Statements):
    """Arms that end alike up to holes, or not, behind heads of their own."""

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

    def put_between(self, lines, more):
        """More statements somewhere among the arm's own."""
        depth, places = 0, []
        for at, line in enumerate(lines):
            whole = line.endswith((";", "}")) and not line.startswith(("for", "if", "else"))
            depth += line.count("{") - line.count("}")
            if depth == 0 and whole and not (at + 1 < len(lines) and lines[at + 1].startswith("else")):
                places.append(at + 1)
        at = self.pick(places) if places else len(lines)
        return lines[:at] + more + lines[at:]

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
        if hole.ty.startswith("object "):
            load = self.object(hole.ty[7:])
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

    def object(self, ty):
        """What a reference is bound to as it stands, where there is such."""
        array = {"f": "fi[lane]", "u": f"ui[{self.index(64)}]", "v": f"vi[{self.index(16)}]"}.get(ty)
        options = [v.name for v in self.visible(ty)] + [array] * (array is not None)
        return self.pick(options) if options else self.expr(ty, 1)

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

    def same_loop(self, header):
        """The header of a loop in other words."""
        name, bound = header.groups()
        cond = self.pick([f"{name} < {bound}", f"{name} <= {int(bound) - 1}", f"{name} < {bound}u"])
        return f"for (int {name} = 0; {cond}; {self.pick(['++' + name, name + '++', name + ' += 1'])})"

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
        if given is not None and self.chance(0.2):
            text = re.sub(r"for \(int (\w+) = 0; \1 < (\d+); [^;)]*\)", self.same_loop, text)
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
        trailing, between = self.chance(0.15), self.chance(0.15)
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
            if relation == "holes" and between and self.chance(0.7):
                lines = self.put_between(lines, self.narrow())
            behind = self.narrow() if relation == "holes" and trailing and self.chance(0.7) else []
            bodies.append(head + lines + behind)
            del self.scope[mark:]
        return bodies, relation, differs and bool(holes)

    def mutate_tail_plain(self, lines, mutation):
        if mutation in ("volatile", "barrier", "first_lane", "opaque", "atomic", "exit", "label"):
            return self.mutate_tail(lines, mutation) if not self.tail_locals else lines
        return lines

    def merge(self, depth=1):
        calls = self.opts.get("only") == "unify"
        mutation = self.weighted(MUTATIONS) if self.chance(0.25 if calls else 0.55) else None
        if calls and not mutation and self.chance(0.12):
            mutation = "conddecl"
        kind = self.weighted([("if", 5), ("chain", 2), ("switch", 2), ("one", 0.4), ("cond", 1.2)])
        if mutation == "switchshape":
            kind = "switch"
        if mutation == "conddecl" and (kind in ("one", "cond") or self.chance(0.4)):
            kind = "chain"
        if mutation == "opaque" and self.restrict:
            mutation = None
        if mutation == "guard" and kind in ("one", "cond"):
            kind = "if"
        whole = [a for a in self.accs if a.kind in "f16 s" or a.elem == "v"]
        if kind == "cond" and not whole:
            kind = "if"
        keep = set(self.features)
        self.features = set()
        records = [a for a in whole if a.kind == "s"]
        if records and kind in ("if", "chain") and mutation is None and self.chance(0.15):
            text = self.value(self.pick(records))
            self.features = keep
            return text
        if kind == "cond":
            text = self.question(whole)
            self.features = keep
            return text
        count = {"if": 2, "one": 1}.get(kind) or self.r.randint(2 if kind == "switch" else 3, 4)
        outer_switch, self.in_switch = self.in_switch, self.in_switch or kind == "switch"
        outer_leap, self.leap = self.leap, ""
        self.before, self.given = [], None
        odds = 0.3 if mutation in ORDERED else 0.9 if mutation == "guard" else 0.6
        uniform = self.chance(odds) and mutation not in ("condeffect", "conddecl", "objcond")
        self.lanes_apart += not uniform
        if mutation == "guard":
            bodies, relation, differs = self.arms(count, mutation)
        elif depth > 0 and kind in ("if", "chain") and self.chance(0.15):
            # arms that are, or hold, merges of their own
            bodies, relation, differs = self.nested(count, depth)
        elif kind in ("if", "chain", "switch") and self.chance(0.9 if calls else 0.28):
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
        before, given = (self.before, self.given) if relation == "callee" else ([], None)
        returns = given if kind in ("if", "chain") and not mutation and self.chance(0.25) else None
        self.features |= {"returning"} if returns else set()
        self.features |= {"closure"} if before else set()
        marker = f"// m{self.id}.{self.merges}: {' '.join(sorted(self.features))}"
        self.features |= keep
        if mutation == "speculate":
            before += ["const float *pn = n > 3 ? fi : nullptr;", "const unsigned dz = (unsigned)(s & 1);"]
        if mutation == "unnamed":
            before += ["struct { int a; float b; } un0 = {n, 1.0f}, un1 = {s, 2.0f};"]
        make = {"if": self.if_text, "one": self.if_text, "chain": self.if_text, "switch": self.switch_text}
        lines = self.returning(bodies, returns) if returns else make[kind](bodies, mutation, kind)
        lines.insert(0, marker)
        self.uniform = None
        if mutation == "attribute" and self.chance(0.5):
            lines.insert(1, "[[clang::nomerge]]")
        if leap:
            lines.append(f"{leap}:;")
        return ["{"] + before + lines + ["}"] if before or leap or returns else lines

    def returning(self, bodies, acc):
        """Arms that return, from a lambda; or some of them, past what the others reach."""
        value = all(b and b[-1].startswith(f"{acc.name} = ") for b in bodies)
        if value:
            bodies = [b[:-1] + ["return " + b[-1].split(" = ", 1)[1]] for b in bodies]
        some = not value and self.chance(0.3)
        if not value:
            bodies = [b if some and self.chance(0.5) else b + ["return;"] for b in bodies]
        row, lines = self.chance(0.5), []
        for b in bodies[:-1]:
            lines += [f"{'else ' if lines and not row else ''}if ({self.merge_cond()}) {{"] + b + ["}"]
        lines += bodies[-1] if row else ["else {"] + bodies[-1] + ["}"]
        lines += self.narrow() if some and not row else []
        name = f"ret{self.merges}"
        head = f"const auto {name} = [&]{f'() -> {acc.base}' if value else ''} {{"
        return [head] + lines + ["};", f"{f'{acc.name} = ' if value else ''}{name}();"]

    def question(self, accs):
        """An accumulator, or each of its elements, that takes one of two values."""
        acc = self.pick(accs)
        if acc.kind == "s":
            if self.chance(0.5):
                sides = [f"{acc.name}.step({self.expr('f', 1)}, {self.expr('u', 1)})" for _ in range(2)]
                return [f"{self.merge_cond()} ? {sides[0]} : {sides[1]};"]
            return self.value(acc)
        if acc.elem != "v":
            at, signs = acc.name, self.pick(["+-", "++", "--"])
            sides = [f"{at} {sign} {self.expr('f', 1)}" for sign in signs]
            return [f"{at} = {self.merge_cond()} ? {sides[0]} : {sides[1]};"]
        uniform = self.chance(0.8)
        self.lanes_apart += not uniform

        def one():
            at = acc.at(self.visible("loop")[0].name)
            sides = [f"{self.mma()}({self.expr('f', 1)}, {self.expr('f', 0)}, {at})" for _ in range(2)]
            return [f"{at} = {self.uniform_cond() if uniform else self.lane_cond()} ? {sides[0]} : {sides[1]};"]

        text = self.loop(lambda: self.block(one), acc.n)
        self.lanes_apart -= not uniform
        return text

    def value(self, acc):
        """The same, by a ?: that is assigned, declared or returned, or by arms that each return it."""
        form = self.pick(["assigned", "declared", "question", "leaves", "else", "row"])
        held, name = ("tile_of", f"giv{self.merges}") if form not in ("assigned", "declared") else (acc.name, "")
        sides = [f"{self.prefix}next({held}, {self.expr('v', 1)})" for _ in range(3)]
        conds = [self.merge_cond() for _ in range(2)]
        choice = f"{conds[0]} ? {sides[0]} : {sides[1]};"
        if form == "assigned":
            return [f"{acc.name} = {choice}"]
        if form == "declared":
            word, next = self.pick(["const auto", "auto", acc.base, f"const {acc.base}"]), f"nx{self.merges}"
            return ["{", f"{word} {next} = {choice}", f"{acc.name} = {next};", "}"]
        last = self.pick([["return tile_of;"], [f"return {sides[2]};"], [f"tile_of = {sides[2]};", "return tile_of;"]])
        if form == "question":
            lines = [f"return {choice}"]
        elif form == "else":
            lines = [f"if ({conds[0]}) {{", f"return {sides[0]};", "} else {"] + last + ["}"]
        else:
            lines = [f"if ({conds[0]}) return {sides[0]};"]
            lines += [f"if ({conds[1]}) {{", f"tile_of = {sides[1]};", "return tile_of;", "}"] if form == "row" else []
            lines += last
        head = f"const auto {name} = [&]({acc.base} tile_of) -> {acc.base} {{"
        return [head] + lines + ["};", f"{acc.name} = {name}({acc.name});"]

    def found(self, name, count):
        """Declarations of a number that the code before an if finds out, each time anew."""
        kind = self.pick(["plain", "plain", "changed", "unset", "reference"])
        if kind == "changed":
            return [f"int {name} = 1;", f"{name} += n + {count}++ * s;"]
        if kind == "unset":
            arms = [f"{name} = n + {count}++;", f"{name} = s - {count}++;"]
            return [f"int {name};", f"if ({self.uniform_cond()}) {{", arms[0], "} else {", arms[1], "}"]
        if kind == "reference":
            line = f"{name}of += n - s;" if self.chance(0.3) else f"{count}s[{name}of & 1] += 1;"
            return [f"int {name}of = n + {count}++ * s;", f"int &{name} = {count}s[{name}of & 1];", line]
        word = self.pick(["const int", "int", "const auto", "unsigned"])
        return [f"{word} {name} = n + {count}++ * s;"]

    def passed(self):
        """A loop: some iterations compute with matrix operations, others pass them by."""
        acc = self.pick([a for a in self.accs if a.elem == "v" and a.n >= 4])
        keep, self.features = set(self.features), {"different", "passed"}

        def one():
            at = acc.at(self.visible("loop")[0].name)
            return [f"{at} = {self.mma()}({self.expr('f', 1)}, {self.leaf('f')}, {at});"]

        def turn():
            before = self.narrow() if self.chance(0.4) else []
            cond = self.uniform_cond()
            if self.chance(0.4):  # found out by the code before it
                before += self.found(step, count)
                before += self.local({step}) if self.chance(0.4) else []
                cond = self.pick([f"{step} & 1", f"(int){step} > 5", f"({count} += t) & 1", f"{cond} && {step} != 4"])
            compute = self.loop(lambda: self.block(one), acc.n)
            if any(step in line for line in before) and self.chance(0.6):
                compute += [f"uo[3] += (unsigned){step};"]
            form = self.pick(["one", "one", "else", "first", "continue", "break", "chain", "switch"])
            other = self.narrow() if form in ("else", "first") or self.chance(0.3) else []
            if form == "one":
                lines = [f"if ({cond}) {{"] + compute + ["}"]
            elif form == "break":
                lines = [f"if ({cond}) break;"] + compute
            elif form == "chain":
                lines = self.passed_chain(cond, compute)
            elif form == "switch":
                lines = self.passed_switch(count, compute)
            elif form == "continue" and not other and self.chance(0.5):
                lines = [f"if ({cond}) continue;"] + compute
            elif form == "continue":
                lines = [f"if ({cond}) {{"] + other + ["continue;", "}"] + compute
            else:
                arms = [compute, other] if form == "else" else [other, compute]
                other += ["break;"] if self.chance(0.25) else []
                lines = [f"if ({cond}) {{"] + arms[0] + ["} else {"] + arms[1] + ["}"]
            return before + lines + (self.narrow() if self.chance(0.3) else [])

        self.merges += 1
        step, count = f"step{self.merges}", f"count{self.merges}"
        text = self.loop(lambda: self.block(turn), self.r.randint(2, 4) if self.chance(0.6) else None)
        text = [f"int {count} = 0, {count}s[2] = {{}};"] + text if any(count in l for l in text) else text
        text = [f"// m{self.id}.{self.merges}: {' '.join(sorted(self.features))}"] + text
        self.features |= keep
        return text

    def passed_chain(self, cond, compute):
        """An else-if chain of which a later arm computes."""
        arms = [self.narrow() if self.chance(0.8) else [] for _ in range(self.r.randint(1, 2))]
        arms.insert(self.r.randint(1, len(arms)), compute)
        lines = []
        for i, arm in enumerate(arms):
            test = cond if arm is compute else self.uniform_cond()
            plain = i == len(arms) - 1 and i > 1 and self.chance(0.5)
            lines += [f"{'} else ' if i else ''}{'{' if plain else f'if ({test}) {{'}"] + arm
        return lines + ["}"]

    def passed_switch(self, count, compute):
        """A switch of which one arm computes."""
        self.features.add("switch")
        arms = [self.narrow() if self.chance(0.7) else [] for _ in range(self.r.randint(1, 3))]
        arms.insert(self.r.randint(0, len(arms)), compute)
        labels = ["case 0:", "case 1:", "case 2: case 3:", "case 4 ... 5:", "case -1:", "default:"]
        labels = self.r.sample(labels, len(arms))
        value = self.pick([f"{count}++ & 3", f"({count} += n) % 6", "n & 3", "(s & 7) - 1"])
        lines = [f"switch ({value}) {{"]
        for label, arm in zip(labels, arms):
            whole = self.chance(0.5)
            lines += [label + (" {" if whole else "")] + (["{"] + arm + ["}"] if arm and not whole else arm)
            lines += ["break;"] + (["}"] if whole else [])
        return lines + ["}"]

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
