// What sequentialize and launder would do without their clauses.

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
