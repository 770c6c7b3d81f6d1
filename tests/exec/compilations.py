#!/usr/bin/env python3
"""One text, many compilations: what each strategy writes of functions for host and device, with #if
in every place that counts, compiles for the host and for each GPU by every compiler at hand, and the
host's program prints what it printed. At least the plain shape is rewritten by each."""

import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compile" / "lib"))
import tool  # noqa: E402

TARGETS = ("gfx90a", "gfx908")
STRATEGIES = ("sequentialize", "sequentialize:nested", "launder:uniform", "launder:per lane",
              "hoist:plain", "hoist:fenced", "hoist:split", "hoist:split-fenced", "fuse:plain",
              "fuse:laundered", "split", "predicate", "drop-sync:forward", "drop-sync:backward",
              "rematerialize:loop", "rematerialize:use")
HIP = ("-x", "hip", "-nogpuinc", "-nogpulib", "-O1", "-w", *(f"--offload-arch={t}" for t in TARGETS))

HEADER = r"""#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
extern "C" int printf(const char *, ...);
__device__ inline void __syncthreads()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#ifdef __HIP_DEVICE_COMPILE__
#define ON_HOST(x) ((void)0)
#define UPTO 64
#define FROM(i, c) (i)
#else
#define ON_HOST(x) ((void)(x))
#define UPTO (c < 5 ? 64 : 63)
#define FROM(i, c) (c++ & 63)
#endif
"""

# Of a shape: what stands before its function, its arms' text, and the condition.
FRAME = r"""%(before)s
__host__ __device__ float %(name)s(const float *b, int n)
{
	float acc[64] = {};
	int c = 1, d = 0;
	for (int q = 0; q < n; q++) {
		%(merge)s
		d += c;
	}
	float sum = 0;
	for (int i = 0; i < 64; i++) {
		sum = sum * 3 + acc[i] + i * c + d;
		sum = sum > 1000 ? sum - 1000 * (int)(sum / 1000) : sum;
	}
	return sum;
}
"""
ADD = "for (int i = 0; i < 64; i++) { acc[i] += b[i + %s]; }"
ARM = "if (%s) {\n" + ADD % "c" + "\n%s } else {\n" + ADD % "1" + "\n%s }"
STEP = r"""template <bool First> __host__ __device__ void %(name)s_step(float (&acc)[64], const float *b, int &c)
{
	const float by = First ? b[1] : b[2];
	for (int i = 0; i < 64; i++) {
		acc[i] += by - b[i];
	}
}
"""
CALLS = "if (q & 1) {\n%(name)s_step<true>(acc, b, c);\n%%s } else {\n%(name)s_step<false>(acc, b, c);\n%%s }"
# Not merges: a fragment that a loop only reads, and a barrier behind another, where %s stands between.
AGAIN = r"""__host__ __device__ float again%(name)s(const float *__restrict__ b, int n)
{
	float q[16];
	for (int i = 0; i < 16; i++) {
		q[i] = b[i];
	}
	float sum = 0;
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 16; i++) {
			sum += q[i] * k;
		}
		%(change)s
	}
	return sum;
}
"""
BARRIERS = r"""__global__ void barriers%(name)s(float *p, int c)
{
	__attribute__((shared)) float s[64];
	s[c & 63] = c;
	__syncthreads();
	%(change)s
	__syncthreads();
	p[0] = s[(c + 2) & 63];
}
"""
HOST = "#ifndef __HIP_DEVICE_COMPILE__\n%s\n#endif\n"
GPU = "#ifdef __gfx908__\n%s\n#endif\n"


def shapes():
    """(name, before, merge)"""
    yield "plain", "", ARM % ("q & 1", "", "")
    for where, guard in (("host", HOST), ("gpu", GPU)):
        yield f"in_arm_{where}", "", ARM % ("q & 1", guard % "c = (c + 3) & 31;", "")
        yield f"in_both_{where}", "", ARM % ("q & c", guard % "c++;", guard % "c++;")
        yield f"writes_{where}", "", ARM % ("q & 1", guard % "acc[c & 63] *= 2;", "")
        yield (f"around_arm_{where}", "",
               f"if (q & 1) {{\n{ADD % 'c'} }}\n" + guard % f"else {{ {ADD % '1'} }}")
        yield (f"condition_{where}", "", ARM % ("\n" + guard % "q > 2 &&" + "q & 1", "", ""))
        calls = CALLS % {"name": f"calls_{where}"}
        yield (f"calls_{where}", STEP % {"name": f"calls_{where}"},
               calls % (guard % "c++; acc[c & 63] = 1;", ""))
        name = f"instead_{where}"
        two = guard.replace("%s", "c++; acc[c & 63] = 1;")
        yield (name, STEP % {"name": name},
               f"if (q & 1) {{\n{two.replace('#endif', '#else')}{name}_step<true>(acc, b, c);\n#endif\n"
               f"}} else {{\n{name}_step<false>(acc, b, c);\n}}")
        name = f"callee_{where}"
        both = STEP.replace("acc[i] += by", "acc[i] += ++c + by") % {"name": name}
        yield (name, (guard % both).replace("#endif", "#else\n" + STEP % {"name": name} + "#endif"),
               CALLS % {"name": name} % ("", ""))
    yield "calls", STEP % {"name": "calls"}, CALLS % {"name": "calls"} % ("", "")
    yield ("header_inside", "", "if (q & 1) { for (int i = 0; i < 64; i++) { acc[i] += b[i + c]; ON_HOST(c++); } "
           "} else { for (int i = 0; i < 64; i++) { acc[i] += b[i + 1]; ON_HOST(c++); } }")
    yield "header_writes", "", ARM % ("q & c", "ON_HOST(c++);", "ON_HOST(c++);")
    yield ("header_bound", "", "if (q & 1) { for (int i = 0; i < UPTO; i++) { acc[i] += b[i + c]; c = c + 1 & 31; } "
           "} else { for (int i = 0; i < UPTO; i++) { acc[i] += b[i + 1]; c = c + 1 & 31; } }")
    yield ("header_index", "", "if (q & 1) { for (int i = 0; i < 64; i++) { acc[FROM(i, c)] += b[i + c]; } "
           "} else { for (int i = 0; i < 64; i++) { acc[FROM(i, c)] += b[i + 1]; } }")


def source():
    parts = ['#include "both.h"\n']
    names = []
    for name, before, merge in shapes():
        names.append(name)
        parts.append(FRAME % {"name": name, "before": before, "merge": merge})
    for suffix, guard in (("", ""), ("_host", HOST), ("_gpu", GPU)):
        names.append(f"again{suffix}")
        parts.append(AGAIN % {"name": suffix, "change": guard and guard % "q[k & 15] += 1;"})
        parts.append(BARRIERS % {"name": suffix, "change": guard and guard % "s[c + 1 & 63] = 2;"})
    body = "".join(f"\tp[{i}] = {n}(p, c);\n" for i, n in enumerate(names))
    parts.append(f"__global__ void kernel(float *p, int c)\n{{\n{body}}}\n")
    prints = "".join(f'\tprintf("{n} %g\\n", {n}(b, 9));\n' for n in names)
    parts.append("int main()\n{\n\tfloat b[1024];\n\tfor (int i = 0; i < 1024; i++) {\n"
                 f"\t\tb[i] = i % 7;\n\t}}\n{prints}}}\n")
    return "".join(parts)


def host_output(compiler, file, program):
    """What the host's program prints, or the compiler's errors."""
    done = tool.run(compiler, *HIP, "--cuda-host-only", "-c", file, "-o", f"{program}.o")
    if done.returncode == 0:
        done = tool.run("cc", "-w", f"{program}.o", "stubs.c", "-o", program)
    return tool.run(f"./{program}").stdout if done.returncode == 0 else done.stderr


def check_strategy(strategy, printed, calls):
    out = "out.hip"
    targets = [word for t in TARGETS for word in ("--target", t)]
    report = tool.run(tool.UNPHI, "rewrite", "both.hip", *targets, "--strategy", strategy, "-o", out,
                      "--", "-nogpuinc")
    text = pathlib.Path(out).read_text(encoding="utf-8") if report.returncode == 0 else ""
    wrong = [] if report.returncode == 0 else [report.stderr]
    if text and not calls:
        wrong += [] if text != source() else ["it rewrote nothing"]
    for compiler, expected in printed.items() if text else ():
        got = host_output(compiler, out, "after")
        if got != expected:
            wrong.append(f"{compiler}, host:\n" + "\n".join(
                line for line in got.splitlines() if line not in expected.splitlines()))
        for target in TARGETS:
            done = tool.run(compiler, "-x", "hip", "-nogpuinc", "-nogpulib", "-w", "--cuda-device-only",
                            f"--offload-arch={target}", "-fsyntax-only", out)
            if done.returncode:
                wrong.append(f"{compiler}, {target}: {done.stderr}")
    tool.check(f"compilations: {strategy}", wrong)


def main():
    pathlib.Path("both.h").write_text(HEADER, encoding="utf-8")
    pathlib.Path("both.hip").write_text(source(), encoding="utf-8")
    # what the host part of a HIP program asks of its runtime
    pathlib.Path("stubs.c").write_text(
        "char __hip_fatbin[16], __hip_fatbin_[16];\n"
        "__attribute__((visibility(\"hidden\"))) void *__hip_gpubin_handle_;\n" + "".join(
            f"long {f}() {{ return 0; }}\n" for f in (
                "__hipRegisterFatBinary", "__hipUnregisterFatBinary", "__hipRegisterFunction",
                "__hipPopCallConfiguration", "hipLaunchKernel")), encoding="utf-8")
    printed = {c: host_output(c, "both.hip", "before") for c in tool.compilers()}
    for compiler, text in printed.items():
        tool.check(f"compilations: {compiler}", [] if "plain " in text else [text])
    for strategy in STRATEGIES:
        # what is not for such merges has nothing to write
        check_strategy(strategy, printed, strategy in ("split", "predicate"))


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    main()
