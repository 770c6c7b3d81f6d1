#pragma once
// Products of two matrices by the kernels of KERNEL, on sizes that lie inside the blocks, across
// them and across k.
#include "../test.h"

struct gemm {
	unsigned wave;
	int align;	 // of a stride, in elements
	bool transposed; // A^T * B, and C has its own size; else A * B^T, and C has whole blocks
	double tolerance;
};

// A or B: n rows or columns of k elements.
template <class T> struct factor {
	const bool transposed;
	const int n, k, stride;
	buffer<T> v;

	factor(const gemm &g, random_numbers &random, int n, int k)
	    : transposed(g.transposed), n(n), k(k),
	      stride(((transposed ? n : k) + g.align - 1) / g.align * g.align),
	      v((size_t)(transposed ? k : n) * stride, (T)NAN)
	{
		for (int i = 0; i < n; ++i) {
			for (int t = 0; t < k; ++t) {
				v[at(i, t)] = (T)random.unit();
			}
		}
	}
	size_t at(int i, int t) const
	{
		return transposed ? (size_t)t * stride + i : (size_t)i * stride + t;
	}
	matrix whole() const
	{
		return transposed ? matrix{v.data(), k, n, stride} : matrix{v.data(), n, k, stride};
	}
};

template <class T>
static void check(const gemm &g, const char *name, void (*run)(matrix, matrix, float *, int),
	const int (&size)[3])
{
	const int rows = size[0], cols = size[1], k = size[2];
	const dim3 grid((cols + BLOCK_N - 1) / BLOCK_N, (rows + BLOCK_M - 1) / BLOCK_M);
	const int stride_c = g.transposed ? cols : (int)grid.x * BLOCK_N;
	random_numbers random(2);
	const factor<T> a(g, random, rows, k), b(g, random, cols, k);
	buffer<float> c((size_t)(g.transposed ? rows : (int)grid.y * BLOCK_M) * stride_c, NAN);
	const double start = seconds();
	const bool ran = unphi::launch(grid, dim3(THREADS), 0, g.wave,
		[&] { run(a.whole(), b.whole(), c.data(), stride_c); });
	printf("# %s %dx%dx%d: %.2f s\n", name, rows, cols, k, seconds() - start);
	double worst = 0;
	for (int i = 0; i < rows; ++i) {
		for (int j = 0; j < cols; ++j) {
			double sum = 0;
			for (int t = 0; t < k; ++t) {
				sum += (double)a.v[a.at(i, t)] * (double)b.v[b.at(j, t)];
			}
			const double off = fabs(sum - c[(size_t)i * stride_c + j]);
			worst = off <= worst ? worst : off;
		}
	}
	char full[100];
	snprintf(full, sizeof full, "%s/%dx%dx%d", name, rows, cols, k);
	result(full, ran && worst <= g.tolerance, "off by %g, more than %g", worst, g.tolerance);
}
