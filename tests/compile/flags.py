#!/usr/bin/env python3
"""A compile_commands.json may be a stranger's: no option of a compiler, in any spelling, makes lint
write a file or load code. Walks all that the compilers' --help-hidden print, and clang's own (-cc1).
And what says what the source means still reaches the parser."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

CLANGS = [name for n in range(40, 14, -1) if shutil.which(name := f"clang-{n}")]  # hipcc's among them
DRIVERS = [[name, "--help-hidden"] for name in CLANGS]
PROPER = [CLANGS[0], "-cc1", "--help"]  # its options come behind -Xclang
BATCH = 32  # options of one command
KERNEL = "__attribute__((global)) void k(int *p) { *p = 1; }\n"
# The value of each option: a library that leaves a file behind where it is loaded.
CODE = """\
#include <fcntl.h>
__attribute__((constructor)) static void loaded(void)
{
	open("loaded", O_CREAT | O_WRONLY, 0600);
}
"""
# Flags, and a condition that the preprocessor has to find true with them.
NEEDED = [
    (["-DA=1", "-D", "B=2", "-DC", "-UC"], "A == 1 && B == 2 && !defined C"),
    (["-Wp,-DA=1,-DB", "-Xpreprocessor", "-DC=2"], "A == 1 && defined B && C == 2"),
    (["-Xclang", "-D", "-Xclang", "A=3", "-Xarch_device", "-DB"], "A == 3 && defined B"),
    (["-Iinc"], '__has_include("a.h")'),
    (["-I", "inc", "-nostdinc"], "__has_include(<a.h>)"),
    (["-isystem", "inc"], "__has_include(<a.h>)"),
    (["-iquote", "inc"], '__has_include("a.h") && !__has_include(<a.h>)'),
    (["-idirafter", "inc"], "__has_include(<a.h>)"),
    (["-isysroot", "inc", "-Xclang", "-iwithsysroot", "-Xclang", "/sub"], "__has_include(<b.h>)"),
    (["-include", "inc/a.h"], "HAS_A"),
    (["-Xclang", "-include", "-Xclang", "inc/a.h"], "HAS_A"),
    (["-imacros", "inc/a.h"], "HAS_A"),
    # what is left behind takes its value along
    (["-mllvm", "-DA", "-MF", "-DB", "-MJ", "-DC", "-Xlinker", "-DD"],
     "!defined A && !defined B && !defined C && !defined D"),
    (["-std=c++11"], "__cplusplus == 201103L"),
    (["-fno-exceptions", "-fno-rtti"], "!defined __cpp_exceptions && !defined __cpp_rtti"),
    (["-funsigned-char"], "defined __CHAR_UNSIGNED__"),
    (["-O2", "-ffast-math"], "defined __OPTIMIZE__ && defined __FAST_MATH__"),
    (["-mcumode", "-mwavefrontsize64", "-x", "hip"], "defined __HIP__"),
    (["-Werror=undef", "-Wundef"], "!0"),
]


def options(command):
    """(name, whether it has a value), as the help says."""
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^  (-[^\s<=\[,]+)([= ]?[<\[=]\S*)?", text, re.M)
    return {(name, bool(value)) for name, value in found}


def spellings(name, has_value, victim):
    if has_value:
        return [[f"{name}={victim}"], [name, victim], [name + victim]]
    return [[name]]


def all_spellings(victim):
    driver = [w for option in sorted(set().union(*map(options, DRIVERS))) for w in spellings(*option, victim)]
    proper = [w for option in sorted(options(PROPER)) for w in spellings(*option, victim)]
    return driver + [[w for word in words for w in ("-Xclang", word)] for words in proper]


class Place:
    """The directory that all commands run in; lint must leave it as it is."""

    def __init__(self):
        self.at = pathlib.Path("place").absolute()
        self.victim = self.at / "victim.so"
        (self.at / "inc/sub").mkdir(parents=True)
        (self.at / "inc/a.h").write_text("#define HAS_A 1\n")
        (self.at / "inc/sub/b.h").write_text("")
        pathlib.Path("code.c").write_text(CODE)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.victim, "code.c"], check=True)
        self.names = []

    def state(self):
        return {str(p): p.read_bytes() if p.is_file() else None for p in self.at.rglob("*")}

    def lint(self, commands, texts):
        """The numbers of the commands that do not parse, and the files that changed."""
        build = pathlib.Path("build")
        build.mkdir(exist_ok=True)
        entries = []
        for i, (flags, text) in enumerate(zip(commands, texts)):
            name = f"k{i}.hip"
            (self.at / name).write_text(text)
            entries.append({"directory": str(self.at), "file": name,
                            "arguments": ["clang++", "-x", "hip", "-nogpuinc", *flags, "-c", name]})
        (build / "compile_commands.json").write_text(json.dumps(entries))
        before = self.state()
        ran = subprocess.run([tool.UNPHI, "lint", "-p", build, "--target", "gfx90a", "--no-cache"],
                             capture_output=True, text=True, errors="replace", timeout=600, check=False)
        after = self.state()
        changed = [p for p in sorted({*before, *after}) if before.get(p, 0) != after.get(p, 0)]
        for p in changed:
            if before.get(p):
                pathlib.Path(p).write_bytes(before[p])
        failed = {int(n) for n in re.findall(r"error: \S*?\bk(\d+)\.hip: ", ran.stderr)}
        return failed, changed


def check_options(place):
    """Many options in one command; those of a command that does not parse once more, in halves, as
    the error may hide what another one does."""
    words = all_spellings(str(place.victim))
    if len(words) < 3000:
        tool.not_ok("flags/options", f"the compilers print only {len(words)}")
        return
    parts = [words[i:i + BATCH] for i in range(0, len(words), BATCH)]
    bad = []
    while parts:
        failed, changed = place.lint([sum(part, []) for part in parts], [KERNEL] * len(parts))
        bad += changed
        halves = []
        for part in (parts[i] for i in sorted(failed) if len(parts[i]) > 1):
            middle = len(part) // 2
            halves += [part[:middle], part[middle:]]
        parts = halves
    tool.check("flags/options", [f"lint wrote {p}" for p in bad])


def check_needed(place):
    texts = [f"#if !({condition})\n#error lost\n#endif\n{KERNEL}" for _, condition in NEEDED]
    failed, _ = place.lint([flags for flags, _ in NEEDED], texts)
    tool.check("flags/needed", [f"{' '.join(NEEDED[i][0])}: {NEEDED[i][1]} is false" for i in sorted(failed)])


def main():
    place = Place()
    check_needed(place)
    check_options(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
