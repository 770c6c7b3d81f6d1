"""entries.py DIR FLAGS FILE...: DIR/compile_commands.json, with clang++ FLAGS for each file; FILE+WORD adds
a word to its flags, FILE@DIR is compiled there."""

import json
import pathlib
import sys

top, flags, *files = sys.argv[1:]
entries = []
for file in files:
    name, _, directory = file.partition("@")
    name, *more = name.split("+")
    where = pathlib.Path(directory or ".").resolve()
    entries.append({"directory": str(where), "file": str(pathlib.Path(name).resolve()),
                    "arguments": ["clang++", "-nogpuinc", *flags.split(), *more, "-c", name]})
pathlib.Path(top).mkdir(exist_ok=True)
(pathlib.Path(top) / "compile_commands.json").write_text(json.dumps(entries))
