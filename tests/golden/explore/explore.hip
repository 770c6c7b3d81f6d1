// REQUIRES: hipcc, compiler
// RUN: export UNPHI_COMPILER=%compiler
//
// Every combination of settings; one that does not compile is shown as such, and is no failure.
// RUN: %unphi explore %s --target gfx90a -D WIDTH=8,64,0 -D STEPS=2 --report %t.txt -- -nogpuinc -I%S/../rewrite/Inputs
// RUN: %FileCheck %s < %t.txt
// CHECK: kernel target WIDTH STEPS VGPRs acc spills scratch waves bytes/flop best
// CHECK-NEXT: sum gfx90a 8 2 {{[0-9]+}} 0 0 0 8 2.0000 *
// CHECK-NEXT: sum gfx90a 64 2 {{[0-9]+}} 0 0 0 {{[0-9]}} 2.0000 -
// CHECK-NEXT: (does not compile) gfx90a 0 2
// CHECK-NEXT: WIDTH=0, STEPS=2 (gfx90a): error: static assertion failed{{.*}}: a width
//
// The same for scripts, and as a plot: a dot for each that compiles, filled where none is better.
// RUN: %unphi explore %s --target gfx90a -D WIDTH=8,64,0 -D STEPS=2 --format json --report %t.json -- -nogpuinc -I%S/../rewrite/Inputs
// RUN: python3 -c "import json, sys; r = json.load(open(sys.argv[1]))['results']; print([(x['settings']['WIDTH'], x['best'], x['vgpr_spills'], x['error']) for x in r])" %t.json | %FileCheck %s --check-prefix JSON
// JSON: [('8', True, 0, None), ('64', False, 0, None), ('0', False, None, {{.}}static assertion failed{{.*}}: a width{{.}})]
// RUN: %unphi explore %s --target gfx90a -D WIDTH=8,64,0 -D STEPS=2 --format svg --report %t.svg -- -nogpuinc -I%S/../rewrite/Inputs
// RUN: python3 -c "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])" %t.svg
// RUN: grep -c '<circle' %t.svg | grep -x 2
// RUN: grep '<circle.* fill="#2b8a5f".*WIDTH=8 STEPS=2: [0-9]* VGPRs, 0 spilled, 8 waves' %t.svg
// RUN: grep '<circle.* fill="none".*WIDTH=64 ' %t.svg
//
// A macro that nothing depends on is said; so is what the file defines whatever -D says.
// RUN: %unphi explore %s --target gfx90a -D WIDTH=8 -D STEPS=2 -D NOWHERE=1,2 -D FIXED=1,2 --report %t.txt -- -nogpuinc -I%S/../rewrite/Inputs 2> %t.err
// RUN: %FileCheck %s --check-prefix IDLE < %t.err
// IDLE: warning: -D NOWHERE: no figure differs between its values; is it named in {{.*}}explore.hip, and does a #define of the file come after #ifndef?
// IDLE: warning: -D FIXED: no figure differs
//
// RUN: %exits 3 %unphi explore %s --target gfx90a -D WIDTH=0 -- -nogpuinc -I%S/../rewrite/Inputs 2>&1 | %FileCheck %s --check-prefix NONE
// NONE: error: {{.*}}explore.hip: no combination compiles:
//
// RUN: %exits 2 %unphi explore %s --target gfx90a 2>&1 | %FileCheck %s --check-prefix NOTHING
// NOTHING: error: nothing to explore: give -D NAME=VALUE,VALUE...
// RUN: %exits 2 %unphi explore %s --target gfx90a -D WIDTH -- -nogpuinc -I%S/../rewrite/Inputs 2>&1 | %FileCheck %s --check-prefix VALUE
// VALUE: error: option -D: 'WIDTH' is not NAME=VALUE,VALUE...
// RUN: %exits 2 %unphi explore %s --target gfx90a -D WIDTH=1,2 -D WIDTH=3 -- -nogpuinc -I%S/../rewrite/Inputs 2>&1 | %FileCheck %s --check-prefix TWICE
// TWICE: error: option -D: WIDTH is given twice: put its values together
// RUN: values=$(seq -s, 1000); %exits 2 %unphi explore %s --target gfx90a -D WIDTH=$values -D STEPS=$values -- -nogpuinc -I%S/../rewrite/Inputs 2>&1 | %FileCheck %s --check-prefix MANY
// MANY: error: more than 256 combinations of settings: give fewer values
#include <hip/hip_runtime.h>
static_assert(WIDTH > 0, "a width");
#define FIXED 4
__global__ void __launch_bounds__(256) sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
	float s[WIDTH];
	for (int i = 0; i < WIDTH; ++i) s[i] = 0;
	for (int k = 0; k < n * STEPS; ++k) {
		for (int i = 0; i < WIDTH; ++i) {
			s[i] += x[(k * WIDTH + i) * 256 + threadIdx.x] * s[i];
		}
	}
	for (int i = 0; i < WIDTH * FIXED / 4; ++i) y[i * 256 + threadIdx.x] = s[i];
}
