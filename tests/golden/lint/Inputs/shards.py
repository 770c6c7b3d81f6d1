"""shards.py DIR: six units u1 to u6 in DIR/src, the third compiled twice, each with a merge of its own and
one of a header; NOLINT comments that hold, one of them for a unit of one shard alone, and one that does not."""

import json
import pathlib
import sys

MERGE = """	if (c > {n}) {{{comment}
		for (auto &e : acc) e += by;
	}} else {{
		for (auto &e : acc) e -= by;
	}}
"""
UNIT = """#include "tile.h"

__attribute__((global)) void k{n}(float *p, int c)
{{
	float acc[{width}] = {{}}, by = p[1];
	step(acc, by, c);
{merge}	p[0] = acc[3];
}}
"""
HEADER = """template <int N> __attribute__((device)) void step(float (&acc)[N], float by, int c)
{
""" + MERGE.format(n=0, comment="") + """#ifdef FIRST
""" + MERGE.format(n=1, comment=" // NOLINT(unphi-phi-explosion): kept") + """#endif
} // NOLINT(unphi-phi-explosion): holds nothing
"""

top = pathlib.Path(sys.argv[1]).resolve()
for d in ("src", "b"):
    (top / d).mkdir(parents=True)
(top / "src/tile.h").write_text(HEADER)
entries = []
for n in (1, 2, 3, 4, 5, 6, 3):
    merge = MERGE.format(n=n, comment=" // NOLINT(unphi-phi-explosion): it is two" if n == 2 else "")
    (top / f"src/u{n}.hip").write_text(UNIT.format(n=n, width=60 + 4 * n, merge=merge))
    gpu = "gfx942" if len(entries) == 6 else "gfx90a"
    first = ["-DFIRST"] if n == 1 else []
    entries.append({"directory": str(top / "b"), "file": f"../src/u{n}.hip",
                    "arguments": ["clang++", "-nogpuinc", f"--offload-arch={gpu}", *first, "-c", f"../src/u{n}.hip"]})
(top / "b/compile_commands.json").write_text(json.dumps(entries))
