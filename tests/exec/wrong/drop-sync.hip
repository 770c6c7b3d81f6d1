// Barriers that are dropped, of kernels that need them: waves race, or other bits come out. Four
// waves a block.

constexpr unsigned GROUP = 256;

// What one wave writes another one reads.
__global__ void drop_sync_1_read_after_write(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	const unsigned t = threadIdx.x;
	held[t] = in[t];
#ifndef WRONG
	__syncthreads();
#endif
	out[t] = held[GROUP - 1 - t];
}

// What one wave reads another one writes.
__global__ void drop_sync_2_write_after_read(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	const unsigned t = threadIdx.x;
	held[t] = in[t];
	__syncthreads();
	const int x = held[GROUP - 1 - t];
#ifndef WRONG
	__syncthreads();
#endif
	held[t] = x + n;
	__syncthreads();
	out[t] = held[t];
}

// Two waves write one place.
__global__ void drop_sync_3_write_after_write(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	const unsigned t = threadIdx.x;
	held[t] = in[t];
#ifndef WRONG
	__syncthreads();
#endif
	held[GROUP - 1 - t] = n;
	__syncthreads();
	out[t] = held[t];
}

// The barrier of a function of which a caller is not seen: the one that writes.
__device__ __attribute__((noinline)) int wait_and_read(const int *from)
{
#ifndef WRONG
	__syncthreads();
#endif
	return from[GROUP - 1 - threadIdx.x];
}

__global__ void drop_sync_4_caller(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	int (*volatile function)(const int *) = wait_and_read;
	held[threadIdx.x] = in[threadIdx.x];
	out[threadIdx.x] = function(held);
}

// The lanes that write have left when the others come to the barrier.
__global__ void drop_sync_5_lanes_left(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	const unsigned t = threadIdx.x;
	if (t < GROUP / 2) {
		held[t] = in[t];
		out[t] = n;
		return;
	}
#ifndef WRONG
	__syncthreads();
#endif
	out[t] = held[t - GROUP / 2];
}

// With the barrier goes the value that it gives.
__global__ void drop_sync_6_value(int *out, const int *in, int n)
{
#ifdef WRONG
	out[threadIdx.x] = threadIdx.x % 3 == 0;
#else
	out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);
#endif
}

// The macro's first barrier is not needed, and its second one is.
#ifdef WRONG
#define WAIT()
#else
#define WAIT() __syncthreads()
#endif

__global__ void drop_sync_7_macro(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	const unsigned t = threadIdx.x;
	const int x = in[t];
	WAIT();
	held[t] = x;
	WAIT();
	out[t] = held[GROUP - 1 - t];
}

// The way back from the jump is not seen.
__global__ void drop_sync_8_jumps(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	const unsigned t = threadIdx.x;
	int left = 3, x = in[t];
	again:
	held[t] = x;
	__syncthreads();
	x += held[GROUP - 1 - t];
#ifndef WRONG
	__syncthreads();
#endif
	if (--left > 0) {
		goto again;
	}
	out[t] = x;
}

// The call that writes is not looked at.
__device__ __attribute__((noinline)) void store_one(int *to, int x)
{
	to[threadIdx.x] = x;
}

__global__ void drop_sync_9_ignored_call(int *out, const int *in, int n)
{
	__shared__ int held[GROUP];
	store_one(held, in[threadIdx.x]);
#ifndef WRONG
	__syncthreads();
#endif
	out[threadIdx.x] = held[GROUP - 1 - threadIdx.x];
}
