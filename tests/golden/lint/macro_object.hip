// The object of a member template that is called with its arguments, where a macro spells both or the name alone:
// whatever the macro, it is the tile that is written.
// RUN: %exits 1 %unphi lint %s --target gfx90a --quiet -- -nogpuinc | %FileCheck %s
typedef float f32x4 __attribute__((ext_vector_type(4)));
struct tile {
	f32x4 acc[32];
	template <int N> __attribute__((device)) void step(float x)
	{
		for (int i = 0; i < 32; ++i) {
			acc[i] += x * N;
		}
	}
};
#define STEP(tile, x) tile.template step<1>(x)
#define STEP_2 .template step<2>

// CHECK: macro_object.hip:[[#@LINE+6]]:3: warning: 't' (tile, 128 VGPRs per lane) crosses this if/else as 32 phis: 2 of 2 arms write it
template <int MACRO> __attribute__((device)) inline void go(tile *out, int n, float x)
{
	tile t = *out;
	for (int i = 0; i < n; ++i) {
		const bool even = i % 2 == 0;
		if (even) {
			STEP(t, x);
		} else {
			t STEP_2(x);
		}
	}
	*out = t;
}
__attribute__((global)) void k(tile *out, int n, float x)
{
	go<1>(out, n, x);
}
