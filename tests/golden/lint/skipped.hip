// A compiler that leaves regions of uniform branches alone, by its flag or by default (from clang 24 on): merges there
// are notes. Not a chain's, in
// whose arms lanes may part, and not what may be divergent.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 --checks=-*,unphi-phi-explosion -- -nogpuinc \
// RUN:   -mllvm -structurizecfg-skip-uniform-regions=1 > %t.txt
// RUN: grep -E 'crosses this|note: in |as it is' %t.txt | sed 's/ crosses this.*//' | %FileCheck %s --match-full-lines
// RUN: %exits 1 %unphi lint %s --target gfx942 --checks=-*,unphi-phi-explosion -- -nogpuinc \
// RUN:   -mllvm -structurizecfg-skip-uniform-regions=0 | %FileCheck %s --check-prefix OFF
// OFF-COUNT-3: warning: 'acc'
// A compiler's version is that of the headers beside it.
// RUN: for n in 23 24; do mkdir -p %t.$n/bin %t.$n/lib/clang/$n && printf '#!/bin/sh\n' > %t.$n/bin/clang++ && \
// RUN:   chmod +x %t.$n/bin/clang++; done
// RUN: %exits 1 %unphi lint %s --target gfx942 --checks=-*,unphi-phi-explosion --compiler %t.23/bin/clang++ \
// RUN:   -- -nogpuinc | %FileCheck %s --check-prefix OFF
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 --checks=-*,unphi-phi-explosion \
// RUN:   --compiler %t.24/bin/clang++ -- -nogpuinc > %t.24.txt
// RUN: grep -E 'crosses this|note: in |as it is' %t.24.txt | sed 's/ crosses this.*//' | %FileCheck %s --match-full-lines
// RUN: %exits 1 %unphi lint %s --target gfx942 --checks=-*,unphi-phi-explosion --compiler %t.24/bin/clang++ \
// RUN:   -- -nogpuinc -mllvm -structurizecfg-skip-uniform-regions=0 | %FileCheck %s --check-prefix OFF
// RUN: grep -q 'next: unphi rewrite .* --compiler %t.24/bin/clang++ -- -nogpuinc' %t.24.txt

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define BOUND(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
#define LANE (int)__builtin_amdgcn_workitem_id_x()
typedef float f32x4 __attribute__((ext_vector_type(4)));

template <int N> static __device__ void add(f32x4 (&acc)[N], const float *p, float by)
{
	for (int i = 0; i < N; i++) {
		acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(p[i], by, acc[i], 0, 0, 0);
	}
}

template <int N> static __device__ void store(f32x4 *p, const f32x4 (&acc)[N])
{
	for (int i = 0; i < N; i++) {
		p[i * 64 + LANE] = acc[i];
	}
}

// CHECK: {{.*}}:[[#@LINE+8]]:3: note: 'acc' (f32x4[32], 128 VGPRs per lane)
// CHECK-NEXT: note: in uniform
// CHECK-NEXT: note: costs nothing as it is: the branch is uniform in uniform, and the compiler leaves it alone (-structurizecfg-skip-uniform-regions, clang's default from 24 on; gfx942)
__global__ BOUND(512) void uniform(f32x4 *out, const float *p, int n, int m)
{
	f32x4 acc[32] = {};

	for (int k = 0; k < n; k++, p += 64) {
		if (k < m) {
			add(acc, p + LANE, 1);
		} else {
			add(acc, p, 2);
		}
	}
	store(out, acc);
}

// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (f32x4[32], 128 VGPRs per lane)
// CHECK-NEXT: note: in chain
__global__ BOUND(512) void chain(f32x4 *out, const float *p, int n, int m)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++, p += 64) {
		if (k < m) {
			add(acc, p + LANE, 1);
		} else if (k == m) {
			add(acc, p, 2);
		} else {
			add(acc, p, 3);
		}
	}
	store(out, acc);
}

// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' (f32x4[32], 128 VGPRs per lane)
// CHECK-NEXT: note: in divergent
// CHECK-NOT: {{.}}
__global__ BOUND(512) void divergent(f32x4 *out, const float *p, int n, int m)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; k++, p += 64) {
		if (LANE / 64 < m) {
			add(acc, p + LANE, 1);
		} else {
			add(acc, p, 2);
		}
	}
	store(out, acc);
}
