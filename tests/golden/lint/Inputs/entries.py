"""entries.py DIR ARGUMENTS...: DIR/compile_commands.json with an entry for each string of arguments of
a clang++ that is here, for the file that is behind -c."""

import json
import pathlib
import shutil
import sys

compiler = next(c for c in ("clang++", *(f"clang++-{n}" for n in range(40, 14, -1)), "hipcc") if shutil.which(c))

directory = pathlib.Path(sys.argv[1]).resolve()
entries = [{"directory": str(directory), "file": words.split("-c ")[1].split()[0],
            "command": f"{compiler} -nogpuinc -I../include {words}"} for words in sys.argv[2:]]
(directory / "compile_commands.json").write_text(json.dumps(entries))
