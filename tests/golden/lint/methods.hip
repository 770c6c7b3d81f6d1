// A struct's methods read and write it: what the kernel takes is not less because the accumulator is
// reached through an operator, a method's own members, what a method returns, a pointer, or a library's
// operator (std::array). The last two do not know that what they load is the same in all lanes: half of it
// is under way as well.
//
// RUN: %exits 1 %unphi lint %s --target gfx942 -- -nogpuinc -I%S/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

#include "library.h"

typedef float f32x4 __attribute__((ext_vector_type(4)));

struct tile {
	f32x4 v[8];
	__device__ f32x4 &operator[](int i) { return v[i]; }
	__device__ f32x4 *data() { return v; }
	__device__ void add(const f32x4 *in)
	{
		for (int i = 0; i < 8; ++i) {
			v[i] += in[i];
		}
	}
};

struct held {
	library_array<f32x4, 8> v;
	__device__ f32x4 &operator[](int i) { return v[i]; }
	__device__ void add(const f32x4 *in)
	{
		for (int i = 0; i < 8; ++i) {
			v[i] += in[i];
		}
	}
};

#define KERNEL(NAME, SCALE, STORE)                                                                 \
	__global__ __attribute__((launch_bounds(256))) void NAME(f32x4 *out, const f32x4 *in, int n) \
	{                                                                                          \
		tile t;                                                                            \
		for (int k = 0; k < 8; ++k) {                                                      \
			t[k] = in[k];                                                              \
		}                                                                                  \
		for (int i = 0; i < n; ++i) {                                                      \
			if (i & 1) {                                                               \
				t.add(in + i);                                                     \
			} else {                                                                   \
				for (int k = 0; k < 7; ++k) {                                      \
					SCALE;                                                     \
				}                                                                  \
			}                                                                          \
		}                                                                                  \
		tile *p = &t;                                                                      \
		for (int k = 0; k < 8; ++k) {                                                      \
			out[k] = STORE;                                                            \
		}                                                                                  \
	}

// CHECK: warning: 't' (tile, 32 VGPRs per lane)
// CHECK: by_operator takes about {{(6[4-9]|7[0-9])}} VGPRs {{.*}} about 3{{[12]}} VGPRs are second copies
KERNEL(by_operator, t[k] = t[k] * 2.0f, t[k])
// CHECK: warning: 't' (tile, 32 VGPRs per lane)
// CHECK: by_data takes about {{(6[4-9]|7[0-9])}} VGPRs {{.*}} about 3{{[12]}} VGPRs are second copies
KERNEL(by_data, t.data()[k] *= 2.0f, t.data()[k])
// CHECK: warning: 't' (tile, 32 VGPRs per lane)
// CHECK: by_pointer takes about {{(6[4-9]|7[0-9])}} VGPRs {{.*}} about 3{{[12]}} VGPRs are second copies
KERNEL(by_pointer, t.v[k] *= 2.0f, p->v[k])
#define tile held
// CHECK: warning: 't' (held, 32 VGPRs per lane)
// CHECK: by_library takes about {{8[0-9]}} VGPRs {{.*}} about 3{{[12]}} VGPRs are second copies
KERNEL(by_library, t.v[k] *= 2.0f, t.v[k])

// a pointer that stands in the struct points elsewhere, whatever it is indexed with
struct walker {
	tile t;
	const f32x4 *from;
	__device__ void step(int k)
	{
		for (int i = 0; i < 8; ++i) {
			t[i] += from[k * 8 + i];
		}
	}
};

// CHECK: warning: 'w' (walker, 32 of 36 VGPRs per lane)
// CHECK: by_member takes about {{9[0-9]}} VGPRs {{.*}} about 36 VGPRs are second copies
__global__ __attribute__((launch_bounds(256))) void by_member(f32x4 *out, const f32x4 *in, int n)
{
	walker w;
	w.from = in;
	for (int k = 0; k < 8; ++k) {
		w.t[k] = in[k];
	}
	for (int i = 0; i < n; ++i) {
		if (i & 1) {
			w.step(i);
		} else {
			w.step(i + 7);
		}
	}
	for (int k = 0; k < 8; ++k) {
		out[k] = w.t[k];
	}
}
