#!/usr/bin/env python3
"""embed.py OUT FILE...: writes C source that holds the files' bytes, for embed.h."""

import os
import sys

ESCAPES = {ord("\\"): "\\\\", ord('"'): '\\"', ord("\n"): "\\n", ord("\t"): "\\t"}


def escape(byte):
    if byte in ESCAPES:
        return ESCAPES[byte]
    # '?' as well, against trigraphs. Octal, as it ends after three digits; \x would not.
    if 32 <= byte < 127 and byte != ord("?"):
        return chr(byte)
    return "\\%03o" % byte


def literal(data):
    lines = data.splitlines(keepends=True) or [b""]
    return "\n".join('\t\t"%s"' % "".join(map(escape, line)) for line in lines)


def main():
    out, files = sys.argv[1], sys.argv[2:]
    parts = ['#include "config/embed.h"\n', "const struct embed_file embed_files[] = {"]
    for path in sorted(files, key=os.path.basename):
        with open(path, "rb") as f:
            data = f.read()
        name = os.path.basename(path)
        parts.append('\t{"%s",\n\t\t{\n%s,\n\t\t%d}},' % (name, literal(data), len(data)))
    parts.append("};")
    parts.append("const size_t embed_files_n = %d;\n" % len(files))
    with open(out, "w", encoding="ascii", newline="\n") as f:
        f.write("\n".join(parts))


main()
