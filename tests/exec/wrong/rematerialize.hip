// Fragments that are loaded again where they are not what they were.

__device__ const float held[N] = {1, 2, 3, 4, 5, 6, 7, 8};

// Behind the loop the name means another variable.
__global__ void rematerialize_1_read_behind(float *out, const float *__restrict__ in, int n)
{
	float sum = 0;
#ifndef WRONG
	float held[N];
	load(held, in);
#endif
	for (int k = 0; k < n; ++k) {
#ifdef WRONG
		float held[N];
		load(held, in);
#endif
		sum += held[k];
	}
	out[threadIdx.x] = sum + held[3];
}

// What sets it counts as well.
__global__ void rematerialize_2_counts(float *out, const float *__restrict__ in, int n)
{
	float sum = 0;
	int count = 0;
#ifndef WRONG
	float q[N];
	for (int i = 0; i < N; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
		++count;
	}
#endif
	for (int k = 0; k < n; ++k) {
#ifdef WRONG
		float q[N];
		for (int i = 0; i < N; ++i) {
			q[i] = in[i * 64 + threadIdx.x];
			++count;
		}
#endif
		sum += q[k];
	}
	out[threadIdx.x] = sum + (float)count;
}

// The lanes that it asks have left the loop.
__global__ void rematerialize_3_cross_lane(float *out, const float *__restrict__ in, int n)
{
	float sum = 0;
#ifndef WRONG
	float q[N];
	for (int i = 0; i < N; ++i) {
		q[i] = __shfl_xor(in[i * 64 + threadIdx.x], 1);
	}
#endif
	for (int k = 0; k < n + (int)threadIdx.x % 2; ++k) {
#ifdef WRONG
		float q[N];
		for (int i = 0; i < N; ++i) {
			q[i] = __shfl_xor(in[i * 64 + threadIdx.x], 1);
		}
#endif
		sum += q[k];
	}
	out[threadIdx.x] = sum;
}

// The row moves on.
__global__ void rematerialize_4_moves_on(float *out, const float *__restrict__ in, int n)
{
	float sum = 0;
	int row = (int)threadIdx.x;
#ifndef WRONG
	float q[N];
	for (int i = 0; i < N; ++i) {
		q[i] = in[i * 64 + row];
	}
#endif
	for (int k = 0; k < n; ++k) {
#ifdef WRONG
		float q[N];
		for (int i = 0; i < N; ++i) {
			q[i] = in[i * 64 + row];
		}
#endif
		sum += q[k];
		row = 63 - row;
	}
	out[threadIdx.x] = sum;
}

// The lane itself writes what it has loaded.
__global__ void rematerialize_5_overwritten(float *out, const float *in, int n)
{
	float sum = 0;
	load(*(float(*)[N])(out + threadIdx.x * N), in);
#ifndef WRONG
	float q[N];
	for (int i = 0; i < N; ++i) {
		q[i] = out[threadIdx.x * N + i];
	}
#endif
	for (int k = 0; k < n; ++k) {
#ifdef WRONG
		float q[N];
		for (int i = 0; i < N; ++i) {
			q[i] = out[threadIdx.x * N + i];
		}
#endif
		sum += q[1] * 3;
		out[threadIdx.x * N + 1] = sum;
	}
}

// Another wave writes it once it is through with the loop.
__global__ void rematerialize_6_other_waves(int *out, const int *in, int n)
{
	__shared__ int tile[GROUP];
	const unsigned t = threadIdx.x;
	int sum = 0;
	tile[t] = in[t];
	__syncthreads();
#ifndef WRONG
	const int q = tile[GROUP - 1 - t];
#endif
	for (int k = 0; k < n; ++k) {
		__syncthreads();
#ifdef WRONG
		const int q = tile[GROUP - 1 - t];
#endif
		sum += q * (k + 1);
	}
	tile[t] = sum;
	out[t] = sum;
}

// The name that it is loaded by is another's in the loop.
__global__ void rematerialize_7_hidden(float *out, const float *__restrict__ in, int n)
{
	float sum = 0;
#ifndef WRONG
	float q[N / 2];
	for (int i = 0; i < N / 2; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
#endif
	for (int k = 0; k < n; ++k) {
		const float *outer = in;
		{
			const float *const in = outer + 64;
#ifdef WRONG
			float q[N / 2];
			for (int i = 0; i < N / 2; ++i) {
				q[i] = in[i * 64 + threadIdx.x];
			}
#endif
			sum += q[k] * in[k];
		}
	}
	out[threadIdx.x] = sum;
}

// The loop that sets it counts the other way round.
__global__ void rematerialize_8_counts_down(float *out, const float *__restrict__ in, int n)
{
	float top = 0;
#ifndef WRONG
	float q[N];
	for (int i = 0; i < N; ++i) {
		q[N - 1 - i] = in[i * 64 + threadIdx.x];
	}
#endif
	for (int k = 0; k < n; ++k) {
#ifdef WRONG
		top = fmaxf(top, in[k * 64 + threadIdx.x]);
#else
		top = fmaxf(top, q[k]);
#endif
	}
	out[threadIdx.x] = top;
}

// Elements that no loop sets are what they were declared to be.
__global__ void rematerialize_9_half_set(float *out, const float *__restrict__ in, int n)
{
	float top = 0;
#ifndef WRONG
	float q[N] = {};
	for (int i = 1; i < N; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
#endif
	for (int k = 0; k < n; ++k) {
#ifdef WRONG
		top += in[(k & 1) * 64 + threadIdx.x];
#else
		top += q[k & 1];
#endif
	}
	out[threadIdx.x] = top;
}
