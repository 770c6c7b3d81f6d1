// An accumulator in a struct is named by its member, has the role of one, and the peak says where it is called. Names of
// instances are long: the picture's title has all of them.
//
// RUN: %unphi ledger %s --target gfx90a --estimate -- -nogpuinc | %FileCheck %s
// CHECK: {{^}}sums (gfx90a)
// CHECK: s.o 65 {{[0-9]+}} {{.*}} carried accumulator Soft
// CHECK: {{^}}tiles<twice<twice<int>>> (gfx90a)
// CHECK: t.acc 76 {{[0-9]+}} {{.*}} carried accumulator Tile
// CHECK: peak: {{[0-9]+}} VGPRs in line [[STEP:[0-9]+]] (called in line [[CALL:[0-9]+]]):
// RUN: %unphi ledger %s --target gfx90a --estimate --format svg -- -nogpuinc > %t.svg
// RUN: python3 -c "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])" %t.svg
// RUN: grep -o '<text x="4"[^>]*>[^<]*' %t.svg | sed 's/.*>//' | tr -d '\n' | grep 'tiles.*twice.*(gfx90a): estimate'
// RUN: grep 'the peak is in step, called in line [0-9]* of tiles' %t.svg
typedef float f32x4 __attribute__((ext_vector_type(4)));
struct Soft {
	float o[64];
	int pad;
};
struct Tile {
	f32x4 frag[2], acc[16];
	float top;
};
template <typename T> struct twice {};

__attribute__((device)) void add(Soft &s, const float *p)
{
	for (int i = 0; i < 64; ++i) s.o[i] += p[i];
}

__attribute__((global)) void sums(const float *p, float *q, int n)
{
	Soft s = {};
	for (int k = 0; k < n; ++k) add(s, p + k);
	for (int i = 0; i < 64; ++i) q[i] = s.o[i];
}

__attribute__((device)) void step(Tile &t, const float *p)
{
	float x[32];
	for (int i = 0; i < 32; ++i) x[i] = p[i];
	for (int i = 0; i < 16; ++i) t.acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(x[i], x[i + 16], t.acc[i], 0, 0, 0);
	t.top = x[3];
}

template <typename T> __attribute__((global)) void tiles(const float *p, f32x4 *q, int n)
{
	Tile t = {};
	for (int k = 0; k < n; ++k) {
		step(t, p + k);
	}
	for (int i = 0; i < 16; ++i) q[i] = t.acc[i] * t.top;
}
template __attribute__((global)) void tiles<twice<twice<int>>>(const float *, f32x4 *, int);
