// Waves of a work-group that share global memory: where only the second file lacks the barrier between them, it is broken, though the
// bits of the run are equal. Not where each wave reads what it wrote, where all write the same, or other bytes of a word, and not where
// atomics may order them. The same for work-groups, which no barrier orders.
//
// REQUIRES: compiler
// RUN: sed 's/define WRONG 0/define WRONG 1/' %s > %t.wrong.hip
// RUN: %exits 1 %unphi verify %s %t.wrong.hip --on isa --all-data --spec %S/Inputs/shared_memory.verify.yaml --compiler %compiler -- -w \
// RUN:   > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %unphi verify %t.wrong.hip %t.wrong.hip --on isa --spec %S/Inputs/shared_memory.verify.yaml --compiler %compiler -q -- -w
//
// CHECK:      broken read_later: the original runs, this does not:
// CHECK-NEXT:   line {{[0-9]+}} (shared_memory.hip.tmp.wrong.hip:{{[0-9]+}}), group 0,0,0 wave 1: reads global memory that wave 0 wrote in line {{[0-9]+}}: no barrier between them
// CHECK-NEXT:   different: the second does not run with the data of the spec
// CHECK-NEXT: broken written_later: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 0,0,0 wave 1: writes global memory that wave 0 read: no barrier between them
// CHECK:      broken halves: the original runs, this does not:
// CHECK:      broken iterations: the original runs, this does not:
// CHECK:      equal right_own
// CHECK-NEXT:   equal for all data
// CHECK-NEXT: equal right_same
// CHECK-NEXT:   equal for all data
// CHECK-NEXT: equal right_words
// CHECK-NEXT:   equal for all data
// CHECK-NEXT: equal right_flag
// CHECK-NEXT:   equal for all data
// CHECK-NEXT: equal right_ticket
// CHECK:      broken third: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 0,0,0 wave 2: reads global memory that wave 0 wrote in line {{[0-9]+}}: no barrier between them
// CHECK:      broken bytes: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 0,0,0 wave 2: reads global memory that wave 0 wrote in line {{[0-9]+}}: no barrier between them
// CHECK:      broken group_reads: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 1,0,0 wave 0: reads global memory that group 0,0,0 wrote in line {{[0-9]+}}: nothing orders work-groups
// CHECK:      broken group_writes: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 1,0,0 wave 0: writes global memory that group 0,0,0 read: nothing orders work-groups
// CHECK:      broken groups_write: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 1,0,0 wave 0: writes global memory that group 0,0,0 wrote in line {{[0-9]+}}: nothing orders work-groups
// CHECK:      broken lost_fence: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 1,0,0 wave 0: reads global memory that group 0,0,0 wrote in line {{[0-9]+}}: nothing orders work-groups
// CHECK:      equal right_groups
// CHECK:      equal right_last
// CHECK:      broken mixed: the original runs, this does not:
// CHECK-NEXT:   {{.*}}group 1,0,0 wave {{[0-9]+}}: reads global memory that group 0,0,0 wrote in line {{[0-9]+}}: nothing orders work-groups
#include <hip/hip_runtime.h>
#define WRONG 0
#define BARRIER                                                                                    \
	if (!WRONG) {                                                                              \
		__syncthreads();                                                                   \
	}
#define ARGS const float *a, float *tmp, float *out, int *flag
#define HEAD const unsigned t = threadIdx.x;

__global__ void read_later(ARGS)
{
	HEAD
	tmp[t] = a[t] + 1;
	BARRIER
	out[t] = tmp[t % 64];
}

__global__ void written_later(ARGS)
{
	HEAD
	float x = tmp[t % 64 + 64];
	BARRIER
	out[t] = x;
	if (t >= 64) {
		tmp[t] = a[t];
	}
}

__global__ void halves(ARGS)
{
	HEAD
	_Float16 *half = (_Float16 *)tmp;
	half[t] = (_Float16)a[t];
	BARRIER
	out[t] = (float)half[t % 64];
}

__global__ void iterations(ARGS)
{
	HEAD
	for (int i = 0; i < 3; i++) {
		tmp[t] = a[t] + (float)i;
		__syncthreads();
		out[t] += tmp[t % 64];
		BARRIER
	}
}

// the second wave stores what the first one has stored: that orders nothing for the third
__global__ void third(ARGS)
{
	HEAD
	if (t < 128) {
		tmp[t % 64] = a[t % 64] + 1;
	}
	BARRIER
	if (t >= 128) {
		out[t] = tmp[t % 64];
	}
}

// the first wave and the second write other halves of a word
__global__ void bytes(ARGS)
{
	HEAD
	_Float16 *half = (_Float16 *)tmp;
	if (t < 128) {
		half[t % 64 * 2 + t / 64] = (_Float16)a[t];
	}
	BARRIER
	if (t >= 128) {
		out[t] = (float)half[t % 64 * 2];
	}
}

__global__ void group_reads(ARGS)
{
	const unsigned t = threadIdx.x, b = blockIdx.x;
	tmp[b * 64 + t] = a[b * 64 + t];
	out[b * 64 + t] = WRONG ? tmp[t] : a[t];
}

__global__ void group_writes(ARGS)
{
	const unsigned t = threadIdx.x, b = blockIdx.x;
	if (b == 0) {
		out[t] = tmp[t];
	}
	if (b == (WRONG ? 1 : 0)) {
		tmp[t] = a[t];
	}
}

__global__ void groups_write(ARGS)
{
	const unsigned t = threadIdx.x, b = blockIdx.x;
	if (WRONG || b == 1) {
		tmp[t] = a[b * 64 + t];
	}
}

__global__ void right_own(ARGS)
{
	HEAD
	tmp[t] = a[t] + 1;
	BARRIER
	out[t] = tmp[t];
}

__global__ void right_same(ARGS)
{
	HEAD
	tmp[0] = 3;
	BARRIER
	out[t] = a[t];
}

__global__ void right_words(ARGS)
{
	HEAD
	((_Float16 *)tmp)[t * 2 % 128 + t / 64] = (_Float16)a[t];
	BARRIER
	out[t] = 1;
}

__global__ void right_flag(ARGS)
{
	HEAD
	if (t < 64) {
		tmp[t] = a[t];
		__threadfence_block();
		if (t == 0) {
			__hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
		}
	} else {
		while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
		}
		out[t] = tmp[t % 64];
	}
	BARRIER
}

__global__ void right_ticket(ARGS)
{
	HEAD
	tmp[t] = a[t];
	BARRIER
	if (atomicAdd(flag, 1) == 127) {
		out[0] = tmp[0];
	}
}

__global__ void lost_fence(ARGS)
{
	const unsigned t = threadIdx.x, b = blockIdx.x;
	if (t == 0) {
		tmp[b] = a[b];
		if (!WRONG) {
			__threadfence();
		}
		if (atomicAdd(flag, 1) == (int)gridDim.x - 1) {
			out[0] = ((volatile float *)tmp)[0] + ((volatile float *)tmp)[1];
		}
	}
}

// one wave's atomic orders nothing of another wave
__global__ void mixed(ARGS)
{
	const unsigned t = threadIdx.x;
	if (!WRONG || t >= 64) {
		atomicAdd(flag, 1);
	} else if (t == 0) {
		*flag += 64;
	}
}

// each group leaves the same in the first words, after other values
__global__ void right_groups(ARGS)
{
	const unsigned t = threadIdx.x, b = blockIdx.x;
	tmp[t] = a[b * 64 + t];
	__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
	__builtin_amdgcn_s_barrier();
	tmp[t] = 2;
	out[b * 64 + t] = 1;
}

__global__ void right_last(ARGS)
{
	const unsigned t = threadIdx.x, b = blockIdx.x;
	__shared__ int last;
	tmp[b * 64 + t] = a[t];
	__threadfence();
	__syncthreads();
	if (t == 0) {
		last = atomicAdd(flag, 1) == (int)gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		out[t] = tmp[t] + tmp[t + 64];
	}
}
