// Matrix operations in inline asm on 128 VGPRs of accumulators, in two arms that differ in an operand or
// in what they load; and one arm alone.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

#define MFMA(acc, a, b) \
	asm volatile("v_mfma_f32_32x32x8f16 %0, %1, %2, %0" : "+v"(acc) : "v"(a), "v"(b))
#define LANE __builtin_amdgcn_workitem_id_x()

template <int ARMS>
__global__ __attribute__((amdgpu_flat_work_group_size(1, 256))) void operand(
	f32x16 *out, const f16x4 *pa, const f16x4 *pb, int n, int split)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		f16x4 near = pa[LANE + 256 * k], far = pa[LANE + 256 * (k + n)];
		if (ARMS == 1 || k < split) {
			for (int i = 0; i < 8; i++) {
				MFMA(acc[i], near, pb[LANE + i]);
			}
		} else {
			for (int i = 0; i < 8; i++) {
				MFMA(acc[i], far, pb[LANE + i]);
			}
		}
	}
	for (int i = 0; i < 8; i++) {
		out[LANE * 8 + i] = acc[i];
	}
}
template __global__ void operand<1>(f32x16 *, const f16x4 *, const f16x4 *, int, int);
template __global__ void operand<2>(f32x16 *, const f16x4 *, const f16x4 *, int, int);

template <int ARMS>
__global__ __attribute__((amdgpu_flat_work_group_size(1, 256))) void loads(
	f32x16 *out, const f16x4 *pa, const f16x4 *pb, int n, int split)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		f16x4 a;
		if (ARMS == 1 || k < split) {
			a = pa[LANE + 256 * k];
			for (int i = 0; i < 8; i++) {
				MFMA(acc[i], a, pb[LANE + i]);
			}
		} else {
			a = LANE + k < 100 ? pb[LANE + k] : f16x4{};
			for (int i = 0; i < 8; i++) {
				MFMA(acc[i], a, pb[LANE + i]);
			}
		}
	}
	for (int i = 0; i < 8; i++) {
		out[LANE * 8 + i] = acc[i];
	}
}
template __global__ void loads<1>(f32x16 *, const f16x4 *, const f16x4 *, int, int);
template __global__ void loads<2>(f32x16 *, const f16x4 *, const f16x4 *, int, int);
