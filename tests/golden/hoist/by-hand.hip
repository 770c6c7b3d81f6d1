// An accumulator unrolled by hand: variables that are narrow one by one. Together they are wide.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc | grep -E 'warning:|note: in |(hoist|fuse) ' > %t.txt
// RUN: %FileCheck %s --check-prefix=LINT < %t.txt
// RUN: %unphi rewrite --prefix unphi_ --no-comments %s --verbose --target gfx90a --strategy hoist -o %t.hip -- -nogpuinc > %t.report
// RUN: %FileCheck %s < %t.hip
// RUN: %unphi lint --verbose %t.hip --target gfx90a -- -nogpuinc

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

__device__ inline f32x4 mma(f16x4 a, f16x4 b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}

// LINT: warning: 'acc0' (f32x4, 4 VGPRs per lane (128 with the others)) crosses this if/else
// LINT-NEXT: note: in numbers
// LINT-NEXT: note: hoist applies
// LINT-NEXT: note: fuse applies
// CHECK-LABEL: {{^}}__global__ void numbers(
// CHECK: {{^[^/]*}}for (int k = 0; k < n; k++) {
// CHECK-NEXT: const int [[AT:unphi_[a-z0-9]+]] = k < c ? k + n : k;
// CHECK: {{^[^/]*}}acc31 = mma(p[k], p{{.}}[[AT]]], acc31);
__global__ void numbers(const f16x4 *__restrict__ p, f32x4 *q, int n, int c)
{
	f32x4 acc0 = {}, acc1 = {}, acc2 = {}, acc3 = {}, acc4 = {}, acc5 = {}, acc6 = {}, acc7 = {};
	f32x4 acc8 = {}, acc9 = {}, acc10 = {}, acc11 = {}, acc12 = {}, acc13 = {}, acc14 = {}, acc15 = {};
	f32x4 acc16 = {}, acc17 = {}, acc18 = {}, acc19 = {}, acc20 = {}, acc21 = {}, acc22 = {}, acc23 = {};
	f32x4 acc24 = {}, acc25 = {}, acc26 = {}, acc27 = {}, acc28 = {}, acc29 = {}, acc30 = {}, acc31 = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			acc0 = mma(p[k], p[k + n], acc0); acc1 = mma(p[k], p[k + n], acc1); acc2 = mma(p[k], p[k + n], acc2); acc3 = mma(p[k], p[k + n], acc3);
			acc4 = mma(p[k], p[k + n], acc4); acc5 = mma(p[k], p[k + n], acc5); acc6 = mma(p[k], p[k + n], acc6); acc7 = mma(p[k], p[k + n], acc7);
			acc8 = mma(p[k], p[k + n], acc8); acc9 = mma(p[k], p[k + n], acc9); acc10 = mma(p[k], p[k + n], acc10); acc11 = mma(p[k], p[k + n], acc11);
			acc12 = mma(p[k], p[k + n], acc12); acc13 = mma(p[k], p[k + n], acc13); acc14 = mma(p[k], p[k + n], acc14); acc15 = mma(p[k], p[k + n], acc15);
			acc16 = mma(p[k], p[k + n], acc16); acc17 = mma(p[k], p[k + n], acc17); acc18 = mma(p[k], p[k + n], acc18); acc19 = mma(p[k], p[k + n], acc19);
			acc20 = mma(p[k], p[k + n], acc20); acc21 = mma(p[k], p[k + n], acc21); acc22 = mma(p[k], p[k + n], acc22); acc23 = mma(p[k], p[k + n], acc23);
			acc24 = mma(p[k], p[k + n], acc24); acc25 = mma(p[k], p[k + n], acc25); acc26 = mma(p[k], p[k + n], acc26); acc27 = mma(p[k], p[k + n], acc27);
			acc28 = mma(p[k], p[k + n], acc28); acc29 = mma(p[k], p[k + n], acc29); acc30 = mma(p[k], p[k + n], acc30); acc31 = mma(p[k], p[k + n], acc31);
		} else {
			acc0 = mma(p[k], p[k], acc0); acc1 = mma(p[k], p[k], acc1); acc2 = mma(p[k], p[k], acc2); acc3 = mma(p[k], p[k], acc3);
			acc4 = mma(p[k], p[k], acc4); acc5 = mma(p[k], p[k], acc5); acc6 = mma(p[k], p[k], acc6); acc7 = mma(p[k], p[k], acc7);
			acc8 = mma(p[k], p[k], acc8); acc9 = mma(p[k], p[k], acc9); acc10 = mma(p[k], p[k], acc10); acc11 = mma(p[k], p[k], acc11);
			acc12 = mma(p[k], p[k], acc12); acc13 = mma(p[k], p[k], acc13); acc14 = mma(p[k], p[k], acc14); acc15 = mma(p[k], p[k], acc15);
			acc16 = mma(p[k], p[k], acc16); acc17 = mma(p[k], p[k], acc17); acc18 = mma(p[k], p[k], acc18); acc19 = mma(p[k], p[k], acc19);
			acc20 = mma(p[k], p[k], acc20); acc21 = mma(p[k], p[k], acc21); acc22 = mma(p[k], p[k], acc22); acc23 = mma(p[k], p[k], acc23);
			acc24 = mma(p[k], p[k], acc24); acc25 = mma(p[k], p[k], acc25); acc26 = mma(p[k], p[k], acc26); acc27 = mma(p[k], p[k], acc27);
			acc28 = mma(p[k], p[k], acc28); acc29 = mma(p[k], p[k], acc29); acc30 = mma(p[k], p[k], acc30); acc31 = mma(p[k], p[k], acc31);
		}
	}
	q[0] = acc0; q[1] = acc1; q[2] = acc2; q[3] = acc3; q[4] = acc4; q[5] = acc5; q[6] = acc6; q[7] = acc7;
	q[8] = acc8; q[9] = acc9; q[10] = acc10; q[11] = acc11; q[12] = acc12; q[13] = acc13; q[14] = acc14; q[15] = acc15;
	q[16] = acc16; q[17] = acc17; q[18] = acc18; q[19] = acc19; q[20] = acc20; q[21] = acc21; q[22] = acc22; q[23] = acc23;
	q[24] = acc24; q[25] = acc25; q[26] = acc26; q[27] = acc27; q[28] = acc28; q[29] = acc29; q[30] = acc30; q[31] = acc31;
}

// LINT: warning: 'acc_a' (f32x4, 4 VGPRs per lane (128 with the others)) crosses this if/else
// LINT-NEXT: note: in letters
// LINT-NEXT: note: hoist applies
// LINT-NEXT: note: fuse applies
// CHECK-LABEL: {{^}}__global__ void letters(
// CHECK: {{^[^/]*}}for (int k = 0; k < n; k++) {
// CHECK-NEXT: const int [[AT:unphi_[a-z0-9]+]] = k < c ? k + n : k;
// CHECK: {{^[^/]*}}acc_F = mma(p[k], p{{.}}[[AT]]], acc_F);
__global__ void letters(const f16x4 *__restrict__ p, f32x4 *q, int n, int c)
{
	f32x4 acc_a = {}, acc_b = {}, acc_c = {}, acc_d = {}, acc_e = {}, acc_f = {}, acc_g = {}, acc_h = {};
	f32x4 acc_i = {}, acc_j = {}, acc_k = {}, acc_l = {}, acc_m = {}, acc_n = {}, acc_o = {}, acc_p = {};
	f32x4 acc_q = {}, acc_r = {}, acc_s = {}, acc_t = {}, acc_u = {}, acc_v = {}, acc_w = {}, acc_x = {};
	f32x4 acc_y = {}, acc_z = {}, acc_A = {}, acc_B = {}, acc_C = {}, acc_D = {}, acc_E = {}, acc_F = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			acc_a = mma(p[k], p[k + n], acc_a); acc_b = mma(p[k], p[k + n], acc_b); acc_c = mma(p[k], p[k + n], acc_c); acc_d = mma(p[k], p[k + n], acc_d);
			acc_e = mma(p[k], p[k + n], acc_e); acc_f = mma(p[k], p[k + n], acc_f); acc_g = mma(p[k], p[k + n], acc_g); acc_h = mma(p[k], p[k + n], acc_h);
			acc_i = mma(p[k], p[k + n], acc_i); acc_j = mma(p[k], p[k + n], acc_j); acc_k = mma(p[k], p[k + n], acc_k); acc_l = mma(p[k], p[k + n], acc_l);
			acc_m = mma(p[k], p[k + n], acc_m); acc_n = mma(p[k], p[k + n], acc_n); acc_o = mma(p[k], p[k + n], acc_o); acc_p = mma(p[k], p[k + n], acc_p);
			acc_q = mma(p[k], p[k + n], acc_q); acc_r = mma(p[k], p[k + n], acc_r); acc_s = mma(p[k], p[k + n], acc_s); acc_t = mma(p[k], p[k + n], acc_t);
			acc_u = mma(p[k], p[k + n], acc_u); acc_v = mma(p[k], p[k + n], acc_v); acc_w = mma(p[k], p[k + n], acc_w); acc_x = mma(p[k], p[k + n], acc_x);
			acc_y = mma(p[k], p[k + n], acc_y); acc_z = mma(p[k], p[k + n], acc_z); acc_A = mma(p[k], p[k + n], acc_A); acc_B = mma(p[k], p[k + n], acc_B);
			acc_C = mma(p[k], p[k + n], acc_C); acc_D = mma(p[k], p[k + n], acc_D); acc_E = mma(p[k], p[k + n], acc_E); acc_F = mma(p[k], p[k + n], acc_F);
		} else {
			acc_a = mma(p[k], p[k], acc_a); acc_b = mma(p[k], p[k], acc_b); acc_c = mma(p[k], p[k], acc_c); acc_d = mma(p[k], p[k], acc_d);
			acc_e = mma(p[k], p[k], acc_e); acc_f = mma(p[k], p[k], acc_f); acc_g = mma(p[k], p[k], acc_g); acc_h = mma(p[k], p[k], acc_h);
			acc_i = mma(p[k], p[k], acc_i); acc_j = mma(p[k], p[k], acc_j); acc_k = mma(p[k], p[k], acc_k); acc_l = mma(p[k], p[k], acc_l);
			acc_m = mma(p[k], p[k], acc_m); acc_n = mma(p[k], p[k], acc_n); acc_o = mma(p[k], p[k], acc_o); acc_p = mma(p[k], p[k], acc_p);
			acc_q = mma(p[k], p[k], acc_q); acc_r = mma(p[k], p[k], acc_r); acc_s = mma(p[k], p[k], acc_s); acc_t = mma(p[k], p[k], acc_t);
			acc_u = mma(p[k], p[k], acc_u); acc_v = mma(p[k], p[k], acc_v); acc_w = mma(p[k], p[k], acc_w); acc_x = mma(p[k], p[k], acc_x);
			acc_y = mma(p[k], p[k], acc_y); acc_z = mma(p[k], p[k], acc_z); acc_A = mma(p[k], p[k], acc_A); acc_B = mma(p[k], p[k], acc_B);
			acc_C = mma(p[k], p[k], acc_C); acc_D = mma(p[k], p[k], acc_D); acc_E = mma(p[k], p[k], acc_E); acc_F = mma(p[k], p[k], acc_F);
		}
	}
	q[0] = acc_a; q[1] = acc_b; q[2] = acc_c; q[3] = acc_d; q[4] = acc_e; q[5] = acc_f; q[6] = acc_g; q[7] = acc_h;
	q[8] = acc_i; q[9] = acc_j; q[10] = acc_k; q[11] = acc_l; q[12] = acc_m; q[13] = acc_n; q[14] = acc_o; q[15] = acc_p;
	q[16] = acc_q; q[17] = acc_r; q[18] = acc_s; q[19] = acc_t; q[20] = acc_u; q[21] = acc_v; q[22] = acc_w; q[23] = acc_x;
	q[24] = acc_y; q[25] = acc_z; q[26] = acc_A; q[27] = acc_B; q[28] = acc_C; q[29] = acc_D; q[30] = acc_E; q[31] = acc_F;
}

struct members {
	f32x4 acc0, acc1, acc2, acc3, acc4, acc5, acc6, acc7;
	f32x4 acc8, acc9, acc10, acc11, acc12, acc13, acc14, acc15;
	f32x4 acc16, acc17, acc18, acc19, acc20, acc21, acc22, acc23;
	f32x4 acc24, acc25, acc26, acc27, acc28, acc29, acc30, acc31;
};

// LINT: warning: 's' (members, 128 VGPRs per lane) crosses this if/else
// LINT-NEXT: note: in in_struct
// LINT-NEXT: note: hoist applies
// LINT-NEXT: note: fuse applies
// CHECK-LABEL: {{^}}__global__ void in_struct(
// CHECK: {{^[^/]*}}for (int k = 0; k < n; k++) {
// CHECK-NEXT: const int [[AT:unphi_[a-z0-9]+]] = k < c ? k + n : k;
// CHECK: {{^[^/]*}}s.acc31 = mma(p[k], p{{.}}[[AT]]], s.acc31);
__global__ void in_struct(const f16x4 *__restrict__ p, f32x4 *q, int n, int c)
{
	members s = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			s.acc0 = mma(p[k], p[k + n], s.acc0); s.acc1 = mma(p[k], p[k + n], s.acc1); s.acc2 = mma(p[k], p[k + n], s.acc2); s.acc3 = mma(p[k], p[k + n], s.acc3);
			s.acc4 = mma(p[k], p[k + n], s.acc4); s.acc5 = mma(p[k], p[k + n], s.acc5); s.acc6 = mma(p[k], p[k + n], s.acc6); s.acc7 = mma(p[k], p[k + n], s.acc7);
			s.acc8 = mma(p[k], p[k + n], s.acc8); s.acc9 = mma(p[k], p[k + n], s.acc9); s.acc10 = mma(p[k], p[k + n], s.acc10); s.acc11 = mma(p[k], p[k + n], s.acc11);
			s.acc12 = mma(p[k], p[k + n], s.acc12); s.acc13 = mma(p[k], p[k + n], s.acc13); s.acc14 = mma(p[k], p[k + n], s.acc14); s.acc15 = mma(p[k], p[k + n], s.acc15);
			s.acc16 = mma(p[k], p[k + n], s.acc16); s.acc17 = mma(p[k], p[k + n], s.acc17); s.acc18 = mma(p[k], p[k + n], s.acc18); s.acc19 = mma(p[k], p[k + n], s.acc19);
			s.acc20 = mma(p[k], p[k + n], s.acc20); s.acc21 = mma(p[k], p[k + n], s.acc21); s.acc22 = mma(p[k], p[k + n], s.acc22); s.acc23 = mma(p[k], p[k + n], s.acc23);
			s.acc24 = mma(p[k], p[k + n], s.acc24); s.acc25 = mma(p[k], p[k + n], s.acc25); s.acc26 = mma(p[k], p[k + n], s.acc26); s.acc27 = mma(p[k], p[k + n], s.acc27);
			s.acc28 = mma(p[k], p[k + n], s.acc28); s.acc29 = mma(p[k], p[k + n], s.acc29); s.acc30 = mma(p[k], p[k + n], s.acc30); s.acc31 = mma(p[k], p[k + n], s.acc31);
		} else {
			s.acc0 = mma(p[k], p[k], s.acc0); s.acc1 = mma(p[k], p[k], s.acc1); s.acc2 = mma(p[k], p[k], s.acc2); s.acc3 = mma(p[k], p[k], s.acc3);
			s.acc4 = mma(p[k], p[k], s.acc4); s.acc5 = mma(p[k], p[k], s.acc5); s.acc6 = mma(p[k], p[k], s.acc6); s.acc7 = mma(p[k], p[k], s.acc7);
			s.acc8 = mma(p[k], p[k], s.acc8); s.acc9 = mma(p[k], p[k], s.acc9); s.acc10 = mma(p[k], p[k], s.acc10); s.acc11 = mma(p[k], p[k], s.acc11);
			s.acc12 = mma(p[k], p[k], s.acc12); s.acc13 = mma(p[k], p[k], s.acc13); s.acc14 = mma(p[k], p[k], s.acc14); s.acc15 = mma(p[k], p[k], s.acc15);
			s.acc16 = mma(p[k], p[k], s.acc16); s.acc17 = mma(p[k], p[k], s.acc17); s.acc18 = mma(p[k], p[k], s.acc18); s.acc19 = mma(p[k], p[k], s.acc19);
			s.acc20 = mma(p[k], p[k], s.acc20); s.acc21 = mma(p[k], p[k], s.acc21); s.acc22 = mma(p[k], p[k], s.acc22); s.acc23 = mma(p[k], p[k], s.acc23);
			s.acc24 = mma(p[k], p[k], s.acc24); s.acc25 = mma(p[k], p[k], s.acc25); s.acc26 = mma(p[k], p[k], s.acc26); s.acc27 = mma(p[k], p[k], s.acc27);
			s.acc28 = mma(p[k], p[k], s.acc28); s.acc29 = mma(p[k], p[k], s.acc29); s.acc30 = mma(p[k], p[k], s.acc30); s.acc31 = mma(p[k], p[k], s.acc31);
		}
	}
	q[0] = s.acc0; q[1] = s.acc1; q[2] = s.acc2; q[3] = s.acc3; q[4] = s.acc4; q[5] = s.acc5; q[6] = s.acc6; q[7] = s.acc7;
	q[8] = s.acc8; q[9] = s.acc9; q[10] = s.acc10; q[11] = s.acc11; q[12] = s.acc12; q[13] = s.acc13; q[14] = s.acc14; q[15] = s.acc15;
	q[16] = s.acc16; q[17] = s.acc17; q[18] = s.acc18; q[19] = s.acc19; q[20] = s.acc20; q[21] = s.acc21; q[22] = s.acc22; q[23] = s.acc23;
	q[24] = s.acc24; q[25] = s.acc25; q[26] = s.acc26; q[27] = s.acc27; q[28] = s.acc28; q[29] = s.acc29; q[30] = s.acc30; q[31] = s.acc31;
}

// LINT: warning: 'rest' (f32x4[16], 64 VGPRs per lane (128 with the others)) crosses this if/else
// LINT-NEXT: note: in mixed
// LINT-NEXT: note: hoist applies
// LINT-NEXT: note: fuse applies
// CHECK-LABEL: {{^}}__global__ void mixed(
// CHECK: {{^[^/]*}}for (int k = 0; k < n; k++) {
// CHECK-NEXT: const int [[AT:unphi_[a-z0-9]+]] = k < c ? k + n : k;
// CHECK: {{^[^/]*}}rest{{.}}15] = mma(p[k], p{{.}}[[AT]]], rest{{.}}15]);
__global__ void mixed(const f16x4 *__restrict__ p, f32x4 *q, int n, int c)
{
	f32x4 acc0 = {}, acc1 = {}, acc2 = {}, acc3 = {}, acc4 = {}, acc5 = {}, acc6 = {}, acc7 = {};
	f32x4 acc8 = {}, acc9 = {}, acc10 = {}, acc11 = {}, acc12 = {}, acc13 = {}, acc14 = {}, acc15 = {};
	f32x4 rest[16] = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			acc0 = mma(p[k], p[k + n], acc0); acc1 = mma(p[k], p[k + n], acc1); acc2 = mma(p[k], p[k + n], acc2); acc3 = mma(p[k], p[k + n], acc3);
			acc4 = mma(p[k], p[k + n], acc4); acc5 = mma(p[k], p[k + n], acc5); acc6 = mma(p[k], p[k + n], acc6); acc7 = mma(p[k], p[k + n], acc7);
			acc8 = mma(p[k], p[k + n], acc8); acc9 = mma(p[k], p[k + n], acc9); acc10 = mma(p[k], p[k + n], acc10); acc11 = mma(p[k], p[k + n], acc11);
			acc12 = mma(p[k], p[k + n], acc12); acc13 = mma(p[k], p[k + n], acc13); acc14 = mma(p[k], p[k + n], acc14); acc15 = mma(p[k], p[k + n], acc15);
			rest[0] = mma(p[k], p[k + n], rest[0]); rest[1] = mma(p[k], p[k + n], rest[1]); rest[2] = mma(p[k], p[k + n], rest[2]); rest[3] = mma(p[k], p[k + n], rest[3]);
			rest[4] = mma(p[k], p[k + n], rest[4]); rest[5] = mma(p[k], p[k + n], rest[5]); rest[6] = mma(p[k], p[k + n], rest[6]); rest[7] = mma(p[k], p[k + n], rest[7]);
			rest[8] = mma(p[k], p[k + n], rest[8]); rest[9] = mma(p[k], p[k + n], rest[9]); rest[10] = mma(p[k], p[k + n], rest[10]); rest[11] = mma(p[k], p[k + n], rest[11]);
			rest[12] = mma(p[k], p[k + n], rest[12]); rest[13] = mma(p[k], p[k + n], rest[13]); rest[14] = mma(p[k], p[k + n], rest[14]); rest[15] = mma(p[k], p[k + n], rest[15]);
		} else {
			acc0 = mma(p[k], p[k], acc0); acc1 = mma(p[k], p[k], acc1); acc2 = mma(p[k], p[k], acc2); acc3 = mma(p[k], p[k], acc3);
			acc4 = mma(p[k], p[k], acc4); acc5 = mma(p[k], p[k], acc5); acc6 = mma(p[k], p[k], acc6); acc7 = mma(p[k], p[k], acc7);
			acc8 = mma(p[k], p[k], acc8); acc9 = mma(p[k], p[k], acc9); acc10 = mma(p[k], p[k], acc10); acc11 = mma(p[k], p[k], acc11);
			acc12 = mma(p[k], p[k], acc12); acc13 = mma(p[k], p[k], acc13); acc14 = mma(p[k], p[k], acc14); acc15 = mma(p[k], p[k], acc15);
			rest[0] = mma(p[k], p[k], rest[0]); rest[1] = mma(p[k], p[k], rest[1]); rest[2] = mma(p[k], p[k], rest[2]); rest[3] = mma(p[k], p[k], rest[3]);
			rest[4] = mma(p[k], p[k], rest[4]); rest[5] = mma(p[k], p[k], rest[5]); rest[6] = mma(p[k], p[k], rest[6]); rest[7] = mma(p[k], p[k], rest[7]);
			rest[8] = mma(p[k], p[k], rest[8]); rest[9] = mma(p[k], p[k], rest[9]); rest[10] = mma(p[k], p[k], rest[10]); rest[11] = mma(p[k], p[k], rest[11]);
			rest[12] = mma(p[k], p[k], rest[12]); rest[13] = mma(p[k], p[k], rest[13]); rest[14] = mma(p[k], p[k], rest[14]); rest[15] = mma(p[k], p[k], rest[15]);
		}
	}
	q[0] = acc0; q[1] = acc1; q[2] = acc2; q[3] = acc3; q[4] = acc4; q[5] = acc5; q[6] = acc6; q[7] = acc7;
	q[8] = acc8; q[9] = acc9; q[10] = acc10; q[11] = acc11; q[12] = acc12; q[13] = acc13; q[14] = acc14; q[15] = acc15;
	q[16] = rest[0]; q[17] = rest[1]; q[18] = rest[2]; q[19] = rest[3]; q[20] = rest[4]; q[21] = rest[5]; q[22] = rest[6]; q[23] = rest[7];
	q[24] = rest[8]; q[25] = rest[9]; q[26] = rest[10]; q[27] = rest[11]; q[28] = rest[12]; q[29] = rest[13]; q[30] = rest[14]; q[31] = rest[15];
}
