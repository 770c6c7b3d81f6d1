// A switch with a default: all lanes fall through to its last label or jump to it, if no code leaves before.
//
// RUN: %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' --format json -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json || true
// RUN: python3 -c "import json, sys; print(*sorted({f['line'] for f in json.load(open(sys.argv[1]))['findings']}), sep='\n')" %t.json > %t.found
// RUN: sed -n '/sync(); .. differs$/=' %s > %t.expected
// RUN: diff %t.expected %t.found

#include <hip/hip_runtime.h>
#define lane ((int)threadIdx.x)
#define sync __syncthreads

__global__ void met(float *o, int n)
{
	int x = 0;
	switch (lane & 3) {
	case 0:
		x = 1;
	case 1:
		for (int i = 0; i < n; ++i) {
			if (o[i] > lane) break;
		}
		x += 2;
	default:
		sync();
	}
	if (x > 3) sync(); // differs
	switch (lane & 3) {
	case 0:
	case 1:
	default:
		sync();
		x = n;
		break;
	}
	if (x > 3) sync();
	switch (lane & 3) {
	default:
		x = 2;
	case 5:
		sync();
		if (lane < n) break;
		sync(); // differs
	}
	sync();
}
__global__ void left(float *o, int n)
{
	switch (lane & 3) {
	case 0:
		o[1] = 4;
		break;
	default:
		sync(); // differs
	}
	for (int i = 0; i < n; ++i) {
		switch (lane & 3) {
		case 1:
			continue;
		default:
			sync(); // differs
		}
	}
	switch (lane & 3) {
	case 0:
		if (n > 3) return;
	default:
		sync(); // differs
	}
}
__global__ void passed(float *o, int n)
{
	switch (lane & 3) {
	case 0:
		o[1] = 1;
	case 1:
		sync(); // differs
	default:
		sync();
	}
	switch (lane & 3) {
	case 0:
		o[1] = 1;
	case 1:
		sync(); // differs
	}
	switch (lane & 3) {
	default:
		o[1] = 1;
	case 1:
		sync(); // differs
		while (n++ < 3) {
		case 7:
			o[3] = 2;
		}
	}
}
