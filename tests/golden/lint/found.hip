// What must be found: one finding per kernel or function below, whatever the accumulator is.
//
// RUN: %exits 1 %unphi lint --verbose %s --threshold 64 --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in ' %t.txt | %FileCheck %s --match-full-lines

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

// CHECK: {{.*}}found.hip:[[#@LINE+6]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: note: in array
__global__ void array(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (c) {
			for (int i = 0; i < 16; i++) {
				acc[i] += p[k];
			}
		} else {
			for (int i = 0; i < 16; i++) {
				acc[i] -= p[k];
			}
		}
	}
	for (int i = 0; i < 16; i++) {
		p[i] = acc[i].x;
	}
}

// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:2: warning: 'acc' (float[8][8], 64 VGPRs per lane) crosses this if/else as 64 phis: 2 of 2 arms write it, and 1 reads the value from before [unphi-phi-explosion]
// CHECK-NEXT: note: in two_dimensions
__global__ void two_dimensions(float *p, int c)
{
	float acc[8][8] = {};
	acc[3][2] = p[0];
	if (c) {
		for (int i = 0; i < 8; i++) {
			for (int k = 0; k < 8; k++) {
				acc[i][k] += p[k];
			}
		}
	} else {
		acc[0][3] = 1;
	}
	p[0] = acc[3][1];
}

struct tile {
	f32x4 v[8];
	float scale[32];
};

// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: 'acc' (tile, 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
// CHECK-NEXT: note: in structure
__global__ void structure(float *p, int c)
{
	tile acc = {};
	if (c) {
		for (auto &e : acc.v) e += 1;
		for (auto &e : acc.scale) e += 1;
	} else {
		for (auto &e : acc.scale) e -= 1;
	}
	p[0] = acc.v[0].x + acc.scale[3];
}

struct pair {
	f32x4 v;
	float s[4];
};

// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: 'acc' (pair[8], 64 VGPRs per lane) crosses this if/else as {{.*}}
// CHECK-NEXT: note: in array_of_structures
__global__ void array_of_structures(float *p, int c)
{
	pair acc[8] = {};
	if (c) {
		for (auto &e : acc) e.v += 1;
	} else {
		for (auto &e : acc) e.s[2] += 1;
	}
	p[0] = acc[1].v.x + acc[1].s[2];
}

// Vectors and scalars that were unrolled by hand count together.
// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: 'a' (f32x16, 16 VGPRs per lane (64 with the others)) crosses this if/else as 1 phi: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: note: in by_hand
__global__ void by_hand(float *p, int x)
{
	f32x16 a = p[0], b = p[1], c = p[2], d = p[3];
	if (x) {
		a += 1;
		b += 2;
		c += 3;
		d += 4;
	} else {
		a *= 1;
		b *= 2;
		c *= 3;
		d *= 4;
	}
	p[0] = a.x + b.x + c.x + d.x;
}

// A device function whose caller's accumulator comes by reference or pointer.
// CHECK-NEXT: {{.*}}:[[#@LINE+4]]:2: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
// CHECK-NEXT: note: in by_reference
__device__ void by_reference(f32x4 (&acc)[16], float x, int c)
{
	if (c) {
		for (auto &e : acc) e += x;
	} else {
		for (auto &e : acc) e -= x;
	}
}

__global__ void calls(float *p, int c)
{
	f32x4 acc[16] = {};
	for (int i = 0; i < c; i++) {
		by_reference(acc, p[i], c & i);
	}
	p[0] = acc[0].x;
}

// CHECK-NEXT: {{.*}}:[[#@LINE+10]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
// CHECK-NEXT: note: in through_callees
__device__ void set(f32x4 *v, float x)
{
	v[0] += x;
}
__global__ void through_callees(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++)
		if (c)
			set(acc, p[k]);
		else
			set(&acc[1], 2);
	p[0] = acc[0].x;
}

// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
// CHECK-NEXT: note: in lambda in lambda
__global__ void lambda(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	auto step = [&](float x) {
		if (c) {
			for (auto &e : acc) e += x;
		} else {
			for (auto &e : acc) e -= x;
		}
	};
	for (int k = 0; k < n; k++) {
		step(p[k]);
	}
	p[0] = acc[0].x;
}

// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
// CHECK-NEXT: note: in lambda in generic
__global__ void generic(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	auto step = [&](auto x) {
		if (c) {
			for (auto &e : acc) e += x;
		} else {
			for (auto &e : acc) e -= x;
		}
	};
	step(p[0]);
	step(n);
	p[0] = acc[0].x;
}

template <int N>
class gemm {
public:
	// CHECK-NEXT: {{.*}}:[[#@LINE+4]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: {{.*}}
	// CHECK-NEXT: note: in gemm<16>::step
	__device__ void step(f32x4 (&acc)[N], float x, int c)
	{
		if (c) {
			for (auto &e : acc) e += x;
		} else {
			for (auto &e : acc) e -= x;
		}
	}
};

__global__ void class_template(float *p, int c)
{
	f32x4 small[4] = {}, wide[16] = {};
	gemm<4>().step(small, p[0], c);
	gemm<16>().step(wide, p[0], c);
	p[0] = small[0].x + wide[0].x;
}

// CHECK-NOT: {{.}}
