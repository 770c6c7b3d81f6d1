// Waves of two kinds: those that load a tile to LDS, and those that multiply the one before it, on 192 VGPRs.
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float floatx4 __attribute__((ext_vector_type(4)));

__attribute__((amdgpu_flat_work_group_size(1, 512))) __global__ void specialized(const half4 *a, const half4 *b, floatx4 *c, int steps)
{
	__shared__ half4 sa[2][4][64], sb[2][12][64];
	const int thread = (int)__builtin_amdgcn_workitem_id_x(), lane = thread % 64;
	const bool producer = __builtin_amdgcn_readfirstlane(thread / 64) < 4;
	floatx4 acc[4][12] = {};
	for (int step = 0; step <= steps; ++step) {
		if (producer) {
			if (step < steps) {
				for (int i = 0; i < 4; ++i) {
					sa[step & 1][i][lane] = a[(step * 4 + i) * 64 + lane];
				}
				for (int j = 0; j < 12; ++j) {
					sb[step & 1][j][lane] = b[(step * 12 + j) * 64 + lane];
				}
			}
		} else if (step > 0) {
			for (int j = 0; j < 12; ++j) {
				for (int i = 0; i < 4; ++i) {
					acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(sa[(step - 1) & 1][i][lane], sb[(step - 1) & 1][j][lane], acc[i][j], 0, 0, 0);
				}
			}
		}
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		__builtin_amdgcn_s_barrier();
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	}
	if (!producer) {
		for (int i = 0; i < 4; ++i) {
			for (int j = 0; j < 12; ++j) {
				c[((thread / 64 * 4 + i) * 12 + j) * 64 + lane] = acc[i][j];
			}
		}
	}
}
