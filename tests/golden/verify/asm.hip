// Matrix operations in inline assembly compute what the builtins in Inputs/matrix_asm.hip compute; an
// asm that is none cannot run.
//
// RUN: %unphi verify %S/Inputs/matrix_asm.hip %s --spec %S/Inputs/matrix_asm.verify.yaml --target gfx942 -- -nogpuinc > %t.txt
// RUN: grep -x "  5 of 5 cases equal" %t.txt
// RUN: sed 's/s_nop 4/v_nop/' %s > %t.none.hip
// RUN: %exits 1 %unphi verify %S/Inputs/matrix_asm.hip %t.none.hip --spec %S/Inputs/matrix_asm.verify.yaml --target gfx942 -- -nogpuinc > %t.txt
// RUN: grep "none.hip:25:.*inline asm cannot run on the CPU" %t.txt
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef int i4 __attribute__((ext_vector_type(4)));
typedef short s4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
#define LANE __builtin_amdgcn_workitem_id_x()
#define MFMA(type, d, a, b, more) asm volatile("v_mfma_" type " %0, %1, %2, %0" more : "+v"(d) : "v"(a), "v"(b))

__global__ void halves(f4 *out, const h4 *p)
{
	f4 acc[1] = {{1, 2, 3, 4}};
	int i = 0;
	asm volatile("v_mfma_f32_16x16x16_f16 %0, %1, %2, %0" : "+v"(acc[i++]) : "v"(p[LANE]), "v"(p[LANE + 64]));
	asm("s_nop 4" /* for nothing */
		"\n\tv_mfma_f32_16x16x16f16 %[d], %[a], %[b], %[c]\t; d = a * b + c\n"
		: [d] "=a"(acc[--i])
		: [c] "[d]"(acc[0]), [b] "v"(p[LANE]), [a] "v"(p[LANE + 64]));
	out[LANE] = acc[i];
}

__global__ void bfloats(f4 *out, const s4 *p)
{
	asm("v_mfma_f32_16x16x16_bf16 %0, %1, %2, 0" : "=&v"(out[LANE]) : "v"(p[LANE]), "v"(p[LANE + 64]));
}

__global__ void floats(f16 *out, const float *p)
{
	f16 acc = {1}, d;
	MFMA("f32_32x32x2_f32", acc, p[LANE], p[LANE + 64], "");
	asm("v_mfma_f32_32x32x2f32 %0, %1, %2, %0" : "=v"(d) : "v"(p[LANE + 64]), "v"(p[LANE]), "0"(acc));
	out[LANE] = d;
}

__global__ void bytes(i4 *out, const long *p)
{
	i4 acc = {4, 3, 2, 1};
	MFMA("i32_16x16x32_i8", acc, p[LANE], p[LANE + 64], "\n");
	out[LANE] = acc;
}

__global__ void blocks(f4 *out, const h4 *p)
{
	f4 acc = {1, 2, 3, 4};
	MFMA("f32_4x4x4_f16", acc, p[LANE], p[LANE + 64], " cbsz:2 abid:1 blgp:3");
	out[LANE] = acc;
}
