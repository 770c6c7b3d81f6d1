// Operations across lanes and dynamic LDS, as HIP writes them.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

__global__ void k(float *x, int n)
{
	HIP_DYNAMIC_SHARED(float, s);
	const float mine = x[hipThreadIdx_x];
	float sum = __shfl(mine, 3, 16) + __shfl_xor(mine, 1);
	sum += __shfl_down(mine, 2) + __shfl_up(mine, 1);
	sum += __popcll(__ballot(n > 3)) + __any(n) + __all(1);
	s[threadIdx.x] = sum;
	__syncthreads();
	x[threadIdx.x] = s[threadIdx.x ^ 2];
}
