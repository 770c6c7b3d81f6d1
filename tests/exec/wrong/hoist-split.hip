// What hoist would do with the callee split's clauses off: a function's wide part is called once,
// behind the merge.

// The first of two calls on one path is lost: its narrow part is overwritten by the second's.
__global__ void hoist_21_two_calls(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		float by = in[2];
		if (t < n) {
			by = in[1];
			by = in[3];
		}
		add(acc, by);
#else
		if (t < n) {
			add(acc, in[1]);
			add(acc, in[3]);
		} else {
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// The specialization is cut as if it were the template.
template <bool First> __device__ void special(float (&acc)[N], const float *in)
{
	add(acc, First ? in[1] : in[2]);
}
template <> __device__ void special<true>(float (&acc)[N], const float *in)
{
	add(acc, -in[1]);
}

__global__ void hoist_22_specialization(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		bool first = false;
		if (t < n) {
			first = true;
		}
		add(acc, first ? in[1] : in[2]);
#else
		if (t < n) {
			special<true>(acc, in);
		} else {
			special<false>(acc, in);
		}
#endif
	}
	store(out, acc);
}

// The narrow part returns, and the wide one runs all the same.
__global__ void hoist_23_returns(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const auto narrow = [&](float &by, float x) {
			if (x > in[4]) {
				return;
			}
			by = x;
		};
		float by = 3;
		if (t < n) {
			narrow(by, in[4] + 1);
		} else {
			narrow(by, in[4] - 1);
		}
		add(acc, by);
#else
		const auto step = [&](float x) {
			if (x > in[4]) {
				return;
			}
			add(acc, x);
		};
		if (t < n) {
			step(in[4] + 1);
		} else {
			step(in[4] - 1);
		}
#endif
	}
	store(out, acc);
}

// The shared variable is one of the narrow part's, and another one of the wide part's.
__global__ void hoist_24_shared(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const auto narrow = [&](float x) {
			__shared__ float held[64];
			held[threadIdx.x] = x;
		};
		const auto wide = [&]() {
			__shared__ float held[64];
			add(acc, held[threadIdx.x]);
		};
		if (t < n) {
			narrow(in[1]);
		} else {
			narrow(in[2]);
		}
		wide();
#else
		const auto step = [&](float x) {
			__shared__ float held[64];
			held[threadIdx.x] = x;
			add(acc, held[threadIdx.x]);
		};
		if (t < n) {
			step(in[1]);
		} else {
			step(in[2]);
		}
#endif
	}
	store(out, acc);
}

// The argument has changed where the wide part evaluates it.
__global__ void hoist_25_argument(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int at = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		if (t < n) {
			at = 2;
		} else {
			at = 3;
		}
		add(acc, in[at]);
#else
		const auto step = [&](const float &by) {
			at = t < n ? 2 : 3;
			add(acc, by);
		};
		if (t < n) {
			step(in[at]);
		} else {
			step(in[at]);
		}
#endif
	}
	store(out, acc);
}

// What the narrow part points to is gone when the wide one reads it.
__global__ void hoist_25_gone(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float *by;
		{
			const float own = in[t < n];
			by = &own;
		}
		{
			volatile float other[2] = {-1, -2};
			other[1] = other[0];
		}
		add(acc, read(by));
#else
		const float own = in[t < n];
		const float *by = &own;
		add(acc, read(by));
#endif
	}
	store(out, acc);
}

// The type is made of a template argument that differs between the arms: the wide part has one.
template <bool First> struct number;
template <> struct number<true> {
	typedef double type;
};
template <> struct number<false> {
	typedef float type;
};
template <bool First> __device__ void apart(float (&acc)[N], float x)
{
	typedef typename number<First>::type real;
	add(acc, x * (float)sizeof(real));
}

__global__ void hoist_26_type(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		float x = in[2];
		if (t < n) {
			x = in[1];
		}
		apart<false>(acc, x);
#else
		if (t < n) {
			apart<true>(acc, in[1]);
		} else {
			apart<false>(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// Copied byte by byte it still points into what it was copied from.
struct window {
	float own;
	float *to;
	__device__ explicit window(float x) : own(x), to(&own) {}
	__device__ window(const window &w) : own(w.own), to(&own) {}
};

__global__ void hoist_27_copied(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		window w(in[1]);
		struct {
			alignas(window) char bytes[sizeof(window)];
		} state;
		__builtin_memcpy(&state, &w, sizeof(w));
		w.own = 7;
		add(acc, *((window *)&state)->to);
#else
		window w(in[1]);
		const window copy = w;
		w.own = 7;
		add(acc, *copy.to);
#endif
	}
	store(out, acc);
}

// What an arm does behind the call reads the accumulator before it is written.
__global__ void hoist_28_read_behind(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	float last = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		float by = in[2];
		if (t < n) {
			by = in[1];
			last = acc[0];
		}
		add(acc, by);
#else
		if (t < n) {
			add(acc, in[1]);
			last = acc[0];
		} else {
			add(acc, in[2]);
		}
#endif
	}
	acc[1] = last;
	store(out, acc);
}

// The wide part reads across lanes, and the lanes take different arms.
__global__ void hoist_29_cross_lane(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		float by = 2;
		if ((int)threadIdx.x < n) {
			by = 1;
		}
		const int mine = __float_as_int(acc[0]);
		add(acc, by * __int_as_float(__builtin_amdgcn_readfirstlane(mine)));
#else
		const auto step = [&](float by) {
			const int mine = __float_as_int(acc[0]);
			add(acc, by * __int_as_float(__builtin_amdgcn_readfirstlane(mine)));
		};
		if ((int)threadIdx.x < n) {
			step(1);
		} else {
			step(2);
		}
#endif
	}
	store(out, acc);
}
