// Cases of hoist_test for the callee split. "/// NAME | VARIANT | legal" or "/// NAME | VARIANT | CLAUSE words of the refusal"
// names a case; VARIANT may end in "off": no contraction. What the first merge of its code becomes is
// compiled for device and host, run on the host beside the original, and compared with what stands
// behind "/// =>" where that is given. A ^ in it stands for what the prelude would define.
#ifdef HOST_RUN
#define __global__ static
#define __device__
#define __shared__ static
#define __builtin_amdgcn_wave_barrier() ((void)0)
#else
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
#define ARGS f32x4 *out, const f32x4 *in, float *g, const float *__restrict__ w, int n, int s
#define KERNEL __global__ void
#define TWICE(x) ((x) + (x))
#define LEFT(v) v.x
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
struct dim {
	unsigned x, y, z;
};
struct pair {
	int first, second;
};
#ifdef HOST_RUN
static dim threadIdx, blockIdx;
static int calls;
static inline void barrier() {}
static inline int ballot(int x) { return x; }
#define __builtin_amdgcn_readfirstlane(x) (x)
static inline int bump() { return ++calls; }
#else
extern const __device__ dim threadIdx, blockIdx;
__device__ int secret(float *);
__device__ int calls;
__device__ inline void barrier() { __builtin_amdgcn_s_barrier(); }
__device__ inline int ballot(int x) { return __builtin_amdgcn_readlane(x, 3); }
__device__ inline int bump() { return ++calls; }
struct keeper {
	int v;
	__device__ ~keeper() { calls += v; }
};
#endif
__device__ f32x4 mma(f16x4 a, f16x4 b, f32x4 c)
{
#ifdef HOST_RUN
	return f32x4{c.x + (float)a.x * (float)b.y, c.y * 0.5f - (float)a.w, c.z + 1, c.w + (float)b.z};
#else
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
#endif
}
__device__ void load(f32x4 (&acc)[8], const f32x4 *from)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = from[i];
	}
}
__device__ void store(f32x4 *to, const f32x4 (&acc)[8])
{
	for (int i = 0; i < 8; ++i) {
		to[i] = acc[i];
	}
}
__device__ f16x4 half4(f32x4 v)
{
	return f16x4{(_Float16)v.x, (_Float16)v.y, (_Float16)v.z, (_Float16)v.w};
}
__device__ f16x4 masked(const f32x4 *from, int n)
{
	return n > 2 ? half4(from[1]) : f16x4{0, 0, 0, 0};
}
__device__ void step(f32x4 (&acc)[8], f16x4 a, f16x4 b)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, b, acc[i]);
	}
}
__device__ void step_to(f32x4 (&acc)[8], const f32x4 *panel)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(half4(panel[i]), half4(panel[0]), acc[i]);
	}
}
__device__ void shift(f32x4 (&acc)[8], float by)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = acc[i] > by ? f32x4(acc[i] / 2) : f32x4(by);
	}
}


/// a template's instances become a narrow and a wide part | split | legal
// How much a panel weighs.
template <bool First, int N>
__device__ void panel(f32x4 (&acc)[N], const f32x4 *from, int n)
{
	// the first panel scales nothing
	float scale = 1;
	if (!First) {
		scale = from[n].x > 1 ? 2 : 4;
	}
	const f32x4 *row = from + 1;
	const f16x4 a = half4(from[0]); // of both

	// the wide part
	for (int i = 0; i < N; ++i) {
		if (!First) {
			acc[i] /= scale;
		}
		acc[i] = mma(a, half4(row[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true, 8>(acc, in, n);
	} else {
		panel<false, 8>(acc, in, n);
	}
	store(out, acc);
}
/// =>
// How much a panel weighs.
template <bool First, int N>
__device__ void panel(f32x4 (&acc)[N], const f32x4 *from, int n)
{
	// the first panel scales nothing
	float scale = 1;
	if (!First) {
		scale = from[n].x > 1 ? 2 : 4;
	}
	const f32x4 *row = from + 1;
	const f16x4 a = half4(from[0]); // of both

	// the wide part
	for (int i = 0; i < N; ++i) {
		if (!First) {
			acc[i] /= scale;
		}
		acc[i] = mma(a, half4(row[i]), acc[i]);
	}
}

struct panel_state {
	float scale;
	f16x4 a;
	bool First;
};

template <bool First, int N>
__device__ panel_state panel_narrow(const f32x4 *from, int n)
{
	// the first panel scales nothing
	float scale = 1;
	if (!First) {
		scale = from[n].x > 1 ? 2 : 4;
	}
	const f16x4 a = half4(from[0]); // of both
	return {scale, a, First};
}

template <int N>
__device__ void panel_wide(const panel_state &state, f32x4 (&acc)[N], const f32x4 *from)
{
	float scale = state.scale;
	const f32x4 *row = from + 1;

	// the wide part
	for (int i = 0; i < N; ++i) {
		if (!state.First) {
			acc[i] /= scale;
		}
		acc[i] = mma(state.a, half4(row[i]), acc[i]);
	}
}

KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	panel_state state;
	if (n > s) {
		state = panel_narrow<true, 8>(in, n);
	} else {
		state = panel_narrow<false, 8>(in, n);
	}
	panel_wide<8>(state, acc, in);
	store(out, acc);
}

/// an argument that is deduced is deduced again | split | legal
template <bool First, int N>
__device__ void panel(f32x4 (&acc)[N], const f32x4 *from, int n)
{
	const f16x4 a = First ? half4(from[0]) : half4(from[n]);
	for (int i = 0; i < N; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// four instances in nested ifs are one merge | split | legal
template <bool First, bool Edge>
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const float by = First ? 3 : from[n].y;
	const f16x4 a = Edge ? masked(from, n) : half4(from[1]);
	for (int i = 0; i < 8; ++i) {
		if (First) {
			acc[i] = f32x4{1, 2, 3, 4} / by;
		}
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	int seen = 0;
	load(acc, in);
	for (int t = 0; t < n; ++t) {
		if (t == 0) {
			if (s > 1) {
				panel<true, true>(acc, in + t, n);
			} else {
				panel<true, false>(acc, in + t, n);
			}
		} else if (s > 2) {
			seen += 1;
			panel<false, true>(acc, in + t, n);
		} else {
			panel<false, false>(acc, in + t, n);
			seen += 2;
		}
	}
	g[0] = seen;
	store(out, acc);
}

/// nested arms are fenced | split-fenced | legal
template <bool First, bool Edge>
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const float by = First ? 3 : from[n].y;
	const f16x4 a = Edge ? masked(from, n) : half4(from[1]);
	for (int i = 0; i < 8; ++i) {
		if (First) {
			acc[i] = f32x4{1, 2, 3, 4} / by;
		}
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < n; ++t) {
		if (t == 0) {
			if (s > 1) {
				panel<true, true>(acc, in + t, n);
			} else {
				panel<true, false>(acc, in + t, n);
			}
		} else {
			if (s > 2) {
				panel<false, true>(acc, in + t, n);
			} else {
				panel<false, false>(acc, in + t, n);
			}
		}
	}
	store(out, acc);
}

/// a switch keeps its breaks | split | legal
template <int Kind> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from)
{
	const f16x4 a = half4(from[Kind]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 1:
		panel<1>(acc, in);
		break;
	case 2:
	case 3: {
		panel<2>(acc, in);
		break;
	}
	default:
		panel<3>(acc, in);
	}
	store(out, acc);
}

/// if constexpr becomes if where its condition differs | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[n]);
	for (int i = 0; i < 8; ++i) {
		if constexpr (First) {
			acc[i] = from[i];
		}
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a member of an accumulator's struct is no accumulator | split | legal
struct tile {
	f32x4 acc[8];
	int steps;
	template <bool First> __device__ void go(const f32x4 *from, int n)
	{
		steps = First ? 1 : steps + n;
		const f16x4 a = half4(from[steps & 3]);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(a, half4(from[i]), acc[i]);
		}
	}
};
KERNEL k(ARGS)
{
	tile t = {};
	load(t.acc, in);
	for (int i = 0; i < n; ++i) {
		if (i == 0) {
			t.go<true>(in, n);
		} else {
			t.go<false>(in, n);
		}
	}
	g[0] = t.steps;
	store(out, t.acc);
}

/// a struct by reference | split | legal
struct tile {
	f32x4 acc[8];
	int steps;
};
__device__ void panel(tile &t, const f32x4 *from, int n, bool first)
{
	t.steps = t.steps * !first + n;
	const f16x4 a = half4(from[t.steps & 3]);
	for (int i = 0; i < 8; ++i) {
		t.acc[i] = mma(a, half4(from[i]), t.acc[i]);
	}
}
KERNEL k(ARGS)
{
	tile t = {};
	load(t.acc, in);
	for (int i = 0; i < n; ++i) {
		if (i == 0) {
			panel(t, in, n, true);
		} else {
			panel(t, in, n, false);
		}
	}
	g[0] = t.steps;
	store(out, t.acc);
}

/// several accumulators | split | legal
template <bool First>
__device__ void panel(f32x4 (&left)[8], f32x4 *right, const f32x4 *from, int n)
{
	const f16x4 a = First ? half4(from[0]) : half4(from[n]);
	for (int i = 0; i < 8; ++i) {
		left[i] = mma(a, half4(from[i]), left[i]);
		right[i] = mma(half4(from[i]), a, right[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8], other[8];
	load(acc, in);
	load(other, in + 3);
	if (n > s) {
		panel<true>(acc, other, in, n);
	} else {
		panel<false>(acc, other, in, n);
	}
	store(out, acc);
	store(out + 8, other);
}

/// a lambda is split where it is declared, and goes | split | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const auto panel = [&](bool edge, int at) {
		const f16x4 a = edge ? masked(in, at) : half4(in[at]);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(a, half4(in[i]), acc[i]);
		}
	};
	for (int i = 0; i < n; ++i) {
		if (i == s) {
			panel(true, i);
		} else {
			panel(false, i);
		}
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	struct panel_state {
		f16x4 a;
	};

	const auto panel_narrow = [&](bool edge, int at) {
		const f16x4 a = edge ? masked(in, at) : half4(in[at]);
		return panel_state{a};
	};

	const auto panel_wide = [&](const panel_state &state) {
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(state.a, half4(in[i]), acc[i]);
		}
	};
	for (int i = 0; i < n; ++i) {
		panel_state state;
		if (i == s) {
			state = panel_narrow(true, i);
		} else {
			state = panel_narrow(false, i);
		}
		panel_wide(state);
	}
	store(out, acc);
}

/// captures by name go where they are used | split | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const auto panel = [&acc, in, n](int at) {
		const f16x4 a = half4(in[n & at]);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(a, half4(in[i]), acc[i]);
		}
	};
	if (n > s) {
		panel(1);
	} else {
		panel(2);
	}
	panel(3);
	store(out, acc);
}

/// a plain function with another argument | split | legal
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n, float by)
{
	if (n > 2) {
		by /= 2;
	}
	const f16x4 a = half4(from[n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]) / by;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s)
		panel(acc, in, n, 3);
	else
		panel(acc, in, n, g[1]);
	store(out, acc);
}

/// what shared memory a reference names is handed over by its address | split | legal
struct buffer {
	f32x4 v[9];
};
template <bool First>
__device__ void panel(f32x4 (&acc)[8], const buffer &from, buffer &to, int n)
{
	const f16x4 a = First ? half4(from.v[0]) : half4(from.v[n]);
	to.v[1] = from.v[2];
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from.v[i]), acc[i]);
	}
	to.v[0] = acc[0];
}
KERNEL k(ARGS)
{
	__shared__ buffer x, y;
	f32x4 acc[8];
	load(acc, in);
	for (int i = 0; i < 9; ++i) {
		x.v[i] = in[i];
		y.v[i] = in[i + 1];
	}
	if (n > s) {
		panel<true>(acc, x, y, n);
	} else {
		panel<false>(acc, y, x, n);
	}
	out[9] = x.v[0];
	out[10] = y.v[0];
	store(out, acc);
}

/// a small array is handed over in the state | split | legal
template <bool First>
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	f16x4 a[2];
	for (int i = 0; i < 2; ++i) {
		a[i] = First ? half4(from[i]) : masked(from, n + i);
	}
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a[i % 2], half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// constants, aliases and helpers stand in both parts | split | legal
template <bool First>
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	constexpr int LEN = 8;
	using vec = f32x4;
	const int last = LEN - 1, step = 1;
	auto next = [&](int i) { return from[(i + step) % LEN]; };
	const vec x = First ? from[0] : next(n);
	vec saved;
	for (int i = 0; i < LEN; ++i) {
		saved = acc[last - i];
		acc[last - i] = mma(half4(x), half4(next(i)), saved);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// an if that is a loop's body gets a block | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from)
{
	const f16x4 a = half4(from[First]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int i = 0; i < n; ++i)
		if (i > s)
			panel<true>(acc, in);
		else
			panel<false>(acc, in);
	store(out, acc);
}

/// a namespace, and a call through it | split | legal
namespace math {
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from)
{
	const f16x4 a = half4(from[First]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		math::panel<true>(acc, in);
	} else {
		math::panel<false>(acc, in);
	}
	store(out, acc);
}

/// arguments with commas, default arguments, a macro's constant | split | legal
#define FIVE 5
template <bool First>
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, pair p, int by = 3, int to = 4)
{
	const f16x4 a = half4(from[First + p.first]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[(i + by) % p.second]), acc[i]) / (float)to;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, pair{1, 2}, FIVE);
	} else {
		panel<false>(acc, in, pair{1, 2}, FIVE);
	}
	store(out, acc);
}

/// the wide part alone, with a flag | split | legal
template <bool Edge> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	for (int i = 0; i < 8; ++i) {
		f32x4 x = from[i];
		if (Edge && i >= n) {
			x = f32x4{0, 0, 0, 0};
		}
		acc[i] = mma(half4(x), half4(from[1]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a static function goes when nobody else uses it | split | legal
template <bool First> static __device__ void panel(f32x4 (&acc)[8], const f32x4 *from)
{
	const f16x4 a = half4(from[First]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in);
	} else {
		panel<false>(acc, in);
	}
	store(out, acc);
}

/// an arm without the call | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else if (s > 1) {
		panel<false>(acc, in, n);
	} else {
		g[0] = 1;
	}
	store(out, acc);
}
/// =>
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}

struct panel_state {
	f16x4 a;
	bool runs = false;
};

template <bool First> __device__ void panel_narrow(panel_state &state, const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	state.a = a;
	state.runs = true;
}

__device__ void panel_wide(const panel_state &state, f32x4 (&acc)[8], const f32x4 *from)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(state.a, half4(from[i]), acc[i]);
	}
}

KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	panel_state state;
	if (n > s) {
		panel_narrow<true>(state, in, n);
	} else if (s > 1) {
		panel_narrow<false>(state, in, n);
	} else {
		g[0] = 1;
	}
	if (state.runs) {
		panel_wide(state, acc, in);
	}
	store(out, acc);
}

/// paths without a call, nested, that leave | split | legal
struct tile {
	float v[64];
};
template <bool First> __device__ void panel(tile &acc, const float *from, int n)
{
	const float runs = from[First ? 1 : n];
	for (int i = 0; i < 64; ++i) {
		acc.v[i] = runs - acc.v[i];
	}
}
KERNEL k(ARGS)
{
	tile acc = {};
	for (int t = 0; t < n; t++) {
		switch (t + s) {
		case 0:
			panel<true>(acc, w, n);
			g[3] = 4;
			break;
		case 1:
			if (s < 0)
				panel<true>(acc, w, n);
			g[4] = s;
			break;
		case 3:
			continue;
		case 2:
			if (t > 1) {
				panel<false>(acc, w, n);
			} else if (s) {
				g[5] = 6;
			}
		}
		g[6] -= acc.v[5];
	}
	out[0].x = acc.v[n];
}

/// a path without the call, fenced | split-fenced | legal
struct tile {
	float v[64];
};
template <bool First> __device__ void panel(tile &acc, const float *from, int n)
{
	float by = from[First ? 1 : n];
	for (int i = 0; i < 64; ++i) {
		acc.v[i] = by - acc.v[i];
	}
}
KERNEL k(ARGS)
{
	tile acc = {};
	for (int t = 0; t < n; t++) {
		if (t == s) {
			panel<true>(acc, g, n);
		} else if (t == 2) {
			panel<false>(acc, g, n);
			g[3] = 4;
		}
	}
	out[0].x = acc.v[n];
}

/// a path without the call, and a condition per lane | split | 29 a matrix operation
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < n % 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if ((int)threadIdx.x > s) {
		panel<true>(acc, in, n);
	} else if (s > 1) {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a path without the call, and arms that ask for all lanes | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if ((int)threadIdx.y > s) {
		panel<true>(acc, in, n);
	} else if (s > 1) {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a path without the call that can be jumped to | split | 23 is jumped into
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else if (s > 1) {
		panel<false>(acc, in, n);
	} else {
	again:
		g[0] -= 1;
	}
	if (g[0] > 5) {
		goto again;
	}
	store(out, acc);
}

/// two functions | split | 21 the arms call different functions
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
__device__ void other(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	acc[n] = from[n];
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		other(acc, in, n);
	}
	store(out, acc);
}

/// a call in a loop | split | 21 does more about the accumulator
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		for (int i = 0; i < s; ++i) {
			panel<false>(acc, in, i);
		}
	}
	store(out, acc);
}

/// two calls in an arm | split | 21 in more than one statement
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
		panel<true>(acc, in, n);
	}
	store(out, acc);
}

/// a result | split | 21 'panel' gives a result that no accumulator takes
template <bool First> __device__ int panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
	return n;
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// the accumulator by value, and back | split | legal
struct tile {
	f32x4 v[8];
};
// Gives the tile that it is given, and a panel more.
template <bool First>
__device__ inline tile panel(tile acc, const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	tile out;
	for (int i = 0; i < 8; ++i) {
		out.v[i] = mma(a, half4(from[i]), First ? f32x4(acc.v[i] / 2) : acc.v[i]);
	}
	return out;
}
KERNEL k(ARGS)
{
	tile acc;
	load(acc.v, in);
	if (n > s) {
		acc = panel<true>(acc, in, n); // the first
	} else {
		acc = panel<false>(acc, in, n);
	}
	store(out, acc.v);
}
/// =>
struct tile {
	f32x4 v[8];
};
// Gives the tile that it is given, and a panel more.
template <bool First>
__device__ inline tile panel(tile acc, const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	tile out;
	for (int i = 0; i < 8; ++i) {
		out.v[i] = mma(a, half4(from[i]), First ? f32x4(acc.v[i] / 2) : acc.v[i]);
	}
	return out;
}

struct panel_state {
	f16x4 a;
	bool First;
};

template <bool First>
__device__ inline panel_state panel_narrow(const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	return {a, First};
}

__device__ inline tile panel_wide(const panel_state &state, tile acc, const f32x4 *from)
{
	tile out;
	for (int i = 0; i < 8; ++i) {
		out.v[i] = mma(state.a, half4(from[i]), state.First ? f32x4(acc.v[i] / 2) : acc.v[i]);
	}
	return out;
}

KERNEL k(ARGS)
{
	tile acc;
	load(acc.v, in);
	panel_state state;
	if (n > s) {
		state = panel_narrow<true>(in, n); // the first
	} else {
		state = panel_narrow<false>(in, n);
	}
	acc = panel_wide(state, acc, in);
	store(out, acc.v);
}

/// a vector by value, of a template's type | split-fenced | legal
typedef float f32x64 __attribute__((ext_vector_type(64)));
template <bool First, class T> __device__ T panel(T acc, const float *from, int n)
{
	float by = from[First ? 0 : n];
	if (n > 3) {
		return by - acc;
	}
	acc -= by;
	return acc / by;
}
KERNEL k(ARGS)
{
	f32x64 acc[2] = {1, 2};
	if (n > s) {
		acc[1] = panel<true>(acc[1], g, n);
	} else if (n > 1) {
		acc[1] = panel<false>(acc[1], g, n);
	} else {
		g[1] = 3;
		acc[1] = panel<false>(acc[1], g, 2);
	}
	out[0].x = acc[1][5];
}

/// a lambda that gives the accumulator | split | legal
struct tile {
	float v[64];
};
KERNEL k(ARGS)
{
	tile acc = {};
	const auto panel = [&](tile x, bool half) {
		const float by = half ? g[1] : g[n];
		for (float &e : x.v) {
			e = by - e;
		}
		return x;
	};
	for (int t = 0; t < n; t++) {
		if (t == s) {
			acc = panel(acc, true);
		} else {
			acc = panel(acc, false);
		}
	}
	out[0].x = acc.v[n];
}

/// results for different objects | split | 25 gives its result to another object
struct tile {
	float v[64];
};
template <bool First> __device__ tile panel(tile acc, const float *from, int n)
{
	float by = from[First ? 0 : n];
	for (int i = 0; i < 64; i++) {
		acc.v[i] = by - acc.v[i];
	}
	return acc;
}
KERNEL k(ARGS)
{
	tile acc[2] = {};
	if (n > s) {
		acc[0] = panel<true>(acc[0], g, n);
	} else {
		acc[1] = panel<false>(acc[0], g, n);
	}
	out[0].x = acc[0].v[n] - acc[1].v[n];
}

/// a result of another type | split | 21 is converted
typedef float f32x64 __attribute__((ext_vector_type(64)));
template <bool First> __device__ float panel(f32x64 acc, const float *from, int n)
{
	float by = from[First ? 0 : n];
	return by - acc[n];
}
KERNEL k(ARGS)
{
	f32x64 acc = 1;
	if (n > s) {
		acc = panel<true>(acc, g, n);
	} else {
		acc = panel<false>(acc, g, n);
	}
	out[0].x = acc[5];
}

/// a result that is a product, and added behind the merge | split | 30
typedef float f32x64 __attribute__((ext_vector_type(64)));
template <bool First> __device__ f32x64 panel(f32x64 acc, const float *from, int n)
{
	float by = from[First ? 0 : n];
	return acc * by;
}
KERNEL k(ARGS)
{
	f32x64 acc = 1;
	if (n > s) {
		g[2] = 1;
		acc = panel<true>(acc, g, n);
	} else {
		acc = panel<false>(acc, g, n);
	}
	acc += g[3];
	out[0].x = acc[5];
}

/// a macro before the result's type | split | 22 the type of its result is not spelled in a plain way
#define STEP __device__ tile
struct tile {
	float v[64];
};
template <bool First> STEP panel(tile acc, const float *from, int n)
{
	float by = from[First ? 0 : n];
	for (int i = 0; i < 64; i++) {
		acc.v[i] = by - acc.v[i];
	}
	return acc;
}
KERNEL k(ARGS)
{
	tile acc = {};
	if (n > s) {
		acc = panel<true>(acc, g, n);
	} else {
		acc = panel<false>(acc, g, n);
	}
	out[0].x = acc.v[n];
}

/// a directive in the function | split | 22 a preprocessor directive stands inside
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	#ifdef FAST
	n++;
#endif
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// an explicit specialization | split | 22
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n);
template <> __device__ void panel<true>(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[true ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<true>(acc, in + 1, n);
	}
	store(out, acc);
}

/// another namespace, found by a using | split | 22 is in another namespace
namespace math {
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
}
using namespace math;
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a call made by a macro | split | 22 a call comes from a macro
#define PANEL(x) panel<x>(acc, in, n)
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		PANEL(true);
	} else {
		PANEL(false);
	}
	store(out, acc);
}

/// defined behind its call | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n);

// The kernel.
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}
__device__ inline float behind(const f32x4 *from)
{
	return from->y;
}
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), First ? acc[i] : f32x4(acc[i] / behind(from)));
	}
}
/// =>
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n);

struct panel_state {
	f16x4 a;
	bool First;
};

template <bool First> __device__ panel_state panel_narrow(const f32x4 *from, int n);
__device__ void panel_wide(const panel_state &state, f32x4 (&acc)[8], const f32x4 *from);

// The kernel.
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	panel_state state;
	if (n > s) {
		state = panel_narrow<true>(in, n);
	} else {
		state = panel_narrow<false>(in, n);
	}
	panel_wide(state, acc, in);
	store(out, acc);
}
__device__ inline float behind(const f32x4 *from)
{
	return from->y;
}
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), First ? acc[i] : f32x4(acc[i] / behind(from)));
	}
}

template <bool First> __device__ panel_state panel_narrow(const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	return {a, First};
}

__device__ void panel_wide(const panel_state &state, f32x4 (&acc)[8], const f32x4 *from)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(state.a, half4(from[i]), state.First ? acc[i] : f32x4(acc[i] / behind(from)));
	}
}

/// defined behind its call, with a default | split | 22 defined after its call
template <bool First>
__device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n, int at = 3);
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n, int at)
{
	const f16x4 a = half4(from[First ? at : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}

/// defined behind its call, with a type from between | split | 22 a type that is not declared before it
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n);
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}
typedef const f32x4 *source;
template <bool First> __device__ void panel(f32x4 (&acc)[8], source from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}

/// defined behind its call, under a condition | split | 22 defined after its call
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n);
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}
#ifndef NEVER
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
#endif

/// the narrow part returns | split | 23 may return, or jump
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	if (n == 3) {
		return;
	}
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// an arm leaves | split | 23 an arm is left in its middle
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
		if (s == 3) {
			return;
		}
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a static variable of the wide part | split | 24 'seen' of the wide part is static
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		__shared__ int seen;
		seen = i;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a shared variable of both parts | split off | 24 'seen' is static, shared
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	__shared__ float seen;
	seen = n;
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x += seen;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a type of the narrow part | split | 24 type of the narrow part
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	struct two {
		int x, y;
	};
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		two t = {1, 2};
		acc[i].x = t.x;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a destructor | split | 22 implicit code
#ifdef HOST_RUN
struct keeper {
	int v;
};
#endif
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	keeper held = {n};
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// another object in each arm | split | 25 is called on other objects
struct tile {
	int by;
	__device__ void go(f32x4 (&acc)[8], const f32x4 *from)
	{
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(half4(from[by]), half4(from[i]), acc[i]);
		}
	}
};
KERNEL k(ARGS)
{
	f32x4 acc[8];
	tile x = {1}, y = {2};
	load(acc, in);
	if (n > s) {
		x.go(acc, in);
	} else {
		y.go(acc, in);
	}
	store(out, acc);
}

/// a pointer to what the narrow part declares | split | 25 may point to a variable that is gone
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	f32x4 own = from[n];
	const f32x4 *p = from;
	if (n > 1) {
		p = &own;
	}
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] /= *p;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// an argument that the narrow part changes | split | 25 cannot be passed
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n, int (&at)[4], float &by)
{
	at[0]++;
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]) / by;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	int at[4] = {0, 1, 2, 3};
	float w2[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n, at, w2[at[0]]);
	} else {
		panel<false>(acc, in, n, at, w2[at[0]]);
	}
	store(out, acc);
}

/// what an arm declares | split | 25 cannot be passed
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n, const f32x4 (&m)[2])
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(m[i % 2]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		const f32x4 m[2] = {in[0], in[1]};
		panel<true>(acc, in, n, m);
	} else {
		const f32x4 m[2] = {in[2], in[1]};
		panel<false>(acc, in, n, m);
	}
	store(out, acc);
}

/// a template argument in a type | split | 26 needed at compile time
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		int x[First ? 1 : 2] = {};
		acc[i].x /= x[0] + 2;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a template argument of another call | split | 26 needed at compile time
template <bool F> __device__ float pick(float x)
{
	return F ? x : x / 2;
}
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x = pick<First>(acc[i].y);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a builtin's constant | split | 26 may need a constant
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x = __builtin_ldexpf(acc[i].x, First);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a builtin's argument that is no constant | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x = __builtin_ldexpf(acc[i].x, n + First);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a case | split | 26 the value of a case
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		switch (n) {
		case First:
			acc[i].x /= 2;
		}
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a type that differs | split | 26 a type that differs
template <bool First, typename T> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x = (T)acc[i].x;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true, int>(acc, in, n);
	} else {
		panel<false, unsigned char>(acc, in, n);
	}
	store(out, acc);
}

/// arms that call an instance each for another type | split | legal
template <class T> __device__ void panel(f32x4 (&acc)[8], const T *from, const f32x4 *row)
{
	const f16x4 a = half4(row[(int)from[1]]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(row[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const unsigned char many[2] = {1, 2};
	load(acc, in);
	if (n > s) {
		panel(acc, many, in);
	} else {
		panel(acc, &n - 1, in);
	}
	store(out, acc);
}

/// arms that call a generic lambda with other types | split | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const auto panel = [&](auto at) {
		const f16x4 a = half4(in[(int)at]);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(a, half4(in[i]), acc[i]);
		}
	};
	if (n > s) {
		panel(n);
	} else {
		panel(2.5f);
	}
	store(out, acc);
}

/// a generic lambda's type that differs, in the wide part | split | 25 it has another type in another arm
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const auto panel = [&](auto at) {
		const f16x4 a = half4(in[(int)at]);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(a, half4(in[i]), acc[i]);
			acc[i] /= sizeof(at);
		}
	};
	if (n > s) {
		panel(n);
	} else {
		panel(2.5);
	}
	store(out, acc);
}

/// a local of the narrow part whose type differs | split | 27 has another type in another arm
template <class T> __device__ void panel(f32x4 (&acc)[8], T at, const f32x4 *row)
{
	const f16x4 a = half4(row[(int)at]);
	const auto half = at / 2;
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(row[i]), acc[i]);
		acc[i] /= half;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel(acc, n, in);
	} else {
		panel(acc, 2.5f, in);
	}
	store(out, acc);
}

/// a type without a name | split | 27 cannot be written down
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	struct {
		int v;
	} one = {n + (int)from[0].x};
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x = one.v;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a type that depends on the caller | split | 27 depend on a template's parameter
template <bool First, typename T> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	auto x = (T)from[n].x;
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i].x /= (float)x + 3;
	}
}
template <typename T> __device__ void run(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true, T>(acc, in, n);
	} else {
		panel<false, T>(acc, in, n);
	}
	store(out, acc);
}
KERNEL k(ARGS)
{
	run<float>(out, in, g, w, n, s);
}

/// what stands behind the call reads the accumulator | split | 28 must stay after the wide part
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
		g[1] = acc[0].x;
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// what stands behind the call writes what the wide part reads | split | 28 must stay after the wide part
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	f32x4 m[8];
	load(m, in);
	load(acc, in);
	if (n > s) {
		panel<true>(acc, m, n);
		m[0] = in[3];
	} else {
		panel<false>(acc, m, n);
	}
	store(out, acc);
}

/// a barrier under a condition per lane | split | 29 the condition is not proved uniform
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < n % 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		barrier();
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > (int)threadIdx.x) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a barrier in arms that ask for all lanes | split | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		barrier();
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > (int)threadIdx.y) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a barrier in arms that the lane's number chooses | split | 29 a barrier
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		barrier();
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > (int)threadIdx.x) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a multiply in the narrow part, an add in the wide one | split | 30 would be cut from it
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const float x = from[n].x * from[0].y;
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] += x;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// no contraction, no clause about it | split off | legal
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const float x = from[n].x * from[0].y;
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] += x;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// two multiplies for one add | split | 30 join the add with the other one
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const float x = from[n].x / 2;
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] = acc[i] * x + from[i] * from[i];
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a multiply before the merge, an add in the wide part | split | 30 may come from a multiply
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] += from[i];
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int i = 0; i < 8; ++i) {
		acc[i] *= 3;
	}
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// a multiply in the wide part, an add behind the merge | split | 30 may come from a multiply
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] *= from[0];
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	acc[1] += in[2];
	store(out, acc);
}

/// nothing but a wide array would cross | split | 31 VGPRs would be passed
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	f32x4 m[8];
	for (int i = 0; i < 8; ++i) {
		m[i] = First ? from[i] : from[n];
	}
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
		acc[i] /= m[i];
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	store(out, acc);
}

/// no place before it | split | 32 does not begin a line
template <bool First> __device__ void panel(f32x4 (&acc)[8], const f32x4 *from, int n)
{
	const f16x4 a = half4(from[First ? 0 : n]);
	for (int i = 0; i < 8; ++i) {
		acc[i] = mma(a, half4(from[i]), acc[i]);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	{ if (n > s) {
		panel<true>(acc, in, n);
	} else {
		panel<false>(acc, in, n);
	}
	}
	store(out, acc);
}
