"""Waves as the compiler reckons them, beside ours, for every kernel that a script measured. Nothing is
compiled for it: the compilers' output is what unphi has kept of its own compiles, and what the remark on
occupancy says stands in it as a comment (measure.py and the unit tests compare the two)."""

import json
import os
import pathlib
import re

import tool

# Figures of a kernel in our JSON, in the compiler's metadata, and as options of unphi occupancy.
FIGURES = (("vgprs", "vgpr_count", "vgpr"), ("acc_vgprs", "agpr_count", "agpr"),
           ("sgprs", "sgpr_count", "sgpr"), ("lds_bytes", "group_segment_fixed_size", "lds"),
           ("group_size", "max_flat_workgroup_size", "block"))
TARGET = re.compile(r'\.amdgcn_target "amdgcn-amd-amdhsa--(\w+)')
CLANG = re.compile(r'\.ident\s+".*?clang version (\d+)')


def metadata(isa, key):
    """{symbol: value} of a key of the kernels' metadata."""
    found = {}
    for block in re.split(r"\n  - (?=\.a)", isa.split(".amdgpu_metadata")[-1])[1:]:
        symbol = re.search(r"\.symbol: +(\S+)\.kd", block)
        value = re.search(rf"\.{key}: +(\d+)", block)
        if symbol and value:
            found[symbol.group(1)] = int(value.group(1))
    return found


def comment(isa, symbol):
    """The waves that stand behind a kernel's instructions; None where there are none."""
    at = isa.find(f"\t.size\t{symbol},")
    found = re.compile(r"; Occupancy: (\d+)").search(isa, at) if at >= 0 else None
    return int(found.group(1)) if found else None


def kept_outputs():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for path in pathlib.Path(cache, "unphi", "measure").glob("*"):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:  # others may drop it meanwhile
            continue
        begin = TARGET.search(text)
        clang = CLANG.search(text, begin.start()) if begin else None
        if clang and ".amdgpu_metadata" in text:
            yield begin.group(1), int(clang.group(1)), text


def said(wanted):
    """{(target, symbol, figures): {(version of clang, waves)}} for those wanted."""
    found = {}
    for target, clang, isa in kept_outputs():
        tables = [metadata(isa, key) for _, key, _ in FIGURES]
        for symbol in tables[0]:
            key = (target, symbol, tuple(table.get(symbol, 0) for table in tables))
            if key in wanted and comment(isa, symbol) is not None:
                found.setdefault(key, set()).add((clang, comment(isa, symbol)))
    return found


def reckoned(target, figures):
    """What unphi occupancy makes of the figures; as unphi measure, by registers alone where no
    work-group fits."""
    for names in (FIGURES, FIGURES[:3]):
        # a wave that needs no VGPR gets a granule all the same; 0 stands for unknown
        values = (figures[0] or 1, *figures[1:])
        given = [f"--{option}={value}" for (_, _, option), value in zip(names, values) if value]
        answer = tool.unphi("occupancy", "--target", target, "--format", "json", *given, codes=(0, 1))
        (mine,) = json.loads(answer.stdout)["occupancy"]
        if mine["fits"]:
            break
    return mine


def agrees(mine, clang, waves, target, lds):
    """Clang 17 to 19 count LDS and work-groups as remark_waves does; others count registers, and with
    LDS the waves of all work-groups for those of one SIMD. Clang 15 does not know that gfx1100 has half
    as many VGPRs again."""
    if 17 <= clang <= 19:
        return waves == mine["remark_waves"]
    if clang < 16 and target == "gfx1100":
        return waves <= mine["register_waves"]
    return (mine["remark_waves"] if lds else mine["register_waves"]) <= waves <= mine["register_waves"]


def check(name):
    """One result for all that was measured so far. What a cache has no longer is said, not passed."""
    wanted = {}
    for target, k in tool.MEASURED:
        figures = tuple(k[ours] or 0 for ours, _, _ in FIGURES)
        wanted[target, k["symbol"], figures] = k
    found, asked, wrong = said(wanted), {}, []
    for (target, symbol, figures), k in wanted.items():
        if (target, figures) not in asked:
            asked[target, figures] = reckoned(target, figures)
        mine = asked[target, figures]
        if mine["register_waves"] != k["register_waves"]:
            wrong.append(f"{k['name']} for {target}: unphi measure has {k['register_waves']} waves, "
                         f"unphi occupancy {mine['register_waves']}")
        wrong += [f"{k['name']} for {target} {figures}: clang {clang} says {waves} waves, we say "
                  f"{mine['remark_waves']}, by registers {mine['register_waves']}"
                  for clang, waves in found.get((target, symbol, figures), ())
                  if not agrees(mine, clang, waves, target, k["lds_bytes"])]
    if not found and tool.clang_of(tool.CLANG) >= tool.LINKS_LATE:
        tool.skip(f"{name}/occupancy", "code that is linked late says nothing of waves")
        return
    tool.check(f"{name}/occupancy", wrong or ([] if found else ["nothing to compare"]))
    if found and len(found) < len(wanted):
        tool.skip(f"{name}/occupancy-kept", f"the cache has no output of {len(wanted) - len(found)} "
                  f"of {len(wanted)} kernels")
