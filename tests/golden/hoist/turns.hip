// A multiply that is added stays in its arm where every turn of a loop would give the same.
//
// RUN: %unphi rewrite --verbose --strategy hoist:plain --threshold 1 --target gfx90a %s -o %t.hip -- -nogpuinc > %t.said
// RUN: %FileCheck %s < %t.said
// RUN: %unphi rewrite --verbose --strategy hoist:plain --threshold 1 --target gfx90a %s -o %t.off.hip -- -nogpuinc -ffp-contract=off > %t.off.said
// RUN: grep -c "kept: forced" %t.off.said | grep -x 10

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

struct tile {
	float v[16];
};

__device__ inline void update(tile &t, const float *a, const float *b, float x)
{
	for (int i = 0; i < 16; i++) {
		const float product = a[i] * b[i];
		t.v[i] += product;
		t.v[i] += x;
	}
}

// CHECK: 16 chained VGPRs in by_index
// CHECK-NEXT: hoist (plain): kept
__global__ void by_index(float *o, const float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (p[k] > 1) {
			update(acc, p + k, p, 1);
		} else {
			update(acc, p + k, p, 2);
		}
	}
	o[0] = acc.v[n];
}

// CHECK: 16 chained VGPRs in by_pointer
// CHECK-NEXT: hoist (plain): kept
__global__ void by_pointer(float *o, const float *p, int n)
{
	tile acc = {};
	const float *at = p;
	for (int k = 0; k < n; k++) {
		const float *row = at;
		if (p[k] > 1) {
			update(acc, row, p, 1);
		} else {
			update(acc, row, p, 2);
		}
		at += 16;
	}
	o[0] = acc.v[n];
}

// Which operand it is, the condition says, and that is another in every turn.
// CHECK: 16 chained VGPRs in by_condition
// CHECK-NEXT: hoist (plain): kept
__global__ void by_condition(float *o, const float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (p[k] > 1) {
			update(acc, p, p, 1);
		} else {
			update(acc, p + 16, p, 1);
		}
	}
	o[0] = acc.v[n];
}

// CHECK: 16 chained VGPRs in by_accumulator
// CHECK-NEXT: hoist (plain): kept
__global__ void by_accumulator(float *o, const float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (p[k] > 1) {
			for (int i = 0; i < 16; i++) {
				acc.v[i] = acc.v[i] * p[i] + 1;
			}
		} else {
			for (int i = 0; i < 16; i++) {
				acc.v[i] = acc.v[i] * p[i] + 2;
			}
		}
	}
	o[0] = acc.v[n];
}

// The values of all turns of the loop inside are too many to keep.
// CHECK: 16 chained VGPRs in inside
// CHECK-NEXT: hoist (plain): kept
__global__ void inside(float *o, const float *p, int n, int m)
{
	tile acc = {};
	for (int j = 0; j < m; j++) {
		for (int k = 0; k < n; k++) {
			if (p[k] > 1) {
				update(acc, p + k, p, 1);
			} else {
				update(acc, p + k, p, 2);
			}
		}
	}
	o[0] = acc.v[n];
}

// CHECK: 16 chained VGPRs in counted
// CHECK-SAME: an iteration of a loop around it need not change 'a[i] * b[i]'
__global__ void counted(float *o, const float *p, int m)
{
	tile acc = {};
	for (int j = 0; j < m; j++) {
		for (int k = 0; k < 4; k++) {
			if (p[k + j] > 1) {
				update(acc, p + k, p, 1);
			} else {
				update(acc, p + k, p, 2);
			}
		}
	}
	o[0] = acc.v[m];
}

// CHECK: 16 chained VGPRs in made_anew
// CHECK-SAME: an iteration of a loop around it need not change 'a[i] * b[i]'
__global__ void made_anew(float *o, const float *p, int n)
{
	tile acc = {};
	float row[16];
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 16; i++) {
			row[i] = p[i + 16];
		}
		if (p[k] > 1) {
			update(acc, row, p, 1);
		} else {
			update(acc, row, p, 2);
		}
	}
	o[0] = acc.v[n];
}

__device__ void of_caller(tile &acc, const float *p, const float *row, int k)
{
	if (p[k] > 1) {
		update(acc, row, p, 1);
	} else {
		update(acc, row, p, 2);
	}
}

// CHECK: 16 chained VGPRs in of_caller
// CHECK-SAME: an iteration of a loop around it need not change 'a[i] * b[i]'
__global__ void calls(float *o, const float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		of_caller(acc, p, p + 16, k);
	}
	o[0] = acc.v[n];
}

__device__ void of_moving_caller(tile &acc, const float *p, const float *row, int k)
{
	if (p[k] > 1) {
		update(acc, row, p, 1);
	} else {
		update(acc, row, p, 2);
	}
}

// CHECK: 16 chained VGPRs in of_moving_caller
// CHECK-NEXT: hoist (plain): kept
__global__ void calls_moving(float *o, const float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		of_moving_caller(acc, p, p + k, k);
	}
	o[0] = acc.v[n];
}

// CHECK: 16 chained VGPRs in no_loop
// CHECK-NEXT: hoist (plain): kept
__global__ void no_loop(float *o, const float *p, int k)
{
	tile acc = {};
	if (p[k] > 1) {
		update(acc, p, p, 1);
	} else {
		update(acc, p, p, 2);
	}
	o[0] = acc.v[k];
}
