#!/usr/bin/env python3
"""Writes C source that holds the bytes of files, as struct embed_file NAME[] of embed.h. A file is
called by its base name, or with --root by its path from there."""

import argparse
import os

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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", default="embed_files")
    parser.add_argument("--root")
    parser.add_argument("out")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    named = {os.path.relpath(f, args.root) if args.root else os.path.basename(f): f
             for f in args.files}
    parts = ['#include "config/embed.h"\n',
             "extern const struct embed_file %s[];" % args.name,
             "extern const size_t %s_n;" % args.name,
             "const struct embed_file %s[] = {" % args.name]
    for name in sorted(named):
        with open(named[name], "rb") as f:
            data = f.read()
        parts.append('\t{"%s",\n\t\t{\n%s,\n\t\t%d}},' % (name, literal(data), len(data)))
    parts.append("};")
    parts.append("const size_t %s_n = %d;\n" % (args.name, len(named)))
    with open(args.out, "w", encoding="ascii", newline="\n") as f:
        f.write("\n".join(parts))


main()
