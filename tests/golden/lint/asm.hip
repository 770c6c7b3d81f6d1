// Accumulators that inline asm updates: libclang shows its operands, their constraints are in the
// text.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in |first writes' %t.txt | sed -E 's/^[^:]*:/F:/' | %FileCheck %s --match-full-lines

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));

#define ALL for (int i = 0; i < 16; i++)
#define KERNEL(name) __global__ void name(f4 *out, const h4 *p, int n, int c)
#define BEGIN f4 acc[16] = {}; for (int k = 0; k < n; k++) { h4 a = p[k], b = p[k + n];
#define END } ALL { out[i] = acc[i]; }

// CHECK: F:[[#@LINE+7]]:2: warning: 'acc' (f4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: F: in updated
// CHECK-NEXT: F:[[#@LINE+6]]:9: note: arm 1 first writes 'acc' here
// CHECK-NEXT: F:[[#@LINE+7]]:9: note: arm 2 first writes 'acc' here
KERNEL(updated)
{
	BEGIN
	if (k < c) {
		ALL { asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(a), "v"(b)); }
	} else {
		ALL { asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(b), "v"(b)); }
	}
	END
}

// In accumulation registers, by a name, marked as written early; from a macro.
#define STEP(to, from) \
	asm volatile("v_mfma_f32_16x16x16f16 %[d], %[x], " /* one operand twice */ \
		     "%[x], %[d]" : [d] "+&a"(to) : [x] "v"(from))

// CHECK-NEXT: F:[[#@LINE+7]]:2: warning: 'acc' (f4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: F: in from_macro
// CHECK-NEXT: F:[[#@LINE+6]]:9: note: arm 1 first writes 'acc' here
// CHECK-NEXT: F:[[#@LINE+7]]:9: note: arm 2 first writes 'acc' here
KERNEL(from_macro)
{
	BEGIN
	if (k < c) {
		ALL { STEP(acc[i], a); }
	} else {
		ALL { STEP(acc[i], b); }
	}
	END
}

// Another operand, tied to it or beside it.
// CHECK-NEXT: F:[[#@LINE+7]]:2: warning: 'acc' (f4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: F: in tied
// CHECK-NEXT: F:[[#@LINE+6]]:9: note: arm 1 first writes 'acc' here
// CHECK-NEXT: F:[[#@LINE+7]]:9: note: arm 2 first writes 'acc' here
KERNEL(tied)
{
	BEGIN
	if (k < c) {
		ALL { asm("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "=v"(acc[i]) : "v"(a), "v"(b), "0"(acc[i])); }
	} else {
		ALL { asm("v_mfma_f32_16x16x16f16 %0, %1, %2, %3" : "=v"(acc[i]) : "v"(b), "v"(b), "v"(acc[i])); }
	}
	END
}

template <int N> __device__ void add(f4 (&acc)[N], h4 x)
{
	for (auto &e : acc) {
		asm volatile(R"(
			v_mfma_f32_16x16x16f16 %0, %1, %1, %0
			s_nop 4
		)" : "+v"(e) : "v"(x));
	}
}

// CHECK-NEXT: F:[[#@LINE+7]]:2: warning: 'acc' (f4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: F: in called
// CHECK-NEXT: F:[[#@LINE+6]]:3: note: arm 1 first writes 'acc' here
// CHECK-NEXT: F:[[#@LINE+7]]:3: note: arm 2 first writes 'acc' here
KERNEL(called)
{
	BEGIN
	if (k < c) {
		add(acc, a);
	} else {
		add(acc, b);
	}
	END
}

// CHECK-NEXT: F:[[#@LINE+10]]:2: warning: 'acc' (f4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: F: in captured
// CHECK-NEXT: F:[[#@LINE+9]]:9: note: arm 1 first writes 'acc' here
// CHECK-NEXT: F:[[#@LINE+10]]:9: note: arm 2 first writes 'acc' here
KERNEL(captured)
{
	BEGIN
	auto step = [&](h4 x, int i) {
		asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(x));
	};
	if (k < c) {
		ALL { step(a, i); }
	} else {
		ALL { step(b, i); }
	}
	END
}

// More than its operands may change, and what is written is known all the same.
// CHECK-NEXT: F:[[#@LINE+7]]:2: warning: 'acc' (f4[16], 64 VGPRs per lane) crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: F: in clobbers
// CHECK-NEXT: F:[[#@LINE+6]]:9: note: arm 1 first writes 'acc' here
// CHECK-NEXT: F:[[#@LINE+7]]:9: note: arm 2 first writes 'acc' here
KERNEL(clobbers)
{
	BEGIN
	if (k < c) {
		ALL { asm volatile("v_mfma_f32_16x16x16f16 %0, v[2:3], %1, %0" : "+v"(acc[i]) : "v"(a)); }
	} else {
		ALL { asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a) : "memory"); }
	}
	END
}

// Anew in both arms: nothing crosses.
KERNEL(anew)
{
	BEGIN
	if (k < c) {
		ALL { asm("v_mfma_f32_16x16x16f16 %0, %1, %1, 0" : "=v"(acc[i]) : "v"(a)); }
	} else {
		ALL { asm("v_mfma_f32_16x16x16f16 %0, %1, %1, 0" : "=v"(acc[i]) : "v"(b)); }
	}
	END
}

// Read only.
KERNEL(kept)
{
	BEGIN
	f4 d;
	if (k < c) {
		ALL { asm("v_mfma_f32_16x16x16f16 %0, %1, %1, %2" : "=v"(d) : "v"(a), "v"(acc[i])); }
	} else {
		ALL { asm("v_mfma_f32_16x16x16f16 %0, %1, %1, %2" : "=v"(d) : "v"(b), "v"(acc[i])); }
	}
	out[k] = d;
	END
}

// Not understood, so that nothing is said: operands in memory, in one register, out of a macro, and
// asm that jumps.
#define OPERANDS(d, x) : "+v"(d) : "v"(x)
KERNEL(unknown)
{
	BEGIN
	if (k < c) {
		ALL { asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" OPERANDS(acc[i], a)); }
	} else {
		ALL { asm volatile("s_nop %0" : "+m"(acc[i]) : "n"(0)); }
	}
	if (k < 2 * c) {
		ALL { asm goto("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a) : : out); }
	} else {
		ALL { asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+{v[4:7]}"(acc[i]) : "v"(b)); }
	}
	END
out:
	return;
}
// CHECK-NOT: {{.}}
