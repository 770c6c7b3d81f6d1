// Of an if one of whose arms computes with matrix operations, alone: the next iteration that takes it is
// looked for. Comments, places and names of all kinds; the bits are the same.
//
// RUN: %unphi rewrite %s --target gfx942 --strategy split:search --quiet -o %t.hip -- -nogpuinc -std=c++17
// RUN: %verify %s %t.hip -- -nogpuinc -std=c++17 | grep -x '  54 of 54 cases equal'
// RUN: grep -v '// CHECK' %t.hip | %FileCheck %s
// RUN: %unphi rewrite %t.hip --target gfx942 --strategy split:search --diff -- -nogpuinc -std=c++17 | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(64, 64)))
typedef float f32x16 __attribute__((ext_vector_type(16)));

struct tile {
	f32x16 v[8];
};

__device__ inline void step(tile &t, const float *p, int k)
{
	for (int i = 0; i < 8; i++) {
		t.v[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(p[k % 64], p[(k + i) % 64], t.v[i], 0, 0, 0);
	}
}

__device__ inline void store(float *out, const tile &t)
{
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			out[i * 16 + j] += t.v[i][j];
		}
	}
}

struct counter {
	int n;
	__device__ counter(int x) : n(x) {}
	__device__ ~counter() { n = 0; }
};
#define LIVE(k) (live[(k)] != 0)
#define STEP(k) step(acc, in, (k))

// CHECK-LABEL: void narrow(
// CHECK: {{^	}}// Looks for the next step: no accumulator crosses a merge (unphi explain split)
// CHECK-NEXT: {{^	}}int k = 0;
// CHECK-NEXT: {{^	}}for (; k < n && live[k] == 0; ++k) {
// CHECK-NEXT: {{^		}}sum += live[k]; // before
// CHECK-NEXT: {{^		}}seen += k; /* after */
// CHECK-NEXT: {{^	}}}
// CHECK-NEXT: {{^	}}while (k < n) {
// CHECK-NEXT: {{^		}}sum += live[k]; // before
// CHECK-NEXT: {{^		}}// why
// CHECK-NEXT: {{^		}}{
// CHECK-NEXT: {{^			}}const int at = sum;
// CHECK-NEXT: {{^			}}step(acc, in, at);
// CHECK-NEXT: {{^		}}}
// CHECK-NEXT: {{^		}}seen += k; /* after */
// CHECK-NEXT: {{^		}}++k;
// CHECK-NEXT: {{^		}}for (; k < n && live[k] == 0; ++k) {
BOUNDS __global__ void narrow(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0, sum = 0;
#pragma unroll 1
	for (int k = 0; k < n; ++k) {
		sum += live[k]; // before
		if (live[k] != 0) // why
		{
			const int at = sum;
			step(acc, in, at);
		}
		seen += k; /* after */
	}
	out[0] = seen + sum;
	store(out, acc);
}

// CHECK-LABEL: void unbraced(
// CHECK: {{^	}}// all
// CHECK-NEXT: {{^	}}// down as well
// CHECK-NEXT: {{^	}}// this
// CHECK-NEXT: {{^	}}unsigned k = 1u, e = n;
// CHECK-NEXT: {{^	}}while (k < e && !(LIVE(k) || k == 3)) {
// CHECK-NEXT: {{^		}}k += 2;
// CHECK-NEXT: {{^		}}--e;
// CHECK-NEXT: {{^	}}}
// CHECK-NEXT: {{^	}}while (k < e) {
// CHECK-NEXT: {{^		}}// masked?
// CHECK-NEXT: {{^		}}// why
// CHECK-NEXT: {{^		}}STEP(k);
// CHECK-NEXT: {{^		}}k += 2;
// CHECK-NEXT: {{^		}}--e;
BOUNDS __global__ void unbraced(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	for (unsigned k = 1u, e = n; // all
		k < e; k += 2, --e) // down as well
		if (LIVE(k) || // masked?
			k == 3) // why
			STEP(k); // this
	store(out, acc);
}

BOUNDS __global__ void scoped(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int k = 7;
	for (int k = n - 1; k >= 0; --k) {
		if (!(live[k] == 0 && k > 1)) { step(acc, in, k); }
	}
	for (int i = 0; i < n; i++) if (live[i]) { int k = i; step(acc, in, k); }
	out[0] = k;
	store(out, acc);
}

// CHECK-LABEL: void hides(
// CHECK: counter c(k);
// CHECK: k++;
// CHECK: int q[2] = {k, k + 1};
BOUNDS __global__ void hides(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int m = n;
	for (int k = 0; k < m; k++) {
		const bool on = live[k];
		if (on) {
			int m = 3 * k;
			step(acc, in, m);
		}
	}
	for (int k = 0; k < m; k++) {
		counter c(k);
		if (live[k] > 1) {
			step(acc, in, c.n);
		}
	}
	for (int k = 0; k < m; k++) {
		int q[2] = {k, k + 1};
		if (live[k] > 1) {
			step(acc, in, q[1]);
		}
		int m = k;
		out[1] += m;
	}
	store(out, acc);
}

BOUNDS __global__ void inner(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int k = 0;
	for (; k < n; k++) {
		for (int j = 0; j < 2; j++) {
			if (live[k] != 2) {
				step(acc, in, k + j);
			}
		}
	}
	out[2] += k;
	store(out, acc);
}

// CHECK-LABEL: void leaves(
// CHECK: /* nothing */ // to do
// CHECK: {{^		}}while (k < n) {
// CHECK-NEXT: {{^			}}if (live[k] == 9) return;
// CHECK-NEXT: {{^			}}step(acc, in, k);
// CHECK-NEXT: {{^			}}k++;
BOUNDS __global__ void leaves(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (live[k] == 0) continue; /* nothing */ // to do
		if (live[k] == 9) return;
		step(acc, in, k);
	}
	for (int k = 0; k < n; ++k)
	{
		if (live[k] == 1)
		{
			out[3] += 1;
			continue;
		}
		step(acc, in, k + 1);
	}
	store(out, acc);
}

// CHECK-LABEL: void other(
// CHECK: {{^	}}for (; k < n && live[k] == 0; ++k) {
// CHECK-NEXT: {{^		}}p ^= 1;
// CHECK-NEXT: {{^		}}p += 2;
// CHECK-NEXT: {{^	}}}
// CHECK-NEXT: {{^	}}while (k < n) {
// CHECK-NEXT: {{^		}}p ^= 1;
// CHECK-NEXT: {{^		}}step(acc, in, k + p);
BOUNDS __global__ void other(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int p = 0;
	for (int k = 0; k < n; ++k) {
		p ^= 1;
		if (live[k] == 0) {
			p += 2;
		} else {
			step(acc, in, k + p);
		}
	}
	out[4] = p;
	store(out, acc);
}

BOUNDS __global__ void bounds(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	for (int k = 0; k < n; ++k) {
		if (k >= live[0]) {
			step(acc, in, k);
		}
	}
	int k = 0;
	while (k < n) {
		if (k < live[1])
			step(acc, in, k);
		++k;
	}
	store(out, acc);
}

template <bool ON> __device__ void maybe(tile &acc, const float *in, const int *live, int n)
{
	for (int k = 0; k < n; ++k) {
		if (ON || live[k]) {
			step(acc, in, k);
		}
	}
}
BOUNDS __global__ void templated(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	maybe<true>(acc, in, live, n);
	maybe<false>(acc, in, live, n);
	auto run = [&](auto live, int n) {
		for (int k = 0; k < n; ++k) {
			if (live[k]) {
				step(acc, in, k + 5);
			}
		}
	};
	run(live, n);
	store(out, acc);
}
