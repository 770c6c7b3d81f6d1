// What fuse and predicate would do without their clauses. Those that they share with sequentialize
// are shown there.

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

// Each operand asks again, and to ask counts.
__global__ void fuse_12_effect(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
#ifdef WRONG
	add(acc, n++ > 1 ? in[1] : in[2]);
	add(acc, n++ > 1 ? in[3] : in[4]);
#else
	n++ > 1 ? (add(acc, in[1]), add(acc, in[3])) : (add(acc, in[2]), add(acc, in[4]));
#endif
	add(acc, (float)n);
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

// Where no arm would run, the body of all does.
__global__ void fuse_1_no_arm(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const bool first = t < n;
		add(acc, first ? in[1] : in[2]);
#else
		if (t < n) {
			add(acc, in[1]);
		} else if (t == 3) {
			add(acc, in[2]);
		}
#endif
	}
	store(out, acc);
}

// What only another target sees in one arm runs for both.
__global__ void fuse_6_other_target(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		const bool first = t < n;
#ifdef __gfx942__
		add(acc, in[3]);
#endif
		add(acc, first ? in[1] : in[2]);
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

// One arm writes the accumulator in a way of its own.
__global__ void fuse_7_other_write(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	for (int t = 0; t < 4; ++t) {
#ifdef WRONG
		add(acc, t < n ? in[1] : in[2]);
#else
		if (t < n) {
			add(acc, in[1]);
		} else {
			add(acc, in[2]);
			acc[3] *= 0.5f;
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
