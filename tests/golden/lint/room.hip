// Merges that cost nothing as their kernels are: notes, which are no failure, and which say why.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: .acc. \(|note: in |as it is' %t.txt | sed 's/ crosses this.*//' \
// RUN:   | %FileCheck %s --match-full-lines
// RUN: sed '/^\/\/ ---- costs/,$d' %s > %t.hip
// RUN: %unphi lint --verbose %t.hip --target gfx90a --warnings-as-errors -- -nogpuinc
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --threshold 8 --checks=-*,unphi-phi-explosion -- -nogpuinc \
// RUN:   | grep -A9 "'few' .*crosses" | %FileCheck %s --check-prefix NARROW

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define BOUND(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
#define LANE (int)__builtin_amdgcn_workitem_id_x()
typedef float f32x4 __attribute__((ext_vector_type(4)));

template <int N> static __device__ void up(float (&acc)[N], float x)
{
	for (int i = 0; i < N; i++) {
		acc[i] += x;
	}
}

template <int N> static __device__ void down(float (&acc)[N], float x)
{
	for (int i = 0; i < N; i++) {
		acc[i] *= x;
	}
}

template <int N> static __device__ void store(float *p, const float (&acc)[N])
{
	for (int i = 0; i < N; i++) {
		p[i] = acc[i];
	}
}

static __device__ int length(const int *of, int i)
{
	return of[i] & 63;
}

// Lanes part, by what each loads: the arms share registers.
// CHECK: {{.*}}:[[#@LINE+8]]:3: note: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in lanes_part
// CHECK-NEXT: note: costs nothing as it is: the branch may be divergent, {{.*}} lanes_part takes about {{[0-9]+}} VGPRs ({{[0-9]+}} to {{[0-9]+}}), registers for {{.*}} waves per SIMD (gfx90a)
__global__ BOUND(256) void lanes_part(float *p, const int *of, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		int long_enough = length(of, LANE) + k;
		if (long_enough > 7) {
			up(acc, p[k]);
		} else {
			down(acc, p[0]);
		}
	}
	store(p, acc);
}

// Indexed at run time, it is in memory.
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:2: note: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in in_memory
// CHECK-NEXT: note: costs nothing as it is: the accumulator is indexed at run time in in_memory, so it lies in scratch memory or LDS, not in registers
__global__ void in_memory(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		up(acc, p[c]);
	} else {
		down(acc, p[0]);
	}
	p[0] = acc[c];
}

// Narrow, so that as many waves fit with a second copy.
// NARROW: note: 'few' (float[8], 8 VGPRs per lane)
// NARROW: note: costs nothing as it is: narrow takes about {{[0-9]+}} VGPRs ({{[0-9]+}} to {{[0-9]+}}), registers for 8 waves per SIMD; about 8 VGPRs are second copies (gfx90a), with which as many waves fit
__global__ void narrow(float *p, int c)
{
	float few[8] = {};
	if (c) {
		up(few, p[c]);
	} else {
		down(few, p[0]);
	}
	store(p, few);
}

// ---- costs

// The same as the first, and without a bound there are 128 VGPRs: too few for 120 with what else there is.
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (float[120], 120 VGPRs per lane)
// CHECK-NEXT: note: in unbounded
__global__ void unbounded(float *p, const int *of, int n)
{
	float acc[120] = {};
	for (int k = 0; k < n; k++) {
		if (length(of, LANE) > 7) {
			up(acc, p[k]);
		} else {
			down(acc, p[0]);
		}
	}
	store(p, acc);
}

// By the lane's own index, and the same for a wave's lanes all the same: the matrix operations ask for that.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' (f32x4[24], 96 VGPRs per lane)
// CHECK-NEXT: note: in waves_part
__global__ BOUND(256) void waves_part(float *out, const float *a, const float *b, int m, int k)
{
	const int row = (int)(__builtin_amdgcn_workgroup_id_x() * 4 + (__builtin_amdgcn_workitem_id_x() >> 6)) * 16;
	f32x4 acc[24] = {};
	for (int i = 0; i < k; i += 4) {
		if (row + 16 <= m) {
			for (int j = 0; j < 24; j++) {
				acc[j] = __builtin_amdgcn_mfma_f32_16x16x4f32(a[row + i], b[i + j], acc[j], 0, 0, 0);
			}
		} else {
			for (int j = 0; j < 24; j++) {
				acc[j] = __builtin_amdgcn_mfma_f32_16x16x4f32(row < m ? a[row + i] : 0, b[i + j], acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 24; j++) {
		out[row + j] = acc[j].x;
	}
}

// Nobody knows whether lanes part: what a lambda captures may be uniform to the compiler.
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in lambda in captured
__global__ BOUND(256) void captured(float *p, int n, int c)
{
	float acc[64] = {};
	auto step = [&](float x) {
		if (c) {
			up(acc, x);
		} else {
			down(acc, x);
		}
	};
	for (int k = 0; k < n; k++) {
		step(p[k]);
	}
	store(p, acc);
}

static __device__ bool is_before(int x, int n)
{
	return x < n;
}

template <bool Part> static __device__ bool chosen(const int *of, int k)
{
	return Part ? LANE < of[k] : of[k] > 0;
}

__global__ BOUND(256) void elsewhere(float *p, const int *of, int n)
{
	p[LANE] = is_before(LANE, n) + chosen<true>(of, n);
}

// Lanes part where others ask, not here.
// CHECK-NEXT: {{.*}}:[[#@LINE+8]]:3: warning: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in all_agree
// CHECK-NEXT: {{.*}}:[[#@LINE+11]]:3: warning: 'acc' (float[64], 64 VGPRs per lane)
// CHECK-NEXT: note: in all_agree
__global__ BOUND(256) void all_agree(float *p, const int *of, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (is_before(k, 7)) {
			up(acc, p[k]);
		} else {
			down(acc, p[0]);
		}
		if (chosen<false>(of, k)) {
			up(acc, p[k]);
		} else {
			down(acc, p[1]);
		}
	}
	store(p, acc);
}
