// What unify would do without its clauses: one call of a function that takes the template's
// parameter as an argument.

template <bool FIRST> __device__ void unify_step(float (&acc)[N], float x)
{
	add(acc, FIRST ? x : -3 * x);
}

__device__ void unify_step_any(float (&acc)[N], float x, const bool first)
{
	add(acc, first ? x : -3 * x);
}

// On one path there is no call.
__global__ void unify_1_no_arm(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		unify_step_any(acc, in[t], t == 0);
#else
		if (t == 0) {
			unify_step<true>(acc, in[t]);
		} else if (t < n) {
			unify_step<false>(acc, in[t]);
		}
#endif
	}
	store(out, acc);
}

// One instance is written apart.
template <bool FIRST> __device__ void unify_special(float (&acc)[N], float x)
{
	add(acc, x);
}

template <> __device__ void unify_special<true>(float (&acc)[N], float x)
{
	add(acc, 2 * x);
}

__device__ void unify_special_any(float (&acc)[N], float x, const bool first)
{
	(void)first;
	add(acc, x);
}

__global__ void unify_2_specialization(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		unify_special_any(acc, in[t], t < n);
#else
		if (t < n) {
			unify_special<true>(acc, in[t]);
		} else {
			unify_special<false>(acc, in[t]);
		}
#endif
	}
	store(out, acc);
}

// The calls have other arguments.
__global__ void unify_3_argument(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		unify_step_any(acc, in[t], t < n);
#else
		if (t < n) {
			unify_step<true>(acc, in[t]);
		} else {
			unify_step<false>(acc, in[t + 1]);
		}
#endif
	}
	store(out, acc);
}

// A condition that counts is asked for each argument.
__device__ void unify_two_any(float (&acc)[N], float x, const bool first, const int by)
{
	add(acc, (first ? x : -3 * x) * (float)by);
}

template <bool FIRST> __device__ void unify_two(float (&acc)[N], float x, int by)
{
	add(acc, (FIRST ? x : -3 * x) * (float)by);
}

__global__ void unify_4_effect(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int c = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		unify_two_any(acc, in[t], c++ < n, c++ < n ? 5 : 7);
#else
		if (c++ < n) {
			unify_two<true>(acc, in[t], 5);
		} else {
			unify_two<false>(acc, in[t], 7);
		}
#endif
	}
	store(out, acc);
}

// The parameter chooses a type.
template <bool FIRST> struct unify_type {
	typedef int is;
};

template <> struct unify_type<false> {
	typedef float is;
};

template <bool FIRST> __device__ void unify_typed(float (&acc)[N], float x)
{
	add(acc, (float)(typename unify_type<FIRST>::is)(x * 8));
}

__device__ void unify_typed_any(float (&acc)[N], float x, const bool first)
{
	(void)first;
	add(acc, (float)(unify_type<true>::is)(x * 8));
}

__global__ void unify_5_type(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		unify_typed_any(acc, in[t], t < n);
#else
		if (t < n) {
			unify_typed<true>(acc, in[t]);
		} else {
			unify_typed<false>(acc, in[t]);
		}
#endif
	}
	store(out, acc);
}

// Each instance has its own variable.
template <bool FIRST> __device__ float unify_counted(float x, bool again)
{
	__shared__ float sum[64];
	sum[threadIdx.x] = (again ? sum[threadIdx.x] * 2 : 0) + (FIRST ? x : -x);
	return sum[threadIdx.x];
}

__device__ float unify_counted_any(float x, bool again, const bool first)
{
	__shared__ float sum[64];
	sum[threadIdx.x] = (again ? sum[threadIdx.x] * 2 : 0) + (first ? x : -x);
	return sum[threadIdx.x];
}

__global__ void unify_8_shared(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
		float x;
#ifdef WRONG
		x = unify_counted_any(in[t], t > 1, t % 2 == 0);
#else
		if (t % 2 == 0) {
			x = unify_counted<true>(in[t], t > 1);
		} else {
			x = unify_counted<false>(in[t], t > 1);
		}
#endif
		add(acc, x);
	}
	store(out, acc);
}

// The lanes of one arm alone answer each other.
template <bool FIRST> __device__ void unify_asks(float (&acc)[N], float x)
{
	const int of = __builtin_amdgcn_readfirstlane(__float_as_int(x));
	add(acc, __int_as_float(of) + (FIRST ? 1 : 2));
}

__device__ void unify_asks_any(float (&acc)[N], float x, const bool first)
{
	const int of = __builtin_amdgcn_readfirstlane(__float_as_int(x));
	add(acc, __int_as_float(of) + (first ? 1 : 2));
}

__global__ void unify_9_cross_lane(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	unify_asks_any(acc, in[threadIdx.x], (int)threadIdx.x < n);
#else
	if ((int)threadIdx.x < n) {
		unify_asks<true>(acc, in[threadIdx.x]);
	} else {
		unify_asks<false>(acc, in[threadIdx.x]);
	}
#endif
	store(out, acc);
}
