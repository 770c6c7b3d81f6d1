// Inline asm on the accumulator. Its text is one in all arms, and what they differ in are inputs in
// vector registers.
//
// RUN: %unphi rewrite --prefix unphi_ --verbose --strategy hoist --threshold 1 --target gfx90a %s -o %t.hip -- -nogpuinc > %t.said
// RUN: %FileCheck %s < %t.hip
// RUN: %FileCheck --check-prefix=SAID %s < %t.said
// RUN: for s in fuse split; do \
// RUN:   %unphi rewrite --prefix unphi_ --verbose --strategy $s --threshold 1 --target gfx90a --quiet %s -o %t.$s.hip -- -nogpuinc || exit 1; done
// RUN: %verify %s %t.hip %t.fuse.hip %t.split.hip --spec %S/asm.verify.yaml --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -xc "  14 of 14 cases equal" %t.txt | grep -x 3
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));

#define STEP(c, a, b) \
	asm volatile("v_mfma_f32_16x16x16f16 %0, %1, " \
		     "%2, %0" : "+v"(c) : "v"(a), "v"(b))
#define STEPS(c, a, m) asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0\n\ts_nop " #m : "+v"(c) : "v"(a))
#define LANE __builtin_amdgcn_workitem_id_x()
#define END for (int i = 0; i < 4; i++) { out[LANE * 4 + i] = acc[i]; }

// An operand differs.
// CHECK-LABEL: void volatile_operand(
// CHECK: const h4 {{unphi_op[a-z]+[0-9]*}} = k < c ? a : b;
// CHECK-NEXT: for (int i = 0; i < 4; i++) {
// CHECK-NEXT: asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"({{unphi_op[a-z]+[0-9]*}}), "v"(b));
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: END
__global__ void volatile_operand(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE + 2 * k];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(a), "v"(b));
			}
		} else {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(b), "v"(b));
			}
		}
	}
	END
}

// Written anew from what it was, by names, in accumulation registers; the counters have two names.
// CHECK-LABEL: void named(
// CHECK: asm({{.*}} : {{.}}d] "=a"(acc[i]) : {{.}}a] "v"(p[LANE + {{unphi_op[a-z]+[0-9]*}}]), {{.}}b] "v"(p[LANE]), {{.}}c] "[d]"(acc[i]));
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: END
__global__ void named(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm("v_mfma_f32_16x16x16f16 %[d], %[a], %[b], %[c]\n\ts_nop 4" : [d] "=a"(acc[i]) : [a] "v"(p[LANE + k]), [b] "v"(p[LANE]), [c] "[d]"(acc[i]));
			}
		} else {
			for (int j = 0; j < 4; j++) {
				asm("v_mfma_f32_16x16x16f16 %[d], %[a], %[b], %[c]\n\ts_nop 4" : [d] "=a"(acc[j]) : [a] "v"(p[LANE + 3]), [b] "v"(p[LANE]), [c] "[d]"(acc[j]));
			}
		}
	}
	END
}

// In a macro, whose arguments are operands like any other.
// CHECK-LABEL: void from_macro(
// CHECK: STEP(acc[i], {{unphi_op[a-z]+[0-9]*}}, p[LANE]);
__global__ void from_macro(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE + 5];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				STEP(acc[i], a, p[LANE]);
			}
		} else {
			for (int i = 0; i < 4; i++) {
				STEP(acc[i], b, p[LANE]);
			}
		}
	}
	END
}

template <int N> __device__ inline void steps(f4 (&acc)[N], h4 a, h4 b)
{
	for (int i = 0; i < N; i++) {
		asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(a), "v"(b));
	}
}

// In a template that is called.
// CHECK-LABEL: void called(
// CHECK: steps(acc, {{unphi_[a-z0-9]+}}, b);
__global__ void called(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE + 2];
		if (k < c) {
			steps(acc, a, b);
		} else {
			steps(acc, b, b);
		}
	}
	END
}

// In a lambda.
// CHECK-LABEL: void in_lambda(
// CHECK: step({{unphi_[a-z0-9]+}});
__global__ void in_lambda(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE + 4];
		auto step = [&](h4 x) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(x), "v"(p[LANE + k]));
			}
		};
		if (k < c) {
			step(a);
		} else {
			step(b);
		}
	}
	END
}

// What asm in a lambda writes is not the same for all lanes.
// SAID: VGPRs in set_by_lambda
// SAID-NEXT: hoist: not legal (clause 7): {{.*}}the condition is not proved uniform: 'd' may differ between lanes: {{.*}}
__global__ void set_by_lambda(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	f4 d = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE + 4];
		auto set = [&] {
			asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0" : "+v"(d) : "v"(a), "v"(b));
		};
		if (d.x < 8.0f) {
			for (int i = 0; i < n % 5; i++) {
				STEP(acc[i], a, b);
			}
		} else {
			for (int i = 0; i < n % 5; i++) {
				STEP(acc[i], b, b);
			}
		}
		set();
	}
	END
}

// Two texts, two kinds of registers, two outputs, a macro's text: not the same asm.
// SAID: VGPRs in other_text
// SAID-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: {{.*}}
__global__ void other_text(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a));
			}
		} else {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, 0" : "+v"(acc[i]) : "v"(a));
			}
		}
	}
	END
}

// SAID: VGPRs in other_register
// SAID-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: {{.*}}
__global__ void other_register(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a));
			}
		} else {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+a"(acc[i]) : "v"(a));
			}
		}
	}
	END
}

// SAID: VGPRs in not_volatile
// SAID-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: {{.*}}
__global__ void not_volatile(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a));
			}
		} else {
			for (int i = 0; i < 4; i++) {
				asm("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a));
			}
		}
	}
	END
}

// SAID: VGPRs in other_output
// SAID-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: {{.*}}
__global__ void other_output(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k];
		if (k < c) {
			STEP(acc[k & 3], a, a);
		} else {
			STEP(acc[(k + 1) & 3], a, a);
		}
	}
	END
}

// SAID: VGPRs in other_parameter
// SAID-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: {{.*}}
__global__ void other_parameter(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				STEPS(acc[i], a, 0);
			}
		} else {
			for (int i = 0; i < 4; i++) {
				STEPS(acc[i], a, 1);
			}
		}
	}
	END
}

// A constant is part of the instruction; nothing else takes its place.
// SAID: VGPRs in constant
// SAID-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: {{.*}}
__global__ void constant(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k];
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a), "n"(1));
			}
		} else {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(a), "n"(2));
			}
		}
	}
	END
}

// A matrix operation that every path comes to asks for all lanes of the wave; asm is one, too.
// SAID: VGPRs in asked_for
// SAID-NEXT: hoist (plain): kept: forced, not measured
// SAID-NEXT: assumes what the matrix operation in line [[#@LINE+8]] asks for: all lanes of a wave reach it, or none
__global__ void asked_for(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE];
		if (k < c - (int)(LANE | 63) / 100) {
			for (int i = 0; i < 4; i++) {
				STEP(acc[i], a, b);
			}
		} else {
			for (int i = 0; i < 4; i++) {
				STEP(acc[i], b, b);
			}
		}
	}
	END
}

// Volatile asm is run as often as it was, by the same lanes. No turn of these loops is certain.
// SAID: VGPRs in per_lane
// SAID-NEXT: hoist: not legal (clause 7): the code that would move holds an atomic, volatile or fence operation, and the condition is not proved uniform: {{.*}}
__global__ void per_lane(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	for (int k = 0; k < n; k++) {
		h4 a = p[LANE + k], b = p[LANE];
		if (k < c - (int)(LANE | 63) / 100) {
			for (int i = 0; i < n % 5; i++) {
				STEP(acc[i], a, b);
			}
		} else {
			for (int i = 0; i < n % 5; i++) {
				STEP(acc[i], b, b);
			}
		}
	}
	END
}

// What a macro does not let be seen, memory among the clobbers: anything may happen there.
// SAID: VGPRs in clobbers
// SAID-NEXT: hoist: not legal (clause 5): the arms differ in 'k', which cannot be evaluated before the rest: code that unphi cannot see through is between
__global__ void clobbers(f4 *out, const h4 *p, int n, int c)
{
	f4 acc[4] = {};
	h4 q[4] = {p[0], p[1], p[2], p[3]};
	for (int k = 0; k < n && k < 4; k++) {
		if (k < c) {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(q[k]) : "memory");
			}
		} else {
			for (int i = 0; i < 4; i++) {
				asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %1, %0" : "+v"(acc[i]) : "v"(q[0]) : "memory");
			}
		}
	}
	END
}
