// What the CPU run watches: races between waves, between work-groups and within a wave, bytes past a
// buffer and before it, and uninitialized LDS. Correct kernels are equal.
//
// RUN: sed "s/^#include.*/&\n#define WRONG/" %s > %t.wrong.hip
// RUN: %exits 1 %verify %s %t.wrong.hip --spec %S/Inputs/watched.verify.yaml > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %verify %s %s --spec %S/Inputs/watched.verify.yaml | grep "17 of 17 cases equal"
// RUN: %exits 3 %verify %t.wrong.hip %t.wrong.hip --spec %S/Inputs/watched.verify.yaml > %t.txt 2> %t.err
// RUN: grep "the original has a race; .* --no-races" %t.err
// RUN: %exits 3 %verify %t.wrong.hip %t.wrong.hip --no-races --spec %S/Inputs/watched.verify.yaml > %t.txt
// RUN: grep "  equal    lost_atomic" %t.txt
// RUN: grep "  equal    lost_fence" %t.txt
// RUN: grep "  equal    wave_in_step" %t.txt
//
// CHECK:      equal    last_block
// CHECK-NEXT: equal    flag
// CHECK-NEXT: equal    lock
// CHECK-NEXT: equal    same_value
// CHECK-NEXT: broken   lost_atomic: the original runs, this does not:
// CHECK-NEXT:   error: race between work-groups: wave 0 lane 0 reads byte 0 of out, which wave 0 lane 0 of block (0,0,0) wrote, in block (1,0,0) wave 0
// CHECK-NEXT: broken   lost_barrier: the original runs, this does not:
// CHECK-NEXT:   error: race with no barrier so far: wave 2 lane 0 writes byte {{[0-9]+}} of LDS, which wave 1 lane 63 read, in block (0,0,0) wave 2
// CHECK-NEXT: broken   wave_in_step: the original runs, this does not:
// CHECK-NEXT:   error: race within a wave: lane {{[0-9]+}} writes byte {{[0-9]+}} of LDS, which another lane read, with no convergent operation between (--on isa runs lanes in lockstep), in block (0,0,0) wave 0
// CHECK-NEXT: broken   lanes_write: the original runs, this does not:
// CHECK-NEXT:   error: race within a wave: lane 1 writes byte 0 of out, which lane 0 wrote, with no convergent operation between (--on isa runs lanes in lockstep), in block (0,0,0) wave 0
// CHECK-NEXT: broken   lanes_bytes: the original runs, this does not:
// CHECK-NEXT:   error: race within a wave: lane 1 reads byte {{[0-9]+}} of LDS, which another lane wrote, with no convergent operation between (--on isa runs lanes in lockstep), in block (0,0,0) wave 0
// CHECK-NEXT: equal    lanes_agree
// CHECK-NEXT: broken   before_start: the original runs, this does not:
// CHECK-NEXT:   error: read outside of all buffers at address 0x{{.*}} by thread (0,0,0), in block (0,0,0) wave 0
// CHECK-NEXT:   note: that is 4 bytes before buffer 'in'
// CHECK-NEXT: broken   lost_fence: the original runs, this does not:
// CHECK-NEXT:   error: race between work-groups: wave 0 lane 0 reads byte 0 of partial, which wave 0 lane 0 of block (0,0,0) wrote, in block (2,0,0) wave 0
// CHECK-NEXT: broken   unset_largest: the original runs, this does not:
// CHECK-NEXT:   error: results depend on uninitialized LDS: wave 0 lane 0 reads byte {{[0-9]+}} of LDS, which is uninitialized, in block (0,0,0)
// CHECK-NEXT: broken   unset_flag: the original runs, this does not:
// CHECK-NEXT:   error: results depend on uninitialized LDS
// CHECK-NEXT: equal    unset_unused
// CHECK-NEXT: broken   lds_past_end: the original runs, this does not:
// CHECK-NEXT:   error: read outside of LDS by thread (0,0,0), in block (0,0,0) wave 0
// CHECK-NEXT: broken   past_end: the original runs, this does not:
// CHECK-NEXT:   error: read outside of all buffers at address 0x{{.*}} by thread (255,0,0), in block (0,0,0) wave 3
// CHECK-NEXT:   note: that is 0 bytes past the end of buffer 'in'
#include <hip/hip_runtime.h>

#define ARGUMENTS const int *in, int *out, int *partial, unsigned *ticket

__global__ void last_block(ARGUMENTS)
{
	__shared__ int sum;
	__shared__ bool last;
	if (threadIdx.x == 0) {
		sum = 0;
	}
	__syncthreads();
	atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
	__syncthreads();
	if (threadIdx.x == 0) {
		partial[blockIdx.x] = sum;
		__threadfence();
		last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int all = 0;
		for (unsigned i = 0; i < gridDim.x; ++i) {
			all += partial[i];
		}
		out[0] = all;
	}
}
__global__ void flag(ARGUMENTS)
{
	__shared__ int data[64];
	__shared__ int ready;
	if (threadIdx.x == 0) {
		__hip_atomic_store(&ready, 0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
	}
	__syncthreads();
	if (threadIdx.x >= 64 && threadIdx.x < 128) { // the later wave gives
		data[threadIdx.x - 64] = in[threadIdx.x];
		__threadfence_block();
		if (threadIdx.x == 64) {
			__hip_atomic_store(
				&ready, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
		}
	} else if (threadIdx.x < 64) {
		while (__hip_atomic_load(&ready, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) ==
			0) {
		}
		out[threadIdx.x] = data[threadIdx.x];
	}
}
__global__ void lock(ARGUMENTS)
{
	__shared__ int held;
	__shared__ int sum;
	if (threadIdx.x == 0) {
		held = 0;
		sum = 0;
	}
	__syncthreads();
	if (threadIdx.x % 64 == 0) {
		while (atomicCAS(&held, 0, 1) != 0) {
		}
		sum += in[threadIdx.x];
		__threadfence_block();
		atomicExch(&held, 0);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		out[0] = sum;
	}
}
__global__ void same_value(ARGUMENTS)
{
	__shared__ int any;
	if (threadIdx.x == 0) {
		any = 0;
	}
	__syncthreads();
	if (in[threadIdx.x] > 5) {
		any = 1;
	}
	__syncthreads();
	out[threadIdx.x & 127] = any;
	struct row {
		int v[64];
	} all;
	for (int i = 0; i < 64; ++i) {
		all.v[i] = any + in[i];
	}
	*(row *)(out + 128) = all; // in one piece
}
__global__ void lost_atomic(ARGUMENTS)
{
#ifndef WRONG
	atomicAdd(&out[0], in[threadIdx.x]);
#else
	if (threadIdx.x == 0) {
		out[0] += in[0];
	}
#endif
}
__global__ void lost_barrier(ARGUMENTS)
{
	__shared__ int s[256];
	s[threadIdx.x] = in[threadIdx.x];
#ifndef WRONG
	__syncthreads();
#endif
	out[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void wave_in_step(ARGUMENTS)
{
	__shared__ int s[256];
	s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	for (int d = 128; d >= 64; d /= 2) {
		if (threadIdx.x < d) {
			s[threadIdx.x] += s[threadIdx.x + d];
		}
		__syncthreads();
	}
	if (threadIdx.x < 32) {
#ifdef WRONG
		volatile int *v = s;
		v[threadIdx.x] += v[threadIdx.x + 32];
		v[threadIdx.x] += v[threadIdx.x + 16];
		v[threadIdx.x] += v[threadIdx.x + 8];
		v[threadIdx.x] += v[threadIdx.x + 4];
		v[threadIdx.x] += v[threadIdx.x + 2];
		v[threadIdx.x] += v[threadIdx.x + 1];
#else
		int v = s[threadIdx.x] + s[threadIdx.x + 32];
		for (int d = 16; d > 0; d /= 2) {
			s[threadIdx.x] = v;
			__syncwarp();
			v += s[threadIdx.x + d];
			__syncwarp();
		}
		s[threadIdx.x] = v;
#endif
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		out[0] = s[0];
	}
}
// lanes of one wave write other values to one element
__global__ void lanes_write(ARGUMENTS)
{
#ifdef WRONG
	out[threadIdx.x / 2] = in[threadIdx.x];
#else
	if (threadIdx.x % 2 == 1) {
		out[threadIdx.x / 2] = in[threadIdx.x];
	}
#endif
}
// bytes of one word, each by its lane, and one that the neighbour reads
__global__ void lanes_bytes(ARGUMENTS)
{
	__shared__ unsigned char s[256];
	s[threadIdx.x] = (unsigned char)in[threadIdx.x];
#ifndef WRONG
	__builtin_amdgcn_wave_barrier();
#endif
	out[threadIdx.x] = s[threadIdx.x & ~1u];
}
// all lanes write the same, each reads it; then one after the other, with a meeting between
__global__ void lanes_agree(ARGUMENTS)
{
	__shared__ unsigned short s[4];
	const unsigned wave = threadIdx.x / 64;
	s[wave] = (unsigned short)in[wave];
	const int first = s[wave];
	__builtin_amdgcn_wave_barrier();
	for (unsigned i = 0; i < 64; ++i) {
		if (threadIdx.x % 64 == i) {
			s[wave] = (unsigned short)(s[wave] * 3 + i);
		}
		__builtin_amdgcn_wave_barrier();
	}
	out[threadIdx.x] = first + s[wave];
}
__global__ void unset_largest(ARGUMENTS)
{
	__shared__ int most;
#ifndef WRONG
	if (threadIdx.x == 0) {
		most = 0;
	}
	__syncthreads();
#endif
	atomicMax(&most, in[threadIdx.x]);
	__syncthreads();
	out[threadIdx.x] = most;
}
__global__ void unset_flag(ARGUMENTS)
{
	__shared__ bool any;
#ifndef WRONG
	if (threadIdx.x == 0) {
		any = false;
	}
	__syncthreads();
#endif
	if (in[threadIdx.x] == 77) {
		any = true;
	}
	__syncthreads();
	out[threadIdx.x] = any;
}
// What is read counts for nothing.
__global__ void unset_unused(ARGUMENTS)
{
	__shared__ int row[256];
	if (threadIdx.x < 100) {
		row[threadIdx.x] = in[threadIdx.x];
	}
	__syncthreads();
	const int x = ((volatile int *)row)[threadIdx.x];
	out[threadIdx.x] = threadIdx.x < 100 ? x : 0;
}
__global__ void past_end(const unsigned char *in, int *out, int *partial, unsigned *ticket)
{
#ifdef WRONG
	out[threadIdx.x] = ((volatile const unsigned char *)in)[threadIdx.x * 4 + 1] * 0;
#else
	out[threadIdx.x] = ((volatile const unsigned char *)in)[threadIdx.x * 4] * 0;
#endif
}
// Whatever else stands in LDS ends somewhere.
__global__ void lds_past_end(ARGUMENTS)
{
	__shared__ int row[256];
	row[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	int x = 0;
	int past = 0;
#ifdef WRONG
	past = 4096;
#endif
	for (int k = 0; k < 256 + past; ++k) {
		x += ((volatile int *)row)[k] * 0;
	}
	out[threadIdx.x] = x;
}
__global__ void before_start(ARGUMENTS)
{
#ifdef WRONG
	out[threadIdx.x] = ((volatile const int *)in)[(int)threadIdx.x - 1] * 0;
#else
	out[threadIdx.x] = ((volatile const int *)in)[threadIdx.x] * 0;
#endif
}
__global__ void lost_fence(ARGUMENTS)
{
	if (threadIdx.x == 0) {
		partial[blockIdx.x] = in[blockIdx.x];
#ifndef WRONG
		__threadfence();
#endif
		if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
			int all = 0;
			for (unsigned i = 0; i < gridDim.x; ++i) {
				all += partial[i];
			}
			out[0] = all;
		}
	}
}
