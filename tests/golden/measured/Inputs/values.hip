/* A tile of a GEMM by functions that return the new accumulator: an if/else that assigns it by
 * reference, ifs that return it, and a ?: that is returned or declared. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define LANE __builtin_amdgcn_workitem_id_x()

typedef float f4 __attribute__((ext_vector_type(4)));
typedef __fp16 h4 __attribute__((ext_vector_type(4)));

struct tile {
	f4 d[4][4];
};

__device__ inline tile whole(const h4 *a, const h4 *b, tile c)
{
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) {
			c.d[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
				a[i * 64 + LANE], b[j * 64 + LANE], c.d[i][j], 0, 0, 0);
		}
	}
	return c;
}

__device__ inline tile edge(const h4 *a, const h4 *b, tile c, int rows)
{
	for (int i = 0; i < 4; i++) {
		h4 x = a[i * 64 + LANE];
		x = i * 16 < rows ? x : h4{0, 0, 0, 0};
		for (int j = 0; j < 4; j++) {
			c.d[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
				x, b[j * 64 + LANE], c.d[i][j], 0, 0, 0);
		}
	}
	return c;
}

__device__ inline tile by_return(const h4 *a, const h4 *b, tile c, int rows, bool full)
{
	if (full) {
		return whole(a, b, c);
	}
	return edge(a, b, c, rows);
}

__device__ inline tile by_question(const h4 *a, const h4 *b, tile c, int rows, bool full)
{
	return full ? whole(a, b, c) : edge(a, b, c, rows);
}

__device__ inline tile declared(const h4 *a, const h4 *b, tile c, int rows, bool full)
{
	const tile next = full ? whole(a, b, c) : edge(a, b, c, rows);
	return next;
}

#define KERNEL(name, statement)                                                                    \
	__global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void name(                  \
		f4 *out, const h4 *a, const h4 *b, int rows, int tiles, int full)                  \
	{                                                                                          \
		tile c = {};                                                                       \
		for (int k = 0; k < tiles; k++, a += 256, b += 256) {                              \
			statement;                                                                 \
		}                                                                                  \
		for (int i = 0; i < 16; i++) {                                                     \
			out[i * 64 + LANE] = c.d[i / 4][i % 4];                                    \
		}                                                                                  \
	}

KERNEL(values_none, c = whole(a, b, c))
KERNEL(values_return, c = by_return(a, b, c, rows - k * 16, k < full))
KERNEL(values_question, c = by_question(a, b, c, rows - k * 16, k < full))
KERNEL(values_declared, c = declared(a, b, c, rows - k * 16, k < full))
