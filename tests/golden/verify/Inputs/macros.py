"""macros.py ROOT COMPILER: -DNAME=! for every plain name of the wave runner that the C library's headers do not have, and that
own_names.hip does without."""

import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
verify = root / "src" / "verify"
files = [*sorted(verify.glob("runtime/*/*.h")), *sorted(verify.glob("launch*.hpp"))]
names = subprocess.run([sys.executable, verify / "embed.py", "-", *files], capture_output=True, text=True, check=True).stdout.split()
library = {i for f in files for i in re.findall(r"#include <([\w/]+(?:\.h)?)>", f.read_text(encoding="utf-8")) if not re.match("hip/|unphi/", i)}
seen = subprocess.run([sys.argv[2], "-E", "-dD", "-x", "c++", "-"], input="".join(f"#include <{i}>\n" for i in sorted(library)),
                      capture_output=True, text=True, check=True).stdout  # fmt: skip
seen += pathlib.Path(__file__).with_name("own_names.hip").read_text(encoding="utf-8")
names = sorted(set(names) - set(re.findall(r"\w+", seen)))
assert len(names) > 500 and "cases" in names, names
print(*(f"-D{n}=!" for n in names), sep="\n")
