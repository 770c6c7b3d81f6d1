// An edit has to be right in instantiations of the code that no accumulator crosses, too: here one
// whose accumulator is memory, which what is passed by may read. Where no kernel runs it, it says
// nothing.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -- -nogpuinc -DMEMORY > %t.txt
// RUN: %FileCheck %s --check-prefix MEMORY < %t.txt
// MEMORY: 1 merge at or over the threshold, 0 rewritten
// MEMORY: hoist: not legal (clause 4): in step<2> for gfx90a: no wide accumulator crosses here
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --check-prefix OWN < %t.txt
// OWN: 1 merge at or over the threshold, 1 rewritten
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -- -nogpuinc -DMEMORY -DNOBODY > %t.txt
// RUN: %FileCheck %s --check-prefix OWN < %t.txt
//
// Nor is there a merge where the condition is a constant, or where the if is the else-if of a chain.
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -- -nogpuinc -DMEMORY "-DCONDITION=N > 1 || c > n" > %t.txt
// RUN: %FileCheck %s --check-prefix MEMORY < %t.txt
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -- -nogpuinc -DMEMORY "-DFIRST=if (N > 1 && c > 9) { q[1] = 0; } else" > %t.txt
// RUN: %FileCheck %s --check-prefix MEMORY < %t.txt
// Such an instance is no finding: it has no phi.
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc -DOWN "-DCONDITION=N > 1 || c > n" > %t.txt
// RUN: grep 'note: in step' %t.txt | grep -x 'note: in step<1>'
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -- -nogpuinc -DOWN "-DCONDITION=N > 1 || c > n" > %t.txt
// RUN: %FileCheck %s --check-prefix OWN < %t.txt

#ifndef CONDITION
#define CONDITION c > n
#endif
#ifndef FIRST
#define FIRST
#endif
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

template <int N> __device__ void step(float *acc, const float *p, float *q, int n, int c)
{
	FIRST if (CONDITION) {
		const float x = p[0];
		for (int i = 0; i < 64; i++) {
			acc[i] = acc[i] + x;
		}
		q[0] = p[3];
	} else {
		const float x = p[1];
		for (int i = 0; i < 64; i++) {
			acc[i] = acc[i] + x;
		}
	}
}

__global__ void own(float *__restrict__ p, float *__restrict__ q, int n, int c)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		step<1>(acc, p + k, q, n, c + k);
#ifdef OWN
		step<2>(acc, p + k, q, n, c + k);
#endif
	}
	p[0] = acc[1];
}

#ifdef NOBODY
__device__ void memory(float *acc, const float *p, float *q, int n, int c)
#else
__global__ void memory(float *acc, const float *p, float *q, int n, int c)
#endif
{
#ifdef MEMORY
	step<2>(acc, p, q, n, c);
#endif
}
