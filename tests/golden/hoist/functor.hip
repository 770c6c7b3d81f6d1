// An operator of a member is called for that member: its arguments are those of the call, and what it
// writes through one of them is what the argument points to.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:plain -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct setter {
	__device__ void operator()(float *to, float x) const { *to = x; }
};

struct kit {
	int id;
	setter set;
};

// CHECK: chained VGPRs in member
// CHECK: hoist: not legal (clause 15): 'w.set(&s, 3)' comes after the code that would move and cannot run before it: 's' is read before it is written
__global__ void member(float *out, const float *in, int c)
{
	kit w = {1, {}};
	float acc[64];
	float s = in[1];
	for (int i = 0; i < 64; i++) {
		acc[i] = in[i];
	}
	if (c > 3) {
		for (int i = 0; i < 64; i++) {
			acc[i] = acc[i] / s;
		}
		w.set(&s, 3);
	} else {
		w.set(&s, 3);
		for (int i = 0; i < 64; i++) {
			acc[i] = acc[i] / s;
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i] + s;
	}
}
