// The same finding at the same line whatever the ends of the lines are, with a byte order mark, and
// without a last newline; a tab counts one column.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s lf.hip
// RUN: sed 's/$/\r/' %s > crlf.hip
// RUN: { printf '\357\273\277'; cat %s; } > bom.hip
// RUN: head -c -1 %s > short.hip
// RUN: for f in lf crlf bom short; do \
// RUN:   %exits 1 %unphi lint --verbose $f.hip --target gfx90a -- -nogpuinc | sed s/$f.hip/X/ > $f.txt \
// RUN:     || exit 1; done
// RUN: %FileCheck %s --strict-whitespace < lf.txt
// CHECK: {{^}}X:[[#LINE:]]:2: warning: 'acc'
// CHECK-NEXT: {{^   }}[[#LINE]] | 	if (c) { // ä
// CHECK-NEXT: {{^      [|] 	\^~$}}
// RUN: cmp lf.txt crlf.txt && cmp lf.txt bom.txt && cmp lf.txt short.txt
//
// An empty file, and one without device code, are clean.
// RUN: : > empty.hip && %exits 0 %unphi lint --verbose empty.hip --target gfx90a -- -nogpuinc
// RUN: echo 'int x;' > host.hip && %exits 0 %unphi lint --verbose host.hip --target gfx90a -- -nogpuinc
//
// One that does not parse gives exit code 3 and the compiler's own words, and is looked at as far as
// that goes; the others are still done.
// RUN: { cat %s; echo 'int x = ;'; } > broken.hip
// RUN: %exits 3 %unphi lint --verbose broken.hip lf.hip --target gfx90a -- -nogpuinc 2> broken.err \
// RUN:   | sed s/lf.hip/X/ | tail -n $(wc -l < lf.txt) | cmp - lf.txt
// RUN: %FileCheck %s --check-prefix BROKEN < broken.err
// BROKEN: unphi: error: broken.hip: does not parse as HIP (1 error)
// BROKEN-NEXT: broken.hip:{{[0-9]+}}:9: error: expected expression
//
// With HIP's own header.
// RUN: { echo '#include <hip/hip_runtime.h>'; grep -v attribute %s | sed 's/void kernel/__global__ &/'; } \
// RUN:   > real.hip
// RUN: %exits 1 %unphi lint --verbose real.hip --target gfx90a | grep -c 'real.hip.*warning: .acc.' \
// RUN:   | grep -qx 1
// REQUIRES: hipcc

__attribute__((global))
void kernel(float *p, int c)
{
	float acc[64] = {};
	if (c) { // ä
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}
