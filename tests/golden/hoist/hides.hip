// A parameter of the parts is called state though a macro elsewhere has the word: none is invoked in the function, and
// none has that name.
//
// RUN: echo '#define START(x) state = (x)' > %t.h
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:split -o %t.hip -q -- -nogpuinc -include %t.h
// RUN: %FileCheck %s < %t.hip
// CHECK: step_state step_narrow(float *p)
// CHECK: void step_wide(const step_state &state, tile &t, float *p)
// RUN: echo '#define state(x) x' > %t.h
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:split -o %t.hip -q -- -nogpuinc -include %t.h
// RUN: %FileCheck %s --check-prefix TAKEN < %t.hip
// TAKEN: void step_wide(const step_state &handed, tile &t, float *p)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct tile { float v[64]; };
template <bool First> __device__ void step(tile &t, float *p)
{
	const float by = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / by - p[i + 2];
	}
}
__global__ void k(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		step<true>(acc, p);
	} else {
		step<false>(acc, p);
	}
	p[0] = acc.v[c];
}
