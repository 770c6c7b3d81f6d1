#!/usr/bin/env python3
"""embed.py OUTPUT FILE...: config/embed.py for the wave runner, whose headers a user's macros must not change.

A file that a launcher or a kernel includes hides the user's macros while it is read: every identifier of these files that
is neither reserved nor a macro itself is pushed and undefined at its beginning, and popped at its end. names.h and
names_end.h do that, and launcher.c includes names.h once more."""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEYWORDS = set("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class concept const const_cast
constexpr continue co_await co_return co_yield compl decltype default defined delete do double dynamic_cast else enum explicit
export extern false final float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or
or_eq override private protected public register reinterpret_cast requires return short signed sizeof static static_assert
static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual
void volatile wchar_t while xor xor_eq""".split())
# Macros of the C library, which have to stay.
LIBRARY = set("""CHAR_BIT CLOCKS_PER_SEC EINTR EOF ERANGE INFINITY INT_MAX INT_MIN ITIMER_PROF ITIMER_REAL MAP_ANONYMOUS MAP_FAILED
MAP_FIXED MAP_NORESERVE MAP_PRIVATE MAP_SHARED M_PI M_SQRT1_2 NAN NULL O_RDONLY O_WRONLY PROT_EXEC PROT_NONE PROT_READ PROT_WRITE RLIMIT_CPU SEEK_CUR SEEK_SET
UINT_MAX WEXITSTATUS WIFEXITED assert errno offsetof stderr stdin stdout""".split())
STRIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>.*$", re.M)
ONCE = "#pragma GCC system_header\n"


def is_guarded(path):
    name = path.relative_to(HERE).as_posix()
    return name.startswith("runtime/hip/") or (name.startswith("launch_") and name != "launch_gpu.hpp")


def names_of(paths):
    text = "\n".join(STRIPPED.sub(" ", p.read_text(encoding="utf-8")) for p in paths)
    macros = set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M))
    asked = set(re.findall(r"[A-Za-z_]\w*", "\n".join(re.findall(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*$", text, re.M))))
    code = re.sub(r"^\s*#\s*(?:include|pragma|undef|if|ifdef|ifndef|elif|else|endif|error)\b.*$", "", text, flags=re.M)
    found = set(re.findall(r"(?<![\w])[A-Za-z_]\w*", re.sub(r"\b0[xX][\w.+-]*|\b\d[\w.]*", " ", code)))
    return sorted(n for n in found - KEYWORDS - LIBRARY - macros - asked
                  if not n.startswith("_") and not n.lower().startswith("unphi_"))  # fmt: skip


def guarded(text):
    """Adds names.h after the pragma that makes the text a system header, and names_end.h at its end."""
    at = text.index(ONCE) + len(ONCE)
    return text[:at] + "#include <runtime/unphi/names.h>\n" + text[at:] + "\n#include <runtime/unphi/names_end.h>\n"


def main():
    out, *files = sys.argv[1:]
    paths = [pathlib.Path(f).resolve() for f in files]
    host = [p for p in paths if "cuda" not in p.parts and p.name != "launch_gpu.hpp" and p.suffix != ".cpp"]
    names = names_of(host)
    system = sorted({i for p in host for i in INCLUDE.findall(p.read_text(encoding="utf-8")) if not re.match(r"hip/|unphi/|launch", i)})
    if out == "-":
        print(*names, sep="\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        texts = {p.relative_to(HERE): p.read_text(encoding="utf-8") for p in paths}
        texts.update({p.relative_to(HERE): guarded(p.read_text(encoding="utf-8")) for p in host if is_guarded(p)})
        begin = [f"#include <{i}>" for i in system] + [f'#pragma push_macro("{n}")\n#undef {n}' for n in names]
        end = [f'#pragma pop_macro("{n}")' for n in names]
        for name, lines in (("names.h", begin), ("names_end.h", end)):
            texts[pathlib.PurePath("runtime/unphi", name)] = "#pragma GCC system_header\n" + "\n".join(lines) + "\n"
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        subprocess.run([sys.executable, HERE.parent / "config" / "embed.py", "--name", "runtime_files", "--root", root, out,
                        *(root / n for n in sorted(texts))], check=True)  # fmt: skip


if __name__ == "__main__":
    main()
