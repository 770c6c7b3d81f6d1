#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

namespace cg = cooperative_groups;
extern "C" __device__ float __ocml_exp_f32(float);

__global__ void words(float *x, const float *y, float by, int n)
{
	assert(n > 0);
	if (n < 0) {
		printf("%d\n", n);
	}
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	auto inner = cg::tiled_partition<4>(tile);
	float v = y[block.thread_rank()];
	for (unsigned d = tile.size() / 2; d > 0; d /= 2) {
		v += tile.shfl_xor(v, d); // 60, 188, 316, 444
	}
	block.sync();
	cg::sync(tile);
	v += inner.shfl((float)threadIdx.x, 1); // of 4 lanes the second
	v += tile.ballot(tile.thread_rank() == 3); // 8
	v += tile.any(threadIdx.x == 17) + tile.meta_group_rank();
	v += __ocml_exp_f32(0) + __ocml_native_sqrt_f32(4) + __ockl_get_local_id(0);
	const half2 h = __floats2half2_rn(1.0f, 2.0f);
	v += __low2float(__hfma2(h, h, h)) + (float)hip_bfloat16(0.5f); // 2.5
	__builtin_nontemporal_store(v, &x[blockIdx.x * 64 + threadIdx.x]);
}
