"""Many units side by side, and the sum of what they gave."""

import concurrent.futures
import json
import os
import tempfile

import harness
import stats
import strategies
import waves

# every so many units; these checks cost the most
SANITIZE_EVERY = 8
FUSE_EVERY = 8
DEVICE_EVERY = 10
WAVES_EVERY = 6
MACHINE_EVERY = 10
# and then so many of their kernels: every second one, ten
FUSE_STEP = 2
DEVICE_SAMPLE = 10
MACHINE_SAMPLE = 2


class Config:
    def __init__(self, args, work):
        self.unphi = os.path.abspath(args.unphi)
        found = strategies.find(self.unphi)
        self.strategies = [s for s in found if s.name not in (*waves.STRATEGIES, strategies.REVERSE)]
        self.own = [s for s in found if s.name in waves.STRATEGIES and not getattr(args, "only", None)]  # have kernels of their own
        self.only = getattr(args, "only", None)
        if self.only:
            self.strategies = [s for s in self.strategies if s.name == self.only]
        self.inputs = args.inputs
        self.work = work
        self.failures = os.path.abspath(args.out)
        self.keep = args.keep
        self.verify = getattr(args, "verify", [])  # options of unphi verify
        self.shrink = not args.no_shrink
        self.seen = set()  # kinds of failures that were made small
        self.sanitize = SANITIZE_EVERY
        self.fuse, self.fuse_step = FUSE_EVERY, FUSE_STEP
        self.device, self.sample = DEVICE_EVERY, DEVICE_SAMPLE
        self.waves_every = WAVES_EVERY
        self.machine, self.machine_sample = MACHINE_EVERY, MACHINE_SAMPLE
        self.on_isa = getattr(args, "on", "cpu") == "isa"
        self.prelude = harness.prelude()
        self.driver = harness.read("driver.cpp")


def run_unit(config, seed, first, count, number):
    unit = harness.Unit(config, seed, first, count, number)
    result = unit.go()
    for failure in result.failures:
        if "reproducer" in failure:
            continue
        # shrinking takes its time: once for each kind of failure
        key = (failure["kind"], failure["strategy"])
        alone = key not in config.seen
        config.seen.add(key)
        failure["reproducer"] = harness.reproduce(config, unit, failure, config.shrink and alone)
    return result


def save(args, total):
    """In one step, so that a run stopped at any time can be resumed."""
    text = json.dumps({"seed": args.seed, "unit": args.unit, **total.as_json()}, indent=2)
    with open(args.json + ".new", "w", encoding="utf-8") as f:
        f.write(text + "\n")
    os.replace(args.json + ".new", args.json)


def saved(args):
    """Raises ValueError when the file is of other kernels."""
    with open(args.json, encoding="utf-8") as f:
        stats_of = json.load(f)
    for name in ("seed", "unit"):
        if stats_of[name] != getattr(args, name):
            raise ValueError(f"{args.json} is of --{name} {stats_of[name]}")
    if stats_of["cases"] % args.unit and stats_of["cases"] < args.cases:
        raise ValueError(f"{args.json} ends within a file of kernels, after {stats_of['cases']}")
    return stats_of


def run(args):
    with tempfile.TemporaryDirectory(prefix="unphi-fuzz.") as work:
        if args.keep:
            work = os.path.abspath(args.out + ".units")
        config = Config(args, work)
        total = stats.Stats(config.strategies, config.own)
        os.environ.setdefault("XDG_CACHE_HOME", os.path.join(work, "cache"))  # nobody asks twice for these
        if args.resume:
            total.add_json(saved(args))
        starts = range(total.cases, args.cases, args.unit)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            jobs = [
                pool.submit(run_unit, config, args.seed, first, min(args.unit, args.cases - first), first // args.unit)
                for first in starts
            ]
            for job in jobs:
                total.add(job.result())
                if args.json:
                    save(args, total)
    return total
