"""names.py UNPHI SOURCE: looks in the working directory at SOURCE under a name that begins a line and speaks to
terminals, with comments that speak to them; fails where the output does. Prints the output."""

import os
import re
import subprocess
import sys

unphi, source = sys.argv[1:]
name = b"v\n::error::mine \x1b[31m\xc2\x9b1m\x9b2m\xe2\x80\xaea.hip"
with open(source, "rb") as f:
    text = f.read().replace(b"{\n", b"{ /* \xc2\x9b3m \x9b4m \xe2\x80\xae \xe2\x81\xa6 */\n")
with open(name, "wb") as f:
    f.write(text)
with open(b"wrong" + name, "wb") as f:
    f.write(b"#error \xc2\x9b3m \x9b4m \xe2\x80\xae\n#include \"\x1b.h\"\nint x = ;\n")
flags = ["--", "-nogpuinc"]
at = ["--target", "gfx90a"]
forced = ["--strategy", "sequentialize", "-o", "/dev/null"]
commands = [(1, ["lint", name, *at, "--format", f, "--verbose"]) for f in ("text", "github", "html", "json", "sarif")]
commands += [(0, ["rewrite", name, *at, *forced, "--format", f]) for f in ("text", "html", "json")]
commands += [(3, ["lint", b"wrong" + name, *at])]
commands += [(2, [c, name + b"none", *at]) for c in ("lint", "rewrite", "measure", "verify", "merge", "ledger")]
commands += [(2, ["lint", name, "--config", name]), (2, ["lint", name, "--baseline", name]),
             (2, ["verify", name, "--spec", name, *at]), (2, ["lint", "-p", name]), (2, ["explain", name])]
for code, command in commands:
    given = [] if command[0] in ("merge",) or "-p" in command else flags
    got = subprocess.run([unphi, *command, *given], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    out = got.stdout
    sys.stdout.buffer.write(out)
    bad = re.search(rb"(?m)^\s*::error::mine|^\s*a\.hip", out) or re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", out)
    bad = bad or re.search("[\x80-\x9f\u202a-\u202e\u2066-\u2069]", out.decode("utf-8", "surrogateescape"))
    bad = bad or re.search("[\udc80-\udc9f]", out.decode("utf-8", "surrogateescape"))
    json = "json" in command or "sarif" in command
    if (bad and not json) or got.returncode != code:
        sys.exit(f"{command}: exit {got.returncode}, {bad}\n{out!r}")
