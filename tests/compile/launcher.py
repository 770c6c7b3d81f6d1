#!/usr/bin/env python3
"""Compiles through the user's launcher: what rewrite decides is the same through ccache, sccache, icecc and distcc as
without, and through one that fails; what ccache and sccache have they give, without unphi's own cache."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from tool import CLANG, LINKS_LATE, UNPHI, check, clang_of, skip  # noqa: E402

KERNEL = """__attribute__((global)) void k(float *p, int n, int c)
{
	float acc[16] = {};
	for (int t = 0; t < n; ++t) {
		if (t < c) {
			for (int i = 0; i < 16; ++i) acc[i] *= p[3];
		} else {
			for (int i = 0; i < 16; ++i) acc[i] += p[t + i];
		}
	}
	for (int i = 0; i < 16; ++i) p[i] = acc[i];
}
"""


class Place:
    """A directory with a database that has a launcher in front, a cache, and a ccache."""

    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(dir=".")).resolve()
        (self.top / "a.hip").write_text(KERNEL)
        entry = {"directory": str(self.top), "file": "a.hip",
                 "arguments": ["ccache", CLANG, "-nogpuinc", "--offload-arch=gfx90a", "-c", "a.hip"]}
        (self.top / "compile_commands.json").write_text(json.dumps([entry]))
        (self.top / "cache").mkdir()
        self.env = dict(os.environ, XDG_CACHE_HOME=str(self.top / "cache"), CCACHE_DIR=str(self.top / "ccache"))
        for name in [n for n in self.env if n.startswith("CCACHE_") and n != "CCACHE_DIR"]:
            del self.env[name]

    def run(self, *words, code=0):
        """What rewrite prints as JSON, and says, of this file, with nothing kept of ours but the texts."""
        for room in ("measure", "rewrite", "headers"):
            shutil.rmtree(self.top / "cache/unphi" / room, ignore_errors=True)
        done = subprocess.run([UNPHI, *words], cwd=self.top, env=self.env, capture_output=True, text=True, check=False)
        if done.returncode != code:
            raise SystemExit(f"not ok compile/launcher/{words[0]}: exit code {done.returncode}: {done.stderr}")
        return done.stdout, done.stderr

    def rewrite(self, *words):
        return self.run("rewrite", "-p", ".", "a.hip", "--format", "json", *words)

    def ccache(self):
        """(hits, misses)"""
        said = subprocess.run(["ccache", "--print-stats"], env=self.env, capture_output=True, text=True, check=True).stdout
        of = dict(re.findall(r"^(\w+)\t(\d+)$", said, re.M))
        hits = sum(int(of[k]) for k in ("direct_cache_hit", "preprocessed_cache_hit"))
        return hits, int(of["cache_miss"]), [k for k in ("unsupported_compiler_option", "output_to_stdout")
                                            if int(of.get(k, 0))]


def ccache(place, plain):
    first, said = place.rewrite()
    before, misses, refused = place.ccache()
    again, _ = place.rewrite()
    hits, still, _ = place.ccache()
    quiet, _ = place.rewrite("--compiler-launcher", "none")
    # a hit may be asked for once more: of clang 21 and newer it leaves no list of what was read, and unphi keeps nothing
    check("launcher/ccache", [w for w in (
        first != plain and "it decides otherwise",
        (again != plain or quiet != plain) and "it decides otherwise the second time",
        said.count("compiles go through ccache") != 1 and f"not said once: {said}",
        (misses == 0 or still != misses or hits - before < misses or place.ccache()[0] != hits) and
        f"{misses} misses and {before} hits, then {still} and {hits}",
        refused and f"not kept by ccache: {refused}") if w])


def sccache(place, plain):
    def stats(words):
        """of what sccache counts, those with words in their names"""
        said = subprocess.run(["sccache", "--show-stats"], env=place.env, capture_output=True, text=True, check=True).stdout
        return sum(int(n) for n in re.findall(rf"^{words} +(\d+)$", said, re.M))

    version = subprocess.run(["sccache", "--version"], capture_output=True, text=True, check=True).stdout
    knows_hip = tuple(map(int, re.findall(r"\d+", version)[:2])) >= (0, 8)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place.env.update(SCCACHE_DIR=str(place.top / "sccache"), SCCACHE_SERVER_PORT=str(free.getsockname()[1]))
    try:
        texts = [place.rewrite("--compiler-launcher", "sccache") for _ in range(2)]
        hits, misses, calls = stats("Cache hits"), stats("Cache misses"), stats("Compile requests")
    finally:
        subprocess.run(["sccache", "--stop-server"], env=place.env, capture_output=True, check=False)
    check("launcher/sccache", [w for w in (
        any(text != plain for text, _ in texts) and "it decides otherwise",
        texts[0][1].count("it caches whole compiles, from sccache 0.8 on") != 1 and f"not said once: {texts[0][1]}",
        calls == 0 and "nothing went through it",
        knows_hip and (misses == 0 or hits != misses) and f"{hits} hits of {misses} compiles") if w])


def sharing(name):
    def test(place, plain):
        text, said = place.rewrite("--compiler-launcher", name)
        check(f"launcher/{name}", [w for w in (
            text != plain and "it decides otherwise",
            said.count("sends no HIP to other machines") != 1 and f"not said once: {said}") if w])
    return test


def failing(place, plain):
    """Its every second call fails, as when a server is not up yet: no candidate is one that does not compile for that."""
    script = place.top / "fails"
    script.write_text('#!/bin/sh\nif mkdir "$0.$$.d" 2>/dev/null && [ $(($(ls -d "$0".*.d | wc -l) % 2)) = 0 ]; then\n'
                      '\texec "$@"\nfi\necho "fails: no server" >&2\nexit 2\n')
    script.chmod(0o755)
    text, said = place.rewrite("--compiler-launcher", "./fails")
    check("launcher/failing", [w for w in (
        text != plain and "it decides otherwise",
        said.count("was not used there: fails: no server") != 1 and f"not said once: {said}") if w])


def main():
    if clang_of(CLANG) >= LINKS_LATE:
        skip("launcher", "device code that is linked late goes without a launcher")
        return 0
    place = Place()
    plain, _ = place.rewrite("--compiler-launcher", "none")
    for name, test in (("ccache", ccache), ("sccache", sccache), ("icecc", sharing("icecc")), ("distcc", sharing("distcc"))):
        if shutil.which(name):
            test(place, plain)
        else:
            skip(f"launcher/{name}", f"{name} not found")
    failing(place, plain)
    _, said = place.run("measure", "a.hip", "--compiler-launcher", "./none-here", "--target", "gfx90a", code=2)
    check("launcher/missing", [] if "from --compiler-launcher" in said else [said])
    return 0


sys.exit(main())
