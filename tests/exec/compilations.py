#!/usr/bin/env python3
"""One text, many compilations: what each strategy writes of functions for host and device, with #if
in every place that counts, compiles for the host and for each GPU (with scripts/test --all by every
compiler at hand), and the host's program prints what it printed. At least the plain shape is rewritten by each."""

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
              "rematerialize:loop", "rematerialize:element", "rematerialize:unrolled")
HIP = ("-x", "hip", "-nogpuinc", "-nogpulib", "-O0", "-w", *(f"--offload-arch={t}" for t in TARGETS))

HEADER = r"""#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
struct dim3 { unsigned x, y, z; };
extern const __device__ dim3 threadIdx;
__device__ void __syncthreads();
__host__ inline void __syncthreads() {}
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
extern "C" int printf(const char *, ...);
#ifdef __HIP_DEVICE_COMPILE__
#define ON_HOST(x) ((void)0)
#define UPTO 64
#define FROM(i, c) (i)
#define WAIT() __syncthreads()
#else
#define ON_HOST(x) ((void)(x))
#define UPTO (c < 5 ? 64 : 63)
#define FROM(i, c) (c++ & 63)
#define WAIT() ((void)0)
#endif
"""

# Of a shape: what stands before its function, and what differs in that.
FUNCTION = "%(before)s\n__host__ __device__ float %(name)s(const float *b, float *to, int n, int t)\n"
FRAME = FUNCTION + r"""{
	float acc[64] = {};
	int c = 1, d = 0;
	for (int q = 0; q < n; q++) {
		%(text)s
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
FRAGMENT = FUNCTION + r"""{
	int c = 1;
	float x = 0;
%(text)s
	return x + c;
}
"""
BARRIERS = FUNCTION.replace("__host__ __device__", "%(where)s__device__") + r"""{
	float x = b[t];
	to[t] = x;
	__syncthreads();
%(text)s
	x += to[t ^ 1];
	return x;
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
HOST = "#ifndef __HIP_DEVICE_COMPILE__\n%s\n#endif\n"
GPU = "#ifdef __gfx908__\n%s\n#endif\n"


def merges():
    """(name, before, text)"""
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


def fragments():
    """What a loop reads, with #if where it is loaded, where it is read and in between."""
    declare, at, use = "float q[8];\n", "for (int i = 0; i < 8; ++i) {\n%s}\n", "for (int k = 0; k < n; ++k) {\n%s}"
    load, read = "q[i] = b[t + i * 16];\n", "x = x * 3 + q[k & 7];\n"
    yield "fragment", "", declare + at % load + use % read
    for where, guard in (("host", HOST), ("gpu", GPU)):
        yield f"loaded_{where}", "", declare + at % (load + guard % "c++;") + use % read
        yield f"changed_{where}", "", declare + at % (load + guard % "q[i] += c;") + use % read
        yield f"instead_{where}", "", declare + at % (guard.replace("#endif", "#else\n" + load + "#endif") % "q[i] = c;") + use % read
        yield f"between_{where}", "", declare + at % load + guard % "q[3] = 2; t = 1;" + use % read
        yield f"read_{where}", "", declare + at % load + use % (guard % "x += q[1];" + read)
        yield f"moved_{where}", "", declare + at % load + use % (guard % "t = (t + 1) & 7;" + read)
        yield f"written_{where}", "", declare + at % load + use % (guard % "q[k & 7] = x;" + read)
        yield f"behind_{where}", "", declare + at % load + use % read + "\n" + guard % "x += q[2];"
        yield f"condition_{where}", "", declare + at % load + "\n" + guard % "if (n > 2)" + use % read
        name = f"hidden_{where}"
        yield name, "", declare + at % load + use % ("{\n" + guard % "const float *b = to;" + read + "}\n")
    yield "header_moves", "", declare + at % load + use % ("ON_HOST(t = (t + 1) & 7);\n" + read)
    yield "header_reads", "", declare + at % load + use % (read + "ON_HOST(x += q[2]);\n")
    yield "header_loads", "", declare + at % "q[i] = b[FROM(i, c)];\n" + use % read
    yield "header_count", "", declare + at.replace("8", "(UPTO) / 8") % load + use % read


def barriers():
    """As those below, for devices alone, and for the host as well: what that may run stays."""
    for name, before, text in barriers_in_rows():
        yield f"device_{name}", before.replace(name, f"device_{name}"), text.replace(name, f"device_{name}")
        yield name, before, text


def barriers_in_rows():
    """One of two in a row is dead, but for what #if puts between or around them."""
    wait, pure = "__syncthreads();\n", "x = x * 2 + n;\n"
    yield "barriers", "", pure + wait
    for where, guard in (("host", HOST), ("gpu", GPU)):
        yield f"writes_{where}", "", guard % "to[t ^ 1] += x;" + wait
        yield f"reads_{where}", "", guard % "x += to[t ^ 1];" + wait
        yield f"waits_{where}", "", pure + guard % wait
        yield f"instead_{where}", "", pure + guard.replace("#endif", "#else\n" + wait + "#endif") % "x += 1;"
        yield f"under_{where}", "", pure + guard % "if (n > 2)" + wait
        yield f"else_{where}", "", "if (n > 2) { x += 1; }\n" + guard % "else" + wait
        yield f"for_{where}", "", "for (int k = 0; k < n; ++k)\n" + guard % "if (k & 1)" + wait
        yield f"label_{where}", "", guard % "if (n > 2) { goto end; }" + pure + guard % "end:" + wait
        name = f"callee_{where}"
        yield (name, f"__host__ __device__ void {name}_wait(float *to, int t)\n{{\n{guard % 'to[t ^ 1] += 1;'}{wait}}}\n",
               pure + f"{name}_wait(to, t);\n")
    yield "header_waits", "", pure + "WAIT();\n"
    yield "header_writes", "", "ON_HOST(to[t ^ 1] += x);\n" + wait


class Family:
    """Functions that strategies of one kind are for."""

    def __init__(self, frame, shapes):
        self.file = f"{shapes.__name__}.hip"
        self.frame, self.shapes = frame, list(shapes())
        self.plain = next(name for name, _, _ in self.shapes if not name.startswith("device"))
        self.printed = {}  # by the host's program of each compiler

    def source(self):
        names = [name for name, _, _ in self.shapes]
        parts = ['#include "both.h"\n']
        parts += [self.frame % {"name": n, "where": "" if n.startswith("device") else "__host__ ", "before": before, "text": text}
                  for n, before, text in self.shapes]
        body = "".join(f"\tp[{i}] = {n}(b, tile, c, (int)threadIdx.x);\n\t__syncthreads();\n" for i, n in enumerate(names))
        parts.append("__global__ void kernel(float *p, const float *__restrict__ b, int c)\n{\n"
                     f"\t__shared__ float tile[64];\n{body}}}\n")
        prints = "".join(f'\tprintf("{n} %g\\n", {n}(b, to, 9, 3));\n' for n in names if not n.startswith("device"))
        parts.append("int main()\n{\n\tfloat b[1024], to[64] = {};\n\tfor (int i = 0; i < 1024; i++) {\n"
                     f"\t\tb[i] = i % 7;\n\t}}\n{prints}}}\n")
        return "".join(parts)


FAMILIES = {"drop-sync": Family(BARRIERS, barriers), "rematerialize": Family(FRAGMENT, fragments)}
MERGES = Family(FRAME, merges)


def host_output(compiler, file, program):
    """What the host's program prints, or the compiler's errors."""
    # else clang 21 and newer name the device code that is not there by a hash
    done = tool.run(compiler, *HIP, "--cuda-host-only", "-fuse-cuid=none", "-c", file, "-o", f"{program}.o")
    if done.returncode == 0:
        done = tool.run("cc", "-w", f"{program}.o", "stubs.c", "-o", program)
    return tool.run(f"./{program}").stdout if done.returncode == 0 else done.stderr


def check_strategy(strategy, family, may_be_none):
    out = "out.hip"
    targets = [word for t in TARGETS for word in ("--target", t)]
    report = tool.run(tool.UNPHI, "rewrite", family.file, *targets, "--strategy", strategy, "-o", out,
                      "--", "-nogpuinc")
    text = pathlib.Path(out).read_text(encoding="utf-8") if report.returncode == 0 else ""
    wrong = [] if report.returncode == 0 else [report.stderr]
    if text and not may_be_none:
        wrong += [] if text != family.source() else ["it rewrote nothing"]
    for compiler, expected in family.printed.items() if text else ():
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
    # what the host part of a HIP program asks of its runtime
    pathlib.Path("stubs.c").write_text(
        "char __hip_fatbin[16], __hip_fatbin_[16];\n"
        "__attribute__((visibility(\"hidden\"))) void *__hip_gpubin_handle_;\n" + "".join(
            f"long {f}() {{ return 0; }}\n" for f in (
                "__hipRegisterFatBinary", "__hipUnregisterFatBinary", "__hipRegisterFunction",
                "__hipPopCallConfiguration", "hipLaunchKernel")), encoding="utf-8")
    for family in (MERGES, *FAMILIES.values()):
        pathlib.Path(family.file).write_text(family.source(), encoding="utf-8")
        family.printed = {c: host_output(c, family.file, "before") for c in tool.one_or_all()}
        for compiler, text in family.printed.items():
            tool.check(f"compilations: {compiler} {family.file}", [] if f"{family.plain} " in text else [text])
    for strategy in STRATEGIES:
        # what is not for such merges has nothing to write
        check_strategy(strategy, FAMILIES.get(strategy.split(":")[0], MERGES), strategy in ("split", "predicate"))


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    main()
