// Every target sees its own code; one that this libclang does not know is parsed as its nearest
// relative, and lint says so.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a,gfx942 -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --check-prefix TWO --implicit-check-not=warning: < %t.txt
// TWO: targets.hip:[[#LINE:]]:2: warning: 'acc' (float[64],
// TWO: targets.hip:{{[0-9]+}}:2: warning: 'acc' (float[96],
// RUN: %exits 1 %unphi lint %s --target gfx90a -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --check-prefix ONE --implicit-check-not=warning: < %t.txt
// ONE: warning: 'acc' (float[64],
// RUN: %exits 1 %unphi lint %s -- -nogpuinc --offload-arch=gfx942 > %t.txt
// RUN: %FileCheck %s --check-prefix FLAG --implicit-check-not=warning: < %t.txt
// FLAG: warning: 'acc' (float[96],
// RUN: %exits 0 %unphi lint %s --target gfx1100 -- -nogpuinc
// RUN: %exits 1 %unphi lint %s --target gfx950 -- -nogpuinc > %t.txt 2> %t.err
// RUN: %FileCheck %s --check-prefix FLAG --implicit-check-not=warning: < %t.txt
// RUN: %unphi --version | grep -Eq '^libclang: (AMD clang|.*version [2-9][0-9])' \
// RUN:   || grep -q 'does not know gfx950: parsed as gfx942' %t.err

__attribute__((global)) void kernel(float *p, int c)
{
#if defined(__gfx90a__)
	float acc[64] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
#elif defined(__gfx942__) || defined(__gfx950__)
	float acc[96] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
#else
	float acc[1] = {};
#endif
	p[0] = acc[3];
}
