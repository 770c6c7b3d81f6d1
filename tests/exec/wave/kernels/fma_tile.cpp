// Sums of at most 37 products below 1 in float.
#include KERNEL

#include "gemm.h"

int main()
{
	const gemm g = {64, TILE, true, 1e-4};
	static const int sizes[][3] = {{128, 256, 16}, {150, 300, 37}, {5, 9, 3}};
	for (const auto &s : sizes) {
		check<float>(g, "fma_tile_flat", fma_tile_flat, s);
		check<float>(g, "fma_tile_square", fma_tile_square, s);
	}
	return failures != 0;
}
