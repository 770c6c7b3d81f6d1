// C = A^T * B with both kernels, on sizes that lie inside the blocks, across them and across k.
#include KERNEL

#include "../test.h"

// Sums of at most 37 products below 1 in float.
static const double tolerance = 1e-4;

typedef void kernel(matrix, matrix, float *, int);

static buffer<float> make_matrix(random_numbers &random, int rows, int cols, int stride)
{
	buffer<float> m((size_t)rows * stride, NAN);
	for (int i = 0; i < rows; ++i) {
		for (int j = 0; j < cols; ++j) {
			m[(size_t)i * stride + j] = random.unit();
		}
	}
	return m;
}

static void check(const char *name, kernel *run, int rows, int cols, int k)
{
	const int stride_a = (rows + TILE - 1) / TILE * TILE;
	const int stride_b = (cols + TILE - 1) / TILE * TILE;
	const dim3 grid((cols + BLOCK_N - 1) / BLOCK_N, (rows + BLOCK_M - 1) / BLOCK_M);
	random_numbers random(4);
	const buffer<float> a = make_matrix(random, k, rows, stride_a);
	const buffer<float> b = make_matrix(random, k, cols, stride_b);
	buffer<float> c((size_t)rows * cols, NAN);
	const double start = seconds();
	const bool ran = unphi::launch(grid, dim3(THREADS), 0, 64, [&] {
		run(matrix{a.data(), k, rows, stride_a}, matrix{b.data(), k, cols, stride_b},
			c.data(), cols);
	});
	printf("# %s %dx%dx%d: %.2f s\n", name, rows, cols, k, seconds() - start);
	double worst = 0;
	for (int i = 0; i < rows; ++i) {
		for (int j = 0; j < cols; ++j) {
			double sum = 0;
			for (int t = 0; t < k; ++t) {
				sum += (double)a[(size_t)t * stride_a + i] *
				       (double)b[(size_t)t * stride_b + j];
			}
			const double off = fabs(sum - c[(size_t)i * cols + j]);
			worst = off <= worst ? worst : off;
		}
	}
	char full[100];
	snprintf(full, sizeof full, "%s/%dx%dx%d", name, rows, cols, k);
	result(full, ran && worst <= tolerance, "off by %g, more than %g", worst, tolerance);
}

int main()
{
	static const int sizes[][3] = {{128, 256, 16}, {150, 300, 37}, {5, 9, 3}};
	for (const auto &s : sizes) {
		check("fma_tile_flat", fma_tile_flat, s[0], s[1], s[2]);
		check("fma_tile_square", fma_tile_square, s[0], s[1], s[2]);
	}
	return failures != 0;
}
