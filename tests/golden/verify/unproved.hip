// What a clause refuses, --allow-unproved keeps if its machine code is equal for all data, and no other option if it only
// fuses otherwise, though the bits of all cases are equal; and not where no case takes one of its arms, even if that is an
// arm of a ?: in a function that it calls, unless constants alone decide there. With --allow-recontraction it may fuse otherwise.
//
// REQUIRES: compiler
// RUN: printf 'choose: {min-gain-percent: 1}\n' > %t.yaml && %unphi rewrite %s --config %t.yaml --verify --on isa --allow-unproved --spec %S/Inputs/unproved.verify.yaml --target gfx90a \
// RUN:   --threshold 16 --compiler %compiler --explain -- -O1 -nogpuinc -I%S/../rewrite/Inputs > %t.txt
// RUN: grep "hoist (plain): veto: equal but for contraction, which --allow-recontraction would take: shown/first: o\[17\]" %t.txt
// RUN: %unphi rewrite %s --config %t.yaml --verify --on isa --allow-unproved --allow-recontraction --spec %S/Inputs/unproved.verify.yaml --target gfx90a \
// RUN:   --threshold 16 --compiler %compiler --kernel shown --explain -- -O1 -nogpuinc -I%S/../rewrite/Inputs \
// RUN:   | grep "hoist (plain): kept: issue cycles that a wave runs, over all cases: .*; equal but for contraction"
// RUN: grep "hoist (plain): veto: one_arm: FMAs 0 -> 1, .*: not proved, and of one_arm for gfx90a arm 2 of line 45 never runs" %t.txt
// RUN: grep "hoist (plain): veto: one_choice: FMAs 0 -> 1, .*: not proved, and of one_choice for gfx90a arm 1 of line 20 never runs" %t.txt
// RUN: grep "hoist (plain): veto: equal but for contraction, which --allow-recontraction would take: instance/first: o\[17\]" %t.txt
// RUN: grep "hoist (plain): veto: value: FMAs 0 -> 1, .*: not proved, and of value for gfx90a arm 1 of line 103 never runs" %t.txt
#include <hip/hip_runtime.h>

__device__ float bounded(float x, int n)
{
	return n > 9 ? 1.0f : x;
}

__global__ void shown(float *o, const float *a, int n)
{
	float s[16];
	for (int i = 0; i < 16; i++) { s[i] = a[i]; }
	float t = a[18];
	if (n > 3) {
		const float x = a[2] * a[3];
		o[18] = x;
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
		t += x;
	} else {
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
	}
	for (int i = 0; i < 16; i++) { o[i] = s[i]; }
	o[17] = t;
}

__global__ void one_arm(float *o, const float *a, int n)
{
	float s[16];
	for (int i = 0; i < 16; i++) { s[i] = a[i]; }
	float t = a[18];
	if (n > 3) {
		const float x = a[2] * a[3];
		o[18] = x;
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
		t += x;
	} else {
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
	}
	for (int i = 0; i < 16; i++) { o[i] = s[i]; }
	o[17] = t;
}

__global__ void one_choice(float *o, const float *a, int n)
{
	float s[16];
	for (int i = 0; i < 16; i++) { s[i] = a[i]; }
	float t = a[18];
	if (n > 3) {
		const float x = a[2] * bounded(a[3], n);
		o[18] = x;
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
		t += x;
	} else {
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
	}
	for (int i = 0; i < 16; i++) { o[i] = s[i]; }
	o[17] = t;
}

template <bool Bounds>
__device__ float bounded_by(float x, int n)
{
	const float most = Bounds ? 1.0f : x;
	if (Bounds) {
		return n > 9 ? most : x;
	}
	return most;
}

__global__ void instance(float *o, const float *a, int n)
{
	float s[16];
	for (int i = 0; i < 16; i++) { s[i] = a[i]; }
	float t = a[18];
	if (n > 3) {
		const float x = a[2] * bounded_by<false>(a[3], n);
		o[18] = x;
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
		t += x;
	} else {
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
	}
	for (int i = 0; i < 16; i++) { o[i] = s[i]; }
	o[17] = t;
}

__device__ float bounded_if(float x, int n, bool bounds)
{
	if (bounds) {
		return 1.0f;
	}
	return x;
}

__global__ void value(float *o, const float *a, int n)
{
	float s[16];
	for (int i = 0; i < 16; i++) { s[i] = a[i]; }
	float t = a[18];
	if (n > 3) {
		const float x = a[2] * bounded_if(a[3], n, n > 9);
		o[18] = x;
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
		t += x;
	} else {
		for (int i = 0; i < 16; i++) { s[i] += a[i + 1]; }
	}
	for (int i = 0; i < 16; i++) { o[i] = s[i]; }
	o[17] = t;
}
