// The whole text of findings: place and caret at the if, the switch or the question mark; each arm's
// first write; the use after the merge; the other accumulators; what can be done.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --color never -- -nogpuinc > %t.txt
// RUN: grep -vE "note: (hoist|fuse|predicate|split|unify|next)" %t.txt | sed 's,.*places.hip:,places.hip:,' > %t.out
// RUN: diff -u %S/places.expected %t.out
// RUN: sed -n 1p %t.txt | grep -q '^%s:'
//
// On a terminal it has colors, and the same text.
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --color always -- -nogpuinc > %t.color
// RUN: grep -q "$(printf '\033')" %t.color
// RUN: sed "s/$(printf '\033')\[[0-9;]*m//g" %t.color | cmp - %t.txt

#define __global__ __attribute__((global))

typedef float f32x16 __attribute__((ext_vector_type(16)));

__global__ void kernel(f32x16 *p, int n, int c)
{
	f32x16 acc[4] = {}, other[2] = {};
	for (int k = 0; k < n; k++) {
		if (c > k) { float x = p[k].x;
			for (int i = 0; i < 4; i++) acc[i] += x;
			other[k] += x;
		} else if (c == k) {
			other[0] = p[k];
		} else {
			for (int i = 0; i < 4; i++) acc[i] -= 1;
		}
	}
	p[0] = acc[0] + other[0];

	switch (n) {
	case 0:
		p[1] = 0;
		break;
	case 1:
		for (int i = 0; i < 4; i++) acc[i] += 1;
		[[fallthrough]];
	default:
		for (int i = 0; i < 4; i++) acc[i] -= 1;
	}
	p[2] = acc[2];
}

struct tile {
	float v[64];
};

__attribute__((device)) tile next(tile t)
{
	t.v[1] += 1;
	return t;
}

__attribute__((device)) void expression(tile &acc, bool c)
{
	acc = c
		? next(acc)
		: next(next(acc));
}

__global__ void calls_it(float *p, bool c)
{
	tile t = {};
	expression(t, c);
	p[0] = t.v[0];
}
