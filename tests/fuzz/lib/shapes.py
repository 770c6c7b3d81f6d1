"""Merges of random kernels as text: if/else, chains, switches, conditional expressions."""

import re

from callees import Callees


class Shapes(Callees):
    """Conditions, braces, labels, macros and directives around arms."""

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
                + ["const float df = fi[n & 3]; df > 0.0f"] * (self.opts.get("only") == "unify")
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

    def invoked(self, line, last):
        """The statement as an arm that is a macro's, all of it; a macro's second one is no part of the arm."""
        if "//" in line:
            return line
        self.features.add("macros")
        if last and self.chance(0.15):
            return f"TRAILED({line})"
        return self.pick([f"BLOCK({line})", f"ONCE({line});", f"ITSELF({line[:-1]});", f"ITSELF({line})"])

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
            if naked and self.plain_single(body) and self.chance(0.25):
                body = [self.invoked(body[0], last)]
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
