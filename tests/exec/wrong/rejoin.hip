// What rejoin would do without its clauses.

// Both ifs run, as both conditions hold.
__global__ void rejoin_1_same(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const bool taken = n > 1;
#ifdef WRONG
	if (taken) {
		add(acc, in[1]);
	} else {
		add(acc, in[2]);
	}
#else
	if (taken) {
		add(acc, in[1]);
	}
	__builtin_amdgcn_wave_barrier();
	if (taken) {
		add(acc, in[2]);
	}
#endif
	store(out, acc);
}

// The first arm has the second one run as well.
__global__ void rejoin_2_changes(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	int arm = n > 1 ? 0 : 1;
#ifdef WRONG
	if (arm == 0) {
		add(acc, in[1]);
		arm = 1;
	} else if (arm == 1) {
		add(acc, in[2]);
	}
#else
	if (arm == 0) {
		add(acc, in[1]);
		arm = 1;
	}
	__builtin_amdgcn_wave_barrier();
	if (arm == 1) {
		add(acc, in[2]);
	}
#endif
	store(out, acc);
}

// Lanes of the second arm read what those of the first one wrote before the fence.
__global__ void rejoin_3_lanes(float *out, const float *in, int n)
{
	__shared__ float row[64];
	const int lane = threadIdx.x;
	const bool taken = lane >= 32;
	float acc[N];
	load(acc, in);
	row[lane] = 1;
	__builtin_amdgcn_wave_barrier();
	if (taken) {
		row[lane - 32] = in[lane];
#ifndef WRONG
	}
	__builtin_amdgcn_wave_barrier();
	if (!taken) {
#else
	} else {
#endif
		add(acc, row[lane]);
	}
	store(out, acc);
}

// What jumps into the first arm comes to the second condition, and finds it true.
__global__ void rejoin_4_label(float *out, const float *in, int n)
{
	float acc[N];
	load(acc, in);
	const bool taken = n > 2;
	if (n == 2) {
		goto inside;
	}
	if (taken) {
		add(acc, in[1]);
	inside:
		add(acc, in[2]);
#ifndef WRONG
	}
	__builtin_amdgcn_wave_barrier();
	if (!taken) {
#else
	} else {
#endif
		add(acc, in[3]);
	}
	store(out, acc);
}

// The fence orders what the lanes of the wave wrote in front of the ifs.
__global__ void rejoin_5_own_fence(float *out, const float *in, int n)
{
	__shared__ float row[64];
	const int lane = threadIdx.x;
	const bool taken = n > 2;
	float acc[N];
	load(acc, in);
	row[lane] = in[lane];
	if (taken) {
		add(acc, in[1]);
#ifndef WRONG
	}
	__builtin_amdgcn_wave_barrier();
	if (!taken) {
#else
	} else {
#endif
		add(acc, row[63 - lane]);
	}
	store(out, acc);
}
