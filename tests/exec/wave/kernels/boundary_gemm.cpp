// Sums of f16 products in float; k is at most 70 and the operands are below 1.
#include KERNEL

#include "gemm.h"

int main()
{
	const gemm g = {64, 4, false, 1e-4};
	static const int sizes[][3] = {{256, 256, 32}, {300, 270, 70}, {100, 17, 9}};
	for (const auto &s : sizes) {
		check<_Float16>(g, "boundary_gemm_16", boundary_gemm_16, s);
		check<_Float16>(g, "boundary_gemm_32", boundary_gemm_32, s);
	}
	return failures != 0;
}
