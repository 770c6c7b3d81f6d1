// With --verify a rewrite is kept only when the bits stay. No strategy here is wrong, so the kernel
// helps: it asks for the macro that a rewrite brings along.
//
// REQUIRES: compiler
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.hip && cp %S/Inputs/veto.yaml %t/k.verify.yaml
// RUN: %unphi rewrite %t/k.hip --strategy sequentialize --threshold 1 --target gfx90a -o %t/out.hip
// RUN: %not cmp %t/k.hip %t/out.hip
// RUN: %unphi rewrite --verbose %t/k.hip --strategy sequentialize --threshold 1 --target gfx90a --verify \
// RUN:   -o %t/out.hip > %t/report
// RUN: cmp %t/k.hip %t/out.hip
// RUN: %FileCheck %s < %t/report
// CHECK: 1 merge at or over the threshold, 0 rewritten
// CHECK: sequentialize{{.*}}: veto: unequal bits: k: out[4] was 0x{{[0-9a-f]+}} ({{[0-9]+}}) and is 0x{{.*}} ({{[0-9]+}})
// RUN: %exits 1 %unphi verify %t/k.hip --strategy sequentialize --threshold 1

__attribute__((global)) void k(int *out, const float *in, int n)
{
	float acc[4] = {0, 1, 2, 3};
	for (int t = 0; t < 4; ++t) {
		if (t < n) {
			for (int i = 0; i < 4; ++i) {
				acc[i] += in[t];
			}
		} else {
			for (int i = 0; i < 4; ++i) {
				acc[i] *= in[t] + 1;
			}
		}
	}
	for (int i = 0; i < 4; ++i) {
		out[i] = (int)acc[i];
	}
// In a text that speaks of __NVCC__ the fence is a macro.
#ifdef UNPHI_FENCE
	out[4] = 1;
#else
	out[4] = 2;
#endif
}
