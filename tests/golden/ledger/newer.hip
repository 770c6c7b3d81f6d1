// Matrix operations that the libclang here may not know yet, with their accumulator in other places.
// RUN: %exits 3 %unphi ledger %s --target gfx1100 --compiler %S/Inputs/broken-compiler -- -nogpuinc \
// RUN:   2> %t.err | %FileCheck %s
// CHECK: {{^}}last_of_its_type (gfx1100)
// CHECK: acc 128 {{.*}} carried accumulator v8f[16]
// CHECK: {{^}}rounds_at_the_end (gfx1100)
// CHECK: sum 128 {{.*}} carried accumulator v8f[16]
typedef _Float16 v16h __attribute__((ext_vector_type(16)));
typedef __bf16 v16b __attribute__((ext_vector_type(16)));
typedef __bf16 v8b __attribute__((ext_vector_type(8)));
typedef float v8f __attribute__((ext_vector_type(8)));
extern "C" __attribute__((global)) void last_of_its_type(v8f *out, const v16h *in, int n)
{
	v8f acc[16] = {};
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < 16; j++) {
			acc[j] = __builtin_amdgcn_wmma_f32_16x16x32_f16(false, in[i], false, in[j], (short)0, acc[j], false, false);
		}
	}
	for (int j = 0; j < 16; j++) {
		out[j] = acc[j];
	}
}
extern "C" __attribute__((global)) void rounds_at_the_end(v8b *out, const v16b *in, int n)
{
	v8f sum[16] = {};
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < 16; j++) {
			v8b r = __builtin_amdgcn_wmma_bf16f32_16x16x32_bf16(false, in[i], false, in[j], (short)0, sum[j], false, false);
			out[i * 16 + j] = r;
			sum[j] += 1;
		}
	}
	for (int j = 0; j < 16; j++) {
		out[j][0] = sum[j][0];
	}
}
