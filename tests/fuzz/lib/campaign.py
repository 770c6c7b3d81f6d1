"""Many units side by side, and the sum of what they gave."""

import concurrent.futures
import os
import tempfile

import harness

SANITIZE_EVERY = 8  # units
DEVICE_EVERY = 6


class Config:
    def __init__(self, args, work):
        self.unphi = os.path.abspath(args.unphi)
        self.inputs = args.inputs
        self.work = work
        self.failures = os.path.abspath(args.out)
        self.keep = args.keep
        self.shrink = not args.no_shrink
        self.seen = set()  # kinds of failures that were made small
        self.sanitize = SANITIZE_EVERY
        self.device = DEVICE_EVERY
        self.prelude = harness.read("prelude.hip")
        self.driver = harness.read("driver.cpp")


def run_unit(config, seed, first, count, number):
    unit = harness.Unit(config, seed, first, count, number)
    stats = unit.go()
    for failure in stats.failures:
        # shrinking takes its time: once for each kind of failure
        key = (failure["kind"], failure["strategy"])
        first = key not in config.seen
        config.seen.add(key)
        failure["reproducer"] = harness.reproduce(config, unit, failure, config.shrink and first)
    return stats


def run(args):
    total = harness.Stats()
    with tempfile.TemporaryDirectory(prefix="unphi-fuzz.") as work:
        if args.keep:
            work = os.path.abspath(args.out + ".units")
        config = Config(args, work)
        os.environ["XDG_CACHE_HOME"] = os.path.join(work, "cache")  # nobody asks twice for these
        starts = range(0, args.cases, args.unit)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            jobs = [
                pool.submit(run_unit, config, args.seed, first, min(args.unit, args.cases - first), number)
                for number, first in enumerate(starts)
            ]
            for job in jobs:
                total.add(job.result())
    return total


def as_text(stats):
    lines = [f"{stats.cases} kernels in {stats.units} files, {stats.lines} lines"]
    lines.append(", ".join(f"{n} {what}" for what, n in sorted(stats.checks.items())))
    for s in harness.STRATEGIES:
        apart = ", ".join(f"{n} {what}" for what, n in sorted(stats.apart[s].items()))
        lines.append(f"{s}: {stats.rewrites[s]} rewrites ({apart})")
        forms = ", ".join(f"{n} {what}" for what, n in sorted(stats.variants[s].items()))
        lines.append(f"  forms: {forms}")
        refused = ", ".join(f"{k}: {stats.refusals[s][k]}" for k in sorted(stats.refusals[s]))
        lines.append(f"  refused by clause: {refused}")
    lines.append(f"{len(stats.failures)} failures")
    for f in stats.failures:
        where = f.get("reproducer", "")
        lines.append(f"  {f['kind']} {f['strategy']} kernels {f['kernels']} in unit {f['unit']}: {where}")
    return "\n".join(lines)
