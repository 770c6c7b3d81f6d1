#!/usr/bin/env python3
"""unphi measure on the kernels of the project: the shape of its JSON, the compiler's own remark on
occupancy, and device libraries made for targets that the installed ones lack."""

import glob
import json
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import said  # noqa: E402
import tool  # noqa: E402

WORDS = {"name": str, "symbol": str, "trusted": bool, "why": (str, type(None)),
         "limiter": (str, type(None))}
METRICS = (
    "vgprs", "arch_vgprs", "acc_vgprs", "sgprs", "vgpr_spills", "sgpr_spills", "scratch_bytes",
    "scratch_accesses", "register_waves", "resident_waves", "lds_bytes", "group_size",
    "matrix_destinations", "matrix_operations", "fma", "mul_add", "unfused", "copies",
    "instructions", "weighted_instructions", "weighted_branches", "flat_accesses", "wide_phis", "calls", "matrix_unskipped", "lane_branch_matrix", "barriers", "cheapest_path",
    "costliest_path",
)
REMARK = re.compile(r"remark: .*(Function Name|Occupancy \[waves/SIMD\]): (\S+)")


def check_shape(name, measurements):
    wrong = []
    for m in measurements:
        if m["status"] != "ok" or not m["kernels"]:
            wrong.append(f"{m['file']}: {m['status']}, {len(m['kernels'])} kernels")
        for k in m["kernels"]:
            if set(k) != {*WORDS, *METRICS, "line"}:
                wrong.append(f"{k['name']}: keys {sorted({*WORDS, *METRICS, 'line'} ^ set(k))}")
            wrong += [f"{k['name']}: {w} is {k[w]!r}" for w, t in WORDS.items()
                      if not isinstance(k[w], t)]
            wrong += [f"{k['name']}: {m} is {k[m]!r}" for m in METRICS
                      if type(k[m]) is not int or k[m] < 0]
            if not k["trusted"] or k["calls"]:
                wrong.append(f"{k['name']}: not trusted: {k['why']}")
    tool.check(f"{name}/json", wrong)


def stand_in_libraries(compiler, target):
    """Device libraries for a target that the installed ones lack, as unphi makes them."""
    pathlib.Path("any.hip").write_text(PLAIN, encoding="utf-8")
    tool.measure(["any.hip"], target, compiler, "-nogpuinc")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    found = glob.glob(f"{cache}/unphi/devlib-{target}-{compiler.replace('++-', '')}-*")
    return [f"--rocm-device-lib-path={max(found, key=os.path.getmtime)}"] if found else []


def check_occupancy_command(compiler, target, path, *flags):
    """unphi occupancy, given the figures of one compile, against the remark of the same."""
    name = f"measure/occupancy/{compiler}-{target}/{pathlib.Path(path).stem}"
    argv = tool.device_compile(compiler, target)
    argv[argv.index(os.devnull)] = "-"
    done = tool.run(*argv, "-Rpass-analysis=kernel-resource-usage", *flags, path)
    waves, symbol, wrong = {}, None, []
    for what, value in REMARK.findall(done.stderr):
        if what == "Function Name":
            symbol = value
        else:
            waves[symbol] = int(value)
    options = {"vgpr": "vgpr_count", "agpr": "agpr_count", "sgpr": "sgpr_count",
               "wave": "wavefront_size"}
    figures = {option: said.metadata(done.stdout, key) for option, key in options.items()}
    for symbol, remark in waves.items():
        if figures["sgpr"].get(symbol, 0) > 80 and tool.clang_of(compiler) < 23:
            continue  # of more SGPRs older clangs say too much (rules/targets.yaml)
        given = [f"--{option}={figures[option][symbol]}" for option in options
                 if figures[option].get(symbol)]
        answer = tool.unphi("occupancy", "--target", target, "--format", "json", *given).stdout
        (mine,) = json.loads(answer)["occupancy"]
        if mine["register_waves"] != remark:
            wrong.append(f"{symbol}: {mine['register_waves']} for {given}, the compiler says {remark}")
        if said.comment(done.stdout, symbol) != remark:
            wrong.append(f"{symbol}: the comment is not what the remark says, {remark}")
    tool.check(name, wrong or ([] if waves else ["no remark"]))


LIBRARY = """
extern "C" __attribute__((device, const)) unsigned long __ockl_get_local_id(unsigned);
extern "C" __attribute__((global)) void k(float *out)
{
	out[__ockl_get_local_id(0)] = 1;
}
"""


def check_stand_in(compiler, target):
    """With an empty cache, and with none that can be written to."""
    path = pathlib.Path("library.hip")
    path.write_text(LIBRARY, encoding="utf-8")
    wrong = []
    for cache in (os.path.abspath(f"cache-{compiler}-{target}"), "/dev/null/cache"):
        os.environ["XDG_CACHE_HOME"] = cache
        (kernel,) = tool.measure([path], target, compiler, "-nogpuinc")[0]["kernels"]
        if not kernel["trusted"] or kernel["calls"] != 0:
            wrong.append(f"cache {cache}: calls {kernel['calls']}, {kernel['why']}")
    tool.check(f"measure/stand-in/{compiler}-{target}", wrong)


OWN = """#!/bin/sh
# A compiler that keeps its device libraries beside its headers, and takes no others.
case "$*" in
*-print-resource-dir*) echo '{dir}'; exit ;;
*-nogpulib* | *--version* | *'--rocm-device-lib-path={dir}/lib/amdgcn/bitcode'*) exec {compiler} "$@" ;;
esac
exit 1
"""


def check_own_libraries(compiler, target):
    """The compiler is asked where its own libraries are, before the places where they often are."""
    installed = [path for place in ("*/amdgcn", "llvm-*/lib/clang/*/amdgcn", "clang/*/amdgcn")
                 for path in glob.glob(f"/usr/lib/{place}/bitcode/ocml.bc")]
    top = pathlib.Path("own").absolute()
    libraries = top / "lib/amdgcn/bitcode"
    libraries.parent.mkdir(parents=True)
    libraries.symlink_to(os.path.dirname(installed[0]))
    wrapper = top / "clang++-own"
    wrapper.write_text(OWN.format(dir=top, compiler=compiler), encoding="utf-8")
    wrapper.chmod(0o755)
    pathlib.Path("library.hip").write_text(LIBRARY, encoding="utf-8")
    os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache-own")
    (kernel,) = tool.measure(["library.hip"], target, str(wrapper), "-nogpuinc")[0]["kernels"]
    tool.check(f"measure/own-libraries/{compiler}-{target}",
               [] if kernel["trusted"] and kernel["calls"] == 0 else [str(kernel["why"])])


def check_named_libraries(compiler, target):
    """Libraries that the user's flags name are taken, if they are of no use; and those that are installed later
    in a place of more weight, if the compiler was asked before."""
    installed = [path for place in ("*/amdgcn", "llvm-*/lib/clang/*/amdgcn", "clang/*/amdgcn")
                 for path in glob.glob(f"/usr/lib/{place}/bitcode/oclc_isa_version_{target[3:]}.bc")]
    top = pathlib.Path("named").absolute()
    libraries = top / "amdgcn/bitcode"
    libraries.mkdir(parents=True)
    os.environ["ROCM_PATH"] = str(top)
    os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache-named")
    pathlib.Path("library.hip").write_text(LIBRARY, encoding="utf-8")
    measure = (tool.UNPHI, "measure", "--quiet", "library.hip", "--target", target, "--compiler", compiler, "--",
               "-nogpuinc")
    useless = tool.run(*measure, f"--rocm-device-lib-path={libraries}")
    codes = [tool.run(*measure).returncode]
    for path in glob.glob(os.path.dirname(installed[0]) + "/*.bc"):
        (libraries / os.path.basename(path)).symlink_to(path)
    (libraries / "ockl.bc").unlink()
    tool.run(compiler, "-x", "ir", "-c", "-emit-llvm", "-nogpulib", "--target=amdgcn-amd-amdhsa", "-",
             "-o", str(libraries / "ockl.bc"), input='target triple = "amdgcn-amd-amdhsa"\n')
    codes.append(tool.run(*measure).returncode)  # the call that it lacks is left
    del os.environ["ROCM_PATH"]
    wrong = [] if useless.returncode == 3 and "device library" in useless.stderr else [f"useless: {useless.stderr}"]
    tool.check(f"measure/named-libraries/{compiler}-{target}",
               wrong + ([] if codes == [0, 3] else [f"exit codes without and with others: {codes}"]))


CALLING = """
__attribute__((device)) float other(float x);
__attribute__((global)) void k(float *out, int n)
{
	float acc[64];
	for (int i = 0; i < 64; ++i) {
		acc[i] = out[i];
	}
	for (int t = 0; t < 100; ++t) {
		if (t < n) {
			for (int i = 0; i < 64; ++i) {
				acc[i] += 2 * i;
			}
		} else {
			for (int i = 0; i < 64; ++i) {
				acc[i] *= i;
			}
		}
	}
	for (int i = 0; i < 64; ++i) {
		out[i] = other(acc[i]);
	}
}
"""


def check_call(compiler, target):
    """Figures that cannot be trusted decide nothing: the source stays, and that is an error."""
    pathlib.Path("calling.hip").write_text(CALLING, encoding="utf-8")
    flags = ("--", "-nogpuinc")
    done = tool.run(tool.UNPHI, "measure", "--quiet", "calling.hip", "--target", target,
                    "--compiler", compiler, "--format", "json", *flags)
    tool.check(f"measure/call/{compiler}-{target}",
               [] if done.returncode == 3 and '"trusted": false' in done.stdout
               and "not trusted" in done.stderr else [f"exit code {done.returncode}: {done.stderr}"])
    done = tool.run(tool.UNPHI, "rewrite", "--quiet", "calling.hip", "--target", target,
                    "--compiler", compiler, "-o", "kept.hip", *flags)
    kept = pathlib.Path("kept.hip")
    tool.check(f"measure/call/{compiler}-{target}/rewrite-keeps",
               [] if not kept.exists() or kept.read_text(encoding="utf-8") == CALLING
               else [f"exit code {done.returncode}, and it was rewritten"])


PLAIN = "__attribute__((global)) void plain(float *p)\n{\n\t*p = 1;\n}\n"


def check_lost_target():
    """A target that the compiler does not know keeps no other from being measured."""
    if ("hipcc", "gfx90a") not in tool.pairs(("gfx90a", "gfx942")):
        return
    pathlib.Path("plain.hip").write_text(PLAIN, encoding="utf-8")
    # flags in a response file are flags
    pathlib.Path("words").write_text("-nogpuinc '-DX=a b' --offload-arch=gfx942,gfx90a\n",
                                     encoding="utf-8")
    done = tool.run(tool.UNPHI, "measure", "plain.hip", "--compiler", "hipcc", "--format", "json",
                    "--", "@words")
    found = json.loads(done.stdout or "{}").get("measurements", [])
    if any(m["target"] == "gfx942" for m in found):
        tool.skip("measure/lost-target", "hipcc knows gfx942")
        return
    tool.check("measure/lost-target", [] if done.returncode == 3 and "for gfx942" in done.stderr
               and [m["target"] for m in found] == ["gfx90a"]
               else [f"exit code {done.returncode}, {found}: {done.stderr}"])


def check_explored(compiler, target, kernel, name):
    """A smaller tile brings back the waves that the registers of the larger one take, or at least registers."""
    done = tool.unphi("explore", "-D", "BLOCK_M=64,32", tool.kernel_path(kernel), "--target", target,
                      "--compiler", compiler, "--format", "json", "--time-limit", "3000",
                      *tool.with_flags(compiler, target, ()))
    cost = {r["settings"]["BLOCK_M"]: (r["resident_waves"], -r["vgprs"])
            for r in json.loads(done.stdout)["results"] if r["kernel"] == name}
    tool.check(f"measure/explore/{compiler}-{target}/more-waves",
               [] if cost["64"] < cost["32"] else [f"{name}: {cost} waves and VGPRs"])


def test():
    tool.skip_missing_compilers("measure")
    check_lost_target()
    # what is rewritten for this pair is compiled anyway
    hipcc = tool.pair("mla_decode")[1]
    paths = [tool.kernel_path(k) for k, targets in tool.KERNELS.items()
             if hipcc in targets and (tool.ALL or tool.pair(k) == ("hipcc", hipcc))]
    paths += [tool.kernel_path(k) for k in ("barriers", "unbounded_gemm")]
    for compiler, target in tool.pairs(["gfx90a"]):
        check_call(compiler, target)
    if "hipcc" in tool.compilers():
        measurements = tool.measure(paths, hipcc, "hipcc")
        check_shape(f"measure/hipcc-{hipcc}", measurements)
        said.check(f"measure/hipcc-{hipcc}")
    if tool.CLANG in tool.compilers():
        # the registers of every GPU are held to the remark by tests/unit/compile_test.c
        for kernel, target in (("fma_tile", "gfx1030"),
                               *((("boundary_gemm", "gfx908"), ("factorial", "gfx90a")) if tool.ALL else ())):
            check_occupancy_command(tool.CLANG, target, tool.kernel_path(kernel))
        check_occupancy_command(tool.CLANG, "gfx90a", tool.kernel_path("flash/query"))
        # a quarter of the tile: all of the kernels, in a fraction of the time
        check_occupancy_command(tool.CLANG, "gfx942", tool.kernel_path("flash/flash"), "-DBLOCK_M=32",
                                *stand_in_libraries(tool.CLANG, "gfx942"))
        tool.measure([tool.kernel_path(k) for k in ("barriers", "unbounded_gemm")], "gfx942",
                     tool.CLANG)
        said.check(f"measure/{tool.CLANG}-gfx942")
        check_explored(tool.CLANG, "gfx942", "flash/flash", "flash_online")
    for compiler, target in ((tool.CLANG, "gfx942"), ("hipcc", "gfx1100"),
                             *(((tool.CLANG, "gfx1100"),) if tool.ALL else ())):
        if compiler in tool.compilers():
            check_stand_in(compiler, target)
    if tool.CLANG in tool.compilers():
        check_own_libraries(tool.CLANG, "gfx90a")
        check_named_libraries(tool.CLANG, "gfx90a")


tool.main(test)
