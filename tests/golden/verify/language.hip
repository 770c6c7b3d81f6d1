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
	int left = (int)sizeof(text) * 2; // a switch jumps into the loop
	switch (left & 3) {
	case 0:
		do {
			switch (left) {
			case 8:
				break;
			default:
				out[1] += 1;
			}
			out[1] += 2;
		case 3:
			out[1] += 3;
		case 2:
			left -= 4;
		} while (left > 0);
	}
}
