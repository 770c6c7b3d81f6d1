// Rewrites that are wrong, one for each clause whose violation shows on the CPU: with WRONG
// defined, a kernel is what its strategy would make of it without that clause. verify must find
// other bits, or that it does not run, in every one. Not seen here: clauses whose violation does
// not compile (hoist 8 and 13), about gain (hoist 12), and about contraction (hoist 11), which host
// code is compiled without. ../mutate.py has those as well.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int N = 8;

__device__ void load(float (&acc)[N], const float *in)
{
	for (int i = 0; i < N; ++i) {
		acc[i] = in[i * 64 + threadIdx.x];
	}
}

__device__ void store(float *out, const float (&acc)[N])
{
	for (int i = 0; i < N; ++i) {
		out[i * 64 + threadIdx.x] = acc[i];
	}
}

__device__ void add(float (&acc)[N], float x)
{
	for (int i = 0; i < N; ++i) {
		acc[i] += x * (float)(i + 1);
	}
}

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

// The compiler knows nothing of it, so it cannot put the call where its result is used.
__device__ __attribute__((noinline, optnone)) float read(const float *from)
{
	return *from;
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

// The operand's x is another x in its new place.
__global__ void fuse_8_captured(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	float x = in[3];
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const bool taken = t < n;
		{
			const float x = in[1];
			add(acc, taken ? x : in[2] - x);
		}
#else
		if (t < n) {
			const float x = in[1];
			add(acc, x);
		} else {
			const float y = in[1];
			add(acc, in[2] - x);
		}
#endif
	}
	store(out, acc);
}

// What is common reads across lanes, and the lanes take different arms.
__global__ void fuse_9_cross_lane(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const bool taken = (int)threadIdx.x < n;
	const int mine = __float_as_int(acc[0]);
#ifdef WRONG
	const int first = __builtin_amdgcn_readfirstlane(mine);
	add(acc, __int_as_float(first) + (taken ? in[1] : in[2]));
#else
	if (taken) {
		const int first = __builtin_amdgcn_readfirstlane(mine);
		add(acc, __int_as_float(first) + in[1]);
	} else {
		const int first = __builtin_amdgcn_readfirstlane(mine);
		add(acc, __int_as_float(first) + in[2]);
	}
#endif
	store(out, acc);
}

// One answer for the wave, and lanes that want different ones.
__global__ void fuse_11_uniform(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	const int taken = __builtin_amdgcn_readfirstlane((int)threadIdx.x < n);
	add(acc, taken ? in[1] : in[2]);
#else
	if ((int)threadIdx.x < n) {
		add(acc, in[1]);
	} else {
		add(acc, in[2]);
	}
#endif
	store(out, acc);
}

// Each operand asks again, after the body has changed the answer.
__global__ void fuse_no_snapshot(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < n; ++t) {
#ifdef WRONG
		add(acc, acc[0] > 0 ? -100 : 100);
		add(acc, acc[0] > 0 ? in[1] : in[2]);
#else
		if (acc[0] > 0) {
			add(acc, -100);
			add(acc, in[1]);
		} else {
			add(acc, 100);
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// Both sides of a choice are evaluated, and one has an effect.
__global__ void fuse_both_sides(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int count = 0;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = in[count++];
		const float y = in[5];
		add(acc, t < n ? x : y);
#else
		if (t < n) {
			add(acc, in[5]);
		} else {
			add(acc, in[count++]);
		}
#endif
	}
	store(out, acc);
}

// Statements that the arms have in another order depend on each other.
__global__ void fuse_order(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	float x = in[1];
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const bool taken = t < n;
		x += 1;
		x *= taken ? 2 : 3;
		add(acc, x);
#else
		if (t < n) {
			x += 1;
			x *= 2;
			add(acc, x);
		} else {
			x *= 3;
			x += 1;
			add(acc, x);
		}
#endif
	}
	store(out, acc);
}

// The guard keeps the other arm out as well.
__global__ void predicate_no_pass(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const float x = t % 2 ? in[t] : 0;
		add(acc, x);
#else
		if (t < n) {
			add(acc, in[t]);
		} else {
			add(acc, t % 2 ? in[t] : 0);
		}
#endif
	}
	store(out, acc);
}

// What the guarded arm keeps from doing is not what the other arm does.
__global__ void predicate_11_other(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		add(acc, t < n || t % 2 ? in[t] : 0);
#else
		if (t < n) {
			add(acc, in[t + 1]);
		} else {
			add(acc, t % 2 ? in[t] : 0);
		}
#endif
	}
	store(out, acc);
}

// The guarded operation reads across lanes, and part of the wave does not come to it.
__global__ void predicate_12_cross_lane(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const int lane = threadIdx.x;
	const bool taken = lane < n;
	int first = 40;
#ifdef WRONG
	if (taken || lane > 30) {
		first = __builtin_amdgcn_readfirstlane(lane);
	}
#else
	if (taken) {
		first = __builtin_amdgcn_readfirstlane(lane);
	} else {
		if (lane > 30) {
			first = __builtin_amdgcn_readfirstlane(lane);
		}
	}
#endif
	add(acc, in[first]);
	store(out, acc);
}

// The second if asks again, after the first arm has changed the answer.
__global__ void sequentialize_no_snapshot(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < n; ++t) {
#ifdef WRONG
		if (acc[0] > 0) {
			add(acc, -100);
		}
		if (!(acc[0] > 0)) {
			add(acc, 1);
		}
#else
		if (acc[0] > 0) {
			add(acc, -100);
		} else {
			add(acc, 1);
		}
#endif
	}
	store(out, acc);
}

// The condition of an else-if is evaluated although the first one held.
__global__ void sequentialize_eager_condition(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int count = 0;
	for (int t = 0; t < 6; ++t) {
#ifdef WRONG
		const bool first = t % 2 == 0;
		const bool second = count++ < n;
		if (first) {
			add(acc, in[1]);
		}
		if (!first && second) {
			add(acc, in[2]);
		}
		if (!first && !second) {
			add(acc, in[3]);
		}
#else
		if (t % 2 == 0) {
			add(acc, in[1]);
		} else if (count++ < n) {
			add(acc, in[2]);
		} else {
			add(acc, in[3]);
		}
#endif
	}
	store(out, acc);
}

// The guard of a later arm forgets that an earlier condition held.
__global__ void sequentialize_1_chain(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 6; ++t) {
#ifdef WRONG
		const bool first = t < n;
		const bool second = t < 4;
		if (first) {
			add(acc, in[1]);
		}
		if (second) {
			add(acc, in[2]);
		}
#else
		if (t < n) {
			add(acc, in[1]);
		} else if (t < 4) {
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// What only another target sees, an arm more, has the last guard for its else.
__global__ void sequentialize_2_other_target(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 6; ++t) {
#ifdef WRONG
		const bool first = t < n;
		if (first) {
			add(acc, in[1]);
#ifdef __gfx942__
		} else if (t < 4) {
			add(acc, in[2]);
#endif
		}
		if (!first) {
			add(acc, in[3]);
		}
#else
		if (t < n) {
			add(acc, in[1]);
#ifdef __gfx942__
		} else if (t < 4) {
			add(acc, in[2]);
#endif
		} else {
			add(acc, in[3]);
		}
#endif
	}
	store(out, acc);
}

// A jump into the first arm comes to the second one's guard again.
__global__ void sequentialize_3_label(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int left = 3;
#ifdef WRONG
	const bool first = n > 5;
	if (first) {
again:
		add(acc, in[1]);
	}
	if (!first) {
		add(acc, in[2]);
		if (--left > 0) {
			goto again;
		}
	}
#else
	if (n > 5) {
again:
		add(acc, in[1]);
	} else {
		add(acc, in[2]);
		if (--left > 0) {
			goto again;
		}
	}
#endif
	store(out, acc);
}

// The variable of a later condition, declared before the first, hides the one that an arm means.
__global__ void sequentialize_4_declaration(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const int m = 5;
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const bool first = t < n;
		const int m = t - 2;
		if (first) {
			add(acc, in[m]);
		}
		if (!first && m) {
			add(acc, in[m + 6]);
		}
#else
		if (t < n) {
			add(acc, in[m]);
		} else if (const int m = t - 2) {
			add(acc, in[m + 6]);
		}
#endif
	}
	store(out, acc);
}

// The fall-through of a switch is lost.
__global__ void sequentialize_5_fall_through(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const int arm = t == n ? 0 : t == 3 ? 1 : 2;
		if (arm == 0) {
			add(acc, in[1]);
		}
		if (arm == 1) {
			add(acc, in[2]);
		}
#else
		switch (t) {
		case 2:
			add(acc, in[1]);
			[[fallthrough]];
		case 3:
			add(acc, in[2]);
			break;
		default:
			break;
		}
#endif
	}
	store(out, acc);
}

// A break in the middle of a case leaves the loop, once the case has become an if.
__global__ void sequentialize_5_break(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		if (t < n) {
			if (t == 1) {
				break;
			}
			add(acc, in[1]);
		}
		if (!(t < n)) {
			add(acc, in[2]);
		}
#else
		switch (t < n ? 0 : 1) {
		case 0:
			if (t == 1) {
				break;
			}
			add(acc, in[1]);
			break;
		default:
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// One answer for the wave, and lanes that want different ones.
__global__ void launder_6_uniform(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	const int taken = __builtin_amdgcn_readfirstlane((int)threadIdx.x < n);
#else
	const int taken = (int)threadIdx.x < n;
#endif
	if (taken) {
		add(acc, in[1]);
	} else {
		add(acc, in[2]);
	}
	store(out, acc);
}

// Without the skip around an arm its matrix operation runs whatever the mask.
__global__ void launder_7_matrix(float *out, const float *in, int n)
{
	const int lane = threadIdx.x;
	const f16x4 a = {(_Float16)in[lane], 1, 2, 3};
	f32x4 acc = {in[lane], in[lane + 64], 0, 0};
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		acc = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc, 0, 0, 0);
		acc = __builtin_amdgcn_mfma_f32_16x16x16f16(-a, a, acc, 0, 0, 0);
#else
		if (t < n) {
			acc = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc, 0, 0, 0);
		} else {
			acc = __builtin_amdgcn_mfma_f32_16x16x16f16(-a, a, acc, 0, 0, 0);
		}
#endif
	}
	*(f32x4 *)(out + lane * 4) = acc;
}

// A matrix operation that a part of the wave meets.
__global__ void launder_7_part_of_wave(float *out, const float *in, int n)
{
	const int lane = threadIdx.x;
	const f16x4 a = {(_Float16)in[lane], 1, 2, 3};
	f32x4 acc = {in[lane], in[lane + 64], 0, 0};
#ifdef WRONG
	const int taken = lane < n;
#else
	const int taken = n;
#endif
	if (taken) {
		acc = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc, 0, 0, 0);
	} else {
		acc *= 2;
	}
	*(f32x4 *)(out + lane * 4) = acc;
}

// A barrier that not all lanes come to.
__global__ void launder_7_barrier(float *out, const float *in, int n)
{
	__shared__ float shared[64];
	const int lane = threadIdx.x;
	shared[lane] = in[lane];
#ifdef WRONG
	const int taken = lane < n;
#else
	const int taken = n;
#endif
	if (taken) {
		__syncthreads();
		out[lane] = shared[63 - lane];
	} else {
		out[lane] = 0;
	}
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
