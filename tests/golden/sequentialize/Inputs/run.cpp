/* Runs every kernel of the file that is included before this one, for all values of its conditions,
 * and prints the bits of what it wrote. */
#include <cstdio>
#include <cstring>

int main()
{
	for (auto kernel : kernels) {
		for (int n = 0; n < 4; n++) {
			for (int c = -1; c < 8; c++) {
				for (int d = 0; d < 5; d++) {
					float out[64] = {};
					unsigned bits[64], sum = 0;
					kernel(out, n, c, d);
					memcpy(bits, out, sizeof(out));
					for (unsigned b : bits) {
						sum = sum * 31 + b;
					}
					printf("%d %d %d %08x %08x\n", n, c, d, bits[0], sum);
				}
			}
		}
	}
}
