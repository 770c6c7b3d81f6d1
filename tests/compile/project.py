#!/usr/bin/env python3
"""unphi lint on a synthetic project of 200 HIP files that share 20 headers: the same findings with
one process and with two, a header's finding once, and no more memory than for 20 files."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HEADERS = 20
UNITS = 200
HEADER = """template <int N> __attribute__((device)) void step{i}(float (&acc)[N], float by, int c)
{{
	if (c) {{
		for (int i = 0; i < N; ++i) acc[i] += by;
	}} else {{
		for (int i = 0; i < N; ++i) acc[i] -= by;
	}}
}}
"""
UNIT = """#include "tile{a}.h"
#include "tile{b}.h"

__attribute__((global)) void k{i}(float *p, int c)
{{
	float acc[{width}] = {{}};
	step{a}(acc, p[0], c);
	step{b}(acc, p[1], c);
	for (int t = 0; t < p[2]; ++t) {{
		if (t < c) {{
			for (int i = 0; i < 64; ++i) acc[i] *= p[3];
		}} else {{
			for (int i = 0; i < 64; ++i) acc[i] += p[t];
		}}
	}}
	p[0] = acc[3];
}}
"""


def make(top):
    entries = []
    for i in range(HEADERS):
        (top / f"tile{i}.h").write_text(HEADER.format(i=i))
    for i in range(UNITS):
        name = f"k{i:03}.hip"
        (top / name).write_text(UNIT.format(i=i, a=i % HEADERS, b=(i + 7) % HEADERS, width=64 + i % 5))
        entries.append({"directory": str(top), "file": name,
                        "arguments": ["clang++", "--offload-arch=gfx90a", "-nogpuinc", "-c", name]})
    (top / "compile_commands.json").write_text(json.dumps(entries))


# (exit code, standard output, peak memory in KiB of the largest process, wall time in seconds)
def lint(top, *arguments):
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([os.environ["UNPHI"], "lint", *arguments], cwd=top, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        took = time.perf_counter() - start
        out.seek(0)
        return child.returncode, out.read().decode(), usage.ru_maxrss, took


def result(name, wrong):
    print(f"not ok compile/project/{name}: {wrong}" if wrong else f"ok compile/project/{name}")


def main():
    top = pathlib.Path(tempfile.mkdtemp(dir=".")).resolve()
    make(top)
    code1, text1, memory, took1 = lint(top, "-p", ".", "-j1")
    code2, text2, _, took2 = lint(top, "-p", ".", "-j2")
    _, _, small, _ = lint(top, "-p", ".", "-j1", "--exclude", "k0[2-9]*,k1*")
    result("processes", "" if (code1, text1) == (code2, text2) and code1 == 1
           else f"exit codes {code1} and {code2}, or other findings, with 1 and 2 processes")
    warnings = [line for line in text1.splitlines() if ": warning: " in line]
    in_headers = sorted(w.split(":")[0] for w in warnings if w.startswith("tile"))
    wanted = sorted(f"tile{i}.h" for i in range(HEADERS))
    result("headers", "" if in_headers == wanted else f"findings in headers: {in_headers}")
    result("units", "" if len(warnings) - len(in_headers) == UNITS
           else f"{len(warnings) - len(in_headers)} findings in {UNITS} units")
    print(f"# wall time: {took1:.2f} s with one process, {took2:.2f} s with two")
    print(f"# peak memory: {memory} KiB for {UNITS} units, {small} KiB for 20")
    result("memory", "" if memory < 1.2 * small else f"{memory} KiB for {UNITS} units, {small} for 20")


sys.exit(main())
