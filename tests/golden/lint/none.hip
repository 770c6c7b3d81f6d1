// What is no finding, however wide: every function below is silent, and lint exits 0.
//
// RUN: %unphi lint %s --threshold 64 --checks=-unphi-width-unknown --target gfx90a -- -nogpuinc > %t.txt
// RUN: cmp %t.txt /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))

typedef float f32x4 __attribute__((ext_vector_type(4)));

template <typename T, int N>
__device__ void step(T (&v)[N], float x)
{
	for (int i = 0; i < N; i++) {
		v[i] += x;
	}
}

template <typename T, int N>
__device__ void clear(T (&v)[N])
{
	for (int i = 0; i < N; i++) {
		v[i] = 0;
	}
}

__global__ void narrow(float *p, int c)
{
	f32x4 acc[15] = {};
	if (c) {
		step(acc, 1);
	} else {
		step(acc, 2);
	}
	p[0] = acc[0].x;
}

__global__ void one_armed(float *p, int c)
{
	f32x4 acc[32] = {};
	if (c) {
		step(acc, 1);
	}
	if (c > 1) {
		step(acc, 2);
	} else {
		p[1] = 0;
	}
	p[0] = acc[0].x;
}

template <bool First>
__global__ void constant(float *p, int c)
{
	constexpr int mode = First ? 1 : 2;
	f32x4 acc[32] = {};
	if constexpr (First) {
		step(acc, 1);
	} else {
		step(acc, 2);
	}
	if (First) {
		step(acc, 1);
	} else {
		step(acc, 2);
	}
	if (mode == 1) {
		step(acc, 1);
	} else if (First && sizeof(acc) > 4) {
		step(acc, 2);
	} else {
		step(acc, 3);
	}
	switch (mode) {
	case 1:
		step(acc, 1);
		break;
	default:
		step(acc, 2);
	}
	First ? step(acc, 1) : step(acc, 2);
	p[0] = acc[0].x;
}
template __global__ void constant<true>(float *, int);
template __global__ void constant<false>(float *, int);

template <int N>
__device__ void branch(float (&v)[N], int c)
{
	if (c) {
		v[c] += 1;
	} else {
		v[0] += 2;
	}
}

__device__ void branch_pointer(float *v, int c)
{
	if (c) {
		v[c] += 1;
	} else {
		v[0] += 2;
	}
}

__device__ float table[256];

__global__ void other_memory(float *p, float (*whole)[128], int c)
{
	__shared__ float tile[128];
	if (c) {
		tile[c] += 1;
	} else {
		tile[0] += 2;
	}
	branch(tile, c);
	branch_pointer(tile, c);
	branch_pointer(p, c);
	branch_pointer(table, c);
	float(&alias)[128] = tile;
	if (c) {
		table[c] += alias[1];
		p[1] += 1;
		(*whole)[3] += 1;
		alias[0] = 1;
	} else {
		table[1] += 2;
		p[2] += 2;
		(*whole)[c] += 2;
		alias[1] = 1;
	}
	p[0] = tile[c] + table[1];
}

__global__ void dead_afterwards(float *p, int n, int c)
{
	for (int k = 0; k < n; k++) {
		f32x4 acc[32] = {};
		step(acc, p[k]);
		if (c) {
			step(acc, 1);
			p[k] = acc[0].x;
		} else {
			step(acc, 2);
			p[k] = acc[1].x;
		}
	}
	f32x4 acc[32] = {};
	if (c) {
		step(acc, 1);
		p[0] = acc[0].x;
	} else {
		step(acc, 2);
		p[0] = acc[1].x;
	}
	clear(acc);
	p[1] = acc[1].y;
}

struct grid {
	float v[4][32];
};

__global__ void started_in_the_arm(float *p, int n, int c)
{
	f32x4 acc[32] = {};
	float flat[4][32];
	grid g = {};
	for (int k = 0; k < n; k++) {
		if (c) {
			for (int i = 0; i < 32; i++) {
				acc[i] = 0;
			}
			step(acc, p[k]);
		} else {
			clear(acc);
			step(acc, 2);
		}
		if (c > 1) {
			for (auto &x : acc) {
				x = 1;
			}
			step(acc, 3);
		} else {
			for (int i = 0; i < 32; ++i)
				acc[i] = f32x4{1, 2, 3, 4};
		}
		if (c > 2) {
			for (int i = 0; i < 4; i++) {
				for (int j = 0; j < 32; j++) {
					flat[i][j] = p[j];
				}
			}
			flat[1][c] += 1;
		} else {
			for (auto &row : flat) {
				for (float &x : row) {
					x = c;
				}
			}
		}
		if (c > 3) {
			g = grid();
			g.v[0][c] += 1;
		} else {
			g = grid{};
		}
		p[k] = acc[0].x + flat[0][1] + g.v[1][1];
	}
}

__global__ void leaves(float *p, int n, int c)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++) {
		if (c == k) {
			step(acc, 1);
			break;
		} else {
			step(acc, 2);
		}
		if (c == k + 1) {
			step(acc, 1);
			continue;
		} else {
			step(acc, 2);
		}
		if (c == k + 2) {
			step(acc, 1);
			p[0] = acc[0].y;
			return;
		} else {
			step(acc, 2);
		}
	}
	p[0] = acc[0].x;
}

__host__ void host_code(float *p, int c)
{
	float acc[128] = {};
	if (c) {
		acc[3] += p[0];
	} else {
		acc[1] += p[1];
	}
	p[0] = acc[3];
}

void host_code_too(float *p, int c)
{
	host_code(p, c);
	float acc[128] = {};
	if (c) {
		acc[3] += p[0];
	} else {
		acc[1] += p[1];
	}
	p[0] = acc[3];
}

template <int N>
__global__ void never_instantiated(float *p, int c)
{
	float acc[N] = {};
	if (c) {
		acc[3] += p[0];
	} else {
		acc[1] += p[1];
	}
	p[0] = acc[3];
}

// No kernel of the unit gets here, so the compiler leaves it out.
__device__ void nobody_calls(float (&acc)[128], int c)
{
	if (c) {
		acc[3] += 1;
	} else {
		acc[1] += 2;
	}
}

__device__ void nobody_either(float *p, int c)
{
	float acc[128] = {};
	nobody_calls(acc, c);
	p[0] = acc[3];
}
