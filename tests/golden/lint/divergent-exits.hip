// Barriers that some lanes miss, by break, continue, goto, return or a condition; and conditions by
// which some lanes of a wave miss a matrix operation. Each is reported, and nothing else: the lines
// with "// here" (the test counts them).
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 --checks='-*,unphi-divergent-sync,unphi-divergent-matrix' -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: grep -o ':[0-9]*:[0-9]*: warning' %t.txt | cut -d: -f2 | sort -n > %t.is
// RUN: grep -n '// here$' %s | cut -d: -f1 > %t.right
// RUN: diff %t.right %t.is
// RUN: %FileCheck %s < %t.txt

#include <hip/hip_runtime.h>

__device__ int atomicAdd(int *at, int by);
__device__ int __any(int);

// CHECK: warning: not all lanes of the work-group reach this barrier [unphi-divergent-sync]
// CHECK: [[#@LINE+5]]:7: note: this differs per lane
__global__ void breaks(float *o, const float *__restrict__ in, int n, int top)
{
	__shared__ float s[256];
	for (int k = 0; k < n; k++) {
		if ((int)threadIdx.x + k >= top) {
			break;
		}
		s[threadIdx.x] = in[k * 256 + threadIdx.x];
		__syncthreads(); // here
		o[threadIdx.x] += s[255 - threadIdx.x];
	}
	__syncthreads();
	o[threadIdx.x] += s[0];
}

// CHECK: warning: not all waves of the work-group reach this barrier: a wave reaches it, or passes it by, as a whole
__global__ void waves_break(float *o, int n, int top)
{
	const int w = threadIdx.x / 64;
	for (int k = 0;; k++) {
		const int slot = w * n + k;
		if (slot >= top) {
			break;
		}
		for (int j = 0; j < n; j++) {
			__syncthreads(); // here
			o[threadIdx.x] += 1;
		}
	}
}

__global__ void continues(float *o, const int *__restrict__ which, int n)
{
	for (int k = 0; k < n; k++) {
		switch (which[threadIdx.x + k]) {
		case 0:
			continue;
		default:
			break;
		}
		__syncthreads(); // here
		o[threadIdx.x] += 1;
	}
	int left = n;
	while (left-- > 0) {
		if (which[threadIdx.x] == left) {
			continue;
		}
		o[threadIdx.x] += 1;
		__syncthreads(); // here
	}
}

// Both: those that jump over one, and those that go back.
__global__ void jumps(float *o, const int *__restrict__ which, int n)
{
	const int mine = which[threadIdx.x];
	__syncthreads();
	for (int k = 0; k < n; k++) {
		if (mine == k) {
			goto out;
		}
		__syncthreads(); // here
		o[threadIdx.x] += 1;
	}
	__syncthreads(); // here
out:
	__syncthreads();
again:
	__syncthreads(); // here
	if (o[threadIdx.x] < 3) {
		goto again;
	}
	__syncthreads();
}

// CHECK: warning: not all lanes of the work-group reach this barrier: the others have ended [unphi-divergent-sync]
__global__ void returns(float *o, int n)
{
	for (int k = 0; k < n; k++) {
		__syncthreads(); // here
		if (o[threadIdx.x] < 3) {
			return;
		}
	}
	__syncthreads(); // here
}

// A return from a callee goes on behind the call.
// CHECK: warning: not all lanes of the work-group reach this barrier [unphi-divergent-sync]
__device__ void part(float *o, int n)
{
	if ((int)threadIdx.x >= n) {
		return;
	}
	__syncthreads(); // here
	o[threadIdx.x] += 1;
}
__global__ void calls(float *o, int n)
{
	part(o, n);
	__syncthreads();
}

__global__ void own_jobs(float *o, int *next, int jobs)
{
	for (;;) {
		const int job = atomicAdd(next, 1);
		if (job >= jobs) {
			break;
		}
		__syncthreads(); // here
		o[job] += 1;
	}
}

// By a variable that some lanes set, by parameters, by members.
struct place {
	int at, n;
};
__device__ bool inside(const place &p) { return p.at < p.n; }
__global__ void by_values(float *o, int n)
{
	bool found = false;
	if (o[threadIdx.x] < 1) {
		found = true;
	}
	if (found) {
		__syncthreads(); // here
	}
	place p{(int)threadIdx.x, n};
	if (inside(p)) {
		__syncthreads(); // here
	}
	place q = p;
	if (q.n > 3 || p.at > 3) {
		__syncthreads(); // here
	}
	place r;
	r.at = threadIdx.x;
	r.n = n;
	if (o[threadIdx.x] < 3) {
		r.n = 3;
	}
	if (r.n > 3) {
		__syncthreads(); // here
	}
	int i = n;
	i += threadIdx.x;
	while (i < 1000) {
		__syncthreads(); // here
		i += 256;
	}
	if (__any(o[threadIdx.x] > 3)) {
		__syncthreads(); // here
	}
}

// An element of the lane's own is one by a reference, too, and so is what a function makes of it.
__device__ inline int parts(int n, int by) { return (n + by - 1) / by; }
__global__ void by_reference(float *o, int n)
{
	__shared__ int s[256];
	int &mine = s[threadIdx.x];
	mine = (int)o[threadIdx.x];
	__syncthreads();
	if (mine < n) {
		__syncthreads(); // here
		o[0] += 1;
	}
	if (parts(n, 256) < 3) {
		__syncthreads();
		o[0] += 1;
	}
	if (parts(mine, 256) < 3) {
		__syncthreads(); // here
		o[0] += 1;
	}
}

// Blocks that are larger than the loop counts for.
__global__ void __launch_bounds__(512) larger(float *o)
{
	for (int i = threadIdx.x; i < 768; i += 512) {
		__syncthreads(); // here
		o[i] += 1;
	}
	for (int i = threadIdx.x; i < 1024; i += 256) {
		__syncthreads(); // here
		o[i] += 1;
	}
}

__device__ bool waits(float x)
{
	return __syncthreads_or(x > 0); // here
}

__device__ bool waits_for_all(float x)
{
	return __syncthreads_or(x > 0);
}

// A short circuit, and a choice, part lanes as an if does.
// CHECK: warning: not all lanes of the work-group reach this barrier [unphi-divergent-sync]
// CHECK: [[#@LINE+7]]:6: note: this differs per lane
// CHECK-NEXT: {{^ *[0-9]+ \|.*}} if (lane < n && n > 2 && waits(s[lane]))
__global__ void short_circuits(float *o, const float *__restrict__ in, int n, int m)
{
	__shared__ float s[256];
	const int lane = threadIdx.x;
	s[lane] = in[lane];
	if (lane < n && n > 2 && waits(s[lane])) {
		o[lane] = 1;
	}
	while (threadIdx.x >= n || (__syncthreads(), n > 3)) { // here
		n *= 2;
	}
	const int x = threadIdx.x & 1 ? 7 : __syncthreads_count(n > 4); // here
	// all lanes agree on these
	if (m > 7 && waits_for_all(s[lane] + x)) {
		o[lane + 1] = 2;
	}
	const bool mine = s[lane] < m;
	o[lane + 2] = (int)blockIdx.x < m ? waits_for_all(mine) : __syncthreads_and(!mine) > m;
}

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
__device__ int __shfl_xor(int, int);

__device__ f32x4 multiply(f32x4 acc, float x)
{
	const f16x4 a = (_Float16)x;
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc, 0, 0, 0);
}

// CHECK: [[#@LINE+5]]:6: warning: only some lanes of a wave reach a matrix operation by this condition: its result is undefined [unphi-divergent-matrix]
// CHECK: [[#@LINE-4]]:9: note: lanes are missing here
__global__ void own(f32x4 *o, const float *p, const int *__restrict__ limits, int n)
{
	f32x4 acc = {};
	if (threadIdx.x & 1) { // here
		acc = multiply(acc, p[threadIdx.x]);
	}
	const f16x4 a = (_Float16)p[0];
	const int limit = limits[threadIdx.x];
	if (n > 3 && limit < n) { // here
		acc = multiply(acc, p[n]);
	}
	while (n-- > 0) {
		if (acc.x > 1) { // here
			continue;
		}
		acc = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc, 0, 0, 0);
	}
	o[threadIdx.x] = acc;
}

// CHECK: [[#@LINE+5]]:6: warning: lanes of a wave end by this condition, and others reach a matrix operation: its result is undefined
__global__ void ends(f32x4 *o, const float *p, int rows)
{
	f32x4 acc = {};
	const int row = blockIdx.x * 16 + threadIdx.x % 16;
	if (row >= rows) // here
		return;
	const f16x4 a = (_Float16)p[row];
	asm("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc) : "v"(a));
	o[row] = acc;
}

// Whole waves, what a wave agrees on, and what it may: nothing.
template <typename F> __device__ void when(bool is, F f)
{
	if (is) {
		f();
	}
}

__device__ int number_of_wave(int t) { return t / 64; }

__global__ void whole(f32x4 *o, const float *p, const int *__restrict__ limits, int n)
{
	f32x4 acc = {};
	const int wave = threadIdx.x / 64, limit = limits[threadIdx.x];
	if (threadIdx.x < 128 && wave != n && limits[number_of_wave(threadIdx.x)] < n) {
		acc = multiply(acc, p[threadIdx.x]);
	}
	if (threadIdx.x >> 6 == 1 || __any(limit < n) || __builtin_amdgcn_readfirstlane(limit) > 3) {
		acc = multiply(acc, p[1]);
	}
	int most = limit;
	for (int by = 32; by > 0; by >>= 1) {
		const int other = __shfl_xor(most, by);
		most = other > most ? other : most;
	}
	when(most > n, [&] { acc = multiply(acc, p[2]); });
	for (int k = threadIdx.x / 16 * 4; k < n; k += 16) {
		acc = multiply(acc, limit < k ? p[k] : 0);
	}
	o[threadIdx.x] = acc;
}

__global__ void rows(f32x4 *o, const float *p, int n)
{
	f32x4 acc = {};
	if ((int)threadIdx.y < n) {
		acc = multiply(acc, p[threadIdx.x]);
	}
	const int wave = (threadIdx.y * blockDim.x + threadIdx.x) / 64;
	if (wave < n) {
		acc = multiply(acc, p[1]);
	}
	o[threadIdx.x] = acc;
}

// Groups, as the headers of HIP have them: the block, the grid, a group of unknown kind.
extern "C" __device__ void __ockl_grid_sync();

struct group {
	int kind;
	__device__ group(int kind) : kind(kind) {}
	__device__ void sync() const
	{
		if (kind == 1) {
			__ockl_grid_sync();
		}
	}
};

struct block : group {
	__device__ block() : group(0) {}
	__device__ void sync() const { __syncthreads(); }
};

struct grid : group {
	__device__ grid() : group(1) {}
	__device__ void sync() const { __ockl_grid_sync(); }
};

__device__ block this_block() { return block(); }
__device__ grid this_grid() { return grid(); }
template <typename G> __device__ void sync(const G &g) { g.sync(); }

__global__ void groups(float *o, int n)
{
	const grid all = this_grid();
	const block mine = this_block();
	all.sync();
	if ((int)threadIdx.x < n) {
		this_block().sync(); // here
		this_grid().sync(); // here
		all.sync(); // here
		sync(mine); // here
		sync(all); // here
	}
	sync(all);
	o[threadIdx.x] = 0;
}

// Instructions. Waves may count each other by s_barrier, but lanes of one wave do not.
__device__ void waits() { asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory"); }

__global__ void instructions(float *o, int n)
{
	const int wave = threadIdx.x / 64;
	if (wave == 1) {
		asm volatile("s_barrier");
		__builtin_amdgcn_s_barrier();
	}
	if (threadIdx.y == 1) {
		asm volatile("s_barrier");
	}
	if ((int)threadIdx.x < n) {
		asm volatile("s_barrier"); // here
		asm volatile("s_nop 0");
		__builtin_amdgcn_s_barrier(); // here
		waits(); // here
		asm volatile("s_cbranch_execz 1\n\ts_barrier");
	}
	waits();
	o[threadIdx.x] = 0;
}
