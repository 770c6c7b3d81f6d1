// Variables that a callee sets through a pointer, or a lambda that has them by reference: what it stores there is known if the
// pointer leads to one variable in all calls.
//
// RUN: %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' --format json -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json || true
// RUN: python3 -c "import json, sys; print(*sorted({f['line'] for f in json.load(open(sys.argv[1]))['findings']}), sep='\n')" %t.json > %t.found
// RUN: sed -n '/sync(); .. differs$/=' %s > %t.expected
// RUN: diff %t.expected %t.found

#include <hip/hip_runtime.h>
#define lane ((int)threadIdx.x)
#define sync __syncthreads

struct place {
	int i, n;
};

__device__ void split(int t, int *row, int *col)
{
	*row = t / 16;
	*col = 7;
}
__device__ void twice(int t, int *to) { *to = t; }
__device__ void init(place *p, int t, int n)
{
	p->i = t;
	p->n = n;
}
__device__ void fill(int *a, int t)
{
	for (int k = 0; k < 4; k++) {
		a[k] = t + k;
	}
}
__device__ void increment(int *a) { ++*a; }

__global__ void pointers(int n)
{
	int row, col;
	split(lane, &row, &col);
	if (row > 3) sync(); // differs
	if (col > 3) sync();
	int x, y;
	twice(lane, &x);
	twice(n, &y);
	if (y > 3) sync(); // which of them gets the lane's is not followed
	place p;
	init(&p, lane, n);
	if (p.i > 3) sync(); // differs
	if (p.n > 3) sync();
	int a[4];
	fill(a, lane);
	if (a[2] > 3) sync(); // differs
	int k = n;
	increment(&k);
	if (k > 3) sync();
	int some = n;
	int *to = &some;
	if (lane < 3) {
		*to = 5;
	}
	if (some > 3) sync(); // differs
}

__global__ void captures(int n)
{
	int z = n, v = n;
	auto f = [&] { z = lane; };
	auto g = [&] { v = n + 1; };
	f();
	g();
	if (z > 3) sync(); // differs
	if (v > 3) sync();
}
