// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|changes|to the caller' %t.txt | %FileCheck %s
//
// Arms that return a new value of the accumulator, and a ?: whose value is assigned, declared or returned.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline tile plus(tile t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
	return t;
}

__device__ inline tile times(tile t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] * 0.75f - x;
	}
	return t;
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__device__ inline tile assigned(tile acc, int c)
{
	acc = c > 2 ? plus(acc, 1) : times(acc, 2);
	return acc;
}

// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: 'next' ({{.*}}) crosses this ?: as {{[0-9]+}} phis: 2 of 2 arms write it, and 2 read the value from before, in 'acc' [unphi-phi-explosion]
__device__ inline tile declared(tile acc, int c)
{
	const auto next = (c > 3) ? (plus(acc, 3)) : times(acc, 4);
	return plus(next, next.v[1]);
}

__device__ inline tile question(tile acc, int c, int d)
{
	return (c > 4
			? plus(acc, 5) // many
			: d > 1 ? times(acc, 6)
				: plus(plus(acc, 7), 8));
}

// CHECK: :[[#@LINE+6]]:{{[0-9]+}}: warning: 'acc' ({{.*}}) crosses this if that leaves by 'return' as {{[0-9]+}} phis: 2 of 2 arms return it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: arm 1 changes 'acc' here
// CHECK-NEXT: arm 2 changes 'acc' here
// CHECK-NEXT: 'acc' is returned to the caller
__device__ inline tile leaves(tile acc, int c)
{
	if (c > 1) {
		// few
		for (int i = 0; i < 64; i++) {
			acc.v[i] -= 9 + i;
		}
		return acc;
	}

	const int k = c + 1;
	acc = times(acc, k);
	return times(acc,
		10); // the rest
}

__device__ inline tile row(tile acc, int c, int d)
{
	if (c > 5) // many
		return plus(acc, 11);
	if (d > 2) {
		return times(acc, 12);
	}
	return acc;
}

__device__ inline tile with_else(tile acc, int c, int d)
{
	if (c > 2) {
		return plus(acc, 13);
	} else if (d > 3)
		return times(acc, 14);
	else {
		acc.v[c & 63] = 1;
		return acc;
	}
}

// Written before, as another object of that name.
__device__ inline tile hidden(tile acc, int c)
{
	if (c > 2) {
		const tile old = acc;
		tile acc = plus(old, 15);
		return times(acc, 16);
	}
	return plus(acc, 17);
}

// The old value is read after the merge.
__device__ inline tile kept(tile acc, int c)
{
	const tile next = c > 2 ? plus(acc, 18) : times(acc, 19);
	return plus(next, acc.v[1]);
}

__device__ inline tile kept_by_pointer(tile acc, int c)
{
	const float *old = acc.v;
	const tile next = c > 2 ? plus(acc, 20) : times(acc, 21);
	return plus(next, old[1]);
}

__device__ inline tile kept_in_a_loop(tile acc, int c)
{
	tile next = acc;
	for (int i = 0; i < 3; i++) {
		next = c > i ? plus(acc, next.v[2]) : times(acc, 22);
	}
	return next;
}

// The old value tells where the new one goes.
__device__ inline tile placed(tile acc, int c)
{
	tile next[2] = {acc, acc};
	next[acc.v[1] > 4] = c > 2 ? plus(acc, 25) : times(acc, 26);
	return plus(next[0], next[1].v[3]);
}

struct last {
	const tile &of;
	float *to;

	__device__ ~last()
	{
		*to += of.v[1];
	}
};

__device__ inline tile destroyed(tile acc, int c, float *p)
{
	last at_end{acc, p};
	if (c > 2) {
		return plus(acc, 23);
	}
	return times(acc, 24);
}

__global__ void run(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		acc = assigned(acc, c + i);
		acc = declared(acc, c + i);
		acc = question(acc, c + i, d);
		acc = leaves(acc, c + i);
		acc = row(acc, c + i, d);
		acc = with_else(acc, c + i, d);
		acc = hidden(acc, c + i);
		acc = kept(acc, c + i);
		acc = kept_by_pointer(acc, c + i);
		acc = kept_in_a_loop(acc, c + i);
		acc = placed(acc, c + i);
		acc = destroyed(acc, c + i, p);
	}
	acc.v[0] += p[0];
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {run};
#endif
