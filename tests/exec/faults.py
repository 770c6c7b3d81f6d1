#!/usr/bin/env python3
"""faults.py: what a compiler wrote is spoiled by text, one fault each, and `verify --on isa` has to see
every one. What it wrote itself has none."""

import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
import tool  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "faults"
FLAGS = ("-nogpuinc", "-ffp-contract=off", f"-I{tool.ROOT}/tests/golden/rewrite/Inputs")

# (name, kernel, what to replace, by what, what is said). Every fault is one replacement in its kernel.
FAULTS = (
    ("skip-dropped", "skipped", r"\ts_cbranch_execz .*\n", "", r"a matrix operation under EXEC 0"),
    ("joined", "apart", r"\tv_mul_f32_e32 (v\d+), (v\d+), (v\d+)\n(.*\n)\tv_add_f32_e32 (v\d+), \1, (v\d+)\n",
     r"\4\tv_fma_f32 \5, \2, \3, \6\n", r"^  unequal .* values differ"),
    ("vector-wait-dropped", "turned", r"\ts_waitcnt vmcnt\(0\)\n", "", r"reads v\d+, which the load in line \d+"),
    ("scalar-wait-dropped", "apart", r"\ts_waitcnt lgkmcnt\(0\)\n", "", r"reads s\d+, which the load in line \d+"),
    ("wait-too-weak", "apart", r"\ts_waitcnt vmcnt\(1\)\n", "\ts_waitcnt vmcnt(2)\n", r"reads v\d+, which the load"),
    ("lds-wait-dropped", "turned", r"(ds_read_b32 .*\n)(?:.*\n)?\ts_waitcnt lgkmcnt\(0\)\n", r"\1",
     r"reads v\d+, which the load"),
    ("slot-overwritten", "spilled", r"(\tbuffer_store_dword v\d+, off, s\[\d+:\d+\], 0 offset:)8 ", r"\g<1>4 ",
     r"^  unequal |uninitialized"),
    ("beyond-scratch", "spilled", r"(\tbuffer_store_dword v\d+, off, s\[\d+:\d+\], 0 offset:)8 ", r"\g<1>4000 ",
     r"byte 4000 of scratch"),
    ("barrier-dropped", "turned", r"\ts_barrier\n", "", r"there is no barrier between, or no wait before it"),
    ("wait-before-barrier-dropped", "turned", r"(ds_write_b32 .*\n(?:.*\n)??)\ts_waitcnt lgkmcnt\(0\)\n", r"\1",
     r"there is no barrier between, or no wait before it"),
    ("barrier-left", "turned", r"\ts_barrier\n", "\tv_readfirstlane_b32 s6, v0\n\ts_cmp_eq_u32 s6, 0\n"
     "\ts_cbranch_scc1 .Lbehind\n\ts_endpgm\n.Lbehind:\n\ts_barrier\n", r"a barrier that wave 1 never reaches"),
    ("beyond-lds", "turned", r"(\tds_read_b32 v\d+, v\d+)", r"\1 offset:4096", r"of LDS, which has 512"),
    ("out-of-bounds", "turned", r"(\tglobal_load_dword v\d+, v\d+, s\[\d+:\d+\])", r"\1 offset:-8",
     r"which is in no buffer"),
    ("address-undefined", "turned", r"\tv_xor_b32_e32 .*\n", "", r"the address depends on an uninitialized"),
    ("stored-undefined", "apart", r"\tv_add_f32_e32 (v\d+), v\d+, (v\d+)\n", r"\tv_add_f32_e32 \1, v77, \2\n",
     r"the stored value depends on an uninitialized"),
    ("lanes-off", "skipped", r"\ts_cbranch_execz .*\n", "\ts_mov_b64 exec, 1\n", r"a matrix operation under EXEC 0x?1"),
    ("branch-undefined", "skipped", r"(\ts_and_saveexec_b64 .*)vcc\n", r"\1s[60:61]\n",
     r"depends on an uninitialized"),
)


PLACE = r"line \d+ \([\w.]+:\d+\), group \d+,\d+,\d+ wave \d+: "  # of every error


def compiled():
    out = pathlib.Path("faults.s")
    line = [tool.CLANG, "-x", "hip", "--offload-device-only", "--offload-arch=gfx90a", "-O3", "-nogpulib",
            "-gline-tables-only", *FLAGS, "-S", "-o", str(out), str(HERE / "faults.hip")]
    subprocess.run(line, check=True)
    return out.read_text(encoding="utf-8")


def spoiled(text, kernel, what, by):
    """The text with the first place in the kernel replaced, or None."""
    begin = text.index(f"\n{kernel}:")
    end = text.index("\n.Lfunc_end", begin)
    lines, places = [], {}
    for line in text[begin:end].split("\n"):
        if line.startswith(("\t.loc", "\t.file", ".Ltmp")):
            places.setdefault(len(lines), []).append(line)
        else:
            lines.append(line)
    new, n = re.subn(what, by, "\n".join(lines), count=1)
    if not n:
        return None
    out, at = [], 0
    for line in new.split("\n"):  # each with the place that it had
        found = next((i for i in range(at, min(at + 8, len(lines))) if lines[i] == line), None)
        if found is not None:
            out += [place for i in range(at, found + 1) for place in places.get(i, ())]
            at = found + 1
        out.append(line)
    return text[:begin] + "\n".join(out) + text[end:]


def run(paths):
    argv = [tool.UNPHI, "verify", "--on", "isa", "--compiler", tool.CLANG, "--spec", str(HERE / "faults.verify.yaml"),
            str(HERE / "faults.hip"), *paths, "--", *FLAGS]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def case(said, kernel):
    """What is said of a kernel, over its lines."""
    found = re.search(rf"^  \w+ +{kernel}\b.*\n(?:    .*\n)*", said, re.M)
    return found[0] if found else ""


def check_counts():
    """What measure --run says of the same kernels."""
    argv = [tool.UNPHI, "measure", str(HERE / "faults.hip"), "--run", "--spec", str(HERE / "faults.verify.yaml"),
            "--compiler", tool.CLANG, "--format", "json", "--", *FLAGS]
    result = subprocess.run(argv, capture_output=True, text=True, check=False)
    if result.returncode:
        tool.not_ok("faults/counts", result.stderr)
        return
    runs = {run["case"]: run for run in json.loads(result.stdout)["runs"]}
    classes = {name: run["classes"] for name, run in runs.items()}
    wrong = []
    wrong += [] if "matrix" not in classes["skipped"] else ["a matrix operation ran that was skipped"]
    wrong += [] if classes["turned"]["barriers"]["instructions"] == 2 else ["not a barrier for each wave"]
    wrong += [] if runs["turned"]["lds_bytes"] == 2 * 128 * 4 else ["other bytes of LDS"]
    wrong += [] if runs["apart"]["global_bytes"] == 4 * 128 * 4 else ["other bytes of global memory"]
    wrong += [] if runs["spilled"]["scratch_bytes"] > 0 == runs["apart"]["scratch_bytes"] else ["scratch bytes"]
    for name, run in runs.items():
        by_line = sum(line["instructions"] for line in run["lines"])
        wrong += [] if by_line == run["instructions"] else [f"{name}: lines have {by_line} instructions"]
    lines = {line["line"] for line in runs["turned"]["lines"] if line["file"].endswith("faults.hip")}
    source = (HERE / "faults.hip").read_text(encoding="utf-8").split("\n")
    wrong += [] if any("tile[127" in source[n - 1] for n in lines) else [f"lines {lines}"]
    argv[argv.index("json")] = "html"
    page = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
    row = re.search(r"tile\[127 - item\(\)\];</code><td class=n[^>]*>\d+<td class=n>\d+", page)
    wrong += [] if row else ["the page has no counts beside the source"]
    tool.check("faults/counts", wrong)


ASM = """extern "C" __attribute__((global)) void loads(const float *in, float *out)
{
#ifdef __AMDGCN__
	float x;
	asm volatile("global_load_dword %0, %1, %2" : "=v"(x) : "v"(0), "s"(in));
	*out = x;
#else
	*out = *in;
#endif
}
"""


def check_asm():
    """A load in inline assembly, whose wait is nobody's: in the source itself, so that nothing is known of it."""
    pathlib.Path("asm.hip").write_text(ASM, encoding="utf-8")
    spec = """targets: [gfx90a]
kernels:
  - kernel: loads
    grid: 1
    block: 1
    buffers: {in: {type: f32, length: 1, fill: {values: [2]}}, out: {type: f32, length: 1}}
    arguments: {in: in, out: out}
"""
    pathlib.Path("asm.verify.yaml").write_text(spec, encoding="utf-8")
    argv = [tool.UNPHI, "verify", "asm.hip", "asm.hip", "--on", "isa", "--compiler", tool.CLANG, "--", *FLAGS]
    result = subprocess.run(argv, capture_output=True, text=True, check=False)
    found = re.search(r"unknown +loads.*\n.*\(asm\.hip:6\).*reads v\d+, which the load in line \d+ may not have written yet", result.stdout)
    tool.check("faults/asm", [] if found and result.returncode == 3 else [result.stdout + result.stderr])


def check_rejected(text):
    """A text that the assembler rejects does not run."""
    pathlib.Path("rejected.s").write_text(text.replace("s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(99)"), encoding="utf-8")
    result = run(["rejected.s"])
    found = re.search(r"line \d+: the assembler rejects it: .*vmcnt", result.stdout)
    tool.check("faults/rejected", [] if found and result.returncode == 3 else [result.stdout + result.stderr])


def check_linked():
    """Code objects, as a linker leaves them, in place of the text of -S: the same bits, and the same errors."""
    wrong = []
    for target in ("gfx90a", "gfx1100"):
        line = [tool.CLANG, "-x", "hip", "--offload-device-only", f"--offload-arch={target}", "-O3", "-nogpulib",
                "-gline-tables-only", *FLAGS, "--no-gpu-bundle-output", "-o", f"{target}.co", str(HERE / "linked.hip")]
        subprocess.run(line, check=True)
        argv = [tool.UNPHI, "verify", "--on", "isa", "--compiler", tool.CLANG, "--target", target,
                str(HERE / "linked.hip"), f"{target}.co", "--", *FLAGS]
        result = subprocess.run(argv, capture_output=True, text=True, check=False)
        wrong += [] if "2 of 2 cases equal" in result.stdout else [result.stdout + result.stderr]
    tool.check("faults/linked", wrong)
    before, kernel = compiled().split("\nturned:", 1)
    late = before + "\nturned:" + kernel.replace("\ts_waitcnt vmcnt(0)\n", "", 1)
    pathlib.Path("late.s").write_text(late, encoding="utf-8")
    line = [tool.CLANG, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "late.s", "-o", "late.co"]
    subprocess.run(line, check=True)
    said = case(run(["late.co"]).stdout, "turned")
    found = re.search(r"address 0x\w+ \(faults\.hip:\d+\), group 0,0,0 wave 0: reads v\d+, which the load in address", said)
    tool.check("faults/linked-line", [] if found else [said])
    argv = [tool.UNPHI, "verify", "--on", "cpu", str(HERE / "linked.hip"), "gfx90a.co"]
    result = subprocess.run(argv, capture_output=True, text=True, check=False)
    good = result.returncode == 2 and "gfx90a.co: machine code requires --on isa" in result.stderr
    tool.check("faults/linked-elsewhere", [] if good else [result.stderr])
    pathlib.Path("cut.co").write_bytes(pathlib.Path("late.co").read_bytes()[:3000])
    result = run(["cut.co"])
    good = result.returncode in (2, 3) and "cut.co" in result.stderr
    subprocess.run([tool.CLANG, "-x", "c", "-c", "-o", "unlinked.o", "/dev/null"], check=True)  # as of the host's code alone
    said = run(["unlinked.o"]).stderr
    tool.check("faults/unlinked", [] if "of -fgpu-rdc, name what the linker made" in said else [said])
    tool.check("faults/linked-cut", [] if good else [f"{result.returncode}: {result.stdout}{result.stderr}"])


def main():
    if tool.CLANG not in tool.compilers():
        tool.skip("faults", f"{tool.CLANG} not found")
        return
    text = compiled()
    pathlib.Path("clean.s").write_text(text, encoding="utf-8")
    paths, missing = ["clean.s"], []
    for name, kernel, what, by, _ in FAULTS:
        new = spoiled(text, kernel, what, by)
        missing += [] if new else [name]
        pathlib.Path(f"{name}.s").write_text(new or text, encoding="utf-8")
        paths.append(f"{name}.s")
    result = run(paths)
    parts = dict(re.findall(r"^(\S+)\.s:\n((?:  .*\n)*)", result.stdout, re.M))
    tool.check("faults/clean", [] if "4 of 4 cases equal" in parts.get("clean", "") else
               [parts.get("clean", result.stdout + result.stderr)])
    for name, kernel, _, _, want in FAULTS:
        said = case(parts.get(name, ""), kernel)
        wrong = ["the compiler's output has no such place"] if name in missing else []
        if not wrong and not re.search(want, said, re.M):
            wrong = [f"not seen: {said.strip() or result.stderr.strip()}"]
        if not wrong and "unequal" not in said and not re.search(PLACE, said):
            wrong = [f"without its line, group and wave: {said.strip()}"]
        tool.check(f"faults/{name}", wrong)
    at = parts.get("vector-wait-dropped", "")
    tool.check("faults/source-line", [] if re.search(r"line \d+ \(faults\.hip:\d+\), group 0,0,0 wave 0", at) else [at])
    check_counts()
    check_asm()
    check_rejected(text)
    check_linked()
    tool.check("faults/exit", [] if result.returncode == 1 else [f"exit {result.returncode}: {result.stderr}"])


if __name__ == "__main__":
    main()
