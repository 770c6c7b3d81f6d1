// A merge that writes members and elements is about these, and not about all of the struct or array that
// they are of.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a --threshold 1 --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: sed -n "s/^[^']*\('[a-z*]*' ([^)]*)\) crosses this.*/\1/p" %t.txt | %FileCheck %s --match-full-lines
// CHECK: 'd' (frag, 4 of 32 VGPRs per lane)
// CHECK-NEXT: 'd' (pair, 4 of 64 VGPRs per lane)
// CHECK-NEXT: 'd' (frag[4], 4 of 128 VGPRs per lane)
// CHECK-NEXT: 'd' (frag[4], 128 VGPRs per lane)
// CHECK-NEXT: 'd' (frag, 4 of 32 VGPRs per lane)
// CHECK-NEXT: 'd' (frag[4], 128 VGPRs per lane)
// CHECK-NEXT: 'd' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: '*this' (T, 64 of 96 VGPRs per lane)
// CHECK-NEXT: '*this' (T, 4 of 96 VGPRs per lane)
// CHECK-NEXT: 'd' (frag, 4 of 32 VGPRs per lane)
// CHECK-NEXT: 'd' (frag, 4 of 32 VGPRs per lane)
// CHECK-NEXT: 'd' (frag, 8 of 32 VGPRs per lane)
// CHECK-NEXT: 'd' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: 'd' (both, 32 VGPRs per lane)
// CHECK-NEXT: 'd' (frag, 32 VGPRs per lane)
//
// Of the elements on a condition of each lane's own one counts, as a select. The last three are wide.
// RUN: %exits 1 %unphi lint %s --target gfx90a --threshold 16 --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: grep -c 'crosses this' %t.txt | grep -x 3

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));
struct frag { f32x4 k0, k1, k2, k3, k4, k5, k6, k7; };
struct pair { frag a, b; };
__device__ f32x4 mma(f32x4 a, float x) { return a * x + x; }

__global__ void one_member(float *p, const f32x4 *q, int n)
{
	frag d = {};
	for (int i = 0; i < n; i++) {
		if (q[i].x > 0) { d.k0 = mma(d.k0, p[i]); } else { d.k0 = d.k0 - q[i]; }
		p[i] = d.k0.x + d.k1.y + d.k2.z + d.k3.x + d.k4.x + d.k5.x + d.k6.x + d.k7.x;
	}
}

__global__ void member_of_member(float *p, const f32x4 *q, int n)
{
	pair d = {};
	for (int i = 0; i < n; i++) {
		if (q[i].x > 0) { d.b.k0 = mma(d.b.k0, p[i]); } else { d.b.k0 = d.b.k0 - q[i]; }
		p[i] = d.a.k0.x + d.b.k0.y + d.a.k2.z;
	}
}

__global__ void member_of_element(float *p, const f32x4 *q, int n)
{
	frag d[4] = {};
	for (int i = 0; i < n; i++) {
		if (q[i].x > 0) { d[1].k0 = mma(d[1].k0, p[i]); } else { d[1].k0 = d[1].k0 - q[i]; }
		p[i] = d[0].k0.x + d[1].k0.y + d[2].k2.z + d[3].k3.x;
	}
}

__global__ void by_counter(float *p, const f32x4 *q, int n)
{
	frag d[4] = {};
	const int lane = __builtin_amdgcn_workitem_id_x();
	for (int i = 0; i < n; i++) {
#pragma unroll
		for (int j = 0; j < 4; j++) {
		if (lane + j < n) { d[j].k0 = mma(d[j].k0, p[i]); } else { d[j].k0 = d[j].k0 - q[i]; }
		}
		p[i] = d[0].k0.x + d[1].k0.y + d[2].k2.z + d[3].k3.x;
	}
}
__device__ void step(frag &d, float x, bool c) { if (c) { d.k0 = mma(d.k0, x); } else { d.k0 -= x; } }

__global__ void by_reference(float *p, const f32x4 *q, int n)
{
	frag d = {};
	for (int i = 0; i < n; i++) {
		step(d, p[i], q[i].x > 0);
		p[i] = d.k0.x + d.k1.y + d.k2.z + d.k3.x + d.k4.x + d.k5.x + d.k6.x + d.k7.x;
	}
}
__device__ void stepj(frag (&d)[4], int j, float x, bool c) { if (c) { d[j].k0 = mma(d[j].k0, x); } else { d[j].k0 -= x; } }

__global__ void by_helper(float *p, const f32x4 *q, int n)
{
	frag d[4] = {};
	const int lane = __builtin_amdgcn_workitem_id_x();
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < 4; j++) stepj(d, j, p[i], lane + j < n);
		p[i] = d[0].k0.x + d[1].k0.y + d[2].k2.z + d[3].k3.x;
	}
}

__global__ void by_capture(float *p, const f32x4 *q, int n)
{
	f32x4 d[16] = {};
	const int lane = __builtin_amdgcn_workitem_id_x();
	auto f = [&](int j) { if (lane + j < n) { d[j] = mma(d[j], p[j]); } else { d[j] = d[j] - q[j]; } };
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < 16; j++) f(j);
		p[i] = d[0].x + d[1].y + d[12].z + d[13].x;
	}
}
struct T { f32x4 v[16]; frag f;
 __device__ void one(int j, bool c, float x) { if (c) { this->v[j] = mma(v[j], x); } else { v[j] = this->v[j] - x; } }
 __device__ void mem(bool c, float x) { if (c) { this->f.k0 = mma(f.k0, x); } else { f.k0 = this->f.k0 - x; } } };
__global__ void by_this(float *p, const f32x4 *q, int n)
{
	T t = {};
	const int lane = __builtin_amdgcn_workitem_id_x();
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < 16; j++) t.one(j, lane + j < n, p[i]);
		t.mem(lane < n, p[i]);
		p[i] = t.v[0].x + t.v[1].y + t.f.k0.z + t.f.k3.x;
	}
}

__global__ void by_choice(float *p, const f32x4 *q, int n)
{
	frag d = {};
	for (int i = 0; i < n; i++) {
		d.k0 = n > i ? d.k0 + q[i] : d.k0 - q[i];
		d.k1 = n > i + 2 ? d.k0 + q[i] : d.k1 - q[i];
		p[i] = d.k0.x + d.k1.y + d.k2.z + d.k3.x + d.k4.x + d.k5.x + d.k6.x + d.k7.x;
	}
}

__global__ void two_members(float *p, const f32x4 *q, int n)
{
	frag d = {};
	for (int i = 0; i < n; i++) {
		if (n > i) { d.k0 += q[i]; } else { d.k1 += q[i]; }
		p[i] = d.k0.x + d.k1.y + d.k2.z + d.k3.x + d.k4.x + d.k5.x + d.k6.x + d.k7.x;
	}
}

// ---- wide as they are ----

// Which element it is, is known at run time only.
__global__ void anywhere(float *p, const f32x4 *q, int n)
{
	f32x4 d[16] = {};
	for (int i = 0; i < n; i++) {
		if (q[i].x > 0) {
			d[1] += q[i];
		} else {
			d[2] -= q[i];
		}
		p[i] = d[n & 15].x;
	}
}

// A union's members are one storage, and what writes a part by another name may write all.
union both {
	f32x4 v[8];
	float f[32];
};
__global__ void storage(float *p, const f32x4 *q, int n)
{
	both d = {};
	for (int i = 0; i < n; i++) {
		if (q[i].x > 0) {
			d.v[1] += q[i];
		} else {
			d.f[2] -= q[i].x;
		}
		p[i] = d.f[1];
	}
}

__global__ void other_name(float *p, const f32x4 *q, int n)
{
	frag d = {};
	f32x4 *at = q[0].x > 0 ? &d.k1 : &d.k2;
	for (int i = 0; i < n; i++) {
		if (q[i].x > 0) {
			d.k0 += q[i];
		} else {
			*at += q[i];
		}
		p[i] = d.k0.x + d.k7.y;
	}
}
