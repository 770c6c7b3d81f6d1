#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

__device__ inline void __syncthreads()
{
	__builtin_amdgcn_s_barrier();
}

__device__ inline unsigned __lane_id()
{
	return __builtin_amdgcn_workitem_id_x();
}

__global__ void reversed(const float *in, float *out)
{
	__shared__ float tile[64];
	tile[__lane_id()] = in[__lane_id()];
	__syncthreads();
	out[__lane_id()] = tile[63 - __lane_id()];
}
