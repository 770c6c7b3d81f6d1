// REQUIRES: hipcc, compiler
// RUN: export UNPHI_COMPILER=%compiler
//
// What takes the registers of a kernel, beside what the compiler made of it.
// RUN: %unphi ledger %s --target gfx90a | %FileCheck %s
// RUN: %unphi ledger %s --target gfx90a --format json --report %t.json
// RUN: python3 %S/Inputs/check_json.py %t.json %root/doc/lifetime.md
// CHECK: {{^}}attend (gfx90a)
// CHECK-NEXT: variable VGPRs at peak lines loop role type
// CHECK-NEXT: acc 64 64 {{[0-9]+}}-{{[0-9]+}} carried accumulator f32x4[16]
// CHECK: q 8 8 {{.*}} constant operand fragment f16x4[4]
// CHECK: top 1 1 {{.*}} carried softmax state float
// CHECK: estimate: about {{[0-9]+}} VGPRs ({{[0-9]+}} to {{[0-9]+}}), registers for {{.*}} per SIMD
// CHECK-NEXT: peak: {{[0-9]+}} VGPRs in line {{[0-9]+}}: variables and operands {{[0-9]+}}, loads in flight {{[0-9]+}}
// CHECK-NEXT: measured: {{[0-9]+}} VGPRs{{.*}}, {{[0-9]+}} spilled, {{[0-9]+}} waves per SIMD limited by {{.*}}; the estimate is {{[+-][0-9]+}}% off
// CHECK-NEXT: next step: -{{[0-9]+}} VGPR{{s?}}: {{[0-9]+}} waves
//
// RUN: %exits 3 %unphi ledger %s --target gfx90a --format json --compiler %S/Inputs/broken-compiler \
// RUN:   2> %t.err | %FileCheck %s --check-prefix JSON
// JSON: "version": 1,
// JSON: "kernel": "attend",
// JSON-NEXT: "symbol": "{{.*attend.*}}",
// JSON-NEXT: "defined_in": "{{.*}}ledger.hip",
// JSON-NEXT: "line": [[LINE:[0-9]+]],
// JSON-NEXT: "first_line": [[LINE]],
// JSON-NEXT: "last_line": {{[0-9]+}},
// JSON-NEXT: "estimate": {{[0-9]+}},
// JSON: "held":
// JSON: "name": "acc",
// JSON-NEXT: "member": null,
// JSON-NEXT: "function": null,
// JSON-NEXT: "file": "{{.*}}ledger.hip",
// JSON-NEXT: "type": "f32x4[16]",
// JSON-NEXT: "vgprs": 64,
// JSON: "loop_carried": true,
// JSON: "unknown": []
//
// With --estimate nothing is compiled, and the text may be one that is not saved.
// RUN: %unphi ledger %s --target gfx90a --estimate --compiler %S/Inputs/broken-compiler > %t.estimate
// RUN: %FileCheck %s --check-prefix ESTIMATE < %t.estimate
// ESTIMATE: acc 64 64
// ESTIMATE: measured: {{.*}}was not compiled
// RUN: cd %S && %unphi ledger --stdin-filename ./new.hip --target gfx90a --estimate < %s | cmp - %t.estimate
// RUN: %exits 2 %unphi ledger --stdin-filename new.hip < %s 2>&1 | grep 'requires --estimate'
//
// RUN: %exits 3 %unphi ledger %s --target gfx90a --format svg --report %t.svg \
// RUN:   --compiler %S/Inputs/broken-compiler 2> %t.err
// RUN: python3 -c "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])" %t.svg
// RUN: %FileCheck %s --check-prefix SVG < %t.svg
// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG: attend (gfx90a): estimate
// SVG: acc: 64 VGPRs, lines {{[0-9]+}} to {{[0-9]+}}, accumulator, carried by a loop
// SVG: peak {{[0-9]+}} in line
//
// A file that does not compile keeps its ledger where it parses; what was not measured is said.
// RUN: %exits 3 %unphi ledger %s --target gfx90a --compiler %S/Inputs/broken-compiler 2> %t.err \
// RUN:   | %FileCheck %s --check-prefix BROKEN
// BROKEN: acc 64
// BROKEN: measured: unknown: the file was not compiled
// BROKEN-NOT: work-group size
#include <hip/hip_runtime.h>
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
__global__ void __launch_bounds__(256) attend(const f16x4 *__restrict__ queries, const f16x4 *__restrict__ keys, f32x4 *__restrict__ out, int n)
{
	f32x4 acc[16];
	f16x4 q[4];
	float top = -1e30f, sum = 0;
	for (int i = 0; i < 16; ++i) acc[i] = f32x4{0, 0, 0, 0};
	for (int i = 0; i < 4; ++i) q[i] = queries[i * 64 + threadIdx.x];
	for (int t = 0; t < n; ++t) {
		f32x4 s = {0, 0, 0, 0};
		for (int i = 0; i < 4; ++i) {
			s = __builtin_amdgcn_mfma_f32_16x16x16f16(keys[(t * 4 + i) * 64 + threadIdx.x], q[i], s, 0, 0, 0);
		}
		const float now = fmaxf(top, s.x);
		const float shrink = __expf(top - now);
		sum = sum * shrink + __expf(s.x - now);
		top = now;
		const f16x4 p = {(_Float16)s.x, (_Float16)s.y, (_Float16)s.z, (_Float16)s.w};
		for (int i = 0; i < 16; ++i) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(keys[i * 64 + threadIdx.x], p, acc[i] * shrink, 0, 0, 0);
		}
	}
	for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = acc[i] * (1 / sum);
}
