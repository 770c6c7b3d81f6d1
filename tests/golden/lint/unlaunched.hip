// Kernel templates that nothing instantiates are named, not skipped, and --assume looks at them.
//
// RUN: %unphi lint --verbose %s --target gfx90a -- -nogpuinc -std=c++17 > %t.txt
// RUN: grep -E 'note:|warning:' %t.txt | grep -v 'note: next' | %FileCheck %s --match-full-lines --check-prefix=ALONE
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --assume N=8,Vector=f32x4 -- -nogpuinc -std=c++17 > %t.txt
// RUN: grep -E 'unknown|warning:|note: in' %t.txt | %FileCheck %s --check-prefix=GIVEN
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --assume N=32 --assume Vector=f32x4 -- -nogpuinc -std=c++17 > %t.txt
// RUN: grep -E 'unknown|warning:|note: in' %t.txt | %FileCheck %s --check-prefix=MORE

#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

#define MERGE                                                                                      \
	if (c) {                                                                                   \
		for (auto &e : acc) e += 1;                                                                       \
	} else {                                                                                   \
		for (auto &e : acc) e -= 1;                                                                       \
	}

namespace ours {
// ALONE: {{.*}}:[[#@LINE+4]]:17: note: nothing in this unit instantiates the kernel template 'ours::one': its widths are unknown, and it was not checked; give arguments for N, Vector with --assume [unphi-width-unknown]
// GIVEN: {{.*}}:[[#@LINE+6]]:2: warning: 'acc' ({{.*}}[16]{{.*}}, 64 VGPRs per lane) crosses
// GIVEN-NEXT: note: in ours::one<8, {{.*}}, true>
template <int N, class Vector, bool Twice = true>
__global__ void one(Vector *p, int c)
{
	Vector acc[Twice ? 2 * N : N] = {};
	MERGE
	p[0] = acc[1];
}
} // namespace ours

// Assumptions that do not fit leave it unknown.
// ALONE-NEXT: {{.*}}: note: {{.*}} 'needs': {{.*}} give arguments for N, M with --assume {{.*}}
// GIVEN-NEXT: {{.*}}: note: {{.*}} 'needs': {{.*}} give arguments for M with --assume
// MORE: {{.*}}: note: {{.*}} 'small': {{.*}} with the assumed arguments, or its defaults, it does not compile
template <int N, int M>
__global__ void needs(float *p, int c)
{
}

// ALONE-NEXT: {{.*}}: note: {{.*}} 'small': {{.*}}
template <int N>
__global__ void small(float *p, int c)
{
	static_assert(N < 16, "too large");
	float acc[N] = {};
	MERGE
	p[0] = acc[1];
}

// Instantiated, and so is all that is no kernel.
// ALONE-NOT: note:
template <int N>
__global__ void used(float *p)
{
	p[0] = N;
}
template __global__ void used<3>(float *p);
template <int N>
void host(float *p)
{
	p[0] = N;
}
