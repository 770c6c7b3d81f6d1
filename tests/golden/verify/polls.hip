// Loops that poll what another wave sets, with a volatile or an atomic, on the CPU and as machine code; before the other
// wave sets it and after. What nothing sets is said, soon, and so is a flag without a fence. clang's own atomics compute
// what the machine code does. Lanes of two arms do not meet at one matrix operation of a function that both call.
//
// REQUIRES: compiler
// RUN: %exits 3 %verify %s %s --spec %S/Inputs/polls.verify.yaml 2>&1 | %FileCheck %s --check-prefixes=CHECK,CPU
// RUN: %exits 3 %unphi verify %s %s --on isa --compiler %compiler --spec %S/Inputs/polls.verify.yaml | %FileCheck %s --check-prefixes=CHECK,ISA
// RUN: sed 's/kernel: .*/kernel: [own_atomics]/' %S/Inputs/polls.verify.yaml > %t.yaml
// RUN: %unphi verify %s %s --on both --compiler %compiler --spec %t.yaml | grep "1 of 1 cases equal"
//
// A file without HIP's headers may have its own __syncthreads, and macros of any name.
// RUN: python3 %S/Inputs/macros.py %root %root/tests/compile/lib/host-clang > %t.flags
// RUN: %verify %S/Inputs/own_names.hip %S/Inputs/own_names.hip -- -nogpuinc $(cat %t.flags) | grep "1 of 1 cases equal"
//
// CHECK:      equal    empty
// CHECK-NEXT: equal    late_do
// CHECK-NEXT: equal    sleeps
// CHECK-NEXT: equal    spins
// CHECK-NEXT: equal    builtin
// CHECK-NEXT: equal    hip
// CHECK-NEXT: equal    early
// CHECK-NEXT: equal    early_builtin
// CHECK-NEXT: equal    own_atomics
// CHECK-NEXT: unknown  never
// CPU-NEXT:     error: an endless loop reads byte 0 of flag, which no other wave of the block sets (blocks run one after the other), in block (0,0,0) wave 1
// CPU-NEXT:   unknown  unfenced
// CPU-NEXT:     error: race with no barrier so far: wave 0 lane 0 reads byte 4 of out, which wave 1 lane 0 wrote
// ISA-NEXT:     wave 1: an endless loop: no other wave of its group changes the memory that it reads (groups run one after the other)
// ISA-NEXT:   equal    unfenced
// CHECK-NEXT: unknown  two_arms
// CPU-NEXT:     polls.hip:[[#@LINE+15]]: error: mfma_f32_4x4x1f32 is reached by 32 of 64 lanes
// ISA-NEXT:     a matrix operation under EXEC
// CHECK:      unknown  broadcast
// CPU-NEXT:     error: race within a wave: lane 1 reads byte {{[0-9]+}} of LDS, which lane 0 wrote
// ISA-NEXT:     byte {{[0-9]+}} of LDS
#include <hip/hip_runtime.h>
#define ARGS volatile int *flag, volatile float *out
#define POLL(name, setter, set, get)                                                                                              \
	__global__ void name(ARGS)                                                                                                \
	{                                                                                                                         \
		if (threadIdx.x == setter) { out[1] = 2; __threadfence(); set; }                                                  \
		if (threadIdx.x == 64 - setter) { get; __threadfence(); out[0] = out[1] + 1; }                                    \
	}
typedef float f4 __attribute__((ext_vector_type(4)));

__device__ __attribute__((noinline)) f4 step(f4 c, float x) { return __builtin_amdgcn_mfma_f32_4x4x1f32(x, x, c, 0, 0, 0); }

POLL(empty, 64, flag[0] = 1, while (flag[0] == 0) {})
POLL(late_do, 64, flag[0] = 1, do {} while (!flag[0]))
POLL(sleeps, 64, flag[0] = 1, while (flag[0] == 0) { __builtin_amdgcn_s_sleep(1); })
POLL(spins, 64, flag[0] = 1, int k = 0; while (!k) { k = flag[0]; })
POLL(builtin, 64, __atomic_store_n(flag, 1, __ATOMIC_RELEASE), while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0);)
POLL(hip, 64, __hip_atomic_store((int *)flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT),
	while (__hip_atomic_load((int *)flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0);)
POLL(early, 0, flag[0] = 1, while (flag[0] == 0) {})
POLL(early_builtin, 0, __atomic_store_n(flag, 1, __ATOMIC_RELEASE), while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0);)
POLL(never, 0, , while (flag[0] == 0) {})

__global__ void own_atomics(ARGS)
{
	const int t = threadIdx.x;
	int a = __atomic_add_fetch(flag, 1, __ATOMIC_RELAXED), b = __atomic_fetch_nand(flag + 1, t, __ATOMIC_RELAXED);
	int c = 0, d = 3, e = __sync_val_compare_and_swap(flag + 2, 0, t + 5);
	bool f = __atomic_compare_exchange_n(flag + 3, &c, t + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	__sync_synchronize();
	__atomic_exchange(flag + 4, &d, &d, __ATOMIC_RELAXED);
	__atomic_fetch_max(flag + 5, a + b + c + d + e + f, __ATOMIC_RELAXED);
	__shared__ int lock;
	if (t == 0) { __atomic_store_n(&lock, 0, __ATOMIC_RELAXED); }
	__syncthreads();
	if (t % 64 == 0) {
		while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE));
		out[0] += 1;
		__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	}
}

__global__ void unfenced(ARGS)
{
	if (threadIdx.x == 64) { out[1] = 2; flag[0] = 1; }
	if (threadIdx.x == 0) { while (flag[0] == 0) {} out[0] = out[1] + 1; }
}

__global__ void two_arms(ARGS)
{
	f4 c = {0, 0, 0, 0};
	if (threadIdx.x % 64 < 32) { c = step(c, out[0]); } else { c = step(c, out[1] + threadIdx.x); }
	out[threadIdx.x % 4] = c[0];
}

/* One address that each lane reads once is no flag. */
__global__ void broadcast(ARGS)
{
	__shared__ float sum;
	if (threadIdx.x == 0) { sum = 1; }
	float x = sum;
	__syncthreads();
	out[threadIdx.x % 4] = x;
}
