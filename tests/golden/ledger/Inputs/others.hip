// Small kernels of many kinds, none of them one that the ledger's model was made on: what it is
// held to beside kernels/ (scripts/ledger FILE).
#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

__global__ void __launch_bounds__(256) saxpy(const float *x, float *y, float a, int n)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i < n) {
		y[i] += a * x[i];
	}
}

__global__ void __launch_bounds__(256) copy_vectors(
	const f32x4 *__restrict__ in, f32x4 *__restrict__ out, int n)
{
	for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
		out[i] = in[i];
	}
}

// Eight loads of a thread, then eight stores.
__global__ void __launch_bounds__(256) copy_unrolled(
	const f32x4 *__restrict__ in, f32x4 *__restrict__ out)
{
	const int at = blockIdx.x * 2048 + threadIdx.x;
	f32x4 x[8];
	for (int i = 0; i < 8; ++i) {
		x[i] = in[at + i * 256];
	}
	for (int i = 0; i < 8; ++i) {
		out[at + i * 256] = x[i] * 2.0f;
	}
}

__global__ void __launch_bounds__(256) stencil(
	const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
	const int x = blockIdx.x * 64 + threadIdx.x % 64, y = blockIdx.y * 4 + threadIdx.x / 64;
	if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
		const int at = y * width + x;
		out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - width] +
							   in[at + width]);
	}
}

__global__ void __launch_bounds__(256) transpose(
	const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
	__shared__ float tile[32][33];
	const int x = threadIdx.x % 32, y = threadIdx.x / 32;
	const int left = blockIdx.x * 32, top = blockIdx.y * 32;
	for (int i = 0; i < 32; i += 8) {
		tile[y + i][x] = in[(top + y + i) * width + left + x];
	}
	__syncthreads();
	for (int i = 0; i < 32; i += 8) {
		out[(left + y + i) * height + top + x] = tile[x][y + i];
	}
}

__global__ void __launch_bounds__(256) matmul_plain(const float *__restrict__ a,
	const float *__restrict__ b, float *__restrict__ c, int n)
{
	const int row = blockIdx.y * 16 + threadIdx.x / 16, col = blockIdx.x * 16 + threadIdx.x % 16;
	float sum = 0;
	for (int k = 0; k < n; ++k) {
		sum += a[row * n + k] * b[k * n + col];
	}
	c[row * n + col] = sum;
}

// 8 x 8 results a thread, operands from LDS.
__global__ void __launch_bounds__(256) matmul_tiled(const float *__restrict__ a,
	const float *__restrict__ b, float *__restrict__ c, int n)
{
	__shared__ float left[8][128], right[8][128];
	const int t = threadIdx.x, row = t / 16 * 8, col = t % 16 * 8;
	float acc[8][8] = {};
	for (int k = 0; k < n; k += 8) {
		for (int i = 0; i < 4; ++i) {
			left[i * 2 + t / 128][t % 128] =
				a[(k + i * 2 + t / 128) * n + blockIdx.y * 128 + t % 128];
			right[i * 2 + t / 128][t % 128] =
				b[(k + i * 2 + t / 128) * n + blockIdx.x * 128 + t % 128];
		}
		__syncthreads();
		for (int j = 0; j < 8; ++j) {
			float x[8], y[8];
			for (int i = 0; i < 8; ++i) {
				x[i] = left[j][row + i];
				y[i] = right[j][col + i];
			}
			for (int i = 0; i < 8; ++i) {
				for (int m = 0; m < 8; ++m) {
					acc[i][m] += x[i] * y[m];
				}
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 8; ++i) {
		for (int m = 0; m < 8; ++m) {
			c[(blockIdx.y * 128 + row + i) * n + blockIdx.x * 128 + col + m] = acc[i][m];
		}
	}
}

__global__ void __launch_bounds__(256) histogram(const unsigned *__restrict__ in, int *out, int n)
{
	__shared__ int bin[256];
	const int t = threadIdx.x;
	bin[t] = 0;
	__syncthreads();
	for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
		atomicAdd(&bin[in[i] & 255], 1);
	}
	__syncthreads();
	atomicAdd(&out[t], bin[t]);
}

__global__ void __launch_bounds__(256) scan(const int *__restrict__ in, int *__restrict__ out)
{
	__shared__ int part[256];
	const int t = threadIdx.x, at = blockIdx.x * 256 + t;
	part[t] = in[at];
	__syncthreads();
	for (int step = 1; step < 256; step *= 2) {
		const int x = t >= step ? part[t - step] : 0;
		__syncthreads();
		part[t] += x;
		__syncthreads();
	}
	out[at] = part[t];
}

// A row a wave, 16 columns a lane.
__global__ void __launch_bounds__(64) softmax_row(
	const float *__restrict__ in, float *__restrict__ out)
{
	const int lane = threadIdx.x;
	float x[16], top = -INFINITY, sum = 0;
	for (int i = 0; i < 16; ++i) {
		x[i] = in[blockIdx.x * 1024 + i * 64 + lane];
		top = fmaxf(top, x[i]);
	}
	for (int step = 32; step > 0; step /= 2) {
		top = fmaxf(top, __shfl_xor(top, step));
	}
	for (int i = 0; i < 16; ++i) {
		x[i] = exp2f(x[i] - top);
		sum += x[i];
	}
	for (int step = 32; step > 0; step /= 2) {
		sum += __shfl_xor(sum, step);
	}
	for (int i = 0; i < 16; ++i) {
		out[blockIdx.x * 1024 + i * 64 + lane] = x[i] / sum;
	}
}

__global__ void __launch_bounds__(64) norm_row(const float *__restrict__ in,
	const float *__restrict__ weight, float *__restrict__ out, int columns)
{
	float sum = 0;
	const float *row = in + (size_t)blockIdx.x * columns;
	for (int i = threadIdx.x; i < columns; i += 64) {
		sum += row[i] * row[i];
	}
	for (int step = 32; step > 0; step /= 2) {
		sum += __shfl_xor(sum, step);
	}
	const float scale = rsqrtf(sum / columns);
	for (int i = threadIdx.x; i < columns; i += 64) {
		out[(size_t)blockIdx.x * columns + i] = row[i] * scale * weight[i];
	}
}

__global__ void __launch_bounds__(256) gather(const float *__restrict__ in,
	const int *__restrict__ index, float *__restrict__ out, int n)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i < n) {
		out[i] = in[index[i]];
	}
}

__global__ void __launch_bounds__(256) mandelbrot(int *__restrict__ out, float step, int most)
{
	const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
	const float re = x * step - 2, im = y * step - 1;
	float a = 0, b = 0;
	int n = 0;
	while (n < most && a * a + b * b < 4) {
		const float c = a * a - b * b + re;
		b = 2 * a * b + im;
		a = c;
		++n;
	}
	out[y * gridDim.x * 256 + x] = n;
}

__global__ void __launch_bounds__(256) bodies(
	const f32x4 *__restrict__ at, f32x4 *__restrict__ force, int n)
{
	__shared__ f32x4 other[256];
	const int i = blockIdx.x * 256 + threadIdx.x;
	const f32x4 me = at[i];
	float x = 0, y = 0, z = 0;
	for (int k = 0; k < n; k += 256) {
		other[threadIdx.x] = at[k + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 256; ++j) {
			const f32x4 d = other[j] - me;
			const float r = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 1e-3f);
			const float f = other[j].w * r * r * r;
			x += d.x * f;
			y += d.y * f;
			z += d.z * f;
		}
		__syncthreads();
	}
	force[i] = f32x4{x, y, z, 0};
}

__global__ void __launch_bounds__(256) sparse_rows(const int *__restrict__ start,
	const int *__restrict__ column, const float *__restrict__ value,
	const float *__restrict__ x, float *__restrict__ y, int rows)
{
	const int row = blockIdx.x * 256 + threadIdx.x;
	if (row < rows) {
		float sum = 0;
		for (int k = start[row]; k < start[row + 1]; ++k) {
			sum += value[k] * x[column[k]];
		}
		y[row] = sum;
	}
}

__global__ void __launch_bounds__(64) matrix_tile(const f16x4 *__restrict__ a,
	const f16x4 *__restrict__ b, f32x4 *__restrict__ c, int steps)
{
	const int lane = threadIdx.x;
	f32x16 acc[2][2] = {};
	for (int k = 0; k < steps; ++k) {
		f16x4 x[2], y[2];
		for (int i = 0; i < 2; ++i) {
			x[i] = a[(k * 2 + i) * 64 + lane];
			y[i] = b[(k * 2 + i) * 64 + lane];
		}
		for (int i = 0; i < 2; ++i) {
			for (int j = 0; j < 2; ++j) {
				acc[i][j] = __builtin_amdgcn_mfma_f32_32x32x8f16(
					x[i], y[j], acc[i][j], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 2; ++i) {
		for (int j = 0; j < 2; ++j) {
			for (int e = 0; e < 4; ++e) {
				c[((i * 2 + j) * 4 + e) * 64 + lane] = f32x4{acc[i][j][e * 4],
					acc[i][j][e * 4 + 1], acc[i][j][e * 4 + 2],
					acc[i][j][e * 4 + 3]};
			}
		}
	}
}

__global__ void __launch_bounds__(256) matrix_from_lds(const f16x4 *__restrict__ a,
	const f16x4 *__restrict__ b, f32x4 *__restrict__ c, int steps)
{
	__shared__ f16x4 tile[8 * 64];
	const int t = threadIdx.x, lane = t % 64, wave = t / 64;
	f32x4 acc[8] = {};
	for (int k = 0; k < steps; ++k) {
		tile[t] = b[k * 512 + t];
		tile[t + 256] = b[k * 512 + 256 + t];
		__syncthreads();
		const f16x4 x = a[(k * 4 + wave) * 64 + lane];
		for (int i = 0; i < 8; ++i) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(
				x, tile[i * 64 + lane], acc[i], 0, 0, 0);
		}
		__syncthreads();
	}
	for (int i = 0; i < 8; ++i) {
		c[(blockIdx.x * 4 + wave) * 512 + i * 64 + lane] = acc[i];
	}
}

// Sixteen running sums of a thread, by columns that all threads share.
__global__ void __launch_bounds__(256) many_sums(const float *__restrict__ in,
	const float *__restrict__ weight, float *__restrict__ out, int n)
{
	const int row = blockIdx.x * 256 + threadIdx.x;
	float sum[16] = {};
	for (int k = 0; k < n; ++k) {
		const float x = in[(size_t)k * gridDim.x * 256 + row];
		for (int i = 0; i < 16; ++i) {
			sum[i] += x * weight[k * 16 + i];
		}
	}
	for (int i = 0; i < 16; ++i) {
		out[(size_t)i * gridDim.x * 256 + row] = sum[i];
	}
}
