"""Random kernels with barriers for drop-sync, run wave by wave.

Every kernel is a row of phases, each free of races in itself: of one array, lanes write a place each
or read any. Between any two stands a barrier, so the kernel has no race,
and many barriers are not needed. unphi drops what it takes for dead; `unphi verify --races` runs the
kernel before and after. The harness of the other strategies has one lane, and would see nothing.
"""

STRATEGY = "drop-sync"
REPORT = "barriers"
MADE = "dropped"
KERNELS = 10  # of a file
LEAST_MADE = 200  # of a long run

PRELUDE = """#include <hip/hip_runtime.h>
#define GROUP 256
#define SYNC() { x ^= 1; __syncthreads(); }
__device__ void put(int to[], unsigned t, int x) { to[t] = x; }
__device__ int get(const int from[GROUP], unsigned t, unsigned by) { return from[(t + by) % GROUP]; }
__device__ int pure(int x) { return x * 3 + 1; }
__device__ void put_and_wait(int *to, unsigned t, int x)
{
	to[t] = x;
	__syncthreads();
}
__device__ int wait_and_get(const int *from, unsigned t, unsigned by)
{
	__syncthreads();
	return from[(t + by) % GROUP];
}
struct view {
	int *at;
	__device__ void set(int *to) { at = to; }
};
"""

SPEC = """targets: [gfx90a]
kernels:
  - kernel: [{names}]
    grid: 2
    block: 256
    buffers:
      in: {{type: i32, length: 512, fill: {{random: [-1000, 1000], seed: {seed}}}}}
      scratch: {{type: i32, length: 512, fill: {{random: [-9, 9], seed: 5}}}}
      out: {{type: i32, length: 512, fill: poison}}
    arguments: {{in: in, scratch: scratch, out: out, n: 1}}
    cases:
      - name: 1
      - name: 4
        arguments: {{n: 4}}
"""


def fenced(pad):
    return (f'{pad}__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");\n'
            f"{pad}__builtin_amdgcn_s_barrier();\n"
            f'{pad}__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");\n')  # fmt: skip


class Kernel:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.rare = rng.random() < 0.4

    def barrier(self, pad):
        """One of its forms."""
        roll = self.rng.random()
        if roll < 0.62:
            return f"{pad}__syncthreads();\n"
        if roll < 0.72:
            return f"{pad}wait_{self.name}();\n"
        if roll < 0.82:
            return fenced(pad)
        if roll < 0.88 and self.rare:
            return f"{pad}SYNC()\n"
        if roll < 0.93 and self.rare:
            return self.value(pad)
        if self.rare:
            return f"{pad}if (t < 1024) {{\n{pad}\t__syncthreads();\n{pad}}}\n"
        return f"{pad}__syncthreads();\n{pad}__syncthreads();\n"

    def value(self, pad):
        """A barrier that every lane learns something from."""
        return f"{pad}x += __syncthreads_{self.rng.choice(('count', 'and', 'or'))}(x & {self.rng.choice((1, 2, 4))});\n"

    def functions(self):
        """Of its own: one that is a barrier, two that hold it, and of the rare ones one whose callers are not all seen."""
        wait = self.rng.choice(("\t__syncthreads();\n", fenced("\t")))
        out = f"__device__ void wait_{self.name}()\n{{\n{wait}}}\n"
        out += f"template <int N> __device__ int pass_{self.name}(int x)\n{{\n\tx += N;\n{wait}\treturn x * 3;\n}}\n"
        out += f"__device__ int hold_{self.name}(int x)\n{{\n\tx += 5;\n{wait}\treturn x;\n}}\n"
        if self.rare:
            by = self.rng.choice((64, 128, 192, 33))
            out += (f"__device__ int open_{self.name}(const int *from, unsigned t)\n{{\n"
                    f"\t__syncthreads();\n\treturn from[(t + {by}) % GROUP];\n}}\n")  # fmt: skip
        return out

    def phase(self, pad, depth):
        r = self.rng
        array = r.choice(("a", "b", "p", "v.at", "cell[0]", "cell[1]"))
        by = r.choice((64, 128, 192, 33))
        wide = lambda body: "".join(f"{pad}{line}\n" for line in body)
        kinds = [
            lambda: wide([f"{array}[t] = x + {r.randrange(9)};"]),
            lambda: wide([f"{array}[(t + {by}) % GROUP] = x + {r.randrange(9)};"]),
            lambda: wide([f"{array}[t] += {r.randrange(1, 9)};"]),
            lambda: wide([f"x += {array}[(t + {by}) % GROUP];"]),
            lambda: wide([f"if (t < {r.choice((32, 64, 100))}) {{", f"\t{array}[t] = x;", "}"]),
            lambda: wide([f"put({array}, t, x);"]),
            lambda: wide([f"x ^= get({array}, t, {by});"]),
            lambda: wide([f"put_and_wait({array}, t, x);"]),
            lambda: wide([f"x ^= wait_and_get({array}, t, {by});"]),
            lambda: wide(["scratch[i] = x;"]),
            lambda: wide([f"x += scratch[base + (t + {by}) % GROUP];"]),
            lambda: wide(["x += in[i];"]),
            lambda: wide([f"x -= in[base + (t + {by}) % GROUP];"]),
            lambda: wide(["x = pure(x);"]),
            lambda: wide(["own[x & 3] = x;", "x += own[t & 3];"]),
            lambda: wide(["out[i] = x;"]),
            lambda: wide(self.leave()),
            lambda: wide([f"{array}[t] = x;", *self.passes(), f"x += {array}[(t + {by}) % GROUP];"]),
            lambda: wide([f"{array}[t] = x;", f"x = hold_{self.name}(x);"]),
            lambda: wide([f"x = hold_{self.name}(x);", f"x += {array}[(t + {by}) % GROUP];"]),
        ]
        if depth < 2:
            kinds += [lambda: self.loop(pad, depth), lambda: self.arm(pad, depth)] * 2
        if self.rare:
            kinds.append(lambda: wide(["x += function(in + base, t);"]))
        return r.choice(kinds)()

    def leave(self):
        """A block that all lanes leave, one after the other."""
        r = self.rng
        some = r.choice(("if (t < 100) {", "for (unsigned o = t; o < 100; o += 64) {"))
        return [f"if (n == {r.choice((3, 4))}) {{", f"\t{some}", f"\t\tout[i] = x + {r.randrange(9)};", "\t\treturn;", "\t}",
                "\tout[i] = x;", "\treturn;", "}"]  # fmt: skip

    def passes(self):
        """Calls that wait, of one function of a template or of several."""
        return [f"x = pass_{self.name}<{self.rng.randrange(3)}>(x);" for _ in range(self.rng.randrange(1, 4))]

    def phases(self, pad, depth, n):
        parts = []
        for _ in range(n):
            parts.append(self.phase(pad, depth))
            parts.append(self.barrier(pad))
        return "".join(parts)

    def loop(self, pad, depth):
        head = self.rng.choice((f"for (int r{depth} = 0; r{depth} < n; ++r{depth})", f"for (int r{depth} = n; r{depth} > 0; r{depth} -= 2)"))
        out = f"{pad}{head} {{\n{self.phases(pad + chr(9), depth + 1, self.rng.randrange(1, 4))}"
        if self.rng.random() < 0.3:
            word = self.rng.choice(("break", "continue"))
            out += f"{pad}\tif (n == {self.rng.randrange(1, 5)}) {{\n{pad}\t\t{word};\n{pad}\t}}\n{self.phases(pad + chr(9), depth + 1, 1)}"
        return out + f"{pad}}}\n"

    def arm(self, pad, depth):
        some = self.phases(pad + "\t", depth + 1, self.rng.randrange(1, 3))
        other = f"{pad}}} else {{\n{self.phases(pad + chr(9), depth + 1, 1)}" if self.rng.random() < 0.5 else ""
        return f"{pad}if (n & {self.rng.choice((1, 2, 4))}) {{\n{some}{other}{pad}}}\n"

    def text(self):
        jumps = self.rare and self.rng.random() < 0.25
        pointer = self.rng.choice(("a", "b", "cell[0]"))
        start = "\tif (n > 100) {\n\t\tgoto end;\n\t}\n" if jumps else ""
        end = "end:\n\treturn;\n" if jumps else ""
        function = f"\tint (*volatile function)(const int *, unsigned) = open_{self.name};\n" if self.rare else ""
        value = self.value("\t") if self.rare else ""
        restrict = self.rng.choice(("__restrict__ ", ""))
        body = self.phases("\t", 0, self.rng.randrange(3, 7))
        return f"""
{self.functions()}__global__ void {self.name}(const int *{restrict}in, int *scratch, int *out, int n)
{{
	__shared__ int a[GROUP], b[GROUP], cell[2][GROUP];
	const unsigned t = threadIdx.x, base = blockIdx.x * GROUP, i = base + t;
	int x = (int)t, own[4] = {{1, 2, 3, 4}};
	int *p = {pointer};
	view v;
	v.set(b);
{function}	a[t] = b[t] = cell[0][t] = cell[1][t] = 7;
	__syncthreads();
{start}{value}{body}	out[i] = x;
{end}}}
"""


def text(rng, names):
    return PRELUDE + "".join(Kernel(rng, n).text() for n in names)


def spec(rng, names):
    return SPEC.format(names=", ".join(names), seed=rng.randrange(1000))
