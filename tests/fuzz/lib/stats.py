"""What a run counts, what it demands of the generator, and both as text."""

import collections

import strategies as known
import unseen
import waves

APART = ("holes", "calls", "class", "rows", "loops", "lds", "switch", "mma", "twin", "callee", "unseen")
# in a run of LONG cases or more, below these the generator is at fault
LONG = 2000
LEAST_REWRITES = 200
LEAST_APART = 50
LEAST_REFUSED = 20
LEAST_UNSEEN = 10  # rewrites of merges with code that no text shows, by each strategy
# of the kernels whose FMAs are counted: optimizers move some multiplies away from their adds, or
# back, whatever the text is; more would be a strategy's doing
MOST_TRADED = 0.05
DEMANDED_APART = ("holes", "calls", "loops", "lds")


class Stats:
    """Counts of one unit, or of many."""

    def __init__(self, strategies, with_own):
        self.strategies = strategies
        self.with_own = with_own  # these are tried on other kernels, whole waves of them
        self.own = {s.name: collections.Counter() for s in with_own}
        self.cases = self.units = self.lines = 0
        self.rewrites = collections.Counter()
        self.apart = {s.name: collections.Counter() for s in strategies}
        self.forms = {s.name: collections.Counter() for s in strategies}
        self.refusals = {s.name: collections.Counter() for s in strategies}
        self.checks = collections.Counter()
        self.unseen = collections.Counter()  # kernels with such code in a merge, by mechanism
        self.traded = []  # kernels whose FMAs the device compiler traded for multiplies and adds, or back
        self.failures = []

    def add(self, other):
        self.cases += other.cases
        self.units += other.units
        self.lines += other.lines
        self.rewrites.update(other.rewrites)
        self.checks.update(other.checks)
        self.unseen.update(other.unseen)
        for s in self.with_own:
            self.own[s.name].update(other.own[s.name])
        for s in self.strategies:
            self.apart[s.name].update(other.apart[s.name])
            self.forms[s.name].update(other.forms[s.name])
            self.refusals[s.name].update(other.refusals[s.name])
        self.traded += other.traded
        self.failures += other.failures

    def as_json(self):
        counters = lambda d: {s: dict(sorted(c.items())) for s, c in d.items()}
        return {
            "cases": self.cases,
            "units": self.units,
            "lines": self.lines,
            "rewrites": {s.name: self.rewrites[s.name] for s in self.strategies},
            "apart": counters(self.apart),
            "forms": counters(self.forms),
            "refusals": {s: {str(k): c[k] for k in sorted(c)} for s, c in self.refusals.items()},
            "own": counters(self.own),
            "checks": dict(sorted(self.checks.items())),
            "unseen": dict(sorted(self.unseen.items())),
            "never_enough": self.missed(),
            "traded": self.traded,
            "failures": self.failures,
        }

    def add_json(self, saved):
        """What as_json gave, of the kernels before."""
        for name in ("cases", "units", "lines"):
            setattr(self, name, getattr(self, name) + saved[name])
        self.rewrites.update(saved["rewrites"])
        for name, counts in self.own.items():
            counts.update(saved["own"].get(name, {}))
        self.checks.update(saved["checks"])
        self.unseen.update(saved["unseen"])
        for s in self.strategies:
            self.apart[s.name].update(saved["apart"].get(s.name, {}))
            self.forms[s.name].update(saved["forms"].get(s.name, {}))
            self.refusals[s.name].update({int(k): n for k, n in saved["refusals"].get(s.name, {}).items()})
        self.traded += saved["traded"]
        self.failures += saved["failures"]

    def missed(self):
        """What the kernels did not drive often enough; of a short run, what they never did."""
        whole = self.cases >= LONG
        out = []

        def demand(got, least, what):
            least = least if whole else 1
            if got < least:
                out.append(f"{what}: {got}, wanted {least}")

        for s in self.strategies:
            demand(self.rewrites[s.name], LEAST_REWRITES, f"{s.name}: rewrites")
            for kind in DEMANDED_APART:
                demand(self.apart[s.name][kind], LEAST_APART, f"{s.name}: rewrites with {kind}")
            demand(self.apart[s.name]["unseen"], LEAST_UNSEEN, f"{s.name}: rewrites of merges with code that no text shows")
            for form in s.forms:
                demand(self.forms[s.name][form], LEAST_REFUSED, f"{s.name}: rewrites of the form '{form}'")
            for clause, text in s.clauses.items():
                got = self.refusals[s.name][clause]
                demand(got, LEAST_REFUSED, f"{s.name}: refused by clause {clause} ({text[:60].rstrip()} ...)")
        demand(self.checks["merges rejoined"], LEAST_REWRITES, f"{known.REVERSE}: rewrites")
        for name in unseen.NAMES if whole else ():
            if not self.unseen[name]:
                out.append(f"no merge with {name}")
        counted = self.checks["kernels whose FMAs were counted"]
        if whole and len(self.traded) > MOST_TRADED * counted:
            out.append(f"FMAs were traded in {len(self.traded)} of {counted} kernels, wanted at most {MOST_TRADED:.0%}")
        return out + [m for s in self.with_own for m in waves.missed(self, s, LEAST_REFUSED, whole)]

    def as_text(self):
        lines = [f"{self.cases} kernels in {self.units} files, {self.lines} lines"]
        lines.append(", ".join(f"{n} {what}" for what, n in sorted(self.checks.items())))
        lines.append(f"code that no text shows: {len(self.unseen)} of {len(unseen.NAMES)} mechanisms in {sum(self.unseen.values())} kernels")
        for s in self.strategies:
            lines += self.strategy_text(s)
        for name, counts in self.own.items():
            lines.append(f"{name}: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
        missed = self.missed()
        if missed:
            lines.append(f"not driven {'often enough' if self.cases >= LONG else 'yet'} by these kernels:")
            lines += [f"  {m}" for m in missed]
        lines += [f"FMAs traded in kernel {t['kernel']} by {t['strategy']}: {t['before']} -> {t['after']}" for t in self.traded]
        lines.append(f"{len(self.failures)} failures")
        for f in self.failures:
            where = f.get("reproducer", "")
            lines.append(f"  {f['kind']} {f['strategy']} kernels {f['kernels']} in unit {f['unit']}: {where}")
        return "\n".join(lines)

    def strategy_text(self, s):
        apart, forms, refused = self.apart[s.name], self.forms[s.name], self.refusals[s.name]
        twins = apart["twin"]
        text = ", ".join(f"{apart[k]} {k}" for k in APART if k != "twin" and apart[k])
        out = [f"{s.name}: {self.rewrites[s.name]} rewrites: {self.rewrites[s.name] - twins} of arms that differ, {twins} of twins",
               f"  with: {text}",
               "  forms: " + ", ".join(f"{forms[f]} {f}" for f in s.forms)]  # fmt: skip
        numbers = sorted(set(s.clauses) | {c for c in refused if c < known.NOTHING})
        out.append("  refused by clause: " + ", ".join(f"{c}: {refused[c]}" for c in numbers))
        other = {known.NOTHING: "nothing to change", known.INSTANCES: "instances disagree", known.MEASURED: "needs a measurement"}
        rest = [f"{refused[c]} {why}" for c, why in other.items() if refused[c]]
        return out + (["  besides: " + ", ".join(rest)] if rest else [])
