// [[likely]] and [[unlikely]] on an arm say nothing of what it computes, and go with it. Other
// attributes may, and the arms stay as they are.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:plain -o %t.hip -- -nogpuinc -std=c++20 > %t.txt
// RUN: %FileCheck %s --check-prefix=SAYS < %t.txt
// RUN: %FileCheck %s --check-prefix=HOIST < %t.hip
// RUN: %unphi rewrite %s --target gfx90a --strategy fuse:plain -o %t.fuse.hip -- -nogpuinc -std=c++20
// RUN: %FileCheck %s --check-prefix=FUSE < %t.fuse.hip
// RUN: %unphi rewrite %s --target gfx90a --strategy split -o %t.split.hip -- -nogpuinc -std=c++20
// RUN: %FileCheck %s --check-prefix=SPLIT < %t.split.hip

typedef int i32x4 __attribute__((ext_vector_type(4)));

__attribute__((global)) void two(i32x4 *p, const int *in, int n)
{
	i32x4 acc[8] = {};
	for (int k = 0; k < n; ++k) {
		if (k + 4 < n) [[likely]] {
			for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[k] + 3;
		} else
		[[unlikely]]
		{
			for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[n] + 3;
		}
	}
	for (int i = 0; i < 8; ++i) p[i] = acc[i];
}
// HOIST: const int index = k + 4 < n ? k : n;
// HOIST-NEXT: for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[index] + 3;
// FUSE: const bool taken = k + 4 < n;
// FUSE-NEXT: for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[taken ? k : n] + 3;
// SPLIT: for (; k < n && k + 4 < n; ++k) {
// SPLIT-NEXT: {{^}}		for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[k] + 3;
// SPLIT: for (; k < n; ++k) {
// SPLIT-NEXT: {{^}}		for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[n] + 3;

// SAYS: in other_attribute: kept as it is: an arm holds text that is not a statement of its own
__attribute__((global)) void other_attribute(i32x4 *p, const int *in, int n)
{
	i32x4 acc[8] = {};
	for (int k = 0; k < n; ++k) {
		if (k + 4 < n) [[likely, clang::nomerge]] {
			for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[k] + 3;
		} else {
			for (int i = 0; i < 8; ++i) acc[i] = acc[i] * in[n] + 3;
		}
	}
	for (int i = 0; i < 8; ++i) p[i] = acc[i];
}
