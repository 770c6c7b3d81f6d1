// Forces between particles: lanes within the cutoff compute, the others do not (lanes part);
// several targets a lane.
#include <hip/hip_runtime.h>

struct Force {
	float x, y, z, e;
};

template <int P, int T, int PER>
__global__ __launch_bounds__(T, PER) void forces(const float4 *__restrict__ pos,
	const int *__restrict__ list, const int *__restrict__ count, Force *__restrict__ force,
	float cut2, float eps, float sigma6, int stride)
{
	float4 p[P];
	Force f[P];
	const int first = (blockIdx.x * T + threadIdx.x) * P;
#pragma unroll
	for (int i = 0; i < P; ++i) {
		p[i] = pos[first + i];
		f[i] = Force{0.f, 0.f, 0.f, 0.f};
	}
	const int n = count[blockIdx.x];
	for (int j = 0; j < n; ++j) {
		const float4 o = pos[list[blockIdx.x * stride + j]];
#pragma unroll
		for (int i = 0; i < P; ++i) {
			const float dx = p[i].x - o.x, dy = p[i].y - o.y, dz = p[i].z - o.z;
			const float r2 = dx * dx + dy * dy + dz * dz;
			if (r2 < cut2 && r2 > 0.f) {
				const float inv2 = 1.f / r2, inv6 = inv2 * inv2 * inv2 * sigma6;
				const float s = 24.f * eps * inv2 * inv6 * (2.f * inv6 - 1.f) +
						p[i].w * o.w * inv2 * rsqrtf(r2);
				f[i].x += s * dx;
				f[i].y += s * dy;
				f[i].z += s * dz;
				f[i].e += 4.f * eps * inv6 * (inv6 - 1.f);
			}
		}
	}
#pragma unroll
	for (int i = 0; i < P; ++i) {
		force[first + i] = f[i];
	}
}
#define X(...)                                                                                     \
	template __global__ void forces<__VA_ARGS__>(                                              \
		const float4 *, const int *, const int *, Force *, float, float, float, int);
X(2, 256, 4)
X(4, 256, 2)
X(8, 128, 1)
