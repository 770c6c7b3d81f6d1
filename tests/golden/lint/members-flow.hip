// Members and elements have the value that was set last on each path: a barrier under one that differs by then has a finding.
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
	int v[2];
};

__global__ void elements(float *o, int n, int m)
{
	int a[3] = {lane, n};
	if (a[1] > 3) sync();
	if (a[0] > 3) sync(); // differs
	a[0] = m;
	if (a[0] > 3) sync();
	a[1] = lane;
	if (a[1] > 3) sync(); // differs
	if (n > 3) {
		a[0] = lane;
	}
	if (a[0] > 3) sync(); // differs
	if (lane > 3) {
		a[2] = n;
	}
	if (a[2] > 3) sync(); // differs
	int b[2] = {n, m};
	b[lane & 1] = m;
	if (b[0] > 3) sync(); // differs
}
__global__ void members(float *o, int n, int m)
{
	place p{n, m};
	if (p.i > 3) sync();
	p.i = lane;
	if (p.i > 3) sync(); // differs
	p.i = n;
	if (p.i > 3) sync();
	place q{lane, m}, r{n, lane};
	if (q.n > 3) sync();
	if (r.i > 3) sync();
	if (r.n > 3) sync(); // differs
	r = p;
	if (r.n > 3) sync();
	r.i = lane;
	r = q;
	if (r.n > 3) sync();
	if (r.i > 3) sync(); // differs
	q.v[1] = lane;
	if (q.v[1] > 3) sync(); // differs
	if (q.n > 3) sync();
}
__global__ void loops(float *o, int n, int m)
{
	place p{n, m};
	for (int k = 0; k < n; ++k) {
		if (p.i > 3) sync(); // differs
		p.i = lane;
		p.n = lane;
		p.n = k;
		if (p.n > 3) sync();
	}
	if (p.i > 3) sync(); // differs
	for (int k = 0; k < n; ++k) {
		place s{m, n};
		if (s.i > 3) sync();
		s.i = lane;
	}
}
struct other {
	int lo, hi;
};
__device__ void set(other &p, int v) { p.lo = v; }
__global__ void elsewhere(float *o, int n, int m)
{
	other p{n, m}, s{n, m}, t{n, m};
	int &r = p.lo;
	if (p.hi > 3) sync();
	r = lane;
	if (p.lo > 3) sync(); // differs
	if (s.lo > 3) sync();
	set(s, lane);
	if (s.lo > 3) sync(); // differs
	if (s.hi > 3) sync();
	auto by_lane = [&] { t.lo = lane; };
	by_lane();
	if (t.lo > 3) sync(); // differs
	if (t.hi > 3) sync();
}
__global__ void given(float *o, place p, int n)
{
	if (p.i > 3) sync();
	p.i = lane;
	if (p.i > 3) sync(); // differs
	if (p.n > 3) sync();
	if (lane > 3) {
		p = place{n, n};
	}
	if (p.n > 3) sync(); // differs
}
