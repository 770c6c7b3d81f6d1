// What may wait for ever keeps what is never reached behind it there: arms that have the two in
// another order are not one. What only computes may trade places with it.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:plain -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt

#define __global__ __attribute__((global))

struct tile {
	float v[64];
};

__attribute__((device)) inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK: 64 chained VGPRs in waits
// CHECK-NEXT: hoist: not legal (clause 15): {{.*}}: an ordered operation may wait before code that is never reached
__global__ void waits(float *p, volatile int *flag, int c, int d)
{
	tile acc = {};
	if (c) {
		add(acc, 1);
		while (*flag) {
		}
		if (d > 9) {
			__builtin_unreachable();
		}
		add(acc, 2);
	} else {
		add(acc, 1);
		if (d > 9) {
			__builtin_unreachable();
		}
		while (*flag) {
		}
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in computes
// CHECK-NEXT: hoist (plain): kept
__global__ void computes(float *p, int *flag, int c, int d)
{
	tile acc = {};
	if (c) {
		add(acc, 1);
		flag[c] = 3;
		if (d > 9) {
			__builtin_unreachable();
		}
		add(acc, 2);
	} else {
		add(acc, 1);
		if (d > 9) {
			__builtin_unreachable();
		}
		flag[c] = 3;
		add(acc, 2);
	}
	p[0] = acc.v[c];
}
