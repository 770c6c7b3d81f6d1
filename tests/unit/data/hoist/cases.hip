// Cases of hoist_test. "/// NAME | VARIANT | legal" or "/// NAME | VARIANT | CLAUSE words of the refusal"
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

/// equal arms go with their if | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	step_to(acc, in);
	store(out, acc);
}

/// a condition with an effect stays | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (g[0]++ > s) {
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	(void)(g[0]++ > s);
	step_to(acc, in);
	store(out, acc);
}

/// a rescale and the matrix operations move together | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		const float m = w[0];
		for (int i = 0; i < 8; ++i) {
			acc[i] *= m;
		}
		step(acc, half4(in[1]), half4(in[2]));
	} else {
		const float r = w[1] / 2;
		for (int i = 0; i < 8; ++i) {
			acc[i] *= r;
		}
		step(acc, masked(in, n), half4(in[2]));
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	float operand;
	f16x4 a;
	if (n > s) {
		const float m = w[0];
		operand = m;
		a = half4(in[1]);
	} else {
		const float r = w[1] / 2;
		operand = r;
		a = masked(in, n);
	}
	for (int i = 0; i < 8; ++i) {
		acc[i] *= operand;
	}
	step(acc, a, half4(in[2]));
	store(out, acc);
}

/// a pointer of two arms becomes a choice | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		step_to(acc, in);
	} else {
		step_to(acc, in + 3);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const f32x4 *const panel = n > s ? in : in + 3;
	step_to(acc, panel);
	store(out, acc);
}

/// two holes need the condition once | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n = s, n) {
		step(acc, half4(in[0]), half4(in[n & 3]));
	} else {
		step(acc, half4(in[1]), half4(in[2]));
	}
	store(out, acc);
}

/// locals of one name in the heads | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const f16x4 y = half4(in[2]);
	load(acc, in);
	if (n > s) {
		// inside
		const f16x4 x = half4(in[3]);
		// the matrix operations
		step(acc, x, y); // all eight
	} else {
		const f16x4 x = masked(in, n); // the edge
		/* the same */
		step(acc, x, y);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const f16x4 y = half4(in[2]);
	load(acc, in);
	f16x4 arm_x;
	if (n > s) {
		// inside
		const f16x4 x = half4(in[3]);
		arm_x = x;
	} else {
		const f16x4 x = masked(in, n); // the edge
		arm_x = x;
	}
	/* the same */
	// the matrix operations
	step(acc, arm_x, y); // all eight
	store(out, acc);
}

/// the same, fenced | fenced | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const f16x4 y = half4(in[2]);
	load(acc, in);
	if (n > s) {
		const f16x4 x = half4(in[3]);
		step(acc, x, y);
	} else {
		const f16x4 x = masked(in, n);
		step(acc, x, y);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const f16x4 y = half4(in[2]);
	load(acc, in);
	f16x4 arm_x;
	const bool taken = n > s;
	if (taken) {
		const f16x4 x = half4(in[3]);
		arm_x = x;
	}
	__builtin_amdgcn_wave_barrier();
	if (!taken) {
		const f16x4 x = masked(in, n);
		arm_x = x;
	}
	step(acc, arm_x, y);
	store(out, acc);
}

/// locals of other names, shadowed names | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	int x = s;
	load(acc, in);
	if (n > s) {
		int x = n * 3;
		const int a = x & 3;
		for (int i = 0; i < 8; ++i) {
			const f16x4 u = half4(in[a]);
			acc[i] = mma(u, u, acc[i]);
		}
		g[1] = x;
	} else {
		const int b = x & 1;
		for (int j = 0; j < 8; ++j) {
			const f16x4 v = half4(in[b]);
			acc[j] = mma(v, v, acc[j]);
		}
		g[1] = x;
	}
	store(out, acc);
}

/// a tail that declares gets braces | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const int t = 2;
	if (n > s) {
		g[0] = 1;
		const int t = n & 3;
		const f16x4 x = half4(in[t]);
		step(acc, x, x);
	} else {
		g[2] = 5;
		const int u = n & 3;
		const f16x4 y = half4(in[u]);
		step(acc, y, y);
	}
	g[3] = t;
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const int t = 2;
	if (n > s) {
		g[0] = 1;
	} else {
		g[2] = 5;
	}
	{
		const int t = n & 3;
		const f16x4 x = half4(in[t]);
		step(acc, x, x);
	}
	g[3] = t;
	store(out, acc);
}

/// a chain of four | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < 3; ++t) {
		if (n == 0) {
			g[0] += 2;
			step_to(acc, in + t);
		} else if (n == 1 && s > t) {
			step_to(acc, in + 2);
		} else if (s == t) {
			step_to(acc, in + n);
		} else {
			g[1] += 1;
			step_to(acc, in);
		}
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < 3; ++t) {
		const f32x4 *panel;
		if (n == 0) {
			g[0] += 2;
			panel = in + t;
		} else if (n == 1 && s > t) {
			panel = in + 2;
		} else if (s == t) {
			panel = in + n;
		} else {
			g[1] += 1;
			panel = in;
		}
		step_to(acc, panel);
	}
	store(out, acc);
}

/// a chain of four, fenced | fenced | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < 3; ++t) {
		if (n == 0) {
			g[0] += 2;
			step_to(acc, in + t);
		} else if (n == 1 && s > t) {
			step_to(acc, in + 2);
		} else if (s == t) {
			step_to(acc, in + n);
		} else {
			g[1] += 1;
			step_to(acc, in);
		}
	}
	store(out, acc);
}

/// the outermost of nested holes | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n == 0) {
		shift(acc, w[n + 1]);
	} else if (s == 1) {
		shift(acc, w[n + 2]);
	} else {
		shift(acc, 4.0f);
	}
	store(out, acc);
}

/// an arm that keeps nothing goes | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		g[0] = 3;
		step_to(acc, in);
	} else {
		// no edge
		step_to(acc, in);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		g[0] = 3;
	}
	// no edge
	step_to(acc, in);
	store(out, acc);
}

/// a first arm that keeps nothing negates | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		step_to(acc, in);
	} else {
		g[0] = 3;
		step_to(acc, in);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (!(n > s)) {
		g[0] = 3;
	}
	step_to(acc, in);
	store(out, acc);
}

/// unbraced arms | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n == 2)
		step_to(acc, in);
	else if (n == 3)
		step_to(acc, in + 1); // three
	else
		step_to(acc, in + 2);
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const f32x4 *panel;
	if (n == 2)
		panel = in;
	else if (n == 3)
		panel = in + 1; // three
	else
		panel = in + 2;
	step_to(acc, panel);
	store(out, acc);
}

/// unbraced arms, fenced | fenced | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n == 2)
		step(acc, half4(in[0]), half4(in[n]));
	else if (n == 3)
		step(acc, half4(in[1]), half4(in[1]));
	else
		step(acc, half4(in[2]), half4(in[0]));
	store(out, acc);
}

/// the body of a loop without braces | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < n; ++t)
		if (t == s) {
			step_to(acc, in + 1);
		} else {
			step_to(acc, in + 2);
		}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < n; ++t) {
		const int offset = t == s ? 1 : 2;
		step_to(acc, in + offset);
	}
	store(out, acc);
}

/// the body of a loop without braces, heads | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < n; ++t)
		if (t == s) {
			g[t] += 1;
			step_to(acc, in + 1);
		} else {
			step_to(acc, in + 2);
		}
	store(out, acc);
}

/// on one line | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n == 1) { g[0] = 2; step_to(acc, in); } else { g[1] = 2; step_to(acc, in + 1); } g[2] = 1;
	store(out, acc);
}

/// a switch | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 0:
	case 1:
		g[0] = 1;
		step_to(acc, in + s + 1);
		break;
	case 2: {
		const f32x4 *p = in + 2;
		step_to(acc, p);
		break;
	}
	case 3: {
		step_to(acc, in);
	} break;
	default:
		step_to(acc, in + 1);
	}
	store(out, acc);
}

/// a switch with equal arms | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 0:
		g[0] = 1;
		step_to(acc, in);
		break;
	case 1:
		step_to(acc, in);
		break;
	default:
		step_to(acc, in);
		break;
	}
	store(out, acc);
}

/// spaces | plain | legal
KERNEL k(ARGS)
{
  f32x4 acc[8];
  load(acc, in);
  if (n > s)
  {
    g[0] = 1;
    /* first
     * second */
    for (int i = 0; i < 8; ++i)
      acc[i] = mma(half4(in[1]), half4(in[i]), acc[i]);
  }
  else
  {
    g[1] = 1;
    for (int i = 0; i < 8; ++i)
      acc[i] = mma(half4(in[1]), half4(in[i]), acc[i]);
  }
  store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
  f32x4 acc[8];
  load(acc, in);
  if (n > s)
  {
    g[0] = 1;
  }
  else
  {
    g[1] = 1;
  }
  /* first
   * second */
  for (int i = 0; i < 8; ++i)
    acc[i] = mma(half4(in[1]), half4(in[i]), acc[i]);
  store(out, acc);
}

/// macros spelled alike move as text | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		step_to(acc, in + TWICE(n & 1));
		g[0] = LEFT(acc[0]);
	} else {
		step_to(acc, in + TWICE(n & 1));
		g[0] = LEFT(acc[0]);
	}
	store(out, acc);
}

/// a head writes what the tail reads | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	int at = 0;
	load(acc, in);
	if (n > s) {
		at = n & 3;
		step_to(acc, in + at);
	} else {
		at += 1;
		step_to(acc, in + at);
	}
	store(out, acc);
}

/// a loop-invariant value in a loop | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		const f16x4 x = half4(in[1]);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(x, half4(in[i]), acc[i]);
		}
	} else {
		const f16x4 x = masked(in, s);
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(x, half4(in[i]), acc[i]);
		}
	}
	store(out, acc);
}

/// the same hole twice is one variable | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		for (int i = 0; i < 4; ++i) {
			acc[i] = mma(half4(in[n & 1]), half4(in[n & 1]), acc[i]);
		}
	} else {
		for (int i = 0; i < 4; ++i) {
			acc[i] = mma(half4(in[s & 3]), half4(in[s & 3]), acc[i]);
		}
	}
	store(out, acc);
}

/// parentheses around a hole | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		step_to(acc, in + (n ^ 2));
		g[1] = (float)((n ^ 1) * 5);
	} else {
		step_to(acc, in + s * 0);
		g[1] = (float)(n * 5);
	}
	store(out, acc);
}

/// a small struct | plain | legal
__device__ int sum(pair p)
{
	return p.first + p.second * 2;
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	pair left = {n, 1}, right = {1, s};
	if (n > s) {
		step_to(acc, in + (sum(left) & 1));
	} else {
		step_to(acc, in + (sum(right) & 1));
	}
	store(out, acc);
}

/// pragmas move with their loops | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		g[0] = 1;
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(half4(in[0]), half4(in[i]), acc[i]);
		}
	} else {
#pragma unroll
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(half4(in[0]), half4(in[i]), acc[i]);
		}
	}
	store(out, acc);
}

/// a template | plain | legal
template <typename T, int N> __device__ void body(T (&acc)[N], const T *in, const T *other, int n)
{
	if (n > 1) {
		for (int i = 0; i < N; ++i) {
			acc[i] = mma(half4(in[i]), half4(in[0]), acc[i]);
		}
	} else {
		for (int i = 0; i < N; ++i) {
			acc[i] = mma(half4(in[i]), half4(in[0]), acc[i]);
		}
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	body(acc, in, in + 1, n);
	store(out, acc);
}

/// an index that the tail does not change | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		acc[0] = mma(half4(in[0]), half4(in[1]), acc[1]);
		acc[n & 3] = in[2];
	} else {
		acc[0] = mma(half4(in[0]), half4(in[1]), acc[1]);
		acc[s & 7] = in[2];
	}
	store(out, acc);
}

/// products may cross where nothing adds them | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const float c = w[0] * w[1];
	load(acc, in);
	if (n > s) {
		const f16x4 x = half4(in[1] * w[2]);
		for (int i = 0; i < 8; ++i) {
			acc[i] *= c;
			acc[i] = mma(x, x, acc[i]);
		}
	} else {
		const f16x4 x = half4(in[2]);
		for (int i = 0; i < 8; ++i) {
			acc[i] *= c;
			acc[i] = mma(x, x, acc[i]);
		}
	}
	store(out, acc);
}

/// comments in the condition | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	// before
	if (n > s // more
		|| s == 3 /* or three */ // last
	) { // opened
		step_to(acc, in); // left
	} // closed
	else {
		// right side
		step_to(acc, /* shifted */ in + 1);
		// the end
	}
	store(out, acc);
}

/// comments where arms stay | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) { // opened
		g[0] = 1; /* a */ // b
		step_to(acc, in); // left

		// below left
	} // closed
	else { // other
		g[1] = 2; // c

		/* two
		 * lines */
		step_to(acc, in + 1); // right
	} // end
	store(out, acc);
}

/// a choice of a lambda's captured value | plain | 11 added in a lambda
KERNEL k(ARGS)
{
	f32x4 acc[8];
	float c = w[0] * w[1];
	load(acc, in);
	auto more = [&]() { g[0] += c; };
	if (n > s) {
		step_to(acc, in);
	} else {
		step_to(acc, in + 1);
	}
	more();
	store(out, acc);
}

/// two differences in one operand | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		acc[n & 3] = mma(half4(in[0]), half4(in[n + 1]), acc[1]);
	} else {
		acc[s & 7] = mma(half4(in[0]), half4(in[s + 2]), acc[1]);
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const bool taken = n > s;
	const int index = taken ? n & 3 : s & 7;
	const int arm_index = taken ? n + 1 : s + 2;
	acc[index] = mma(half4(in[0]), half4(in[arm_index]), acc[1]);
	store(out, acc);
}

/// loops of the same values in other words | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		const f32x4 x = in[1];
		for (int i = 0; i < 8; ++i) {
			acc[i] += x;
		}
	} else {
		const f32x4 x = in[2];
		for (int j = 0; j <= 7; j += 1) {
			acc[j] += x;
		}
	}
	store(out, acc);
}

/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const int index = n > s ? 1 : 2;
	{
		const f32x4 x = in[index];
		for (int i = 0; i < 8; ++i) {
			acc[i] += x;
		}
	}
	store(out, acc);
}

/// loops of other values | plain | 4
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[i];
		}
	} else {
		for (int j = 0; j < 7; j++) {
			acc[j] += in[j];
		}
	}
	store(out, acc);
}

/// a loop from below 0, whose bound has no sign | plain | 4
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		for (int i = -1; i < 7; ++i) {
			acc[i + 1] += in[i + 1];
		}
	} else {
		for (int i = -1; i < 7u; i++) {
			acc[i + 1] += in[i + 1];
		}
	}
	store(out, acc);
}

/// a bound that is an arm's own | plain | 5 'i < L', which depends on 'i'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		constexpr int L = 8;
		g[1] = 3;
		for (int i = 0; i < L; ++i) {
			acc[i] += in[i];
		}
	} else {
		for (int i = 0; i <= 7; ++i) {
			acc[i] += in[i];
		}
	}
	store(out, acc);
}

/// a loop that may end early | plain | 5 'i < 8', which depends on 'i'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[i];
			if (g[i] > 1) {
				break;
			}
		}
	} else {
		for (int i = 0; i <= 7; ++i) {
			acc[i] += in[i];
			if (g[i] > 1) {
				break;
			}
		}
	}
	store(out, acc);
}

/// a constant condition in the tail | plain | 4
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		if constexpr (sizeof(n) > 2) {
			step_to(acc, in);
		}
	} else {
		if constexpr (sizeof(s) + 1 > 2) {
			step_to(acc, in);
		}
	}
	store(out, acc);
}

/// other template arguments | plain | 4
template <int K> __device__ void times(f32x4 (&acc)[8])
{
	for (int i = 0; i < 8; ++i) {
		acc[i] = acc[i] / K;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		times<2>(acc);
	} else {
		times<3>(acc);
	}
	store(out, acc);
}

/// conversions that differ | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		shift(acc, (float)(n / 2));
	} else {
		shift(acc, (float)(unsigned)n / 2);
	}
	g[0] = 1;
	store(out, acc);
}

/// contraction off | plain off | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[0] * w[1];
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[1] * w[2];
		}
	}
	store(out, acc);
}

/// no else | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n == 1) {
		step_to(acc, in);
	} else if (n == 2) {
		step_to(acc, in);
	}
	store(out, acc);
}

/// no default | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 1:
		step_to(acc, in);
		break;
	case 2:
		step_to(acc, in);
		break;
	}
	store(out, acc);
}

/// fall-through | plain | 1 falls through
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 1:
		step_to(acc, in);
	default:
		step_to(acc, in);
	}
	store(out, acc);
}

/// a variable in the header | plain | 1 declared in its header
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (int z = n & 1) {
		step_to(acc, in + z);
	} else {
		step_to(acc, in + z);
	}
	store(out, acc);
}

/// a directive inside | plain | 2 preprocessor directive
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		step_to(acc, in);
	} else {
#ifdef OTHER
		step_to(acc, out);
#endif
		step_to(acc, in);
	}
	store(out, acc);
}

/// a pragma that changes arithmetic | plain | 2 preprocessor directive
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
#pragma clang fp contract(off)
		step_to(acc, in);
	} else {
#pragma clang fp contract(off)
		step_to(acc, in);
	}
	store(out, acc);
}

/// from a macro | plain | 2 macro
#define OTHERWISE } else {
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		step_to(acc, in);
	OTHERWISE
		step_to(acc, in);
	}
	store(out, acc);
}

/// an arm that leaves | plain | 3 return
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		if (s == 2) {
			return;
		}
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	store(out, acc);
}

/// an arm that goes on with the loop | plain | 3 continue
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < n; ++t) {
		if (t) {
			if (s == 2) {
				continue;
			}
			step_to(acc, in);
		} else {
			step_to(acc, in);
		}
	}
	store(out, acc);
}

/// a switch arm left early | plain | 3 break
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 1:
		if (s == 2) {
			break;
		}
		step_to(acc, in);
		break;
	default:
		step_to(acc, in);
	}
	store(out, acc);
}

/// a label | plain | 3 label
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
	again:
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	store(out, acc);
}

/// different arms | plain | 4 'step_to(acc, in)' against 'shift(acc, 2)'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		step_to(acc, in);
	} else {
		shift(acc, 2);
	}
	store(out, acc);
}

/// a head that writes | plain | 4 an arm writes the accumulator before
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		acc[1] = in[1];
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	store(out, acc);
}

/// narrow | plain | 4 no accumulator of 16
KERNEL k(ARGS)
{
	f32x4 acc = in[0];
	if (n) {
		acc = mma(half4(in[1]), half4(in[2]), acc);
	} else {
		acc = mma(half4(in[1]), half4(in[3]), acc);
	}
	out[0] = acc;
}

/// targets in another order | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8], other[8];
	load(acc, in);
	load(other, in);
	if (n) {
		step_to(acc, in);
		step_to(other, in);
	} else {
		step_to(other, in);
		step_to(acc, in);
	}
	store(out, acc);
	store(out + 8, other);
}

/// static locals are two | plain | 15 lds
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		shift(acc, 3);
		__shared__ float lds[4];
		lds[s & 3] = acc[1].x;
		shift(acc, lds[s & 3]);
	} else {
		shift(acc, 3);
		__shared__ float lds[4];
		lds[s & 3] = acc[1].x;
		shift(acc, lds[s & 3]);
	}
	store(out, acc);
}

/// a macro's argument differs | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		shift(acc, TWICE(n));
	} else {
		shift(acc, TWICE(s));
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const int operand = n ? n : s;
	shift(acc, TWICE(operand));
	store(out, acc);
}

/// a macro ends what differs | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		step_to(acc, in + TWICE(n & 1));
	} else {
		step_to(acc, in + TWICE(s & 1));
	}
	store(out, acc);
}
/// =>
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const int operand = n ? n : s;
	step_to(acc, in + TWICE(operand & 1));
	store(out, acc);
}

/// a name that no node shows | plain | 4
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	double q = 0;
	if (n) {
		float q[2] = {1, 2};
		g[0] = q[n & 1];
		shift(acc, sizeof(q));
	} else {
		float q[2] = {3, 2};
		g[0] = q[n & 1];
		shift(acc, sizeof(q));
	}
	g[5] = q;
	store(out, acc);
}

/// an array bound must stay one | plain | 15 t[len]
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		shift(acc, 3);
		const int len = 4;
		float t[len] = {acc[1].x, 2, 3, 4};
		shift(acc, t[n & 3]);
	} else {
		shift(acc, 3);
		const int len = 8;
		float t[len] = {acc[1].x, 2, 3, 4, 5, 6, 7, 8};
		shift(acc, t[n & 3]);
	}
	store(out, acc);
}

/// an operand that a builtin wants constant | plain | 5 depends on 'i'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
#ifndef HOST_RUN
	if (n) {
		for (int i = 0; i < 8; ++i) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(
				half4(in[0]), half4(in[1]), acc[i], 0, 0, 0);
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(
				half4(in[0]), half4(in[1]), acc[i], 1, 0, 0);
		}
	}
#endif
	store(out, acc);
}

/// a hole that depends on the loop | plain | 5 depends on 'i'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(half4(in[i]), half4(in[0]), acc[i]);
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(masked(in, i), half4(in[0]), acc[i]);
		}
	}
	store(out, acc);
}

/// the tail writes what a hole reads | plain | 5 'at' is written before it is read
KERNEL k(ARGS)
{
	f32x4 acc[8];
	int at = n & 1, to = s & 1;
	load(acc, in);
	if (n) {
		at += 1;
		to += 1;
		step_to(acc, in + at);
		at = 0;
		step_to(acc, in + at);
	} else {
		at += 1;
		to += 1;
		step_to(acc, in + at);
		at = 0;
		step_to(acc, in + to);
	}
	g[0] = at;
	store(out, acc);
}

/// through a pointer that may alias | plain | 5 written before it is read
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		shift(acc, 3);
		out[0] = acc[0];
		shift(acc, g[0]);
	} else {
		shift(acc, 3);
		out[0] = acc[0];
		shift(acc, g[0] + 1);
	}
	store(out, acc);
}

/// a hole that names a local of the tail | plain | 5 names 't' of the code that would move
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		shift(acc, 2);
		float t[2];
		shift(acc, sizeof(t));
	} else {
		shift(acc, 2);
		float t[2];
		shift(acc, sizeof(t) + 1);
	}
	store(out, acc);
}

/// a hole that acts | plain | 5 side effect
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		step_to(acc, in);
		shift(acc, bump());
	} else {
		step_to(acc, in);
		shift(acc, n * 2);
	}
	store(out, acc);
}

/// a hole behind a barrier | plain | 5 barrier
KERNEL k(ARGS)
{
	__shared__ float lds[8];
	f32x4 acc[8];
	load(acc, in);
	lds[threadIdx.x & 7] = n;
	if (n > s) {
		shift(acc, 3);
		barrier();
		shift(acc, lds[0]);
	} else {
		shift(acc, 3);
		barrier();
		shift(acc, lds[0] + 1);
	}
	store(out, acc);
}

/// a matrix operation in a hole | plain | 5 matrix
KERNEL k(ARGS)
{
	f32x4 acc[8];
	f32x4 t = in[3];
	load(acc, in);
	if (n) {
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(half4(mma(half4(in[0]), half4(in[0]), t)), half4(in[0]), acc[i]);
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] = mma(half4(t), half4(in[0]), acc[i]);
		}
	}
	store(out, acc);
}

/// a load under a condition | plain | 6 'g[n]'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > 1) {
		step_to(acc, in);
		if (s == 1) {
			shift(acc, g[n]);
		}
	} else {
		step_to(acc, in);
		if (s == 1) {
			shift(acc, 1.0f);
		}
	}
	store(out, acc);
}

/// a division in a loop that may not run | plain | 6 'n / s'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > 1) {
		for (int t = 0; t < s; ++t) {
			shift(acc, n / s);
		}
	} else {
		for (int t = 0; t < s; ++t) {
			shift(acc, n);
		}
	}
	store(out, acc);
}

/// a choice under a condition | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > 1) {
		step_to(acc, in);
		if (s == 1) {
			step_to(acc, in + n);
		}
	} else {
		step_to(acc, in);
		if (s == 1) {
			step_to(acc, in + 2);
		}
	}
	store(out, acc);
}

/// a barrier under a divergent condition | plain | 7 a barrier
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (threadIdx.x & 1) {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[i];
		}
		if (s > 1) {
			barrier();
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[i];
		}
		if (s > 1) {
			barrier();
		}
	}
	store(out, acc);
}

/// a barrier in both arms asks for all lanes | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (threadIdx.y & 1) {
		g[0] = 1;
		step_to(acc, in);
		barrier();
	} else {
		step_to(acc, in);
		barrier();
	}
	store(out, acc);
}

/// a barrier in both arms that the lane's number chooses | plain | 7 a barrier
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (threadIdx.x & 1) {
		g[0] = 1;
		step_to(acc, in);
		barrier();
	} else {
		step_to(acc, in);
		barrier();
	}
	store(out, acc);
}

/// numbers of waves, where nobody reads what is assumed of blocks | plain | 7 the condition is not proved uniform
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (threadIdx.x >> 6) {
		g[0] = 1;
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[i] + (float)__builtin_amdgcn_readfirstlane(n);
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[i] + (float)__builtin_amdgcn_readfirstlane(n);
		}
	}
	store(out, acc);
}

/// a barrier under a uniform condition | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		g[0] = 1;
		step_to(acc, in);
		barrier();
	} else {
		step_to(acc, in);
		barrier();
	}
	store(out, acc);
}

/// a cross-lane operation in a divergent loop | plain | 7 cross-lane
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < (int)threadIdx.x; ++t) {
		if (n > s) {
			shift(acc, ballot(t));
		} else {
			shift(acc, ballot(t));
		}
	}
	store(out, acc);
}

/// the first lane of another set of lanes | plain | 7 cross-lane
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if ((int)threadIdx.x > n) {
		shift(acc, __builtin_amdgcn_readfirstlane((int)threadIdx.x));
	} else {
		shift(acc, __builtin_amdgcn_readfirstlane((int)threadIdx.x));
	}
	store(out, acc);
}

/// the first lane of an arm's lanes | plain | legal
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		shift(acc, __builtin_amdgcn_readfirstlane((int)threadIdx.x));
	} else {
		shift(acc, s);
	}
	store(out, acc);
}

/// the first lane of those that are left in a loop | plain | 5 cross-lane
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		for (int i = 0; i < 8 - (int)threadIdx.x; ++i) {
			shift(acc, __builtin_amdgcn_readfirstlane((int)threadIdx.x));
		}
	} else {
		for (int i = 0; i < 8 - (int)threadIdx.x; ++i) {
			shift(acc, s);
		}
	}
	store(out, acc);
}

/// a type in an arm | plain | 8 struct
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		struct here { float v; } x = {1};
		shift(acc, x.v);
	} else {
		float x = 2;
		shift(acc, x);
	}
	store(out, acc);
}

/// a destructor | plain | 2 implicit code
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		keeper x = {3};
		g[0] = x.v;
		shift(acc, calls);
	} else {
		shift(acc, calls);
	}
	store(out, acc);
}

/// a pointer to an arm's variable | plain | 9 which is declared in an arm
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		f32x4 t[8] = {in[0]};
		const f32x4 *p = t;
		step_to(acc, p);
	} else {
		const f32x4 *p = in;
		step_to(acc, p);
	}
	store(out, acc);
}

/// an arm's variable behind an outer pointer | plain | 9 'v', which is declared in an arm
KERNEL k(ARGS)
{
	f32x4 acc[8];
	const float *p = g;
	load(acc, in);
	if (n) {
		float v = w[0];
		p = &v;
		shift(acc, *p);
	} else {
		p = w;
		shift(acc, *p);
	}
	store(out, acc);
}

/// a variable that two arms of a switch share | plain | 9 'x', which is declared in an arm
KERNEL k(ARGS)
{
	f32x4 acc[8];
	int x = 7;
	load(acc, in);
	switch (n) {
	case 0:
		int x;
		x = 1;
		g[0] = 2;
		step_to(acc, in + x);
		break;
	default:
		x = 2;
		step_to(acc, in + x);
	}
	g[1] = x;
	store(out, acc);
}

/// an object as condition | plain | legal
struct asks {
	int *v;
	__device__ explicit operator bool() const { return (*v)++ > 2; }
};
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	asks a = {&n};
	if (a) {
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	g[0] = n;
	store(out, acc);
}

/// an object as condition of choices | plain | legal
struct asks {
	int *v;
	__device__ explicit operator bool() const { return (*v)++ > 2; }
};
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	asks a = {&n};
	if (a) {
		acc[n & 7] = mma(half4(in[n & 3]), half4(in[2]), acc[1]);
	} else {
		acc[s & 7] = mma(half4(in[0]), half4(in[1]), acc[1]);
	}
	g[0] = n;
	store(out, acc);
}

/// a type that a template gives, and the source spells | plain | legal
template <typename T> __device__ void body(f32x4 (&acc)[8], T x, T y, int n)
{
	if (n > 1) {
		shift(acc, x);
	} else {
		shift(acc, y);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	body(acc, w[0], w[1], n);
	store(out, acc);
}

/// a type that is calculated from what a template gives | plain | 10 template
template <typename T> __device__ void body(f32x4 (&acc)[8], T x, T y, int n)
{
	if (n > 1) {
		shift(acc, x + x);
	} else {
		shift(acc, y);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	body(acc, w[0], w[1], n);
	store(out, acc);
}

/// a type that a template does not give | plain | legal
template <int N, typename T> __device__ void body(T (&acc)[N], const float *x, float y, int n)
{
	if (n > 1) {
		shift(acc, x[0]);
	} else {
		shift(acc, y);
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	body(acc, w, w[1], n);
	store(out, acc);
}

/// a multiply cut from its add | plain | 11 'in[0] * w[1]'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[0] * w[1];
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[1] / w[2];
		}
	}
	store(out, acc);
}

/// through a local | plain | 11 'w[0] * w[1]'
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		const float p = w[0] * w[1];
		for (int i = 0; i < 8; ++i) {
			acc[i] = acc[i] - p;
		}
	} else {
		const float p = w[2];
		for (int i = 0; i < 8; ++i) {
			acc[i] = acc[i] - p;
		}
	}
	store(out, acc);
}

/// through a function's result and parameter | plain | 11
__device__ float scaled(float x, float y)
{
	float r = x;
	r *= y;
	return r;
}
__device__ void add_to(f32x4 (&acc)[8], float x)
{
	for (int i = 0; i < 8; ++i) {
		acc[i] += -x;
	}
}
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		add_to(acc, scaled(w[0], w[1]));
	} else {
		add_to(acc, w[2]);
	}
	store(out, acc);
}

/// a product from before the if | plain | 11 'c' may come from a multiply and is added in the code
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const float c = w[0] * w[1];
	if (n > s) {
		g[0] = 1;
		for (int i = 0; i < 8; ++i) {
			acc[i] = acc[i] + c;
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] = acc[i] + c;
		}
	}
	store(out, acc);
}

/// a product added behind the merge | plain | 11 'acc' may come from a multiply and is added after
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		g[0] = 1;
		for (int i = 0; i < 8; ++i) {
			acc[i] = acc[i] * w[1];
		}
	} else {
		for (int i = 0; i < 8; ++i) {
			acc[i] = acc[i] * w[1];
		}
	}
	for (int i = 0; i < 8; ++i) {
		out[i] = acc[i] + w[2];
	}
}

/// a product that operator[] names, and another name of it that is added | plain | 11 'acc' may come from a multiply and is added
struct elements {
	f32x4 v[8];
	__device__ f32x4 &operator[](int i) { return v[i]; }
	__device__ const f32x4 &at(int i) const { return v[i]; }
};
__device__ inline elements &same(elements &e)
{
	return e;
}
KERNEL k(ARGS)
{
	elements acc;
	load(acc.v, in);
	if (n > s) {
		const float m = w[0];
		for (int i = 0; i < 8; ++i) {
			acc[i] *= m;
		}
	} else {
		const float m = w[1];
		for (int i = 0; i < 8; ++i) {
			acc[i] *= m;
		}
	}
	f32x4 sum = in[3];
	for (int i = 0; i < 8; ++i) {
		sum = sum + same(acc).at(i);
	}
	store(out, acc.v);
	out[0] = sum;
}

/// a product that operator[] names, and one of its kind that is added | plain | legal
struct elements {
	f32x4 v[8];
	__device__ f32x4 &operator[](int i) { return v[i]; }
};
__device__ inline void add(elements &e, f32x4 x)
{
	e[3] = e[3] + x;
}
KERNEL k(ARGS)
{
	elements acc, other;
	load(acc.v, in);
	load(other.v, in);
	add(other, in[2]);
	if (n > s) {
		const float m = w[0];
		for (int i = 0; i < 8; ++i) {
			acc[i] *= m;
		}
	} else {
		const float m = w[1];
		for (int i = 0; i < 8; ++i) {
			acc[i] *= m;
		}
	}
	store(out, acc.v);
	store(out + 8, other.v);
}

/// a product that a method leaves in its object | plain | 11 'acc' may come from a multiply and is added
struct scaled {
	f32x4 v[8];
	__device__ void scale(float x)
	{
		for (int i = 0; i < 8; ++i) {
			v[i] = v[i] * x;
		}
	}
};
KERNEL k(ARGS)
{
	scaled acc;
	load(acc.v, in);
	if (n > s) {
		acc.scale(w[0]);
	} else {
		acc.scale(w[1]);
	}
	for (int i = 0; i < 8; ++i) {
		acc.v[i] += in[i];
	}
	store(out, acc.v);
}

/// what a view writes is what the hole reads | plain | legal
struct view {
	int *at;
	__device__ int &operator[](int i) { return at[i]; }
};
KERNEL k(ARGS)
{
	int own[2] = {n, s};
	view of{own};
	f32x4 acc[8];
	load(acc, in);
	if (n > s) {
		of[0] = s;
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[own[0] + 1];
		}
	} else {
		of[0] = s;
		for (int i = 0; i < 8; ++i) {
			acc[i] += in[own[0] * 2];
		}
	}
	store(out, acc);
}
/// =>
struct view {
	int *at;
	__device__ int &operator[](int i) { return at[i]; }
};
KERNEL k(ARGS)
{
	int own[2] = {n, s};
	view of{own};
	f32x4 acc[8];
	load(acc, in);
	int index;
	if (n > s) {
		of[0] = s;
		index = own[0] + 1;
	} else {
		of[0] = s;
		index = own[0] * 2;
	}
	for (int i = 0; i < 8; ++i) {
		acc[i] += in[index];
	}
	store(out, acc);
}

/// a product that lives across the merge | plain | 11 'c' may come from a multiply and is added after
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	const float c = w[0] * w[1];
	if (n > s) {
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	g[0] = c + w[2];
	store(out, acc);
}

/// more crosses than before | plain | 12 VGPRs of operands
KERNEL k(ARGS)
{
	f32x4 acc[8], x[8];
	load(acc, in);
	if (n > s) {
		load(x, in);
		step_to(acc, x);
	} else {
		for (int i = 0; i < 8; ++i) {
			x[i] = in[7 - i];
		}
		step_to(acc, x);
	}
	store(out, acc);
}

/// a switch is not fenced | fenced | 13 switch
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	switch (n) {
	case 0:
		g[0] = 1;
		step_to(acc, in);
		break;
	default:
		g[0] = 2;
		step_to(acc, in);
	}
	store(out, acc);
}

/// nothing to fence | fenced | 13 nothing stays
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	if (n) {
		step_to(acc, in);
	} else {
		step_to(acc, in);
	}
	store(out, acc);
}

/// no place for a fenced form | fenced | 13 no place
KERNEL k(ARGS)
{
	f32x4 acc[8];
	load(acc, in);
	for (int t = 0; t < n; ++t)
		if (t) {
			step_to(acc, in);
		} else {
			step_to(acc, in + 1);
		}
	store(out, acc);
}
