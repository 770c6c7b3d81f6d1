// The same as of boundary_gemm, in waves of 32.
#include KERNEL

#include "gemm.h"

int main()
{
	const gemm g = {32, 16, false, 1e-4};
	static const int sizes[][3] = {{256, 256, 32}, {300, 270, 70}, {100, 17, 9}};
	for (const auto &s : sizes) {
		check<_Float16>(g, "wmma_tile", wmma_tile, s);
	}
	return failures != 0;
}
