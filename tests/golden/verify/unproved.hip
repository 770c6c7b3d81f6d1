// What no proof speaks for is not kept on equal bits where no case takes one of its arms.
//
// REQUIRES: clang19
// RUN: %unphi rewrite %s --verify --on isa --allow-unproved --spec %S/Inputs/unproved.verify.yaml --target gfx90a \
// RUN:   --threshold 16 --compiler clang++-19 --explain -- -O1 -nogpuinc -I%S/../rewrite/Inputs > %t.txt
// RUN: grep "hoist (plain): veto: not proved, and of scores for gfx90a arm 2 of line [0-9]* never runs" %t.txt
#include <hip/hip_runtime.h>

__global__ void scores(float *o, const float *a, int n)
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
