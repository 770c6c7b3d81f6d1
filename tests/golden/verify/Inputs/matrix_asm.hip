#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef int i4 __attribute__((ext_vector_type(4)));
typedef short s4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
#define LANE __builtin_amdgcn_workitem_id_x()

__global__ void halves(f4 *out, const h4 *p)
{
	f4 acc = {1, 2, 3, 4};
	acc = __builtin_amdgcn_mfma_f32_16x16x16f16(p[LANE], p[LANE + 64], acc, 0, 0, 0);
	acc = __builtin_amdgcn_mfma_f32_16x16x16f16(p[LANE + 64], p[LANE], acc, 0, 0, 0);
	out[LANE] = acc;
}

__global__ void bfloats(f4 *out, const s4 *p)
{
	out[LANE] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(p[LANE], p[LANE + 64], f4{}, 0, 0, 0);
}

__global__ void floats(f16 *out, const float *p)
{
	f16 acc = {1};
	acc = __builtin_amdgcn_mfma_f32_32x32x2f32(p[LANE], p[LANE + 64], acc, 0, 0, 0);
	acc = __builtin_amdgcn_mfma_f32_32x32x2f32(p[LANE + 64], p[LANE], acc, 0, 0, 0);
	out[LANE] = acc;
}

__global__ void bytes(i4 *out, const long *p)
{
	out[LANE] = __builtin_amdgcn_mfma_i32_16x16x32_i8(p[LANE], p[LANE + 64], i4{4, 3, 2, 1}, 0, 0, 0);
}

__global__ void blocks(f4 *out, const h4 *p)
{
	out[LANE] = __builtin_amdgcn_mfma_f32_4x4x4f16(p[LANE], p[LANE + 64], f4{1, 2, 3, 4}, 2, 1, 3);
}
