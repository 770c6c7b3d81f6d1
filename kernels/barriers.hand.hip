// barriers.hip by hand: each kernel without the barriers that order nothing.

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

constexpr int GROUP = 256;

// The textbook example: index arithmetic on both sides of the barrier, memory on one alone.
__global__ void __launch_bounds__(GROUP) registers_only(int *out)
{
	__shared__ int unused[GROUP];
	const int x = threadIdx.x + 1;
	const int y = x * 42;
	const int z = y + x;
	out[blockIdx.x * GROUP + threadIdx.x] = z + (int)sizeof(unused);
}

// Read after write, then reads only: the second barrier parts reads from reads.
__global__ void __launch_bounds__(GROUP) read_after_write(const float *in, float *out)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	tile[t] = in[i];
	__syncthreads();
	const float x = tile[(t + 64) % GROUP];
	const float y = tile[(t + 128) % GROUP];
	out[i] = x - y;
}

// Write after read: the tile is used a second time.
__global__ void __launch_bounds__(GROUP) write_after_read(const float *in, float *out)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	tile[t] = in[i];
	__syncthreads();
	const float x = tile[GROUP - 1 - t];
	__syncthreads();
	tile[t] = x * 2;
	__syncthreads();
	out[i] = tile[(t + 64) % GROUP] + x;
}

// Write after write: who writes last is decided by the barrier.
__global__ void __launch_bounds__(GROUP) write_after_write(const float *in, float *out)
{
	__shared__ float cell[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	cell[t] = in[i];
	__syncthreads();
	cell[(t + 64) % GROUP] = in[i] + 1;
	__syncthreads();
	out[i] = cell[t];
}

// Global memory within the work-group: one wave reads what another wrote.
__global__ void __launch_bounds__(GROUP) through_global(const float *in, float *scratch, float *out)
{
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP;
	scratch[i + t] = in[i + t] * 3;
	__syncthreads();
	out[i + t] = scratch[i + (t + 64) % GROUP];
}

// What is only read is no hazard: in and weight are const and restricted.
__global__ void __launch_bounds__(GROUP) read_only(
	const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out)
{
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	const float x = in[i];
	const float w = weight[t];
	out[i] = x * w;
}

// The same without restrict: out may be in, and a wave may write what another has yet to read.
__global__ void __launch_bounds__(GROUP) may_alias(const float *in, float *out)
{
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP;
	const float x = in[i + (t + 64) % GROUP];
	__syncthreads();
	out[i + t] = x;
}

// A lane's own array is nobody else's, however it is indexed.
__global__ void __launch_bounds__(GROUP) private_array(const float *__restrict__ in, float *out)
{
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	float own[8];
	for (int k = 0; k < 8; ++k) {
		own[k] = (float)k;
	}
	own[t & 7] += in[i];
	float sum = 0;
	for (int k = 0; k < 8; ++k) {
		sum += own[k] * (float)(k + 1);
	}
	out[i] = sum;
}

// A tree in LDS: every step reads what the step before wrote.
__global__ void __launch_bounds__(GROUP) reduction(const float *in, float *out)
{
	__shared__ float sum[GROUP];
	const unsigned t = threadIdx.x;
	sum[t] = in[blockIdx.x * GROUP + t];
	__syncthreads();
	for (unsigned step = GROUP / 2; step > 0; step /= 2) {
		if (t < step) {
			sum[t] += sum[t + step];
		}
		__syncthreads();
	}
	if (t == 0) {
		out[blockIdx.x] = sum[0];
	}
}

// The hazard is around the back edge alone: what is read in one round is written in the next.
__global__ void __launch_bounds__(GROUP) around_the_loop(const float *in, float *out, int rounds)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x;
	float x = 0;
	for (int r = 0; r < rounds; ++r) {
		tile[t] = in[r * GROUP + t];
		__syncthreads();
		x += tile[(t + 64 + (unsigned)r) % GROUP];
		__syncthreads();
	}
	out[blockIdx.x * GROUP + t] = x;
}

// Two buffers by turns: one barrier a round is enough, and it is needed although the index says
// that the buffers differ, because a fast wave is a round ahead.
__global__ void __launch_bounds__(GROUP) double_buffer(const float *in, float *out, int rounds)
{
	__shared__ float tile[2][GROUP];
	const unsigned t = threadIdx.x;
	float x = 0;
	tile[0][t] = in[t];
	for (int r = 0; r < rounds; ++r) {
		__syncthreads();
		if (r + 1 < rounds) {
			tile[(r + 1) & 1][t] = in[(r + 1) * GROUP + t];
		}
		x += tile[r & 1][(t + 64) % GROUP];
	}
	out[blockIdx.x * GROUP + t] = x;
}

__device__ void store(float *to, unsigned t, float x)
{
	to[t] = x;
}

__device__ float load_behind_barrier(const float *from, unsigned t)
{
	__syncthreads();
	return from[(t + 64) % GROUP];
}

__device__ float half_of(float x)
{
	return x * 0.5f;
}

// Through calls: what the callees do counts, also for the barrier in one of them.
__global__ void __launch_bounds__(GROUP) through_calls(const float *in, float *out)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	store(tile, t, in[i]);
	float x = load_behind_barrier(tile, t);
	x = half_of(x);
	__syncthreads();
	store(tile, t, x);
	__syncthreads();
	out[i] = tile[GROUP - 1 - t];
}

// Two in a row: either may go, not both.
__global__ void __launch_bounds__(GROUP) one_of_two(const float *in, float *out)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	tile[t] = in[i];
	__syncthreads();
	out[i] = tile[(t + 64) % GROUP];
}

// In arms that are the same for the work-group; the one behind them orders what they did.
__global__ void __launch_bounds__(GROUP) in_an_arm(const float *in, float *out, int twice)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	float x = in[i];
	if (twice) {
		x *= 2;
	}
	tile[t] = x;
	__syncthreads();
	out[i] = tile[(t + 64) % GROUP];
}

// The last wave to arrive sums up: the atomic is a hazard with everything.
__global__ void __launch_bounds__(GROUP) with_atomics(const int *in, int *out)
{
	__shared__ int count;
	const unsigned t = threadIdx.x;
	if (t == 0) {
		count = 0;
	}
	__syncthreads();
	atomicAdd(&count, in[blockIdx.x * GROUP + t] & 1);
	__syncthreads();
	out[blockIdx.x * GROUP + t] = count;
}

// Lanes learn a value from this one, so it stays, and it orders what is around it.
__global__ void __launch_bounds__(GROUP) with_a_value(const int *in, int *out)
{
	__shared__ int tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	tile[t] = in[i];
	const int odd = __syncthreads_count(in[i] & 1);
	out[i] = odd + tile[(t + 64) % GROUP];
}

// The block of a cooperative group.
__global__ void __launch_bounds__(GROUP) cooperative(const float *in, float *out)
{
	__shared__ float tile[GROUP];
	cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	tile[t] = in[i];
	block.sync();
	out[i] = tile[(t + 64) % GROUP];
}

// A s_barrier between fences is one barrier, and goes with them.
__global__ void __launch_bounds__(GROUP) fenced(const float *in, float *out)
{
	__shared__ float tile[GROUP];
	const unsigned t = threadIdx.x, i = blockIdx.x * GROUP + t;
	tile[t] = in[i];
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	const float x = tile[(t + 64) % GROUP];
	out[i] = x;
}
