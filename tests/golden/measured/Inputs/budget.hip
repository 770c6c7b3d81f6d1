#include <hip/hip_runtime.h>

// unphi: budget spills=0 vgpr<=64
// unphi: budget gfx90a,gfx942 scratch=0 occupancy>=4 lds<=1024
template <int N> __global__ void __launch_bounds__(256) tile(float *p)
{
	__shared__ float shared[N];
	shared[threadIdx.x % N] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = shared[(threadIdx.x + 1) % N];
}

/* unphi: budget gfx1030 vgprs<=1 */
__global__ void plain(float *p)
{
	p[threadIdx.x] = 1;
}

void launch(float *p)
{
	tile<64><<<1, 256>>>(p);
	tile<128><<<1, 256>>>(p);
}
