// The kernels are compiled as the language that the flags name, not only preprocessed as such.
//
// RUN: %unphi verify %s %s --spec %S/Inputs/language.verify.yaml -- -nogpuinc -std=c++20 > %t.txt
// RUN: grep -x "  1 of 1 cases equal" %t.txt

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

template <class T>
	requires(sizeof(T) == 4)
__device__ T twice(T x)
{
	return x + x;
}

__global__ void k(float *out)
{
	const char8_t text[] = u8"ab";
	if (out[0] >= 0.0f) [[likely]] {
		out[1] = twice(out[0] + 3.0f) + text[1];
	}
}
