// What hoist would do without its clauses 1 to 15.

// The tail of the only arm runs always.
__global__ void hoist_1_no_else(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		add(acc, in[t]);
#else
		if (t < n) {
			add(acc, in[t]);
		}
#endif
	}
	store(out, acc);
}

// A case falls through into the tail of the next one, which has become the end of both.
__global__ void hoist_1_fall_through(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t == n ? in[1] : in[2];
		add(acc, x);
#else
		switch (t - n) {
		case 0:
			add(acc, in[1]);
			[[fallthrough]];
		default:
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// The code that only another target sees is gone with the arm that held it.
__global__ void hoist_2_other_target(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t < n ? in[1] : in[2];
		add(acc, x);
#else
		if (t < n) {
			add(acc, in[1]);
		} else {
#ifdef __gfx942__
			add(acc, in[3]);
#endif
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// The arm that leaves the loop takes the tail with it.
__global__ void hoist_3_leaves(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		bool left = false;
		float x = in[2];
		if (t < n) {
			x = in[1];
			left = t == 1;
		}
		add(acc, x);
		if (left) {
			break;
		}
#else
		if (t < n) {
			if (t == 1) {
				break;
			}
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// What a head writes to the accumulator is left behind by the tail.
__global__ void hoist_4_head_writes(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t < n ? in[1] : in[2];
		add(acc, x);
		if (t < n) {
			acc[3] *= 0.5f;
		}
#else
		if (t < n) {
			acc[3] *= 0.5f;
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// The hole reads what the tail has written before.
__global__ void hoist_5_hole_reads_tail(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t < n ? acc[0] : acc[1];
		for (int i = 0; i < N; ++i) {
			acc[i] += x;
		}
#else
		if (t < n) {
			for (int i = 0; i < N; ++i) {
				acc[i] += acc[0];
			}
		} else {
			for (int i = 0; i < N; ++i) {
				acc[i] += acc[1];
			}
		}
#endif
	}
	store(out, acc);
}

__device__ void add_at(float (&acc)[N], const float &by, const float *first)
{
	for (int i = 0; i < N; ++i) {
		acc[i] += &by == first ? by : 1.0f;
	}
}

// What is bound to a reference is known by its address.
__global__ void hoist_5_address(float *out, const float *in, int n)
{
	float acc[N];
	const float x = in[1], y = in[2];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float by = t < n ? x : y;
		add_at(acc, by, &x);
#else
		if (t < n) {
			add_at(acc, x, &x);
		} else {
			add_at(acc, y, &x);
		}
#endif
	}
	store(out, acc);
}

// The hole is evaluated also where the tail would not.
__global__ void hoist_6_speculation(float *out, const float *in, int n)
{
	const float *past = in + 100000000;
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
		const bool usable = n > 100;
#ifdef WRONG
		const float x = t < n ? read(past + t) : in[t];
		if (usable) {
			add(acc, x);
		}
#else
		if (t < n) {
			if (usable) {
				add(acc, read(past + t));
			}
		} else {
			if (usable) {
				add(acc, in[t]);
			}
		}
#endif
	}
	store(out, acc);
}

// The tail reads across lanes, and the lanes take different arms.
__global__ void hoist_7_cross_lane(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const int mine = __float_as_int(acc[0]);
#ifdef WRONG
	const float x = (int)threadIdx.x < n ? 1 : 2;
	add(acc, x * __int_as_float(__builtin_amdgcn_readfirstlane(mine)));
#else
	if ((int)threadIdx.x < n) {
		add(acc, 1 * __int_as_float(__builtin_amdgcn_readfirstlane(mine)));
	} else {
		add(acc, 2 * __int_as_float(__builtin_amdgcn_readfirstlane(mine)));
	}
#endif
	store(out, acc);
}

// The type that the tail names is another one outside of the arms.
__global__ void hoist_8_type(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	using real = float;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t < n ? in[1] : in[2];
		add(acc, (float)(((real)x / 3 - (real)0.25) * 1000000));
#else
		if (t < n) {
			using real = double;
			add(acc, (float)(((real)in[1] / 3 - (real)0.25) * 1000000));
		} else {
			using real = double;
			add(acc, (float)(((real)in[2] / 3 - (real)0.25) * 1000000));
		}
#endif
	}
	store(out, acc);
}

// A variable of the head ends, with an effect, before the tail instead of after it.
struct at_end {
	float &to;
	__device__ ~at_end()
	{
		to = 0;
	}
};

__global__ void hoist_9_lifetime(float *out, const float *in, int n)
{
	float acc[N];
	float factor = 3;
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		float x = in[2];
		if (t < n) {
			const at_end end{factor};
			x = in[1];
		}
		add(acc, x * factor);
#else
		if (t < n) {
			const at_end end{factor};
			add(acc, in[1] * factor);
		} else {
			add(acc, in[2] * factor);
		}
#endif
	}
	store(out, acc);
}

// The type of the variable is that of another instantiation.
template <typename T> __device__ void of_a_template(float (&acc)[N], const float *in, bool first)
{
#ifdef WRONG
	const float x = first ? (T)in[1] / 3 : (T)in[2] / 3;
	add(acc, (float)((x - (T)0.25) * 1000000));
#else
	if (first) {
		add(acc, (float)(((T)in[1] / 3 - (T)0.25) * 1000000));
	} else {
		add(acc, (float)(((T)in[2] / 3 - (T)0.25) * 1000000));
	}
#endif
}

__global__ void hoist_10_type(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
		of_a_template<double>(acc, in, t < n);
	}
	store(out, acc);
}

// What is chosen in its place names another variable there than in the arm.
__global__ void hoist_14_captured(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const float x = in[3];
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		bool taken = false;
		if (t < n) {
			const float x = in[4];
			acc[1] += x;
			taken = true;
		}
		for (int i = 0; i < N; ++i) {
			acc[i] += taken ? in[i] * x : in[i + 1];
		}
#else
		if (t < n) {
			const float x = in[4];
			acc[1] += x;
			for (int i = 0; i < N; ++i) {
				acc[i] += in[i] * x;
			}
		} else {
			for (int i = 0; i < N; ++i) {
				acc[i] += in[i + 1];
			}
		}
#endif
	}
	store(out, acc);
}

// What stands behind the wide code reads the accumulator, and now does so before it.
__global__ void hoist_15_reads(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	float seen = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t < n ? in[1] : in[2];
		if (t < n) {
			seen += acc[3];
		}
		add(acc, x);
#else
		if (t < n) {
			add(acc, in[1]);
			seen += acc[3];
		} else {
			add(acc, in[2]);
		}
#endif
	}
	acc[0] += seen;
	store(out, acc);
}

// A statement among the wide ones reads what one of them writes.
__global__ void hoist_15_between(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	float seen = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t < n ? in[1] : in[2];
		if (t < n) {
			seen += acc[3];
		}
		add(acc, x);
		add(acc, in[5]);
#else
		if (t < n) {
			add(acc, in[1]);
			seen += acc[3];
			add(acc, in[5]);
		} else {
			add(acc, in[2]);
			add(acc, in[5]);
		}
#endif
	}
	acc[0] += seen;
	store(out, acc);
}

// The condition has an effect and is evaluated for each hole.
__global__ void hoist_condition_twice(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int count = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = count++ < n ? in[1] : in[2];
		const float y = count++ < n ? in[3] : in[4];
		add(acc, x * y);
#else
		if (count++ < n) {
			add(acc, in[1] * in[3]);
		} else {
			add(acc, in[2] * in[4]);
		}
#endif
	}
	store(out, acc);
}
