// Builtins that this libclang may not know are declared to it from rules/intrinsics.yaml: in the text, in
// a template that only a probe instantiates, and behind a precompiled header.
// RUN: %exits 1 %unphi lint %s --target gfx950 -- -nogpuinc 2> %t.err | %FileCheck %s
// RUN: %exits 1 %unphi lint %s --target gfx950 -- -nogpuinc 2> %t.err | %FileCheck %s
// RUN: %exits 1 %unphi lint %s --target gfx1250 -- -nogpuinc -DWMMA 2> %t.err | %FileCheck %s
// CHECK-COUNT-2: warning: 'acc' ({{.*}}[32], {{128|256}} VGPRs per lane) crosses this if/else as 32 phis
// CHECK: note: k<2> takes about
//
// One that nobody knows stays an error.
// RUN: %exits 3 %unphi lint %s --target gfx950 -- -nogpuinc -DUNKNOWN 2>&1 | %FileCheck %s --check-prefix UNKNOWN
// UNKNOWN: does not parse as HIP (1 error)
// UNKNOWN: '__builtin_amdgcn_mfma_f32_1x1x1_f99'
#include "Inputs/newer.h"
#ifdef WMMA
typedef _Float16 operand __attribute__((ext_vector_type(16)));
typedef float result __attribute__((ext_vector_type(8)));
#define MMA(a, b, c) __builtin_amdgcn_wmma_f32_16x16x32_f16(false, a, false, b, (short)0, c, false, false)
#else
typedef _Float16 operand __attribute__((ext_vector_type(8)));
typedef float result __attribute__((ext_vector_type(4)));
#define MMA(a, b, c) __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0)
#endif
extern "C" GLOBAL void plain(result *out, const operand *in, int n)
{
	result acc[32] = {};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			for (int j = 0; j < 32; j++) acc[j] = MMA(in[i], in[j], acc[j]);
		} else {
			for (int j = 0; j < 32; j++) acc[j] = MMA(in[i + 9], in[j], acc[j]);
		}
	}
	for (int j = 0; j < 32; j++) out[j] = acc[j];
}
template <int N> GLOBAL void k(result *out, const operand *in, int n)
{
	result acc[32] = {};
	for (int i = 0; i < n; i++) {
		if (i & 1) {
			for (int j = 0; j < 32; j++) acc[j] = MMA(in[i * N], in[j], acc[j]);
		} else {
			for (int j = 0; j < 32; j++) acc[j] = MMA(in[i + N], in[j], acc[j]);
		}
	}
	for (int j = 0; j < 32; j++) out[j] = acc[j];
}
template __attribute__((global)) void k<2>(result *, const operand *, int);
#ifdef UNKNOWN
__attribute__((device)) int unknown() { return __builtin_amdgcn_mfma_f32_1x1x1_f99(); }
#endif
