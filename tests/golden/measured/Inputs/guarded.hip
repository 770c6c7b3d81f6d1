// One kernel whose guards cost where the compiler leaves uniform branches alone: then both arms load
// from one address.
typedef float f32x4 __attribute__((ext_vector_type(4)));

__attribute__((global, amdgpu_flat_work_group_size(64, 64))) void once(
	const float *__restrict__ left, const float *__restrict__ right, f32x4 *__restrict__ q, int c)
{
	const int id = __builtin_amdgcn_workitem_id_x();
	f32x4 acc[16];
	for (int i = 0; i < 16; ++i) {
		acc[i] = q[i * 64 + id];
	}
	// Guarded ifs: one accumulator for all arms (unphi explain sequentialize)
	const bool taken = c > 4;
	if (taken) {
		for (int i = 0; i < 16; ++i) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
				left[id], left[i * 64 + id], acc[i], 0, 0, 0);
		}
	}
	__builtin_amdgcn_wave_barrier(); // keeps LLVM from joining the ifs
	if (!taken) {
		for (int i = 0; i < 16; ++i) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
				right[id], right[i * 64 + id], acc[i], 0, 0, 0);
		}
	}
	for (int i = 0; i < 16; ++i) {
		q[i * 64 + id] = acc[i];
	}
}
