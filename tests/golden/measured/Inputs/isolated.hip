#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x16 __attribute__((ext_vector_type(16)));

struct tile {
	f32x16 v[8];
};

__device__ inline void step(tile &t, const float *p, int k)
{
	for (int i = 0; i < 8; i++) {
		t.v[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(p[k], p[k + i], t.v[i], 0, 0, 0);
	}
}

__attribute__((amdgpu_flat_work_group_size(256, 256))) __global__ void quiet(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case 1: step(acc, in, k); break;
		}
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			out[i * 16 + j] = acc.v[i][j];
		}
	}
}

__attribute__((amdgpu_flat_work_group_size(256, 256))) __global__ void counts(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0, more = 0;
	for (int k = 0; k < n; ++k) {
		if (live[k] < 0)
			seen++;
		else if (live[k] > n)
			more++;
		else
			step(acc, in, k);
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			out[i * 16 + j] = acc.v[i][j];
		}
	}
	out[128] = seen;
	out[129] = more;
}
