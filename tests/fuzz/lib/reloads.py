"""Random kernels for rematerialize: fragments that loops read, of all memory and by all means.

Each kernel loads a few fragments and reads them in loops, and is free of races in itself. What comes
between may spoil it: what a fragment is loaded by changes, the memory is written, barriers come by,
names are hidden, lanes part. Two waves, so that what another one writes is seen. Floats are loaded
and compared, never added: what the device's compiler fuses is not for this to see.
"""

STRATEGY = "rematerialize"
REPORT = "fragments"
MADE = "loaded again"
KERNELS = 30  # of a file
LEAST_MADE = 200  # of a long run

PRELUDE = """#include <hip/hip_runtime.h>
#define GROUP 128
typedef int i32x8 __attribute__((ext_vector_type(8)));
__device__ void fetch(int (&q)[8], const int *from, int row)
{
	for (int i = 0; i < 8; ++i) {
		q[i] = from[(row + i * 16) % GROUP];
	}
}
__device__ int sum(const int (&q)[8], int by)
{
	int s = 0;
	for (int i = 0; i < 8; ++i) {
		s = s * 3 + q[(i + by) & 7];
	}
	return s;
}
__device__ void store(int *to, unsigned t, int x) { to[t] = x; }
// what a name means where the fragment is no more
__device__ int q[2], p[3], w[5];
struct view {
	const int *at;
	int stride;
};
"""

SPEC = """targets: [gfx90a]
kernels:
  - kernel: [{names}]
    grid: 2
    block: 128
    buffers:
      in: {{type: i32, length: 512, fill: {{random: [-1000, 1000], seed: {seed}}}}}
      more: {{type: i32, length: 512, fill: {{random: [-1000, 1000], seed: 4}}}}
      scratch: {{type: i32, length: 256, fill: {{random: [-9, 9], seed: 5}}}}
      out: {{type: i32, length: 256, fill: poison}}
    arguments: {{in: in, more: more, scratch: scratch, out: out, n: 1}}
    cases:
      - name: 0
        arguments: {{n: 0}}
      - name: 3
        arguments: {{n: 3}}
"""

# what is read, and by which index every lane reads what nobody else writes
SOURCES = (
    ("in", "(row + i * 16) % 128"),
    ("in", "i * 48 + (int)t"),
    ("more", "i * 64 + row % 64"),
    ("v.at", "i * v.stride + row % 64"),
    ("tile", "i * 128 + (int)t"),
    ("kept", "(i * 128 + row + 64) % 1024"),
    ("kept", "(i * 128 + row + 64) % 1024"),
    ("mine", "0"),
)


class Fragment:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.source, self.index = rng.choice(SOURCES)
        self.kind = rng.choice(("loop", "loop", "loop", "guard", "pragma", "helper", "vector", "scalars", "part", "rows"))
        if self.source in ("tile", "kept", "mine") and self.kind in ("helper", "vector"):
            self.kind = "loop"
        self.first, self.last = (rng.choice((0, 1, 2)), rng.choice((6, 7, 8))) if self.kind == "part" else (0, 8)

    def lines(self):
        """Declaration and loads; now and then more than that."""
        r, q = self.rng, self.name
        value = f"{self.source}[{self.index}]"
        if r.random() < 0.12:
            value = r.choice((f"__shfl_xor({value}, 1)", f"(int)((float){value} * 0.5f)", "i + row"))
        elif r.random() < 0.1:
            value = f"(row & 1 ? {value} : 7)"
        if self.kind == "vector":
            return [f"const i32x8 {q} = *(const i32x8 *)({self.source} + (row % 16) * 8);"]
        if self.kind == "helper":
            return [f"int {q}[8];", f"fetch({q}, {self.source}, row);"]
        if self.kind == "scalars":
            return [f"int {q}[8];"] + [f"{q}[{i}] = {value.replace('i *', f'{i} *').replace('i +', f'{i} +')};" for i in range(8)]
        if self.kind == "rows":
            load = f"{q}[r][i] = {value.replace('i *', '(r * 4 + i) *').replace('i +', '(r * 4 + i) +')};"
            return [f"int {q}[2][4];", "for (int r = 0; r < 2; ++r) {", "\tfor (unsigned i = 0; i < 4; ++i) {", f"\t\t{load}", "\t}", "}"]
        count = ["\tx += 3;"] if r.random() < 0.06 else []
        load = f"{q}[i] = {value};"
        body = ["\tif ((row + i) % 3 == 0) {", f"\t\t{load}", "\t}"] if self.kind == "guard" else [f"\t{load}"]
        pragma = ["#pragma unroll"] if self.kind == "pragma" else []
        start = " = {}" if self.kind in ("guard", "part") else ""
        other = f", spare_{q} = 0" if r.random() < 0.1 and not start else ""
        return [f"int {q}[8]{start}{other};", *pragma, f"for (int i = {self.first}; i < {self.last}; ++i) {{", *body, *count, "}"]

    def use(self, k):
        q, r = self.name, self.rng
        if self.kind == "rows":
            return r.choice((f"x += {q}[{k} & 1][3];", f"x = x * 3 + {q}[1][x & 3];", f"for (int i = 0; i < 4; ++i) {{ x = x * 5 + {q}[1][i] - {q}[0][3 - i]; }}",
                             f"if (x & 4) {{ x -= {q}[0][2]; }}", f"x ^= {q}[{k} % 2u][row & 3];"))  # fmt: skip
        uses = [f"x += {q}[{k} & 7];", f"x ^= {q}[1] + {q}[({k} + 3) & 7];", f"for (int i = 0; i < 8; ++i) {{ x = x * 5 + {q}[i]; }}",
                f"if (x & 4) {{ x -= {q}[2]; }}", f"x = x * 3 + {q}[(x & 3) + 2];", f"x += {q}[5 - ({k} & 3)] * {q}[row & 7];",
                f"for (unsigned j = 2; j < 6; ++j) {{ x = x * 5 - {q}[7 - j]; }}"]  # fmt: skip
        if r.random() < 0.1:
            return r.choice((f"x += x & 1 ? {q}[3] : {k};", f"x += {q}[{k} % 8];", f"x ^= {q}[{k} % 8];"))
        return f"x += sum({q}, {k});" if self.kind != "vector" and r.random() < 0.12 else r.choice(uses)


class Kernel:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name

    def harm(self, fragments, k):
        """What may spoil a fragment; much of it does not spoil all."""
        f = self.rng.choice(fragments)
        aimed = {"mine": "mine[0] ^= x;", "tile": "tile[t] = x;", "v.at": "v.stride = 32;"}
        if self.rng.random() < 0.2 and f.source == "kept":
            # others may have loaded it a moment ago
            return ["__syncthreads();", "kept[t] = x;"]
        if self.rng.random() < 0.5 and f.source in aimed:
            # what other lanes may write is read in order with barriers
            return [self.rng.choice((aimed[f.source], "__syncthreads();"))]
        if self.rng.random() < 0.3 and "row" in f.index:
            return ["row = (row * 5 + 1) % 128;"]
        return self.rng.choice((
            ["row = (row * 5 + 1) % 128;"],
            ["__syncthreads();"],
            ["__syncthreads();"],
            ["scratch[g] = x;"],
            ["store(scratch, g, x);"],
            ["tile[t] = x;"],
            ["mine = out + g;"],
            ["mine[0] ^= x;"],
            ["{", "\tconst int row = x & 63;", "\tx += row;", "}"],
            ["{", "\tconst int row = x & 31;", "\tx += row;", "}"],
            ["{", "\tconst int *const in = more + 3;", "\tx += in[t];", *["\t" + f.use(k) for f in fragments], "}"],
            [f"x = __shfl_xor(x, 1) + {k};"],
            ["more = in;"],
            ["v.stride = 32;"],
            ["__builtin_amdgcn_wave_barrier();"],
        ))  # fmt: skip

    def loop(self, fragments, depth, parted=False):
        r = self.rng
        k = f"k{depth}"
        head, end = r.choice(((f"for (int {k} = 0; {k} < n; ++{k}) {{", "}"), (f"for (int {k} = n; {k}-- > 0;) {{", "}"),
                              (f"for (int {k} = 0; {k} < n + (int)t % 2; ++{k}) {{", "}")))  # fmt: skip
        body = [f.use(k) for f in fragments if r.random() < 0.8]
        # groups of lines that stay together: a block's names are hidden in it alone
        parts = [[r.choice(("const int twice = x * 2;", "const int other = 1;"))]] if r.random() < 0.3 else []
        parts += [[line] for line in body]
        # lanes that part keep off barriers and each other
        parted = parted or "t % 2" in head
        harms = 0 if parted else r.choice((0, 0, 1, 1, 2))
        for _ in range(harms):
            at = r.randrange(len(parts) + 1)
            parts.insert(at, self.harm(fragments, k))
        if depth < 1 and r.random() < 0.3:
            parts.append(self.loop(fragments, depth + 1, parted))
        return [head] + ["\t" + line for part in parts for line in part] + [end]

    def text(self):
        r = self.rng
        fragments = [Fragment(r, name) for name in ("q", "p", "w")[: r.choice((1, 1, 2, 3))]]
        lines = []
        for f in fragments:
            lines += f.lines()
            if r.random() < 0.1:
                lines += [f"const int *const to_{f.name} = {f.name};" if f.kind not in ("vector", "rows") else "x += 1;"]
        # all lanes have loaded: who is through with the loops may write
        parted = r.random() < 0.3
        lines += ["__syncthreads();"] if parted else []
        for _ in range(r.choice((1, 1, 2))):
            lines += self.loop(fragments, 0)
        if r.random() < 0.2:
            lines += [fragments[0].use("n")]
        if r.random() < 0.15 and fragments[0].kind not in ("vector", "rows"):
            lines += [f"{fragments[0].name}[0] = in[t];", *self.loop(fragments, 0)]
        behind = ["__syncthreads();", "tile[t] = x;"] if r.random() < 0.5 else ["tile[t] = x;"]
        if parted and r.random() < 0.5:
            behind += ["kept[t] = x;"]
        elif r.random() < 0.15:
            behind += ["__syncthreads();", "kept[t] = x;"]
        for f in fragments:
            if f.kind not in ("vector", "rows") and r.random() < 0.1:
                behind += [f"x += {f.name}[0];"]
            if r.random() < 0.1:
                behind += [f"x += (int)sizeof({f.name});"]
        restrict = r.choice(("__restrict__ ", "__restrict__ ", ""))
        body = "".join(("" if line.startswith("#") else "\t") + line + "\n" for line in [*lines, *behind])
        return f"""
__global__ void {self.name}(const int *{restrict}in, const int *{restrict}more, int *scratch, int *out, int n)
{{
	__shared__ int tile[8 * GROUP], kept[8 * GROUP];
	const unsigned t = threadIdx.x, g = blockIdx.x * GROUP + t;
	int x = (int)t, row = (int)t;
	int *mine = scratch + g;
	view v = {{more, 64}};
	for (int i = 0; i < 8; ++i) {{
		tile[i * GROUP + t] = in[i * 64 + t % 64];
		kept[i * GROUP + (t + 64) % GROUP] = more[i * 64 + t % 64];
	}}
	__syncthreads();
{body}	out[g] = x;
}}
"""


def text(rng, names):
    return PRELUDE + "".join(Kernel(rng, n).text() for n in names)


def spec(rng, names):
    return SPEC.format(names=", ".join(names), seed=rng.randrange(1000))
