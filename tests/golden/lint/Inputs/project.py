"""project.py DIR: a project of four sources in two directories that share a header, with its
compile_commands.json in DIR/build."""

import json
import pathlib
import sys

KERNEL = """#include "tile.h"

__attribute__((global)) void NAME(float *p, int c)
{
	float acc[WIDTH] = {};
	step(acc, p[0], c);
	p[0] = acc[3];
}
"""
HEADER = """template <int N> __attribute__((device)) void step(float (&acc)[N], float by, int c)
{
	if (c) {
		for (auto &e : acc) e += by;
	} else {
		for (auto &e : acc) e += by;
	}
}
"""

top = pathlib.Path(sys.argv[1]).resolve()
for d in ("src", "src/deep", "include", "build"):
    (top / d).mkdir(parents=True)
(top / "include/tile.h").write_text(HEADER)
for i, (name, width) in enumerate({"src/a.hip": 64, "src/b.cpp": 80, "src/deep/c.hip": 72}.items()):
    (top / name).write_text(KERNEL.replace("NAME", f"k{i}").replace("WIDTH", str(width)))
(top / "src/host.cpp").write_text("int main() {}\n")
(top / "build/flags.rsp").write_text("-I../include -nogpuinc\n")

common = ["--offload-arch=gfx90a", "--offload-arch=gfx942", "@flags.rsp", "-o", "x.o"]
build = str(top / "build")
entries = [
    # .hip is HIP whatever -x says, and a launcher is no compiler
    {"directory": build, "file": "../src/a.hip",
     "arguments": ["ccache", "clang++", "-x", "c++", *common, "-c", "../src/a.hip"]},
    {"directory": build, "file": f"{top}/src/b.cpp",
     "command": f"hipcc -DTWICE=1 {' '.join(common)} -c {top}/src/b.cpp"},
    {"directory": build, "file": f"{top}/src/b.cpp",
     "command": f"hipcc -DTWICE=2 {' '.join(common)} -c {top}/src/b.cpp"},
    {"directory": build, "file": f"{top}/src/deep/c.hip",
     "arguments": ["unphi", "cc", "--", "clang++", *common, "-c", f"{top}/src/deep/c.hip"]},
    {"directory": build, "file": f"{top}/src/host.cpp",
     "command": f"g++ -c {top}/src/host.cpp -o host.o"},
]
(top / "build/compile_commands.json").write_text(json.dumps(entries, indent=1))
