// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// No comment is lost, and one that ends a line stays with its code.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] * 0.75f - x;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__global__ void everywhere(float *p, int n, int c, int d)
{
	tile acc = {};
	// before
	if /* one */ (/* two */ c /* three */) /* four */ { // five
		// six
		add(acc, 1); // seven
	} // eight
	// nine
	else /* ten */ if (d // eleven
		> 1) { /* twelve */
		scale(acc, 2);
		/* thirteen
		 * goes on
		 *   and on */
	}
	/* fourteen
	 * goes on
	 */
	else {
		add(acc, 3);
	} // fifteen
	// after
	store(p, acc);
}

__global__ void unbraced(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c) // one
		// two
		add(acc, 1); // three
	// four
	else // five
		scale(acc, 2); /* six */ // seven
	// eight
	store(p, acc);
}

__global__ void in_switch(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (c /* one */) { // two
	// three
	case 1'0: // four, after a digit separator
	case '"': // five
	case 1: // six
		add(acc, 1); // seven
		// eight
		break; // nine
	case 2: { // ten
		scale(acc, 2);
		// eleven
		break; // twelve
	} // thirteen
	case 3: {
		scale(acc, 3); break; /* fourteen */
	}
	/* fifteen */
	default:
		add(acc, 4);
		// sixteen
	} // seventeen
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {everywhere, unbraced, in_switch};
#endif
