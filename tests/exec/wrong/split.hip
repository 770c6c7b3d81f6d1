// What split would do without its clauses.

// A loop that asks behind its body runs once in any case.
__global__ void split_1_asks_behind(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int t = 5;
#ifdef WRONG
	for (; t < n && t < 8; ++t) {
		add(acc, in[1]);
	}
	for (; t < n; ++t) {
		add(acc, in[2]);
	}
#else
	do {
		if (t < 8) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
	} while (++t < n);
#endif
	store(out, acc);
}

// What leaves the loop for another target only goes on in the second one.
__global__ void split_2_other_target(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	int t = 0;
	for (; t < 6 && t < n; ++t) {
		add(acc, in[1]);
#ifdef __gfx942__
		if (t == 1) {
			break;
		}
#endif
	}
	for (; t < 6; ++t) {
		add(acc, in[2]);
#ifdef __gfx942__
		if (t == 1) {
			break;
		}
#endif
	}
#else
	for (int t = 0; t < 6; ++t) {
		if (t < n) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
#ifdef __gfx942__
		if (t == 1) {
			break;
		}
#endif
	}
#endif
	store(out, acc);
}

// The condition, at the loop's head, reads what an iteration that comes to it may read only.
__global__ void split_3_not_reached(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const float *past = in + 100000000;
#ifdef WRONG
	int t = 0;
	for (; t < 4 && !(read(past + t) > 1); ++t) {
		if (n < 100) {
			continue;
		}
		add(acc, in[1]);
	}
#else
	for (int t = 0; t < 4; ++t) {
		if (n < 100) {
			continue;
		}
		if (read(past + t) > 1) {
			add(acc, in[2]);
		} else {
			add(acc, in[1]);
		}
	}
#endif
	store(out, acc);
}

// What leaves the first loop goes on in the second.
__global__ void split_4_break(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	int t = 0;
	for (; t < 6 && t < n; ++t) {
		add(acc, in[1]);
		if (t == 1) {
			break;
		}
	}
	for (; t < 6; ++t) {
		add(acc, in[2]);
	}
#else
	for (int t = 0; t < 6; ++t) {
		if (t < n) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
		if (t == 1) {
			break;
		}
	}
#endif
	store(out, acc);
}

// The condition reads what is written between the loop's head and the if.
__global__ void split_5_written_before(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int limit = n;
#ifdef WRONG
	for (int t = 0; t < 6;) {
		for (; t < 6 && t < limit; ++t) {
			limit = 6 - t;
			add(acc, in[1]);
		}
		for (; t < 6 && t >= limit; ++t) {
			limit = 6 - t;
			add(acc, in[2]);
		}
	}
#else
	for (int t = 0; t < 6; ++t) {
		limit = 6 - t;
		if (t < limit) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
	}
#endif
	store(out, acc);
}

// The condition counts, and is evaluated once more.
__global__ void split_5_effect(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int count = 0;
#ifdef WRONG
	int t = 0;
	for (; t < 6 && count++ < n; ++t) {
		add(acc, in[1]);
	}
	for (; t < 6 && count++ < 6; ++t) {
		add(acc, in[2]);
	}
#else
	for (int t = 0; t < 6; ++t) {
		if (count++ < n) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
	}
#endif
	store(out, acc);
}

// The loop's own condition counts, and is evaluated once more.
__global__ void split_6_loop_acts(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int t = 0;
#ifdef WRONG
	while (t++ < 6 && t < n) {
		add(acc, in[1]);
	}
	while (t++ < 6) {
		add(acc, in[2]);
	}
#else
	while (t++ < 6) {
		if (t < n) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
	}
#endif
	store(out, acc);
}

// What one iteration leaves in LDS is not there for the first of the second loop.
__global__ void split_7_shared(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	int t = 0;
	for (; t < 4 && t < n; ++t) {
		__shared__ float held[64];
		add(acc, t ? held[threadIdx.x] : 1);
		held[threadIdx.x] = acc[0];
	}
	for (; t < 4; ++t) {
		__shared__ float held[64];
		add(acc, t ? -held[threadIdx.x] : 1);
		held[threadIdx.x] = acc[0];
	}
#else
	for (int t = 0; t < 4; ++t) {
		__shared__ float held[64];
		if (t < n) {
			add(acc, t ? held[threadIdx.x] : 1);
		} else {
			add(acc, t ? -held[threadIdx.x] : 1);
		}
		held[threadIdx.x] = acc[0];
	}
#endif
	store(out, acc);
}

// The lanes of an iteration come to the cross-lane operation at two places.
__global__ void split_8_cross_lane(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const int half = (int)threadIdx.x / 32 + 1;
#ifdef WRONG
	int t = 0;
	for (; t < 4 && t < half; ++t) {
		add(acc, __int_as_float(__builtin_amdgcn_readfirstlane(__float_as_int(acc[0]))));
	}
	for (; t < 4; ++t) {
		add(acc, -__int_as_float(__builtin_amdgcn_readfirstlane(__float_as_int(acc[0]))));
	}
#else
	for (int t = 0; t < 4; ++t) {
		const int first = __builtin_amdgcn_readfirstlane(__float_as_int(acc[0]));
		if (t < half) {
			add(acc, __int_as_float(first));
		} else {
			add(acc, -__int_as_float(first));
		}
	}
#endif
	store(out, acc);
}

// The condition is true in the middle only, and the first loop ends at once.
__global__ void split_10_in_the_middle(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	int t = 0;
	for (; t < 6 && t == n; ++t) {
		add(acc, in[1]);
	}
	for (; t < 6; ++t) {
		add(acc, in[2]);
	}
#else
	for (int t = 0; t < 6; ++t) {
		if (t == n) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
	}
#endif
	store(out, acc);
}

// The sum wraps around, and the condition, false before, is true again.
__global__ void split_10_wraps(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const unsigned first = 0xfffffff8u + (unsigned)n;
#ifdef WRONG
	unsigned t = first;
	for (; t < first + 5 && t + 4 <= 0xfffffffeu; ++t) {
		add(acc, in[1]);
	}
	for (; t < first + 5; ++t) {
		add(acc, in[2]);
	}
#else
	for (unsigned t = first; t < first + 5; ++t) {
		if (t + 4 <= 0xfffffffeu) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
		}
	}
#endif
	store(out, acc);
}
