// __device__ variables are compared as buffers are, and those are named that cannot be.
//
// RUN: sed "s/^#include.*/&\n#define WRONG/" %s > %t.wrong.hip
// RUN: %exits 1 %verify %s %t.wrong.hip --spec %S/Inputs/variables.verify.yaml --format json > %t.json 2> %t.err
// RUN: grep -c '"buffer": "\(sum\|best\|count\|hits\)"' %t.json | grep -x 7
// RUN: grep "not compared: .*: where, calls, last$" %t.err
// RUN: %verify %s %s --spec %S/Inputs/variables.verify.yaml | grep -x "  1 of 1 cases equal"
// RUN: sed "s/aligned_one\[1\] = K/aligned_one[1] = 9/" %s > %t.other.hip
// RUN: %exits 1 %verify %s %t.other.hip --spec %S/Inputs/variables.verify.yaml | grep "    aligned_one.1.: 0x40000000 (2) before, 0x41100000 (9) after$"
#include <hip/hip_runtime.h>
__device__ float sum[4], best = 1;
static __device__ int count;
namespace detail
{
__device__ unsigned long long hits{0};
__device__ struct point {
	int x, y;
} corner = {1, 2};
} // namespace detail
namespace
{
__device__ int *where = &count;
}
__device__ const float table[2] = {1, 2};
struct state {
	static __device__ int calls;
	__device__ int get() const
	{
		return 1;
	}
};
__device__ int state::calls;
template <class T> __device__ T last;
__device__ __forceinline__ float twice(float x)
{
	return x * 2;
}
__device__ auto once(int x) -> int
{
	return x;
}
struct num {
	int v;
	__device__ num operator+(num o) const
	{
		return {v + o.v};
	}
	__device__ bool operator==(num o) const
	{
		return v == o.v;
	}
};
extern "C" {
__device__ int c_one = 0;
}
__device__ __attribute__((aligned(16))) float aligned_one[2] __attribute__((aligned(32)));
__device__ static volatile int v_one = 3;
__constant__ float coef[2] = {1, 2};
#ifdef WRONG
#define K 3
#else
#define K 2
#endif
__global__ void k(const float *in, int *done)
{
	auto f = [=] __device__(float x) { return x * K; };
	int t = threadIdx.x;
	if (t < 4) {
		sum[t] = f(in[t]) + twice(table[0]) + coef[1];
	}
	if (t == 0) {
		best = sum[0];
		count = K;
		detail::hits = K;
		detail::corner.y = K;
		where = &v_one ? &c_one : 0;
		last<int> = K;
		state::calls = K;
		c_one = K;
		aligned_one[1] = K;
		v_one = once(K);
	}
	done[t] = 1;
}
