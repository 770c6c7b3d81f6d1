// Arms that hold a raw string are indented like any other; the lines inside the string are not touched.
//
// RUN: %unphi rewrite %s --strategy split --target gfx90a -o %t.hip --no-comments -- -nogpuinc -std=c++17
// RUN: sed -n '/^__attr/,$p' %t.hip | %FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:	for (; t < n && c > 3; ++t) {
// CHECK-NEXT:		const char *s = R"(one
// CHECK-NEXT:	two
// CHECK-NEXT:				three)";
// CHECK-NEXT:		for (auto &e : acc) {
// CHECK-NEXT:			e += s[0];
// CHECK-NEXT:		}
// CHECK-NEXT:		acc[1] += R"x(
// CHECK-NEXT:			)")x"[0];
// CHECK-NEXT:	}
//      CHECK:	for (; t < n; ++t) {
// CHECK-NEXT:		for (auto &e : acc) {

__attribute__((global)) void kernel(float *p, int c, int n)
{
	float acc[64] = {};
	for (int t = 0; t < n; ++t) {
		if (c > 3) {
			const char *s = R"(one
	two
				three)";
			for (auto &e : acc) {
				e += s[0];
			}
			acc[1] += R"x(
			)")x"[0];
		} else {
			for (auto &e : acc) {
				e -= 1;
			}
		}
	}
	p[0] = acc[3];
}
