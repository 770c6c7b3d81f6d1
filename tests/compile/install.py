#!/usr/bin/env python3
"""What meson install gives: a binary that works wherever it is moved to, the manual, and completions
that each shell takes and that know the options of the help."""

import os
import pathlib
import pty
import re
import select
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from tool import ALL, ROOT, UNPHI, check, run, skip  # noqa: E402

COMMANDS = ("lint", "rewrite", "measure", "verify", "explain", "cc", "lock")
BASH = "share/bash-completion/completions/unphi"
ZSH = "share/zsh/site-functions/_unphi"
FISH = "share/fish/vendor_completions.d/unphi.fish"
MAN = "share/man/man1/unphi.1"

KERNEL = """__attribute__((global)) void plain(float *p, int c)
{
	float acc[64] = {};
	for (int t = 0; t < c; ++t) {
		if (t < p[2]) {
			for (int i = 0; i < 64; ++i) acc[i] *= p[3];
		} else {
			for (int i = 0; i < 64; ++i) acc[i] += p[t];
		}
	}
	p[0] = acc[3];
}
"""

# A line up to the cursor, and what one press of the tab key makes of it.
TYPED = {
    "unphi rew": "unphi rewrite ",
    "unphi lint --form": "unphi lint --format ",
    "unphi lint --format sa": "unphi lint --format sarif ",
    "unphi lint --format=sa": "unphi lint --format=sarif ",
    "unphi ledger --format sa": "unphi ledger --format sa",
    "unphi rewrite --strategy seq": "unphi rewrite --strategy sequentialize ",
    "unphi lint --target gfx90a,gfx110": "unphi lint --target gfx90a,gfx110",
    "unphi lint --target gfx90a,gfx908,gfx95": "unphi lint --target gfx90a,gfx908,gfx950",
    "unphi lint --checks -unphi-phi": "unphi lint --checks -unphi-phi-explosion",
    "unphi explain unphi-p": "unphi explain unphi-phi-explosion ",
    "unphi rewrite -o some": "unphi rewrite -o some\\ kernel.hip ",
    "unphi rewrite some": "unphi rewrite some\\ kernel.hip ",
    "unphi lint -p di": "unphi lint -p directory/",
    "unphi lint -p some": "unphi lint -p some",
    "unphi lint -j some": "unphi lint -j some",
    "unphi lint x.hip -- some": "unphi lint x.hip -- some\\ kernel.hip ",
}

# zsh puts '=' and ',' where more is to come.
TYPED_ZSH = {
    "unphi rew": "unphi rewrite ",
    "unphi lint --form": "unphi lint --format=",
    "unphi lint --format sa": "unphi lint --format sarif ",
    "unphi ledger --format sa": "unphi ledger --format sa",
    "unphi lint --target gfx90a,gfx908,gfx95": "unphi lint --target gfx90a,gfx908,gfx950,",
    "unphi explain unphi-p": "unphi explain unphi-phi-explosion ",
    "unphi lint -p di": "unphi lint -p directory/",
    "unphi lint x.hip -- some": "unphi lint x.hip -- some\\ kernel.hip ",
}


def check_package(top):
    """debian/: the version is Meson's; with --all, it builds and lintian has nothing to say."""
    name = "compile/install/deb"
    meson = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]
    first = (ROOT / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
    control = (ROOT / "debian/control").read_text(encoding="utf-8")
    wrong = [] if f"unphi ({meson})" in first else [f"debian/changelog begins with {first}, meson.build has {meson}"]
    wrong += [f"debian/control names a version of libclang: {v}" for v in re.findall(r"libclang\S*-\d+\S*", control)]
    check(f"{name}-control", wrong)
    lacking = [t for t in ("dpkg-buildpackage", "dh", "lintian", "dpkg-checkbuilddeps") if not shutil.which(t)]
    if not lacking and run("dpkg-checkbuilddeps", str(ROOT / "debian/control")).returncode:
        lacking = ["what debian/control builds with"]
    made(name, lacking, "scripts/deb", top / "deb")


def check_wheel(top):
    has = any(run(p, "-c", "import mesonpy, venv").returncode == 0 for p in ("python3", "/usr/bin/python3"))
    made("compile/install/wheel", [] if has else ["meson-python"], "scripts/wheel", top / "wheel")


def made(name, lacking, script, where):
    """With --all, a script that builds a package and checks it passes."""
    if not ALL:
        skip(name, "a package is built with --all")
    elif lacking:
        skip(name, f"{', '.join(lacking)} not found")
    else:
        done = run(str(ROOT / script), str(where))
        check(name, [done.stdout + done.stderr] if done.returncode else [])


def install(top):
    """The installed prefix, moved away from where meson put it."""
    stage = top / "stage"
    done = run("meson", "install", "-C", os.environ["UNPHI_BUILD"], "--no-rebuild", "--quiet",
               "--destdir", stage)
    binaries = list(stage.rglob("bin/unphi"))
    if done.returncode or len(binaries) != 1:
        raise SystemExit(f"not ok compile/install: meson install: {done.stdout}{done.stderr}")
    moved = top / "moved here"
    shutil.move(binaries[0].parents[1], moved)
    shutil.rmtree(stage)
    return moved


def check_binary(moved):
    binary = moved / "bin" / "unphi"
    plain = moved.parent / "plain.hip"
    plain.write_text(KERNEL, encoding="utf-8")
    wrong = []
    for words, code in ((["--version"], 0), (["explain", "unphi-phi-explosion"], 0),
                        (["lint", plain, "--target", "gfx90a", "--", "-nogpuinc"], 1)):
        here, there = run(UNPHI, *words), run(binary, *words, cwd="/", env={})
        if there.returncode != code or there.stdout != here.stdout:
            wrong.append(f"{words[0]}: exit code {there.returncode}: {there.stderr}")
    if not re.search(r"^libclang: .*\d", run(binary, "--version").stdout, re.M):
        wrong.append("--version does not say which libclang")
    check("compile/install/moved", wrong)


def check_libclang(moved, top):
    """It is loaded for a parse only, and there is a word when it cannot be."""
    broken = top / "broken"
    broken.mkdir()
    soname = re.search(rb"libclang(-\d+)?\.so\.[\d.]+", (moved / "bin" / "unphi").read_bytes())
    library = broken / soname.group().decode()
    library.touch()
    wrong = []
    named, path = {"UNPHI_LIBCLANG": str(library)}, {"LD_LIBRARY_PATH": str(broken)}
    lint = ["lint", top / "plain.hip", "--target", "gfx90a", "--", "-nogpuinc"]
    for words, env, code, said in (
            (lint, named, 2, "UNPHI_LIBCLANG: "), (["--version"], named, 2, "UNPHI_LIBCLANG: "),
            (["--help"], named, 0, ""), (lint, path, 1, "")):  # there is another one
        done = run(moved / "bin" / "unphi", *words, env=env)
        if done.returncode != code or said not in done.stderr:
            wrong.append(f"{words[0]}: exit code {done.returncode}: {done.stderr}")
    check("compile/install/libclang", wrong)


def check_cmake(moved, top):
    """find_package(unphi) finds the package and the program beside the unphi in the path."""
    if not shutil.which("cmake"):
        return skip("compile/install/cmake", "cmake not found")
    (top / "find.cmake").write_text("find_package(unphi 0.9 REQUIRED)\nmessage(${unphi_VERSION} ${UNPHI_EXECUTABLE})\n")
    env = {**os.environ, "PATH": f"{moved / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = run("cmake", "-P", top / "find.cmake", env=env)
    (top / "find.cmake").write_text("find_package(unphi 99 REQUIRED)\n")
    newer = run("cmake", "-P", top / "find.cmake", env=env)
    return check("compile/install/cmake", [] if done.stderr.endswith(f"{moved}/bin/unphi\n") and newer.returncode
                 else [done.stderr + newer.stderr])


def options_in_help():
    """The long options of each subcommand."""
    return {c: re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", run(UNPHI, c, "--help").stdout, re.M)
            for c in COMMANDS}


def check_man(moved):
    text = (moved / MAN).read_text(encoding="utf-8").replace("\\-", "-")
    wrong = [f"nothing about {o}" for options in options_in_help().values() for o in options
             if o not in text]
    wrong += [f"nothing about {c}" for c in COMMANDS if f"unphi {c}" not in text]
    wrong += [f"left over: {line}" for line in text.splitlines() if line.startswith("@")]
    check("compile/install/man", wrong)


def read_until(terminal, end):
    text = b""
    while end not in text and select.select([terminal], [], [], 10)[0]:
        text += os.read(terminal, 4096)
    return text.decode()


# How a shell shows the line that it has for Ctrl-T, between angle brackets, and takes our script.
BASH_SETUP = (
    "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; "
    "bind -x '\"\\C-t\": printf \"<%s>\" \"$READLINE_LINE\"'; . '{script}'; echo rea''dy\n")
ZSH_SETUP = (
    "unsetopt beep; RPS1=; fpath=('{script.parent}' $fpath); autoload -Uz compinit; compinit -u -D; "
    "show() {{ print -rn -- \"<$BUFFER>\" }}; zle -N show; bindkey '^T' show; print rea''dy\n")


def press_tab(shell, setup, lines, directory):
    """What an interactive shell makes of each line."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(directory)
        os.environ.update(TERM="dumb", PS1="", INPUTRC="/dev/null")
        os.execvp(shell[0], shell)
    os.write(terminal, setup.encode())
    read_until(terminal, b"ready")
    made = {}
    for line in lines:
        os.write(terminal, line.encode() + b"\t\x14")
        found = re.search(r"<(.*)>", read_until(terminal, b">"))
        made[line] = found.group(1) if found else None
        os.write(terminal, b"\x15")
    os.close(terminal)
    os.waitpid(pid, 0)
    return made


def check_tab(name, shell, setup, typed, directory):
    made = press_tab(shell, setup, typed, directory)
    check(f"compile/install/{name}-tab", [f"'{line}' becomes '{made[line]}', not '{want}'"
                                          for line, want in typed.items() if made[line] != want])


def check_bash(moved, top):
    script = moved / BASH
    done = run("bash", "-n", script)
    check("compile/install/bash-syntax", [done.stderr] if done.returncode else [])
    work = top / "work"
    (work / "directory").mkdir(parents=True)
    (work / "some kernel.hip").touch()
    check_tab("bash", ["bash", "--noprofile", "--norc", "-i"], BASH_SETUP.format(script=script), TYPED,
              work)
    call = f""". '{script}'
        for command in {' '.join(COMMANDS)}; do
            COMP_WORDS=(unphi $command --) COMP_CWORD=2 COMPREPLY=()
            _unphi 2>/dev/null
            echo "$command ${{COMPREPLY[*]}}"
        done"""
    lines = [line.split() for line in run("bash", "-c", call).stdout.splitlines()]
    offered = {command: options for command, *options in lines}
    check("compile/install/bash-options", [
        f"{command}: {offered.get(command)}, not {options}"
        for command, options in options_in_help().items()
        if sorted(offered.get(command, [])) != sorted(options)])  # help has them in groups


def check_other_shells(moved, top):
    for shell, script in (("zsh", ZSH), ("fish", FISH)):
        if not shutil.which(shell):
            skip(f"compile/install/{shell}-syntax", f"{shell} not found")
            continue
        done = run(shell, "-n", moved / script)
        check(f"compile/install/{shell}-syntax", [done.stderr] if done.returncode else [])
    for shell, script in (("zsh", ZSH), ("fish", FISH)):
        text = (moved / script).read_text(encoding="utf-8")
        options = sorted({o for some in options_in_help().values() for o in some})
        spelled = "-l {}" if shell == "fish" else "--{}"
        check(f"compile/install/{shell}-options", [
            f"nothing about {o}" for o in options if spelled.format(o[2:]) not in text])
    if shutil.which("zsh"):
        check_tab("zsh", ["zsh", "-f", "-i"], ZSH_SETUP.format(script=moved / ZSH), TYPED_ZSH,
                  top / "work")
    if shutil.which("fish"):
        call = f"source '{moved / FISH}'; complete -C 'unphi lint --format sa'"
        said = run("fish", "--no-config", "-c", call).stdout
        check("compile/install/fish-call", [] if said.startswith("sarif") else [said])


def check_without_cmocka(top):
    """By hand, with what README names: the tool is built, without the tests, which need cmocka."""
    libdir = top / "pc"
    libdir.mkdir()
    found = run("pkg-config", "--variable", "pc_path", "pkg-config").stdout.strip()
    for pc in (pc for d in found.split(":") for pc in pathlib.Path(d).glob("*.pc") if "cmocka" not in pc.name):
        (libdir / pc.name).symlink_to(pc)
    env = {**os.environ, "PKG_CONFIG_LIBDIR": str(libdir), "PKG_CONFIG_PATH": "", "CMAKE": "false"}
    made = run("meson", "setup", top / "plain", cwd=ROOT, env=env)
    steps = run("ninja", "-C", top / "plain", "-n", env=env).stdout
    asked = run("meson", "setup", top / "asked", "-Dtests=enabled", cwd=ROOT, env=env)
    wrong = [] if made.returncode == 0 else [made.stdout[-500:]]
    wrong += [] if "Linking target unphi" in steps and "tests/" not in steps else ["steps of the build: " + steps[-500:]]
    wrong += [] if asked.returncode and "cmocka" in asked.stdout else ["-Dtests=enabled does not ask for cmocka"]
    check("compile/install/without-cmocka", wrong)


def main():
    with tempfile.TemporaryDirectory(dir=".") as name:
        top = pathlib.Path(name).resolve()
        moved = install(top)
        check_binary(moved)
        check_libclang(moved, top)
        check_cmake(moved, top)
        check_man(moved)
        check_bash(moved, top)
        check_other_shells(moved, top)
        check_package(top)
        check_wheel(top)
        check_without_cmocka(top)


sys.exit(main())
