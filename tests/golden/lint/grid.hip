// Barriers of the grid: all work-groups have to reach them, and all lanes. What differs between work-groups alone is no
// reason for a barrier of one.
//
// RUN: %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' --format json -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json || true
// RUN: python3 -c "import json, sys; print(*sorted({f['line'] for f in json.load(open(sys.argv[1]))['findings']}), sep='\n')" %t.json > %t.found
// RUN: sed -n '/sync(); .. differs$/=' %s > %t.expected
// RUN: diff %t.expected %t.found
// RUN: %exits 1 %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | %FileCheck %s
// CHECK: warning: not all work-groups of the grid reach this barrier
// CHECK: warning: not all work-groups of the grid reach this barrier: the others have ended

#include <hip/hip_runtime.h>
extern "C" __device__ void __ockl_grid_sync();
#define sync __syncthreads
#define grid_sync __ockl_grid_sync
#define lane ((int)threadIdx.x)

struct grid {
	__device__ void sync() const { __ockl_grid_sync(); }
};

__global__ void parted(float *o, int n, const int *work)
{
	grid g;
	const int group = blockIdx.x;
	if (blockIdx.x == 0) {
		grid_sync(); // differs
		sync();
	}
	if (group < n) g.sync(); // differs
	if (work[group]) grid_sync(); // differs
	for (int i = blockIdx.x; i < n; i += gridDim.x) {
		grid_sync(); // differs
		sync();
	}
	if (lane < n) grid_sync(); // differs
}
__global__ void ended(float *o, int n)
{
	const int group = blockIdx.y;
	if (group >= n) return;
	sync();
	grid_sync(); // differs
}
__global__ void all(float *o, int n, const int *work)
{
	for (int k = 0; k < n; ++k) {
		for (int i = blockIdx.x; i < n; i += gridDim.x) {
			o[i * 64 + lane] = k;
			sync();
		}
		if (work[k] && gridDim.x > 3 && blockDim.x > 3) grid_sync();
		if (blockIdx.x == 0) o[lane] = 3;
		grid_sync();
	}
	int last = blockIdx.x;
	last = n;
	if (last > 3) grid_sync();
}
