// The machine code that the compiler makes is run: equal bits before and after, a change is seen, and
// what is not covered is unknown, with its line.
//
// REQUIRES: hipcc
// RUN: %unphi verify %s %s --on isa --spec %S/Inputs/isa.verify.yaml > %t.txt
// RUN: grep "  equal    sum/values (1024 values" %t.txt
// RUN: grep -x "  1 of 1 cases equal" %t.txt
// RUN: sed 's/+ 2.0f/+ 3.0f/' %s > %t.other.hip
// RUN: %exits 1 %unphi verify %s %t.other.hip --on isa --spec %S/Inputs/isa.verify.yaml > %t.txt 2> %t.err
// RUN: grep "note: if waves race, .*: unphi verify .*isa.hip checks for races" %t.err
// RUN: grep "out\[0\]: 0x40400000 (3) before, 0x40800000 (4) after" %t.txt
// RUN: sed "s,// MORE,x += (float)__builtin_amdgcn_s_memtime();," %s > %t.time.hip
// RUN: %exits 3 %unphi verify %s %t.time.hip --on isa --spec %S/Inputs/isa.verify.yaml > %t.txt
// RUN: grep "line [0-9]* .*: a clock or a reply to a message, which differs between runs" %t.txt
// RUN: sed "s,// MORE,asm volatile(\"s_setkill 0\");," %s > %t.asm.hip
// RUN: %exits 3 %unphi verify %s %t.asm.hip --on isa --spec %S/Inputs/isa.verify.yaml > %t.txt
// RUN: grep "line [0-9]*: unknown instruction s_setkill" %t.txt
// RUN: sed "s,// MORE,asm volatile(\"s_sleep 1\");," %s > %t.asm.hip
// RUN: %unphi verify %s %t.asm.hip --on isa --spec %S/Inputs/isa.verify.yaml | grep -x "  1 of 1 cases equal"
// RUN: %unphi verify %s %s --on both --spec %S/Inputs/isa.verify.yaml -- -ffp-contract=off > %t.txt
// RUN: grep "isa.hip, on the CPU and as machine code:" %t.txt
// RUN: grep -c "  equal    sum/values (1024 values" %t.txt | grep -x 2
// RUN: %exits 2 %unphi rewrite %s --verify --on isa --strategy fuse 2> %t.txt
// RUN: grep "'--on isa' excludes --header-filter, --bench and --strategy" %t.txt
#include <hip/hip_runtime.h>

struct numbers {
	const float *at;
	int n;
};

// The C library has one of this name: the launcher's linker has to take both.
__device__ inline void sync()
{
	__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
	__builtin_amdgcn_s_barrier();
}

__global__ void sum(float *out, numbers in, int rows)
{
	__shared__ float shared[256];
	int i = threadIdx.x;
	float x = 0;
	shared[i] = in.at[blockIdx.x * blockDim.x + i];
	sync();
	for (int k = 0; k < in.n; k++) {
		x += shared[(i + k) % 256];
	}
	// MORE
	out[blockIdx.x * blockDim.x + i] = i < rows ? x + 2.0f : shared[255 - i];
}

// A program's own main is no hindrance, and what only it calls may be in other units: it never runs.
int elsewhere(int argc, char **argv);
int main(int argc, char *argv[])
{
	return elsewhere(argc, argv);
}
