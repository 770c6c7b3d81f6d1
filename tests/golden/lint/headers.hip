// A merge in the user's own header is reported there; one in a system header is nobody's to change.
// Files are sorted by name, findings by place, and a finding that two files share comes once.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/b.hip && cp %s %t/a.hip && cp %S/Inputs/step.h %t
// RUN: cd %t && %exits 1 %unphi lint --verbose b.hip a.hip --target gfx90a \
// RUN:   -- -nogpuinc -I. -isystem %S/Inputs/system > %t/out.txt
// RUN: grep warning: %t/out.txt | %FileCheck %s --match-full-lines
// CHECK: a.hip:[[#LINE:]]:2: warning: 'acc' (float[64], 64 VGPRs per lane) {{.*}}
// CHECK-NEXT: b.hip:[[#LINE]]:2: warning: 'acc' (float[64], 64 VGPRs per lane) {{.*}}
// CHECK-NEXT: step.h:6:2: warning: 'acc' (float[80], 80 VGPRs per lane) {{.*}}
// CHECK-NOT: {{.}}
//
// Whatever the order of the files, the findings are the same.
// RUN: cd %t && %exits 1 %unphi lint --verbose a.hip b.hip a.hip --target gfx90a \
// RUN:   -- -nogpuinc -I. -isystem %S/Inputs/system | cmp - %t/out.txt

#include <vendor.h>
#include "step.h"

__attribute__((global)) void kernel(float *p, int c)
{
	float acc[64] = {}, other[80] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	header_step(other, p[0], c);
	vendor_step(other, p[0], c);
	p[0] = acc[3] + other[3];
}
