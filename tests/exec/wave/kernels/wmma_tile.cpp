// C = A * B^T in waves of 32, on sizes that lie inside the blocks, across them and across k.
#include KERNEL

#include "../test.h"

// Sums of f16 products in float; k is at most 70 and the operands are below 1.
static const double tolerance = 1e-4;

typedef void kernel(matrix, matrix, float *, int);

static void check(const char *name, kernel *run, int rows, int cols, int k)
{
	const int stride = (k + 15) / 16 * 16;
	const dim3 grid((cols + BLOCK_N - 1) / BLOCK_N, (rows + BLOCK_M - 1) / BLOCK_M);
	const int stride_c = (int)grid.x * BLOCK_N;
	buffer<_Float16> a((size_t)rows * stride, (_Float16)NAN);
	buffer<_Float16> b((size_t)cols * stride, (_Float16)NAN);
	buffer<float> c((size_t)grid.y * BLOCK_M * stride_c, NAN);
	random_numbers random(2);
	for (int i = 0; i < rows; ++i) {
		for (int j = 0; j < k; ++j) {
			a[(size_t)i * stride + j] = (_Float16)random.unit();
		}
	}
	for (int i = 0; i < cols; ++i) {
		for (int j = 0; j < k; ++j) {
			b[(size_t)i * stride + j] = (_Float16)random.unit();
		}
	}
	const double start = seconds();
	const bool ran = unphi::launch(grid, dim3(THREADS), 0, 32, [&] {
		run(matrix{a.data(), rows, k, stride}, matrix{b.data(), cols, k, stride}, c.data(),
			stride_c);
	});
	printf("# %s %dx%dx%d: %.2f s\n", name, rows, cols, k, seconds() - start);
	double worst = 0;
	for (int i = 0; i < rows; ++i) {
		for (int j = 0; j < cols; ++j) {
			double sum = 0;
			for (int t = 0; t < k; ++t) {
				sum += (double)a[(size_t)i * stride + t] *
				       (double)b[(size_t)j * stride + t];
			}
			const double off = fabs(sum - c[(size_t)i * stride_c + j]);
			worst = off <= worst ? worst : off;
		}
	}
	char full[100];
	snprintf(full, sizeof full, "%s/%dx%dx%d", name, rows, cols, k);
	result(full, ran && worst <= tolerance, "off by %g, more than %g", worst, tolerance);
}

int main()
{
	static const int sizes[][3] = {{256, 256, 32}, {300, 270, 70}, {100, 17, 9}};
	for (const auto &s : sizes) {
		check("wmma_tile", wmma_tile, s[0], s[1], s[2]);
	}
	return failures != 0;
}
