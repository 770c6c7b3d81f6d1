// An accumulator whose elements are chosen one by one, on a condition that all lanes share or on one of each
// lane's own; as a whole; and not at all.
#define __global__ __attribute__((global))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(1, 256)))
#define LANE (int)__builtin_amdgcn_workitem_id_x()

template <int Kind> BOUNDS __global__ void choose(const float *__restrict__ p, float *__restrict__ q, int n, int row)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			acc[i] += p[k] * p[k + i];
		}
		if constexpr (Kind == 0) {
			for (int i = 0; i < 64; i++) {
				acc[i] *= p[k];
			}
		} else if constexpr (Kind == 1) {
			for (int i = 0; i < 64; i++) {
				if (k + i <= row) {
					acc[i] *= p[k];
				} else {
					acc[i] -= p[k + 1];
				}
			}
		} else if constexpr (Kind == 2) {
			for (int i = 0; i < 64; i++) {
				if (k + i <= LANE) {
					acc[i] *= p[k];
				} else {
					acc[i] -= p[k + 1];
				}
			}
		} else {
			if (k <= row) {
				for (int i = 0; i < 64; i++) {
					acc[i] *= p[k];
				}
			} else {
				for (int i = 0; i < 64; i++) {
					acc[i] -= p[k + 1];
				}
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		q[i] = acc[i];
	}
}
template __global__ void choose<0>(const float *, float *, int, int);
template __global__ void choose<1>(const float *, float *, int, int);
template __global__ void choose<2>(const float *, float *, int, int);
template __global__ void choose<3>(const float *, float *, int, int);
